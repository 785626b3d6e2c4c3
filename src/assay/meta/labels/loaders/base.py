"""What a loader of labels is: a name, a test that recognises a row of its format, and a function that reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from assay.meta.labels.record import Label

Row: TypeAlias = dict[str, Any]


class RowContext(msgspec.Struct, frozen=True):
    """Where a row stands, and what is known beside it.

    Attributes:
        where: For messages: ``labels.csv:12``.
        id: Of a row that names none itself.
        rater: Of rows that name none.
        fields: Names of the row's fields by what they hold, told by the user or guessed from the columns.
    """

    where: str
    id: str
    rater: str = "human"
    fields: Mapping[str, str] = {}


class LabelledText(msgspec.Struct, frozen=True, kw_only=True):
    """A text that labels are of, to be written out as a subject.

    Attributes:
        name: What labels call it.
        id: Of the row; both of a pair have the same, so that an experiment finds them.
        system: Who wrote it, as far as that may be known to who reads the results; ``A`` or ``B`` in a pair.
        report: The text.
        query: What it answers.
    """

    name: str
    id: str
    system: str | None = None
    report: str
    query: str | None = None


class ConvertedRow(msgspec.Struct, frozen=True):
    """What a row holds: labels, and the texts they are of where it has them."""

    labels: tuple[Label, ...]
    texts: tuple[LabelledText, ...] = ()


class LabelLoader(msgspec.Struct, frozen=True):
    """A format's declaration.

    Attributes:
        name: Kebab-case, stable.
        what: One line, for lists and for the error that says what was expected.
        sniff: Whether a row is of this format. Must be cheap and must not raise.
        load: What a row holds; raises `InputError` that names the place and what is wrong with it.
        columns: What the columns of a table hold, guessed from its first rows and what the user told; None where the
            format fixes it.
        rank: Smaller is asked first; the specific before the general.
    """

    name: str
    what: str
    sniff: Callable[[Row], bool]
    load: Callable[[Row, RowContext], ConvertedRow]
    columns: Callable[[Sequence[Row], Mapping[str, str]], dict[str, str]] | None = None
    rank: int = 50
