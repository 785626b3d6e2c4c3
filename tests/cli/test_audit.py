"""``assay audit``: what it writes, and how it ends."""

import json
import os
import re
from xml.etree import ElementTree as ET

import pytest

from .conftest import BAD, GOOD


def rows(path, *articles):
    path.write_text(
        "".join(
            line if line.startswith("{") else json.dumps({"id": i, "prompt": "Why?", "article": line}) + "\n"
            for i, line in enumerate(articles)
        ),
        "utf-8",
    )
    return path


def test_one_report_shows_findings_overview_and_totals(assay, bad):
    result = assay("audit", "bad.md")
    assert result.exit_code == 1
    assert "bad.md:9:11 NUM009 error" in result.stdout
    assert "Internal consistency" in result.stdout
    assert "Not checked" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("bad.md: 1 error")
    assert result.stderr == ""


def test_many_reports_end_with_a_ranking(assay, good, bad):
    result = assay("audit", "good.md", "bad.md")
    assert result.exit_code == 1
    assert re.search(r"\nbad.md +\d+ +1 ", result.stdout)
    assert re.search(r"\ngood.md +\d+ +0 ", result.stdout)
    assert "2 reports: " in result.stdout


def test_json_of_one_is_the_contract_and_of_many_is_lines(assay, good, bad):
    one = assay("audit", "good.md", "--format", "json")
    assert json.loads(one.stdout)["schema"] == "assay.audit/2"
    many = assay("audit", "good.md", "bad.md", "--format", "json").stdout.splitlines()
    assert [json.loads(line)["report"]["path"] for line in many] == ["good.md", "bad.md"]


def test_stdin(assay):
    result = assay("audit", "-", "--format", "json", "--fail-on", "never", input=BAD)
    assert result.exit_code == 0
    assert "NUM009" in {finding["code"] for finding in json.loads(result.stdout)["findings"]}


@pytest.mark.parametrize(("fail_on", "code"), [("error", 1), ("warning", 1), ("info", 1), ("never", 0)])
def test_fail_on(assay, bad, fail_on, code):
    assert assay("audit", "bad.md", "--fail-on", fail_on).exit_code == code


def test_select_ignore_and_confidence(assay, bad):
    assert assay("audit", "bad.md", "--ignore", "NUM009,CIT", "--fail-on", "error").exit_code == 0
    assert assay("audit", "bad.md", "--ignore", "table-total").exit_code == 0
    assert assay("audit", "bad.md", "--select", "CIT").exit_code == 0
    assert assay("audit", "bad.md", "--select", "CIT", "--select", "NUM").exit_code == 1
    assert assay("audit", "bad.md", "--min-confidence", "1").exit_code == 0


def test_a_variable_stands_for_each_option(assay, bad):
    assert assay("audit", "bad.md", env={"ASSAY_AUDIT_FAIL_ON": "never"}).exit_code == 0
    assert assay("audit", "bad.md", env={"ASSAY_AUDIT_IGNORE": "NUM009 CIT"}).exit_code == 0
    assert assay("audit", "bad.md", "--fail-on", "error", env={"ASSAY_AUDIT_FAIL_ON": "never"}).exit_code == 1


def test_settings_file(assay, bad, tmp_path):
    (tmp_path / "assay.toml").write_text('ignore = ["NUM"]\n')
    assert assay("audit", "bad.md").exit_code == 0
    assert assay("audit", "bad.md", "--isolated").exit_code == 1
    assert assay("audit", "bad.md", "--ignore", "CIT").exit_code == 1
    (tmp_path / "other.toml").write_text('[per-file]\n"bad.md" = { ignore = ["NUM"] }\n')
    assert assay("audit", "bad.md", "--config", "other.toml").exit_code == 0
    (tmp_path / "again.md").write_text(BAD)
    result = assay("audit", "bad.md", "again.md", "--config", "other.toml", "--format", "json")
    found = [
        [finding["code"] for finding in json.loads(line)["findings"]] for line in result.stdout.splitlines()
    ]
    assert ["NUM009" in codes for codes in found] == [False, True]


