"""Turns texts for places into a revision: the edits of a report cut down to what differs, the parts of steps replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.interventions.applying import raw_step
from assay.interventions.base import Edit, StepRevision, TextRevision
from assay.interventions.material import text_at
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.interventions.base import EditSite, Place, Revision
    from assay.subjects.subject import Subject


class NothingChangedError(ValueError):
    """The new texts are those that stand there already."""


def revision_of(subject: Subject, site: EditSite, texts: Mapping[int, str]) -> Revision:
    """Return the revision that puts texts in the places of a site.

    Args:
        subject: The reference.
        site: The site.
        texts: New texts by number of the place, from 1: those of ``places``, then those of ``following``. A place
            without one stays as it is.

    Raises:
        NothingChangedError: None of the places that get the failure differs.
        ValueError: There is no such place, or a text does not have the form of its place.
    """
    places = [*site.places, *site.following]
    if unknown := [number for number in texts if not 1 <= number <= len(places)]:
        raise ValueError(f"there is no passage {unknown[0]}; there are {len(places)}")
    changed = {
        number: new for number, new in sorted(texts.items()) if new != text_at(subject, places[number - 1])
    }
    if not any(number <= len(site.places) for number in changed):
        raise NothingChangedError("no passage was changed")
    if isinstance(subject, Report):
        return _text_revision(subject, [(places[number - 1], new) for number, new in changed.items()])
    assert isinstance(subject, Trajectory)
    return _step_revision(subject, site, [(places[number - 1], new) for number, new in changed.items()])


def _text_revision(report: Report, changed: list[tuple[Place, str]]) -> TextRevision:
    edits = []
    for place, new in sorted(changed, key=lambda item: item[0].start):
        old = report.source[place.start : place.end]
        # What frames a passage is the report's, whether or not the model repeats it.
        framed = old[: len(old) - len(old.lstrip("\n"))] + new.strip("\n") + old[len(old.rstrip("\n")) :]
        lead, tail = shared_ends(old, framed)
        edits.append(Edit(place.start + lead, place.end - tail, framed[lead : len(framed) - tail]))
    count = "" if len(edits) == 1 else f" in {len(edits)} passages"
    return TextRevision(edits=tuple(edits), pattern="model", note=f"written by a model{count}")


def _step_revision(trajectory: Trajectory, site: EditSite, changed: list[tuple[Place, str]]) -> StepRevision:
    index = site.places[0].step or 0
    steps: dict[int, RawStep] = {}
    for place, new in changed:
        number = place.step or 0
        step = steps.setdefault(number, raw_step(trajectory.steps[number]))
        _replace(step, place, new)
    main = steps.pop(index, None) or raw_step(trajectory.steps[index])
    return StepRevision(
        index=index,
        step=main,
        following=tuple(sorted(steps.items())),
        pattern="model",
        note=f"written by a model in the {site.places[0].part} of step {index}",
    )


def _replace(step: RawStep, place: Place, new: str) -> None:
    if place.part == "reasoning":
        step.reasoning = new
        return
    call = step.tool_calls[place.call]
    if place.part == "name":
        step.tool_calls[place.call] = RawCall(new.strip(), call.arguments, call.response)
    elif place.part == "response":
        step.tool_calls[place.call] = RawCall(call.name, call.arguments, new)
    else:
        step.tool_calls[place.call] = RawCall(call.name, _arguments(call.arguments, new), call.response)


def _arguments(old: dict[str, Any] | str, new: str) -> dict[str, Any] | str:
    bare = new.strip()
    if bare.startswith("```"):
        bare = bare.strip("`").removeprefix("json").strip()
    if isinstance(old, str):
        return bare
    try:
        return msgspec.json.decode(bare, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise ValueError(f"the arguments are not a JSON object: {error}") from error


def shared_ends(old: str, new: str) -> tuple[int, int]:
    """Return how many characters two texts share at the start and at the end, cut back to word boundaries."""
    lead = 0
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        lead += 1
    tail = 0
    for a, b in zip(_backwards(old, lead), _backwards(new, lead), strict=False):
        if a != b:
            break
        tail += 1
    while lead and lead < min(len(old), len(new)) and old[lead - 1].isalnum() and old[lead - 1].isascii():
        lead -= 1
    while tail and old[len(old) - tail].isalnum() and old[len(old) - tail].isascii():
        tail -= 1
    return lead, tail


def _backwards(text: str, until: int) -> Iterator[str]:
    for at in range(len(text) - 1, until - 1, -1):
        yield text[at]
