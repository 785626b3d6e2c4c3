"""A long report read part by part: what is gathered, what the judge is shown, and what has no verdict because of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.generation.gathered_passages import GATHER
from assay.judges.model_judge import ModelJudge
from assay.judges.settings import JudgeSettings
from assay.judges.synthesis import CHUNK_CHARS, part_chars, parts_of
from assay.models.base import PendingCall, Reply, Request
from assay.models.scripted import ScriptedModel
from assay.rubrics.rubric_file import parse_rubric
from assay.strategies.prompts import Prompts
from assay.strategies.registry import find_strategy
from assay.subjects.case import Case
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory
from judge_outcome import judged as outcome_of

FILL = "The rest of this section is about the weather and the price of tea. " * 12
TEXT = (
    f"# Heat\n\nPumps move heat. {FILL}\n\n## Cost\n\nThe pump pays back in nine years. {FILL}\n\n"
    f"## Limits\n\nOld houses were not studied. {FILL}\n\n## References\n\n1. Audit of 2023.\n"
)
REPORT = Report(TEXT, path="heat.md", query="Is a heat pump worth it?")
RUBRIC = parse_rubric(
    [
        {"key": "payback", "criterion": "States the payback time", "weight": 5},
        {"key": "limits", "criterion": "Names limits", "weight": 2},
        {"key": "poetry", "criterion": "Is written in verse", "weight": -1},
    ],
    name="pump",
)
EVIDENCE = {"payback": "The pump pays back in nine years.", "limits": "Old houses were not studied."}
ASKS = {item.key: item.asks for item in RUBRIC.criteria}


def is_reading(request: Request) -> bool:
    return request.schema is not None and "found" in request.schema["properties"]


def gathered(request: Request) -> str:
    part = request.messages[1].lead
    found = [
        {"criterion": key, "quotes": [quote], "note": f"bears on {key}"}
        for key, quote in EVIDENCE.items()
        if quote in part
    ]
    return json.dumps({"found": found})


def verdict(request: Request) -> str:
    """Met where the evidence is shown, however much is shown around it."""
    shown = request.messages[1].lead
    key = next(key for key, text in ASKS.items() if text in request.messages[1].text)
    met = key in EVIDENCE and EVIDENCE[key] in shown
    quotes = [EVIDENCE[key]] if met else []
    return json.dumps(
        {
            "reasoning": "Looked.",
            "quotes": quotes,
            "missing": [] if met else ["all of it"],
            "score": "met" if met else "not met",
            "confidence": 0.9,
        }
    )


def play(request: Request) -> str:
    return gathered(request) if is_reading(request) else verdict(request)


def judged(script=play, granularity: str = "synthesis", **settings: object):
    model = ScriptedModel(script)
    made = JudgeSettings(granularity=granularity, **{"chunk_chars": 1000, **settings})  # type: ignore[arg-type]
    judge = ModelJudge(find_strategy("grader"), model, RUBRIC, made)
    return outcome_of(judge, REPORT), model.requests, judge


@given(st.integers(1, 3000), st.lists(st.sampled_from(["# A\n\n", "word ", "x" * 400, "\n\n", "句子。", "- item\n"]), max_size=60))  # fmt: skip
def test_parts_are_all_of_the_text_and_none_too_long(chars: int, pieces: list[str]) -> None:
    report = Report("".join(pieces))
    units = parts_of(report, chars)
    limit = max(1, chars // (3 if report.language == "zh" else 1))
    assert all(len(unit.text) <= limit for unit in units) or not report.source.strip()
    kept = "".join(unit.text for unit in units)
    assert "".join(kept.split()) == "".join(report.source.split())
    for unit in units:
        ((_, start, length),) = unit.pieces
        assert report.source[start : start + length] == unit.text


def test_parts_end_between_blocks_before_a_heading() -> None:
    units = parts_of(REPORT, 1000)
    assert [unit.text[:8] for unit in units] == ["# Heat\n\n", "## Cost\n", "## Limit"]
    assert "Audit of 2023" in units[-1].text  # references too: some criteria are about them
    assert units[0].context == ("- Heat\n  - Cost\n  - Limits",)
    assert len(parts_of(REPORT)) == 1


def test_parts_fit_the_model() -> None:
    assert part_chars(8192, 2048) == (8192 - 2048 - 1500) * 3
    assert part_chars(200_000, 2048) == CHUNK_CHARS
    assert part_chars(1000, 2048) == 1000


def test_verdicts_are_those_of_the_whole_and_quotes_stand_in_the_report() -> None:
    whole, few, _ = judged(granularity="holistic")
    parts, many, _ = judged()
    assert whole.judgment.scores == parts.judgment.scores == {
        "payback": 1.0, "limits": 1.0, "poetry": 0.0, "overall": 1.0,
    }  # fmt: skip
    assert whole.judgment.quotes == parts.judgment.quotes
    for quote in parts.judgment.quotes:
        assert TEXT[quote.start : quote.end] == quote.text
    assert len(few) == 3
    assert [is_reading(request) for request in many] == [True] * 3 + [False] * 3
    assert parts.judgment.usage.calls == 6
    assert parts.judgment.status == "ok"


def test_the_reader_sees_one_part_and_the_judge_none_but_the_passages() -> None:
    _, requests, _ = judged()
    first, second, third, payback, _, poetry = requests
    for request, others in ((first, ("nine years", "Old houses")), (third, ("Pumps move", "nine years"))):
        text = request.messages[1].content
        assert all(other not in text for other in others)
        assert "Is a heat pump worth it?" in text
        assert "  - Cost" in text
        assert all(asks in text for asks in ASKS.values())
    assert "You do not judge" in second.messages[0].content
    shown = payback.messages[1].content
    assert "> The pump pays back in nine years." in shown
    assert "Part 2 of 3:" in shown
    assert "(noted: bears on payback)" in shown
    assert "price of tea" not in shown
    assert "  - Cost" in shown
    assert "Old houses" not in shown
    assert "(none of the parts was found to say anything about this)" in poetry.messages[1].content


def test_invented_passages_are_told_once_then_left_out_and_counted() -> None:
    invented = json.dumps(
        {
            "found": [
                {"criterion": "payback", "quotes": ["It pays back at once, for ever."], "note": "so it says"}
            ]
        }
    )
    outcome, requests, _ = judged(lambda request: invented if is_reading(request) else verdict(request))
    readings = [request for request in requests if is_reading(request)]
    assert len(readings) == 6
    again = next(request for request in readings if len(request.messages) > 2)
    assert (
        'the passage "It pays back at once, for ever." does not stand in this part' in again.messages[-1].text
    )
    assert not any(
        "at once" in request.messages[1].content for request in requests if not is_reading(request)
    )
    notes = [note for part in outcome.parts for note in part.answer.notes]
    assert notes[0] == "part 1 was said to hold 1 passage that stands nowhere in it: left out"
    assert outcome.judgment.status == "ok"


def test_a_part_that_cannot_be_read_leaves_no_verdict_rather_than_one_on_the_rest() -> None:
    def script(request: Request) -> str:
        return "No." if is_reading(request) and "Old houses" in request.messages[1].lead else play(request)

    outcome, requests, _ = judged(script)
    assert outcome.judgment.status in ("unparsed", "refused")
    assert outcome.judgment.scores is None
    assert not [request for request in requests if not is_reading(request)]
    unread = [part for part in outcome.parts if part.criteria]
    assert [part.criteria for part in unread] == [("payback",), ("limits",), ("poetry",)]
    assert unread[0].answer.problem.startswith("part 3 of 3 could not be read for it: ")


def test_in_a_batch_all_parts_are_asked_in_the_first_round() -> None:
    asked = []

    def script(request: Request) -> Reply:
        asked.append(request)
        raise PendingCall("later")

    with pytest.raises(PendingCall):
        judged(script)
    assert len(asked) == 3


def test_questions_before_the_reading_are_the_parts_and_the_criteria() -> None:
    _, _, judge = judged()
    questions = judge.questions(Case(REPORT))
    assert [unit for unit, *_ in questions] == ["part:0", "part:1", "part:2", "", "", ""]


def test_it_belongs_to_the_version() -> None:
    usual = ModelJudge(find_strategy("grader"), ScriptedModel([]), RUBRIC)
    _, _, parts = judged()
    _, _, smaller = judged(chunk_chars=900)
    assert len({usual.version, parts.version, smaller.version}) == 3


def test_only_single_reports_are_read_so() -> None:
    judge = ModelJudge(
        find_strategy("grader"), ScriptedModel([]), RUBRIC, JudgeSettings(granularity="synthesis")
    )
    with pytest.raises(UsageError, match="compare and rank take whole subjects"):
        judge.check(Case(REPORT, REPORT))
    with pytest.raises(UsageError, match="is a trajectory, and synthesis is for reports"):
        judge.check(Case(Trajectory("Q?", [])))


def test_both_languages_say_the_same() -> None:
    prompts = Prompts()
    for block, variables in {
        "system": {},
        "task": {"criteria": [{"key": "payback", "asks": "?"}]},
        "invented": {"passage": "abc"},
        "opening": {"parts": 3},
        "criterion": {"key": "k", "asks": "a"},
        "part": {"number": 1, "parts": 3},
        "note": {"note": "n"},
        "nothing": {},
    }.items():
        english, chinese = (prompts.page(GATHER.template, block, lang, variables) for lang in ("en", "zh"))
        assert english != chinese or block == "criterion"
        assert english.strip()
        assert chinese.strip()
