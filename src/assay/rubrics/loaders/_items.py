"""What the loaders share: fields of a row, criteria by the names other tools give them, and the task they make."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from assay.decoding import fail, kind_of
from assay.errors import InputError
from assay.located import LocatedData
from assay.rubrics.loaders.base import Row, RowOrigin
from assay.rubrics.rubric_file import parse_rubric
from assay.rubrics.tasks import DOMAINS, LEVELS, Complexity, RubricTask

IDS: Final = ("id", "sample_id", "prompt_id", "task_id", "index")
QUERIES: Final = ("prompt", "query", "question", "instruction", "task")
# What tools call the text of a criterion, and its weight.
TEXTS: Final = ("criterion", "point", "requirement", "text", "asks", "criteria_description", "description")
TITLES: Final = ("title", "name")
WEIGHTS: Final = ("weight", "points")
_OWN: Final = ("asks_zh", "explanation", "key", "axis", "mandatory", "category", "tags")
_DOMAINS: Final[Mapping[str, str]] = {name.casefold(): name for name in DOMAINS}


def row_id(row: Row, place: RowOrigin) -> str:
    """Return the id in a row, or the one that its origin provides."""
    name = _first(row, IDS)
    if name is None:
        return place.id
    value = row[name]
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        found = "is empty" if isinstance(value, str) else f"is {kind_of(value)}"
        raise InputError(f"{name} {found}; it must be text or a whole number", where=place.where)
    return _text(" ".join(str(value).split()), name, place)


def row_query(row: Row, place: RowOrigin) -> str:
    """Return the question of a row: text, or the messages of a conversation one below the other."""
    name = _first(row, QUERIES)
    if name is None:
        raise InputError(f"has no question; it is called {', '.join(QUERIES)}", where=place.where)
    value = row[name]
    if isinstance(value, list) and value and all(_is_message(item) for item in value):
        if len(value) == 1:
            value = value[0]["content"]
        else:
            value = "\n\n".join(f"{item['role']}: {item['content'].strip()}" for item in value)
    if not isinstance(value, str) or not value.strip():
        found = "is empty" if isinstance(value, str) else f"is {kind_of(value)}"
        raise InputError(f"{name} {found}; it must be the text of the question", where=place.where)
    return _text(value.strip(), name, place)


def level(row: Row, name: str, place: RowOrigin) -> str:
    """Return one of the three levels, lower-case; empty if the row has none."""
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(
            f"{name} is {kind_of(value)}; it must be text: {', '.join(LEVELS[name])}", where=place.where
        )
    return _text(" ".join(value.split()).lower(), name, place)


def entries(row: Row, names: Sequence[str], place: RowOrigin) -> tuple[str, list[Any]]:
    """Return the list of criteria of a row and what it is called.

    A list written as JSON text (as in CSV files) is read.
    """
    name = next((name for name in names if name in row), None)
    if name is None:
        raise InputError(
            f"has no {names[0]!r}; its fields are {_names(row)}", where=place.where, hint="a list of criteria"
        )
    value = row[name]
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise InputError(f"{name} is text; it must be a list of criteria", where=place.where) from None
    if not isinstance(value, list):
        raise InputError(f"{name} is {kind_of(value)}; it must be a list of criteria", where=place.where)
    return name, value


def entry(item: Any, path: str, place: RowOrigin) -> Any:
    """Return a criterion of a foreign row as `assay.rubrics.rubric_file` reads one.

    Known fields by our names, the rest in its notes.
    """
    if not isinstance(item, dict):
        if isinstance(item, str):
            return item
        fail(LocatedData(None, place.where), path, f"is {kind_of(item)}; a criterion is a text or a table")
    text = next((name for name in TEXTS if isinstance(item.get(name), str)), None) or next(
        (name for name in TEXTS if name in item), None
    )
    if text is None:
        fail(
            LocatedData(None, place.where),
            path,
            f"has no text; it is called {', '.join(TEXTS[:4])} or {TEXTS[-1]}, and its fields are {_names(item)}",
        )
    # Under its own name: with an explanation beside it, `criterion` is the title too.
    made: Row = {text if text == "criterion" else "text": item[text]}
    title = _first(item, TITLES)
    if title is not None:
        made["title"] = made["name"] = item[title]
    weight = _first(item, WEIGHTS)
    if weight is not None:
        made["weight"] = item[weight]
    made |= {name: item[name] for name in _OWN if item.get(name) is not None}
    for name in ("axis", "mandatory"):
        kind = str if name == "axis" else bool
        if name in made and not isinstance(made[name], kind):
            wanted = "text" if name == "axis" else "true or false"
            fail(
                LocatedData(None, place.where),
                f"{path}.{name}",
                f"is {kind_of(made[name])}; it must be {wanted}",
            )
    taken = {text, title, weight, "notes", *_OWN}
    notes = item.get("notes")
    kept = dict(notes) if isinstance(notes, dict) else {} if notes is None else {"notes": notes}
    kept |= {name: value for name, value in item.items() if name not in taken and value is not None}
    if kept:
        made["notes"] = kept
    return made


def make_task(
    row: Row,
    place: RowOrigin,
    items: Iterable[tuple[str, Any]],
    *,
    used: Iterable[str],
    domain: str = "domain",
) -> RubricTask:
    """Return a task from its criteria.

    Args:
        row: The row it stands in.
        place: Where that is.
        items: Criteria as `entry` takes them, each with its path in the row.
        used: Fields of the row that are read besides its id, question, domain and levels; others are kept in its notes.
        domain: Which field holds its domain.

    Raises:
        InputError: A criterion is malformed, or there are none.
    """
    pairs = list(items)
    made = [entry(item, path, place) for path, item in pairs]
    name = row_id(row, place)
    try:
        rubric = parse_rubric(LocatedData(made, place.where), name=slug_of(name))
    except InputError as error:
        raise InputError(
            _renamed(error.problem, pairs), where=place.where, hint=error.hint, cli_hint=error.cli_hint
        ) from error
    field = row.get(domain)
    if field is not None and not isinstance(field, str):
        raise InputError(f"{domain} is {kind_of(field)}; it must be text", where=place.where)
    plain = _text(" ".join((field or "").split()), domain, place)
    taken = {*used, _first(row, IDS), _first(row, QUERIES), *LEVELS, domain}
    return RubricTask(
        id=name,
        rubric=rubric,
        query=row_query(row, place),
        domain=_DOMAINS.get(plain.casefold(), plain),
        complexity=Complexity(**{axis: level(row, axis, place) for axis in LEVELS}),
        notes={key: value for key, value in row.items() if key not in taken and value is not None},
    )


def slug_of(name: str) -> str:
    """Return the name of a task's rubric."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower())[:64].strip("-._") or "task"


