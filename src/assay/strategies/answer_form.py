"""The form of an answer: the keys of its JSON object, their schema, and what an object with these keys says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scale import Scale
from assay.strategies.base import ConfidenceField, Field, Question
from assay.strategies.json_schema import array, table, text
from assay.strategies.problems import problem
from assay.text.bilingual import Bilingual, joined, listed

# Enough for a thorough reason (about 570 tokens more than a bare verdict in cot-judges, table 7); it ends the rambling of
# a small model if the endpoint enforces the schema.
_LONGEST: Final = 2000
_LONGEST_ITEM: Final = 400
_MOST_ITEMS: Final = 8
# Confidence: any number from 0 to 1.
_SHARE: Final = Scale(low=0, high=1, step=0)


class ReplyVerdict(msgspec.Struct, frozen=True):
    """What a JSON object says: values, a preference or a ranking, or the problem with it.

    If each criterion has an entry of its own, some may have values while the problem names the others.
    """

    values: dict[str, float | str] = {}
    preference: str | None = None
    ranking: tuple[int, ...] | None = None
    problem: Bilingual | None = None


class AnswerForm(msgspec.Struct, frozen=True):
    """The form of the answer to a question.

    Attributes:
        mode: Mode of the question.
        fields: What the judge writes around the verdict.
        scales: Scale of each criterion, by key.
        overall: Scale of the verdict over all criteria of a comparison.
        labels: Labels of the documents.
        each: Whether each criterion has its own fields. With several criteria, ``scores`` is then an object of
            entries, each with the fields and its ``score``.
    """

    mode: str
    fields: tuple[Field, ...]
    scales: dict[str, Scale]
    overall: Scale
    labels: tuple[str, ...]
    each: bool = False

    @property
    def entries(self) -> bool:
        """Return whether the answer is an object of entries, one for each criterion."""
        return self.each and len(self.scales) > 1

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys that hold the verdict."""
        if self.mode == "rank":
            return ("ranking",)
        if self.mode == "compare":
            return ("preference",) if len(self.scales) == 1 else ("preferences", "preference")
        return ("score",) if len(self.scales) == 1 else ("scores",)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema, reasons before the verdict: keys are written in the order of the schema."""
        if self.entries:
            each = {name: self._filled({"score": scale.schema()}) for name, scale in self.scales.items()}
            return table(scores=table(**each))
        return self._filled({key: self._verdict_schema(key) for key in self.keys})

    def _filled(self, verdict: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of a verdict with the fields around it."""
        properties: dict[str, Any] = {}
        # At least a line for each criterion.
        most = _MOST_ITEMS if self.each else max(_MOST_ITEMS, len(self.scales))
        for field in self.fields:
            if isinstance(field, ConfidenceField):
                continue
            properties[field.key] = array(text(_LONGEST_ITEM), most) if field.many else text(_LONGEST)
        shares = {field.key: _SHARE.schema() for field in self.fields if isinstance(field, ConfidenceField)}
        return table(**{**properties, **verdict, **shares})

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
            return table(**{name: scale.schema() for name, scale in self.scales.items()})
        if key == "preference":
            return self.overall.schema()
        return next(iter(self.scales.values())).schema()

    def read(self, value: Mapping[str, Any]) -> ReplyVerdict:
        """Return what an object says. It must answer every criterion, under its own name, with a value on offer."""
        missing = [key for key in self.keys if key not in value]
        if missing:
            return ReplyVerdict(problem=problem("no_keys", keys=_quoted(missing)))
        if self.mode == "rank":
            return self._ranking(value["ranking"])
        if self.entries:
            return self._entries(value["scores"])
        if len(self.scales) == 1:
            answers: Any = {next(iter(self.scales)): value[self.keys[0]]}
        else:
            answers = value[self.keys[0]]
        read = self._answers(answers)
        if isinstance(read, Bilingual):
            return ReplyVerdict(problem=read)
        if self.mode != "compare":
            return ReplyVerdict(read)
        overall = self.overall.read(value["preference"])
        if overall is None:
            return ReplyVerdict(problem=_not_on_offer("preference", value["preference"]))
        return ReplyVerdict(read, str(overall))

    def _answers(self, answers: Any) -> dict[str, float | str] | Bilingual:
        if not isinstance(answers, dict):
            return problem("not_an_object", key=shown(self.keys[0]), value=shown(answers))
        unknown = [key for key in answers if key not in self.scales]
        if unknown:
            return problem("unasked", keys=_quoted(unknown))
        missing = [key for key in self.scales if key not in answers]
        if missing:
            return problem("unanswered", keys=_quoted(missing))
        read: dict[str, float | str] = {}
        for key, scale in self.scales.items():
            answer = scale.read(answers[key])
            if answer is None:
                return _not_on_offer(key, answers[key])
            read[key] = answer
        return read

    def _entries(self, value: Any) -> ReplyVerdict:
        """Return what the entries say: each counts by itself, whatever is wrong with the others."""
        if not isinstance(value, dict):
            return ReplyVerdict(problem=problem("not_an_object", key=shown("scores"), value=shown(value)))
        read: dict[str, float | str] = {}
        problems: list[Bilingual] = []
        for key, scale in self.scales.items():
            entry = value.get(key)
            if key not in value:
                problems.append(problem("unanswered", keys=shown(key)))
            elif not isinstance(entry, dict):
                problems.append(problem("not_an_object", key=shown(key), value=shown(entry)))
            elif "score" not in entry:
                problems.append(problem("entry_lacks", part=shown(key), keys=shown("score")))
            elif (answer := scale.read(entry["score"])) is None:
                problems.append(_not_on_offer(key, entry["score"]))
            else:
                read[key] = answer
        return ReplyVerdict(read, problem=joined(problems) if problems else None)

    def confidence(self, value: Mapping[str, Any]) -> float | None:
        """Return the confidence in an entry, or None if it has no usable one. Nothing is clipped."""
        key = next((field.key for field in self.fields if isinstance(field, ConfidenceField)), None)
        number = None if key is None else _SHARE.read(value.get(key))
        return None if number is None else float(number)

    def _ranking(self, value: Any) -> ReplyVerdict:
        items = value if isinstance(value, list) else []
        # A label "1" may be written as the number 1.
        labels = [str(item).strip() for item in items if isinstance(item, str | int)]
        if len(labels) != len(items) or sorted(labels) != sorted(self.labels):
            return ReplyVerdict(
                problem=problem("not_each_once", value=shown(value), labels=listed(self.labels))
            )
        return ReplyVerdict(ranking=tuple(self.labels.index(label) for label in labels))


