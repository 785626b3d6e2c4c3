"""What a new user does first who has no key: pull a model, judge with it, run an experiment with it."""

import json
import sys
from pathlib import Path

import pytest

from assay.models.llama_server import can_serve

pytestmark = pytest.mark.skipif(not can_serve(), reason="xllamacpp is not installed")

NAME = "smollm2-135m"
JUDGE = f"direct@local/{NAME}"


@pytest.fixture(scope="session")
def llama_file():
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from servers.llama import model_file

    return model_file()


@pytest.fixture
def pulled(llama_file, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(llama_file.parent.parent))
    return llama_file


@pytest.fixture
def served(pulled, llama_url, monkeypatch):
    """The server of the tests in place of one of the command's own."""
    monkeypatch.setenv("LOCAL_BASE_URL", llama_url)
    return pulled


@pytest.fixture
def report(tmp_path):
    (tmp_path / "pumps.md").write_text(
        "Heat pumps save 40 % of heating costs, says an audit of 2023.\n", "utf-8"
    )
    return "pumps.md"


def test_pull_then_judge_then_judge_for_nothing(assay, served, report, monkeypatch):
    # What is set for the network outside is not for this machine.
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert assay("models", "pull", NAME).stdout.strip() == str(served)

    judged = assay("judge", report, "--judge", JUDGE, "--rubric", "overall")
    assert judged.exit_code == 0, judged.stderr
    assert "1 of 1 criteria answered" in judged.stdout
    assert "1 call, " in judged.stderr
    again = assay("judge", report, "--judge", JUDGE, "--rubric", "overall", "--format", "json")
    assert again.exit_code == 0
    assert "nothing was asked" in again.stderr
    row = json.loads(again.stdout)
    assert row["judge"] == JUDGE
    assert row["status"] == "ok"
    assert 1 <= row["scores"]["overall"] <= 10
    assert row["usage"]["calls"] == 1
    assert row["usage"]["input_tokens"] > 100
    assert row["usage"]["cost_usd"] == 0


def test_run_an_experiment_and_run_it_again(assay, served, report, tmp_path):
    (tmp_path / "small.yaml").write_text(
        f"subjects: [{report}]\njudges: ['{JUDGE}']\nrubrics: [overall]\n", "utf-8"
    )
    planned = assay("run", "small.yaml", "--dry-run")
    assert planned.exit_code == 0, planned.stderr
    assert "Nothing was sent." in planned.stdout
    first = assay("run", "small.yaml")
    assert first.exit_code == 0, first.stderr
    assert "1 judgments made; 1 call" in first.stderr
    again = assay("run", "small.yaml")
    assert again.exit_code == 0
    assert "0 judgments made, 1 were there; no calls" in again.stderr
    assert again.stdout == first.stdout


def test_what_is_not_there_is_said_with_what_to_do(assay, report, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "empty"))
    for name, said in [
        (NAME, f"`assay models pull {NAME}` fetches it"),
        ("smolm2-135m", f"did you mean '{NAME}'?"),
        ("own.gguf", "own.gguf: cannot be read: No such file or directory"),
    ]:
        result = assay("judge", report, "--judge", f"direct@local/{name}", "--rubric", "overall")
        assert said in f"{result.stderr} {result.exception}"


@pytest.mark.slow
def test_a_server_is_started_for_a_judgment_and_not_for_a_stored_one(
    assay, pulled, report, tmp_path, monkeypatch
):
    assert assay("judge", report, "--judge", JUDGE, "--rubric", "overall").exit_code == 0

    def fails(*_):
        raise AssertionError("a server was started")

    monkeypatch.setattr("assay.models.llama_server.LlamaServer.start", fails)
    again = assay("judge", report, "--judge", JUDGE, "--rubric", "overall")
    assert "nothing was asked" in again.stderr
    long = tmp_path / "long.md"
    long.write_text("The pump is quiet. " * 9000, "utf-8")
    refused = assay("judge", long, "--judge", JUDGE, "--rubric", "overall")
    assert refused.exit_code == 2
    assert "nothing was sent" in f"{refused.stderr} {refused.exception}"
