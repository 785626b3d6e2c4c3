"""Every check flags its bad examples and leaves the good ones alone."""

from __future__ import annotations

import re

import msgspec
import pytest

from assay.audits.audit import find
from assay.checks.base import Check, Example
from assay.checks.registry import all_checks, explanation, find_check
from assay.errors import UsageError
from assay.subjects.loaders import canonical
from assay.subjects.loaders.base import InputContext
from assay.subjects.report import Report
from assay.subjects.sources import SourceMap
from assay.subjects.trajectory import Trajectory

CHECKS = list(all_checks().values())
DECLARED = [check for check in CHECKS if not check.code.startswith("ASY")]


def parse_trajectory(text: str) -> Trajectory:
    return next(canonical.load(msgspec.json.decode(text), InputContext()))


def run(check: Check, example: Example) -> list:
    subject = (
        parse_trajectory(example.text)
        if check.subject == "trajectory"
        else Report(example.text, query=example.query)
    )
    return find(
        subject,
        checks=[check],
        sources=SourceMap(example.sources) if example.sources is not None else None,
        trajectory=parse_trajectory(example.trajectory) if example.trajectory else None,
        inline=False,
    )


def cases(kind: str) -> list:
    return [
        pytest.param(check, example, id=f"{check.code}-{kind}{i}")
        for check in DECLARED
        for i, example in enumerate(getattr(check, kind))
    ]


@pytest.mark.parametrize(("check", "example"), cases("bad"))
def test_bad_example_is_flagged(check: Check, example: Example) -> None:
    findings = run(check, example)
    assert findings, f"{check.code} does not flag its own bad example"
    for finding in findings:
        assert finding.code == check.code
        assert 0 <= finding.confidence <= 1
        assert finding.span.start < finding.span.end
        assert finding.message
        assert not finding.message.endswith(".")


@pytest.mark.parametrize(("check", "example"), cases("good"))
def test_good_example_is_left_alone(check: Check, example: Example) -> None:
    assert [finding.message for finding in run(check, example)] == []


@pytest.mark.parametrize("check", DECLARED, ids=lambda check: check.code)
def test_declaration(check: Check) -> None:
    assert re.fullmatch(r"[A-Z]{3}\d{3}", check.code)
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)+", check.name)
    assert check.bad, "a check needs a bad example"
    assert check.good, "a check needs a good example"
    text = explanation(check)
    assert len(text.split()) > 25, "the docstring is what `assay checks explain` prints"
    assert "Known problems" in text
    assert check.dimension or check.failure or check.code.startswith(("SEC", "STR", "EXP"))


def test_families_are_all_there() -> None:
    assert {check.code[:3] for check in DECLARED} == {
        "CIT", "NUM", "STR", "COH", "COV", "EXP", "QUA", "TRJ", "SEC",
    }  # fmt: skip


def test_find_check_by_code_or_name() -> None:
    check = DECLARED[0]
    assert find_check(check.code.lower()) is check
    assert find_check(check.name) is check
    with pytest.raises(UsageError, match="near"):
        find_check(check.code[:-1] + "9X")


@pytest.mark.parametrize(
    "subject", [Report(""), Report("\n\n"), Report("One line."), Trajectory("", [])], ids=repr
)
def test_nothing_to_find_in_nothing(subject: Report | Trajectory) -> None:
    assert [f for f in find(subject) if f.severity == "error"] == []
