"""Run the commands and snippets that a page of the documents shows, and compare what they print.

In a fence, after the language:

- ``console``: lines that begin with ``$ `` are run in the order of the page, in a clean folder that has a copy of
  ``examples/``. The lines below a command are what it prints, both streams or standard output alone; ``…`` stands for
  anything within a line, and on a line of its own for any number of lines. Without such lines only the exit code counts.
- ``console no-run``: the command needs a hosted model, a network or another program. It is only parsed.
- ``python``: is run, with the names of the earlier snippets of the page; a snippet with ``>>>`` is compared as well.
- ``text output``: is compared with what the snippet before it prints.
- ``python no-run``: is only compiled.
- any language with ``file=NAME``: the text is written to that file first.

``python tests/documents.py PAGE…`` prints what the commands of a page print now, where that differs from the page.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import click
from click.testing import CliRunner

from assay.cli.command_table import RENAMED
from assay.cli.commands import load_command
from assay.cli.main import root

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = [
    *(REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "examples/README.md")),
    *sorted((REPOSITORY / "docs").rglob("*.md")),
]
_FENCE = re.compile(r"^(?P<mark>`{3,})(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=mark)$", re.MULTILINE | re.DOTALL)
_SHELL = ("cat", "cd", "cp", "echo", "head", "ls", "mkdir", "printf", "sed", "sort", "wc")


@dataclass
class Block:
    """A fenced text of a page."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int

    @property
    def runs(self) -> bool:
        return "no-run" not in self.words

    @property
    def file(self) -> str | None:
        return next((word[5:] for word in self.words if word.startswith("file=")), None)

    def commands(self) -> list[tuple[str, list[str]]]:
        """Return each command with the lines below it."""
        found: list[tuple[str, list[str]]] = []
        lines = iter(self.text.splitlines())
        for line in lines:
            if line.startswith("$ "):
                command = line[2:]
                while command.endswith("\\"):
                    command = command[:-1] + next(lines).strip()
                found.append((re.sub(r"(?:^|\s+)# .*", "", command), []))
            elif found:
                found[-1][1].append(line.rstrip())
            elif line.strip():
                raise AssertionError(f"line {self.line}: a console block begins with `$ `")
        return found


@dataclass
class Shell:
    """A folder in which the blocks of one page run."""

    folder: Path
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "__docs__"})
    printed: str = ""

    def __post_init__(self) -> None:
        shutil.copytree(REPOSITORY / "examples", self.folder / "examples")

    def run(self, line: str) -> tuple[int, str, str]:
        """Run a line; return its exit code, all output, and standard output."""
        tokens = list(shlex.shlex(line, posix=True, punctuation_chars="|>&"))
        if "assay" not in tokens:
            return self._shell(line)
        if "&&" in tokens:
            first, second = line.split("&&", 1)
            code, out, stdout = self.run(first.strip())
            return self.run(second.strip()) if code == 0 else (code, out, stdout)
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|>")
        lexer.whitespace_split = True
        tokens, stdin = list(lexer), ""
        if "|" in tokens:
            first, second = line.split("|", 1)
            if "assay" in first.split():
                raise AssertionError(f"pipe the output of assay into nothing: {line}")
            stdin = self._shell(first)[2]
            lexer = shlex.shlex(second, posix=True, punctuation_chars="|>")
            lexer.whitespace_split = True
            tokens = list(lexer)
        variables = {}
        while "=" in tokens[0]:
            name, _, value = tokens.pop(0).partition("=")
            variables[name] = value
        target = next((i for i, token in enumerate(tokens) if token in (">", ">>")), None)
        words = tokens[1:target]
        _refuse_earlier_names(words)
        done = CliRunner(env=variables).invoke(root, words, prog_name="assay", input=stdin or None)
        if target is None:
            return done.exit_code, done.output, done.stdout
        with Path(tokens[target + 1]).open("a" if tokens[target] == ">>" else "w", encoding="utf-8") as out:
            out.write(done.stdout)
        return done.exit_code, done.stderr, ""

    def _shell(self, line: str) -> tuple[int, str, str]:
        words = shlex.split(line)
        if words[0] not in _SHELL:
            raise AssertionError(f"cannot run `{words[0]}` here: mark the block `no-run`")
        if words[0] == "cd":
            os.chdir(words[1])
            return 0, "", ""
        done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr, done.stdout


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, *words = match["info"].split() or [""]
        found.append(Block(language, tuple(words), match["text"], text.count("\n", 0, match.start()) + 1))
    return found


