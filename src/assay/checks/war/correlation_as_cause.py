"""An association presented as a cause: "X is correlated with Y. So X causes Y", or a later change given as proof.

That two quantities vary together, or that one event followed another, does not show that one caused the other. A third
factor, selection or the reverse direction may explain it. Say what rules these out, or write "is associated with".

Flagged are causal claims right after an association of the same two quantities, and sentences that present a
before-and-after change as proof.

Known problems: the evidence for the direction may be given elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.prose import HEDGED, candidates, clause_terms
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "war")

_ASSOCIATION: Final = PhraseLexicon(_PHRASES, "correlation_as_cause_association")
_PROOF: Final = PhraseLexicon(_PHRASES, "correlation_as_cause_proof")
_CAUSAL: Final = _PHRASES.pattern(
    r"\b(?:<<correlation_as_cause_causal.en>>)\b|<<correlation_as_cause_causal.zh>>"
)
_MARKER: Final = _PHRASES.pattern(
    r"\b(?:<<correlation_as_cause_marker.en>>)\b|<<correlation_as_cause_marker.zh>>"
)
_PROVES: Final = _PHRASES.pattern(
    r"\b(?:which|this|that|thus|thereby|clearly|and|,)\s*(?:clearly |again )?(?:proves?|proving|"
    r"demonstrat(?:es|ing)|show(?:s|ing)) (?:that|how) [^.;]{3,90}?\b(?:<<correlation_as_cause_proves.en>>"
    r")\b",
)
_ZH_PROVES: Final = _PHRASES.pattern(
    "(?:可见|足见|证明|说明)了?[^，。；]{2,40}?(?:能够|可以|能|会|是)?(?:<<correlation_as_cause_proves.zh>>)",
)
_SEQUENCE: Final = _PHRASES.pattern(
    r"\b(?:<<correlation_as_cause_sequence.en>>)\b|<<correlation_as_cause_sequence.zh>>|"
    "的(?:<<correlation_as_cause_movers.zh>>)[^，。]{0,14}(?:平均|更|较)|相关",
)
_DESIGN: Final = _PHRASES.pattern(
    r"\b(?:<<correlation_as_cause_design.en>>)\b|<<correlation_as_cause_design.zh>>"
)

_INTO_CAUSE: Final = Wording(
    en="“{verb}” turns an association (“{association}”) into a cause",
    zh="“{verb}”把相关关系（“{association}”）说成了因果",
)
_SEQUENCE_AS_PROOF: Final = Wording(
    en="A change that came with or after something is offered as proof that it was the cause",
    zh="把同时或先后发生的变化当作了因果的证明",
)


def _sides(report: Report, sentence: Sentence, start: int, end: int) -> tuple[set[str], set[str]]:
    text = report.cues.lower
    return clause_terms(text[sentence.span.start : start]), clause_terms(text[end : sentence.span.end])


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield findings for associations read as causes, then for sequences of events presented as proof."""
    text = report.cues.lower
    flagged: set[int] = set()
    for sentence, start, end in candidates(report, _ASSOCIATION):
        for follower in report.sentences[sentence.index + 1 : sentence.index + 3]:
            if follower.block != sentence.block or follower.index in flagged:
                break
            left, right = follower.span.start, follower.span.end
            marker = _MARKER.search(text, left, min(right, left + 30))
            verb = _CAUSAL.search(text, marker.end(), right) if marker else None
            if (
                marker is None
                or verb is None
                or HEDGED.search(text, left, right)
                or _DESIGN.search(text, sentence.span.start, right)
            ):
                continue
            one, other = _sides(report, sentence, start, end)
            cause, effect = _sides(report, follower, verb.start(), verb.end())
            if "between" in text[start:end] or not one or text[start] > "\u2e7f":
                one = other = one | other
            if (one & cause and other & effect) or (one & effect and other & cause):
                flagged.add(follower.index)
                yield RawFinding(
                    follower.span,
                    _INTO_CAUSE(verb=verb.group(), association=report.plain_text(Span(start, end))),
                    related=(sentence.span,),
                    confidence=0.75,
                )
    for sentence, start, end in candidates(report, _PROOF):
        if sentence.index in flagged:
            continue
        left, right = sentence.span.start, sentence.span.end
        pattern = _ZH_PROVES if text[start] > "\u2e7f" else _PROVES
        match = pattern.search(text, max(left, start - 12), right)
        if match is None or match.start() > end or not _SEQUENCE.search(text, left, match.start()):
            continue
        if HEDGED.search(text, left, right) or _DESIGN.search(text, left, right):
            continue
        flagged.add(sentence.index)
        yield RawFinding(
            sentence.span,
            _SEQUENCE_AS_PROOF(),
            confidence=0.7,
        )


CHECK = Check(
    code="WAR003",
    name="correlation-as-cause",
    severity="warning",
    summary="An association, or a change that came after, presented as a cause.",
    run=run,
    dimension="warrants_causality",
    failure="evidence_omission",
    bad=(
        Example(
            "Screen time is correlated with poor sleep in teenagers [1]. Therefore, screen time causes poor sleep."
        ),
        Example(
            "Households that received a heat pump took 18% fewer sick days in the following year, which "
            "proves that heat pumps improve tenants' health [5]."
        ),
        Example("使用再生水的企业第二年产值平均提高了12%，可见再生水能够带动企业增长[7]。"),
    ),
    good=(
        Example(
            "Screen time is correlated with poor sleep in teenagers [1]. It may be that poor sleepers reach "
            "for screens."
        ),
        Example(
            "Households that received a heat pump in a randomised trial took 18% fewer sick days, which "
            "shows that heat pumps improve health [5]."
        ),
        Example("使用再生水的企业第二年产值平均提高了12%，但没有对照，原因尚不清楚[7]。"),
    ),
)
