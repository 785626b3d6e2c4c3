"""Flags swapped attributes: the body gives X 15 % and Y 22 %, the summary gives X 22 % and Y 15 %.

Every name and every figure is right on its own, so a check of names or numbers alone does not notice the mistake; but
the ranking, and often the conclusion, is reversed.

A sentence with two names and their figures is flagged if other sentences or table rows give the same two figures to the
same two names the other way round; values and units must agree exactly. In summaries and conclusions, descriptions are
checked too: at least two words that the body uses only of Y describe X, at least two of X's describe Y, and none
describes the right name.

Known problems: two different measures of X and Y may happen to have the same pair of values.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.coh._attributes import find_exchanges
from assay.checks.coh._bindings import (
    Binding,
    lone_bindings,
    sentence_bindings,
    table_bindings,
)
from assay.checks.wording import Wording, series
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_MOST_SPANS = 6
_NEAR = 300

_WORDS_SWAPPED: Final = Wording(
    en="Says of “{first}” what the body says of “{second}” ({first_words}), and the reverse ({second_words})",
    zh="把正文对“{second}”的描述（{first_words}）安到了“{first}”上，反之亦然（{second_words}）",
)
_FIGURES_SWAPPED: Final = Wording(
    en="Gives {a} to “{first}” and {b} to “{second}”, but line {line} has them the other way round",
    zh="此处“{first}”对应{a}、“{second}”对应{b}，第{line}行正好相反",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each sentence with swapped figures, then for each with swapped descriptions."""
    yield from _figures(report)
    for exchange in find_exchanges(report):
        yield RawFinding(
            exchange.sentence,
            _WORDS_SWAPPED(
                first=exchange.first,
                second=exchange.second,
                first_words=series(exchange.first_words, quoted=True),
                second_words=series(exchange.second_words, quoted=True),
            ),
            exchange.related,
            confidence=0.65,
        )


def _figures(report: Report) -> Iterator[RawFinding]:
    """Yield one finding for each pair of figures that another part of the report gives to the names the other way round."""
    lines = [(sentence.span, sentence_bindings(report, sentence)) for sentence in _with_figures(report)]
    lines = [(span, bindings) for span, bindings in lines if bindings]
    if not lines:
        return
    spans_of: dict[tuple[str, float, str], list[Span]] = {}
    for _, bindings in lines:
        for binding in bindings:
            spans_of.setdefault((binding.name, binding.value, binding.unit), []).append(binding.span)
    wanted = {(binding.value, binding.unit) for _, bindings in lines for binding in bindings}
    for binding in (*lone_bindings(report, wanted), *table_bindings(report)):
        spans_of.setdefault((binding.name, binding.value, binding.unit), []).append(binding.span)
    reported: set[frozenset[tuple[str, float]]] = set()
    # Later sentences come first, so that the finding points to the summary and not to the body.
    for span, bindings in reversed(lines):
        for i, one in enumerate(bindings):
            for two in bindings[i + 1 :]:
                key = frozenset(((one.name, one.value), (two.name, two.value)))
                crossed = _crossed(spans_of, span, one, two)
                if crossed is None or key in reported:
                    continue
                reported.add(key)
                reported.add(frozenset(((one.name, two.value), (two.name, one.value))))
                a, b = (
                    report.source[one.span.start : one.span.end],
                    report.source[two.span.start : two.span.end],
                )
                line, _ = report.lines.place(crossed[0].start)
                yield RawFinding(
                    span,
                    _FIGURES_SWAPPED(a=a, first=one.name, b=b, second=two.name, line=line),
                    crossed,
                    confidence=0.8,
                )


def _with_figures(report: Report) -> Iterator[Sentence]:
    """Yield the sentences with two figures that also occur elsewhere; a swap cannot show in any other."""
    times: dict[tuple[float, str], int] = {}
    for quantity in report.quantities:
        if quantity.kind != "year":
            key = (quantity.value, quantity.unit)
            times[key] = times.get(key, 0) + 1
    again = [q.start for q in report.quantities if times.get((q.value, q.unit), 0) > 1]
    last = -1
    for before, at in pairwise(again):
        if at - before < _NEAR:
            sentence = report.sentence_at(at)
            if sentence is not None and sentence.index != last and sentence.span.start <= before:
                last = sentence.index
                yield sentence


def _crossed(
    spans_of: dict[tuple[str, float, str], list[Span]], span: Span, one: Binding, two: Binding
) -> tuple[Span, Span] | None:
    """Return the spans outside ``span`` where each name has the other's figure; None unless both do."""
    if one.name == two.name or one.value == two.value or one.unit != two.unit:
        return None
    first = _elsewhere(spans_of.get((one.name, two.value, two.unit), []), span)
    second = _elsewhere(spans_of.get((two.name, one.value, one.unit), []), span)
    return (first, second) if first is not None and second is not None else None


def _elsewhere(spans: list[Span], span: Span) -> Span | None:
    return next((other for other in spans[:_MOST_SPANS] if not span.start <= other.start < span.end), None)


CHECK = Check(
    code="COH003",
    name="swapped-mapping",
    severity="error",
    summary="Two names have exchanged their figures or descriptions between two places",
    run=run,
    bad=(
        Example(
            "# Pumps\n\nGermany reached a share of 15%.\n\nIn Norway it was 62.5% by then.\n\n"
            "## Summary\n\nIn short, Norway had 15% and Germany 62.5%.\n"
        ),
        Example("# 热泵\n\n德国占15.2%，挪威占62.5%。\n\n## 总结\n\n德国和挪威分别为62.5%和15.2%。\n"),
        Example(
            "# Pumps\n\n## Makers\n\nDaikin sells ground loops for detached houses. Vaillant rents rooftop "
            "units to tenants.\n\n"
            "## Conclusion\n\nVaillant sells ground loops for detached houses, while Daikin rents rooftop "
            "units to tenants.\n"
        ),
    ),
    good=(
        Example(
            "# Pumps\n\nIn 2023 Germany had 15% and Norway 62.5%.\n\n## Summary\n\nIn short, Norway had "
            "62.5% and Germany 15%.\n"
        ),
        Example("# 热泵\n\n德国占15.2%，挪威占62.5%。\n\n## 总结\n\n德国和挪威分别为15.2%和62.5%。\n"),
    ),
    dimension="internal_consistency",
    failure="incoherence",
)
