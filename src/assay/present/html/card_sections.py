"""The parts of a judge's card: what it sees, what fools it, how stable it is, how far it agrees with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assay.present.bench import percent, titled
from assay.present.charts import Bar, Group, bars
from assay.present.html.card_cells import (
    numbers_section,
    p_text,
    plain_range,
    range_text,
    signed,
    signed_range,
    whole_number,
)

if TYPE_CHECKING:
    from assay.meta.card import Card


def blind_spots(card: Card) -> Iterator[dict[str, Any]]:
    """By type, what it sees least first."""
    if not card.spots:
        return
    beside = list(dict.fromkeys(name for spot in card.spots for name in spot.beside))
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
    heads = ["Failure", "detected", "95 %", "of", *beside]
    yield {
        "key": "spots",
        "title": "What it sees, and what it misses",
        "methods": [
            (
                "The share of failures of each type whose reference it prefers, with 95 % intervals clustered by reference; what it"
                " sees least comes first. In the other colour: the interval lies below one half."
            )
        ],
        "figures": [
            {
                "title": "Failures detected by type",
                "caption": ", ".join(f"{name} {percent(rate['value'])} %" for name, rate in levels.items()),
                "chart": bars(
                    [Group("", rows)],
                    key="types",
                    title="Failures detected by type",
                    about="; ".join(row.about for row in rows),
                    reach=1.0,
                ),
            }
        ],
        "tables": [
            {
                "title": "By type, with the judges beside it",
                "heads": heads,
                "left": 1,
                "rows": [
                    [
                        titled(spot.type),
                        f"{percent(spot.value)} %",
                        range_text({"low": spot.low, "high": spot.high}),
                        spot.n,
                        *(f"{percent(spot.beside.get(name))} %" for name in beside),
                    ]
                    for spot in card.spots
                ],
            }
        ],
        "open": True,
    }


def attacks(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Attack success and isolation."""
    data = found.get("robustness")
    if not data or not data["asr"]:
        return
    rows = [
        Bar(
            label=titled(name.removeprefix("targeted_")),
            value=item["value"],
            low=item["low"],
            high=item["high"],
            series=1 if name.startswith("targeted_") else 2,
            about=f"{titled(name)}: {percent(item['value'])} % of {item['n']} succeed",
        )
        for name, item in data["asr"].items()
    ]
    targeted = [row for row in rows if row.series == 1]
    others = [row for row in rows if row.series == 2]
    groups = [
        Group(title, own)
        for title, own in (
            ("Targeted at a dimension: it must be penalised, a tie is a success", targeted),
            ("Surface only: it must not win", others),
        )
        if own
    ]
    isolated = [
        [titled(name), f"{percent(item['value'])} %", range_text(item), item["n"]]
        for name, item in data["ir"].items()
    ]
    labels = [[name, f"{percent(item['value'])} %", item["n"]] for name, item in data["by_label"].items()]
    tables = []
    if isolated:
        tables.append(
            {
                "title": "Isolation: other dimensions left alone where the attacked one was penalised",
                "heads": ["Dimension", "left alone", "95 %", "of"],
                "left": 1,
                "rows": isolated,
            }
        )
    if labels:
        tables.append(
            {
                "title": "Wins of a label of authorship",
                "heads": ["Label", "wins", "of"],
                "left": 1,
                "rows": labels,
            }
        )
    caption = ""
    if data.get("position"):
        caption = (
            f"Of identical texts one was called better in {percent(data['position']['value'])} % of orders."
        )
    yield {
        "key": "attacks",
        "title": "What fools it",
        "methods": [
            (
                "Attack success rates as in ReportLogic, appendix C.4; lower is better. A targeted attack succeeds where its dimension"
                " is not judged worse; one of surface only where the attacked text wins."
            )
        ],
        "figures": [
            {
                "title": "Attacks that succeed",
                "caption": caption,
                "chart": bars(
                    groups,
                    key="attacks",
                    title="Attacks that succeed",
                    about="; ".join(row.about for row in rows),
                    reach=1.0,
                ),
            }
        ],
        "tables": tables,
        "open": True,
    }


