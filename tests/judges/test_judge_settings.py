"""How a judge is sampled where nobody says."""

from __future__ import annotations

import msgspec
import pytest

from assay.judges.model_judge import ModelJudge
from assay.judges.settings import JudgeSettings
from assay.models.scripted import ScriptedModel
from assay.rubrics.loader import load_rubric
from assay.strategies.registry import find_strategy


@pytest.mark.parametrize(
    ("strategy", "settings", "expected"),
    [
        ("full", {}, (0.0, None)),
        ("full", {"trials": 5}, (0.7, 43)),
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

    assert version(trials=3) == version(trials=5, early_stop=True)
    assert version(temperature=0.7, seed=43) == version(trials=3)
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
