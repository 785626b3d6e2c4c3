"""Where yardsticks agree, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, visible
from assay.present.run_tables import table

if TYPE_CHECKING:
    from assay.measures.correlation import Correlation
    from assay.suites.concordance import RubricConcordance, SystemPlace

# Of yardsticks whose means are over other tasks for one system than for another.
UNEVEN: Final = "systems are not judged on the same tasks: places mix systems with tasks"


def agreement_text(found: RubricConcordance, paint: Painter) -> str:
    """Systems by each yardstick, how far those agree, and what they differ most about."""
    letters = {one.yardstick: letter for one, letter in zip(found.tables, _letters(), strict=False)}
    lines = [f"{found.reports:,} reports of {found.tasks:,} tasks", ""]
    lines += [
        f"{paint(letters[one.yardstick], 'bold')}  {visible(one.yardstick)}, {one.kind}"
        for one in found.tables
    ]
    systems = list(dict.fromkeys(item.system for one in found.tables for item in one.standings))
    by = [{item.system: item for item in one.standings} for one in found.tables]
    rows = [(visible(name), *(standing_text(mine.get(name)) for mine in by)) for name in systems]
    lines += ["", *table(("SYSTEM", *letters.values()), rows, paint)]
    uneven = [letters[one.yardstick] for one in found.tables if not one.same_tasks]
    if uneven:
        lines.append(paint(f"by {', '.join(uneven)} {UNEVEN}", "warning"))
    if found.between:
        lines += ["", paint("Rank agreement: -1 opposed, 1 the same order", "bold")]
        rows = [
            (
                f"{letters[pair.first]} against {letters[pair.second]}",
                told(pair.systems),
                told(pair.systems_kendall),
                told(pair.reports),
            )
            for pair in found.between
        ]
        lines += table(("", "SYSTEMS, SPEARMAN", "KENDALL", "REPORTS, SPEARMAN"), rows, paint)
        short = {one.reason for pair in found.between for one in (pair.systems, pair.reports) if one.reason}
        lines += [paint(f"– {reason}", "dim") for reason in sorted(short)]
    if found.gaps:
        lines += ["", paint("Seen most differently: 0 the worst of those both judged, 1 the best", "bold")]
        rows = [
            (
                f"{visible(gap.system)} {visible(gap.id)}",
                f"{gap.place_first:.2f} by {letters[gap.first]}",
                f"{gap.place_second:.2f} by {letters[gap.second]}",
            )
            for gap in found.gaps
        ]
        lines += table(("REPORT", "", ""), rows, paint)
    return "\n".join(lines) + "\n"


def _letters() -> Iterator[str]:
    """A to Z, then AA, AB and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_uppercase, repeat=length))


def standing_text(item: SystemPlace | None) -> str:
    """Its place, its value, and over how many; of how many, where some gave none."""
    if item is None or item.value is None:
        return "–"
    rank = f"{item.rank:g}" if item.rank is not None else "–"
    whole = f" of {item.of:,}" if item.n < item.of else ""
    return f"{rank}. {item.value:.3f} (n={item.n:,}{whole})"


def told(found: Correlation) -> str:
    """A correlation with its interval and its points, or why there is none."""
    if found.value is None:
        return f"– (n={found.n:,})"
    interval = "" if found.low is None or found.high is None else f" [{found.low:.2f}, {found.high:.2f}]"
    return f"{found.value:.2f}{interval} (n={found.n:,})"
