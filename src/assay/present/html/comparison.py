"""Several judges, or one under several conditions, on one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.meta.card import cards_of
from assay.present.charts import Bar, BarGroup
from assay.present.heat_map import HeatCell, heat
from assay.present.html.card import card_page, card_sections
from assay.present.html.card_sections import bar_figure, contrasts, estimate, rate_range
from assay.present.html.cost_front import cost_front
from assay.present.html.tables import PageFigure, PageSection, plain_page
from assay.present.numbers import between, number, percent, percent_sign, titled
from assay.present.table import table_of

if TYPE_CHECKING:
    from assay.interventions.instances import Instance
    from assay.meta.card import Card
    from assay.meta.results import BenchmarkResult


def results_page(
    results: BenchmarkResult,
    judge: str | int | None = None,
    *,
    instances: Sequence[Instance] | None = None,
    agreement: Mapping[str, Any] | None = None,
    home: str | None = None,
) -> str:
    """Return the page of results: a card, or a comparison of several judges; see `assay.meta.card.cards_of`."""
    return cards_page(cards_of(results, judge, instances=instances, agreement=agreement), results, home=home)


def cards_page(cards: Sequence[Card], results: BenchmarkResult, *, home: str | None = None) -> str:
    """Return the page of one card, or the page that compares several of the same results."""
    if len(cards) == 1:
        return card_page(cards[0], home=home)
    return comparison_page(
        cards, [item.to_dict() for item in results.beside], uneven=_uneven(results), home=home
    )


def cards_sections(cards: Sequence[Card], results: BenchmarkResult) -> list[PageSection]:
    """Return the sections of `cards_page`, with their charts."""
    if len(cards) == 1:
        return card_sections(cards[0])
    beside = [item.to_dict() for item in results.beside]
    return _sections(cards, *_shown(cards, beside))


def _uneven(results: BenchmarkResult) -> bool:
    judged = {
        frozenset(trial.instance for trial in own if trial.kind == "failure")
        for item, own in zip(results.detections, results.trials, strict=False)
        if not item.condition.beside
    }
    return len(judged) > 1


def comparison_page(
    cards: Sequence[Card],
    beside: Sequence[Mapping[str, Any]] = (),
    *,
    uneven: bool = False,
    home: str | None = None,
) -> str:
    """Return a page with several judges, or one under several conditions, side by side.

    Args:
        cards: Cards of the judges.
        beside: Results of other judges to compare with (``assay.bench-result/1``).
        uneven: Whether the judges did not judge the same failures.
        home: Address of what is above the page, if there is something.
    """
    shown, names = _shown(cards, beside)
    most = max(card.detection["n"] for card in cards)
    return plain_page(
        "card.html.j2",
        home=home,
        title="Judges compared",
        crumb="Judge cards",
        facts=[(str(len(cards)), "judges or conditions"), (f"{most:,}", "failures")],
        about=[],
        tiles=[],
        verdicts=[(name, card.verdict) for name, card in zip(names, cards, strict=False) if card.verdict],
        cautions=_cautions(cards, names, uneven=uneven),
        sections=_sections(cards, shown, names),
        misses=[],
    )


def _shown(
    cards: Sequence[Card], beside: Sequence[Mapping[str, Any]]
) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Return the results that the page compares, and a name for each."""
    names = [
        *(card.name or card.detection["judge"] for card in cards),
        *(item["judge"] for item in _once(beside)),
    ]
    return [*(card.detection for card in cards), *_once(beside)], _names(names)


