"""Rankings by a judge for a terminal: places, points, and the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.judges.combine import consistency
from assay.present.display import Painter, bar, visible
from assay.present.numbers import NONE
from assay.present.ranking import shortened
from assay.present.table import StyledText, table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.text.amounts import plural

if TYPE_CHECKING:
    from assay.judges.ranking import Ranking

_BAR: Final = 12
_POINTS: Final = {
    "listwise": "share of the others it was placed before",
    "tournament": "share of its comparisons it won, a tie counting half",
    "scores": "mean overall score",
}


def standings_text(ranking: Ranking, *, painter: Painter, columns: int, swap: bool = True) -> str:
    """Return a line for each candidate, best first, then the choice and how it came about."""
    places = shortened(list(ranking.subjects))
    labels = ranking.labels or ranking.subjects
    names = [
        f"{label} ({place})" if label != name else place
        for label, name, place in zip(labels, ranking.subjects, places, strict=True)
    ]
    scale = max([point for point in ranking.points if point is not None], default=0.0)
    most = scale if ranking.method == "scores" and scale > 1 else 1.0

    def rank_of(index: int) -> str:
        rank = ranking.places[index]
        return NONE if rank is None else f"{'=' if ranking.places.count(rank) > 1 else ''}{rank}"

    def points(index: int) -> list[str]:
        point = ranking.points[index]
        if ranking.places[index] is None or point is None:
            return [StyledText("·" * _BAR, "dim"), StyledText("no verdict", "error")]
        return [StyledText(bar(point / most, _BAR), "accent"), f"{point:.2f}"]

    table = table_of(
        ranking.order,
        [(" place", rank_of), ("candidate", lambda index: names[index]), (("", "points"), points)],
        align="rpll",
    )
    rubric = f" · rubric {ranking.judgment.rubric}" if ranking.judgment.rubric else ""
    lines = [painter(f"{visible(ranking.judgment.judge)}{rubric}", "dim")]
    lines += table_lines(table, painter, columns)
    lines += ["", _choice(ranking, painter)]
    lines += [painter(line, "dim") for line in wrapped(_method(ranking, swap=swap), columns)]
    if ranking.undecided:
        lines += [
            painter(line, "error")
            for line in wrapped(
                f"{ranking.undecided} of {plural(len(ranking.judgments), 'judgment')} gave no verdict "
                f"({_reasons(ranking)}) and {'is' if ranking.undecided == 1 else 'are'} counted for nobody",
                columns,
            )
        ]
    for note in ranking.notes:
        lines += [painter(line, "warning") for line in wrapped(note, columns)]
    return "\n".join(lines) + "\n"


def _choice(ranking: Ranking, painter: Painter) -> str:
    if ranking.choice is not None:
        return f"best: {painter(visible((ranking.labels or ranking.subjects)[ranking.choice]), 'bold')}"
    first = [index for index, place in enumerate(ranking.places) if place == 1]
    if not first:
        return painter("no verdict on any of them", "error")
    return f"no single best one: {plural(len(first), 'candidate')} share the first place"


def _method(ranking: Ranking, *, swap: bool) -> str:
    points = f"points: {_POINTS[ranking.method]}"
    judgments = ranking.judgments
    if ranking.method == "listwise":
        trials = f", {len(judgments)} repetitions" if len(judgments) > 1 else ""
        orders = "both orders" if swap else "one order"
        return f"all in one prompt, shown in {orders}{trials}; {points}"
    if ranking.method == "scores":
        return f"each judged by itself; {points}"
    found = [item for item in map(consistency, judgments) if item is not None]
    steady = sum(item != "inconsistent" for item in found)
    agree = f", {steady} of {len(found)} the same in both orders" if found else ""
    size = len(ranking.subjects)
    how = "everyone met everyone" if len(judgments) == size * (size - 1) // 2 else "sorted by comparisons"
    return f"{how}: {plural(len(judgments), 'comparison')}{agree}; {points}"


def _reasons(ranking: Ranking) -> str:
    statuses: dict[str, int] = {}
    for item in ranking.judgments:
        if item.status != "ok":
            statuses[item.status] = statuses.get(item.status, 0) + 1
    return ", ".join(f"{times} {status}" for status, times in statuses.items()) or "tied with nobody"
