"""The helpers of the trajectory checks, and the checks on real runs."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.checks.base import Check, Context
from assay.checks.runner import run_checks
from assay.checks.trj import (
    dropped_constraint,
    foreign_argument,
    ignored_failure,
    irrelevant_response,
    lookup_mismatch,
    misattributed_source,
    repeated_search,
    shallow_reflection,
    unknown_citation,
    unoffered_tool,
    unsupported_claim,
    unused_evidence,
)
from assay.subjects.announcements import announcement, planned_queries, searched_object
from assay.subjects.atoms import find_names, find_numbers, sentences
from assay.subjects.reading import read_subjects
from assay.subjects.timeline import timeline_of
from assay.subjects.tool_calls import evidence, failure
from assay.subjects.trajectory import RawCall, RawStep, ToolCall, Trajectory

MODULES = (
    repeated_search, ignored_failure, dropped_constraint, foreign_argument, irrelevant_response, unoffered_tool,
    unsupported_claim, unknown_citation, unused_evidence, shallow_reflection, lookup_mismatch, misattributed_source,
)  # fmt: skip
CHECKS: tuple[Check, ...] = tuple(module.CHECK for module in MODULES)
SHARED = Path(__file__).parents[2] / ".." / "shared" / "data" / "trajectories"


def load(text: str) -> Trajectory:
    data = json.loads(text)
    steps = [
        RawStep(
            step["reasoning"],
            [RawCall(call["name"], call["arguments"], call["response"]) for call in step["tool_calls"]],
        )
        for step in data["steps"]
    ]
    return Trajectory(data["query"], steps, answer=data["answer"], tools=data["tools"])


def one(query, reasoning="", arguments=None, response=None, answer=None, *, then=""):
    steps = [RawStep(reasoning, [RawCall("search", arguments or {"query": "x"}, response)])]
    if then:
        steps.append(RawStep(then))
    return Trajectory(query, steps, answer=answer, tools=("search", "visit"))


def codes(trajectory: Trajectory) -> list[str]:
    return [finding.code for finding in run_checks(trajectory, CHECKS, Context())]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_examples(check):
    for example in check.bad:
        assert list(check.run(load(example.text), Context())), "the bad example is not flagged"
    for example in check.good:
        assert not list(check.run(load(example.text), Context())), "the good example is flagged"


def test_codes_are_twelve():
    assert [check.code for check in CHECKS] == [f"TRJ{i:03}" for i in range(1, 13)]
    assert all(check.failure and check.subject == "trajectory" for check in CHECKS)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dr. Li of the University of Oslo met J. Smith.", ["Dr. Li of the University of Oslo", "J. Smith"]),
        ("Although Bumbershoot ran on, it ended.", ["Bumbershoot"]),
        ("Checking the Britannica entry helps.", ["Britannica"]),
        ("Joe Frazier's fight in May. According to him.", ["Joe Frazier", "May", "According"]),
        ("他说《红楼梦》由阿里巴巴集团出版。", ["红楼梦"]),
    ],
)
def test_names(text, names):
    found = [name.text for name in find_names(text)]
    assert [name for name in found if name in names] == names


def test_numbers():
    found = find_numbers("In 2004–05, $3.5 billion, 35% of 1,234 in the 1950s; 3D; 2nd; 12亿.")
    assert [number.value for number in found] == [2004, 2005, 3.5e9, 35, 1234, 1950, 1.2e9]
    assert [number.decade for number in found].index(True) == 5


def test_sentences_keep_abbreviations():
    text = "Dr. Li came. It was 3.5 km, i.e. far! 他来了。又走了。\n- A list"
    assert [text[a:b] for a, b in sentences(text)] == [
        "Dr. Li came.",
        "It was 3.5 km, i.e. far!",
        "他来了。",
        "又走了。",
        "- A list",
    ]


def _call(response, name="search", arguments=None) -> ToolCall:
    return Trajectory(
        "q", [RawStep("", [RawCall(name, arguments or {"query": "tall towers"}, response)])]
    ).tool_calls[0]


@pytest.mark.parametrize(
    ("response", "failed"),
    [
        ("", True),
        ("[]", True),
        ("Could not find [tall towers]. Similar: []", True),
        ("HTTP error 404", True),
        ("Error: quota exceeded", True),
        ("无法访问该页面", True),
        ("The tower is 300 m tall. Errors in older books give 312 m.", False),
        ("A page of text. " * 40 + "Some readers could not find it.", False),
    ],
)
def test_failures(response, failed):
    assert (failure(_call(response)) is not None) is failed


def test_evidence_leaves_the_echo_out_and_keeps_the_rest():
    call = _call("A search for 'tall towers' found 2 results:\n1. A page on tall towers")
    seen = evidence(call)
    assert len(seen) == len(call.response)
    assert "found 2 results" in seen
    assert seen.count("tall towers") == 1


def test_known_words_allow_inflection_spelling_and_aliases():
    view = timeline_of(
        one(
            "Italy and the Dodgers in Britain",
            response="The World Health Organization met, says https://worldpopulationreview.com/x",
        )
    )
    knows = view.given.knows
    assert all(knows(atom, 9) for atom in ("italian", "doger", "uk", "who", "dodger"))
    assert not any(knows(atom, 9) for atom in ("norway", "moderna", "oslo"))
    (name,) = find_names("as World Population Review says")
    assert not view.unknown(name, 9)
    assert view.unknown(name, 1) != []


def test_announcements():
    text = "It is in Oslo. I need to search for heat pump sales in Norway in 2022 and find the total."
    start, end = announcement(text)
    a, b = searched_object(text[start:end])
    assert text[start:end][a:b] == "heat pump sales in Norway in 2022"
    assert announcement("It is tall. It is old.") is None
    plan = 'First query: "heat pump sales Norway 2022".'
    assert [plan[x:y] for x, y in planned_queries(plan)] == ["heat pump sales Norway 2022"]


def test_a_fitting_leap_is_no_corruption():
    run = one(
        "Which playwright lived from 1564 to 1616?",
        "I need the name of the playwright.",
        {"query": "William Shakespeare"},
        "William Shakespeare (1564 – 1616) was an English playwright.",
    )
    assert "TRJ004" not in codes(run)
    missed = one(
        "Which playwright lived from 1564 to 1616?",
        "I need the name.",
        {"query": "William Shakespeare"},
        "A pub in Leeds.",
    )
    assert "TRJ004" in codes(missed)


def test_a_constraint_cut_from_the_planned_query():
    run = one(
        "How many heat pumps were sold in Norway in 2022?",
        'I plan the query "heat pump sales Norway 2022".',
        {"query": ["heat pump sales Norway", "heat pump market 2022"]},
        "Sales in Norway grew in 2022.",
    )
    assert "TRJ003" in codes(run)


def test_a_search_engine_that_answers_another_query():
    run = one(
        "How tall is it?",
        "Look.",
        {"query": ["Eiffel Tower height"]},
        "A Google search for 'best pasta recipes' found 9 results:\n" + "Boil the water with salt. " * 9,
    )
    assert "TRJ005" in codes(run)


def test_derived_numbers_are_supported():
    response = "The mine opened in 1931 and closed in 1974. It had 120 workers and 35 % of them were women."
    fine = one(
        "How long was the mine open?",
        "Look.",
        {"query": "mine"},
        response,
        "It was open for 43 years, until 1974; 65% of the 120 workers were men.",
        then="The dates are given.",
    )
    assert "TRJ007" not in codes(fine)
    wrong = one(
        "How long was the mine open?",
        "Look.",
        {"query": "mine"},
        response,
        "It closed in 1987.",
        then="The dates are given.",
    )
    assert "TRJ007" in codes(wrong)


_TEXT = st.text(max_size=120) | st.sampled_from(
    [
        "Anna Lund, 1931.",
        "I need to search for Oslo in 2020.",
        "According to X, 35% <cite id='a'>b</cite>",
        "没有找到",
        '"A plan of words" https://a.b/c',
        "",
        "1. [T](http://u.v)\ntext\n2. B",
    ]
)
_CALLS = st.lists(
    st.builds(
        RawCall,
        st.sampled_from(["search", "visit", "x", "Lookup"]),
        _TEXT | st.dictionaries(st.text(max_size=5), _TEXT, max_size=2),
        st.none() | _TEXT,
    ),
    max_size=2,
)


@given(query=_TEXT, steps=st.lists(st.builds(RawStep, _TEXT, _CALLS), max_size=4), answer=st.none() | _TEXT)
@settings(max_examples=200, deadline=None)
def test_never_raises_and_points_into_the_source(query, steps, answer):
    run = Trajectory(query, steps, answer=answer, tools=["search"])
    for finding in run_checks(run, CHECKS, Context()):
        assert 0 <= finding.span.start <= finding.span.end <= len(run.source)
        assert all(0 <= place.start <= place.end <= len(run.source) for place in finding.related)
        assert finding.message
        assert not finding.message.endswith(".")


@pytest.mark.skipif(not SHARED.exists(), reason="no shared data beside the checkout")
def test_real_runs_are_mostly_left_alone():
    counts: Counter[str] = Counter()
    total = 0
    for run in read_subjects([SHARED / "webdancer_chatml.jsonl", SHARED / "react_hotpotqa.jsonl"]):
        counts.update(codes(run))
        total += 1
    assert total == 203
    assert 15 <= counts["TRJ001"] <= 30
    assert counts["TRJ004"] + counts["TRJ005"] + counts["TRJ006"] + counts["TRJ011"] <= 5
    assert sum(counts.values()) < 130
