"""Where suites agree about the same reports: tables for a terminal, cells for the page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, visible
from assay.present.numbers import NONE
from assay.present.table import Table, table_of
from assay.present.terminal import table_lines

if TYPE_CHECKING:
    from assay.measures.correlation import Correlation
    from assay.suites.concordance import RubricConcordance, SystemPlace

# Said of a rubric whose means are over other tasks for one system than for another.
UNEVEN: Final = "systems are not judged on the same tasks: places mix systems with tasks"


def concordance_text(concordance: RubricConcordance, paint: Painter) -> str:
    """Return systems by each rubric, how far the rubrics agree, and what they differ most about."""
    letters = {one.rubric: letter for one, letter in zip(concordance.tables, _letters(), strict=False)}
    lines = [f"{concordance.reports:,} reports of {concordance.tasks:,} tasks", ""]
    lines += [
        f"{paint(letters[one.rubric], 'bold')}  {visible(one.rubric)}, {one.kind}"
        for one in concordance.tables
    ]
    lines += ["", *table_lines(systems_table(concordance, list(letters.values())), paint)]
    uneven = [letters[one.rubric] for one in concordance.tables if not one.same_tasks]
    if uneven:
        lines.append(paint(f"by {', '.join(uneven)} {UNEVEN}", "warning"))
    if concordance.between:
        lines += ["", paint("Rank agreement: -1 opposed, 1 the same order", "bold")]
        between = table_of(
            concordance.between,
            [
                ("", lambda pair: f"{letters[pair.first]} against {letters[pair.second]}"),
                ("SYSTEMS, SPEARMAN", lambda pair: correlation(pair.systems)),
                ("KENDALL", lambda pair: correlation(pair.systems_kendall)),
                ("REPORTS, SPEARMAN", lambda pair: correlation(pair.reports)),
            ],
        )
        lines += table_lines(between, paint)
        reasons = {
            one.reason for pair in concordance.between for one in (pair.systems, pair.reports) if one.reason
        }
        lines += [paint(f"– {reason}", "dim") for reason in sorted(reasons)]
    if concordance.gaps:
        lines += ["", paint("Seen most differently: 0 the worst of those both judged, 1 the best", "bold")]
        gaps = table_of(
            concordance.gaps,
            [
                ("REPORT", lambda gap: f"{gap.system} {gap.id}"),
                ("", lambda gap: f"{gap.place_first:.2f} by {letters[gap.first]}"),
                ("", lambda gap: f"{gap.place_second:.2f} by {letters[gap.second]}"),
            ],
        )
        lines += table_lines(gaps, paint)
    return "\n".join(lines) + "\n"


def systems_table(
    concordance: RubricConcordance, names: list[str], *, head: str = "SYSTEM", title: str = ""
) -> Table:
    """Return place, value and number of reports of each system, with a column for each rubric."""
    systems = dict.fromkeys(item.system for one in concordance.tables for item in one.standings)
    by_rubric = [{item.system: item for item in one.standings} for one in concordance.tables]
    rows = [(name, *(standing_text(standings.get(name)) for standings in by_rubric)) for name in systems]
    return Table(heads=(head, *names), rows=rows, title=title)


def _letters() -> Iterator[str]:
    """Yield A to Z, then AA, AB and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_uppercase, repeat=length))


def standing_text(item: SystemPlace | None) -> str:
    """Return a system's place, its value, and over how many reports; of how many, if some gave none."""
    if item is None or item.value is None:
        return NONE
    rank = f"{item.rank:g}" if item.rank is not None else NONE
    whole = f" of {item.of:,}" if item.n < item.of else ""
    return f"{rank}. {item.value:.3f} (n={item.n:,}{whole})"


def correlation(found: Correlation) -> str:
    """Return a correlation with its interval and its number of points."""
    if found.value is None:
        return f"{NONE} (n={found.n:,})"
    ends = "" if found.low is None or found.high is None else f" [{found.low:.2f}, {found.high:.2f}]"
    return f"{found.value:.2f}{ends} (n={found.n:,})"
