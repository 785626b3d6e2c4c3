"""Rubrics from plain data: the published format ``assay.rubric/1``, and the short forms people already have.

A file that says ``schema: assay.rubric/1`` is held to the format: names, keys and the scale are given. One that does not
is short: a list of criteria, or a table with one. There a criterion may be a bare text, its text may be called what
other tools call it, and what is missing is filled in: keys from the texts, the scale ``ternary``, one call for each
criterion, and compliance for the overall score.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any, Final, get_args

import msgspec

from assay.decoding import fail, kind_of
from assay.located import LocatedData
from assay.rubrics.fields import LARGEST, FieldTable, plain_text
from assay.rubrics.keys import KEY, made_keys, slug, unique
from assay.rubrics.rubric import PAIR_SCALE, SCHEMA, Aggregate, Criterion, Rubric, Target
from assay.rubrics.scale import Scale
from assay.rubrics.scales import load_scale, parse_pair_scale, parse_scale
from assay.text.words import has_cjk

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_FIELDS: Final = (
    "schema", "name", "title", "source", "about", "about_zh", "targets", "aggregate", "ask", "scale", "pair_scale",
    "criteria",
)  # fmt: skip
_CRITERION_FIELDS: Final = ("key", "asks", "asks_zh", "title", "weight", "scale", "notes")
# What other tools call the text of a criterion.
_TEXTS: Final = ("asks", "criterion", "requirement", "text")
# What other tools say besides; kept for people.
_EXTRAS: Final = ("axis", "category", "mandatory", "tags")
_SHORT_FIELDS: Final = (*_CRITERION_FIELDS, *_TEXTS[1:], "explanation", "name", "id", *_EXTRAS)
_LONGEST_TITLE: Final = 60
_LONGEST_CJK_TITLE: Final = 30
_ASKS: Final = ("together", "each")


def parse_rubric(data: Any, *, where: str = "rubric", name: str = "") -> Rubric:
    """Return a rubric from plain data, in the published format or a short form.

    Args:
        data: A list, a table, or a `LocatedData` that holds one.
        where: Its place, for messages.
        name: Its name, if it has none itself.

    Raises:
        InputError: It is no rubric; the message names the place inside, the value, and what would fit.
    """
    source = data if isinstance(data, LocatedData) else LocatedData(data, where)
    value = source.data
    name = name or slug(PurePath(source.name).stem).replace("_", "-") or "rubric"
    if isinstance(value, list):
        return _short(source, FieldTable(source, "", {}, _FIELDS), value, "", name)
    if not isinstance(value, dict):
        fail(source, "", f"is {kind_of(value)}; a rubric is a list of criteria, or a table with 'criteria'")
    if "schema" in value:
        return _canonical(source, FieldTable(source, "", value, _FIELDS))
    table = FieldTable(source, "", value, (*_FIELDS, "rubrics"))
    key = "rubrics" if "rubrics" in table and "criteria" not in table else "criteria"
    table.need(key)
    if "rubrics" in table and key == "criteria":
        table.fail("rubrics", "stands beside criteria; which of them is meant?")
    return _short(source, table, value[key], key, name)


def dump_rubric(rubric: Rubric) -> dict[str, Any]:
    """Return a rubric as plain data in the published format; `parse_rubric` reads it back to an equal one."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(rubric))
    data.pop("schema", None)
    return {"schema": rubric.schema, **data}


def _canonical(source: LocatedData, table: FieldTable) -> Rubric:
    if table.value["schema"] != SCHEMA:
        table.fail("schema", f"is {table.value['schema']!r}; this version of Assay reads {SCHEMA}")
    table.need("name", "scale", "criteria")
    items = _items(source, table.value["criteria"], "criteria")
    criteria = [_criterion(source, f"criteria[{index}]", item) for index, item in enumerate(items)]
    return _rubric(
        table,
        criteria,
        table.value["name"],
        parse_scale(source, "scale", table.value["scale"]),
        ("mean", "together"),
    )


def _criterion(source: LocatedData, path: str, item: Any) -> Criterion:
    table = FieldTable(source, path, item, _CRITERION_FIELDS)
    table.need("key", "asks")
    return _built(table, _key(table), table.text("asks", empty=False), table.text("title"), _notes(table))


def _short(source: LocatedData, table: FieldTable, value: Any, key: str, name: str) -> Rubric:
    items = _items(source, value, key)
    tables = [_entry(source, f"{key}[{index}]", item) for index, item in enumerate(items)]
    texts = [_asks(entry) for entry in tables]
    made = made_keys(texts)
    given = {index: _key(entry) for index, entry in enumerate(tables) if "key" in entry}
    identities = [_identity(entry) for entry in tables]
    names = [entry.text("name") or identities[index] for index, entry in enumerate(tables)]
    # Keys that are given stay; those made from names give way.
    rest = [slug(names[index]) or made[index] for index in range(len(tables)) if index not in given]
    fresh = iter(unique([*given.values(), *rest])[len(given) :])
    criteria = [
        _built(
            entry,
            given[index] if index in given else next(fresh),
            texts[index],
            _title(entry, texts[index]),
            _notes(entry) | {extra: entry.value[extra] for extra in _EXTRAS if extra in entry},
        )
        for index, entry in enumerate(tables)
    ]
    scale = parse_scale(source, "scale", table.value["scale"]) if "scale" in table else load_scale("ternary")
    return _rubric(table, criteria, table.value.get("name", name), scale, ("compliance", "each"))


