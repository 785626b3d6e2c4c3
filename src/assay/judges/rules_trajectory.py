"""The rules judge for trajectories: reasoning and tool use, each from 0 to 1.

These are the two targets of REFLECT's process level (section 3.1): planning, reflection and use of evidence on one
side; choice of tools, arguments and reading of responses on the other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from assay.judges.rules import DimensionScore, finding_weight
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


def dimension_of(finding: Finding, checks: Mapping[str, Check]) -> str:
    """Return the dimension of a finding, by the failure type of its check."""
    check = checks.get(finding.code)
    return "tool_use" if check is not None and check.failure in _TOOL_FAILURES else "reasoning"


def score_trajectory(
    trajectory: Trajectory, findings: Sequence[Finding], checks: Mapping[str, Check]
) -> dict[str, DimensionScore]:
    """Return scores for reasoning and tool use, with the findings behind them."""
    reasoning: list[int] = []
    tool_use: list[int] = []
    for index, finding in enumerate(findings):
        (tool_use if dimension_of(finding, checks) == "tool_use" else reasoning).append(index)
    steps = math.sqrt(max(1, len(trajectory.steps)) / 4)
    progress = _progress(trajectory)
    relevant = _relevance(trajectory)
    return {
        "reasoning": _score(
            0.3 + 0.7 * progress, reasoning, findings, steps, {"new_terms_per_step": progress}
        ),
        "tool_use": _score(0.3 + 0.7 * relevant, tool_use, findings, steps, {"responses_on_topic": relevant}),
    }


def _score(
    base: float, own: list[int], findings: Sequence[Finding], scale: float, features: dict[str, float]
) -> DimensionScore:
    discount = math.exp(-_DISCOUNT * sum(finding_weight(findings[i]) for i in own) / max(1.0, scale))
    return DimensionScore(min(1.0, base) * discount, tuple(own), {**features, "finding_discount": discount})


def _progress(trajectory: Trajectory) -> float:
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
    return fresh / steps if steps else 0.5


def _relevance(trajectory: Trajectory) -> float:
    """Return the mean share of a call's terms that its response contains; a share of one half gives full marks."""
    shares: list[float] = []
    for call in trajectory.tool_calls:
        terms = content_terms(call.argument_text)
        if terms and call.response is not None:
            shares.append(min(1.0, 2 * len(terms & content_terms(call.response)) / len(terms)))
    return sum(shares) / len(shares) if shares else 0.5
