"""What a second reader says of an instance, as it is kept with it."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Question = Literal["present", "plausible", "original_better", "other_change"]
# The answer that speaks for an instance.
EXPECTED: Final[dict[Question, str]] = {
    "present": "yes",
    "plausible": "yes",
    "original_better": "yes",
    "other_change": "no",
}


class SecondReading(msgspec.Struct, frozen=True, kw_only=True):
    """What a second reader says of an instance.

    Attributes:
        reader: The model.
        answers: ``yes`` or ``no`` to each question: ``present``, ``plausible``, ``original_better`` (not asked of a
            surface attack), ``other_change``.
        difference: What differs, in the reader's words.
        reason: The reason for the answer that decides.
        status: ``ok``, or why there are no answers.
    """

    reader: str
    answers: dict[Question, str] = {}
    difference: str = ""
    reason: str = ""
    status: str = "ok"

    @property
    def objections(self) -> tuple[Question, ...]:
        """The questions whose answer speaks against the instance."""
        return tuple(key for key, answer in self.answers.items() if answer != EXPECTED[key])

    @property
    def accepted(self) -> bool:
        """Whether every answer speaks for the instance."""
        return self.status == "ok" and bool(self.answers) and not self.objections
