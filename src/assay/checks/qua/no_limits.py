"""A report that argues at length but never mentions a limitation, an uncertainty or another view.

All evidence has gaps, and there are arguments against every recommendation. If a report mentions neither, readers do not
know how far its conclusions hold.

A note is made of a text of at least 400 words that judges and recommends but mentions no limitation, uncertainty, risk,
drawback, disagreement or missing data at all; ``words`` under ``[options.QUA004]`` sets another length.

Known problems: instructions do not need another view; they are not flagged if they mention any difficulty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "qua")

# Frequent whole words come first: the search ends at the first match, and prefixes need a sorted vocabulary.
_LIMITS: Final = PhraseLexicon(_PHRASES, "no_limits_limits")
_CLAIMS: Final = PhraseLexicon(_PHRASES, "no_limits_claims")
# Only argumentative texts are checked; they contain such a word about once in a hundred words.
_WORDS_PER_CLAIM: Final = 120

_NO_LIMITS: Final = Wording(
    en="In {words} words the report names no limitation, uncertainty, risk or other view",
    zh="报告全文{words}字，没有提到任何局限、不确定性、风险或不同观点",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding at the first sentence if no limitation is mentioned outside the reference list."""
    if not report.sentences or report.language == "und":
        return
    reference = report.reference_span
    end = reference.start if reference else len(report.source)
    if _LIMITS.any(report.cues, 0, end) or (
        reference and _LIMITS.any(report.cues, reference.end, len(report.source))
    ):
        return
    words = report.words
    least: int = context.option(CHECK, "words")
    if words >= least and len(_CLAIMS.find(report.cues, 0, end)) * _WORDS_PER_CLAIM >= words:
        yield Hit(
            report.sentences[0].span,
            _NO_LIMITS(words=words),
            confidence=0.75,
        )


_ARGUMENT = " ".join(
    [
        "Green roofs cool cities and every council should pay for them.",
        "They hold back rain and they feed bees.",
        "They lower the heat in the flats below and they please the owners.",
    ]
    * 14
)
_ZH_ARGUMENT = (
    "绿色屋顶能够降低城市温度，各地政府应当出资建设。它可以留住雨水，也为蜜蜂提供食物，还能让顶层住户凉快。"
    * 10
)

CHECK = Check(
    code="QUA004",
    name="no-limits",
    severity="info",
    summary="A report of 400 words or more that names no limitation, uncertainty or other view.",
    run=run,
    languages=("en", "zh"),
    dimension="qualifiers_counterpoints",
    failure="incomplete_coverage",
    options={"words": 400},
    bad=(Example(_ARGUMENT), Example(_ZH_ARGUMENT)),
    good=(
        Example(_ARGUMENT + " The evidence is uncertain for cold climates."),
        Example(_ZH_ARGUMENT + "不过寒冷地区的证据仍然有限。"),
    ),
)
