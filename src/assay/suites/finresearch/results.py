"""Scores of many reports: a row each, means by system, and systems compared with a reference such as experts (table 2).

judgments = assay.run(assay.read("reports/"), assay.Judge("openai/gpt-5-mini", suite="finresearch"))
scores = finresearch_scores(judgments)
scores.to_frame()                       # a row for each report: the final score and the ten dimensions
scores.systems                          # means, with intervals
scores.against("expert")                # every other system compared with this one
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from assay.errors import UsageError
from assay.judges.judgment import Judgment, Status
from assay.measures.intervals import Estimate, mean_interval
from assay.measures.paired import paired_difference
from assay.record import Record, Records
from assay.suggest import did_you_mean
from assay.suites.finresearch.dimensions import DIMENSION_KEYS

# The final score has the name of overall scores everywhere.
FINAL: Final = "overall"
KEYS: Final = (FINAL, *DIMENSION_KEYS)
# Begins the note of a judgment that says what built the graph.
_GRAPH: Final = "graph: "
# Begins the reasons for the computed dimensions.
_BASIS: Final = "graph built by"


class ScoredReport(Record, msgspec.Struct, frozen=True, kw_only=True):
    """The scores of one report.

    Attributes:
        report: Name of the report.
        id: Id of the report in its collection.
        system: System that wrote the report.
        query: Query of the report.
        scores: Available scores by dimension.
        final: Final score; None unless all ten dimensions have scores.
        status: "ok" only if every call succeeded.
        graph: Origin of the argument graph: "model", "rules", or "fallback" for rules after the model failed.
        basis: Basis of the computed dimensions, in words.
        problems: Reasons for missing scores, and other problems.
        rationale: Rationale of the judge.
    """

    report: str
    id: str | None = None
    system: str | None = None
    query: str | None = None
    scores: dict[str, float] = {}
    final: float | None = None
    status: Status = "ok"
    graph: str = ""
    basis: str = ""
    problems: tuple[str, ...] = ()
    rationale: str = ""

    def summary_line(self) -> str:
        """Return name and final score."""
        final = "no final score" if self.final is None else f"{self.final:.2f}"
        return f"{self.report}: {final}"

    def score(self, key: str) -> float | None:
        """Return the score of a dimension, or the final score."""
        return self.final if key == FINAL else self.scores.get(key)


class SystemScores(msgspec.Struct, frozen=True, kw_only=True):
    """Mean scores of a system; missing scores are left out, and each mean states its number of reports.

    Attributes:
        system: Name of the system; None for reports that name none.
        reports: Number of reports.
        means: Means by dimension, and ``overall``.
        fallbacks: Number of reports whose graph comes from rules because the model failed.
        failed: Number of reports with a failed call.
    """

    system: str | None
    reports: int
    means: dict[str, Estimate]
    fallbacks: int = 0
    failed: int = 0


class ReferenceContrast(msgspec.Struct, frozen=True, kw_only=True):
    """A system compared with the reference on one dimension.

    Attributes:
        system: Mean of the system over all its reports.
        reference: Mean of the reference.
        difference: System minus reference over common queries; without common queries, the difference of the means,
            without an interval.
        p: p value of the paired t test.
    """

    system: float | None
    reference: float | None
    difference: Estimate
    p: float | None = None


class SystemAgainstReference(msgspec.Struct, frozen=True, kw_only=True):
    """A system compared with the reference; ``shared`` is the number of common queries."""

    system: str | None
    reference: str
    shared: int
    contrasts: dict[str, ReferenceContrast]


class FinResearchScores(Records[ScoredReport]):
    """The scores of many reports by one judge."""

    item_type = ScoredReport
    noun = "scored report"
    empty_columns = ("report", "id", "system", "query", "status", "graph", "final", *DIMENSION_KEYS)

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each report; a missing score is None."""
        about = {name: [getattr(row, name) for row in self] for name in self.empty_columns[:7]}
        return {**about, **{key: [row.scores.get(key) for row in self] for key in DIMENSION_KEYS}}

    @property
    def systems(self) -> list[SystemScores]:
        """The means of each system, best final score first."""
        return by_system(self)

    def against(self, reference: str) -> list[SystemAgainstReference]:
        """Compare every other system with a reference system; raises as the function `against`."""
        return against(self, reference)


def finresearch_scores(
    judgments: Iterable[Judgment], queries: Mapping[str, str] | None = None
) -> FinResearchScores:
    """Return the scores that judgments of this suite hold.

    Args:
        judgments: Judgments of one judge of the suite.
        queries: Queries of the reports by the names of their judgments' subjects. Systems are compared over common
            queries, or over common ids if there are none.
    """
    return FinResearchScores(_scored(item, (queries or {}).get(item.subject)) for item in judgments)


