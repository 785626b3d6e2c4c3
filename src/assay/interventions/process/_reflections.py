"""Sentences of a thought that reflect: they name a gap, express doubt, or redirect the search."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.process._thoughts import balanced, chinese, hangs_on
from assay.subjects.atoms import sentences
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.trajectory import Step

_PHRASES: Final = PhraseFile("assay.interventions", "reflections")

GAP: Final = _PHRASES.pattern(
    r"\bnot (?:\w+ )?(?:<<certainty_words>>)\b|n't (?:\w+ )?(?:<<finding_participles>>)\b|\b(?:do"
    r"|does|did)(?:n't| not) (?:\w+ )?(?:<<finding_verbs>>)\b|\b(?:<<gap_words>>)\b|然而|不过|缺"
    "|尚|未|没有|不足|矛盾|是否|可能|也许|不清楚|不确定",
    flags=re.IGNORECASE,
)
TURN: Final = _PHRASES.pattern(
    "<<turn>>",
    flags=re.IGNORECASE,
)
# A thought that opens with its final answer is a conclusion; removing that would break the run.
CONCLUDES: Final = _PHRASES.pattern(
    r"\b(?:<<concludes>>)\b|因此答案|所以答案|答案是",
    flags=re.IGNORECASE,
)
_LEAST, _MOST = 40, 520


_CHECKING: Final = _PHRASES.pattern(
    r"\b(?:<<checking>>)\b",
    flags=re.IGNORECASE,
)


class Reflection(msgspec.Struct, frozen=True):
    """Consecutive sentences that reflect: their span in the reasoning, and how much they reflect."""

    start: int
    end: int
    weight: float


def reflects(text: str) -> bool:
    """Return whether a text names a gap or redirects the search, and does not conclude."""
    return (GAP.search(text) is not None or TURN.search(text) is not None) and not CONCLUDES.search(text)


def doubts(text: str) -> bool:
    """Return whether a sentence reflects, or asks for a check even though it concludes."""
    return reflects(text) or (TURN.search(text) is not None and _CHECKING.search(text) is not None)


def units(step: Step) -> list[Reflection]:
    """Return runs of one to four reflecting sentences within a paragraph that can be removed, the strongest first."""
    text = step.reasoning
    spans = sentences(text)
    reflections: list[Reflection] = []
    short = len(spans) <= 4
    for first in range(len(spans)):
        for last in range(first, min(first + 4, len(spans))):
            start, end = spans[first][0], spans[last][1]
            part = text[start:end]
            if "\n" in part or not reflects(text[slice(*spans[last])]):
                break
            if not _LEAST <= len(part) * (3 if chinese(part) else 1) <= _MOST:
                continue
            following = text[slice(*spans[last + 1])] if last + 1 < len(spans) else ""
            same_paragraph = bool(following) and "\n" not in text[end : spans[last + 1][0]]
            if following and same_paragraph and (hangs_on(following) or TURN.search(following)):
                continue
            previous = text[slice(*spans[first - 1])] if first else ""
            if previous.endswith((":", "?", "？", "：")):
                continue
            if not first and not short and step.index:
                # The opening of a long thought is only a way to begin, whatever it says.
                continue
            if (
                re.match(r"\s*(?:[-*•]|\d+[.)]) |okay\b|alright\b", part, re.IGNORECASE)
                or "**" in part
                or part.endswith(":")
            ):
                continue
            if TURN.search(part) is None or not balanced(part):
                continue
            gap, turn = GAP.search(part) is not None, TURN.search(part) is not None
            # A short thought must lose its whole plan.
            if short and step.tool_calls and _left(spans, text, first, last):
                continue
            weight = (
                2.0 * (gap and turn)
                + turn
                + 0.004 * len(part)
                + (2.0 if step.index else 0.0)
                + (1.0 if not same_paragraph else 0.0)
            )
            reflections.append(Reflection(start, end, weight))
    return sorted(reflections, key=lambda unit: -unit.weight)


def _left(spans: list[tuple[int, int]], text: str, first: int, last: int) -> bool:
    """Return whether a sentence outside ``first`` to ``last`` redirects the search."""
    return any(
        TURN.search(text[slice(*span)]) for number, span in enumerate(spans) if not first <= number <= last
    )


# "First, I need to confirm the country" describes the approach and does not reflect on a response.
_MANNER: Final = re.compile(r"(?:okay|alright|first|next|then|now|so first|also)\b", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"\b(?:other|another|whether|if|any|conflict\w*|search for|look for)\b", re.IGNORECASE
)
# Text after a passage, which may only be the conclusion.
_LEAST_PASSAGE, _MOST_PASSAGE = 50, 700


def passages(step: Step) -> list[Reflection]:
    """Return the one passage of a long thought that holds all its doubts and what they led to.

    Returns:
        A list with that passage; empty if the doubts are spread out or the passage cannot be removed.
    """
    text = step.reasoning
    spans = sentences(text)
    numbers = [number for number, span in enumerate(spans) if number > 1 and doubts(text[slice(*span)])]
    if not numbers or numbers[-1] - numbers[0] > 4 or len(spans) < 5:
        return []
    first, last = numbers[0], numbers[-1]
    doubting = [text[slice(*spans[number])] for number in numbers]
    if (
        _MANNER.match(doubting[0])
        or not any(TURN.search(part) for part in doubting)
        or not any(GAP.search(part) or _OPEN.search(part) for part in doubting)
    ):
        return []
    # The result of the doubt goes with it, to the end of the paragraph unless that concludes.
    while (
        last + 1 < len(spans)
        and "\n" not in text[spans[last][1] : spans[last + 1][0]]
        and not CONCLUDES.search(text[slice(*spans[last + 1])])
    ):
        last += 1
    start, end = spans[first][0], spans[last][1]
    part = text[start:end]
    following = text[slice(*spans[last + 1])] if last + 1 < len(spans) else ""
    if (
        not _LEAST_PASSAGE <= len(part) <= _MOST_PASSAGE
        or not balanced(part)
        or re.match(r"\s*(?:[-*•]|\d+[.)]) ", part)
        or "\n- " in part
        or text[slice(*spans[first - 1])].endswith((":", "?"))
        or re.match(r"(?:but|however|also|another)\b", following, re.IGNORECASE)
    ):
        return []
    return [Reflection(start, end, 3.0 + 0.002 * len(part))]
