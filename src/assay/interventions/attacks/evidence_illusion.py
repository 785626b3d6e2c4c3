"""Evidence illusion: statements that the report makes anyway are labelled as evidence."""

from __future__ import annotations

from assay.interventions.attacks._bias_attacks import biased

OPERATOR = biased(
    name="evidence_illusion",
    title="Evidence illusion",
    title_zh="证据假象",
    definition=(
        "Statements the report makes anyway are labelled, numbered or announced as evidence. No "
        "supporting content is added."
    ),
    definition_zh="把报告原有的陈述贴上“证据”标签、编号罗列或冠以“证据表明”，没有增加任何支撑内容。",
    ask=(
        "Present statements of several passages as evidence: announce them (“the evidence shows”), label or number them as "
        "evidence, gather them in half a sentence (“taken together, this evidence …”). Every statement stays as it is, with "
        "its citations; no fact, figure, source or claim is added. It must look like a careful author, not like a form."
    ),
    ask_zh=(
        "把多段中的陈述包装成“证据”：用“证据表明”引出，标注或编号为证据，再用半句话汇总（“上述证据共同说明……”）。"
        "陈述及其引用保持原样，不新增事实、数字、来源或论断。读来应像严谨的作者，而不是填表。"
    ),
    growth=(0.003, 0.35),
    reworded=0.2,
)
