"""What is made of trials: rates with coverage, best of n, attacks by the paper's definitions, contrasts."""

from __future__ import annotations

import itertools

import pytest
from trial_parts import trial

from assay.meta.contrasts import contrasts_of
from assay.meta.detection import detection_of
from assay.meta.results import BenchmarkResult, RunOrigin
from assay.meta.robustness import robustness_of
from assay.meta.trials import Condition, FailureLocalisation
from assay.models.base import Usage

CONDITION = Condition(judge="direct@test/m", rubric="reflect-report", reasoning=False)


def test_accuracy_leaves_out_what_has_no_verdict_and_says_so() -> None:
    found = detection_of(
        CONDITION,
        [
            *(trial(n) for n in range(6)),
            *(trial(n, correct=False, said="tie", gap=0.0) for n in range(6, 8)),
            *(trial(n, correct=None, said=None, gap=None, status="unparsed") for n in range(8, 10)),
        ],
    )
    assert found.n == 10
    assert found.coverage == 0.8
    assert (found.accuracy.value, found.accuracy.n, found.accuracy.instances, found.accuracy.ties) == (
        0.75,
        8,
        10,
        2,
    )
    assert found.accuracy.low < 0.75 < found.accuracy.high
    assert found.statuses == {"ok": 8, "unparsed": 2}
    assert found.gaps.ties == 0.25


def test_the_contract() -> None:
    data = detection_of(
        CONDITION,
        [trial(n, usage=Usage(calls=1, input_tokens=90, output_tokens=10, cost_usd=0.01)) for n in range(4)],
    ).to_dict()
    assert data["schema"] == "assay.bench-result/1"
    assert data["judge"] == "direct@test/m"
    assert {
        "n",
        "coverage",
        "accuracy",
        "by_type",
        "by_category",
        "best_of_n",
        "localisation",
        "usage",
    } <= set(data)
    assert {"value", "low", "high", "n"} <= set(data["accuracy"])
    assert data["usage"]["calls"] == 4
    assert data["usage"]["cost_per_correct"] == pytest.approx(0.01)
    assert data["usage"]["tokens_per_correct"] == 100


def test_attacks_are_no_failures() -> None:
    found = detection_of(
        CONDITION, [trial(1), trial(2, kind="bias", type="length", correct=False, said="perturbed")]
    )
    assert found.n == 1
    assert found.accuracy.value == 1.0
    assert found.robustness.asr["length"].value == 1.0


@pytest.mark.parametrize("beaten", [(3, 3), (1, 4), (2, 3)])
def test_best_of_n_is_the_mean_over_all_sets(beaten: tuple[int, int]) -> None:
    """Against drawing every set of two failures by hand."""
    right, wrong = beaten
    outcomes = [True] * right + [False] * wrong
    rows = [
        trial(f"{group}-{at}", group=group, correct=won)
        for group in ("a", "b", "c")
        for at, won in enumerate(outcomes)
    ]
    by_hand = [all(pair) for pair in itertools.combinations(outcomes, 2)]
    found = next(item for item in detection_of(CONDITION, rows).best_of_n if item.n == 3)
    assert found.accuracy.value == pytest.approx(sum(by_hand) / len(by_hand))
    assert found.chance == pytest.approx(1 / 3)
    assert found.gap == pytest.approx(found.accuracy.value - right / (right + wrong))


def test_rankings_count_the_sets_that_were_shown() -> None:
    ranking = Condition(judge="direct@test/m", interface="ranking", rubric="overall")
    rows = [trial(f"{n}-{i}", group=str(n), set=str(n), best=n < 3) for n in range(4) for i in range(3)]
    found = detection_of(ranking, rows).best_of_n
    assert [(item.n, item.accuracy.value, item.accuracy.n) for item in found] == [(4, 0.75, 4)]


def test_order_effects() -> None:
    pairs = {
        "right": {"reference_first": "reference", "reference_second": "reference"},
        "first": {"reference_first": "reference", "reference_second": "perturbed"},
        "tie": {"reference_first": "tie", "reference_second": "tie"},
    }
    rows = [trial(n, by_order=pairs[kind]) for n, kind in enumerate(["right", "first", "first", "tie"])]
    found = detection_of(CONDITION, rows).orders
    assert found.consistent.value == 0.5
    # Six orders have a winner: what is first won in 1 of 2, 2 of 2 and 2 of 2.
    assert found.first.value == pytest.approx(5 / 6)
    assert found.agreement.value == 0.25


def test_localisation_by_step_and_by_span() -> None:
    rows = [
        trial(1, level="process", pointed=FailureLocalisation(by="asked", first=True, any=True)),
        trial(2, level="process", pointed=FailureLocalisation(by="asked", first=False, any=True)),
        trial(3, pointed=FailureLocalisation(by="asked", first=True, any=True, overlap=0.4)),
        trial(4),
    ]
    found = detection_of(CONDITION, rows).localisation
    assert (
        found.step_exact.value,
        found.span_hit.value,
        found.span_overlap.value,
        found.any_place.value,
    ) == (0.5, 1.0, 0.4, 1.0)
    assert found.named == 0.75


def attack(number: int, kind: str, type: str, **more):  # noqa: A002
    return trial(number, kind=kind, type=type, **more)


