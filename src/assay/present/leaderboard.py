"""The tables of ``assay.leaderboard/2``, for every format that shows tables, and its figures as tidy CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.present.markup import csv_text
from assay.present.numbers import NONE, minus, number, p_value, percent, percent_interval, percent_sign
from assay.present.table import Column, Table, TableSet, table_of
from assay.present.words import dimension_title
from assay.rubrics.dimensions import DIMENSIONS
from assay.text.amounts import counted

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate
    from assay.meta.leaderboard.record import (
        ComparisonCounts,
        HeadToHead,
        Leaderboard,
        Standing,
        WinRate,
    )

_LAYERS: Final = {"macro": "Macro", "expositional": "Expositional", "structural": "Structural"}
# The most columns of a table, and the most systems of which all pairs are listed: 45 lines.
_COLUMNS: Final = 12
_PAIRED: Final = 10
_COVARIATES: Final = {
    "length": "length (log words)",
    "headings": "headings (log)",
    "citations": "citations (log)",
    "bold": "bold (log per 1,000 words)",
    "lists": "lists (log per 1,000 words)",
}
_HEADS: Final = (
    "table", "domain", "dimension", "system", "other", "statistic", "value", "low", "high", "p", "n",
    "wins", "losses", "ties", "no_verdict", "half_wins", "half_losses",
)  # fmt: skip


def tables_of(board: Leaderboard) -> TableSet:
    """Return all tables that have rows, in the order of the page."""
    tables = [_standings(board), _dimensions(board)]
    if board.domains and board.domain is None:
        tables.append(_domains(board))
    if len(board.systems) > 1:
        tables.append(_pairs(board))
        if any(item.chances for item in board.systems):
            tables.append(_ranks(board))
    facts = [
        counted(len(board.systems), "system"),
        counted(board.tasks, "task"),
        counted(board.comparisons, "comparison"),
    ]
    facts += [counted(board.counts.ties, "tie")] if board.counts.ties else []
    facts += [counted(board.counts.half_wins, "half win")] if board.counts.half_wins else []
    facts += [(f"{board.counts.no_verdict:,}", "without a verdict")] if board.counts.no_verdict else []
    return TableSet(
        title="Leaderboard",
        facts=facts,
        judges=list(board.judges),
        notes=board.notes,
        tables=[*tables, *_style(board)],
        methods=board.methods,
    )


def dimension_name(key: str) -> str:
    """Return the name of a dimension."""
    return "Overall" if key == "overall" else dimension_title(key)


def grouped(dimensions: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return dimensions by layer, as in figure 3 of ReportLogic: macro, expositional, structural, others, overall."""
    layer: dict[str, str] = {item.key: _LAYERS[item.layer] for item in DIMENSIONS}
    groups: dict[str, list[str]] = {}
    for key in dimensions:
        groups.setdefault("Overall" if key == "overall" else layer.get(key, "Dimensions"), []).append(key)
    return list(groups.items())


def rating(elo: Estimate) -> str:
    """Return a rating and its interval: ``1189 [1138, 1251]``."""
    if elo.low is None or elo.high is None:
        return f"{float(elo):.0f}"
    return f"{float(elo):.0f} [{elo.low:.0f}, {elo.high:.0f}]"


def won(counts: ComparisonCounts) -> str:
    """Return comparisons won and lost, half wins as halves: ``109–22.5``."""
    return f"{_count(counts.won)}–{_count(counts.lost)}"


def tied(counts: ComparisonCounts) -> str:
    """Return comparisons tied, the other halves of half wins among them."""
    return _count(counts.tied)


def _count(number: float) -> str:
    return f"{number:,.0f}" if number.is_integer() else f"{number:,.1f}"


def chance(value: float) -> str:
    """Return a share of draws in percent; only exactly 0 and 1 are shown as 0 and 100."""
    if value <= 0:
        return "0"
    if value < 0.01:
        return "<1"
    return ">99" if 0.99 < value < 1 else f"{100 * value:.0f}"


def _standings(board: Leaderboard) -> Table:
    columns: list[Column[Standing]] = [
        ("System", lambda item: item.system + (" *" if item.note else "")),
        ("place", _place),
        ("rating", lambda item: rating(item.rating)),
        ("win rate %", lambda item: percent_interval(item.rate)),
        ("won–lost", lambda item: won(item.counts)),
        ("ties", lambda item: tied(item.counts)),
    ]
    if any(item.counts.no_verdict for item in board.systems):
        columns.append(("no verdict", lambda item: f"{item.counts.no_verdict:,}"))
    if any(item.compliance is not None for item in board.systems):
        columns.append(("compliance %", lambda item: percent_interval(item.compliance)))
    columns += [
        ("group", lambda item: item.letters or NONE),
        ("beats the average %", lambda item: percent_interval(item.beats_average)),
        ("tasks", lambda item: f"{item.tasks:,}"),
    ]
    where = f", {board.domain}" if board.domain else ""
    return table_of(
        board.systems,
        columns,
        key="standings",
        title=f"Ratings, {dimension_name(board.by).lower()}{where}",
        spare=2,
        method="bradley_terry",
        notes=[f"* {item.system}: {item.note}" for item in board.systems if item.note],
    )


