"""What the owner of a project takes away: labels, labels of instances, marked faults, evidence."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from starlette.responses import Response, StreamingResponse

from assay.meta.labels.export import label_lines
from assay.web.annotation.project_labels import evidence_rows, fault_rows, project_labels, validation_rows
from assay.web.annotation.visits import project_of, rater_of
from assay.web.common_pages import missing, spreadsheet_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from starlette.requests import Request


def export(request: Request) -> Response:
    """Write what was said: labels, labels of instances, marked faults, evidence, or all answers as CSV."""
    project, name = project_of(request), request.path_params["name"]
    if rater_of(request) is not None:
        return missing(request)
    if name == "labels.jsonl":
        return _download(name, label_lines(project_labels(project)))
    if name == "faults.jsonl":
        return _download(name, _json_lines(fault_rows(project)))
    if name == "evidence.jsonl":
        return _download(name, _json_lines(evidence_rows(project)))
    if name == "labels.csv":
        return _download(name, _csv(label.to_dict() for label in project_labels(project)))
    rater = request.query_params.get("rater")
    if name == "validation.jsonl" and rater in {one.name for one in project.raters()}:
        return _download(f"{rater}.jsonl", _json_lines(validation_rows(project, rater or "")))
    return missing(request)


def _json_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    return (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _csv(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    given = list(rows)
    columns = list(dict.fromkeys(name for row in given for name in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in given:
        writer.writerow({name: spreadsheet_cell(value) for name, value in row.items()})
    yield stream.getvalue()


def _download(name: str, lines: Iterable[str]) -> Response:
    plain = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in name)
    kind = "text/csv" if name.endswith(".csv") else "application/x-ndjson"
    return StreamingResponse(
        (line.encode("utf-8", "backslashreplace") for line in lines),
        media_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{plain}"'},
    )
