"""Forecasts stated as facts: "the market will reach 40 billion", 将取代, without a condition, source or hedge.

Nobody has measured the future. A forecast is only as good as the model, the assumptions or the people behind it, and
readers need at least one of them: who expects it, under which conditions, within which range.

The check covers claims that something will reach a number or will replace, dominate or end something. Sentences with a
condition, a hedge, a range, a source or an attribution are not flagged, nor are plans ("will be built in 2027"), nor
years for which the report already has facts.

Known problems: a condition in an earlier paragraph is not recognised.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import ATTRIBUTED, CONDITIONAL, HEDGED, candidates, covered, quote
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "qua")

_CUES: Final = PhraseLexicon(_PHRASES, "bare_forecast_cues")
_NUMERIC: Final = _PHRASES.pattern(
    r"will\s+(?:soon\s+|already\s+|then\s+|eventually\s+|further\s+|"
    r"also\s+)?(?:<<bare_forecast_numeric.en>>|(?:<<bare_forecast_numeric_grow.en>>)\s+(?:to|by|from|at)|"
    r"account\s+for|represent|amount\s+to|be\s+worth|total|number)\b",
)
_STRONG: Final = _PHRASES.pattern(
    r"will\s+(?:<<bare_forecast_strong.en>>)?(?:<<bare_forecast_strong_replace.en>>|"
    r"become\s+(?:the\s+)?(?:<<bare_forecast_strong_dominant.en>>)|be\s+(?:obsolete|replaced|dominated|"
    r"eliminated))\b",
)
# What is enacted or agreed happens on its date.
_ENACTED: Final = re.compile(
    r"\b(?:act|law|regulation|directive|treaty|standard|scheme|programme|contract|licen[cs]e|version)\b"
)
_NEAR: Final = 50
_ZH_NUMERIC: Final = (
    "将达",
    "将超过",
    "将突破",
    "将增",
    "将升",
    "将降",
    "将下降",
    "将跌",
    "将翻",
    "将占",
    "将会达",
    "将会超",
)

_RANGE: Final = re.compile(r"\d\s?%?\s?(?:[-–—~～至到]|to)\s?[$¥€£]?\d|\bbetween\b|±")
_YEAR: Final = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d%]|[.,]\d)")
_SHOWN: Final = 8

_BARE: Final = Wording(
    en="{n:forecast is|forecasts are} stated as fact, without a condition, range, source or hedge: {quote}",
    zh="{n}处把预测当作事实陈述，没有给出条件、区间或来源，也没有留余地：{quote}",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for all forecasts without a condition, hedge, attribution or citation."""
    text = report.cues.lower
    spans: list[Span] = []
    past = max((max(f.years) for f in report.figures if f.modality == "stated" and f.years), default=0)
    for sentence, start, end in candidates(report, _CUES):
        if spans and spans[-1] == sentence.span:
            continue
        left, right = sentence.span.start, sentence.span.end
        if text[start] > "\u2e7f":
            numeric = text.startswith(_ZH_NUMERIC, start)
            stop = end
        else:
            match = _STRONG.match(text, start, right)
            numeric = match is None
            match = match or _NUMERIC.match(text, start, right)
            if match is None or _ENACTED.search(text, match.end(), min(right, match.end() + _NEAR)):
                continue
            stop = match.end()
        if numeric and not any(
            q.kind != "year" for q in report.quantities_in(Span(stop, min(right, stop + 60)))
        ):
            continue
        if any(pattern.search(text, left, right) for pattern in (HEDGED, CONDITIONAL, ATTRIBUTED)):
            continue
        if covered(report, sentence) or text[left:right].endswith(("?", "？", ":", "：")):
            continue
        years = [int(year) for year in _YEAR.findall(report.plain, left, right)]
        if _RANGE.search(text, left, right) or (years and max(years) < past):
            continue
        spans.append(sentence.span)
    if spans:
        yield Hit(
            spans[0],
            _BARE(n=len(spans), quote=quote(report, spans[0], 90)),
            related=tuple(spans[1:_SHOWN]),
            confidence=0.8,
        )


CHECK = Check(
    code="QUA002",
    name="bare-forecast",
    severity="info",
    summary='A forecast stated as fact ("will reach 40 %", 将取代) with no condition, source or hedge.',
    run=run,
    languages=("en", "zh"),
    dimension="qualifiers_counterpoints",
    failure="evidence_omission",
    bad=(
        Example("Sales have grown for years. The market will reach $40 billion in 2030. Makers are pleased."),
        Example("Electric lorries will replace diesel lorries on every route in Europe."),
        Example("近年销量持续增长。2030年市场规模将达到400亿元。企业纷纷入场。"),
    ),
    good=(
        Example("If subsidies stay, the market will reach $40 billion in 2030. Two makers plan new plants."),
        Example(
            "Sales have grown for years. The market will grow to 30-40% of the whole. Makers are pleased."
        ),
        Example("The bill will replace the act of 1998 on 1 January 2027."),
        Example("According to the trade association, the market will reach $40 billion in 2030."),
        Example("据行业协会测算，2030年市场规模将达到400亿元。"),
    ),
)
