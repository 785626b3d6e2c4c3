"""The six failures of tool use: what each changes, that it is the failure, and that nothing else differs."""

from __future__ import annotations

import importlib
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.interventions.applying import apply, raw_step
from assay.interventions.base import Operator, StepRevision
from assay.interventions.process._arguments import changed_leaves, leaves_of, with_leaf
from assay.interventions.process._attributions import article
from assay.interventions.process._entities import put, put_everywhere, values
from assay.interventions.process._retrieved_sources import sources_before
from assay.interventions.process._steps import changed, with_call, with_reasoning
from assay.interventions.screen import Screen
from assay.subjects.reading import read_subjects
from assay.subjects.tool_calls import failure
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

NAMES = (
    "wrong_tool_selection",
    "constraint_drop",
    "argument_corruption",
    "result_irrelevance",
    "wrong_source_citation",
    "tool_response_hallucination",
)
PARTS = {
    "wrong_tool_selection": {
        ("name", "arguments"),
        ("name",),
        ("name", "response"),
        ("name", "arguments", "response"),
    },
    "constraint_drop": {("arguments",)},
    "argument_corruption": {("arguments",)},
    "result_irrelevance": {("response",)},
    "wrong_source_citation": {("reasoning",)},
    "tool_response_hallucination": {("reasoning",)},
}


def operator(name: str) -> Operator:
    found: Operator = importlib.import_module(f"assay.interventions.process.{name}").OPERATOR
    return found


def react() -> Trajectory:
    """Two pages, one after the other."""
    return Trajectory(
        "In what year was the lighthouse that Maria Keeling painted in 1902 built?",
        [
            RawStep(
                "I need to search Maria Keeling and find the lighthouse she painted in 1902.",
                [
                    RawCall(
                        "Search",
                        "Maria Keeling (painter)",
                        "Maria Keeling (born 4 May 1871) was an Irish painter of coasts and ships. She studied in London"
                        " with James Barlow. Her picture of the Skellan Lighthouse hangs in Dublin since 1902. She died of"
                        " a fever on the voyage home, and her sister kept the sketches.",
                    )
                ],
            ),
            RawStep(
                "Maria Keeling painted the Skellan Lighthouse. I need to search Skellan Lighthouse and find the year it"
                " was built.",
                [
                    RawCall(
                        "Search",
                        "Skellan Lighthouse",
                        "The Skellan Lighthouse stands on the west coast of Scotland. It was built in 1826 by Robert Ferrow"
                        " and is 38 metres tall. The lamp was made automatic after a storm took the bridge, and the keepers"
                        " moved to the village.",
                    )
                ],
            ),
            RawStep("The Skellan Lighthouse was built in 1826 by Robert Ferrow, so the answer is 1826."),
        ],
        answer="1826",
        id="react",
    )


def batch() -> Trajectory:
    """One search of several queries, and reasoning that names its sources."""
    parts = [
        (
            "Portuguese bridge opened 1887 engineer",
            [
                ("Ponte Alva - Wikipedia", "https://en.wikipedia.org/wiki/Ponte_Alva", "The Ponte Alva is a Portuguese bridge opened in 1887 by the engineer Joana Teles."),
                ("Ponte Alva | Britannica", "https://www.britannica.com/topic/Ponte-Alva", "Ponte Alva spans the river with a single arch of 172 metres."),
                ("Ponte Alva at dusk - Reddit", "https://www.reddit.com/r/bridges/1", "Photo of Ponte Alva at dusk, taken last week."),
                ("Bridges of Portugal", "https://bridges.example.org/list", "Ponte Alva and others, with the engineer of each and the year 1887."),
            ],
        ),
        (
            "longest wooden ferry of Norway",
            [
                ("Ferries of the north", "https://ferries.example.org/north", "The wooden vessel Havbris carried 300 passengers."),
                ("Havbris - Facebook", "https://www.facebook.com/havbris", "Havbris sails again this summer, a ferry of oak."),
                ("Fjord timetable", "https://fjord.example.no/times", "Departures at noon and at six from the old quay."),
                ("Boat builders of Bergen", "https://boats.example.no/bergen", "Shipwrights of the town and their yards."),
            ],
        ),
    ]  # fmt: skip
    text = "\n=======\n".join(
        f"A Google search for '{query}' found {len(items)} results:\n\n## Web Results\n"
        + "\n\n".join(f"{n}. [{title}]({url})\n\n{body}" for n, (title, url, body) in enumerate(items, 1))
        for query, items in parts
    )
    return Trajectory(
        "Which Portuguese bridge opened in 1887 spans a river with an arch of 172 metres?",
        [
            RawStep(
                "Let me search for the bridge first, and for the ferry as well. I should use the search tool.",
                [RawCall("search", {"query": [query for query, _ in parts]}, text)],
            ),
            RawStep(
                "The Wikipedia entry states that Ponte Alva was designed by Joana Teles. Britannica gives an arch of 172"
                " metres for Ponte Alva. The search results mention that Havbris carried 300 passengers."
            ),
        ],
        answer="Ponte Alva",
        tools=["search", "visit"],
        id="batch",
    )


