"""Rubrics from plain data: the published format ``assay.rubric/1``, and the short forms people already have.

A file with ``schema: assay.rubric/1`` must give names, keys and the scale. A file without it is short: a list of
criteria, or a table with one. There a criterion may be a bare text, its text may be called what other tools call it,
and the rest is filled in: keys from the texts, the scale ``ternary``, one call for each criterion, and compliance for
the overall score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from assay.decoding import FieldError, decode, fail, kind_of
from assay.errors import UsageError
from assay.located import LocatedData
from assay.rubrics.keys import KEY, made_keys, slug, unique
from assay.rubrics.rubric import PAIR_SCALE, SCHEMA, Aggregate, Criterion, Rubric, Target
from assay.rubrics.scale import Scale
from assay.rubrics.scales import (
    LARGEST,
    FilledLine,
    Line,
    PairScaleFile,
    Preference,
    ScaleFile,
    ScaleName,
    load_scale,
    one_line,
    scale_names,
    scale_of,
)
from assay.schemas import json_schema
from assay.text.words import has_cjk

# What other tools call the text of a criterion.
_TEXTS: Final = ("asks", "criterion", "requirement", "text")
# Fields of other tools that are kept in the notes.
_EXTRAS: Final = ("axis", "category", "mandatory", "tags")
_LONGEST_TITLE: Final = 60
_LONGEST_CJK_TITLE: Final = 30

_Name = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$(?!\n)",
        extra={"expected": "lower-case letters, digits, '.', '_' and '-', at most 64 of them"},
    ),
]
_Key = Annotated[str, Meta(extra_json_schema={"pattern": rf"^{KEY.pattern}$"})]
_Weight = Annotated[
    float, Meta(ge=-LARGEST, le=LARGEST, extra_json_schema={"not": {"const": 0}, "default": 1})
]


class CriterionFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A criterion.

    Attributes:
        key: Its name in results: lower-case words joined by underscores.
        asks: The question, in the words the judge reads.
        asks_zh: The question in Chinese.
        title: Its name for people.
        weight: Its weight in the overall score; negative if meeting it is bad.
        scale: Its own scale, if it differs from the rubric's.
        notes: Anything else about it; not shown to the judge.
    """

    key: _Key
    asks: FilledLine
    asks_zh: Line = ""
    title: Line = ""
    weight: _Weight = 1.0
    scale: ScaleName | ScaleFile | UnsetType = UNSET
    notes: dict[str, Any] = {}

    def __post_init__(self) -> None:
        _check_key(self.key)
        _check_weight(self.weight)


class ShortCriterionFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A criterion as other tools write it.

    Attributes:
        key: Its name in results.
        name: Its name for people; makes the key if none is given.
        id: Makes the key if neither key nor name is given.
        asks: Its text.
        criterion: Its text.
        requirement: Its text.
        text: Its text.
        explanation: Added to the text.
        asks_zh: The text in Chinese.
        title: Its name for people.
        weight: Its weight in the overall score; negative if meeting it is bad.
        scale: Its own scale, if it differs from the rubric's.
        notes: Anything else about it; not shown to the judge.
        axis: Kept in the notes.
        category: Kept in the notes.
        mandatory: Kept in the notes.
        tags: Kept in the notes.
    """

    key: _Key | UnsetType = UNSET
    name: Line = ""
    id: Line | int = ""
    asks: FilledLine | UnsetType = UNSET
    criterion: FilledLine | UnsetType = UNSET
    requirement: FilledLine | UnsetType = UNSET
    text: FilledLine | UnsetType = UNSET
    explanation: FilledLine | UnsetType = UNSET
    asks_zh: Line = ""
    title: Line = ""
    weight: _Weight = 1.0
    scale: ScaleName | ScaleFile | UnsetType = UNSET
    notes: dict[str, Any] = {}
    axis: Any = UNSET
    category: Any = UNSET
    mandatory: Any = UNSET
    tags: Any = UNSET

    def __post_init__(self) -> None:
        if self.key is not UNSET:
            _check_key(self.key)
        _check_weight(self.weight)
        named = [name for name in _TEXTS if getattr(self, name) is not UNSET]
        if not named:
            raise FieldError("", f"has no text; it is called {', '.join(_TEXTS[:-1])} or {_TEXTS[-1]}")
        if len(named) > 1:
            raise FieldError(named[1], f"cannot be combined with {named[0]}; keep one of them")

    def question(self) -> str:
        """Return the text, with the explanation if there is one."""
        text = next(one_line(text) for name in _TEXTS if isinstance(text := getattr(self, name), str))
        if self.explanation is UNSET:
            return text
        return f"{text}{': ' if text.isascii() else '：'}{one_line(self.explanation)}"

    def heading(self) -> str:
        """Return the title: the given one, or the beginning of the text if the key is made from it."""
        explained = self.criterion if self.explanation is not UNSET and self.criterion is not UNSET else ""
        title = one_line(self.title) or one_line(self.name) or one_line(explained)
        if title or self.key is not UNSET:
            return title
        text = self.question()
        longest = _LONGEST_CJK_TITLE if has_cjk(text) else _LONGEST_TITLE
        return text if len(text) <= longest else text[:longest].rstrip() + "…"

    def label(self) -> str:
        """Return the name or the id, from which a key can be made; empty if there is neither."""
        return one_line(self.name) or (str(self.id)[:20] if isinstance(self.id, int) else one_line(self.id))


_ShortCriteria = Annotated[list[ShortCriterionFile | FilledLine], Meta(min_length=1)]


class _RubricHead(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What rubric files of both forms say about the whole.

    Attributes:
        title: Its name for people.
        source: Where it comes from.
        about: What it is for; shown to the judge before the criteria.
        about_zh: The same in Chinese.
        targets: Kinds of subjects it is made for; empty for any.
        aggregate: How the overall score is computed: weighted mean; weighted sum; weighted sum over the positive
            weights;
            not at all.
        ask: All criteria in one call, or each in a call of its own.
        pair_scale: Scale of the criteria when two subjects are compared.
    """

    title: Line = ""
    source: Line = ""
    about: Line = ""
    about_zh: Line = ""
    targets: list[Target] = []
    aggregate: Aggregate | UnsetType = UNSET
    ask: Literal["together", "each"] | UnsetType = UNSET
    pair_scale: Literal["pair-four-way"] | PairScaleFile | UnsetType = UNSET


class RubricFile(_RubricHead, forbid_unknown_fields=True, kw_only=True):
    """A rubric in the published format: everything is given.

    Attributes:
        schema: Version of the format.
        name: Its name on the command line.
        scale: Scale of the criteria.
        criteria: The criteria, in order.
    """

    schema: Literal["assay.rubric/1"]
    name: _Name
    scale: ScaleName | ScaleFile
    criteria: Annotated[list[CriterionFile], Meta(min_length=1)]


class ShortRubricFile(_RubricHead, forbid_unknown_fields=True, kw_only=True):
    """A short rubric: a table without schema, in which missing fields are filled in.

    Attributes:
        name: Its name; the name of the file if there is none.
        scale: Scale of the criteria; ternary if there is none.
        criteria: The criteria: texts, or tables as other tools write them.
        rubrics: The same under another name.
    """

    name: _Name | UnsetType = UNSET
    scale: ScaleName | ScaleFile | UnsetType = UNSET
    criteria: _ShortCriteria | UnsetType = UNSET
    rubrics: _ShortCriteria | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.criteria is UNSET and self.rubrics is UNSET:
            raise FieldError("", "there is no 'criteria'")
        if self.criteria is not UNSET and self.rubrics is not UNSET:
            raise FieldError("rubrics", "cannot be combined with criteria; keep one of them")


