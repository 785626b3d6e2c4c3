"""Comparing two subjects without a model: by the rules judge or by a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.errors import UsageError
from assay.judges.baselines import length_margin, random_margin
from assay.judges.judgment import Judgment, Preference
from assay.judges.rules import score_report
from assay.judges.rules_pairs import Margin, compare_reports, compare_trajectories
from assay.judges.rules_trajectory import score_trajectory
from assay.judges.settings import MODEL_FREE
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assay.checks.base import Check, Finding
    from assay.subjects.subject import Subject


# Smaller margins are ties: for the rules, what a single word can change; for length, one percent.
TIE_MARGINS: Final[Mapping[str, float]] = {"rules": 0.02, "length": 0.01, "random": 0.0}


def compare_subjects(
    a: Subject,
    b: Subject,
    *,
    judge: str,
    find: Callable[[Subject], Sequence[Finding]],
    checks: Mapping[str, Check],
) -> Judgment:
    """Return which of two reports, or two trajectories, is better.

    Symmetric by construction: exchanging ``a`` and ``b`` reverses the verdict, and ``by_order`` holds the same
    verdict twice.

    Args:
        a: The first subject.
        b: The second subject.
        judge: One of `MODEL_FREE`.
        find: Function that returns the findings of a subject.
        checks: All checks, by code.

    Raises:
        UsageError: The judge is unknown, or one subject is a report and the other a trajectory.
    """
    if judge not in MODEL_FREE:
        raise UsageError(f"no judge is called {judge!r}; without a model there are {', '.join(MODEL_FREE)}")
    if isinstance(a, Report) != isinstance(b, Report):
        raise UsageError("one is a report and the other a trajectory; compare subjects of one kind")
    if judge == "length":
        margin = Margin(length_margin(a, b), {}, ())
    elif judge == "random":
        margin = Margin(random_margin(a, b), {}, ())
    else:
        margin = _rules(a, b, find, checks)
    preference = _preference(margin.overall, TIE_MARGINS[judge])
    return Judgment(
        subject=f"{_name(a, 'A')} | {_name(b, 'B')}",
        judge=judge,
        rubric="reportlogic" if isinstance(a, Report) and judge == "rules" else None,
        scores={
            "overall": round(margin.overall, 4),
            **{k: round(v, 4) for k, v in margin.by_dimension.items()},
        },
        preference=preference,
        # The margin is antisymmetric, so the other order gives the same verdict.
        by_order={"AB": preference, "BA": preference},
        rationale=_rationale(margin, preference, judge, a, b),
    )


def _rules(
    a: Subject, b: Subject, find: Callable[[Subject], Sequence[Finding]], checks: Mapping[str, Check]
) -> Margin:
    findings = (find(a), find(b))
    if isinstance(a, Report) and isinstance(b, Report):
        return compare_reports(a, b, findings, (score_report(a, findings[0]), score_report(b, findings[1])))
    if isinstance(a, Trajectory) and isinstance(b, Trajectory):
        scores = (score_trajectory(a, findings[0], checks), score_trajectory(b, findings[1], checks))
        return compare_trajectories(a, b, findings, scores, checks)
    raise AssertionError  # both kinds were checked by the caller


def _preference(margin: float, tie: float) -> Preference:
    if margin > tie:
        return "A>B"
    if margin < -tie:
        return "A<B"
    return "tie"


def _name(subject: Subject, default: str) -> str:
    return subject.path or subject.id or default


def _rationale(margin: Margin, preference: Preference, judge: str, a: Subject, b: Subject) -> str:
    if judge == "length":
        return (
            f"A is {'longer' if margin.overall > 0 else 'shorter'} by {abs(margin.overall):.1%} of the longer"
        )
    if judge == "random":
        return "a coin toss"
    if preference == "tie":
        return "nothing that differs between them speaks clearly for either"
    sign = 1.0 if preference == "A>B" else -1.0
    side, other = ("A", "B") if preference == "A>B" else ("B", "A")
    pro = [text for text, value in margin.reasons if value * sign > 0][:3]
    con = [text for text, value in margin.reasons if value * sign < 0][:1]
    text = f"{side}: {'; '.join(pro)}"
    if con:
        text += f". For {other}: {con[0]}"
    if margin.places:
        left, right, _ = margin.places[0]
        places = [
            f"{name}:{subject.lines.place(span.start)[0]}"
            for name, subject, span in (("A", a, left), ("B", b, right))
            if span
        ]
        text += f". They differ in {len(margin.places)} place(s), above all at {' / '.join(places)}"
    return text
