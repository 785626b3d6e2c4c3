"""Yardsticks written for a pair, or read from a file, in a judge."""

from __future__ import annotations

import json

import msgspec
import pytest

from assay.errors import InputError, UsageError
from assay.generation.author import Author
from assay.judges.coverage import coverage_of
from assay.judges.instance_rubrics import InstanceRubrics, holds_instances, read_instances
from assay.judges.model_judge import ModelJudge
from assay.judges.settings import JudgeSettings
from assay.models.scripted import ScriptedModel
from assay.rubrics.instance import InstanceRubric, NamedReport, content_digest
from assay.rubrics.loader import load_rubric
from assay.strategies.prompts import Prompts
from assay.strategies.registry import find_strategy
from assay.subjects.case import Case
from assay.subjects.report import Report
from assay.suites.registry import find_suite
from instance_items import ENGLISH, QUERY, A, B, by_dimension
from judge_outcome import judged as outcome_of

PAIR = [Report(A, id="a", query=QUERY), Report(B, id="b", query=QUERY)]
ITEMS = json.dumps({"items": by_dimension(msgspec.to_builtins(ENGLISH))})
FLAWED = msgspec.structs.replace(ENGLISH[0], span_hint="Use judgement.")


def form(decision: str, verdict: str, keys=tuple(item.aspect for item in ENGLISH)) -> str:
    block = {
        "aspect_evaluations": {key: {"decision": decision, "justification": f"Why {key}."} for key in keys},
        "overall_explanation": "It is so.",
    }
    return f"<think>\n{json.dumps(block)}\n</think>\n{verdict}"


def record(items=ENGLISH, **more) -> InstanceRubric:
    named = {
        "a": NamedReport(name="a", digest=content_digest(A)),
        "b": NamedReport(name="b", digest=content_digest(B)),
    }
    return InstanceRubric(**{"query": QUERY, "generator": "people", "items": items, **named, **more})


def put(path, *records):
    path.write_bytes(b"".join(msgspec.json.encode(item.to_dict()) + b"\n" for item in records))
    return path


def judged(source, *replies, author=None):
    model = ScriptedModel(list(replies))
    judge = ModelJudge(find_strategy("logicjudge"), model, source, JudgeSettings(retries=0))
    return outcome_of(judge, *PAIR), model.requests


def test_written_and_judged_by_in_both_orders() -> None:
    writer = ScriptedModel([ITEMS])
    source = InstanceRubrics.written(Author(writer, Prompts()))
    outcome, requests = judged(source, form("A>B", "A>B"), form("A<B", "A<B"))
    assert outcome.judgment.preference == "A>B"
    assert outcome.judgment.rubric == "reportlogic-instance"
    assert set(outcome.judgment.scores) == {item.aspect for item in ENGLISH}
    assert set(outcome.judgment.scores.values()) == {1.0}
    first, *rest = outcome.parts
    assert (first.unit, first.criteria, first.answer.status) == ("rubric", (), "ok")
    assert outcome.judgment.usage.calls == 3
    assert writer.requests[0].messages[1].lead == requests[0].messages[1].lead
    for request in requests:
        assert all(item.question in request.messages[1].text for item in ENGLISH)
    assert [part.order for part in rest] == ["AB", "BA"]
    assert rest[0].answer.details["global_coherence"].rationale == "Why global_coherence."


def test_without_a_rubric_there_is_no_verdict() -> None:
    source = InstanceRubrics.written(Author(ScriptedModel(["?"] * 3), Prompts(), retries=2))
    outcome, requests = judged(source)
    assert requests == []
    assert (outcome.judgment.status, outcome.judgment.preference) == ("unparsed", None)


