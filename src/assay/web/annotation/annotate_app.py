"""``assay annotate``: raters label their items; the owner sees progress, agreement and what is to be settled."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Final

import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from assay.errors import AssayError, UsageError
from assay.present.html.prose import markdown_html
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.web.annotation.answering import EVIDENCE, find_selection, save_answer, undo
from assay.web.annotation.exports import export
from assay.web.annotation.item_view import about_of, marked_faults, shown_texts
from assay.web.annotation.known_items import attention, feedback_on
from assay.web.annotation.live_agreement import question_agreement, rater_agreement, split_items
from assay.web.annotation.questions import CANNOT_SAY, FAULT_TYPES, FAULTS, NOTE, SEVERITIES
from assay.web.annotation.visits import assigned_to, project_of, rater_of
from assay.web.common_pages import common_routes, failed, missing, missing_page
from assay.web.guard import Access, Guard
from assay.web.templating import (
    compile_templates,
    json_response,
    language_of,
    page,
    safe_markup,
    web_interface,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from assay.present.interface import Shown
    from assay.web.annotation.assignment import Assigned
    from assay.web.annotation.project import AnnotationProject
    from assay.web.annotation.project_records import RaterRole

RATER_KEYS: Final = (
    ("1 2 3", "answer the question"),
    ("c", "cannot say"),
    ("↑ ↓", "previous and next question"),
    ("n p", "next and previous item"),
    ("u", "undo"),
    ("m", "note"),
    ("e", "keep the selected words"),
    ("[ ]", "previous and next sentence"),
    ("f", "mark the selected words as a fault"),
    ("o", "the other text, on a narrow screen"),
    ("s", "scroll both together"),
    ("d", "show differences"),
    ("g", "guidelines"),
    ("t", "light or dark"),
    ("?", "these keys"),
)


def annotate_app(project: AnnotationProject, access: Access, *, language: Shown | None = None) -> ASGIApp:
    """Return the application of a labelling project.

    Args:
        project: The project.
        access: Who may use it: the owner and the raters by their links.
        language: Language of the interface; None for that of each browser.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        compile_templates()
        yield
        project.close()

    app = Starlette(
        routes=[
            Route("/", start),
            Route("/items/{position:int}", item_page),
            Route("/items/{position:int}/texts", item_texts),
            Route("/items/{position:int}/feedback", item_feedback),
            Route("/answers", save_answer, methods=["POST"]),
            Route("/place", find_selection, methods=["POST"]),
            Route("/undo", undo, methods=["POST"]),
            Route("/raters", add_rater, methods=["POST"]),
            Route("/review/{number:int}", review_item),
            Route("/export/{name}", export),
            *common_routes(),
        ],
        lifespan=lifespan,
        exception_handlers={AssayError: failed, 404: missing_page},
    )
    app.state.project = project
    app.state.language = language
    return Guard(app, access)


def start(request: Request) -> Response:
    """Lead a rater to the first open item; show the owner how the project stands."""
    project, rater = project_of(request), rater_of(request)
    if rater is None:
        return _overview(request, project)
    _give_disagreements(project, rater)
    done = project.complete(rater)
    own = project.assigned(rater)
    open_items = [at for at, item in enumerate(own, start=1) if item.item not in done]
    if open_items:
        return RedirectResponse(f"/items/{open_items[0]}", 303)
    return page(
        request,
        "finished.html.j2",
        title="Finished",
        done=len(done),
        total=len(own),
        adjudicates=project.rater(rater).role == "adjudicator",
    )


def _give_disagreements(project: AnnotationProject, rater: str) -> None:
    """Give an adjudicator the items on which raters differ by now."""
    if project.rater(rater).role != "adjudicator":
        return
    known = {item.item for item in project.assigned(rater)}
    fresh = [number for number in split_items(project) if number not in known]
    if fresh:
        project.give(rater, fresh)


def item_page(request: Request) -> Response:
    """Show an item to its rater."""
    project, rater = project_of(request), rater_of(request)
    if rater is None:
        return RedirectResponse("/", 303)
    position, assigned, total = assigned_to(request, project, rater)
    item = project.item(assigned.item)
    answers, newest = project.shown_answers(rater, assigned)
    say = web_interface(language_of(request))
    faults = marked_faults(answers.get(FAULTS))
    done = project.complete(rater)
    feedback, why = feedback_on(project, rater, assigned)
    return page(
        request,
        "item.html.j2",
        title=f"{position} / {total}",
        body_class="labelling-page",
        scripts=("app.js", "annotate.js"),
        keys=RATER_KEYS,
        position=position,
        total=total,
        done=len(done),
        finished=assigned.item in done,
        newest=newest,
        plan=project.plan,
        questions=project.plan.questions,
        dimension_keys=DIMENSION_KEYS,
        answers=answers,
        cannot_say=CANNOT_SAY,
        item=item,
        about=about_of(item),
        texts=shown_texts(item, project.plan.task, say, swapped=assigned.swapped, faults=faults),
        faults=faults,
        evidence={key: json.loads(value) for key, value in answers.items() if key.endswith(EVIDENCE)},
        fault_types=FAULT_TYPES,
        severities=SEVERITIES,
        note=answers.get(NOTE, ""),
        guidelines=safe_markup(markdown_html(project.plan.guidelines, 0, len(project.plan.guidelines), [])),
        others=_others(project, rater, assigned),
        training=assigned.item in project.training,
        feedback=feedback,
        why=why,
    )


