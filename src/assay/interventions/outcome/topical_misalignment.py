"""Topical misalignment: a passage leaves the question for a neighbouring subject. A model lets it drift.

No rule can write such a passage: other names in its own sentences make them wrong rather than beside the point, and
sentences of another report do not read on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator
from assay.interventions.edit_kit import joined_texts, markers
from assay.interventions.outcome._prose import paragraph_sites, run_sites
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

# Fewest terms that are neither in the passage nor in the query; in Chinese a term is a pair of characters.
_STRANGE: Final = {"en": 6, "zh": 8, "und": 6}


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield runs of paragraphs and single paragraphs in turn, of which a part can drift."""
    if not report.query:
        return
    runs = [EditSite(places=(place,)) for place, _ in run_sites(report, draw)]
    seen = set()
    for pair in zip(runs, paragraph_sites(report, draw), strict=False):
        for site in pair:
            if site.places not in seen:
                seen.add(site.places)
                yield site


def unfit(report: Report) -> str | None:
    """Return why no passage can leave the question: there is none, or no prose."""
    if not report.query:
        return "it has no question that a passage could leave"
    return None if report.paragraphs else "it has no paragraph of prose"


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why no passage can have drifted: too little is new, or a citation came in."""
    before, after = joined_texts(reference, perturbed, revision)
    if come := markers(after) - markers(before):
        return f"the citation {next(iter(come))} is new, and a drift has none"
    strange = content_terms(after) - content_terms(before) - content_terms(reference.query or "")
    return (
        "too little is new for a change of subject" if len(strange) < _STRANGE[reference.language] else None
    )


OPERATOR = Operator(
    name="topical_misalignment",
    title="Topical Misalignment",
    title_zh="偏题",
    level="outcome",
    module="output",
    category="relevance",
    definition=(
        "A passage leaves the question: it speaks of an adjacent subject, of background or of a "
        "detail that was not asked for, instead of what the report is to answer."
    ),
    definition_zh="某段内容偏离了问题：转而谈论相邻的话题、无关的背景或并未被问到的细节，而没有服务于报告要回答的内容。",
    sites=sites,
    unfit=unfit,
    check=check,
    ask=(
        "Let the passage drift away from the question. Start from something it names, and go on for at least two or "
        "three sentences about a neighbouring subject that the question does not ask for: the history of a term, how "
        "an institution works inside, another country, trade or product, a technical detail that decides nothing. "
        "The drift takes the place of sentences that served the question, or grows at the expense of them; what "
        "stands before and after it stays. Each sentence leads on to the next, as when an author loses the thread, "
        "and none comes back to say why it matters. State nothing false, and cite nothing. A reader must see that "
        "these sentences are accurate, readable, and no part of an answer; a subordinate clause is too little."
    ),
    ask_zh=(
        "让这段话渐渐离题。从文中提到的某个事物说起，用至少两三句话谈一个与问题相邻、但并未被问到的话题："
        "某个术语的来历、某家机构的内部运作、别的国家、行业或产品，或一个无关结论的技术细节。"
        "离题的文字取代原来切题的句子，或挤占它们的篇幅，前后其余文字不动。句与句之间自然过渡，像作者写着写着走了神，"
        "也不再回头说明与问题有何关系。不写不实之事，不添引用。读者应当看得出，这几句本身没错、也通顺，却不属于答案；"
        "只插半句话是不够的。"
    ),
    source="reflect, table 3 and appendix D.1.2, sample 2",
)
