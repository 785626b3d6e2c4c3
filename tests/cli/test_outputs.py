"""No output replaces an input, the ledger or the settings, in any command, under any name of the same file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from assay.cli.command_table import COMMANDS, walk
from assay.cli.commands import load_command
from assay.cli.outputs import InputFolder, OutputPath, is_database, opened

WRITES = ("output", "save", "requests")
# Parameters of text that no file can be given to: they are parsed at once.
PARSED = ("max_bytes",)


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command, with the words that call it."""
    for words, entry in walk(COMMANDS):
        yield words, load_command(words.rpartition(" ")[2], entry)


def outputs_of(command: click.Command) -> list[click.Parameter]:
    return [param for param in command.params if isinstance(param.type, OutputPath)]


WRITING = {words: command for words, command in commands() if outputs_of(command)}


def takes_text(param: click.Parameter) -> bool:
    """Whether the parameter can hold the name of a file."""
    text = isinstance(param.type, InputFolder) or param.type is click.STRING
    return text and not isinstance(param.type, OutputPath) and param.name not in PARSED


def words_for(param: click.Parameter, value: str) -> list[str]:
    if isinstance(param, click.Argument):
        return [value]
    return [param.opts[-1], value]


def call(command: click.Command, values: dict[str, str]) -> list[str]:
    """The words of a call: what is given, and something for whatever else is required."""
    words: list[str] = []
    for param in command.params:
        name = param.name or ""
        if name in values:
            words += words_for(param, values[name])
        elif param.required:
            words += words_for(param, "else.jsonl" if isinstance(param.type, OutputPath) else "other")
    return words


def test_every_option_that_names_something_to_write_is_guarded() -> None:
    for words, command in commands():
        for param in command.params:
            if param.name in WRITES:
                assert isinstance(param.type, OutputPath), (words, param.name)
    assert len(WRITING) >= 35


@pytest.mark.parametrize("name", WRITING)
def test_an_output_never_replaces_an_input(assay, name: str, tmp_path: Path) -> None:
    command = WRITING[name]
    folder = tmp_path / "folder"
    (folder / "trials" / "one").mkdir(parents=True)
    tried = 0
    for output in outputs_of(command):
        assert isinstance(output.type, OutputPath)
        for param in filter(takes_text, command.params):
            if param.name in output.type.replaces:
                continue
            if isinstance(param.type, InputFolder):
                given = folder
                files = [
                    folder / pattern.replace("**/", "").replace("*", "one") for pattern in param.type.reads
                ]
            else:
                given = tmp_path / "in.jsonl"
                files = [given]
            for file in files:
                file.write_text("mine\n", "utf-8")
                values = {param.name or "": str(given), output.name or "": str(file)}
                result = assay(*name.split(), *call(command, values))
                assert result.exit_code == 2, (values, result.output)
                assert "one of the files to read" in result.stderr, values
                assert result.stderr.count("\n") == 1
                assert file.read_text("utf-8") == "mine\n"
                tried += 1
    assert tried


@pytest.mark.parametrize(
    "name", [name for name, command in WRITING.items() if any(p.name == "ledger" for p in command.params)]
)
def test_an_output_never_replaces_the_ledger(assay, name: str, tmp_path: Path, monkeypatch) -> None:
    command = WRITING[name]
    database(tmp_path / "own.sqlite")
    database(tmp_path / ".assay" / "ledger.sqlite")
    database(tmp_path / "variable.sqlite")
    for output in outputs_of(command):
        for ledger, given in (
            ("own.sqlite", "own.sqlite"),
            (".assay/ledger.sqlite", None),
            ("new.sqlite", "new.sqlite"),
        ):
            values = {output.name or "": f"./{ledger}"} | ({"ledger": given} if given else {})
            for end in ("", "-wal"):
                values[output.name or ""] = f"./{ledger}{end}"
                refused(assay, name, call(command, values), tmp_path / ledger)
        with monkeypatch.context() as patched:
            patched.setenv("ASSAY_LEDGER", str(tmp_path / "variable.sqlite"))
            refused(
                assay,
                name,
                call(command, {output.name or "": "variable.sqlite"}),
                tmp_path / "variable.sqlite",
            )


@pytest.mark.parametrize("name", WRITING)
def test_an_output_never_replaces_a_database_or_the_settings(assay, name: str, tmp_path: Path) -> None:
    command = WRITING[name]
    database(tmp_path / "kept")
    (tmp_path / "assay.toml").write_text("", "utf-8")
    (tmp_path / ".env").write_text("KEY=1\n", "utf-8")
    for output in outputs_of(command):
        for file in ("kept", "kept-wal", "kept-journal", "assay.toml", ".env"):
            refused(assay, name, call(command, {output.name or "": file}), tmp_path / file)


