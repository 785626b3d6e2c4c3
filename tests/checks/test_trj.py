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
    decisive_assumption,
    ignored_failure,
    invented_tool_use,
    repeated_search,
    repeated_thought,
    unfinished_run,
    unkept_plan,
    unsupported_claim,
)
from assay.subjects.announcements import planned_queries, searched_object
from assay.subjects.atoms import find_names, find_numbers, sentences
from assay.subjects.loaders import canonical
from assay.subjects.loaders.base import InputContext
from assay.subjects.reading import read_subjects
from assay.subjects.timeline import timeline_of
from assay.subjects.tool_calls import evidence, failure
from assay.subjects.trajectory import RawCall, RawStep, ToolCall, Trajectory

MODULES = (
    repeated_search, ignored_failure, unsupported_claim, repeated_thought, unfinished_run,
    decisive_assumption, unkept_plan, invented_tool_use,
)  # fmt: skip
CHECKS: tuple[Check, ...] = tuple(module.CHECK for module in MODULES)
SHARED = Path(__file__).parents[2] / ".." / "shared" / "data" / "trajectories"


def load(text: str) -> Trajectory:
    (run,) = canonical.load(json.loads(text), InputContext())
    return run


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


def test_each_check_names_a_failure():
    assert [check.code for check in CHECKS] == sorted(check.code for check in CHECKS)
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


def test_what_a_thought_will_search():
    text = "I need to search for heat pump sales in Norway in 2022 and find the total."
    a, b = searched_object(text)
    assert text[a:b] == "heat pump sales in Norway in 2022"
    plan = 'First query: "heat pump sales Norway 2022".'
    assert [plan[x:y] for x, y in planned_queries(plan)] == ["heat pump sales Norway 2022"]


def test_all_repeats_of_a_call_are_one_finding():
    step = RawStep("Again.", [RawCall("search", {"query": "ski club"}, "Could not find [ski club].")])
    run = Trajectory("q", [step] * 5)
    (finding,) = repeated_search.CHECK.run(run, Context())
    assert finding.message.text("en").endswith("failed again; the same again in steps 3, 4, 5")
    # The thoughts repeat too, which is the same fault.
    assert "TRJ010" not in codes(run)


def test_notes_and_scrolling_are_no_repeats():
    for name, arguments in (("write_todos", {"todos": ["a", "b", "c"]}), ("scroll", "down one page")):
        run = Trajectory(
            "q",
            [RawStep("", [RawCall(name, arguments, "OK")]), RawStep("", [RawCall(name, arguments, "OK")])],
        )
        assert "TRJ001" not in codes(run)


def test_a_click_on_another_page_is_no_repeat():
    pages = [
        "Step one of the form: your name and address, please.",
        "Step two of the form: weight and size of the parcel.",
    ]
    steps = [RawStep("", [RawCall("click", {"target": "CONTINUE"}, page)]) for page in pages]
    assert "TRJ001" not in codes(Trajectory("q", steps))
    assert "TRJ001" in codes(Trajectory("q", [steps[0], steps[0]]))


def test_the_same_instruction_three_times():
    def order(text: str, target: str, page: str = "The museum shows old boats and nets.") -> list[RawStep]:
        return [
            RawStep(f"→ Surfer: {text}", agent="Planner"),
            RawStep("", [RawCall("click", {"target": target}, page)], "Surfer"),
        ]

    text = "Please find the price of the annual pass of the museum on its website."
    more = "Please continue to find the price of the annual pass of the museum on its website."
    steps = [*order(text, "home"), *order(more, "visit"), *order(text, "about")]
    (finding,) = repeated_thought.CHECK.run(Trajectory("q", steps), Context())
    assert finding.message.text("en").startswith(
        "Surfer gets the same instruction as in step 1, 3 times in all"
    )
    assert not list(repeated_thought.CHECK.run(Trajectory("q", steps[:4]), Context()))
    moving = [
        *order(text, "home"),
        *order(text, "visit", "A day ticket costs nine crowns."),
        *order(text, "about"),
    ]
    assert not list(repeated_thought.CHECK.run(Trajectory("q", moving), Context()))
    names = [
        "Please check the hours of Alma, Bryggen and Cod Inn.",
        "Please check the hours of Bryggen and Cod Inn.",
    ]
    shorter = [*order(names[0], "a"), *order(names[1], "b"), *order(names[1], "c")]
    assert not list(repeated_thought.CHECK.run(Trajectory("q", shorter), Context()))