def test_inline_suppression_and_its_switch(assay, tmp_path):
    (tmp_path / "bad.md").write_text(BAD.replace("| Region", "<!-- assay: ignore NUM009 -->\n\n| Region"))
    assert assay("audit", "bad.md").exit_code == 0
    assert assay("audit", "bad.md", "--no-inline").exit_code == 1
    (tmp_path / "assay.toml").write_text("inline = false\n")
    assert assay("audit", "bad.md").exit_code == 1
    assert assay("audit", "bad.md", "--inline").exit_code == 0


def test_query_from_a_file(assay, good, tmp_path):
    (tmp_path / "question.txt").write_text("Compare the options in a table.\n")
    asked = assay("audit", "good.md", "--query", "@question.txt", "--format", "json")
    plain = assay("audit", "good.md", "--format", "json")
    assert json.loads(asked.stdout)["findings"] != json.loads(plain.stdout)["findings"]
    missing = assay("audit", "good.md", "--query", "@nope.txt")
    assert missing.exit_code == 2
    assert "nope.txt: cannot be read: No such file" in missing.stderr


def test_a_broken_row_is_named_and_the_rest_goes_on(assay, tmp_path):
    rows(tmp_path / "runs.jsonl", GOOD, '{"broken\n', GOOD)
    result = assay("audit", "runs.jsonl", "--format", "json")
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr.startswith("assay: runs.jsonl:2: broken JSON")


def test_a_gate_that_is_not_met_wins_over_a_broken_row(assay, tmp_path):
    rows(tmp_path / "runs.jsonl", BAD, '{"broken\n')
    assert assay("audit", "runs.jsonl").exit_code == 1
    assert assay("audit", "runs.jsonl", "--fail-on", "never").exit_code == 2


def test_fields_and_limit(assay, tmp_path):
    (tmp_path / "runs.jsonl").write_text(
        "".join(json.dumps({"n": i, "the_text": GOOD}) + "\n" for i in range(5))
    )
    result = assay("audit", "runs.jsonl", "--field", "report=the_text", "--limit", "3", "--format", "json")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 3


def test_processes_give_the_same(assay, tmp_path):
    rows(tmp_path / "runs.jsonl", *[GOOD, BAD] * 10)
    one = assay("audit", "runs.jsonl", "--format", "json")
    two = assay("audit", "runs.jsonl", "--format", "json", "-j", "2")
    assert one.stdout == two.stdout
    assert one.exit_code == two.exit_code == 1


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "html"])
def test_output_goes_to_a_file(assay, bad, tmp_path, form):
    result = assay("audit", "bad.md", "--format", form, "-o", "out.html")
    assert result.exit_code == 1
    assert result.stdout == ""
    text = (tmp_path / "out.html").read_text("utf-8")
    assert "NUM009" in text
    if form in ("json", "sarif"):
        json.loads(text)
    if form == "junit":
        assert ET.fromstring(text)[0].get("failures") == "1"


def test_html_of_many_is_a_folder_with_an_index(assay, good, bad, tmp_path):
    result = assay(
        "audit", "good.md", "bad.md", "nope.md", "--format", "html", "-o", "site", "--fail-on", "never"
    )
    assert result.exit_code == 2
    assert sorted(path.name for path in (tmp_path / "site").iterdir()) == [
        "bad.md.html",
        "good.md.html",
        "index.html",
    ]
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert 'href="good.md.html"' in index
    assert "nope.md: no such file" in index
    assert 'href="index.html"' in (tmp_path / "site" / "good.md.html").read_text("utf-8")


