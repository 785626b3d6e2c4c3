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


ROWS = [{"id": f"r{n}", "prompt": "Q?", "article": f"# Report {n}\n\nIt costs {n} crowns."} for n in range(3)]
FIELDS = {"report": "article", "query": "prompt"}


def test_frames_tables_and_datasets_are_read_as_rows(tmp_path):
    import datasets
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    expected = [row["article"] for row in ROWS]
    for data in (
        pd.DataFrame(ROWS),
        pl.DataFrame(ROWS),
        pa.Table.from_pylist(ROWS),
        datasets.Dataset.from_list(ROWS),
        ROWS,
    ):
        found = assay.read(data, fields=FIELDS)
        assert [item.source for item in found] == expected, type(data)
        assert [item.id for item in found] == ["r0", "r1", "r2"]
        assert found[0].query == "Q?"
    pd.DataFrame(ROWS).to_csv(tmp_path / "r.csv", index=False)
    pd.DataFrame(ROWS).to_csv(tmp_path / "r.tsv", index=False, sep="\t")
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "r.parquet")
    for name in ("r.csv", "r.tsv", "r.parquet"):
        found = assay.read(tmp_path / name, fields=FIELDS)
        assert [item.source for item in found] == expected, name
        assert found[1].path.endswith(f"{name}:2")


def test_tables_that_cannot_be_read_say_why(tmp_path):
    import datasets
    import pandas as pd

    with pytest.raises(assay.InputError, match="rows:1"):
        assay.read(pd.DataFrame([{"x": 1}]))
    with pytest.raises(assay.InputError, match="2 splits: train, test"):
        assay.read(
            datasets.DatasetDict({name: datasets.Dataset.from_list(ROWS) for name in ("train", "test")})
        )
    (tmp_path / "cut.parquet").write_bytes(b"PAR1 cut in half")
    with pytest.raises(assay.InputError, match="not Parquet"):
        assay.read(tmp_path / "cut.parquet")


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
