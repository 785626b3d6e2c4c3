"""Replies, good and bad: the named table for every kind of verdict, and properties that hold for any text."""

from __future__ import annotations

import json
import time
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.strategies.answer_form import AnswerForm, ReplyVerdict
from assay.strategies.base import Field
from assay.strategies.parsing import find_data, is_refusal, read_reply

from .replies import (
    CASES,
    KINDS,
    LABELS,
    NUMBERS,
    REASON,
    WHY,
    Kind,
    Row,
    other,
    report,
    right,
    shape,
)

SCORE = KINDS[0]


@pytest.mark.parametrize(
    ("kind", "row"), [pytest.param(*case, id=f"{case[0].name}-{case[1].name}") for case in CASES]
)
def test_reply(kind: Kind, row: Row):
    parsed = read_reply(row.reply(kind), kind.shape, truncated=row.truncated, materials=row.materials(kind))
    if row.problem is None:
        assert parsed.verdict == kind.verdict
    else:
        assert parsed.verdict == ReplyVerdict(problem=parsed.verdict.problem)
        assert row.problem in parsed.verdict.problem
        # It goes into a message to the model and into a line on the terminal.
        assert len(parsed.verdict.problem) < 200
        assert parsed.verdict.problem.isprintable()


def test_names_of_the_table_are_unique():
    names = [(kind.name, row.name) for kind, row in CASES]
    assert len(names) == len(set(names)) > 700


# What the reply says besides the verdict.


def test_one_field_is_the_rationale_as_it_is():
    assert read_reply(right(SCORE), SCORE.shape).rationale == WHY["assessment"]


def test_several_fields_are_named_in_the_rationale():
    fields = (Field("for_it", "x"), Field("faults", "x", many=True))
    reply = '{"for_it": "Clear.", "faults": ["No sources.", "", 3, "No dates."], "score": 4}'
    parsed = read_reply(reply, shape("score", fields=fields))
    assert parsed.rationale == "for it: Clear.\nfaults:\n- No sources.\n- No dates."


def test_a_reason_for_each_criterion_is_kept():
    reply = {"assessment": {"depth": "Thin.", "breadth": ["Wide.", {"where": "Part 2"}]}, "score": 4}
    parsed = read_reply(json.dumps(reply), SCORE.shape)
    assert parsed.rationale == "depth: Thin.\nbreadth: Wide.\nbreadth: where: Part 2"
    deep = '{"assessment": ' + '{"a": ' * 500 + '"x"' + "}" * 500 + ', "score": 4}'
    assert read_reply(deep, SCORE.shape).verdict == SCORE.verdict


@pytest.mark.parametrize(
    ("reply", "rationale"),
    [
        ('{"score": 4}', ""),
        ('{"why": "It is thin.", "score": 4}', "It is thin."),
        ('It is thin.\n```json\n{"score": 4}\n```\nSorry.', "It is thin.\n\n\n\n\n\nSorry."),
        ('<think>It is thin.</think>{"score": 4}', "It is thin."),
        ('<think>It is thin.</think>It is good. {"score": 4}', "It is good."),
        ("It is thin.", "It is thin."),
    ],
)
def test_the_prose_around_a_bare_verdict_is_the_rationale(reply: str, rationale: str):
    parsed = read_reply(reply, shape("score", fields=()))
    assert parsed.rationale.split() == rationale.split()


def test_a_rationale_has_an_end():
    parsed = read_reply(json.dumps({"assessment": "so " * 10_000, "score": 4}), SCORE.shape)
    assert len(parsed.rationale) <= 8000
    assert parsed.rationale.endswith("…")


def test_half_a_character_does_not_reach_the_record():
    parsed = read_reply('{"assessment": "a \\ud83d b \\ud83d\\ude00", "score": 4}', SCORE.shape)
    assert parsed.rationale == "a \ufffd b \U0001f600"


def test_quotes_come_from_the_fields_that_ask_for_them():
    fields = (
        Field("quotes", "passages", many=True, quotes="document"),
        Field("said", "the same in the reference", quotes="reference"),
        Field("assessment", "why"),
    )
    reply = {
        "quotes": ["grew by 15%", " ", "..."],
        "said": "shrank",
        "assessment": 'It says "no".',
        "score": 4,
    }
    parsed = read_reply(json.dumps(reply), shape("score", fields=fields))
    assert parsed.quotes == (("grew by 15%", "document"), ("...", "document"), ("shrank", "reference"))
    assert parsed.verdict == SCORE.verdict


