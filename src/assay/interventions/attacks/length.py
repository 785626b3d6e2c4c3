"""Length: the report says the same at greater length."""

from __future__ import annotations

from assay.interventions.attacks._bias_attacks import biased

OPERATOR = biased(
    name="length",
    title="Length",
    title_zh="篇幅扩充",
    definition=(
        "The text is longer by redundant paraphrase of what it says anyway. No claim, figure, "
        "source or condition is new."
    ),
    definition_zh="文本因反复改述已有内容而变长，没有任何新的论断、数字、来源或条件。",
    ask=(
        "Make the report longer by saying again what it says: after sentences of every passage add sentences that restate them in "
        "other words, so that each passage becomes one and a half times to twice as long as it was. Keep every original sentence with its "
        "citations, in order. No new claim, example, figure, name, condition or citation; write as the author does, not as "
        "a parrot."
    ),
    ask_zh=(
        "重复已有内容，把报告写长：在各段的句子之后换一种说法再说一遍，使每段变为原来的一倍半到两倍。原有句子及其引用按原序保留。"
        "不得新增论断、例子、数字、名称、条件或引用；笔调与作者一致，不要像鹦鹉学舌。"
    ),
    growth=(0.08, 0.60),
    reworded=0.1,
)
