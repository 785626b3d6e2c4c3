"""``assay view``: what was opened, as one application that only reads."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.routing import Route

from assay.errors import AssayError, UsageError
from assay.web.common_pages import broken, common_routes, failed, missing, missing_page
from assay.web.comparison_pages import COMPARISON_ROUTES, other_runs
from assay.web.guard import Access, Guard
from assay.web.judgment_detail import JudgmentDetail, call_facts, detail_of, marked_documents, message_parts
from assay.web.opened import OpenedItem, OpenedJudgments, OpenedLedger
from assay.web.opened_pages import OPENED_ROUTES, summaries
from assay.web.run_events import run_events
from assay.web.run_tables import ROWS, WHOLE_FILE, RunTables, filter_of, query_of, run_of_word, run_word
from assay.web.saved_views import rows_csv, rows_page, static_pair
from assay.web.templating import compile_templates, page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from assay.present.interface import Shown
    from assay.web.judgment_heads import JudgmentHead

_COLUMNS: Final = (
    ("subject", "Case"), ("judge", "Judge"), ("status", "Verdict"), ("score", "Score"), ("spread", "Apart"),
    ("tokens", "Tokens"), ("at", "Time"),
)  # fmt: skip


def view_app(items: Sequence[OpenedItem], access: Access, *, language: Shown | None = None) -> ASGIApp:
    """Return the application that shows opened items. It has no route that changes anything.

    Args:
        items: What was opened.
        access: Who may use it.
        language: Language of the interface; None for that of each browser.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        compile_templates()
        yield
        app.state.tables.close()
        for item in items:
            if isinstance(item, OpenedLedger):
                item.close()

    app = Starlette(
        routes=[
            Route("/", home),
            Route("/runs/{item:int}/{run}", run_table),
            Route("/runs/{item:int}/{run}/judgments.{kind:str}", export_rows),
            Route("/runs/{item:int}/{run}/events", run_events),
            Route("/runs/{item:int}/{run}/pairs/{key}", export_pair),
            Route("/runs/{item:int}/{run}/judgments/{key:path}", judgment_page),
            Route("/runs/{item:int}/{run}/calls/{key}", call_page),
            *OPENED_ROUTES,
            *COMPARISON_ROUTES,
            *common_routes(),
        ],
        lifespan=lifespan,
        exception_handlers={AssayError: failed, 404: missing_page, 500: broken},
    )
    app.state.items = list(items)
    app.state.tables = RunTables()
    app.state.language = language
    return Guard(app, access)


def home(request: Request) -> Response:
    """List what was opened."""
    return page(request, "home.html.j2", title="Assay", groups=summaries(request))


def run_table(request: Request) -> Response:
    """Show the judgments of a run: filtered, sorted and searched by the server, a page at a time."""
    item, number, run = _run_of(request)
    tables: RunTables = request.app.state.tables
    wanted = filter_of(request.query_params)
    state = tables.prepare(number, item, run)
    after = request.query_params.get("after")
    plain = not query_of(wanted) and after is None
    ready = tables.is_ready(state, wait=not plain)
    name, index = tables.name(number, run), tables.index
    found = index.page(name, wanted, after) if ready else tables.first_rows(item, run)
    context: dict[str, Any] = {
        "rows": found.rows,
        "more": None if found.next is None else query_of(wanted, after=found.next),
        "wanted": wanted,
        "query": query_of(wanted),
        "base": f"/runs/{number}/{run_word(run)}",
    }
    if request.query_params.get("fragment"):
        return page(request, "rows.html.j2", **context)
    counts = state.counts
    total = sum(counts.values())
    facets = {
        column: index.facets(name, column) if ready else []
        for column in ("judge", "system", "rubric", "mode", "status", "verdict")
    }
    return page(
        request,
        "run.html.j2",
        title=_title(item, run),
        crumbs=[("/", "Runs")],
        ready=ready,
        counts=counts,
        total=total,
        matches=index.count(name, wanted) if ready and query_of(wanted) else total,
        facets=facets,
        criteria=index.criteria(name) if ready else [],
        columns=_COLUMNS,
        query_of=query_of,
        head=_head(item, run),
        page_rows=ROWS,
        others=other_runs(request, number, run) if isinstance(item, OpenedLedger) else [],
        me=f"{number}/{run_word(run)}",
        **context,
    )


