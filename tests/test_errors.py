"""Errors: one hierarchy, a message for Python and a hint for the command line."""

from __future__ import annotations

import ast
import pickle
import re
import warnings
from pathlib import Path

import pytest

import assay
from assay.errors import AssayError, EngineError, InputError, MissingExtraError, ModelError, UsageError
from assay.models.base import CallFailedError

SRC = Path(assay.__file__).parent
FLAG = re.compile(r"(?<![\w`-])--[a-z][a-z-]+")
# Rooms and files whose text is for the command line, or commands and pages that are not messages.
SHELL = (
    "cli/",
    "present/",
    "models/llama_server.py",
    "models/local.py",
    "subjects/loaders/inspect_",
    "pytest_plugin.py",
)


def test_the_message_is_for_python_and_the_hint_of_the_shell_is_beside_it() -> None:
    error = InputError(
        "no text", where="a.jsonl:3", hint='fields={"report": "x"}', cli_hint="--field report=x"
    )
    assert str(error) == 'a.jsonl:3: no text (fields={"report": "x"})'
    assert error.cli_message == "a.jsonl:3: no text (--field report=x)"
    assert InputError("no text", hint="write some").cli_message == "no text (write some)"


def test_a_place_is_added_once() -> None:
    error = UsageError("too many", hint="fewer").at("x.yaml:1")
    assert (type(error), str(error)) == (UsageError, "x.yaml:1: too many (fewer)")
    assert str(error.at("y.yaml")) == str(error)


@pytest.mark.parametrize(
    "error",
    [
        UsageError("a", hint="b", cli_hint="c"),
        InputError("a", where="f:1"),
        MissingExtraError("a data frame", "pandas"),
        CallFailedError("no reply", attempts=3),
    ],
)
def test_errors_travel_between_processes(error: AssayError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_wrong_arguments_and_input_are_value_errors() -> None:
    assert issubclass(UsageError, ValueError)
    assert issubclass(InputError, ValueError)
    assert issubclass(MissingExtraError, UsageError)
    assert not issubclass(ModelError, ValueError)
    assert issubclass(CallFailedError, ModelError)


def test_old_names_warn_and_say_the_new_one() -> None:
    with pytest.warns(DeprecationWarning, match=r"assay\.ModelError"):
        assert assay.EngineError is EngineError
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert issubclass(assay.ModelError, EngineError)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = assay.nothing


def messages_with_flags(path: Path) -> list[str]:
    """Return texts with an option of the command line that are neither docstrings nor hints for it."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.keyword):
            names = [node.arg]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [
                getattr(part, "id", "")
                for target in targets
                for part in (target.elts if isinstance(target, ast.Tuple) else [target])
            ]
        if any("cli" in (name or "").lower() for name in names) and node.value is not None:
            docs.update(id(part) for part in ast.walk(node.value))
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docs
        and FLAG.search(node.value)
    ]


def test_messages_outside_the_command_line_name_no_option_of_it() -> None:
    wrong = {
        str(path.relative_to(SRC)): found
        for path in sorted(SRC.rglob("*.py"))
        if not str(path.relative_to(SRC)).startswith(SHELL) and (found := messages_with_flags(path))
    }
    assert not wrong


def test_open_judge_keeps_its_ledger_for_one_more_release(tmp_path) -> None:
    with pytest.warns(DeprecationWarning, match=r"assay\.Judge; ledger=.* belong to assay\.run"):
        open_judge = assay.open_judge
    path = tmp_path / "ledger.sqlite"
    report = assay.Report("Heat pumps spread in 2024.")
    with open_judge(
        "direct@scripted/random", ledger=path, budget=assay.Budget(usd=1), repetitions=2
    ) as judge:
        once = judge.score(report)
        assert judge.trials(report) == once.repetitions
        assert len(judge.trials(report, report)) == 2
    assert path.is_file()


def test_trials_are_repetitions_for_one_more_release() -> None:
    with pytest.warns(DeprecationWarning, match="use repetitions="):
        assert assay.Judge("direct@scripted/random", trials=2).settings.repetitions == 2
