"""Rows of files: what counts as a row, where it stands, and what a damaged file says."""

import gzip

import pytest

from assay.errors import InputError
from assay.rows import read_rows, read_text, text_lines


def rows(folder, name, data):
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return [(where.removeprefix(f"{folder}/"), row) for where, row in read_rows(path)]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.jsonl", b'{"x": 1}\n\n[2]\r\n', [("a.jsonl:1", {"x": 1}), ("a.jsonl:3", [2])]),
        ("a.jsonl", b'[{"x": 1},\n{"x": 2}]', [("a.jsonl[0]", {"x": 1}), ("a.jsonl[1]", {"x": 2})]),
        ("a.jsonl.gz", b'{"x": 1}', [("a.jsonl.gz:1", {"x": 1})]),
        ("a.json", b"[1, 2]", [("a.json[0]", 1), ("a.json[1]", 2)]),
        ("a.json", b'{\n"x": 1}', [("a.json", {"x": 1})]),
        ("a.json", b'{"x": 1}\n{"x": 2}\n', [("a.json:1", {"x": 1}), ("a.json:2", {"x": 2})]),
        ("a.csv", b"\xef\xbb\xbfx;y\n1;\n\n2,5;b", [("a.csv:2", {"x": "1", "y": None}), ("a.csv:4", {"x": "2,5", "y": "b"})]),
        ("a.csv", b'x,y\n"two\nlines",1\nz,2', [("a.csv:2", {"x": "two\nlines", "y": "1"}), ("a.csv:4", {"x": "z", "y": "2"})]),
        ("a.tsv.gz", b"x\ty\n1\t2", [("a.tsv.gz:2", {"x": "1", "y": "2"})]),
        ("a.jsonl", '{"x": "\u2028"}'.encode(), [("a.jsonl:1", {"x": "\u2028"})]),
        ("a.jsonl", b'{"x": "\\ud800"}', [("a.jsonl:1", {"x": "\ufffd"})]),
        ("a.jsonl", b"", []),
    ],
)  # fmt: skip
def test_rows_and_their_places(tmp_path, name, data, expected):
    assert rows(tmp_path, name, data) == expected


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.jsonl", b'{"x": 1}\n\xff', "a.jsonl:2: is not UTF-8 (save it as UTF-8)"),
        ("a.csv", b"x\n1\n\xff", "a.csv:3: is not UTF-8 (save it as UTF-8)"),
        ("a.json", b"[\n\xff]", "a.json:2: is not UTF-8 (save it as UTF-8)"),
        ("a.jsonl", b'{"x": 1}\n{"x', "a.jsonl:2: broken JSON: Unterminated string starting at column 2"),
        ("a.json", b"[1,\n2,]", "a.json: broken JSON: Expecting value at line 2, column 3"),
        ("a.jsonl", b"1" + b"0" * 5000, "a.jsonl:1: broken JSON: a number of thousands of digits"),
        ("a.jsonl", b"[" * 100_000, "a.jsonl:1: broken JSON: nested too deeply"),
        ("a.csv", b"x,x\n1,2", "a.csv:1: two columns are called 'x'"),
        ("a.csv", b"x,y\n1,2,3", "a.csv:2: has 3 cells in 2 columns"),
    ],
)
def test_a_damaged_file_names_its_line(tmp_path, name, data, problem):
    with pytest.raises(InputError) as error:
        rows(tmp_path, name, data)
    assert str(error.value).removeprefix(f"{tmp_path}/") == problem


def test_a_malformed_row_need_not_end_the_file(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"x": 1}\n{\n{"x": 3}\n')
    kinds = [type(row) for _, row in read_rows(path, keep_errors=True)]
    assert kinds == [dict, InputError, dict]


def test_packed_files_are_bounded_and_may_be_cut(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b"1\n" * 100_000))
    with pytest.raises(InputError, match="is larger than 0 MiB"):
        list(text_lines(path, largest=1000))
    with pytest.raises(InputError, match="is larger than 0 MiB"):
        read_text(path, largest=1000)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="truncated or corrupt gzip file"):
        list(read_rows(path))


def test_what_is_not_a_file(tmp_path):
    with pytest.raises(InputError, match=r"cannot be read: No such file.*\(make it\)"):
        list(read_rows(tmp_path / "none.jsonl", missing="make it"))
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        read_text(tmp_path)


@pytest.mark.parametrize(
    "name", ["trials.jsonl", "run.json", "labels.csv", "grades.jsonl", "instances.jsonl"]
)
def test_a_byte_that_is_not_utf8_is_an_error_of_the_input(tmp_path, name):
    from assay.interventions.instances import read_instances
    from assay.meta.labels.label_set import read_labels
    from assay.meta.results import BenchmarkResult
    from assay.suites.compliance.grade_files import read_grades

    (tmp_path / "trials.jsonl").write_text('{"condition": {"judge": "rules", "kind": "pairwise"}}\n')
    (tmp_path / name).write_bytes(b"{}\n\xff\n" if name.endswith(".jsonl") else b"{\n\xff}")
    read = {
        "labels.csv": lambda: read_labels([tmp_path / name]),
        "grades.jsonl": lambda: list(read_grades([tmp_path / name])),
        "instances.jsonl": lambda: read_instances(tmp_path),
    }.get(name, lambda: BenchmarkResult.load(tmp_path))
    with pytest.raises(InputError) as error:
        read()
    assert tmp_path.name in str(error.value.where)
