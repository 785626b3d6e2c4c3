"""What reasoning and answers assert: sentences that are neither plans, doubts, questions nor memories, and their facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.atoms import NameMention, NumberMention, find_names, find_numbers, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Trajectory

# Plans, doubts, questions, counterfactuals, memories, and talk about what was not found assert nothing.
_NO_CLAIM: Final = re.compile(
    r"\?|\b(?:maybe|perhaps|might|may|could|would|possibly|probably|presumably|likely|unlikely|seems?|appears?|suggests?|guess|assum\w*|suppose|imagine|think|thought|believe"
    r"|remember|recall|wonder|suspect|know that|not sure|unsure|unless|whether|if|or|but wait|wait|hmm|alternatively|otherwise"
    r"|let me|let's|i'll|i will|i should|i need|i must|i can|need to|should|next|going to|have to|want to|try(?:ing)?|check|verify|search(?:ing)? for|look(?:ing)? (?:for|up|into)"
    r"|not|n't|no|never|without|none|neither|nor|unclear|unrelated|instead of|rather than|different|another|other|unlike|confus\w+)\b|n't\b"
    r"|可能|也许|或许|大概|应该|猜|假设|如果|是否|还是|或者|需要|接下来|下一步|没有|不|未|无|记得|印象|吗|？",
    re.IGNORECASE,
)
_ANSWER_NO_CLAIM: Final = re.compile(
    r"\?|\b(?:could not|cannot|unable|no (?:information|evidence|data|results?|source)|not (?:found|available|specified|mentioned|confirmed|known)|unknown|unclear|if)\b|无法|未找到|没有找到|如果|未知",
    re.IGNORECASE,
)


_ATTRIBUTES: Final = re.compile(
    r"(?:\baccording to|\bas (?:reported|stated|noted|described|cited|shown) (?:by|in)|\breported by|\bpublished (?:by|in)|\bcited (?:by|in)|\bsource:|\bper"
    r"|\b(?:study|studies|report|reports|survey|article|articles|paper|analysis|data|research|statistics|figures|book|page|entry|sources|review) (?:by|from|in|of|like|such as)|根据|据|来自|引用)"
    r"\s{0,3}(?:the |an? |its |《|“|\")?\s{0,2}[*_\"“]{0,3}$",
    re.IGNORECASE,
)
_SPEAKS: Final = re.compile(
    r"[*_\"”’']{0,3}(?:'s|’s)?\s{0,2}(?:article|report|study|page|entry|entries|website|site|survey|obituary|paper|result|review|post|listing|link)?\s{0,2}(?:(?:for|on|about|from|of) [^,.;\n]{1,60}? )?(?:also |explicitly |clearly |further )?"
    r"(?:reports|reported|states|stated|notes|noted|says|said|mentions|mentioned|confirms|confirmed|estimates|estimated|found that|writes|wrote|claims|lists|describes|indicates|shows|指出|表示|报道|称|显示|提到)",
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
    """Whether a sentence gives a name as the source of what it says: "according to X", "X reports", "a study by X"."""
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
    """Claims of the reasoning after the first response, and of the answer, in order."""
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
