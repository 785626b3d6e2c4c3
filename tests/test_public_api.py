"""What `import assay` offers, and what it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import assay
from assay import types as assay_types
from reachable_types import reachable_types


def test_every_exported_name_resolves() -> None:
    for name in assay.__all__:
        assert getattr(assay, name) is not None
    assert set(dir(assay)) >= set(assay.__all__)


def test_names_stay_sorted() -> None:
    assert assay.__all__ == sorted(assay.__all__)


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, assay; print([m for m in ('markdown_it', 'msgspec', 'rich', 'jinja2', 'click') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_readme_example(examples) -> None:
    from assay import Report, audit

    result = audit(Report.read(examples / "heat-pumps" / "flawed.md", query="Should we install heat pumps?"))
    assert len(result.findings) >= 8
    assert list(result.dimensions) == [
        "task_alignment",
        "global_coherence",
        "internal_consistency",
        "concept_introduction",
        "local_coherence",
        "evidence_sufficiency",
        "warrants_causality",
        "qualifiers_counterpoints",
    ]


def test_every_type_that_a_public_name_leads_to_is_public() -> None:
    public = {getattr(room, name) for room in (assay, assay_types) for name in room.__all__}
    found = reachable_types([assay, assay_types])
    hidden = {
        kind.__name__: f"{kind.__module__} by {via}"
        for kind, via in found.items()
        if kind not in public and not kind.__name__.startswith("_")
    }
    assert hidden == {}


def test_types_are_listed_once_and_in_order() -> None:
    assert assay_types.__all__ == sorted(assay_types.__all__)
    assert set(assay_types.__all__) == set(dir(assay_types))
    assert not set(assay_types.__all__) & set(assay.__all__)


USER_CODE = """
import assay

report = assay.Report("text", query="How many?")
audit = assay.audit(report, checks=["default"])
citations: int = audit.summary.citations
steps: int = assay.audit(assay.Trajectory("q", [])).summary.steps
audits = assay.audit_many([report])
code: str = audits.findings.filter(severity="error")[0].code
rubric = assay.Rubric.of({"Names a date.": 5})
weight: float = rubric.criteria[0].weight
cases: list[assay.Case] = assay.round_robin([report, report])

@assay.check("BUZ001", severity="info")
def buzzword(report: assay.Report) -> list[assay.Hit]:
    return [assay.Hit((0, 1), "a buzzword")]

@assay.loader
def exam(row: dict[str, str]) -> list[assay.Report]:
    return [assay.Report(row["body"])]

assay.audit(report, checks=["default", buzzword])
assay.read("a.jsonl", loader=exam)
"""
WRONG = {
    "audit.summary.steps": "attr-defined",
    "assay.audit(report, chekcs=[])": "call-overload",
    "assay.read(3)": "arg-type",
    "report.nothing": "attr-defined",
}


@pytest.mark.slow
def test_type_checkers_see_the_surface(tmp_path) -> None:
    path = tmp_path / "user.py"
    path.write_text(USER_CODE + "\n".join(WRONG) + "\n", "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    first = len(USER_CODE.splitlines()) + 1
    errors = [line for line in said.splitlines() if ": error:" in line]
    found = {int(line.split(":")[1]): line.rpartition("[")[2].rstrip("]") for line in errors}
    assert found == dict(enumerate(WRONG.values(), first)), said
