"""Which part a section plays, by its title."""

from __future__ import annotations

import pytest

from assay.subjects.report import Report
from assay.subjects.roles import role_of, title_role


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Executive Summary", "summary"),
        ("1. Introduction", "introduction"),
        ("VI. Conclusion and outlook", "conclusion"),
        ("8.2 Limitations of the evidence", "limits"),
        ("Overview of battery chemistries", None),
        ("Battery costs", None),
        ("一、引言", "introduction"),
        ("六、结论与建议", "conclusion"),
        ("第五章 研究方法", "method"),
        ("参数化与校准", None),
    ],
)
def test_title_role(title, role):
    assert title_role(title) == role


def test_a_subsection_takes_the_role_above_it():
    report = Report(
        "# Summary of everything\n\n## Costs\n\n"
        + "Costs are high. " * 40
        + "\n\n## Conclusion\n\n### Next steps\n\nGo on."
    )
    by_title = {section.title: role_of(report, section) for section in report.sections}
    # The title over the whole report gives no role, whatever its first word.
    assert by_title["Costs"] is None
    assert by_title["Next steps"] == "conclusion"
