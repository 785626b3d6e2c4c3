"""Comparison with an earlier audit: what is new, what is gone, what was lost."""

import pytest

from assay.audits.audit import audit
from assay.audits.baseline import change_of, missing_reports, read_baseline
from assay.audits.baseline_comparison import comparison_data
from assay.errors import InputError
from assay.present.rendering import json_line
from assay.subjects.report import Report

SHARES = "The market splits into cars with 58 %, vans with 31 % and buses with 23 % of all sales in the year."
BODY = "\n\n".join(
    f"## Part {i}\n\nThe {word} of the plant was tested by the operator over one winter and found to be sound."
    for i, word in enumerate(("pump", "boiler", "roof", "wiring", "fence", "gate", "cellar", "meter"), 1)
)


def report(body, name="a", system="writer"):
    return Report(f"# Survey\n\n{body}\n", id=name, system=system, path=f"runs.jsonl:{ord(name)}")


def baseline(tmp_path, *reports):
    path = tmp_path / "last.json"
    path.write_text("".join(json_line(audit(item)) for item in reports), "utf-8")
    return read_baseline(str(path))


def change(subject, earlier):
    result = audit(subject)
    return change_of(result, result.fingerprints, earlier, subject.id)


def test_a_finding_that_moved_is_the_same(tmp_path):
    earlier = baseline(tmp_path, report(f"{SHARES}\n\n{BODY}"))
    row = change(report(f"{BODY}\n\n{SHARES}"), earlier)
    assert "NUM001" in {finding.code for finding in earlier.reports[0].findings}
    assert (row.new, row.gone, row.change) == ((), (), "same")


def test_a_new_error_makes_a_report_worse_and_a_mended_one_better(tmp_path):
    good, bad = report(BODY), report(f"{BODY}\n\n{SHARES}")
    worse = change(bad, baseline(tmp_path, good))
    assert worse.change == "worse"
    assert worse.fails(["error"])
    (tmp_path / "other").mkdir()
    better = change(good, baseline(tmp_path / "other", bad))
    assert better.change == "better"
    assert [finding.code for finding in better.gone] == ["NUM001"]
    assert not better.fails(["error", "warning"])


def test_a_report_cut_in_half_is_worse_without_any_finding(tmp_path):
    earlier = baseline(tmp_path, report(BODY))
    row = change(report(BODY[: BODY.index("## Part 4")]), earlier)
    assert row.change == "worse"
    assert {loss.kind: loss.severity for loss in row.losses} == {"words": "error", "sections": "error"}
    assert row.fails(["error"])


def test_nothing_left_is_a_loss(tmp_path):
    row = change(report(""), baseline(tmp_path, report(BODY)))
    assert [loss.kind for loss in row.losses] == ["nothing"]


def test_reports_are_found_by_id_and_system_whatever_their_row(tmp_path):
    earlier = baseline(tmp_path, report(BODY, "a"), report(BODY, "b"))
    moved = Report(report(BODY).source, id="b", system="writer", path="tonight.jsonl:1")
    assert change(moved, earlier).index == 1
    stranger = Report(report(BODY).source, id="b", system="other", path="tonight.jsonl:1")
    assert change(stranger, earlier).change == "added"


def test_rows_without_id_are_found_by_file_and_by_row(tmp_path):
    def row(path, body=BODY):
        return Report(f"# Survey\n\n{body}\n", path=path)

    earlier = baseline(tmp_path, row("nights/runs-1.jsonl:3"), row("nights/runs-1.jsonl:4"))
    result = audit(row("nights/runs-2.jsonl:4"))
    assert change_of(result, result.fingerprints, earlier, "x").index == 1


def test_the_summary_compares_systems_and_names_what_is_missing(tmp_path):
    names = "abcdef"
    earlier = baseline(tmp_path, *(report(BODY, name) for name in names))
    half = BODY[: BODY.index("## Part 4")]
    rows = [change(report(half if name in "ab" else BODY, name), earlier) for name in names[:-1]]
    data = comparison_data([*rows, *missing_reports(rows, earlier)], earlier.path)
    assert data["reports"]["worse"] == ["a", "b"]
    assert data["reports"]["missing"] == ["f · writer"]
    assert data["losses"][-1] == {
        "report": "f · writer", "kind": "report", "severity": "error", "before": rows[2].words[0], "after": 0,
    }  # fmt: skip
    (system,) = data["systems"]
    assert (system["reports"], system["worse"]) == (5, 2)
    assert system["words"]["low"] < system["words"]["value"] < 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no audit"),
        ('{"id": 1}\n', "not an audit"),
        ('{"schema": "assay.audit/1", "findings": []}\n', "no fingerprints"),
        ('{"schema": "assay.audit/2", "findings": [{"code": 1}], "report": {}}\n', "a damaged audit"),
        ('{"schema": "assay.audit/2", "findings": []}\n', "without `report`"),
    ],
)
def test_what_is_no_baseline_is_refused_with_the_reason(tmp_path, text, says):
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=says):
        read_baseline(str(path))


def test_a_baseline_that_was_written_again_is_read_again(tmp_path) -> None:
    import assay
    from assay.audits.baseline import read_baseline

    path = tmp_path / "last.jsonl"
    for names in (["a"], ["a", "b"]):
        reports = [assay.Report(f"# {name}\n\nCosts fall by 3 %.", id=name) for name in names]
        assay.audit_many(reports).save(path)
        assert len(read_baseline(str(path)).reports) == len(names)
