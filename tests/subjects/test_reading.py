"""Paths, streams, encodings and every way in which input is bad."""

import gzip
import io
import json
import os
import sys
import tracemalloc
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.errors import InputError, MissingExtraError, UsageError
from assay.subjects.reading import read_report, read_subjects, read_trajectory
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

TEXT = "# Title\n\nHeat pumps grew by 35 % in 2022.\n"
CHINESE = "# 报告\n\n二〇二二年，热泵销量增长了百分之三十五，主要因为天然气价格上涨。\n"


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(data, str):
        data = data.encode()
    path.write_bytes(data)
    return path


def error_of(path, **options):
    (error,) = read_subjects(path, **options)
    assert isinstance(error, InputError)
    return error


# ── what is read ────────────────────────────────────────────────────────────────────────────────────────────────


def test_markdown_and_text(tmp_path):
    report = read_report(write(tmp_path / "a.md", TEXT), query="How fast?")
    assert (report.source, report.query, report.markdown) == (TEXT, "How fast?", True)
    assert read_report(write(tmp_path / "b.txt", "One.\n\nTwo.\n")).markdown is False
    assert read_report(write(tmp_path / "c.txt", TEXT)).markdown is True
    assert read_report(write(tmp_path / "noext", TEXT)).source == TEXT


def test_rows_in_a_stream_an_array_and_one_object(tmp_path):
    rows = [{"id": i, "prompt": "q", "article": f"Text {i}."} for i in range(3)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    for name in ("a.jsonl", "a.json", "stream"):
        found = list(read_subjects(write(tmp_path / name, lines)))
        assert [report.id for report in found] == ["0", "1", "2"], name
        assert found[2].path.endswith(":3")
    array = list(read_subjects(write(tmp_path / "b.json", json.dumps(rows, indent=1))))
    assert [report.source for report in array] == ["Text 0.", "Text 1.", "Text 2."]
    assert array[1].path.endswith("b.json[1]")
    assert read_report(write(tmp_path / "c.json", json.dumps(rows[0], indent=2))).source == "Text 0."


def test_fields_are_mapped(tmp_path):
    path = write(
        tmp_path / "a.jsonl", json.dumps({"ask": "q", "out": {"text": "Words."}, "report": "not this"})
    )
    (report,) = read_subjects(path, fields={"report": "out.text", "query": "ask"})
    assert (report.source, report.query) == ("Words.", "q")
    assert "no text in field 'nope'" in str(error_of(path, fields={"report": "nope"}))


def test_the_rows_own_query_wins(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"article": "A.", "prompt": "own"}\n{"article": "B."}\n')
    assert [report.query for report in read_subjects(path, query="given")] == ["own", "given"]


def test_folder_glob_and_gzip(tmp_path):
    write(tmp_path / "b.md", TEXT)
    write(tmp_path / "sub" / "a.md", TEXT)
    write(tmp_path / "sub" / "image.png", b"\x89PNG\x00\x00")
    write(tmp_path / ".hidden" / "x.md", TEXT)
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(b'{"article": "Zipped."}\n', mtime=0))
    names = [os.path.relpath(report.path, tmp_path) for report in read_subjects(tmp_path)]
    assert names == ["b.md", "c.jsonl.gz:1", f"sub{os.sep}a.md"]
    assert len(list(read_subjects(str(tmp_path / "**" / "*.md")))) == 2
    assert "no file matches" in str(error_of(str(tmp_path / "*.pdf")))


@pytest.mark.parametrize("data", ['{"article": "From a pipe."}\n', "From a pipe."])
def test_stdin(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
    (report,) = read_subjects("-")
    assert report.source == "From a pipe."
    assert report.path.startswith("<stdin>")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (TEXT, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE, "utf-8"),
        (CHINESE * 3, "gb18030"),
        (
            "Le marché a crû de 35 % – la plus forte hausse depuis dix ans, d’après l’enquête « été ».\n",
            "cp1252",
        ),
    ],
)
def test_encodings(tmp_path, text, encoding):
    assert read_report(write(tmp_path / "a.md", text.encode(encoding))).source == text
    row = json.dumps({"article": text}, ensure_ascii=False) + "\n"
    (report,) = read_subjects(write(tmp_path / "a.jsonl", row.encode(encoding)))
    assert report.source == text


@pytest.mark.parametrize("encoding", ["cp1251", "shift_jis", "koi8-r"])
def test_an_encoding_we_do_not_know_is_no_guess(tmp_path, encoding):
    text = (
        "Рынок вырос на тридцать пять процентов.\n"
        if encoding != "shift_jis"
        else "市場は三十五パーセント成長した。\n"
    )
    error = error_of(write(tmp_path / "a.md", text.encode(encoding)))
    assert "not UTF-8" in error.problem
    assert error.hint == "save it as UTF-8"


