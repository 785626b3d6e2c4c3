"""Whether each claim is supported by what stands under it (FinResearchBench, section 3.1.3, step 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assay.logic.model.asking import ASSIGNMENT, all_of, entries, failure, missing, verdicts_schema
from assay.logic.model.records import Step
from assay.models.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.graph import Support
    from assay.logic.model.work import Work

_FRAME: Final = 8


async def check_support(work: Work) -> dict[int, Support | None]:
    """Support of every claim, by key; None where the model said nothing that could be read.

    A claim with nothing under it is no question to a model: it is unsupported, or, as in the rule-built graph, partly
    supported where it cites a source itself.
    """
    draft = work.draft
    out: dict[int, Support | None] = {}
    asked: list[tuple[int, list[str]]] = []
    for item in sorted(draft.items.values(), key=lambda item: (item.span, item.key)):
        if not item.is_argument:
            continue
        if draft.children(item.key):
            asked.append((item.key, _below(work, item.key)))
            out[item.key] = None
        else:
            out[item.key] = "partial" if item.cited else "unsupported"
    batches = _batches(work, asked)
    steps = await all_of([_ask(work, f"support:{i}", batch) for i, batch in enumerate(batches)])
    work.steps.extend(steps)
    for batch, step in zip(batches, steps, strict=True):
        problem = failure(step.name, step.written)
        if problem:
            work.problems.append(f"{problem}; the support of {len(batch)} claims is not known")
            continue
        rows = entries(step.written.value["verdicts"], "claim", len(batch))
        for number, row in rows.items():
            out[batch[number - 1][0]] = row["support"]
        if len(rows) < len(batch):
            work.problems.append(f"{step.name}: {len(batch) - len(rows)} claims without a readable verdict")
    return out


def _below(work: Work, key: int) -> list[str]:
    """The lines of a claim and what stands under it, without its number."""
    draft = work.draft
    children = sorted(
        (draft.items[child] for child in draft.children(key)), key=lambda item: (item.span, item.key)
    )
    most = work.settings.children
    lines = [work.short(draft.items[key].text)]
    for child in children[:most]:
        kind = work.word("kind", kind=child.kind)
        lines.append(work.word("claim_below", kind=kind, words=work.short(child.text)))
    if len(children) > most:
        lines.append(work.word("more_below", count=len(children) - most))
    return lines


def _batches(work: Work, asked: Sequence[tuple[int, list[str]]]) -> list[list[tuple[int, list[str]]]]:
    settings = work.settings
    batches: list[list[tuple[int, list[str]]]] = []
    size = 0
    for claim in asked:
        tokens = sum(estimate_tokens(line) + _FRAME for line in claim[1])
        if batches and len(batches[-1]) < settings.supports and size + tokens <= settings.supports_tokens:
            batches[-1].append(claim)
            size += tokens
        else:
            batches.append([claim])
            size = tokens
    return batches


async def _ask(work: Work, name: str, batch: Sequence[tuple[int, list[str]]]) -> Step:
    def check(value: dict[str, Any]) -> list[str]:
        return missing(work.word, value["verdicts"], "claim", len(batch), "C")

    written = await work.author.data(
        ASSIGNMENT,
        "support",
        schema=verdicts_schema(len(batch)),
        shown=work.shown,
        check=check,
        text="\n\n".join(
            "\n".join([f"C{i}| {lines[0]}", *lines[1:]]) for i, (_, lines) in enumerate(batch, 1)
        ),
    )
    return Step(name, written)
