"""Targeted attack on local coherence: a model rewrites passages whose sentences are linked."""

from __future__ import annotations

import re
from typing import Final

from assay.interventions.attacks._targeted_attacks import targeted

_FITS: Final = re.compile(
    r"\b(?:however|therefore|thus|because|although|this|these|such|moreover|while|but|consequently"
    r"|for example|also)\b|然而|因此|但|由于|这|此外|同时|例如|不过|从而",
    re.IGNORECASE,
)

OPERATOR = targeted(
    dimension="local_coherence",
    title="Local coherence",
    title_zh="损害局部连贯",
    definition=(
        "Two neighbouring sentences or clauses no longer follow from each other: the connective names a "
        "relation they do not have, a condition is turned round, or what refers back stands before what it "
        "refers to."
    ),
    definition_zh="相邻的句子或分句之间不再连贯：连接词所表示的关系并不存在，条件被颠倒，或指代前文的句子被放到了所指内容之前。",
    fits=_FITS,
    having="whose sentences are linked",
    ask=(
        "Break how neighbouring sentences follow from each other, in at least two places: a connective that names a relation "
        "they do not have, a condition turned round, a pronoun or “this” whose antecedent is gone or another, a sentence "
        "put before the one it refers to, a scope that shifts from one sentence to the next. Facts, figures and citations "
        "stay; each sentence is good by itself, only the steps between them are wrong. A connective that still reads "
        "acceptably is too little."
    ),
    ask_zh=(
        "在至少两处破坏相邻句子之间的承接：连接词表示的关系并不存在，条件被颠倒，代词或“这”失去或换了所指，句子移到所指内容之前，"
        "或范围在前后句之间悄悄改变。事实、数字和引用不变；每句单看都通顺，只是句与句之间接不上。换上仍然说得通的连接词太轻。"
    ),
    figures="stay",
    codes=("COH008",),
    sentences=2,
)
