"""Summary of a run by judge: coverage, scores, wins and usage."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from assay.judges.combine import consistency
from assay.models.base import Usage

if TYPE_CHECKING:
    from assay.runs.records import JudgmentRow


class JudgeSummary(msgspec.Struct):
    """One judge with one rubric in one mode.

    Attributes:
        judge: Label of the judge.
        rubric: Name of the rubric.
        mode: ``score``, ``pair`` or ``rank``.
        n: Number of judgments.
        statuses: Number of judgments by status.
        subjects: Subjects, pairs or sets with a verdict.
        mean: Mean overall score over subjects, each being the mean of its repetitions.
        sd: Standard deviation over subjects; None for fewer than two.
        wins: Pairs: verdicts for the first, for a tie of any kind, for the second.
        abstained: Pairs that an ensemble could not agree on.
        systems: Pairs: first and second system, if the same in all pairs.
        consistent: Pairs judged in both orders with equal verdicts, and all of them.
        decided: Rankings with one candidate ahead of all others.
        skipped: Repetitions that were not needed.
        usage: Usage of all calls behind the judgments, whichever run paid for them.
    """

    judge: str
    rubric: str
    mode: str
    n: int = 0
    statuses: dict[str, int] = {}
    subjects: int = 0
    mean: float | None = None
    sd: float | None = None
    wins: tuple[int, int, int] | None = None
    abstained: int = 0
    systems: tuple[str, str] | None = None
    consistent: tuple[int, int] | None = None
    decided: int | None = None
    skipped: int = 0
    usage: Usage = Usage()


class _SummaryTally:
    """Running totals of one judge."""

    def __init__(self, judge: str, rubric: str, mode: str) -> None:
        self.summary = JudgeSummary(judge, rubric, mode)
        self._scores: dict[str, list[float]] = {}
        self._wins = [0, 0, 0]
        self._agreed = self._both = self._decided = 0
        self._sides: set[tuple[str, str]] = set()

    def add(self, row: JudgmentRow) -> None:
        summary, judgment = self.summary, row.judgment
        summary.n += 1
        summary.statuses[judgment.status] = summary.statuses.get(judgment.status, 0) + 1
        summary.usage += judgment.usage
        summary.skipped += int(row.tags.get("trials_skipped", "0"))
        if judgment.status != "ok":
            return
        if summary.mode == "compare":
            verdict = judgment.preference
            if verdict is None:
                # An ensemble that could not agree, although every judge answered.
                summary.abstained += 1
            else:
                self._wins[0 if verdict == "A>B" else 2 if verdict == "A<B" else 1] += 1
            self._sides.add((row.tags.get("system_a", ""), row.tags.get("system_b", "")))
            agreement = consistency(judgment)
            if agreement is not None:
                self._both += 1
                self._agreed += agreement != "inconsistent"
        elif summary.mode == "rank":
            self._decided += judgment.choice is not None
        elif judgment.scores and "overall" in judgment.scores:
            total = self._scores.setdefault(judgment.subject, [0.0, 0])
            total[0] += judgment.scores["overall"]
            total[1] += 1
            return
        self._scores.setdefault(judgment.subject, [0.0, 0])

    def end(self) -> JudgeSummary:
        summary = self.summary
        summary.subjects = len(self._scores)
        means = [total / count for total, count in self._scores.values() if count]
        summary.mean = round(statistics.fmean(means), 6) if means else None
        summary.sd = round(statistics.stdev(means), 6) if len(means) > 1 else None
        if summary.mode == "compare":
            summary.wins = (self._wins[0], self._wins[1], self._wins[2])
            summary.consistent = (self._agreed, self._both) if self._both else None
            if len(self._sides) == 1 and all(side := next(iter(self._sides))):
                summary.systems = side
        if summary.mode == "rank":
            summary.decided = self._decided
        return summary


def summarize(rows: Iterable[JudgmentRow]) -> list[JudgeSummary]:
    """Return the summary of each judge of a run, sorted by judge."""
    tallies: dict[tuple[str, str, str], _SummaryTally] = {}
    for row in rows:
        tags = row.tags
        key = (tags.get("judge", row.judgment.judge), row.judgment.rubric or "", tags.get("mode", "score"))
        tally = tallies.get(key)
        if tally is None:
            tally = tallies[key] = _SummaryTally(*key)
        tally.add(row)
    return [tallies[key].end() for key in sorted(tallies)]
