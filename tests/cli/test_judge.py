"""``assay judge``: what is shown, what is written, what is refused, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from servers.fault import FaultServer

EXAMPLES = Path(__file__).parents[2] / "examples"
GOOD = "# Heat\n\nPumps are quiet. They heat the house because they move heat.\n"
POOR = "# Cold\n\nFridges hum.\n"
CRITERIA = ("relevance", "faithfulness", "expression", "synthesis")
REPORT = ("--rubric", "reflect-report")


def scores(*values: int, **more: object) -> str:
    return json.dumps({**more, "scores": dict(zip(CRITERIA, values, strict=True))})


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "reports"
    place.mkdir()
    (place / "a.md").write_text(GOOD, "utf-8")
    (place / "b.md").write_text(POOR, "utf-8")
    return place


@pytest.fixture
def script(tmp_path):
    """A model that says what it is told; gives its id."""

    def make(*lines):
        (tmp_path / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return "scripted/replies.jsonl"

    return make


def test_one_report_in_full(assay, folder, script):
    model = script(
        scores(
            4,
            2,
            5,
            3,
            quotes=["They heat the house", "nobody said this"],
            reasoning="It names a mechanism [1].",
        )
    )
    result = assay("judge", folder / "a.md", "--judge", f"quote@{model}", *REPORT)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == str(folder / "a.md")
    assert lines[1] == "quote@scripted/replies.jsonl · REFLECT, report"
    assert "  Overall       ███████▌░░░░  3.50 of 1–5" in lines
    assert "  Relevance     █████████░░░     4 of 1–5" in lines
    assert any("It names a mechanism" in line for line in lines)
    assert "       3:18  “They heat the house”" in lines
    assert "   invented  “nobody said this”" in lines
    assert "             1 quote stands nowhere in the text" in lines
    assert "  4 of 4 criteria answered" in lines
    assert result.stderr.startswith("1 call, ")
    assert "prompts and replies: assay log show judge-" in result.stderr


def test_a_part_without_a_verdict_is_seen(assay, folder, script):
    # One criterion a call; the model has nothing readable to say about one of them.
    readable = [
        {"when": f"Criterion: {text}", "text": '{"score": 4}'}
        for text in ("Does it cover", "Is the language", "Does it form")
    ]
    model = script(*readable, {"when": "Criterion: Do its statements", "text": "Hard to say!"})
    result = assay("judge", folder / "a.md", "--judge", f"direct@{model}", *REPORT, "--per-call", 1)
    assert result.exit_code == 0
    assert "  Overall       ············  no score" in result.stdout
    assert "  Faithfulness  ············  no score" in result.stdout
    assert "  Relevance     █████████░░░  4 of 1–5" in result.stdout
    assert "  3 of 4 criteria answered" in result.stdout
    assert "unparsed (faithfulness):" in result.stdout
    row = json.loads(
        assay(
            "judge",
            folder / "a.md",
            "--judge",
            f"direct@{model}",
            *REPORT,
            "--per-call",
            1,
            "--format",
            "json",
        ).stdout
    )
    assert row["status"] == "unparsed"
    assert row["scores"] == {"relevance": 4, "expression": 4, "synthesis": 4}
    assert (row["coverage"]["asked"], row["coverage"]["answered"]) == (4, 3)
    (gap,) = row["coverage"]["gaps"]
    assert (gap["criteria"], gap["status"]) == (["faithfulness"], "unparsed")


def test_no_verdict_at_all_is_3(assay, folder, script):
    result = assay("judge", folder / "a.md", "--judge", f"direct@{script('No.', 'No.')}", *REPORT)
    assert result.exit_code == 3
    assert "0 of 4 criteria answered" in result.stdout
    assert "assay: the judge gave no verdict; the same command asks again what failed" in result.stderr


def test_a_failed_call_is_asked_again(assay, folder, script):
    model = script({"when": "never there", "text": ""})
    first = assay("judge", folder, "--judge", f"direct@{model}", *REPORT)
    assert first.exit_code == 3
    assert "2 without any score" in first.stdout
    script(scores(1, 2, 3, 4), scores(4, 4, 4, 4))
    again = assay("judge", folder, "--judge", f"direct@{model}", *REPORT)
    assert again.exit_code == 0
    assert "2 subjects: 2 judged in full · mean overall 3.25 of 1–5" in again.stdout


def test_several_as_a_table(assay, folder, script):
    model = script(
        {"when": "Pumps", "text": scores(4, 2, 5, 3)}, {"when": "Fridges", "text": "I do not know."}
    )
    result = assay("judge", folder, "--judge", f"direct@{model}", *REPORT)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "direct@scripted/replies.jsonl · REFLECT, report"
    assert lines[1].split() == [
        "#",
        "subject",
        "overall",
        "Rele",
        "Fait",
        "Expr",
        "Synt",
        "answered",
        "status",
    ]
    assert lines[2].split() == ["1", "a.md", "3.50", "4", "2", "5", "3", "4", "of", "4", "ok"]
    assert lines[3].split() == ["2", "b.md", "–", "–", "–", "–", "–", "0", "of", "4", "unparsed"]
    assert "2 subjects: 1 judged in full, 1 without any score · mean overall 3.50 of 1–5 over 1 of 2" in lines
    assert any(line.startswith("  1 × unparsed: ") for line in lines)
    full = assay("judge", folder, "--judge", f"direct@{model}", *REPORT, "-v").stdout
    assert "Faithfulness  ███░░░░░░░░░     2 of 1–5" in full
    assert full.endswith(result.stdout)


def test_the_same_command_pays_once(assay, folder):
    first = assay("judge", folder, "--judge", "direct@scripted/random")
    again = assay("judge", folder, "--judge", "direct@scripted/random")
    assert again.stdout == first.stdout
    assert first.stderr.startswith("2 calls, ")
    assert again.stderr.startswith("nothing was asked: every answer was in the ledger (--fresh asks again)\n")
    assert assay("judge", folder, "--judge", "direct@scripted/random", "--fresh").stderr.startswith(
        "2 calls, "
    )
    # Another name for the same text is another judgment of the same call.
    (folder / "c.md").write_text(GOOD, "utf-8")
    third = assay(
        "judge",
        folder / "c.md",
        folder / "b.md",
        "--judge",
        "direct@scripted/random",
        "--rubric",
        "reportlogic",
    )
    assert third.stderr.startswith("nothing was asked")
    mixed = assay(
        "judge",
        folder / "a.md",
        "--judge",
        "direct@scripted/random",
        "--repetitions",
        1,
        "--temperature",
        0.5,
    )
    assert mixed.stderr.startswith("1 call, ")


def test_no_ledger(assay, folder, tmp_path):
    result = assay("judge", folder / "a.md", "--judge", "direct@scripted/random", "--ledger", "none")
    assert result.exit_code == 0
    assert not (tmp_path / ".assay").exists()
    assert "assay log show" not in result.stderr
    quiet = assay("judge", folder / "a.md", "--judge", "direct@scripted/random", "-q")
    assert quiet.stderr == ""


def test_json_rows(assay, folder, tmp_path):
    result = assay(
        "judge", folder, "--judge", "direct@scripted/random", "--format", "json", "-o", tmp_path / "out.jsonl"
    )
    assert (result.exit_code, result.stdout) == (0, "")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [Path(row["subject"]).name for row in rows] == ["a.md", "b.md"]
    assert list(rows[0])[:4] == ["schema", "subject", "judge", "rubric"]
    assert rows[0]["schema"] == "assay.judgment/2"
    assert rows[0]["rubric"] == "reportlogic"
    assert rows[0]["coverage"] == {"asked": 8, "answered": 8, "gaps": []}
    assert len({row["version"] for row in rows}) == 1
    lines = assay("judge", folder, "--judge", "direct@scripted/random", "--format", "jsonl").stdout
    assert lines == (tmp_path / "out.jsonl").read_text("utf-8")
    run = assay("log", "list", "--format", "json")
    shown = assay("log", "show", json.loads(run.stdout)[0]["id"], "--judgment", rows[0]["key"][:8])
    assert shown.exit_code == 0


def test_the_earlier_name_of_repetitions(assay, folder, monkeypatch):
    def rows(*words):
        args = ("judge", folder / "a.md", "--judge", "brief@scripted/random", *REPORT, "--format", "json")
        return assay(*args, *words).stdout

    current = rows("--repetitions", 3)
    assert len(current.splitlines()) == 3
    assert rows("--trials", 3) == rows("--trials=3") == current
    for variable in ("ASSAY_JUDGE_REPETITIONS", "ASSAY_JUDGE_TRIALS"):
        with monkeypatch.context() as patch:
            patch.setenv(variable, "3")
            assert rows() == current
    refused = assay("judge", folder / "a.md", "--judge", "rules", "--trials", 0)
    assert refused.exit_code == 2
    assert "'--repetitions': 0 is not" in refused.stderr
    shown = assay("judge", "--help").stdout
    assert "--repetitions N" in shown
    assert "--trials" not in shown


def test_repetitions(assay, folder):
    args = ("judge", folder / "a.md", "--judge", "brief@scripted/random", *REPORT, "--repetitions", 3)
    result = assay(*args)
    assert "· 3 repetitions, mean ± standard deviation" in result.stdout.splitlines()[1]
    rows = [json.loads(line) for line in assay(*args, "--format", "json").stdout.splitlines()]
    assert [row["repetition"] for row in rows] == [0, 1, 2]
    values = [row["scores"]["relevance"] for row in rows]
    mean = sum(values) / 3
    line = next(line for line in result.stdout.splitlines() if line.startswith("  Relevance"))
    assert f"{mean:.2f} ± " in line
    assert line.endswith(f"each {' '.join(f'{value:g}' for value in values)}")
    assert "12 of 12 criteria answered over 3 repetitions" in result.stdout
    assert "  Repetition 3" in result.stdout


def test_part_by_part(assay):
    path = EXAMPLES / "heat-pumps" / "good.md"
    result = assay("judge", path, "--judge", "direct@scripted/random", "--granularity", "fine")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "direct@scripted/random · REFLECT, report" in lines
    first = next(line for line in lines if line.startswith("  chunk 1 "))
    assert first.split()[2] == "1"
    steps = assay(
        "judge",
        EXAMPLES / "trajectories" / "clean.json",
        "--judge",
        "direct@scripted/random",
        "--granularity",
        "fine",
    )
    assert "  step 2 " in steps.stdout


def test_rows_trajectories_and_chinese(assay, tmp_path):
    rows = [
        {"id": "one", "report": "# 储能\n\n成本下降，因为规模扩大。\n", "query": "储能成本如何？"},
        {"id": "two", "article": GOOD, "prompt": "What of heat?"},
    ]
    (tmp_path / "rows.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows) + "not a row\n", "utf-8"
    )
    result = assay(
        "judge", "rows.jsonl", EXAMPLES / "trajectories" / "clean.json", "--judge", "direct@scripted/random"
    )
    assert result.exit_code == 2  # one row could not be read; the rest was judged
    assert "rows.jsonl:3" in result.stderr
    # A table for each rubric.
    assert result.stdout.count("subject ") == 2
    assert "Work of an agent, whole or a step" in result.stdout
    limited = assay("judge", "rows.jsonl", "--judge", "direct@scripted/random", "--limit", 1)
    assert limited.exit_code == 0


def test_nothing_of_a_report_reaches_the_terminal(assay, folder, script):
    model = script(scores(1, 1, 1, 1, quotes=["\x1b[2J is nowhere"], reasoning="It says \x1b[31mred\x07."))
    out = assay("judge", folder / "a.md", "--judge", f"quote@{model}", *REPORT).stdout
    assert "\x1b" not in out
    assert "\x07" not in out


def test_length_needs_no_model_and_rules_have_no_scores(assay, folder):
    result = assay("judge", folder / "a.md", "--judge", "rules")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "`assay audit` shows what the rules find" in result.stderr
    many = assay("judge", folder, "--judge", "length", "--format", "json").stdout.splitlines()
    assert [json.loads(line)["scores"] for line in many] == [{"overall": 12.0}, {"overall": 3.0}]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--judge", "dirct@scripted/random"], "no strategy is called 'dirct'; did you mean 'direct'?"),
        (["--judge", "direct@scripted/rand"], "no scripted model is called 'rand'"),
        (["--judge", "direct@opnai/gpt-5-mini"], "did you mean 'openai'?"),
        (["--judge", "rule"], "did you mean 'rules'?"),
        (
            ["--judge", "direct@scripted/random", "--rubric", "reflect-reprt"],
            "did you mean 'reflect-report'?",
        ),
        (["--judge", "comparative@scripted/random"], "pass it with --reference FILE"),
        (["--judge", "direct@scripted/random", "--rubric", "reflect-step"], "is for a step, and"),
        (
            ["--judge", "direct@scripted/random", "--rubric", "reportlogic", "--granularity", "fine"],
            "holistic",
        ),
        (["--judge", "overseer@scripted/random", "--option", "atempts=3"], "did you mean 'attempts'?"),
        (["--judge", "overseer@scripted/random", "--option", "attempts=many"], "is a whole number"),
        (["--judge", "panel@scripted/random", "--option", "early_stop=perhaps"], "is true or false"),
        (["--judge", "direct@scripted/random", "--option", "x"], "write it as KEY=VALUE"),
        (["--judge", "direct@scripted/random", "--early-stop"], "takes no votes"),
        (["--judge", "direct@scripted/random", "--reference", "nope.md"], "nope.md"),
        (["--judge", "direct@scripted/random", "--prompts", "nope"], "is not a folder of prompts"),
        (["--judge", "direct@scripted/random", "--ledger", "oracle://x"], "is not a kind of ledger"),
        (["--judge", "rules", "--repetitions", "3", "--fresh"], "--fresh, --repetitions would do nothing"),
        ([], "Missing option '--judge'"),
        (["--judge", "direct@scripted/random", "--max-usd", "nan"], "--max-usd': nan is not a finite number"),
        (
            ["--judge", "direct@scripted/random", "--temperature", "nan"],
            "'--temperature': nan is not a finite number",
        ),
    ],
)
def test_bad_usage_is_named(assay, folder, args, said):
    result = assay("judge", folder / "a.md", *args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_what_is_too_long_is_left_out_before_anything_is_spent(assay, folder, monkeypatch):
    (folder / "long.md").write_text(GOOD * 300, "utf-8")
    monkeypatch.setenv("ASSAY_MODEL_CONTEXT", "2000")
    result = assay("judge", folder, "--judge", "direct@scripted/random")
    assert result.exit_code == 2
    assert "left out:" in result.stderr
    assert "reads 2,000 at most; judge it in parts (granularity: fine)" in result.stderr
    assert "2 subjects: 2 judged in full" in result.stdout
    alone = assay("judge", folder / "long.md", "--judge", "direct@scripted/random")
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert alone.stderr.startswith("assay: nothing was sent: the report takes about ")


def test_a_cap_keeps_what_there_is(assay, folder):
    for number in range(8):
        (folder / f"{number}.md").write_text(f"{GOOD}{number}\n", "utf-8")
    args = ("judge", folder, "--judge", "direct@scripted/random", "--max-tokens", 300, "-j", 1)
    result = assay(*args, "--max-total-tokens", 3000)
    assert result.exit_code == 3
    assert "the cap of 3,000 tokens is reached" in result.stderr
    assert "continues from there once the cap is raised" in result.stderr
    assert "judged in full" in result.stdout
    # A mean over some of them must not pass for one over all.
    left = result.stdout.splitlines()[-1]
    assert left.endswith(" of 10 subjects not judged yet")
    rest = assay(*args)
    assert rest.exit_code == 0
    assert "calls were in the ledger" in rest.stderr


def test_a_model_that_stops_midway_leaves_what_was_judged(assay, folder, monkeypatch):
    """Money that runs out takes nothing away that was paid."""
    broke = (429, {}, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}})
    with FaultServer(["ok", broke, "ok"]) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        args = ("judge", folder, "--judge", "direct@vllm/m", *REPORT, "-j", 1)
        result = assay(*args)
        assert result.exit_code == 3
        assert "1 subject: 1 judged in full" in result.stdout
        assert result.stdout.endswith("1 of 2 subjects not judged yet\n")
        assert result.stderr.startswith("1 call, ")
        assert "has no credit left" in result.stderr
        assert "the same command continues from there" in result.stderr
        again = assay(*args)
    assert again.exit_code == 0
    assert "1 of 2 calls were in the ledger" in again.stderr


def test_requests_that_brought_nothing_are_counted(assay, folder, monkeypatch):
    with FaultServer(["html"] * 9) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        monkeypatch.setenv("ASSAY_MODEL_MAX_ATTEMPTS", "2")
        failed = assay("judge", folder / "a.md", "--judge", "direct@vllm/m", *REPORT)
        assert failed.stderr.startswith("no calls; 2 requests brought no reply\n")
    with FaultServer(["html"]) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        made = assay("judge", folder / "a.md", "--judge", "direct@vllm/m", *REPORT)
    assert made.stderr.splitlines()[0].startswith("1 call, ")
    assert made.stderr.splitlines()[0].endswith("; 1 request brought no reply")


def test_early_stop_reaches_the_panel(assay, folder, script):
    same = scores(3, 3, 3, 3, reasoning="So.")
    result = assay(
        "judge",
        folder / "a.md",
        "--judge",
        f"panel@{script(same, same, same, same)}",
        *REPORT,
        "--early-stop",
    )
    assert result.exit_code == 0
    assert result.stderr.startswith("2 calls, ")
    assert "note: the exacting and the holistic judge agree" in " ".join(result.stdout.split())


def test_a_reference_and_prompts_of_ones_own(assay, folder, tmp_path, script):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "direct.jinja").write_text(
        "{% block judge %}Be kind to {{ it }}.{% endblock %}", "utf-8"
    )
    model = script(
        {"when": "Be kind to the report.", "text": scores(5, 5, 5, 5)},
        {"when": "Fridges hum", "text": scores(1, 1, 1, 1)},
    )
    result = assay(
        "judge", folder / "a.md", "--judge", f"direct@{model}", *REPORT, "--prompts", tmp_path / "mine"
    )
    assert "5.00 of 1–5" in result.stdout
    result = assay(
        "judge", folder / "a.md", "--judge", f"direct@{model}", *REPORT, "--reference", folder / "b.md"
    )
    assert "1.00 of 1–5" in result.stdout


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_keeps_what_was_answered(tmp_path, folder):
    """The first waits for what is under way and says how to go on."""
    (tmp_path / "slow.py").write_text(
        "import asyncio, sys\n"
        "from assay.models import scripted\n"
        "fast = scripted._random_reply\n"
        "async def slow(request):\n"
        "    quick = 'Pumps' in request.messages[1].content\n"
        "    quick or open('begun', 'w').close()\n"
        "    await asyncio.sleep(0.1 if quick else 3)\n"
        "    return fast(request)\n"
        "scripted._random_reply = slow\n"
        "from assay.cli.main import main\n"
        "sys.argv = ['assay', *sys.argv[1:]]\n"
        "main()\n",
        "utf-8",
    )
    for number in range(3):
        (folder / f"z{number}.md").write_text(f"{POOR}{number}\n", "utf-8")
    command = [sys.executable, "slow.py", "judge", "reports", "--judge", "direct@scripted/random", "-j", "2"]
    child = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Not before the first slow call has begun, and the quick one before it is answered and written down.
    for _ in range(300):
        if (tmp_path / "begun").exists():
            break
        time.sleep(0.1)
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130, err
    assert "assay: interrupted; every answered call is kept, and the same command continues from there" in err
    assert "a.md" in out
    assert "z2.md" not in out


def test_the_real_model(assay, tmp_path, llama_url, monkeypatch):
    monkeypatch.setenv("VLLM_BASE_URL", llama_url)
    (tmp_path / "short.md").write_text("Solar panels cost 1 USD per watt.\n", "utf-8")
    result = assay(
        "judge", "short.md", "--judge", "direct@vllm/smollm2-135m", "--rubric", "overall", "--max-tokens", 60
    )
    assert result.exit_code == 0, result.stderr
    assert "of 1–10" in result.stdout
