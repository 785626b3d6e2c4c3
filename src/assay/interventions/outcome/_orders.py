"""Exchanges of order: the subjects of a contrast, the labels of two items, or two sentences change places."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._sentences import MARKERS, ProposedEdit, ProseSentence, words_of
from assay.text.english_grammar import GRAMMAR
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "orders")

_SINGULAR: Final = (
    "is",
    "was",
    "has",
    "does",
    "remains",
    "offers",
    "uses",
    "shows",
    "leads",
    "excels",
    "lacks",
    "emphasizes",
    "focuses",
    "tends",
    *sorted(GRAMMAR.third_person),
)
_PLURAL: Final = (
    "are",
    "were",
    "have",
    "do",
    "offer",
    "use",
    "show",
    "lead",
    "lack",
    "excel",
    "focus",
    "tend",
    *sorted(GRAMMAR.base_verbs),
)
_THING: Final = r"(?:[Tt]he |[Aa]n? )?[A-Za-z][\w’'-]*(?: (?!<<thing>>)[\w’'-]+){0,4}?"
_MAPPING: Final = tuple(
    _PHRASES.pattern(
        rf"(?:^|(?<=: )|(?<=; ))({_THING}) ((?:{'|'.join(verbs)})\b[^;:]{{8,160}}?),? (while|whereas|but)"
        rf" ({_THING}) ((?:{'|'.join(verbs)}|will|can|may)\b)",
    )
    for verbs in (_SINGULAR, _PLURAL)
)
_IF: Final = re.compile(
    r"\b([^,.;:()]{6,60}) (when|if|where) ([^,.;:()]{6,70})(?:,| and|, and|;) ([^,.;:()]{6,60})"
    r" \2 ([^,.;:()]{6,80})(?=[.,;])",
)
_ZH_VERBS: Final = "<<verbs>>"
_MAPPING_ZH: Final = _PHRASES.pattern(
    rf"(?:^|(?<=[。；：]))([\u4e00-\u9fffA-Za-z0-9·（）“”]{{2,14}}?)((?:{_ZH_VERBS})[^。；]{{3,60}}?)"
    rf"[，；](而|但)?([\u4e00-\u9fffA-Za-z0-9·（）“”]{{2,14}}?)(?=则?(?:{_ZH_VERBS})[^。；]{{3,}})",
)
_NO_THING: Final = _PHRASES.pattern(
    r"^(?:<<no_thing>>)\b|[,.]|\b(?:of which|who)\b",
    "en",
    flags=re.IGNORECASE,
)
_NO_THING_ZH: Final = _PHRASES.pattern(
    "^(?:<<no_thing>>)|的$|[和与及或、]$",
    "zh",
)
_LABEL: Final = re.compile(
    r"\*\*([^*\n]{2,60}?)(?:\s?[:：]\*\*|\*\*\s?[:：])|([A-Z][\w /&-]{2,40}"
    r"|[\u4e00-\u9fffA-Za-z0-9/]{2,14})(?=[:：])",
)
_ANAPHORA: Final = _PHRASES.pattern(
    r"(?:<<anaphora>>)\b(?! is (?:important|worth|also)?(?:that|to))|这[一种些类个也]?|该"
    "|此[外类]?|因此|然而|例如|其[中次]|但|不过|相比之下|同时|另外|随后|最后|最终|两者|它们?|后者"
    "|前者|由此|据此",
)
_WEAK: Final = _PHRASES.pattern("<<weak>>")
_LONGEST: Final = 900
# Lists are long: without a limit swapped labels would dominate.
_MOST_LABELS: Final = 3
# A sentence that begins like this joins the one before it, not a heading.
_JOINS: Final = _PHRASES.pattern(r"(?:<<joins>>)\b|因此|然而|例如|但|不过|相比之下|随后|后者|前者|由此|据此")
# How far above a sentence its antecedent may stand.
_ABOVE: Final = 400
# How often a Chinese subject occurs in a report that treats it.
_SPOKEN: Final = 3


def mappings(report: Report, sentences: Iterable[ProseSentence]) -> Iterator[ProposedEdit]:
    """Yield contrasts with their two subjects (or conditions) swapped, contrary to another sentence of the report."""
    for words in sentences:
        for pattern in _MAPPING:
            match = pattern.search(words.plain)
            if match is None or any(_NO_THING.search(match.group(i)) for i in (1, 4)):
                continue
            things = match.group(1), match.group(4)
            if match.group(5) in ("will", "can", "may") and things[0].endswith("s") != things[1].endswith(
                "s"
            ):
                # A modal hides the number of its subject, which the other verb may not fit.
                continue
            first = words.plain[match.end(1) : match.end(2)]
            if not _parallel(report, *things):
                continue
            if _known(report, words, (match.group(1), first), (match.group(4), words.plain[match.end(4) :])):
                yield from _exchange(report, words, match, (1, 4))
        match = _IF.search(words.plain)
        if (
            match is not None
            and " or " not in match.group(3)
            and content_terms(match.group(3)) != content_terms(match.group(5))
        ):
            yield from _exchange(report, words, match, (3, 5))
        match = _MAPPING_ZH.search(words.plain)
        if match is None or not (match.group(3) or "；" in match.group()):
            continue
        things = match.group(1), match.group(4)
        # A phrase that recurs is a thing; a phrase that a verb was cut from is not.
        if not any(_NO_THING_ZH.search(thing) or report.plain.count(thing) < _SPOKEN for thing in things):
            yield from _exchange(report, words, match, (1, 4))


def _parallel(report: Report, one: str, other: str) -> bool:
    """Return whether two things are of one kind (both names, or with a common head noun) and both occur elsewhere."""
    bare = [re.sub(r"^(?:[Tt]he|[Aa]n?) ", "", thing) for thing in (one, other)]
    if any(report.cues.lower.count(thing.lower()) < _SPOKEN for thing in bare):
        return False
    heads = [thing.split()[-1].lower().rstrip("s") for thing in bare]
    articles = [one[:4].lower() == "the ", other[:4].lower() == "the "]
    named = [any(char.isupper() for char in thing[1:]) for thing in bare]
    return (
        heads[0] == heads[1]
        or (all(named) and articles[0] == articles[1])
        or (bare[0].islower() and bare[1].islower() and len(bare[0].split()) == len(bare[1].split()))
    )


def _known(report: Report, words: ProseSentence, one: tuple[str, str], two: tuple[str, str]) -> bool:
    """Return whether another sentence says the same of one subject and not of the other."""
    for (thing, said), (_, other) in ((one, two), (two, one)):
        subject, own = content_terms(thing), content_terms(said) - content_terms(other)
        for sentence, terms in zip(report.sentences, report.sentence_terms, strict=True):
            if sentence.index != words.sentence.index and subject and subject <= terms and own & terms:
                return True
    return False


def _exchange(
    report: Report, words: ProseSentence, match: re.Match[str], groups: tuple[int, int]
) -> Iterator[ProposedEdit]:
    one, two = groups
    start, end = match.start(one), match.end(two)
    first, second = (words.source[match.start(i) : match.end(i)] for i in groups)
    if first.lower() == second.lower() or content_terms(first) == content_terms(second):
        return
    middle = words.source[match.end(one) : match.start(two)]
    if words.plain[:start].strip() == "":
        first, second = _inside(report, first), second[0].upper() + second[1:]
    note = f"“{first}” and “{second}” have changed places"
    yield ProposedEdit(
        words.start + start, words.start + end, second + middle + first, "swapped-mapping", note
    )


def _inside(report: Report, text: str) -> str:
    """Return a subject as it reads inside a sentence: in lower case if the report writes it so."""
    first = text.split(" ", 1)[0]
    if not first[1:].replace("-", "").islower():
        return text
    small, great = (
        re.search(rf"[a-z,] {re.escape(word)}\b", report.plain) for word in (first.lower(), first)
    )
    return text[0].lower() + text[1:] if small or great is None else text


def labels(report: Report, draw: Random) -> Iterator[ProposedEdit]:
    """Yield neighbouring items with swapped labels if each item's text does not fit the other's label."""
    pairs = [
        (one, two)
        for one, two in pairwise(report.blocks)
        if one.kind == two.kind == "item" and one.depth == two.depth and one.section == two.section
    ]
    draw.shuffle(pairs)
    left = _MOST_LABELS
    for one, two in pairs:
        if not left:
            return
        first, second = _labelled(report, one), _labelled(report, two)
        if first is None or second is None or two.span.end - one.span.start > _LONGEST:
            continue
        (start, end, label), (other_start, other_end, other) = first, second
        terms, others = content_terms(label), content_terms(other)
        body = content_terms(report.plain[end : one.span.end])
        other_body = content_terms(report.plain[other_end : two.span.end])
        if terms & others or len(body) < 4 or len(other_body) < 4:
            continue
        # Each speaks of what its own label names, and not of what the other's names.
        if not (terms & body and others & other_body) or others & body or terms & other_body:
            continue
        left -= 1
        text = other + report.source[end:other_start] + label
        yield ProposedEdit(
            start, other_end, text, "swapped-labels", f"labels “{label}” and “{other}” have changed places"
        )


def _labelled(report: Report, block: Block) -> tuple[int, int, str] | None:
    """Return the start, the end and the text of an item's label without its marks, or None if it has no label."""
    source = report.source
    at = block.span.start
    match = _LABEL.search(source, at, min(block.span.end, at + 90))
    if (
        match is None
        or source[at : match.start()].strip(" -*+•\t0123456789.)、")
        or "\n" in source[at : block.span.end].strip()
    ):
        return None
    group = 1 if match.group(1) else 2
    label = match.group(group).rstrip(":： ")
    start = match.start(group)
    if MARKERS.search(label) or "](" in label or any(char in label for char in "()（）`$[]"):
        return None
    return start, start + len(label), label


