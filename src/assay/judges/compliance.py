"""Compliance: the score of a judgment by weighted criteria (ResearchRubrics, sections 3.3 and 3.4).

It follows from the verdicts alone. A criterion without a verdict has no mark, and a judgment with such a criterion has
no compliance; the compliance over its other criteria has a name of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec
from msgspec.structs import replace

from assay.measures.intervals import Estimate, estimate_columns, mean_interval
from assay.record import Record, Records
from assay.rubrics.weighted import binary
from assay.rubrics.weighted import compliance as score_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.judges.judgment import Judgment, Verdict

Grading = Literal["ternary", "binary"]
_NO_MORE: Final = (None, 1.0)


class ComplianceRow(Record, msgspec.Struct, frozen=True, kw_only=True):
    """The compliance of one group of judgments.

    Attributes:
        group: Value of what they are grouped by.
        by: What they are grouped by.
        compliance: Mean over the judgments in full, clustered by task.
        binary: The same if partly met counts as not met.
        answered: Mean over all judgments of the compliance over their answered criteria.
        judgments: Number of judgments.
        complete: Number of judgments with a verdict on every criterion.
    """

    group: str
    by: str = "group"
    compliance: Estimate
    binary: Estimate
    answered: Estimate
    judgments: int
    complete: int

    def to_columns(self) -> dict[str, list[object]]:
        """Return the row with each estimate as value, low and high."""
        return ComplianceTable([self]).to_columns()

    def summary_line(self) -> str:
        """Return group and compliance."""
        return f"{self.group}: {self.compliance}"


class ComplianceTable(Records[ComplianceRow]):
    """The compliance of several groups, best first."""

    item_type = ComplianceRow
    noun = "group"

    def to_columns(self) -> dict[str, list[object]]:
        """Return a row for each group, with each estimate as value, low and high."""
        columns: dict[str, list[object]] = {self[0].by if self else "group": [row.group for row in self]}
        for name in ("compliance", "binary", "answered"):
            columns |= estimate_columns(name, [getattr(row, name) for row in self])
        columns["judgments"] = [row.judgments for row in self]
        columns["complete"] = [row.complete for row in self]
        return columns


def grading_of_judgment(judgment: Judgment) -> Grading:
    """Return whether half marks were possible: as recorded, otherwise ternary."""
    return "binary" if judgment.metadata.get("grading") == "binary" else "ternary"


def mark(verdict: Verdict, grading: Grading) -> float | None:
    """Return 1, 0.5 or 0; under binary grading, anything not met in full is 0. None without a verdict."""
    if verdict.status != "ok" or verdict.score is None:
        return None
    return verdict.score if grading == "ternary" else binary(verdict.score)


def compliance_of(
    judgment: Judgment, grading: Grading | None = None, *, partly: bool = False
) -> float | None:
    """Return Σ w·m / Σ w⁺ (ResearchRubrics, equation 1).

    Args:
        judgment: A judgment by weighted criteria.
        grading: Grading, by default its own; a ternary judgment can be converted to binary, but not the reverse.
        partly: Whether to use only the criteria with a verdict, rather than require all verdicts.

    Returns:
        The compliance; None if verdicts are missing, or no criterion with a verdict has a positive weight.
    """
    own = grading_of_judgment(judgment)
    if grading == "ternary" and own == "binary":
        return None
    marks = [(item.weight, mark(item, grading or own)) for item in judgment.verdicts]
    kept = [(weight, value) for weight, value in marks if value is not None] if partly else marks
    return score_of([weight for weight, _ in kept], [value for _, value in kept])


def is_complete(judgment: Judgment) -> bool:
    """Return whether every criterion has a mark."""
    return bool(judgment.verdicts) and all(mark(item, "ternary") is not None for item in judgment.verdicts)


def mandatory_share(judgment: Judgment) -> tuple[int, int, int]:
    """Return three numbers of mandatory criteria: those satisfied, those with a verdict, and all.

    A negative criterion is satisfied if it is not met.
    """
    mandatory = [item for item in judgment.verdicts if item.mandatory]
    graded = [item for item in mandatory if item.score is not None]
    good = sum(item.score == 1 if item.weight > 0 else item.score == 0 for item in graded)
    return good, len(graded), len(mandatory)


def collapse(judgment: Judgment) -> Judgment:
    """Return the judgment under binary grading: partially met is not met (section 4.1)."""
    if grading_of_judgment(judgment) == "binary":
        return judgment
    unmet = next((item.verdict for item in judgment.verdicts if item.score == 0), None) or "not met"
    verdicts = tuple(
        replace(item, score=binary(item.score), verdict=unmet) if item.score == 0.5 else item
        for item in judgment.verdicts
    )
    return replace(judgment, verdicts=verdicts, metadata={**judgment.metadata, "grading": "binary"})


def compliance_table(judgments: Iterable[Judgment], by: str = "system") -> ComplianceTable:
    """Return the compliance of each group of judgments, best first; those without any come last.

    Args:
        judgments: Judgments by weighted criteria; others have no compliance.
        by: ``judge``, ``rubric`` or a key of the metadata.
    """
    groups: dict[str, list[Judgment]] = {}
    for item in judgments:
        value = getattr(item, by) if by in ("judge", "rubric", "subject") else item.metadata.get(by)
        groups.setdefault("" if value is None else str(value), []).append(item)
    rows = [
        ComplianceRow(
            group=group,
            by=by,
            compliance=_mean(own, None),
            binary=_mean(own, "binary"),
            answered=_mean(own, None, partly=True),
            judgments=len(own),
            complete=sum(map(is_complete, own)),
        )
        for group, own in groups.items()
    ]
    return ComplianceTable(
        sorted(rows, key=lambda row: (row.compliance.value is None, -(row.compliance.value or 0.0)))
    )


def _mean(judgments: Sequence[Judgment], grading: Grading | None, *, partly: bool = False) -> Estimate:
    found = [
        (value, str(item.metadata.get("id") or item.subject))
        for item in judgments
        if (value := compliance_of(item, grading, partly=partly)) is not None
    ]
    return mean_interval([value for value, _ in found], [task for _, task in found], bounds=_NO_MORE)