def _place(item: Standing) -> str:
    """Return the place: ``1`` if significance leaves one, ``1 (1–3)`` if it leaves several."""
    first, last = item.places
    return f"{item.rank}" if first == last else f"{item.rank} ({first}–{last})"


def _dimensions(board: Leaderboard) -> Table:
    cells = board.cells()
    rows = [
        (item.system, *(_rate(cells.get((None, key, item.system))) for key in board.dimensions))
        for item in board.systems
    ]
    decided = (percent_sign(decided_share(board, None, key)) for key in board.dimensions)
    return Table(
        key="dimensions",
        title="Win rate in percent by dimension, and how many comparisons were decided",
        heads=("System", *map(dimension_name, board.dimensions)),
        rows=[*rows, ("(decided)", *decided), *_without_verdict(board)],
        method="win_rate",
    )


def _without_verdict(board: Leaderboard) -> list[tuple[str, ...]]:
    """Return the row with the share of comparisons without a verdict; none if all have one on every dimension."""
    shares = []
    for key in board.dimensions:
        counts = [item.counts for item in board.shares if item.domain is None and item.dimension == key]
        shares.append(sum(item.no_verdict for item in counts) / max(1, sum(item.asked for item in counts)))
    return [("(no verdict)", *map(percent_sign, shares))] if any(shares) else []


def decided_share(board: Leaderboard, domain: str | None, dimension: str) -> float:
    """Return the share of comparisons on a dimension that were decided; if it is small, win rates say little."""
    found = [item.counts for item in board.shares if item.domain == domain and item.dimension == dimension]
    return sum(item.decided for item in found) / max(1, sum(item.asked for item in found))


def _domains(board: Leaderboard) -> Table:
    """Return systems by domains, or domains by systems: the fewer of the two are the columns."""
    cells = board.cells()
    names = [item.system for item in board.systems]
    decided = {
        domain: sum(
            share.counts.wins + share.counts.half_wins
            for name in names
            if (share := cells.get((domain, board.by, name))) is not None
        )
        for domain in board.domains
    }
    title = f"Win rate in percent by domain, {dimension_name(board.by).lower()}"
    if len(board.domains) > len(names):
        shown = names[:_COLUMNS]
        heads = ("Domain", "decided", *shown)
        rows = [
            (domain, f"{decided[domain]:,}", *(_rate(cells.get((domain, board.by, name))) for name in shown))
            for domain in board.domains
        ]
        less = f", the first {len(shown)} systems" if len(shown) < len(names) else ""
    else:
        most = sorted(board.domains, key=lambda domain: -decided[domain])[:_COLUMNS]
        shown = [domain for domain in board.domains if domain in most]
        heads = ("System", *shown)
        rows = [(name, *(_rate(cells.get((domain, board.by, name))) for domain in shown)) for name in names]
        rows.append(("(decided)", *(f"{decided[domain]:,}" for domain in shown)))
        less = f", the {len(shown)} domains with most comparisons" if len(shown) < len(board.domains) else ""
    return Table(key="domains", title=title + less, heads=heads, rows=tuple(rows), method="win_rate")


def _rate(share: WinRate | None) -> str:
    return NONE if share is None else percent_interval(share.rate)


def _pairs(board: Leaderboard) -> Table:
    """Return a row for every two systems; of many systems, for each and the next."""
    order = {item.system: at for at, item in enumerate(board.systems)}
    many = len(order) > _PAIRED
    columns: list[Column[HeadToHead]] = [
        ("System", lambda pair: pair.first),
        ("against", lambda pair: pair.second),
        ("rating apart by", lambda pair: f"{pair.difference:.0f}"),
        ("p (Holm)", lambda pair: p_value(pair.adjusted)),
        ("told apart", lambda pair: "yes" if pair.apart else "no"),
        ("win rate %", lambda pair: percent_interval(pair.rate)),
        ("won–lost", lambda pair: won(pair.counts)),
        ("ties", lambda pair: tied(pair.counts)),
        ("no verdict", lambda pair: f"{pair.counts.no_verdict:,}"),
    ]
    return table_of(
        [pair for pair in board.pairs if not many or order[pair.second] - order[pair.first] == 1],
        columns,
        align="ll",
        key="pairs",
        title="Each system and the next; JSON and CSV have all pairs" if many else "Each two systems",
        method="ranks",
    )


