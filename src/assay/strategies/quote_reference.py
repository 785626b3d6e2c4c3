"""Every claim with words of the reference, not of what is judged (ablation A5)."""

from assay.strategies.base import Field, Strategy
from assay.subjects.case import MODES

STRATEGY = Strategy(
    name="quote_reference",
    summary="Every claim rests on a verbatim quote from the reference; quotes are looked up there.",
    source="cot-judges, appendix E, A5",
    fields=(
        Field(
            "quotes",
            "the passages, short, word for word",
            "所依据的原文片段，简短，一字不差",
            many=True,
            quotes="reference",
        ),
        Field(
            "reasoning",
            "your claims, each with the number of its passage in brackets",
            "你的各个判断，并用方括号注明所依据片段的序号",
        ),
    ),
    needs_reference=frozenset(MODES),
)