def parse_rubric(data: Any, *, where: str = "rubric", name: str = "") -> Rubric:
    """Return a rubric from plain data, in the published format or a short form.

    Args:
        data: A list, a table, or a `LocatedData` that holds one.
        where: Its place, for messages.
        name: Its name, if it has none itself.

    Raises:
        InputError: The data is not a rubric; the message names the place inside, the value, and what would fit.
    """
    source = data if isinstance(data, LocatedData) else LocatedData(data, where)
    value = source.data
    name = name or slug(PurePath(source.name).stem).replace("_", "-") or "rubric"
    if value == []:
        fail(source, "", "there are no criteria")
    if isinstance(value, list):
        items: list[ShortCriterionFile | str] = decode(source, _ShortCriteria)
        return _short(source, ShortRubricFile(criteria=items), "", name)
    if not isinstance(value, dict):
        fail(source, "", f"is {kind_of(value)}; a rubric is a list of criteria, or a table with 'criteria'")
    if "schema" not in value:
        short = decode(source, ShortRubricFile)
        return _short(source, short, "criteria" if short.rubrics is UNSET else "rubrics", name)
    if value["schema"] != SCHEMA:
        fail(source, "schema", f"is {value['schema']!r}; this version of Assay reads {SCHEMA}")
    file = decode(source, RubricFile)
    criteria = [
        _criterion(
            source,
            f"criteria[{index}]",
            item,
            key=item.key,
            asks=one_line(item.asks),
            title=one_line(item.title),
            notes=item.notes,
        )
        for index, item in enumerate(file.criteria)
    ]
    return _rubric(
        source,
        file,
        field="criteria",
        criteria=criteria,
        name=file.name,
        scale=scale_of(source, "scale", file.scale),
    )


def rubric_of(
    criteria: Mapping[str, float] | Iterable[str | Criterion],
    *,
    scale: str | Scale,
    aggregate: Aggregate,
    name: str | None,
) -> Rubric:
    """Return a rubric of texts, texts with weights, and criteria; see `Rubric.of`."""
    if isinstance(criteria, str):
        raise UsageError("criteria is one text; write a list of texts, or Rubric.load reads a file")
    given = list(criteria)
    weights = dict(criteria) if isinstance(criteria, Mapping) else {}
    texts = [
        {"text": item, "weight": weights.get(item, 1)} for item in given if not isinstance(item, Criterion)
    ]
    chosen = scale if isinstance(scale, Scale) else load_scale(scale)
    made = iter(parse_rubric(texts).criteria if texts or not given else ())
    items = tuple(item if isinstance(item, Criterion) else next(made) for item in given)
    return Rubric(name=name or "rubric", criteria=items, scale=chosen, aggregate=aggregate, ask="each")


def dump_rubric(rubric: Rubric) -> dict[str, Any]:
    """Return a rubric as plain data in the published format; `parse_rubric` reads it back to an equal one."""
    return rubric.to_dict()


def rubric_schema() -> dict[str, Any]:
    """Return the JSON schema of rubric files, their short forms included."""
    definitions: dict[str, Any] = {}
    for kind in (RubricFile, ShortRubricFile):
        schema = json_schema(kind, schema_id="", title=kind.__name__)
        definitions |= schema.pop("$defs")
        definitions[kind.__name__] = {key: value for key, value in schema.items() if not key.startswith("$")}
    definitions["ShortCriterionFile"]["oneOf"] = [{"required": [name]} for name in _TEXTS]
    definitions["ShortRubricFile"]["oneOf"] = [{"required": ["criteria"]}, {"required": ["rubrics"]}]
    scale = definitions["ScaleFile"]
    definitions["ScaleFile"] = {
        **scale,
        "oneOf": [{"required": ["choices"]}, {"required": ["low", "high"]}],
        "dependentSchemas": {
            "choices": {"properties": dict.fromkeys(("low", "high", "step", "anchors", "anchors_zh"), False)}
        },
    }
    named = [
        {
            "contains": {
                "anyOf": [{"const": name}, {"type": "object", "properties": {"label": {"const": name}}}]
            }
        }
        for name in ("A>B", "A<B")
    ]
    # msgspec's schema of a table does not restrict its keys.
    table = {
        "type": "object",
        "required": ["A>B", "A<B"],
        "propertyNames": {"enum": list(get_args(Preference))},
    }
    both = {"anyOf": [{"type": "array", "allOf": named}, table]}
    choices = definitions["PairScaleFile"]["properties"]["choices"]
    definitions["PairScaleFile"]["properties"]["choices"] = {"allOf": [choices, both]}
    _offer_names(definitions)
    short = definitions["ShortRubricFile"]["properties"]["criteria"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:assay:rubric:1",
        "title": "Assay rubric, version 1, and its short forms",
        "description": "Checked only when the file is read: keys and labels are unique, low is below high and whole steps "
        "lead there, anchors are numbers of the scale.",
        "oneOf": [{"$ref": "#/$defs/RubricFile"}, {"$ref": "#/$defs/ShortRubricFile"}, short],
        "$defs": definitions,
    }


