"""The commands the pages under docs print exist, with the options they are given."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from assay.cli.command_table import COMMANDS
from assay.cli.commands import load_command
from assay.cli.main import root

PAGES = sorted((Path(__file__).resolve().parents[1] / "docs").rglob("*.md"))


def commands(page: Path) -> list[str]:
    blocks = re.findall(r"^```console\n(.*?)^```", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    lines = [
        line.removeprefix("$ ")
        for text in blocks
        for line in text.splitlines()
        if line.startswith("$ assay ")
    ]
    return [re.sub(r"\s+#\s.*|\s+>>? .*|\s+\|\s.*", "", line) for line in lines]


def taken_in(words: list[str]) -> None:
    """Parse the words as the command line does, and run nothing. Raises ClickException where they are not taken."""
    command: click.Command = root
    context = click.Context(root, info_name="assay")
    places = COMMANDS
    while places and words and (words[0] in places or isinstance(command, click.Group)):
        if words[0].startswith("-") and "list" in places:
            words = ["list", *words]
        assert words[0] in places, f"no command {words[0]!r}"
        command, places, words = (
            load_command(words[0], places[words[0]]),
            places[words[0]].subcommands,
            words[1:],
        )
        context = click.Context(command, parent=context, info_name=command.name)
    if words != ["--help"]:
        command.make_parser(context).parse_args(args=list(words))


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_of_a_page(page) -> None:
    for line in commands(page):
        if "…" in line:
            continue
        try:
            taken_in(shlex.split(line)[1:])
        except click.ClickException as error:
            pytest.fail(f"{line}: {error.format_message()}")


def test_pages_have_commands() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 80
