"""Failures in trajectories: where a model may work, what follows a changed call, and what rules plant."""

from __future__ import annotations

from random import Random

import pytest

from assay.interventions.applying import apply
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.material import text_at
from assay.interventions.process._thoughts import states
from assay.interventions.registry import all_operators
from assay.interventions.revising import revision_of
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

PROCESS = {
    name: item for name, item in all_operators().items() if item.level == "process" and item.kind == "failure"
}
CALLS = ("argument_corruption", "constraint_drop", "wrong_tool_selection")


def ferry(*, used: bool = False) -> Trajectory:
    """A search that brings something, and another; ``used``: whether the end rests on what the first brought."""
    later = "The first page named Captain Elsa Brandt, Vessel Nordlys and Pier Kallvik, so those are settled."
    return Trajectory(
        "How many passengers did the night ferry of Solvik carry in 2019?",
        [
            RawStep(
                "I need the counts of the night ferry of Solvik in 2019, so I search for them.",
                [
                    RawCall(
                        "search",
                        {"query": "Solvik night ferry passengers 2019"},
                        "1. Harbour office: Captain Elsa Brandt of the Nordlys at Kallvik pier reports on 2019.",
                    )
                ],
            ),
            RawStep(
                "The harbour office has a page on it. I open it to read the count for 2019.",
                [
                    RawCall(
                        "visit",
                        {"url": "https://harbour.example/counts"},
                        "Night ferry of Solvik: 41,300 passengers in 2019, 38,200 in 2018.",
                    )
                ],
            ),
            RawStep(
                later
                if used
                else "The page gives 41,300 passengers for 2019, and 38,200 for the year before."
            ),
        ],
        answer="Elsa Brandt of the Nordlys, Kallvik." if used else "It carried 41,300 passengers in 2019.",
        tools=("search", "visit", "calculator"),
    )


def test_the_papers_ten_are_there() -> None:
    assert len(PROCESS) == 10
    assert all(item.sites is not None for item in PROCESS.values())


@pytest.mark.parametrize("name", CALLS)
def test_what_follows_a_changed_call_may_be_rewritten(name: str) -> None:
    sites = PROCESS[name].sites
    assert sites is not None
    found = list(sites(ferry(), Random(1)))
    assert found
    for site in found:
        assert site.places[0].part in ("arguments", "name")
        parts = {(place.step, place.part) for place in site.following}
        number = site.places[0].step or 0
        assert (number, "response") in parts
        assert (number + 1, "reasoning") in parts


@pytest.mark.parametrize("name", [*CALLS, "result_irrelevance"])
def test_a_call_on_which_the_end_rests_is_not_offered(name: str) -> None:
    operator = PROCESS[name]
    assert operator.sites is not None
    steps = {site.places[0].step for site in operator.sites(ferry(used=True), Random(1))}
    assert 0 not in steps


def test_a_call_its_response_and_the_next_thought_make_one_revision() -> None:
    subject = ferry()
    operator = PROCESS["argument_corruption"]
    assert operator.sites is not None
    site = next(item for item in operator.sites(subject, Random(1)) if item.places[0].step == 0)
    places = [*site.places, *site.following]
    texts = {
        1: text_at(subject, places[0]).replace("2019", "2009"),
        2: text_at(subject, places[1]).replace("2019", "2009"),
        3: text_at(subject, places[2]).replace("the count for 2019", "its count"),
    }
    revision = revision_of(subject, site, texts)
    applied = apply(subject, revision)
    assert refusal(RevisedPair(operator, subject, applied, revision)) is None
    assert [number for number, _ in revision.following] == [1]
    assert "2009" in applied.subject.steps[0].tool_calls[0].response
    assert "its count" in applied.subject.steps[1].reasoning
    # Changing the reasoning of the step as well would be a second failure.
    revision.step.reasoning += " I feel lucky."
    refused = refusal(RevisedPair(operator, subject, apply(subject, revision), revision))
    assert refused is not None
    assert refused[0] == "more_than_one_site"