def sentence_order(report: Report, draw: Random) -> Iterator[ProposedEdit]:
    """Yield swapped sentences, so that one with "this", "however" or "third" comes before the one it refers to."""
    pairs = [(one, two) for one, two in pairwise(report.sentences) if one.block == two.block]
    draw.shuffle(pairs)
    for one, two in pairs:
        first, second = words_of(report, one), words_of(report, two)
        if (
            first is None
            or second is None
            or len(first.plain.strip()) < 24
            or second.end - first.start > _LONGEST
        ):
            continue
        if any(
            words.plain.count('"') % 2 or words.plain.count("“") != words.plain.count("”")
            for words in (first, second)
        ):
            # A quotation that continues in the next sentence.
            continue
        opens = first.start - report.blocks[one.block].span.start < 6
        match = _ANAPHORA.match(second.plain)
        if (
            match is not None
            and not _JOINS.match(second.plain)
            and not _introduces(report, first, second, match)
        ):
            continue
        if match is None or _WEAK.match(second.plain) or _ANAPHORA.match(first.plain) or not opens:
            continue
        gap = report.source[first.end : second.start]
        if (
            gap.strip()
            or "\n" in gap
            or first.source[:1] in "*-+>#_"
            or first.source.count("**") % 2
            or second.source.count("**") % 2
        ):
            continue
        body, tail = first.source.rstrip(), second.source.rstrip()
        if report.source[first.start - 2 : first.start].strip("\n ") in ("**", ":", "："):
            continue
        # A marker that closes the sentence that now comes first is separated from what follows.
        between = gap or (" " if tail.endswith(("]", "】")) and report.language == "en" else "")
        yield ProposedEdit(
            first.start,
            first.start + len(first.source) + len(gap) + len(tail),
            f"{tail}{between}{body}",
            "sentence-order",
            f"“{match.group()} …” now comes before what it refers to",
        )


def _introduces(report: Report, first: ProseSentence, second: ProseSentence, match: re.Match[str]) -> bool:
    """Return whether ``first``, and no text above it, introduces what "this study" or "该公司" in ``second`` refers to."""
    words = second.plain[match.end() : match.end() + (8 if report.language == "zh" else 40)]
    noun = words[:5] if report.language == "zh" else " ".join(words.split()[:2])
    terms = content_terms(noun)
    if not terms & content_terms(first.plain):
        return False
    title = report.sections[first.sentence.section].title
    above = f"{title} {report.plain[max(0, first.start - _ABOVE) : first.start]}"
    return not terms & content_terms(above)
