"""The lists of serious faults that careful readers made: each place is still the one that was meant."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

from assay.subjects.reading import read_subjects

LISTS = Path(__file__).parent / "data" / "serious_faults.jsonl"


def test_each_fault_stands_where_its_reader_saw_it(shared) -> None:
    rows = [json.loads(line) for line in LISTS.read_text("utf-8").splitlines()]
    folder = shared / "many_systems"
    texts = {
        item.id: item.source
        for name in ("reports", "trajectories")
        for item in read_subjects([folder / f"{name}.jsonl"])
    }
    for row in rows:
        words = texts[row["document"]][row["start"] : row["end"]]
        assert hashlib.sha256(words.encode()).hexdigest()[:16] == row["sha256"], row


def test_a_reader_lists_at_most_ten_faults_of_a_document() -> None:
    rows = [json.loads(line) for line in LISTS.read_text("utf-8").splitlines()]
    assert len({row["document"] for row in rows}) >= 20
    assert max(Counter((row["document"], row["reader"]) for row in rows).values()) <= 10
