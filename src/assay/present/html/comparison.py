"""Several judges, or one under several conditions, on one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.present.bench import percent, titled
from assay.present.charts import Bar, Cell, Group, bars, heat
from assay.present.html.card_cells import (
    range_text,
    whole_number,
)
from assay.present.html.card_sections import contrasts
from assay.present.html.frame import render

if TYPE_CHECKING:
    from assay.meta.card import Card

_KEYS: Final = (("t", "light or dark"), ("?", "these keys"))


def comparison_page(cards: Sequence[Card], beside: Sequence[Mapping[str, Any]] = ()) -> str:
    """Several judges, or one under several conditions, side by side.

    Args:
        cards: One each.
        beside: Results of judges put there to compare with (``assay.bench-result/1``).
    """
    every = [card.detection for card in cards]
    shown = [*every, *_once(beside)]
    names = _names(shown)
    return render(
        "card.html.j2",
        title="Judges compared",
        crumb="Judge cards",
        home=None,
        keys=_KEYS,
        facts=[
            (str(len(cards)), "judges or conditions"),
            (f"{max(item['n'] for item in every):,}", "failures"),
        ],
        told=[],
        tiles=[],
        cautions=_uneven(cards, names),
        sections=[
            _overview(shown, names),
            _types(shown, names),
            *_attacks_beside(shown, names),
            *_pairs(cards),
        ],
        misses=[],
    )


def _overview(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    rows = [
        Bar(
            label=name,
            value=item["accuracy"]["value"],
            low=item["accuracy"]["low"],
            high=item["accuracy"]["high"],
            series=4 if item["condition"].get("beside") else 0,
            about=f"{item['condition']['judge']}, {item['condition']['interface']}: {percent(item['accuracy']['value'])} %",
        )
        for name, item in zip(names, shown, strict=True)
    ]
    heads = [
        "",
        "Judge",
        "interface",
        "rubric",
        "granularity",
        "detects",
        "95 %",
        "best of 4",
        "verdicts",
        "tokens a failure",
        "cost",
    ]
    return {
        "key": "overview",
        "title": "Failures detected",
        "methods": [
            "With 95 % intervals clustered by reference. Judges that ask no model stand beside, in another colour."
        ],
        "figures": [
            {
                "title": "Failures detected",
                "caption": "",
                "chart": bars(
                    [Group("", rows)],
                    key="overview",
                    title="Failures detected",
                    about="; ".join(row.about for row in rows),
                    reach=1.0,
                ),
            }
        ],
        "tables": [
            {
                "title": "Judges and conditions",
                "heads": heads,
                "left": 5,
                "rows": [[name, *_line(item)] for name, item in zip(names, shown, strict=True)],
            }
        ],
        "open": True,
    }


def _line(item: Mapping[str, Any]) -> list[str]:
    condition, usage = item["condition"], item["usage"]
    best = item["best_of_n"].get("4")
    cost = usage["cost_usd"]
    return [
        condition["judge"],
        condition["interface"],
        condition.get("rubrics") or condition.get("rubric") or "",
        condition["granularity"] if condition.get("rubric") else "",
        f"{percent(item['accuracy']['value'])} %",
        range_text(item["accuracy"]),
        f"{percent(best['accuracy']['value'])} %" if best else "",
        f"{percent(item['coverage'])} %",
        whole_number(usage["tokens_per_correct"]) if usage["calls"] else "",
        "" if not usage["calls"] else "not known" if cost is None else f"${cost:.2f}",
    ]


def _types(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    types = list(dict.fromkeys(name for item in shown for name in item["by_type"]))
    cells = {
        (titled(kind), name): Cell(
            item["by_type"][kind]["value"],
            f"{titled(kind)}, {item['condition']['judge']}: {percent(item['by_type'][kind]['value'])} % of {item['by_type'][kind]['n']}",
        )
        for name, item in zip(names, shown, strict=True)
        for kind in types
        if kind in item["by_type"]
    }
    return {
        "key": "types",
        "title": "By type of failure",
        "methods": ["Per cent of each type detected; darker is more."],
        "figures": [
            {
                "title": "Detected by type and judge",
                "caption": "",
                "chart": heat(
                    [titled(kind) for kind in types],
                    list(names),
                    cells,
                    key="by-type",
                    title="Detected by type and judge",
                    about="; ".join(cell.about for cell in cells.values()),
                ),
            }
        ],
        "tables": [],
        "open": True,
    }


def _attacks_beside(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    attacked = [
        (name, item["robustness"]) for name, item in zip(names, shown, strict=True) if item.get("robustness")
    ]
    if not attacked:
        return
    kinds = list(dict.fromkeys(kind for _, data in attacked for kind in data["asr"]))
    cells = {
        (titled(kind), name): Cell(
            data["asr"][kind]["value"],
            f"{titled(kind)}, {name}: {percent(data['asr'][kind]['value'])} % succeed",
        )
        for name, data in attacked
        for kind in kinds
        if kind in data["asr"]
    }
    yield {
        "key": "attacks",
        "title": "What fools them",
        "methods": ["Per cent of attacks that succeed; darker is worse."],
        "figures": [
            {
                "title": "Attack success by type and judge",
                "caption": "",
                "chart": heat(
                    [titled(kind) for kind in kinds],
                    [name for name, _ in attacked],
                    cells,
                    key="by-attack",
                    title="Attack success",
                    about="; ".join(cell.about for cell in cells.values()),
                ),
            }
        ],
        "tables": [],
        "open": True,
    }


def _pairs(cards: Sequence[Card]) -> Iterator[dict[str, Any]]:
    seen: dict[tuple[str, str], dict[str, Any]] = {}
    for card in cards:
        for item in card.contrasts:
            seen.setdefault((item["first_name"], item["second_name"]), item)
    if seen:
        from msgspec.structs import replace  # noqa: PLC0415 - a card is frozen

        yield from contrasts(replace(cards[0], contrasts=tuple(seen.values())))


def _uneven(cards: Sequence[Card], names: Sequence[str]) -> list[str]:
    """What limits them; what is not true of all says of whom it is."""
    prints = {card.origin.get("fingerprint") for card in cards}
    said = []
    if len(prints) > 1:
        said.append(
            "These runs are not of the same instances: differences between them mix judges with failures."
        )
    of: dict[str, list[str]] = {}
    for card, name in zip(cards, names, strict=False):
        for text in dict.fromkeys(card.cautions):
            of.setdefault(text, []).append(name)
    return said + [
        text if len(whose) == len(cards) else f"{', '.join(whose)}: {text}" for text, whose in of.items()
    ]


def _once(beside: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    seen: dict[tuple[str, str], Mapping[str, Any]] = {}
    for item in beside:
        seen.setdefault((item["judge"], item["condition"]["interface"]), item)
    return list(seen.values())


def _names(shown: Sequence[Mapping[str, Any]]) -> list[str]:
    """Short names, each its own: letters, and the judge's."""
    return [
        f"{chr(ord('A') + at) if at < 26 else at + 1} {item['judge'].partition('@')[0]}"
        for at, item in enumerate(shown)
    ]
