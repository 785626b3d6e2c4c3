"""Labels from a file of any format that a loader knows: recognised by content, row by row.

Each file of ``assay.meta.labels.loaders``, and each entry point in the group ``assay.label_loaders``, brings a format as
its module-level ``LOADER``.
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
# Rows whose columns are looked at before any is read.
_LOOKED_AT: Final = 200
_MOST_SHOWN: Final = 5
# The line or the index at the end of a place.
_NUMBER: Final = re.compile(r"^.*(?::(?=\d+$)|(?=\[\d+\]$))(.+)$", re.DOTALL)


class LabelSet(msgspec.Struct, frozen=True, kw_only=True):
    """Labels of one or several files.

    Attributes:
        labels: In order.
        texts: What they are of, where a file holds it; each name once.
        formats: Names of the formats met.
        columns: What was taken for what, where columns were guessed: ``{"score": "rating"}``.
        silent: Rows in which the rater did not say anything.
    """

    labels: tuple[Label, ...]
    texts: tuple[LabelledText, ...] = ()
    formats: tuple[str, ...] = ()
    columns: dict[str, str] = {}
    silent: int = 0


@lru_cache(maxsize=1)
def all_label_loaders() -> tuple[LabelLoader, ...]:
    """Every loader, the specific before the general.

    Raises:
        UsageError: Two loaders share a name, or an entry point is no loader.
    """
    found = discover(
        [package], group=GROUP, attribute="LOADER", kind=LabelLoader, names=lambda loader: (loader.name,)
    )
    return tuple(sorted(found, key=lambda loader: (loader.rank, loader.name)))


def read_labels(
    paths: Iterable[str | Path],
    *,
    format: str | None = None,  # noqa: A002 - the option's own name
    fields: Mapping[str, str] | None = None,
    rater: str = "human",
) -> LabelSet:
    """The labels in files.

    Args:
        paths: Files ending in .jsonl, .json, .csv or .tsv, packed or not.
        format: Name of the format, instead of recognising it.
        fields: Names of fields by what they hold: ``{"score": "rating"}``.
        rater: Name of the rater of rows that name none.

    Raises:
        UsageError: No format or field is called so.
        InputError: A row is malformed, or no loader knows a file; the message says where.
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
        usual = forced or _usual(rows)
        named = _columns(usual, rows, dict(fields or {}))
        columns.update(named if usual.columns else {})
        bad: list[InputError] = []
        for number, (where, row) in enumerate(rows, start=1):
            try:
                loader = forced or _sniffed(row) or usual
                loader = usual if loader.columns else loader
                formats.setdefault(loader.name)
                made = loader.load(_table(row, where), RowContext(where, f"row-{number}", rater, named))
            except InputError as error:
                bad.append(error)
                continue
            labels += made.labels
            silent += not made.labels
            for text in made.texts:
                _keep(texts, text, where)
        if bad:
            raise _together(bad)
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
        raise InputError(f"is {kind_of(row)}; a label is a table", where=where)
    return row


def _keep(texts: dict[str, LabelledText], text: LabelledText, where: str) -> None:
    known = texts.setdefault(text.name, text)
    if known.report != text.report:
        raise InputError(f"two texts are called {text.name!r}", where=where, hint="ids must differ")


def _loader(name: str) -> LabelLoader:
    found = {loader.name: loader for loader in all_label_loaders()}
    if name not in found:
        raise UsageError(f"no format of labels is called {name!r}; {did_you_mean(name, found)}")
    return found[name]


def _sniffed(row: Any) -> LabelLoader | None:
    if not isinstance(row, dict):
        return None
    return next((loader for loader in all_label_loaders() if loader.sniff(row)), None)


def _usual(rows: list[tuple[str, Any]]) -> LabelLoader:
    """The loader of the first row that one knows, which is for rows too malformed to tell; else that of tables."""
    for _, row in rows[:_LOOKED_AT]:
        found = _sniffed(row)
        if found is not None:
            return found
    return _loader("table")


def _columns(loader: LabelLoader, rows: list[tuple[str, Any]], fields: dict[str, str]) -> dict[str, str]:
    if loader.columns is None:
        return fields
    return loader.columns([row for _, row in rows[:_LOOKED_AT] if isinstance(row, dict)], fields)


def _together(bad: list[InputError]) -> InputError:
    """The first of several errors, which says where the others are."""
    first = bad[0]
    if len(bad) == 1:
        return first
    places = [_NUMBER.sub(r"\1", str(error.where)) for error in bad[1:]]
    more = ", ".join(places[:_MOST_SHOWN]) + (" …" if len(places) > _MOST_SHOWN else "")
    rest = f"{len(places)} more malformed: {more}"
    return InputError(first.problem, where=first.where, hint=f"{first.hint}; {rest}" if first.hint else rest)
