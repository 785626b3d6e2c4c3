"""Judging from Python.

    with open_judge("comparative@openai/gpt-5-mini", rubric="reflect-report") as judge:
        judgment = judge.score("report.md", reference=text)
        judgment = judge.compare(Report.read("a.md"), Report.read("b.md"))
        ranking = judge.rank(["a.md", "b.md", "c.md"])

``ascore``, ``acompare`` and ``arank`` are the same methods for ``await``. Both kinds work everywhere, notebooks
included. Calls and judgments are kept in the ledger, so answers you already have are never paid for again.
"""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypedDict, TypeVar, Unpack

import msgspec

from assay.errors import InputError, UsageError
from assay.judges.judgment import Judgment
from assay.judges.ranking import METHODS, Ranking
from assay.judges.repetitions import Repetitions
from assay.judges.settings import MODEL_FREE, JudgeSettings, checked_settings, split_judge
from assay.judges.units import Granularity
from assay.rubrics.rubric import Rubric
from assay.runs.budget import Budget
from assay.runs.event_loop_portal import EventLoopPortal
from assay.runs.model_backend import ModelBackend
from assay.runs.model_free_backend import ModelFreeBackend, refuse_scores
from assay.runs.rubric_lookup import find_rubric
from assay.strategies.registry import find_strategy
from assay.subjects.reading import read_subjects
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from types import TracebackType

    from assay.models.settings import ModelSettings
    from assay.runs.ledger import Ledger

T = TypeVar("T")
# A subject, the path of one, or a text.
Given = Subject | str | os.PathLike[str]

# One line that ends like a file name, or that contains folders.
_FILE_NAME: Final = re.compile(r".*\.[A-Za-z][A-Za-z0-9]{0,7}|\S*[/\\]\S*")
_LONGEST_NAME: Final = 300


class JudgeSettingChanges(TypedDict, total=False):
    """Settings of a judge as keywords; see `assay.judges.settings.JudgeSettings`."""

    granularity: Granularity
    chunk_chars: int | None
    per_call: int | None
    swap: bool
    language: Literal["auto", "en", "zh"]
    temperature: float | None
    top_p: float | None
    max_tokens: int
    seed: int | None
    structured: bool
    retries: int
    trials: int
    early_stop: bool
    reasoning_effort: str | None
    generator: str | None
    options: dict[str, Any]


def open_judge(
    name: str,
    *,
    rubric: str | Path | Rubric | None = None,
    settings: JudgeSettings | None = None,
    ledger: str | Path | Ledger | None = "auto",
    fresh: bool = False,
    budget: Budget | None = None,
    prompts: Sequence[str | Path] = (),
    overrides: ModelSettings | None = None,
    **changes: Unpack[JudgeSettingChanges],
) -> BoundJudge:
    """Return a judge, ready for use.

    Args:
        name: ``STRATEGY@MODEL``, a model alone, a prompt file with a model (``./strict.jinja@openai/gpt-5-mini``), or
            ``rules``, ``length`` or ``random``, which need no model.
        rubric: Name, file, or `Rubric`. By default what fits the subject: ``reportlogic`` for reports,
            ``reflect-trajectory`` for trajectories, ``reflect-chunk`` and ``reflect-step`` for their parts.
        settings: All other settings.
        ledger: Where calls and judgments are kept: a path, an address, or an open ledger. ``auto`` takes
            ``ASSAY_LEDGER``, the settings file, or ``.assay/ledger.sqlite``, as on the command line. None keeps
            nothing.
        fresh: Whether to ask again what the ledger has.
        budget: Caps on spending.
        prompts: Folders of templates that take precedence over the package's.
        overrides: Settings of the model that win over file and variables.
        **changes: Single settings, such as ``trials=5``; they win over ``settings``.

    Raises:
        UsageError: The judge, rubric or setting is unknown; the message offers the closest name.
        InputError: A file cannot be read.
    """
    _refuse_unknown(changes)
    name = name.strip()
    if name in MODEL_FREE:
        if rubric is not None or settings is not None or changes:
            raise UsageError(f"judge {name!r} asks no model; it takes neither a rubric nor settings")
        return BoundJudge(ModelFreeBackend(name))
    # Mistakes are reported here and not at the first judgment.
    named = split_judge(name)
    find_strategy(named.strategy)
    backend = ModelBackend(
        name,
        named.model,
        rubric=find_rubric(rubric) if isinstance(rubric, str | Path) else rubric,
        settings=checked_settings(msgspec.structs.replace(settings or JudgeSettings(), **changes)),
        ledger=ledger,
        fresh=fresh,
        budget=budget,
        prompts=prompts,
        overrides=overrides,
    )
    return BoundJudge(backend)


