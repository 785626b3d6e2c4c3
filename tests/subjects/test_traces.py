"""Traces that the libraries themselves wrote (`tests/make_traces.py`): each says the same run; cut in half, each says so."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.subjects.loaders.registry import find_loader
from assay.subjects.reading import read_subjects, read_trajectory
from assay.subjects.trajectory import Trajectory
from make_traces import ANSWER, PAGE, QUESTION

TRACES = Path(__file__).parents[1] / "data" / "traces"
FILES = sorted(
    path for path in TRACES.iterdir() if path.suffix in (".json", ".jsonl") and path.stem != "versions"
)
TRACERS = ("otlp", "openai-agents", "langsmith", "langfuse", "smolagents", "claude-code")

# A session as Claude Code keeps it, and what it prints with --output-format stream-json.
SESSION = [
    {"type": "summary", "summary": "Heat pumps", "leafUuid": "u9"},
    {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s1", "message": {"role": "user", "content": QUESTION}},
    {"type": "assistant", "uuid": "u2", "parentUuid": "u1", "sessionId": "s1", "message": {"role": "assistant", "model": "m", "content": [
        {"type": "thinking", "thinking": "I look for the statistics first."},
        {"type": "tool_use", "id": "t1", "name": "search", "input": {"query": "heat pumps Norway 2023"}}]}},
    {"type": "assistant", "uuid": "u3", "parentUuid": "u2", "sessionId": "s1", "isSidechain": True, "message": {"role": "assistant", "content": "Another agent."}},
    {"type": "user", "uuid": "u4", "parentUuid": "u2", "sessionId": "s1", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": PAGE}]}},
    {"type": "assistant", "uuid": "u5", "parentUuid": "u4", "sessionId": "s1", "message": {"role": "assistant", "model": "m", "content": [{"type": "text", "text": ANSWER}]}},
]  # fmt: skip
STREAM = [
    {"type": "system", "subtype": "init", "session_id": "s1", "model": "m", "tools": ["search"]},
    *({**row, "session_id": "s1"} for row in SESSION[1:] if "isSidechain" not in row),
    {"type": "result", "subtype": "success", "session_id": "s1", "is_error": False, "result": ANSWER},
]
LANGFUSE = {
    "id": "t1", "name": "research", "input": {"question": QUESTION}, "output": ANSWER, "timestamp": "2026-01-01T00:00:00Z",
    "observations": [
        {"id": "o1", "type": "GENERATION", "name": "plan", "startTime": "2026-01-01T00:00:01Z", "endTime": "2026-01-01T00:00:02Z", "model": "m",
         "input": [{"role": "user", "content": QUESTION}], "output": {"role": "assistant", "content": "I look for the statistics first."}},
        {"id": "o2", "type": "TOOL", "name": "search", "startTime": "2026-01-01T00:00:03Z", "endTime": "2026-01-01T00:00:04Z",
         "input": {"query": "heat pumps Norway 2023"}, "output": PAGE, "parentObservationId": "o3"},
        {"id": "o3", "type": "SPAN", "name": "tools", "startTime": "2026-01-01T00:00:02Z", "endTime": "2026-01-01T00:00:04Z"},
        {"id": "o4", "type": "GENERATION", "name": "write", "startTime": "2026-01-01T00:00:05Z", "endTime": "2026-01-01T00:00:06Z", "output": ANSWER},
    ],
}  # fmt: skip


def genai_span(number, operation, **attributes):
    """A span of OTLP JSON with the attributes of the GenAI conventions."""
    return {
        "traceId": "ab" * 16, "spanId": f"{number:016x}", "parentSpanId": f"{1:016x}" if number > 1 else "",
        "name": operation, "startTimeUnixNano": str(number * 10), "endTimeUnixNano": str(1000 if number == 1 else number * 10 + 5),
        "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": operation}}]
        + [{"key": key.replace("__", "."), "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}} for key, value in attributes.items()],
    }  # fmt: skip


def genai():
    user = {"role": "user", "parts": [{"type": "text", "content": QUESTION}]}
    call = {
        "type": "tool_call",
        "id": "c1",
        "name": "search",
        "arguments": {"query": "heat pumps Norway 2023"},
    }
    said = {
        "role": "assistant",
        "parts": [{"type": "text", "content": "I look for the statistics first."}, call],
    }
    seen = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": PAGE}]}
    last = {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}
    return [
        genai_span(1, "invoke_agent", gen_ai__agent__name="Researcher"),
        genai_span(2, "chat", gen_ai__input__messages=[user], gen_ai__output__messages=[said]),
        # No span for the tool: its result stands only in what the model was given next.
        genai_span(3, "chat", gen_ai__input__messages=[user, said, seen], gen_ai__output__messages=[last]),
    ]


def export(spans):
    service = [{"key": "service.name", "value": {"stringValue": "researcher"}}]
    return {"resourceSpans": [{"resource": {"attributes": service}, "scopeSpans": [{"spans": spans}]}]}


def says_the_run(run):
    assert isinstance(run, Trajectory), run
    assert run.query == QUESTION
    assert run.answer == ANSWER
    (step,) = [step for step in run.steps if step.tool_calls]
    (call,) = step.tool_calls
    assert (call.name, call.arguments, call.response) == ("search", {"query": "heat pumps Norway 2023"}, PAGE)
    assert "I look for the statistics first." in run.source
    assert run.source.count(ANSWER) == 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_library_says_the_same_run(path):
    says_the_run(read_trajectory(path))


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("claude-code.jsonl", SESSION),
        ("claude-stream.jsonl", STREAM),
        ("langfuse.json", [LANGFUSE]),
        ("langfuse-observations.json", [[{**item, "traceId": "t1", "parentObservationId": None} for item in LANGFUSE["observations"]]]),
        ("genai.json", [export(genai())]),
        ("genai-lines.jsonl", [export([span]) for span in reversed(genai())]),
    ],
)  # fmt: skip
def test_formats_whose_samples_are_written_by_their_documents(tmp_path, name, rows):
    place = tmp_path / name
    place.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    says_the_run(read_trajectory(place))


def test_two_traces_in_one_file_are_two_runs(tmp_path):
    other = [{**span, "traceId": "cd" * 16} for span in genai()]
    place = tmp_path / "two.json"
    place.write_text(json.dumps(export([*genai(), *other])), "utf-8")
    runs = list(read_subjects(place))
    assert [run.id for run in runs] == ["ab" * 16, "cd" * 16]
    assert {run.system for run in runs} == {"researcher"}
    for run in runs:
        says_the_run(run)


def test_a_failed_tool_and_a_crash_are_told(tmp_path):
    spans = genai()[:2]
    tool = genai_span(4, "execute_tool", gen_ai__tool__name="search", gen_ai__tool__call__id="c1")
    tool["status"] = {"code": 2, "message": "timed out"}
    spans[0]["status"] = {"code": "STATUS_CODE_ERROR", "message": "the budget is spent"}
    place = tmp_path / "crash.json"
    place.write_text(json.dumps(export([*spans, tool])), "utf-8")
    run = read_trajectory(place)
    assert run.tool_calls[0].response == "Error: timed out"
    assert (run.ending.kind, run.ending.detail) == ("crashed", "the budget is spent")


def test_a_trace_without_contents_says_how_to_record_them(tmp_path):
    place = tmp_path / "empty.json"
    place.write_text(json.dumps(export([genai_span(1, "invoke_agent"), genai_span(2, "chat")])), "utf-8")
    (error,) = read_subjects(place)
    assert isinstance(error, InputError)
    assert "no model says anything" in error.problem
    assert "record the contents" in error.hint


def test_agents_keep_their_names_where_there_are_several(tmp_path):
    spans = genai()
    helper = genai_span(5, "invoke_agent", gen_ai__agent__name="Writer")
    spans[2]["parentSpanId"] = helper["spanId"]
    place = tmp_path / "team.json"
    # The writer speaks and goes on, so that what it says is a step.
    more = genai_span(
        6,
        "chat",
        gen_ai__output__messages=[{"role": "assistant", "parts": [{"type": "text", "content": "Done."}]}],
    )
    place.write_text(json.dumps(export([*spans, helper, more])), "utf-8")
    assert [step.agent for step in read_trajectory(place).steps] == ["Researcher", "Writer"]


@pytest.mark.parametrize("path", [path for path in FILES if path.name not in ("autogen.json", "langgraph-state.json", "openai-agents-items.json")], ids=lambda path: path.name)  # fmt: skip
@pytest.mark.parametrize("share", [0.5, 0.93])
def test_a_trace_cut_in_half_is_told(tmp_path, path, share):
    data = path.read_bytes()
    place = tmp_path / path.name
    place.write_bytes(data[: int(len(data) * share)])
    found = list(read_subjects(place))
    errors = [item for item in found if isinstance(item, InputError)]
    assert errors
    assert all(
        "cut off or damaged" in error.problem or "no model says anything" in error.problem for error in errors
    )


@given(st.randoms(use_true_random=False), st.sampled_from([*FILES]))
@settings(max_examples=120, deadline=None)
def test_damaged_values_never_raise_anything_but_input_errors(tmp_path_factory, chance: random.Random, path):
    text = path.read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]
    junk = [None, True, -1, 1e300, "", "x", [], {}, [[]], {"a": None}, ["user", 3], {"messages": 3}]

    def spoiled(value, depth=0):
        if chance.random() < 0.04 and depth:
            return chance.choice(junk)
        if isinstance(value, dict):
            return {key: spoiled(item, depth + 1) for key, item in value.items()}
        return [spoiled(item, depth + 1) for item in value] if isinstance(value, list) else value

    place = tmp_path_factory.mktemp("spoiled") / path.name
    place.write_text("\n".join(json.dumps(spoiled(row)) for row in rows), "utf-8")
    for loader in (None, *(find_loader(name) for name in TRACERS)):
        for item in read_subjects(place, format=loader):
            assert isinstance(item, Trajectory | InputError) or hasattr(item, "words")
