"""Labels and the texts they are of, written so that judgments of those texts find their labels again.

A judgment names a row of a file by file and line, ``subjects.jsonl:3``. So do labels once their texts are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

import msgspec

from assay.meta.labels.loaders.base import LabelledText
from assay.meta.labels.record import Label


def label_lines(labels: Iterable[Label]) -> Iterable[str]:
    """A line a label, in the contract."""
    return (_line(label.to_dict()) for label in labels)


def subject_lines(texts: Iterable[LabelledText]) -> Iterable[str]:
    """A line a text, as ``assay judge`` and an experiment read them."""
    for text in texts:
        row = {"id": text.id, "system": text.system, "query": text.query, "report": text.report}
        yield _line({key: value for key, value in row.items() if value is not None})


def renamed(labels: Iterable[Label], texts: Iterable[LabelledText], file: str) -> list[Label]:
    """Labels whose subjects are called as judgments will call them: by the name of the file and their line in it."""
    name = PurePath(file).name
    lines = {text.name: f"{name}:{number}" for number, text in enumerate(texts, start=1)}

    def called(subject: str) -> str:
        return " | ".join(lines.get(part, part) for part in subject.split(" | "))

    return [msgspec.structs.replace(label, subject=called(label.subject)) for label in labels]


def experiment_lines(texts: Iterable[LabelledText], file: str) -> list[str]:
    """The lines of an experiment that judges what was written: pairs where there are pairs."""
    pairs = any(text.system == "B" for text in texts)
    lines = [f"subjects: [{PurePath(file).name}]"]
    return [*lines, "compare: [{systems: [A, B], on: id}]"] if pairs else lines


def _line(row: object) -> str:
    return msgspec.json.encode(row).decode("utf-8") + "\n"