def orders(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What the order of showing does."""
    data = found.get("orders")
    if not data:
        return
    rows = [
        [
            "The same in both orders",
            f"{percent(data['consistent']['value'])} %",
            range_text(data["consistent"]),
        ],
        [
            "Prefers what is shown first (one half is fair)",
            f"{percent(data['first']['value'])} %",
            range_text(data["first"]),
        ],
        [
            "The reference wins in both orders",
            f"{percent(data['agreement']['value'])} %",
            range_text(data["agreement"]),
        ],
    ]
    yield numbers_section(
        "orders", "What the order does", "Every pair was shown in both orders.", ["", "share", "95 %"], rows
    )


def gaps(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Score gaps."""
    data = found.get("gaps")
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
    yield {
        "key": "gaps",
        "title": "How far apart it puts them",
        "methods": [
            (
                f"Score of the reference less that of the failure. {percent(data['ties'])} % are ties, {percent(data['wrong'])} % are the"
                " wrong way round. Bars are shares of the most frequent gap."
            )
        ],
        "figures": [
            {
                "title": "Score gaps" if found["condition"]["interface"] == "pointwise" else "Margins",
                "caption": f"mean {data['mean']['value']:+.3f}",
                "chart": bars(
                    [Group("", rows)],
                    key="gap",
                    title="Score gaps",
                    about="; ".join(row.about for row in rows),
                    reach=1.0,
                ),
            }
        ],
        "tables": [],
        "open": False,
    }


def agreement(data: Mapping[str, Any] | None) -> Iterator[dict[str, Any]]:
    """With people."""
    if not data:
        return
    rows = [
        [
            titled(name),
            f"{item['value']:.3f}" if item.get("value") is not None else "–",
            plain_range(item),
            item.get("n", ""),
        ]
        for name, item in data["metrics"].items()
    ]
    yield numbers_section(
        "agreement",
        "Agreement with people",
        f"Over {data.get('n', 0):,} labels; {percent(data.get('coverage'))} % with a verdict.",
        ["Measure", "value", "95 %", "n"],
        rows,
    )


def contrasts(card: Card) -> Iterator[dict[str, Any]]:
    """Beside other conditions."""
    if not card.contrasts:
        return
    rows = [
        [
            f"{item['first_name']} less {item['second_name']}",
            item["axis"],
            signed(item["difference"]["value"]),
            signed_range(item["difference"]),
            item["only_first"],
            item["only_second"],
            p_text(item["adjusted"]),
        ]
        for item in card.contrasts
    ]
    yield numbers_section(
        "contrasts",
        "Beside other conditions, on the same failures",
        "Differences in percentage points; p of a permutation test over references, corrected by Holm's rule.",
        ["Conditions", "what differs", "difference", "95 %", "only first", "only second", "p"],
        rows,
        left=2,
    )


def numbers(card: Card) -> Iterator[dict[str, Any]]:
    """Best of n, and what it takes."""
    found = card.detection
    rows = [
        [
            size,
            f"{percent(item['accuracy']['value'])} %",
            range_text(item["accuracy"]),
            f"{percent(item['chance'])} %",
            signed(item["gap"]),
        ]
        for size, item in found["best_of_n"].items()
    ]
    if rows:
        yield numbers_section(
            "best",
            "Choosing the best of several",
            "How often the reference is strictly the best among n candidates, the others failures made of it.",
            ["n", "right", "95 %", "chance", "less single pairs"],
            rows,
        )
    usage = found["usage"]
    if usage["calls"]:
        cost = usage["cost_usd"]
        yield numbers_section(
            "cost",
            "What it takes",
            "",
            [
                "calls",
                "input tokens",
                "cached",
                "output tokens",
                "cost",
                "tokens an instance",
                "tokens a detected failure",
            ],
            [
                [
                    f"{usage['calls']:,}",
                    f"{usage['input_tokens']:,}",
                    f"{usage['cached_input_tokens']:,}",
                    f"{usage['output_tokens']:,}",
                    "not known" if cost is None else f"${cost:.4f}",
                    whole_number(usage["tokens_per_instance"]),
                    whole_number(usage["tokens_per_correct"]),
                ]
            ],
            left=0,
        )
