"""Several hedges on one claim: "may possibly", "it is possible that … might", 或许可能.

One hedge shows how certain the author is; two or three on one claim only evade it. All places make one note.

Known problems: "could potentially" is common usage and not flagged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import candidates
from assay.checks.wording import Wording, series
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
_SHOWN: Final = 8
_WORDS: Final = 3

_TWICE: Final = Wording(
    en="{n:claim is|claims are} hedged twice; one hedge says as much: {words}",
    zh="{n}处对同一论断重复表示保留，留一个即可：{words}",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for all claims with several hedges."""
    text = report.cues.lower
    spans: list[Span] = []
    for sentence, start, end in candidates(report, _RARE):
        left, right = max(sentence.span.start, start - 24), min(sentence.span.end, end + 48)
        match = (_ZH_PILE if text[start] > "\u2e7f" else _PILE).search(text, left, right)
        if match is not None and match.start() <= end and not (spans and match.start() < spans[-1].end):
            spans.append(Span(*match.span()))
    if spans:
        words = list(dict.fromkeys(report.plain_text(span) for span in spans))
        yield Hit(
            spans[0],
            _TWICE(n=len(spans), words=series(words[:_WORDS], quoted=True, cut=len(words) > _WORDS)),
            related=tuple(spans[1:_SHOWN]),
            confidence=0.8,
        )


CHECK = Check(
    code="QUA003",
    name="hedge-pile",
    severity="info",
    summary="Two or more hedges on one claim.",
    run=run,
    languages=("en", "zh"),
    dimension="qualifiers_counterpoints",
    failure="expression_quality",
    bad=(
        Example("The subsidy may possibly raise demand in the north."),
        Example("补贴或许可能提高北方的需求。"),
    ),
    good=(
        Example("The subsidy may raise demand, and costs could potentially fall."),
        Example("补贴可能提高北方的需求，成本也许下降。"),
    ),
)
