"""``assay audit --model``: one list of what rules and a reader found, in every format; what it takes; what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

REPORT = """# Ferries of Norfield

The night ferry carried 41,300 passengers in 2019. Two of nine harbours were counted.

## Conclusion

All harbours of the coast will lose half of their passengers, whatever the season.
"""
FAULT = {
    "quote": "All harbours of the coast will lose half of their passengers",
    "type": "overreach",
    "problem": "Two of nine harbours were counted, and the conclusion speaks of all.",
    "other": "Two of nine harbours were counted",
    "missing": "Counts of the other seven harbours.",
    "repair": "replace",
    "text": "The two harbours that were counted may go on losing passengers",
    "weight": "grave",
}
VERDICT = {
    "number": 1,
    "reason": "Nothing shows the others.",
    "verdict": "stands",
    "weight": "grave",
    "same_as": 0,
}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_text(REPORT, "utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "replies.jsonl"
    rows = [
        {"when": "have named the following faults", "text": json.dumps({"verdicts": [VERDICT]})},
        {"when": "editor who must answer", "text": json.dumps({"faults": [FAULT]})},
        {"when": "List the serious faults", "text": json.dumps({"faults": []})},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return f"scripted/{path}"


def test_a_fault_is_told_with_its_missing_link_and_its_repair(assay, report, model) -> None:
    found = assay("audit", report, "--model", model, "--ledger", "none")
    assert found.exit_code == 1
    assert "RDR103 error Two of nine harbours were counted, and the conclusion speaks of all" in found.stdout
    assert "missing link: Counts of the other seven harbours." in found.stdout
    assert "write instead: The two harbours that were counted" in found.stdout
    assert "Faults named: 1 stand" in found.stdout


def test_codes_of_readers_are_selected_and_ignored(assay, report, model) -> None:
    reading = ("audit", report, "--model", model, "--ledger", "none")
    assert "RDR103" not in assay(*reading, "--ignore", "RDR103").stdout
    assert "RDR103" in assay(*reading, "--select", "RDR").stdout
    refused = assay("audit", report, "--select", "RDR999")
    assert refused.exit_code == 2
    assert "RDR" in refused.stderr


def test_json_sarif_and_html_have_it_too(assay, report, model) -> None:
    def audited(form: str) -> str:
        return assay("audit", report, "--model", model, "--ledger", "none", "--format", form).stdout

    data = json.loads(audited("json"))
    (fault,) = [item for item in data["findings"] if "reading" in item]
    assert fault["reading"]["repair"] == {"kind": "replace", "text": FAULT["text"]}
    assert data["review"]["passes"] == ["argument", "facts", "part 1"]
    results = json.loads(audited("sarif"))["runs"][0]["results"]
    (result,) = [item for item in results if item["ruleId"] == "RDR103"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == FAULT["text"]
    page = audited("html")
    assert "Counts of the other seven harbours." in page
    assert "without a model" not in page


def test_a_second_run_asks_nothing_again(assay, report, model, tmp_path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    first = assay("audit", report, "--model", model, "--ledger", ledger)
    again = assay("audit", report, "--model", model, "--ledger", ledger)
    assert first.stdout == again.stdout
    assert "4 calls" in first.stderr
    assert "calls" not in again.stderr


def test_a_dry_run_says_what_it_takes(assay, report) -> None:
    found = assay("audit", report, "--model", "openai/gpt-5-mini", "--dry-run")
    assert found.exit_code == 0
    assert "1 subject, standard: at most about 4 calls" in found.stdout
    assert "nothing was sent" in found.stdout


def test_options_of_a_reader_need_a_reader(assay, report) -> None:
    found = assay("audit", report, "--depth", "thorough")
    assert found.exit_code == 2
    assert "--depth needs --model" in found.stderr


def test_batch_files_in_rounds_give_the_same(assay, report, model, tmp_path) -> None:
    requests, ledger = tmp_path / "requests.jsonl", tmp_path / "batch.sqlite"
    found = assay("audit", report, "--model", "openai/gpt-5-mini", "--requests", requests, "--ledger", ledger)
    assert found.exit_code == 0
    assert len(requests.read_text("utf-8").splitlines()) == 3


def test_a_model_that_cannot_be_asked_is_an_error_and_no_clean_report(assay, report, tmp_path) -> None:
    path = tmp_path / "nothing.jsonl"
    path.write_text(json.dumps({"when": "never said", "text": "{}"}), "utf-8")
    found = assay("audit", report, "--model", f"scripted/{path}", "--ledger", "none")
    assert found.exit_code == 3
    assert "was not read: argument: " in found.stderr


def test_repairs_are_listed_made_and_audited_again(assay, report, model, tmp_path) -> None:
    findings, new = tmp_path / "audit.json", tmp_path / "new.md"
    assay("audit", report, "--model", model, "--ledger", "none", "--format", "json", "-o", findings)
    listed = assay("repair", report, "--findings", findings, "--list")
    assert "+ The two harbours that were counted may go on losing passengers" in listed.stdout
    done = assay("repair", report, "--findings", findings, "-o", new)
    assert (
        "+The two harbours that were counted may go on losing passengers, whatever the season." in done.stdout
    )
    assert "1 repaired, 0 left; 0 of 0 findings by rule are still there" in done.stderr
    assert "1 by readers not looked for again" in done.stderr
    assert "The two harbours that were counted may go on" in new.read_text("utf-8")
    assert report.read_text("utf-8") == REPORT


def test_a_report_that_has_changed_since_is_not_repaired(assay, report, model, tmp_path) -> None:
    findings = tmp_path / "audit.json"
    assay("audit", report, "--model", model, "--ledger", "none", "--format", "json", "-o", findings)
    report.write_text(REPORT.replace("All harbours", "Most of all, harbours"), "utf-8")
    found = assay("repair", report, "--findings", findings)
    assert found.exit_code == 2
    assert "as it is now" in found.stderr


def test_what_was_read_before_a_cap_is_written(assay, report, model, tmp_path) -> None:
    long = tmp_path / "long.md"
    long.write_text(REPORT + "\n\nThe harbour was counted every night. " * 3000, "utf-8")
    ledger = tmp_path / "ledger.sqlite"
    assay("audit", report, "--model", model, "--ledger", ledger)
    found = assay(
        "audit",
        report,
        long,
        "--model",
        model,
        "--max-total-tokens",
        9000,
        "--ledger",
        ledger,
        "--format",
        "json",
    )
    assert found.exit_code != 0
    assert "the cap of 9,000 tokens is reached" in found.stderr
    assert len(found.stdout.splitlines()) == 1


def test_junit_tells_the_other_place_the_missing_link_and_the_repair(assay, report, model) -> None:
    found = assay("audit", report, "--model", model, "--ledger", "none", "--format", "junit")
    assert "conflicts with" in found.stdout
    assert "missing: Counts of the other seven harbours." in found.stdout
    assert "repair: replace The two harbours that were counted may go on losing passengers" in found.stdout


def test_a_page_claims_no_measured_confidence_for_a_reader(assay, report, model, tmp_path) -> None:
    page = tmp_path / "page.html"
    assay("audit", report, "--model", model, "--ledger", "none", "--format", "html", "-o", page)
    text = page.read_text("utf-8")
    assert "confirmed by a second reading" in text
    assert "88% sure" not in text


def test_what_a_reader_found_is_not_gone_where_nobody_read_again(assay, report, model, tmp_path) -> None:
    before = tmp_path / "before.json"
    assay("audit", report, "--model", model, "--ledger", "none", "--format", "json", "-o", before)
    found = assay("audit", report, "--baseline", before, "--fail-on", "new:error")
    assert "RDR103" not in found.stdout
    assert "1 gone" not in found.stdout + found.stderr
    assert "better 0, same 1" in found.stdout + found.stderr


def test_a_plan_counts_the_run_and_the_sources_that_are_read_too(assay, report, model, tmp_path) -> None:
    run = {"schema": "assay.trajectory/1", "query": "q", "tools": None, "answer": "a",
           "steps": [{"index": 0, "reasoning": "r", "tool_calls": [{"name": "s", "arguments": {}, "response": "x " * 4000}]}]}  # fmt: skip
    (tmp_path / "run.json").write_text(json.dumps(run), "utf-8")
    alone = assay("audit", report, "--model", model, "--dry-run").stdout
    beside = assay(
        "audit", report, "--model", model, "--trajectory", tmp_path / "run.json", "--dry-run"
    ).stdout
    assert "about 4 calls" in alone
    assert "about 6 calls" in beside
