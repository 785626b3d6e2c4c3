"""Where pairs to label come from: reports on one question, rows of two texts, judgments of pairs, and benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from assay.errors import AssayError, InputError
from assay.interventions.instances import INSTANCES
from assay.json_values import plain_value
from assay.meta.labels.cases import find_subject
from assay.rows import read_rows
from assay.subjects.subject import Subject
from assay.web.annotation.items import (
    SEPARATOR,
    AnnotationItem,
    item_of,
    pair_items,
    pair_of,
    read_all,
)

# Columns that hold the two texts of a pair, as files of preferences name them, and those of the question.
_SIDES: Final = (
    ("report_a", "report_b"), ("response_a", "response_b"), ("answer_a", "answer_b"), ("text_a", "text_b"),
    ("output_1", "output_2"), ("response_1", "response_2"), ("text1", "text2"), ("chosen", "rejected"), ("a", "b"),
)  # fmt: skip
_QUERIES: Final = ("query", "question", "prompt", "instruction", "input")
_ROWS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
_JUDGMENT: Final = "assay.judgment/"


def pairs_in(paths: Sequence[str]) -> Iterator[AnnotationItem]:
    """Yield an item for each pair in files and folders.

    A row of two texts is a pair, and so is each pair that a file of judgments names, and each instance of a benchmark
    with the text that it was made from. Of reports, every two that answer the same question are one.

    Raises:
        InputError: A file cannot be read, or no two reports answer the same question.
    """
    others: list[str] = []
    judged: list[str] = []
    found = False
    for path in paths:
        place = Path(path)
        if (place / INSTANCES).is_file():
            found = True
            yield from _instances(path)
        elif (first := _first_row(place)) is not None and _columns(first):
            found = True
            yield from _rows(path)
        elif first is not None and str(first.get("schema", "")).startswith(_JUDGMENT):
            judged.append(path)
        else:
            others.append(path)
    if judged:
        yield from _judged_pairs(judged, others)
    elif others or not found:
        yield from pair_items(read_all(others))


def subjects_in(paths: Sequence[str]) -> list[Subject]:
    """Return the subjects of files and folders; of a file of judgments, those that it names.

    Raises:
        InputError: One cannot be read.
    """
    judged = [path for path in paths if _is_judgments(Path(path))]
    others = read_all([path for path in paths if path not in judged])
    if not judged:
        return others
    known = _known(others)
    names = dict.fromkeys(side for path in judged for name in _names(path) for side in name.split(SEPARATOR))
    return [_found(name, judged[0], known) for name in names]


def _is_judgments(path: Path) -> bool:
    first = _first_row(path)
    return first is not None and str(first.get("schema", "")).startswith(_JUDGMENT)


def _first_row(path: Path) -> Mapping[str, Any] | None:
    if path.suffix.lower() not in _ROWS or not path.is_file():
        return None
    try:
        rows = list(islice(read_rows(path), 1))
    except AssayError:
        return None
    return rows[0][1] if rows and isinstance(rows[0][1], dict) else None


def _columns(row: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the columns of the two texts; short values are names of systems or files, not texts."""
    for a, b in _SIDES:
        if all(isinstance(row.get(name), str) and " " in row[name].strip() for name in (a, b)):
            return a, b
    return None


def _rows(path: str) -> Iterator[AnnotationItem]:
    for where, row in read_rows(path):
        columns = _columns(row) if isinstance(row, dict) else None
        if columns is None:
            raise InputError("has no two texts, as the rows before it", where=where)
        a, b = columns
        query = next((row[name] for name in _QUERIES if isinstance(row.get(name), str)), "")
        name = str(plain_value(row["id"])) if row.get("id") is not None else where
        yield item_of(
            SEPARATOR.join((f"{name}#A", f"{name}#B")),
            [{"report": row[a]}, {"report": row[b]}],
            query=query,
            hidden={f"system_{side}": str(row.get(f"system_{side}") or "") for side in ("a", "b")},
            task=query or name,
        )


def _instances(folder: str) -> Iterator[AnnotationItem]:
    from assay.meta.benchmark import Benchmark  # noqa: PLC0415 - knows every operator

    for one in Benchmark.load(folder).instances:
        yield item_of(
            SEPARATOR.join((f"{one.id}#reference", f"{one.id}#perturbed")),
            [dict(one.reference), dict(one.perturbed)],
            query=one.query,
            hidden={"type": one.type, "editor": one.editor},
            task=one.group,
        )


def _judged_pairs(judged: Sequence[str], others: Sequence[str]) -> Iterator[AnnotationItem]:
    known = _known(read_all(others))
    for path in judged:
        for name in _names(path):
            sides = name.split(SEPARATOR)
            if len(sides) == 2:
                yield pair_of(*(_found(side, path, known) for side in sides))


def _names(path: str) -> dict[str, None]:
    """Return the subjects that judgments name, each once, in their order."""
    return dict.fromkeys(
        str(row["subject"]) for _, row in read_rows(path) if isinstance(row, dict) and row.get("subject")
    )


def _known(subjects: Sequence[Subject]) -> dict[str, Subject]:
    names: dict[str, Subject] = {}
    for item in subjects:
        for name in (item.path, item.id):
            if name:
                names.setdefault(name, item)
    return names


def _found(name: str, path: str, known: dict[str, Subject]) -> Subject:
    here = Path(name).is_file() or name in known
    return find_subject(name, Path() if here else Path(path).parent, known, what="a judgment")