def chinese() -> Trajectory:
    return Trajectory(
        "1998年在上海出生的导演林晓的第一部电影是什么？",
        [
            RawStep(
                "我需要搜索1998年在上海出生的导演林晓。",
                [RawCall("search", {"query": ["1998年在上海出生的导演林晓 第一部电影"]}, "林晓，导演，1998年出生于上海。第一部电影《河岸》于2021年上映，片长95分钟，由华光公司发行。")],
            ),
            RawStep("林晓的第一部电影《河岸》于2021年上映。答案是《河岸》。"),
        ],
        answer="《河岸》",
        tools=["search", "visit"],
        id="zh",
    )  # fmt: skip


def outcomes(
    name: str, subject: Trajectory, seeds: range = range(6)
) -> list[tuple[StepRevision, Trajectory]]:
    found = []
    for seed in seeds:
        for revision in operator(name).rule(subject, Random(seed)):
            found.append((revision, apply(subject, revision).subject))
    return found


def hold(name: str, subject: Trajectory, revision: StepRevision, revised: Trajectory) -> None:
    """One step differs, in the parts that the failure is of, and the check finds it."""
    place = changed(subject, revised)
    assert place is not None
    assert place.index == revision.index
    assert place.parts in PARTS[name], (name, place.parts)
    assert revised.answer == subject.answer
    assert revision.pattern
    assert revision.note
    check = operator(name).check
    assert check is not None
    assert check(subject, revised, revision) is None


# Nothing in these trajectories offers the failure a chance.
WITHOUT_CANDIDATES = {
    ("constraint_drop", "react"),
    ("argument_corruption", "react"),
    ("wrong_tool_selection", "chinese"),
    ("result_irrelevance", "chinese"),
    ("wrong_source_citation", "chinese"),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [react, batch, chinese])
def test_every_candidate_holds(name: str, make: Any) -> None:
    subject = make()
    candidates = outcomes(name, subject)
    assert bool(candidates) == ((name, make.__name__) not in WITHOUT_CANDIDATES)
    for revision, revised in candidates:
        hold(name, subject, revision, revised)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_same_again(name: str) -> None:
    for make in (react, batch, chinese):
        once = [msgspec.to_builtins(item) for item in operator(name).rule(make(), Random(3))]
        again = [msgspec.to_builtins(item) for item in operator(name).rule(make(), Random(3))]
        assert once == again


@pytest.mark.parametrize("name", NAMES)
def test_the_operator_says_what_it_is(name: str) -> None:
    found = operator(name)
    assert (found.name, found.level, found.module, found.kind) == (name, "process", "tool", "failure")
    assert found.definition.endswith(".")
    assert found.definition_zh.endswith("。")
    assert found.ask
    assert found.ask_zh
    assert found.sites is not None
    sites = [(subject, site) for subject in (react(), batch()) for site in found.sites(subject, Random(0))]
    assert sites
    for subject, site in ((one, item.places[0]) for one, item in sites):
        assert site.step is not None
        assert site.part == "reasoning" or site.call < len(subject.steps[site.step].tool_calls)


