"""Benchmarks from Python: built, kept, filtered and run, with judges and failures of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.errors import InputError, UsageError
from assay.judges.default_rubrics import rubric_for_planted

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SOURCES = [EXAMPLES / "heat-pumps", EXAMPLES / "shanghai-reuse"]


@pytest.fixture(scope="module")
def benchmark() -> assay.Benchmark:
    return assay.Benchmark.build(SOURCES, types="outcome", per_type=3)


def cites(report) -> float:
    return len(report.citations) / max(1, report.words)


def test_a_function_is_evaluated_beside_the_rules(benchmark) -> None:
    result = benchmark.run([cites, "rules"])
    assert list(result.accuracy) == ["cites", "rules", "length", "random"]
    columns = result.to_columns("type")
    assert set(columns["judge"]) == set(result.accuracy)
    assert set(columns["type"]) == {item.type for item in benchmark}
    assert result.coverage["cites"] == 1.0
    assert len(result.to_columns(None)["instance"]) == 4 * len(benchmark)


def test_functions_may_compare_wait_abstain_and_fail(benchmark) -> None:
    few = benchmark.filter(per_type=1)

    async def longer(a, b):
        return float(a.words - b.words) / max(a.words, b.words)

    def first(a, b):
        return "A>B"

    def broken(report):
        raise RuntimeError("out of order")

    def silent(report):
        return None

    result = few.run([longer, first, broken, silent], interface="pairwise", baselines=False)
    trials = dict(zip(result.names, result.trials, strict=True))
    # Shown in both orders, a judge that always names the first one is not consistent, so it ties.
    assert {item.said for item in trials["first"]} == {"tie"}
    assert result.coverage == {"longer": 1.0, "first": 1.0, "broken": 0.0, "silent": 0.0}
    assert {item.status for item in trials["broken"]} == {"failed"}
    assert "RuntimeError: out of order" in trials["broken"][0].problem
    with pytest.raises(UsageError, match="pairwise"):
        few.run(first)
    with pytest.raises(UsageError, match="takes 3"):
        few.run(lambda a, b, c: 1)
    ranked = few.run([longer, cites], interface="ranking", baselines=False)
    assert all(item.best is not None for own in ranked.trials for item in own)


def test_a_model_is_evaluated_without_a_folder_or_a_ledger(benchmark, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    seen = []
    result = benchmark.filter(per_type=1).run(
        "mine=direct@scripted/random", rubric=["usual", "none"], on_trial=lambda _, trial: seen.append(trial)
    )
    assert len(result.asked) == 2
    assert all(name.startswith("mine · ") for name in result.names[:2])
    assert {item.condition.judge for item in result.asked} == {"direct@scripted/random"}
    assert [item.axis for item in result.contrasts[:1]] == ["rubric"]
    assert len(seen) == sum(map(len, result.trials))
    assert not list(tmp_path.iterdir())


def test_runs_work_inside_a_running_loop(benchmark) -> None:
    import asyncio

    async def notebook():
        few = benchmark.filter(per_type=1)
        return few.run(cites, baselines=False), await few.arun(cites, baselines=False)

    one, two = asyncio.run(notebook())
    assert one.detections == two.detections


@assay.perturbation(level="outcome", category="faithfulness")
def wrong_digit(report, random):
    """A figure is not the one that the source gives."""
    for at, char in enumerate(report.source):
        if char.isdigit() and report.source[at - 1 : at] not in "[(":
            yield at, at + 1, str((int(char) + 1) % 10)


def test_a_failure_of_ones_own_is_planted_and_judged() -> None:
    built = assay.Benchmark.build(SOURCES, types=["expression_quality", wrong_digit], per_type=2)
    own = built.filter(types=wrong_digit)
    assert len(own) == 2
    for item in own:
        reference, revised = item.reference["report"], item.perturbed["report"]
        assert sum(a != b for a, b in zip(reference, revised, strict=True)) == 1
    assert own.filter(types="wrong_digit") == own
    assert list(own.run("rules", baselines=False).by_type["rules"]) == ["wrong_digit"]


def test_a_perturbation_that_fails_is_named() -> None:
    @assay.perturbation()
    def broken(report, random):
        return [1 / 0]

    @assay.perturbation(name="odd")
    def strange(report, random):
        return ["text"]

    for operator in (broken, strange):
        with pytest.raises(UsageError, match=f"perturbation '{operator.name}' failed on"):
            assay.Benchmark.build(SOURCES, types=operator)


def test_a_benchmark_is_kept_and_filtered(benchmark, tmp_path) -> None:
    benchmark.save(tmp_path / "b")
    again = assay.Benchmark.load(tmp_path / "b")
    assert again == benchmark
    assert again.manifest == benchmark.manifest
    assert {item.type for item in again.filter(types="expression_quality,citation_groundedness")} == {
        "expression_quality",
        "citation_groundedness",
    }
    assert len(again.filter(per_type=1)) == len({item.type for item in again})
    one = again.filter(ids=[again[2].id, again[0].id])
    assert [item.id for item in one] == [again[2].id, again[0].id]
    assert again.filter(language="en", types="citation_groundedness") != again
    with pytest.raises(UsageError, match="no instance 'x'"):
        again.filter(ids=["x"])
    with pytest.raises(InputError, match="no instance has one of these types: length"):
        again.filter(types="length")
    assert [item.detector for item in again.artefacts()] == ["longer", "shorter", "length", "style"]
    result = again.run("rules", baselines=False)
    assert result.origin.bench == str(tmp_path / "b")
    assert "What it missed" in result.card()


def test_what_cannot_be_built_is_told(tmp_path) -> None:
    (tmp_path / "short.md").write_text("Nothing much.\n", "utf-8")
    with pytest.raises(InputError, match="no instance was built"):
        assay.Benchmark.build(tmp_path / "short.md")
    with pytest.raises(UsageError, match="did you mean 'fabrication'"):
        assay.Benchmark.build(SOURCES, types="fabricatoin")
    with pytest.raises(UsageError, match="a subject is"):
        assay.Benchmark.build([3])


def test_judges_are_objects_ensembles_and_prompts_under_their_own_names(benchmark) -> None:
    few = benchmark.filter(per_type=1)
    mine = assay.Judge("direct@scripted/random", name="mine")
    result = few.run([mine, mine.replace(name="other", rubric="overall"), "rules"], baselines=False)
    assert result.names == ["mine · rubric reportlogic", "other · no rubric", "rules"]
    assert result.asked[0].condition.version
    assert {trial.status for own in result.trials for trial in own} == {"ok"}
    pairs = benchmark.run(
        ["majority(direct@scripted/random full@scripted/random rules)", mine],
        interface="pairwise",
        baselines=False,
    )
    assert pairs.coverage[pairs.names[0]] > 0
    assert pairs.asked[1].orders is not None
    ranked = few.run([mine], interface="ranking", baselines=False)
    assert all(trial.best is not None for trial in ranked.trials[0])
    with pytest.raises(assay.UsageError, match="a run has no setting"):
        few.run("rules", legder="x")


def test_a_judge_that_changed_has_drifted(benchmark) -> None:
    from assay.meta.drift import drift

    earlier = benchmark.run("direct@scripted/random", baselines=False)
    same = drift(earlier, benchmark)
    assert (same.moved, same.drifted, same.n) == ((), False, len(benchmark))
    other = drift(earlier, benchmark, "length")
    assert other.moved
    with pytest.raises(InputError, match="does not have the instances"):
        drift(earlier, assay.Benchmark())


def test_results_are_readable_in_a_notebook(benchmark) -> None:
    result = benchmark.run(["rules", "length", lambda report: len(report.text)])
    assert f"{len(benchmark)} instances, 3 judges: rules detects " in repr(result)
    assert repr(result).endswith(", 1 more>")
    assert f"{len(benchmark)} instances, 1 judge: rules" in repr(benchmark.run("rules", baselines=False))
    assert " points [" in repr(result.contrasts[0])
    assert "(corrected)" in repr(result.contrasts[0])
    page = result._repr_html_()
    for shown in ("95 %", "ties", "coverage", "p, corrected", "planted failures"):
        assert shown in page
    assert "True" not in page
    assert "False" not in page
    both = assay.compare_results(result, benchmark.run("random", baselines=False))
    assert "judges: rules detects " in repr(both)


def test_the_usual_rubric_fits_what_was_planted() -> None:
    built = assay.Benchmark.build(SOURCES, types="expression_quality,authority", per_type=1)
    assert {item.kind for item in built} == {"failure", "manipulation"}
    result = built.run("direct@scripted/random", baselines=False)
    condition = result.detections[0].condition
    assert set(condition.rubrics.split("+")) == {"reflect-report", "reportlogic"}
    assert rubric_for_planted(assay.Trajectory, "failure") == "trajectory"
    assert rubric_for_planted(assay.Report, "targeted") == "reportlogic"
    assert rubric_for_planted(assay.Report, "failure", "fine") == "reflect-report"


@pytest.mark.parametrize("interface", ["pointwise", "pairwise", "ranking"])
def test_reports_are_judged_by_the_rubric_of_the_paper_in_every_interface(benchmark, interface) -> None:
    result = benchmark.filter(per_type=1).run(
        "direct@scripted/random", rubric="reflect-report", interface=interface, baselines=False
    )
    assert result.detections[0].condition.rubrics == "reflect-report"
    assert len(result.trials[0]) > 0


def test_granularity_is_compared_where_nothing_else_differs(benchmark) -> None:
    run = benchmark.filter(per_type=2).run(
        "direct@scripted/random", granularity=["holistic", "fine"], baselines=False
    )
    assert [item.axis for item in run.contrasts] == ["granularity"]


def test_reference_answers_reach_the_strategies_that_need_them(benchmark, tmp_path) -> None:
    few = benchmark.filter(per_type=1)
    with pytest.raises(UsageError, match="nothing was sent"):
        few.run("comparative@scripted/random", baselines=False)
    answers = {item.source: "Forty per cent, says the audit." for item in few[:3]}
    result = few.with_answers(answers).run("comparative@scripted/random", baselines=False)
    given = {item.id for item in few if item.source in {one.source for one in few[:3]}}
    assert {trial.instance for trial in result.trials[0]} == given
    with pytest.raises(UsageError, match="no instance has a reference answer"):
        few.with_answers({"another": "text"})


def test_a_row_carries_its_reference_answer_into_the_benchmark(tmp_path) -> None:
    text = (EXAMPLES / "heat-pumps" / "good.md").read_text("utf-8")
    report = assay.Report(text, query="Do heat pumps pay?", meta={"reference": "Yes, in insulated houses."})
    built = assay.Benchmark.build([report], types="citation_groundedness", per_type=1)
    assert [item.answer for item in built] == ["Yes, in insulated houses."]
