"""Several hedges on one claim ("may possibly", 或许可能), or a section in which nearly every sentence is hedged.

One hedge shows how certain the author is; two or three on one claim only evade it. If everything is hedged alike, readers
cannot distinguish strong findings from weak ones.

Known problems: "could potentially" is common usage and not flagged. Sections about risks or open questions may contain a
higher share of hedges than others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.prose import candidates
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "qua")

_RARE: Final = PhraseLexicon(_PHRASES, "hedge_pile_rare")
_PILE: Final = re.compile(
    r"\b(?:(?:may|might)\s+(?:well\s+)?(?:possibly|perhaps|maybe|conceivably|presumably|arguably)|"
    r"could\s+(?:possibly|perhaps|maybe|conceivably)\s+(?:\w+\s+){0,2}(?:perhaps|maybe|"
    r"in\s+some\s+(?:cases|way)|to\s+some\s+extent|seem|appear|suggest)|(?:may|might|"
    r"could)\s+potentially\s+(?:perhaps|possibly|maybe|seem|appear|suggest|help\s+to\s+some)|(?:perhaps|"
    r"possibly|maybe|presumably|conceivably|potentially),?\s+(?:\w+\s+){0,3}?(?:may|might)\b|"
    r"(?:it\s+)?(?:is|seems|appears)\s+(?:perhaps\s+|quite\s+)?possible\s+that\s+(?:\w+\s+){1,5}?(?:may|"
    r"might|could)\b|(?:seems?|appears?)\s+(?:to\s+)?(?:perhaps|possibly|potentially|maybe|"
    r"suggest\s+that\s+(?:\w+\s+){1,4}?(?:may|might|could)))\b"
)
_ZH_PILE: Final = re.compile(
    "(?:或许|也许|大概|似乎|恐怕|兴许)[^，。；、：]{0,4}(?:可能|或许|也许|大概|似乎|恐怕)|(?:可能|恐怕)[^，。；、：]{0,4}(?:或许|也许|大概|似乎|恐怕)|"
    "不排除[^，。；]{0,12}(?:或许|也许|可能会|大概)"
)
_ANY: Final = PhraseLexicon(_PHRASES, "hedge_pile_any")
_LEAST_SENTENCES: Final = 6
_SHARE: Final = 0.75

_TWICE: Final = Wording(
    en="“{words}” hedges one claim twice", zh="“{words}”对同一论断重复表示保留，留一个即可"
)
_THROUGHOUT: Final = Wording(
    en="{n} of the {total} sentences of this section are hedged, so strong and weak claims look alike",
    zh="本节{total}句中有{n}句带保留语气，论断强弱难以分辨",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each claim with several hedges, then for each section that is hedged throughout."""
    text = report.cues.lower
    last = -1
    for sentence, start, end in candidates(report, _RARE):
        if sentence.index == last:
            continue
        left, right = max(sentence.span.start, start - 24), min(sentence.span.end, end + 48)
        match = (_ZH_PILE if text[start] > "\u2e7f" else _PILE).search(text, left, right)
        if match is None or match.start() > end:
            continue
        last = sentence.index
        yield RawFinding(
            Span(match.start(), match.end()),
            _TWICE(words=report.plain_text(Span(*match.span()))),
            confidence=0.75,
        )
    yield from _sections(report)


def _sections(report: Report) -> Iterator[RawFinding]:
    starts, sentences = report.sentence_starts, report.sentences
    found = {bisect_right(starts, start) - 1 for start, _ in _ANY.find(report.cues)}
    if len(found) < _LEAST_SENTENCES:
        return
    hedged = Counter(sentences[index].section for index in found if index >= 0)
    for index, count in hedged.items():
        if count < _LEAST_SENTENCES:
            continue
        section = report.sections[index]
        total = len(report.sentences_in(section.body))
        if count >= _SHARE * total:
            yield RawFinding(
                section.title_span if index else sentences[0].span,
                _THROUGHOUT(n=count, total=total),
                confidence=0.6,
            )


CHECK = Check(
    code="QUA003",
    name="hedge-pile",
    severity="info",
    summary="Two or more hedges on one claim, or a section hedged throughout.",
    run=run,
    dimension="qualifiers_counterpoints",
    failure="expression_quality",
    bad=(
        Example("The subsidy may possibly raise demand in the north."),
        Example("补贴或许可能提高北方的需求。"),
    ),
    good=(
        Example("The subsidy may raise demand in the north. It could possibly be extended."),
        Example("补贴可能提高北方的需求，也可能没有作用。"),
    ),
)
