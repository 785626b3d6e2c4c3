"""The rubric that is used for each kind of subject if the user names none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assay.judges.units import Granularity
from assay.strategies.base import Strategy
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory

# By kind and granularity. Reports get the eight dimensions that `assay audit` and `assay compare` show too.
DEFAULT_RUBRICS: Final[dict[tuple[type, Granularity], str]] = {
    (Report, "holistic"): "reportlogic",
    (Report, "fine"): "reflect-chunk",
    (Trajectory, "holistic"): "reflect-trajectory",
    (Trajectory, "fine"): "reflect-step",
}


def default_rubric(
    subjects: Sequence[Subject], granularity: Granularity = "holistic", strategy: Strategy | None = None
) -> str:
    """Return the name of the default rubric for the kind of the first subject."""
    return default_rubric_of(type(subjects[0]), granularity, strategy)


def default_rubric_of(
    kind: type, granularity: Granularity = "holistic", strategy: Strategy | None = None
) -> str:
    """Return the name of the default rubric for a kind of subject.

    A prompt of one's own says itself what to look at, so it is asked for one verdict on the whole (``overall``).
    """
    fine = granularity == "fine"
    if strategy is not None and strategy.texts and not fine:
        return "overall"
    return DEFAULT_RUBRICS[kind, "fine" if fine else "holistic"]
