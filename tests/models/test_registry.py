"""From an id, a file and variables to a model."""

import asyncio
import pickle
import sys
import types
from importlib.metadata import EntryPoint

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.checks.config import load_settings
from assay.errors import InputError, MissingExtraError, UsageError
from assay.located import LocatedData
from assay.models import registry
from assay.models.base import CallFailedError, Message, Reply, Request, Sampling
from assay.models.environment import Secret, environment, parse_env
from assay.models.prices import FREE, Price, cost_of, find_price, hosted_window, price_of, priced_models
from assay.models.providers import find_provider, known_providers, split_id
from assay.models.registry import open_model, provider_names, settings_of
from assay.models.schema_sample import sample_value
from assay.models.scripted import ScriptedModel
from assay.models.settings import (
    ModelConfig,
    ModelSettings,
    load_model_config,
    parse_model_config,
)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def ask(text="Is it so?", **changes):
    return Request(model="scripted/x", messages=(Message("user", text),), **changes)


def complete(model, *requests):
    async def go():
        return [await model.complete(one) for one in requests]

    return asyncio.run(go())


# Variables


def test_env_files_are_read_as_others_read_them():
    text = (
        '# a comment\nA=1\nexport B = two words  # not this\nC=\'single # kept\'\nD="line\\nbreak \\"q\\""\n'
        'E=\nnot a line\n F=a=b\nG="x" # y\nH=a#b\n'
    )
    assert parse_env(text) == {
        "A": "1", "B": "two words", "C": "single # kept", "D": 'line\nbreak "q"', "E": "", "F": "a=b", "G": "x", "H": "a#b",
    }  # fmt: skip


@given(st.text(max_size=200))
def test_no_env_file_fails(text):
    assert isinstance(parse_env(text), dict)


@given(st.from_regex(r"[A-Z_]{1,8}", fullmatch=True), st.text(st.characters(exclude_characters="'\\\r\n", codec="utf-8", exclude_categories=["Zl", "Zp", "Cc", "Cs"]), max_size=30))  # fmt: skip
def test_a_quoted_value_comes_back(name, value):
    assert parse_env(f"{name}='{value}'") == {name: value}