def refused(assay, name: str, words: list[str], file: Path) -> None:
    before = file.read_bytes() if file.exists() else None
    result = assay(*name.split(), *words)
    assert result.exit_code == 2, (words, result.output)
    assert result.stderr.count("\n") == 1, result.stderr
    assert "one of the files to read" in result.stderr or "is a database" in result.stderr, (
        words,
        result.stderr,
    )
    assert (file.read_bytes() if file.exists() else None) == before


def database(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    kept = sqlite3.connect(path)
    kept.execute("create table calls (key text)")
    kept.commit()
    kept.close()


def test_every_name_of_a_file_is_recognised(assay, good: Path, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "soft").symlink_to(good)
    (tmp_path / "hard").hardlink_to(good)
    (tmp_path / "around").symlink_to(tmp_path, target_is_directory=True)
    before = good.read_bytes()
    for output in ("good.md", "./good.md", good, "below/../good.md", "soft", "hard", "around/good.md"):
        for given in ("good.md", good, ".", "*.md", "around"):
            for words in (("audit", given), ("judge", given, "--judge", "rules")):
                result = assay(*words, "-o", output)
                assert (result.exit_code, result.stderr.count("\n")) == (2, 1), (words, output)
    assert good.read_bytes() == before


def test_case_of_a_name_is_no_other_file(assay, good: Path) -> None:
    other = good.with_name("GOOD.md")
    if not other.exists():
        pytest.skip("case tells files apart here")
    assert assay("audit", good, "-o", other).exit_code == 2


def test_an_existing_file_that_is_not_read_may_be_replaced(assay, good: Path, tmp_path: Path) -> None:
    (tmp_path / "old.sarif").write_text("old", "utf-8")
    assert assay("audit", good, "-f", "sarif", "-o", "old.sarif").exit_code == 0
    assert "sarif" in (tmp_path / "old.sarif").read_text("utf-8")


def test_pages_replace_no_input(assay, tmp_path: Path, good: Path) -> None:
    assert assay("audit", good, "-f", "html", "-o", "site").exit_code == 0
    (page,) = (path for path in (tmp_path / "site").iterdir() if path.name != "index.html")
    page.unlink()
    page.symlink_to(good)
    before = good.read_bytes()
    result = assay("audit", good, "-f", "html", "-o", "site")
    assert (result.exit_code, good.read_bytes()) == (2, before)


EXPERIMENT = """
subjects: [reports/*.md]
judges: [direct@scripted/replies.jsonl]
rubrics: [mine.yaml]
reference: references.jsonl
ledger: kept.sqlite
"""


@pytest.mark.parametrize("command", [("run",), ("run", "--dry-run"), ("run", "batch", "export")])
def test_nothing_that_an_experiment_names_is_replaced(
    assay, tmp_path: Path, command: tuple[str, ...]
) -> None:
    there = tmp_path / "there"
    (there / "reports").mkdir(parents=True)
    (there / "e.yaml").write_text(EXPERIMENT, "utf-8")
    for name in ("reports/a.md", "mine.yaml", "references.jsonl", "replies.jsonl"):
        (there / name).write_text("mine\n", "utf-8")
    database(there / "kept.sqlite")
    for name in ("e.yaml", "reports/a.md", "mine.yaml", "references.jsonl", "replies.jsonl", "kept.sqlite"):
        before = (there / name).read_bytes()
        result = assay(*command, "there/e.yaml", "-o", os.path.join("there", "reports", "..", name))  # noqa: PTH118
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1), (name, result.output)
        assert (there / name).read_bytes() == before


def test_two_outputs_are_two_files(assay) -> None:
    result = assay("leaderboard", "a.jsonl", "--judge", "rules", "--save", "x.jsonl", "-o", "./x.jsonl")
    assert result.exit_code == 2
    assert "one would replace the other" in result.stderr


def test_what_is_a_database(tmp_path: Path) -> None:
    database(tmp_path / "kept")
    assert is_database(tmp_path / "kept")
    assert is_database(tmp_path / "kept-shm")
    (tmp_path / "text").write_text("SQLite format", "utf-8")
    assert not is_database(tmp_path / "text")
    assert not is_database(tmp_path)


def test_an_output_keeps_its_content_until_something_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("old and long", "utf-8")
    with pytest.raises(ValueError, match="refused"), opened(str(out)):
        raise ValueError("refused")
    assert out.read_text("utf-8") == "old and long"
    with opened(str(out), keep=True):
        pass
    assert out.read_text("utf-8") == "old and long"
    with opened(str(out)) as stream:
        print("new", file=stream)
    assert out.read_text("utf-8") == "new\n"
    with opened(str(out)):
        pass
    assert out.read_text("utf-8") == ""
    with pytest.raises(ValueError, match="refused"), opened(str(tmp_path / "fresh")):
        raise ValueError("refused")
    assert not (tmp_path / "fresh").exists()
