"""The contract of a loader: a name, a test that recognises its format, and a function that reads it.

A loader is one file of this package, or an entry point in the group ``assay.loaders``, with a module-level ``LOADER``.
It gets one piece of input – a parsed JSON row, the text of a file, or an open binary file – and yields subjects. What
it cannot read it reports by raising `InputError`; `assay.subjects.reading` adds the place and goes on with the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.subjects.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


Takes = Literal["row", "text", "file"]

DEFAULT_MAX_BYTES: Final = 32 * 1024 * 1024


class InputContext(msgspec.Struct, frozen=True):
    """The origin of a piece of input, and how the caller wants it read.

    Attributes:
        path: File and row (``runs.jsonl:12``), for messages and for ``Subject.path``.
        suffix: The file's suffix, lower case, without ``.gz``; empty for a stream.
        query: Question to use if the input names none.
        fields: Names of a row's fields by what they hold: ``{"report": "article"}``.
        max_bytes: The most bytes one subject may have.
    """

    path: str | None = None
    suffix: str = ""
    query: str | None = None
    fields: Mapping[str, str] = {}
    max_bytes: int = DEFAULT_MAX_BYTES


class SubjectLoader(msgspec.Struct, frozen=True):
    """A format's declaration.

    Attributes:
        name: Kebab-case, stable; what ``--input-format`` takes.
        what: One line for listings and for the error that lists what was tried.
        takes: ``"row"`` (parsed JSON: an object, or an array that is one conversation), ``"text"`` (a whole text
            file), or ``"file"`` (an open binary file that can seek; ``sniff`` gets its first bytes).
        sniff: Whether a piece of input is of this format. Must be cheap and must not raise.
        load: Yields the subjects in one piece of input, and an `InputError` for each part that cannot be read.
        suffixes: File suffixes that belong to a ``"file"`` loader whatever the first bytes say.
        rank: Smaller is asked first; the specific before the general.
    """

    name: str
    what: str
    takes: Takes
    sniff: Callable[[Any], bool]
    load: Callable[[Any, InputContext], Iterator[Subject | InputError]]
    suffixes: tuple[str, ...] = ()
    rank: int = 50