def test_variables_of_the_process_win(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("ASSAY_TEST_A=file\nASSAY_TEST_B=file\n")
    monkeypatch.setenv("ASSAY_TEST_A", "process")
    found = environment()
    assert (found["ASSAY_TEST_A"], found["ASSAY_TEST_B"]) == ("process", "file")
    import os

    assert "ASSAY_TEST_B" not in os.environ
    (tmp_path / ".env").write_bytes(b"A=\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        environment()


def test_a_secret_does_not_show_itself():
    secret = Secret("sk-abc", "MY_KEY")
    assert repr(secret) == str(secret) == "Secret(from MY_KEY)"
    assert secret.hide("key sk-abc!") == "key …!"
    with pytest.raises(TypeError):
        pickle.dumps(secret)


# Providers


def test_every_provider_is_whole():
    for name, provider in known_providers().items():
        assert provider.base_url.startswith(("https://", "http://localhost")), name
        assert not provider.base_url.endswith("/")
        assert provider.keys or not provider.key
        assert provider.key_variables
        assert any(variable.endswith("_BASE_URL") for variable in provider.url_variables)


def test_keys_are_looked_for_in_order():
    gemini = known_providers()["gemini"]
    assert gemini.find_key({"GOOGLE_API_KEY": "b", "GEMINI_API_KEY": "a"}).source == "GEMINI_API_KEY"
    assert gemini.find_key({"GOOGLE_API_KEY": " b\n"}).reveal() == "b"
    assert gemini.find_key({"GEMINI_API_KEY": ""}) is None
    assert gemini.find_key({"MINE": "c", "GEMINI_API_KEY": "a"}, "MINE").reveal() == "c"


@pytest.mark.parametrize(
    ("model_id", "said"),
    [
        ("gpt-5-mini", "has no provider; write PROVIDER/NAME, such as 'openai/gpt-5-mini'"),
        ("claude-haiku-4-5", "such as 'anthropic/claude-haiku-4-5'"),
        ("ollama", "such as 'ollama/NAME'"),
        ("my-model", "such as 'vllm/my-model'"),
        ("", "such as 'vllm/NAME'"),
        ("openai/", "is not a model id"),
        ("/x", "is not a model id"),
        ("opnai/gpt-5", "no provider is called 'opnai'; did you mean 'openai'?"),
        ("script/random", "did you mean 'scripted'?"),
        ("lab/x", "set LAB_BASE_URL, or base-url under [providers.lab] in assay.toml"),
        ("scripted/rnd", "no scripted model is called 'rnd'; there are 'random', 'echo'"),
    ],
)
def test_ids_nobody_knows_are_met_with_a_hint(model_id, said):
    with pytest.raises(UsageError) as caught:
        open_model(model_id, environ={})
    assert said in str(caught.value)
    with pytest.raises(UsageError):
        settings_of(model_id, environ={}) and open_model(model_id, ModelSettings(), environ={})


def test_an_id_keeps_what_is_behind_the_first_slash():
    assert split_id("OpenRouter/anthropic/Claude-x") == ("openrouter", "anthropic/Claude-x")
    model = open_model("groq/openai/gpt-oss-20b", environ={"GROQ_API_KEY": "k"})
    assert model.endpoint.name == "openai/gpt-oss-20b"


def test_a_variable_makes_a_provider():
    model = open_model("my-lab/m", environ={"MY_LAB_BASE_URL": "http://lab/v1", "MY_LAB_API_KEY": "k"})
    assert model.endpoint.base_url == "http://lab/v1"
    assert model.endpoint.key.source == "MY_LAB_API_KEY"
    assert find_provider("my-lab", {"MY_LAB_BASE_URL": "x"}).key is False


def test_who_is_heard_about_the_base_url():
    config = parse_model_config(
        LocatedData(
            {
                "providers": {"openai": {"base-url": "http://provider"}},
                "models": {"openai/a": {"base-url": "http://model"}},
            },
            "x",
        ),
    )

    def url(model_id, environ, **overrides):
        said = settings_of(model_id, config=config, environ=environ, overrides=ModelSettings(**overrides))
        return open_model(model_id, said, environ=environ).endpoint.base_url

    assert url("openai/b", {}) == "http://provider"
    assert url("openai/b", {"OPENAI_BASE_URL": "http://variable"}) == "http://variable"
    assert url("openai/a", {"OPENAI_BASE_URL": "http://variable"}) == "http://model"
    assert url("openai/a", {"ASSAY_MODEL_BASE_URL": "http://assay"}) == "http://assay"
    assert (
        url("openai/a", {"ASSAY_MODEL_BASE_URL": "http://assay"}, base_url="http://caller") == "http://caller"
    )
    assert open_model("openai/a", environ={}).endpoint.base_url == "https://api.openai.com/v1"


def test_another_address_needs_no_key_but_is_sent_one_that_is_there():
    assert (
        open_model("openai/m", environ={"OPENAI_BASE_URL": "http://localhost/v1"}).endpoint.provider.key
        is False
    )
    assert open_model("openai/m", environ={}).endpoint.provider.key is True
    assert open_model("vllm/m", environ={}, key_env="MINE").endpoint.provider.key is True
    assert open_model("openai/m", environ={"OPENAI_API_KEY": "k"}, key_env="").endpoint.key is None


# Settings


def test_a_file_is_read_and_the_checks_leave_it_alone(tmp_path):
    path = tmp_path / "assay.toml"
    path.write_text(
        'fail-on = "warning"\n[models."openai/gpt-5-mini"]\nconcurrency = 8\nrpm = 500\ntemperature = 1\nmax-tokens = 900\n'
        'price = { input = 1, output = 2.5 }\nheaders = { X-Team = "a" }\n'
        '[providers.OpenAI]\nrpm = 9\ntimeout = 30\nheaders = { X-Team = "b", X-Org = "c" }\n'
        '[providers.lab]\nbase-url = "http://lab/v1"\nkey-env = "LAB"\n[ledger]\npath = "x"\n[prompts]\nfolder = "y"\n'
    )
    assert load_settings(path).fail_on == "warning"
    config = load_model_config()
    said = settings_of("openai/gpt-5-mini", config=config, environ={"ASSAY_MODEL_RPM": "77"})
    assert (said.concurrency, said.rpm, said.timeout, said.price.output) == (8, 77, 30, 2.5)
    assert said.headers == {"X-Team": "a", "X-Org": "c"}
    assert settings_of("openai/o3", config=config, environ={}).rpm == 9
    lab = open_model("lab/m", environ={"LAB": "k"})
    assert (lab.endpoint.base_url, lab.endpoint.key.source) == ("http://lab/v1", "LAB")
    assert "lab" in provider_names(config)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            {"models": {"openai/m": {"concurency": 3}}},
            "x: models.openai/m.concurency is not a field here; did you mean 'concurrency'?",
        ),
        ({"models": {"openai/m": {"base_url": "x"}}}, "did you mean 'base-url'?"),
        (
            {"models": {"openai/m": {"rpm": "many"}}},
            "x: models.openai/m.rpm is 'many'; it must be a whole number",
        ),
        ({"models": {"openai/m": {"rpm": 0}}}, "rpm is 0; it must be a whole number, at least 1"),
        ({"models": {"openai/m": {"price": {"input": 1}}}}, "price"),
        (
            {"models": {"openai/m": {"price": {"input": -1, "output": 1}}}},
            "price.input is -1; it must be a number, at least 0",
        ),
        ({"models": {"openai/m": {"price": {"input": 1, "output": float("nan")}}}}, "price.output"),
        ({"models": {"openai/m": 3}}, "is 3; it must be a table"),
        ({"models": {"gpt-5": {}}}, 'write the id in quotes: [models."PROVIDER/gpt-5"]'),
        ({"providers": []}, "x: providers is empty; it must be a table"),
    ],
)
def test_a_setting_that_is_off_is_named(data, said):
    with pytest.raises(InputError) as caught:
        parse_model_config(LocatedData(data, "x"))
    assert said in str(caught.value)


