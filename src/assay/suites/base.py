"""A suite: one published way to score reports, with its rubric, strategy and settings, under one name.

SUITE = Suite(
    name="reportlogic",
    title="ReportLogic",
    summary="Pairs compared on eight dimensions of logic, by a rubric written for each pair.",
    source="reportlogic, sections 3 and 4",
    modes=("compare",),
    strategy="logicjudge",
    rubric="reportlogic-instance",
)

A suite with a judge of its own kind provides it as ``make``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from assay.judges.model_judge import ModelJudge
from assay.judges.settings import JudgeSettings
from assay.subjects.case import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assay.judges.case_judge import CaseJudge
    from assay.judges.rubric_source import RubricSource
    from assay.models.base import Model
    from assay.rubrics.rubric import Rubric
    from assay.strategies.base import Strategy
    from assay.strategies.prompts import Prompts


class SuiteJudge(Protocol):
    """Makes a suite's judge from the arguments of `assay.judges.model_judge.ModelJudge`."""

    def __call__(  # noqa: D102 - the class says it
        self,
        strategy: Strategy,
        model: Model,
        rubric: Rubric | RubricSource,
        settings: JudgeSettings | None = None,
        prompts: Prompts | None = None,
        *,
        extra: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> ModelJudge: ...


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """A published way to score reports.

    Attributes:
        name: Name on the command line.
        title: Title for people.
        summary: Summary in one line.
        source: Paper and sections.
        modes: Whether subjects are scored singly, compared in pairs, or ranked.
        strategy: Default prompting strategy.
        rubric: Default rubric; empty if the user must provide one.
        settings: Settings of the paper.
        options: Options of its judge besides those of the strategy, with their defaults.
        make: Constructor of its judge.
        by_rules: Constructor of its judge without a model, ``rules``, if it has one.
    """

    name: str
    title: str
    summary: str
    source: str
    modes: tuple[Mode, ...]
    strategy: str
    rubric: str = ""
    settings: JudgeSettings = JudgeSettings()
    options: Mapping[str, Any] = {}
    make: SuiteJudge = ModelJudge
    by_rules: Callable[[], CaseJudge] | None = None
