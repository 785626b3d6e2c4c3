"""Records of Argilla, as ``dataset.records.to_list()`` and its exports to the Hugging Face Hub write them.

    {"id", "fields": {…}, "responses": {"question": [{"value", "user_id"}]}}     nested (2.x)
    {"id", "question.responses": [value], "question.responses.users": [user]}    flat (2.x)
    {"external_id", "question": [{"user_id", "value", "status"}]}                feedback dataset (1.x)

Suggestions come from models and are not labels; responses that were discarded or are drafts are left out. A number is a
score, a word a verdict, and a ranking of two fields a preference; each question is a criterion.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from assay.errors import InputError
from assay.meta.labels.loaders._cells import short
from assay.meta.labels.loaders.base import ConvertedRow, LabelledText, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label, number_of, verdict_of

_RESPONSES: Final = ".responses"
_LEFT_OUT: Final = ("discarded", "draft")
_TEXT_FIELDS: Final = ("text", "report", "response", "completion", "answer")


def _sniff(row: Row) -> bool:
    if isinstance(row.get("responses"), dict) and "fields" in row:
        return True
    if any(name.endswith(_RESPONSES) for name in row):
        return True
    return any(_is_feedback(value) for value in row.values())


def _is_feedback(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and {"user_id", "value"} <= item.keys() for item in value)
    )


def _responses(row: Row) -> Iterator[tuple[str, Any, str | None]]:
    """Yield question, value and user of each response that was submitted."""
    nested = row.get("responses")
    lists = dict(nested) if isinstance(nested, dict) else {}
    lists |= {name: value for name, value in row.items() if _is_feedback(value)}
    for question, given in lists.items():
        for item in given if isinstance(given, list) else ():
            if isinstance(item, dict) and item.get("status") not in _LEFT_OUT:
                yield question, item.get("value"), short(item.get("user_id") or item.get("user_name"))
    for name, values in row.items():
        if name.endswith(_RESPONSES) and isinstance(values, list):
            users, states = (_beside(row, f"{name}.{key}", len(values)) for key in ("users", "status"))
            for value, user, state in zip(values, users, states, strict=False):
                if state not in _LEFT_OUT:
                    yield name.removesuffix(_RESPONSES), value, short(user)


def _beside(row: Row, name: str, count: int) -> list[Any]:
    found = row.get(name)
    return found if isinstance(found, list) else [None] * count


def _load(row: Row, context: RowContext) -> ConvertedRow:
    name = short(row.get("id") or row.get("external_id")) or context.id
    labels = [
        label
        for question, value, user in _responses(row)
        if value is not None
        for label in _labels(name, question, value, user or context.rater, context.where)
    ]
    fields = row.get("fields")
    fields = fields if isinstance(fields, dict) else row
    text = next((fields[key] for key in _TEXT_FIELDS if isinstance(fields.get(key), str)), None)
    if text is None:
        return ConvertedRow(tuple(labels))
    query = next(
        (fields[key] for key in ("prompt", "query", "question") if isinstance(fields.get(key), str)), None
    )
    return ConvertedRow(tuple(labels), (LabelledText(name=name, id=name, report=text, query=query),))


def _labels(name: str, question: str, value: Any, rater: str, where: str) -> Iterator[Label]:
    if isinstance(value, bool | str):
        yield Label(subject=name, rater=rater, verdict=verdict_of(value, where), criterion=question)
    elif isinstance(value, int | float):
        yield Label(subject=name, rater=rater, score=number_of(value, question, where), criterion=question)
    elif isinstance(value, list) and all(isinstance(item, str) for item in value):
        for item in value:
            yield Label(subject=name, rater=rater, verdict="found", criterion=f"{question}: {item}")
    elif isinstance(value, list) and all(isinstance(item, dict) for item in value):
        yield from _spans_or_ranks(name, question, value, rater)
    else:
        raise InputError(f"the response to {question!r} is of an unknown kind", where=where)


def _spans_or_ranks(name: str, question: str, value: list[dict[str, Any]], rater: str) -> Iterator[Label]:
    ranks = {
        str(item["value"]): item["rank"]
        for item in value
        if {"value", "rank"} <= item.keys() and isinstance(item["rank"], int)
    }
    if len(ranks) == 2 and len(ranks) == len(value):
        (first, second) = sorted(ranks)
        difference = ranks[first] - ranks[second]
        yield Label(
            subject=f"{name}:{first} | {name}:{second}",
            rater=rater,
            preference="tie" if not difference else "A>B" if difference < 0 else "A<B",
            criterion=question,
            task=name,
        )
    for kind in dict.fromkeys(str(item["label"]) for item in value if "label" in item and "start" in item):
        yield Label(subject=name, rater=rater, verdict="found", criterion=f"{question}: {kind}")


LOADER = LabelLoader(
    name="argilla",
    what="Argilla: records with responses by question and user, nested, flat or of a feedback dataset",
    sniff=_sniff,
    load=_load,
    rank=25,
)
