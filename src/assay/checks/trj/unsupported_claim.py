"""A name, a year, a figure or an address that no response contains, in the answer or given for evidence.

Once an agent has retrieved something, its answer should rest on that, and so should what its reasoning ascribes to it
("the results show …"). A fact that no response contains comes from the model's memory or is invented; the reader cannot
tell which, and no source can confirm it. A long answer may add what is common knowledge; of it, only the addresses are
compared.

Names are compared word by word, allowing for inflection, accents and similar spellings. Numbers are compared up to
rounding; what follows from two known numbers by one step of arithmetic is allowed. Plans, doubts, questions and
negations assert nothing. A run whose evidence is pictures is not checked, nor is what an agent says of files it wrote.

Known problems: general knowledge ("London is in England") is correct without a source, and a conclusion may rightly
name a category that no source names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Hit
from assay.checks.trj._examples import run_example
from assay.checks.wording import Wording, series
from assay.subjects.assertions import Assertion, is_attributed
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.subjects.tool_calls import is_note
from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import STOPWORDS, count_words, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.atoms import NameMention, NumberMention
    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")
_WORDS: Final = WordSets(_PHRASES)

# Words by which a thought claims to report evidence rather than general knowledge.
_CITES: Final = _PHRASES.pattern(
    r"\b(?:<<unsupported_claim_cites.en>>)\b[^.]{0,60}?\b(?:<<unsupported_claim_cites_shows.en>>)\b|"
    "<<unsupported_claim_cites_according.en>>|<<unsupported_claim_cites_according.zh>>",
    flags=re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'\])}，。]{4,1000}")
# An answer of so many words (or twice as many characters) states one thing; in a longer one, a name may be a detail.
_SHORT: Final = 12
_ASIDE: Final = _PHRASES.pattern(r"\b(?:<<unsupported_claim_aside.en>>)\b|<<unsupported_claim_aside.zh>>")
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


def run(trajectory: Trajectory, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each assertion with a fact that neither the query nor an earlier response contains."""
    view = timeline_of(trajectory)
    if not view.has_evidence or view.has_unread_evidence:
        return
    answer, offset = trajectory.answer or "", trajectory.answer_span
    if offset is not None:
        yield from _addresses(trajectory, answer, offset.start)
    # An answer that hands over files tells what the agent made, not what it found.
    made = any(is_note(call) and "write" in call.name.lower() for call in trajectory.tool_calls)
    long = count_words(answer) > (2 if has_cjk(answer) else 1) * _SHORT
    stated: set[str] = set()
    for claim in view.assertions:
        cue = _CITES.search(claim.text)
        cites = cue is not None
        if claim.step is not None and not cites:
            # A thought may know things; only what it gives for evidence must be there.
            continue
        if claim.step is None and (made or long):
            continue
        facts = [fact for fact in _unsupported(view, claim) if not _is_aside(claim.text, cue, fact[1])]
        fresh = [fact for fact in facts if fact[0].split()[-1] not in stated]
        if not fresh:
            continue
        fresh = list({fact[0].split()[-1]: fact for fact in reversed(fresh)}.values())[::-1]
        stated.update(text.split()[-1] for text, _, _ in fresh)
        text, start, end = fresh[0]
        more = [fact for fact, _, _ in fresh[1:4]]
        others = _OTHERS(n=len(more), facts=series(more, quoted=True)) if more else ""
        yield Hit(
            Span(claim.start + start, claim.start + end),
            (_IN_ANSWER if claim.step is None else _IN_REASONING)(fact=text, others=others),
            confidence=0.85 if cites else 0.75,
        )


def _is_aside(text: str, cue: re.Match[str] | None, at: int) -> bool:
    """Return whether a fact stands after a contrast with what the evidence is said to show ("…, but he is …")."""
    return cue is not None and _ASIDE.search(text, cue.end(), max(at, cue.end())) is not None


def _addresses(trajectory: Trajectory, answer: str, offset: int) -> Iterator[Hit]:
    """Yield one finding for the addresses of the answer that the run never met."""
    unknown = []
    for match in _ADDRESS.finditer(answer):
        address = match.group().rstrip(".,;:")
        if address.split("://", 1)[1].rstrip("/") not in trajectory.source[:offset]:
            unknown.append((address, match.start()))
    if unknown:
        address, at = unknown[0]
        more = [other for other, _ in unknown[1:4]]
        others = _OTHERS(n=len(more), facts=series(more, quoted=True)) if more else ""
        yield Hit(
            Span(offset + at, offset + at + len(address)),
            _IN_ANSWER(fact=address, others=others),
            confidence=0.9,
        )


def _unsupported(view: Timeline, claim: Assertion) -> list[tuple[str, int, int]]:
    facts: list[tuple[str, int, int]] = []
    alone = claim.step is None and len(claim.text.split()) <= 6
    for name in claim.names:
        telling = [
            atom
            for atom in view.distinctive_atoms(name)
            if atom not in view.agent_atoms and atom not in _WORDS.unsupported_claim_common
        ]
        if not telling or (name.first and len(name.atoms) == 1 and not alone):
            continue
        if (
            is_attributed(claim.text, name)
            or _LABEL.match(claim.text, name.end)
            or _spelled_out(claim.text, name)
            or "".join(atom[0] for atom in name.atoms if atom not in STOPWORDS) in view.given.first
            or claim.text[name.end : name.end + 1] == "_"
        ):
            continue
        unknown = view.unknown(name, claim.event)
        if unknown and len(unknown) * 2 >= len(telling) and not view.made(unknown):
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
    """Return whether a number follows from two known ones by one step of arithmetic, or from a known percentage."""
    known = [value for value, event in view.given.numbers.items() if event < claim.event and value > 0][-300:]
    values = set(known)
    target = number.value
    if number.percent and 100 - target in values:
        return True
    if any(abs(target - value) in values or target + value in values for value in known):
        return True
    near = [*known[-60:], *(other.value for other in claim.numbers if other is not number and other.value)]
    return target > 0 and any(
        abs(a * b - target) <= 0.01 * target or abs(a / b * scale - target) <= 0.01 * target
        for a in near
        for b in near
        for scale in (1, 100)
    )


_QUERY = "Who founded the Skarvberg ski club?"
_PAGE = "The Skarvberg ski club was founded by the teacher Anna Lund in 1931, says the yearbook."

CHECK = Check(
    code="TRJ007",
    name="unsupported-claim",
    severity="warning",
    summary="A name, year, figure or address, given as the answer or for evidence, that no response holds",
    run=run,
    bad=(
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club founder", _PAGE),
            answer="The club was founded by Ole Hansen in 1938.",
        ),
        run_example(
            "谁创办了滨海读书会？",
            (
                "先搜索读书会。",
                "滨海读书会 创办人",
                "滨海读书会由教师李明于1998年创办，起初只有十二名会员，后来发展到三百多人，每月举办一次活动。",
            ),
            answer="读书会创办于1988年。",
        ),
        run_example(
            "Where is the yearbook of the Skarvberg ski club?",
            (
                "I search for it.",
                "Skarvberg yearbook",
                "The yearbook of the club is kept by the village library.",
            ),
            answer="It is at https://skarvberg.example/yearbook-1931.pdf",
        ),
    ),
    good=(
        run_example(
            _QUERY,
            ("I think it may have been Ole Hansen, but I should check.", "Skarvberg ski club founder", _PAGE),
            answer="Anna Lund founded it in 1931.",
        ),
    ),
    failure="evidence_fabrication",
    subject="trajectory",
)
