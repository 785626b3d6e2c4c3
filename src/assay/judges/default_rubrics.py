"""The yardstick where none is named: what fits the kind of thing that is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assay.judges.units import Granularity
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory

# By kind and granularity. For reports the eight dimensions that `assay audit` and `assay compare` show too.
DEFAULT_RUBRICS: Final[dict[tuple[type, Granularity], str]] = {
    (Report, "holistic"): "reportlogic",
    (Report, "fine"): "reflect-chunk",
    (Trajectory, "holistic"): "reflect-trajectory",
    (Trajectory, "fine"): "reflect-step",
}


def default_rubric(subjects: Sequence[Subject], granularity: Granularity = "holistic") -> str:
    """The rubric for these, by the first of them."""
    return DEFAULT_RUBRICS[type(subjects[0]), "fine" if granularity == "fine" else "holistic"]
