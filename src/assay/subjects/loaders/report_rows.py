"""Rows with a report in one field, as the open agents write them.

Assumed names, first found first taken: ``article``, ``report``, ``final_report``, ``response``, ``output``,
``prediction``, ``completion``, ``answer``, ``text``, ``content`` for the report; ``prompt``, ``query``, ``question``
and their like for the query. ``--field report=NAME`` and ``--field query=NAME`` say otherwise; a dot goes into an
object (``result.text``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assay.errors import InputError
from assay.json_values import replace_surrogates
from assay.subjects.loaders._rows import QUERY_FIELDS, field, name_of, rest_of, system_of, text_field
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterator

_REPORT_FIELDS: Final = (
    "article", "report", "final_report", "response", "output", "prediction", "completion", "answer", "text", "content",
)  # fmt: skip


def sniff(row: Any) -> bool:
    """Return whether a row has a report under one of the usual names."""
    return isinstance(row, dict) and any(isinstance(row.get(name), str) for name in _REPORT_FIELDS)


def load(row: dict[str, Any], origin: InputContext) -> Iterator[Report]:
    """Yield the one report of a row."""
    mapped = origin.fields.get("report")
    names = tuple(name for name in _REPORT_FIELDS if isinstance(row.get(name), str))
    text = field(row, "report", origin, names)
    name = mapped or next((name for name in names if row[name] is text), "report")
    if not isinstance(text, str):
        have = ", ".join(sorted(map(str, row))[:20])
        raise InputError(
            f"no text in field {name!r}; the row has: {have}",
            hint='fields={"report": "NAME"} names it',
            cli_hint="--field report=NAME names it",
        )
    if not text.strip():
        raise InputError(f"the report in field {name!r} is empty")
    yield Report(
        replace_surrogates(text),
        query=text_field(row, "query", origin, QUERY_FIELDS) or origin.query,
        path=origin.path,
        id=name_of(row, origin),
        system=system_of(row, origin),
        meta=rest_of(row, (name, *QUERY_FIELDS, "id", "system")),
    )


LOADER = SubjectLoader(
    name="report-rows",
    what="rows with a report and its query (id/prompt/article, query/report, question/answer, …)",
    takes="row",
    sniff=sniff,
    load=load,
    rank=80,
)