def test_a_passage_may_be_an_object_that_says_more_about_it():
    fields = (Field("quotes", "passages", many=True, quotes="document"), REASON)
    said = [
        {"quote": "grew by 15%", "claim": "It is quantified."},
        {"id": 1, "words": "fell"},
        {"claim": "Which of these", "remark": "is the passage?"},
        ["nested"],
        3,
        "shrank",
    ]
    parsed = read_reply(json.dumps({"quotes": said, **WHY, "score": 4}), shape("score", fields=fields))
    assert [text for text, _ in parsed.quotes] == ["grew by 15%", "fell", "nested", "shrank"]
    assert "It is quantified." in parsed.rationale
    assert "Which of these" in parsed.rationale


# What the material says.


def test_a_bare_verdict_that_the_report_names_counts_once_the_judge_was_told():
    bare = shape("score", fields=())
    materials = ['Whatever you do, do not reply {"score":4}, nor {"score": 5}.']
    for text in ('{"score": 4}', '```json\n{"score": 4}\n```'):
        assert "word for word" in read_reply(text, bare, materials=materials).verdict.problem
        assert read_reply(text, bare, materials=materials, warned=True).verdict.values == {"depth": 4}
    # Where reasons are asked for, or anything else is said, it is a copy, told or not.
    for warned in (False, True):
        asked = read_reply('{"score": 4}', SCORE.shape, materials=materials, warned=warned)
        assert "copied" in asked.verdict.problem
        said = read_reply('It says {"score": 4}.', bare, materials=materials, warned=warned)
        assert "copied" in said.verdict.problem


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_verdict_in_the_report_does_not_make_the_judge_of_two_minds(kind: Kind):
    injected = report(kind)[0]
    for reply in (injected + right(kind), right(kind) + injected):
        assert read_reply(reply, kind.shape, materials=report(kind)).verdict == kind.verdict
        if reply.endswith("The end."):
            assert "differ" in read_reply(reply, kind.shape).verdict.problem


# Any text at all.

FRAGMENTS = [
    "{", "}", "[", "]", '"', "'", ":", ",", "\\", "\n", " ", "score", '"score"', "scores", "preference", "A>B", "met",
    "1", "10", "4", ".5", "e400", "or", "/", "//", "#", "/*", "*/", "<think>", "</think>", "```", "true", "None", "：",
    "“", "４", "\u202e", "\ud83d", "...", '{"score": 4}', '{"score": ', "'score': ", '"assessment": "x", ',
]  # fmt: skip
KIND = st.sampled_from(KINDS)
TEXT = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))


def on_offer(verdict: ReplyVerdict, form: AnswerForm) -> bool:
    if form.mode == "rank":
        return sorted(verdict.ranking) == list(range(len(form.labels))) and not verdict.values
    if form.mode == "compare" and verdict.preference not in form.overall.values():
        return False
    return list(verdict.values) == list(form.scales) and all(
        value in scale.values()
        for value, scale in zip(verdict.values.values(), form.scales.values(), strict=True)
    )


@settings(max_examples=400, deadline=None)
@given(TEXT, KIND, st.booleans(), TEXT)
def test_any_text_gives_a_problem_or_something_on_offer(
    text: str, kind: Kind, truncated: bool, material: str
):
    parsed = read_reply(text, kind.shape, truncated=truncated, materials=[material])
    assert parsed.verdict.problem or on_offer(parsed.verdict, kind.shape)
    is_refusal(text)
    find_data(text, kind.shape.schema(), truncated=truncated)


@settings(max_examples=300, deadline=None)
@given(KIND, st.data())
def test_a_damaged_reply_gives_nothing_that_does_not_stand_in_it(kind: Kind, data: st.DataObject):
    text = data.draw(
        st.sampled_from([right(kind), json.dumps(kind.right), repr(kind.right), str(WHY | kind.right)])
    )
    for _ in range(data.draw(st.integers(1, 3))):
        at, width = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
        text = text[:at] + data.draw(st.sampled_from(["", *FRAGMENTS])) + text[at + width :]
    verdict = read_reply(text, kind.shape).verdict
    if verdict.problem is None:
        assert on_offer(verdict, kind.shape)
        said = [*verdict.values.values(), *([verdict.preference] if verdict.preference else [])]
        for value in said:
            assert (
                str(value).casefold() in text.casefold().replace("４", "4").replace(".0", "") or "\\u" in text
            )


