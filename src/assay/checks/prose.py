"""What the QUA and WAR checks ask about a sentence: is it quoted, cited, attributed, hedged, conditional?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block, Sentence
    from assay.subjects.report import Report
    from assay.text.lexicon import Lexicon

# Searched in single sentences only, which are short; a check looks up its rare cue first.
HEDGED: Final = re.compile(
    r"\b(?:may|might|could|possibl[ey]|perhaps|probabl[ey]|(?:un)?likely|potential(?:ly)?|arguably|presumably|seem\w*|"
    r"appear\w*|suggest\w*|tend(?:s|ed)?|estimat\w*|nearly|almost|virtually|generally|usually|often|typically|mostly|largely|sometimes|"
    r"expect\w*|project(?:ed|ions?)|forecast\w*|anticipat\w*|predict\w*|believ\w*|hop(?:e|es|ed|ing)|aim\w*|intend\w*|plan(?:s|ned|ning)?|"
    r"target\w*|plausibl\w*|conceivabl\w*|theor(?:y|etically)|outlook|on track|set to|poised)\b|"
    r"可能|或许|也许|大概|大约|预计|预期|估计|预测|有望|似乎|倾向|通常|一般|往往|多数|基本上|一定程度|理论上|几乎|测算|有待|或将|或会|料将|力争|计划|目标|旨在|拟|期望|希望|预估|推测|建议"
)
CONDITIONAL: Final = re.compile(
    r"\b(?:if|unless|provided|assum\w+|as long as|once|depend\w*|subject to|(?:under|at|with) (?:the )?current|given|scenarios?|baseline|when|where|without|only by)\b|"
    r"如果|若|假如|假设|只要|除非|前提|情景|一旦|取决于|倘若|条件下|情况下|情形下|随着|通过|在.{1,12}下"
)
ATTRIBUTED: Final = re.compile(
    r"\b(?:according to|reports?|reported|argu(?:e|es|ed)|claim(?:s|ed)?|said|says|stat(?:e|es|ed)|announced|estimates|survey\w*|stud(?:y|ies)|"
    r"analysts?|research(?:ers?)?|authors?|writes|wrote|note[sd]|found|show(?:s|ed|n)?|concluded|agency|institute|sources?|asserts?|contends?|"
    r"maintains?|told|critics|proponents|warrants|promises?|philosophy|teaching\w*|myth|misconception)\b|"
    r"(?<![数依证占])据|指出|认为|表示|研究|报告|调查|机构|显示|统计|学者|专家|提出|主张|宣称|声称|来源|规划|纲要|意见|观点|强调|写道|(?<!学)说(?!明)"
)
_DATED: Final = re.compile(r"[《〈]|(?:19|20)\d\d|\bet al\b|等人")
_NAME: Final = re.compile(
    r"\b(?:[A-Z][\w&.'’\-]+ (?:(?:of|for|and|the|&|in|on) )?){1,4}[A-Z][\w&\-]+|(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z])"
)


# How many items further on a list's own citation line is looked for.
_LIST_REACH: Final = 12
# Quotation marks are counted from the paragraph's start, unless that is too far off to be cheap.
_LONG_PARAGRAPH: Final = 4000


def candidates(report: Report, cues: Lexicon) -> Iterator[tuple[Sentence, int, int]]:
    """The sentence, start and end of each cue that stands in a sentence outside quotation marks."""
    for start, end in cues.find(report.cues):
        sentence = report.sentence_at(start)
        if sentence is not None and not in_quotes(report, sentence, start):
            yield sentence, start, end


def in_quotes(report: Report, sentence: Sentence, at: int) -> bool:
    """Whether ``at`` stands inside quotation marks opened in its paragraph."""
    start = report.blocks[sentence.block].span.start
    if at - start > _LONG_PARAGRAPH:
        start = max(sentence.span.start, at - _LONG_PARAGRAPH)
    before = report.source[start:at]
    if before.count('"') % 2 or before.count("“") > before.count("”"):
        return True
    return before.count("「") > before.count("」") or before.count("«") > before.count("»")


def cited(report: Report, sentence: Sentence) -> bool:
    """Whether a citation stands in the sentence or right after it."""
    return bool(report.citations_in(sentence.span))


def covered(report: Report, sentence: Sentence) -> bool:
    """Whether a citation plausibly stands behind the sentence.

    It is cited, or one of the next two sentences of its paragraph is; or the paragraph is cited only further on, as
    where authors give one citation for a whole paragraph; or its list is followed by a line of citations.
    """
    block = report.blocks[sentence.block]
    later = report.citations_in(Span(sentence.span.start, block.span.end))
    if not later:
        return block.kind == "item" and _list_cited(report, block)
    near = report.sentences[min(sentence.index + 2, len(report.sentences) - 1)]
    if later[0].span.start < near.span.end:
        return True
    return not report.citations_in(Span(block.span.start, sentence.span.start))


def _list_cited(report: Report, item: Block) -> bool:
    for block in report.blocks[item.index + 1 : item.index + 1 + _LIST_REACH]:
        if block.kind != "item":
            return block.kind == "paragraph" and bool(
                report.citations_in(Span(block.span.start, block.span.start + 2))
            )
    return False


def names_someone(report: Report, span: Span, cue_end: int) -> bool:
    """Whether a sentence names a title, a year or an author, or some name stands before the end of its cue.

    Names after the cue ("studies show that New York …") are what the finding is about, not who found it.
    """
    # The first letter of a sentence is a capital whatever the word is.
    left = span.start + 1
    return bool(_DATED.search(report.plain, left, span.end) or _NAME.search(report.plain, left, cue_end))