def test_a_thought_before_a_note_and_a_call_is_no_repeat():
    thought = "Now I fetch the two articles on the museum to get the details."
    steps = [RawStep(thought, [RawCall("write_todos", {"todos": ["a"]}, "OK")])]
    steps.append(
        RawStep(thought, [RawCall("visit", {"url": "https://a.example"}, "The museum opened in 1991.")])
    )
    assert not list(repeated_thought.CHECK.run(Trajectory("q", steps), Context()))


def test_a_word_more_is_a_refinement_unless_the_response_is_the_same():
    def none(query: str, similar: str) -> RawStep:
        return RawStep(
            "", [RawCall("search", {"query": query}, f"Could not find [{query}]. Similar: [{similar}]")]
        )

    first = none("Skarvberg ski club founder", "Skarvberg")
    assert "TRJ001" not in codes(Trajectory("q", [first, none("Skarvberg ski club female founder", "Oslo")]))
    assert "TRJ001" in codes(Trajectory("q", [first, none("Skarvberg ski club first founder", "Skarvberg")]))


def test_a_detail_in_a_long_answer_is_left_alone():
    page = "The ski club of the village was founded by the teacher Anna Lund. It has forty members."
    long = (
        "Anna Lund, a teacher, founded it; the club belongs to the village in Finnmark, near the Barents Sea."
    )
    assert codes(one("Who founded it?", "Look.", None, page, long)) == []
    assert codes(one("Who founded it?", "Look.", None, page, "Ole Hansen")) == ["TRJ007"]


def test_an_answer_after_failures_only_is_one_finding():
    run = one("Who founded it?", "Look.", {"query": "club"}, "Could not find [club].", "Ole Hansen")
    assert codes(run) == ["TRJ002"]
    honest = one(
        "Who founded it?",
        "Look.",
        {"query": "club"},
        "Could not find [club].",
        "I could not find the founder.",
    )
    assert codes(honest) == []


def test_what_was_seen_in_pictures_is_not_judged():
    page = "The ski club has a long history and many members."
    said = "The club was founded by Ole Hansen in 1938."
    assert "TRJ007" in codes(one("Who founded it?", "Look.", None, page, said))
    assert "TRJ007" not in codes(one("Who founded it?", "Look.", None, page + "\n\n[image]", said))


def test_an_observation_that_the_agent_writes():
    run = one(
        "Who founded it?",
        "Look.",
        None,
        "The club was founded by Anna Lund.",
        "Anna Lund",
        then="Observation: it says Ole.",
    )
    assert "TRJ016" in codes(run)


def test_a_possible_visit_is_no_plan():
    page = "The museum opened in 1991."
    firm = one("When?", "Look, then I will visit the museum's website.", None, page, "1991")
    possible = one("When?", "Look, then I might visit the museum's website.", None, page, "1991")
    assert codes(firm) == ["TRJ015"]
    assert codes(possible) == []
    assert not unkept_plan.CHECK.default


def test_an_assumption_of_the_question_is_none_of_the_agent():
    page, thought = (
        "The village has 400 households.",
        "Assuming a share of 35 %, 400 × 35 % = 140 households heat with wood.",
    )
    assert "TRJ014" in codes(one("How many heat with wood?", "Look.", None, page, "140", then=thought))
    question = "How many heat with wood, assuming 35 %?"
    assert "TRJ014" not in codes(one(question, "Look.", None, page, "140", then=thought))


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
    for run in read_subjects([SHARED / "webdancer_chatml.jsonl", SHARED / "react_hotpotqa.jsonl"]):
        counts.update(codes(run))
    assert 8 <= counts["TRJ001"] <= 20
    # The log says of 13 runs that they were halted; three of them had just answered.
    assert counts["TRJ013"] == 10
    assert sum(counts.values()) < 90
