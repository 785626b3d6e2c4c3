"""Comparing two subjects without a model: by the rules judge, or by a baseline that every judge must beat."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, Literal

from assay.errors import UsageError
from assay.judges.identity import name_of
from assay.judges.judgeable import WORDINGS, why_nothing
from assay.judges.judgment import Judgment, Preference
from assay.judges.rules import measure_report
from assay.judges.rules_pairs import Margin, compare_reports, compare_trajectories
from assay.judges.rules_trajectory import measure_trajectory
from assay.judges.settings import MODEL_FREE
from assay.rubrics.dimensions import DIMENSIONS
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assay.checks.base import Check, Finding
    from assay.subjects.subject import Subject


_REASONS: Final = PhraseFile("assay.judges", "reasons")
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
        margin = _beside_nothing(a, b) or _rules(a, b, find, checks)
    preference = _preference(margin.overall, TIE_MARGINS[judge])
    return Judgment(
        subject=f"{name_of(a, 'A')} | {name_of(b, 'B')}",
        judge=judge,
        rubric="reportlogic" if isinstance(a, Report) and judge == "rules" else None,
        scores={
            "overall": round(margin.overall, 4),
            **{k: round(v, 4) for k, v in margin.by_dimension.items()},
        },
        preference=preference,
        mode="compare",
        # The margin is antisymmetric, so the other order gives the same verdict.
        by_order={"AB": preference, "BA": preference},
        rationale=_rationale(margin, preference, judge, a, b),
    )


def _beside_nothing(a: Subject, b: Subject) -> Margin | None:
    """Return the margin if one side, or both, has nothing to judge: whatever there is wins."""
    nothing = why_nothing(a), why_nothing(b)
    if nothing == (None, None):
        return None
    return Margin(float(nothing[0] is None) - float(nothing[1] is None), {}, ())


def _rules(
    a: Subject, b: Subject, find: Callable[[Subject], Sequence[Finding]], checks: Mapping[str, Check]
) -> Margin:
    findings = (find(a), find(b))
    if isinstance(a, Report) and isinstance(b, Report):
        measured = (measure_report(a, findings[0]), measure_report(b, findings[1]))
        return compare_reports(a, b, findings, measured)
    if isinstance(a, Trajectory) and isinstance(b, Trajectory):
        runs = (measure_trajectory(a, findings[0], checks), measure_trajectory(b, findings[1], checks))
        return compare_trajectories(a, b, findings, runs, checks)
    raise AssertionError  # both kinds were checked by the caller


def _preference(margin: float, tie: float) -> Preference:
    if margin > tie:
        return "A>B"
    if margin < -tie:
        return "A<B"
    return "tie"


def _rationale(margin: Margin, preference: Preference, judge: str, a: Subject, b: Subject) -> str:
    """Say why, in Chinese if both subjects are Chinese."""
    language: Literal["en", "zh"] = "zh" if a.language == b.language == "zh" else "en"

    def phrase(name: str, **values: object) -> str:
        return _REASONS[name].phrases(language)[0].format(**values)

    if judge == "length":
        return phrase("longer" if margin.overall > 0 else "shorter", share=f"{abs(margin.overall):.1%}")
    if judge == "random":
        return phrase("coin_toss")
    empty = [
        phrase("nothing_to_judge", side=side, why=WORDINGS[why].text(language))
        for side, subject in (("A", a), ("B", b))
        if (why := why_nothing(subject)) is not None
    ]
    separator = "；" if language == "zh" else "; "
    if empty:
        return separator.join(empty)
    if preference == "tie":
        return phrase("nothing_decides")

    def reason(name: str) -> str:
        kind, _, key = name.partition(":")
        return phrase(kind, dimension=_dimension(key, language)) if key else phrase(kind)

    sign = 1.0 if preference == "A>B" else -1.0
    side, other = ("A", "B") if preference == "A>B" else ("B", "A")
    pro = [reason(name) for name, value in margin.reasons if value * sign > 0][:3]
    con = [reason(name) for name, value in margin.reasons if value * sign < 0][:1]
    text = phrase("side", side=side, reasons=separator.join(pro))
    if con:
        text += phrase("other_side", side=other, reason=con[0])
    if margin.places:
        left, right, _ = margin.places[0]
        places = [
            f"{name}:{subject.lines.place(span.start)[0]}"
            for name, subject, span in (("A", a, left), ("B", b, right))
            if span
        ]
        text += phrase("places", count=len(margin.places), places=" / ".join(places))
    return text + (phrase("independent") if margin.independent else "")


def _dimension(key: str, language: Literal["en", "zh"]) -> str:
    """Return a dimension's title in the form used inside a sentence."""
    for dimension in DIMENSIONS:
        if dimension.key == key:
            return dimension.title_zh if language == "zh" else dimension.title.lower()
    return _REASONS[key].phrases(language)[0]


def length_score(subject: Subject) -> float:
    """Return the number of words."""
    return float(subject.words)


def random_score(subject: Subject) -> float:
    """Return a number from 0 to 1, determined by the text and the subject's name."""
    return _toss(subject.id or "", subject.source)


def length_margin(a: Subject, b: Subject) -> float:
    """Return the difference in words relative to the longer subject, -1 to 1; positive if A is longer."""
    left, right = a.words, b.words
    return (left - right) / max(left, right, 1)


def random_margin(a: Subject, b: Subject) -> float:
    """Return a coin toss between -1 and 1, determined by both texts; exchanging the subjects reverses its sign.

    Each pair has a coin of its own: the difference of two scores would fall alike for pairs that share a text.
    """
    first, second = sorted((a.source, b.source))
    if first == second:
        return 0.0
    margin = 2 * _toss(first, second) - 1
    return margin if a.source == first else -margin


def _toss(*texts: str) -> float:
    """Return a number from 0 to 1, determined by texts."""
    digest = hashlib.blake2b(digest_size=8)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return int.from_bytes(digest.digest(), "big") / 2**64
