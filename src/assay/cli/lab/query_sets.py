"""``assay lab query expand``, ``dedupe`` and ``split``: the questions of a data set."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.arguments import ADVANCED, Arguments, argument, option
from assay.cli.commands import command
from assay.cli.lab.questions import QuestionArguments, label_each, read_queries, write_json_lines
from assay.cli.outputs import ANY_FILE, OutputPath
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.lab.questions import Query, QueryAnswer
    from assay.present.display import Painter

_SIMILARITY = click.FloatRange(min=0, max=1, min_open=True)
_SHARES = 3


class ExpandArguments(QuestionArguments):
    """What the command line of ``assay lab query expand`` says."""

    variants: int = option("Variants of each question.", "N", default=4, type=click.IntRange(min=1, max=12))


@command(
    ExpandArguments, epilog="Exit codes: 0 done; 2 bad usage or input; 3 the model failed, or wrote nothing."
)
def expand(args: ExpandArguments) -> int:
    """Have a model write variants of questions, to widen a training set.

    Each variant changes one thing, which the row names: scope, setting, perspective, comparison or purpose. Variants that
    repeat their original or each other are left out. -o FILE gets one row for each variant, with its `origin`; `assay lab
    query split` puts such rows into the training part alone, and only if their origin is in it. Check variants with
    `assay lab query suitable`.
    """
    from assay.generation.query_expansion import expand_query

    return label_each(
        args,
        lambda author, item: expand_query(author, item.text, count=args.variants, language=item.language),
        _variant_rows,
        _expansion_text,
    )


class DedupeArguments(Arguments):
    """What the command line of ``assay lab query dedupe`` says."""

    queries: tuple[str, ...] = argument("FILE...")
    field: str | None = option("Field of a row that holds the question. [query, prompt, question]", "NAME")
    against: tuple[str, ...] = option(
        "Also leave out what repeats a question of this file, such as a test set. Repeatable.",
        "FILE",
        type=ANY_FILE,
    )
    threshold: float | None = option(
        "Smallest similarity of near-duplicates. [0.75]", "X", type=_SIMILARITY, group=ADVANCED
    )
    output: str | None = option(
        "Write the questions that stay to this file instead of the terminal, as JSON lines.",
        "PATH",
        flags="-o --output",
        type=OutputPath(),
    )


@command(DedupeArguments)
def dedupe(args: DedupeArguments) -> None:
    """Leave out questions that repeat an earlier one in nearly the same words.

    Similarity is the share of common letter sequences of the content words (Chinese: pairs of characters). Questions that
    differ in a number, a name or a negation both stay; so does a paraphrase in other words. What was left out is listed on
    stderr.
    """
    from assay.generation.query_sets import SAME, near_duplicates
    from assay.present.display import visible
    from assay.text.amounts import plural

    queries = read_queries(args.queries, field=args.field)
    against = [item.text for item in read_queries(args.against, field=args.field)] if args.against else []
    found = near_duplicates([item.text for item in queries], least=args.threshold or SAME, against=against)
    out = {item.index for item in found}
    write_json_lines((item.to_row() for i, item in enumerate(queries) if i not in out), args.output)
    for item in found:
        click.echo(
            visible(f"{item.similarity:.2f}  {queries[item.index].text}\n      repeats: {item.of}"), err=True
        )
    click.echo(
        f"{plural(len(queries), 'question')}: {len(queries) - len(out):,} stay, {len(out):,} left out",
        err=True,
    )


class SplitArguments(Arguments):
    """What the command line of ``assay lab query split`` says."""

    queries: tuple[str, ...] = argument("FILE...")
    field: str | None = option("Field of a row that holds the question. [query, prompt, question]", "NAME")
    shares: str = option("Relative sizes of train, dev and test.", "A,B,C", default="80,10,10")
    seed: int = option("Another seed gives another split.", "N", default=0)
    threshold: float | None = option(
        "Smallest similarity of questions that stay in one part. [0.4]", "X", type=_SIMILARITY, group=ADVANCED
    )
    output: Path = option(
        "Folder for train.jsonl, dev.jsonl and test.jsonl; older ones are replaced.",
        "DIR",
        flags="-o --output",
        type=OutputPath("train.jsonl", "dev.jsonl", "test.jsonl", kind=Path),
        required=True,
    )


@command(SplitArguments)
def split(args: SplitArguments) -> None:
    """Split questions into train, dev and test, so that no question and no near-duplicate is on two sides.

    Similar questions stay together, and so do variants and their `origin`. Variants are for training alone: if their
    origin is in dev or test, they are left out. The split depends on the questions and the seed, not on their order; all
    files of one data set belong into one call.
    """
    from assay.generation.query_sets import PARTS, RELATED, SplitQuery, split_queries
    from assay.text.amounts import plural

    queries = read_queries(args.queries, field=args.field)
    parts = split_queries(
        [SplitQuery(item.text, _origin(item)) for item in queries],
        shares=_shares(args.shares),
        seed=args.seed,
        least=args.threshold or RELATED,
    )
    args.output.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        rows = (item.to_row() for item, mine in zip(queries, parts, strict=True) if mine == part)
        write_json_lines(rows, args.output / f"{part}.jsonl")
    counts = Counter(parts)
    click.echo(
        f"{plural(len(queries), 'question')}: " + ", ".join(f"{counts[part]:,} {part}" for part in PARTS)
    )
    if counts[None]:
        click.echo(f"{plural(counts[None], 'variant')} of dev and test questions left out")
    for part, share in zip(PARTS, _shares(args.shares), strict=True):
        if share and not counts[part]:
            click.echo(f"warning: {part} is empty; there are too few questions that differ", err=True)


def _shares(text: str) -> list[float]:
    try:
        shares = [float(part) for part in text.split(",")]
    except ValueError:
        shares = []
    if len(shares) != _SHARES or not all(0 <= share < float("inf") for share in shares) or not sum(shares):
        raise UsageError(f"--shares {text}: write three numbers, such as 80,10,10")
    return shares


def _origin(query: Query) -> str | None:
    origin = query.row.get("origin")
    if origin is not None and not isinstance(origin, str):
        raise InputError(
            f"the origin of {query.text[:60]!r} is not a text", hint="it is the original question"
        )
    return origin


def _variant_rows(item: QueryAnswer, model: str) -> list[dict[str, Any]]:
    return [
        {
            **item.query.row,
            "schema": "assay.query-variant/1",
            "id": f"{item.query.name}-{number}",
            "query": variant.query,
            "origin": item.query.text,
            "change": variant.change,
            "model": model,
        }
        for number, variant in enumerate(item.answer.variants, 1)
    ]


def _expansion_text(answers: Sequence[Any], *, painter: Painter, columns: int) -> str:
    from assay.present.queries import expansion_text

    return expansion_text(answers, painter=painter, columns=columns)
