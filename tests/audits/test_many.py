"""Audits of many subjects, checks made of functions, and what becomes of the results."""

from __future__ import annotations

import inspect

import pytest

import assay
from assay import Audit, Audits, Report, Trajectory, UsageError
from assay.errors import EngineError
from assay.registry import _forget, _registered
from assay.subjects.trajectory import RawCall, RawStep

TEXT = "# Heat\n\nSales rose 104% of the total in 2023. The <b>synergy</b> share is 140% of all.\n"


@assay.check("BUZ001", severity="info")
def buzzword(report):
    """Names a buzzword

    More about it.
    """
    start = report.source.find("synergy")
    if start >= 0:
        yield assay.Hit((start, start + 7), "a buzzword")


@assay.check("BUZ002", languages=["en"])
def pair(report, context):
    return [((0, 1), f"needs {context.message_language(report)}")]


@assay.check("BUZ003")
def explosive(report):
    raise ZeroDivisionError("oh")


@pytest.fixture
def reports() -> list[Report]:
    return [Report(TEXT * (number + 1), id=str(number), system="AB"[number % 2]) for number in range(4)]


def run() -> Trajectory:
    return Trajectory(
        "How many?", [RawStep("Look.", [RawCall("search", {"q": "x"}, "4%")])], answer="4 %.", id="t"
    )


def test_one_kind_of_subject_one_kind_of_audit() -> None:
    of_report, of_run = assay.audit(Report(TEXT)), assay.audit(run())
    assert type(of_report) is assay.ReportAudit
    assert type(of_run) is assay.TrajectoryAudit
    assert (of_report.summary.citations, of_run.summary.steps) == (0, 1)


def test_checks_by_name_and_as_objects() -> None:
    report = Report(TEXT)

    def codes(*checks):
        return {item.code for item in assay.audit(report, checks=checks).findings}

    assert codes(buzzword) == {"BUZ001"}
    assert codes("default", buzzword) - codes("default") == {"BUZ001"}
    assert codes("default", pair) - codes("default") == {"BUZ002"}
    assert codes("ALL", "-NUM", "-NUM001") <= codes("ALL")
    assert not any(code.startswith("NUM") for code in codes("ALL", "-NUM"))
    with pytest.raises(UsageError, match="checks: no check, family or name is called 'NUN'"):
        codes("NUN")
    with pytest.raises(UsageError, match=r"decorate it with @assay\.check"):
        codes(lambda report: [])


def test_a_finding_of_ones_own() -> None:
    (found,) = assay.audit(Report(TEXT), checks=buzzword).findings
    assert (found.code, found.name, found.severity, found.message) == (
        "BUZ001",
        "buzzword",
        "info",
        "A buzzword",
    )
    assert TEXT[found.span.start : found.span.end] == "synergy"
    assert buzzword.summary == "Names a buzzword"


def test_a_fault_names_function_and_package() -> None:
    with pytest.raises(
        EngineError, match=r"check BUZ003 \(explosive of .*test_many\) failed on a\.md: ZeroDivisionError: oh"
    ):
        assay.audit(Report(TEXT, path="a.md"), checks=explosive)
    far = assay.check("BUZ004")(lambda report: [((0, 9999), "x")])
    with pytest.raises(EngineError, match="span 0 to 9999, and the text has"):
        assay.audit(Report(TEXT), checks=far)
    none = assay.check("BUZ005")(lambda report: ["x"])
    with pytest.raises(EngineError, match="it yields str; a check yields Hits"):
        assay.audit(Report(TEXT), checks=none)
    assert assay.audit(Report(TEXT), checks=assay.check("BUZ006")(lambda report: None)).findings == ()
    with pytest.raises(UsageError, match="takes 0 arguments"):
        assay.check("BUZ007")(list)
    with pytest.raises(UsageError, match="letters and three digits"):
        assay.check("buzz")


def test_a_registered_check_runs_by_default_and_by_name() -> None:
    before = list(_registered)
    try:
        assay.register(buzzword)
        assert "BUZ001" in {item.code for item in assay.audit(Report(TEXT)).findings}
        assert [item.code for item in assay.audit(Report(TEXT), checks="BUZ001").findings] == ["BUZ001"]
    finally:
        _registered[:] = before
        _forget()


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_many_audits_are_those_of_each(reports, jobs) -> None:
    done: list[tuple[int, int]] = []
    audits = assay.audit_many(
        reports, jobs=jobs, checks=["default", buzzword], progress=lambda *at: done.append(at)
    )
    assert done == [(1, 4), (2, 4), (3, 4), (4, 4)]
    each = [assay.audit(report, checks=["default", buzzword]) for report in reports]
    assert [item.to_dict() for item in audits] == [item.to_dict() for item in each]
    assert [item.subject for item in audits] == reports
    columns = audits.to_columns()
    assert columns["id"] == ["0", "1", "2", "3"]
    assert columns["infos"] == [item.counts["info"] for item in each]
    findings = audits.findings
    assert {"id", "system", "path", "code", "start", "end", "line", "column", "excerpt"} <= set(
        findings.to_columns()
    )
    assert {item.excerpt for item in findings.filter(code="BUZ001")} == {"synergy"}
    assert len(findings.filter(code="BUZ001", system="A")) == 2


