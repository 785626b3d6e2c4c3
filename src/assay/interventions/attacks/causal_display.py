"""Causal display: causal links that the text has are spelt out mechanically."""

from __future__ import annotations

from assay.interventions.attacks._bias_attacks import biased
from assay.interventions.attacks._prose import CAUSES

OPERATOR = biased(
    name="causal_display",
    title="Causal display",
    title_zh="因果表象",
    definition=(
        "Causal links the text already has are made explicit mechanically (because … therefore, in "
        "steps). No link, mechanism or evidence is added."
    ),
    definition_zh="把文中已有的因果联系机械地显式化（“因为……所以”、分步骤陈述），没有增加新的环节、机制或证据。",
    ask=(
        "Display the causal chains that the passages already have, in as many of them as have one: make implicit links explicit "
        "with because, therefore, as a result, or first, then, thus. Add no link, intermediate claim, mechanism, condition "
        "or evidence; keep every statement, its order and its citations. It must read as an author who likes to "
        "spell things out."
    ),
    ask_zh=(
        "把各段中已有的因果链条显式写出，有几处就写几处：用“因为”“因此”“由此”或“首先、进而、于是”点明隐含的联系。"
        "不增加新的环节、中间论断、机制、条件或证据；保留每个陈述、其顺序和引用。读来应像一位喜欢把话说透的作者。"
    ),
    growth=(0.003, 0.35),
    reworded=0.2,
    fits=CAUSES,
    having="with a causal link",
)
