"""The card of a judge as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assay.present.html.card_sections import (
    agreement,
    attacks,
    blind_spots,
    contrasts,
    gaps,
    numbers,
    orders,
    rate_range,
)
from assay.present.html.changed import changed_html
from assay.present.html.tables import PageSection, plain_page
from assay.present.numbers import percent, percent_sign, titled

if TYPE_CHECKING:
    from assay.meta.card import Card, MissedFailure


def card_page(card: Card, *, home: str | None = None) -> str:
    """Return the page of a card."""
    detection = card.detection
    condition = detection["condition"]
    return plain_page(
        "card.html.j2",
        home=home,
        title=card.name or detection["judge"],
        verdicts=[("", card.verdict)] if card.verdict else [],
        crumb="Judge card",
        facts=[*_facts(card)],
        about=_about(condition, card.origin),
        tiles=list(_tiles(card)),
        cautions=list(card.cautions),
        sections=card_sections(card),
        misses=[_miss(item) for item in card.misses],
    )


def card_sections(card: Card) -> list[PageSection]:
    """Return the sections of the page, with their charts."""
    detection = card.detection
    return [
        *blind_spots(card),
        *attacks(detection),
        *orders(detection),
        *gaps(detection),
        *agreement(card.agreement),
        *contrasts(card.contrasts),
        *numbers(detection),
    ]


def _facts(card: Card) -> Iterator[tuple[str, str]]:
    detection = card.detection
    yield f"{detection['n']:,}", "failures"
    if detection.get("robustness"):
        attacks = detection["robustness"]["asr"]
        yield f"{sum(item['n'] for item in attacks.values()):,}", "attacks"
    yield f"{percent(detection['coverage'])} %", "with a verdict"
    usage = detection["usage"]
    if usage["calls"]:
        yield f"{usage['input_tokens'] + usage['output_tokens']:,}", "tokens"
        if usage["cost_usd"] is not None:
            yield f"${usage['cost_usd']:.2f}", "in all"


def _about(condition: Mapping[str, Any], origin: Mapping[str, Any]) -> list[tuple[str, str]]:
    about = [("judge", condition["judge"])] if condition.get("label") else []
    about.append(("interface", condition["interface"]))
    if condition.get("rubric"):
        about += [
            ("rubric", condition.get("rubrics") or condition["rubric"]),
            ("granularity", condition["granularity"]),
        ]
        about.append(("reasoning", "before the verdict" if condition.get("reasoning") else "none"))
    if condition.get("trials", 1) > 1:
        about.append(("repetitions", str(condition["trials"])))
    if condition.get("version"):
        about.append(("version", condition["version"]))
    if origin.get("bench"):
        about.append(("benchmark", origin["bench"]))
    return about


def _tiles(card: Card) -> Iterator[dict[str, str]]:
    """Yield the few numbers that a reader takes away."""
    detection = card.detection
    yield _tile("Failures it detects", detection["accuracy"], "the reference preferred, strictly")
    for size in ("4", "3", "2"):
        best = detection["best_of_n"].get(size)
        if best and best["accuracy"]["value"] is not None:
            yield _tile(f"Best of {size}", best["accuracy"], f"chance is {percent(best['chance'])} %")
            break
    attacked = detection.get("robustness")
    if attacked and attacked["asr_bias"]["n"]:
        yield _tile("Surface attacks that succeed", attacked["asr_bias"], "lower is better")
    if attacked and attacked["asr_targeted"]["n"]:
        yield _tile("Targeted attacks that succeed", attacked["asr_targeted"], "lower is better")
    if detection.get("orders"):
        yield _tile("Same in both orders", detection["orders"]["consistent"], "of pairs")
    place = detection.get("localisation")
    if place:
        key = "span_hit" if place["span_hit"]["n"] >= place["step_exact"]["n"] else "step_exact"
        yield _tile("Points at the place", place[key], f"read from {place['by']}")
    if detection.get("noise"):
        yield _tile("Flips over repetitions", detection["noise"], "lower is better")
    cost = detection["usage"].get("cost_per_correct")
    if cost:
        yield {"title": "A detected failure costs", "value": f"${cost:.4f}", "range": "", "note": ""}


def _tile(title: str, rate: Mapping[str, Any], note: str) -> dict[str, str]:
    return {"title": title, "value": percent_sign(rate["value"]), "range": rate_range(rate), "note": note}


def _miss(item: MissedFailure) -> dict[str, Any]:
    return {
        "id": item.id,
        "type": titled(item.type),
        "query": item.query,
        "note": item.note,
        "said": {"perturbed": "preferred the failure", "tie": "saw no difference"}.get(item.said, item.said),
        "text": changed_html(item.before, item.after),
        "excerpt": item.excerpt,
    }
