"""Topical misalignment: a passage leaves the question for something beside it.

A sentence gives way to one about a thing nobody asked – where a name comes from, how a term is taught, what a place has to
offer visitors – or is followed by one, or turns away after its first half. What it drifts to begins with a name or a term
of the report, so that the words fit in and only the subject does not.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.outcome._tangents import Tangent, tangents
from assay.interventions.outcome._words_b import (
    MARKERS,
    Change,
    Words,
    mixed,
    passages,
    prose,
    tokens,
    touched,
)
from assay.text.words import CJK, content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import Place, TextRevision
    from assay.subjects.report import Report

__all__ = ["OPERATOR"]

_TAIL: Final = re.compile(
    r"\s*[.。!！]?(?:\s?(?:\(?\[[^\[\]]{1,30}\](?:\([^)]*\))?\)?,?|【[^】]*】))*[.。]?\s*$"
)
_CUTS_EN: Final = re.compile(
    r", (?=(?:which|thereby|making|leading|allowing|while|resulting|providing|enabling|although|whereas|but|so|ensuring|reflecting|including|particularly|especially)\b)"
)
# A clause that stands in the middle: what follows its end belongs to the main one.
_INSERTED: Final = re.compile(
    r"(?:which|including|particularly|especially|while|although|making|providing|ensuring|enabling|allowing|leading)\b[^,]*,"
)
_VERB_ZH: Final = re.compile(
    "是|有|达|能够|可以|提升|下降|增长|增加|减少|发展|成为|完成|出现|显示|推动|促进|形成|实现|支持|采用|进入|处于|影响|占|仍|已"
)
_DEPENDENT_ZH: Final = re.compile(
    "由于|如果|虽然|尽管|^(?:如|若|虽|尽管|由于|因|当|在|随着|对|通过|为|从|不仅|根据|与|除|只|即|经|以|据|自|无论|面对)|通过|不仅|既"
)
_GOES_ON_ZH: Final = re.compile("及|以及|和|与|或|并|但|而|也|还|更|又")
_REFERS: Final = re.compile(
    r"(?:This|These|It|They|Such|Its|Their|However|For example|Thus|Therefore|As a result|In contrast|Both)\b|这|该|其|此|它|因此|例如|然而|但|两者|前者|后者"
)
_COUNTS: Final = re.compile(
    r"[一二三四五]是|第[一二三四五]|[:：]\s*\d\.|^\d+[.、)]|\b(?:First|Second|Third)\b"
)
_CUTS_ZH: Final = re.compile("，")
_LABEL: Final = re.compile(
    r"(?:[\s\-*+•]*(?:\d+[.)、]\s*)?)?(?:\*\*[^*\n]{2,60}\*\*\s?[:：]?|[^:：\n*]{2,40}[:：](?!\d)\*{0,2})\s*"
)
_BOUND: Final = re.compile(
    r"^(?:However|Therefore|Thus|For example|For instance|As a result|Consequently|Second|Third|Finally|Overall|In summary|In conclusion|To summarize|Together)\b|^(?:因此|综上|总之|然而|例如|其次|最后)"
)
# What leads over to another subject; mostly nothing does.
_LEADS_EN: Final = ("",) * 9 + (
    "At the same time, ",
    "More broadly, ",
    "In this context, ",
    "It is also worth noting that ",
)
_LEADS_ZH: Final = ("",) * 8 + ("此外，", "与此同时，", "值得一提的是，", "从更广的角度看，")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Sentences replaced, sentences added, second halves and descriptions replaced, by turns."""
    if report.language == "und":
        return
    sentences = prose(report, draw, least=10)
    whole = [
        words
        for words in sentences
        if not _BOUND.match(words.plain) and not _COUNTS.search(words.plain) and "**" not in words.source
    ]
    whole = [words for words in whole if not _referred_to(report, words)]
    # A sentence without a citation can go without a trace; one with a citation keeps it, and is taken later.
    whole.sort(key=lambda words: bool(MARKERS.search(words.source)))
    streams = [
        _replaced(report, whole, draw),
        _added(report, sentences, draw),
        _second_half(report, sentences, draw),
        _described(report, prose(report, draw, least=9, closed=False), draw),
    ]
    draw.shuffle(streams)
    yield from mixed(report, streams)