def test_a_trajectory_without_calls_says_why_it_offers_nothing() -> None:
    silent = Trajectory("Who?", [RawStep("I know that.")], answer="Somebody.")
    for name in CALLS:
        unfit = PROCESS[name].unfit
        assert unfit is not None
        assert unfit(silent) == "it calls no tool"


def one_call(
    response: str, query: str = "Solvik night ferry passengers 2019", tool: str = "search"
) -> Trajectory:
    return Trajectory(
        "How many passengers did the night ferry of Solvik carry in 2019?",
        [
            RawStep("I look for the ferry's counts.", [RawCall(tool, {"text": query}, response)]),
            RawStep(
                "Now I open a page.",
                [RawCall("visit", {"url": "https://harbour.example"}, "A page on boats.")],
            ),
        ],
        answer="41,300.",
        tools=("search", "visit"),
    )


LISTED = "1. Harbour office: yearly counts of boats and people since the pier was built."


@pytest.mark.parametrize("name", [*CALLS, "result_irrelevance"])
def test_a_response_too_long_to_rewrite_closes_the_place(name: str) -> None:
    sites = PROCESS[name].sites
    assert sites is not None
    first = [site for site in sites(one_call(LISTED), Random(1)) if site.places[0].step == 0]
    assert first
    long = [site for site in sites(one_call(LISTED * 100), Random(1)) if site.places[0].step == 0]
    assert not long


def test_a_response_that_was_left_out_is_not_rewritten() -> None:
    shot = one_call("Observation: A screenshot and some texts. (Omitted in context.)")
    assert not list(PROCESS["result_irrelevance"].sites(shot, Random(1)))
    (site,) = PROCESS["argument_corruption"].sites(shot, Random(1))
    assert [place.part for place in site.following] == ["reasoning"]


@pytest.mark.parametrize("name", ["argument_corruption", "constraint_drop"])
def test_a_scroll_has_no_value_to_change(name: str) -> None:
    assert not list(PROCESS[name].sites(one_call(LISTED, query="down", tool="scroll"), Random(1)))


def test_a_constraint_is_one_of_the_question_and_of_every_query() -> None:
    def hints(*queries: str) -> list[str]:
        base = one_call(LISTED)
        step = RawStep("I search.", [RawCall("search", {"query": list(queries)}, LISTED)])
        trial = Trajectory(base.query, [step, RawStep("Next.")], answer="41,300.", tools=("search",))
        return [str(site.hint) for site in PROCESS["constraint_drop"].sites(trial, Random(1))]

    (both,) = hints("Solvik night ferry passengers 2019 URL", "night ferry traffic 2019")
    assert "2019" in both
    assert "Solvik" not in both
    assert "URL" not in both
    assert not hints("harbour statistics")


def test_another_tool_is_one_that_was_called_somewhere() -> None:
    (first, *_) = PROCESS["wrong_tool_selection"].sites(ferry(), Random(1))
    assert "calculator" not in str(first.hint)


INJECTION = all_operators()["tool_result_injection"]


@pytest.mark.parametrize("seed", range(8))
def test_an_injection_stands_in_one_response_and_the_agent_says_what_it_said(seed: int) -> None:
    before = ferry()
    for revision in INJECTION.rule(before, Random(seed)):
        after = apply(before, revision).subject
        assert INJECTION.check(before, after, revision) is None
        assert [step.reasoning for step in after.steps] == [step.reasoning for step in before.steps]
        assert after.answer == before.answer
        texts = [call.response for step in before.steps for call in step.tool_calls]
        grown = [call.response for step in after.steps for call in step.tool_calls]
        ((old, new),) = [(old, new) for old, new in zip(texts, grown, strict=True) if old != new]
        # Taking the inserted lines out gives the reference.
        assert old.splitlines() == [line for line in new.splitlines() if line in old.splitlines()]


def test_an_injection_needs_a_response_in_words() -> None:
    data = one_call('{"rows": [{"year": 2019, "passengers": 41300}], "source": "harbour office"}')
    assert list(INJECTION.rule(data, Random(1))) == []
    assert "no tool returned prose" in INJECTION.unfit(data)
    assert INJECTION.unfit(ferry()) is None


