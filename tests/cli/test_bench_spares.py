"""``assay bench``, ``card`` and ``drift`` write over nothing that they read, and refuse a folder that is none at once."""

from __future__ import annotations

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def run(assay, tmp_path) -> Path:
    """A benchmark of two pairs, and a run of it."""
    made = assay(
        "bench",
        "build",
        EXAMPLES / "heat-pumps",
        "-o",
        tmp_path / "b",
        "--types",
        "expression_quality",
        "--per-type",
        2,
    )
    assert made.exit_code == 0, made.stderr
    assert (
        assay("bench", "run", tmp_path / "b", "--judge", "rules", "--save", tmp_path / "run").exit_code == 0
    )
    return tmp_path / "run"  # fmt: skip


def test_what_is_read_is_not_written_over(assay, run: Path) -> None:
    bench = run.parent / "b"
    before = {path: path.read_bytes() for folder in (run, bench) for path in folder.iterdir()}
    assert len(before) == 7
    for name in ("run.json", "trials.jsonl", "result.json"):
        for command in ("card", "drift"):
            result = assay(command, run, "-o", run / name)
            assert (result.exit_code, "one of the files to read" in result.stderr) == (2, True), (
                command,
                name,
            )
    for name in ("instances.jsonl", "bench.json"):
        assert assay("bench", "queue", bench, "-o", bench / name).exit_code == 2
    again = assay("bench", "drift", run, "--save", run)
    assert (again.exit_code, "which is read; name another folder" in again.stderr) == (2, True)
    assert {path: path.read_bytes() for path in before} == before


def test_a_place_that_is_no_folder_is_refused_before_anything_is_judged(assay, run: Path, tmp_path) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    for place in (tmp_path / "file", tmp_path / "file" / "below", ""):
        for words in (("bench", "run", tmp_path / "b", "--judge", "rules"), ("drift", run)):
            result = assay(*words, "--save", place)
            assert (result.exit_code, "name a folder" in result.stderr) == (2, True), (words, place)
            assert result.stdout == ""
    assert (tmp_path / "file").read_text("utf-8") == "mine"


def test_a_condition_that_is_none_is_answered_with_those_there_are(assay, run: Path) -> None:
    result = assay("bench", "card", run, "--condition", "nobody")
    assert result.exit_code == 2
    assert "rules, length, random" in result.stderr
    assert "1 to 3" in result.stderr


def test_a_folder_that_may_not_be_entered_is_no_bug(assay, tmp_path, monkeypatch) -> None:
    def closed(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    with monkeypatch.context() as patched:
        # Whoever runs the tests may be allowed everything.
        patched.setattr(Path, "is_dir", closed)
        result = assay("bench", "show", tmp_path / "closed")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"assay: {tmp_path / 'closed'}: Permission denied; this user may not open the file or its folder"
    ]


def test_tables_for_papers_and_spreadsheets(assay, run: Path, tmp_path) -> None:
    words = ("bench", "run", tmp_path / "b", "--judge", "rules", "--no-save", "-f")
    assert "| Type | rules | length | random |" in assay(*words, "markdown").stdout
    assert r"\caption{Failures detected}" in assay(*words, "latex").stdout
    rows = assay(*words, "csv").stdout.splitlines()
    assert rows[1].startswith("judges,rules,all,")
    assert any(row.startswith("types,rules,expression_quality,") for row in rows)


def test_what_is_replaced_is_said_and_a_card_knows_a_rebuilt_benchmark(assay, run: Path, tmp_path) -> None:
    again = assay("bench", "run", tmp_path / "b", "--judge", "length", "--save", run)
    assert "assay: replaced the run " in again.stderr
    assert "on other instances" not in again.stderr
    words = (
        "bench",
        "build",
        EXAMPLES,
        "--types",
        "expression_quality,length,prompt_injection",
        "--per-type",
        1,
    )
    built = assay(*words, "-o", tmp_path / "b")
    assert f"assay: replaced the benchmark in {tmp_path / 'b'}" in built.stderr
    assert "--judge YOUR_JUDGE" in " ".join(built.stdout.split())
    card = assay("bench", "card", run, "-f", "json")
    assert f"another benchmark is at {tmp_path / 'b'} now" in card.stdout
    other = assay(
        "bench",
        "run",
        tmp_path / "b",
        "--judge",
        "random",
        "--interface",
        "ranking",
        "--alone",
        "--save",
        run,
    )
    assert f"on other instances ({tmp_path / 'b'})" in other.stderr
    assert "judged 1 of the 2 instances: a ranking takes failures" in " ".join(other.stdout.split())
