"""The page of all commands, written from the commands: ``python -m assay.cli.reference docs/reference/commands.md``.

Texts, options, defaults and variables are those of `assay COMMAND --help-all`, so the page and the program cannot differ.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from assay.cli.arguments import GroupedOption, in_groups
from assay.cli.command_table import ELSEWHERE, RENAMED, SECTIONS, Entry, walk
from assay.cli.commands import load_command

_HEAD: Final = """\
# Commands

<!-- Written by `python -m assay.cli.reference docs/reference/commands.md`; do not edit. -->

`assay COMMAND --help` shows a command with the options that matter first, `--help-all` with all of them. Every option
has a variable: `--fail-on` of `assay audit` is `ASSAY_AUDIT_FAIL_ON`, `--max-usd` of `assay lab write` is
`ASSAY_LAB_WRITE_MAX_USD`. A word on the command line overrides a variable, and a variable overrides `assay.toml`.
`assay --color always|never COMMAND` says for every command when to use colours.

Exit codes, unless a command says otherwise: 0 done; 1 findings at or above `--fail-on`; 2 bad usage or input; 3 something
Assay relies on failed; 130 interrupted.
"""


def reference_page() -> str:
    """Return the page as Markdown."""
    return "\n".join([_HEAD, *_contents(), *_commands(), *_earlier()]) + "\n"


def _contents() -> Iterator[str]:
    for title, entries in SECTIONS.items():
        yield f"**{title}**\n"
        yield "| command | |\n|---|---|"
        for path, entry in walk(entries):
            yield f"| [`{path}`](#{_anchor(path)}) | {_cell(entry.line)} |"
        yield ""


def _commands() -> Iterator[str]:
    for title, entries in SECTIONS.items():
        yield f"## {title}\n"
        for path, entry in walk(entries):
            yield from _command(path, entry)


def _command(path: str, entry: Entry) -> Iterator[str]:
    command = load_command(path.rpartition(" ")[2], entry)
    context = click.Context(command, info_name=f"assay {path}")
    yield f"### assay {path}\n"
    yield from _text(command.help or "")
    if isinstance(command, click.Group):
        return
    yield f"```\nassay {path} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    rows = list(_rows(command, context))
    if rows:
        yield "| option | | default |\n|---|---|---|"
        yield from rows
        yield ""
    if command.epilog:
        yield f"{command.epilog}\n"


def _text(help_text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; those that click keeps as they are become blocks of code."""
    for paragraph in inspect.cleandoc(help_text).split("\n\n"):
        if paragraph.startswith("\b"):
            yield _code(paragraph.lstrip("\b\n").split("\n"))
        else:
            yield " ".join(paragraph.split()).replace("<", "&lt;") + "\n"


def _code(lines: Sequence[str]) -> str:
    """Return lines as a block; those that call Assay get a prompt, so that the tests of the documents parse them."""
    shown = [f"$ {line}" if line.startswith("assay ") else line for line in lines]
    fence = "console no-run" if shown[0].startswith("$ ") else "text"
    return "\n".join((f"```{fence}", *shown, "```\n"))


def _rows(command: click.Command, context: click.Context) -> Iterator[str]:
    for group, options in in_groups(command.params).items():
        shown = [option for option in options if not option.hidden]
        if shown and group:
            yield f"| **{group}** | | |"
        yield from (_row(option, context) for option in shown)


def _row(option: GroupedOption, context: click.Context) -> str:
    record = option.get_help_record(context)
    assert record is not None  # only hidden options have none
    names = record[0].replace("\n", " ")
    text = option.help or ""
    default = option.get_help_extra(context).get("default", "")
    # The help of an option whose default is not a value says it at the end, in brackets.
    told = re.fullmatch(r"(.*\.)\s*\[([^\]]+)\]", text, re.DOTALL)
    if told and not default:
        text, default = told[1], told[2]
    if option.required:
        default = "required"
    named = f" (`{option.envvar}`)" if isinstance(option.envvar, str) else ""
    return f"| `{_cell(names)}` | {_cell(text)}{named} | {_cell(str(default))} |"


def _earlier() -> Iterator[str]:
    yield "## Earlier names\n"
    yield "They still work, and say the new name on stderr; so do their variables.\n"
    yield "| earlier | now |\n|---|---|"
    for earlier, newer in RENAMED.items():
        yield f"| `assay {earlier}` | `assay {newer}` |"
    words = ", ".join(f"`{word}` ({meant})" for word, meant in ELSEWHERE.items())
    yield f"\nWords of other tools are answered with the command that is meant: {words}."


def _anchor(path: str) -> str:
    return f"assay-{path}".replace(" ", "-")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def main() -> None:
    """Write the page to the file that the command line names, or to stdout."""
    page = reference_page()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page, "utf-8")
    else:
        click.echo(page, nl=False)


if __name__ == "__main__":
    main()