@pytest.mark.parametrize("name", NAMES)
def test_the_check_refuses_what_is_no_failure(name: str) -> None:
    subject = react()
    check = operator(name).check
    assert check is not None
    same = StepRevision(index=1, step=raw_step(subject.steps[1]), pattern="none")
    assert check(subject, subject, same) is not None
    # Another wording of the same is none of the failures.
    reworded = with_reasoning(
        subject.steps[2], "So the Skellan Lighthouse was built in 1826 by Robert Ferrow."
    )
    revision = StepRevision(index=2, step=reworded, pattern="reworded")
    assert check(subject, apply(subject, revision).subject, revision) is not None


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_work_on_gives_nothing(name: str) -> None:
    empty = Trajectory("?", [], answer=None)
    odd = Trajectory(
        "?", [RawStep("", [RawCall("", {"a": None, "b": [[], {}], "c": True}, ""), RawCall("x", "", None)])]
    )
    for subject in (empty, odd):
        assert list(operator(name).rule(subject, Random(0))) == []
        assert list(operator(name).sites(subject, Random(0))) == []  # type: ignore[misc]


def test_a_wrong_tool_is_offered_and_gets_arguments_it_takes() -> None:
    for _, revised in outcomes("wrong_tool_selection", batch()):
        call = revised.steps[0].tool_calls[0]
        assert call.name == "visit"
        assert isinstance(call.arguments, dict)
        assert any(leaf.address for leaf in leaves_of(call.arguments))
    names = {
        revised.steps[revision.index].tool_calls[0].name
        for revision, revised in outcomes("wrong_tool_selection", react())
    }
    assert names == {"Lookup"}


def test_a_page_that_is_visited_returns_a_page() -> None:
    subject = batch()
    found = outcomes("wrong_tool_selection", subject)
    assert found
    for _, revised in found:
        call = revised.steps[0].tool_calls[0]
        assert call.response is not None
        assert "A Google search" not in call.response
        assert "duckduckgo" not in call.argument_text
        assert "bing.com" not in call.argument_text
    check = operator("wrong_tool_selection").check
    assert check is not None
    step = with_call(
        subject.steps[0], 0, name="visit", arguments={"url": ["https://example.org/a"], "goal": "arch"}
    )
    stale = StepRevision(index=0, step=step, pattern="by hand")
    assert "list of search results" in (check(subject, apply(subject, stale).subject, stale) or "")


def test_what_was_not_found_is_what_was_asked() -> None:
    steps = [
        RawStep(
            "I need to search The Tide (1974 film).",
            [
                RawCall(
                    "Search",
                    "The Tide (1974 film)",
                    "Could not find [The Tide (1974 film)]. Similar: ['Tide']",
                )
            ],
        )
    ]
    subject = Trajectory("Who directed the 1974 film The Tide?", steps, answer="Ann Bell", id="echo")
    step = with_call(subject.steps[0], 0, arguments="The Tide (1979 film)")
    revision = StepRevision(index=0, step=step, pattern="by hand")
    made = Screen().candidate(operator("argument_corruption"), subject, revision, "rules")
    assert made is not None
    response = made.applied.subject.steps[0].tool_calls[0].response
    assert response == "Could not find [The Tide (1979 film)]. Similar: ['Tide']"


def test_a_page_that_was_found_may_be_read() -> None:
    subject = batch()
    steps = [raw_step(step) for step in subject.steps]
    steps.insert(
        1, RawStep("I will search again.", [RawCall("search", {"query": ["Ponte Alva arch"]}, "An arch.")])
    )
    longer = Trajectory(subject.query, steps, answer=subject.answer, tools=subject.tools)
    visit = {"url": ["https://en.wikipedia.org/wiki/Ponte_Alva"], "goal": "arch"}
    revision = StepRevision(
        index=1, step=with_call(longer.steps[1], 0, name="visit", arguments=visit), pattern="by hand"
    )
    check = operator("wrong_tool_selection").check
    assert check is not None
    assert "found" in (check(longer, apply(longer, revision).subject, revision) or "")


