"""JudgeBench (Tan et al. 2024): a question, two responses, and which of them is objectively correct.

    {"pair_id", "original_id", "source", "question", "response_A", "response_B", "label": "A>B" | "B>A"}

Published verdicts are such rows with ``judgments``, from which the texts may be missing. `assay.meta.published_verdicts`
reads the verdicts; this loader reads only which response is right.

Assumed: ``original_id`` names the question and thus the task; ``source`` is the data set of the question and becomes
the strata ``source`` (``mmlu-pro-law``) and ``domain`` (``mmlu-pro``; other sources as they are).
"""

from __future__ import annotations

from assay.meta.labels.loaders._cells import first, pair, short, text_of
from assay.meta.labels.loaders.base import ConvertedRow, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label, preference_of


def _sniff(row: Row) -> bool:
    return "label" in row and (
        ("response_A" in row and "response_B" in row) or isinstance(row.get("judgments"), list)
    )


def strata_of_source(value: object) -> dict[str, str]:
    """Return the strata that the data set of a question gives."""
    source = short(value)
    if not source:
        return {}
    return {"source": source, "domain": "mmlu-pro" if source.startswith("mmlu-pro") else source}


def _load(row: Row, context: RowContext) -> ConvertedRow:
    name = short(first(row, "pair_id", "id")) or context.id
    preference = preference_of(row["label"], context.where)
    task = short(first(row, "original_id", "question_id"))
    strata = strata_of_source(row.get("source"))
    if "response_A" not in row or "response_B" not in row:
        label = Label(
            subject=f"{name}:A | {name}:B",
            rater="judgebench",
            preference=preference,
            task=task or name,
            strata=strata,
        )
        return ConvertedRow((label,))
    return pair(
        context,
        id=name,
        query=text_of(first(row, "question", "prompt"), "question", context.where),
        texts=(
            text_of(row["response_A"], "response_A", context.where),
            text_of(row["response_B"], "response_B", context.where),
        ),
        preference=preference,
        rater="judgebench",
        task=task,
        strata=strata,
    )


LOADER = LabelLoader(
    name="judgebench",
    what="JudgeBench: pair_id, question, response_A, response_B, label A>B or B>A",
    sniff=_sniff,
    load=_load,
    rank=20,
)
