"""Targeted attack on evidence sufficiency: a model rewrites passages with figures, sources or examples."""

from __future__ import annotations

import re
from typing import Final

from assay.interventions.attacks._targeted_attacks import targeted

_FITS: Final = re.compile(
    r"\d\s?[%％]|[$€£¥]\s?\d|\d[\d,]*\.?\d*\s?(?:million|billion|trillion|万|亿|倍|个百分点)"
    r"|\b\d{1,3}(?:,\d{3})+\b|\b\d+\.\d+\b"
    r"|\[\^?\d{1,3}[\],，]|【\d|\]\(https?://|https?://"
    r"|\b(?:according to|stud(?:y|ies)|surveys?|for (?:example|instance)|e\.g\.|such as"
    r"|found that|data (?:show|suggest|indicate)"
    r"|reported|reports that)|根据|据.{2,20}(?:统计|报告|数据)|研究(?:表明|发现|显示)|调查|例如|比如|数据(?:显示|表明)|报告(?:显示|指出)",
    re.IGNORECASE,
)

OPERATOR = targeted(
    dimension="evidence_sufficiency",
    title="Evidence sufficiency and relevance",
    title_zh="损害证据充分性与相关性",
    definition=(
        "A claim is made as before, but the specific support it had – figure, study, source, examples – is "
        "gone, and vague words stand in its place."
    ),
    definition_zh="论断仍在，但原有的具体支撑（数字、研究、出处、例证）被去掉，换成了笼统的说法。",
    fits=_FITS,
    having="with a figure, a source or an example",
    ask=(
        "Take away the specific support of at least two claims – figure, named study or source, citation, example – and leave "
        "the claims as strong as they are, carried by general words (“widely recognised”, “in many cases”) that fit the "
        "grammar. Whole clauses may go. Add no number, name or citation, and do not touch claims whose support you leave. "
        "Taking away a gloss, or one figure of several, is too little."
    ),
    ask_zh=(
        "去掉至少两个论断的具体支撑（数字、点名的研究或出处、引用、例证），论断力度不变，只靠通顺的泛泛之词（如“普遍认为”“在不少情况下”）撑着。"
        "可以删去整个分句。不新增数字、名称或引用，也不动其他论断。只删一处注解或多个数字中的一个太轻。"
    ),
    citations_stay=False,
    must_take=True,
)