def test_a_dropped_constraint_is_gone_from_the_whole_batch() -> None:
    subject = batch()
    step = subject.steps[0]
    call = step.tool_calls[0]
    twice = {"query": ["Portuguese bridge 1887", "old bridge 1887"]}
    steps = [RawStep(step.reasoning, [RawCall("search", twice, call.response)])]
    doubled = Trajectory(subject.query, steps, tools=subject.tools)
    check = operator("constraint_drop").check
    assert check is not None
    half = {"query": ["Portuguese bridge", "old bridge 1887"]}
    revision = StepRevision(index=0, step=with_call(doubled.steps[0], 0, arguments=half), pattern="half")
    assert check(doubled, apply(doubled, revision).subject, revision) is not None
    patterns = set()
    for made, revised in outcomes("constraint_drop", doubled):
        patterns.add(made.pattern)
        if made.pattern in ("year", "century"):
            assert "1887" not in revised.steps[0].tool_calls[0].argument_text
    assert {"year", "century"} <= patterns


def test_a_corrupted_argument_keeps_its_form() -> None:
    for make in (react, batch, chinese):
        subject = make()
        for revision, revised in outcomes("argument_corruption", subject):
            before = subject.steps[revision.index].tool_calls[0].arguments
            after = revised.steps[revision.index].tool_calls[0].arguments
            assert len(changed_leaves(before, after)) == 1
    assert any(item.pattern == "wrong-year" for item, _ in outcomes("argument_corruption", batch()))
    assert any(item.pattern == "wrong-year" for item, _ in outcomes("argument_corruption", chinese()))
    check = operator("argument_corruption").check
    assert check is not None
    subject = react()
    for text, why in (("Lighthouse", "gone"), ("Skellan Lighthouse Scotland", "gone")):
        revision = StepRevision(
            index=1, step=with_call(subject.steps[1], 0, arguments=text), pattern="by hand"
        )
        assert why in (check(subject, apply(subject, revision).subject, revision) or "")


def test_what_came_back_does_not_contradict_the_call() -> None:
    for revision, revised in outcomes("wrong_tool_selection", react()):
        call = revised.steps[revision.index].tool_calls[0]
        assert call.name != "Lookup" or call.response == "No Results"
    for revision, _ in outcomes("argument_corruption", react()):
        old = react().steps[revision.index].tool_calls[0]
        assert failure(old) is not None or revision.pattern in ("wrong-year", "wrong-number", "wrong-date")


@pytest.mark.parametrize(
    ("label", "expected"), [("Amazon", "an"), ("eBay", "an"), ("USGS", "a"), ("NPR", "an"), ("Reddit", "a")]
)
def test_articles_are_as_names_are_spoken(label: str, expected: str) -> None:
    assert article(label) == expected


def test_an_irrelevant_result_is_another_page_or_another_query() -> None:
    pages = outcomes("result_irrelevance", react())
    assert {"other-call"} <= {revision.pattern for revision, _ in pages}
    for revision, revised in pages:
        response = revised.steps[revision.index].tool_calls[0].response or ""
        assert 0.3 < len(response) / len(react().steps[revision.index].tool_calls[0].response or "") < 1.6
    lists = outcomes("result_irrelevance", batch())
    assert any(revision.pattern == "other-query" for revision, _ in lists)
    check = operator("result_irrelevance").check
    assert check is not None
    subject = react()
    for text in (
        "",
        "Could not find Skellan Lighthouse.",
        "The Skellan Lighthouse is 38 metres tall and stands in Scotland.",
    ):
        revision = StepRevision(
            index=1, step=with_call(subject.steps[1], 0, response=text), pattern="by hand"
        )
        assert check(subject, apply(subject, revision).subject, revision) is not None


