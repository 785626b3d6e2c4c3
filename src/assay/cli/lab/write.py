"""``assay lab write``: a report written by a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import ADVANCED, Arguments, argument, option
from assay.cli.author_session import AuthorArguments, run_author_session
from assay.cli.commands import command
from assay.cli.options import OutputArguments, query_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.author_session import AuthorSession
    from assay.generation.base import AuthorReply
    from assay.generation.report_writing import SourceDocument


class ReportArguments(Arguments):
    """What the command line says about the reports that are wanted."""

    places: tuple[str, ...] = option(
        "The documents found for the question: Markdown and text files, or rows of id, title, url, text. Repeatable.",
        "DIR|FILE",
        flags="--documents",
    )
    context: int | None = option(
        "Of the documents, only the passages that fit the question best, up to N tokens. [all]",
        "N",
        type=click.IntRange(min=1),
    )
    language: Literal["en", "zh"] | None = option(
        "Language of the report. [that of the question]", group=ADVANCED
    )
    least: int | None = option(
        "Smallest length. [3000 words in English, 6000 characters in Chinese]", type=click.IntRange(min=1)
    )


class WriteArguments(ReportArguments, AuthorArguments, OutputArguments):
    """What the command line of ``assay lab write`` says."""

    query: str = argument("QUERY|@FILE")
    format: Literal["text", "json"]


@command(
    WriteArguments,
    epilog="Exit codes: 0 a report was written; 2 bad usage or input; 3 the model failed or gave no report.",
)
def write(args: WriteArguments) -> int:
    """Have a model write a report on a question from the documents found for it.

    The model is asked for prose in paragraphs of at least four sentences, without lists and tables, and for citations by
    document id: [d2]. Rules check the reply, and the model is asked again with the faults named (--retries); remaining
    faults are reported. This way a benchmark can be built from questions and documents alone.
    """
    from assay.errors import UsageError
    from assay.generation.documents import read_documents
    from assay.text.language import detect_language

    text = (query_text(args.query) or "").strip()
    if not text:
        raise UsageError("the question is empty")
    chosen: Literal["en", "zh"] = args.language or ("zh" if detect_language(text) == "zh" else "en")
    documents = chosen_documents(text, read_documents(args.places), args.context)

    async def work(session: AuthorSession) -> int:
        reply = await written_report(session, args.model, text, documents, language=chosen, least=args.least)
        row = report_row(reply, text, documents, chosen, args.model)
        return _show(reply, row, form=args.format, output=args.output)

    return run_author_session(args, work)


def chosen_documents(
    query: str, documents: Sequence[SourceDocument], tokens: int | None
) -> list[SourceDocument]:
    """Return the documents, cut down to the passages that fit the question best if there is a limit.

    Raises:
        UsageError: No passage has a word of the question, or none is small enough.
    """
    if tokens is None:
        return list(documents)
    from assay.errors import UsageError
    from assay.generation.passages import fitting_passages

    found = fitting_passages(query, documents, tokens)
    if documents and not found:
        raise UsageError(
            f"no passage of the documents fits {query[:60]!r} within {tokens:,} tokens; raise --context, or give other documents"
        )
    return found


async def written_report(
    session: AuthorSession,
    model: str,
    query: str,
    documents: Sequence[SourceDocument],
    *,
    language: Literal["en", "zh"],
    least: int | None,
) -> AuthorReply:
    """Have a model write a report that its window can hold.

    Raises:
        UsageError: Documents and report do not fit into the window.
    """
    from assay.errors import UsageError
    from assay.generation.report_writing import LEAST, prompt_tokens, tokens_needed, write_report

    length = least or LEAST[language]
    needed = tokens_needed(length, language)
    # A model that is asked for a number of words may well write twice as many.
    author = await session.author(model, max_tokens=2 * needed)
    prompt = prompt_tokens(author, query, documents, language=language)
    window = await session.window(model)
    if window is not None and prompt + needed > window:
        raise UsageError(_too_long(documents, prompt, needed, f"{model} reads {window:,} at most"))
    room = None if window is None else window - prompt
    return await write_report(author, query, documents, language=language, least=length, max_tokens=room)


def _too_long(documents: Sequence[SourceDocument], prompt: int, needed: int, limit: str) -> str:
    """Return a message that says by how much the documents exceed the window, and what to leave out."""
    from assay.models.tokens import estimate_tokens

    sizes = sorted(((estimate_tokens(item.text), item.id) for item in documents), reverse=True)
    largest = ", ".join(f"{name} {size:,}" for size, name in sizes[:3])
    mend = (
        f"leave out some (the largest: {largest}) or take passages (--context)"
        if sizes
        else "ask for less (--least)"
    )
    return (
        f"the documents and the question take about {prompt:,} tokens and the report about {needed:,} more, and {limit}; "
        f"{mend}, or use a model with a larger window"
    )


def report_row(
    written: AuthorReply,
    query: str,
    documents: Sequence[SourceDocument],
    language: Literal["en", "zh"],
    model: str,
) -> dict[str, Any]:
    """Return the row of a report that was written, or of the attempt."""
    from assay.generation.cited_documents import cited_ids, with_reference_list
    from assay.generation.report_writing import length_of

    text = written.value or ""
    # The id comes first, so that the source is found again by the name of its file.
    entries = {item.id: f"{item.id}: {item.url}" if item.url else item.id for item in documents}
    return {
        "schema": "assay.written-report/1",
        "query": query,
        "model": model,
        "language": language,
        "status": written.status,
        "report": written.value and with_reference_list(text, entries, chinese=language == "zh"),
        "length": length_of(text, language),
        "documents": [item.id for item in documents],
        "cited": cited_ids(text, [item.id for item in documents]).known,
        "flaws": written.flaws,
        "problem": written.problem,
        "usage": written.usage,
        "calls": written.calls,
    }


def _show(written: AuthorReply, row: dict[str, Any], *, form: str, output: str | None) -> int:
    import msgspec

    from assay.cli.outputs import opened
    from assay.present.display import visible

    if form == "json":
        with opened(output) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(row), indent=2).decode() + "\n")
    elif written.status == "ok":
        with opened(output) as stream:
            stream.write(f"{row['report']}\n")
    if written.status != "ok":
        click.echo(
            f"assay: no report was written ({written.status}): {visible(written.problem or '')}", err=True
        )
        return 3
    if form != "json":
        unit = "characters" if row["language"] == "zh" else "words"
        all_documents = len(row["documents"])
        share = (
            f"{len(row['cited'])} of {all_documents} documents cited"
            if all_documents
            else "no documents were given"
        )
        click.echo(f"{row['length']:,} {unit}, {share}", err=True)
        for flaw in written.flaws:
            click.echo(f"warning: {visible(flaw)}", err=True)
    return 0