def _sections(
    cards: Sequence[Card], shown: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> list[PageSection]:
    return [
        _overview(shown, names),
        _types(shown, names),
        *_attacks_beside(shown, names),
        *cost_front(shown, names),
        *_contrasts(cards),
    ]


def _overview(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> PageSection:
    rows = [
        Bar(
            label=name,
            value=item["accuracy"]["value"],
            low=item["accuracy"]["low"],
            high=item["accuracy"]["high"],
            series=4 if item["condition"].get("beside") else 0,
            about=f"{item['condition']['judge']}, {item['condition']['interface']}: "
            f"{percent(item['accuracy']['value'])} %",
        )
        for name, item in zip(names, shown, strict=True)
    ]
    return PageSection(
        key="overview",
        title="Failures detected",
        methods=[
            "With 95 % intervals clustered by reference. Judges that ask no model stand beside, in another colour."
        ],
        figures=[bar_figure([BarGroup("", rows)], key="overview", title="Failures detected")],
        tables=[
            table_of(
                zip(names, shown, strict=True),
                [
                    ("", lambda row: row[0]),
                    ("Judge", lambda row: row[1]["condition"]["judge"]),
                    ("interface", lambda row: row[1]["condition"]["interface"]),
                    ("rubric", lambda row: _rubric(row[1]["condition"])),
                    (
                        "granularity",
                        lambda row: (
                            row[1]["condition"]["granularity"] if row[1]["condition"].get("rubric") else ""
                        ),
                    ),
                    ("detects", lambda row: f"{percent(row[1]['accuracy']['value'])} %"),
                    ("95 %", lambda row: rate_range(row[1]["accuracy"])),
                    ("best of 4", lambda row: _best(row[1]["best_of_n"].get("4"))),
                    ("verdicts", lambda row: f"{percent(row[1]['coverage'])} %"),
                    (("tokens a failure", "cost"), lambda row: _spent(row[1]["usage"])),
                ],
                align="lllll",
                title="Judges and conditions",
            )
        ],
    )


def _rubric(condition: Mapping[str, Any]) -> str:
    return condition.get("rubrics") or condition.get("rubric") or ""


def _best(best: Mapping[str, Any] | None) -> str:
    return f"{percent(best['accuracy']['value'])} %" if best else ""


def _spent(usage: Mapping[str, Any]) -> tuple[str, str]:
    if not usage["calls"]:
        return "", ""
    cost = usage["cost_usd"]
    return number(usage["tokens_per_correct"], 0), "not known" if cost is None else f"${cost:.2f}"


def _types(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> PageSection:
    return _heat(
        {name: item["by_type"] for name, item in zip(names, shown, strict=True)},
        key="types",
        title="By type of failure",
        method="Per cent of each type detected; beneath, where cells are wide enough, the 95 % interval clustered by reference "
        "and the number of failures. A stronger shade means more.",
        caption="Detected by type and judge",
        heads=("Failure", "detected"),
    )


def _attacks_beside(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[PageSection]:
    attacked = {
        name: item["robustness"]["asr"]
        for name, item in zip(names, shown, strict=True)
        if item.get("robustness")
    }
    if attacked:
        yield _heat(
            attacked,
            key="attacks",
            title="What fools them",
            method="Per cent of attacks that succeed; beneath, where cells are wide enough, the 95 % interval clustered by "
            "reference and the number of attacks. A stronger shade is worse.",
            caption="Attack success by type and judge",
            heads=("Attack", "succeed"),
        )


def _heat(
    rates: Mapping[str, Mapping[str, Any]],
    *,
    key: str,
    title: str,
    method: str,
    caption: str,
    heads: tuple[str, str],
) -> PageSection:
    """Return rates by judge and type as a heat map and as a table; ``heads`` name what has a type, and the rate."""
    kinds = list(dict.fromkeys(kind for own in rates.values() for kind in own))
    rows = [(titled(kind), judge, own[kind]) for kind in kinds for judge, own in rates.items() if kind in own]
    chart = heat(
        [titled(kind) for kind in kinds],
        list(rates),
        {(kind, judge): _cell(kind, judge, rate) for kind, judge, rate in rows},
        key=f"by-{key}",
        title=caption,
    )
    table = table_of(
        rows,
        [
            (heads[0], lambda row: row[0]),
            ("Judge", lambda row: row[1]),
            (heads[1], lambda row: percent_sign(row[2]["value"])),
            ("95 %", lambda row: rate_range(row[2])),
            ("of", lambda row: f"{row[2]['n']}"),
        ],
        align="ll",
        title="In numbers",
    )
    return PageSection(
        key=key,
        title=title,
        methods=[method],
        figures=[PageFigure(caption, "", chart)],
        tables=[table],
        open=False,
    )


def _cell(kind: str, judge: str, rate: Mapping[str, Any]) -> HeatCell:
    """Return a cell with the interval and the number beneath the rate."""
    count = f"of {rate['n']}"
    ends = between(estimate(rate))
    about = f"{kind}, {judge}: {percent_sign(rate['value'])} {count}" + (f", 95 % {ends}" if ends else "")
    return HeatCell(rate["value"], about, tuple(filter(None, (ends, count))))


def _contrasts(cards: Sequence[Card]) -> Iterator[PageSection]:
    seen: dict[tuple[str, str], Mapping[str, Any]] = {}
    for card in cards:
        for item in card.contrasts:
            seen.setdefault((item["first_name"], item["second_name"]), item)
    yield from contrasts(list(seen.values()))


def _cautions(cards: Sequence[Card], names: Sequence[str], *, uneven: bool) -> list[str]:
    """Return what limits the judges; what is not true of all of them names those it is true of."""
    cautions = []
    if uneven:
        cautions.append(
            "These judges are not tested on the same instances: their shares mix judges with failures. The differences "
            "beside other conditions rest on what both judged."
        )
    of: dict[str, list[str]] = {}
    for card, name in zip(cards, names, strict=False):
        for text in dict.fromkeys(card.cautions):
            of.setdefault(text, []).append(name)
    return cautions + [
        text if len(whose) == len(cards) else f"{', '.join(whose)}: {text}" for text, whose in of.items()
    ]


def _once(beside: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    seen: dict[tuple[str, str], Mapping[str, Any]] = {}
    for item in beside:
        seen.setdefault((item["judge"], item["condition"]["interface"]), item)
    return list(seen.values())


def _names(names: Sequence[str]) -> list[str]:
    """Return names with a letter before each, so that a cut name is still unique."""
    return [f"{chr(ord('A') + at) if at < 26 else at + 1} {name}" for at, name in enumerate(names)]
