"""The four failures of reasoning on trajectories: what they do to small runs of our own, and to real ones."""

from __future__ import annotations

from random import Random

import pytest

from assay.interventions.applying import apply
from assay.interventions.base import Operator, StepRevision
from assay.interventions.process import (
    evidence_fabrication,
    execution_stagnation,
    process_evidence_omission,
    shallow_reflection,
)
from assay.interventions.process._evidence import facts, fresh, lost
from assay.interventions.process._invented_sources import attributed, sources
from assay.interventions.process._queries import blocks, near_variants
from assay.interventions.process._reflections import passages
from assay.interventions.process._restatements import alike, article_sentences, summed
from assay.interventions.process._steps import changed, with_call, with_reasoning
from assay.interventions.process._thoughts import (
    asked,
    balanced,
    differing,
    near_query,
    replaced,
    restated,
    topics,
)
from assay.subjects.reading import read_subjects
from assay.subjects.timeline import timeline_of
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

OPERATORS = [
    execution_stagnation.OPERATOR,
    shallow_reflection.OPERATOR,
    process_evidence_omission.OPERATOR,
    evidence_fabrication.OPERATOR,
]
IDS = [operator.name for operator in OPERATORS]


def search(query: str, response: str) -> RawCall:
    return RawCall("search", {"query": query}, response)


@pytest.fixture
def clubs() -> Trajectory:
    """Two things looked up one after the other."""
    return Trajectory(
        "Which ski club was founded first, Skarvberg Ski Club or Luossa Ski Club?",
        [
            RawStep(
                "I need to search Skarvberg Ski Club and Luossa Ski Club, find their founding years, then find which was founded first.",
                [
                    search(
                        "Skarvberg Ski Club",
                        "Skarvberg Ski Club is a sports club in Finnmark, founded by the teacher Anna Lund in 1931. It has three hills above the harbour of Alta. Its rival is Luossa Ski Club.",
                    )
                ],
            ),
            RawStep(
                "Skarvberg Ski Club was founded in 1931 by Anna Lund. I need to search Luossa Ski Club next and find its founding year.",
                [
                    search(
                        "Luossa Ski Club",
                        "Luossa Ski Club is a sports club in Kiruna, founded in 1948. It shares a cup with Skarvberg Ski Club.",
                    )
                ],
            ),
            RawStep("Luossa Ski Club was founded in 1948, so the answer is Skarvberg Ski Club."),
        ],
        answer="Skarvberg Ski Club",
        id="clubs",
    )


@pytest.fixture
def lake() -> Trajectory:
    """One batch of searches, then a long thought."""
    response = """A search for 'Ardle reservoir history' found 3 results:

1. [Lake Ardle - Almanac](https://almanac.example/ardle)

Lake Ardle was dug in 1784 by the engineer Tobias Renn; it covers 312 acres.

2. [Renn and his works](https://works.example/renn)

The mill paid £4,000 for the dam at Ardle.

3. [The valley of the Ardle](https://valley.example/)

The mill stood until 1921.
"""
    return Trajectory(
        "What is the name of the artificial lake in the Ardle valley, which was dug for a paper mill?",
        [
            RawStep(
                "Okay, I need to find the lake. "
                'I could search "artificial lake paper mill valley" or "lake dug for a mill in the north". '
                "I am not sure which valley is meant, so I should check the Ardle first.\n\nLet me use the search tool.",
                [
                    RawCall(
                        "search",
                        {"query": ["Ardle reservoir history", "Ardle valley lake paper mill"]},
                        response,
                    )
                ],
            ),
            RawStep(
                "Okay, let's go through the results.\n\n"
                "First, the Wikipedia entry says that Lake Ardle was dug in 1784 by the engineer Tobias Renn. "
                "The second page notes that the mill paid £4,000 for the dam. "
                "All sources align on this.\n\n"
                "The mill itself isn't explicitly mentioned in the first result. "
                "I should also make sure that no other lake in the valley fits. I need to check the third page again.\n\n"
                "Therefore, the answer is Lake Ardle."
            ),
        ],
        answer="The artificial lake is **Lake Ardle**.\n\n- **History**: The engineer Tobias Renn dug it in 1784 for the mill, which stood until 1921.",
        id="lake",
    )


