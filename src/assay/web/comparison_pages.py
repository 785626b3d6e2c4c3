"""The pages that show two runs, or two audits of the same reports, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from assay.audits.baseline import Baseline, ReportChange, baseline_of, change_of, missing_reports
from assay.errors import UsageError
from assay.present.baseline import change_tables, summary_line
from assay.present.html.index import index_page
from assay.present.html.page import audit_page, title_of
from assay.present.ranking import row_of
from assay.present.words import full_name_of
from assay.web.opened import OpenedAudits, OpenedItem, OpenedLedger
from assay.web.opened_pages import name_of_item, static_page
from assay.web.run_comparison import KINDS, compare_runs, prompt_difference
from assay.web.run_tables import RunTables, run_of_word, run_word
from assay.web.saved_views import comparison_csv
from assay.web.templating import language_of, page, web_interface

if TYPE_CHECKING:
    from starlette.requests import Request

_ROWS: Final = 100


def compare_page(request: Request) -> Response:
    """Show two runs side by side; ``a`` and ``b`` are the numbers of their ledgers and their ids."""
    tables: RunTables = request.app.state.tables
    sides = [_side(request, name) for name in "ab"]
    names = []
    for number, item, run in sides:
        tables.is_ready(tables.prepare(number, item, run), wait=True)
        names.append(tables.name(number, run))
    ja, jb = (request.query_params.get(name, "") for name in ("ja", "jb"))
    found = compare_runs(tables.index, names[0], names[1], chosen=(ja, jb))
    if request.query_params.get("as") == "csv":
        return comparison_csv(found)
    kind = request.query_params.get("kind", "")
    start = request.query_params.get("from", "0")
    at = int(start) if start.isdigit() else 0
    shown = [item for item in found.changes if item.kind == kind] if kind else list(found.changes)
    rows = []
    for number, item, run in sides:
        counts = item.coverage(run)
        total = sum(counts.values())
        with item.lock:
            row = item.ledger.run(run)
        rows.append(
            {
                "name": row.name,
                "id": run,
                "created": row.created,
                "base": f"/runs/{number}/{run_word(run)}",
                "total": total,
                "coverage": counts.get("ok", 0) / total if total else None,
                "totals": tables.index.totals(tables.name(number, run)),
            }
        )
    return page(
        request,
        "compare.html.j2",
        title=f"{rows[0]['name']} → {rows[1]['name']}",
        crumbs=[("/", "Runs")],
        sides=rows,
        found=found,
        kinds=[kind for kind in KINDS if found.counts.get(kind)],
        kind=kind,
        rows=shown[at : at + _ROWS],
        total=len(shown),
        at=at,
        size=_ROWS,
        base=f"/compare?{urlencode({'a': request.query_params['a'], 'b': request.query_params['b'], **_given(ja, jb)})}",
        prompts=prompt_difference([(item, run) for _, item, run in sides], found.changes),
        swapped=f"/compare?{urlencode({'a': request.query_params['b'], 'b': request.query_params['a'], **_given(jb, ja)})}",
        params={name: request.query_params[name] for name in "ab"},
    )


def _given(ja: str, jb: str) -> dict[str, str]:
    return {name: value for name, value in (("ja", ja), ("jb", jb)) if value}


def _side(request: Request, name: str) -> tuple[int, OpenedLedger, str]:
    number, _, word = request.query_params.get(name, "").partition("/")
    items: list[OpenedItem] = request.app.state.items
    item = items[int(number)] if number.isdigit() and int(number) < len(items) else None
    if not isinstance(item, OpenedLedger):
        raise UsageError("a comparison takes two runs; choose them on the page of a run")
    with item.lock:
        return int(number), item, item.ledger.run(run_of_word(word)).id


def other_runs(request: Request, number: int, run: str) -> list[tuple[str, str]]:
    """Return the runs that a run can be compared with: what an address says, and the id; the last before it comes first."""
    rows = [
        (at, row)
        for at, item in enumerate(request.app.state.items)
        if isinstance(item, OpenedLedger)
        for row in item.runs()[:50]
    ]
    own = next((row.created for at, row in rows if (at, row.id) == (number, run)), 0.0)
    rows.sort(key=lambda item: (item[1].created > own, -item[1].created))
    return [(f"{at}/{run_word(row.id)}", row.id) for at, row in rows if (at, row.id) != (number, run)]


def _audits(request: Request, name: str) -> OpenedAudits:
    items: list[OpenedItem] = request.app.state.items
    number = request.path_params[name]
    item = items[number] if number < len(items) else None
    if not isinstance(item, OpenedAudits):
        raise UsageError("there are no such audits among what was opened")
    return item


def _changes(earlier: OpenedAudits, later: OpenedAudits) -> tuple[Baseline, list[ReportChange]]:
    baseline = baseline_of(earlier.audits)
    return baseline, [
        change_of(audit, audit.fingerprints, baseline, full_name_of(audit)) for audit in later.audits
    ]


def compare_audits(request: Request) -> Response:
    """Show the later of two audits of the same reports, with what changed since the earlier one."""
    earlier, later = _audits(request, "earlier"), _audits(request, "later")
    say = web_interface(language_of(request))
    baseline, changes = _changes(earlier, later)
    base = request.url.path
    rows = [
        row_of(audit, page=f"{base}/{at}", title=title_of(audit)) for at, audit in enumerate(later.audits)
    ]
    every = [*changes, *missing_reports(changes, baseline)]
    title = f"{name_of_item(earlier)} → {name_of_item(later)}"
    compared = (summary_line(every, say), change_tables(every, say))
    return static_page(index_page(rows, title=title, compared=compared, home="/", say=say))


def compare_audit(request: Request) -> Response:
    """Show one audit with what is new and what is gone since the earlier one."""
    earlier, later = _audits(request, "earlier"), _audits(request, "later")
    at = request.path_params["at"]
    if at >= len(later.audits):
        raise UsageError("there is no such audit in this file")
    _, changes = _changes(earlier, later)
    home = request.url.path.rpartition("/")[0]
    say = web_interface(language_of(request))
    return static_page(audit_page(later.with_text(at), home=home, change=changes[at], say=say))


def choose_audits(request: Request) -> Response:
    """Lead from the choice of two audits to their comparison."""
    earlier, later = (request.query_params.get(name, "") for name in ("earlier", "later"))
    if not (earlier.isdigit() and later.isdigit()):
        raise UsageError("a comparison takes two files of audits; choose them on the first page")
    return RedirectResponse(f"/audits/{earlier}/to/{later}", 303)


COMPARISON_ROUTES: Final = (
    Route("/compare", compare_page),
    Route("/compare/audits", choose_audits),
    Route("/audits/{earlier:int}/to/{later:int}", compare_audits),
    Route("/audits/{earlier:int}/to/{later:int}/{at:int}", compare_audit),
)
