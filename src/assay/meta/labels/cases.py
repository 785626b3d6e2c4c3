"""Cases to judge, from labels: the subjects that people rated, found as texts, by id, or as files beside the labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from assay.errors import UsageError
from assay.meta.labels.loaders.base import LabelledText
from assay.meta.labels.record import Label
from assay.subjects.case import Case
from assay.subjects.reading import read_one, read_subjects
from assay.subjects.report import Report
from assay.subjects.subject import Subject

# A row of a file, ``runs.jsonl:3``.
_ROW: Final = re.compile(r"(.+)(?::\d+|\[\d+\])")


def labelled_cases(
    labels: Iterable[Label],
    texts: Iterable[LabelledText],
    folders: Mapping[str, str],
    subjects: Iterable[Subject],
) -> list[Case]:
    """Return a case for each labelled subject or pair; see `assay.meta.labels.label_set.Labels.cases`."""
    known: dict[str, Subject] = {
        text.name: Report(text.report, query=text.query, id=text.id, system=text.system) for text in texts
    }
    for subject in subjects:
        names = [subject.path, subject.id]
        if subject.id and subject.system:
            names += [f"{subject.id}:{subject.system}", f"{subject.system}/{subject.id}"]
        for name in names:
            if name:
                known.setdefault(name, subject)
    cases: dict[str, Case] = {}
    for label in labels:
        if label.subject not in cases:
            folder = folders.get(label.subject, "")
            sides = label.subject.split(" | ")
            metadata = {**({"task": label.task} if label.task else {}), **label.strata}
            cases[label.subject] = Case(
                *(find_subject(side, Path(folder), known) for side in sides),
                id=label.subject,
                metadata=metadata,
            )
    return list(cases.values())


def find_subject(name: str, folder: Path, known: dict[str, Subject], *, what: str = "a label") -> Subject:
    """Return the subject that a label or a judgment names; what is read is kept in ``known``.

    Raises:
        UsageError: It is neither known nor a file in the folder.
    """
    at = str(folder / name)
    for key in (name, at):
        if key in known:
            return known[key]
    if Path(at).is_file():
        known[at] = read_one(at)
        return known[at]
    row = _ROW.fullmatch(at)
    if row is not None and Path(row[1]).is_file():
        known |= {
            item.path: item for item in read_subjects(row[1]) if not isinstance(item, Exception) and item.path
        }
    if at not in known:
        raise UsageError(
            f"{what} names {name!r}, which is neither a text in its file nor a file beside it",
            hint="cases(subjects=read(…)) finds subjects by id",
        )
    return known[at]