def export_rows(request: Request) -> Response:
    """Write the rows that a filter lets through as a file: CSV, or a static page."""
    item, number, run = _run_of(request)
    tables: RunTables = request.app.state.tables
    wanted = filter_of(request.query_params)
    tables.is_ready(tables.prepare(number, item, run), wait=True)
    name = tables.name(number, run)
    if request.path_params["kind"] == "csv":
        return rows_csv(tables.index, name, wanted)
    return rows_page(tables.index, name, wanted, title=_title(item, run))


def judgment_page(request: Request) -> Response:
    """Show one judgment: verdicts, answers, calls, and the texts with the quotes marked."""
    item, number, run = _run_of(request)
    key = request.path_params["key"]
    tables: RunTables = request.app.state.tables
    state = tables.prepare(number, item, run)
    wanted = filter_of(request.query_params)
    ready = tables.is_ready(state, wait=bool(query_of(wanted)))
    name = tables.name(number, run)
    head = tables.index.head(name, key) if ready else None
    siblings = tables.index.siblings(name, head) if head is not None else []
    detail = _detail(item, run, key, siblings)
    if detail is None:
        return missing(request)
    before, after = tables.index.neighbours(name, wanted, key) if ready else (None, None)
    base = f"/runs/{number}/{run_word(run)}"
    return page(
        request,
        "judgment.html.j2",
        title=detail.judgment.subject,
        crumbs=[("/", "Runs"), (base + query_of(wanted), _title(item, run))],
        key=key,
        head=head,
        siblings=siblings,
        detail=detail,
        call_facts=call_facts,
        base=base,
        query=query_of(wanted),
        before=before,
        after=after,
    )


def export_pair(request: Request) -> Response:
    """Write a judgment of a pair as a static page."""
    item, number, run = _run_of(request)
    tables: RunTables = request.app.state.tables
    tables.is_ready(tables.prepare(number, item, run), wait=True)
    name, key = tables.name(number, run), request.path_params["key"]
    head = tables.index.head(name, key)
    if head is None or not isinstance(item, OpenedLedger):
        return missing(request)
    siblings = [other.key for other in tables.index.siblings(name, head)]
    detail = detail_of(item, run, key, siblings)
    if detail is None or len(detail.documents) != 2:
        return missing(request)
    return static_pair(detail.judgment, [document.source for document in detail.documents])


def _detail(
    item: OpenedLedger | OpenedJudgments, run: str, key: str, siblings: Sequence[JudgmentHead]
) -> JudgmentDetail | None:
    if isinstance(item, OpenedLedger):
        return detail_of(item, run, key, [other.key for other in siblings])
    judgment = item.judgments.get(key)
    if judgment is None:
        return None
    return JudgmentDetail(judgment=judgment, quotes=marked_documents(judgment, [])[1])


def call_page(request: Request) -> Response:
    """Show a call as it was: prompt, reply, and every earlier reply to the same prompt."""
    item, number, run = _run_of(request)
    key = request.path_params["key"]
    if not isinstance(item, OpenedLedger):
        return missing(request)
    with item.lock:
        history = item.ledger.history(key)
    if not history:
        return missing(request)
    return page(
        request,
        "call.html.j2",
        title=f"Call {key[:12]}",
        crumbs=[("/", "Runs"), (f"/runs/{number}/{run_word(run)}", _title(item, run))],
        messages=message_parts(history[0]),
        schema=history[0].request.schema,
        calls=[(call_facts(call), call.reply) for call in history],
    )


def _run_of(request: Request) -> tuple[OpenedLedger | OpenedJudgments, int, str]:
    """Return the item, its number, and the id of the run that an address names."""
    items: list[OpenedItem] = request.app.state.items
    number, run = request.path_params["item"], run_of_word(request.path_params["run"])
    item = items[number] if 0 <= number < len(items) else None
    if isinstance(item, OpenedJudgments) and run == WHOLE_FILE:
        return item, number, run
    if isinstance(item, OpenedLedger):
        with item.lock:
            return item, number, item.ledger.run(run).id
    raise UsageError("there is no such run among what was opened")


def _title(item: OpenedLedger | OpenedJudgments, run: str) -> str:
    if isinstance(item, OpenedJudgments):
        return item.path.name
    with item.lock:
        return item.ledger.run(run).name


def _head(item: OpenedLedger | OpenedJudgments, run: str) -> dict[str, object]:
    if isinstance(item, OpenedJudgments):
        return {"id": str(item.path), "status": "done", "created": 0.0, "live": False}
    with item.lock:
        row = item.ledger.run(run)
    return {
        "id": row.id,
        "status": row.status,
        "created": row.created,
        "live": row.status in ("running", "waiting"),
    }
