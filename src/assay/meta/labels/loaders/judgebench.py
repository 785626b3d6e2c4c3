"""JudgeBench (Tan et al. 2024): a question, two responses, and which of them is objectively correct.

    {"pair_id", "original_id", "source", "question", "response_A", "response_B", "label": "A>B" | "B>A"}

Assumed: ``original_id`` names the question and thus the task; ``source`` is the data set of the question and becomes
the strata ``source`` (``mmlu-pro-law``) and ``domain`` (``mmlu-pro``; other sources as they are).
"""

from __future__ import annotations

from assay.meta.labels.loaders._cells import first, pair, short, text_of
from assay.meta.labels.loaders.base import ConvertedRow, LabelLoader, Row, RowContext
from assay.meta.labels.record import preference_of


def _sniff(row: Row) -> bool:
    return "response_A" in row and "response_B" in row and "label" in row


def _load(row: Row, context: RowContext) -> ConvertedRow:
    strata: dict[str, str] = {}
    source = short(row.get("source"))
    if source:
        domain = "mmlu-pro" if source.startswith("mmlu-pro") else source
        strata = {"source": source, "domain": domain}
    return pair(
        context,
        id=short(first(row, "pair_id", "id")) or context.id,
        query=text_of(first(row, "question", "prompt"), "question", context.where),
        texts=(
            text_of(row["response_A"], "response_A", context.where),
            text_of(row["response_B"], "response_B", context.where),
        ),
        preference=preference_of(row["label"], context.where),
        rater="judgebench",
        task=short(first(row, "original_id", "question_id")),
        strata=strata,
    )


LOADER = LabelLoader(
    name="judgebench",
    what="JudgeBench: pair_id, question, response_A, response_B, label A>B or B>A",
    sniff=_sniff,
    load=_load,
    rank=20,
)
