"""Flags a connective that connects to nothing.

A section that opens with "However" or 因此 opposes or draws on something that the section has not yet said; "the latter"
needs two alternatives before it; "as mentioned above" in the first sentence of a report refers to nothing. In generated
text this often means that a paragraph was moved or that the text before it was cut.

The check covers the first words of sections that open with running text and that no text or other section of their
chapter precedes, "the former" and "the latter" with no pair in the two preceding sentences, and references to earlier
text in the report's first sentence.

Known problems: a connective that does not fit the section before it is not noticed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "coh")

_OPENERS: Final = _PHRASES.pattern(
    r"(?:(?P<en><<dangling_connective_openers.en>>)(?=,| the\b| this\b| these\b)|"
    r"(?P<zh><<dangling_connective_openers.zh>>)(?=[，,]|[\u4e00-\u9fff]))",
    flags=re.IGNORECASE,
)
# "However high the price" does not contain a connective; nor do 不过是, 所以然, 相反的.
_NOT_ONE: Final = re.compile(r"(?:不过[是如]|所以然|相反[的地]|因此[而]?可)")
_PAIR_GOES_ON: Final = _PHRASES.pattern(r"\s*(?:[,.;:)—–]|(?:<<dangling_connective_pair_goes_on.en>>)\b|$)")
_TWO: Final = _PHRASES.pattern(
    r"\b(?:<<dangling_connective_two.en>>)\b|[,/&;]|[和与或、及，而比较同跟；]|还是"
)
_SAID: Final = "(?:mentioned|noted|discussed|described|stated|outlined|shown|explained)"
_ABOVE: Final = re.compile(
    rf"\bas (?:already )?{_SAID} (?:above|earlier|previously|before)\b|\bas (?:previously|already) {_SAID}\b"
    r"|如[上前](?:文)?所述|综上所述|[前上]文(?:所述|提到)|前面提到",
    re.IGNORECASE,
)
_FEW: Final = 12

_NOTHING_ABOVE: Final = Wording(
    en="“{words}” is in the report's first sentence, so nothing stands above it",
    zh="“{words}”出现在报告首句，上文并无内容",
)
_SECTION_OPENS: Final = Wording(
    en="Section “{title}” opens with “{words}”, which refers to nothing before it",
    zh="“{title}”一节以“{words}”开头，前面却没有可承接的内容",
)
_REPORT_OPENS: Final = Wording(
    en="The report opens with “{words}”, which refers to nothing before it",
    zh="报告以“{words}”开头，前面却没有可承接的内容",
)
_NO_PAIR: Final = Wording(
    en="“{words}” chooses from a pair of things, but none is named before it",
    zh="“{words}”之前没有成对的事物可供指代",
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield connectives that open a section, then "the former" and "the latter", then references above the start."""
    prose = report.paragraphs
    if not prose:
        return
    yield from _openers(report)
    yield from _pairs(report)
    first = report.sentences[0].span if report.sentences else prose[0].span
    for match in _ABOVE.finditer(report.plain, first.start, first.end):
        start, end = match.span()
        if count_words(report.plain[first.start : start]) < _FEW:
            yield Hit(
                Span(start, end),
                _NOTHING_ABOVE(words=report.source[start:end]),
                confidence=0.85,
            )


def _openers(report: Report) -> Iterator[Hit]:
    opened = -1
    blocks = report.blocks
    for i, block in enumerate(blocks):
        if block.section == opened or block.kind in ("heading", "rule"):
            continue
        opened = block.section
        if block.kind != "paragraph" or (block.section == 0 and i > 0):
            continue
        start = block.span.start
        text = report.plain[start : start + 60]
        start += len(text) - len(text.lstrip())
        match = _OPENERS.match(report.plain, start)
        if match is None or _NOT_ONE.match(report.plain, start):
            continue
        section = report.sections[block.section]
        title = section.title
        # The connective may continue the section before it, or what its chapter says before its first part.
        if section.parent is not None and (
            report.sections[section.parent].children[0] != section.index
            or len(report.plain[report.sections[section.parent].body.start : section.span.start].strip()) > 0
        ):
            continue
        yield Hit(
            Span(*match.span()),
            _SECTION_OPENS(title=title, words=match.group()) if title else _REPORT_OPENS(words=match.group()),
            confidence=0.8,
        )


def _pairs(report: Report) -> Iterator[Hit]:
    for start, end in _pair_words(report):
        sentence = report.sentence_at(start)
        if sentence is None:
            continue
        english = report.plain[start].isascii()
        if english and not _PAIR_GOES_ON.match(report.plain, end):
            continue
        if any(_TWO.search(report.plain, *window) for window in _before(report, sentence.index, start)):
            continue
        yield Hit(
            Span(start, end),
            _NO_PAIR(words=report.source[start:end]),
            confidence=0.7,
        )


def _pair_words(report: Report) -> Iterator[tuple[int, int]]:
    plain = report.plain
    for word in ("latter", "former"):
        for at in report.cues.positions(word):
            if plain[at - 4 : at].lower() == "the ":
                yield at - 4, at + len(word)
    if report.cues.cjk:
        for word in ("后者", "前者"):
            at = plain.find(word)
            while at >= 0:
                yield at, at + 2
                at = plain.find(word, at + 2)


def _before(report: Report, index: int, start: int) -> Iterator[tuple[int, int]]:
    """Yield the sentence up to ``start``, and the two before it in the same section."""
    current = report.sentences[index]
    yield current.span.start, start
    for sentence in report.sentences[max(0, index - 2) : index]:
        if sentence.section == current.section:
            yield sentence.span.start, sentence.span.end


CHECK = Check(
    code="COH008",
    name="dangling-connective",
    severity="warning",
    summary="“However”, “the latter” or “as mentioned above” with nothing to refer to",
    run=run,
    default=False,
    bad=(
        Example("# Pumps\n\n## Costs\n\nHowever, prices rose in 2023. They fell later.\n"),
        Example("# Pumps\n\nAs mentioned above, pumps save energy.\n"),
        Example("# 热泵\n\n## 成本\n\n因此，价格在2023年上升。\n"),
    ),
    good=(
        Example(
            "# Pumps\n\nPumps heat.\n\n## Gas\n\nGas is dear.\n\n## Wood\n\nIn contrast, wood is cheap.\n"
        ),
        Example("# Pumps\n\nPumps heat.\n\n## Costs\n\nPrices fell in 2022. However, they rose in 2023.\n"),
        Example(
            "# Pumps\n\nAir and ground pumps exist; the latter cost more. As mentioned above, both save energy.\n"
        ),
        Example("# 热泵\n\n热泵节能。\n\n## 成本\n\n需求增加，因此，价格在2023年上升。\n"),
    ),
    languages=("en", "zh"),
    dimension="local_coherence",
    failure="incoherence",
)
