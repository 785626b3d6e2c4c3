"""The tables of ``assay.leaderboard/1``: texts in cells, for every format that has tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from assay.present.compliance_cells import NONE, p_value, percent
from assay.present.compliance_rows import Table
from assay.present.words import count, dimension_short, dimension_title
from assay.rubrics.dimensions import DIMENSIONS

if TYPE_CHECKING:
    from assay.meta.leaderboard.record import ComparisonCounts, EloRating, Leaderboard, Standing, WinRate

_LAYERS: Final = {"macro": "Macro", "expositional": "Expositional", "structural": "Structural"}
# Most columns of a table, and most systems of which all pairs are listed: 45 lines.
_COLUMNS: Final = 12
_PAIRED: Final = 10
# What a covariate is called.
HELD: Final = {
    "length": "length (log words)",
    "headings": "headings (log)",
    "citations": "citations (log)",
    "bold": "bold (log per 1,000 words)",
    "lists": "lists (log per 1,000 words)",
}


def headline(board: Leaderboard) -> list[str]:
    """What was read, in a few words each."""
    parts = [
        count(len(board.systems), "system"),
        count(board.tasks, "task"),
        count(board.comparisons, "comparison"),
    ]
    for number, word in ((board.counts.ties, "tie"), (board.counts.no_verdict, "without a verdict")):
        if number:
            parts.append(count(number, word) if word == "tie" else f"{number:,} {word}")
    return parts


def dimension_name(key: str) -> str:
    """For people."""
    return "Overall" if key == "overall" else dimension_title(key)


def short_name(key: str) -> str:
    """For the head of a narrow column."""
    if key == "overall":
        return "All"
    return dimension_short(key) if any(item.key == key for item in DIMENSIONS) else dimension_title(key)[:10]


def grouped(dimensions: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Dimensions by layer, as in figure 3 of ReportLogic: macro, expositional, structural, others, the whole."""
    layer: dict[str, str] = {item.key: _LAYERS[item.layer] for item in DIMENSIONS}
    found: dict[str, list[str]] = {}
    for key in dimensions:
        found.setdefault("Overall" if key == "overall" else layer.get(key, "Dimensions"), []).append(key)
    return list(found.items())


def rating(found: EloRating) -> str:
    """``1189 [1138, 1251]``."""
    if found.low is None or found.high is None:
        return f"{found.value:.0f}"
    return f"{found.value:.0f} [{found.low:.0f}, {found.high:.0f}]"


def won(counts: ComparisonCounts) -> str:
    """``109–22``: won and lost."""
    return f"{counts.wins:,}–{counts.losses:,}"


def chance(value: float) -> str:
    """A share of draws in percent; what is not 0 or 100 never looks so."""
    if value <= 0:
        return "0"
    if value < 0.01:
        return "<1"
    return ">99" if 0.99 < value < 1 else f"{100 * value:.0f}"


def tables_of(board: Leaderboard) -> Iterator[Table]:
    """All tables that have rows, in the order of the page."""
    yield _standings(board)
    yield _dimensions(board)
    if board.domains and board.domain is None:
        yield _domains(board)
    if len(board.systems) > 1:
        yield _pairs(board)
    if any(item.chances for item in board.systems) and len(board.systems) > 1:
        yield _ranks(board)
    if board.style is not None:
        yield from _style(board)


def _standings(board: Leaderboard) -> Table:
    graded = any(item.compliance is not None for item in board.systems)
    silent = any(item.counts.no_verdict for item in board.systems)
    heads = ["System", "place", "rating", "win rate %", "won–lost", "ties"]
    heads += (["no verdict"] if silent else []) + (["compliance %"] if graded else [])
    heads += ["group", "beats the average %", "tasks"]
    rows = []
    for item in board.systems:
        row = [
            item.system + (" *" if item.note else ""),
            _place(item),
            rating(item.rating),
            percent(item.rate),
            won(item.counts),
            f"{item.counts.ties:,}",
        ]
        row += [f"{item.counts.no_verdict:,}"] if silent else []
        row += [percent(item.compliance)] if graded else []
        row += [item.letters or NONE, percent(item.beats_average), f"{item.tasks:,}"]
        rows.append(tuple(row))
    where = f", {board.domain}" if board.domain else ""
    return Table(
        key="standings",
        title=f"Ratings by {dimension_name(board.by).lower()}{where}",
        heads=tuple(heads),
        rows=tuple(rows),
        spare=2,
        method="bradley_terry",
    )


def _place(item: Standing) -> str:
    """``1`` where significance leaves one place, ``1 (1–3)`` where it leaves several."""
    first, last = item.places
    return f"{item.rank}" if first == last else f"{item.rank} ({first}–{last})"


