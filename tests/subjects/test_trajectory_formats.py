"""The table of trajectory formats in the documentation: each row is read, and becomes what the row says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assay.errors import InputError
from assay.subjects.reading import read_subjects
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.subjects.subject import Subject

_PAGE = Path(__file__).parents[2] / "docs/reference/inputs.md"
_LOGS = Path(__file__).parents[3] / "shared/data/many_systems/trajectories.jsonl"


def _rows() -> list[tuple[str, str, str]]:
    lines = _PAGE.read_text("utf-8").splitlines()
    begin = lines.index("| format | example | becomes |") + 2
    rows = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        name, example, becomes = (cell.strip().strip("`") for cell in line.strip("|").split(" | "))
        rows.append((name, example, becomes))
    return rows


def _read(text: str, folder: Path, suffix: str = ".jsonl") -> Subject | InputError:
    place = folder / f"run{suffix}"
    place.write_text(text, "utf-8")
    (subject,) = read_subjects(place)
    return subject


def _brief(run: Trajectory) -> str:
    steps = []
    for step in run.steps:
        parts = [step.reasoning] if step.reasoning else []
        parts += [
            f"{run.text(call.span)} → {call.response if call.response is not None else '?'}"
            for call in step.tool_calls
        ]
        steps.append((f"{step.agent}: " if step.agent else "") + " ".join(parts))
    ending = "" if run.ending.kind == "answered" else f" ({run.ending.kind})"
    return " · ".join(steps) + (f" ⇒ {run.answer}" if run.answer else "") + ending


@pytest.mark.parametrize(("name", "example", "becomes"), _rows(), ids=lambda value: str(value)[:24])
def test_each_documented_format(name: str, example: str, becomes: str, tmp_path: Path) -> None:
    is_json = example.startswith(("{", "["))
    # A break between objects is one between lines of the file, any other one stands in a text.
    example = example.replace("}⏎{", "}\n{").replace("⏎", "\\n" if is_json else "\n")
    run = _read(example, tmp_path, ".jsonl" if is_json else ".txt")
    assert isinstance(run, Trajectory), name
    assert run.query == "When did it open?"
    assert _brief(run).replace("\n", "⏎").strip() == becomes.strip()


def _message(role: str, text: str, **more: object) -> dict[str, object]:
    return {"role": role, "content": text, **more}


def test_a_row_keeps_its_id_and_its_system(tmp_path: Path) -> None:
    for messages in (
        [_message("human", "When?"), _message("Surfer", "It opened in 2021.")],
        [{"type": "human", "content": "When?"}, {"type": "ai", "content": "In 2021."}],
        [_message("user", "When?"), _message("assistant", "In 2021.")],
    ):
        run = _read(json.dumps({"id": "r-7", "system": "looker", "messages": messages}), tmp_path)
        assert isinstance(run, Trajectory)
        assert (run.id, run.system) == ("r-7", "looker")


def test_a_person_and_an_assistant_with_names_are_an_ordinary_chat(tmp_path: Path) -> None:
    row = [
        _message("user", "When did it open?", name="Bo"),
        _message("assistant", "Which one?", name="looker"),
        _message("user", "The tunnel.", name="Bo"),
        _message("assistant", "In 2021.", name="looker"),
    ]
    run = _read(json.dumps(row), tmp_path)
    assert isinstance(run, Trajectory)
    assert (run.query, run.answer, run.agents) == ("When did it open?", "In 2021.", ("looker",))


def test_code_that_nobody_runs_is_no_call(tmp_path: Path) -> None:
    row = [
        _message("user", "When did it open?", name="Manager"),
        _message("user", "Look:\n```python\nprint(1)\n```", name="Coder"),
        _message("user", "I trust this.", name="Critic"),
        _message("user", "Then run it:\n```python\nprint(2)\n```", name="Coder"),
        _message("user", "exitcode: 1 (execution failed)\nCode output: NameError", name="Terminal"),
    ]
    run = _read(json.dumps({"messages": row}), tmp_path)
    assert isinstance(run, Trajectory)
    assert [call.arguments for call in run.tool_calls] == [{"code": "print(2)"}]
    assert "print(1)" in run.steps[0].reasoning
    assert run.steps[2].agent == "Coder"
    assert run.ending.kind == "open"


def test_an_observation_that_the_agent_writes_itself_is_no_response(tmp_path: Path) -> None:
    row = [
        _message("user", "When did it open?"),
        _message("assistant", "Thought: Look.\nAction: Search[tunnel]\nObservation: It opened in 1999."),
        _message("user", "Observation: It opened in 2021."),
        _message("assistant", "Thought: Done.\nAction: ANSWER; 2021"),
    ]
    run = _read(json.dumps({"messages": row}), tmp_path)
    assert isinstance(run, Trajectory)
    assert [call.response for call in run.tool_calls] == ["Observation: It opened in 2021."]
    assert "1999" in run.steps[0].reasoning + run.steps[1].reasoning
    assert run.answer == "2021"


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"termination": "exceed available llm calls"}, "cut_off"),
        ({"error": "RateLimitError: 429"}, "crashed"),
        ({"stop_reason": "Maximum number of turns 10 reached."}, "cut_off"),
        ({"termination": "answer"}, "answered"),
        ({"stop_reason": "end_turn"}, "answered"),
    ],
)
def test_the_row_says_how_the_run_ended(row: dict[str, str], kind: str, tmp_path: Path) -> None:
    messages = [_message("user", "When?"), _message("assistant", "It opened in 2021.")]
    run = _read(json.dumps({**row, "messages": messages}), tmp_path)
    assert isinstance(run, Trajectory)
    assert run.ending.kind == kind


def test_an_answer_that_says_there_is_none(tmp_path: Path) -> None:
    for text in ("I was unable to find the opening year.", "未能找到开通年份。"):
        run = _read(json.dumps([_message("user", "When?"), _message("assistant", text)]), tmp_path)
        assert isinstance(run, Trajectory)
        assert run.ending.kind == "gave_up"


def test_unknown_messages_are_refused_with_what_was_found(tmp_path: Path) -> None:
    error = _read(json.dumps({"messages": [{"who": "a", "what": "b"}]}), tmp_path)
    assert isinstance(error, InputError)
    assert "messages: 1 object with who, what" in error.problem
    error = _read(json.dumps({"messages": [_message("user", "Hello")]}), tmp_path)
    assert isinstance(error, InputError)
    assert "its roles are user" in error.problem


def test_agents_and_ending_survive_the_canonical_form(tmp_path: Path) -> None:
    row = [
        _message("human", "When?"),
        _message("Surfer", "Look."),
        _message("Planner (end)", "Max rounds (3) reached."),
    ]
    run = _read(json.dumps(row), tmp_path)
    assert isinstance(run, Trajectory)
    again = _read(json.dumps(run.to_dict()), tmp_path)
    assert isinstance(again, Trajectory)
    assert again.agents == ("Surfer",)
    assert again.ending == run.ending
    assert again.ending.kind == "cut_off"


@pytest.mark.skipif(not _LOGS.exists(), reason="shared data are not here")
def test_logs_of_four_systems_are_read() -> None:
    runs = [run for run in read_subjects(_LOGS) if isinstance(run, Trajectory)]
    assert len(runs) == 43
    assert all(run.id and run.system and run.query and run.steps for run in runs)
    assert sum(1 for run in runs if run.agents) == 32
    assert sum(run.ending.kind in ("crashed", "cut_off") for run in runs) >= 8
