"""Judges as evaluations need them: a function from a case to one judgment, with all its repetitions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import msgspec

from assay.judges.callable_judge import CallableJudge
from assay.judges.judgment import Judgment, Preference
from assay.judges.ranking import Ranking
from assay.runs.in_order import one_by_one
from assay.runs.judge import rank_case
from assay.runs.model_free_judges import ModelFreeJudge, RulesJudge
from assay.runs.unbound_judge import UnboundJudge, judge_of
from assay.subjects.case import Case

if TYPE_CHECKING:
    from assay.judges.case_judge import CaseJudge
    from assay.meta.evaluation import Ask
    from assay.runs.running import OpenRun


def evaluated_judge(judge: Any) -> UnboundJudge | CaseJudge:
    """Return what a judge under test stands for: functions are shown pairs in both orders, and the rules judge scores.

    Raises:
        UsageError: It is not a judge, or unknown.
    """
    # Its numbers tell a text from its damaged copy, which is all that is asked here.
    if judge == "rules":
        return RulesJudge(measures=True)
    found: Any = judge_of(judge)
    if isinstance(found, CallableJudge) and found is not judge:
        found = CallableJudge(judge, swap=True)
    elif isinstance(found, UnboundJudge) and found.special is not None:
        found = found.special
    return cast("UnboundJudge | CaseJudge", found)


def ask_judge(bind: Callable[[Case], Awaitable[CaseJudge]], opened: OpenRun) -> Ask:
    """Return any judge; one that only scores compares by scores, and one that cannot rank ranks by scores or pairs.

    Args:
        bind: Returns the judge for a case, with its models open.
        opened: The run that keeps its judgments.
    """

    async def once(case: Case) -> Judgment:
        judge = await bind(case)
        # Rules cost nothing, and what they measure here is not what they say elsewhere.
        return await (judge.judge(case) if isinstance(judge, ModelFreeJudge) else opened.ask(judge, case))

    async def ask(case: Case) -> Judgment:
        judge = await bind(case)
        if case.mode == "rank":
            if isinstance(judge, ModelFreeJudge):
                # A tournament would only repeat the comparisons of pairs.
                return _as_judgment(await judge.rank(case.subjects, method="scores"))
            return _as_judgment(await rank_case(opened, judge, case))
        if case.mode == "compare" and "compare" not in judge.modes:
            one, two = (partial(once, Case(subject, reference=case.reference)) for subject in case.subjects)
            return _difference(*await one_by_one(one, two))
        return await once(case)

    return ask


def _difference(one: Judgment, two: Judgment) -> Judgment:
    """Return a comparison by two scores."""
    a, b = one.overall, two.overall
    usage = one.usage + two.usage
    if a is None or b is None:
        return msgspec.structs.replace(one if a is None else two, scores=None, usage=usage, mode="compare")
    preference: Preference = "A>B" if a > b else "A<B" if a < b else "tie"
    return msgspec.structs.replace(one, scores=None, preference=preference, usage=usage, mode="compare")


def _as_judgment(ranking: Ranking) -> Judgment:
    """Return a ranking as a judgment with the points of each candidate."""
    statuses = [item.status for item in ranking.judgments if item.status != "ok"]
    return msgspec.structs.replace(
        ranking.judgment,
        mode="rank",
        status=statuses[0] if statuses else "ok",
        scores={str(at): value for at, value in enumerate(ranking.points) if value is not None},
        choice=ranking.choice,
        usage=ranking.usage,
    )