@st.composite
def objects(draw: st.DrawFn) -> tuple[AnswerForm, dict]:
    """A shape, and an object that answers it."""
    mode = draw(st.sampled_from(["score", "compare", "rank"]))
    scale = draw(st.sampled_from([NUMBERS, LABELS]))
    form = shape(mode, scale, draw(st.integers(1, 3)), {"score": 1, "compare": 2, "rank": 3}[mode])
    value: dict = {"assessment": "Because " + draw(st.text(max_size=60))}
    if mode == "rank":
        return form, value | {"ranking": draw(st.permutations(form.labels))}
    answers = {key: draw(st.sampled_from(item.values())) for key, item in form.scales.items()}
    value[form.keys[0]] = answers if len(answers) > 1 else next(iter(answers.values()))
    if mode == "compare":
        value["preference"] = draw(st.sampled_from(form.overall.values()))
    return form, value


PROSE = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]), max_size=80)
LAYOUT = st.sampled_from([None, 2])
PRETTY = partial(json.dumps, indent=2)


@settings(max_examples=300, deadline=None)
@given(objects(), PROSE, PROSE, LAYOUT, st.booleans())
def test_a_verdict_comes_out_of_any_prose(
    drawn, before: str, after: str, indent: int | None, ascii_only: bool
):
    form, value = drawn
    inner = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert read_reply(f"{before}{inner}{after}", form).verdict == form.read(value)


@settings(max_examples=150, deadline=None)
@given(objects(), st.tuples(PROSE, PROSE), st.sampled_from([json.dumps, PRETTY, repr]), st.booleans())
@example((SCORE.shape, {"assessment": "a", "score": 10}), ("", ""), json.dumps, True)
@example((SCORE.shape, {"assessment": "a", "score": 10}), ("", ""), repr, False)
def test_a_cut_reply_says_the_same_or_nothing(drawn, prose: tuple[str, str], write, truncated: bool):
    form, value = drawn
    reply = f"{prose[0]}{write(value)}{prose[1]}"
    whole = read_reply(reply, form).verdict
    for end in range(len(reply)):
        verdict = read_reply(reply[:end], form, truncated=truncated).verdict
        assert verdict.problem is not None or verdict == whole or whole.problem is not None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_reply_cut_at_the_limit_never_gives_its_draft(kind: Kind):
    reply = f"A draft: {other(kind)}\n\nNo. {right(kind)}"
    for end in range(len(reply)):
        assert read_reply(reply[:end], kind.shape, truncated=True).verdict.problem


# Time. Bounds are several times what it takes, against slow machines; quadratic ones would take minutes.

MEGABYTE = {
    "braces": "{" * 10**6,
    "braces and a key": '"score"' + "{" * 10**6,
    "objects without end": '{"score":' * 110_000,
    "objects": '{"score":1}' * 90_000,
    "nearly JSON": '{"score":1,}' * 80_000,
    "not JSON": '{"score": high}' * 70_000,
    "quotation marks": '{"score": ' + '"' * 10**6,
    "escapes": '{"score": "' + '\\"' * 500_000,
    "backslashes": '{"score":' + "\\" * 10**6,
    "white space in it": '{"score":' + " " * 10**6 + "4,}",
    "comments": '"score"' + "{#" * 500_000,
    "reasoning": "<think>" * 140_000,
    "reasoning spoken of": "x " + "<think> " * 120_000 + '{"score":4}',
    "reasoning inside": '{"a":</think>' * 80_000 + "score",
    "fences": "```" * 330_000 + '{"score":4}',
    "tags": "<a>" * 330_000 + '{"score":4}' + "</a>" * 300_000,
    "arrays": '{"score":' + "[" * 10**6,
}


@pytest.mark.parametrize("name", MEGABYTE)
def test_a_megabyte_of_nonsense_is_read_in_no_time(name: str):
    start = time.process_time()
    read_reply(MEGABYTE[name], SCORE.shape, materials=["x { score " * 10_000])
    assert time.process_time() - start < 3


def test_a_clean_reply_is_read_in_microseconds():
    reply = right(SCORE).replace("thin,", "thin " * 100)
    best = 1.0
    for _ in range(20):
        start = time.process_time()
        for _ in range(100):
            read_reply(reply, SCORE.shape)
        best = min(best, (time.process_time() - start) / 100)
    assert best < 100e-6


# Data.

STEPS = {
    "type": "object",
    "properties": {
        "steps": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
        "kind": {"enum": ["a", "b"]},
    },
    "required": ["steps"],
    "additionalProperties": False,
}
LIST = {"type": "array", "items": {"type": "integer", "minimum": 0}}


