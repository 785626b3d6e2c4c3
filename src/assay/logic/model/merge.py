"""Merging of parts into a whole: which main claims of the parts rest on which others, and which say the same.

Only claims that support nothing yet are shown, so a call sees the top of what came before and never the whole. If
they are too many for one call, neighbours are put in order first, and at most half of them go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assay.logic.model.calls import ASSIGNMENT, all_of, entries, failure, merge_schema, missing
from assay.logic.model.numbered_lines import path_text
from assay.logic.model.records import ExtractionStep
from assay.logic.terms import overlap
from assay.models.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.model.extraction_run import ExtractionRun
    from assay.logic.model.graph_draft import DraftNode

_CORES: Final = 6
# Least share of terms in common for two claims to be merged.
_SAME: Final = 0.34
_FRAME: Final = 8
_TITLE: Final = 80


async def merge(run: ExtractionRun) -> None:
    """Put the main claims of all parts in order under each other."""
    tops = run.draft.tops()
    # Claims that do not reach the next level.
    left: list[DraftNode] = []
    level = 0
    while len(tops) > 1:
        batches = _batches(run, tops)
        if len(batches) == 1:
            [tops] = await _round(run, ["merge"], batches, final=True)
            break
        names = [f"merge:{level}:{i}" for i in range(len(batches))]
        tops = []
        for batch, heads in zip(batches, await _round(run, names, batches, final=False), strict=True):
            # At most half of them; otherwise a model that joins nothing would be asked forever.
            most = max(1, len(batch) // 2)
            left.extend(heads[most:])
            tops.extend(sorted(heads[:most], key=lambda item: (item.span, item.key)))
        level += 1
    if left:
        # Their counterparts may have been in another batch, so each is shown with the core claims.
        heads = tops[:_CORES]
        left.sort(key=lambda item: (item.span, item.key))
        groups = [[*heads, *group] for group in _batches(run, left, beside=heads)]
        await _round(run, [f"merge:rest:{i}" for i in range(len(groups))], groups, final=True)


async def _round(
    run: ExtractionRun, names: Sequence[str], batches: Sequence[Sequence[DraftNode]], *, final: bool
) -> list[list[DraftNode]]:
    """Ask about all batches at once, and return the claims that each leaves on top."""
    steps = await all_of(
        [_ask(run, name, batch, final=final) for name, batch in zip(names, batches, strict=True)]
    )
    run.steps.extend(steps)
    return [_apply(run, batch, step) for batch, step in zip(batches, steps, strict=True)]


def _line(run: ExtractionRun, number: int, item: DraftNode) -> str:
    title = path_text(run.report, item.section).rpartition(" › ")[2][:_TITLE]
    brackets = "（{}） " if run.language == "zh" else "({}) "
    return f"C{number}| {brackets.format(title) if title else ''}{run.short(item.text)}"


def _batches(
    run: ExtractionRun, tops: Sequence[DraftNode], *, beside: Sequence[DraftNode] = ()
) -> list[list[DraftNode]]:
    """Return the claims in batches; the claims in ``beside`` are shown with each batch."""
    settings = run.settings
    batches: list[list[DraftNode]] = []
    most = max(1, settings.claims - len(beside))
    size = 0
    for item in tops:
        tokens = estimate_tokens(_line(run, 0, item)) + _FRAME
        if batches and len(batches[-1]) < most and size + tokens <= settings.claims_tokens:
            batches[-1].append(item)
            size += tokens
        else:
            batches.append([item])
            size = tokens
    if not beside and len(batches) > 1 and len(batches[-1]) == 1:
        # A single claim has nothing to be compared with.
        batches[-2].extend(batches.pop())
    return batches


async def _ask(run: ExtractionRun, name: str, batch: Sequence[DraftNode], *, final: bool) -> ExtractionStep:
    count = len(batch)
    cores = max(1, min(_CORES, count // 2))

    def check(value: dict[str, Any]) -> list[str]:
        return missing(run.word, value["claims"], "claim", count, "C")

    written = await run.author.data(
        ASSIGNMENT,
        "merge",
        schema=merge_schema(count, cores),
        material=run.material,
        check=check,
        final=final,
        cores=cores,
        query=run.query,
        text="\n".join(_line(run, i, item) for i, item in enumerate(batch, 1)),
    )
    return ExtractionStep(name, written)


def _apply(run: ExtractionRun, batch: Sequence[DraftNode], step: ExtractionStep) -> list[DraftNode]:
    """Apply the reply, and return the claims of the batch that support nothing after it, core ones first."""
    problem = failure(step.name, step.written)
    if problem:
        run.problems.append(f"{problem}; {len(batch)} claims stay side by side")
        return list(batch)
    draft = run.draft
    value = step.written.value
    rows = entries(value["claims"], "claim", len(batch))
    core = [number for number in dict.fromkeys(map(int, value["core"])) if 1 <= number <= len(batch)]
    # The claim that each merged claim became.
    stands: dict[int, int] = {}
    refused = 0
    for number, row in rows.items():
        other = int(row["same_as"])
        while other in stands:
            other = stands[other]
        if other == number or not 1 <= other <= len(batch):
            continue
        kept, gone = batch[other - 1], batch[number - 1]
        if kept.key not in draft.items or gone.key not in draft.items:
            # Two batches of one round may have a claim in common.
            continue
        if not _same(kept, gone):
            refused += 1
            continue
        draft.unify(kept.key, gone.key)
        stands[number] = other
    # Core claims last: in a circle, the edge that leads down from the top is left out.
    order = sorted(rows, key=lambda number: (number in core, number))
    cycles = unknown = 0
    for number in order:
        if number in stands or batch[number - 1].key not in draft.items:
            continue
        for told in rows[number]["supports"]:
            parent = int(told)
            while parent in stands:
                parent = stands[parent]
            if not 1 <= parent <= len(batch) or batch[parent - 1].key not in draft.items:
                unknown += 1
            else:
                cycles += draft.join(batch[number - 1].key, batch[parent - 1].key) == "cycle"
    for count, what in (
        (refused, "claims were to be one with others that share few words with them; both are kept"),
        (unknown, "edges to claims that are not there left out"),
        (cycles, "edges left out that closed a circle"),
        (len(batch) - len(rows), "claims that the model said nothing readable of stay as they were"),
    ):
        if count:
            run.problems.append(f"{step.name}: {count} {what}")
    rank = {number: i for i, number in enumerate(core)}
    heads = [
        number
        for number, item in enumerate(batch, 1)
        if number not in stands and item.key in draft.items and not draft.parents(item.key)
    ]
    # Then those with most under them, because they have been argued for.
    heads.sort(key=lambda n: (rank.get(n, len(rank)), -len(draft.children(batch[n - 1].key)), n))
    return [batch[n - 1] for n in heads]


def _same(left: DraftNode, right: DraftNode) -> bool:
    if left.figures and right.figures and left.figures.isdisjoint(right.figures):
        return False
    return overlap(left.terms, right.terms) >= _SAME