def answer_form(question: Question, fields: tuple[Field, ...], *, each: bool = False) -> AnswerForm:
    """Return the form of the answer to a question.

    Args:
        question: The question.
        fields: What the judge writes around the verdict.
        each: Whether each criterion of a score has its own fields.
    """
    rubric = question.rubric
    pair = question.mode == "compare"
    return AnswerForm(
        mode=question.mode,
        fields=fields,
        scales={item.key: _scale(item, rubric, pair=pair) for item in question.criteria},
        overall=rubric.pair_scale,
        labels=tuple(document.label for document in question.documents),
        each=each and question.mode == "score",
    )


def _scale(criterion: Criterion, rubric: Rubric, *, pair: bool) -> Scale:
    return rubric.pair_scale if pair else rubric.scale_of(criterion)


def _not_on_offer(key: str, value: Any) -> Bilingual:
    return problem("not_on_offer", key=shown(key), value=shown(value))


def _quoted(keys: list[str]) -> Bilingual:
    return listed(map(shown, keys), most=5)


def shown(value: Any) -> str:
    """Return a value from a reply, short and printable, for a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        text = type(value).__name__
    text = text if len(text) <= 60 else text[:60] + "…"
    # Line breaks, marks that turn the direction of a line, halves of characters.
    return "".join(mark if mark.isprintable() else f"\\u{ord(mark):04x}" for mark in text)
