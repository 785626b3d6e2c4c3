"""A name, a year or a figure that the agent asserts after retrieval although neither a response nor the query has it.

Once an agent has retrieved something, its reasoning and its answer should rest on that. A fact that no response contains
comes from the model's memory or is invented; the reader cannot tell which, and no source can confirm it.

Names are compared word by word, allowing for inflection, accents and similar spellings. Numbers are compared up to
rounding; differences and sums of known numbers and decades of known years are allowed. Plans, doubts, questions and
negations assert nothing and are not checked.

Known problems: general knowledge ("London is in England") is correct without a source, and a conclusion may rightly
name a category that no source names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording, series
from assay.subjects.assertions import Assertion, is_attributed
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.atoms import NameMention, NumberMention
    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")

# Words by which a thought claims to report evidence rather than general knowledge.
_CITES: Final = _PHRASES.pattern(
    r"\b(?:<<unsupported_claim_cites.en>>)\b[^.]{0,60}?\b(?:<<unsupported_claim_cites_shows.en>>)\b|"
    "<<unsupported_claim_cites_according.en>>|<<unsupported_claim_cites_according.zh>>",
    flags=re.IGNORECASE,
)
# "**Key Evidence**:" heads a list; it is not a fact.
_LABEL: Final = re.compile(r"[*_ ]{0,4}[:：]")

_IN_ANSWER: Final = Wording(
    en="The answer asserts “{fact}”, which occurs neither in a response nor in the query{others}",
    zh="答案断言“{fact}”，但返回结果和问题中都没有{others}",
)
_IN_REASONING: Final = Wording(
    en="The reasoning asserts “{fact}”, which occurs neither in a response nor in the query{others}",
    zh="推理断言“{fact}”，但返回结果和问题中都没有{others}",
)
_OTHERS: Final = Wording(en=" (nor {n:=does|do} {facts})", zh="（{facts}也没有）")


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each assertion with a fact that neither the query nor an earlier response contains."""
    view = timeline_of(trajectory)
    if not view.has_evidence:
        return
    stated: set[str] = set()
    for claim in view.assertions:
        facts = _unsupported(view, claim)
        fresh = [fact for fact in facts if fact[0].split()[-1] not in stated]
        if not fresh:
            continue
        fresh = list({fact[0].split()[-1]: fact for fact in reversed(fresh)}.values())[::-1]
        stated.update(text.split()[-1] for text, _, _ in fresh)
        text, start, end = fresh[0]
        cites = _CITES.search(claim.text) is not None
        more = [fact for fact, _, _ in fresh[1:4]]
        others = _OTHERS(n=len(more), facts=series(more, quoted=True)) if more else ""
        yield RawFinding(
            Span(claim.start + start, claim.start + end),
            (_IN_ANSWER if claim.step is None else _IN_REASONING)(fact=text, others=others),
            confidence=0.85 if cites else 0.75 if claim.step is None else 0.65,
            severity=None if cites or claim.step is None else "info",
        )


def _unsupported(view: Timeline, claim: Assertion) -> list[tuple[str, int, int]]:
    facts: list[tuple[str, int, int]] = []
    alone = claim.step is None and len(claim.text.split()) <= 6
    for name in claim.names:
        telling = view.distinctive_atoms(name)
        if not telling or (name.first and len(name.atoms) == 1 and not alone):
            continue
        if (
            is_attributed(claim.text, name)
            or _LABEL.match(claim.text, name.end)
            or _spelled_out(claim.text, name)
        ):
            continue
        unknown = view.unknown(name, claim.event)
        if unknown and len(unknown) * 2 >= len(telling):
            facts.append((name.text, name.start, name.end))
    for number in claim.numbers:
        if not (number.year or number.percent or number.value >= 100 or number.value != int(number.value)):
            continue
        if not view.given.knows_number(number, claim.event) and not _derived(view, claim, number):
            facts.append((number.text, number.start, number.end))
    facts.sort(key=lambda fact: fact[1])
    return facts


def _spelled_out(text: str, name: NameMention) -> bool:
    """Return whether an abbreviation follows the words that it abbreviates: "magnetic resonance imaging (MRI)"."""
    if not name.text.isupper():
        return False
    words = re.findall(r"\w+", text[max(0, name.start - 80) : name.start])[-len(name.text) :]
    return "".join(word[0] for word in words).upper() == name.text


def _derived(view: Timeline, claim: Assertion, number: NumberMention) -> bool:
    """Return whether a number follows from known ones.

    It does if it is the sum or difference of two known numbers, or 100 % minus a known percentage.
    """
    known = [value for value, event in view.given.numbers.items() if event < claim.event and value >= 1][:400]
    values = set(known)
    near = [other.value for other in claim.numbers if other is not number]
    for value in near or known:
        if number.value - value in values or number.value + value in values or value - number.value in values:
            return True
    return number.percent and 100 - number.value in values


CHECK = Check(
    code="TRJ007",
    name="unsupported-claim",
    severity="warning",
    summary="A name, year or figure in reasoning or answer that no response and not the query holds",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
            '["search"], "answer": "The club was founded by Ole Hansen in 1938.", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "The Skarvberg ski club was '
            'founded by the teacher Anna Lund in 1931, says the yearbook."}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "谁创办了滨海读书会？", "tools": ["search"], "answer": '
            '"读书会创办于1988年。", "steps": ['
            '{"index": 0, "reasoning": "先搜索读书会。", "tool_calls": [{"name": "search", "arguments": {"query": '
            '"滨海读书会 创办人"}, "response": "滨海读书会由教师李明于1998年创办，起初只有十二名会员，后来发展到三百多人，每月举办一次活动。"}]}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
            '["search"], "answer": "Anna Lund founded it in 1931.", "steps": ['
            '{"index": 0, "reasoning": "I think it may have been Ole Hansen, but I should check.", '
            '"tool_calls": [{"name": "search", "arguments": {"query": "Skarvberg ski club founder"}, '
            '"response": "The Skarvberg ski club was founded by the teacher Anna Lund in 1931, says the '
            'yearbook."}]}]}'
        ),
    ),
    failure="evidence_fabrication",
    subject="trajectory",
)
