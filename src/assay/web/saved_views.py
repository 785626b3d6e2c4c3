"""What is seen, as a file: rows of a run as CSV or as a page that needs nothing beside itself, a pair as a page, a comparison as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from starlette.responses import HTMLResponse, Response, StreamingResponse

from assay.present.html.pair_page import pair_page
from assay.present.html.tables import PageSection, tables_page
from assay.present.table import Table, TableSet
from assay.subjects.report import Report
from assay.web.common_pages import spreadsheet_cell
from assay.web.templating import score_text, usd

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.web.judgment_heads import JudgmentHead
    from assay.web.judgment_index import HeadFilter, JudgmentIndex
    from assay.web.run_comparison import RunComparison

_EXPORTED: Final = (
    "key", "subject", "judge", "rubric", "system", "mode", "status", "problem", "verdict", "score", "split", "spread",
    "trial", "calls", "tokens", "cost", "at",
)  # fmt: skip
# Rows of a static page; CSV has them all.
_MOST: Final = 2000


def rows_csv(index: JudgmentIndex, run: str, wanted: HeadFilter) -> Response:
    """Return the rows that a filter lets through as CSV, read a page at a time."""

    def rows() -> Iterator[Sequence[object]]:
        yield _EXPORTED
        after: str | None = None
        while True:
            found = index.page(run, wanted, after, 1000)
            for row in found.rows:
                yield [getattr(row, column) for column in _EXPORTED]
            after = found.next
            if after is None:
                return

    return _csv(rows(), "judgments.csv")


def comparison_csv(found: RunComparison) -> Response:
    """Return the cases of two runs as CSV, regressions first."""

    def rows() -> Iterator[Sequence[object]]:
        sided = [
            f"{name}_{side}"
            for name in ("key", "judge", "status", "verdict", "score")
            for side in ("before", "after")
        ]
        yield ["change", "subject", "moved", *sided]
        for item in found.changes:
            both = [
                getattr(head, name)
                for name in ("key", "judge", "status", "verdict", "score")
                for head in (item.before, item.after)
            ]
            yield [item.kind, item.after.subject, item.moved, *both]

    return _csv(rows(), "comparison.csv")


def _csv(rows: Iterable[Sequence[object]], name: str) -> Response:
    def lines() -> Iterator[bytes]:
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        for number, row in enumerate(rows, start=1):
            writer.writerow(map(spreadsheet_cell, row))
            if number % 500 == 0:
                yield stream.getvalue().encode("utf-8", "backslashreplace")
                stream.seek(0)
                stream.truncate()
        yield stream.getvalue().encode("utf-8", "backslashreplace")

    return StreamingResponse(lines(), media_type="text/csv; charset=utf-8", headers=_attached(name))


def rows_page(index: JudgmentIndex, run: str, wanted: HeadFilter, *, title: str) -> Response:
    """Return the rows that a filter lets through as a static page."""
    found = index.page(run, wanted, None, _MOST)
    total = index.count(run, wanted)
    heads = ["Case", "Judge", "Rubric", "Status", "Verdict", "Score", "Apart", "Tokens", "Cost"]
    notes = [f"The first {_MOST:,} of {total:,} rows; CSV has them all."] if found.next else []
    table = Table(
        heads=heads,
        rows=[_cells(row) for row in found.rows],
        align="lllll",
        key="judgments",
        title="Judgments",
        notes=notes,
    )
    tables = TableSet(
        title=title,
        facts=[(f"{total:,}", "judgments")],
        judges=[name for name, _ in index.facets(run, "judge")][:12],
        notes=notes,
        tables=[table],
        methods={},
    )
    section = PageSection(key="judgments", title="Judgments", tables=[table])
    text = tables_page(
        tables,
        [section],
        title=title,
        crumb=run.partition("/")[2],
        foot="Apart: largest difference between the judges of a case.",
    )
    return _page(text, "judgments.html")


def _cells(row: JudgmentHead) -> list[str]:
    return [
        row.subject,
        row.judge,
        row.rubric,
        row.status if row.status == "ok" else f"{row.status}: {row.problem}",
        row.verdict.replace("_", " "),
        "" if row.score is None else score_text(row.score),
        "" if row.spread is None else score_text(row.spread),
        f"{row.tokens:,}" if row.tokens else "",
        usd(row.cost) if row.calls else "",
    ]


def static_pair(judgment: Judgment, texts: Sequence[str]) -> Response:
    """Return a judgment of a pair as a static page, with both texts."""
    names = judgment.subject.split(" | ")
    named = names if len(names) == 2 else ["A", "B"]
    subjects = [Report(text, path=name) for text, name in zip(texts, named, strict=True)]
    return _page(pair_page(judgment, subjects), "pair.html")


def _page(text: str, name: str) -> Response:
    return HTMLResponse(
        text.encode("utf-8", "replace"),
        headers={**_attached(name), "Content-Security-Policy": "sandbox; default-src 'none'"},
    )


def _attached(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
