"""Wrong arguments of public functions: an error of Assay in a sentence or two, no hanging, no new file."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.types import RawStep

REPORT = assay.Report("Heat pumps spread in 2024.")
CASE = assay.Case(REPORT, REPORT)
LENGTH = assay.Judge("length")
RANDOM = "direct@scripted/random"
WRONG: dict[str, Any] = {
    "none": None,
    "number": 3,
    "texts": ["x"],
    "no-file": "no.md",
    "lines": "Heat pumps spread.\nVery.",
    "mapping": {"a": 1},
    "class": assay.Report,
    "nan": float("nan"),
    "bytes": b"abc",
    "surrogate": "\ud800",
    "nul": "a\0b",
    "judge": LENGTH,
    "empty-folder": "empty",
}
CALLS: dict[str, Callable[[Any], Any]] = {
    "audit": assay.audit,
    "audit_many": assay.audit_many,
    "checks": lambda given: assay.audit(REPORT, checks=given),
    "read": assay.read,
    "round_robin": assay.round_robin,
    "Report.read": assay.Report.read,
    "Report.from_dict": assay.Report.from_dict,
    "Report.query": lambda given: assay.Report("x", query=given),
    "Report.meta": lambda given: assay.Report("x", meta=given),
    "Trajectory.steps": lambda given: assay.Trajectory("q", given),
    "Case": assay.Case,
    "Case.metadata": lambda given: assay.Case(REPORT, metadata=given),
    "Case.query": lambda given: assay.Case(REPORT, query=given),
    "Judge": assay.Judge,
    "Judge.model": lambda given: assay.Judge(model=given),
    "Judge.rubric": lambda given: assay.Judge(RANDOM, rubric=given),
    "Judge.strategy": lambda given: assay.Judge(strategy=given, model="scripted/random"),
    "Judge.settings": lambda given: assay.Judge(RANDOM, settings=given),
    "Judge.model_settings": lambda given: assay.Judge(RANDOM, model_settings=given),
    "Judge.repetitions": lambda given: assay.Judge(RANDOM, repetitions=given),
    "score": LENGTH.score,
    "compare": lambda given: LENGTH.compare(REPORT, given),
    "rank": LENGTH.rank,
    "run.cases": lambda given: assay.run(given, "length"),
    "run.judges": lambda given: assay.run([CASE], given),
    "run.settings": lambda given: assay.run([CASE], "length", settings=given),
    "run.budget": lambda given: assay.run([CASE], "length", budget=given),
    "run.progress": lambda given: assay.run([CASE], "length", progress=given),
    "run.max_concurrency": lambda given: assay.run([CASE], "length", max_concurrency=given),
    "load_rubric": assay.load_rubric,
    "build_graph": assay.build_graph,
    "Benchmark.build": assay.Benchmark.build,
    "Benchmark.load": assay.Benchmark.load,
    "read_labels": assay.read_labels,
    "agree": lambda given: assay.agree(given, given),
    "leaderboard": assay.leaderboard,
    "subjects": lambda given: assay.leaderboard([], subjects=given),
    "stability": assay.stability,
    "Judgments.load": assay.Judgments.load,
    "loader": assay.loader,
    "strategy": assay.strategy,
}
# What is not wrong there.
FINE = {
    *((call, "none") for call in ("checks", "Report.query", "Report.meta", "Case.metadata", "Case.query")),
    *(
        (call, "none")
        for call in ("Judge.rubric", "Judge.settings", "Judge.strategy", "Judge.model_settings")
    ),
    *((f"run.{name}", "none") for name in ("settings", "budget", "progress", "max_concurrency")),
    *((call, "none") for call in ("loader", "strategy")),
    *(("loader", kind) for kind in ("class",)),
    *(("Judge.repetitions", kind) for kind in ("number",)),
    *(("run.budget", kind) for kind in ("number",)),
    *(("run.max_concurrency", kind) for kind in ("number",)),
    *((f"{owner}.{field}", "mapping") for owner, field in (("Report", "meta"), ("Case", "metadata"))),
    *(
        (call, kind)
        for call in ("Report.query", "Case.query")
        for kind in ("no-file", "lines", "surrogate", "nul")
    ),
    *((call, "empty-folder") for call in ("Report.query", "Case.query")),
    ("Judge.rubric", "judge"),
    ("run.judges", "judge"),
    ("run.progress", "class"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_argument_is_refused_in_words(folder: Path, call: str) -> None:
    for kind in [kind for kind in WRONG if (call, kind) not in FINE]:
        start = time.monotonic()
        # A plainly wrong type may be a TypeError of Python's own.
        with pytest.raises((assay.AssayError, TypeError)) as caught:
            CALLS[call](WRONG[kind])
        message = str(caught.value)
        assert message, kind
        assert len(message) < 600, kind
        assert time.monotonic() - start < 10, kind
        assert [path.name for path in folder.iterdir()] == ["empty"], kind


@pytest.mark.parametrize(
    "function",
    [
        lambda _request: None,
        lambda _request: 3,
        lambda _request: {"verdict": 1},
        lambda: "no parameter",
        lambda _request: 1 / 0,
    ],
)
def test_a_model_function_that_misbehaves_makes_a_failed_judgment(function: Any) -> None:
    judgment = assay.Judge(model=function, rubric="overall", retries=0).score(REPORT)
    assert judgment.status == "failed"
    assert judgment.problem
    with pytest.raises(assay.ModelError):
        assay.run([REPORT], assay.Judge(model=function, rubric="overall", retries=0), on_error="raise")


@pytest.mark.parametrize("result", [float("nan"), float("inf"), "great", [1, 2], object(), {"a": "b"}])
def test_a_judge_function_that_returns_nonsense_makes_a_failed_judgment(result: Any) -> None:
    (judgment,) = assay.run([REPORT], lambda _report: result)
    assert (judgment.status, judgment.scores) == ("failed", None)
    assert judgment.problem


def test_other_misuse_says_what_to_do() -> None:
    with pytest.raises(assay.UsageError, match="parameter"):
        assay.run([REPORT], lambda a, b, c: 1.0)
    with pytest.raises(assay.UsageError, match="not Case"):
        assay.Case(CASE)  # type: ignore[arg-type]
    with pytest.raises(assay.UsageError, match="not the class Report"):
        assay.Judge(assay.Report)  # type: ignore[arg-type]
    with pytest.raises(assay.UsageError, match="RawStep"):
        assay.Trajectory("q", ["Think."])  # type: ignore[list-item]
    assert assay.Trajectory("q", [RawStep("Think.")]).steps[0].reasoning == "Think."
    frame = pytest.importorskip("pandas").DataFrame({"x": [1]})
    for call in (assay.agree, assay.leaderboard, assay.stability):
        with pytest.raises((assay.AssayError, TypeError)):
            call(frame, frame) if call is assay.agree else call(frame)
