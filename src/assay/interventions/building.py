"""Builds a benchmark of judges: collects candidates of every type and chooses some, so that no artefact betrays them.

Types come in equal numbers as far as the subjects allow. Among the candidates of a type, those are chosen that
balance longer and shorter edits and spread the patterns evenly. Types share references, so that groups are large
enough for best-of-N.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.interventions.base import TextRevision
from assay.interventions.candidates import by_rule
from assay.interventions.instances import Instance, side_of
from assay.interventions.screen import Candidate, Screen
from assay.interventions.screening import unusable
from assay.subjects.reference_answers import own_reference
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.interventions.base import Operator
    from assay.interventions.refusals import Refusal
    from assay.subjects.subject import Subject

# Candidates kept per rule and subject; how many times more subjects a type is drawn from than it needs.
_KEPT: Final = 6
_SPARE: Final = 3
# How many instances may contain the same words; beyond that the words would betray the edit.
_REPEATED: Final = 2
_SHORT_TEXT: Final = 24
# Why a type without a rule has no instances.
NEEDS_MODEL: Final = "needs a model as editor"

# Asks a model for a candidate; returns None if the model gave none, or if the request waits for a batch.
ModelEditor = Callable[["Operator", Any, Screen], Awaitable["Candidate | None"]]


class Shortfall(msgspec.Struct, frozen=True, kw_only=True):
    """A type with fewer instances than wanted."""

    type: str
    wanted: int
    found: int


class BuiltBenchmark(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark and the record of how it was built.

    Attributes:
        instances: The instances, in order of type, then of reference.
        subjects: Number of subjects it was built from.
        unusable: Number of subjects that were not used, by reason.
        shortfalls: Types with fewer instances than wanted.
        candidates: Number of revisions that passed every filter, by type.
        refused: Number of revisions that were refused, by type and reason.
        refusals: The refused revisions, the first ones of each type.
        disputed: Instances that the second reader did not accept, for people to decide.
    """

    instances: tuple[Instance, ...]
    subjects: int
    unusable: dict[str, int]
    shortfalls: tuple[Shortfall, ...]
    candidates: dict[str, int]
    refused: dict[str, dict[str, int]]
    refusals: tuple[Refusal, ...] = ()
    disputed: tuple[Instance, ...] = ()


def build(
    subjects: Iterable[Subject], operators: Sequence[Operator], *, per_type: int, seed: int = 0
) -> BuiltBenchmark:
    """Build a benchmark by rules alone. The same subjects, operators and seed give the same benchmark.

    Args:
        subjects: Reports and trajectories, in any order.
        operators: Types of failures and attacks to plant.
        per_type: Number of instances wanted of each type.
        seed: Seed of every random choice.
    """
    screen = Screen()
    kept, left_out = usable(subjects, seed)
    pools: dict[str, dict[int, list[Candidate]]] = {operator.name: {} for operator in operators}
    ruled = [operator for operator in operators if operator.rule is not None]
    for operator in operators:
        if operator.rule is None:
            screen.refused[operator.name, NEEDS_MODEL] += 1
    for at, subject in enumerate(kept):
        for operator in ruled:
            pool = pools[operator.name]
            if len(pool) >= per_type * _SPARE or not _fits(operator, subject):
                continue
            candidates = by_rule(operator, subject, screen, seed=seed, most=_KEPT)
            if candidates:
                pool[at] = candidates
        screen.forget()
    chosen = choose(pools, operators, per_type=per_type, seed=seed)
    return _built(chosen, operators, screen, per_type=per_type, subjects=len(kept), left_out=left_out)


async def build_by_model(
    subjects: Iterable[Subject],
    operators: Sequence[Operator],
    edit: ModelEditor,
    *,
    per_type: int,
    seed: int = 0,
    each: Callable[[Sequence[Any], Callable[[Any], Awaitable[Any]]], Awaitable[list[Any]]],
) -> BuiltBenchmark:
    """Build a benchmark with a model that writes the revisions, or reads them a second time, or both.

    Subjects are tried in waves of as many as are still needed, so that nothing is spent in vain.

    Args:
        subjects: Reports and trajectories.
        operators: Types of failures and attacks to plant.
        edit: Function that asks the model for one candidate.
        per_type: Number of instances wanted of each type.
        seed: Seed of every random choice.
        each: Function that applies another to many items concurrently and returns the results in order.
    """
    screen = Screen()
    kept, left_out = usable(subjects, seed)
    pools: dict[str, dict[int, list[Candidate]]] = {operator.name: {} for operator in operators}
    tried: Counter[str] = Counter()
    while True:
        wave: list[tuple[Operator, int]] = []
        for operator in operators:
            fitting = [at for at, subject in enumerate(kept) if _fits(operator, subject)]
            missing = per_type - len(pools[operator.name])
            begin = tried[operator.name]
            # Every type begins with the first subjects, so that types share references.
            more = fitting[begin : begin + missing] if missing > 0 else []
            tried[operator.name] += len(more)
            wave += [(operator, at) for at in more]
        if not wave:
            break

        async def one(item: tuple[Operator, int]) -> Candidate | None:
            return await edit(item[0], kept[item[1]], screen)

        for (operator, at), candidate in zip(wave, await each(wave, one), strict=True):
            if candidate is not None:
                pools[operator.name][at] = [candidate]
    chosen = choose(pools, operators, per_type=per_type, seed=seed)
    return _built(chosen, operators, screen, per_type=per_type, subjects=len(kept), left_out=left_out)


