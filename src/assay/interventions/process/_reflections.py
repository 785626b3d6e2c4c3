"""Sentences of a thought that reflect: that name a gap, doubt, or turn the search somewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.process._thoughts import balanced, chinese, hangs_on
from assay.subjects.atoms import sentences

if TYPE_CHECKING:
    from assay.subjects.trajectory import Step

GAP: Final = re.compile(
    r"\bnot (?:\w+ )?(?:sure|certain|clear|found|mention\w*|enough|specif\w+|stated?|given|explicit\w*|directly|the \w+ i(?:'m| am))\b|n't (?:\w+ )?(?:mention\w*|specif\w+|stated|given|clear|sure|found|listed|named)\b|\b(?:do|does|did)(?:n't| not) (?:\w+ )?(?:find|mention|say|give|list|state|specify|have|know|see|show|provide)\b"
    r"|\b(?:unclear|unsure|missing|lacks?|lacking|gap|confus\w+|mixing|mixed up|discrepan\w*|wait|hmm|maybe|perhaps|alternatively|careful|cannot find|can't find|could(?: not|n't)|no (?:mention|information|results?)|ambigu\w+|is that (?:right|correct)|was that)\b"
    r"|然而|不过|缺|尚|未|没有|不足|矛盾|是否|可能|也许|不清楚|不确定",
    re.IGNORECASE,
)
TURN: Final = re.compile(
    r"\b(?:i|we) (?:should|need|must|have to|want to|will|can|could|might)\b|\b(?:i'll|let me|let's|instead|search next|next,? i)\b"
    r"|\bto (?:be (?:sure|thorough|safe|precise|certain)|verify|confirm|double-check)\b|\b(?:make sure|double-check|cross-check|cross-verify)\b"
    r"|需要|应该|应当|接下来|下一步|让我|改为|改用|再查|核实|确认|验证|进一步",
    re.IGNORECASE,
)
# A thought that opens with the answer it is settled on is a conclusion; taking that out would break the run.
CONCLUDES: Final = re.compile(
    r"\b(?:therefore|so the answer|conclude|confident|solid|all (?:the )?(?:sources|details|results) (?:point|align|agree|confirm)|point to|the answer (?:is|should be|must be)|in conclusion|thus|putting it all together)\b|因此答案|所以答案|答案是",
    re.IGNORECASE,
)
_LEAST, _MOST = 40, 520


# What says only that all is well, and can give way without loss.
IDLE: Final = re.compile(
    r"(?:so,? )?(?:no conflicting|there(?:'s| is| are) no conflict|all (?:the )?(?:sources|details|results|top results|information)|everything|i don't see any conflict|no other|that (?:all )?(?:fits|matches|checks out)|(?:i think )?that's (?:solid|consistent))\b",
    re.IGNORECASE,
)


_CHECKING: Final = re.compile(
    r"\b(?:make sure|verify|ensure|double-check|cross-check|check (?:if|whether|that))\b", re.IGNORECASE
)


class Reflection(msgspec.Struct, frozen=True):
    """Sentences on end that reflect: their span in the reasoning, and how much of a reflection they are."""

    start: int
    end: int
    weight: float


def reflects(text: str) -> bool:
    return (GAP.search(text) is not None or TURN.search(text) is not None) and not CONCLUDES.search(text)


def doubts(text: str) -> bool:
    """Whether a sentence reflects, or wants something checked even though it concludes."""
    return reflects(text) or (TURN.search(text) is not None and _CHECKING.search(text) is not None)


def units(step: Step) -> list[Reflection]:
    """Runs of one to four reflecting sentences of one paragraph, the ones with both gap and direction first."""
    text = step.reasoning
    spans = sentences(text)
    found: list[Reflection] = []
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
                # How a long thought opens is a way to begin, whatever it says.
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
            # A short thought must lose all of its plan.
            if short and step.tool_calls and _left(spans, text, first, last):
                continue
            weight = (
                2.0 * (gap and turn)
                + turn
                + 0.004 * len(part)
                + (2.0 if step.index else 0.0)
                + (1.0 if not same_paragraph else 0.0)
            )
            found.append(Reflection(start, end, weight))
    return sorted(found, key=lambda unit: -unit.weight)


def _left(spans: list[tuple[int, int]], text: str, first: int, last: int) -> bool:
    return any(
        TURN.search(text[slice(*span)]) for number, span in enumerate(spans) if not first <= number <= last
    )


# "First, I need to confirm the country": how a thought goes about it, and no reflection on what came back.
_MANNER: Final = re.compile(r"(?:okay|alright|first|next|then|now|so first|also)\b", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"\b(?:other|another|whether|if|any|conflict\w*|search for|look for)\b", re.IGNORECASE
)
# What a passage leads up to, after which only the conclusion comes.
_LEAST_PASSAGE, _MOST_PASSAGE = 50, 700


def passages(step: Step) -> list[Reflection]:
    """The passage that holds all the reflecting of a long thought, with what it comes to; none where it is spread out."""
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
    # What the doubt comes to goes with it: to the end of the paragraph, unless that concludes.
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
