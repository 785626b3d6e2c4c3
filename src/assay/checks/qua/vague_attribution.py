"""A finding attributed to nobody in particular: "studies show", "experts say", 有研究表明, 据悉.

Readers do not know which study is meant, or whether there is one. Name it, or put the citation beside the claim.

A sentence is not flagged if it or its paragraph has a citation for it, or if it names an author, an institution, a title
or a year. Summaries are not flagged either, since they repeat what the body cites.

Known problems: a report that gives all its sources at the end of a section is treated as if it had none there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.prose import candidates, covered, names_someone
from assay.checks.wording import Wording
from assay.subjects.roles import FRAME, role_of
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "qua")

# Verbs and adverbs that are rarer than "studies" and "some", for a fast look-up; the pattern reads the words before.
_CUES: Final = PhraseLexicon(_PHRASES, "vague_attribution_cues")
_EN: Final = re.compile(
    r"""\b(?: (?:many|some|several|various|numerous|multiple|recent|other|most|leading|industry|a\ number\ of)?\ ?
        (?:studies|research|surveys|statistics)\ (?:(?:have|has)\ )?(?:also\ |consistently\ |clearly\ )?
        (?:show|shows|shown|suggests?|indicates?|found|finds?|demonstrates?|confirms?|proves?|reveals?|established)\b
      | (?:experts|scientists|researchers|analysts|observers|scholars)\ (?:have\ )?(?:also\ )?
        (?:say|believe|agree|argue|predict|expect|found|warn|think|claim|suggest|note|estimate)\b
      | (?:is|it's)\ (?:widely|commonly)\ (?:believed|known|accepted|said|thought|agreed|recognized
      |recognised)\ (?:that|to)
      | (?:some|many)\ argue )""",
    re.VERBOSE,
)
_POINTED: Final = _PHRASES.pattern(
    r"(?:\b(?:<<vague_attribution_pointed.en>>)\s*|<<vague_attribution_pointed.zh>>)$"
)

_NO_ONE: Final = Wording(
    en="“{words}” names no one, and no citation supports it", zh="“{words}”没有指明是谁，也没有引用来源"
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each vague attribution without a citation or a name."""
    text = report.cues.lower
    last = -1
    for sentence, start, end in candidates(report, _CUES):
        if sentence.index == last:
            continue
        left, right = sentence.span.start, sentence.span.end
        cue = start, end
        if text[start] <= "\u2e7f":
            match = _EN.search(text, max(left, start - 16), min(right, end + 32))
            if match is None:
                continue
            cue = match.span()
        if _POINTED.search(text, max(left, cue[0] - 12), cue[0]) or names_someone(
            report, sentence.span, cue[1]
        ):
            continue
        # A sentence that introduces a list is supported by the items.
        if covered(report, sentence) or text[left:right].rstrip().endswith((":", "：")):
            continue
        if role_of(report, report.sections[sentence.section]) in FRAME:
            continue
        last = sentence.index
        yield RawFinding(
            sentence.span,
            _NO_ONE(words=report.plain_text(Span(*cue))),
            confidence=0.75,
        )


CHECK = Check(
    code="QUA005",
    name="vague-attribution",
    severity="warning",
    summary='"Studies show", "experts say", 研究表明, 据悉 – with no citation and no name.',
    run=run,
    dimension="evidence_sufficiency",
    failure="evidence_omission",
    bad=(
        Example(
            "## Effects\n\nStudies show that green roofs cool the air around a building. Owners like them."
        ),
        Example("## 影响\n\n有研究表明，绿色屋顶能够降低建筑周围的气温，居民也普遍欢迎。"),
    ),
    good=(
        Example(
            "## Effects\n\nStudies show that green roofs cool the air around a building [3]. Owners like them."
        ),
        Example("## 影响\n\n据《城市气候年报》，有研究表明，绿色屋顶能够降低建筑周围的气温。"),
    ),
)
