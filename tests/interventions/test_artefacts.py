"""Detectors find what gives a benchmark away, and nothing where nothing does."""

from __future__ import annotations

from random import Random

from bench_parts import NUMBERS, report

from assay.interventions.applying import Site
from assay.interventions.artefacts import measure_artefacts, style_of
from assay.interventions.building import build
from assay.interventions.instances import Instance


def made(change, *, n: int = 60, groups: int = 30) -> list[Instance]:
    """Pairs that differ as ``change`` says."""
    draw = Random(1)
    found = []
    for number in range(n):
        text = report(number % groups).source
        found.append(
            Instance(
                id=str(number),
                group=str(number % groups),
                level="outcome",
                module="output",
                category="faithfulness",
                type="x",
                query="",
                reference={"report": text},
                perturbed={"report": change(text, draw)},
                site=Site(kind="span", start=0, end=1),
                editor="rules",
            )
        )
    return found


def accuracy(instances: list[Instance]) -> dict[str, float]:
    return {item.detector: item.accuracy.value for item in measure_artefacts(instances)}


def test_additions_are_found_by_length() -> None:
    found = accuracy(made(lambda text, draw: text + "And so it goes, as it must.\n"))
    assert found["shorter"] == 1.0
    assert found["longer"] == 0.0
    assert found["length"] == 1.0


def test_a_habit_of_wording_is_found_by_style_though_length_is_even() -> None:
    def change(text: str, draw: Random) -> str:
        at = text.index(" of the region")
        return text[:at] + (", may be, may be," if draw.random() < 0.5 else " may be, " * 3) + text[at + 14 :]

    assert accuracy(made(change))["style"] > 0.9


def test_digits_changed_by_chance_give_nothing_away() -> None:
    def change(text: str, draw: Random) -> str:
        places = [at for at, char in enumerate(text) if char in "23456789"]
        at = draw.choice(places)
        return text[:at] + draw.choice([d for d in "23456789" if d != text[at]]) + text[at + 1 :]

    found = accuracy(made(change, n=120, groups=40))
    assert found["longer"] == found["shorter"] == found["length"] == 0.5
    assert 0.35 <= found["style"] <= 0.65


def test_a_balanced_build_stays_near_chance() -> None:
    built = build([report(seed) for seed in range(40)], [NUMBERS], per_type=40)
    found = {item.detector: item for item in measure_artefacts(built.instances)}
    assert 0.4 <= found["longer"].accuracy.value <= 0.6
    assert found["length"].accuracy.value <= 0.65
    assert set(found["style"].by_type) == {"numbers"}


def test_too_few_pairs_are_not_judged() -> None:
    found = measure_artefacts(made(lambda text, draw: text + "x", n=5))
    learned = [item for item in found if item.detector in ("length", "style")]
    assert all(item.reason and item.accuracy.value is None for item in learned)


def test_style_does_not_see_length() -> None:
    assert style_of("same text", "same text") == [0.0] * len(style_of("a", "b"))
