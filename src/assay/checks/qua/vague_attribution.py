"""Findings attributed to nobody in particular: "studies show", "experts say", 有研究表明, 据悉.

Readers do not know which study is meant, or whether there is one. Name it, or put the citation beside the claim.

A sentence counts only if its words for the source stand alone or after words of number and time ("recent studies show",
多项研究表明). A closer name is a source of some kind ("fisheries research shows", 交易数据显示, 世界银行报告指出).

A sentence is not flagged if it or its paragraph has a citation for it, if it introduces a list with citations, or if it
names an author, an institution, a title or a year. Summaries are not flagged either, since they repeat what the body
cites. All places make one finding.

Known problems: a report that gives all its sources at the end of a section is treated as if it had none there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import candidates, covered, is_quoted, leads_in, names_someone
from assay.checks.wording import Wording, series
from assay.subjects.roles import FRAME, role_of
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "qua")

# Verbs and adverbs that are rarer than "studies" and "some", for a fast look-up; the pattern reads the words before.
_CUES: Final = PhraseLexicon(_PHRASES, "vague_attribution_cues")
_EN: Final = re.compile(
    r"""(?: ^ | [\n,;:.(–—*] | \b(?:while|although|though|because|since|but|and|that|as|however|indeed
          |for\ example) ) [\s*]*
      (?:(?:many|some|several|various|numerous|multiple|recent|other|most|leading|industry|a\ number\ of|a\ growing
        \ body\ of|existing|early|earlier|previous|prior|new|emerging)\s+){0,3}
      (?: (?:studies|surveys|statistics)\ (?:have\ )?(?:also\ |consistently\ |clearly\ |repeatedly\ )?
          (?:show|shown|suggest|suggested|indicate|indicated|found|find|demonstrate|demonstrated|confirm|confirmed|prove
          |reveal|revealed|established)\b
        | research\ (?:has\ )?(?:also\ |consistently\ |clearly\ |repeatedly\ )?
          (?:shows|shown|suggests|suggested|indicates|indicated|found|finds|demonstrates|demonstrated|confirms|confirmed
          |proves|reveals|revealed|established)\b
        | (?:experts|scientists|researchers|analysts|observers|scholars|critics)\ (?:have\ )?(?:also\ |widely\ )?
          (?:say|believe|agree|argue|predict|expect|found|warn|think|claim|suggest|note|estimate)\b
        | it\ is\ (?:widely|commonly)\ (?:believed|known|accepted|said|thought|agreed|recogni[sz]ed)\ that
        | (?:some|many)\ argue\b )""",
    re.VERBOSE,
)
_ZH: Final = _PHRASES.pattern("<<vague_attribution.zh>>")
# "Example:" alone on its line or before the sentence, and "phrases: it could be argued that, …".
_EXAMPLE: Final = re.compile(
    r"(?im)^[\s*\d.\-]{0,8}(?:[a-z]+ )?(?:examples?|sample|sentence stem|template)[\s*]{0,4}:|\bexamples?:?\s*\Z"
    r"|(?:例如|例句|示例|范例|范文)[\s*]{0,4}[:：]"
)
_EXAMPLE_TITLE: Final = re.compile(
    r"(?i)\b(?:examples?|sample|templates?|phrases|sentence stems)\b|例句|示例|范文|模板"
)
_PHRASE_LIST: Final = re.compile(
    r"(?i)\b(?:phrases|expressions|sentence stems|starters)\b[\s*]{0,4}:|(?:句式|用语|表达)[：:]"
)
_EXAMPLE_REACH: Final = 8
_BEFORE: Final = 44
_SHOWN: Final = 12
_WORDS: Final = 3

_NO_ONE: Final = Wording(
    en="{n:sentence attributes|sentences attribute} a finding to no one in particular, without a citation: {words}",
    zh="{n}处没有指明是谁、也没有引用来源：{words}",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for all vague attributions without a citation or a name."""
    spans: list[Span] = []
    words: list[str] = []
    for sentence, start, end in candidates(report, _CUES):
        if spans and spans[-1] == sentence.span:
            continue
        cue = _attribution(report, sentence, start, end)
        if (
            cue is None
            or _is_example(report, sentence, cue)
            or names_someone(report, sentence.span, cue.end)
            or covered(report, sentence)
        ):
            continue
        # A sentence that introduces a list is supported by the items.
        if report.plain[cue.start : sentence.span.end].rstrip().endswith((":", "：")) or leads_in(
            report, sentence
        ):
            continue
        if role_of(report, report.sections[sentence.section]) in FRAME:
            continue
        spans.append(sentence.span)
        words.append(report.plain_text(cue).strip(" ,;:.(–—，。；：、*"))
    if spans:
        shown = list(dict.fromkeys(words))
        yield Hit(
            spans[0],
            _NO_ONE(n=len(spans), words=series(shown[:_WORDS], quoted=True, cut=len(shown) > _WORDS)),
            related=tuple(spans[1:_SHOWN]),
            confidence=0.8,
        )


def _is_example(report: Report, sentence: Sentence, cue: Span) -> bool:
    """Return whether the sentence is in quotation marks, a list of phrases, or under a line that calls it an example."""
    block = report.blocks[sentence.block]
    if is_quoted(report, cue.start, cue.end) or _PHRASE_LIST.search(
        report.plain, block.span.start, cue.start
    ):
        return True
    at = block.index
    while at > 0 and block.index - at < _EXAMPLE_REACH and report.blocks[at].kind != "heading":
        above = report.blocks[at].span
        if _EXAMPLE.search(report.plain, above.start, min(above.end, cue.start)):
            return True
        if report.blocks[at].kind == "paragraph" and at < block.index:
            break
        at -= 1
    title = report.sections[block.section].title
    return _EXAMPLE_TITLE.search(title) is not None


def _attribution(report: Report, sentence: Sentence, start: int, end: int) -> Span | None:
    """Return the words at a cue that name nobody, or None if they name somebody or say something else."""
    text = report.cues.lower
    # The first word may begin the sentence.
    left, right = sentence.span.start, sentence.span.end
    chinese = text[start] > "\u2e7f"
    at = max(left, start - (8 if chinese else _BEFORE))
    for match in (_ZH if chinese else _EN).finditer(text[at : min(right, end + _BEFORE)]):
        if (
            match.end() + at >= end
            and match.start() + at <= start
            and (at == left or match.start() or not chinese)
        ):
            if match.start() == 0 and at > left and text[at - 1].isalnum():
                return None
            return Span(match.start() + at, match.end() + at)
    return None


CHECK = Check(
    code="QUA005",
    name="vague-attribution",
    severity="warning",
    summary='"Studies show", "experts say", 研究表明, 据悉 – with no citation and no name.',
    run=run,
    languages=("en", "zh"),
    dimension="evidence_sufficiency",
    failure="evidence_omission",
    bad=(
        Example(
            "## Effects\n\nStudies show that green roofs cool the air around a building. Owners like them."
        ),
        Example("## 影响\n\n有研究表明，绿色屋顶能够降低建筑周围的气温，居民也普遍欢迎。"),
        Example("## 影响\n\n据不完全统计，该市已有三成新建住宅采用绿色屋顶。居民普遍欢迎。"),
    ),
    good=(
        Example(
            "## Effects\n\nStudies show that green roofs cool the air around a building [3]. Owners like them."
        ),
        Example(
            "## Effects\n\nOrganisational behaviour research suggests that praise helps, and predictions from basic "
            "research suggest more. Neo-Kantian scholars argue otherwise."
        ),
        Example("## 影响\n\n据《城市气候年报》，有研究表明，绿色屋顶能够降低建筑周围的气温。"),
        Example(
            "## 影响\n\n世界银行报告指出，成本下降。交易数据表明，成交集中于整数价位。麦肯锡公司的一项调查发现，成本下降。获奖课程的经验表明，反思有用。本文为业内人士提供参考。"
        ),
    ),
)