def _offer_names(schema: Any) -> None:
    """Put the names of the scales wherever a schema takes one."""
    if isinstance(schema, dict):
        if schema.get("title") == "Name of a scale":
            schema["enum"] = list(scale_names())
        for value in schema.values():
            _offer_names(value)
    elif isinstance(schema, list):
        for value in schema:
            _offer_names(value)


def _check_key(key: str) -> None:
    if not KEY.fullmatch(key):
        problem = (
            f"is {key!r}; it must be lower-case ASCII words joined by underscores, at most 64 characters"
        )
        raise FieldError("key", problem, f"write {offer}" if (offer := slug(key)) else None)


def _check_weight(weight: float) -> None:
    if weight == 0:
        raise FieldError(
            "weight", f"is 0; it must be a number from -{LARGEST:.0e} to {LARGEST:.0e} other than 0"
        )


def _short(source: LocatedData, file: ShortRubricFile, field: str, name: str) -> Rubric:
    given = file.criteria if file.criteria is not UNSET else file.rubrics
    items = [
        item if isinstance(item, ShortCriterionFile) else ShortCriterionFile(text=item)
        for item in (given if given is not UNSET else ())
    ]
    texts = [item.question() for item in items]
    keys = {index: item.key for index, item in enumerate(items) if item.key is not UNSET}
    from_texts = made_keys(texts)
    # Keys that are given stay; those made from names give way.
    rest = [slug(item.label()) or from_texts[index] for index, item in enumerate(items) if index not in keys]
    fresh = iter(unique([*keys.values(), *rest])[len(keys) :])
    criteria = [
        _criterion(
            source,
            f"{field}[{index}]",
            item,
            key=keys[index] if index in keys else next(fresh),
            asks=texts[index],
            title=item.heading(),
            notes=item.notes
            | {extra: value for extra in _EXTRAS if (value := getattr(item, extra)) is not UNSET},
        )
        for index, item in enumerate(items)
    ]
    scale = load_scale("ternary") if file.scale is UNSET else scale_of(source, "scale", file.scale)
    return _rubric(
        source,
        file,
        field=field,
        criteria=criteria,
        name=name if file.name is UNSET else file.name,
        scale=scale,
    )


def _criterion(
    source: LocatedData,
    path: str,
    item: CriterionFile | ShortCriterionFile,
    *,
    key: str,
    asks: str,
    title: str,
    notes: dict[str, Any],
) -> Criterion:
    return Criterion(
        key=key,
        asks=asks,
        asks_zh=one_line(item.asks_zh),
        title=title,
        weight=item.weight,
        scale=None if item.scale is UNSET else scale_of(source, f"{path}.scale", item.scale),
        notes=notes,
    )


def _rubric(
    source: LocatedData,
    file: RubricFile | ShortRubricFile,
    *,
    field: str,
    criteria: Sequence[Criterion],
    name: str,
    scale: Scale,
) -> Rubric:
    seen: dict[str, str] = {}
    for index, item in enumerate(criteria):
        path = f"{field}[{index}]"
        other = seen.setdefault(item.key, path)
        if other != path:
            fail(source, f"{path}.key", f"is {item.key!r}, which {other} has already")
    short = isinstance(file, ShortRubricFile)
    return Rubric(
        name=name,
        criteria=tuple(criteria),
        scale=scale,
        pair_scale=PAIR_SCALE
        if file.pair_scale is UNSET
        else scale_of(source, "pair_scale", file.pair_scale),
        title=one_line(file.title),
        source=one_line(file.source),
        about=one_line(file.about),
        about_zh=one_line(file.about_zh),
        targets=tuple(file.targets),
        aggregate=file.aggregate if file.aggregate is not UNSET else "compliance" if short else "mean",
        ask=file.ask if file.ask is not UNSET else "each" if short else "together",
    )