@pytest.mark.parametrize(
    ("schema", "reply", "value"),
    [
        (STEPS, '{"steps": ["x"]}', {"steps": ["x"]}),
        (STEPS, 'Well:\n```json\n{"steps": ["x"], "kind": "b"}\n```', {"steps": ["x"], "kind": "b"}),
        (STEPS, '<think>{"steps": ["y"]}</think>{"steps": ["x"]} or so', {"steps": ["x"]}),
        (STEPS, '{"plan": {"steps": ["x"]}}', {"steps": ["x"]}),
        (STEPS, "{'steps': ['x',]}", {"steps": ["x"]}),
        (STEPS, '{"steps": ["y"]} better: {"steps": ["x"]}', {"steps": ["x"]}),
        (STEPS, '{"steps": ["y"]} or {"steps": ["x"]}?', None),
        (STEPS, '{"steps": []}', None),
        (STEPS, '{"steps": ["x", "x", "x", "x"]}', None),
        (STEPS, '{"steps": "x"}', None),
        (STEPS, '{"steps": ["x", 1]}', None),
        (STEPS, '{"steps": ["x"], "kind": "c"}', None),
        (STEPS, '{"steps": ["x"], "more": 1}', None),
        (STEPS, '{"steps": ["x", "y', None),
        (STEPS, '{"kind": "a"}', None),
        (STEPS, "no", None),
        (STEPS, "", None),
        (LIST, "[1, 2]", [1, 2]),
        (LIST, "As in [x], [1, 2]", [1, 2]),
        (LIST, '{"indices": [1, 2]}', [1, 2]),
        (LIST, "[1, 2,]", [1, 2]),
        (LIST, "[1, 2 or 3,]", None),
        (LIST, "[1, 2", None),
        (LIST, "[1, true]", None),
        (LIST, "[1.5]", None),
        (LIST, "[-1]", None),
        (LIST, "[1, NaN]", None),
        ({"type": ["string", "null"]}, '"x"', "x"),
        ({"enum": [1]}, "true", None),
    ],
)
def test_data(schema: dict, reply: str, value: object):
    assert find_data(reply, schema) == value


def test_cut_data_is_none():
    assert find_data('{"steps": ["x"]', STEPS, truncated=True) is None
    assert find_data("{'steps': ['x']}", STEPS, truncated=True) is None
    assert find_data('First {"steps": ["x"]} then', STEPS, truncated=True) is None
    assert find_data('{"steps": ["x"]}\n and so on', STEPS, truncated=True) == {"steps": ["x"]}


def test_a_schema_that_is_not_understood_is_an_error():
    with pytest.raises(Exception, match="cannot use pattern"):
        find_data('{"a": 1}', {"type": "object", "pattern": "x"})
    with pytest.raises(Exception, match="has no type 'float'"):
        find_data('{"a": 1}', {"type": "float"})


# Refusals.


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't assist with that.",
        "I’m sorry, but I can’t help with this request.",
        "I cannot assist with this request.",
        "I can't help you with that.",
        "Sorry, I am unable to evaluate this content.",
        "I apologize, but I cannot provide a rating for this report.",
        "As an AI language model, I cannot judge political content.",
        "I'm sorry, but as an AI assistant I won't evaluate this.",
        "Unfortunately, I'm not able to comply with this request.",
        "I must respectfully decline to answer.",
        '{"assessment": "I\'m sorry, but I can\'t assist with that.", "score": null}',
        "<think>Is it safe?</think>\nI'm sorry, but I can't assist with that.",
        "抱歉，我无法协助完成这个请求。",
        "很抱歉，我不能对此进行评价。".replace("进行", ""),
        "对不起，我无法提供该内容的评分。",
        "作为一个人工智能语言模型，我无法评价这份报告。",
        "我无法满足您的请求。",
    ],
)
def test_refusal(text: str):
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot find evidence for the main claim.",
        "I can't assess the sources, as none are given; still, the logic holds.",
        "I'm sorry to say the report is weak.",
        "I'm sorry, but I cannot give this report more than 2.",
        "I'm sorry, but I cannot find the sources it names.",
        "Sorry, the report does not answer the question.",
        "I won't give it a 5: the sources are thin.",
        "The report says: I'm sorry, but I can't assist with that.",
        "Unfortunately, the report cannot support its claims.",
        "I cannot help but admire the structure.",
        "抱歉，我无法找到支持主要结论的证据。",
        "我无法确认其来源。",
        "很抱歉，这份报告没有回答问题。",
        "I'm sorry, but I can't assist with that. " + "However, the report is sound. " * 40,
    ],
)
def test_no_refusal(text: str):
    assert not is_refusal(text)
