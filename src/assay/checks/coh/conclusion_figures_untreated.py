"""Flags figures of a summary or conclusion that the rest of the report does not contain.

A conclusion draws together what the report has shown, and a summary repeats it. A figure that appears only there was
never argued for, or the report says something else where it treats the matter.

A figure counts as treated if any number of the body, its tables included, has this value (rounding and "about"
allowed). Not counted are years, lengths of time, small whole numbers, figures with a citation of their own, and figures
in recommendations, targets and examples. There is one finding for each summary or conclusion.

Nor are figures that follow from others of their sentence: growth, sums, multiples of a figure of the body.

Known problems: a conclusion may rightly add up or compare figures of the body.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording, series
from assay.subjects.roles import title_role
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.figures import Figure
    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "coh")

_PROPOSED: Final = _PHRASES.pattern(
    r"\b(?:<<conclusion_figures_proposed.en>>)\b|<<conclusion_figures_proposed.zh>>|[≥≤]", flags=re.IGNORECASE
)
# An overview may say what is at issue with figures of its own.
_OVERVIEW: Final = re.compile(r"overview|at a glance|概[述览况]|导读", re.IGNORECASE)
_SHORTEST_BODY: Final = 2_000
_MOST_OF_REPORT: Final = 0.3
_MOST_NAMED: Final = 4
_SMALL: Final = 20
# Tables give money in thousands, 万 or millions.
_SCALES: Final = (1e3, 1e4, 1e6)
_ROUGHLY: Final = 0.02

_NOWHERE: Final = Wording(
    en="{figures} in “{section}” {n:=is a figure|are figures} that the rest of the report does not contain",
    zh="“{section}”中的{figures}在报告其余部分没有出现",
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield one finding for each summary or conclusion with figures of its own."""
    end = report.body_end
    frames = [section for section in report.sections[1:] if _is_frame(report, section, end)]
    if not frames or end - sum(len(section.span) for section in frames) < _SHORTEST_BODY:
        return
    body = sorted(
        abs(quantity.value)
        for quantity in report.quantities
        if not any(section.span.start <= quantity.start < section.span.end for section in frames)
    )
    for section in frames:
        new = [
            figure
            for figure in _claimed(report, section)
            if not _has(body, figure) and not _follows(report, body, figure)
        ]
        if not new:
            continue
        texts = list(dict.fromkeys(figure.printed for figure in new))
        yield Hit(
            new[0].span,
            _NOWHERE(
                figures=series(texts[:_MOST_NAMED], "and", quoted=True, cut=len(texts) > _MOST_NAMED),
                section=section.title,
                n=len(texts),
            ),
            tuple(figure.span for figure in new[1:]),
            confidence=0.75,
        )


def _is_frame(report: Report, section: Section, end: int) -> bool:
    return (
        title_role(section.title) in ("conclusion", "summary")
        and not _OVERVIEW.search(section.title)
        and section.span.start < end
        and len(section.span) < _MOST_OF_REPORT * len(report.source)
        and title_role(report.sections[section.parent or 0].title) not in ("conclusion", "summary")
    )


def _claimed(report: Report, section: Section) -> Iterator[Figure]:
    """Yield the figures that the section asserts on its own account."""
    for figure in report.figures_in(section.span):
        sentence = figure.sentence
        if (
            sentence is not None
            and _is_distinct(figure)
            and figure.modality in ("stated", "forecast")
            and not report.citations_in(sentence.span)
            and not _PROPOSED.search(report.plain, sentence.span.start, sentence.span.end)
        ):
            yield figure


def _is_distinct(figure: Figure) -> bool:
    """Return whether a figure could not stand in any text: no length of time, no small or plain count."""
    quantity, printed = figure.quantity, figure.printed
    if (
        figure.dimension == "time"
        or not any(map(str.isdigit, printed))
        or "/" in quantity.unit
        or printed.endswith(("s", "-"))
    ):
        return False
    # A plain count may be a number of items above; "Complex 39B" is a name.
    if quantity.kind == "count" and (
        quantity.scale == 1 or (printed[-1:].isascii() and printed[-1:].isalpha() and " " not in printed)
    ):
        return False
    if quantity.kind == "percent" and quantity.value in (0, 100):
        return False
    return quantity.value >= _SMALL or quantity.decimals > 0 or quantity.kind == "currency"


def _has(values: list[float], figure: Figure) -> bool:
    """Return whether a value of the body equals the figure, as far as the figure is precise.

    A table may have the scale in its header, so the number as printed counts as well, and so does money in another scale.
    """
    quantity = figure.quantity
    share = 0.011 if figure.exactness == "exact" and not quantity.pair else 0.06
    return any(
        _near(values, quantity.value / scale, max(quantity.half_unit / scale, quantity.value / scale * share))
        for scale in {1.0, quantity.scale, *(_SCALES if quantity.kind == "currency" else ())}
    )


def _near(values: list[float], value: float, leeway: float) -> bool:
    at = bisect_left(values, value - leeway)
    return at < len(values) and values[at] <= value + leeway


def _follows(report: Report, values: list[float], figure: Figure) -> bool:
    """Return whether the figure follows from figures beside it: a growth, a sum, so many times a value of the body."""
    sentence, this = figure.sentence, figure.quantity
    if sentence is None:
        return False
    others = [q for q in report.quantities_in(sentence.span) if q.start != this.start and q.kind != "year"]
    own = sorted(abs(q.value) for q in others)
    for other in others:
        value = abs(other.value)
        if this.kind == "percent":
            results = [value * (1 + this.value / 100), value * (1 - this.value / 100)]
        else:
            results = [this.value - value] if other.kind == this.kind else []
        if any(one > 0 and _near(own, one, one * _ROUGHLY) for one in results):
            return True
        if this.kind == "currency" and other.kind != "currency" and 1 < value <= _SMALL:
            one = this.value / value
            if _near(values, one, one * _ROUGHLY):
                return True
    return False


_BODY: Final = "Heat pumps became cheaper as series grew, and 38% of new homes had one in 2023. " * 26
_ZH_BODY: Final = "热泵随着产量增加而降价，2023年新建住宅中有38%安装了热泵，用户普遍满意。" * 60

CHECK = Check(
    code="COH010",
    name="conclusion-figures-untreated",
    severity="info",
    summary="A summary or conclusion has figures that the rest of the report does not contain",
    run=run,
    bad=(
        Example(
            f"# Pumps\n\n## Costs\n\n{_BODY}\n\n## Conclusion\n\nPumps pay off: 46% of new homes had one in 2023.\n"
        ),
        Example(
            f"# 热泵\n\n## 成本\n\n{_ZH_BODY}\n\n## 结论\n\n2023年新建住宅中有46%安装了热泵，市场规模达3200亿元。\n"
        ),
    ),
    good=(
        Example(
            f"# Pumps\n\n## Costs\n\n{_BODY}\n\n## Conclusion\n\nPumps pay off: 38% of new homes, about 40%, had one. "
            "The share should reach 60% within 24 months.\n"
        ),
        Example(
            f"# 热泵\n\n## 成本\n\n{_ZH_BODY}\n\n## 结论\n\n2023年新建住宅中有38%安装了热泵，建议提高到60%。\n"
        ),
        Example(
            f"# Pumps\n\n## Costs\n\nOutput: -27% of 4,700 units. {_BODY}\n\n## Conclusion\n\n"
            "Output sank by 27%. It had grown by 114% from 2,196 units to 4,700 units.\n"
        ),
    ),
    dimension="global_coherence",
    failure="incoherence",
)
