"""Assertions of reasoning and answers, with their facts.

Sentences that are not plans, doubts, questions or memories.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.atoms import NameMention, NumberMention, find_names, find_numbers, sentences
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.subjects", "trajectories")

# Plans, doubts, questions, counterfactuals, memories, and talk about what was not found assert nothing.
_NO_CLAIM: Final = _PHRASES.pattern(
    r"\?|\b(?:<<assertions_no_claim.en>>)\b|<<assertions_no_claim_parts.en>>|<<assertions_no_claim_parts.zh>>|？",
    flags=re.IGNORECASE,
)
_ANSWER_NO_CLAIM: Final = _PHRASES.pattern(
    r"\?|\b(?:<<assertions_answer_no_claim.en>>)\b|无法|未找到|没有找到|如果|未知", flags=re.IGNORECASE
)


_ATTRIBUTES: Final = _PHRASES.pattern(
    r"(?:\baccording to|\bas (?:reported|stated|noted|described|cited|shown) (?:by|in)|\breported by|"
    r"\bpublished (?:by|in)|\bcited (?:by|in)|\bsource:|\bper|\b(?:<<assertions_attributes.en>>) (?:by|"
    r"from|in|of|like|such as)|根据|据|来自|引用)\s{0,3}(?:the |an? |its |《|“|\")?\s{0,2}[*_\"“]{0,3}$",
    flags=re.IGNORECASE,
)
_SPEAKS: Final = re.compile(
    r"[*_\"”’']{0,3}(?:'s|’s)?\s{0,2}(?:article|report|study|page|entry|entries|website|site|survey"
    r"|obituary|paper|result|review|post|listing|link)?\s{0,2}(?:(?:for|on|about|from"
    r"|of) [^,.;\n]{1,60}? )?(?:also |explicitly |clearly |further )?"
    r"(?:reports|reported|states|stated|notes|noted|says|said|mentions|mentioned|confirms|confirmed"
    r"|estimates|estimated|found that|writes|wrote|claims|lists|describes|indicates|shows|指出|表示|报道|称|显示|提到)",
    re.IGNORECASE,
)


class Assertion(msgspec.Struct, frozen=True):
    """An asserting sentence: its text, its offset in the source, the event it stands at, and its facts."""

    text: str
    start: int
    event: int
    names: tuple[NameMention, ...]
    numbers: tuple[NumberMention, ...]
    step: int | None

    @property
    def end(self) -> int:
        """Offset after it."""
        return self.start + len(self.text)


def is_attributed(text: str, name: NameMention) -> bool:
    """Return whether a sentence gives a name as the source of what it says.

    "according to X", "X reports", "a study by X".
    """
    if _ATTRIBUTES.search(text, max(0, name.start - 50), name.start):
        return True
    speaks = _SPEAKS.match(text, name.end)
    if speaks is None:
        return False
    # "Mentions" and "reports" after a lone opening word are nouns more often than verbs.
    return not (
        name.first
        and len(name.atoms) == 1
        and speaks.group().rstrip().endswith(("mentions", "lists", "estimates", "claims"))
    )


def find_assertions(trajectory: Trajectory) -> Iterator[Assertion]:
    """Yield claims of the reasoning after the first response, and of the answer, in order."""
    informed = False
    for step in trajectory.steps:
        if informed and step.reasoning:
            yield from _in(
                step.reasoning, step.reasoning_span.start, 3 * step.index + 1, _NO_CLAIM, step.index
            )
        informed = informed or any(call.response for call in step.tool_calls)
    if trajectory.answer and trajectory.answer_span is not None and informed:
        yield from _in(
            trajectory.answer,
            trajectory.answer_span.start,
            3 * len(trajectory.steps) + 1,
            _ANSWER_NO_CLAIM,
            None,
        )


def _in(text: str, offset: int, event: int, skip: re.Pattern[str], step: int | None) -> Iterator[Assertion]:
    for start, end in sentences(text):
        piece = text[start:end]
        if skip.search(piece) or len(piece) < 2:
            continue
        names, numbers = tuple(find_names(piece)), tuple(find_numbers(piece))
        if names or numbers:
            yield Assertion(piece, offset + start, event, names, numbers, step)
