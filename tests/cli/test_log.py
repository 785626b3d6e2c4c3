import asyncio
import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runs"))
from ledger_rows import call, judgment, request, run_row

from assay.runs.ledger import open_ledger


@pytest.fixture
def kept(tmp_path):
    """A ledger where commands look for one by themselves, and open while they do."""

    async def fill(ledger):
        await ledger.start_run(run_row())
        for number in (1, 2):
            asked = call(number, text="not \x1b[31mJSON\nat all")
            await ledger.record_call(asked)
            row = judgment(
                number,
                status="ok" if number == 1 else "unparsed",
                calls=[asked.key],
                judge=f"direct@test/{number}",
            )
            await ledger.record_judgment("run-first", *row)
        await ledger.record_call(call(1, text="asked again"))

    with open_ledger(tmp_path / ".assay" / "ledger.sqlite") as ledger:
        asyncio.run(fill(ledger))
        yield ledger


def test_list(assay, kept):
    result = assay("log", "list")
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()[1:]] == [
        ["first", "run-first", *result.stdout.splitlines()[1].split()[2:4], "running", "2", "1", "unparsed"]
    ]
    assert json.loads(assay("log", "list", "--format", "json").stdout)[0]["judgments"] == {
        "ok": 1,
        "unparsed": 1,
    }


def test_show_a_run(assay, kept):
    shown = assay("log", "show", "first").stdout
    assert "2 judgments, 50.0% with a verdict" in shown
    assert "test/m  2 calls, 200 tokens in (160 cached), 20 out, 0.0200 USD" in shown
    assert "direct@test/2  1 unparsed" in shown
    # The way on: keys, and first those that want a look.
    listed = shown[shown.index("Judgments  --judgment KEY") :].splitlines()[1:]
    assert [line.split()[0] for line in listed] == [judgment(2)[0].key[:12], judgment(1)[0].key[:12]]
    assert "unparsed" in listed[0]
    data = json.loads(assay("log", "show", "run-first", "--format", "json").stdout)
    assert data["judgments"] == {"ok": 1, "unparsed": 1}
    assert data["usage"]["test/m"]["calls"] == 2


def test_from_a_judgment_down_to_the_prompt(assay, kept):
    key = judgment(2)[0].key
    shown = assay("log", "show", "first", "--judgment", key).stdout
    assert "direct@test/2  version v1" in shown
    assert "unparsed" in shown
    called = request(2).key()
    assert called in shown
    told = assay("log", "show", "first", "--call", called[:8]).stdout
    assert "The report under judgment." in told
    assert "    not ␛[31mJSON\n    at all" in told
    assert "\x1b" not in told
    assert "100 tokens in (80 cached)" in told
    again = assay("log", "show", "first", "--call", request(1).key()).stdout
    assert "2 times, newest first" in again
    assert again.index("asked again") < again.index("JSON")
    data = json.loads(assay("log", "show", "first", "--judgment", key, "--format", "json").stdout)
    assert data["answers"][0]["answer"]["calls"] == [called]


def test_export(assay, kept, tmp_path):
    shown = assay("log", "export", "first")
    assert [json.loads(line)["subject"] for line in shown.stdout.splitlines()] == ["s1", "s2"]
    assert assay("log", "export", "first", "--table", "calls", "-f", "csv").stdout.startswith("key,model")
    result = assay("log", "export", "first", "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "answers.jsonl", "calls.jsonl", "index.jsonl", "judgments.jsonl", "manifest.json",
    ]  # fmt: skip
    assay("log", "export", "first", "-o", tmp_path / "judged.csv")
    assert (tmp_path / "judged.csv").read_text().startswith("key,subject")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["show", "frist"], "did you mean 'first'?"),
        (["show", "first", "--judgment", "zz"], "no judgment of first has a key that starts with 'zz'"),
        (["show", "first", "--judgment", "0"], "is the start of several keys"),
        (["show", "first", "--call", "zz"], "no call in this ledger"),
        (["show", "first", "--call", "a", "--judgment", "b"], "not both"),
        (["list", "--ledger", "nowhere.sqlite"], "nowhere.sqlite: there is no ledger"),
        (["list", "--ledger", "redis://x"], "not a kind of ledger"),
        (["export", "first", "-f", "parquet"], "name it with -o"),
    ],
)
def test_mistakes_are_said_in_a_line(assay, kept, args, words):
    result = assay("log", *args)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_nothing_there_makes_nothing(assay, tmp_path):
    assert assay("log", "list").exit_code == 2
    assert list(tmp_path.iterdir()) == []
