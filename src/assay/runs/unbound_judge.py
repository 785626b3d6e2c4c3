"""Judges as values: what they are made of, before a run opens their models."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias, cast

import msgspec

from assay.errors import UsageError
from assay.given import require
from assay.judges.callable_judge import CallableJudge
from assay.judges.default_rubrics import default_rubric
from assay.judges.ensemble import split_ensemble
from assay.judges.ensemble_judge import EnsembleJudge
from assay.judges.model_judge import ModelJudge
from assay.judges.settings import MODEL_FREE, JudgeSettings, check_options, checked_settings, split_judge
from assay.models.function_model import FunctionModel
from assay.models.settings import ModelSettings
from assay.runs.event_loop_portal import run_sync
from assay.runs.model_free_judges import model_free_judge
from assay.runs.rubric_lookup import find_rubric
from assay.runs.session import Session
from assay.strategies.base import Strategy
from assay.strategies.prompt_folders import prompt_folders
from assay.strategies.prompts import Prompts
from assay.strategies.registry import find_strategy
from assay.subjects.case import Case
from assay.subjects.report import Report
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.judges.case_judge import CaseJudge
    from assay.models.base import Model
    from assay.models.function_model import ModelFunction
    from assay.runs.rubric_lookup import AnyRubric
    from assay.suites.base import Suite


class SupportsScore(Protocol):
    """An object that scores a subject: returns a number, numbers by name, a `Judgment`, or None to abstain."""

    def score(self, subject: Any) -> Any:
        """Score a subject; may be a coroutine function."""
        ...


class SupportsCompare(Protocol):
    """An object that compares two subjects: returns a preference, a margin, a `Judgment`, or None to abstain."""

    def compare(self, a: Any, b: Any) -> Any:
        """Compare two subjects; may be a coroutine function."""
        ...


class SupportsRank(Protocol):
    """An object that ranks subjects: returns their indices, best first."""

    def rank(self, subjects: Sequence[Any]) -> Any:
        """Rank subjects; may be a coroutine function."""
        ...


# Whatever a judge may be given as.
JudgeLike: TypeAlias = (
    "str | UnboundJudge | CaseJudge | SupportsScore | SupportsCompare | SupportsRank | Callable[..., Any]"
    " | Mapping[str, Any]"
)

_HINT: Final = "assay.run takes functions and objects as judges"
_PARTS: Final = ("spec", "strategy", "model", "rubric", "settings", "name", "prompts", "model_settings")


class UnboundJudge:
    """The parts of a judge. Frozen; see `assay.runs.judge.Judge`, which adds what it can do."""

    spec: str | None
    strategy: Strategy | None
    model: str | Model | None
    rubric: AnyRubric | None
    settings: JudgeSettings
    prompts: tuple[str | Path, ...]
    model_settings: ModelSettings | None

    def __init__(
        self,
        spec: str | None = None,
        /,
        *,
        strategy: str | Strategy | None = None,
        model: str | Model | ModelFunction | None = None,
        rubric: str | PathLike[str] | AnyRubric | None = None,
        settings: JudgeSettings | None = None,
        name: str | None = None,
        prompts: Sequence[str | Path] = (),
        model_settings: ModelSettings | None = None,
        suite: str | None = None,
        **changes: Any,
    ) -> None:
        require(
            spec,
            (str, type(None)),
            "a judge is named by a text such as 'direct@openai/gpt-5-mini'",
            hint=_HINT,
        )
        require(settings, (JudgeSettings, type(None)), "settings= is JudgeSettings")
        require(model_settings, (ModelSettings, type(None)), "model_settings= is ModelSettings")
        require(strategy, (str, Strategy, type(None)), "strategy= is a name or a Strategy")
        if not hasattr(rubric, "name"):
            require(
                rubric, (str, PathLike, type(None)), "rubric= is a Rubric, a name or a path", hint="Rubric.of"
            )
        given = {"strategy": strategy, "model": model, "rubric": rubric, "settings": settings, **changes}
        self._given: dict[str, Any]
        put = object.__setattr__
        own = {"name": name, "prompts": prompts, "model_settings": model_settings, "suite": suite}
        put(self, "_given", {**given, **own})
        put(self, "_of_suite", None if suite is None else _suite(suite))
        put(self, "spec", spec.strip() if isinstance(spec, str) else spec)
        put(self, "prompts", prompt_folders(prompts))
        put(self, "model_settings", model_settings)
        put(self, "_label", name)
        put(self, "special", self._special(given))
        usual = None if self._of_suite is None else self._of_suite.settings
        put(self, "settings", _settings(settings or usual, changes))
        if self.special is not None:
            put(self, "strategy", None)
            put(self, "model", None)
            put(self, "rubric", None)
            return
        if self.spec is not None:
            if strategy is not None or model is not None:
                raise UsageError(
                    f"{self.spec!r} names strategy and model already; leave out strategy=, model="
                )
            named = split_judge(
                self.spec, usual="direct" if self._of_suite is None else self._of_suite.strategy
            )
            strategy, model = named[0], named[1]
            put(self, "_label", name or getattr(named, "given", None) or None)
        if model is None:
            raise UsageError(
                'a judge needs a model: Judge("full@openai/gpt-5-mini"), or Judge(strategy=…, model=…)'
            )
        put(
            self,
            "strategy",
            strategy
            if isinstance(strategy, Strategy)
            else find_strategy(strategy or ("direct" if self._of_suite is None else self._of_suite.strategy)),
        )
        if self._of_suite is not None:
            rubric = rubric or self._of_suite.rubric
            if not rubric:
                raise UsageError(
                    f"suite {self._of_suite.name} has no rubric of its own; give it one: rubric=FILE"
                )
        put(self, "model", _model(model, model_settings))
        put(self, "rubric", find_rubric(_path(rubric)) if isinstance(rubric, str | PathLike) else rubric)
        assert self.strategy is not None
        more = {} if self._of_suite is None else self._of_suite.options
        known = msgspec.structs.replace(self.strategy, options={**self.strategy.options, **more})
        check_options(known, self.settings.options)

    _of_suite: Suite | None
    special: CaseJudge | None

    def _special(self, given: Mapping[str, Any]) -> CaseJudge | None:
        """Return the judge if it is one without settings of its own: rules, length, random, or an ensemble."""
        judge: Any = model_free_judge(self.spec or "", self._of_suite)
        if judge is None and self.spec is not None and (split := split_ensemble(self.spec)) is not None:
            rule, members = split
            judge = EnsembleJudge([UnboundJudge(item) for item in members], rule, name=self._label)
        if judge is not None and any(value is not None for value in given.values()):
            kind = "asks no model" if self.spec in MODEL_FREE else "is an ensemble"
            raise UsageError(f"judge {self.spec!r} {kind}; it takes neither a rubric nor settings")
        return cast("CaseJudge | None", judge)

    _label: str | None

    @property
    def name(self) -> str:
        """Its name in results: the given one, or ``STRATEGY@MODEL``."""
        if self._label is not None:
            return self._label
        if self.special is not None:
            return self.special.name
        assert self.strategy is not None
        return f"{self.strategy.name}@{_model_name(self.model)}"

    @cached_property
    def version(self) -> str | None:
        """Hash of everything that can change its judgments; without a rubric, as it judges a report."""
        return run_sync(self._version())

    async def _version(self) -> str | None:
        async with Session(connect=False) as session:
            return (await self._bind(session, Case(Report("")))).version

    async def _bind(self, session: Session, case: Case) -> CaseJudge:
        """Return the judge that judges this case, with its model open in a session."""
        if self.special is not None:
            return await bind_judge(self.special, session, case)
        assert self.strategy is not None
        assert self.model is not None
        usual = default_rubric(case.subjects, self.settings.granularity, self.strategy)
        return await session.bind(
            self.strategy,
            self.model,
            find_rubric(usual) if self.rubric is None else self.rubric,
            self.settings,
            name=self._label or (self.name if isinstance(self.model, FunctionModel) else None),
            make=ModelJudge if self._of_suite is None else self._of_suite.make,
            prompts=Prompts(self.prompts) if self.prompts else None,
            overrides=self.model_settings,
        )

    def replace(self, **changes: Any) -> Self:
        """Return the judge with other parts or settings."""
        kept = {key: value for key, value in self._given.items() if value is not None}
        spec = None if {"strategy", "model"} & set(changes) else self.spec
        if spec is None and self.spec is not None:
            kept |= {"strategy": self.strategy, "model": self.model}
        return type(self)(spec, **{**kept, **changes})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a judge is frozen; judge.replace({name}=…) returns another")

    def __repr__(self) -> str:
        parts = [repr(self.spec or self.name)]
        if self._of_suite is not None:
            parts.append(f"suite={self._of_suite.name!r}")
        if self.rubric is not None and (self._of_suite is None or self.rubric.name != self._of_suite.rubric):
            parts.append(f"rubric={self.rubric.name!r}")
        if self.spec is not None and self._label is not None:
            parts.append(f"name={self._label!r}")
        usual = JudgeSettings() if self._of_suite is None else self._of_suite.settings
        for field in JudgeSettings.__struct_fields__:
            value = getattr(self.settings, field)
            if value != getattr(usual, field):
                parts.append(f"{field}={value!r}")
        return f"Judge({', '.join(parts)})"


def judge_of(judge: JudgeLike, *, raises: bool = False) -> UnboundJudge | CaseJudge:
    """Return what a name, a mapping, a judge, a function or an object with methods stands for.

    Args:
        judge: The judge. A mapping has the arguments of `Judge`, or ``ensemble`` (the rule) and ``judges``.
        raises: Whether exceptions of functions are raised, instead of making failed judgments.

    Raises:
        UsageError: It is none of these, or names something unknown.
    """
    found: Any = judge
    if isinstance(judge, str):
        found = UnboundJudge(judge)
    elif isinstance(judge, Mapping):
        parts = dict(judge)
        if "ensemble" in parts:
            members = [judge_of(item, raises=raises) for item in parts.pop("judges", ())]
            return EnsembleJudge(members, parts.pop("ensemble"), name=parts.pop("name", None))
        found = UnboundJudge(parts.pop("judge", None), **parts)
    elif not isinstance(judge, UnboundJudge | EnsembleJudge) and not _is_case_judge(judge):
        found = CallableJudge(judge, raises=raises)
    return cast("UnboundJudge | CaseJudge", found)


async def bind_judge(judge: UnboundJudge | CaseJudge, session: Session, case: Case) -> CaseJudge:
    """Return a judge with all its models open in a session, as it judges this case."""
    if isinstance(judge, UnboundJudge):
        return await judge._bind(session, case)  # noqa: SLF001 - of this module
    if isinstance(judge, EnsembleJudge):
        members = [await bind_judge(judge_of(item), session, case) for item in judge.judges]
        return EnsembleJudge(members, judge.rule, name=judge.name)
    found: Any = judge
    if isinstance(found, CallableJudge):
        found.limit = session.limit
    return judge


def _is_case_judge(judge: Any) -> bool:
    return all(hasattr(judge, name) for name in ("judge", "check", "key", "modes", "repetitions"))


def _settings(settings: JudgeSettings | None, changes: Mapping[str, Any]) -> JudgeSettings:
    known = JudgeSettings.__struct_fields__
    if "trials" in changes:
        from assay.deprecated import renamed_settings  # noqa: PLC0415 - only for the old name

        changes = renamed_settings(changes)
    for key in changes:
        if key not in known:
            raise UsageError(f"a judge has no setting {key!r}; {did_you_mean(key, known)}")
    return checked_settings(msgspec.structs.replace(settings or JudgeSettings(), **changes))


def _model(model: str | Model | ModelFunction, settings: ModelSettings | None) -> str | Model:
    if isinstance(model, str):
        from assay.models.registry import settings_of  # noqa: PLC0415 - with the models

        settings_of(model, overrides=settings)
        return model
    if hasattr(model, "complete"):
        return cast("Model", model)
    function: Any = model
    if callable(function) and not inspect.isclass(function):
        return FunctionModel(function)
    raise UsageError(
        f"a model is a name such as openai/gpt-5-mini, a Model, or a function from a Request to a text,"
        f" not {type(model).__name__}"
    )


def _model_name(model: str | Model | None) -> str:
    if isinstance(model, FunctionModel):
        return model.name
    return model if isinstance(model, str) else "" if model is None else model.id


def _suite(name: str) -> Suite:
    from assay.suites.registry import find_suite  # noqa: PLC0415 - loads every suite

    return find_suite(name)


def _path(rubric: str | PathLike[str]) -> str | Path:
    return rubric if isinstance(rubric, str) else Path(rubric)
