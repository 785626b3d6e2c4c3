"""Evidence omission: a conclusion stands without the evidence that bore it. A model takes the evidence away.

No rule plants it: what a rule puts in place of figures reads as put there, and what it cuts may not be missed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.edit_kit import added_figures, joined_texts, lost, markers
from assay.interventions.hints import place_hint
from assay.interventions.outcome._prose import cited_figures, cites, full_sentences, paragraph_sites

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.parts import Block
    from assay.subjects.report import Report
    from assay.text.bilingual import Bilingual


_PLAN: Final = re.compile(
    r"\b(?:plan|recommend|action|days|months|roadmap|next step)|建议|计划|措施|路线图", re.IGNORECASE
)
_SOURCES: Final = re.compile(r"\W{0,4}(?:sources?|references)\b|\W{0,4}(?:来源|资料来源|参考)", re.IGNORECASE)


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield paragraphs of at least two whole sentences with figures or sources."""
    yield from paragraph_sites(report, draw, lambda block: _supported(report, block))


def _supported(report: Report, block: Block) -> Bilingual | None:
    title, next_ = report.sections[block.section].title, report.blocks[block.index + 1 : block.index + 2]
    if (
        len(full_sentences(report, block.span)) < 2
        or report.text(block.span).rstrip().endswith((":", "："))
        # A plan rests on nothing, and what a table or a line of sources below a passage bears out is not left bare.
        or _PLAN.search(title)
        or any(
            after.kind == "table" or (after.kind != "heading" and _SOURCES.match(report.text(after.span)))
            for after in next_
        )
    ):
        return None
    return place_hint("figures") if cited_figures(report, block.span) or cites(report, block.span) else None


def unfit(report: Report) -> str | None:
    """Return why no evidence can be taken away."""
    if any(_supported(report, block) is not None for block in report.paragraphs):
        return None
    return "no paragraph of two whole sentences has a figure or a source of its own"


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why no evidence can be missing: nothing was taken away, or a source or a figure came in."""
    before, after = joined_texts(reference, perturbed, revision)
    if come := markers(after) - markers(before):
        return f"the citation {next(iter(come))} is new, and this type only takes evidence away"
    if (new := added_figures(before, after)) is not None:
        return f"the figure {new} is new, and this type only takes evidence away"
    return "nothing was taken away" if lost(before, after) is None else None


OPERATOR = Operator(
    name="evidence_omission",
    title="Evidence omission",
    title_zh="证据遗漏",
    level="outcome",
    module="output",
    category="faithfulness",
    definition=(
        "An important claim stands without what should hold it up: its figures, example, reason or source "
        "are missing, or a vague assertion stands in their place."
    ),
    definition_zh="重要论断缺少应有的支撑：数据、例子、理由或来源缺失，或以空泛的断言代替。",
    sites=sites,
    unfit=unfit,
    ask=(
        "Choose the claim that the passage is there to make. Keep it in its author's words, and take away everything "
        "that bears it out, in every sentence that does so: the figures, the named study or source, the example, the "
        "reason, and the markers that belong to them. Drop whole sentences or clauses and join what is left, so that "
        "a confident claim stands bare and nothing in the passage supports it any longer. Write no vague stand-in "
        "such as “a considerable share” in a place made for a figure, break no list or formula, and bring in nothing "
        "new. A single lost marker, or the loss of one example among several, is too little."
    ),
    ask_zh=(
        "找出这段话要说明的核心论断，按作者原话保留；把支撑它的内容全部去掉，无论分散在几句之中："
        "数据、点名的研究或来源、例子、理由，以及与之相连的引用标记。以整句或整个分句为单位删去，再把余下的文字接顺，"
        "使论断依旧斩钉截铁，却再无凭据。不要用“相当一部分”之类的含糊字眼填补数字留下的空位，不要破坏列表和公式，"
        "也不要添入新的内容。只少一个引用标记，或几个例子中去掉一个，都不够。"
    ),
    check=check,
    codes=("CIT006", "QUA005"),
    source="reflect, table 3: Output, Faithfulness, Evidence Omission",
)