def _renamed(problem: str, pairs: list[tuple[str, Any]]) -> str:
    """Return the problem with the path that the row uses; the criteria were read as a bare list."""
    index, bracket, rest = problem.removeprefix("[").partition("]")
    if not problem.startswith("[") or not bracket or not index.isdigit() or int(index) >= len(pairs):
        return problem
    path, item = pairs[int(index)]
    # What is called `text` or `weight` here has another name there.
    for ours, theirs in (("text", TEXTS), ("weight", WEIGHTS), ("name", TITLES)):
        if rest.startswith(f".{ours} ") and isinstance(item, dict) and ours not in item:
            said = next((name for name in theirs if name in item), ours)
            rest = f".{said} {rest.removeprefix(f'.{ours} ')}"
    return f"{path}{rest}"


def _first(row: Row, names: Sequence[str]) -> str | None:
    return next((name for name in names if row.get(name) is not None), None)


def _is_message(item: Any) -> bool:
    return (
        isinstance(item, dict) and isinstance(item.get("content"), str) and isinstance(item.get("role"), str)
    )


def _text(text: str, name: str, place: RowOrigin) -> str:
    """Return text that can be shown and hashed."""
    if any((char < " " and char not in "\n\t\r") or "\ud800" <= char <= "\udfff" for char in text):
        raise InputError(f"{name} has a control character", where=place.where)
    return text


def _names(row: Mapping[str, Any]) -> str:
    return ", ".join(str(name)[:40] for name in list(row)[:8]) or "none"