@pytest.fixture
def club_zh() -> Trajectory:
    return Trajectory(
        "滨海读书会和临江读书会哪一个创办得更早？",
        [
            RawStep(
                "先搜索滨海读书会的创办时间。",
                [
                    search(
                        "滨海读书会",
                        "滨海读书会由教师李明于1998年创办，起初只有十二名会员，每月举办一次活动。",
                    )
                ],
            ),
            RawStep(
                "滨海读书会由教师李明于1998年创办。接下来需要搜索临江读书会，确认它的创办时间。",
                [search("临江读书会", "临江读书会由书店店主王芳于2003年创办，地点在江边的旧仓库。")],
            ),
            RawStep("临江读书会由书店店主王芳于2003年创办，所以答案是滨海读书会。"),
        ],
        answer="滨海读书会",
        id="zh",
    )


def made(operator: Operator, subject: Trajectory, seed: int = 1) -> list[StepRevision]:
    return list(operator.rule(subject, Random(seed)))


def holds(operator: Operator, subject: Trajectory, revision: StepRevision) -> None:
    """One part of one step differs, everything else is the same, and the operator's own check agrees."""
    revised = apply(subject, revision).subject
    place = changed(subject, revised)
    assert place is not None, revision.note
    assert place.index == revision.index
    assert place.parts in (("reasoning",), ("arguments",))
    if place.parts == ("arguments",):
        assert operator.name == "execution_stagnation"
    assert revised.answer == subject.answer
    assert revised.query == subject.query
    assert revision.pattern
    assert revision.note
    assert operator.check is not None
    assert operator.check(subject, revised, revision) is None
    text = revised.steps[place.index].reasoning
    assert text.strip()
    assert (
        "  " not in text.replace(subject.steps[place.index].reasoning, "")
        or "  " in subject.steps[place.index].reasoning
    )
    assert "\n\n\n" not in text or "\n\n\n" in subject.steps[place.index].reasoning


@pytest.mark.parametrize("operator", OPERATORS, ids=IDS)
@pytest.mark.parametrize("name", ["clubs", "lake", "club_zh"])
def test_candidates_hold(operator: Operator, name: str, request: pytest.FixtureRequest) -> None:
    subject = request.getfixturevalue(name)
    candidates = [revision for seed in range(5) for revision in made(operator, subject, seed)]
    assert candidates
    for revision in candidates:
        holds(operator, subject, revision)


@pytest.mark.parametrize("operator", OPERATORS, ids=IDS)
def test_english_and_chinese_have_candidates(
    operator: Operator, clubs: Trajectory, lake: Trajectory, club_zh: Trajectory
) -> None:
    for subject in (clubs, lake, club_zh):
        assert any(made(operator, subject, seed) for seed in range(4)), subject.id


@pytest.mark.parametrize("operator", OPERATORS, ids=IDS)
def test_a_seed_gives_the_same_again(operator: Operator, clubs: Trajectory, lake: Trajectory) -> None:
    for subject in (clubs, lake):
        assert made(operator, subject, 7) == made(operator, subject, 7)


@pytest.mark.parametrize("operator", OPERATORS, ids=IDS)
def test_several_patterns(operator: Operator, clubs: Trajectory, lake: Trajectory) -> None:
    patterns = {
        item.pattern
        for subject in (clubs, lake)
        for seed in range(8)
        for item in made(operator, subject, seed)
    }
    assert len(patterns) >= 3, patterns


@pytest.mark.parametrize("operator", OPERATORS, ids=IDS)
def test_nothing_to_do_yields_nothing(operator: Operator) -> None:
    assert made(operator, Trajectory("Who?", [], answer=None)) == []
    assert made(operator, Trajectory("Who?", [RawStep("It is Anna.")], answer="Anna")) == []
    assert made(operator, Trajectory("", [RawStep("", [RawCall("search", "", None)])])) == []


