"""Targeted attack on internal consistency: a model rewrites passages with figures, directions or definitions."""

from __future__ import annotations

import re
from typing import Final

from assay.interventions.attacks._targeted_attacks import targeted

_FITS: Final = re.compile(
    r"\d|\b(?:increas|decreas|rise|fell|higher|lower|defined|refers to)|[升降增减高低]|是指|定义",
    re.IGNORECASE,
)

OPERATOR = targeted(
    dimension="internal_consistency",
    title="Internal consistency",
    title_zh="损害内部一致",
    definition=(
        "What the report says here cannot be true together with what it says in another place: a figure, "
        "date, count, direction, definition or scope has drifted between the two."
    ),
    definition_zh="报告此处的说法与另一处无法同时成立：数字、时间、数量、变化方向、定义或适用范围前后不一致。",
    fits=_FITS,
    having="with a figure, a direction or a definition",
    ask=(
        "Make two of the passages disagree about one thing that both state, or that the report defines in one and uses in "
        "another: a figure, a date, a direction, who did it, what a term covers. Change one of the two, or shift a "
        "definition so that the later use no longer fits it; a clause added to one of them counts as well if it denies what "
        "the other one says. Each passage must be plausible by itself; the other place "
        "stays as it is, so that the report contradicts itself and a reader who remembers notices."
    ),
    ask_zh=(
        "让其中两段对同一件事说法不一：数字、时间、变化方向、行为主体，或某个术语的所指。只改其中一处，或改动定义，使后文的用法与之不符；在一处添上与另一处相抵触的分句也可以，"
        "另一处保持不动。单看每段都合理，而前后对照时报告自相矛盾，记得前文的读者会发觉。"
    ),
    figures="may_change",
    against="report",
    codes=("NUM001", "NUM003"),
)
