"""The contract of a task loader: a name, a test that recognises a row of its format, and a function that reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from assay.rubrics.tasks import RubricTask

Row: TypeAlias = dict[str, Any]


class RowOrigin(msgspec.Struct, frozen=True):
    """Where a row stands: for messages (``tasks.jsonl:12``), and the id of a task that names none itself."""

    where: str
    id: str


class RubricLoader(msgspec.Struct, frozen=True):
    """A format's declaration.

    Attributes:
        name: Kebab-case, stable.
        what: One line for the error that lists what was expected.
        sniff: Whether a row is of this format. Must be cheap and must not raise.
        load: The task in a row; raises `InputError` that names the place and what is wrong with it.
        rank: Smaller is asked first; the specific before the general.
    """

    name: str
    what: str
    sniff: Callable[[Row], bool]
    load: Callable[[Row, RowOrigin], RubricTask]
    rank: int = 50
