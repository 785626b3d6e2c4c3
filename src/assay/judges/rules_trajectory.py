"""The rules judge for trajectories: reasoning and tool use, measured to tell two runs apart.

These are the two targets of REFLECT's process level (section 3.1): planning, reflection and use of evidence on one
side; choice of tools, arguments and reading of responses on the other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from assay.judges.rules import MeasuredDimension, finding_weight
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.checks.base import Check, Finding
    from assay.subjects.trajectory import Trajectory

TRAJECTORY_DIMENSIONS: Final = ("reasoning", "tool_use")
_TOOL_FAILURES: Final = frozenset(
    {"wrong_tool_selection", "constraint_drop", "argument_corruption", "result_irrelevance", "wrong_source_citation",
     "tool_response_hallucination"}
)  # fmt: skip
_DISCOUNT: Final = 0.35
_FEATURES: Final = {"reasoning": "new_terms_per_step", "tool_use": "responses_on_topic"}


def dimension_of(finding: Finding, checks: Mapping[str, Check]) -> str:
    """Return the dimension of a trajectory's finding, by the failure type of its check."""
    check = checks.get(finding.code)
    return "tool_use" if check is not None and check.failure in _TOOL_FAILURES else "reasoning"


def measure_trajectory(
    trajectory: Trajectory, findings: Sequence[Finding], checks: Mapping[str, Check]
) -> dict[str, MeasuredDimension]:
    """Return reasoning and tool use."""
    burden = dict.fromkeys(TRAJECTORY_DIMENSIONS, 0.0)
    for finding in findings:
        burden[dimension_of(finding, checks)] += finding_weight(finding)
    scale = max(1.0, math.sqrt(max(1, len(trajectory.steps)) / 4))
    measured = {"reasoning": _progress(trajectory), "tool_use": _relevance(trajectory)}
    return {
        key: MeasuredDimension(
            None if share is None else 0.3 + 0.7 * share,
            math.exp(-_DISCOUNT * burden[key] / scale),
            {} if share is None else {_FEATURES[key]: share},
        )
        for key, share in measured.items()
    }


def _progress(trajectory: Trajectory) -> float | None:
    """Return the share of steps whose reasoning or calls bring terms that no earlier step had."""
    earlier = content_terms(trajectory.query)
    fresh = steps = 0
    for step in trajectory.steps:
        terms = content_terms(step.reasoning + " " + " ".join(call.argument_text for call in step.tool_calls))
        if not terms:
            continue
        steps += 1
        fresh += len(terms - earlier) >= 2
        earlier |= terms
    return fresh / steps if steps else None


def _relevance(trajectory: Trajectory) -> float | None:
    """Return the mean share of a call's terms that its response contains; a share of one half gives full marks."""
    shares: list[float] = []
    for call in trajectory.tool_calls:
        terms = content_terms(call.argument_text)
        if terms and call.response is not None:
            shares.append(min(1.0, 2 * len(terms & content_terms(call.response)) / len(terms)))
    return sum(shares) / len(shares) if shares else None
