"""Options that several commands share, and what they mean."""

from __future__ import annotations

import math
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar

import click

from assay.cli.outputs import ANY_FILE, OutputPath
from assay.errors import UsageError
from assay.rows import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assay.present.display import Painter

F = TypeVar("F", bound="Callable[..., Any]")
_WIDEST: Final = 140


class Amount(click.FloatRange):
    """A number within bounds. ``nan`` is none, though it compares with no bound: as a cap it would cap nothing."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a number one can count to.", param, ctx)
        return number


def format_option(*formats: str) -> Callable[[F], F]:
    """``--format``; the first is the default."""
    return click.option(
        "-f",
        "--format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to show it.",
    )


def color_option(function: F) -> F:
    """``--color``."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help="Colours: on a terminal and without NO_COLOR, always, or never.",
    )(function)


def language_option(function: F) -> F:
    """``--language``."""
    return click.option(
        "--language",
        type=click.Choice(["auto", "en", "zh"]),
        default="auto",
        show_default=True,
        help="Language of headings, scores and notes; auto is that of the report.",
    )(function)


def output_option(function: F) -> F:
    """``-o``."""
    return click.option(
        "-o",
        "--output",
        metavar="PATH",
        type=OutputPath(),
        help="Write to this file instead of the terminal.",
    )(function)


def prompts_option(function: F) -> F:
    """``--prompts``; `assay.strategies.prompt_folders.prompt_folders` adds those of the settings file."""
    return click.option(
        "--prompts",
        multiple=True,
        metavar="DIR",
        type=ANY_FILE,
        envvar="ASSAY_PROMPTS",
        help="Folder of your own prompts; those of the same name come before the package's.",
    )(function)


def query_option(function: F) -> F:
    """``--query``."""
    return click.option("--query", metavar="TEXT|@FILE", help="The question that is answered.")(function)


def query_text(value: str | None) -> str | None:
    """The query: itself, or what is in the file behind ``@``."""
    if value is None or not value.startswith("@"):
        return value
    return read_text(value[1:], missing="--query @FILE reads the question from a file").strip()


def field_names(pairs: Iterable[str]) -> dict[str, str]:
    """Names of row fields by what they hold, from ``--field report=article``.

    Raises:
        UsageError: It is not written so.
    """
    fields: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name or not value:
            raise UsageError(f"--field {pair}: write it as NAME=FIELD, for example report=article")
        fields[name.strip()] = value.strip()
    return fields


def wants_color(choice: str, stream: TextIO | None = None) -> bool:
    """Whether to colour. ``NO_COLOR`` (https://no-color.org) speaks unless the option does."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return (stream or sys.stdout).isatty()


def painter_for(choice: str) -> Painter:
    """Colours for stdout."""
    from assay.present.display import Painter  # noqa: PLC0415

    return Painter(wants_color(choice))


def columns_for(stream: TextIO) -> int:
    """Width to write to: the terminal's within reason, 100 for a file."""
    return max(60, min(_WIDEST, shutil.get_terminal_size((100, 24)).columns)) if stream.isatty() else 100
