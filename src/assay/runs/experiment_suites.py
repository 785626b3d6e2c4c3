"""Suites in an experiment: which it runs, and what a judge is as one of theirs.

suite: reportlogic
judges: [openai/gpt-5-mini]                  # a model is enough: strategy, rubric and settings are the suite's

suites: [reportlogic, {suite: researchrubrics, rubric: tasks.jsonl}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.decoding import fail
from assay.errors import InputError, UsageError
from assay.judges.settings import JudgeSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.located import LocatedData
    from assay.runs.experiment import JudgeSpec


class SuiteUse(msgspec.Struct, frozen=True):
    """A suite in an experiment: its name, the yardstick it is to have, and where it is named."""

    name: str
    rubric: str = ""
    place: str = ""


def judge_in_suite(spec: JudgeSpec, use: SuiteUse, said: Mapping[str, Any], source: LocatedData) -> JudgeSpec:
    """A judge as one of a suite: what the file does not say is the suite's.

    Args:
        spec: As the file has it; its strategy may be empty.
        use: The suite.
        said: Settings the file gives.
        source: The file, for messages.

    Raises:
        InputError: There is no such suite, or it needs a rubric and none is named.
    """
    from assay.suites.registry import find_suite  # noqa: PLC0415 - loads every suite

    try:
        suite = find_suite(use.name)
    except UsageError as error:
        raise InputError(str(error), where=source.where(use.place)) from error
    rubrics = spec.rubrics or tuple(name for name in (use.rubric or suite.rubric,) if name)
    if not rubrics:
        fail(
            source,
            use.place,
            f"is {suite.name!r}, which scores by criteria of yours",
            "name them: rubric: FILE",
        )
    modes = tuple(mode for mode in spec.modes if mode in suite.modes)
    if not modes:
        fail(
            source,
            spec.place,
            f"is for {', '.join(spec.modes)}, and {suite.name} for {', '.join(suite.modes)}",
        )
    strategy = spec.strategy or suite.strategy
    usual = {
        name: value
        for name, value in msgspec.structs.asdict(suite.settings).items()
        if value != getattr(JudgeSettings(), name)
    }
    return msgspec.structs.replace(
        spec,
        strategy=strategy,
        label=spec.label or f"{strategy}@{spec.model}",
        rubrics=rubrics,
        modes=modes,
        settings=msgspec.convert({**usual, **said}, JudgeSettings),
        suite=suite.name,
    )
