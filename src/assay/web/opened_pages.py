"""The pages of what is not a run: audits, benchmarks, evaluation runs, and pages that were written before."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from markupsafe import escape
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from assay.errors import UsageError
from assay.interventions.validation import annotation_queue
from assay.present.html.changed import changed_html
from assay.present.html.frame import page_policy
from assay.present.html.index import index_page
from assay.present.html.page import audit_page, title_of
from assay.present.numbers import titled
from assay.present.ranking import row_of
from assay.web.opened import (
    OpenedAudits,
    OpenedBenchmark,
    OpenedItem,
    OpenedJudgments,
    OpenedLedger,
    OpenedPages,
    OpenedTrials,
)
from assay.web.run_tables import WHOLE_FILE, run_word
from assay.web.templating import language_of, page, web_interface

if TYPE_CHECKING:
    from starlette.requests import Request

# A page written before is a document of its own: our script, any of its styles, and nothing from elsewhere.
_SAVED_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src {script}; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-popups allow-downloads"
)
_SHOWN_PAGES: Final = 12
_INSTANCES: Final = 20


def summaries(request: Request) -> dict[str, list[dict[str, Any]]]:
    """Return what was opened by kind, with the addresses of its pages."""
    groups: dict[str, list[dict[str, Any]]] = {
        "runs": [], "judgments": [], "audits": [], "benchmarks": [], "trials": [], "pages": [],
    }  # fmt: skip
    for number, item in enumerate(request.app.state.items):
        if isinstance(item, OpenedLedger):
            groups["runs"] += [
                {
                    "address": f"/runs/{number}/{run_word(run.id)}",
                    "run": run,
                    "where": item.title,
                    "total": sum(run.judgments.values()),
                }
                for run in item.runs()
            ]
        elif isinstance(item, OpenedJudgments):
            entry = {
                "address": f"/runs/{number}/{WHOLE_FILE}",
                "title": name_of_item(item),
                "where": item.title,
            }
            groups["judgments"].append({**entry, "total": len(item.judgments)})
        elif isinstance(item, OpenedAudits):
            errors = Counter(finding.severity for audit in item.audits for finding in audit.findings)
            entry = {"address": f"/audits/{number}", "title": name_of_item(item), "where": item.title}
            groups["audits"].append(
                {**entry, "number": number, "total": len(item.audits), "errors": errors["error"]}
            )
        elif isinstance(item, OpenedBenchmark):
            entry = {"address": f"/benchmarks/{number}", "title": name_of_item(item), "where": item.title}
            groups["benchmarks"].append({**entry, "total": len(item.benchmark)})
        elif isinstance(item, OpenedTrials):
            groups["trials"].append(
                {"address": f"/judges/{number}", "title": name_of_item(item), "where": item.title}
            )
        else:
            names = list(item.files)
            groups["pages"].append(
                {
                    "address": f"/pages/{number}",
                    "title": name_of_item(item),
                    "where": item.title,
                    "total": len(names),
                    "names": names[:_SHOWN_PAGES],
                }
            )
    return groups


def name_of_item(item: OpenedAudits | OpenedBenchmark | OpenedTrials | OpenedPages | OpenedJudgments) -> str:
    """Return the last part of the path of what was opened, or the name of its only page."""
    if isinstance(item, OpenedPages) and len(item.files) == 1:
        return next(iter(item.files))
    return item.path.name or item.path.resolve().name


def _item(request: Request, kind: type[Any]) -> Any:
    items: list[OpenedItem] = request.app.state.items
    number = request.path_params["item"]
    item = items[number] if 0 <= number < len(items) else None
    if not isinstance(item, kind):
        raise UsageError("there is no such thing among what was opened")
    return item


def static_page(text: str) -> Response:
    """Return a page that Assay renders whole, with its style and script in it, which its policy names by hash."""
    policy = page_policy() + "; frame-ancestors 'none'"
    return HTMLResponse(text.encode("utf-8", "replace"), headers={"Content-Security-Policy": policy})


def audit_index(request: Request) -> Response:
    """Show the index of many audits."""
    item: OpenedAudits = _item(request, OpenedAudits)
    number = request.path_params["item"]
    say = web_interface(language_of(request))
    rows = [
        row_of(audit, page=f"/audits/{number}/{at}", title=title_of(audit))
        for at, audit in enumerate(item.audits)
    ]
    return static_page(index_page(rows, title=name_of_item(item), home="/", say=say))


def one_audit(request: Request) -> Response:
    """Show one audit, with the text if it can still be read."""
    item: OpenedAudits = _item(request, OpenedAudits)
    at = request.path_params["at"]
    if not 0 <= at < len(item.audits):
        raise UsageError("there is no such audit in this file")
    say = web_interface(language_of(request))
    return static_page(audit_page(item.with_text(at), home=f"/audits/{request.path_params['item']}", say=say))


def benchmark_page(request: Request) -> Response:
    """Show instances of a benchmark: the text before and after, the differences marked."""
    item: OpenedBenchmark = _item(request, OpenedBenchmark)
    kind, start = request.query_params.get("type", ""), request.query_params.get("from", "0")
    instances = [one for one in item.benchmark if not kind or one.type == kind]
    at = int(start) if start.isdigit() else 0
    shown = instances[at : at + _INSTANCES]
    counts = Counter(one.type for one in item.benchmark)
    return page(
        request,
        "benchmark.html.j2",
        title=name_of_item(item),
        crumbs=[("/", "Runs")],
        base=f"/benchmarks/{request.path_params['item']}",
        kinds=[(name, titled(name), number) for name, number in sorted(counts.items())],
        kind=kind,
        total=len(instances),
        at=at,
        size=_INSTANCES,
        instances=[
            {
                "instance": one,
                "type": titled(one.type),
                "definition": queued.definition,
                "asked": queued.asked,
                "text": changed_html(queued.before, queued.after),
            }
            for one, queued in zip(shown, annotation_queue(shown), strict=True)
        ],
    )


def judges_page(request: Request) -> Response:
    """Show the card of an evaluation run, or the comparison of its judges."""
    from assay.present.html.comparison import results_page  # noqa: PLC0415 - draws charts

    item: OpenedTrials = _item(request, OpenedTrials)
    return static_page(results_page(item.results, home="/"))


def saved_page(request: Request) -> Response:
    """Show a page that was written before, in a frame of the application."""
    item: OpenedPages = _item(request, OpenedPages)
    names = list(item.files)
    name = request.query_params.get("name", names[0])
    if name not in item.files:
        raise UsageError("there is no such page in this folder")
    number = request.path_params["item"]
    return page(
        request,
        "saved.html.j2",
        title=name,
        folder=name_of_item(item),
        crumbs=[("/", "Runs")],
        source=f"/pages/{number}/{name}",
        names=names,
        name=name,
        base=f"/pages/{number}",
    )


def saved_file(request: Request) -> Response:
    """Serve a page that was written before: one of the names that were found when the folder was opened."""
    item: OpenedPages = _item(request, OpenedPages)
    path = item.files.get(request.path_params["name"])
    if path is None:
        return Response("There is no such page.", 404, media_type="text/plain")
    try:
        text = path.read_bytes()
    except OSError as error:
        return Response(
            f"The page cannot be read: {escape(error.strerror or '')}.", 500, media_type="text/plain"
        )
    script = next(part for part in page_policy().split("; ") if part.startswith("script-src")).split()[1]
    return HTMLResponse(text, headers={"Content-Security-Policy": _SAVED_POLICY.format(script=script)})


OPENED_ROUTES: Final = (
    Route("/audits/{item:int}", audit_index),
    Route("/audits/{item:int}/{at:int}", one_audit),
    Route("/benchmarks/{item:int}", benchmark_page),
    Route("/judges/{item:int}", judges_page),
    Route("/pages/{item:int}", saved_page),
    Route("/pages/{item:int}/{name}", saved_file),
)
