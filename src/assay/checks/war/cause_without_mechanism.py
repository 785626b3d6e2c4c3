"""An unsupported causal claim: "X leads to Y", 导致, without a mechanism, figure, example or source nearby.

Two events that occur together may have a common cause or no connection. A causal claim only supports an argument if the
text explains how the cause works, or gives a measurement, an example or a source.

The check covers causal verbs in prose. A sentence is not flagged if it contains a reason, a means ("by …"), an example, a
number, a citation, a hedge or a condition, if a neighbouring sentence explains it, or if it refers back ("This leads to
…").

Known problems: common knowledge ("smoking causes cancer") does not need a mechanism, but the check cannot recognise it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.prose import ATTRIBUTED, CONDITIONAL, HEDGED, candidates, clause_terms, covered
from assay.checks.wording import Wording
from assay.subjects.roles import FRAME, role_of
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "war")

_CUES: Final = PhraseLexicon(_PHRASES, "cause_without_mechanism_cues")
_REASON: Final = _PHRASES.pattern(
    r"\b(?:<<cause_without_mechanism_reason.en>>)\b|[:;]|<<cause_without_mechanism_reason.zh>>|：|——|；|所致|案例|"
    "为例|途径",
)
_EXPLAINS: Final = _PHRASES.pattern(
    r"\b(?:<<cause_without_mechanism_explains.en>>)\b|<<cause_without_mechanism_explains.zh>>"
)
_BACK: Final = _PHRASES.pattern(
    "(?:and |but |so |thus,? |hence,? |therefore,? |consequently,? |as a result,? |in turn,? |"
    r"however,? |ultimately,? )?(?:<<cause_without_mechanism_back.en>>)\b|"
    "(?:<<cause_without_mechanism_back.zh>>)",
)
_PASSIVE: Final = _PHRASES.pattern(r"\b(?:<<cause_without_mechanism_passive.en>>)\s+$")
# 造成的 is an attribute and not a claim; in 避免…导致 the effect is prevented.
_ZH_SIDE: Final = re.compile(
    r"(?:导致|造成|引发|引起|促使)的|(?:避免|防止|防范|减少|降低|[易会能])[^，。]{0,6}(?:导致|造成|引发|引起)"
)
# In "explicit triggers have names" and "the causes of" the word is a noun. A verb is followed by its object.
_NOUNS: Final = frozenset({"causes", "triggers", "drives"})
_NO_OBJECT: Final = _PHRASES.pattern(
    r"\s*(?:$|[^\w\s\"'“‘$(]|(?:<<cause_without_mechanism_no_object.en>>)\b)"
)
_NOUN_BEFORE: Final = _PHRASES.pattern(r"\b(?:<<cause_without_mechanism_noun_before.en>>)\s+$")
_BY: Final = re.compile(r"\s+by\b")
# "The value that caused the error" identifies a value and claims nothing about it.
_RELATIVE: Final = re.compile(r"\b(?:that|which|who|what)\s+(?:\w+\s+)?$")
_FEWEST_TERMS: Final = 5

_BARE_CAUSE: Final = Wording(
    en="“{cue}” claims a cause, but neither this sentence nor its neighbours say how it works or on what evidence",
    zh="“{cue}”断言因果，但本句及前后句都没有说明机制或依据",
)


def _claims(text: str, sentence: Span, start: int, end: int) -> bool:
    """Return whether the cue is the verb of a claim, and not a noun, a passive ("caused by") or in a relative clause."""
    right = sentence.end
    before = max(sentence.start, start - 24)
    if _BY.match(text, end, right) or _RELATIVE.search(text, before, start):
        return False
    if text[start:end] not in _NOUNS:
        return True
    return not (_NO_OBJECT.match(text, end, right) or _NOUN_BEFORE.search(text, before, start))


def _bare(report: Report, sentence: Sentence, start: int, end: int) -> bool:
    text = report.cues.lower
    left, right = sentence.span.start, sentence.span.end
    if (
        not _claims(text, sentence.span, start, end)
        or _BACK.match(text, left)
        or _PASSIVE.search(text, max(left, start - 24), start)
    ):
        return False
    if any(pattern.search(text, left, right) for pattern in (_REASON, HEDGED, CONDITIONAL, ATTRIBUTED)):
        return False
    if text[left:right].endswith(("?", "？")) or covered(report, sentence):
        return False
    if report.quantities_in(sentence.span) or _ZH_SIDE.search(
        text, max(left, start - 12), min(right, end + 1)
    ):
        return False
    for near in (sentence.index - 1, sentence.index + 1):
        if 0 <= near < len(report.sentences):
            other = report.sentences[near]
            if other.block == sentence.block and (
                _EXPLAINS.search(text, other.span.start, other.span.end) or report.quantities_in(other.span)
            ):
                return False
    return len(clause_terms(text[left:right])) >= _FEWEST_TERMS


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each causal claim without support nearby."""
    last = -1
    for sentence, start, end in candidates(report, _CUES):
        if sentence.index == last or not _bare(report, sentence, start, end):
            continue
        # List items are not checked, since the text around the list explains them.
        if report.blocks[sentence.block].kind == "item":
            continue
        if role_of(report, report.sections[sentence.section]) in FRAME:
            continue
        last = sentence.index
        yield RawFinding(
            sentence.span,
            _BARE_CAUSE(cue=report.plain_text(Span(start, end))),
            confidence=0.65,
        )


CHECK = Check(
    code="WAR001",
    name="cause-without-mechanism",
    severity="info",
    summary="A causal claim (leads to, causes, 导致) with no mechanism, figure, example or source near it.",
    run=run,
    dimension="warrants_causality",
    failure="evidence_omission",
    bad=(
        Example(
            "## Effects\n\nHome working leads to higher rents in small towns across the country. Councils have noticed."
        ),
        Example("## 影响\n\n远程办公导致全国小城镇的房租上涨。各地政府已经注意到这一点。"),
    ),
    good=(
        Example("Explicit triggers have names with the same syntax as package names in the archive."),
        Example(
            "## Effects\n\nHome working leads to higher rents in small towns because tenants no longer need "
            "to live near offices."
        ),
        Example("## Effects\n\nHome working leads to higher rents in small towns across the country [2]."),
        Example("## 影响\n\n由于租客不必住在公司附近，远程办公导致小城镇的房租上涨。"),
    ),
)
