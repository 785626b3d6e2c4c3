"""Candidates for instances: revisions of a subject, by rule or by a model, that pass every filter."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.model_editor import write_revision
from assay.interventions.screen import Candidate, Screen
from assay.interventions.second_reader import read_again

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.interventions.base import Operator, Revision
    from assay.subjects.subject import Subject

# Greatest number of revisions examined per rule and subject.
_LOOKED_AT: Final = 24
# Greatest number of sites tried with a model per subject.
_SITES_ASKED: Final = 2


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
) -> list[Candidate]:
    """Return up to ``most`` candidates of an operator's rule, of different patterns if possible, in the rule's order.

    Args:
        operator: The operator whose rule is applied.
        subject: The reference.
        screen: Filter for revisions that cannot become instances.
        seed: Seed of every random choice.
        most: Greatest number of candidates.
    """
    if operator.rule is None or _unfit(operator, subject, screen):
        return []
    draw = operator_random(seed, operator, subject)
    revisions: Iterable[Revision] = operator.rule(subject, draw)
    candidates: list[Candidate] = []
    patterns: Counter[str] = Counter()
    proposed = False
    for revision in islice(revisions, _LOOKED_AT):
        proposed = True
        if patterns[revision.pattern] >= max(2, most // 2):
            continue
        candidate = screen.candidate(operator, subject, revision, "rules")
        if candidate is not None:
            patterns[revision.pattern] += 1
            candidates.append(candidate)
            if len(candidates) >= most:
                break
    if not proposed:
        screen.refuse(operator, subject, "no_place", "the rule finds no place that it could revise")
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