def _ranks(board: Leaderboard) -> Table:
    shown = min(10, len(board.systems))
    columns: list[Column[Standing]] = [
        ("System", lambda item: item.system),
        ("rank, 95 %", lambda item: NONE if item.rank_low is None else f"{item.rank_low}–{item.rank_high}"),
        (
            [f"{at}." for at in range(1, shown + 1)],
            lambda item: [chance(value) for value in item.chances[:10]],
        ),
    ]
    more = f", the first {shown} ranks" if len(board.systems) > shown else ""
    return table_of(
        board.systems,
        columns,
        key="ranks",
        title=f"Rank stability: percent of {board.draws:,} bootstrap draws in which a system takes each rank{more}",
        method="ranks",
    )


def _style(board: Leaderboard) -> Iterator[Table]:
    style = board.style
    if style is None:
        return
    part = "" if style.n == style.of else f" ({style.n:,} of {style.of:,} comparisons, whose texts are known)"
    yield table_of(
        style.systems,
        [
            ("System", lambda item: item.system),
            ("controlled", lambda item: rating(item.controlled)),
            ("rank", lambda item: f"{item.controlled_rank}"),
            ("raw", lambda item: rating(item.raw)),
            ("rank", lambda item: f"{item.raw_rank}"),
            ("change", lambda item: minus(f"{float(item.controlled) - float(item.raw):+.0f}")),
        ],
        key="style",
        title=f"Ratings with style held constant beside the raw ones{part}",
        method="style",
    )
    yield table_of(
        style.effects,
        [
            ("Style", lambda item: _COVARIATES.get(item.name, item.name)),
            ("log-odds", lambda item: _log_odds(item.estimate)),
            ("odds times", lambda item: number(item.odds, 2)),
            ("p", lambda item: p_value(item.p)),
            ("between systems %", lambda item: percent(item.by_system)),
            ("usual difference", lambda item: number(item.unit, 2)),
        ],
        key="effects",
        title="What a difference of style does to the odds of winning",
        method="style",
    )


def _log_odds(estimate: Estimate) -> str:
    ends = (estimate.value, estimate.low, estimate.high)
    shown = [f"{end:+.2f}".replace("-", "−") for end in ends if end is not None]
    return NONE if not shown else f"{shown[0]} [{shown[1]}, {shown[2]}]" if len(shown) == 3 else shown[0]


def leaderboard_csv(board: Leaderboard) -> str:
    """Return every figure on a line of its own, with its interval and what it rests on."""
    return csv_text(_HEADS, _figures(board))


def _figures(board: Leaderboard) -> Iterator[dict[str, Any]]:
    about = {"dimension": board.by, "domain": board.domain}
    for item in board.systems:
        row = {"table": "standings", "system": item.system, **about}
        yield {**row, "statistic": "rank", "value": item.rank, "low": item.rank_low, "high": item.rank_high}
        yield {
            **row,
            **_counts(item.counts),
            "statistic": "rating",
            "value": item.rating.value,
            "low": item.rating.low,
            "high": item.rating.high,
        }
        yield {**row, "statistic": "beats_average", **_estimate(item.beats_average)}
        if item.compliance is not None:
            yield {**row, "statistic": "compliance", **_estimate(item.compliance)}
    for share in board.shares:
        yield {
            "table": "win_rates",
            "domain": share.domain,
            "dimension": share.dimension,
            "system": share.system,
            "statistic": "win_rate",
            **_estimate(share.rate),
            **_counts(share.counts),
        }
    for pair in board.pairs:
        yield {
            "table": "pairs",
            **about,
            "system": pair.first,
            "other": pair.second,
            "statistic": "rating_difference",
            "value": pair.difference,
            "p": pair.adjusted,
            **_counts(pair.counts),
        }
    if board.style is not None:
        for styled in board.style.systems:
            yield {
                "table": "style",
                **about,
                "system": styled.system,
                "statistic": "controlled_rating",
                "value": styled.controlled.value,
                "low": styled.controlled.low,
                "high": styled.controlled.high,
            }
        for effect in board.style.effects:
            yield {
                "table": "effects",
                **about,
                "other": effect.name,
                "statistic": "log_odds",
                **_estimate(effect.estimate),
                "p": effect.p,
            }


def _estimate(found: Estimate) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.n}


def _counts(counts: ComparisonCounts) -> dict[str, Any]:
    return {
        "wins": counts.wins,
        "losses": counts.losses,
        "ties": counts.ties,
        "no_verdict": counts.no_verdict,
        "half_wins": counts.half_wins,
        "half_losses": counts.half_losses,
    }
