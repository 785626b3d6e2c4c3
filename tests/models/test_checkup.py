"""What is known of a model before and after two tiny calls, and the commands that say so."""

import asyncio
import json

import pytest
from click.testing import CliRunner

from assay.cli.main import root
from assay.models.base import Message, Request
from assay.models.registry import open_model
from assay.models.scripted import ScriptedModel
from assay.models.tokens import estimate_request, estimate_tokens
from assay.models.windows import preflight
from servers.fault import FaultServer


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    import os

    for name in list(os.environ):
        if name.startswith("ASSAY_") or name.endswith(("_API_KEY", "_BASE_URL", "HF_TOKEN")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def assay():
    def run(*args):
        return CliRunner().invoke(root, list(args), prog_name="assay")

    return run


def look(model, **options):
    async def go():
        try:
            return await preflight(model, **options)
        finally:
            await model.close()

    return asyncio.run(go())


def at(server, name="m", **settings):
    return open_model(f"openai/{name}", environ={"OPENAI_BASE_URL": server.base_url}, **settings)


@pytest.mark.parametrize(
    ("rows", "props", "expected"),
    [
        pytest.param([{"id": "m", "owned_by": "vllm", "max_model_len": 8192}], None, (8192, True, "vllm"), id="vLLM"),
        pytest.param(
            [{"id": "any.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 32768}}],
            {"default_generation_settings": {"n_ctx": 2048}}, (2048, True, "llama.cpp"), id="llama.cpp",
        ),
        pytest.param([{"id": "x", "meta": {"n_ctx_train": 32768}}], None, (32768, True, "llama.cpp"), id="without props"),
        pytest.param([{"id": "a"}, {"id": "m", "context_length": 131072}], None, (131072, None, None), id="OpenRouter"),
        pytest.param([{"id": "a"}, {"id": "b", "context_length": 5}], None, (None, None, None), id="not listed"),
        pytest.param([{"id": "m", "max_model_len": "many", "meta": "x"}], None, (None, None, None), id="odd"),
        pytest.param(None, None, (None, None, None), id="no list"),
    ],
)  # fmt: skip
def test_servers_tell_what_they_can_read(rows, props, expected):
    with FaultServer(models=rows, props=props) as server:
        info = look(at(server))
    assert (info.context_window, info.caches, info.kind) == expected
    assert info.served == tuple(row["id"] for row in rows or ())


def test_settings_win_and_hosted_models_are_not_asked():
    with FaultServer(models=[{"id": "m", "max_model_len": 8192}]) as server:
        assert look(at(server, context=1000, caches=True)).context_window == 1000
        assert server.gets == []
    info = look(open_model("openai/gpt-5-mini", environ={}))
    assert (info.context_window, info.caches) == (272_000, True)


def test_what_cannot_be_asked_is_not_known_and_fails_nothing():
    assert look(ScriptedModel([])).context_window is None
    assert look(open_model("openai/unheard-of", environ={})).context_window is None
    assert (
        look(open_model("vllm/m", environ={"VLLM_BASE_URL": "http://127.0.0.1:9/v1"}), seconds=0.5).served
        == ()
    )


def test_estimates_are_near_what_tokenizers_count():
    assert estimate_tokens("") == 0
    assert estimate_tokens("The bridge is 300 metres long and carries trains.") == 13
    assert 9 <= estimate_tokens("桥长三百米，可通火车。") <= 14
    assert estimate_tokens("Мост длиной триста метров") > estimate_tokens("A bridge of three hundred")
    assert estimate_tokens("x" * 4000 + "漢" * 1000) == 2000


def test_estimates_count_what_requests_share(monkeypatch):

    request = Request(model="m/m", messages=(Message("system", "abcd"), Message("user", "efgh", "lead")))
    assert estimate_request(request) == 1 + 4 + 1 + 1 + 4


def test_check_says_what_works(assay, monkeypatch):
    rows = [{"id": "m1", "owned_by": "vllm", "max_model_len": 8192}]
    refused = (400, {}, {"error": {"message": "'seed' is not supported"}})
    with FaultServer([refused], models=rows) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        monkeypatch.setenv("ASSAY_MODEL_RPM", "500")
        text = assay("models", "check", "vllm/m1")
        data = assay("models", "check", "vllm/m1", "--format", "json")
    assert text.exit_code == 0, text.output
    lines = {line[2:19].strip(): line[19:].strip() for line in text.stdout.splitlines()[1:]}
    assert text.stdout.startswith("works  vllm/m1\n")
    assert lines["Endpoint"] == f"{server.base_url} · vllm"
    assert lines["JSON schema"] == "honoured"
    assert lines["Seed"] == "not taken"
    assert lines["Context window"] == "8,192 tokens"
    assert lines["Limits"] == "128 at a time, 500 requests a minute"
    assert lines["Not taken"] == "seed"
    assert lines["Price"].startswith('unknown; [models."vllm/m1"] price')
    assert lines["Same again"].startswith("yes")
    found = json.loads(data.stdout)
    assert found["works"] is True
    assert found["usage"]["calls"] == 2
    assert found["served"] == "m1"


def test_check_says_why_not(assay, monkeypatch):
    result = assay("models", "check", "openai/gpt-5-mini")
    assert result.exit_code == 2
    assert "set OPENAI_API_KEY" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-0123456789")
    with FaultServer(
        [(401, {}, {"error": {"message": "Incorrect API key: sk-wrong-0123456789"}})] * 9
    ) as server:
        result = assay(
            "models", "check", "openai/gpt-5-mini", "--base-url", server.base_url, "--format", "json"
        )
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert found["works"] is False
    assert "refuses the key in OPENAI_API_KEY" in found["problem"]
    assert "0123456789" not in result.output


def test_check_of_an_endpoint_that_is_down_ends_with_three(assay, monkeypatch):
    with FaultServer(["500"] * 50) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        result = assay("models", "check", "vllm/m")
    assert result.exit_code == 3
    assert "HTTP 500: try later, 3 times" in result.stderr


def test_check_of_a_model_that_says_nothing_ends_with_three(assay, monkeypatch):
    with FaultServer(["blank"] * 50) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        result = assay("models", "check", "vllm/m", "--format", "json")
    assert result.exit_code == 3
    assert "vllm/m: every reply was empty" in result.stderr
    found = json.loads(result.stdout)
    assert (found["works"], found["schema"]) == (False, "ignored")
    assert found["problem"] in result.stderr


def test_check_shows_a_reply_that_is_not_what_was_asked_for(assay, monkeypatch):
    reply = (200, {}, {"choices": [{"message": {"content": "Yes,\nI think."}, "finish_reason": "stop"}]})
    with FaultServer([reply] * 9) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        result = assay("models", "check", "vllm/m")
    assert "Reply              Yes, I think." in result.stdout


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_check_takes_a_timeout_that_is_one(assay, seconds):
    result = assay("models", "check", "scripted/random", "--timeout", seconds)
    assert result.exit_code == 2
    assert "--timeout" in result.stderr


def test_check_needs_no_key_for_a_scripted_model(assay):
    result = assay("models", "check", "scripted/random")
    assert result.exit_code == 0
    assert "honoured" in result.stdout


def test_list_shows_providers_and_where_their_keys_are(assay, tmp_path):
    (tmp_path / ".env").write_text("GROQ_API_KEY=gsk_secret\n")
    (tmp_path / "assay.toml").write_text(
        '[providers.lab]\nbase-url = "http://user:pass@lab/v1?k=1"\nkey-env = "LAB"\n'
    )
    result = assay("models", "list")
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert "key in GROQ_API_KEY" in lines["groq"]
    assert "no key: OPENAI_API_KEY" in lines["openai"]
    assert "http://lab/v1" in lines["lab"]
    assert "pass" not in lines["lab"]
    assert "gsk_secret" not in result.output
    rows = json.loads(assay("models", "list", "--format", "json").stdout)
    assert {row["provider"] for row in rows} >= {"openai", "scripted", "local", "litellm", "lab"}


def test_list_shows_priced_models(assay):
    result = assay("models", "list", "deepseek")
    assert "deepseek/deepseek-v4-pro" in result.stdout
    rows = json.loads(assay("models", "list", "openai", "--format", "json").stdout)
    assert next(row for row in rows if row["model"] == "openai/gpt-5-mini")["price"]["output"] == 2
    assert assay("models", "list", "opnai").exit_code == 2
    assert "no model of vllm has a known price" in assay("models", "list", "vllm").stderr


def test_one_text_is_the_reply_to_every_request():
    model = ScriptedModel("the same")
    request = Request(model="scripted/test", messages=(Message("user", "q"),))
    assert [asyncio.run(model.complete(request)).text for _ in range(2)] == ["the same", "the same"]
