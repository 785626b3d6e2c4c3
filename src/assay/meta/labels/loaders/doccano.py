"""Lines of doccano's export: a text with the labels that one user gave it.

    {"id", "text", "label": ["positive"]}                           a word, or several
    {"id", "text", "label": [[0, 5, "fault"]]}                      spans
    {"id", "text", "entities": [{"start_offset", "end_offset", "label"}]}

doccano writes a file for each user, so the rater is the one that the reader of the file names.
"""

from __future__ import annotations

from typing import Any, Final

from assay.decoding import kind_of
from assay.errors import InputError
from assay.meta.labels.loaders._cells import short
from assay.meta.labels.loaders.base import ConvertedRow, LabelledText, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label, verdict_of

_OWN: Final = {
    "id",
    "text",
    "data",
    "label",
    "labels",
    "entities",
    "relations",
    "cats",
    "Comments",
    "comments",
    "meta",
}


def _sniff(row: Row) -> bool:
    given = row.get("label", row.get("labels", row.get("entities")))
    text = row.get("text", row.get("data"))
    if not isinstance(text, str) or not isinstance(given, list) or not set(row) <= _OWN:
        return False
    return all(isinstance(item, str) or _is_span(item) for item in given)


def _is_span(item: Any) -> bool:
    if isinstance(item, dict):
        return {"start_offset", "end_offset", "label"} <= item.keys()
    return isinstance(item, list) and len(item) == 3 and isinstance(item[2], str)


def _load(row: Row, context: RowContext) -> ConvertedRow:
    name = short(row.get("id")) or context.id
    given = row.get("label", row.get("labels", row.get("entities"))) or []
    text = row.get("text", row.get("data"))
    if not isinstance(given, list) or not all(isinstance(item, str) or _is_span(item) for item in given):
        raise InputError("label holds something else than words and spans", where=context.where)
    if not isinstance(text, str):
        raise InputError(f"text is {kind_of(text)}; it must be text", where=context.where)
    words = [item for item in given if isinstance(item, str)]
    spans = [item for item in given if not isinstance(item, str)]
    kinds = dict.fromkeys(str(item["label"] if isinstance(item, dict) else item[2]) for item in spans)
    labels = [Label(subject=name, rater=context.rater, verdict="found", criterion=kind) for kind in kinds]
    if len(words) == 1:
        labels.append(Label(subject=name, rater=context.rater, verdict=verdict_of(words[0], context.where)))
    else:
        labels += [
            Label(subject=name, rater=context.rater, verdict="found", criterion=word) for word in words
        ]
    return ConvertedRow(tuple(labels), (LabelledText(name=name, id=name, report=text),))


LOADER = LabelLoader(
    name="doccano",
    what="doccano: text with label or entities, one file for each user",
    sniff=_sniff,
    load=_load,
    rank=60,
)
