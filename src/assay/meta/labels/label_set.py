"""Label files of any format that a loader knows, recognised by content, row by row.

Each module of ``assay.meta.labels.loaders``, and each entry point in the group ``assay.label_loaders``, provides a
format as its module-level ``LOADER``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import assay.meta.labels.loaders as package
from assay.decoding import kind_of
from assay.errors import InputError, UsageError
from assay.frozen import FrozenDict
from assay.garbage import paused_collector
from assay.meta.labels.files import label_rows
from assay.meta.labels.loaders.base import LabelledText, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label
from assay.record import Records, frame_rows, is_frame
from assay.registry import discover
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.subjects.case import Case
    from assay.subjects.subject import Subject

GROUP: Final = "assay.label_loaders"
# Number of rows from which formats and columns are guessed.
_SAMPLE: Final = 200
_MOST_SHOWN: Final = 5
# The line number or index at the end of a place.
_NUMBER: Final = re.compile(r"^.*(?::(?=\d+$)|(?=\[\d+\]$))(.+)$", re.DOTALL)


class Labels(Records[Label]):
    """What people said, in order; ``cases()`` returns what they said it about, to be judged.

    Args:
        items: The labels.
        texts: Labelled texts, if the files hold them; each name occurs once.
        formats: Names of the recognised formats.
        columns: Guessed columns by what they hold: ``{"score": "rating"}``.
        empty: Number of rows without a rating.
        folders: Folder of the file that names a subject, by subject.
    """

    __slots__ = ("columns", "empty", "folders", "formats", "texts")

    item_type = Label
    noun = "label"

    def __init__(
        self,
        items: Iterable[Label] = (),
        *,
        errors: Iterable[Exception] = (),
        texts: Iterable[LabelledText] = (),
        formats: Iterable[str] = (),
        columns: Mapping[str, str] | None = None,
        empty: int = 0,
        folders: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(items, errors=errors)
        self.texts = tuple(texts)
        self.formats = tuple(formats)
        self.columns = FrozenDict(columns or {})
        self.empty = empty
        self.folders = FrozenDict(folders or {})

    def _like(self, items: Iterable[Label]) -> Self:
        return type(self)(
            items, texts=self.texts, formats=self.formats, columns=self.columns, folders=self.folders
        )

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the labels of a file of any format that `read_labels` knows."""
        found = read_labels(path)
        return found if isinstance(found, cls) else cls(found)

    def cases(self, subjects: Iterable[Subject] = ()) -> list[Case]:
        """Return a case for each labelled subject or pair, once, named as the labels name it.

        Args:
            subjects: Subjects that labels name by id; others are texts in the label file, or files relative to it.

        Raises:
            UsageError: A label names something that is none of these.
            InputError: A file cannot be read.
        """
        from assay.meta.labels.cases import labelled_cases  # noqa: PLC0415 - reading subjects knows every loader

        return labelled_cases(self, self.texts, self.folders, subjects)


@lru_cache(maxsize=1)
def all_label_loaders() -> tuple[LabelLoader, ...]:
    """Return all loaders, specific formats before general ones.

    Raises:
        UsageError: Two loaders share a name, or an entry point is faulty.
    """
    loaders = discover(
        [package], group=GROUP, attribute="LOADER", kind=LabelLoader, names=lambda loader: (loader.name,)
    )
    return tuple(sorted(loaders, key=lambda loader: (loader.rank, loader.name)))


def read_labels(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    format: str | None = None,  # noqa: A002 - the option's own name
    default_rater: str = "human",
    **fields: str,
) -> Labels:
    """Read what people said, from files of any known format.

    Args:
        paths: Files ending in .jsonl, .json, .csv or .tsv, plain or packed by gzip; datasets: ``hf:owner/name[:split]``.
        format: Name of the format; None to recognise it.
        default_rater: Rater of rows that do not name one.
        **fields: Names of columns by what they hold, where they are not recognised: ``score="rating"``.

    Raises:
        UsageError: No format or field has the given name.
        InputError: A file is empty, or a row is malformed; the message names the row.
    """
    reader = _Reader(None if format is None else _loader(format), default_rater, fields)
    many = [paths] if isinstance(paths, str | PathLike) else list(paths)
    with paused_collector():
        for path in many:
            reader.add(list(label_rows(Path(path))), Path(path))
    if not reader.labels:
        raise InputError("holds no labels: every rater's cell is empty", where=", ".join(map(str, many)))
    return reader.result()


