"""The call that a revision changed, and what form says about its arguments before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.interventions.edit_kit import tokens
from assay.text.words import content_terms

if TYPE_CHECKING:
    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import ToolCall, Trajectory


def changed_call(
    reference: Trajectory, revised: Trajectory, revision: StepRevision
) -> tuple[ToolCall, ToolCall] | None:
    """Return the first call of the revised step whose name, arguments or response differ, before and after."""
    old, new = reference.steps[revision.index].tool_calls, revised.steps[revision.index].tool_calls
    pairs = zip(old, new, strict=False)
    return next(((a, b) for a, b in pairs if _parts(a) != _parts(b)), None)


def form_of(arguments: Any) -> Any:
    """Return arguments with the kind of each value in its place: keys, nesting and numbers of items."""
    if isinstance(arguments, dict):
        return {key: form_of(value) for key, value in arguments.items()}
    if isinstance(arguments, list):
        return [form_of(value) for value in arguments]
    return "number" if type(arguments) in (int, float) else type(arguments).__name__


def values_of(arguments: Any, path: tuple[str | int, ...] = ()) -> dict[tuple[str | int, ...], str]:
    """Return the values of arguments as they are printed, by path."""
    if isinstance(arguments, dict | list):
        items = arguments.items() if isinstance(arguments, dict) else enumerate(arguments)
        return {at: text for key, value in items for at, text in values_of(value, (*path, key)).items()}
    return {path: str(arguments)}


def asked_terms(arguments: Any) -> set[str]:
    """Return what arguments ask for: content words, pairs of Chinese characters, figures, and switches with their keys."""
    found: set[str] = set()
    for path, text in values_of(arguments).items():
        found |= {f"{path[-1]} {text}"} if text in ("True", "False", "None") and path else content_terms(text)
        found |= {token for token in tokens(text) if token[0].isdigit()}
    return found


def _parts(call: ToolCall) -> tuple[str, Any, str | None]:
    return call.name, call.arguments, call.response
