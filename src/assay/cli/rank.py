"""``assay rank``: several subjects put in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import ADVANCED, option
from assay.cli.commands import command
from assay.cli.judge_options import (
    MODEL_FREE,
    PairwiseArguments,
    refuse_model_options,
    settings_of,
)
from assay.cli.options import columns_for, query_text, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectArguments, one_question, read_all
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.judges.ranking import Ranking
    from assay.judges.settings import JudgeSettings
    from assay.subjects.subject import Subject


class RankArguments(SubjectArguments, PairwiseArguments):
    """What the command line of ``assay rank`` says."""

    method: Literal["auto", "listwise", "tournament", "scores"] = option(
        "How to rank. listwise: all in one prompt; tournament: by pairs; scores: each by itself; auto: listwise for up to "
        "five subjects that fit the model's context window, else a tournament.",
        default="auto",
    )
    anyway: bool = option(
        "With --judge rules: rank also reports whose citation marks were not understood.", group=ADVANCED
    )
    limit: int | None = option("Rank only the first N subjects.", "N", type=click.IntRange(min=2))
    format: Literal["text", "json"]


@command(
    RankArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 no verdict at all, a cap was reached, or something Assay relies on "
    "failed; 130 interrupted. What was finished is kept, and the same command continues from there.",
)
def rank(args: RankArguments) -> int:
    """Put the subjects in FILE... in order, best first. All are reports, or all trajectories, that answer one question.

    \b
    assay rank a.md b.md c.md --judge full@openai/gpt-5-mini
    assay rank answers/ --judge direct@vllm/my-model --method scores
    assay rank drafts/ --judge rules                            no model; not an order of quality

    In a listwise ranking the model sees the candidates in both orders. In a tournament of up to eight, all meet each
    other, each pair in both orders; larger ones are sorted with about n·log n comparisons.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    from assay.judges.readability import refuse_unreadable, unreadable_systems
    from assay.runs.judge import Judge

    if args.anyway and args.judge != "rules":
        raise UsageError("--anyway is for --judge rules")
    if args.judge in MODEL_FREE:
        refuse_model_options(args)
        query = query_text(args.query)
        subjects = _candidates(args, query)
        if args.judge == "rules" and not args.anyway:
            refuse_unreadable(unreadable_systems(subjects))
        _write(args, Judge(args.judge).rank(subjects, method=args.method, query=query))
        return 0
    return asyncio.run(_rank(args, settings_of(args, mode="rank")))


async def _rank(args: RankArguments, settings: JudgeSettings) -> int:
    from assay.cli.judge_session import open_judge_session
    from assay.runs.judge import rank_case
    from assay.subjects.case import Case
    from assay.subjects.reference_answers import ReferenceAnswers

    query = query_text(args.query)
    subjects = _candidates(args, query)
    reference = ReferenceAnswers.read(args.reference).shared(subjects)
    case = Case(*subjects, query=query, reference=reference, mode="rank")
    async with open_judge_session(args, "rank") as session:
        judge = await session.bound(session.judge(args.judge, settings), case)
        found = await session.watch(rank_case(session.run, judge, case, args.method))
        if found is not None:
            _write(args, found)
        session.report_usage()
        return session.exit_code(none=found is None or all(point is None for point in found.points))


def _candidates(args: RankArguments, query: str | None) -> list[Subject]:
    """Return all candidates; refuse to rank if one cannot be read, as that would change the order."""
    subjects, unread = read_all(args)
    if unread:
        raise InputError(
            f"{unread} of {unread + len(subjects)} candidates cannot be read, so nothing was ranked"
        )
    if len(subjects) < 2:
        raise UsageError(f"a ranking takes at least two candidates, and the input has {len(subjects)}")
    if len({type(item) for item in subjects}) > 1:
        raise UsageError("some are reports and some trajectories; rank only one kind")
    one_question(subjects, query)
    return subjects


def _write(args: RankArguments, ranking: Ranking) -> None:
    import msgspec

    from assay.present.display import Painter
    from assay.present.standings import standings_text

    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(msgspec.json.encode(ranking.to_dict()).decode() + "\n")
        else:
            painter = Painter(wants_color(args.color, stream))
            stream.write(
                standings_text(ranking, painter=painter, columns=columns_for(stream), swap=not args.no_swap)
            )