def test_html_of_many_without_a_folder_is_refused(assay, good, bad):
    result = assay("audit", "good.md", "bad.md", "--format", "html")
    assert result.exit_code == 2
    assert (
        result.stderr
        == "assay: there is more than one report: give `-o FOLDER` for a page each and an index\n"
    )


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "assay: nothing to audit: give a file, a folder, a glob, or - for stdin"),
        (["nope.md"], "assay: nope.md: no such file or folder"),
        (["good.md", "--selekt", "NUM"], "assay audit: No such option"),
        (
            ["good.md", "--format", "yaml"],
            "assay audit: Invalid value for '-f' / '--format': 'yaml' is not one of",
        ),
        (
            ["good.md", "--select", "NUMM"],
            "assay: --select: no check, family or name is called 'NUMM'; near: NUM",
        ),
        (
            ["good.md", "--field", "report"],
            "assay: --field report: write it as NAME=FIELD, for example report=article",
        ),
        (
            ["good.md", "--max-bytes", "lots"],
            "assay audit: Invalid value for '--max-bytes': 'lots' is not a size",
        ),
        (["good.md", "--max-bytes", "4"], "assay: good.md: too large"),
        (["good.md", "--min-confidence", "3"], "assay audit: Invalid value for '--min-confidence'"),
        (["good.md", "--sources", "nowhere"], "assay: nowhere: "),
        (["good.md", "--trajectory", "nope.json"], "assay: nope.json: "),
        (["good.md", "--config", "nope.toml"], "assay: nope.toml: cannot be read: No such file or directory"),
        (
            ["good.md", "-o", "missing/out.txt"],
            "assay: missing/out.txt: cannot be written: No such file or directory",
        ),
        (["good.md", "-o", "."], "assay: -o . is a folder; only --format html writes to one"),
    ],
)
def test_mistakes_are_told_in_one_line(assay, good, args, says):
    result = assay("audit", *args)
    assert result.exit_code == 2
    assert result.stderr.startswith(says)
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("content", [b"", b"   \n", b"\x00\x01\x02\xff\xfe\x00\x9c" * 100])
def test_files_that_hold_no_text(assay, tmp_path, content):
    (tmp_path / "x.md").write_bytes(content)
    result = assay("audit", "x.md")
    assert result.exit_code == 2
    assert result.stderr.startswith("assay: x.md: ")
    assert result.stderr.count("\n") == 1


def test_colour_follows_the_option_and_no_color(assay, bad):
    assert "\x1b[" not in assay("audit", "bad.md").stdout
    assert "\x1b[" in assay("audit", "bad.md", "--color", "always", color=True).stdout
    assert "\x1b[" not in assay("audit", "bad.md", "--color", "never").stdout


def test_quiet_shows_the_summary_alone(assay, bad):
    result = assay("audit", "bad.md", "-q")
    assert "NUM009" not in result.stdout
    assert "bad.md: 1 error" in result.stdout


def test_verbose_says_what_was_used(assay, good):
    result = assay("audit", "good.md", "-v")
    assert "settings: none found; " in result.stderr
    assert "audited 1 in " in result.stderr


def test_a_check_that_fails_is_an_engine_failure(assay, bad, monkeypatch):
    import msgspec

    from assay.audits import audit as module
    from assay.checks import selection
    from assay.checks.registry import all_checks

    def broken(*_):
        raise ZeroDivisionError("oh")

    checks = dict(all_checks())
    checks["NUM009"] = msgspec.structs.replace(checks["NUM009"], run=broken)
    monkeypatch.setattr(selection, "all_checks", lambda: checks)
    monkeypatch.setattr(module, "all_checks", lambda: checks)
    result = assay("audit", "bad.md")
    assert result.exit_code == 3
    assert "failed on bad.md: ZeroDivisionError: oh (--ignore NUM009 leaves it out)" in result.stderr
    assert assay("audit", "bad.md", "--ignore", "NUM009").exit_code == 0


def test_input_format_by_name(assay, good):
    assert assay("audit", "good.md", "--input-format", "report-text").exit_code == 0
    wrong = assay("audit", "good.md", "--input-format", "report-txt")
    assert wrong.exit_code == 2
    assert "report-text" in wrong.stderr


def test_messages_are_in_the_language_of_the_report_or_the_one_asked_for(assay, tmp_path):
    report = tmp_path / "报告.md"
    report.write_text("从用户构成看，一线城市占45%，二线城市占38%，其他城市占27%。", "utf-8")
    command = ["audit", str(report), "--select", "NUM001", "--fail-on", "never", "--format", "json"]
    assert "超过整体" in json.loads(assay(*command).stdout)["findings"][0]["message"]
    english = json.loads(assay(*command, "--language", "en").stdout)["findings"][0]["message"]
    assert "more than the whole" in english