def test_lone_surrogates_become_replacement_characters(tmp_path):
    path = write(
        tmp_path / "a.jsonl", '{"article": "Odd \\ud83d text \\ud83d\\ude00.", "prompt": "\\udc00?"}\n'
    )
    (report,) = read_subjects(path)
    assert report.source == "Odd \ufffd text \U0001f600."
    assert report.query == "\ufffd?"
    report.source.encode()


# ── what is not ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_broken_line_costs_only_itself(tmp_path):
    lines = [
        '{"article": "One."}',
        '{"article": "Two',
        "",
        "[1, 2]",
        '"text"',
        '{"other": 1}',
        '{"article": ""}',
        '{"article": "Last."}',
    ]
    found = list(read_subjects(write(tmp_path / "a.jsonl", "\n".join(lines))))
    assert [item.source for item in found if isinstance(item, Report)] == ["One.", "Last."]
    errors = [item for item in found if isinstance(item, InputError)]
    assert [error.where.rpartition(":")[2] for error in errors] == ["2", "7", str(tmp_path / "a.jsonl")]
    assert "broken JSON" in errors[0].problem
    assert errors[2].problem.startswith(
        "3 rows are not reports or trajectories; first: row 4: an array where"
    )


def test_a_row_that_no_loader_knows(tmp_path):
    (error,) = read_subjects(write(tmp_path / "a.jsonl", '{"other": 1}'))
    assert error.where.endswith("a.jsonl:1")
    assert "the row has other; tried assay-trajectory" in error.problem
    assert "--field report=NAME" in error.cli_hint
    assert error.hint.startswith("fields={")
    (many,) = read_subjects(write(tmp_path / "b.json", json.dumps([{"other": 1}] * 100)))
    assert many.problem.startswith("100 rows are not reports or trajectories; first: row 0: unknown format")
    assert "fields={" in many.hint


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.md", b"", "is empty"),
        ("a.md", b"  \n\n", "is empty"),
        ("a.jsonl", b"\n\n", "is empty"),
        ("a.json", b"[]", "empty JSON array"),
        ("a.json", b"{", "broken JSON"),
        ("a.json", b"hello", "no JSON"),
        ("a.json", b"[" * 100_000, "broken JSON"),
        ("a.md", bytes(range(256)) * 20, "binary"),
        ("a.md", b"\xff\xfea", "not UTF-16"),
        ("a.md.gz", b"not gzip", "cannot be read"),
        ("a.md.gz", gzip.compress(TEXT.encode() * 100, mtime=0)[:-30], "cannot be read"),
        ("a.eval", b"PK\x03\x04 rubbish", "no readable .eval log"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(400), "binary"),
    ],
)
def test_bad_files_are_named(tmp_path, name, data, problem):
    error = error_of(write(tmp_path / name, data))
    assert problem in str(error)
    assert str(tmp_path / name) in error.where


def test_missing_paths(tmp_path):
    write(tmp_path / "report.md", TEXT)
    error = error_of(tmp_path / "reprot.md")
    assert "no such file" in error.problem
    assert "report.md" in error.hint
    assert "no file to read" in str(error_of(write(tmp_path / "empty" / "x.bin", b"1").parent))
    assert isinstance(error_of("a\0b"), InputError)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(tmp_path):
    path = write(tmp_path / "a.md", TEXT)
    path.chmod(0)
    assert "Permission denied" in str(error_of(path))


def test_too_large(tmp_path):
    big = write(tmp_path / "a.md", "word " * 1000)
    error = error_of(big, max_bytes=1024)
    assert "4.883 KiB, more than 1 KiB" in error.problem
    assert "max_bytes" in error.hint
    assert "--max-bytes" in error.cli_hint
    rows = write(tmp_path / "a.jsonl", '{"article": "' + "x" * 5000 + '"}\n{"article": "Small."}\n')
    error, report = read_subjects(rows, max_bytes=1024)
    assert error.where.endswith(":1")
    assert report.source == "Small."
    packed = tmp_path / "bomb.md.gz"
    packed.write_bytes(gzip.compress(b"a" * 5_000_000, mtime=0))
    assert "too large" in str(error_of(packed, max_bytes=1024))


def test_a_damaged_sample_costs_only_itself(tmp_path):
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("samples/a_epoch_1.json", "{broken")
        good = {
            "id": "b",
            "epoch": 1,
            "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}],
        }
        archive.writestr("samples/b_epoch_1.json", json.dumps(good))
    error, run = read_subjects(path)
    assert error.where.endswith("[samples/a_epoch_1.json]")
    # Answered at once and with no tool at hand, it is a report.
    assert isinstance(run, Report)
    assert (run.query, run.source, run.id) == ("q", "a", "b")


