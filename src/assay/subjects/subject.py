"""What is judged: a report or a trajectory."""

from __future__ import annotations

from typing import TypeAlias

from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

Subject: TypeAlias = Report | Trajectory