def test_a_baseline_shows_only_what_is_new_and_gates_on_it(assay, good, bad, tmp_path):
    last = tmp_path / "last.json"
    last.write_text(assay("audit", "good.md", "bad.md", "--format", "json").stdout, "utf-8")
    same = assay("audit", "good.md", "bad.md", "--baseline", str(last), "--fail-on", "new:error")
    assert same.exit_code == 0
    assert "NUM009 error" not in same.stdout
    assert "Since the baseline: new findings 0, gone 0" in same.stdout
    (tmp_path / "good.md").write_text(GOOD + BAD, "utf-8")
    worse = assay("audit", "good.md", "bad.md", "--baseline", str(last), "--fail-on", "new:error")
    assert worse.exit_code == 1
    assert "NUM009 error" in worse.stdout
    assert "reports worse 1" in worse.stdout


def test_a_baseline_in_json_sarif_junit_and_html(assay, good, bad, tmp_path):
    last = tmp_path / "last.json"
    last.write_text(assay("audit", "bad.md", "--format", "json").stdout, "utf-8")
    (tmp_path / "bad.md").write_text(GOOD, "utf-8")
    compare = ("--baseline", str(last), "--fail-on", "new:error")
    lines = [
        json.loads(line)
        for line in assay("audit", "bad.md", *compare, "--format", "json").stdout.splitlines()
    ]
    assert lines[0]["baseline"]["change"] == "better"
    assert lines[-1]["schema"] == "assay.audit-comparison/1"
    results = json.loads(assay("audit", "bad.md", *compare, "--format", "sarif").stdout)["runs"][0]["results"]
    assert "absent" in {result["baselineState"] for result in results}
    suites = ET.fromstring(assay("audit", "bad.md", *compare, "--format", "junit").stdout)
    assert not suites.findall(".//failure")
    assert assay("audit", "bad.md", *compare, "--format", "html", "-o", "site").exit_code == 0
    assert "Since the baseline" in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Gone since the baseline" in (tmp_path / "site" / "bad.md.html").read_text("utf-8")


def test_new_findings_need_a_baseline(assay, good):
    result = assay("audit", "good.md", "--fail-on", "new:error")
    assert result.exit_code == 2
    assert "needs --baseline FILE" in result.stderr


def test_a_report_that_is_missing_since_the_baseline_fails_the_gate(assay, good, bad, tmp_path):
    last = tmp_path / "last.json"
    last.write_text(assay("audit", "good.md", "bad.md", "--format", "json").stdout, "utf-8")
    compare = ("--baseline", str(last), "--fail-on", "new:error")
    text = assay("audit", "good.md", *compare)
    assert text.exit_code == 1
    assert "missing 1" in text.stdout
    assert re.search(r"\nbad.md +missing .* everything\n", text.stdout)
    assert "renamed" not in text.stdout
    summary = json.loads(assay("audit", "good.md", *compare, "--format", "json").stdout.splitlines()[-1])
    assert summary["reports"]["missing"] == ["bad.md"]
    assert summary["losses"][0]["kind"] == "report"
    suites = ET.fromstring(assay("audit", "good.md", *compare, "--format", "junit").stdout)
    assert [item.get("message") for item in suites.findall(".//failure")] == ["missing since the baseline"]
    assert "bad.md: missing since the baseline" in assay("audit", "good.md", *compare, "-f", "sarif").stdout
    assert assay("audit", "good.md", "bad.md", "--limit", "1", *compare).exit_code == 0
    assert assay("audit", "good.md", "--baseline", str(last), "--fail-on", "never").exit_code == 0


def test_a_renamed_report_is_explained(assay, good, bad, tmp_path):
    last = tmp_path / "last.json"
    last.write_text(assay("audit", "good.md", "bad.md", "--format", "json").stdout, "utf-8")
    good.rename(tmp_path / "better.md")
    result = assay("audit", "better.md", "bad.md", "--baseline", str(last), "--fail-on", "new:error")
    assert result.exit_code == 1
    assert "good.md seems to be renamed: better.md is as long." in result.stdout
    assert "write the baseline anew" in " ".join(result.stdout.split())


