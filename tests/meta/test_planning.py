"""Plans of evaluations from a pilot."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay.errors import InputError
from assay.judges.judgment import Judgment
from assay.measures.power import cases_needed
from assay.meta.planning import plan_judges, plan_systems
from assay.meta.results import BenchmarkResult, RunOrigin
from assay.meta.trials import Condition, Trial
from assay.models.base import Usage


def trial(at: int, correct: bool, *, condition: int, repeats=(), by_order=None, group=None) -> Trial:
    return Trial(
        instance=f"i{at}", group=group or f"g{at}", kind="failure", level="outcome", module="output",
        category="faithfulness", type="fabrication", language="en", condition=condition,
        said="reference" if correct else "perturbed", correct=correct, gap=1.0 if correct else -1.0,
        repeats=repeats, by_order=by_order, usage=Usage(calls=2, input_tokens=900, output_tokens=100, cost_usd=0.01),
    )  # fmt: skip


def result(*trials) -> BenchmarkResult:
    conditions = [Condition(judge=f"judge{at}@x/y") for at in range(len(trials))]
    return BenchmarkResult.of(conditions, [item for own in trials for item in own], RunOrigin(instances=40))


def test_the_number_of_cases_is_that_of_the_paired_test() -> None:
    first = [trial(at, at % 10 < 8, condition=0) for at in range(40)]
    second = [trial(at, at % 10 < 5, condition=1) for at in range(40)]
    (plan,) = plan_judges(result(first, second))
    gaps = [float(at % 10 < 8) - float(at % 10 < 5) for at in range(40)]
    assert plan.difference == pytest.approx(0.3)
    assert plan.cases == cases_needed(0.3, float(np.var(gaps, ddof=1)))
    # Two calls of each judge for a case.
    assert plan.calls == pytest.approx(4 * plan.cases, abs=1)
    assert plan.cost_usd == pytest.approx(0.02 * plan.cases)
    assert plan.noise is None


def test_repetitions_help_a_noisy_judge_and_not_a_steady_one() -> None:
    random = np.random.default_rng(5)

    def noisy(at: int, share: float, condition: int) -> Trial:
        votes = tuple("reference" if toss < share else "perturbed" for toss in random.random(3))
        return trial(at, votes.count("reference") > 1, condition=condition, repeats=votes)

    plans = plan_judges(
        result([noisy(at, 0.7, 0) for at in range(60)], [noisy(at, 0.5, 1) for at in range(60)])
    )
    assert [plan.repetitions for plan in plans] == [1, 3, 5]
    assert plans[0].cases > 2 * plans[1].cases > 2 * plans[2].cases
    assert plans[0].noise > 0.7
    steady = [
        [trial(at, at % 10 < most, condition=condition, repeats=(("reference",) if at % 10 < most else ("tie",)) * 3)
         for at in range(40)]
        for condition, most in ((0, 8), (1, 5))
    ]  # fmt: skip
    assert len({plan.cases for plan in plan_judges(result(*steady))}) == 1


def test_clusters_of_instances_count() -> None:
    alone = plan_judges(result([trial(at, at % 10 < 8, condition=0) for at in range(40)],
                               [trial(at, at % 10 < 5, condition=1) for at in range(40)]))  # fmt: skip
    shared = plan_judges(result([trial(at, at % 10 < 8, condition=0, group=f"g{at % 10}") for at in range(40)],
                                [trial(at, at % 10 < 5, condition=1, group=f"g{at % 10}") for at in range(40)]))  # fmt: skip
    assert shared[0].cases > 3 * alone[0].cases


def test_one_order_costs_half_and_is_planned_beside_both() -> None:
    both = {"reference_first": "reference", "reference_second": "perturbed"}
    first = [trial(at, at % 10 < 8, condition=0, by_order=both) for at in range(40)]
    second = [
        trial(at, at % 10 < 5, condition=1, by_order={**both, "reference_first": "tie"}) for at in range(40)
    ]
    plans = plan_judges(result(first, second))
    assert [plan.orders for plan in plans] == [2, 1]
    assert plans[1].difference == 1
    assert plans[1].calls == 2 * plans[1].cases


def test_systems_are_planned_from_scores_with_their_task_and_system() -> None:
    random = np.random.default_rng(2)
    judgments = [
        Judgment(f"{system}-{task}", "j", scores={"overall": float(mean + random.normal(0, 0.5))},
                 metadata={"system": system, "id": str(task)})
        for system, mean in (("one", 3.0), ("two", 3.4)) for task in range(30)
    ]  # fmt: skip
    (plan,) = plan_systems(judgments, difference=0.4)
    assert plan.cases == pytest.approx(2 * 0.25 * (3.24 / 0.4) ** 2, rel=0.7)
    with pytest.raises(InputError, match="name fewer"):
        plan_systems(judgments[:30])
    with pytest.raises(InputError, match="share 5 cases"):
        plan_systems([item for item in judgments if int(item.metadata["id"]) < 5])


def test_a_pilot_of_one_judge_plans_nothing() -> None:
    with pytest.raises(InputError, match="the pilot has one"):
        plan_judges(result([trial(at, True, condition=0) for at in range(20)]))


def test_no_difference_takes_for_ever() -> None:
    same = [[trial(at, at % 2 == 0, condition=condition) for at in range(20)] for condition in (0, 1)]
    (plan,) = plan_judges(result(*same))
    assert (plan.cases, plan.calls, plan.cost_usd) == (None, None, None)


def test_the_command_plans_from_a_saved_run(tmp_path) -> None:
    from click.testing import CliRunner

    from assay.cli.main import root

    both = {"reference_first": "reference", "reference_second": "tie"}
    pilot = [
        [trial(at, at % 10 < 8, condition=condition, by_order=both) for at in range(12)]
        for condition in (0, 1)
    ]
    result(*pilot).save(tmp_path / "pilot")
    words = ["bench", "plan", str(tmp_path / "pilot"), "--difference", "0.2"]
    text = CliRunner().invoke(root, words, prog_name="assay")
    assert text.exit_code == 0, text.output
    assert "90% power" in text.output
    data = json.loads(CliRunner().invoke(root, [*words, "-f", "json"], prog_name="assay").output)
    assert {item["orders"] for item in data} == {1, 2}
