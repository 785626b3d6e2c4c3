"""What a suite is: one published way to score reports – its yardstick, its strategy, its settings – under one name.

SUITE = Suite(
    name="reportlogic",
    title="ReportLogic",
    summary="Pairs compared on eight dimensions of logic, by a rubric written for each pair.",
    source="reportlogic, sections 3 and 4",
    modes=("pair",),
    strategy="logicjudge",
    rubric="reportlogic-instance",
)

A suite that judges as no other does brings its own kind of judge by ``make``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from assay.judges.judge import Judge
from assay.judges.settings import JudgeSettings
from assay.strategies.base import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.judges.rubric_source import RubricSource
    from assay.models.base import Model
    from assay.rubrics.rubric import Rubric
    from assay.strategies.base import Strategy
    from assay.strategies.prompts import Prompts


class SuiteJudge(Protocol):
    """Makes a suite's judge, from what `assay.judges.judge.Judge` is made from."""

    def __call__(  # noqa: D102 - the class says it
        self,
        strategy: Strategy,
        model: Model,
        rubric: Rubric | RubricSource,
        settings: JudgeSettings | None = None,
        prompts: Prompts | None = None,
        *,
        extra: Mapping[str, Any] | None = None,
    ) -> Judge: ...


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """A published way to score reports.

    Attributes:
        name: On the command line.
        title: For people.
        summary: One line.
        source: Paper and sections.
        modes: Whether subjects are scored by themselves, in pairs, or ranked.
        strategy: The usual one.
        rubric: The usual yardstick; empty where the user must bring one.
        settings: The usual ones, of its paper.
        make: Makes its judge.
    """

    name: str
    title: str
    summary: str
    source: str
    modes: tuple[Mode, ...]
    strategy: str
    rubric: str = ""
    settings: JudgeSettings = JudgeSettings()
    make: SuiteJudge = Judge
