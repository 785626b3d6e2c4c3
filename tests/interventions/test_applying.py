"""A revision changes what it says and nothing else, and the place is where it did."""

from __future__ import annotations

from random import Random

import pytest
from bench_parts import queries, report, trajectory
from hypothesis import given
from hypothesis import strategies as st

from assay.interventions.applying import apply, raw_step, revised_text, sentence_site
from assay.interventions.base import Edit, StepRevision, TextRevision
from assay.subjects.report import Report


def revision(*edits: Edit) -> TextRevision:
    return TextRevision(edits=edits, pattern="test")


def test_the_site_is_the_sentence_in_the_revised_text() -> None:
    source = "# Title\n\nDemand rose by 5 % in May. It fell in June.\n\nNothing else.\n"
    at = source.index("5 %")
    done = apply(Report(source), revision(Edit(at, at + 1, "50")))
    assert done.subject.source == source.replace("5 %", "50 %")
    assert done.subject.source[done.site.start : done.site.end] == "Demand rose by 50 % in May."
    assert source[done.reference_site.start : done.reference_site.end] == "Demand rose by 5 % in May."


def test_a_sentence_taken_out_leaves_a_site_beside_it() -> None:
    source = "# T\n\nFirst sentence here. Second sentence here.\n\nThird one.\n"
    at = source.index(" Second")
    end = source.index("\n\nThird")
    done = apply(Report(source), revision(Edit(at, end, "")))
    assert done.site.start < done.site.end
    assert "First sentence" in done.subject.source[done.site.start : done.site.end]


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 20), st.text(max_size=10))
def test_everything_outside_the_edit_stays(source: str, start: int, size: int, text: str) -> None:
    start = min(start, len(source))
    end = min(start + size, len(source))
    new = revised_text(source, [Edit(start, end, text)])
    assert new.startswith(source[:start])
    assert new.endswith(source[end:])
    assert len(new) == len(source) - (end - start) + len(text)


@pytest.mark.parametrize(
    "edits", [[], [Edit(3, 2, "")], [Edit(0, 99, "")], [Edit(2, 4, "x"), Edit(3, 5, "y")]]
)
def test_edits_that_do_not_fit_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="edit"):
        revised_text("a text", edits)


def test_a_step_is_revised_and_the_others_are_not() -> None:
    before = trajectory()
    done = apply(before, next(iter(queries(before, Random(0)))))
    after = done.subject
    assert done.site.index == 0
    assert after.steps[0].tool_calls[0].arguments == {"query": "song of the south author"}
    assert raw_step(after.steps[1]) == raw_step(before.steps[1])
    assert (after.answer, after.query) == (before.answer, before.query)


def test_a_revision_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError):
        apply(trajectory(), revision(Edit(0, 1, "x")))
    with pytest.raises(TypeError):
        apply(report(1), StepRevision(index=0, step=raw_step(trajectory().steps[0]), pattern="test"))
    with pytest.raises(ValueError, match="no step 7"):
        apply(trajectory(), StepRevision(index=7, step=raw_step(trajectory().steps[0]), pattern="test"))


def test_a_site_is_never_empty() -> None:
    text = Report("One sentence.\n\nAnother sentence.\n")
    for offset in range(len(text.source)):
        site = sentence_site(text, offset, offset)
        assert site.start < site.end
