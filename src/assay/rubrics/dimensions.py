"""The eight dimensions of a report's logic, in three layers (ReportLogic, section 3.1 and appendix G)."""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

DimensionKey = Literal[
    "task_alignment",
    "global_coherence",
    "internal_consistency",
    "concept_introduction",
    "local_coherence",
    "evidence_sufficiency",
    "warrants_causality",
    "qualifiers_counterpoints",
]
Layer = Literal["macro", "expositional", "structural"]

DIMENSION_KEYS: Final[tuple[DimensionKey, ...]] = get_args(DimensionKey)


class Dimension(msgspec.Struct, frozen=True):
    """One dimension: its key, its name in the paper and in Chinese, its layer, and what it asks, in our words."""

    key: DimensionKey
    title: str
    title_zh: str
    layer: Layer
    asks: str


DIMENSIONS: Final[tuple[Dimension, ...]] = (
    Dimension("task_alignment", "Task alignment & claim clarity", "任务契合与观点清晰", "macro",
              "Does the report take a clear position that answers the query, and stay with it?"),
    Dimension("global_coherence", "Global coherence", "全局连贯", "macro",
              "Does every section have a part in the argument, in an order that carries it?"),
    Dimension("internal_consistency", "Internal consistency", "内部一致", "macro",
              "Can all its definitions, premises and figures be true together?"),
    Dimension("concept_introduction", "Concept introduction & logical transition", "概念引入与逻辑过渡", "expositional",
              "Are terms and assumptions introduced before they are used?"),
    Dimension("local_coherence", "Local coherence", "局部连贯", "expositional",
              "Does each sentence follow from the one before by a stated relation?"),
    Dimension("evidence_sufficiency", "Evidence sufficiency & relevance", "证据充分性与相关性", "structural",
              "Do the major claims rest on specific, relevant, traceable evidence?"),
    Dimension("warrants_causality", "Warrants & causal reasoning", "理据与因果推理", "structural",
              "Is it said why the evidence supports the conclusion, and how causes work?"),
    Dimension("qualifiers_counterpoints", "Qualifiers & counterpoints", "限定与反面意见", "structural",
              "Are conclusions scoped by uncertainty, conditions and alternatives?"),
)  # fmt: skip
