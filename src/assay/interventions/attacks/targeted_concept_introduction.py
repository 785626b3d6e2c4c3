"""Targeted attack on concept introduction: a model rewrites passages that introduce a term."""

from __future__ import annotations

import re
from typing import Final

from assay.interventions.attacks._targeted_attacks import targeted

_FITS: Final = re.compile(
    r"\([A-Z][A-Za-z0-9&\-]{1,9}\)|\b(?:refers to|defined as|known as|that is|i\.e\.|called|meanin"
    r"g|so-called|such as)\b|[（(][A-Z]{2,8}[)）]|是指|即|称为|所谓|指的是",
    re.IGNORECASE,
)

OPERATOR = targeted(
    dimension="concept_introduction",
    title="Concept introduction and logical transition",
    title_zh="损害概念引入与逻辑过渡",
    definition=(
        "A term, short form or assumption is used without having been introduced: its expansion, gloss or "
        "definition at first use is missing, so that a reader meets it unprepared."
    ),
    definition_zh="术语、缩写或前提在未作介绍的情况下被使用：首次出现处的全称、注解或定义缺失，读者看到时毫无准备。",
    fits=_FITS,
    lacking="it has no passages that introduce a term",
    ask=(
        "Leave the reader unprepared for the terms that these passages introduce: remove expansions, glosses and definitions "
        "at first use, and the sentence that leads from what is known to what is new, in at least two places if there are "
        "as many; or use a term of a later passage in an earlier one without a word of explanation. Say nothing false; "
        "claims, figures and citations stay. One common abbreviation is too little."
    ),
    ask_zh=(
        "让读者对这些段落引入的术语毫无准备：去掉首次出现处的全称、注解和定义，以及由已知引出新概念的过渡句，有多处时至少改两处；"
        "或在较早的段落中不加说明就使用后文的术语。不写错误内容，论断、数字和引用保持不变。只去掉一个人人皆知的缩写太轻。"
    ),
    codes=("COH005", "COH006"),
)
