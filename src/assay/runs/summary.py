"""What a run says, judge by judge: how much of it is there, the scores, who won, and what it took."""

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
    """One judge by one rubric, in one mode.

    Attributes:
        judge: Its label.
        rubric: The rubric's name.
        mode: ``score``, ``pair`` or ``rank``.
        n: Judgments.
        statuses: How they came out.
        subjects: Subjects, pairs or sets that have a verdict.
        mean: Of the overall score, over subjects; each is the mean of its trials.
        sd: Over subjects; None for fewer than two.
        wins: Pairs: verdicts for the first, for a tie of any kind, for the second.
        abstained: Pairs an ensemble could not agree on.
        systems: Pairs: who is first and who second, where that is the same in all of them.
        consistent: Pairs judged in both orders whose verdicts agree, and all of them.
        decided: Rankings with one candidate ahead of all others.
        skipped: Trials that were not needed.
        usage: Of all calls the judgments rest on, whoever paid for them.
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
    """What is counted on the way."""

    def __init__(self, judge: str, rubric: str, mode: str) -> None:
        self.found = JudgeSummary(judge, rubric, mode)
        self._scores: dict[str, list[float]] = {}
        self._wins = [0, 0, 0]
        self._agreed = self._both = self._decided = 0
        self._sides: set[tuple[str, str]] = set()

    def add(self, row: JudgmentRow) -> None:
        found, judgment = self.found, row.judgment
        found.n += 1
        found.statuses[judgment.status] = found.statuses.get(judgment.status, 0) + 1
        found.usage += judgment.usage
        found.skipped += int(row.tags.get("trials_skipped", "0"))
        if judgment.status != "ok":
            return
        if found.mode == "pair":
            verdict = judgment.preference
            if verdict is None:
                # An ensemble that could not agree: every judge answered, and it says nothing.
                found.abstained += 1
            else:
                self._wins[0 if verdict == "A>B" else 2 if verdict == "A<B" else 1] += 1
            self._sides.add((row.tags.get("system_a", ""), row.tags.get("system_b", "")))
            seen = consistency(judgment)
            if seen is not None:
                self._both += 1
                self._agreed += seen != "inconsistent"
        elif found.mode == "rank":
            self._decided += judgment.choice is not None
        elif judgment.scores and "overall" in judgment.scores:
            total = self._scores.setdefault(judgment.subject, [0.0, 0])
            total[0] += judgment.scores["overall"]
            total[1] += 1
            return
        self._scores.setdefault(judgment.subject, [0.0, 0])

    def end(self) -> JudgeSummary:
        found = self.found
        found.subjects = len(self._scores)
        means = [total / count for total, count in self._scores.values() if count]
        found.mean = round(statistics.fmean(means), 6) if means else None
        found.sd = round(statistics.stdev(means), 6) if len(means) > 1 else None
        if found.mode == "pair":
            found.wins = (self._wins[0], self._wins[1], self._wins[2])
            found.consistent = (self._agreed, self._both) if self._both else None
            if len(self._sides) == 1 and all(side := next(iter(self._sides))):
                found.systems = side
        if found.mode == "rank":
            found.decided = self._decided
        return found


def summarize(rows: Iterable[JudgmentRow]) -> list[JudgeSummary]:
    """The judgments of a run, summed up; judges in the order of their names."""
    tallies: dict[tuple[str, str, str], _SummaryTally] = {}
    for row in rows:
        tags = row.tags
        key = (tags.get("judge", row.judgment.judge), row.judgment.rubric or "", tags.get("mode", "score"))
        tally = tallies.get(key)
        if tally is None:
            tally = tallies[key] = _SummaryTally(*key)
        tally.add(row)
    return [tallies[key].end() for key in sorted(tallies)]
