"""Scales: the possible answers to a criterion.

One definition gives the sentence in the prompt, the schema and the number.
"""

from __future__ import annotations

import math
from typing import Any, Final, Literal

import msgspec

from assay.frozen import EMPTY, freeze
from assay.record import Record

# A numeric scale of at most this many steps is spelled out in the schema; a longer one is a range.
_SPELLED: Final = 25
# One of at most this many is spelled out in a sentence.
_SAID: Final = 4
# How far a number may be from a step and still be it: the error of binary fractions, no more.
_NEAR: Final = 1e-9


class Choice(
    Record, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One possible answer: its label, the number it stands for (None if it stands for none), and its meaning."""

    label: str
    value: float | None = None
    means: str = ""
    means_zh: str = ""


class Scale(
    Record, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Either numbers from ``low`` to ``high`` in steps of ``step``, or ``choices``.

    Attributes:
        low: Least number.
        high: Greatest number.
        step: Distance between two; 0 allows any number between them.
        anchors: What some numbers mean, by number as text (``"1"``).
        anchors_zh: The same in Chinese.
        choices: Labels on offer instead of numbers.
    """

    low: float | None = None
    high: float | None = None
    step: float = 1.0
    anchors: dict[str, str] = EMPTY
    anchors_zh: dict[str, str] = EMPTY
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, "anchors", "anchors_zh")

    def summary_line(self) -> str:
        """Return the labels, or the ends of the numbers."""
        return " | ".join(item.label for item in self.choices) or f"{self.low} to {self.high}"

    def values(self) -> tuple[float, ...] | tuple[str, ...] | None:
        """Return all answers on offer, or None if they are too many to list."""
        if self.choices:
            return tuple(choice.label for choice in self.choices)
        if self.low is None or self.high is None or self.step <= 0:
            return None
        steps = round((self.high - self.low) / self.step)
        if steps >= _SPELLED:
            return None
        return tuple(self._tidy(self.low + i * self.step) for i in range(steps + 1))

    def read(self, answer: Any) -> float | str | None:
        """Return the answer as it was offered – a number or a label – or None if it was not on offer.

        Nothing is rounded, clipped or guessed: 11 on a scale to 10 is None, and so is 3.5 on whole numbers. A number
        written as text (``"4"``) is that number; labels do not mind case and surrounding white space.
        """
        if self.choices:
            if not isinstance(answer, str):
                return None
            wanted = _label(answer)
            return next((choice.label for choice in self.choices if _label(choice.label) == wanted), None)
        number = _number(answer)
        if number is None or self.low is None or self.high is None or not self.low <= number <= self.high:
            return None
        if self.step > 0:
            steps = (number - self.low) / self.step
            if abs(steps - round(steps)) > _NEAR * max(1.0, steps):
                return None
            number = self.low + round(steps) * self.step
        return self._tidy(number)

    def number(self, answer: float | str) -> float | None:
        """Return the number an answer from `read` stands for, or None if its label stands for none."""
        if isinstance(answer, str):
            return next((choice.value for choice in self.choices if choice.label == answer), None)
        return float(answer)

    def schema(self) -> dict[str, Any]:
        """JSON schema of an answer."""
        values = self.values()
        if self.choices:
            return {"type": "string", "enum": list(values or ())}
        whole = self.step > 0 and float(self.step).is_integer() and float(self.low or 0).is_integer()
        kind = "integer" if whole else "number"
        if values is not None:
            return {"type": kind, "enum": list(values)}
        return {"type": kind, "minimum": self.low, "maximum": self.high}

    def sentence(self, language: Literal["en", "zh"] = "en") -> str:
        """Return the possible answers and their meanings as the object of "it is …": one line, no full stop.

        >>> Scale(low=1, high=5, anchors={"1": "very poor", "5": "excellent"}).sentence()
        'an integer from 1 (very poor) to 5 (excellent)'
        >>> Scale(choices=(Choice(label="yes"), Choice(label="no", means="or not said"))).sentence()
        '"yes" or "no" (or not said)'
        """
        chinese = language == "zh"
        if self.choices:
            means = [(choice.means_zh if chinese else "") or choice.means for choice in self.choices]
            rows = zip(self.choices, means, strict=True)
            return _either([_noted(f'"{choice.label}"', text, chinese) for choice, text in rows], chinese)
        if self.low is None or self.high is None:
            return ""
        anchors = {
            number: text
            for key, text in (self.anchors | self.anchors_zh if chinese else self.anchors).items()
            if (number := self.read(key)) is not None and text
        }
        values = self.values()
        if values is not None and len(values) <= _SAID:
            return _either([_noted(f"{value}", anchors.get(value, ""), chinese) for value in values], chinese)
        return self._range(anchors, chinese)

    def _range(self, anchors: dict[float | str, str], chinese: bool) -> str:
        """Return the sentence for a scale that is too long to list: its ends and its anchors."""
        low, high = (self._tidy(end) for end in (self.low or 0.0, self.high or 0.0))
        inline = set(anchors) <= {low, high}
        first, last = (
            _noted(f"{end}", anchors.get(end, "") if inline else "", chinese) for end in (low, high)
        )
        step = self._tidy(self.step)
        whole = step == 1 and isinstance(low, int)
        if chinese:
            kind = "的整数" if whole else f"之间的数，以 {step} 为间隔" if step else "之间的数"
            text = _tight(f"{first} 到 {last} {kind}")
        else:
            kind = "an integer" if whole else "a number"
            text = f"{kind} from {first} to {last}" + (f" in steps of {step}" if step and not whole else "")
        if inline:
            return text
        colon, semicolon = ("：", "；") if chinese else (": ", "; ")
        rows = sorted((float(number), meaning) for number, meaning in anchors.items())
        said = semicolon.join(f"{number_text(number)}{colon}{meaning}" for number, meaning in rows)
        return _noted(text, said, chinese)

    @property
    def span(self) -> tuple[float, float] | None:
        """Least and greatest number that an answer can stand for, or None if no answer stands for one."""
        if not self.choices:
            return (self.low, self.high) if self.low is not None and self.high is not None else None
        numbers = [choice.value for choice in self.choices if choice.value is not None]
        return (min(numbers), max(numbers)) if numbers else None

    def _tidy(self, number: float) -> float | int:
        number = round(float(number), 9)
        return int(number) if number.is_integer() else number


def number_text(number: float) -> str:
    """Return a number as people write it: 5 and not 5.0."""
    return str(int(number)) if float(number).is_integer() else repr(number)


def _noted(text: str, note: str, chinese: bool) -> str:
    if not note:
        return text
    return f"{text}（{note}）" if chinese else f"{text} ({note})"


def _tight(text: str) -> str:
    """No blank behind a Chinese bracket, which brings its own."""
    return text.replace("） ", "）")


def _either(parts: list[str], chinese: bool) -> str:
    if len(parts) < 2:
        return "".join(parts)
    comma, last = ("、", " 或 ") if chinese else (", ", " or ")
    return _tight(comma.join(parts[:-1]) + last + parts[-1])


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


def _number(answer: Any) -> float | None:
    if isinstance(answer, bool):
        return None
    if isinstance(answer, str) and "_" in answer:
        return None  # Python alone reads 1_0 as 10
    if not isinstance(answer, str | int | float):
        return None
    try:
        number = float(answer)
    except (ValueError, OverflowError):  # no number, or an integer that no float holds
        return None
    return number if math.isfinite(number) else None
