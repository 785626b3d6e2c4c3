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
    (Report, "fine"): "reflect-report",
    (Trajectory, "holistic"): "trajectory",
    (Trajectory, "fine"): "trajectory",
}
# Planted in a report, failures of REFLECT's taxonomy need its dimensions: the eight of ReportLogic judge the argument
# alone, not whether facts and citations are right. Attacks are ReportLogic's own.
_PLANTED: Final[dict[str, str]] = {"failure": "reflect-report"}


def default_rubric(
    subjects: Sequence[Subject], granularity: Granularity = "holistic", strategy: Strategy | None = None
) -> str:
    """Return the name of the default rubric for the kind of the first subject."""
    return default_rubric_of(type(subjects[0]), granularity, strategy)


def rubric_for_planted(
    kind: type, planted: str, granularity: Granularity = "holistic", strategy: Strategy | None = None
) -> str:
    """Return the name of the rubric that fits what was planted.

    Args:
        kind: Kind of the subject.
        planted: Kind of the instance: ``failure``, ``targeted``, ``bias`` or ``manipulation``.
        granularity: Whether the whole is judged or the part with the failure.
        strategy: Strategy of the judge.
    """
    usual = default_rubric_of(kind, granularity, strategy)
    return _PLANTED.get(planted, usual) if usual == "reportlogic" else usual


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
