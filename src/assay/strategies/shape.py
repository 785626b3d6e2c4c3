"""The form of a verdict: the keys asked for, their JSON schema, and what a JSON object means that has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scale import Scale
from assay.strategies.base import Field, Question

__all__ = ["Shape", "Verdict", "shape_of", "shown"]

# Enough for a thorough reason (about 570 tokens more than a bare verdict in cot-judges, table 7), and an end to a small
# model's rambling where the endpoint holds it to the schema.
_LONGEST: Final = 2000
_LONGEST_ITEM: Final = 400
_MOST_ITEMS: Final = 8


class Verdict(msgspec.Struct, frozen=True):
    """What a JSON object says: one of the three, or the problem with it."""

    values: dict[str, float | str] = {}
    preference: str | None = None
    ranking: tuple[int, ...] | None = None
    problem: str | None = None


class Shape(msgspec.Struct, frozen=True):
    """The form of the answer to a question. ``scales`` has the scale of each criterion, by key."""

    mode: str
    fields: tuple[Field, ...]
    scales: dict[str, Scale]
    overall: Scale
    labels: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that hold the verdict."""
        if self.mode == "rank":
            return ("ranking",)
        if self.mode == "pair":
            return ("preference",) if len(self.scales) == 1 else ("preferences", "preference")
        return ("score",) if len(self.scales) == 1 else ("scores",)

    def schema(self) -> dict[str, Any]:
        """JSON schema, reasons before the verdict: the order of the keys is the order they are written in."""
        properties: dict[str, Any] = {}
        most = max(_MOST_ITEMS, len(self.scales))  # room for a line on each criterion
        for field in self.fields:
            text = {"type": "string", "maxLength": _LONGEST_ITEM if field.many else _LONGEST}
            properties[field.key] = {"type": "array", "items": text, "maxItems": most} if field.many else text
        for key in self.keys:
            properties[key] = self._verdict_schema(key)
        return _object(properties)

    def _verdict_schema(self, key: str) -> dict[str, Any]:
        if key == "ranking":
            count = len(self.labels)
            return {
                "type": "array",
                "items": {"type": "string", "enum": list(self.labels)},
                "minItems": count,
                "maxItems": count,
            }
        if key in ("scores", "preferences"):
            return _object({name: scale.schema() for name, scale in self.scales.items()})
        if key == "preference":
            return self.overall.schema()
        return next(iter(self.scales.values())).schema()

    def read(self, value: Mapping[str, Any]) -> Verdict:
        """What an object says. Every criterion must be answered, by its own name, with something on offer."""
        missing = [key for key in self.keys if key not in value]
        if missing:
            return Verdict(problem=f"it has no {_quoted(missing)}")
        if self.mode == "rank":
            return self._ranking(value["ranking"])
        if len(self.scales) == 1:
            answers: Any = {next(iter(self.scales)): value[self.keys[0]]}
        else:
            answers = value[self.keys[0]]
        read = self._answers(answers)
        if isinstance(read, str):
            return Verdict(problem=read)
        if self.mode != "pair":
            return Verdict(read)
        overall = self.overall.read(value["preference"])
        if overall is None:
            return Verdict(problem=f'"preference" is {shown(value["preference"])}, which was not on offer')
        return Verdict(read, str(overall))

    def _answers(self, answers: Any) -> dict[str, float | str] | str:
        if not isinstance(answers, dict):
            return f'"{self.keys[0]}" is {shown(answers)} and not an object'
        unknown = [key for key in answers if key not in self.scales]
        if unknown:
            return f"nobody asked for {_quoted(unknown)}"
        missing = [key for key in self.scales if key not in answers]
        if missing:
            return f"{_quoted(missing)} is not answered"
        read: dict[str, float | str] = {}
        for key, scale in self.scales.items():
            answer = scale.read(answers[key])
            if answer is None:
                return f'"{key}" is {shown(answers[key])}, which was not on offer'
            read[key] = answer
        return read

    def _ranking(self, value: Any) -> Verdict:
        items = value if isinstance(value, list) else []
        # A label "1" may be written as the number 1.
        labels = [str(item).strip() for item in items if isinstance(item, str | int)]
        if len(labels) != len(items) or sorted(labels) != sorted(self.labels):
            return Verdict(
                problem=f'"ranking" is {shown(value)} and not each of {", ".join(self.labels)} once'
            )
        return Verdict(ranking=tuple(self.labels.index(label) for label in labels))


def shape_of(question: Question, fields: tuple[Field, ...]) -> Shape:
    """The form of the answer to a question, with these fields before the verdict."""
    rubric = question.rubric
    pair = question.mode == "pair"
    return Shape(
        mode=question.mode,
        fields=fields,
        scales={item.key: _scale(item, rubric, pair=pair) for item in question.criteria},
        overall=rubric.pair_scale,
        labels=tuple(document.label for document in question.documents),
    )


def _scale(criterion: Criterion, rubric: Rubric, *, pair: bool) -> Scale:
    return rubric.pair_scale if pair else rubric.scale_of(criterion)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _quoted(keys: list[str]) -> str:
    return ", ".join(shown(key) for key in keys[:5]) + (" …" if len(keys) > 5 else "")


def shown(value: Any) -> str:
    """A value from a reply, short and printable, for a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        text = type(value).__name__
    text = text if len(text) <= 60 else text[:60] + "…"
    # Line breaks, marks that turn the direction of a line, halves of characters.
    return "".join(mark if mark.isprintable() else f"\\u{ord(mark):04x}" for mark in text)
