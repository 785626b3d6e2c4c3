"""What the filters refuse, and what they let pass."""

from __future__ import annotations

import pytest
from bench_parts import NUMBERS, QUERIES, trajectory

from assay.interventions.applying import apply, raw_step
from assay.interventions.base import Edit, StepRevision, TextRevision
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.hints import edit_flaw
from assay.interventions.registry import all_operators
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall

SOURCE = (
    "# Demand\n\nDemand rose by **5 %** in May (see [1]), which the ministry did not expect at all.\n\n"
    "| a | b |\n|---|---|\n| 1 | 2 |\n\nIt fell in June, and nobody could say why it did so.\n"
)


def refused(old: str, new: str, *, source: str = SOURCE) -> str | None:
    at = source.index(old)
    text = TextRevision(edits=(Edit(at, at + len(old), new),), pattern="test")
    reference = Report(source)
    found = refusal(RevisedPair(NUMBERS, reference, apply(reference, text), text))
    return None if found is None else found[0]


@pytest.mark.parametrize(
    ("old", "new", "filter_"),
    [
        ("5 %", "50 %", None),
        ("rose", "fell", None),
        ("in May", "in  May", "no_change"),
        ("**5 %**", "**5 %", "malformed"),
        ("(see [1])", "(see [1]", "malformed"),
        ("| 1 | 2 |", "| 1 | 2 | 3 |", None),
        ("| a | b |\n|---|---|", "| a | b | c |\n|---|---|---|", "malformed"),
        ("rose by", "{entity} rose by", "artefact"),
        ("Demand rose", "Here is the revised passage: Demand rose", "artefact"),
        (", which", ",, which", "artefact"),
        ("at all.", "at all..", "artefact"),
        ("in June", "in  June again", "artefact"),
        (
            "It fell in June, and nobody could say why it did so.",
            "六月需求回落，没有人能说明其中的原因，部里也没有给出任何解释和说明，市场普遍感到意外，后续变化仍待观察。",
            "wrong_language",
        ),
        ("at all.", "at all. " + "More of the same was said. " * 60, "too_large"),
    ],
)
def test_reports(old: str, new: str, filter_: str | None) -> None:
    assert refused(old, new) == filter_


def test_a_failure_has_a_few_passages_at_most() -> None:
    reference = Report(SOURCE)
    text = TextRevision(edits=tuple(Edit(at, at + 1, "x") for at in range(12, 26, 2)), pattern="test")
    found = refusal(RevisedPair(NUMBERS, reference, apply(reference, text), text))
    assert found == ("more_than_one_site", "7 passages differ; the most is 6")


def test_a_refused_length_says_how_far_it_was_off_in_both_languages() -> None:
    subject = Report(SOURCE)
    start = SOURCE.index("at all.") + 7
    for name, text in (("length", " Indeed."), ("fabrication", " More of the same was said." * 60)):
        revision = TextRevision(edits=(Edit(start, start, text),), pattern="test")
        found = refusal(RevisedPair(all_operators()[name], subject, apply(subject, revision), revision))
        assert found is not None
        flaw = edit_flaw(*found)
        assert found[0] == "too_large"
        assert any(sign.isdigit() for sign in str(flaw))
        assert any(sign.isdigit() for sign in flaw.zh)
        assert "篇幅" in flaw.zh or "字符" in flaw.zh


def step(**changes: object) -> str | None:
    before = trajectory()
    raw = raw_step(before.steps[0])
    call = raw.tool_calls[0]
    if "reasoning" in changes:
        raw.reasoning = str(changes["reasoning"])
    raw.tool_calls[0] = RawCall(
        changes.get("name", call.name),  # type: ignore[arg-type]
        changes.get("arguments", call.arguments),  # type: ignore[arg-type]
        changes.get("response", call.response),  # type: ignore[arg-type]
    )
    revision = StepRevision(index=0, step=raw, pattern="test")
    found = refusal(RevisedPair(QUERIES, before, apply(before, revision), revision))
    return None if found is None else found[0]


@pytest.mark.parametrize(
    ("changes", "filter_"),
    [
        ({"arguments": {"query": "another song"}}, None),
        ({"name": "visit", "arguments": {"url": "https://b.org"}}, None),
        ({"reasoning": "Something else.", "arguments": {"query": "another song"}}, "more_than_one_site"),
        ({"reasoning": "   "}, "malformed"),
        ({"arguments": {}}, "malformed"),
        ({"arguments": "another song"}, "malformed"),
        ({"response": None}, "malformed"),
        ({"response": " "}, "malformed"),
        ({"name": " "}, "malformed"),
        ({}, "no_change"),
    ],
)
def test_steps(changes: dict[str, object], filter_: str | None) -> None:
    assert step(**changes) == filter_