def _entry(source: LocatedData, path: str, item: Any) -> FieldTable:
    if isinstance(item, str):
        return FieldTable(source, path, {"text": item}, _SHORT_FIELDS)
    if not isinstance(item, dict):
        fail(source, path, f"is {kind_of(item)}; a criterion is a text or a table", "quotes make text of it")
    return FieldTable(source, path, item, _SHORT_FIELDS)


def _asks(entry: FieldTable) -> str:
    named = [key for key in _TEXTS if key in entry]
    if not named:
        fail(entry.source, entry.path, f"has no text; it is called {', '.join(_TEXTS[:-1])} or {_TEXTS[-1]}")
    if len(named) > 1:
        entry.fail(named[1], f"stands beside {named[0]}; which of them is asked?")
    text = plain_text(entry.source, entry.at(named[0]), entry.value[named[0]])
    if "explanation" not in entry:
        return text
    more = entry.text("explanation", empty=False)
    return f"{text}{': ' if text.isascii() else '：'}{more}"


def _title(entry: FieldTable, text: str) -> str:
    """Return the title: the given one, or the beginning of the text if the key is made from it."""
    title = (
        entry.text("title")
        or entry.text("name")
        or (entry.text("criterion") if "explanation" in entry else "")
    )
    if title or "key" in entry:
        return title
    longest = _LONGEST_CJK_TITLE if has_cjk(text) else _LONGEST_TITLE
    return text if len(text) <= longest else text[:longest].rstrip() + "…"


def _identity(entry: FieldTable) -> str:
    value = entry.value.get("id", "")
    if isinstance(value, bool | None | list | dict):
        entry.fail("id", f"is {kind_of(value)}; it must be text or a whole number")
    if isinstance(value, float) and not value.is_integer():
        entry.fail("id", f"is {value}; it must be text or a whole number")
    if isinstance(value, int | float):
        return str(int(value))[:20]
    return entry.text("id")


def _items(source: LocatedData, value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        fail(source, path, f"is {kind_of(value)}; it must be a list of criteria")
    if not value:
        fail(
            source, path, "is empty; a rubric has at least one criterion" if path else "there are no criteria"
        )
    return value


def _key(table: FieldTable) -> str:
    key = table.value["key"]
    if not isinstance(key, str) or not KEY.fullmatch(key):
        offer = slug(key) if isinstance(key, str) else ""
        hint = f"write {offer}" if offer else None
        table.fail(
            "key",
            f"is {key!r}; it must be lower-case ASCII words joined by underscores, at most 64 characters",
            hint,
        )
    return key


def _notes(table: FieldTable) -> dict[str, Any]:
    notes = table.value.get("notes", {})
    if not isinstance(notes, dict):
        table.fail("notes", f"is {kind_of(notes)}; it must be a table")
    return notes


def _built(table: FieldTable, key: str, asks: str, title: str, notes: dict[str, Any]) -> Criterion:
    weight = table.number("weight", 1.0)
    if weight == 0:
        table.fail("weight", f"is 0; it must be a number from -{LARGEST:.0e} to {LARGEST:.0e} other than 0")
    scale: Scale | None = None
    if "scale" in table:
        scale = parse_scale(table.source, table.at("scale"), table.value["scale"])
    return Criterion(
        key=key,
        asks=asks,
        asks_zh=table.text("asks_zh"),
        title=title,
        weight=weight,
        scale=scale,
        notes=notes,
    )


def _rubric(
    table: FieldTable, criteria: list[Criterion], name: Any, scale: Scale, usual: tuple[str, str]
) -> Rubric:
    """Return the rubric; ``usual`` gives the aggregate and the way of asking if the file names none."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        table.fail(
            "name",
            f"is {name!r}; it must be lower-case letters, digits, '.', '_' and '-', at most 64 of them",
        )
    seen: dict[str, int] = {}
    for index, item in enumerate(criteria):
        if item.key in seen:
            path = next((name for name in ("criteria", "rubrics") if name in table), "")
            fail(
                table.source,
                f"{path}[{index}].key",
                f"is {item.key!r}, which {path}[{seen[item.key]}] has already",
            )
        seen[item.key] = index
    pair = PAIR_SCALE
    if "pair_scale" in table:
        pair = parse_pair_scale(table.source, "pair_scale", table.value["pair_scale"])
    return Rubric(
        name=name,
        criteria=tuple(criteria),
        scale=scale,
        pair_scale=pair,
        title=table.text("title"),
        source=table.text("source"),
        about=table.text("about"),
        about_zh=table.text("about_zh"),
        targets=_targets(table),
        aggregate=table.choice("aggregate", get_args(Aggregate), usual[0]),  # type: ignore[arg-type]
        ask=table.choice("ask", _ASKS, usual[1]),  # type: ignore[arg-type]
    )


def _targets(table: FieldTable) -> tuple[Target, ...]:
    value = table.value.get("targets", [])
    if not isinstance(value, list):
        table.fail("targets", f"is {kind_of(value)}; it must be a list of {', '.join(get_args(Target))}")
    for index, item in enumerate(value):
        if item not in get_args(Target):
            fail(table.source, f"targets[{index}]", f"is {item!r}; there are {', '.join(get_args(Target))}")
    return tuple(value)
