"""Export of labels and labelled texts, so that judgments of those texts match their labels again.

A judgment names a row by file and line, ``subjects.jsonl:3``; exported labels use the same names.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

import msgspec

from assay.meta.labels.loaders.base import LabelledText
from assay.meta.labels.record import Label


def label_lines(labels: Iterable[Label]) -> Iterable[str]:
    """Yield labels as lines of ``assay.label/1``."""
    return (_line(label.to_dict()) for label in labels)


def subject_lines(texts: Iterable[LabelledText]) -> Iterable[str]:
    """Yield labelled texts as lines that ``assay judge`` and experiments read."""
    for text in texts:
        row = {"id": text.id, "system": text.system, "query": text.query, "report": text.report}
        yield _line({key: value for key, value in row.items() if value is not None})


def renamed(labels: Iterable[Label], texts: Iterable[LabelledText], file: str) -> list[Label]:
    """Rename the subjects of labels as judgments will name them: by file and line."""
    name = PurePath(file).name
    lines = {text.name: f"{name}:{number}" for number, text in enumerate(texts, start=1)}

    def new_name(subject: str) -> str:
        return " | ".join(lines.get(side, side) for side in subject.split(" | "))

    return [msgspec.structs.replace(label, subject=new_name(label.subject)) for label in labels]


def experiment_lines(texts: Iterable[LabelledText], file: str) -> list[str]:
    """Return the lines of an experiment that judges the exported texts, in pairs if they are pairs."""
    pairs = any(text.system == "B" for text in texts)
    lines = [f"subjects: [{PurePath(file).name}]"]
    return [*lines, "compare: [{systems: [A, B], on: id}]"] if pairs else lines


def _line(row: object) -> str:
    return msgspec.json.encode(row).decode("utf-8") + "\n"