def _others(project: AnnotationProject, rater: str, assigned: Assigned) -> dict[str, list[tuple[str, int]]]:
    """Return what the raters said, without their names, for an adjudicator."""
    if project.rater(rater).role != "adjudicator":
        return {}
    settlers = {one.name for one in project.raters() if one.role == "adjudicator"}
    found: dict[str, Counter[str]] = {}
    for row in project.answers(item=assigned.item):
        if row.rater not in settlers and row.value is not None and not row.question.endswith(EVIDENCE):
            found.setdefault(row.question, Counter())[row.value] += 1
    return {key: counts.most_common() for key, counts in found.items()}


def item_texts(request: Request) -> Response:
    """Return the texts of an item again, with the faults that are marked by now."""
    project, rater = project_of(request), rater_of(request)
    if rater is None:
        return missing(request)
    _, assigned, _ = assigned_to(request, project, rater)
    answers, _ = project.shown_answers(rater, assigned)
    say = web_interface(language_of(request))
    faults = marked_faults(answers.get(FAULTS))
    texts = shown_texts(
        project.item(assigned.item), project.plan.task, say, swapped=assigned.swapped, faults=faults
    )
    return page(request, "texts.html.j2", texts=texts)


def item_feedback(request: Request) -> Response:
    """Return what an item in training tells its rater, empty until every question is answered."""
    project, rater = project_of(request), rater_of(request)
    if rater is None:
        return missing(request)
    _, assigned, _ = assigned_to(request, project, rater)
    feedback, why = feedback_on(project, rater, assigned)
    return page(request, "feedback.html.j2", feedback=feedback, why=why, dimension_keys=DIMENSION_KEYS)


async def add_rater(request: Request) -> Response:
    """Add a rater or an adjudicator."""
    if rater_of(request) is not None:
        return json_response({"problem": "only the owner adds raters"}, 403)
    body = await request.body()

    def add() -> Response:
        try:
            given = msgspec.json.decode(body, type=dict[str, str])
            role: RaterRole = "adjudicator" if given.get("role") == "adjudicator" else "rater"
            added = project_of(request).add_raters([given.get("name", "")], role)
        except (UsageError, msgspec.MsgspecError) as error:
            return json_response({"problem": str(error)}, 400)
        return json_response({"added": [one.name for one in added]})

    return await anyio.to_thread.run_sync(add)


def _overview(request: Request, project: AnnotationProject) -> Response:
    split = split_items(project)
    agreement = {one.rater: one.share for one in rater_agreement(project)}
    progress = project.progress()
    settled = {
        item
        for one in progress
        if one.rater.role == "adjudicator"
        for item in project.complete(one.rater.name)
    }
    return page(
        request,
        "overview.html.j2",
        title=project.path.name,
        scripts=("app.js", "annotate.js"),
        plan=project.plan,
        items=len(project.numbers()),
        progress=progress,
        origin=f"{request.url.scheme}://{request.headers.get('host', '')}",
        agreement=agreement,
        attention=attention(project),
        training=len(project.training),
        checks=len(project.known) - len(project.training),
        questions=question_agreement(project),
        dimension_keys=DIMENSION_KEYS,
        split=[
            (
                number,
                project.outlines[number].subject,
                [key.replace("_", " ") for key in keys],
                number in settled,
            )
            for number, keys in split.items()
        ],
        guidelines=safe_markup(markdown_html(project.plan.guidelines, 0, len(project.plan.guidelines), [])),
    )


def review_item(request: Request) -> Response:
    """Show the owner an item with everything that was said about it, nothing hidden."""
    project = project_of(request)
    if rater_of(request) is not None:
        return missing(request)
    number = request.path_params["number"]
    item = project.item(number)
    say = web_interface(language_of(request))
    rows = project.answers(item=number)
    raters = list(dict.fromkeys(row.rater for row in rows))
    table = {(row.rater, row.question): row.value for row in rows}
    return page(
        request,
        "review.html.j2",
        title=item.subject,
        crumbs=[("/", "Project")],
        item=item,
        about=about_of(item),
        texts=shown_texts(item, project.plan.task, say),
        questions=project.plan.questions,
        raters=raters,
        table=table,
        notes=[(row.rater, row.value) for row in rows if row.question == NOTE],
        faults=[
            (row.rater, fault) for row in rows if row.question == FAULTS for fault in marked_faults(row.value)
        ],
    )
