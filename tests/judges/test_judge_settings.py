"""How a judge is sampled where nobody says."""

from __future__ import annotations

import msgspec
import pytest

from assay.errors import UsageError
from assay.judges.model_judge import ModelJudge
from assay.judges.settings import JudgeSettings, check_judge_names, split_judge
from assay.models.scripted import ScriptedModel
from assay.rubrics.loader import load_rubric
from assay.strategies.registry import find_strategy


@pytest.mark.parametrize(
    ("strategy", "settings", "expected"),
    [
        ("full", {}, (0.0, None)),
        ("full", {"repetitions": 5}, (0.7, 43)),
        ("overseer", {}, (0.7, 43)),
        ("overseer", {"temperature": 0.0}, (0.0, None)),
        ("full", {"temperature": 0.3, "seed": 7}, (0.3, 7)),
    ],
)
def test_sampling(strategy, settings, expected):
    model = ScriptedModel([])
    judge = ModelJudge(find_strategy(strategy), model, load_rubric("overall"), JudgeSettings(**settings))
    assert (judge.sampling.temperature, judge.sampling.seed) == expected


def test_trials_are_no_part_of_a_version_but_temperature_is():
    def version(**settings):
        rubric = load_rubric("overall")
        return ModelJudge(find_strategy("full"), ScriptedModel([]), rubric, JudgeSettings(**settings)).version

    assert version(repetitions=3) == version(repetitions=5, early_stop=True)
    assert version(temperature=0.7, seed=43) == version(repetitions=3)
    assert version(temperature=0.2) != version(temperature=0.3)


def test_a_default_that_is_spelt_out_is_the_default() -> None:
    """What is read from a file or a command line is equal to the default and another object: the version is the same."""
    read = msgspec.json.decode(
        b'{"granularity": "holistic", "max_tokens": 2048, "language": "auto"}', type=JudgeSettings
    )
    assert msgspec.to_builtins(read) == msgspec.to_builtins(JudgeSettings()) == {}
    assert msgspec.to_builtins(JudgeSettings(max_tokens=int("2048"), granularity="fine")) == {
        "granularity": "fine"
    }


@pytest.mark.parametrize(
    ("name", "parts", "label"),
    [
        ("openai/gpt-5-mini", ("direct", "openai/gpt-5-mini", ""), "direct@openai/gpt-5-mini"),
        (" quote@a/b ", ("quote", "a/b", ""), "quote@a/b"),
        ("quote@a/b@2024", ("quote", "a/b@2024", ""), "quote@a/b@2024"),
        ("a/b@2024", ("direct", "a/b@2024", ""), "direct@a/b@2024"),
        ("./own.jinja@a/b", ("./own.jinja", "a/b", ""), "own@a/b"),
        ("mine/own.v2.md@a/b", ("mine/own.v2.md", "a/b", ""), "own.v2@a/b"),
        ("strict one = ./own.jinja@a/b", ("./own.jinja", "a/b", "strict one"), "strict one"),
        ("cheap=a/b", ("direct", "a/b", "cheap"), "cheap"),
        ("x@y/p.jinja@a/b", ("x@y/p.jinja", "a/b", ""), "p@a/b"),
    ],
)
def test_the_forms_of_a_judges_name(name, parts, label) -> None:
    judge = split_judge(name)
    assert (tuple(judge), judge.label) == (parts, label)
    assert split_judge(judge.spec) == judge


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("direct", "'direct' names no model; write direct@openai/gpt-5-mini"),
        ("./own.jinja", "names no model; write ./own.jinja@openai/gpt-5-mini"),
        ("ruels", "did you mean 'rules'?"),
        ("", "a model (openai/gpt-5-mini), a prompt file with a model"),
        ("quote@", "'quote@' names no model"),
        ("openai/", "no judge is called"),
    ],
)
def test_what_is_not_a_judge_is_told_the_forms(name, message) -> None:
    with pytest.raises(UsageError) as caught:
        split_judge(name)
    assert message in str(caught.value)


def test_prompts_of_a_judge_are_relative_to_a_folder(tmp_path) -> None:
    assert split_judge("own.jinja@a/b", base=tmp_path).strategy == str(tmp_path / "own.jinja")
    assert split_judge("quote@a/b", base=tmp_path).strategy == "quote"


def test_two_prompts_of_one_name_are_refused() -> None:
    check_judge_names(["a/p.jinja@m/x", "b/q.jinja@m/x", "rules", "a/p.jinja@m/x"])
    check_judge_names(["one=a/p.jinja@m/x", "b/p.jinja@m/x"])
    with pytest.raises(
        UsageError, match=r"would both be called 'p@m/x' in results; name one: NAME=b/p.jinja@m/x"
    ):
        check_judge_names(["a/p.jinja@m/x", "b/p.jinja@m/x"])
