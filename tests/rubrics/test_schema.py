"""The published schema and the loader agree: what one takes the other takes, and both refuse a near miss."""

import copy

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.located import read_data_file
from assay.rubrics.loader import read_rubric, rubric_names
from assay.rubrics.rubric_file import dump_rubric, parse_rubric, rubric_schema
from assay.rubrics.scales import DATA, scale_names

SCHEMA = rubric_schema()
VALID = jsonschema.Draft202012Validator(SCHEMA)
SCALE = jsonschema.Draft202012Validator({"$ref": "#/$defs/ScaleFile", "$defs": SCHEMA["$defs"]})


def refusal(data):
    """What the loader says against it, or None."""
    try:
        parse_rubric(data, name="x")
    except InputError as error:
        return str(error)
    return None


def test_it_is_a_schema_of_its_own():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "urn:assay:rubric:1"
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("name", rubric_names())
def test_data_files_and_dumps_fit(name):
    rubric, source = read_rubric(name)
    VALID.validate(source.data)
    VALID.validate(dump_rubric(rubric))


@pytest.mark.parametrize("name", scale_names())
def test_named_scales_fit(name):
    SCALE.validate(read_data_file(DATA / "scales" / f"{name}.yaml").data)


def test_it_knows_the_named_scales():
    (offered,) = [
        kind["enum"]
        for kind in SCHEMA["$defs"]["RubricFile"]["properties"]["scale"]["anyOf"]
        if "enum" in kind
    ]
    assert offered == list(scale_names())
    for name in offered:
        pair = {"criteria": ["a"], "pair_scale": name}
        assert VALID.is_valid(pair) == (refusal(pair) is None)


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(str.strip)
MAYBE_TEXT = st.one_of(TEXT, st.just(""))
WEIGHT = st.one_of(st.integers(-9, 9), st.floats(-1e6, 1e6, allow_nan=False)).filter(bool)
VALUE = st.one_of(st.none(), st.integers(-2, 2), st.floats(-1, 1, allow_nan=False))


@st.composite
def scales(draw):
    kind = draw(st.sampled_from(["name", "numbers", "choices", "labels", "counted"]))
    if kind == "name":
        return draw(st.sampled_from(scale_names()))
    labels = draw(
        st.lists(TEXT, min_size=2, max_size=4, unique_by=lambda text: " ".join(text.split()).casefold())
    )
    if kind == "labels":
        return {"choices": labels}
    if kind == "counted":
        return {"choices": {label: draw(VALUE) for label in labels}}
    if kind == "choices":
        extra = {"value": VALUE, "means": MAYBE_TEXT, "means_zh": MAYBE_TEXT}
        return {
            "choices": [
                {"label": label} | draw(st.fixed_dictionaries({}, optional=extra)) for label in labels
            ]
        }
    low = draw(st.integers(-3, 3))
    high = low + draw(st.integers(1, 12))
    anchors = st.dictionaries(st.integers(low, high).map(str), TEXT, max_size=3)
    more = {"step": st.sampled_from([0, 0.5, 1]), "anchors": anchors, "anchors_zh": anchors}
    return {"low": low, "high": high} | draw(st.fixed_dictionaries({}, optional=more))


NAME = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,9}", fullmatch=True)
KEY = st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True)
PAIR = st.sampled_from(
    [
        "pair-four-way",
        {"choices": ["A>B", "A<B"]},
        {"choices": {"A>B": 1, "A<B": -1, "tie": 0}},
        {"choices": ["A<B", {"label": "A>B", "value": 2}, {"label": "both_bad"}]},
    ]
)
HEAD = {
    "title": MAYBE_TEXT,
    "source": MAYBE_TEXT,
    "about": MAYBE_TEXT,
    "about_zh": MAYBE_TEXT,
    "targets": st.lists(st.sampled_from(["report", "trajectory", "chunk", "step"]), max_size=2),
    "aggregate": st.sampled_from(["mean", "sum", "compliance", "none"]),
    "ask": st.sampled_from(["together", "each"]),
    "pair_scale": PAIR,
}
ITEM = {
    "asks_zh": MAYBE_TEXT,
    "title": MAYBE_TEXT,
    "weight": WEIGHT,
    "scale": scales(),
    "notes": st.dictionaries(TEXT, TEXT, max_size=2),
}


