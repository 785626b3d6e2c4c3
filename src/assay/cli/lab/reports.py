"""``assay lab reports``: a report on each question by each of several writers."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

import click

from assay.cli.arguments import JUDGE, argument, option
from assay.cli.author_session import WriterSettings, run_author_session
from assay.cli.commands import command
from assay.cli.lab.write import ReportArguments
from assay.cli.outputs import OutputPath
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.author_session import AuthorSession
    from assay.cli.lab.questions import Query
    from assay.generation.base import AuthorReply
    from assay.generation.report_writing import SourceDocument

_ID: Final = "{id}"
# A longer field of a question's row is material rather than a property, and stays behind.
_LONGEST: Final = 200
# Readers of reports would take it for the report.
_NOT_KEPT: Final = ("article", "schema")


class ReportsArguments(ReportArguments, WriterSettings):
    """What the command line of ``assay lab reports`` says."""

    queries: tuple[str, ...] = argument("QUERY|FILE...")
    writers: tuple[str, ...] = option(
        "A model that writes, with the name of its system: alpha=openai/gpt-5-mini. Without a name, the system has that of "
        "the model. Repeatable.",
        "[NAME=]MODEL",
        flags="--writer",
        required=True,
        group=JUDGE,
    )
    field: str | None = option("Field of a row that holds the question. [query, prompt, question]", "NAME")
    limit: int | None = option("Take only the first N questions.", "N", type=click.IntRange(min=1))
    output: str = option(
        "Write the reports to this file, as JSON lines with id, system, query and report.",
        "PATH",
        flags="-o --output",
        type=OutputPath(),
        required=True,
    )


@command(
    ReportsArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 no report was written.",
)
def reports(args: ReportsArguments) -> int:
    """Have each writer write a report on each question: the systems of a leaderboard or of a data set of pairs.

    \b
    assay lab reports questions.jsonl --writer alpha=openai/gpt-5-mini --writer beta=openai/gpt-4.1
        --documents 'found/{id}' --context 20000 -o reports.jsonl

    Each report is written as by `assay lab write`. {id} in --documents stands for the id of the question, if each question
    has documents of its own. Reports that are there already are not paid for again, so a run can be continued or extended.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.lab.questions import read_queries

    queries = read_queries(args.queries, field=args.field, limit=args.limit)
    _unique([query.name for query in queries], "two questions have the id")
    writers = _writers(args.writers)
    # All are read before the first request, so that a missing folder stops the run before anything is paid.
    documents = _documents(queries, args)

    async def work(session: AuthorSession) -> int:
        from assay.cli.lab.write import written_report
        from assay.generation.base import AuthorReply

        async def one(item: tuple[Query, str]) -> AuthorReply:
            query, writer = item
            try:
                return await written_report(
                    session,
                    writers[writer],
                    query.text,
                    documents[query.name],
                    language=args.language or query.language,
                    least=args.least,
                )
            except UsageError as error:
                # This pair does not fit into the writer's window; others may.
                return AuthorReply(status="failed", problem=str(error))

        items = list(product(queries, writers))
        replies = await session.each(items, one)
        there = [(item, reply) for item, reply in zip(items, replies, strict=True) if reply is not None]
        return _written(there, writers, documents, args)

    return run_author_session(args, work, models=tuple(writers.values()))


def _written(
    found: Sequence[tuple[tuple[Query, str], AuthorReply]],
    writers: dict[str, str],
    documents: dict[str, list[SourceDocument]],
    args: ReportsArguments,
) -> int:
    from assay.cli.lab.questions import write_json_lines
    from assay.cli.lab.write import report_row
    from assay.present.display import visible
    from assay.text.amounts import plural

    if not found:
        # Everything waits for a batch: keep what an earlier round wrote.
        return 0
    rows: list[dict[str, Any]] = []
    for (query, writer), reply in found:
        language = args.language or query.language
        if reply.status == "ok":
            row = report_row(reply, query.text, documents[query.name], language, writers[writer])
            rows.append({**_properties(query), "id": query.name, "system": writer, **row})
            problems = "; ".join(reply.flaws)
        else:
            problems = f"no report ({reply.status}): {reply.problem}"
        if problems:
            click.echo(visible(f"warning: {query.name}, {writer}: {problems}"), err=True)
    if rows:
        write_json_lines(rows, args.output)
    click.echo(f"{len(rows):,} of {plural(len(found), 'report')} written", err=True)
    return 0 if rows else 3


def _documents(queries: Sequence[Query], args: ReportsArguments) -> dict[str, list[SourceDocument]]:
    """Return the documents of each question, by its id."""
    from assay.cli.lab.write import chosen_documents
    from assay.generation.documents import read_documents

    own = any(_ID in place for place in args.places)
    shared = [] if own else read_documents(args.places)
    return {
        query.name: chosen_documents(
            query.text,
            read_documents([place.replace(_ID, _folder(query)) for place in args.places]) if own else shared,
            args.context,
        )
        for query in queries
    }


def _folder(query: Query) -> str:
    if "/" in query.name or "\\" in query.name or query.name in (".", ".."):
        raise UsageError(
            f"the id {query.name!r} cannot be the name of a folder; rename it, or name --documents without {_ID}"
        )
    return query.name


def _properties(query: Query) -> dict[str, Any]:
    """Return the short plain fields of a question's row, such as its domain."""
    return {
        key: value
        for key, value in query.row.items()
        if key not in _NOT_KEPT and isinstance(value, str | int | float) and len(str(value)) <= _LONGEST
    }


def _writers(given: Sequence[str]) -> dict[str, str]:
    """Return the models of the writers by the names of their systems."""
    found: list[tuple[str, str]] = []
    for item in given:
        name, sign, model = item.partition("=")
        # A model's name may hold "=" after its provider.
        found.append((name.strip(), model.strip()) if sign and "/" not in name else (item, item))
    if any(not name or not model or " | " in name for name, model in found):
        raise UsageError(f"--writer {' '.join(given)}: write NAME=MODEL, such as alpha=openai/gpt-5-mini")
    _unique([name for name, _ in found], "two writers have the name")
    return dict(found)


def _unique(names: Sequence[str], problem: str) -> None:
    double = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if double is not None:
        raise UsageError(f"{problem} {double!r}; rows are told apart by it")