def labels_of(source: Any) -> Iterable[Label]:
    """Return labels given as objects, or as a data frame with a row for each."""
    if not is_frame(source):
        return source  # type: ignore[no-any-return]
    reader = _Reader(None, "human", {})
    reader.add([(f"row {at}", row) for at, row in enumerate(frame_rows(source))], Path("frame"))
    return reader.result()


class _Reader:
    """Collects the labels of files."""

    def __init__(self, forced: LabelLoader | None, rater: str, fields: Mapping[str, str]) -> None:
        self.forced, self.rater, self.fields = forced, rater, dict(fields)
        self.labels: list[Label] = []
        self.texts: dict[str, LabelledText] = {}
        self.formats: dict[str, None] = {}
        self.columns: dict[str, str] = {}
        self.folders: dict[str, str] = {}
        self.empty = 0

    def add(self, rows: list[tuple[str, Any]], path: Path) -> None:
        """Add the rows of a file."""
        if not rows:
            raise InputError("holds no labels: it is empty", where=str(path))
        main = self.forced or _main_loader(rows)
        named = _columns(main, rows, self.fields)
        self.columns.update(named if main.columns else {})
        errors: list[InputError] = []
        folder = str(path.parent)
        for number, (where, row) in enumerate(rows, start=1):
            try:
                loader = self.forced or _recognise(row) or main
                loader = main if loader.columns else loader
                self.formats.setdefault(loader.name)
                context = RowContext(where, f"row-{number}", self.rater, named)
                converted = loader.load(_table(row, where), context)
            except InputError as error:
                errors.append(error)
                continue
            self.labels += converted.labels
            for label in converted.labels:
                self.folders.setdefault(label.subject, folder)
            self.empty += not converted.labels
            for text in converted.texts:
                _add_text(self.texts, text, where)
        if errors:
            raise _combined(errors)

    def result(self) -> Labels:
        """Return everything that was added."""
        return Labels(
            self.labels,
            texts=self.texts.values(),
            formats=self.formats,
            columns=self.columns,
            empty=self.empty,
            folders=self.folders,
        )


def _table(row: Any, where: str) -> Row:
    if not isinstance(row, dict):
        raise InputError(f"is {kind_of(row)}; a label must be an object", where=where)
    return row


def _add_text(texts: dict[str, LabelledText], text: LabelledText, where: str) -> None:
    known = texts.setdefault(text.name, text)
    if known.report != text.report:
        raise InputError(f"two texts are called {text.name!r}", where=where, hint="ids must differ")


def _loader(name: str) -> LabelLoader:
    loaders = {loader.name: loader for loader in all_label_loaders()}
    if name not in loaders:
        raise UsageError(f"no label format is called {name!r}; {did_you_mean(name, loaders)}")
    return loaders[name]


def _recognise(row: Any) -> LabelLoader | None:
    if not isinstance(row, dict):
        return None
    return next((loader for loader in all_label_loaders() if loader.sniff(row)), None)


def _main_loader(rows: list[tuple[str, Any]]) -> LabelLoader:
    """Return the loader of the first recognised row, for rows too malformed to recognise; else that of tables."""
    loaders = (_recognise(row) for _, row in rows[:_SAMPLE])
    return next((loader for loader in loaders if loader is not None), None) or _loader("table")


def _columns(loader: LabelLoader, rows: list[tuple[str, Any]], fields: dict[str, str]) -> dict[str, str]:
    if loader.columns is None:
        return fields
    return loader.columns([row for _, row in rows[:_SAMPLE] if isinstance(row, dict)], fields)


def _combined(errors: list[InputError]) -> InputError:
    """Return the first of several errors, with the places of the others in its hint."""
    first = errors[0]
    if len(errors) == 1:
        return first
    places = [_NUMBER.sub(r"\1", str(error.where)) for error in errors[1:]]
    more = ", ".join(places[:_MOST_SHOWN]) + (" …" if len(places) > _MOST_SHOWN else "")
    rest = f"{len(places)} more malformed: {more}"
    hints = (f"{hint}; {rest}" if hint else rest for hint in (first.hint, first.cli_hint or first.hint))
    return InputError(first.problem, where=first.where, hint=next(hints), cli_hint=next(hints))