def test_variables_and_callers_are_checked_like_the_file():
    with pytest.raises(InputError, match="ASSAY_MODEL_RPM: rpm is 'fast'; it must be a whole number"):
        settings_of("openai/m", config=ModelConfig(), environ={"ASSAY_MODEL_RPM": "fast"})
    with pytest.raises(InputError, match="did you mean 'timeout'"):
        open_model("openai/m", environ={}, timeot=3)


def test_calls_at_a_time_have_a_usual_number():
    def usual(model_id):
        return settings_of(model_id, config=ModelConfig(), environ={}).concurrency

    assert [usual(f"{name}/m") for name in ("openai", "ollama", "vllm", "local", "litellm")] == [
        64,
        4,
        128,
        1,
        64,
    ]


def test_headers_take_variables():
    environ = {"OPENAI_API_KEY": "k", "TOKEN": "t-123456"}
    model = open_model("openai/m", environ=environ, headers={"X-Auth": "Bearer ${TOKEN}"})
    assert model.endpoint.all_headers() == {"X-Auth": "Bearer t-123456", "Authorization": "Bearer k"}
    assert "t-123456" not in repr(model.endpoint)
    with pytest.raises(UsageError, match="the header X-Auth needs the variable NONE"):
        open_model("openai/m", environ=environ, headers={"X-Auth": "${NONE}"})


# Prices