def _scored(judgment: Judgment, query: str | None) -> ScoredReport:
    scores = judgment.scores or {}
    graphs = [note for note in judgment.notes if note.startswith(_GRAPH)]
    lacking: dict[str, list[str]] = {}
    for verdict in judgment.verdicts:
        if verdict.status != "ok" and judgment.status != "ok":
            lacking.setdefault(f"{verdict.status}: {verdict.problem}", []).append(verdict.criterion)
    # Reasons of several answers are lines after the criteria that they are about.
    reasons = judgment.rationale.splitlines()
    basis = next(
        (line for line in reasons if _BASIS in line.partition("] ")[2] or line.startswith(_BASIS)), ""
    )
    return ScoredReport(
        report=judgment.subject,
        id=judgment.metadata.get("id"),
        system=judgment.metadata.get("system"),
        query=query,
        scores={key: scores[key] for key in DIMENSION_KEYS if key in scores},
        final=scores.get(FINAL),
        status=judgment.status,
        graph=graphs[0].removeprefix(_GRAPH) if graphs else "",
        basis=basis[basis.find(_BASIS) :] if basis else "",
        problems=(
            *(f"{', '.join(keys)}: {problem}" for problem, keys in lacking.items()),
            *(note for note in judgment.notes if note not in graphs),
        ),
        rationale="\n".join(line for line in reasons if line != basis),
    )


def by_system(rows: Sequence[ScoredReport]) -> list[SystemScores]:
    """Return the means of each system, best final score first, systems without one last."""
    groups: dict[str | None, list[ScoredReport]] = {}
    for row in rows:
        groups.setdefault(row.system, []).append(row)
    systems = [
        SystemScores(
            system=system,
            reports=len(own),
            means={key: mean_interval(_values(own, key), bounds=(0.0, 100.0)) for key in KEYS},
            fallbacks=sum(row.graph == "fallback" for row in own),
            failed=sum(row.status != "ok" for row in own),
        )
        for system, own in groups.items()
    ]
    return sorted(
        systems, key=lambda item: (item.means[FINAL].value is None, -(item.means[FINAL].value or 0.0))
    )


def against(rows: Sequence[ScoredReport], reference: str) -> list[SystemAgainstReference]:
    """Compare every other system with the reference, in the order of `by_system`.

    Raises:
        UsageError: No report is by the reference.
    """
    systems = by_system(rows)
    names = [item.system for item in systems if item.system is not None]
    if reference not in names:
        there = did_you_mean(reference, names) if names else "no report names its system"
        raise UsageError(f"no report is by {reference!r}; {there}")
    reference_rows = [row for row in rows if row.system == reference]
    results = []
    for item in systems:
        if item.system == reference:
            continue
        own = [row for row in rows if row.system == item.system]
        shared = (
            _by_query(own, FINAL, any_score=True).keys()
            & _by_query(reference_rows, FINAL, any_score=True).keys()
        )
        results.append(
            SystemAgainstReference(
                system=item.system,
                reference=reference,
                shared=len(shared),
                contrasts={key: _contrast(own, reference_rows, key) for key in KEYS},
            )
        )
    return results


def _contrast(
    own: Sequence[ScoredReport], reference_rows: Sequence[ScoredReport], key: str
) -> ReferenceContrast:
    first, second = _by_query(own, key), _by_query(reference_rows, key)
    shared = [name for name in first if name in second]
    means = [_mean(_values(rows, key)) for rows in (own, reference_rows)]
    if shared:
        paired = paired_difference(
            [first[name] for name in shared], [second[name] for name in shared], bounds=(-100.0, 100.0)
        )
        return ReferenceContrast(
            system=means[0], reference=means[1], difference=paired.difference, p=paired.p
        )
    if means[0] is None or means[1] is None:
        nothing = Estimate(reason="one of the two has no score")
        return ReferenceContrast(system=means[0], reference=means[1], difference=nothing)
    apart = Estimate(value=means[0] - means[1], reason="the two have no query in common")
    return ReferenceContrast(system=means[0], reference=means[1], difference=apart)


def _values(rows: Sequence[ScoredReport], key: str) -> list[float]:
    return [value for row in rows if (value := row.score(key)) is not None]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _by_query(rows: Sequence[ScoredReport], key: str, *, any_score: bool = False) -> Mapping[str, float]:
    """Return mean scores by query; several reports on one query count once."""
    by_query: dict[str, list[float]] = {}
    for row in rows:
        name = " ".join(row.query.split()).casefold() if row.query else row.id
        value = 0.0 if any_score else row.score(key)
        if name is not None and value is not None:
            by_query.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in by_query.items()}