def test_a_refused_command_leaves_the_output_as_it_was(assay, good, bad, tmp_path):
    out = tmp_path / "x.html"
    out.write_text("precious", "utf-8")
    for paths in (("good.md", "bad.md"), ("nope.md",)):
        assert assay("audit", *paths, "--format", "html", "-o", "x.html").exit_code == 2
        assert out.read_text("utf-8") == "precious"
        assert assay("audit", *paths, "--format", "html", "-o", "new.html").exit_code == 2
        assert not (tmp_path / "new.html").exists()
    assert assay("audit", "good.md", "--format", "html", "-o", "x.html").exit_code == 0
    assert out.read_text("utf-8").startswith("<!")


def test_the_suffix_of_the_output_is_its_format(assay, good, tmp_path):
    assert assay("audit", "good.md", "-o", "x.html").exit_code == 0
    assert (tmp_path / "x.html").read_text("utf-8").startswith("<!")
    assert assay("audit", "good.md", "-o", "x.sarif").exit_code == 0
    assert json.loads((tmp_path / "x.sarif").read_text("utf-8"))["version"] == "2.1.0"
    other = assay("audit", "good.md", "--format", "json", "-o", "y.html")
    assert "y.html will hold json, as --format says, in spite of its name" in other.stderr
    assert json.loads((tmp_path / "y.html").read_text("utf-8"))
    unknown = assay("compare", "good.md", "good.md", "-o", "z.sarif")
    assert "z.sarif will hold text: this command does not write sarif" in unknown.stderr
    assert assay("compare", "good.md", "good.md", "-o", "z.json").exit_code == 0
    assert json.loads((tmp_path / "z.json").read_text("utf-8"))


def test_what_was_written_and_why_the_exit_code_is_not_0(assay, good, bad):
    result = assay("audit", "good.md", "bad.md", "--format", "html", "-o", "site")
    assert result.stderr == (
        "wrote site/index.html (2 reports, 1 error; exit code 1: findings, --fail-on error)\n"
    )
    assert assay("audit", "good.md", "-o", "x.json").stderr == "wrote x.json (1 report, 0 errors)\n"
    assert assay("audit", "good.md", "-o", "x.json", "-q").stderr == ""


def test_pages_of_earlier_audits_are_counted(assay, good, bad, tmp_path):
    assay("audit", "good.md", "bad.md", "-f", "html", "-o", "site")
    for page in (tmp_path / "site").iterdir():
        os.utime(page, (1, 1))
    (tmp_path / "site" / "own.html").write_text("<p>mine", "utf-8")
    again = assay("audit", "good.md", "-f", "html", "-o", "site")
    assert again.stderr.endswith("; 1 page in site from earlier audits\n")


def test_rows_that_are_not_reports_are_told_in_one_line(assay, good, tmp_path):
    (tmp_path / "criteria.jsonl").write_text('{"name": "a"}\n' * 100, "utf-8")
    result = assay("audit", ".")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(
        "assay: criteria.jsonl: 100 rows are not reports or trajectories; first: row 1:"
    )


def test_many_reports_have_a_table_of_checks(assay, good, bad):
    text = assay("audit", "good.md", "bad.md", "-q").stdout
    assert re.search(r"\nNUM009 +table-total +error +1 +1 +bad.md:9\n", text)


def test_reports_in_different_languages_have_messages_in_english(assay, good, tmp_path):
    report = tmp_path / "报告.md"
    report.write_text("从用户构成看，一线城市占45%，二线城市占38%，其他城市占27%。", "utf-8")
    alone = assay("audit", str(report), "--select", "NUM001").stdout
    both = assay("audit", str(report), "good.md", "--select", "NUM001").stdout
    assert "NUM001 错误" in alone
    assert "NUM001 error" in both
    assert "more than the whole" in both
    assert "--language" in assay("audit", "--help").stdout
