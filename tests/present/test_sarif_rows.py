"""Where SARIF points for subjects that are rows of a file."""

from __future__ import annotations

import msgspec

from assay import Report, audit
from assay.present.sarif import sarif_head, sarif_results, sarif_tail
from assay.subjects.trajectory import RawCall, RawStep, Trajectory


def regions(subject: Report | Trajectory) -> list[dict]:
    text = sarif_head() + sarif_results(audit(subject)) + sarif_tail([])
    results = msgspec.json.decode(text)["runs"][0]["results"]
    return [r["locations"][0]["physicalLocation"] for r in results]


BAD = "# A\n\nSee Table 7 for the totals.\n\n# B\n\nThe programme ran from 2020 to 2015.\n"


def test_a_report_file_has_its_lines() -> None:
    places = regions(Report(BAD, path="a.md"))
    assert {place["region"]["startLine"] for place in places} == {3, 7}


def test_a_row_points_to_its_line_in_the_file() -> None:
    places = regions(Report(BAD, path="rows.jsonl:12"))
    assert places
    for place in places:
        assert place["artifactLocation"]["uri"].split("#")[0] == "rows.jsonl"
        assert place["region"]["startLine"] == 12
        assert "charOffset" not in place["region"]


def test_a_trajectory_claims_no_lines_it_has_not() -> None:
    call = RawCall("image_search", {"query": "Eiffel Tower"}, "Error: no such tool")
    run = Trajectory(
        "When did it open?",
        [RawStep("Search.", [call])],
        answer="In 1889.",
        tools=["search"],
        path="run.json",
    )
    places = regions(run)
    assert places
    assert {place["region"]["startLine"] for place in places} == {1}
