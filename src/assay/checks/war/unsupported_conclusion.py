"""A conclusion ("therefore", 因此) that nothing before it supports.

The word promises that the preceding text gives the reason. A conclusion is flagged if it does not share a single content
word with the preceding text of its section. If there is no such text, COH008 reports it.

Known problems: a conclusion may draw on a table or on another section, or name its premises in other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.prose import candidates, cited, clause_terms
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "war")

_CUES: Final = PhraseLexicon(_PHRASES, "unsupported_conclusion_cues")
_LEAD: Final = _PHRASES.pattern(r"[\W_]*(?:(?:<<unsupported_conclusion_lead.en>>)\b[\s,]*){0,2}$")
# "See below", "as above", "this": the sentence refers to its premises instead of repeating them.
_POINTS: Final = _PHRASES.pattern(
    r"\b(?:<<unsupported_conclusion_points.en>>)\b|<<unsupported_conclusion_points.zh>>"
)
_REACH: Final = 2500
# With fewer terms, all may be new by chance; Chinese bigrams count each word about twice.
_FEWEST_TERMS: Final = {"en": 5, "zh": 16}

_NO_PREMISE: Final = Wording(
    en="“{cue}” draws a conclusion about things that the preceding text of this section does not mention",
    zh="“{cue}”引出的结论，涉及的是本节前文没有提到的内容",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each conclusion that shares no term with the text before it."""
    text = report.cues.lower
    for sentence, start, end in candidates(report, _CUES):
        left, right = sentence.span.start, sentence.span.end
        if start - left > 12 or not _LEAD.match(text, left, start) or cited(report, sentence):
            continue
        section = report.sections[sentence.section]
        # "Thus far" and questions are not conclusions.
        if text.startswith(("thus far", "thus-far"), start) or text[left:right].endswith(("?", "？")):
            continue
        before = text[max(section.body.start, left - _REACH) : left]
        cue = report.plain_text(Span(start, end))
        if not any(map(str.isalnum, before)):
            # COH008 reports a connective that opens its section.
            continue
        if _POINTS.search(text, end, right) or report.quantities_in(sentence.span):
            continue
        terms = clause_terms(text[end:right])
        if len(terms) < _FEWEST_TERMS.get(report.language, 8) or terms & clause_terms(
            before + " " + section.title.lower()
        ):
            continue
        yield RawFinding(
            sentence.span,
            _NO_PREMISE(cue=cue),
            related=(Span(max(section.body.start, left - 300), left),),
            confidence=0.65,
        )


CHECK = Check(
    code="WAR002",
    name="unsupported-conclusion",
    severity="warning",
    summary='A conclusion ("therefore", 因此) with nothing before it that could support it.',
    run=run,
    dimension="warrants_causality",
    failure="incoherence",
    bad=(
        Example(
            "## Costs\n\nThe invoices list panels and ducts for forty homes. Therefore, tenants in Norway "
            "sleep better during summer nights."
        ),
        Example(
            "## 成本\n\n发票列出了四十户的面板和风管费用。因此，挪威租客夏夜睡眠质量良好，精神愉快，工作热情高涨，社区氛围融洽。"
        ),
    ),
    good=(
        Example(
            "## Costs\n\nThe invoices list panels and ducts for forty homes. Therefore, a budget has to "
            "include panels from the start."
        ),
        Example("# Pumps\n\nPumps heat.\n\n## Costs\n\nTherefore, tenants in Norway sleep better in summer."),
        Example("## 成本\n\n发票列出了四十户的面板和风管费用。因此，预算应当包括面板费用。"),
    ),
)
