"""The rules judge on pairs: local failures in our own examples, surface attacks, symmetry."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import Report, UsageError
from assay.audits.compare import compare
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

GOOD = Path(__file__).parents[2] / "examples" / "heat-pumps"
ZH = Path(__file__).parents[2] / "examples" / "shanghai-reuse"


def edited(folder: Path, *edits: tuple[str, str]) -> tuple[Report, Report]:
    source = (folder / "good.md").read_text(encoding="utf-8")
    query = (folder / "query.txt").read_text(encoding="utf-8")
    text = source
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return Report(source, query=query), Report(text, query=query)


FAILURES = {
    "coverage: a mechanism made vague": (
        GOOD,
        "Units spend energy melting frost from the outdoor coil, and undersized ducts restrict airflow, which forces "
        "the compressor to run at a higher pressure.",
        "Several characteristics of the units and of the homes matter here, and they affect overall performance in "
        "ways that deserve some attention at the planning stage.",
    ),
    "evidence: figures and source dropped": (
        GOOD,
        "Over a whole season the field COP averaged 2.4, with backup resistance heat included, and ranged from 1.9 to "
        "2.9 between homes [1].",
        "Over a whole season the field results were somewhat lower, and they varied considerably between homes.",
    ),
    "misalignment: drift to a neighbouring subject": (
        GOOD,
        "Their higher COP reflects milder operating hours, not better equipment.",
        "Manufacturers have meanwhile moved assembly lines abroad, and semiconductor shortages delayed deliveries.",
    ),
    "citations swapped": (
        GOOD,
        "A survey of 212 invoices from 2023 and 2024 gives the mean costs in Table 2 [5].",
        "A survey of 212 invoices from 2023 and 2024 gives the mean costs in Table 2 [6].",
    ),
    "expression: wordy and repetitive": (
        GOOD,
        "They supplied only 75% of the heat, since bedrooms without an indoor unit relied on electric resistance "
        "heaters [3].",
        "They supplied only 75% of the heat that was supplied by them, since bedrooms, which are without an indoor "
        "unit, they relied on the relying of electric resistance heaters [3].",
    ),
    "覆盖：机制变空泛": (
        ZH,
        "工业冷却的需求全年比较平稳，不过集中在六家企业[1]，任何一家停产都会明显影响水量。",
        "工业冷却的需求总体上具有一定的特点，受到多方面因素的影响，需要在规划中予以重视。",
    ),
    "证据：数字与来源删去": (
        ZH,
        "同类新城规划需求的落实比例在65%至80%之间[2]",
        "同类新城规划需求的落实比例通常处于较好水平",
    ),
}


@pytest.mark.parametrize(("folder", "old", "new"), FAILURES.values(), ids=FAILURES.keys())
def test_prefers_the_original(folder: Path, old: str, new: str) -> None:
    original, worse = edited(folder, (old, new))
    verdict = compare(original, worse)
    assert verdict.preference == "A>B"
    # A reason is in the language of the reports.
    assert (
        "两者有 1 处不同" if original.language == "zh" else "They differ in 1 place(s)"
    ) in verdict.rationale


ATTACKS = {
    "padding": (
        ("Retrofit the 78 oil homes first.", "Retrofit the 78 oil homes first. In other words, the 78 oil homes are "
         "the homes that should be retrofitted first, before the others are retrofitted."),
    ),
    "headings": (
        ("An air-source heat pump moves heat", "### 0.1 What a heat pump does\n\nAn air-source heat pump moves heat"),
        ("Ductless units measured in 31 homes", "### 1.2 Ductless units\n\nDuctless units measured in 31 homes"),
    ),
    "evidence labels": (
        ("The authors attribute the gap", "**Evidence:** The authors attribute the gap"),
        ("Electrical work varied most", "Key evidence: Electrical work varied most"),
    ),
    "hedges": (
        ("Retrofit the 78 oil homes first.", "Generally speaking, retrofit the 78 oil homes first, all in all."),
        ("Their higher COP reflects", "As with any such result, some caution is in order. Their higher COP reflects"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("edits", ATTACKS.values(), ids=ATTACKS.keys())
def test_surface_does_not_win(edits: tuple[tuple[str, str], ...]) -> None:
    original, dressed = edited(GOOD, *edits)
    assert compare(original, dressed).preference != "A<B"


def test_headings_and_labels_alone_are_a_tie() -> None:
    original, dressed = edited(GOOD, *ATTACKS["headings"], *ATTACKS["evidence labels"])
    assert compare(original, dressed).preference == "tie"


def test_length_baseline_falls_for_padding() -> None:
    original, padded = edited(GOOD, *ATTACKS["padding"])
    assert compare(original, padded, judge="length").preference in ("A<B", "tie")
    assert (
        compare(original, Report(padded.source + "\n\n" + padded.source), judge="length").preference == "A<B"
    )


@pytest.mark.parametrize("name", ["good", "middling"])
@pytest.mark.parametrize("folder", [GOOD, ZH], ids=["en", "zh"])
def test_examples_rank_as_written(folder: Path, name: str) -> None:
    query = (folder / "query.txt").read_text(encoding="utf-8")
    better = Report((folder / f"{name}.md").read_text(encoding="utf-8"), query=query)
    flawed = Report((folder / "flawed.md").read_text(encoding="utf-8"), query=query)
    assert compare(better, flawed).preference == "A>B"


TEXT = st.text(alphabet="abc 12.,。的是[]#-\n|", max_size=200)


@given(TEXT, TEXT)
@settings(max_examples=60, deadline=None)
def test_swapping_swaps_the_verdict(a: str, b: str) -> None:
    flip = {"A>B": "A<B", "A<B": "A>B", "tie": "tie"}
    for judge in ("rules", "length", "random"):
        there, back = compare(Report(a), Report(b), judge=judge), compare(Report(b), Report(a), judge=judge)
        assert back.preference == flip[there.preference]
        assert there.scores is not None
        assert back.scores is not None
        for key, value in there.scores.items():
            assert back.scores[key] == pytest.approx(-value, abs=1e-9)


@given(TEXT)
@settings(max_examples=30, deadline=None)
def test_a_text_ties_with_itself(text: str) -> None:
    for judge in ("rules", "length", "random"):
        assert compare(Report(text), Report(text), judge=judge).preference == "tie"


def run(*steps: RawStep, answer: str = "The tower opened in 1889.") -> Trajectory:
    return Trajectory(
        "When did the Eiffel Tower in Paris open?", steps, answer=answer, tools=["search", "visit"]
    )


SEARCH = RawStep(
    "I need the opening year of the Eiffel Tower in Paris.",
    [RawCall("search", {"query": "Eiffel Tower Paris opening year"},
             "The Eiffel Tower in Paris opened on 31 March 1889 for the World's Fair.")],
)  # fmt: skip
CHECKED = RawStep(
    "The page says 1889. I should verify the date with a second source because one may be wrong.", []
)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        pytest.param(
            run(SEARCH, CHECKED),
            run(SEARCH, CHECKED, answer="The tower opened in 1889 under mayor Jules Ferry, says Le Monde."),
            id="ungrounded answer",
        ),
        pytest.param(
            run(SEARCH, CHECKED),
            run(RawStep(SEARCH.reasoning, [RawCall("search", {"query": "Tokyo Tower opening year"}, SEARCH.tool_calls[0].response)]), CHECKED),
            id="corrupted argument",
        ),
        pytest.param(
            run(SEARCH, CHECKED),
            run(RawStep(SEARCH.reasoning, [RawCall("search", SEARCH.tool_calls[0].arguments, "The Louvre holds the Mona Lisa, painted by Leonardo.")]), CHECKED),
            id="irrelevant response",
        ),
        pytest.param(
            run(SEARCH, CHECKED),
            run(SEARCH, RawStep("The question asks when the Eiffel Tower in Paris opened.", [])),
            id="shallow reflection",
        ),
        pytest.param(
            run(SEARCH, CHECKED),
            run(RawStep(SEARCH.reasoning, [RawCall("calculate", SEARCH.tool_calls[0].arguments, SEARCH.tool_calls[0].response)]), CHECKED),
            id="unoffered tool",
        ),
    ],
)  # fmt: skip
def test_prefers_the_sound_trajectory(good: Trajectory, bad: Trajectory) -> None:
    assert compare(good, bad).preference == "A>B"
    assert compare(bad, good).preference == "A<B"


def test_judgment_contract() -> None:
    verdict = compare(Report("One."), Report("Two.")).to_dict()
    assert list(verdict)[:12] == [
        "schema", "subject", "judge", "rubric", "scores", "preference", "by_order", "choice", "status", "rationale",
        "quotes", "usage",
    ]  # fmt: skip
    assert verdict["schema"] == "assay.judgment/2"
    assert verdict["by_order"] == {"AB": verdict["preference"], "BA": verdict["preference"]}
    assert verdict["usage"]["calls"] == 0


def test_refuses_what_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="compare subjects of one kind"):
        compare(Report("x"), run(SEARCH))
    with pytest.raises(UsageError, match="no judge is called 'rule'"):
        compare(Report("x"), Report("y"), judge="rule")


def test_comparing_leaves_the_reports_as_they_are() -> None:
    a, b = Report("Heat pumps cut bills."), Report("Heat pumps cut emissions.", query="Which?")
    compare(a, b, query="What do heat pumps do?")
    assert a.query is None
    assert b.query == "Which?"


def test_a_name_of_several_words_counts_where_it_stands() -> None:
    from assay.judges.change_features import Surroundings
    from assay.judges.changes import make_passage
    from assay.subjects.span import Span

    around = Surroundings(
        [make_passage("The World Bank met. The world-bank met, said World Bank.", Span(0, 1))], None, {}
    )
    assert around.count("World Bank") == 2
    assert around.count("Bank of England") == 0


def test_coins_of_pairs_that_share_a_text_fall_independently() -> None:
    reference = Report("The reference says what it says, at some length.")
    copies = [
        Report(f"The reference says what it says, at some length, and {number} more.")
        for number in range(400)
    ]
    tosses = [compare(reference, copy, judge="random").preference == "A>B" for copy in copies]
    # Were the coin a difference of two scores, nearly all would fall to the side that the shared text favours.
    assert 0.4 < sum(tosses) / len(tosses) < 0.6
