"""Rubric files: the format, the short forms, and what a mistake is met with."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.located import parse_data
from assay.rubrics.keys import KEY, made_keys, slug, unique
from assay.rubrics.loader import load_rubric, read_rubric, rubric_names
from assay.rubrics.rubric_file import dump_rubric, parse_rubric
from assay.rubrics.scales import load_scale

CANONICAL = """\
schema: assay.rubric/1
name: mine
scale: {low: 1, high: 3, anchors: {1: bad, 3.0: fine}}
criteria:
  - key: first
    asks: Is there a summary?
    weight: 2
  - key: second
    asks: >
      Does it name
      its sources?
    scale: ternary
"""


def file(tmp_path, text, name="mine.yaml"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_the_format(tmp_path):
    rubric = load_rubric(file(tmp_path, CANONICAL))
    assert (rubric.name, rubric.aggregate, rubric.ask) == ("mine", "mean", "together")
    assert rubric.scale.anchors == {"1": "bad", "3": "fine"}
    assert [item.key for item in rubric.criteria] == ["first", "second"]
    assert rubric.criteria[1].asks == "Does it name its sources?"
    assert rubric.scale_of(rubric.criteria[1]) == load_scale("ternary")


@pytest.mark.parametrize("name", rubric_names())
def test_what_is_dumped_is_read_back(name):
    rubric = load_rubric(name)
    again = parse_rubric(json.loads(json.dumps(dump_rubric(rubric))))
    assert again == rubric
    assert again.version == rubric.version


def test_short_forms_agree(tmp_path):
    texts = ["States the 2023 revenue.", "Names the chief executive."]
    forms = [
        texts,
        [{"criterion": text} for text in texts],
        [{"requirement": text, "weight": 1.0} for text in texts],
        [{"text": text} for text in texts],
        {"criteria": texts},
        {"rubrics": [{"asks": text} for text in texts]},
    ]
    rubrics = [parse_rubric(form, name="mine") for form in forms]
    assert all(rubric == rubrics[0] for rubric in rubrics)
    first = rubrics[0]
    assert first.scale == load_scale("ternary")
    assert (first.ask, first.aggregate) == ("each", "compliance")
    assert [item.key for item in first.criteria] == ["c01_2023_revenue", "c02_names_chief_executive"]
    assert load_rubric(file(tmp_path, json.dumps(texts), "mine.json")) == first
    assert load_rubric(str(file(tmp_path, "\n".join(f"- {text}" for text in texts)))) == first


def test_fields_of_other_tools_are_kept_for_people():
    row = {
        "criterion": "Cites a source.",
        "weight": -5,
        "axis": "References",
        "mandatory": True,
        "notes": {"by": "x"},
    }
    item = parse_rubric([row]).criteria[0]
    assert item.weight == -5
    assert item.notes == {"by": "x", "axis": "References", "mandatory": True}


def test_a_criterion_and_its_explanation_are_one_text():
    item = parse_rubric([{"criterion": "Depth", "explanation": "Does it say why?"}]).criteria[0]
    assert (item.asks, item.title) == ("Depth: Does it say why?", "Depth")
    item = parse_rubric([{"criterion": "深度", "explanation": "是否说明原因"}]).criteria[0]
    assert item.asks == "深度：是否说明原因"


def test_names_make_keys_and_titles():
    rubric = parse_rubric(
        [
            {"name": "Factual accuracy", "text": "a"},
            {"name": "Factual accuracy", "text": "b"},
            {"key": "factual_accuracy", "text": "c"},
            {"id": 7, "text": "d"},
            {"id": "准确", "text": "Names the author"},
        ]
    )
    keys = [item.key for item in rubric.criteria]
    assert keys == ["factual_accuracy_2", "factual_accuracy_3", "factual_accuracy", "c_7", "c05_names_author"]
    assert rubric.criteria[0].title == "Factual accuracy"


def test_chinese_criteria_get_keys_any_endpoint_takes():
    rubric = parse_rubric(["是否说明了样本量", "是否比较 Modal 与 Free Jazz", "结论是否有据" * 20])
    assert [item.key for item in rubric.criteria][1] == "c02_modal_free_jazz"
    assert all(KEY.fullmatch(item.key) for item in rubric.criteria)
    assert rubric.criteria[0].name == "是否说明了样本量"
    assert len(rubric.criteria[2].name) == 31


@given(st.lists(st.text(max_size=60), min_size=1, max_size=120))
def test_made_keys_are_well_formed_unique_and_stable(texts):
    keys = made_keys(texts)
    assert all(KEY.fullmatch(key) for key in keys)
    assert len(set(keys)) == len(keys)
    assert keys == made_keys(texts)
    # A text keeps its key whatever comes after it, until the numbers need another digit.
    if len(texts) < 100:
        assert made_keys([*texts[:-1], "other"])[:-1] == keys[:-1]


@given(st.text(max_size=100))
def test_a_slug_is_a_key_or_nothing(text):
    assert not slug(text) or KEY.fullmatch(slug(text))


def test_unique_numbers_what_was_met_before():
    assert unique(["a", "a", "b", "a_2", "a"]) == ["a", "a_2", "b", "a_2_2", "a_3"]


def test_yaml_means_what_it_says(tmp_path):
    text = """\