def test_an_injection_is_left_out_where_no_page_could_speak() -> None:
    prose = (
        "The ferry to Solvik carried 41,300 passengers in 2019, says the yearly report of the harbour office."
    )
    for text in (f"[1] The page as a screenshot, read by OCR.\n{prose}", f'{prose}\n"title": "Ferries"'):
        assert INJECTION.unfit(one_call(text)) is not None
    assert INJECTION.unfit(one_call(prose)) is None


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("The page gives 41,300 passengers for 2019.", True),
        ("is_request_satisfied: True – We have found the ferry's count for 2019.", True),
        ("页面显示二〇一九年夜间渡轮的乘客人数。", True),
        ("→ WebSurfer: Open the page of the harbour office and read it.", False),
        ("Open the page of the harbour office and read the count.", False),
        ("next_speaker: WebSurfer – We have found the page of the office.", False),
        ("Could the assistant please read the count from the page of the office.", False),
        ('url = "https://harbour.example/counts/of/2019" for the page.', False),
        ("- Harbour office", False),
        ("请打开港务处的页面并读取二〇一九年的数字。", False),
    ],
)
def test_orders_and_labels_state_nothing(sentence: str, *, says: bool) -> None:
    assert states(sentence) is says


def run(*calls: tuple[str | None, str, dict[str, str]]) -> Trajectory:
    """Return a trajectory with one call a step, each by an agent; what a call returned is used nowhere."""
    steps = [
        RawStep("I go on.", [RawCall(name, arguments, "A page on boats and piers, in words.")], agent)
        for agent, name, arguments in calls
    ]
    return Trajectory(
        "How many people took the Solvik ferry in 2019?", [*steps, RawStep("Next.")], answer="None."
    )


SEARCH = ("a", "search", {"query": "Solvik ferry passengers 2019 in all"})


def offered(name: str, trajectory: Trajectory) -> dict[int | None, str]:
    return {site.places[0].step: str(site.hint) for site in PROCESS[name].sites(trajectory, Random(1))}


def test_no_click_before_a_page_is_open_and_no_tool_of_another_agent() -> None:
    click = ("a", "click", {"target": "Counts of boats"})
    tools = offered("wrong_tool_selection", run(SEARCH, click, SEARCH))
    assert 0 not in tools
    assert "click" in tools[2]
    assert not offered(
        "wrong_tool_selection", run(SEARCH, ("b", "visit", {"url": "https://harbour.example"}))
    )
    # One tool in two spellings, and two that both run code, are no choice.
    assert not offered(
        "wrong_tool_selection", run(SEARCH, ("a", "Search", {"query": "ferry counts of the office"}))
    )
    assert 0 not in offered(
        "wrong_tool_selection", run(("a", "sh", {"text": "ls of Solvik"}), ("a", "python", {"text": "x"}))
    )


@pytest.mark.parametrize("name", ["argument_corruption", "constraint_drop"])
def test_a_click_and_a_line_for_the_shell_ask_for_nothing(name: str) -> None:
    link, line = {"target": "Solvik ferry counts 2019 in all"}, {"text": "curl -o solvik ferry 2019 counts"}
    assert set(offered(name, run(SEARCH, ("a", "click", link), ("a", "sh", line)))) == {0}


def test_the_wrong_sources_are_named_and_no_search_engine_is_one() -> None:
    pages = (
        "[Counts - Harbour Office](https://harbour.example/counts) The Solvik ferry of Ada Brun carried 41,300 people.",
        "[Boats - Bing](https://www.bing.com/search?q=boats) Boats of all kinds.",
        "[Piers - Pier Club](https://pierclub.example/piers) Piers are made of wood.",
    )
    steps = [
        RawStep("I look.", [RawCall("search", {"query": f"boats {n}"}, page)]) for n, page in enumerate(pages)
    ]
    said = "The pages agree on this. Ada Brun carried 41,300 people across the sound."
    (site,) = PROCESS["wrong_source_citation"].sites(
        Trajectory("Who?", [*steps, RawStep(said)], answer="Brun."), Random(1)
    )
    assert "Ada Brun carried 41,300" in str(site.hint)
    assert "Pier Club" in str(site.hint)
    assert "bing" not in str(site.hint).lower()
    assert "Harbour Office" not in str(site.hint)
