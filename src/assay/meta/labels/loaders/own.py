"""Labels in the format of Assay, ``assay.label/1``: one line for each rater and subject."""

from __future__ import annotations

from assay.meta.labels.loaders.base import ConvertedRow, LabelLoader, Row, RowContext
from assay.meta.labels.record import SCHEMA, read_label

_SAYS = ("preference", "score", "scores", "verdict")


def _sniff(row: Row) -> bool:
    if "schema" in row:
        return bool(row["schema"] == SCHEMA)
    return "subject" in row and "rater" in row and any(name in row for name in _SAYS)


def _load(row: Row, context: RowContext) -> ConvertedRow:
    named = {**row, **{name: row[field] for name, field in context.fields.items() if field in row}}
    for name, field in context.fields.items():
        if field in row and field != name:
            named.pop(field, None)
    if named.get("rater") is None:
        named["rater"] = context.rater
    return ConvertedRow((read_label(named, context.where),))


LOADER = LabelLoader(
    name="own",
    what="assay.label/1: subject, rater, and preference, score, scores or verdict",
    sniff=_sniff,
    load=_load,
    rank=10,
)
