"""One page of a leaderboard: ratings, heat maps of win rates, ranks, style, and the numbers beneath."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from assay.measures.bradley_terry import ELO_MEAN
from assay.present.heat_map import HeatCell, heat
from assay.present.html.tables import PageFigure, PageSection, sections_of, tables_page
from assay.present.leaderboard import (
    chance,
    decided_share,
    dimension_name,
    grouped,
    rating,
    tables_of,
    tied,
    won,
)
from assay.present.leaderboard_charts import RatingMark, grouped_heat, spans
from assay.present.numbers import percent_interval as percent

if TYPE_CHECKING:
    from assay.meta.leaderboard.record import Leaderboard

# A map of more systems would fill a page in every domain.
_MAPPED: Final = 60
_RANKED: Final = 14
# A rate that rests on fewer decided comparisons is drawn pale.
_LITTLE: Final = 10
_SECTIONS: Final = (
    ("standings", "Standings", ("standings",)),
    ("winrates", "Win rates by dimension and domain", ("dimensions", "domains")),
    ("ranks", "Ranks and significance", ("ranks", "pairs")),
    ("style", "With style held constant", ("style", "effects")),
)


def leaderboard_page(board: Leaderboard, title: str = "Leaderboard") -> str:
    """Return a page that needs nothing beside itself; what is not known has no section."""
    return tables_page(
        tables_of(board),
        leaderboard_sections(board),
        title=title,
        crumb=board.domain or ", ".join(board.judges),
        rubrics=list(board.rubrics),
        foot=(
            "Computed from verdicts on pairs. Ties and comparisons without a verdict are in no win rate; "
            "both are counted."
        ),
    )


def leaderboard_sections(board: Leaderboard) -> list[PageSection]:
    """Return the sections of the page, with their charts."""
    makers = {"standings": _ratings, "winrates": _maps, "ranks": _ranks, "style": _style}
    figures = {key: partial(maker, board) for key, maker in makers.items()}
    return sections_of(tables_of(board), _SECTIONS, figures, opened=("standings", "style"))


def _ratings(board: Leaderboard) -> Iterator[PageFigure]:
    rows = [
        RatingMark(
            label=item.system,
            value=float(item.rating),
            low=item.rating.low,
            high=item.rating.high,
            text=f"{float(item.rating):.0f}" + (f" {item.letters}" if item.letters else ""),
            about=f"{item.system}: {rating(item.rating)}, group {item.letters or '–'}",
        )
        for item in board.systems
    ]
    title = "Ratings and their 95 % intervals"
    yield PageFigure(
        title,
        "Systems that share a letter cannot be told apart. The dashed line is the mean.",
        spans(rows, key="ratings", title=title, middle=ELO_MEAN),
    )


def _maps(board: Leaderboard) -> Iterator[PageFigure]:
    """Yield a heat map for all domains and one for each, as in figure 3 of ReportLogic."""
    names = [item.system for item in board.systems][:_MAPPED]
    cells = board.cells()
    groups = [
        (group, [(key, dimension_name(key)) for key in keys]) for group, keys in grouped(board.dimensions)
    ]
    domains: list[str | None] = [None]
    if board.domain is None and len(board.domains) > 0:
        domains += list(board.domains)
    for number, domain in enumerate(domains):
        rates: dict[tuple[str, str], HeatCell] = {}
        pale: set[tuple[str, str]] = set()
        decided = 0
        for name in names:
            for key in board.dimensions:
                share = cells.get((domain, key, name))
                if share is None:
                    continue
                text = f"{name}, {dimension_name(key)}: "
                text += "nothing decided" if share.rate.value is None else f"{percent(share.rate)} % won"
                text += f"; {won(share.counts)}, {tied(share.counts)} ties"
                if share.counts.no_verdict:
                    text += f", {share.counts.no_verdict:,} without a verdict"
                rates[name, key] = HeatCell(share.rate.value, text)
                if share.counts.decided < _LITTLE:
                    pale.add((name, key))
                decided += share.counts.wins + share.counts.half_wins if key == board.by else 0
        if domain is not None and not decided:
            continue
        title = domain or board.domain or ("All domains" if board.domains else "All comparisons")
        yield PageFigure(
            title,
            (
                f"Percent of decided comparisons won; {decided:,} were decided, "
                f"{dimension_name(board.by).lower()}. Pale: fewer than"
                f" {_LITTLE} decided."
                if domain is None
                else f"{decided:,} decided, {dimension_name(board.by).lower()}."
            ),
            grouped_heat(
                names,
                groups,
                rates,
                beneath=(
                    "decided %",
                    {key: f"{100 * decided_share(board, domain, key):.0f}" for key in board.dimensions},
                ),
                pale=pale,
                key="win-rates" if domain is None else f"win-rates-{number}",
                title=f"Win rates in percent by system and dimension, {title}",
            ),
        )


def _ranks(board: Leaderboard) -> Iterator[PageFigure]:
    systems = [item for item in board.systems if item.chances]
    if len(systems) < 2:
        return
    names = [item.system for item in systems]
    shown = min(_RANKED, len(systems))
    ranks = [f"{at}." for at in range(1, shown + 1)]
    cells = {
        (item.system, ranks[at]): HeatCell(
            item.chances[at], f"{item.system} is {ranks[at]} in {chance(item.chances[at])} % of draws"
        )
        for item in systems
        for at in range(shown)
    }
    title = "How often each system takes each rank"
    about = "; ".join(
        f"{item.system}: rank {item.rank_low} to {item.rank_high} in 95 % of draws" for item in systems
    )
    yield PageFigure(
        title,
        f"Percent of {board.draws:,} bootstrap draws over tasks"
        + (f"; the first {shown} of {len(systems)} ranks." if shown < len(systems) else "."),
        heat(names, ranks, cells, key="rank-chances", title=title, about=about),
    )


def _style(board: Leaderboard) -> Iterator[PageFigure]:
    if board.style is None:
        return
    rows = [
        RatingMark(
            label=item.system,
            value=float(item.controlled),
            low=item.controlled.low,
            high=item.controlled.high,
            second=item.raw.value,
            text=f"{float(item.controlled):.0f}",
            about=f"{item.system}: controlled {rating(item.controlled)}, raw {rating(item.raw)}",
        )
        for item in board.style.systems
    ]
    title = "Ratings with style held constant"
    yield PageFigure(
        title,
        "Round: controlled, with its 95 % interval. Diamond: raw.",
        spans(rows, key="styled", title=title, middle=ELO_MEAN),
    )
