"""Revisions that did not become instances, as they are kept beside a benchmark: ``refused.jsonl``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.rows import text_lines


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """A revision, or a place, that did not become an instance.

    Attributes:
        type: Name of the operator.
        source: Name of the subject.
        reason: The filter, or ``declined``, ``already_there``, ``no_place``, ``model_unparsed`` and the like.
        detail: What exactly was wrong.
        before: The first changed text before the revision; empty if there was none.
        after: The same after it.
    """

    type: str
    source: str
    reason: str
    detail: str
    before: str = ""
    after: str = ""


def write_refusals(path: Path, refusals: Iterable[Refusal]) -> None:
    """Write refusals, one per line."""
    path.write_bytes(b"".join(msgspec.json.encode(item) + b"\n" for item in refusals))


def read_refusals(path: Path) -> list[Refusal]:
    """Read refusals; none if the file does not exist.

    Raises:
        InputError: A line is not a refusal; the message names it.
    """
    if not path.is_file():
        return []
    refusals = []
    for where, line in text_lines(path):
        try:
            refusals.append(msgspec.json.decode(line, type=Refusal))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(f"not a refusal: {error}", where=where) from error
    return refusals
