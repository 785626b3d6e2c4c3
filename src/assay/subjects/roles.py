"""Roles of sections by their titles: summary, conclusion, limits and so on.

Rules need to know that a summary repeats the body, that a conclusion may be short, or that a glossary is not an
argument. Titles are matched in English and Chinese; a title that says something of its own has the role ``None``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from assay.subjects.parts import Section
    from assay.subjects.report import Report

Role = Literal["summary", "introduction", "conclusion", "limits", "method", "appendix", "references"]

# Roles whose text restates or announces what other sections argue.
FRAME: Final[frozenset[Role]] = frozenset({"summary", "introduction", "conclusion"})

_NUMBERING: Final = re.compile(
    r"^[\W_]*(?:(?:part|section|chapter)\s+\w{1,5}\b|第?[一二三四五六七八九十百]{1,3}[章节部分]{0,2}(?=[、.．:：\s])"
    r"|[ivx]{1,5}(?=[.)])|\d{1,2}(?:\.\d{1,2}){0,3})?[\W_]*",
    re.IGNORECASE,
)
_TITLES: Final[tuple[tuple[Role, re.Pattern[str]], ...]] = (
    (
        "summary",
        re.compile(
            r"(?:executive |brief |short |key )?(?:summary|abstract|overview|at a glance|tl;?dr|in brief"
            r"|key (?:findings|takeaways|points|messages|insights))\b"
            r"|(?:执行|内容|报告|研究|核心)?(?:摘要|概要|概述|提要|概览|要点|导读)"
            r"|核心(?:发现|观点|结论)|(?:关键|主要)发现|关键(?:点|结论|信息)$|关键要点"
        ),
    ),
    (
        "introduction",
        re.compile(
            r"(?:introduction|background|preface|foreword|purpose|objectives?|scope|aims?|context|definitions?"
            r"|terminology|problem statement)\b"
            r"|引言|前言|绪论|导言|序言|简介|背景|研究背景|研究目的|研究范围|研究对象|问题的?提出|定义|概念界定|任务"
        ),
    ),
    (
        "conclusion",
        re.compile(
            r"(?:conclusions?|concluding|final (?:thoughts|remarks|words|summary)|closing|summary and"
            r"|wrap[- ]up|key takeaways|takeaways|bottom line)\b"
            r"|结论|总结|结语|小结|结束语|综合结论|总体结论|余论"
        ),
    ),
    (
        "limits",
        re.compile(
            r"(?:limitations?|limits|caveats?|uncertaint(?:y|ies)|open (?:questions|issues)"
            r"|(?:knowledge|research|evidence|data) gaps|disclaimer|assumptions)\b"
            r"|(?:研究)?(?:局限|不足|限制)|不确定性|研究空白|证据空白|免责|说明|风险提示"
        ),
    ),
    (
        "method",
        re.compile(
            r"(?:methods?|methodology|approach and|data sources|search strategy|selection criteria|note on"
            r"|notes?\b)\b"
            r"|研究方法|方法(?:论|说明)?$|数据来源|资料来源|评选标准|评估方法|检索"
        ),
    ),
    (
        "appendix",
        re.compile(
            r"(?:appendi(?:x|ces)|annex|glossary|abbreviations|further reading|faq)\b"
            r"|附录|附件|术语|缩略|延伸阅读"
        ),
    ),
)


@lru_cache(maxsize=2048)
def title_role(title: str) -> Role | None:
    """Return the role that a title names, or None.

    ``"1. Executive Summary"`` is a summary, ``"Summary of Laws"`` is not.

    >>> title_role("VI. Conclusion and outlook"), title_role("六、结论与建议"), title_role("Battery costs")
    ('conclusion', 'conclusion', None)
    """
    text = title.lower()
    start = match.end() if (match := _NUMBERING.match(text)) else 0
    for role, pattern in _TITLES:
        if (found := pattern.match(text, start)) is not None:
            rest = text[found.end() :].strip(" :：.-–—*")
            # "Overview of battery chemistries" and "定义与分类体系" are topics of their own.
            if rest.startswith(("of ", "for ", "about ")) and role not in ("limits", "conclusion"):
                return None
            return role
    return None


def role_of(report: Report, section: Section) -> Role | None:
    """Return the role of a section: by its own title, or by that of the nearest titled section above it."""
    current: Section | None = section
    while current is not None and current.index > 0:
        if current.is_references:
            return "references"
        # The heading over the whole report is its title, whatever word it begins with.
        if len(current.span) * 5 < len(report.source) * 3 and (role := title_role(current.title)) is not None:
            return role
        current = report.sections[current.parent] if current.parent is not None else None
    return None