def test_a_failed_audit_is_kept_as_an_error_and_local_checks_stay_in_this_process(reports) -> None:
    @assay.check("BUZ008")
    def local(report):
        if report.id == "1":
            raise KeyError("x")
        return []

    audits = assay.audit_many(reports, checks=[local], jobs=2)
    assert repr(audits) == "<Audits: 3 audits, 1 failed>"
    with pytest.raises(UsageError, match="jobs is 0"):
        assay.audit_many(reports, jobs=0)
    with pytest.raises(UsageError, match=r"audit takes one"):
        assay.audit_many(reports[0])  # type: ignore[arg-type]


def test_arguments_are_listed_and_a_wrong_one_names_the_right_one(reports) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'select'; checks= selects checks"):
        assay.audit_many(reports, select="NUM")
    names = list(inspect.signature(assay.audit_many).parameters)
    assert names == ["subjects", "jobs", "progress", *list(inspect.signature(assay.audit).parameters)[1:]]


def test_messages_about_reports_in_different_languages_are_in_english(reports) -> None:
    chinese = Report("从用户构成看，一线城市占45%，二线城市占38%，其他城市占27%。", id="zh")

    def message(*subjects, **settings):
        return assay.audit_many(subjects, checks="NUM001", **settings)[0].findings[0].message

    assert "超过整体" in message(chinese)
    assert "超过整体" in message(chinese, chinese.replace(id="zh2"))
    assert "more than the whole" in message(chinese, *reports)
    assert "超过整体" in message(chinese, *reports, language="zh")


def test_round_trips(reports, tmp_path) -> None:
    audits = assay.audit_many([*reports, run()], checks=["default", buzzword])
    audits.save(tmp_path / "audits.jsonl")
    again = Audits.load(tmp_path / "audits.jsonl")
    assert [item.to_dict() for item in again] == [item.to_dict() for item in audits]
    assert [type(item) for item in again] == [type(item) for item in audits]
    findings = audits.findings
    findings.save(tmp_path / "findings.jsonl")
    assert assay.Findings.load(tmp_path / "findings.jsonl") == findings
    first = audits[0]
    assert assay.LogicGraph.from_dict(first.logic.to_dict()) == first.logic
    assert assay.RuleScores.from_dict(first.structure.to_dict()) == first.structure
    assert assay.Finding.from_dict(first.findings[0].to_dict()) == first.findings[0]
    with pytest.raises(assay.InputError, match="not an audit"):
        Audit.from_dict({"schema": "assay.judgment/2"})


def test_audits_are_frozen() -> None:
    audit = assay.audit(Report(TEXT))
    with pytest.raises(TypeError, match="frozen"):
        audit.dimensions["x"] = ()
    with pytest.raises(AttributeError):
        audit.findings = ()  # type: ignore[misc]


def test_what_a_notebook_shows() -> None:
    audit = assay.audit(Report(TEXT, id="a<i>"), checks=["default", buzzword])
    assert repr(audit).startswith("<ReportAudit: a<i>, ")
    assert "\n" not in repr(audit)
    assert len(repr(audit.logic)) < 100
    shown = audit._repr_html_()
    assert "<td>synergy</td>" in shown
    assert "a&lt;i&gt;" in shown
    assert "<i>" not in shown


def test_tables_in_a_notebook_fit(reports) -> None:
    audits = assay.audit_many([*reports, Report(TEXT, path="x.md")], checks=buzzword)
    assert "<th>path</th>" in audits._repr_html_()
    assert "<th>id</th>" in audits[:4]._repr_html_()
    assert "<th>start</th>" not in audits.findings._repr_html_()
    assert "<td>synergy</td>" in audits.findings._repr_html_()
    assert "0 audits" in Audits()._repr_html_()


def test_what_changed_since_an_earlier_audit(reports, tmp_path) -> None:
    earlier = assay.audit_many(reports[:3], checks=buzzword)
    earlier.save(tmp_path / "earlier.jsonl")
    later = [
        reports[0],
        reports[1].replace(source="Nothing.\n"),
        reports[2].replace(source=TEXT + "A synergy.\n"),
        reports[3],
    ]
    now = assay.audit_many(later, checks=buzzword)
    changes = now.changes_since(earlier)
    assert [item.change for item in changes] == ["same", "worse", "same", "added"]
    assert changes[1].losses[0].kind == "nothing"
    assert [len(item.gone) for item in changes] == [0, 1, 0, 0]
    assert now.changes_since(tmp_path / "earlier.jsonl") == changes
    lost = now[1:].changes_since(earlier)[-1]
    assert (lost.name, lost.change, lost.index, lost.fails(["error"])) == ("0 · A", "missing", 0, True)
    assert assay.AuditChanges.from_dict(changes.to_dict()) == changes
    with pytest.raises(assay.InputError, match="holds no audit"):
        now.changes_since([])
