"""Failures and attacks of one's own, as a function.

@assay.perturbation(level="outcome", category="faithfulness")
def wrong_number(report, random):
    "A figure is not the one that the source gives."
    for at, char in enumerate(report.source):
        if char.isdigit():
            yield at, at + 1, str((int(char) + 1) % 10)

benchmark = assay.Benchmark.build(reports, types=["fabrication", wrong_number])
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

from assay.errors import UsageError
from assay.interventions.base import (
    Category,
    Edit,
    Kind,
    Level,
    Module,
    Operator,
    Revision,
    StepRevision,
    TextRevision,
)

Rule = Callable[[Any, Random], Iterable[Any]]


def perturbation(
    *,
    level: Level = "outcome",
    category: Category = "faithfulness",
    kind: Kind = "failure",
    module: Module | None = None,
    name: str | None = None,
    title: str | None = None,
    definition: str | None = None,
    dimension: str | None = None,
    check: Callable[[Any, Any, Any], str | None] | None = None,
    codes: tuple[str, ...] = (),
) -> Callable[[Rule], Operator]:
    """Make an operator of a function, for ``Benchmark.build(types=[…])``.

    The function takes a subject and a random generator, and yields edits of a report, of which one goes into a copy:
    `Edit` or ``(start, end, text)``, or a `TextRevision` of several edits. For a trajectory it yields `StepRevision`.

    Args:
        level: Whether it works on reports (``outcome``) or on trajectories (``process``).
        category: Category of the taxonomy.
        kind: What a good judge does about it (see `assay.interventions.base.Kind`).
        module: Module of the taxonomy; by default what fits level and kind.
        name: Its name in results; by default that of the function.
        title: Title for readers; by default the name in words.
        definition: The failure in one or two sentences; by default the function's docstring.
        dimension: The dimension that a targeted attack hurts.
        check: Returns why the failure is not there, or None, given reference, copy and revision.
        codes: Checks that find this failure; a reference that has it already is not used.
    """

    def make(rule: Rule) -> Operator:
        own = name or rule.__name__
        usual: Module = "attack" if kind != "failure" else "output" if level == "outcome" else "reasoning"
        text = definition or inspect.getdoc(rule) or title or own.replace("_", " ")
        return Operator(
            name=own,
            title=title or own.replace("_", " ").capitalize(),
            kind=kind,
            level=level,
            module=module or usual,
            category=category,
            definition=text,
            definition_zh=text,
            rule=lambda subject, random: _revisions(own, rule, subject, random),
            dimension=dimension,
            check=check,
            codes=codes,
            source="",
        )

    return make


def _revisions(name: str, rule: Rule, subject: Any, random: Random) -> Iterator[Revision]:
    """Yield what a function of one's own yields, as revisions.

    Raises:
        UsageError: It raised an exception, or yielded something else; the message names it.
    """
    where = subject.path or subject.id or "a subject"
    try:
        yield from (_revision(name, item, subject) for item in rule(subject, random) or ())
    except Exception as error:
        raise UsageError(
            f"perturbation {name!r} failed on {where}: {type(error).__name__}: {error}"
        ) from error


def _revision(name: str, item: Any, subject: Any) -> Revision:
    if isinstance(item, TextRevision | StepRevision):
        return item
    edit = item if isinstance(item, Edit) else Edit(*item)
    old = subject.source[edit.start : edit.end]
    return TextRevision(
        edits=(edit,), pattern=name, note=f"{old or 'nothing'} → {edit.text or 'nothing'}"[:120]
    )
