"""Whether each claim is supported by what stands under it (FinResearchBench, section 3.1.3, step 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assay.logic.model.calls import ASSIGNMENT, all_of, entries, failure, missing, verdicts_schema
from assay.logic.model.records import ExtractionStep
from assay.models.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.graph import Support
    from assay.logic.model.extraction_run import ExtractionRun

_FRAME: Final = 8


async def check_support(run: ExtractionRun) -> dict[int, Support | None]:
    """Return the support of every claim, by key; None if the model gave no readable verdict on it.

    A claim with nothing under it is not asked about: it is unsupported, or, as in the rule-built graph, partly
    supported if it cites a source itself.
    """
    draft = run.draft
    out: dict[int, Support | None] = {}
    asked: list[tuple[int, list[str]]] = []
    for item in sorted(draft.items.values(), key=lambda item: (item.span, item.key)):
        if not item.is_argument:
            continue
        if draft.children(item.key):
            asked.append((item.key, _below(run, item.key)))
            out[item.key] = None
        else:
            out[item.key] = "partial" if item.cited else "unsupported"
    batches = _batches(run, asked)
    steps = await all_of([_ask(run, f"support:{i}", batch) for i, batch in enumerate(batches)])
    run.steps.extend(steps)
    for batch, step in zip(batches, steps, strict=True):
        problem = failure(step.name, step.written)
        if problem:
            run.problems.append(f"{problem}; the support of {len(batch)} claims is not known")
            continue
        rows = entries(step.written.value["verdicts"], "claim", len(batch))
        for number, row in rows.items():
            out[batch[number - 1][0]] = row["support"]
        if len(rows) < len(batch):
            run.problems.append(f"{step.name}: {len(batch) - len(rows)} claims without a readable verdict")
    return out


def _below(run: ExtractionRun, key: int) -> list[str]:
    """Return the lines of a claim and of what stands under it, without its number."""
    draft = run.draft
    children = sorted(
        (draft.items[child] for child in draft.children(key)), key=lambda item: (item.span, item.key)
    )
    most = run.settings.children
    lines = [run.short(draft.items[key].text)]
    for child in children[:most]:
        kind = run.word("kind", kind=child.kind)
        lines.append(run.word("claim_below", kind=kind, words=run.short(child.text)))
    if len(children) > most:
        lines.append(run.word("more_below", count=len(children) - most))
    return lines


def _batches(run: ExtractionRun, asked: Sequence[tuple[int, list[str]]]) -> list[list[tuple[int, list[str]]]]:
    settings = run.settings
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


async def _ask(run: ExtractionRun, name: str, batch: Sequence[tuple[int, list[str]]]) -> ExtractionStep:
    def check(value: dict[str, Any]) -> list[str]:
        return missing(run.word, value["verdicts"], "claim", len(batch), "C")

    written = await run.author.data(
        ASSIGNMENT,
        "support",
        schema=verdicts_schema(len(batch)),
        material=run.material,
        check=check,
        text="\n\n".join(
            "\n".join([f"C{i}| {lines[0]}", *lines[1:]]) for i, (_, lines) in enumerate(batch, 1)
        ),
    )
    return ExtractionStep(name, written)