def matches(expected: list[str], output: str) -> bool:
    """Tell whether the output is what the page shows, where ``…`` stands for anything."""
    pattern = ""
    for line in expected:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += re.escape(line).replace("…", ".*?") + "\n"
    return re.fullmatch(pattern, _tidy(output)) is not None


def _tidy(output: str) -> str:
    return "".join(line.rstrip() + "\n" for line in output.strip("\n").splitlines())


def parse(words: list[str]) -> None:
    """Parse the words as the command line does, and run nothing."""
    _refuse_earlier_names(words)
    if words in (["--help"], ["--version"]):
        return
    command: click.Command = root
    context = click.Context(root, info_name="assay")
    while words and words[0] in command.places:
        command = load_command(words[0], command.places[words[0]])
        words = words[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    if isinstance(command, click.Group) and words not in ([], ["--help"]):
        raise AssertionError(f"no command {words[0]!r}")
    if words not in (["--help"], ["--help-all"]) and not isinstance(command, click.Group):
        command.make_parser(context).parse_args(args=list(words))


def _refuse_earlier_names(words: list[str]) -> None:
    for old, new in RENAMED.items():
        if words[: len(old.split())] == old.split():
            raise AssertionError(f"`assay {old}` is now `assay {new}`")


def parse_line(line: str) -> None:
    """Parse the `assay` command of a line that is not run."""
    if "…" in line or "assay " not in line:
        return
    words = shlex.split(re.sub(r"\s+(?:>>?|\||\|\||&&|;)\s.*", "", line))
    if "assay" not in words:
        return
    try:
        parse(words[words.index("assay") + 1 :])
    except click.ClickException as error:
        raise AssertionError(f"{line}: {error.format_message()}") from error


def run_block(block: Block, shell: Shell) -> list[str]:
    """Run a block; return what is wrong with it."""
    if block.file:
        path = Path(block.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
    if block.language in ("console", "sh") and not block.runs:
        for command, _ in block.commands():
            parse_line(command)
        return []
    if block.language == "console":
        return [wrong for command, expected in block.commands() if (wrong := _run(command, expected, shell))]
    if block.language == "python":
        return _python(block, shell)
    if "output" in block.words and not matches(block.text.splitlines(), shell.printed):
        return [shell.printed]
    return []


def _run(command: str, expected: list[str], shell: Shell) -> str:
    code, output, stdout = shell.run(command)
    while expected and not expected[-1]:
        expected = expected[:-1]
    if not expected:
        return "" if code in (0, 1) else f"$ {command}\n{output}(exit code {code})"
    if matches(expected, output) or matches(expected, stdout):
        return ""
    return f"$ {command}\n{_tidy(output)}(exit code {code}; the page shows something else)"


def _python(block: Block, shell: Shell) -> list[str]:
    if not block.runs:
        compile(block.text, f"line {block.line}", "exec")
        return []
    if ">>>" in block.text:
        return run_examples(block.text, f"line {block.line}", shell.names)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(block.text, f"line {block.line}", "exec"), shell.names)
    shell.printed = out.getvalue()
    return []


def run_examples(text: str, name: str, names: dict[str, object]) -> list[str]:
    """Run interactive examples; return those that print something else."""
    test = doctest.DocTestParser().get_doctest(text.replace("…", "..."), names, name, name, 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append, clear_globs=False)
    return report


def run_page(page: Path, folder: Path) -> list[str]:
    """Run a page in the folder, which becomes the current one; return what is wrong."""
    os.chdir(folder)
    shell, wrong = Shell(folder), []
    for block in blocks_of(page):
        try:
            wrong += [f"line {block.line}: {what}" for what in run_block(block, shell)]
        except Exception as error:
            wrong.append(f"line {block.line}: {type(error).__name__}: {error}")
    return wrong


if __name__ == "__main__":
    import tempfile
    import time

    for name in list(os.environ):
        if name.startswith("ASSAY_"):
            del os.environ[name]
    for page in [Path(arg).resolve() for arg in sys.argv[1:]] or PAGES:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            wrong = run_page(page, Path(folder))
            os.chdir(REPOSITORY)
        print(f"--- {page.relative_to(REPOSITORY)}: {len(wrong)} wrong, {time.perf_counter() - began:.1f} s")
        for what in wrong:
            print(what, end="\n\n")
