"""What a judge is shown: chunks and steps cover their subject, in order, and lead back into it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.judges.units import SubjectUnit, labels_of, units_of, whole
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

EXAMPLES = Path(__file__).parents[2] / "examples"
ZH = (EXAMPLES / "shanghai-reuse" / "good.md").read_text("utf-8")

TRAJECTORY = Trajectory(
    "How tall is it?",
    [
        RawStep("I look it up.", [RawCall("search", {"q": "height"}, "It is 330 m tall.")]),
        RawStep("", [RawCall("open", {"url": "https://a.example"}, None)]),
        RawStep("Done."),
    ],
    answer="330 m.",
)


def check(report: Report, units: list[SubjectUnit]) -> None:
    """In order, none overlapping, each the source's own text, and nothing judged left out."""
    spans = [(unit.pieces[0][1], unit.pieces[0][1] + unit.pieces[0][2]) for unit in units]
    assert all(len(unit.pieces) == 1 for unit in units)
    assert [unit.text for unit in units] == [report.source[start:end] for start, end in spans]
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert [unit.id for unit in units] == [f"chunk:{i}" for i in range(len(units))]
    covered = bytearray(len(report.source))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    for block in report.blocks:
        if block.kind != "reference" and report.source[block.span.start : block.span.end].strip():
            assert all(covered[block.span.start : block.span.end])


def test_chunks_cover_a_long_report() -> None:
    text = "# T\n\n" + "\n\n".join(
        f"## Part {i}\n\n" + "\n\n".join(f"Paragraph {j}. " + "Words go on. " * 40 for j in range(5))
        for i in range(6)
    )
    report = Report(text)
    units = units_of(report, "fine")
    check(report, units)
    assert len(units) > 4
    # Each begins at a block, so no sentence is torn, and none is far over the limit.
    assert all(len(unit.text) < 2 * 2400 for unit in units)
    # A heading is never left alone at the end of a chunk.
    assert not any(unit.text.rstrip().rsplit("\n", 1)[-1].startswith("#") for unit in units)
    # The first has the outline before it; the others the end of what comes before them too.
    assert [len(unit.context) for unit in units] == [1] + [2] * (len(units) - 1)
    assert units[0].context[0].splitlines()[:2] == ["- T", "  - Part 0"]
    assert units[2].context[1].removeprefix("… ") in text[: units[2].pieces[0][1]]


def test_chunks_of_a_chinese_report_are_shorter() -> None:
    report = Report(ZH * 3)
    units = units_of(report, "fine")
    check(report, units)
    assert len(units) >= 4
    assert max(len(unit.text) for unit in units) < 2700


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "# A",
                    "## B",
                    "- item",
                    "| a | b |\n|---|---|\n| 1 | 2 |",
                    "```\ncode\n```",
                    "",
                    "## 参考文献",
                ]
            ),
            st.text(max_size=80),
            st.text(alphabet="abc。报告 .\n", min_size=300, max_size=2500),
        ),
        max_size=12,
    )
)
def test_chunks_cover_any_text(blocks: list[str]) -> None:
    report = Report("\n\n".join(blocks))
    units = units_of(report, "fine")
    assert units
    check(report, units)


def test_one_endless_block_is_cut_by_length() -> None:
    report = Report("word " * 10_000)
    units = units_of(report, "fine")
    check(report, units)
    assert max(len(unit.text) for unit in units) <= 7200


def test_a_short_report_is_one_chunk() -> None:
    (unit,) = units_of(Report("Only this."), "fine")
    assert (unit.id, unit.kind, unit.text, unit.context) == ("chunk:0", "chunk", "Only this.", ())


def test_steps_come_with_all_steps_before_them() -> None:
    units = units_of(TRAJECTORY, "fine")
    assert [unit.id for unit in units] == ["step:0", "step:1", "step:2"]
    assert [unit.kind for unit in units] == ["step"] * 3
    assert [unit.context for unit in units] == [(), (units[0].text,), (units[0].text, units[1].text)]
    assert "(no response)" in units[1].text


def test_the_whole_of_a_trajectory_ends_with_its_answer() -> None:
    unit = whole(TRAJECTORY)
    assert unit.text.endswith("Final answer:\n330 m.")
    assert whole(Trajectory("Q?", [RawStep("Hm.")])).text.endswith("(the run ended without an answer)")
    assert whole(Trajectory("Q?", [])).text == "(nothing happened)"


def test_pieces_lead_back_into_the_source() -> None:
    for unit in (whole(TRAJECTORY), *units_of(TRAJECTORY, "fine")):
        assert unit.pieces
        for at, source, length in unit.pieces:
            assert unit.text[at : at + length] == TRAJECTORY.source[source : source + length]


@pytest.mark.parametrize("name", sorted(path.name for path in (EXAMPLES / "trajectories").glob("*.json")))
def test_pieces_of_real_trajectories(name: str) -> None:
    trajectory = Trajectory.read(EXAMPLES / "trajectories" / name)
    assert json.dumps(trajectory.query)
    for unit in (whole(trajectory), *units_of(trajectory, "fine")):
        for at, source, length in unit.pieces:
            assert unit.text[at : at + length] == trajectory.source[source : source + length]


def test_a_passage_is_placed() -> None:
    unit = whole(TRAJECTORY)
    start = unit.text.index("330 m tall")
    place = unit.place(start, start + 10)
    assert place is not None
    assert TRAJECTORY.source[place[0] : place[1]] == "330 m tall"
    # Over a label: from the first of the subject's own text to the last.
    start = unit.text.index("look it up.\nCall:")
    place = unit.place(start, unit.text.index("330 m tall") + 5)
    assert place is not None
    text = TRAJECTORY.source[place[0] : place[1]]
    assert text.startswith("look it up.")
    assert text.endswith("330 m")
    # A label alone is nothing of the subject's.
    label = unit.text.index("Thought:")
    assert unit.place(label, label + 8) is None


def test_labels() -> None:
    assert labels_of(1, "score") == ("",)
    assert labels_of(2, "compare") == ("A", "B")
    assert labels_of(3, "rank") == ("1", "2", "3")
