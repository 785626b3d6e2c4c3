"""Arguments that several commands share, and the values that they stand for."""

from __future__ import annotations

import math
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO, TypeVar

import click

from assay.cli.arguments import Arguments, option
from assay.cli.outputs import ANY_FILE, OutputPath
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assay.present.display import Painter

F = TypeVar("F", bound="Callable[..., Any]")
_WIDEST: Final = 140


class Amount(click.FloatRange):
    """A finite number within bounds; ``nan`` would pass every bound, and as a cap it would limit nothing."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


class ColorArguments(Arguments):
    """How a command colours what it shows."""

    color: Literal["auto", "always", "never"] = option(
        "When to use colours; auto: on a terminal, unless NO_COLOR is set.",
        default="auto",
        show_default=False,
    )


class LanguageArguments(Arguments):
    """The language of what a command shows."""

    language: Literal["auto", "en", "zh"] = option(
        "Language of headings, scores and notes; auto: that of the report.", default="auto"
    )


class OutputArguments(ColorArguments):
    """Where a command writes its result."""

    output: str | None = option(
        "Write the result to this file instead of the terminal.",
        "PATH",
        flags="-o --output",
        type=OutputPath(),
    )


class RowArguments(Arguments):
    """How a command reads its subjects."""

    field: tuple[str, ...] = option(
        "Names of the fields of rows, such as report=article or query=prompt. Repeatable.", "A=B"
    )
    input_format: str | None = option(
        "Format of the input, if it is not recognised; a wrong name lists them all.", "NAME"
    )


class QueryArguments(Arguments):
    """The question that the subjects answer."""

    query: str | None = option(
        "The question that the reports answer; @FILE reads it from a file.", "TEXT|@FILE"
    )


class PromptArguments(Arguments):
    """Folders of templates; `assay.strategies.prompt_folders.prompt_folders` adds those of the settings file."""

    prompts: tuple[str, ...] = option(
        "Folder of your own prompts, which replace the package's prompts of the same name. Repeatable.",
        "DIR",
        type=ANY_FILE,
        envvar="ASSAY_PROMPTS",
    )


class CallArguments(PromptArguments):
    """What a command that asks models keeps, repeats and may spend."""

    ledger: str | None = option(
        "Where calls and judgments are kept: a file, postgresql://…, or none. [ASSAY_LEDGER, assay.toml, "
        ".assay/ledger.sqlite]",
        "WHERE",
    )
    fresh: bool = option("Ask again even if the ledger has the answer.")
    concurrency: int | None = option(
        "Maximum number of calls in flight.", flags="-j --concurrency", type=click.IntRange(min=1)
    )
    max_usd: float | None = option(
        "Stop when the command has cost this much (US dollars).", type=Amount(min=0)
    )
    max_total_tokens: int | None = option(
        "Stop when the command has used this many tokens.", type=click.IntRange(min=1)
    )
    quiet: bool = option("Show results only: no progress and no usage.", flags="-q --quiet")


def query_text(value: str | None) -> str | None:
    """Return the query: the text itself, or the content of the file after ``@``."""
    from assay.rows import read_text

    if value is None or not value.startswith("@"):
        return value
    return read_text(value[1:], missing="--query @FILE reads the question from a file").strip()


def field_names(pairs: Iterable[str]) -> dict[str, str]:
    """Return the names of row fields by their role, from ``--field report=article``.

    Raises:
        UsageError: One is not written as NAME=FIELD.
    """
    fields: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name or not value:
            raise UsageError(f"--field {pair}: write it as NAME=FIELD, for example report=article")
        fields[name.strip()] = value.strip()
    return fields


def wants_color(choice: str, stream: TextIO | None = None) -> bool:
    """Return whether to use colours; without the option, ``NO_COLOR`` (https://no-color.org) decides."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return (stream or sys.stdout).isatty()


def painter_for(choice: str) -> Painter:
    """Return a painter for stdout."""
    from assay.present.display import Painter

    return Painter(wants_color(choice))


def columns_for(stream: TextIO) -> int:
    """Return the width to write for: the terminal's, from 60 to 140; 100 for a file."""
    return max(60, min(_WIDEST, shutil.get_terminal_size((100, 24)).columns)) if stream.isatty() else 100


def json_text(value: object) -> str:
    """Return a value as indented JSON."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
