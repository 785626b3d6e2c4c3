"""Targeted attack on concept introduction: a model rewrites passages that introduce a term."""

from __future__ import annotations

import re
from typing import Final

from assay.interventions.attacks._targeted_attacks import targeted

_FITS: Final = re.compile(
    r"(?i:\b(?:refers? to\b|referred to as\b|defin(?:es?|ed|ition)\b|known as\b"
    r"|so-called\b|stands? for\b|short for\b|namely\b"
    r"|which means\b|in other words\b|the (?:term|concept|notion|idea) of\b|(?:is|are"
    r"|often|commonly) (?:called|termed)\b|that is,"
    r"|i\.e\.))"
    # An expansion with its short form, a short form with its expansion, a foreign name after the Chinese one, a gloss.
    r"|\w[\w’'-]+ \([A-Z][A-Za-z]*[A-Z][A-Za-z0-9&-]{0,8}\)|\b[A-Z][A-Z0-9&-]{1,8} \([A-Za-z][a-z]+[ -]"
    r"|(?<=[\u4e00-\u9fff])[（(][A-Za-z][A-Za-z0-9 ,，&/-]{1,60}[)）]|(?:, |— ?|– )(?:an?"
    r"|the) [a-z][^,.—–\n]{12,90}[,—–]"
    r"|是指|指的是|[，,（(]即(?![使将便刻时可])|称为|称作|称之为|所谓|简称|全称|定义为|意味着"
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
    having="with an introduced term",
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
