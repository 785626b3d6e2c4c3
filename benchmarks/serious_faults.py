"""How many of the serious faults that a careful reader listed an audit names, by place.

    python benchmarks/serious_faults.py tests/reviews/data/serious_faults.jsonl REPORTS.jsonl AUDITS.jsonl

REPORTS are the texts; AUDITS the output of ``assay audit --format json``. A listed fault counts as named if the sentence
that shows it has words of a finding, or of the place that a finding conflicts with. That is generous, as two faults may share a
sentence, and strict, as one fault may be told at another place; whether they are the same fault is for a reader.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from assay.audits.result import Audit
from assay.subjects.reading import read_subjects
from assay.subjects.report import Report

_WORST = 5


def named(report: Report, fault: dict[str, Any], spans: list[tuple[int, int]]) -> bool:
    """Return whether a finding stands in the sentence that shows a fault."""
    start, end = fault["start"], fault["end"]
    first, last = report.sentence_at(start), report.sentence_at(max(start, end - 1))
    start = min(start, first.span.start) if first else start
    end = max(end, last.span.end) if last else end
    return any(a < end and start < b for a, b in spans)


def spans_of(audit: Audit, *, read_only: bool) -> list[tuple[int, int]]:
    """Return the places of an audit's findings; ``read_only``: of those that a model made."""
    found: list[tuple[int, int]] = []
    for finding in audit.findings:
        if finding.reading is not None or not read_only:
            found.append((finding.span.start, finding.span.end))
            found += [(place.start, place.end) for place in finding.related]
    return found


def main(listed: str, reports: str, audits: str) -> None:
    """Print the share of listed faults that are named, by rules and by readers."""
    texts = {str(item.id): item for item in read_subjects([reports]) if isinstance(item, Report)}
    faults: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in Path(listed).read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["document"] in texts:
            faults[row["document"]].append(row)
    found = [Audit.from_dict(json.loads(line)) for line in Path(audits).read_text("utf-8").splitlines()]
    for title, read_only in (("readers", True), ("rules and readers", False)):
        every = worst = named_of_all = named_of_worst = 0
        for audit in found:
            name = str(audit.summary.id)
            spans = spans_of(audit, read_only=read_only)
            for fault in faults[name]:
                hit = named(texts[name], fault, spans)
                every, named_of_all = every + 1, named_of_all + hit
                if fault["rank"] <= _WORST:
                    worst, named_of_worst = worst + 1, named_of_worst + hit
        print(
            f"{title}: {named_of_all} of {every} listed faults named, {named_of_worst} of {worst} of the worst five"
        )


if __name__ == "__main__":
    main(*sys.argv[1:4])