def _dimensions(board: Leaderboard) -> Table:
    cells = board.cells()
    layers = {key: name for name, keys in grouped(board.dimensions) for key in keys}
    rows = []
    for item in board.systems:
        found = [cells.get((None, key, item.system)) for key in board.dimensions]
        rows.append((item.system, *(_rate(share) for share in found)))
    rows.append(
        ("(decided)", *(f"{100 * decided_share(board, None, key):.0f} %" for key in board.dimensions))
    )
    heads = [
        short_name(key) if layers[key] == "Overall" else f"{layers[key][:6]}: {short_name(key)}"
        for key in board.dimensions
    ]
    return Table(
        key="dimensions",
        title="Win rate in percent by dimension, and how many comparisons were decided",
        heads=("System", *heads),
        rows=tuple(rows),
        method="win_rate",
    )


def decided_share(board: Leaderboard, domain: str | None, dimension: str) -> float:
    """Of the comparisons on a dimension, the share that was decided: where it is small, win rates say little."""
    found = [item.counts for item in board.shares if item.domain == domain and item.dimension == dimension]
    return sum(item.decided for item in found) / max(1, sum(item.asked for item in found))


def _domains(board: Leaderboard) -> Table:
    """Systems by domains, or domains by systems: the fewer of the two are the columns."""
    cells = board.cells()
    names = [item.system for item in board.systems]
    decided = {
        domain: sum(
            share.counts.wins for name in names if (share := cells.get((domain, board.by, name))) is not None
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
    return NONE if share is None else percent(share.rate)


def _pairs(board: Leaderboard) -> Table:
    """Every two systems; of many systems each and the next."""
    order = {item.system: at for at, item in enumerate(board.systems)}
    many = len(order) > _PAIRED
    pairs = [pair for pair in board.pairs if not many or order[pair.second] - order[pair.first] == 1]
    title = "Each system and the next; JSON and CSV have all pairs" if many else "Each two systems"
    rows = tuple(
        (
            pair.first,
            pair.second,
            f"{pair.difference:.0f}",
            p_value(pair.adjusted),
            "yes" if pair.apart else "no",
            percent(pair.rate),
            won(pair.counts),
            f"{pair.counts.ties:,}",
            f"{pair.counts.no_verdict:,}",
        )
        for pair in pairs
    )
    heads = (
        "System", "against", "rating apart by", "p (Holm)", "told apart", "win rate %", "won–lost", "ties", "no verdict",
    )  # fmt: skip
    return Table(key="pairs", title=title, heads=heads, rows=rows, left=2, method="ranks")


def _ranks(board: Leaderboard) -> Table:
    rows = tuple(
        (
            item.system,
            NONE if item.rank_low is None else f"{item.rank_low}–{item.rank_high}",
            *(chance(value) for value in item.chances[:10]),
        )
        for item in board.systems
    )
    shown = min(10, len(board.systems))
    more = f", the first {shown} ranks" if len(board.systems) > shown else ""
    return Table(
        key="ranks",
        title=f"Rank stability: percent of {board.draws:,} bootstrap draws in which a system takes each rank{more}",
        heads=("System", "rank, 95 %", *(f"{at}." for at in range(1, shown + 1))),
        rows=rows,
        method="ranks",
    )


def _style(board: Leaderboard) -> Iterator[Table]:
    style = board.style
    if style is None:
        return
    part = "" if style.n == style.of else f" ({style.n:,} of {style.of:,} comparisons, whose texts are known)"
    yield Table(
        key="style",
        title=f"Ratings with style held constant beside the raw ones{part}",
        heads=("System", "controlled", "rank", "raw", "rank", "change"),
        rows=tuple(
            (
                item.system,
                rating(item.controlled),
                f"{item.controlled_rank}",
                rating(item.raw),
                f"{item.raw_rank}",
                _signed(item.controlled.value - item.raw.value),
            )
            for item in style.systems
        ),
        method="style",
    )
    yield Table(
        key="effects",
        title="What a difference of style does to the odds of winning",
        heads=("Style", "log-odds", "odds times", "p", "between systems %", "usual difference"),
        rows=tuple(
            (
                HELD.get(item.name, item.name),
                _log_odds(item.estimate.value, item.estimate.low, item.estimate.high),
                NONE if item.odds is None else f"{item.odds:.2f}",
                p_value(item.p),
                f"{100 * item.by_system:.0f}",
                f"{item.unit:.2f}",
            )
            for item in style.effects
        ),
        method="style",
    )


def _signed(value: float) -> str:
    text = f"{value:+.0f}"
    return "0" if text in ("+0", "-0") else text.replace("-", "−")


def _log_odds(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return NONE
    said = [f"{number:+.2f}".replace("-", "−") for number in (value, low, high) if number is not None]
    return f"{said[0]} [{said[1]}, {said[2]}]" if len(said) == 3 else said[0]
