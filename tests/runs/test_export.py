"""A run as files: complete, the same every time, and readable by others."""

import asyncio
import csv
import io
import json
import sys
import tracemalloc

import pytest
from ledger_rows import call, judgment, request, run_row

from assay.errors import InputError, MissingExtraError, UsageError
from assay.judges.judgment import Quote
from assay.runs.export import export, json_lines
from assay.runs.ledger import open_ledger


@pytest.fixture
def ledger():
    async def fill(kept):
        await kept.start_run(run_row())
        for number in (3, 1, 2):
            asked = call(number, text='=1+1, "quoted"\n😀 \ud800')
            await kept.record_call(asked)
            row, answers = judgment(
                number,
                status="unparsed" if number == 2 else "ok",
                calls=[asked.key],
                rationale='a, b\n"c" \ud800',
                quotes=(Quote("x", 0, 1), Quote("invented", None, None)),
                by_order={"AB": "A>B", "BA": None},
            )
            await kept.record_judgment("run-first", row, answers)

    with open_ledger(":memory:") as kept:
        asyncio.run(fill(kept))
        yield kept


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_folder_of_json_lines(ledger, tmp_path):
    out = tmp_path / "out"
    names = export(ledger, "first", "jsonl", out)
    assert sorted(path.name for path in out.iterdir()) == sorted(name.rpartition("/")[2] for name in names)
    rows = lines(out / "judgments.jsonl")
    assert list(rows[0])[:12] == [
        "schema", "subject", "judge", "rubric", "scores", "preference", "by_order", "choice", "status", "rationale", "quotes",
        "usage",
    ]  # fmt: skip
    assert [row["subject"] for row in rows] == ["s1", "s2", "s3"]
    assert rows[0]["schema"] == "assay.judgment/2"
    assert rows[0]["rationale"] == 'a, b\n"c" \ud800'
    index = lines(out / "index.jsonl")
    assert [row["key"] for row in index] == [f"{number:032x}" for number in (1, 2, 3)]
    assert index[0]["tags"] == {"system": "a"}
    answers = lines(out / "answers.jsonl")
    assert [row["judgment"] for row in answers] == [row["key"] for row in index]
    calls = {row["key"]: row for row in lines(out / "calls.jsonl")}
    asked = calls[answers[0]["answer"]["calls"][0]]
    assert asked["request"]["messages"][1]["content"] == request(1).messages[1].content
    assert asked["reply"]["text"] == '=1+1, "quoted"\n😀 \ud800'
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert manifest["status"] == {"ok": 2, "unparsed": 1}
    assert manifest["files"]["calls.jsonl"]["rows"] == 3
    assert manifest["run"]["plan"] == {"n": 3}
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    export(ledger, "run-first", "jsonl", out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_csv_is_flat(ledger, tmp_path):
    out = io.StringIO()
    assert export(ledger, "first", "csv", out, table="judgments") == []
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert [row["status"] for row in rows] == ["ok", "unparsed", "ok"]
    first = rows[0]
    assert first["score.overall"] == "1.0"
    assert rows[1]["score.overall"] == ""
    assert (first["tag.system"], first["order_ab"], first["order_ba"]) == ("a", "A>B", "")
    assert (first["quotes"], first["quotes_not_found"], first["input_tokens"]) == ("2", "1", "100")
    for table in ("answers", "calls"):
        path = tmp_path / f"{table}.csv"
        assert export(ledger, "first", "csv", path, table=table) == [str(path)]
        with path.open(newline="", encoding="utf-8") as file:
            assert len(list(csv.DictReader(file))) == 3


def test_parquet(ledger, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    export(ledger, "first", "parquet", tmp_path)
    rows = pq.read_table(tmp_path / "judgments.parquet").to_pylist()
    assert [row["score.overall"] for row in rows] == [1.0, None, 3.0]
    assert rows[0]["rationale"] == 'a, b\n"c" \\ud800'
    assert pq.read_table(tmp_path / "calls.parquet").to_pylist()[0]["calls"] == 1
    assert len(pq.read_table(tmp_path / "answers.parquet")) == 3
    with pytest.raises(UsageError, match="name it with -o"):
        export(ledger, "first", "parquet", io.StringIO(), table="calls")


def test_an_empty_run(tmp_path):
    with open_ledger(":memory:") as kept:
        asyncio.run(kept.start_run(run_row()))
        for fmt in ("jsonl", "csv"):
            export(kept, "first", fmt, tmp_path)
    assert (tmp_path / "judgments.jsonl").read_text() == ""
    assert (tmp_path / "judgments.csv").read_text().startswith("key,subject,judge")


def test_what_cannot_be(ledger, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot make the folder"):
        export(ledger, "first", "jsonl", tmp_path / "file" / "x")
    with pytest.raises(InputError, match="cannot be written"):
        export(ledger, "first", "jsonl", tmp_path / "no" / "x.jsonl", table="calls")
    with pytest.raises(UsageError, match="did you mean"):
        export(ledger, "fist", "jsonl", tmp_path)
    with pytest.raises(UsageError, match="a stream takes one table"):
        export(ledger, "first", "jsonl", io.StringIO())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"extra \[parquet\]"):
        export(ledger, "first", "parquet", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_memory_does_not_grow_with_the_run(tmp_path):
    async def fill(kept, first, count):
        await kept.start_run(run_row())
        await asyncio.gather(
            *(
                kept.record_judgment("run-first", *judgment(number, rationale="x" * 1500))
                for number in range(first, first + count)
            )
        )

    def peak(kept):
        tracemalloc.start()
        for _ in json_lines(kept, "run-first", "judgments"):
            pass
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    with open_ledger(tmp_path / "x.sqlite") as kept:
        asyncio.run(fill(kept, 0, 1000))
        small = peak(kept)
        for first in range(1000, 8000, 1000):
            asyncio.run(fill(kept, first, 1000))
        assert peak(kept) < 1.5 * small
