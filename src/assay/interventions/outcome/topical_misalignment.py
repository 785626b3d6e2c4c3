"""Topical misalignment: a passage leaves the question for a neighbouring subject.

A sentence from another author's report on a neighbouring question ends a paragraph with which it shares terms, either
added to it or in place of one of its sentences. It reads on and does not serve the question. No rule can write such a
passage from one report alone: other names in its own sentences would make them wrong rather than beside the point.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.outcome._borrowed_sentences import drifts, terms_of
from assay.interventions.outcome._sentences import (
    MARKERS,
    ProposedEdit,
    ProseSentence,
    mixed,
    passages,
    tokens,
    touched,
    words_of,
)
from assay.text.phrases import PhraseFile
from assay.text.words import CJK, content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.interventions.outcome._borrowed_sentences import BorrowedSentence
    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "topical_misalignment")

# Greatest number of borrowed sentences examined.
_LENT: Final = 40
# A sentence that begins like this depends on the one before it, which must stay.
_HANGS: Final = _PHRASES.pattern(
    r"\W*(?:(?:<<hangs>>)\b|这|该|此|其|它|他|她|因此|因而|例如|比如|如|然而|但|不过|同时|而|两者"
    "|二者|前者|后者|另|并|也|还|从而|由此|首先|其次|最后|总|综|具体)",
)
_POINTS: Final = re.compile(r"\b(?:this|these|those|such)\b|这|该|上述|那|此", re.IGNORECASE)
# A sentence that shares more terms with the next one is continued by it.
_GOES_ON: Final = 2
# Greatest ratio of the replaced text's length to that of the borrowed text.
_GIVES_WAY: Final = 2.5


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield nothing, because this failure needs a second report (see the module's docstring)."""
    del report, draw
    yield from ()


