"""Reading many subjects, by loaders of one's own too, and pairing them."""

from __future__ import annotations

import json

import pytest

import assay
from assay import InputError, Report, UsageError
from assay.registry import _forget, _registered
from assay.subjects.loaders.base import InputContext
from assay.subjects.loaders.registry import all_loaders


@pytest.fixture(autouse=True)
def _nothing_registered():
    before = list(_registered)
    yield
    _registered[:] = before
    _forget()


@pytest.fixture
def exams(tmp_path):
    rows = [{"n": 1, "body": "One."}, {"n": 2, "body": "Two."}, {"n": 3}]
    path = tmp_path / "exam.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "query.txt").write_text("How many?", "utf-8")
    return path


@assay.loader
def exam(row):
    """Reads our exams."""
    yield Report(row["body"], id=row["n"])


def test_a_function_is_a_loader(exams) -> None:
    with pytest.raises(
        InputError, match=r"exam\.jsonl:3: loader 'exam' \(exam of .*test_subjects\) failed: KeyError"
    ):
        assay.read(exams, loader=exam)
    reports = assay.read(exams, loader=exam, on_error="keep")
    assert [(item.id, item.source, item.query) for item in reports] == [
        ("1", "One.", "How many?"),
        ("2", "Two.", "How many?"),
    ]
    assert reports[0].path.endswith("exam.jsonl:1")
    assert repr(reports) == "<Subjects: 2 subjects, 1 failed>"
    assert exam.what == "Reads our exams."
    assert len(assay.read(exams, loader=exam, limit=2)) == 2


def test_a_registered_loader_is_found_by_its_name_and_may_be_registered_again(exams) -> None:
    with pytest.raises(UsageError, match="no format is called 'exam'"):
        assay.read(exams, loader="exam")
    assay.register(exam)
    again = assay.register(
        assay.loader(sniff=lambda row: "body" in row, name="exam")(lambda row: [Report(row["body"] * 2)])
    )
    assert [item.source for item in assay.read(exams, loader="exam", on_error="keep")] == [
        "One.One.",
        "Two.Two.",
    ]
    assert assay.read(exams, limit=1)[0].source == "One.One."
    assert again in all_loaders()
    with pytest.raises(UsageError, match="two extensions are called 'report-text'"):
        assay.register(assay.loader(name="report-text")(lambda row: []))
    assert assay.read(exams, limit=1)[0].source == "One.One."
    with pytest.raises(UsageError, match="str cannot be registered"):
        assay.register("exam")


def test_files_of_ones_own(tmp_path) -> None:
    (tmp_path / "a.minutes").write_bytes(b"A: said\nB: heard\n")

    @assay.loader(suffixes=".minutes")
    def minutes(path):
        yield Report(path.read_text().replace("A: ", ""), system="A")

    assert [item.source for item in assay.read(tmp_path / "a.minutes", loader=minutes)] == [
        "said\nB: heard\n"
    ]
    with pytest.raises(UsageError, match="begins with a dot"):
        assay.loader(suffixes="minutes")
    with pytest.raises(InputError, match="not streams"):
        list(minutes.load(None, InputContext()))


def test_arguments_are_checked(tmp_path) -> None:
    with pytest.raises(UsageError, match="'raise' or 'keep'"):
        assay.read(tmp_path, on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"decorate it with @assay\.loader"):
        assay.read(tmp_path, loader=lambda row: [])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no-such"):
        assay.read(tmp_path / "no-such.md")


def test_subjects_become_frames_and_files(exams, tmp_path) -> None:
    reports = assay.read(exams, loader=exam, on_error="keep")
    assert reports.to_columns()["words"] == [1, 1]
    reports.save(tmp_path / "again.jsonl")
    again = assay.Subjects.load(tmp_path / "again.jsonl")
    assert [item.to_dict() for item in again] == [item.to_dict() for item in reports]
    assert [item.source for item in assay.read(tmp_path / "again.jsonl")] == ["One.", "Two."]


def test_round_robin_pairs_all_or_those_of_one_task() -> None:
    reports = [Report("x", id=task, system=system) for task in "12" for system in "AB"] + [Report("y")]
    assert len(assay.round_robin(reports)) == 10
    cases = assay.round_robin(reports, by="id")
    assert [dict(case.metadata) for case in cases] == [
        {"task": task, "id_a": task, "system_a": "A", "id_b": task, "system_b": "B"} for task in "12"
    ]
    assert cases[0].mode == "compare"
    with pytest.raises(UsageError, match="share their query"):
        assay.round_robin(reports, by="query")
