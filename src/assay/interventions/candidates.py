"""Candidates for instances: revisions of a subject, by rule or by a model, that pass every filter."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.checks.base import Context
from assay.checks.registry import all_checks
from assay.checks.runner import run_checks
from assay.interventions.applying import AppliedRevision, apply
from assay.interventions.base import Operator, StepRevision, TextRevision
from assay.interventions.echoes import with_echoes
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.model_editor import write_revision
from assay.interventions.refusals import Refusal
from assay.interventions.screening import already_there
from assay.interventions.second_reader import read_again
from assay.interventions.second_reading import SecondReading

if TYPE_CHECKING:
    from assay.checks.base import Finding
    from assay.generation.author import Author
    from assay.interventions.base import EditSite, Revision
    from assay.subjects.subject import Subject

# Greatest number of revisions examined per rule and subject.
_LOOKED_AT: Final = 24
# Greatest number of sites tried with a model per subject.
_SITES_ASKED: Final = 2
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


def operator_random(seed: int, operator: Operator, subject: Subject) -> Random:
    """Return the random generator of an operator for a subject, fixed by seed, operator and text."""
    digest = hashlib.blake2b(
        f"{seed}\n{operator.name}\n{subject.source}".encode("utf-8", "surrogatepass"), digest_size=8
    ).digest()
    return Random(int.from_bytes(digest, "big"))  # noqa: S311 - no secret hangs on it


def by_rule(
    operator: Operator,
    subject: Subject,
    screen: Screen,
    *,
    seed: int,
    most: int,
    others: Sequence[Subject] = (),
) -> list[Candidate]:
    """Return up to ``most`` candidates of an operator's rule, of different patterns if possible, in the rule's order.

    Args:
        operator: The operator whose rule is applied.
        subject: The reference.
        screen: Filter for revisions that cannot become instances.
        seed: Seed of every random choice.
        most: Greatest number of candidates.
        others: Subjects from which words may be borrowed.
    """
    if operator.rule is None or _unfit(operator, subject, screen):
        return []
    draw = operator_random(seed, operator, subject)
    revisions: Iterable[Revision] = operator.rule(subject, draw)
    if operator.borrow is not None and others:
        revisions = chain(operator.borrow(subject, draw, others), revisions)
    candidates: list[Candidate] = []
    patterns: Counter[str] = Counter()
    for revision in islice(revisions, _LOOKED_AT):
        if patterns[revision.pattern] >= max(2, most // 2):
            continue
        candidate = screen.candidate(operator, subject, revision, "rules")
        if candidate is not None:
            patterns[revision.pattern] += 1
            candidates.append(candidate)
            if len(candidates) >= most:
                break
    return candidates


async def by_model(
    author: Author, operator: Operator, subject: Subject, screen: Screen, *, seed: int
) -> Candidate | None:
    """Return a candidate written by a model, at the first of a few sites where its text passes; None if none passes."""
    if operator.sites is None or _unfit(operator, subject, screen):
        return None
    sites = screen.open_sites(
        operator, subject, operator.sites(subject, operator_random(seed, operator, subject))
    )
    tried = 0
    for site in islice(sites, _SITES_ASKED):
        tried += 1
        revision = await write_revision(author, operator, subject, site, screen)
        if revision is None:
            continue
        candidate = screen.candidate(operator, subject, revision, author.model.id)
        if candidate is not None:
            return candidate
    if not tried:
        screen.refuse(operator, subject, "no_place", "no place where an edit of this type could pass")
    return None


async def validated(reader: Author, candidate: Candidate, screen: Screen) -> Candidate | None:
    """Return a candidate that a second reader accepts without reserve; keep any other one for people."""
    reading = await read_again(
        reader, candidate.operator, candidate.subject, candidate.applied.subject, candidate.revision
    )
    candidate = msgspec.structs.replace(candidate, second_reading=reading)
    if reading.accepted:
        return candidate
    why = ", ".join(reading.objections) or reading.status
    screen.refused[candidate.operator.name, f"second reader: {why}"] += 1
    screen.disputed.append(candidate)
    return None


def _unfit(operator: Operator, subject: Subject, screen: Screen) -> bool:
    """Return whether a subject offers no place at all, which is counted."""
    reason = operator.unfit(subject) if operator.unfit is not None else None
    if reason is not None:
        screen.refuse(operator, subject, "no_place", reason)
    return reason is not None