def test_one_of_the_right_kind(tmp_path):
    report = write(tmp_path / "a.md", TEXT)
    run = write(tmp_path / "run.txt", "Question: q\nThought 1: t\nAction 1: Search[x]\nObservation 1: y\n")
    with pytest.raises(InputError, match="not a trajectory"):
        read_trajectory(report)
    with pytest.raises(InputError, match="not a report"):
        read_report(run)
    with pytest.raises(InputError, match="more than one"):
        read_report(write(tmp_path / "two.jsonl", '{"article": "A."}\n{"article": "B."}\n'))
    with pytest.raises(InputError, match="no such file"):
        Report.read(tmp_path / "none.md")
    assert isinstance(Trajectory.read(run), Trajectory)


def test_a_format_by_name(tmp_path):
    path = write(tmp_path / "a.txt", "Question: q\nThought 1: t\nAction 1: Search[x]\n")
    (report,) = read_subjects(path, format="report-text")
    assert isinstance(report, Report)
    with pytest.raises(UsageError, match="no format"):
        read_subjects(path, format="nope")


def test_documents(tmp_path):
    path = write(
        tmp_path / "a.html",
        "<!doctype html><html><body><h1>Title</h1><p>Grew by 35 % in 2022.</p></body></html>",
    )
    try:
        import markitdown  # noqa: F401
    except ImportError:
        assert "pip install -U 'markitdown[docx,pdf]', or assay with the extra [docs]" in str(error_of(path))
        with pytest.raises(MissingExtraError):
            read_report(path)
    else:
        assert "# Title" in read_report(path).source
        assert "PDF" in str(error_of(write(tmp_path / "a.pdf", b"%PDF-1.4 rubbish")))


def test_a_long_stream_takes_constant_memory(tmp_path):
    path = tmp_path / "many.jsonl"
    row = json.dumps({"id": 1, "prompt": "q", "article": "word " * 2000}) + "\n"
    with path.open("w") as file:
        for _ in range(2000):
            file.write(row)
    tracemalloc.start()
    try:
        count = sum(isinstance(item, Report) for item in read_subjects(path))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 2000
    assert peak < 4_000_000


# ── anything at all ─────────────────────────────────────────────────────────────────────────────────────────────

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(
            ["messages", "role", "content", "steps", "schema", "query", "article", "tool_calls", "function", "name", "arguments",
             "samples", "eval", "source", "step_id", "agent", "transcript", "answer", "observation", "results", "tools"]
        ),
        inner
        | st.sampled_from(["user", "assistant", "tool", "assay.trajectory/1", "ATIF-v1.7", "<think>a</think><tool_call>{", "Thought 1: a\nAction 1: b"]),
        max_size=6,
    ),
    max_leaves=25,
)  # fmt: skip
_BYTES = (
    st.binary(max_size=400)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | _JSON.map(lambda value: json.dumps(value).encode())
    | st.lists(_JSON, min_size=2, max_size=4).map(lambda rows: "\n".join(map(json.dumps, rows)).encode())
    | st.text("<think>/tool_call{}\"': \nresponsanwer=", max_size=300).map(str.encode)
)
_SUFFIX = st.sampled_from([".md", ".txt", ".json", ".jsonl", "", ".gz", ".jsonl.gz", ".eval", ".bin"])


@given(data=_BYTES, suffix=_SUFFIX, zipped=st.booleans())
@settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_file_gives_subjects_or_errors(tmp_path, data, suffix, zipped):
    path = tmp_path / f"x{suffix}"
    path.write_bytes(gzip.compress(data, mtime=0) if zipped and suffix.endswith(".gz") else data)
    found = list(read_subjects(path))
    assert found
    for item in found:
        if isinstance(item, InputError):
            assert item.where
        elif isinstance(item, Report):
            assert item.source.strip()
            item.source.encode()
        else:
            item.source.encode()
            json.dumps(item.to_dict())
            for call in item.tool_calls:
                assert item.text(call.span).startswith(call.name)


def test_query_beside_the_reports_is_theirs(tmp_path) -> None:
    (tmp_path / "query.txt").write_text("How fast do glaciers melt?\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("# What is in this folder\n", encoding="utf-8")
    (tmp_path / "report.md").write_text("# Glaciers\n\nThey melt.\n", encoding="utf-8")
    [report] = list(read_subjects(tmp_path))
    assert report.query == "How fast do glaciers melt?"
    [report] = list(read_subjects(tmp_path / "report.md", query="Another?"))
    assert report.query == "Another?"
    [itself] = list(read_subjects(tmp_path / "query.txt"))
    assert itself.query is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_name_that_is_not_utf8_ends_nothing(tmp_path):
    for name in (b"caf\xe9.md", b"tea.md"):
        (tmp_path / os.fsdecode(name)).write_text("# A\n\nTea is warm.\n", "utf-8")
    found = list(read_subjects([tmp_path]))
    assert [(item.path or "").rpartition("/")[2] for item in found] == ["caf\ufffd.md", "tea.md"]
    rows = [assay.audit(item).to_dict() for item in found]
    assert json.dumps(rows, ensure_ascii=False).encode()