@st.composite
def canonical(draw):
    keys = draw(st.lists(KEY, min_size=1, max_size=4, unique=True))
    rows = [{"key": key, "asks": draw(TEXT)} | draw(st.fixed_dictionaries({}, optional=ITEM)) for key in keys]
    head = {"schema": "assay.rubric/1", "name": draw(NAME), "scale": draw(scales()), "criteria": rows}
    return head | draw(st.fixed_dictionaries({}, optional=HEAD))


@st.composite
def short_criteria(draw):
    extra = {
        **ITEM,
        "name": MAYBE_TEXT,
        "id": st.one_of(MAYBE_TEXT, st.integers(0, 99)),
        "explanation": TEXT,
        "axis": TEXT,
        "category": TEXT,
        "mandatory": st.booleans(),
        "tags": st.lists(TEXT, max_size=2),
    }
    rows = []
    for index in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            rows.append(draw(TEXT))
            continue
        called = draw(st.sampled_from(["asks", "criterion", "requirement", "text"]))
        row = {called: draw(TEXT)} | draw(st.fixed_dictionaries({}, optional=extra))
        if draw(st.booleans()):
            row["key"] = f"k{index}_{draw(KEY)}"
        rows.append(row)
    return rows


@st.composite
def short(draw):
    head = {"name": NAME, "scale": scales(), **HEAD}
    called = draw(st.sampled_from(["criteria", "rubrics"]))
    return {called: draw(short_criteria())} | draw(st.fixed_dictionaries({}, optional=head))


ANY = st.one_of(canonical(), short_criteria(), short())


@settings(deadline=None)
@given(ANY)
def test_what_the_schema_takes_loads(data):
    VALID.validate(data)
    rubric = parse_rubric(data, name="x")
    VALID.validate(dump_rubric(rubric))
    assert parse_rubric(dump_rubric(rubric)) == rubric


def places(data, path=()):
    """Every place in it whose form is checked: what people keep in notes may be anything."""
    yield path
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            if key not in ("notes", "axis", "category", "mandatory", "tags"):
                yield from places(value, (*path, key))


WRONG = [
    None,
    True,
    0,
    -1,
    "",
    " ",
    "x\x00",
    "nonsense",
    3.5,
    10**10,
    [],
    {},
    [[]],
    ["A>B"],
    {"label": 1},
    {"x": 1},
]


@st.composite
def near_misses(draw):
    data = copy.deepcopy(draw(ANY))
    path = draw(st.sampled_from(list(places(data))))
    how = draw(st.sampled_from(["replace", "remove", "add", "rename"]))
    parent = data
    for key in path[:-1]:
        parent = parent[key]
    here = parent[path[-1]] if path else data
    if how == "add" and isinstance(here, dict):
        here[
            draw(st.sampled_from(["extra", "key", "scale", "weight", "criteria", "low", "choices", "text"]))
        ] = draw(st.sampled_from(WRONG))
    elif how == "rename" and path and isinstance(parent, dict) and isinstance(path[-1], str):
        parent[path[-1] + "s"] = parent.pop(path[-1])
    elif how == "remove" and path:
        del parent[path[-1]]
    elif path:
        parent[path[-1]] = draw(st.sampled_from(WRONG))
    else:
        data = draw(st.sampled_from(WRONG))
    return data


# What a JSON schema cannot say; the loader refuses it alone.
BEYOND = (
    "already", "above low", "whole steps", "not a number of the scale", "a second time", "do not mind case",
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(near_misses())
@example({"criteria": ["a"], "pair_scale": {"choices": {"A>B": 1, "A<B": -1, "ties": 0}}})
def test_near_misses_are_refused_by_both(data):
    said = refusal(data)
    if said is None:
        assert VALID.is_valid(data)
    elif VALID.is_valid(data):
        assert any(words in said for words in BEYOND)
