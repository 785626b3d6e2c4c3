"""Audits: the contract, streams, failures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import InputError, Report, Trajectory, UsageError, audit
from assay.audits.audit import audit_stream
from assay.audits.result import Audit
from assay.checks.base import Check, Example, Hit
from assay.errors import EngineError
from assay.subjects.span import Span

EXAMPLES = Path(__file__).parents[2] / "examples"


def flawed() -> Report:
    query = (EXAMPLES / "heat-pumps" / "query.txt").read_text(encoding="utf-8")
    return Report(
        (EXAMPLES / "heat-pumps" / "flawed.md").read_text(encoding="utf-8"), query=query, path="flawed.md"
    )


def test_contract_of_a_report() -> None:
    data = msgspec.json.decode(msgspec.json.encode(audit(flawed()).to_dict()))
    assert list(data) == [
        "schema", "report", "status", "reason", "counts", "unchecked", "findings", "logic", "structure", "dimensions",
    ]  # fmt: skip
    assert data["schema"] == "assay.audit/2"
    assert (data["status"], data["reason"]) == ("ok", None)
    assert sum(data["counts"][level] for level in ("error", "warning", "info")) == len(data["findings"])
    assert [part["topic"] for part in data["unchecked"]] == ["sources", "trajectory"]
    assert list(data["report"]) == [
        "path", "id", "system", "language", "words", "sentences", "paragraphs", "sections", "citations", "references",
    ]  # fmt: skip
    assert data["report"]["path"] == "flawed.md"
    source = flawed().source
    for finding in data["findings"]:
        assert list(finding) == [
            "code", "name", "severity", "dimension", "message", "span", "related", "confidence", "fingerprint",
        ]  # fmt: skip
        span = finding["span"]
        assert 0 <= span["start"] < span["end"] <= len(source)
        before = source[: span["start"]]
        assert span["line"] == before.count("\n") + 1
        assert span["column"] == len(before) - (before.rfind("\n") + 1) + 1
        for place in finding["related"]:
            assert list(place) == ["start", "end"]
    assert list(data["logic"]) == ["schema", "nodes", "edges", "roots", "metrics"]
    assert list(data["structure"]) == [
        "analysis_width", "analysis_depth", "information_density", "paragraph_richness",
    ]  # fmt: skip
    for dimension in data["dimensions"].values():
        assert list(dimension) == ["findings"]
        assert all(0 <= i < len(data["findings"]) for i in dimension["findings"])


def test_contract_of_a_trajectory() -> None:
    result = audit(Trajectory.read(EXAMPLES / "trajectories" / "flawed.json"))
    data = result.to_dict()
    assert list(data) == [
        "schema",
        "trajectory",
        "status",
        "reason",
        "counts",
        "unchecked",
        "findings",
        "dimensions",
    ]
    assert list(data["dimensions"]) == ["reasoning", "tool_use"]
    assert {code[:3] for code in (f["code"] for f in data["findings"])} == {"TRJ"}


def planted(folder: str) -> list[tuple[str, str]]:
    import yaml

    rows = yaml.safe_load((EXAMPLES / folder / "flaws.yaml").read_text(encoding="utf-8"))
    return [(row["quote"], row["kind"]) for row in rows["flawed.md"]]


@pytest.mark.parametrize(("folder", "least"), [("heat-pumps", 0.6), ("shanghai-reuse", 0.6)])
def test_most_flaws_of_the_examples_are_found_where_they_are(folder: str, least: float) -> None:
    query = (EXAMPLES / folder / "query.txt").read_text(encoding="utf-8")
    report = Report((EXAMPLES / folder / "flawed.md").read_text(encoding="utf-8"), query=query)
    blocks = [block for finding in audit(report).findings if (block := report.block_at(finding.span.start))]
    flaws = planted(folder)
    found = 0
    for quote, _kind in flaws:
        at = report.source.index(quote)
        found += any(block.span.start < at + len(quote) and at < block.span.end for block in blocks)
    assert found / len(flaws) >= least


@pytest.mark.parametrize("folder", ["heat-pumps", "shanghai-reuse"])
def test_good_examples_have_no_errors_or_warnings(folder: str) -> None:
    query = (EXAMPLES / folder / "query.txt").read_text(encoding="utf-8")
    report = Report((EXAMPLES / folder / "good.md").read_text(encoding="utf-8"), query=query)
    assert [(f.code, f.message) for f in audit(report).findings if f.severity != "info"] == []


def codes(result: Audit) -> list[str]:
    return [finding.code for finding in result.findings]


def names(prefix: str, result: Audit) -> str:
    return f"{prefix}{result.summary.path}"


def test_a_stream_keeps_its_order_and_its_errors() -> None:
    broken = InputError("no JSON", where="rows.jsonl:2")
    subjects = [Report("# A\n\nOne.", path="a"), broken, Report("# B\n\nTwo.", path="b")]
    assert list(audit_stream(subjects, partial(names, "-"))) == ["-a", broken, "-b"]


def test_processes_give_the_same_as_one() -> None:
    subjects = [
        Report(f"# Title {i}\n\nAs shown in Table {i}, growth was 5 %.", path=str(i)) for i in range(20)
    ]
    one = list(audit_stream(iter(subjects), codes))
    two = list(audit_stream(iter(subjects), codes, jobs=2))
    assert one == two
    assert any(one)


def explode(report: Report, context: object) -> list[Hit]:
    if "boom" in report.source:
        raise ValueError("boom")
    return [Hit(Span(0, 1), "a letter")]


EXPLOSIVE = Check(
    code="ZZZ001", name="explosive-check", severity="info", summary="fails on boom", run=explode,
    bad=(Example("x"),), good=(Example("y"),),
)  # fmt: skip


def test_a_failing_check_is_named_and_costs_only_its_subject() -> None:
    with pytest.raises(EngineError, match=r"ZZZ001.*b\.md.*-ZZZ001"):
        audit(Report("boom", path="b.md"), checks=[EXPLOSIVE])
    subjects = [Report("fine"), Report("boom"), Report("fine")]
    results = list(audit_stream(subjects, codes, checks=[EXPLOSIVE]))
    assert results[0] == results[2] == ["ZZZ001"]
    assert isinstance(results[1], EngineError)


def test_refuses_what_is_no_subject() -> None:
    with pytest.raises(UsageError, match="not int"):
        audit(3)  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="this is a text"):
        audit("# Heat\n\nA text.")
    with pytest.raises(InputError, match=r"nope\.md: no such file"):
        audit("nope.md")


def test_takes_a_path(tmp_path) -> None:
    path = tmp_path / "a.md"
    path.write_text(flawed().source, "utf-8")
    for place in (path, str(path)):
        assert [item.code for item in audit(place).findings] == [
            item.code for item in audit(flawed()).findings
        ]


def test_confidence_threshold() -> None:
    everything = audit(flawed()).findings
    sure = audit(flawed(), min_confidence=0.9).findings
    assert 0 < len(sure) < len(everything)
    assert all(finding.confidence >= 0.9 for finding in sure)


PIECES = [
    *"ab Z1.,。是的，#*-_|[]()<>`:/%$&—“”年",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "http://x.y",
    "[1]",
    "## ",
    "- ",
    "Table 2",
    "因此",
]
MARKDOWN = st.lists(st.sampled_from(PIECES), max_size=300).map("".join)


@given(MARKDOWN)
@settings(max_examples=300, deadline=None)
def test_any_text_can_be_audited_and_spans_fit(text: str) -> None:
    report = Report(text, query="what is 是?")
    result = audit(report)
    for finding in result.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        for span in finding.related:
            assert 0 <= span.start <= span.end <= len(text)
    assert len(report.plain) == len(text)
    assert result.logic is not None
    for node in result.logic.nodes:
        assert node.span is None or 0 <= node.span.start < node.span.end <= len(text)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_unicode_can_be_audited(text: str) -> None:
    for report in (Report(text, query=text), Report(text, markdown=False)):
        result = audit(report)
        assert all(0 <= finding.span.start <= finding.span.end <= len(text) for finding in result.findings)
        result.to_dict()