def usable(subjects: Iterable[Subject], seed: int) -> tuple[list[Subject], dict[str, int]]:
    """Return subjects that can be references, in an order fixed by the seed, and counts of why others cannot.

    A text that occurs twice is used once.
    """
    kept: dict[str, Subject] = {}
    reasons: Counter[str] = Counter()
    for subject in subjects:
        reason = unusable(subject)
        if reason is None:
            key = _digest(subject)
            if key in kept:
                reasons["the same text as another"] += 1
            else:
                kept[key] = subject
        else:
            reasons[reason] += 1
    order = sorted(kept, key=lambda key: hashlib.blake2b(f"{seed}{key}".encode()).digest())
    return [kept[key] for key in order], dict(reasons)


def choose(
    pools: dict[str, dict[int, list[Candidate]]],
    operators: Sequence[Operator],
    *,
    per_type: int,
    seed: int = 0,
) -> list[tuple[int, Candidate]]:
    """Choose candidates: at most one per subject and type, balanced, and from few references.

    Args:
        pools: Candidates by type, then by number of the subject.
        operators: The types, in the order of the result.
        per_type: Greatest number of candidates per type.
        seed: Seed that breaks ties.
    """
    draw = Random(seed)  # noqa: S311 - no secret hangs on it
    offered = Counter(at for pool in pools.values() for at in pool)
    # References that offer many types come first: groups get larger, and people have fewer references to read.
    order = sorted(offered, key=lambda at: (-offered[at], draw.random()))
    lean: Counter[str] = Counter()
    size: Counter[str] = Counter()
    patterns: dict[str, Counter[str]] = defaultdict(Counter)
    texts: Counter[str] = Counter()
    chosen: dict[str, list[tuple[int, Candidate]]] = {operator.name: [] for operator in operators}
    for at in order:
        for name, taken in chosen.items():
            candidates = pools[name].get(at)
            if not candidates or len(taken) >= per_type:
                continue
            fresh = [item for item in candidates if all(texts[text] < _REPEATED for text in _added(item))]
            if not fresh:
                continue

            def cost(item: Candidate, name: str = name) -> tuple[float, ...]:
                sign = (item.growth > 0) - (item.growth < 0)
                # If two candidates balance equally well, the rarer pattern wins, then the size that evens out.
                return (
                    abs(lean[name] + sign),
                    patterns[name][item.revision.pattern],
                    abs(size[name] + item.growth),
                )

            best = min(fresh, key=cost)
            taken.append((at, best))
            lean[name] += (best.growth > 0) - (best.growth < 0)
            size[name] += best.growth
            patterns[name][best.revision.pattern] += 1
            texts.update(_added(best))
    return [item for taken in chosen.values() for item in sorted(taken, key=lambda pair: pair[0])]


def _built(
    chosen: Sequence[tuple[int, Candidate]],
    operators: Sequence[Operator],
    screen: Screen,
    *,
    per_type: int,
    subjects: int,
    left_out: dict[str, int],
) -> BuiltBenchmark:
    instances = [_instance(candidate) for _, candidate in chosen]
    counts = Counter(instance.type for instance in instances)
    refused: dict[str, dict[str, int]] = defaultdict(dict)
    for (name, reason), count in sorted(screen.refused.items()):
        refused[name][reason] = count
    return BuiltBenchmark(
        instances=tuple(instances),
        subjects=subjects,
        unusable=left_out,
        shortfalls=tuple(
            Shortfall(type=operator.name, wanted=per_type, found=counts[operator.name])
            for operator in operators
            if counts[operator.name] < per_type
        ),
        candidates=dict(screen.passed),
        refused=dict(refused),
        refusals=tuple(screen.refusals),
        disputed=tuple(_instance(candidate) for candidate in screen.disputed),
    )


def _instance(candidate: Candidate) -> Instance:
    operator, subject, applied = candidate.operator, candidate.subject, candidate.applied
    group = _digest(subject)
    own = hashlib.blake2b(
        f"{group}\n{applied.subject.source}".encode("utf-8", "surrogatepass"), digest_size=4
    ).hexdigest()
    return Instance(
        id=f"{operator.name}-{group[:6]}-{own}",
        group=group,
        level=operator.level,
        module=operator.module,
        category=operator.category,
        type=operator.name,
        query=subject.query or "",
        reference=side_of(subject),
        perturbed=side_of(applied.subject),
        site=applied.site,
        editor=candidate.editor,
        kind=operator.kind,
        dimension=operator.dimension,
        reference_site=applied.reference_site,
        other_sites=applied.other_sites,
        second_reading=candidate.second_reading,
        pattern=candidate.revision.pattern,
        note=candidate.revision.note,
        language=subject.language,
        source=subject.id or subject.path or "",
        system=subject.system,
        answer=own_reference(subject),
    )


def _fits(operator: Operator, subject: Subject) -> bool:
    return (operator.level == "outcome") == isinstance(subject, Report)


def _added(candidate: Candidate) -> list[str]:
    """Return the longer texts that a candidate adds."""
    if not isinstance(candidate.revision, TextRevision) or candidate.operator.name == "position":
        return []
    return [edit.text for edit in candidate.revision.edits if len(edit.text) >= _SHORT_TEXT]


def _digest(subject: Subject) -> str:
    return hashlib.blake2b(subject.source.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
