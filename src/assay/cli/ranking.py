"""What ``assay rank`` does: candidates read, put in order, shown, an exit code."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from assay.cli.asking import opened_asking
from assay.cli.judge_options import MODEL_FREE, reference_text, refuse_said, settings_of
from assay.cli.options import columns_for, query_text, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectsAsked, one_question, read_all
from assay.errors import InputError, UsageError
from assay.judges.tournament import ALL_PAIRS
from assay.present.display import Painter
from assay.present.standings import standings_text
from assay.runs.model_free_backend import ModelFreeBackend

if TYPE_CHECKING:
    from assay.judges.ranking import Ranking
    from assay.judges.settings import JudgeSettings
    from assay.subjects.subject import Subject


class RankAsked(SubjectsAsked, frozen=True, kw_only=True):
    """What was asked of ``assay rank``."""

    method: str = "auto"


def run_rank(asked: RankAsked) -> int:
    """Rank, and give the exit code."""
    if asked.judge in MODEL_FREE:
        refuse_said(asked)
        judge = ModelFreeBackend(asked.judge)
        query = query_text(asked.query)
        subjects = _candidates(asked, query)
        _write(asked, asyncio.run(judge.rank(subjects, method=asked.method, query=query)))
        return 0
    return asyncio.run(_rank(asked, settings_of(asked, mode="rank")))


async def _rank(asked: RankAsked, settings: JudgeSettings) -> int:
    query = query_text(asked.query)
    subjects = _candidates(asked, query)
    reference = reference_text(asked.reference)
    async with opened_asking(asked, settings, "rank") as asking:
        maker = await asking.maker(subjects)
        method = asked.method
        if method == "auto":
            method = maker.way(subjects, query=query, reference=reference)
        asking.progress.planned = _planned(method, len(subjects), settings.trials)
        work = maker.rank(
            subjects, method=method, query=query, reference=reference, seen=asking.progress.seen
        )
        found = await asking.watch(work)
        if found is not None:
            _write(asked, found)
        asking.tell()
        return asking.end(none=found is None or all(point is None for point in found.points))


def _candidates(asked: RankAsked, query: str | None) -> list[Subject]:
    """All of them: an order with one missing would be another order."""
    subjects, unread = read_all(asked)
    if unread:
        raise InputError(
            f"{unread} of {unread + len(subjects)} candidates cannot be read, so nothing was ranked"
        )
    if len(subjects) < 2:
        raise UsageError(f"a ranking takes two candidates or more, and there is {len(subjects)}")
    if len({type(item) for item in subjects}) > 1:
        raise UsageError("some are reports and some trajectories; rank what is of a kind")
    one_question(subjects, query)
    return subjects


def _planned(method: str, count: int, trials: int) -> int | None:
    """How many judgments; None where that depends on how they come out."""
    if method == "listwise":
        return trials
    if method == "scores":
        return count * trials
    return count * (count - 1) // 2 * trials if count <= ALL_PAIRS else None


def _write(asked: RankAsked, ranking: Ranking) -> None:
    with opened(asked.output) as stream:
        if asked.format == "json":
            stream.write(msgspec.json.encode(ranking.to_dict()).decode() + "\n")
        else:
            painter = Painter(wants_color(asked.color, stream))
            stream.write(
                standings_text(ranking, painter=painter, columns=columns_for(stream), swap=not asked.no_swap)
            )
