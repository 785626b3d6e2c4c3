"""Qualifier wording: hedges become wordier and limit nothing."""

from __future__ import annotations

from assay.interventions.attacks._bias_attacks import biased
from assay.interventions.attacks._prose import HEDGES

OPERATOR = biased(
    name="qualifier_wording",
    title="Qualifier wording",
    title_zh="限定措辞",
    definition=(
        "Cautious hedges are made wordier and generic limitation phrases added. No new condition, "
        "exception or counterexample is named."
    ),
    definition_zh="把原有的谨慎措辞写得更重，并加上泛泛的局限性套话，没有提出任何新的条件、例外或反例。",
    ask=(
        "Make the passages sound more cautious without limiting anything: thicken the hedges that several of them have, and add "
        "stock phrases that findings should be read with care. Do not hedge what is stated plainly, and name no condition, "
        "exception, cause of doubt or source."
    ),
    ask_zh=(
        "让各段听起来更谨慎而实际不作任何限定：把多处原有的缓和语写得更重，再添几句“应谨慎看待”之类的套话。"
        "原本直陈的内容不要加缓和语，也不要提出条件、例外、疑点或来源。"
    ),
    growth=(0.003, 0.35),
    reworded=0.2,
    fits=HEDGES,
    having="with a hedge",
)
