"""What raters send: answers, selections and undo. The page hears that an answer is kept once it is on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import anyio.to_thread
import msgspec

from assay.errors import EngineError, UsageError
from assay.web.annotation.item_view import marked_faults, place_of_selection
from assay.web.annotation.project_records import StaleAnswerError
from assay.web.annotation.questions import FAULT_TYPES, FAULTS, NOTE
from assay.web.annotation.visits import own_item, project_of, rater_of
from assay.web.templating import json_response

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from assay.web.annotation.project import AnnotationProject

_LONGEST: Final = 200_000
EVIDENCE: Final = ":evidence"


class AnswerPost(msgspec.Struct, forbid_unknown_fields=True):
    """What a page sends for each key: position, question, answer or None, and the newest answer that it knows."""

    position: int
    question: str
    value: str | None
    seen: int
    seconds: float = 0.0


class SelectionPost(msgspec.Struct, forbid_unknown_fields=True):
    """Words selected in the text of an item: as shown, and the first and last sentence that they touch."""

    position: int
    text: str
    first: int
    last: int


class EvidencePassage(msgspec.Struct, forbid_unknown_fields=True):
    """A passage that is kept as evidence."""

    start: int
    end: int
    text: str


async def find_selection(request: Request) -> Response:
    """Return where selected words stand in the source."""
    body = await request.body()
    return await anyio.to_thread.run_sync(lambda: _place(request, body))


def _place(request: Request, body: bytes) -> Response:
    project, rater = project_of(request), rater_of(request)
    try:
        given = msgspec.json.decode(body, type=SelectionPost)
    except msgspec.MsgspecError as error:
        return json_response({"problem": str(error)}, 400)
    item = project.item(own_item(project, rater or "", given.position)[1].item)
    place = place_of_selection(item, given.text[:5000], given.first, given.last)
    if place is None:
        return json_response({"problem": "these words are not in the text; select them again"}, 400)
    return json_response({"start": place[0], "end": place[1], "text": given.text[:500]})


async def save_answer(request: Request) -> Response:
    """Keep an answer, and say so only once it is on the disk."""
    body = await request.body()
    return await anyio.to_thread.run_sync(lambda: _save(request, body))


def _save(request: Request, body: bytes) -> Response:
    project, rater = project_of(request), rater_of(request)
    if rater is None:
        return json_response({"problem": "only raters label; open a rater's link"}, 403)
    try:
        given = msgspec.json.decode(body, type=AnswerPost)
        own, assigned = own_item(project, rater, given.position)
        value = _checked(project, given.question, given.value)
        number = project.record(
            rater, assigned, given.question, value, seen=given.seen, seconds=given.seconds
        )
    except StaleAnswerError as error:
        return json_response({"problem": str(error), "stale": True}, 409)
    except (UsageError, msgspec.MsgspecError) as error:
        return json_response({"problem": str(error)}, 400)
    except EngineError as error:
        return json_response({"problem": str(error)}, 507)
    done = project.complete(rater)
    return json_response(
        {
            "saved": number,
            "value": value,
            "complete": assigned.item in done,
            "done": len(done),
            "total": len(own),
        }
    )


def _checked(project: AnnotationProject, asked: str, value: str | None) -> str | None:
    """Return the answer to keep.

    Raises:
        UsageError: It is not an answer to this question.
    """
    if value is not None and len(value) > _LONGEST:
        raise UsageError("that is too long to be kept")
    if value is None or asked == NOTE:
        return value or None
    if asked == FAULTS and project.plan.task == "faults":
        return _checked_faults(value)
    question = next(
        (item for item in project.plan.questions if item.key == asked.removesuffix(EVIDENCE)), None
    )
    if question is None:
        raise UsageError("this task has no such question")
    if asked.endswith(EVIDENCE):
        if not question.evidence:
            raise UsageError("this question takes no evidence")
        return msgspec.json.encode(msgspec.json.decode(value, type=EvidencePassage)).decode()
    if not question.accepts(value):
        raise UsageError(f"{value!r} is not an answer to {question.title!r}")
    return value


def _checked_faults(value: str) -> str:
    """Return marked faults as they are kept."""
    faults = marked_faults(value)
    types = {key for key, _ in FAULT_TYPES}
    if any(fault.type not in types or not 0 <= fault.start <= fault.end for fault in faults) or (
        not faults and value.strip() != "[]"
    ):
        raise UsageError("a fault has a place, a type and a severity")
    return msgspec.json.encode(sorted(faults, key=lambda fault: (fault.start, fault.end))).decode()


async def undo(request: Request) -> Response:
    """Take back a rater's last answer, and say to which item it belongs."""
    await request.body()
    return await anyio.to_thread.run_sync(lambda: _undo(request))


def _undo(request: Request) -> Response:
    project, rater = project_of(request), rater_of(request)
    if rater is None:
        return json_response({"problem": "only raters label; open a rater's link"}, 403)
    try:
        item = project.undo(rater)
    except EngineError as error:
        return json_response({"problem": str(error)}, 507)
    places = {one.item: at for at, one in enumerate(project.assigned(rater), start=1)}
    return json_response({"position": None if item is None else places.get(item)})