def _referred_to(report: Report, words: Words) -> bool:
    """Whether the next sentence of the paragraph hangs on this one."""
    at = words.sentence.index + 1
    if at >= len(report.sentences) or report.sentences[at].block != words.sentence.block:
        return False
    span = report.sentences[at].span
    return _REFERS.match(report.plain[span.start : span.end].lstrip()) is not None


def _one(
    report: Report, near: str, draw: Random, room: tuple[float, float], *, clause: bool = False
) -> Tangent | None:
    return next(tangents(report, near, draw, least=round(room[0]), most=round(room[1]), clause=clause), None)


def _replaced(report: Report, sentences: list[Words], draw: Random) -> Iterator[Change]:
    """A sentence in the middle of its paragraph gives way to one beside the point, shorter or longer by turns."""
    for number, words in enumerate(sentences):
        tail = _tail(words)
        size = tail
        if size < 30:
            continue
        room = (0.85 * size, 1.35 * size) if number % 3 == 0 else (0.5 * size, 0.98 * size)
        tangent = _one(report, words.plain, draw, room)
        if tangent is not None:
            text = _led(tangent.text, report.language, draw)
            yield Change(
                words.start, words.start + tail, text, "replaced", _note("in place of a sentence", tangent)
            )


def _added(report: Report, sentences: list[Words], draw: Random) -> Iterator[Change]:
    """A sentence beside the point follows one of the report's own, in the same paragraph."""
    chinese = report.language == "zh"
    for words in sentences:
        block = report.blocks[words.sentence.block]
        if block.kind != "paragraph":
            continue
        tangent = _one(
            report, report.plain[block.span.start : block.span.end], draw, (20, 70) if chinese else (90, 240)
        )
        if tangent is None:
            continue
        text = _led(tangent.text, report.language, draw)
        stop = "。" if chinese else "."
        at = words.start + len(words.source.rstrip())
        # Emphasis that ends with the sentence must end before what is added.
        if report.source[at : at + 2] == "**" or report.source[at - 1] in "*_:：":
            continue
        lead = "" if chinese else " "
        yield Change(at, at, f"{lead}{text}{stop}", "added", _note("after a sentence", tangent))


def _second_half(report: Report, sentences: list[Words], draw: Random) -> Iterator[Change]:
    """A sentence begins as it did and ends elsewhere."""
    chinese = report.language == "zh"
    cuts = _CUTS_ZH if chinese else _CUTS_EN
    for words in sentences:
        tail = _tail(words)
        if re.search(r"[\"“”‘]", words.plain) or (
            not chinese and re.match(r"(?:If|When|While|Although|Not only)\b", words.plain)
        ):
            continue
        found = [
            cut
            for cut in cuts.finditer(words.plain, 12 if chinese else 40)
            if (8 if chinese else 35) <= tail - cut.end() and _cuts_well(words, cut, tail, chinese=chinese)
        ]
        if not found or MARKERS.search(words.source[found[-1].end() : tail]):
            continue
        cut = found[-1]
        size = tail - cut.end()
        tangent = _one(report, words.plain, draw, (0.5 * size, 1.5 * size + 10), clause=True)
        if tangent is None:
            continue
        yield Change(
            words.start + cut.end(),
            words.start + tail,
            tangent.text,
            "second-half",
            _note("in place of a second half", tangent),
        )


def _cuts_well(words: Words, cut: re.Match[str], tail: int, *, chinese: bool) -> bool:
    """Whether what stands before the cut is a sentence, and what stands after it can go."""
    before, after = words.plain[: cut.start()], words.plain[cut.end() : tail]
    if "**" in words.source[cut.end() : tail] or any(
        before.count(one) != before.count(two) for one, two in ("()", "（）")
    ):
        return False
    if not chinese:
        return _INSERTED.match(after) is None
    last = re.split("[，。；：]", before)[-1].strip()
    return (
        _VERB_ZH.search(last) is not None
        and not _DEPENDENT_ZH.search(last)
        and not _GOES_ON_ZH.match(after)
        and len(last) > 5
    )


