"""What the papers print agrees with itself, with their text, and with what Assay makes of one's own material."""

from __future__ import annotations

import asyncio
import math
import re
from pathlib import Path

import pytest
from judgments_for_tests import pair, prefers, rates, scored

from assay.errors import InputError, UsageError
from assay.interventions.registry import all_operators
from assay.meta.benchmark import Benchmark
from assay.meta.papers import making
from assay.meta.papers.exhibits import Exhibit, FromBenchmark, all_papers, paper_of
from assay.meta.papers.rehearsal import rehearse
from assay.runs.run_settings import RunSettings

REPOSITORY = Path(__file__).resolve().parents[2]
TEXTS = REPOSITORY.parent / "shared" / "papers"
WITH_VALUES = [
    pytest.param(name, item, id=f"{name}, {item.name}")
    for name, paper in all_papers().items()
    for item in paper.exhibits
    if item.rows
]
# How many pairs of each category the paper has, by the columns of table 1.
REASONING, TOOL, REPORT = slice(0, 3), slice(4, 7), slice(8, 12)


def values(paper: str, name: str) -> dict[str, tuple[float | None, ...]]:
    return paper_of(paper).exhibit(name).rows


@pytest.mark.parametrize(("paper", "item"), WITH_VALUES)
def test_printed_values_stand_in_the_paper(paper: str, item: Exhibit) -> None:
    path = TEXTS / f"{paper}.txt"
    if not path.is_file():
        pytest.skip("the papers are not here")
    text = path.read_text("utf-8")
    # Scans lose decimal points and commas, so digits are compared; zeros at the ends are not always printed.
    digits = {
        number.replace(".", "").replace(",", "").strip("0") for number in re.findall(r"[\d.,]*\d", text)
    }
    for row, cells in item.rows.items():
        for value in cells:
            if value is None:
                continue
            known = repr(value).replace(".", "").strip("0")
            # A mark of the scan may follow the number.
            assert any(found.startswith(known) for found in digits), f"{row}: {value}"


def test_overall_accuracies_are_means_over_the_pairs_of_table_6() -> None:
    pairs = {name: row[0] for name, row in values("reflect", "table 6").items()}
    counts: dict[tuple[str, str], float] = {}
    for operator in all_operators().values():
        if operator.name in pairs:
            key = (operator.module, operator.category)
            counts[key] = counts.get(key, 0) + (pairs[operator.name] or 0)
    order = {
        "reasoning": ["analysis", "structure", "faithfulness"],
        "tool": ["structure", "faithfulness", "groundedness"],
        "output": ["relevance", "faithfulness", "expression", "synthesis"],
    }
    assert sum(counts.values()) == 472
    places = {"reasoning": (REASONING, 3), "tool": (TOOL, 7), "output": (REPORT, 12)}
    for judge, row in values("reflect", "table 1").items():
        for module, (cells, overall) in places.items():
            weights = [counts[module, category] for category in order[module]]
            mean = sum(w * (v or 0) for w, v in zip(weights, row[cells], strict=True)) / sum(weights)
            # Every printed value is rounded to a tenth.
            assert row[overall] == pytest.approx(mean, abs=0.151), (judge, module)


def test_averages_of_two_benchmarks() -> None:
    table = paper_of("cot-judges").exhibit("table 1")
    first, second = (values("cot-judges", name) for name in table.mean_of)
    other = {(item.row, item.column): item.recomputed for item in table.printed_otherwise}
    differing = set()
    for row, cells in table.rows.items():
        for at, (column, value) in enumerate(zip(table.columns, cells, strict=True)):
            a, b = first[row][at], second[row][at]
            if value is None:
                # Not tried, or one that the scan of the paper lost.
                assert a is None or (row, column) == ("Bullet-Point", "Qwen2.5-72B ρ")
                continue
            assert a is not None
            assert b is not None
            mean = (a + b) / 2
            if abs(value - mean) > 0.00101:
                differing.add((row, column))
                assert other[row, column] == pytest.approx(mean, abs=0.00051)
    assert differing == set(other)


@pytest.mark.parametrize("name", ["table 1", "table 2"])
def test_final_scores_are_means_of_ten_dimensions(name: str) -> None:
    for system, (final, *scores) in values("finresearchbench", name).items():
        assert len(scores) == 10
        assert final == pytest.approx(math.fsum(value or 0 for value in scores) / 10, abs=0.0151), system


def test_binary_macro_f1_is_about_twenty_points_higher() -> None:
    rows = values("researchrubrics", "table 4").values()
    gains = [row[at] - row[at + 3] for row in rows for at in range(3)]  # type: ignore[operator]
    assert 0.16 < sum(gains) / len(gains) < 0.21


def test_a_count_is_that_of_the_benchmark(planted: Benchmark) -> None:
    made = making.from_counts("reflect", paper_of("reflect").exhibit("table 6"), planted)
    assert made.rows["expression_quality"][0].value == len(planted.filter(types="expression_quality"))
    assert made.rows["shallow_reflection"][0].value == 0
    assert made.rows["all"][0].value == len(planted)


@pytest.fixture(scope="module")
def planted() -> Benchmark:
    return Benchmark.build([REPOSITORY / "examples/heat-pumps"], types="outcome", per_type=2)


