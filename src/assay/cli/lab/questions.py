"""What the subcommands of ``assay lab query`` share: reading questions, session about each, writing rows and a summary."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar

import click

from assay.cli.arguments import argument, option
from assay.cli.author_session import AuthorArguments, run_author_session
from assay.cli.options import ColorArguments
from assay.cli.outputs import OutputPath
from assay.errors import EngineError, InputError

if TYPE_CHECKING:
    from assay.cli.author_session import AuthorSession
    from assay.generation.author import Author
    from assay.models.base import Usage

# Names that files use for the question of a row, and for its id.
_TEXTS: Final = ("query", "prompt", "question")
_IDS: Final = ("id", "sample_id", "task_id", "query_id")
_ROWS: Final = (".jsonl", ".ndjson", ".json")
_LINES: Final = (".txt", ".text")


@dataclasses.dataclass(frozen=True)
class Query:
    """A question, the id of its row, and the row."""

    text: str
    id: str | int | None = None
    row: dict[str, Any] = dataclasses.field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """Id of the row; a hash of the text if it has none."""
        import hashlib

        if self.id is not None:
            return str(self.id)
        return "q-" + hashlib.blake2b(" ".join(self.text.split()).encode(), digest_size=4).hexdigest()

    def to_row(self) -> dict[str, Any]:
        """Return the row with the question under ``query`` and an ``id``."""
        return {**self.row, "id": self.name if self.id is None else self.id, "query": self.text}

    @property
    def language(self) -> Literal["en", "zh"]:
        """Language of a prompt about the question."""
        from assay.text.language import detect_language

        return "zh" if detect_language(self.text) == "zh" else "en"


class Answered(Protocol):
    """What all answers about a question have in common."""

    @property
    def status(self) -> str:
        """Whether there is an answer, or why there is none."""
        ...

    @property
    def usage(self) -> Usage:
        """Calls, tokens and cost of the answer."""
        ...


A = TypeVar("A", bound=Answered)


@dataclasses.dataclass(frozen=True)
class QueryAnswer:
    """A question and the answer about it; None while it waits for a batch."""

    query: Query
    answer: Any


class QuestionArguments(AuthorArguments, ColorArguments):
    """What the command line of a command about questions says."""

    queries: tuple[str, ...] = argument("QUERY|FILE...")
    field: str | None = option("Field of a row that holds the question. [query, prompt, question]", "NAME")
    limit: int | None = option("Take only the first N questions.", "N", type=click.IntRange(min=1))
    format: Literal["text", "jsonl"] = option(
        "Output format on the terminal.", flags="-f --format", default="text"
    )
    output: str | None = option(
        "Also write the rows to this file, as JSON lines.", "PATH", flags="-o --output", type=OutputPath()
    )


def read_queries(given: Sequence[str], *, field: str | None = None, limit: int | None = None) -> list[Query]:
    """Return the questions: texts as they are, files line by line or row by row, ``-`` for stdin.

    Raises:
        InputError: A file does not exist or holds no questions; the message names the line.
    """
    found: list[Query] = []
    for item in given:
        found += _read(item, field)
    if not found:
        raise InputError("there is no question in it", where=", ".join(given))
    return found[:limit]


def _read(item: str, field: str | None) -> list[Query]:
    from assay.rows import read_text

    if item == "-":
        return list(_parsed(sys.stdin.read(), "stdin", field))
    path = Path(item)
    named = item.lower().endswith((*_ROWS, *_LINES)) and not any(map(str.isspace, item))
    if not named and not _is_file(path):
        if not item.strip():
            raise InputError("a question is empty", where="the command line")
        return [Query(item.strip())]
    text = read_text(path, missing="a question on the command line stands in quotes")
    return list(_parsed(text, item, field))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a question too long for a name, or with a NUL
        return False


def _parsed(text: str, where: str, field: str | None) -> Iterator[Query]:
    """Yield rows of JSON from files that are named or look like it, else one question a line."""
    from assay.rows import rows_of_json

    opening = text.lstrip()[:1]
    rows = where.lower().endswith(_ROWS) or (opening in ("{", "[") and not where.lower().endswith(_LINES))
    if rows:
        for place, value in rows_of_json(text, where):
            yield _row(value, place, field)
    else:
        yield from (Query(line.strip()) for line in text.split("\n") if line.strip())


def _row(value: Any, where: str, field: str | None) -> Query:
    if isinstance(value, str) and value.strip():
        return Query(value.strip())
    if not isinstance(value, dict):
        raise InputError("is neither a text nor an object with a question", where=where)
    names = (field,) if field else _TEXTS
    text = next(
        (value[name] for name in names if isinstance(value.get(name), str) and value[name].strip()), None
    )
    if text is None:
        from assay.suggest import did_you_mean

        hint = did_you_mean(field or _TEXTS[0], [str(name) for name in value]) if value else None
        raise InputError(f"has no {' or '.join(names)}", where=where, hint=hint or "--field names it")
    identity = next((value[name] for name in _IDS if isinstance(value.get(name), str | int)), None)
    return Query(text.strip(), identity, value)


async def ask_each(
    session: AuthorSession,
    queries: Sequence[Query],
    ask: Callable[[Author, Query], Awaitable[A]],
) -> list[QueryAnswer]:
    """Return an answer about each question, in order."""
    author = await session.author()

    async def one(query: Query) -> A:
        return await ask(author, query)

    answers = await session.each(queries, one)
    return [QueryAnswer(query, answer) for query, answer in zip(queries, answers, strict=True)]


def label_each(
    args: QuestionArguments,
    label: Callable[[Author, Query], Awaitable[A]],
    row: Callable[[QueryAnswer, str], dict[str, Any] | list[dict[str, Any]]],
    text: Callable[..., str],
    *,
    also: Callable[[Sequence[QueryAnswer]], None] = lambda _: None,
) -> int:
    """Ask a model the same about every question, show the answers, and return the exit code.

    Args:
        args: What the command line says.
        label: Asks the model about one question.
        row: Makes the row of one answer, or its rows, with the model's name.
        text: Shows all answers, like the functions of `assay.present.queries`.
        also: Is called with the answers, those that wait for a batch with None.
    """
    from assay.cli.options import columns_for, painter_for

    queries = read_queries(args.queries, field=args.field, limit=args.limit)

    def shown(items: Sequence[QueryAnswer]) -> str:
        answers = [item.answer for item in items]
        return text(answers, painter=painter_for(args.color), columns=columns_for(sys.stdout))

    async def work(session: AuthorSession) -> int:
        answers = await ask_each(session, queries, label)
        also(answers)
        return written_rows(
            answers, lambda item: row(item, args.model), shown, form=args.format, output=args.output
        )

    return run_author_session(args, work)


def write_json_lines(rows: Iterable[dict[str, Any]], path: str | Path | None) -> None:
    """Write rows to a file, or to the terminal, as JSON lines."""
    import msgspec

    from assay.cli.outputs import opened

    with opened(None if path is None else str(path)) as stream:
        stream.writelines(msgspec.json.encode(row).decode() + "\n" for row in rows)


def written_rows(
    found: Sequence[QueryAnswer],
    row: Callable[[QueryAnswer], dict[str, Any] | list[dict[str, Any]]],
    text: Callable[[Sequence[QueryAnswer]], str],
    *,
    form: str,
    output: str | None,
) -> int:
    """Show the answers, write the rows, and return the exit code: 3 if no question has an answer.

    Args:
        found: Questions with their answers; those that wait for a batch are left out.
        row: Makes the row of one answer, or its rows.
        text: Makes the text of all answers.
        form: Format for the terminal: "text" or "jsonl".
        output: File for the rows.
    """
    import msgspec

    from assay.cli.outputs import opened

    there = [item for item in found if item.answer is not None]
    made = (rows if isinstance(rows := row(item), list) else [rows] for item in there)
    lines = "".join(msgspec.json.encode(one).decode() + "\n" for rows in made for one in rows)
    if not there:
        # Everything waits for a batch: keep what an earlier round wrote.
        return 0
    if output is not None and output != "-":
        with opened(output) as stream:
            stream.write(lines)
    if form == "jsonl" or output == "-":
        click.echo(lines, nl=False)
    else:
        click.echo(text(there))
    if all(item.answer.status != "ok" for item in there):
        click.echo("assay: no question has an answer; the rows say why", err=True)
        return EngineError.exit_code
    return 0
