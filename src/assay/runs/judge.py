"""The judge of the Python surface.

judge = assay.Judge("full@openai/gpt-5-mini", rubric="reflect-report", repetitions=3)
judge.score("report.md").scores
judge.compare("a.md", "b.md").preference
judge.rank(["a.md", "b.md", "c.md"]).order

``ascore``, ``acompare`` and ``arank`` are the same methods for ``await``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import msgspec

from assay.errors import UsageError
from assay.judges.context_window import TooLongError
from assay.judges.identity import label_of, name_of
from assay.judges.model_judge import ModelJudge
from assay.judges.ranking import (
    METHODS,
    Ranking,
    ranking_of_judgments,
    ranking_of_scores,
    ranking_of_tournament,
)
from assay.judges.tournament import ALL_PAIRS, tournament
from assay.runs.event_loop_portal import EventLoopPortal, run_sync
from assay.runs.in_order import all_of
from assay.runs.model_free_judges import ModelFreeJudge
from assay.runs.run_settings import RunSettings
from assay.runs.running import OpenRun
from assay.runs.unbound_judge import UnboundJudge
from assay.subjects.case import Case, Mode
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from types import TracebackType

    from assay.judges.case_judge import CaseJudge
    from assay.judges.judgment import Judgment
    from assay.subjects.subject import Subject

    Given = Subject | str | os.PathLike[str]

T = TypeVar("T")
# Maximum candidates shown in one prompt by default.
_LISTWISE: Final = 5


class Judge(UnboundJudge):
    """A judge as a value: it is frozen, and checked when it is made.

    It opens its model for each judgment. Within ``with judge:`` the model stays open; `assay.run` opens all models of
    a run once.

    Args:
        spec: ``STRATEGY@MODEL``, a model alone, ``rules``, ``length``, ``random``, or an ensemble: ``majority(A B C)``.
        strategy: Instead of ``spec``: prompting strategy, by name or as a `Strategy`.
        model: Instead of ``spec``: model, by name, as an object, or a function from a `Request` to a text.
        rubric: Name, path, or `Rubric`; by default what fits the subject.
        settings: All other settings.
        name: Name in results; by default ``STRATEGY@MODEL``.
        prompts: Folders of templates that take precedence over the package's.
        model_settings: Settings of the model.
        suite: Suite whose judge it is: it supplies strategy, rubric and settings that are not given.
        **changes: Single settings, such as ``repetitions=3``; see `JudgeSettings`.

    Raises:
        UsageError: Strategy, model, rubric or a setting is unknown; the message offers the closest name.
        InputError: A file cannot be read.
    """

    async def ascore(
        self, subject: Given, *, query: str | None = None, reference: str | None = None
    ) -> Judgment:
        """Await `score`."""
        return await self._await(self._judged(Case(subject, query=query, reference=reference, mode="score")))

    def score(self, subject: Given, *, query: str | None = None, reference: str | None = None) -> Judgment:
        """Judge one subject by itself.

        Args:
            subject: A report, a trajectory, or the path of one.
            query: Question that it answers, unless it carries its own.
            reference: Reference answer, for strategies that compare with one.

        Raises:
            UsageError: The subject cannot be judged: the judge only compares, the strategy needs a reference, the rubric is
                for other subjects, or the text is longer than the model's window.
            InputError: A file cannot be read.
            EngineError: Nothing can be asked. A call that fails is not an error but the status of the judgment.
        """
        return self._wait(self._judged(Case(subject, query=query, reference=reference, mode="score")))

    async def acompare(
        self, a: Given, b: Given, *, query: str | None = None, reference: str | None = None
    ) -> Judgment:
        """Await `compare`."""
        return await self._await(self._judged(Case(a, b, query=query, reference=reference)))

    def compare(
        self, a: Given, b: Given, *, query: str | None = None, reference: str | None = None
    ) -> Judgment:
        """Judge which of two subjects is better, by default in both orders. Raises the same errors as `score`."""
        return self._wait(self._judged(Case(a, b, query=query, reference=reference)))

    async def arank(
        self,
        subjects: Sequence[Given],
        *,
        method: str = "auto",
        query: str | None = None,
        reference: str | None = None,
    ) -> Ranking:
        """Await `rank`."""
        return await self._await(self._ranked(_candidates(subjects, query, reference), method))

    def rank(
        self,
        subjects: Sequence[Given],
        *,
        method: str = "auto",
        query: str | None = None,
        reference: str | None = None,
    ) -> Ranking:
        """Order several subjects, best first.

        Args:
            subjects: The candidates.
            method: ``listwise`` in one prompt, ``tournament`` by pairs, ``scores`` each by itself; ``auto``:
                listwise for at most five that fit the model's window, otherwise a tournament.
            query: Question that they answer, unless they carry it.
            reference: Reference answer.

        Raises: The same errors as `score`.
        """
        return self._wait(self._ranked(_candidates(subjects, query, reference), method))

    # With its model open

    def __enter__(self) -> Self:
        self._refuse_open()
        object.__setattr__(self, "_opened", (OpenRun(self._run_settings), EventLoopPortal()))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        opened, portal = self._opened or (None, None)
        object.__setattr__(self, "_opened", None)
        if opened is not None and portal is not None:
            portal.call(opened.close())
            portal.close()

    async def __aenter__(self) -> Self:
        self._refuse_open()
        object.__setattr__(self, "_opened", (OpenRun(self._run_settings), None))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        opened, _ = self._opened or (None, None)
        object.__setattr__(self, "_opened", None)
        if opened is not None:
            await opened.close()

    _run_settings: RunSettings = RunSettings(progress=False)
    _opened: tuple[OpenRun, EventLoopPortal | None] | None = None

    def _refuse_open(self) -> None:
        if self._opened is not None:
            raise UsageError("the judge is open already; judge.replace() returns another")

    def _wait(self, work: Callable[[OpenRun], Coroutine[Any, Any, T]]) -> T:
        opened, portal = self._opened or (None, None)
        if opened is None:
            return run_sync(self._within(work))
        if portal is None:
            raise UsageError("the judge is open in `async with`; await its ascore, acompare or arank")
        return portal.call(work(opened))

    async def _await(self, work: Callable[[OpenRun], Coroutine[Any, Any, T]]) -> T:
        opened, portal = self._opened or (None, None)
        if opened is None:
            return await self._within(work)
        return await (work(opened) if portal is None else portal.wait(work(opened)))

    async def _within(self, work: Callable[[OpenRun], Coroutine[Any, Any, T]]) -> T:
        async with OpenRun(self._run_settings) as opened:
            return await work(opened)

    def _judged(self, case: Case) -> Callable[[OpenRun], Coroutine[Any, Any, Judgment]]:
        async def work(opened: OpenRun) -> Judgment:
            judgments = await opened.judgments([case], self)
            if judgments.errors:
                raise judgments.errors[0]
            return judgments[0]

        return work

    def _ranked(self, case: Case, method: str) -> Callable[[OpenRun], Coroutine[Any, Any, Ranking]]:
        ways = ("auto", *METHODS)
        if method not in ways:
            raise UsageError(f"no ranking method is called {method!r}; {did_you_mean(method, ways)}")

        async def work(opened: OpenRun) -> Ranking:
            return await rank_case(opened, await opened.bound(self, case), case, method)

        return work


async def rank_case(opened: OpenRun, judge: CaseJudge, case: Case, method: str = "auto") -> Ranking:
    """Order the subjects of a case by a judge that is bound to a run; see `Judge.rank`.

    Raises:
        UsageError: They cannot be ranked in this way.
        EngineError: The run has ended.
    """
    subjects = case.subjects
    names = [name_of(item, str(number)) for number, item in enumerate(subjects, 1)]
    labels = tuple(map(label_of, subjects, names))

    def part(mode: Mode, *some: Subject) -> Case:
        return Case(*some, query=case.query, reference=case.reference, mode=mode)

    if isinstance(judge, ModelFreeJudge):
        if method == "listwise":
            raise UsageError(
                f"judge {judge.name!r} has no prompt that could hold all candidates;"
                " use method='tournament' or 'scores'"
            )
        way: Any = "scores" if method == "scores" else "tournament"
        if way == "scores":
            judge.check(part("score", subjects[0]))
        ranking = await judge.rank(subjects, method=way, query=case.query)
        return msgspec.structs.replace(ranking, labels=labels)
    if method == "auto":
        method = _way(judge, case)
    if method == "listwise":
        judge.check(case)
        opened.plan([judge.repetitions])
        judgment = await opened.ask(judge, case)
        ranking = ranking_of_judgments(names, judgment.repetitions or (judgment,))
    elif method == "scores":
        cases = [part("score", subject) for subject in subjects]
        for single in cases:
            judge.check(single)
        opened.plan([judge.repetitions * len(cases)])
        scored = await all_of(opened.ask(judge, single) for single in cases)
        ranking = ranking_of_scores(names, [item.repetitions or (item,) for item in scored])
    else:
        # If the longest two fit, all pairs do.
        judge.check(part("compare", *sorted(subjects, key=lambda item: len(item.source))[-2:]))
        count = len(subjects)
        opened.plan([judge.repetitions * count * (count - 1) // 2] if count <= ALL_PAIRS else None)

        async def prefer(a: Subject, b: Subject) -> Judgment:
            return await opened.ask(judge, part("compare", a, b))

        ranking = ranking_of_tournament(names, await tournament(prefer, subjects))
    return msgspec.structs.replace(ranking, labels=labels)


def _way(judge: CaseJudge, case: Case) -> str:
    """Return the method that ranks by default: listwise if the candidates are few and fit the model's window."""
    if "rank" not in judge.modes or "compare" not in judge.modes:
        return next((way for mode, way in (("rank", "listwise"), ("compare", "tournament")) if mode in judge.modes), "scores")  # fmt: skip
    if len(case.subjects) > _LISTWISE:
        return "tournament"
    try:
        if isinstance(judge, ModelJudge):
            judge.check(case)
    except TooLongError:
        return "tournament"
    return "listwise"


def _candidates(subjects: Sequence[Given], query: str | None, reference: str | None) -> Case:
    if isinstance(subjects, str | os.PathLike | Report | Trajectory):
        raise UsageError("rank takes a list of subjects")
    if len(subjects) < 2:
        raise UsageError("a ranking takes two subjects or more")
    return Case(*subjects, query=query, reference=reference, mode="rank")
