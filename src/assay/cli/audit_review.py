"""``assay audit --model``: audits of which a model reads the subject too."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import ADVANCED, JUDGE, option
from assay.cli.author_session import OptionalAuthorArguments, run_author_session
from assay.errors import AssayError, ModelError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assay.audits.result import Audit
    from assay.checks.config import CheckSettings
    from assay.cli.author_session import AuthorSession
    from assay.present.rendering import Rendered
    from assay.subjects.parts import SourceTexts
    from assay.subjects.subject import Subject
    from assay.subjects.trajectory import Trajectory

# Tokens of a reply: twelve faults with quotes and repairs, in Chinese more.
_TOKENS = 8_192


class ReadingArguments(OptionalAuthorArguments):
    """What the command line says about a model that reads what is audited."""

    depth: Literal["quick", "standard", "thorough"] = option(
        "With --model: read the whole only, also part by part, or in smaller parts with a second look at each fault.",
        default="standard",
        group=ADVANCED,
    )
    sceptic: str | None = option(
        "With --model: another model that doubts each fault. [--model]", "MODEL", group=ADVANCED
    )
    dry_run: bool = option(
        "With --model: show calls, tokens and cost, and send nothing.", flags="-n --dry-run", group=JUDGE
    )
    concurrency: int | None = option(
        "With --model: maximum number of calls in flight for each model.",
        "N",
        flags="--concurrency",
        type=click.IntRange(min=1),
        group=ADVANCED,
    )
    ledger: str | None = option(
        "With --model: where calls are kept: a file, postgresql://…, or none. [ASSAY_LEDGER, assay.toml, "
        ".assay/ledger.sqlite]",
        "WHERE",
        group=ADVANCED,
    )


def refuse_reading_options(args: ReadingArguments) -> None:
    """Refuse options of a model without one, rather than ignore them.

    Raises:
        UsageError: Some are given.
    """
    for field in dataclasses.fields(ReadingArguments):
        if field.name not in ("model", "quiet") and getattr(args, field.name) != field.default:
            raise UsageError(f"--{field.name.replace('_', '-')} needs --model; without one, rules audit")


def reviewed(
    args: ReadingArguments,
    audits: Iterable[Audit | AssayError],
    render: Callable[[Audit], Rendered],
    write: Callable[[Iterator[Rendered | AssayError]], None],
    settings: CheckSettings,
    *,
    trajectory: Trajectory | None = None,
    sources: SourceTexts | None = None,
) -> bool:
    """Have a model read what was audited, and write the audits with what it found; return whether some wait for a batch.

    Args:
        args: What the command line says.
        audits: Audits by rule.
        render: Makes the text of one audit.
        write: Writes all of them, in order.
        settings: Which of what the model finds is shown.
        trajectory: The run in which the report was written.
        sources: Texts of the cited sources, which the model reads where rules do not decide.
    """
    found = list(audits)

    async def work(session: AuthorSession) -> int:
        from assay.audits.result import ReportAudit
        from assay.audits.reviewed import with_citations, with_review
        from assay.present.words import split_row
        from assay.reviews.citations import check_citations
        from assay.reviews.reviewing import review
        from assay.subjects.report import Report

        author = await session.author(max_tokens=_TOKENS)
        sceptic = await session.author(args.sceptic, max_tokens=_TOKENS) if args.sceptic else None

        async def one(item: Audit | AssayError) -> Rendered | AssayError:
            if isinstance(item, AssayError):
                return item
            if item.nothing is not None:
                return render(item)
            try:
                read = await review(
                    author, item.subject, sceptic=sceptic, depth=args.depth, trajectory=trajectory
                )
            except AssayError as error:
                # A cap that is reached ends the reading, and what was read before it is written.
                return error
            cited = None
            if sources is not None and isinstance(item.subject, Report):
                cited = await check_citations(item.subject, sources, author)
            if read.failed and set(read.failed) >= set(read.passes):
                return ModelError(f"{item.summary_line().partition(',')[0]} was not read: {read.problems[0]}")
            path = split_row(item.subject.path)[0] if item.subject.path else None
            found = with_review(
                item,
                read,
                codes=settings.reader_codes(path),
                inline=settings.inline,
                min_confidence=settings.min_confidence,
            )
            if cited is not None and isinstance(found, ReportAudit):
                found = with_citations(found, cited)
            return render(found)

        done = await session.each(found, one)
        # What waits for a batch comes in a later round.
        write(item for item in done if item is not None)
        return session.pending

    return run_author_session(args, work, models=(args.sceptic,) if args.sceptic else ()) > 0


def show_plan(
    args: ReadingArguments,
    subjects: Iterable[Subject | AssayError],
    *,
    sources: SourceTexts | None = None,
    trajectory: Trajectory | None = None,
) -> int:
    """Print what reading would take, and return the exit code."""
    from assay.models.prices import cost_of
    from assay.present.numbers import NONE
    from assay.reviews.rehearsal import ReviewPlan, rehearse
    from assay.strategies.prompt_folders import prompt_folders
    from assay.strategies.prompts import Prompts
    from assay.text.amounts import money, tokens

    prompts = Prompts(prompt_folders(args.prompts))
    whole, count = ReviewPlan(), 0
    for subject in subjects:
        if isinstance(subject, AssayError):
            click.echo(f"assay: {subject.cli_message}", err=True)
            continue
        whole += rehearse(subject, prompts, depth=args.depth, sources=sources, trajectory=trajectory)
        count += 1
    cost = cost_of(args.model, None, whole.prompt_tokens, whole.shared_tokens, whole.reply_tokens)
    share = f"{whole.shared_tokens / whole.prompt_tokens:.0%}" if whole.prompt_tokens else "0%"
    click.echo(
        f"{count} subject{'' if count == 1 else 's'}, {args.depth}: at most about {whole.calls:,} calls, "
        f"{tokens(whole.prompt_tokens)} tokens of prompts ({share} of them a beginning that an earlier prompt had), "
        f"{tokens(whole.reply_tokens)} of replies, {NONE if cost is None else money(cost)}\n"
        "if each reading names as many faults as it may; nothing was sent"
    )
    return 0 if count else 2