def _described(report: Report, sentences: list[Words], draw: Random) -> Iterator[Change]:
    """An item keeps its label and speaks of something else."""
    for number, words in enumerate(sentences):
        block = report.blocks[words.sentence.block]
        start = block.span.start
        if block.kind != "item" or words.start - start > 6:
            continue
        label = _LABEL.match(report.source, start, block.span.end)
        end = words.start + _tail(words)
        if label is None or end - label.end() < 30 or label.end() < words.start:
            continue
        old = report.source[label.end() : end]
        if "**" in old or MARKERS.search(old):
            continue
        size = len(old)
        room = (0.5 * size, 0.98 * size) if number % 2 else (0.8 * size, 1.35 * size)
        tangent = _one(report, words.plain, draw, room)
        if tangent is not None:
            yield Change(
                label.end(), end, tangent.text, "described", _note("in place of a description", tangent)
            )


def _tail(words: Words) -> int:
    match = _TAIL.search(words.source)
    return match.start() if match else len(words.source)


def _led(text: str, language: str, draw: Random) -> str:
    lead = draw.choice(_LEADS_ZH if language == "zh" else _LEADS_EN)
    if not lead or language == "zh":
        return lead + text
    first = text.split(" ", 1)[0]
    return lead + (text[0].lower() + text[1:] if first[1:].islower() or first in ("A", "An") else text)


def _note(where: str, tangent: Tangent) -> str:
    return f"{where}: on {tangent.about}" + (f" of “{tangent.topic.text}”" if tangent.topic.text else "")


def sites(report: Report, draw: Random) -> Iterator[Place]:
    """Paragraphs from which a model may drift."""
    yield from passages(report, draw)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Refuses what adds too little, speaks of what was asked, or says again what the passage said."""
    before, after = touched(reference, perturbed, revision)
    if sorted(MARKERS.findall(before)) != sorted(MARKERS.findall(after)):
        return "citations changed, and a drift of topic leaves them"
    old, new = tokens(before), tokens(after)
    added: list[str] = []
    chinese = reference.language == "zh"
    for tag, _, _, low, high in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag in ("insert", "replace"):
            added += new[low:high]
    text = "".join(added) if chinese else " ".join(added)
    terms = content_terms(text)
    size = len(CJK.findall(text)) if chinese else len(terms)
    if size < (12 if chinese else 6):
        return "too little is new for a change of subject"
    asked = content_terms(reference.query or "")
    if terms and len(terms & asked) > 0.34 * len(terms):
        return "what is new speaks of what was asked"
    if len(terms & content_terms(before)) > 0.5 * len(terms):
        return "what is new says what the passage said"
    start, end = revision.edits[0].start, revision.edits[-1].end
    rest = content_terms(reference.plain[:start]) | content_terms(reference.plain[end:])
    # Words of the whole report turn up in a drift as well; where nearly all do, it is no drift.
    if terms and len(terms & rest) > 0.85 * len(terms):
        return "what is new keeps to what the report is about"
    return None


OPERATOR = Operator(
    name="topical_misalignment",
    title="Topical Misalignment",
    level="outcome",
    module="output",
    category="relevance",
    definition="A passage leaves the question: it speaks of an adjacent subject, of background or of a detail that was not asked for, instead of what the report is to answer.",
    definition_zh="某段内容偏离了问题：转而谈论相邻的话题、无关的背景或并未被问到的细节，而没有服务于报告要回答的内容。",
    rule=rule,
    sites=sites,
    check=check,
    ask=(
        "Let the passage drift: replace one sentence, or the second half of one, by something on an adjacent subject that the question does not ask about – the history of a term, "
        "another field where it occurs, how an institution works, a general textbook remark. Start from a word of the passage so that it reads on smoothly, keep the "
        "tone and about the length, and state nothing false about the subject itself. Citations stay where they are."
    ),
    ask_zh=(
        "让这段话跑题：把其中一句或一句的后半换成与问题相邻、但并未被问到的内容，例如某个术语的由来、它在别的领域的用法、某机构的一般情况或教科书式的背景。"
        "从原文的词语自然引出，语气和篇幅与原文相近，不要歪曲原有事实，引用标记保持不动。"
    ),
    codes=("COV005", "COV006"),
    source="reflect, table 3 and appendix D.1.2, sample 2",
)