scale:
  choices: {yes: 1, no: 0, n/a: null, 1: 0.5}
criteria:
  - yes
  - 2024-01-01
  - "on"
"""
    rubric = load_rubric(file(tmp_path, text))
    assert rubric.scale.values() == ("yes", "no", "n/a", "1")
    assert [choice.value for choice in rubric.scale.choices] == [1, 0, None, 0.5]
    assert [item.asks for item in rubric.criteria] == ["yes", "2024-01-01", "on"]


def test_numbers_as_labels():
    scale = parse_rubric(
        {"scale": {"choices": [{"label": 1, "value": 1}, 2.0, "3"]}, "criteria": ["x"]}
    ).scale
    assert scale.values() == ("1", "2", "3")


def test_anchors_of_yaml_may_be_shared(tmp_path):
    text = "criteria:\n  - {text: a, scale: &s {low: 0, high: 3}}\n  - {text: b, scale: *s}\n"
    one, two = load_rubric(file(tmp_path, text)).criteria
    assert one.scale == two.scale


def bomb():
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    for name, of in zip("bcdefg", "abcdef", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{of}'] * 10)}]")
    return "\n".join(lines)


BASE = {"schema": "assay.rubric/1", "name": "x", "scale": "ternary"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "mine.yaml: is empty"),
        ("3", "is a number; a rubric is a list of criteria"),
        ("[]", "there are no criteria"),
        ("criteria: []", "criteria is empty"),
        ("criteria: {a: b}", "criteria is a table; it must be a list"),
        ("name: x", "there is no 'criteria'"),
        ("critera: [a]", "mine.yaml:1: critera is not a field here; did you mean 'criteria'?"),
        (
            "- a\n- wieght: 2\n  text: b",
            "mine.yaml:2: [1].wieght is not a field here; did you mean 'weight'?",
        ),
        (
            "criteria:\n- text: a\n  weight: heavy",
            "mine.yaml:3: criteria[0].weight is 'heavy'; it must be a number",
        ),
        ("criteria:\n- text: a\n  weight: '3'", "is '3'; it must be a number (write it without quotes)"),
        ("- text: a\n  weight: 0", "[0].weight is 0; it must be a number from -1e+09 to 1e+09 other than 0"),
        ("- text: a\n  weight: .nan", "weight is nan; it must be a number, at least"),
        ("- text: a\n  weight: 1e300", "it must be a number, at most 1000000000"),
        ("- text: a\n  weight: true", "weight is true; it must be a number"),
        ("- text: a\n  weight:", "weight is empty; it must be a number"),
        ("- weight: 2", "[0] has no text; it is called asks, criterion, requirement or text"),
        ("- {text: a, criterion: b}", "cannot be combined with criterion; keep one of them"),
        ("- '  '", "[0] is empty; it must be text"),
        ("- 5", "[0] is 5; it must be text or a table (put it in quotes if text is meant)"),
        ("- text: true", "is true; it must be text (put it in quotes if text is meant)"),
        ("- {key: a, text: a}\n- {key: a, text: b}", "[1].key is 'a', which [0] has already"),
        ("- {key: My Key, text: a}", "at most 64 characters (write my_key)"),
        ("a: 1\na: 2", "mine.yaml:2: a occurs twice"),
        ("criteria:\n- text: a\n  text: b", "mine.yaml:3: criteria[0].text occurs twice"),
        ("a: *b", "*b refers to itself or to nothing"),
        ("a: &b [*b]", "*b refers to itself or to nothing"),
        (
            "a: !!python/object/apply:os.system [ls]",
            "the tag 'tag:yaml.org,2002:python/object/apply:os.system'",
        ),
        ("a: [1,", "is not valid YAML"),
        ("a: b\n---\nc: d", "a second document begins"),
        ("- <<: {text: a}", "merge keys (<<) are not read"),
        ("? [a]\n: b", "is used as a key"),
        ("[" * 60, "nested more than 40 deep"),
        (bomb(), "holds more than 200000 values"),
        ("scale: ternry\ncriteria: [a]", "scale is 'ternry', which names no scale; did you mean 'ternary'?"),
        ("scale: {low: 5, high: 1}\ncriteria: [a]", "scale.high is 1; it must be above low, which is 5"),
        ("scale: {low: 1}\ncriteria: [a]", "scale has no 'high'"),
        (
            "scale: {low: 1, high: 2, step: 0.3}\ncriteria: [a]",
            "scale.step is 0.3; it must lead from low to high",
        ),
        (
            "scale: {low: 1, high: 2, step: -1}\ncriteria: [a]",
            "scale.step is -1; it must be a number, at least 0",
        ),
        (
            "scale: {low: 1, high: 2, choices: [a, b]}\ncriteria: [a]",
            "scale.low cannot be combined with choices",
        ),
        ("scale: {choices: [a]}\ncriteria: [a]", "scale.choices has 1 entries; it must have at least 2"),
        (
            "scale: {choices: [a, A]}\ncriteria: [a]",
            "scale.choices[1] is 'A', as choices[0] is; labels do not mind case",
        ),
        (
            "scale: {choices: [a, true]}\ncriteria: [a]",
            "scale.choices[1] is true; it must be a number, text or a table",
        ),
        (
            "scale: {low: 1, high: 5, anchors: {6: x}}\ncriteria: [a]",
            "scale.anchors.6 is not a number of the scale",
        ),
        (
            "scale: {low: 1, high: 5, anchors: {1: x, 1.0: y}}\ncriteria: [a]",
            "names a number a second time",
        ),
        ("pair_scale: ternary\ncriteria: [a]", "pair_scale is 'ternary'; it may be pair-four-way"),
        ("pair_scale: {choices: [A>B, tie]}\ncriteria: [a]", "does not offer both A>B and A<B"),
        ("targets: [reports]\ncriteria: [a]", "targets[0] is 'reports'; did you mean 'report'?"),
        ("aggregate: avg\ncriteria: [a]", "aggregate is 'avg'; it may be"),
        ("ask: eech\ncriteria: [a]", "ask is 'eech'; did you mean 'each'?"),
        ("name: My Rubric\ncriteria: [a]", "name is 'My Rubric'; it must be lower-case"),
        (
            json.dumps({**BASE, "schema": "assay.rubric/2", "criteria": []}),
            "this version of Assay reads assay.rubric/1",
        ),
        (json.dumps({**BASE, "criteria": [{"text": "a"}]}), "criteria[0].text is not a field here"),
        (json.dumps({**BASE, "criteria": [{"asks": "a"}]}), "criteria[0] has no 'key'"),
        (json.dumps({**BASE, "criteria": ["a"]}), "criteria[0] is 'a'; it must be a table"),
        ('{"schema": "assay.rubric/1", "criteria": [{"key": "a", "asks": "b"}]}', "there is no 'name'"),
    ],
)
def test_mistakes_are_met_with_place_value_and_mend(tmp_path, text, said):
    path = file(tmp_path, text)
    with pytest.raises(InputError) as error:
        load_rubric(path)
    assert said in str(error.value)
    assert str(error.value).startswith(str(path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"criteria": ["a"], "criteria": ["b"]}', "the key 'criteria' occurs twice"),
        ('["a",', "mine.json: broken JSON: Expecting value at column 6"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 50 + "]" * 50, "nested more than 40 deep"),
        ("[" + "1" * 5000 + "]", "a number of thousands of digits"),
        ('["\\ud800"]', "it must be text without control characters"),
        ('["\\u0000"]', "it must be text without control characters"),
        ('[{"text": "a", "weight": NaN}]', "weight is nan"),
        ('[{"text": "a", "weight": 1' + "0" * 400 + "}]", "that is too large"),
    ],
)
def test_json_is_held_to_the_same(tmp_path, text, said):
    with pytest.raises(InputError, match=r"mine\.json") as error:
        load_rubric(file(tmp_path, text, "mine.json"))
    assert said in str(error.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_rubric(tmp_path / "none.yaml")
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"- caf\xe9")
    with pytest.raises(InputError, match="is not UTF-8"):
        load_rubric(path)
    path.write_bytes(b"# " + b"x" * (5 << 20))
    with pytest.raises(InputError, match="is larger than 4 MiB"):
        load_rubric(path)


def test_unknown_names_are_met_with_the_near_one():
    with pytest.raises(UsageError, match=r"no rubric is called 'reportlogik'; did you mean 'reportlogic'\?"):
        load_rubric("reportlogik")
    with pytest.raises(UsageError, match="no scale is called 'binry'; did you mean 'binary'"):
        load_scale("binry")


def test_a_file_is_named_by_its_ending_or_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file(tmp_path, "- a", "overall")
    assert load_rubric("overall").scale.span == (1, 10)
    assert load_rubric("./overall").criteria[0].asks == "a"


def test_lines_lead_to_the_nearest_place_known(tmp_path):
    source = read_rubric(file(tmp_path, CANONICAL))[1]
    assert source.where("criteria[0].weight").endswith(":7")
    assert source.where("criteria[0].title").endswith(":5")
    assert source.where("aggregate") == source.name


def test_compliance_is_measured_against_the_positive_weights():
    rows = [{"text": "a", "weight": 4}, {"text": "b", "weight": 1}, {"text": "c", "weight": -5}]
    rubric = parse_rubric(rows)
    a, b, c = (item.key for item in rubric.criteria)
    # (4·1 + 1·½ − 5·0) / 5 and, with the fault, (4 + ½ − 5) / 5.
    assert rubric.overall({a: 1, b: 0.5, c: 0}) == 0.9
    assert math.isclose(rubric.overall({a: 1, b: 0.5, c: 1}), -0.1)
    assert rubric.overall({a: 1, b: 0.5}) is None
    assert parse_rubric(rows[2:]).overall({parse_rubric(rows[2:]).criteria[0].key: 1}) is None


@given(st.text(max_size=300))
def test_any_text_is_a_rubric_or_an_input_error(text):
    for as_json in (False, True):
        try:
            rubric = parse_rubric(parse_data(text, "x.yaml", as_json=as_json))
        except InputError:
            continue
        assert parse_rubric(dump_rubric(rubric)) == rubric
