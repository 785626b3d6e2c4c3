"""LLMBar (Zeng et al. 2023): an instruction, two outputs, and which follows it better.

    {"input", "output_1", "output_2", "label": 1 | 2}

Assumed: ``label`` counts outputs from 1, without ties. Rows have no ids; their numbers serve as ids. Names of subsets
(Natural, Adversarial/Neighbor, …) occur only in folder names and are not read.
"""

from __future__ import annotations

from assay.errors import InputError
from assay.meta.labels.loaders._cells import first, pair, short, text_of
from assay.meta.labels.loaders.base import ConvertedRow, LabelLoader, Row, RowContext


def _sniff(row: Row) -> bool:
    return "output_1" in row and "output_2" in row and ("input" in row or "instruction" in row)


def _load(row: Row, context: RowContext) -> ConvertedRow:
    label = str(row.get("label")).strip()
    if label not in ("1", "2"):
        raise InputError(f"label is {label!r}; it must be 1 or 2", where=context.where)
    return pair(
        context,
        id=short(first(row, "id", "pair_id")) or context.id,
        query=text_of(first(row, "input", "instruction"), "input", context.where),
        texts=(
            text_of(row["output_1"], "output_1", context.where),
            text_of(row["output_2"], "output_2", context.where),
        ),
        preference="A>B" if label == "1" else "A<B",
        rater="llmbar",
        strata={"subset": subset} if (subset := short(first(row, "subset"))) else {},
    )


LOADER = LabelLoader(
    name="llmbar",
    what="LLMBar: input, output_1, output_2, label 1 or 2",
    sniff=_sniff,
    load=_load,
    rank=20,
)