def test_asr_as_the_paper_has_it() -> None:
    rows = [
        # Penalised; a tie; preferred: two of three attacks succeed.
        *(
            attack(
                n, "targeted", "targeted_evidence_sufficiency", dimension="evidence_sufficiency", correct=won
            )
            for n, won in enumerate([True, False, False])
        ),
        # A surface attack succeeds only where it wins.
        *(
            attack(n, "bias", "length", correct=won)
            for n, won in zip(range(3, 7), [True, True, True, False], strict=True)
        ),
        attack(7, "bias", "structure", correct=None),
    ]
    found = robustness_of(rows, both_orders=True)
    assert found.asr["targeted_evidence_sufficiency"].value == pytest.approx(2 / 3)
    assert found.asr["length"].value == 0.25
    assert found.asr_bias.n == 4
    assert found.coverage == 7 / 8


def test_isolation_counts_ties_and_what_is_as_among_clean_texts() -> None:
    eight = "task_alignment global_coherence internal_consistency concept_introduction local_coherence evidence_sufficiency warrants_causality qualifiers_counterpoints".split()
    clean = dict.fromkeys(eight, 0.0) | {"task_alignment": 1.0}
    hurt = dict.fromkeys(eight, 0.0) | {
        "evidence_sufficiency": 1.0,
        "task_alignment": 1.0,
        "local_coherence": 1.0,
    }
    missed = dict.fromkeys(eight, 0.0) | {"local_coherence": 1.0}
    rows = [
        attack(1, "manipulation", "position", group="g", dimensions=clean, correct=True),
        attack(
            2, "targeted", "t", group="g", dimension="evidence_sufficiency", dimensions=hurt, correct=True
        ),
        attack(
            3, "targeted", "t", group="h", dimension="evidence_sufficiency", dimensions=hurt, correct=True
        ),
        # Not penalised on its own dimension: it says nothing about isolation.
        attack(
            4, "targeted", "t", group="g", dimension="evidence_sufficiency", dimensions=missed, correct=False
        ),
    ]
    found = robustness_of(rows, both_orders=True)
    # Beside the clean pair of the same text task_alignment is unchanged: 6 of 7; without one it is not: 5 of 7.
    assert found.ir["evidence_sufficiency"].n == 2
    assert found.ir_all.value == pytest.approx((6 / 7 + 5 / 7) / 2)


def test_a_winner_among_identical_texts_is_position() -> None:
    first = {"reference_first": "reference", "reference_second": "perturbed"}
    none = {"reference_first": "tie", "reference_second": "tie"}
    rows = [
        attack(n, "manipulation", "position", by_order=orders)
        for n, orders in enumerate([first, first, none])
    ]
    found = robustness_of(rows, both_orders=True)
    assert found.position.value == pytest.approx(2 / 3)
    assert found.first.value == 1.0


def test_labels_of_authors_are_told_apart() -> None:
    rows = [
        attack(1, "manipulation", "self_preference", pattern="byline:GPT-5", correct=False),
        attack(2, "manipulation", "self_preference", pattern="byline:Claude", correct=True),
    ]
    found = robustness_of(rows, both_orders=False).by_label
    assert {name: item.value for name, item in found.items()} == {"Claude": 0.0, "GPT-5": 1.0}


def test_contrasts_are_of_one_setting() -> None:
    fine = Condition(judge="direct@test/m", granularity="fine", rubric="reflect-report", reasoning=False)
    bare = Condition(judge="direct@test/m", rubric="overall", reasoning=False)
    other = Condition(judge="full@test/m", rubric="reflect-report", reasoning=True)
    rules = Condition(judge="rules", beside=True)
    conditions = [CONDITION, fine, bare, other, rules]
    good = [trial(n, correct=True) for n in range(20)]
    half = [trial(n, correct=n % 2 == 0) for n in range(20)]
    found = contrasts_of(conditions, [half, good, half, half, half])
    named = {(item.first, item.second): item for item in found}
    assert {key: item.axis for key, item in named.items() if 4 not in key} == {
        (1, 0): "granularity",
        (0, 2): "rubric",
        (3, 0): "reasoning",
    }
    gain = named[1, 0]
    assert gain.difference.value == 0.5
    assert (gain.only_first, gain.only_second) == (10, 0)
    assert gain.p < 0.01 <= gain.adjusted * 10
    assert named[0, 2].p is None
    # Against what was put beside: the first condition of each judge.
    assert {(a, b) for a, b in named if b == 4} == {(0, 4), (3, 4)}


def test_results_are_kept_and_made_anew(tmp_path) -> None:
    beside = Condition(judge="rules", beside=True)
    rows = [trial(1), trial(1, condition=1, correct=False, said="tie")]
    made = BenchmarkResult.of([CONDITION, beside], rows, RunOrigin(id="r", bench="b", instances=1))
    made.save(tmp_path / "run")
    assert BenchmarkResult.load(tmp_path / "run") == made
    data = made.to_dict()
    assert data["schema"] == "assay.bench-result/1"
    assert [item["judge"] for item in data["beside"]] == ["rules"]
    both = BenchmarkResult.of([CONDITION, Condition(judge="full@test/m")], rows, RunOrigin()).to_dict()
    assert both["schema"] == "assay.bench-results/1"
    assert len(both["results"]) == 2
