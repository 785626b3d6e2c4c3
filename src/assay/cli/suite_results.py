"""What ``assay run --suite finresearch`` shows besides the summary of a run: ten dimensions of each report, and systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO

import msgspec

from assay.cli.options import columns_for, painter_for
from assay.errors import UsageError
from assay.judges.repetitions import combine_repetitions
from assay.suites.finresearch.dimensions import check_weights
from assay.suites.finresearch.results import FinResearchScores, finresearch_scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.judges.judgment import Judgment
    from assay.runs.ledger import Ledger
    from assay.runs.plan import PlannedJudge
    from assay.runs.runner import Run

SUITE: Final = "finresearch"
SCHEMA: Final = "assay.finresearch/1"


class JudgeScores(NamedTuple):
    """The scores by one judge of the suite."""

    judge: PlannedJudge
    scores: FinResearchScores

    def to_dict(self, reference: str | None) -> dict[str, Any]:
        """Return the contract ``assay.finresearch/1``."""
        judge = self.judge.judge
        weights = judge.settings.options.get("weights", {}) if hasattr(judge, "settings") else {}
        return {
            "schema": SCHEMA,
            "judge": self.judge.label,
            "judge_version": judge.version,
            "weights": check_weights(weights),
            "reports": list(self.scores),
            "systems": self.scores.systems,
            "comparisons": self.scores.against(reference) if reference else [],
        }


def suite_scores(run: Run, ledger: Ledger) -> list[JudgeScores]:
    """Return the scores by each judge of the suite, as far as they are made, reports in the order of the plan."""
    judgments: dict[int, list[Judgment]] = {}
    queries: dict[str, str] = {}
    for index, planned, case in run.plan.fitting() if _has_suite(run) else ():
        if planned.suite != SUITE:
            continue
        total = planned.judge.repetitions
        rows = (ledger.judgment(planned.judge.key(case, number), run.id) for number in range(total))
        if made := [row.judgment for row in rows if row is not None]:
            judgment = combine_repetitions(made, total)
            judgment = msgspec.structs.replace(judgment, subject=case.name, metadata=case.metadata)
            judgments.setdefault(index, []).append(judgment)
            queries[case.name] = case.query or case.subjects[0].query or ""
    return [
        JudgeScores(run.plan.judges[index], finresearch_scores(judgments[index], queries))
        for index in sorted(judgments)
    ]


def check_reference(run: Run, reference: str | None, output_format: str) -> None:
    """Refuse what only this suite has, before anything is sent.

    Raises:
        UsageError: The run has no judge of the suite, or no report is by the reference system.
    """
    if reference is None and output_format != "csv":
        return
    if not _has_suite(run):
        flag = "--format csv" if reference is None else "--reference-system"
        raise UsageError(f"{flag}: only for suite {SUITE}; `assay log export` writes any run as CSV")
    systems = {system for case in run.plan.cases() if (system := case.metadata.get("system")) is not None}
    if reference is not None and reference not in systems:
        from assay.suggest import did_you_mean

        there = did_you_mean(reference, sorted(map(str, systems)))
        raise UsageError(
            f"--reference-system: no report is by {reference!r}; "
            + (there if systems else "no report names its system (field `system` of a row)")
        )


def _has_suite(run: Run) -> bool:
    return any(planned.suite == SUITE for planned in run.plan.judges)


def write_scores(
    results: Sequence[JudgeScores], stream: TextIO, *, reference: str | None, color: str
) -> None:
    """Write the tables of each judge for a terminal."""
    from assay.present.finresearch import scores_text

    for judge, scores in results:
        text = scores_text(
            scores,
            judge=judge.label,
            by_rules=judge.judge.name == "rules",
            reference=reference,
            painter=painter_for(color),
            columns=columns_for(stream),
        )
        stream.write(text + "\n")


def write_csv(results: Sequence[JudgeScores], stream: TextIO) -> None:
    """Write one report by one judge a line; a missing score is an empty cell."""
    import csv

    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["judge", *FinResearchScores().to_columns()])
    for judge, scores in results:
        writer.writerows((judge.label, *row) for row in _cells(scores))


def _cells(scores: FinResearchScores) -> Iterator[tuple[object, ...]]:
    for row in zip(*scores.to_columns().values(), strict=True):
        yield tuple(f"{value:.6g}" if isinstance(value, float) else value for value in row)