def borrow(report: Report, draw: Random, others: Sequence[Report]) -> Iterator[TextRevision]:
    """Yield revisions with a sentence from another report, added to a paragraph or in place of one of its sentences.

    Args:
        report: The report that borrows.
        draw: Random generator for the order of sentences that fit less well.
        others: Reports in the same language on other questions.
    """
    if report.language == "und" or not report.query:
        return
    every = drifts(report, others)
    best, rest = every[: _LENT // 4], every[_LENT // 4 : _LENT]
    draw.shuffle(rest)
    yield from mixed(report, [_added(report, [*best, *rest]), _instead(report, every)])


def _added(report: Report, found: Sequence[BorrowedSentence]) -> Iterator[ProposedEdit]:
    """Yield edits that add a borrowed sentence at the end of a paragraph."""
    used: set[str] = set()
    for drift in found:
        at = _end(report, drift)
        # Each is offered where it fits best.
        if at is not None and drift.text not in used:
            used.add(drift.text)
            yield ProposedEdit(at, at, _gap(report) + drift.text, "added", _note(drift))


def _instead(report: Report, found: Sequence[BorrowedSentence]) -> Iterator[ProposedEdit]:
    """Yield edits that add a borrowed sentence to a paragraph and remove an uncited one on which no other depends."""
    for drift in found:
        end = _end(report, drift)
        inside = [words_of(report, sentence) for sentence in report.sentences_in(drift.block.span)]
        if end is None:
            continue
        options: list[tuple[int, ProseSentence]] = []
        for at in range(1, len(inside)):
            one, before = inside[at], inside[at - 1]
            after = inside[at + 1] if at + 1 < len(inside) else None
            if one is None or before is None or MARKERS.search(one.source) or "**" in one.source:
                continue
            if at + 1 == len(inside) or (after is not None and _apart(report, one, after)):
                options.append((at, one))
        fitting = [
            option for option in options if 0.95 <= len(option[1].source) / len(drift.text) <= _GIVES_WAY
        ]
        if fitting:
            _, gone = max(fitting, key=lambda option: option[0])
            stays = report.source[gone.start + len(gone.source.rstrip()) : end].lstrip(" ")
            gap = _gap(report) if stays else ""
            yield ProposedEdit(gone.start, end, f"{stays}{gap}{drift.text}", "instead", _note(drift))


def _end(report: Report, drift: BorrowedSentence) -> int | None:
    """Return the offset of a paragraph's end, or None if it ends inside emphasis or without full stop or citation."""
    text = report.text(drift.block.span).rstrip()
    if not re.search(r"[.。!?！？\])】]$", text) or text.count("**") % 2 or text.endswith("**"):
        return None
    return drift.block.span.start + len(text)


def _gap(report: Report) -> str:
    return "" if report.language == "zh" else " "


def _note(drift: BorrowedSentence) -> str:
    return f"from an answer to: {drift.query[:80]}"


def _apart(report: Report, one: ProseSentence, after: ProseSentence) -> bool:
    if _HANGS.match(after.source) or _POINTS.search(after.plain):
        return False
    return _shared(report, one.sentence, after.sentence) <= _GOES_ON


def _shared(report: Report, one: Sentence, two: Sentence) -> int:
    return len(report.sentence_terms[one.index] & report.sentence_terms[two.index])


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield paragraphs that a model can let drift."""
    yield from passages(report, draw)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None.

    It is refused if it adds too little, answers the question, shares no terms with its paragraph, or repeats the
    report.
    """
    before, after = touched(reference, perturbed, revision)
    if sorted(MARKERS.findall(before)) != sorted(MARKERS.findall(after)):
        return "citations changed, and a drift of topic leaves them"
    asked = content_terms(reference.query or "")
    old, new = tokens(before), tokens(after)
    added: list[str] = []
    chinese = reference.language == "zh"
    for tag, _, _, low, high in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag in ("insert", "replace"):
            added += new[low:high]
    text = "".join(added) if chinese else " ".join(added)
    terms = content_terms(text)
    size = len(CJK.findall(text)) if chinese else len(terms)
    if size < (12 if chinese else 6) or not terms:
        return "too little is new for a change of subject"
    if len(terms & asked) > 0.34 * len(terms):
        return "what is new speaks of what was asked"
    if len(terms & content_terms(before)) > 0.5 * len(terms):
        return "what is new says what the passage said"
    strange = terms - terms_of(reference) - asked
    if len(strange) < max(2, 0.15 * len(terms)):
        return "what is new keeps to what the report is about"
    # Without the passage itself, because the new text may replace it.
    block = reference.block_at(max(0, min(revision.edits[0].start, len(reference.source) - 1)))
    if block is not None and not terms & (
        content_terms(reference.text(block.span)) | _heading(reference, block.section)
    ):
        return "nothing leads from the passage to what is new"
    return None


def _heading(report: Report, section: int) -> set[str]:
    return content_terms(report.sections[section].title)


OPERATOR = Operator(
    name="topical_misalignment",
    title="Topical Misalignment",
    title_zh="偏题",
    level="outcome",
    module="output",
    category="relevance",
    definition=(
        "A passage leaves the question: it speaks of an adjacent subject, of background or of a "
        "detail that was not asked for, instead of what the report is to answer."
    ),
    definition_zh="某段内容偏离了问题：转而谈论相邻的话题、无关的背景或并未被问到的细节，而没有服务于报告要回答的内容。",
    rule=rule,
    borrow=borrow,
    sites=sites,
    check=check,
    ask=(
        "Let the passage drift: replace one sentence, or the second half of one, by something on an "
        "adjacent subject that the question does not ask about – the history of a term, "
        "another field where it occurs, how an institution works, a neighbouring country, group or "
        "product. Start from a word of the passage so that it reads on smoothly, keep the "
        "tone and about the length, and state nothing false about the subject itself. Citations stay where they are."
    ),
    ask_zh=(
        "让这段话跑题：把其中一句或一句的后半换成与问题相邻、但并未被问到的内容，例如相邻的国家、人群或产品，某个术语的由来，或它在别的领域的用法。"
        "从原文的词语自然引出，语气和篇幅与原文相近，不要歪曲原有事实，引用标记保持不动。"
    ),
    source="reflect, table 3 and appendix D.1.2, sample 2",
)
