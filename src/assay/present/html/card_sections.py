"""The parts of a judge's card: what it sees, what fools it, how stable it is, how far it agrees with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.measures.intervals import Estimate
from assay.meta.contrasts import ConditionContrast
from assay.present.bench import TOO_FEW, corrected_p
from assay.present.charts import Bar, BarGroup, bars
from assay.present.html.tables import PageFigure, PageSection
from assay.present.numbers import NONE, between, number, percent, titled
from assay.present.table import Table, table_of

if TYPE_CHECKING:
    from assay.meta.card import Card, DetectedType


def estimate(item: Mapping[str, Any]) -> Estimate:
    """Return the value and interval of a rate in a record."""
    return Estimate(value=item.get("value"), low=item.get("low"), high=item.get("high"), n=item.get("n") or 0)


def rate_range(item: Mapping[str, Any]) -> str:
    """Return the interval of a rate, in percent."""
    return between(estimate(item), joiner=" to ")


def bar_figure(groups: Sequence[BarGroup], *, key: str, title: str, caption: str = "") -> PageFigure:
    """Return bars of shares, on an axis up to 1."""
    return PageFigure(title, caption, bars(groups, key=key, title=title, reach=1.0))


def blind_spots(card: Card) -> Iterator[PageSection]:
    """Yield what the judge detects by type, what it sees least first."""
    if not card.spots:
        return
    names = list(dict.fromkeys(name for spot in card.spots for name in spot.beside))
    levels = card.detection["by_level"]
    rows = [
        Bar(
            label=titled(spot.type),
            value=spot.value,
            low=spot.low,
            high=spot.high,
            series=3 if spot.blind else 0,
            about=f"{titled(spot.type)}: {percent(spot.value)} % of {spot.n} detected"
            + "".join(f"; {name} {percent(value)} %" for name, value in spot.beside.items()),
        )
        for spot in card.spots
    ]

    def beside(spot: DetectedType) -> list[str]:
        return [f"{percent(spot.beside.get(name))} %" for name in names]

    yield PageSection(
        key="spots",
        title="What it sees, and what it misses",
        methods=[
            (
                "The share of failures of each type whose reference it prefers, with 95 % intervals "
                "clustered by reference; what it sees least comes first. Highlighted bars: the whole interval is below 50 %."
            )
        ],
        figures=[
            bar_figure(
                [BarGroup("", rows)],
                key="types",
                title="Failures detected by type",
                caption=", ".join(f"{name} {percent(rate['value'])} %" for name, rate in levels.items()),
            )
        ],
        tables=[
            table_of(
                card.spots,
                [
                    ("Failure", lambda spot: titled(spot.type)),
                    ("detected", lambda spot: f"{percent(spot.value)} %"),
                    ("95 %", lambda spot: between(Estimate(low=spot.low, high=spot.high), joiner=" to ")),
                    ("of", lambda spot: f"{spot.n}"),
                    (names, beside),
                ],
                title="By type, with the judges beside it",
            )
        ],
    )


def attacks(detection: Mapping[str, Any]) -> Iterator[PageSection]:
    """Yield attack success and isolation."""
    data = detection.get("robustness")
    if not data or not data["asr"]:
        return
    place = data.get("position")
    yield PageSection(
        key="attacks",
        title="What fools it",
        methods=[
            (
                "Attack success rates as in ReportLogic, appendix C.4; lower is better. A targeted attack "
                "succeeds where its "
                "dimension is not judged worse; a surface attack or a manipulation only where the attacked text wins."
            )
        ],
        figures=[
            bar_figure(
                _attack_bars(data["asr"]),
                key="attacks",
                title="Attacks that succeed",
                caption=f"Of identical texts one was called better in {percent(place['value'])} % of orders."
                if place
                else "",
            )
        ],
        tables=[table for table in _attack_tables(data) if table.rows],
    )


def _attack_bars(rates: Mapping[str, Mapping[str, Any]]) -> list[BarGroup]:
    """Return attack success rates, those of targeted attacks first."""
    groups: dict[str, list[Bar]] = {
        "Targeted attacks: must be penalised; a tie is a success": [],
        "Surface attacks and manipulations: must not win": [],
    }
    targeted, surface = groups.values()
    for name, item in rates.items():
        own, series = (targeted, 1) if name.startswith("targeted_") else (surface, 2)
        own.append(
            Bar(
                label=titled(name.removeprefix("targeted_")),
                value=item["value"],
                low=item["low"],
                high=item["high"],
                series=series,
                about=f"{titled(name)}: {percent(item['value'])} % of {item['n']} succeed",
            )
        )
    return [BarGroup(title, rows) for title, rows in groups.items() if rows]


def _attack_tables(data: Mapping[str, Any]) -> list[Table]:
    return [
        table_of(
            data["ir"].items(),
            [
                ("Dimension", lambda row: titled(row[0])),
                ("left alone", lambda row: f"{percent(row[1]['value'])} %"),
                ("95 %", lambda row: rate_range(row[1])),
                ("of", lambda row: f"{row[1]['n']}"),
            ],
            title="Isolation: other dimensions left alone where the attacked one was penalised",
        ),
        table_of(
            data["by_label"].items(),
            [
                ("Label", lambda row: row[0]),
                ("wins", lambda row: f"{percent(row[1]['value'])} %"),
                ("of", lambda row: f"{row[1]['n']}"),
            ],
            title="Wins of a label of authorship",
        ),
    ]


def orders(detection: Mapping[str, Any]) -> Iterator[PageSection]:
    """Yield what the order of showing does."""
    data = detection.get("orders")
    if not data:
        return
    names = {
        "consistent": "The same in both orders",
        "first": "Prefers what is shown first (one half is fair)",
        "agreement": "The reference wins in both orders",
    }
    yield _numbers(
        "orders",
        "What the order does",
        "Every pair was shown in both orders.",
        table_of(
            names,
            [
                ("", lambda key: names[key]),
                ("share", lambda key: f"{percent(data[key]['value'])} %"),
                ("95 %", lambda key: rate_range(data[key])),
            ],
        ),
    )


def gaps(detection: Mapping[str, Any]) -> Iterator[PageSection]:
    """Yield the distribution of score gaps."""
    data = detection.get("gaps")
    if not data or len(data["histogram"]) < 2:
        return
    most = max(count for _, _, count in data["histogram"]) or 1
    rows = [
        Bar(
            label=f"{(low + high) / 2:+.2f}",
            value=count / most,
            series=0 if low + high > 0 else 3,
            about=f"{count} with a gap of {low:.3f} to {high:.3f}",
        )
        for low, high, count in data["histogram"]
        if count
    ]
    pointwise = detection["condition"]["interface"] == "pointwise"
    yield PageSection(
        key="gaps",
        title="How far apart it puts them",
        methods=[
            (
                f"Score of the reference less that of the failure. {percent(data['ties'])} % are ties, "
                f"{percent(data['wrong'])} % "
                "are the wrong way round. Bars are shares of the most frequent gap."
            )
        ],
        figures=[
            bar_figure(
                [BarGroup("", rows)],
                key="gap",
                title="Score gaps" if pointwise else "Margins",
                caption=f"mean {data['mean']['value']:+.3f}",
            )
        ],
        open=False,
    )


def agreement(data: Mapping[str, Any] | None) -> Iterator[PageSection]:
    """Yield the agreement with people."""
    if not data:
        return

    def ends(item: Mapping[str, Any]) -> str:
        low, high = item.get("low"), item.get("high")
        return "" if low is None or high is None else f"{low:.3f} to {high:.3f}"

    yield _numbers(
        "agreement",
        "Agreement with people",
        f"Over {data.get('n', 0):,} labels; {percent(data.get('coverage'))} % with a verdict.",
        table_of(
            data["metrics"].items(),
            [
                ("Measure", lambda row: titled(row[0])),
                ("value", lambda row: number(row[1].get("value"))),
                ("95 %", lambda row: ends(row[1])),
                ("n", lambda row: str(row[1].get("n", ""))),
            ],
        ),
    )


def contrasts(items: Sequence[Mapping[str, Any]]) -> Iterator[PageSection]:
    """Yield the differences from other conditions."""
    found = [ConditionContrast.from_dict(item) for item in items]
    if not found:
        return

    def points(value: float | None) -> str:
        return NONE if value is None else f"{100 * value:+.0f}"

    def ends(item: Estimate) -> str:
        return "" if item.low is None or item.high is None else f"{points(item.low)} to {points(item.high)}"

    yield _numbers(
        "contrasts",
        "Beside other conditions, on the same failures",
        "Differences in percentage points; p of a permutation test over the references on which the two differ, corrected "
        "by Holm's rule." + (f" {TOO_FEW}" if any(item.too_few for item in found) else ""),
        table_of(
            found,
            [
                ("Conditions", lambda item: f"{item.first_name} less {item.second_name}"),
                ("what differs", lambda item: item.axis),
                ("difference", lambda item: points(item.difference.value)),
                ("95 %", lambda item: ends(item.difference)),
                ("only first", lambda item: str(item.only_first)),
                ("only second", lambda item: str(item.only_second)),
                ("references", lambda item: str(item.references)),
                ("p", corrected_p),
            ],
            align="ll",
        ),
    )


def numbers(detection: Mapping[str, Any]) -> Iterator[PageSection]:
    """Yield best of n, and what the judge costs."""
    if detection["best_of_n"]:
        yield _numbers(
            "best",
            "Choosing the best of several",
            "How often the reference is strictly the best among n candidates, the others failures made of it.",
            table_of(
                detection["best_of_n"].items(),
                [
                    ("n", lambda row: row[0]),
                    ("right", lambda row: f"{percent(row[1]['accuracy']['value'])} %"),
                    ("95 %", lambda row: rate_range(row[1]["accuracy"])),
                    ("chance", lambda row: f"{percent(row[1]['chance'])} %"),
                    (
                        "less single pairs",
                        lambda row: NONE if row[1]["gap"] is None else f"{100 * row[1]['gap']:+.0f}",
                    ),
                ],
            ),
        )
    usage = detection["usage"]
    if usage["calls"]:
        cost = usage["cost_usd"]
        yield _numbers(
            "cost",
            "What it takes",
            "",
            table_of(
                [usage],
                [
                    ("calls", lambda row: f"{row['calls']:,}"),
                    ("input tokens", lambda row: f"{row['input_tokens']:,}"),
                    ("cached", lambda row: f"{row['cached_input_tokens']:,}"),
                    ("output tokens", lambda row: f"{row['output_tokens']:,}"),
                    ("cost", lambda _row: "not known" if cost is None else f"${cost:.4f}"),
                    ("tokens an instance", lambda row: number(row["tokens_per_instance"], 0)),
                    ("tokens a detected failure", lambda row: number(row["tokens_per_correct"], 0)),
                ],
                align="",
            ),
        )


def _numbers(key: str, title: str, method: str, table: Table) -> PageSection:
    """Return a part of a page that is one table."""
    table = Table(heads=table.heads, rows=table.rows, align=table.align, title="In numbers")
    return PageSection(key=key, title=title, methods=[method] if method else [], tables=[table])
