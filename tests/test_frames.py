"""Results as frames of other libraries, and datasets in and out."""

import json

import pytest

import assay

pa = pytest.importorskip("pyarrow")


@pytest.fixture
def audits(examples):
    return assay.audit_many([examples / "heat-pumps/flawed.md", examples / "heat-pumps/good.md"])


def test_arrow_has_the_columns_of_the_frame(audits):
    table = audits.findings.to_arrow()
    frame = audits.findings.to_frame()
    assert table.column_names == list(frame.columns)
    assert table.num_rows == len(frame) == len(audits.findings)
    assert table.column("code").to_pylist() == list(frame["code"])


def test_an_audit_alone_is_the_table_of_its_findings(audits):
    assert audits[0].to_arrow().num_rows == len(audits[0].findings)


def test_nested_values_are_json():
    from assay.record import arrow_of

    table = arrow_of({"a": [1, None], "b": [{"x": (1, 2)}, None]})
    assert table.to_pylist() == [{"a": 1, "b": '{"x":[1,2]}'}, {"a": None, "b": None}]


def test_polars_reads_it(audits):
    polars = pytest.importorskip("polars")
    frame = polars.from_arrow(audits.findings.to_arrow())
    assert frame.height == len(audits.findings)


def test_a_dataset_with_reports_is_read_by_name(tmp_path, examples):
    pytest.importorskip("datasets")
    row = {
        "id": "r1",
        "system": "s",
        "query": "Which pump?",
        "report": (examples / "heat-pumps/good.md").read_text("utf-8"),
    }
    (tmp_path / "data").mkdir()
    (tmp_path / "data/train.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    (report,) = assay.read(f"hf:{tmp_path / 'data'}:train")
    assert (report.id, report.system, report.query) == ("r1", "s", "Which pump?")


def test_a_dataset_without_reports_says_what_it_has(tmp_path):
    pytest.importorskip("datasets")
    (tmp_path / "data").mkdir()
    (tmp_path / "data/train.jsonl").write_text('{"a": 1}\n{"a": 2}\n', "utf-8")
    with pytest.raises(assay.InputError, match="hf:"):
        list(assay.read(f"hf:{tmp_path / 'data'}:train"))


def test_labels_of_a_dataset_are_read_by_name(tmp_path):
    pytest.importorskip("datasets")
    (tmp_path / "train.jsonl").write_text(
        json.dumps({"schema": "assay.label/1", "subject": "r1", "rater": "ada", "score": 4}) + "\n", "utf-8"
    )
    (label,) = assay.read_labels(f"hf:{tmp_path}:train")
    assert (label.subject, label.rater, label.score) == ("r1", "ada", 4)


def test_an_exported_run_is_a_dataset(tmp_path):
    datasets = pytest.importorskip("datasets")
    from assay.runs.export import export
    from assay.runs.ledger import open_ledger

    path = tmp_path / "l.sqlite"
    assay.run([assay.Case(assay.Report("One sentence."))], ["length"], ledger=path)
    with open_ledger(path) as ledger:
        (run,) = ledger.runs()
        export(ledger, run.id, "parquet", tmp_path / "out")
    assert "config_name: judgments" in (tmp_path / "out/README.md").read_text("utf-8")
    found = datasets.load_dataset(str(tmp_path / "out"), "judgments", cache_dir=str(tmp_path / "cache"))
    assert found["train"].num_rows == 1
