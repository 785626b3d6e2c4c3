"""A reason that repeats the claim: "the policy works because the policy is effective at working".

A reason must add something. If both sides of "because" consist of the same words, the claim only supports itself.

Known problems: definitions may look circular, and a reason that adds one decisive word to the claim may be flagged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.prose import candidates, clause_terms
from assay.checks.wording import Wording
from assay.text.lexicon import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_CUES: Final = Lexicon(en="because", zh="因为, 是由于")
_CLAUSE_END: Final = re.compile(r"[;。；]|\.\s")
_FEWEST_TERMS: Final = 3
_SHARE: Final = 0.8

_CIRCULAR: Final = Wording(
    en="The reason repeats the claim: {shared} of its {total} content terms are already in it",
    zh="理由重复了论断：理由的{total}个实词中，{shared}个已见于论断",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each sentence whose reason shares nearly all its terms with the claim."""
    text = report.cues.lower
    connectives = list(candidates(report, _CUES))
    for number, (sentence, start, end) in enumerate(connectives):
        left, right = sentence.span.start, sentence.span.end
        # Claim and reason end at the next "because" on either side, which keeps the cost of long chains linear.
        if number and connectives[number - 1][0] is sentence:
            left = connectives[number - 1][2]
        if number + 1 < len(connectives) and connectives[number + 1][0] is sentence:
            right = connectives[number + 1][1]
        stop = match.start() if (match := _CLAUSE_END.search(text, end, right)) else right
        claim, reason = text[left:start], text[end:stop]
        if len(claim) < 8 or reason.lstrip().startswith("of "):
            continue
        first, second = clause_terms(claim), clause_terms(reason)
        if len(second) < _FEWEST_TERMS or len(first) < _FEWEST_TERMS:
            continue
        shared = len(first & second)
        if shared >= _SHARE * len(second) and shared >= _SHARE * min(len(first), len(second) + 2):
            yield RawFinding(
                sentence.span,
                _CIRCULAR(shared=shared, total=len(second)),
                confidence=0.75,
            )


CHECK = Check(
    code="WAR004",
    name="circular-reasoning",
    severity="warning",
    summary="A reason made of the same words as the claim it should support.",
    run=run,
    dimension="warrants_causality",
    failure="incoherence",
    bad=(
        Example(
            "The new tariff is effective at cutting demand because cutting demand is what the effective tariff does."
        ),
        Example("新电价能够有效降低需求，因为新电价有效降低需求。"),
    ),
    good=(
        Example(
            "The new tariff is effective at cutting demand because households shift their laundry to the night."
        ),
        Example("新电价能够有效降低需求，因为居民把洗衣改到了夜间。"),
    ),
)
