"""The command, as a user without a key meets it."""

import json
import random

import pytest

from assay.models.schema_sample import sample_value

EXPERIMENT = """
name: trial
subjects: [reports.jsonl]
judges: [direct@openai/gpt-4.1-mini, geval@openai/gpt-4.1-mini]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    rows = [
        {"id": number, "query": "Are pumps quiet?", "report": f"# R{number}\n\nPump {number} is quiet."}
        for number in range(3)
    ]
    (tmp_path / "reports.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "exp.yaml").write_text(EXPERIMENT, "utf-8")
    return tmp_path


def answered(requests, path, *, fail=()):
    """What a provider makes of a file."""
    lines = []
    for number, text in enumerate(requests.read_text("utf-8").splitlines()):
        row = json.loads(text)
        form = row["body"].get("response_format")
        said = "1. look (critical)"
        if form:
            said = json.dumps(sample_value(form["json_schema"]["schema"], random.Random(row["custom_id"])))
        response = {
            "status_code": 200,
            "body": {
                "model": "gpt-4.1-mini-2025-04-14",
                "choices": [{"message": {"content": said}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10},
            },
        }
        if number in fail:
            response = {"status_code": 500, "body": {"error": {"message": "The server had an error"}}}
        lines.append(json.dumps({"custom_id": row["custom_id"], "response": response, "error": None}))
    path.write_text("\n".join(reversed(lines)) + "\n", "utf-8")
    return path


class TestRounds:
    def test_from_the_first_to_the_last(self, assay, folder):
        result = assay("run", "batch", "export", "exp.yaml", "-o", "requests.jsonl")
        assert result.exit_code == 0
        assert result.stdout.startswith("6 judgments: 0 there, 6 wait for replies.")
        assert "openai/gpt-4.1-mini: round 1, 6 requests\n  requests.jsonl\n" in result.stdout
        assert "nothing was sent" in result.stderr
        assert "`assay run batch import exp.yaml RESPONSES.jsonl -o next.jsonl`" in result.stderr
        body = json.loads((folder / "requests.jsonl").read_text("utf-8").splitlines()[0])["body"]
        assert body["model"] == "gpt-4.1-mini"

        answered(folder / "requests.jsonl", folder / "out.jsonl", fail={0})
        result = assay("run", "batch", "import", "exp.yaml", "out.jsonl", "-o", "next.jsonl")
        assert result.exit_code == 0
        assert result.stdout.startswith(
            "6 responses: 5 new replies (5 calls, 500 tokens in, 50 out, $0.0003).\n"
        )
        assert (
            "1 request had an error in place of a reply and will be asked again:\n  1 × HTTP 500"
            in result.stdout
        )
        assert (
            "6 judgments: 2 made now, 4 wait for replies.\nThe next round has 4 requests.\n" in result.stdout
        )
        assert "round 2, 4 requests\n  next.jsonl\n" in result.stdout
        before = (folder / "next.jsonl").read_bytes()
        assert assay("run", "batch", "export", "exp.yaml", "-o", "next.jsonl").exit_code == 0
        assert (folder / "next.jsonl").read_bytes() == before

        result = assay("run", "batch", "status", "exp.yaml")
        assert "6 judgments: 2 there, 4 wait for replies. Responses were taken in once." in result.stdout
        found = json.loads(assay("run", "batch", "status", "exp.yaml", "-f", "json").stdout)
        assert (found["schema"], found["waiting"], found["done"]) == ("assay.batch/1", 4, 2)
        assert [row["requests"] for row in found["models"][0]["rounds"]] == [6, 4]

        answered(folder / "next.jsonl", folder / "out.jsonl")
        result = assay("run", "batch", "import", "exp.yaml", "out.jsonl", "-o", "next.jsonl")
        assert "6 judgments: 4 made now, 2 were there, none waits." in result.stdout
        assert "next.jsonl belongs to an earlier round; do not send it" in result.stderr
        assert "nothing is waiting: `assay log show trial-" in result.stderr

        result = assay("run", "exp.yaml", "-q")
        assert result.exit_code == 0
        assert "0 judgments made, 6 were there; no calls" in result.stderr

    def test_nothing_left_to_write(self, assay, folder):
        assay("run", "batch", "export", "exp.yaml", "-o", "q.jsonl")
        for _ in range(2):
            answered(folder / "q.jsonl", folder / "out.jsonl")
            assay("run", "batch", "import", "exp.yaml", "out.jsonl", "-o", "q.jsonl")
        (folder / "q.jsonl").unlink()
        result = assay("run", "batch", "export", "exp.yaml", "-o", "q.jsonl")
        assert result.exit_code == 0
        assert result.stdout == "6 judgments: 6 there, 0 wait for replies.\n"
        assert result.stderr == ""
        assert not (folder / "q.jsonl").exists()

    def test_status_needs_no_ledger_and_makes_none(self, assay, folder):
        result = assay("run", "batch", "status", "exp.yaml")
        assert result.exit_code == 0
        assert "6 judgments: 0 there, 6 wait for replies." in result.stdout
        assert not (folder / ".assay").exists()

    def test_a_budget_is_minded_in_words(self, assay, folder):
        (folder / "exp.yaml").write_text(EXPERIMENT + "budget: {usd: 0.0001}\n", "utf-8")
        result = assay("run", "batch", "export", "exp.yaml", "-o", "q.jsonl")
        assert "That is more than the budget of $0.0001; batches are not stopped by it." in result.stdout


class TestMistakes:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("export", "exp.yaml"), "Missing option '-o'"),
            (("export", "exp.yaml", "-o", "-"), "-o names a file, such as requests.jsonl"),
            (("export", "exp.yaml", "-o", "exp.yaml"), "-o exp.yaml is one of the files to read"),
            (("export", "exp.yaml", "-o", "."), "is a folder"),
            (("export", "none.yaml", "-o", "q.jsonl"), "none.yaml"),
            (
                ("export", "exp.yaml", "-o", "q.jsonl", "--model", "openai/gpt-4.1"),
                "did you mean 'openai/gpt-4.1-mini'?",
            ),
            (("import", "exp.yaml"), "Missing argument"),
            (("import", "exp.yaml", "none.jsonl"), "none.jsonl: cannot be read"),
            (("import", "exp.yaml", "exp.yaml"), "exp.yaml: holds no response"),
            (("import", "exp.yaml", "q.jsonl"), "q.jsonl:1: is a request, not a response"),
            (("import", "exp.yaml", "q.jsonl", "-o", "q.jsonl"), "-o q.jsonl is one of the files to read"),
        ],
    )
    def test_one_line_says_what(self, words, said, assay, folder):
        if "import" in words:
            assay("run", "batch", "export", "exp.yaml", "-o", "q.jsonl")
        result = assay("run", "batch", *words)
        assert result.exit_code == 2
        assert said in result.stderr
        assert len(result.stderr.splitlines()) == 1

    def test_responses_of_another_run(self, assay, folder):
        assay("run", "batch", "export", "exp.yaml", "-o", "q.jsonl")
        answered(folder / "q.jsonl", folder / "out.jsonl")
        (folder / "exp.yaml").write_text(EXPERIMENT + "settings: {max_tokens: 77}\n", "utf-8")
        result = assay("run", "batch", "import", "exp.yaml", "out.jsonl", "-q")
        assert result.exit_code == 2
        assert "6 responses to requests this run does not make" in result.stdout
        assert "  and 3 more" in result.stdout

    def test_nothing_but_errors(self, assay, folder):
        assay("run", "batch", "export", "exp.yaml", "-o", "q.jsonl")
        answered(folder / "q.jsonl", folder / "out.jsonl", fail=range(6))
        result = assay("run", "batch", "import", "exp.yaml", "out.jsonl", "-q", "-f", "json")
        assert result.exit_code == 3
        found = json.loads(result.stdout)
        assert (found["new"], found["failed"]) == (0, {"HTTP 500: The server had an error": 6})
