"""Label files of any format that a loader knows, recognised by content, row by row.

Each module of ``assay.meta.labels.loaders``, and each entry point in the group ``assay.label_loaders``, provides a
format as its module-level ``LOADER``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

import assay.meta.labels.loaders as package
from assay.decoding import kind_of
from assay.errors import InputError, UsageError
from assay.meta.labels.files import label_rows
from assay.meta.labels.loaders.base import LabelledText, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label
from assay.registry import discover
from assay.suggest import did_you_mean

GROUP: Final = "assay.label_loaders"
# Number of rows from which formats and columns are guessed.
_SAMPLE: Final = 200
_MOST_SHOWN: Final = 5
# The line number or index at the end of a place.
_NUMBER: Final = re.compile(r"^.*(?::(?=\d+$)|(?=\[\d+\]$))(.+)$", re.DOTALL)


class LabelSet(msgspec.Struct, frozen=True, kw_only=True):
    """Labels of one or several files.

    Attributes:
        labels: Labels, in order.
        texts: Labelled texts, if the files hold them; each name occurs once.
        formats: Names of the recognised formats.
        columns: Guessed columns by what they hold: ``{"score": "rating"}``.
        silent: Number of rows without a rating.
    """

    labels: tuple[Label, ...]
    texts: tuple[LabelledText, ...] = ()
    formats: tuple[str, ...] = ()
    columns: dict[str, str] = {}
    silent: int = 0


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
    paths: Iterable[str | Path],
    *,
    format: str | None = None,  # noqa: A002 - the option's own name
    fields: Mapping[str, str] | None = None,
    rater: str = "human",
) -> LabelSet:
    """Read the labels in files.

    Args:
        paths: Files ending in .jsonl, .json, .csv or .tsv, plain or packed by gzip.
        format: Name of the format; None to recognise it.
        fields: Names of fields by what they hold: ``{"score": "rating"}``.
        rater: Rater of rows that do not name one.

    Raises:
        UsageError: No format or field has the given name.
        InputError: A file is empty, or a row is malformed; the message names the row.
    """
    forced = None if format is None else _loader(format)
    labels: list[Label] = []
    texts: dict[str, LabelledText] = {}
    formats: dict[str, None] = {}
    columns: dict[str, str] = {}
    silent = 0
    for path in paths:
        rows = list(label_rows(path))
        if not rows:
            raise InputError("holds no labels: it is empty", where=str(path))
        main = forced or _main_loader(rows)
        named = _columns(main, rows, dict(fields or {}))
        columns.update(named if main.columns else {})
        errors: list[InputError] = []
        for number, (where, row) in enumerate(rows, start=1):
            try:
                loader = forced or _recognise(row) or main
                loader = main if loader.columns else loader
                formats.setdefault(loader.name)
                converted = loader.load(_table(row, where), RowContext(where, f"row-{number}", rater, named))
            except InputError as error:
                errors.append(error)
                continue
            labels += converted.labels
            silent += not converted.labels
            for text in converted.texts:
                _add_text(texts, text, where)
        if errors:
            raise _combined(errors)
    if not labels:
        raise InputError("holds no labels: every rater's cell is empty", where=", ".join(map(str, paths)))
    return LabelSet(
        labels=tuple(labels),
        texts=tuple(texts.values()),
        formats=tuple(formats),
        columns=columns,
        silent=silent,
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