def test_read_from_a_file_in_either_order_the_last_line_counts(tmp_path) -> None:
    edited = msgspec.structs.replace(ENGLISH[0], question="Which of A and B answers on auctions first?")
    path = put(
        tmp_path / "pairs.jsonl",
        record(),
        record((edited, *ENGLISH[1:]), flaws={"task_alignment": ("too easy",)}),
        record(query="Another question?"),
    )
    assert holds_instances(path)
    source = InstanceRubrics.read(path)
    for pair in (PAIR, PAIR[::-1]):
        source.check(Case(*pair, query=QUERY))
        rubric = source.known(Case(*pair, query=QUERY))
        assert rubric.criteria[0].asks.startswith("Which of A and B answers on auctions first?")
    outcome, _ = judged(source, form("both good", "both_good"), form("Tie", "Tie"))
    assert outcome.parts[0].answer.notes == ("flagged for people: task_alignment: too easy",)
    assert outcome.judgment.by_order == {"AB": "both_good", "BA": "tie"}
    assert outcome.judgment.preference == "tie"
    with pytest.raises(
        UsageError, match=r"has no rubric for a and other on this question \(they are found by the content"
    ):
        source.check(Case(PAIR[0], Report("Else.", id="other"), query=""))


def test_only_pairs_of_reports() -> None:
    source = InstanceRubrics.written(Author(ScriptedModel([]), Prompts()))
    with pytest.raises(
        UsageError, match=r"compares two reports: .* cannot score one report; use rubric 'reportlogic'"
    ):
        source.check(Case(*PAIR[:1]))
    with pytest.raises(UsageError, match="cannot rank reports"):
        source.check(Case(*PAIR, mode="rank"))


def test_versions(tmp_path) -> None:
    one = InstanceRubrics.read(put(tmp_path / "one.jsonl", record()))
    two = InstanceRubrics.read(put(tmp_path / "two.jsonl", record((FLAWED, *ENGLISH[1:]))))
    same = InstanceRubrics.read(put(tmp_path / "three.jsonl", record()))
    written = InstanceRubrics.written(Author(ScriptedModel([]), Prompts()))
    assert len({one.version, two.version, written.version}) == 3
    assert one.version == same.version


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "1: is not an instance rubric: Object missing required field"),
        ("", "holds no instance rubrics"),
        ('{"schema": "assay.instance-rubric/2"}', "is not an instance rubric"),
    ],
)
def test_what_is_no_file_of_them(tmp_path, text: str, says: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=says):
        read_instances(path)
    put(path, record(ENGLISH[:7]))
    with pytest.raises(InputError, match="there is no item on qualifiers_counterpoints"):
        read_instances(path)
    assert not holds_instances(tmp_path)


def test_the_general_rubric_and_none_ask_the_same_way() -> None:
    for name in ("reportlogic", "overall"):
        rubric = load_rubric(name)
        keys = tuple(item.key for item in rubric.criteria)
        outcome, _ = judged(rubric, form("A>B", "A>B", keys), form("A<B", "A<B", keys))
        assert outcome.judgment.preference == "A>B"
        assert len(outcome.judgment.scores) == len(rubric.criteria)


def test_a_verdict_by_the_fallback_leaves_the_dimensions_out() -> None:
    rubric = load_rubric("reportlogic")
    outcome, _ = judged(rubric, "Overall, A is better than B.", form("A<B", "A<B"))
    assert (outcome.judgment.status, outcome.judgment.preference) == ("unparsed", None)
    assert outcome.judgment.by_order == {"AB": "A>B", "BA": "A>B"}
    assert outcome.judgment.scores is None
    # The other order has all its decisions.
    assert {verdict.by_order["BA"] for verdict in outcome.judgment.verdicts} == {"A>B"}
    coverage = coverage_of(outcome.judgment)
    assert (coverage.asked, coverage.answered) == (8, 0)
    assert coverage.gaps[0].where == "A shown first"
    assert "no decision on" in coverage.gaps[0].problem


def test_a_criterion_left_out_in_one_order_is_the_only_one_without_a_score() -> None:
    rubric = load_rubric("reportlogic")
    short = form("A>B", "A>B", tuple(item.aspect for item in ENGLISH)[:5])
    outcome, _ = judged(rubric, short, form("A<B", "A<B"))
    assert outcome.judgment.status == "unparsed"
    assert list(outcome.judgment.scores) == list(tuple(item.aspect for item in ENGLISH)[:5])
    assert outcome.judgment.coverage == 5 / 8


def test_the_suite() -> None:
    suite = find_suite("reportlogic")
    assert (suite.modes, suite.strategy, suite.rubric) == (("compare",), "logicjudge", "reportlogic-instance")
    assert find_strategy(suite.strategy).calls == (1, 1)
