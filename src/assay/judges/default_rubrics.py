"""The rubric that is used for each kind of subject if the user names none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assay.judges.units import Granularity
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


def default_rubric(subjects: Sequence[Subject], granularity: Granularity = "holistic") -> str:
    """Return the name of the default rubric for the kind of the first subject."""
    return DEFAULT_RUBRICS[type(subjects[0]), "fine" if granularity == "fine" else "holistic"]
