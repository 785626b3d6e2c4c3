"""Targeted attack on warrants causality: a model rewrites passages with a reason or a mechanism."""

from __future__ import annotations

from assay.interventions.attacks._prose import CAUSES
from assay.interventions.attacks._targeted_attacks import targeted

OPERATOR = targeted(
    dimension="warrants_causality",
    title="Warrants and causal reasoning",
    title_zh="损害理据与因果推理",
    definition=(
        "A causal or inferential claim stands, but why it holds is no longer said: its reason, means or "
        "mechanism is missing, or was replaced by a bare assertion that the link exists."
    ),
    definition_zh="因果或推论性的论断仍在，但其成立的理由不见了：原因、途径或机制被删去，或被一句“显而易见”式的断言取代。",
    fits=CAUSES,
    having="with a reason or a mechanism",
    ask=(
        "Remove why causal or inferential claims hold, in at least two places: the reason, mechanism or intermediate step goes, "
        "and the link is merely asserted (“this leads to”, “it follows that”). Claims, scope, figures and citations stay. "
        "The text must read smoothly and contradict nothing; no claim may become stronger or absurd."
    ),
    ask_zh=(
        "在至少两处去掉因果或推论成立的理由：删去原因、机制或中间环节，只断言有此联系（“由此导致”“可见”）。论断、适用范围、数字和引用保留。"
        "文字通顺，与其他部分不矛盾，论断不得变强或变得荒唐。"
    ),
)
