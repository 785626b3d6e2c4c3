"""Each format: our own sample says the same thing in all of them; real files read without a loss."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError, UsageError
from assay.subjects.loaders._zip import ZipFile
from assay.subjects.loaders.registry import all_loaders, find_loader
from assay.subjects.reading import read_subjects, read_trajectory
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

FORMATS = Path(__file__).parents[1] / "data" / "formats"
SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="no shared data beside the checkout")

QUERY = "In which year did the Skarvberg tunnel in northern Norway open, and how long is it?"
TAGGED = ["canonical.json", "chat_tags.jsonl", "tongyi.jsonl", "openai_messages.json", "dr_tulu.txt", "dr_tulu.jsonl",
          "atif.json", "inspect.json"]  # fmt: skip
REACT = ["react.txt", "react.jsonl"]


def only(path: Path) -> Trajectory:
    return read_trajectory(path)


@pytest.mark.parametrize("name", TAGGED)
def test_same_run_in_every_format(name):
    run = only(FORMATS / name)
    assert run.query == QUERY
    assert run.answer is not None
    assert "2021" in run.answer
    assert [step.reasoning[:16] for step in run.steps] == [
        "I should look fo",
        "The first tube i",
        "The page says th",
    ]
    first, second = run.tool_calls
    assert first.argument_text.startswith("Skarvberg tunnel Norway")
    assert "https://example.org/skarvberg" in second.argument_text
    assert "opened in 1968" in first.response
    assert "opened to traffic in 2021" in second.response
    assert run.text(first.response_span) == first.response
    if "tulu" not in name:
        assert (first.name, second.name) == ("search", "visit")
        # A Tongyi row here names no tools; it must not invent any.
        assert run.tools == (None if "tongyi" in name else ("search", "visit"))


@pytest.mark.parametrize("name", REACT)
def test_react(name):
    run = only(FORMATS / name)
    assert run.query == QUERY
    assert run.answer == "2021, 3.5 km"
    assert [(call.name, call.arguments) for call in run.tool_calls] == [
        ("Search", "Skarvberg tunnel"),
        ("Lookup", "opened"),
    ]
    assert [len(step.tool_calls) for step in run.steps] == [1, 1, 0]


def test_a_halted_react_run_that_has_answered_is_not_cut_off(tmp_path):
    steps = "Thought 1: I look for it.\nAction 1: Search[Skarvberg]\nObservation 1: A tunnel of 2021.\n"
    finish = "Thought 2: That is it.\nAction 2: Finish[2021]\n"
    rows = [{"question": QUERY, "transcript": text, "outcome": "halted"} for text in (steps, steps + finish)]
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    cut, ended = read_subjects(path)
    assert (cut.ending.kind, ended.ending.kind) == ("cut_off", "answered")


def test_react_in_langchain_form():
    run = only(FORMATS / "react_langchain.txt")
    assert run.tool_calls[0].name == "search"
    assert run.tool_calls[0].argument_text == "Skarvberg tunnel Norway opening year length"
    assert run.answer is not None
    assert run.answer.startswith("The new")


def test_inspect_eval_has_a_trajectory_for_each_sample():
    runs = list(read_subjects(FORMATS / "inspect.eval"))
    assert [run.id for run in runs] == ["skarvberg", "skarvberg/2"]
    assert runs[0].path.endswith("inspect.eval[skarvberg]")
    assert runs[0].to_dict() == only(FORMATS / "inspect.json").to_dict()
    assert runs[0].meta["task"] == "lookup"


def test_an_inspect_log_compressed_with_zstandard(tmp_path):
    stored, packed = FORMATS / "inspect.eval", tmp_path / "zstd.eval"
    with ZipFile(stored) as old, ZipFile(packed, "w", 93) as new:  # 93 is Zstandard
        for name in old.namelist():
            new.writestr(name, old.read(name))
    assert [run.to_dict() for run in read_subjects(packed)] == [
        run.to_dict() for run in read_subjects(stored)
    ]


def test_an_entry_of_an_inspect_log_is_bounded_and_may_be_damaged(tmp_path):
    path = tmp_path / "big.eval"
    with ZipFile(path, "w", 93) as archive:
        archive.writestr("samples/a.json", b'{"a": "' + b"x" * 2_000_000 + b'"}')
    [error] = read_subjects(path, max_bytes=1_000_000)
    assert "samples/a.json has more than 1000000 bytes" in error.problem
    data = bytearray(path.read_bytes())
    data[60:80] = bytes(20)
    path.write_bytes(data)
    [error] = read_subjects(path)
    assert "damaged" in error.problem


def test_report_rows_in_three_spellings():
    english, chinese, short = read_subjects(FORMATS / "reports.jsonl")
    assert (english.id, english.query) == ("1", QUERY)
    assert chinese.language == "zh"
    assert short.source == "It opened in 2021."
    assert short.path.endswith("reports.jsonl:3")


def test_canonical_round_trip(tmp_path):
    run = only(FORMATS / "chat_tags.jsonl")
    path = tmp_path / "again.json"
    path.write_text(json.dumps(run.to_dict()))
    assert only(path).source == run.source


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"schema": "assay.trajectory/9"}, "assay.trajectory/9"),
        ({"steps": None}, "steps is missing"),
        ({"steps": [3]}, "steps[0] is int"),
        ({"steps": [{"reasoning": "x", "tool_calls": [{"arguments": {}}]}]}, "steps[0].tool_calls[0].name"),
        ({"answer": 5}, "answer is int"),
    ],
)
def test_canonical_is_strict(tmp_path, change, problem):
    data = json.loads((FORMATS / "canonical.json").read_text()) | change
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match=r"bad\.json") as caught:
        only(path)
    assert problem in str(caught.value)


def _chat(*turns: str) -> str:
    messages = [{"role": "user", "content": "How tall is it?"}]
    for i, turn in enumerate(turns):
        messages.append({"role": "user" if i % 2 else "assistant", "content": turn})
    return json.dumps({"messages": messages})


@pytest.mark.parametrize(
    ("turns", "calls", "answer"),
    [
        # Cut off inside a call: what is there stays.
        (
            ('<think>Look.</think>\n<tool_call>\n{"name": "search", "arguments": {"q": "tow',),
            ["search"],
            None,
        ),
        # Two calls in one turn, two responses in one reply.
        (
            (
                '<think>Both.</think><tool_call>{"name":"a","arguments":{"q":"1"}}</tool_call><tool_call>{"name":"b","arguments":{"q":"2"}}</tool_call>',
                "<tool_response>one</tool_response><tool_response>two</tool_response>",
                "<think>Done.</think><answer>5 m</answer>",
            ),
            ["a", "b"],
            "5 m",
        ),
        # Code beside the JSON.
        (
            (
                '<think>Sum.</think><tool_call>{"name":"python","arguments":{}}\n<code>print(1)</code></tool_call>',
            ),
            ["python"],
            None,
        ),
        # A think tag that is never closed.
        (('<think>Look.\n<tool_call>{"name":"s","arguments":{}}</tool_call>',), ["s"], None),
    ],
)
def test_tagged_chat_in_odd_shapes(tmp_path, turns, calls, answer):
    path = tmp_path / "run.jsonl"
    path.write_text(_chat(*turns) + "\n")
    run = only(path)
    assert [call.name for call in run.tool_calls] == calls
    assert run.answer == answer
    assert run.steps[0].reasoning.rstrip(".") in {"Look", "Both", "Sum"}
    if len(calls) == 2:
        assert [call.response for call in run.tool_calls] == ["one", "two"]


def test_anthropic_parts_and_a_follow_up(tmp_path):
    messages = [
        {"role": "user", "content": "How tall is it?"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look."},
                {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "tower"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "content": [{"type": "text", "text": "It is 5 m."}],
                }
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "5 m."}]},
    ]
    path = tmp_path / "run.json"
    path.write_text(json.dumps(messages))
    run = only(path)
    assert run.tool_calls[0].response == "It is 5 m."
    assert run.steps[0].reasoning == "Look."
    assert run.answer == "5 m."


def test_registry():
    names = [loader.name for loader in all_loaders()]
    assert len(names) == len(set(names))
    assert names[-1] == "report-text"
    assert find_loader("ATIF").what
    with pytest.raises(UsageError, match=r"known formats: .*react"):
        find_loader("nope")


@needs_shared
@pytest.mark.parametrize(
    ("name", "count", "calls"), [("webdancer_chatml", 100, 105), ("react_hotpotqa", 103, 288)]
)
def test_real_trajectories(name, count, calls):
    runs = list(read_subjects(SHARED / "trajectories" / f"{name}.jsonl"))
    assert len(runs) == count
    assert all(isinstance(run, Trajectory) and run.query and run.steps for run in runs)
    found = [call for run in runs for call in run.tool_calls]
    assert len(found) == calls
    assert sum(call.response is None for call in found) <= 5
    if name == "webdancer_chatml":
        assert all(run.answer and run.tools == ("search", "visit") for run in runs)
        assert not any("User:" in run.query for run in runs)
        assert all("<think>" not in run.source and "<tool_" not in run.source for run in runs)
    else:
        assert sum(run.answer is not None for run in runs) == 93


@needs_shared
def test_real_reports():
    reports = list(
        read_subjects(
            [SHARED / "deepresearch_bench" / "reports_raw", SHARED / "deepresearch_bench" / "reports"]
        )
    )
    assert len(reports) == 400
    assert all(isinstance(report, Report) and report.query and report.id for report in reports)


def test_a_last_message_of_only_an_answer_loses_its_tags() -> None:
    from assay.subjects.loaders.base import InputContext
    from assay.subjects.loaders.registry import all_loaders

    row = {
        "messages": [
            {"role": "user", "content": "When did it open?"},
            {
                "role": "assistant",
                "content": '<think>Search.</think><tool_call>{"name": "search", "arguments": {"query": "opening"}}</tool_call>',
            },
            {"role": "user", "content": "<tool_response>It opened in 1889.</tool_response>"},
            {"role": "assistant", "content": "<answer>1889</answer>"},
        ]
    }
    loader = next(item for item in all_loaders() if item.takes == "row" and item.sniff(row))
    [trajectory] = list(loader.load(row, InputContext()))
    assert trajectory.answer == "1889"
