"""What a tool repeats of its arguments: a search engine that repeats the original query would betray the changed one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.applying import raw_step
from assay.interventions.base import StepRevision
from assay.subjects.trajectory import RawCall, Trajectory

if TYPE_CHECKING:
    from assay.interventions.base import Revision
    from assay.subjects.subject import Subject

# Shorter arguments occur in responses by chance.
_ECHO: Final = 8
# Phrases in which tools repeat an argument without quotation marks.
_REPEATED: Final = (
    ("ould not find [", "]"),
    ("ould not find ", ". Similar:"),
    ("No results for ", "."),
    ("for user goal ", " as follows"),
    ("useful information in ", " for user goal"),
)


def with_echoes(subject: Subject, revision: Revision) -> StepRevision | None:
    """Return the revision with the tool's echo of its arguments revised too; None if the tool echoes nothing."""
    if not isinstance(revision, StepRevision) or not isinstance(subject, Trajectory):
        return None
    step = raw_step(subject.steps[revision.index])
    new = revision.step
    changed = False
    for at, (before, after) in enumerate(zip(step.tool_calls, new.tool_calls, strict=True)):
        if before.response is None or before.response != after.response:
            continue
        response = before.response
        for old, now in zip(_texts(before.arguments), _texts(after.arguments), strict=False):
            if old != now and old:
                response = _rewritten(response, old, now)
        if response != before.response:
            new.tool_calls[at] = RawCall(after.name, after.arguments, response)
            changed = True
    return msgspec.structs.replace(revision, step=new) if changed else None


def _rewritten(response: str, old: str, now: str) -> str:
    """Return a response in which only the repeated argument is exchanged."""
    # Set phrases repeat what was not found, a goal or an address, however short it is.
    for lead, tail in _REPEATED:
        response = response.replace(f"{lead}{old}{tail}", f"{lead}{now}{tail}")
    if len(old) >= _ECHO:
        # In quotation marks the words are an echo; elsewhere they are a result.
        for opened, closed in ("''", '""', "“”", "「」"):
            response = response.replace(f"{opened}{old}{closed}", f"{opened}{now}{closed}")
    return response


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return []