def run(item: Exhibit, benchmark: Benchmark, *judges: str) -> making.MadeTable:
    return asyncio.run(
        making.from_benchmark(
            "reflect", item, benchmark, judges, per_type=1, rubric=(), settings=RunSettings(progress=False)
        )
    )


def test_a_made_table_has_the_values_of_the_run(planted: Benchmark) -> None:
    made = run(paper_of("reflect").exhibit("table 1"), planted, "rules")
    direct = planted.filter(per_type=1).run("rules", baselines=False)
    (row,) = made.rows.values()
    overall = dict(zip(made.columns, row, strict=True))["Report OV"]
    (accuracy,) = direct.accuracy.values()
    assert overall.value == pytest.approx(100 * float(accuracy))
    assert overall.n == accuracy.n
    # Nothing was planted in a trajectory.
    assert dict(zip(made.columns, row, strict=True))["Tool OV"].value is None


def test_conditions_stand_in_their_columns(planted: Benchmark) -> None:
    item = paper_of("reflect").exhibit("table 2")
    made = run(item, planted, "direct@scripted/random")
    (row,) = made.rows.values()
    cells = dict(zip(made.columns, row, strict=True))
    alone = planted.filter(per_type=1).run(
        "direct@scripted/random", granularity="fine", rubric="none", baselines=False
    )
    (accuracy,) = alone.accuracy.values()
    assert cells["Report none fine"].value == pytest.approx(100 * float(accuracy))
    assert cells["Process none fine"].value is None


def test_a_benchmark_without_attacks_makes_no_table_of_attacks(planted: Benchmark) -> None:
    with pytest.raises(InputError, match="nothing that figure 5 measures"):
        run(paper_of("reportlogic").exhibit("figure 5"), planted, "rules")


def test_a_rehearsal_takes_the_calls_of_the_run(planted: Benchmark) -> None:
    item = paper_of("reflect").exhibit("table 2")
    assert isinstance(item.make, FromBenchmark)
    judges = ["direct@scripted/random", "rules"]
    model, rules = asyncio.run(rehearse(item.make, planted, judges, per_type=1, rubric=()))
    result = planted.filter(per_type=1).run(
        "direct@scripted/random",
        granularity=["holistic", "fine"],
        rubric=["usual", "none"],
        baselines=False,
    )
    assert model.calls == sum(found.spent.usage.calls for found in result.asked) > 0
    assert (rules.calls, rules.cost_usd) == (0, 0.0)


def test_agreement_by_domain_counts_abstentions_as_wrong() -> None:
    judgments = [
        pair("a | b", "A", orders=("A", "A")),
        pair("c | d", "B", orders=("B", "B")),
        pair("e | f", "A", orders=("A", "A")),
    ]
    labels = [
        prefers("a | b", "A>B", task="1", strata={"domain": "law"}),
        prefers("c | d", "A>B", task="2", strata={"domain": "law"}),
        prefers("e | f", "A>B", task="3", strata={"domain": "art"}),
    ]
    item = paper_of("reportlogic").exhibit("table 1")
    made = making.from_agreement("reportlogic", item, judgments, labels)
    assert made.columns == ("law", "art")
    assert [cell.value for cell in made.rows["d@m"]] == [50.0, 100.0]


def test_agreement_of_people_is_fleiss_kappa() -> None:
    said = {"a | b": "AAB", "c | d": "BBB", "e | f": "AAA", "g | h": "ABB"}
    labels = [
        prefers(subject, "A>B" if letter == "A" else "A<B", rater=str(at), task=subject)
        for subject, letters in said.items()
        for at, letter in enumerate(letters)
    ]
    judgments = [pair(subject, "A", orders=("A", "A")) for subject in said]
    item = paper_of("reportlogic").exhibit("table 2")
    made = making.from_people("reportlogic", item, judgments, labels)
    statsmodels = pytest.importorskip("statsmodels.stats.inter_rater")
    table = [[letters.count("A"), letters.count("B")] for letters in said.values()]
    kappa, agreement = made.rows["your labels"]
    assert kappa.value == pytest.approx(statsmodels.fleiss_kappa(table))
    assert agreement.value == pytest.approx(100 * (1 / 3 + 1 + 1 + 1 / 3) / 4)


def test_stability_is_the_mean_of_correlations_and_the_variance() -> None:
    import numpy as np

    trials = {"a": (1.0, 2.0), "b": (2.0, 2.0), "c": (4.0, 3.0), "d": (4.0, 5.0)}
    truth = {"a": 1.0, "b": 3.0, "c": 3.0, "d": 5.0}
    judgments = [scored(name, overall=value) for name, those in trials.items() for value in those]
    labels = [rates(name, value, task=name) for name, value in truth.items()]
    made = making.from_stability("cot-judges", paper_of("cot-judges").exhibit("table 4"), judgments, labels)
    (row,) = made.rows.values()
    per_run = [
        np.corrcoef([trials[name][at] for name in trials], list(truth.values()))[0, 1] for at in range(2)
    ]
    assert row[0].value == pytest.approx(np.mean(per_run))
    assert row[1].value == pytest.approx(np.mean([np.var(those, ddof=1) for those in trials.values()]))


def test_unknown_names_are_refused_with_what_there_is() -> None:
    with pytest.raises(UsageError, match="reflect"):
        paper_of("reflct")
    with pytest.raises(UsageError, match="table 2"):
        paper_of("reflect").exhibit("table 22")
