"""Tasks of Label Studio, exported as JSON (https://labelstud.io/guide/task_format).

    {"id", "data": {"text": …}, "annotations": [{"completed_by", "was_cancelled", "result": [{"from_name", "type", "value"}]}]}

Each control is a criterion. Choices and taxonomies are verdicts, ratings and numbers scores, pairwise controls preferences of the
two objects that they compare; labels of spans say that a kind was found. Cancelled annotations and predictions are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from assay.decoding import kind_of
from assay.errors import InputError
from assay.judges.judgment import Preference
from assay.meta.labels.loaders._cells import short
from assay.meta.labels.loaders.base import ConvertedRow, LabelledText, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label, number_of, verdict_of

_SELECTED: Final[dict[str, Preference]] = {"left": "A>B", "right": "A<B"}
_TEXTS: Final = ("text", "report", "response", "answer")
_PAIRS: Final = (("text1", "text2"), ("report_a", "report_b"), ("response_a", "response_b"), ("a", "b"))


def _sniff(row: Row) -> bool:
    return "data" in row and any(isinstance(row.get(name), list) for name in ("annotations", "completions"))


def _load(row: Row, context: RowContext) -> ConvertedRow:
    data = row["data"] if isinstance(row.get("data"), dict) else {}
    name = short(row.get("id")) or context.id
    given = row.get("annotations") or row.get("completions") or []
    if not isinstance(given, list):
        raise InputError(f"annotations is {kind_of(given)}; it must be a list", where=context.where)
    labels: list[Label] = []
    sides = next((pair for pair in _PAIRS if all(isinstance(data.get(key), str) for key in pair)), None)
    for annotation in given:
        if not isinstance(annotation, dict):
            raise InputError(
                f"an annotation is {kind_of(annotation)}; it must be a table", where=context.where
            )
        if annotation.get("was_cancelled"):
            continue
        rater = _rater(annotation.get("completed_by")) or context.rater
        results = annotation.get("result")
        for result in results if isinstance(results, list) else ():
            if isinstance(result, dict) and isinstance(result.get("value"), dict):
                labels += _labels(name, result, rater, context.where)
    query = next(
        (data[key] for key in ("query", "prompt", "question") if isinstance(data.get(key), str)), None
    )
    if sides is not None:
        pair = tuple(
            LabelledText(name=f"{name}:{letter}", id=name, system=letter, report=data[key], query=query)
            for letter, key in zip("AB", sides, strict=True)
        )
        return ConvertedRow(tuple(labels), pair)
    text = next((data[key] for key in _TEXTS if isinstance(data.get(key), str)), None)
    texts = () if text is None else (LabelledText(name=name, id=name, report=text, query=query),)
    return ConvertedRow(tuple(labels), texts)


def _rater(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("email") or value.get("username") or value.get("id")
    return short(value)


def _labels(name: str, result: dict[str, Any], rater: str, where: str) -> Iterator[Label]:
    value, control = result["value"], short(result.get("from_name"))
    common: dict[str, Any] = {"subject": name, "rater": rater, "criterion": control}
    if "selected" in value or result.get("type") == "pairwise":
        preference = _SELECTED.get(str(value.get("selected")), "tie")
        yield Label(**{**common, "subject": f"{name}:A | {name}:B"}, preference=preference, task=name)
    for key in ("rating", "number"):
        if value.get(key) is not None:
            yield Label(**common, score=number_of(value[key], key, where))
    choices = value.get("choices")
    if isinstance(choices, list) and len(choices) == 1:
        yield Label(**common, verdict=verdict_of(choices[0], where))
    elif isinstance(choices, list):
        for choice in choices:
            yield Label(**{**common, "criterion": f"{control}: {choice}"}, verdict="found")
    for key in ("labels", "hypertextlabels", "paragraphlabels"):
        for kind in value[key] if isinstance(value.get(key), list) else ():
            yield Label(**{**common, "criterion": f"{control}: {kind}"}, verdict="found")


LOADER = LabelLoader(
    name="label-studio",
    what="Label Studio: tasks with data and annotations (choices, ratings, numbers, pairwise, labels)",
    sniff=_sniff,
    load=_load,
    rank=24,
)