@pytest.mark.parametrize("operator", OPERATORS, ids=IDS)
def test_check_refuses_no_failure(operator: Operator, clubs: Trajectory) -> None:
    assert operator.check is not None
    same = with_reasoning(clubs.steps[1], clubs.steps[1].reasoning + " ")
    revision = StepRevision(index=1, step=same, pattern="x")
    assert operator.check(clubs, apply(clubs, revision).subject, revision) is not None
    assert operator.check(clubs, clubs, revision) is not None
    # Another part than the one the operator works on.
    other = StepRevision(index=0, step=with_call(clubs.steps[0], 0, response="Nothing."), pattern="x")
    assert operator.check(clubs, apply(clubs, other).subject, other) is not None


@pytest.mark.parametrize("operator", OPERATORS, ids=IDS)
def test_contract(operator: Operator, clubs: Trajectory) -> None:
    assert operator.kind == "failure"
    assert operator.level == "process"
    assert operator.module == "reasoning"
    assert operator.definition_zh
    assert operator.ask
    assert operator.ask_zh
    assert operator.sites is not None
    sites = list(operator.sites(clubs, Random(1)))
    assert sites
    assert all(site.places[0].part == "reasoning" and site.places[0].step is not None for site in sites)


def check(operator: Operator, subject: Trajectory, index: int, text: str) -> str | None:
    revision = StepRevision(index=index, step=with_reasoning(subject.steps[index], text), pattern="own")
    assert operator.check is not None
    return operator.check(subject, apply(subject, revision).subject, revision)


def test_stagnation_by_hand(clubs: Trajectory) -> None:
    found = "Skarvberg Ski Club was founded in 1931 by Anna Lund. "
    again = found + "I need to search Skarvberg Ski Club and find its founding year."
    assert check(execution_stagnation.OPERATOR, clubs, 1, again) is None
    onward = found + "I need to search the Luossa hill in Kiruna and find its founding year."
    assert check(execution_stagnation.OPERATOR, clubs, 1, onward) is not None


def test_stagnation_in_the_call(clubs: Trajectory) -> None:
    # A thought that names its query would be at odds with another call.
    assert not [item for item in made(execution_stagnation.OPERATOR, clubs) if "call" in item.pattern]
    silent = Trajectory(
        clubs.query,
        [
            RawStep(
                "One after the other.", [search("Skarvberg Ski Club", clubs.tool_calls[0].response or "")]
            ),
            RawStep("Now the other one.", [search("Luossa Ski Club", clubs.tool_calls[1].response or "")]),
        ],
    )
    calls = [item for seed in range(6) for item in made(execution_stagnation.OPERATOR, silent, seed)]
    assert {item.pattern for item in calls} >= {"call-again"}
    for item in calls:
        assert near_query(item.step.tool_calls[0].arguments["query"], ["Skarvberg Ski Club"])
        assert item.step.reasoning == silent.steps[item.index].reasoning
    revision = StepRevision(
        index=1, step=with_call(clubs.steps[1], 0, arguments={"query": "Luossa hill record"}), pattern="own"
    )
    assert (
        execution_stagnation.check(clubs, apply(clubs, revision).subject, revision)
        == "the call repeats no earlier one"
    )


def test_stagnation_in_one_call() -> None:
    response = """A search for 'old lighthouse keeper Norway novel' found 1 result:

The novel of the old lighthouse keeper is by Ivar Moe.

=======
A search for 'Ivar Moe prizes' found 1 result:

Moe, author of the Norway novel on an old lighthouse keeper, won two prizes.
"""
    call = RawCall("search", {"query": ["old lighthouse keeper Norway novel", "Ivar Moe prizes"]}, response)
    run = Trajectory(
        "Which author of a novel won prizes?", [RawStep("I will search both.", [call]), RawStep("Two.")]
    )
    found = made(execution_stagnation.OPERATOR, run)
    assert {item.pattern for item in found} == {"query-twice"}
    for item in found:
        first, second = item.step.tool_calls[0].arguments["query"]
        assert near_query(second, [first])
        assert second != first
        holds(execution_stagnation.OPERATOR, run, item)


def test_stagnation_leaves_a_loop_alone(clubs: Trajectory) -> None:
    steps = [
        RawStep("I need to search Skarvberg.", [search("Skarvberg", "Could not find [Skarvberg].")]),
        RawStep("I need to search Skarvberg again.", [search("Skarvberg", "Could not find [Skarvberg].")]),
    ]
    assert made(execution_stagnation.OPERATOR, Trajectory("Where is Skarvberg?", steps)) == []


