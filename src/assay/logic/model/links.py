"""Links between parts: proposed because statements have something in common, and decided by the model.

One piece of evidence may carry claims in several places, and a claim of one section may rest on one of another
(FinResearchBench, section 5.2: from trees to graphs). No call could compare everything with everything; a shared
source, a shared figure or many shared words say where to look.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.logic.model.calls import ASSIGNMENT, all_of, entries, failure, missing, pairs_schema
from assay.logic.model.records import ExtractionStep
from assay.logic.terms import overlap

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from assay.logic.model.extraction_run import ExtractionRun
    from assay.logic.model.graph_draft import DraftNode, GraphDraft

# A source or figure in more places than this says nothing about any of them.
_COMMON: Final = 8
_COMMON_TERM: Final = 30
_FIGURE_TERMS: Final = 2
_SOURCE_TERMS: Final = 3
_ALIKE_TERMS: Final = 4
_ALIKE: Final = 0.4
_LOOSE_TERMS: Final = 2
_MOST_EACH: Final = 3


class LinkCandidate(msgspec.Struct, frozen=True):
    """Two nodes that may support each other, by key. The first is evidence, if either is."""

    first: int
    second: int
    score: float


def propose(draft: GraphDraft, most: int) -> list[LinkCandidate]:
    """Return pairs worth asking about, in the order of the report: nodes of different parts that share something telling.

    Evidence that supports nothing yet is also compared with the claims of its own part.
    """
    items = draft.items
    loose = {item.key for item in draft.loose_evidence()}
    shared: list[tuple[dict[Hashable, list[int]], int, float]] = [
        (_index((key, item.figures) for key, item in items.items()), _COMMON, 3.0),
        (_index((key, item.keys) for key, item in items.items()), _COMMON, 2.0),
        (_index((key, item.terms) for key, item in items.items()), _COMMON_TERM, 0.0),
    ]
    candidates: list[LinkCandidate] = []
    for item in items.values():
        near: dict[int, float] = {}
        for (index, most_places, weight), own in zip(
            shared, (item.figures, item.keys, item.terms), strict=True
        ):
            hits = Counter(
                other
                for word in own
                if len(index[word]) <= most_places
                for other in index[word]
                if other != item.key
            )
            for other, count in hits.items():
                near[other] = near.get(other, 0.0) + weight * min(count, 2)
        for other, score in near.items():
            second = items[other]
            if not second.is_argument or (item.is_argument and other < item.key):
                # A pair of claims occurs twice.
                continue
            if item.part == second.part and item.key not in loose:
                continue
            worth = _worth(item, second, score, loose=item.key in loose)
            if worth and not draft.stands_under(item.key, other) and not draft.stands_under(other, item.key):
                candidates.append(LinkCandidate(item.key, other, worth))
    candidates.sort(key=lambda pair: (-pair.score, pair.first, pair.second))
    kept: list[LinkCandidate] = []
    each: Counter[int] = Counter()
    for pair in candidates:
        if len(kept) == most:
            break
        if each[pair.first] < _MOST_EACH:
            each[pair.first] += 1
            kept.append(pair)
    return sorted(kept, key=lambda pair: (items[pair.first].span, pair.first, items[pair.second].span))


def _index(rows: Iterable[tuple[int, Iterable[Hashable]]]) -> dict[Hashable, list[int]]:
    index: dict[Hashable, list[int]] = {}
    for key, words in rows:
        for word in words:
            index.setdefault(word, []).append(key)
    return index


def _worth(first: DraftNode, second: DraftNode, score: float, *, loose: bool) -> float:
    """Return the priority of asking about a pair; 0 if it is not worth a question."""
    terms = len(first.terms & second.terms)
    alike = overlap(first.terms, second.terms)
    if not (
        (score >= 3.0 and terms >= _FIGURE_TERMS)
        or (score >= 2.0 and terms >= _SOURCE_TERMS)
        or (alike >= _ALIKE and terms >= _ALIKE_TERMS)
        or (loose and terms >= _LOOSE_TERMS)
    ):
        return 0.0
    # Evidence that supports nothing would be lost.
    return score + terms / 2 + 2 * alike + (4.0 if loose else 0.0)


async def link(run: ExtractionRun, number_of_parts: int) -> None:
    """Ask about the pairs, and join those that support each other."""
    pairs = propose(run.draft, run.settings.links * number_of_parts)
    size = run.settings.pairs
    batches = [pairs[i : i + size] for i in range(0, len(pairs), size)]
    names = ["links"] if len(batches) == 1 else [f"links:{i}" for i in range(len(batches))]
    steps = await all_of([_ask(run, name, batch) for name, batch in zip(names, batches, strict=True)])
    run.steps.extend(steps)
    for batch, step in zip(batches, steps, strict=True):
        _apply(run, batch, step)


async def _ask(run: ExtractionRun, name: str, batch: Sequence[LinkCandidate]) -> ExtractionStep:
    def check(value: dict[str, Any]) -> list[str]:
        return missing(run.word, value["pairs"], "pair", len(batch), "P")

    written = await run.author.data(
        ASSIGNMENT,
        "links",
        schema=pairs_schema(len(batch)),
        material=run.material,
        check=check,
        text="\n".join(_line(run, i, pair) for i, pair in enumerate(batch, 1)),
    )
    return ExtractionStep(name, written)


def _line(run: ExtractionRun, number: int, pair: LinkCandidate) -> str:
    first, second = run.draft.items[pair.first], run.draft.items[pair.second]
    return run.word(
        "pair",
        number=number,
        first_kind=run.word("kind", kind=first.kind),
        first=run.short(first.text),
        second_kind=run.word("kind", kind=second.kind),
        second=run.short(second.text),
    )


def _apply(run: ExtractionRun, batch: Sequence[LinkCandidate], step: ExtractionStep) -> None:
    problem = failure(step.name, step.written)
    if problem:
        run.problems.append(f"{problem}; {len(batch)} possible links between parts are left open")
        return
    wrong = 0
    rows = entries(step.written.value["pairs"], "pair", len(batch))
    for number, row in sorted(rows.items()):
        pair = batch[number - 1]
        if row["relation"] == "first_supports_second":
            wrong += run.draft.join(pair.first, pair.second) in ("cycle", "evidence")
        elif row["relation"] == "second_supports_first":
            wrong += run.draft.join(pair.second, pair.first) in ("cycle", "evidence")
    if wrong:
        run.problems.append(
            f"{step.name}: {wrong} {'link' if wrong == 1 else 'links'} left out that would close a circle or put a claim"
            " under evidence"
        )
    if len(rows) < len(batch):
        run.problems.append(f"{step.name}: {len(batch) - len(rows)} pairs without a readable answer")
