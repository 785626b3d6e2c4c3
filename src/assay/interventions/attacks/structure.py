"""Structure: outline scaffolding around the same content."""

from __future__ import annotations

from assay.interventions.attacks._bias_attacks import biased

OPERATOR = biased(
    name="structure",
    title="Structure",
    title_zh="结构包装",
    definition=(
        "The same text with outline scaffolding: light headings, numbering, signposts, brief "
        "transitions or summaries. Claims and their order stay."
    ),
    definition_zh="内容相同，只加上提纲式的外壳：小标题、编号、路标语、简短的过渡或小结。论断及其顺序不变。",
    ask=(
        "Give the report more visible structure in several passages: short sub-headings, numbering, signposts such as first and "
        "second, a sentence that announces or sums up. Use its own words. Every sentence stays, in its order, with its "
        "citations; no claim, figure or name is added."
    ),
    ask_zh=(
        "在多段中让报告显得更有条理：加简短小标题、编号、“首先、其次”之类的路标语，或一句预告、小结，用词取自原文。"
        "每句话及其引用按原顺序保留，不新增论断、数字或名称。"
    ),
    growth=(0.003, 0.30),
    reworded=0.05,
)
