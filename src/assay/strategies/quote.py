"""Every claim with the words it rests on (Quote-forcing of the paper).

The passages come first and are checked: each is looked up in the documents, and one that stands nowhere is marked as
invented.
"""

from assay.strategies.base import Field, Strategy

STRATEGY = Strategy(
    name="quote",
    summary="Every claim rests on a verbatim quote from what is judged; quotes are looked up.",
    source="cot-judges, section 3.3, Quote-forcing",
    fields=(
        Field(
            "quotes",
            "the passages, short, word for word",
            "所依据的原文片段，简短，一字不差",
            many=True,
            quotes="document",
        ),
        Field(
            "reasoning",
            "your claims, each with the number of its passage in brackets",
            "你的各个判断，并用方括号注明所依据片段的序号",
        ),
    ),
)