def test_shallow_by_hand(clubs: Trajectory) -> None:
    found = "Skarvberg Ski Club was founded in 1931 by Anna Lund. "
    shallow = found + "The question is which of the two ski clubs was founded first of all."
    assert check(shallow_reflection.OPERATOR, clubs, 1, shallow) is None
    planning = found + "Let me look up Luossa Ski Club and see when it was founded."
    assert check(shallow_reflection.OPERATOR, clubs, 1, planning) is not None
    invented = found + "The club of Bergheim was founded in 1902 by Otto Krull."
    assert check(shallow_reflection.OPERATOR, clubs, 1, invented) is not None


def test_omission_by_hand(clubs: Trajectory, lake: Trajectory) -> None:
    plan = "I need to search Luossa Ski Club next and find its founding year."
    assert check(process_evidence_omission.OPERATOR, clubs, 1, plan) is None
    # Said in other words, with all its facts: nothing is missing.
    told = "In 1931 Anna Lund founded Skarvberg Ski Club. " + plan
    assert check(process_evidence_omission.OPERATOR, clubs, 1, told) is not None
    invented = "Skarvberg Ski Club was founded in 1907. " + plan
    assert check(process_evidence_omission.OPERATOR, clubs, 1, invented) is not None
    vague = lake.steps[1].reasoning.replace("paid £4,000 for", "paid for")
    assert check(process_evidence_omission.OPERATOR, lake, 1, vague) is None


def test_fabrication_by_hand(clubs: Trajectory, lake: Trajectory) -> None:
    text = clubs.steps[2].reasoning
    assert (
        check(evidence_fabrication.OPERATOR, clubs, 2, "According to the Kvalsund Gazette of 1952, " + text)
        is None
    )
    assert check(evidence_fabrication.OPERATOR, clubs, 2, "According to the results, " + text) is not None
    assert check(evidence_fabrication.OPERATOR, clubs, 2, text.replace("1948", "1931")) is not None
    filled = lake.steps[1].reasoning.replace("isn't explicitly mentioned", "is explicitly mentioned")
    assert check(evidence_fabrication.OPERATOR, lake, 1, filled) is None


def test_gap_filled_and_source_swapped(lake: Trajectory) -> None:
    found = {
        item.pattern: item for seed in range(6) for item in made(evidence_fabrication.OPERATOR, lake, seed)
    }
    assert "is explicitly mentioned in the first result" in found["gap-filled"].step.reasoning
    swapped = found["source-swapped"].step.reasoning
    assert ("the Wikipedia entry" in swapped) != ("The second page" in swapped)


def test_changed(clubs: Trajectory) -> None:
    assert changed(clubs, clubs) is None
    one = apply(clubs, StepRevision(index=1, step=with_reasoning(clubs.steps[1], "Hm."), pattern="x")).subject
    place = changed(clubs, one)
    assert place is not None
    assert (place.index, place.call, place.parts, place.after) == (1, None, ("reasoning",), "Hm.")
    step = with_call(clubs.steps[0], 0, name="browse", arguments={"url": "https://a.example"})
    two = apply(clubs, StepRevision(index=0, step=step, pattern="x")).subject
    place = changed(clubs, two)
    assert place is not None
    assert (place.call, place.parts, place.part, place.before) == (0, ("name", "arguments"), "name", "search")
    both = apply(one, StepRevision(index=0, step=with_reasoning(one.steps[0], "Hm."), pattern="x")).subject
    assert changed(clubs, both) is None
    with pytest.raises(IndexError):
        with_call(clubs.steps[2], 0, name="x")


def test_facts(clubs: Trajectory) -> None:
    view = timeline_of(clubs)
    text = "Anna Lund founded Skarvberg Ski Club in 1931, not in 1907."
    assert [fact.text for fact in facts(view, text, 4)] == ["Anna Lund", "1931"]
    assert facts(view, text, 1) == []
    assert fresh(view, text, 4) == ["1907"]
    assert lost(view, text, "It was founded in 1931.", 4) == ["Anna Lund"]


