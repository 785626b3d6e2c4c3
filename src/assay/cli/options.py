"""Arguments that several commands share, and the values that they stand for."""

from __future__ import annotations

import math
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO, TypeVar

import click
from click.core import ParameterSource

from assay.cli.arguments import ADVANCED, LIMITS, OUTPUT, SUBJECTS, Arguments, option
from assay.cli.outputs import ANY_FILE, OutputPath
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from assay.present.display import Painter

F = TypeVar("F", bound="Callable[..., Any]")
_WIDEST: Final = 140
# Formats that a suffix stands for, the most fitting first.
_SUFFIXES: Final[dict[str, tuple[str, ...]]] = {
    ".html": ("html",),
    ".htm": ("html",),
    ".json": ("json",),
    ".jsonl": ("jsonl", "json"),
    ".sarif": ("sarif",),
    ".xml": ("junit",),
    ".csv": ("csv",),
    ".tex": ("latex",),
    ".svg": ("svg",),
    ".png": ("png",),
    ".pdf": ("pdf",),
}


class Amount(click.FloatRange):
    """A finite number within bounds; ``nan`` would pass every bound, and as a cap it would limit nothing."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


class ColorArguments(Arguments, group=OUTPUT):
    """How a command colours what it shows; `assay --color` says it for every command."""

    color: Literal["auto", "always", "never"] = option(
        "When to use colours.", default="auto", show_default=False, of_program=True
    )


class FormatArguments(ColorArguments, group=OUTPUT):
    """The format in which a command shows its result; each command narrows it to the formats that it has."""

    format: str | None = option("Output format.", flags="-f --format", default="text")


class LanguageArguments(Arguments, group=OUTPUT):
    """The language of what a command shows."""

    language: Literal["auto", "en", "zh"] = option(
        "Language of headings, scores and notes; auto: that of the report.", default="auto", group=ADVANCED
    )


class OutputArguments(FormatArguments, group=OUTPUT):
    """Where a command writes its result."""

    output: str | None = option(
        "Write the result to this file instead of the terminal.",
        "PATH",
        flags="-o --output",
        type=OutputPath(),
    )


class RowArguments(Arguments, group=SUBJECTS):
    """How a command reads its subjects."""

    field: tuple[str, ...] = option(
        "Names of the fields of rows, such as report=article or query=prompt. Repeatable.",
        "A=B",
        group=ADVANCED,
    )
    input_format: str | None = option(
        "Format of the input, if it is not recognised; a wrong name lists them all.", "NAME", group=ADVANCED
    )


class QueryArguments(Arguments, group=SUBJECTS):
    """The question that the subjects answer."""

    query: str | None = option(
        "The question that the reports answer; @FILE reads it from a file.", "TEXT|@FILE"
    )


class PromptArguments(Arguments, group=ADVANCED):
    """Folders of templates; `assay.strategies.prompt_folders.prompt_folders` adds those of the settings file."""

    prompts: tuple[str, ...] = option(
        "Folder of your own prompts, which replace the package's prompts of the same name. Repeatable.",
        "DIR",
        type=ANY_FILE,
        envvar="ASSAY_PROMPTS",
    )


class LedgerArguments(Arguments, group=LIMITS):
    """The ledger that a command reads or writes."""

    ledger: str | None = option(
        "Where calls and judgments are kept: a file, postgresql://…, or none. [ASSAY_LEDGER, assay.toml, "
        ".assay/ledger.sqlite]",
        "WHERE",
    )


class SpendingArguments(LedgerArguments, group=LIMITS):
    """What a command that asks models keeps, repeats and may spend."""

    max_usd: float | None = option(
        "Stop when the command has cost this much (US dollars).", type=Amount(min=0)
    )
    max_total_tokens: int | None = option(
        "Stop when the command has used this many tokens.", type=click.IntRange(min=1), group=ADVANCED
    )
    concurrency: int | None = option(
        "Maximum number of calls in flight for each model.",
        flags="-j --concurrency",
        type=click.IntRange(min=1),
    )
    fresh: bool = option("Ask again even if the ledger has the answer.", group=ADVANCED)
    quiet: bool = option("Show results only: no progress and no usage.", flags="-q --quiet", group=OUTPUT)


class CallArguments(PromptArguments, SpendingArguments):
    """The same, with folders of templates."""


def format_by_suffix(context: click.Context, values: Mapping[str, Any]) -> str | None:
    """Return the format to write: the one that was asked for, or else that of the output's suffix.

    A suffix that says something else than what is written is told on stderr.
    """
    chosen: str | None = values.get("format")
    output = str(values.get("output") or "")
    param = next((item for item in context.command.params if item.name == "format"), None)
    if not output or param is None or not isinstance(param.type, click.Choice):
        return chosen
    meant = _SUFFIXES.get(os.path.splitext(output)[1].lower(), ())  # noqa: PTH122 - a text, not a path
    known = next((name for name in meant if name in param.type.choices), None)
    if not meant or chosen in meant:
        return chosen
    if context.get_parameter_source("format") is ParameterSource.DEFAULT:
        if known is not None:
            return known
        click.echo(f"assay: {output} will hold {chosen}: this command does not write {meant[0]}", err=True)
    else:
        click.echo(f"assay: {output} will hold {chosen}, as --format says, in spite of its name", err=True)
    return chosen


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
