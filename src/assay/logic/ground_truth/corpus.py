"""Corpora with known arguments, in any of the forms that are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from assay.errors import InputError
from assay.logic.ground_truth.annotated import SCHEMA, ArguedText, pair_of, read_arggraphs
from assay.logic.ground_truth.pair import FILE, read_pairs
from assay.rows import text_lines

if TYPE_CHECKING:
    from assay.logic.ground_truth.pair import GroundTruthPair


def read_corpus(place: str | Path) -> list[GroundTruthPair]:
    """Read texts with their argument graphs: a set of pairs, annotated texts (JSONL), or a folder of arggraph files.

    Raises:
        InputError: It cannot be read, or holds something else.
    """
    path = Path(place)
    if path.is_dir() and not (path / FILE).exists():
        files = sorted(path.glob("*.xml"))
        if files:
            return read_arggraphs(files)
        rows = sorted(path.glob("*.jsonl"))
        if len(rows) == 1:
            path = rows[0]
    if path.suffix == ".xml":
        return read_arggraphs([path])
    if path.is_file() and _is_annotated(path):
        return _read_annotated(path)
    return read_pairs(path)


def _is_annotated(path: Path) -> bool:
    with path.open("rb") as stream:
        first = next((line for line in stream if line.strip()), b"")
    return SCHEMA.encode() in first or b'"units"' in first


def _read_annotated(path: Path) -> list[GroundTruthPair]:
    pairs: list[GroundTruthPair] = []
    for where, line in text_lines(path):
        try:
            row = msgspec.json.decode(line, type=ArguedText)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"is not an annotated text: {error}", where=where) from error
        pairs.append(pair_of(row))
    return pairs
