"""Suites in an experiment, and what a judge becomes in one of them.

suite: reportlogic
judges: [openai/gpt-5-mini]                  # a model suffices: strategy, rubric and settings come from the suite

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
    """A suite in an experiment: its name, the rubric it is given, and its place in the file."""

    name: str
    rubric: str = ""
    place: str = ""


def judge_in_suite(
    spec: JudgeSpec, use: SuiteUse, given: Mapping[str, Any], source: LocatedData
) -> JudgeSpec:
    """Return a judge as one of a suite, which supplies what the file leaves open.

    Args:
        spec: The judge of the file; its strategy may be empty.
        use: The suite.
        given: Settings in the file.
        source: The file, for messages.

    Raises:
        InputError: The suite is unknown, or needs a rubric that is not named.
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
            f"is {suite.name!r}, which needs a rubric of yours",
            "name one: rubric: FILE",
        )
    modes = tuple(mode for mode in spec.modes if mode in suite.modes)
    if not modes:
        fail(
            source,
            spec.place,
            f"is for {', '.join(spec.modes)}, but {suite.name} is for {', '.join(suite.modes)}",
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
        settings=msgspec.convert({**usual, **given}, JudgeSettings),
        suite=suite.name,
    )