def test_words_of_the_question() -> None:
    query = (
        "What is the name of the artificial lake in the valley, which was dug in 1784? When was it filled?"
    )
    assert asked(query).endswith("1784?")
    assert "The question is about the artificial lake in the valley." in restated(query)
    assert topics(query) == [
        "the artificial lake in the valley",
        "the artificial lake in the valley, which was dug in 1784",
    ]
    assert "The question is: Did Anna found it?" in restated("Did Anna found it?")
    assert restated("") == []
    assert all("谁创办了读书会" in text for text in restated("谁创办了读书会？"))


def test_replaced() -> None:
    assert replaced("One. Two. Three.", 5, 9, "") == "One. Three."
    assert replaced("One. Two.", 5, 9, "") == "One."
    assert replaced("One.\n\nTwo.\n\nThree.", 6, 10, "") == "One.\n\nThree."
    assert replaced("One. Two.\n\nThree.", 5, 9, "") == "One.\n\nThree."
    assert replaced("One. Two.", 5, 9, "Four.") == "One. Four."


def test_differing_and_balanced() -> None:
    assert differing("A one. B two. C three.", "A one. D four. C three.") == ("B two.", "D four.")
    assert differing("A one. C three.", "A one. B two. C three.") == ("", "B two.")
    assert not balanced("a set of symphonies (Nos.")
    assert balanced('It is "so" (or so).')


def test_near_variants(lake: Trajectory) -> None:
    found = near_variants(
        "artificial lake built for a film", "Which lake was dug for a paper mill?", Random(1)
    )
    assert "artificial lake constructed for a film" in found
    assert "artificial lake built for a movie" in found
    assert all(near_query(text, ["artificial lake built for a film"]) for text in found)
    assert near_variants("lake", "Which lake?", Random(1)) == []
    # What two queries brought is not told apart in this response.
    assert blocks(lake.steps[0].tool_calls[0]) == []


def test_article_sentences(clubs: Trajectory, lake: Trajectory) -> None:
    assert article_sentences(clubs, 1)[0].startswith("Skarvberg Ski Club is a sports club in Finnmark")
    assert "Skarvberg Ski Club has three hills above the harbour of Alta." in article_sentences(clubs, 1)
    # A list of results is no article.
    assert article_sentences(lake, 1) == []
    assert summed(lake)[0] == "The artificial lake is Lake Ardle."
    assert summed(lake)[1].startswith("The engineer Tobias Renn dug it")
    assert alike("Anna Lund founded the club.", ["The club was founded by Anna Lund in 1931."])
    assert not alike("Anna Lund founded the club.", ["It has three hills."])


def test_passages(lake: Trajectory) -> None:
    (unit,) = passages(lake.steps[1])
    text = lake.steps[1].reasoning[unit.start : unit.end]
    assert text.startswith("The mill itself isn't")
    assert text.endswith("third page again.")
    assert passages(lake.steps[0]) == []


def test_sources_fit_and_were_not_read(clubs: Trajectory) -> None:
    view = timeline_of(clubs)
    found = sources(view, "Skarvberg Ski Club", 1, Random(1))
    assert "an ESPN feature" in found
    assert "the AllMusic biography" not in found
    made = attributed("After that it was closed", ".", found[0], Random(1))
    # Its first word is no name, so nothing may come before it.
    assert all(text.startswith("After that it was closed") for text in made)


@pytest.mark.parametrize("operator", OPERATORS, ids=IDS)
@pytest.mark.parametrize("name", ["webdancer_chatml", "react_hotpotqa"])
def test_real_trajectories(operator: Operator, name: str, shared) -> None:
    subjects = list(read_subjects(str(shared / "trajectories" / f"{name}.jsonl")))
    subjects = [subject for index, subject in enumerate(subjects) if index % 3][::7]
    with_one = 0
    for number, subject in enumerate(subjects):
        revisions = made(operator, subject, number)
        with_one += bool(revisions)
        for revision in revisions:
            holds(operator, subject, revision)
    few = {"process_evidence_omission": 0.2, "shallow_reflection": 0.0 if name == "webdancer_chatml" else 0.5}
    assert with_one >= few.get(operator.name, 0.5) * len(subjects)