def test_every_price_is_plausible():
    assert len(priced_models()) > 60
    for model_id in priced_models():
        price = find_price(model_id)
        assert model_id.partition("/")[0] in known_providers()
        assert 0 < price.input <= price.output * 1.01, model_id
        assert price.cached is None or price.cached < price.input
        assert (price.above is None) == (price.long is None)
        assert hosted_window(model_id) >= 32_000


def test_prices_are_found_by_name_and_by_dated_snapshot():
    from datetime import date

    assert find_price("openai/gpt-5-mini-2025-08-07") == find_price("openai/gpt-5-mini")
    assert find_price("openai/gpt-5-mini-2025-08-07") != find_price("openai/gpt-5")
    assert find_price("anthropic/claude-haiku-4-5-20251001").input == 1
    assert find_price("openai/gpt-5-max") is None
    assert find_price("openrouter/openai/gpt-5") is None
    before, after = date(2026, 11, 22), date(2027, 1, 1)
    assert (
        find_price("gemini/gemini-3.8-flash", today=after).input
        == 2 * find_price("gemini/gemini-3.8-flash", today=before).input
    )


def test_costs():
    assert cost_of("openai/gpt-5-mini", None, 1_000_000, 400_000, 100_000) == pytest.approx(
        0.6 * 0.25 + 0.4 * 0.025 + 0.2
    )
    # A longer prompt makes the whole call dearer.
    assert cost_of("openai/gpt-5.4", None, 300_000, 0, 0) == pytest.approx(0.3 * 5)
    assert cost_of("openai/unknown", None, 1, 0, 1) is None
    assert cost_of("local/smollm2-135m", None, 1, 0, 1) == 0
    mine = ModelSettings(price=Price(input=1, output=3))
    assert cost_of("openai/x", mine.price, 1_000_000, 500_000, 1_000_000) == pytest.approx(4)
    assert price_of("scripted/x") is FREE


# Scripted models


def test_a_script_is_followed():
    said = Reply(text="b")
    model = ScriptedModel(["a", said, CallFailedError("down")])
    assert [reply.text for reply in complete(model, ask(), ask())] == ["a", "b"]
    with pytest.raises(CallFailedError, match="down"):
        complete(model, ask())
    with pytest.raises(CallFailedError, match="no more replies after 3"):
        complete(model, ask())
    assert len(model.requests) == 4


def test_a_function_answers():
    async def later(request):
        return request.messages[0].content.upper()

    (reply,) = complete(ScriptedModel(later), ask("abcd efgh"))
    assert reply.text == "ABCD EFGH"
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost_usd) == (2, 2, 0.0)


def test_echo_and_files(tmp_path):
    assert complete(open_model("scripted/echo", environ={}), ask("hm"))[0].text == "hm"
    path = tmp_path / "replies.jsonl"
    path.write_text(
        '"first"\n\n{"text": "about pumps", "when": "pump"}\n{"text": "cut", "finish": "length"}\n'
    )
    model = open_model(f"scripted/{path}", environ={})
    replies = complete(model, ask("a"), ask("a pump"), ask("b"), ask("pumps"))
    assert [reply.text for reply in replies] == ["first", "about pumps", "cut", "about pumps"]
    assert replies[2].finish == "length"
    with pytest.raises(CallFailedError, match="no reply for this prompt"):
        complete(model, ask("c"))
    path.write_text('"a"\n{"txt": 1}\n')
    with pytest.raises(InputError, match=r"replies.jsonl:2: is not a reply"):
        open_model(f"scripted/{path}", environ={})
    with pytest.raises(InputError, match="cannot be read"):
        open_model("scripted/none.jsonl", environ={})


