"""The screen through which every revision passes, and the candidates that it lets through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.checks.base import Context
from assay.checks.registry import all_checks
from assay.checks.runner import run_checks
from assay.interventions.applying import AppliedRevision, apply
from assay.interventions.base import Operator, StepRevision, TextRevision
from assay.interventions.echoes import with_echoes
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.refusals import Refusal
from assay.interventions.screening import already_there
from assay.interventions.second_reading import SecondReading

if TYPE_CHECKING:
    from assay.checks.base import Finding
    from assay.interventions.base import EditSite, Revision
    from assay.subjects.subject import Subject

# Refusals that are kept with their texts, per type.
_KEPT_REFUSALS: Final = 50


class Candidate(msgspec.Struct, frozen=True):
    """A revision that passed every filter, with the revised subject, and what a second reader says of it, if asked."""

    operator: Operator
    subject: Any
    revision: TextRevision | StepRevision
    applied: AppliedRevision
    editor: str
    second_reading: SecondReading | None = None

    @property
    def growth(self) -> int:
        """Number of characters that the revision added; negative if it removed more."""
        return len(self.applied.subject.source) - len(self.subject.source)


class Screen:
    """Refuses revisions that cannot become instances, and keeps why.

    The findings of checks on a reference are kept, so that many revisions of it cost one run of the checks.
    """

    def __init__(self) -> None:
        self.refused: Counter[tuple[str, str]] = Counter()
        self.passed: Counter[str] = Counter()
        self.refusals: list[Refusal] = []
        self.disputed: list[Candidate] = []
        self._kept: Counter[str] = Counter()
        self._findings: dict[tuple[int, str], list[Finding]] = {}

    def forget(self) -> None:
        """Drop the stored findings of subjects that will not come again."""
        self._findings.clear()

    def refuse(
        self,
        operator: Operator,
        subject: Subject,
        reason: str,
        detail: str,
        *,
        before: str = "",
        after: str = "",
    ) -> None:
        """Count a refusal; the first ones of each type are kept with their texts."""
        self.refused[operator.name, reason] += 1
        self._kept[operator.name] += 1
        if self._kept[operator.name] <= _KEPT_REFUSALS:
            self.refusals.append(
                Refusal(
                    type=operator.name,
                    source=subject.id or subject.path or "",
                    reason=reason,
                    detail=detail,
                    before=before,
                    after=after,
                )
            )

    def open_sites(
        self, operator: Operator, subject: Subject, sites: Iterable[EditSite]
    ) -> Iterable[EditSite]:
        """Yield the sites at which the failure is not there already, by the checks."""
        for site in sites:
            problem = already_there(operator, subject, site.places, self._known(operator, subject))
            if problem is None:
                yield site
            else:
                self.refuse(operator, subject, "already_there", problem)

    def candidate(
        self, operator: Operator, subject: Subject, revision: Revision, editor: str
    ) -> Candidate | None:
        """Return the revision as a candidate, or None if a filter, the operator's check or the screening refuses it."""
        try:
            applied = apply(subject, revision)
        except (ValueError, TypeError) as error:
            self.refuse(operator, subject, "does_not_apply", str(error))
            return None
        pair = RevisedPair(operator, subject, applied, revision)
        refused = refusal(pair)
        if refused is None and operator.check is not None:
            reason = operator.check(subject, applied.subject, revision)
            refused = None if reason is None else ("not_the_failure", reason)
        if refused is None and editor == "rules":
            reason = already_there(operator, subject, applied.reference_site, self._known(operator, subject))
            refused = None if reason is None else ("already_there", reason)
        if refused is not None:
            before, after = next(iter(pair.changes), ("", ""))
            self.refuse(operator, subject, *refused, before=before, after=after)
            return None
        self.passed[operator.name] += 1
        echoed = with_echoes(subject, revision)
        if echoed is not None:
            revision, applied = echoed, apply(subject, echoed)
        return Candidate(operator, subject, revision, applied, editor)

    def _known(self, operator: Operator, subject: Subject) -> list[Finding]:
        key = (id(subject), operator.name)
        if key not in self._findings:
            known = all_checks()
            checks = [known[code] for code in operator.codes if code in known]
            self._findings[key] = run_checks(subject, checks, Context()) if checks else []
        return self._findings[key]
