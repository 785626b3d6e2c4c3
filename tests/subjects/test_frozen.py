"""Reports and trajectories cannot be changed, only copied with changes; they survive a round trip."""

from __future__ import annotations

import pickle
from pathlib import Path

import msgspec
import pytest

from assay import Case, Criterion, InputError, Judgment, Report, Trajectory, UsageError
from assay.subjects.trajectory import RawCall, RawStep

TEXT = "# Heat\n\nSales rose 4% in 2023 [1].\n\n## References\n\n[1] IEA. https://iea.org\n"


def trajectory() -> Trajectory:
    steps = [RawStep("Look.", [RawCall("search", {"q": "heat pumps"}, "<b>4%</b>")], "planner")]
    return Trajectory("How many?", steps, answer="4 %.", tools=["search"], id="r1", system="A", path="a.json")


@pytest.mark.parametrize("subject", [Report(TEXT), trajectory()])
def test_setting_an_attribute_says_what_to_do(subject: Report | Trajectory) -> None:
    with pytest.raises(AttributeError, match=r"frozen; \.replace\(query=…\)"):
        subject.query = "another"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del subject.query
    assert subject.meta == {}
    with pytest.raises(TypeError, match="frozen"):
        subject.meta["a"] = 1  # type: ignore[index]
    with pytest.raises(UsageError, match="did you mean 'query'"):
        subject.replace(querry="x")


def test_a_copy_keeps_what_was_read_off_the_text_and_only_that() -> None:
    report = Report(TEXT, id="a", meta={"day": 3})
    words, citations = report.words, report.citations
    report.memo["rule"] = "depends on the query"
    copy = report.replace(query="How many?")
    assert (copy.query, copy.id, dict(copy.meta), report.query) == ("How many?", "a", {"day": 3}, None)
    assert copy.citations is citations
    assert "rule" not in copy.memo
    longer = report.replace(source=TEXT + "\nMore words here.\n")
    assert longer.words > words


def test_round_trips() -> None:
    report = Report(TEXT, query="Q", id="7", system="A", path="a.md", markdown=False, meta={"n": 1})
    again = Report.from_dict(msgspec.json.decode(msgspec.json.encode(report.to_dict())))
    assert again.to_dict() == report.to_dict()
    run = trajectory()
    assert Trajectory.from_dict(run.to_dict()).to_dict() == run.to_dict()
    assert Trajectory.from_dict(run.to_dict()).source == run.source
    assert pickle.loads(pickle.dumps(report)).words == report.words
    assert pickle.loads(pickle.dumps(run)).source == run.source
    with pytest.raises(InputError, match="not a report"):
        Report.from_dict({"text": "x"})
    with pytest.raises(InputError, match="steps"):
        Trajectory.from_dict({"schema": "assay.trajectory/1", "query": "q"})


def test_a_trajectory_is_rendered_anew_when_its_query_changes() -> None:
    run = trajectory().replace(query="How many are there?")
    assert run.text(run.query_span) == "How many are there?"
    assert run.text(run.steps[0].tool_calls[0].response_span) == "<b>4%</b>"
    assert run.steps[0].agent == "planner"


def test_ids_are_text_and_sources_too() -> None:
    assert Report("x", id=3).id == "3"  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"its text, not PosixPath.*Report\.read"):
        Report(Path("a.md"))  # type: ignore[arg-type]


def test_what_a_notebook_shows() -> None:
    report = Report("<script>x</script>" + "word " * 500, id="a<b")
    assert repr(report) == "<Report: a<b, 2,518 characters>"
    shown = report._repr_html_()
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert "a&lt;b" in shown
    assert len(shown) < 1000
    assert "4 %." in trajectory()._repr_html_()
    assert repr(trajectory()) == "<Trajectory: r1, 1 step>"


def test_nothing_inside_can_be_changed_either() -> None:
    arguments = {"query": "heat", "sites": ["a", {"b": [1]}]}
    run = Trajectory("q", [RawStep("think", [RawCall("search", arguments)])], meta={"tags": ["x", ["y"]]})
    report = Report("text", meta={"more": {"tags": ["x"]}})
    case = Case(report, metadata={"rows": [{"a": 1}]})
    criterion = Criterion(key="a", asks="Is it?", notes={"tags": ["x"]})
    judgment = Judgment("s", "j", metadata={"tags": ["x"]})
    call = run.tool_calls[0]
    assert call.arguments == arguments
    places = [
        call.arguments["sites"],
        call.arguments["sites"][1]["b"],
        run.meta["tags"][1],
        report.meta["more"]["tags"],
    ]
    for held in (*places, case.metadata["rows"], criterion.notes["tags"], judgment.metadata["tags"]):
        with pytest.raises(TypeError, match="frozen"):
            held.append(1)
        with pytest.raises(TypeError, match="frozen"):
            held[0] = 1
    with pytest.raises(TypeError, match="frozen"):
        case.metadata["rows"][0]["a"] = 2
    arguments["sites"].append("later")
    assert call.arguments["sites"] == ["a", {"b": [1]}]
    assert hash(run.meta) == hash(pickle.loads(pickle.dumps(run.meta)))
    report.to_dict()["meta"]["more"]["tags"].append("y")