def schemas():
    leaf = st.one_of(
        st.just({"type": "string"}),
        st.just({"type": "boolean"}),
        st.builds(lambda low, wide: {"type": "integer", "minimum": low, "maximum": low + wide}, st.integers(-5, 5), st.integers(0, 9)),
        st.builds(lambda low, wide: {"type": "number", "minimum": low, "maximum": low + wide}, st.integers(-5, 5), st.integers(1, 9)),
        st.lists(st.text(max_size=5), min_size=1, max_size=4, unique=True).map(lambda names: {"enum": names}),
        st.just({"const": "x"}),
        st.just({"type": ["null", "integer"], "minimum": 0}),
        st.just({"$ref": "#/$defs/word"}),
    )  # fmt: skip
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds(lambda items, least: {"type": "array", "items": items, "minItems": least}, inner, st.integers(0, 3)),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"anyOf": parts}),
            st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=4).map(
                lambda parts: {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}
            ),
        ),
        max_leaves=8,
    )  # fmt: skip


@given(schemas(), st.randoms(use_true_random=False))
def test_a_sample_fits_its_schema(schema, rng):
    whole = {**schema, "$defs": {"word": {"type": "string"}}}
    jsonschema.validate(sample_value(whole, rng), whole)


def test_chance_is_the_same_for_the_same_request():
    schema = {
        "type": "object",
        "properties": {"v": {"type": "integer", "minimum": 0, "maximum": 10**9}},
        "required": ["v"],
    }
    model = open_model("scripted/random", environ={})
    a, again, b, trial = complete(
        model,
        *(ask(text, schema=schema, draw=draw) for text, draw in (("a", 0), ("a", 0), ("b", 0), ("a", 1))),
    )
    assert a.text == again.text
    assert len({a.text, b.text, trial.text}) == 3


# Others


def test_a_third_party_adds_a_provider(monkeypatch):
    module = types.ModuleType("their_models")
    module.open_theirs = lambda name, settings: ScriptedModel([name, str(settings.rpm)], f"theirs/{name}")
    monkeypatch.setitem(sys.modules, "their_models", module)
    points = [EntryPoint("theirs", "their_models:open_theirs", "assay.models")]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    model = open_model("theirs/x", environ={}, rpm=5)
    assert model.id == "theirs/x"
    assert [reply.text for reply in complete(model, ask(), ask())] == ["x", "5"]
    assert "theirs" in provider_names()
    points.append(EntryPoint("theirs", "other:open", "assay.models"))
    with pytest.raises(UsageError, match="more than one provider is called 'theirs'"):
        open_model("theirs/x", environ={})


def test_litellm_is_an_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(MissingExtraError, match=r"the extra \[litellm\]"):
        open_model("litellm/bedrock/x", environ={})


def test_litellm_is_asked_and_its_errors_are_understood(monkeypatch):
    from servers.fault import completion

    class Answer:
        _hidden_params = {"response_cost": 0.25}  # noqa: RUF012

        def model_dump_json(self):
            import json

            return json.dumps(completion("fine", {"messages": [{"content": "x" * 40}]}))

    class Down(Exception):  # noqa: N818
        status_code = 503

    class Wrong(Exception):  # noqa: N818
        status_code = 401

    script, asked = [Down("later"), Answer(), Wrong("bad key")], []

    async def acompletion(**options):
        asked.append(options)
        said = script.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    fake = types.ModuleType("litellm")
    fake.acompletion = acompletion
    monkeypatch.setitem(sys.modules, "litellm", fake)
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    model = open_model("litellm/bedrock/x", environ={})
    model._pacing.policy = model._policy = type(model._policy)(base=0.001, cap=0.001)
    (reply,) = complete(model, ask(sampling=Sampling(max_tokens=5)))
    assert (reply.text, reply.attempts, reply.usage.cost_usd) == ("fine", 2, 0.25)
    assert asked[0]["model"] == "bedrock/x"
    assert asked[0]["max_tokens"] == 5
    assert asked[0]["drop_params"] is True
    with pytest.raises(UsageError, match="bad key; LiteLLM names the variables"):
        complete(model, ask())
