"""``assay lab write``: a report written by a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import ADVANCED, argument, option
from assay.cli.author_session import AuthorArguments, run_author_session
from assay.cli.commands import command
from assay.cli.options import OutputArguments, query_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.author_session import AuthorSession
    from assay.generation.base import AuthorReply
    from assay.generation.report_writing import SourceDocument


class WriteArguments(AuthorArguments, OutputArguments):
    """What the command line of ``assay lab write`` says."""

    query: str = argument("QUERY|@FILE")
    places: tuple[str, ...] = option(
        "The documents found for the question: Markdown and text files, or rows of id, title, url, text. Repeatable.",
        "DIR|FILE",
        flags="--documents",
    )
    language: Literal["en", "zh"] | None = option(
        "Language of the report. [that of the question]", group=ADVANCED
    )
    least: int | None = option(
        "Smallest length. [3000 words in English, 6000 characters in Chinese]", type=click.IntRange(min=1)
    )
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
    documents = read_documents(args.places)
    chosen: Literal["en", "zh"] = args.language or ("zh" if detect_language(text) == "zh" else "en")

    async def work(session: AuthorSession) -> int:
        from assay.generation.report_writing import (
            LEAST,
            prompt_tokens,
            tokens_needed,
            write_report,
        )

        length = args.least or LEAST[chosen]
        needed = tokens_needed(length, chosen)
        # A model that is asked for a number of words may well write twice as many.
        author = await session.author(max_tokens=2 * needed)
        prompt = prompt_tokens(author, text, documents, language=chosen)
        window = await session.window()
        if window is not None and prompt + needed > window:
            raise UsageError(_too_long(documents, prompt, needed, f"{args.model} reads {window:,} at most"))
        room = None if window is None else window - prompt
        written = await write_report(author, text, documents, language=chosen, least=length, max_tokens=room)
        return _show(written, text, documents, chosen, args.model, form=args.format, output=args.output)

    return run_author_session(args, work)


def _too_long(documents: Sequence[SourceDocument], prompt: int, needed: int, limit: str) -> str:
    """Return a message that says by how much the documents exceed the window, and what to leave out."""
    from assay.models.tokens import estimate_tokens

    sizes = sorted(((estimate_tokens(item.text), item.id) for item in documents), reverse=True)
    largest = ", ".join(f"{name} {size:,}" for size, name in sizes[:3])
    mend = f"leave out some (the largest: {largest})" if sizes else "ask for less (--least)"
    return (
        f"the documents and the question take about {prompt:,} tokens and the report about {needed:,} more, and {limit}; "
        f"{mend}, or use a model with a larger window"
    )


def _show(
    written: AuthorReply,
    query: str,
    documents: Sequence[SourceDocument],
    language: Literal["en", "zh"],
    model: str,
    *,
    form: str,
    output: str | None,
) -> int:
    import msgspec

    from assay.cli.outputs import opened
    from assay.generation.cited_documents import cited_ids
    from assay.generation.report_writing import length_of
    from assay.present.display import visible

    text = written.value or ""
    cited = cited_ids(text, [item.id for item in documents]).known
    length = length_of(text, language)
    if form == "json":
        row = {
            "schema": "assay.written-report/1",
            "query": query,
            "model": model,
            "language": language,
            "status": written.status,
            "report": written.value,
            "length": length,
            "documents": [item.id for item in documents],
            "cited": cited,
            "flaws": written.flaws,
            "problem": written.problem,
            "usage": written.usage,
            "calls": written.calls,
        }
        with opened(output) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(row), indent=2).decode() + "\n")
    elif written.status == "ok":
        with opened(output) as stream:
            stream.write(text + "\n")
    if written.status != "ok":
        click.echo(
            f"assay: no report was written ({written.status}): {visible(written.problem or '')}", err=True
        )
        return 3
    unit = "characters" if language == "zh" else "words"
    if form != "json":
        share = (
            f"{len(cited)} of {len(documents)} documents cited" if documents else "no documents were given"
        )
        click.echo(f"{length:,} {unit}, {share}", err=True)
        for flaw in written.flaws:
            click.echo(f"warning: {visible(flaw)}", err=True)
    return 0
