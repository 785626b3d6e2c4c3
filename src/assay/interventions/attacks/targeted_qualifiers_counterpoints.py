"""Targeted attack on qualifiers counterpoints: a model rewrites passages with a hedge, a condition or a counterpoint."""

from __future__ import annotations

from assay.interventions.attacks._prose import HEDGES
from assay.interventions.attacks._targeted_attacks import targeted

OPERATOR = targeted(
    dimension="qualifiers_counterpoints",
    title="Qualifiers and counterpoints",
    title_zh="损害限定与反面意见",
    definition=(
        "A conclusion that was scoped by uncertainty, a condition or a counterpoint is stated as certain: "
        "the hedge became a certainty, or the limit it came with is gone, though nothing in the report "
        "supports the stronger claim."
    ),
    definition_zh="原本带有不确定性、条件或反面考虑的结论被写成了定论：缓和语变成了断言，或者限定条件被删去，而报告并没有支持更强说法的依据。",
    fits=HEDGES,
    having="with a hedge, a condition or a counterpoint",
    ask=(
        "State as certain what these passages hedge or limit, in at least two places: possibility becomes necessity, a condition "
        "or exception goes, a limitation or opposing view is waved away in half a sentence. Evidence, figures and citations "
        "stay, and the tone stays that of a research report. A single swapped adverb is too little, shouting too much."
    ),
    ask_zh=(
        "在至少两处把有保留的说法写成定论：可能变为必然，删去条件或例外，用半句话把局限或反对意见一笔带过。证据、数字和引用不变，"
        "语气仍像研究报告。只换一个副词太轻，喊口号则太过。"
    ),
    codes=("QUA001",),
)
