"""Label loaders: a name, a test that recognises rows of a format, and a function that converts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from assay.meta.labels.record import Label

Row: TypeAlias = dict[str, Any]


class RowContext(msgspec.Struct, frozen=True):
    """The place of a row, and defaults for what it does not say.

    Attributes:
        where: Place for messages: ``labels.csv:12``.
        id: Id for a row without one.
        rater: Rater for rows without one.
        fields: Names of fields by what they hold, given by the user or guessed from the columns.
    """

    where: str
    id: str
    rater: str = "human"
    fields: Mapping[str, str] = {}


class LabelledText(msgspec.Struct, frozen=True, kw_only=True):
    """A labelled text, to be exported as a subject.

    Attributes:
        name: Name in the labels.
        id: Id of the row; the same for both sides of a pair, so that an experiment finds them.
        system: System that wrote the text; ``A`` or ``B`` in a pair.
        report: The text.
        query: Query that the text answers.
    """

    name: str
    id: str
    system: str | None = None
    report: str
    query: str | None = None


class ConvertedRow(msgspec.Struct, frozen=True):
    """The labels of a row, and the labelled texts if the row holds them."""

    labels: tuple[Label, ...]
    texts: tuple[LabelledText, ...] = ()


class LabelLoader(msgspec.Struct, frozen=True):
    """The declaration of a format.

    Attributes:
        name: Stable name in kebab-case.
        what: Description in one line, for lists and error messages.
        sniff: Test of whether a row has this format; must be cheap and must not raise.
        load: Conversion of a row; raises `InputError` with the place and the problem.
        columns: Guess of what the columns hold, from the first rows and the user's fields; None if the format fixes it.
        rank: Position in the order of tests; specific formats have smaller ranks than general ones.
    """

    name: str
    what: str
    sniff: Callable[[Row], bool]
    load: Callable[[Row, RowContext], ConvertedRow]
    columns: Callable[[Sequence[Row], Mapping[str, str]], dict[str, str]] | None = None
    rank: int = 50
