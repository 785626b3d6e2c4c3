"""The factory of the eight targeted attacks, and the screening criteria that a program can check.

Isolation: no new number or citation. Minimal edits: a single passage, a few sentences at most. Bounded strength: the
passage keeps its length within bounds and most of its terms. A human validator judges the other criteria.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any, Final

from assay.interventions.attacks._differences import RevisionDiff, revision_diff, single_edit, untouched_facts
from assay.interventions.base import EditSite, Operator

if TYPE_CHECKING:
    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

SOURCE: Final = "reportlogic, section 5.6 and appendix C.4"
_NEIGHBOURS: Final = 1_500


def screened(
    *, may_drop: bool = False
) -> Callable[[Report, Report, TextRevision], tuple[RevisionDiff, str | None]]:
    """Return a screen by the criteria that all targeted attacks share.

    Args:
        may_drop: Whether the attack may remove numbers and citations.

    Returns:
        A function that returns the change and, if the change fails a criterion, the reason; otherwise None in its
    place.
    """

    def screen(
        reference: Report, perturbed: Report, revision: TextRevision
    ) -> tuple[RevisionDiff, str | None]:
        diff = revision_diff(reference, perturbed, revision)
        problem = single_edit(diff) or untouched_facts(diff, may_drop=may_drop)
        if problem is None and len(revision.edits) != 1:
            problem = "a targeted attack is one edit"
        if problem is None and abs(len(diff.after) - len(diff.before)) > max(
            220, 0.75 * min(len(diff.before), _NEIGHBOURS)
        ):
            problem = "the passage is longer or shorter by more than a bounded attack may make it"
        return diff, problem

    return screen


def targeted(
    *,
    dimension: str,
    title: str,
    title_zh: str,
    definition: str,
    definition_zh: str,
    rule: Callable[[Any, Random], Iterable[Any]],
    sites: Callable[[Any, Random], Iterable[EditSite]],
    ask: str,
    ask_zh: str,
    check: Callable[[Any, Any, Any], str | None],
    codes: tuple[str, ...] = (),
) -> Operator:
    """Return an operator for a targeted attack on one dimension."""
    return Operator(
        name=f"targeted_{dimension}",
        title=title,
        title_zh=title_zh,
        kind="targeted",
        level="outcome",
        module="attack",
        category="targeted",
        definition=definition,
        definition_zh=definition_zh,
        rule=rule,
        sites=sites,
        ask=ask,
        ask_zh=ask_zh,
        check=check,
        dimension=dimension,
        codes=codes,
        source=SOURCE,
    )
