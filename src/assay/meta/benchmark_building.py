"""What building a benchmark takes and answers: types by name or object, subjects by path, and why nothing came of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from assay.errors import AssayError, EngineError, InputError, UsageError
from assay.generation.author import Author
from assay.interventions.base import Operator
from assay.interventions.building import NEEDS_MODEL
from assay.interventions.candidates import by_model, by_rule, validated
from assay.interventions.instances import IDENTICAL
from assay.interventions.registry import find_operators
from assay.strategies.prompts import Prompts
from assay.subjects.reading import read_subjects
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.interventions.building import BuiltBenchmark, ModelEditor
    from assay.interventions.screen import Candidate, Screen
    from assay.models.base import Model
    from assay.runs.session import Session
    from assay.subjects.subject import Subject

# Tokens that a reply of an editor may have, hidden reasoning included: an attack rewrites a good part of a report.
REPLY_CAP: Final = 16_384
Types: TypeAlias = str | Operator | Iterable[str | Operator]
# Applies a function to many items at a time; None for an item that waits for a batch.
Each: TypeAlias = Callable[[Sequence[Any], Callable[[Any], Awaitable[Any]]], Awaitable[list[Any]]]


def operators_of(types: Types) -> list[Operator]:
    """Return the operators of names, groups or perturbations; a string may hold several, separated by commas.

    Raises:
        UsageError: There is no such type.
    """
    if isinstance(types, str):
        return find_operators(name for name in types.split(",") if name.strip())
    return find_operators([types] if isinstance(types, Operator) else types)


def read_references(
    subjects: Iterable[Subject | str | PathLike[str]],
) -> tuple[list[Subject], list[Exception]]:
    """Return all subjects, those of paths read, and what could not be read."""
    items = [subjects] if isinstance(subjects, str | PathLike | Report | Trajectory) else subjects
    found: list[Subject] = []
    errors: list[Exception] = list(getattr(subjects, "errors", ()))
    for item in items:
        for one in read_subjects(item) if isinstance(item, str | PathLike) else [item]:
            if isinstance(one, Exception):
                errors.append(one)
            elif isinstance(one, Report | Trajectory):
                found.append(one)
            else:
                raise UsageError(f"a subject is a Report, a Trajectory or a path, not {type(one).__name__}")
    if not found:
        raise InputError("nothing to build from: no report or trajectory could be read")
    return found, errors


def concurrently(width: int) -> Each:
    """Return a function that applies another to many items, at most ``width`` at a time."""

    async def each(items: Sequence[Any], make: Callable[[Any], Awaitable[Any]]) -> list[Any]:
        limit = asyncio.Semaphore(max(1, width))

        async def one(item: Any) -> Any:
            async with limit:
                return await make(item)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(item)) for item in items]
        return [task.result() for task in tasks]

    return each


def nothing_built(built: BuiltBenchmark) -> AssayError:
    """Return an error that says why no instance could be built."""
    reasons: Counter[str] = Counter()
    for refused in built.refused.values():
        reasons.update(refused)
    if reasons and set(reasons) == {"model_failed"}:
        return EngineError(
            f"no instance was built: no reply came to any of {reasons.total():,} requests for an edit",
            cli_hint="assay models check shows what the endpoint says",
        )
    if set(reasons) == {NEEDS_MODEL}:
        return InputError(
            f"no instance was built: rules plant none of these types well ({', '.join(built.refused)})",
            hint="name a model as editor",
            cli_hint="name a model with --editor",
        )
    if reasons:
        summary = ", ".join(
            f"{number:,} {reason.replace('_', ' ')}" for reason, number in reasons.most_common(4)
        )
        return InputError(
            f"no instance was built: {reasons.total():,} edits refused: {summary}",
            hint="use a larger model, or rules as editor",
            cli_hint="use a larger model, or --editor rules",
        )
    return InputError(
        "no instance was built: no subject offers a place for any of these types",
        hint="use longer reports or trajectories, or other types",
        cli_hint="use longer reports or trajectories, or other --types",
    )


def several(value: Any) -> list[Any]:
    """Return one value or several as a list."""
    several = isinstance(value, Iterable) and not isinstance(value, str | PathLike | Mapping)
    return list(value) if several else [value]


def editing_by(editor: Author | None, validator: Author | None, *, seed: int) -> ModelEditor:
    """Return a function that plants one failure, by a model or by rule, and has a model read it a second time."""

    async def edit(operator: Operator, subject: Any, screen: Screen) -> Candidate | None:
        if editor is not None and operator.sites is not None:
            candidate = await by_model(editor, operator, subject, screen, seed=seed)
        else:
            candidate = next(iter(by_rule(operator, subject, screen, seed=seed, most=1)), None)
        if candidate is None or validator is None or operator.name in IDENTICAL:
            return candidate
        return await validated(validator, candidate, screen)

    return edit


async def opened_author(session: Session, model: str | Model | None) -> Author | None:
    """Return a model as an author; None for ``rules`` and ``none``."""
    if model is None or model in ("rules", "none"):
        return None
    if isinstance(model, str):
        # Of STRATEGY@MODEL, only the model writes.
        return await session.author(model.rpartition("@")[2], max_tokens=REPLY_CAP)
    return Author(model, Prompts(()), retries=2)