def test_a_wrong_source_is_a_retrieved_one_without_the_fact() -> None:
    subject = batch()
    assert {"Wikipedia", "Britannica", "Reddit"} <= {source.label for source in sources_before(subject, 1)}
    found = outcomes("wrong_source_citation", subject)
    assert {"exchanged", "made-specific"} <= {revision.pattern for revision, _ in found}
    check = operator("wrong_source_citation").check
    assert check is not None
    reasoning = subject.steps[1].reasoning
    for old, new in (
        ("The search results mention", "The Facebook page mentions"),
        ("Joana Teles", "Pedro Teles"),
    ):
        revision = StepRevision(
            index=1, step=with_reasoning(subject.steps[1], reasoning.replace(old, new)), pattern="by hand"
        )
        verdict = check(subject, apply(subject, revision).subject, revision)
        assert (verdict is None) == (new == "The Facebook page mentions")
    pages = outcomes("wrong_source_citation", react())
    assert pages
    assert all("Maria Keeling" in revised.steps[2].reasoning for _, revised in pages)


def test_a_hallucinated_fact_is_in_no_response() -> None:
    subject = react()
    found = outcomes("tool_response_hallucination", subject)
    assert any(revision.pattern == "year" for revision, _ in found)
    shown = "\n".join(call.response or "" for call in subject.tool_calls)
    for revision, revised in found:
        if revision.pattern in ("year", "added-date"):
            new = revision.note.rpartition("→ ")[2].split()[-1]
            assert new in revised.steps[revision.index].reasoning
            assert new not in shown
    check = operator("tool_response_hallucination").check
    assert check is not None
    step = subject.steps[2]
    true = step.reasoning.replace("The Skellan Lighthouse was", "The Skellan Lighthouse in Scotland was")
    revision = StepRevision(index=2, step=with_reasoning(step, true), pattern="by hand")
    assert check(subject, apply(subject, revision).subject, revision) is not None
    early = StepRevision(
        index=0, step=with_reasoning(subject.steps[0], "Maria Keeling was born in 1875."), pattern="by hand"
    )
    assert "come back" in (check(subject, apply(subject, early).subject, early) or "")
    assert any(item.pattern == "year" for item, _ in outcomes("tool_response_hallucination", chinese()))


def test_articles_fit_what_follows() -> None:
    assert put("He is a British man", 8, 15, "Irish") == "He is an Irish man"
    assert put("It is an Irish town", 9, 14, "European") == "It is a European town"
    assert put_everywhere("Rome, Romeo, Rome", "Rome", "Milan") == "Milan, Romeo, Milan"


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_values_lie_where_they_say(text: str) -> None:
    for value in values(text, queries=True):
        assert text[value.start : value.end] == value.text
        assert value.text not in value.others


ARGUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=4), ARGUMENTS, max_size=3))
@settings(max_examples=60, deadline=None)
def test_one_leaf_changed_is_one_leaf_changed(arguments: dict[str, Any]) -> None:
    for leaf in leaves_of(arguments):
        made = with_leaf(arguments, leaf.path, leaf.text + "x")
        if isinstance(_at(arguments, leaf.path), str):
            assert [old.path for old, _ in changed_leaves(arguments, made)] == [leaf.path]


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("file", ["react_hotpotqa", "webdancer_chatml"])
def test_on_real_trajectories(shared: Path, name: str, file: str) -> None:
    subjects = list(read_subjects(shared / "trajectories" / f"{file}.jsonl"))
    chosen = [subject for number, subject in enumerate(subjects) if number % 3 and number % 5 == 1][:8]
    count = 0
    for subject in chosen:
        assert isinstance(subject, Trajectory)
        for revision in operator(name).rule(subject, Random(1)):
            count += 1
            applied = apply(subject, revision)
            hold(name, subject, revision, applied.subject)
            for before, after in zip(subject.steps, applied.subject.steps, strict=True):
                if before.index != applied.site.index:
                    assert raw_step(before) == raw_step(after)
    assert count