class BoundJudge:
    """A judge in use, made by `open_judge`. Close it, or use it in a ``with`` statement.

    Subjects are given as a `Report`, a `Trajectory`, the path of one, or a text. Several repetitions (``trials=5``)
    are combined: their mean scores, their most frequent preference. `trials` returns each of them.
    """

    def __init__(self, backend: ModelBackend | ModelFreeBackend) -> None:
        self._backend = backend
        self._portal = EventLoopPortal()
        # Notebooks tend not to close; connections and ledger are released anyway.
        self._end = weakref.finalize(self, _close, self._portal, backend)

    @property
    def name(self) -> str:
        """``STRATEGY@MODEL``, or ``rules``, ``length``, ``random``."""
        return self._backend.name

    def __repr__(self) -> str:
        return f"<judge {self.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def close(self) -> None:
        """Release connections and ledger."""
        self._end()

    async def aclose(self) -> None:
        """Release connections and ledger without blocking other coroutines."""
        if self._end.detach() is not None:
            if self._portal.used:
                await self._portal.wait(self._backend.close())
            self._portal.close()

    def score(self, subject: Given, *, query: str | None = None, reference: str | None = None) -> Judgment:
        """Judge one subject by itself.

        Args:
            subject: The subject.
            query: Question that it answers, unless it carries its own.
            reference: Reference answer, for strategies that compare with one.

        Raises:
            UsageError: The subject cannot be judged: the judge is ``rules``, which only compares; the strategy needs a
                reference, the rubric is for other subjects, or the text is longer than the model's window.
            InputError: A file cannot be read.
            EngineError: The ledger failed, or a budget is used up. A failed call is not an error but the status of
                the judgment.
        """
        return self.trials(subject, query=query, reference=reference).judgment

    async def ascore(
        self, subject: Given, *, query: str | None = None, reference: str | None = None
    ) -> Judgment:
        """Await `score`."""
        return (await self.atrials(subject, query=query, reference=reference)).judgment

    def compare(
        self, a: Given, b: Given, *, query: str | None = None, reference: str | None = None
    ) -> Judgment:
        """Judge which of two subjects is better, shown in both orders. Raises the same errors as `score`."""
        return self.trials(a, b, query=query, reference=reference).judgment

    async def acompare(
        self, a: Given, b: Given, *, query: str | None = None, reference: str | None = None
    ) -> Judgment:
        """Await `compare`."""
        return (await self.atrials(a, b, query=query, reference=reference)).judgment

    def trials(self, *subjects: Given, query: str | None = None, reference: str | None = None) -> Repetitions:
        """Return every repetition of one score or one comparison. Raises the same errors as `score`."""
        return self._portal.call(self._trials(subjects, query, reference))

    async def atrials(
        self, *subjects: Given, query: str | None = None, reference: str | None = None
    ) -> Repetitions:
        """Await `trials`."""
        return await self._portal.wait(self._trials(subjects, query, reference))

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
        return self._portal.call(self._rank(subjects, method, query, reference))

    async def arank(
        self,
        subjects: Sequence[Given],
        *,
        method: str = "auto",
        query: str | None = None,
        reference: str | None = None,
    ) -> Ranking:
        """Await `rank`."""
        return await self._portal.wait(self._rank(subjects, method, query, reference))

    async def _trials(self, given: Sequence[Given], query: str | None, reference: str | None) -> Repetitions:
        if len(given) not in (1, 2):
            raise UsageError(f"trials takes one subject or two, not {len(given)}; use rank for more")
        if len(given) == 1:
            refuse_scores(self.name)
        subjects = [subject_of(item) for item in given]
        return await self._backend.trials(subjects, query=query, reference=reference)

    async def _rank(
        self, given: Sequence[Given], method: str, query: str | None, reference: str | None
    ) -> Ranking:
        if isinstance(given, str | os.PathLike | Report | Trajectory):
            raise UsageError("rank takes a list of subjects")
        if len(given) < 2:
            raise UsageError("a ranking takes two subjects or more")
        if method not in ("auto", *METHODS):
            raise UsageError(
                f"no ranking method is called {method!r}; {did_you_mean(method, ('auto', *METHODS))}"
            )
        if method == "scores":
            refuse_scores(self.name)
        subjects = [subject_of(item) for item in given]
        return await self._backend.rank(subjects, method=method, query=query, reference=reference)


def subject_of(given: Given) -> Subject:
    """Return the subject that an argument denotes: itself, the contents of a file, or a text as a report.

    A string is a path if the file exists; a string that looks like a path is never judged as a text.

    Raises:
        InputError: A file is missing, cannot be read, or holds several subjects.
        UsageError: The argument is none of these.
    """
    if isinstance(given, Report | Trajectory):
        return given
    if not isinstance(given, str | os.PathLike):
        raise UsageError(
            f"a subject is a Report, a Trajectory, the path of one, or a text, not {type(given).__name__}"
        )
    if isinstance(given, str):
        name = given.strip()
        short = 0 < len(name) <= _LONGEST_NAME and "\n" not in name and "\0" not in name
        if not (short and (Path(given).is_file() or _FILE_NAME.fullmatch(name))):
            if not name:
                raise InputError("there is nothing to judge: the text is empty")
            return Report(given)
        if not Path(given).exists():
            raise InputError(
                "there is no such file", where=given, hint="Report(text) makes a report of a text"
            )
    only: Subject | None = None
    for subject in read_subjects(given):
        if isinstance(subject, InputError):
            raise subject
        if only is not None:
            raise InputError(
                "more than one subject", where=os.fspath(given), hint="assay.read reads them all"
            )
        only = subject
    if only is None:
        raise InputError("nothing to read", where=os.fspath(given))
    return only


def _close(portal: EventLoopPortal, backend: ModelBackend | ModelFreeBackend) -> None:
    if portal.used:
        portal.call(backend.close())
    portal.close()


def _refuse_unknown(changes: Any) -> None:
    known = JudgeSettings.__struct_fields__
    for key in changes:
        if key not in known:
            raise UsageError(f"a judge has no setting {key!r}; {did_you_mean(key, known)}")
