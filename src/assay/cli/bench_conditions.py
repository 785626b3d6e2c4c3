"""What was asked of ``assay bench run``, and the conditions it comes to: judges times interfaces times settings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay._version import __version__
from assay.cli.judge_options import MODEL_FREE, JudgeAsked, settings_of
from assay.errors import UsageError
from assay.judges.settings import split_judge
from assay.meta.trials import Condition, Interface

if TYPE_CHECKING:
    from assay.judges.settings import JudgeSettings

_REASONING: Final = "full"
_PLAIN: Final = "direct"


class RunAsked(JudgeAsked, frozen=True, kw_only=True):
    """What was asked of ``assay bench run``."""

    folder: str
    judges: tuple[str, ...] = ()
    interfaces: tuple[Interface, ...] = ()
    grain: str = "holistic"
    cot: str = "as-named"
    candidates: int = 4
    types: str | None = None
    limit: int | None = None
    localise: bool = False
    alone: bool = False
    save: str | None = None
    no_save: bool = False


class Wanted(msgspec.Struct, frozen=True):
    """A condition to be tried, and the rubric as it was named: ``usual``, or a name or file."""

    condition: Condition
    rubric: str = ""

    @property
    def free(self) -> bool:
        """Whether it asks no model."""
        return self.condition.judge in MODEL_FREE


def conditions_of(asked: RunAsked) -> list[Wanted]:
    """Every condition, those asked for first."""
    judges = list(dict.fromkeys(asked.judges or ("rules",)))
    interfaces: Sequence[Interface] = list(dict.fromkeys(asked.interfaces)) or ["pointwise"]
    rubrics = [name.strip() for name in (asked.rubric or "usual").split(",") if name.strip()]
    grains = ["holistic", "fine"] if asked.grain == "both" else [asked.grain]
    found: list[Wanted] = []
    for judge, interface in product(judges, interfaces):
        if judge in MODEL_FREE:
            found.append(Wanted(Condition(judge=judge, version=__version__, interface=interface)))
            continue
        # Says what is near where there is no such judge.
        settings_of(msgspec.structs.replace(asked, judge=judge), mode="rank")
        # A part is judged by itself; pairs and rankings are of wholes.
        fitting = grains if interface == "pointwise" else ["holistic"]
        for name, grain, rubric in product(_reasonings(judge, asked.cot), fitting, rubrics):
            condition = Condition(
                judge=name,
                interface=interface,
                granularity=grain,
                rubric="overall" if rubric in ("none", "overall") else rubric,
                reasoning=split_judge(name)[0] != _PLAIN,
                trials=asked.trials,
            )
            wanted = Wanted(condition, "overall" if rubric == "none" else rubric)
            if wanted not in found:
                found.append(wanted)
    if asked.grain == "fine" and "pointwise" not in interfaces:
        raise UsageError("--granularity fine scores a part by itself; it goes with --interface pointwise")
    if not asked.alone:
        own = [(item.condition.judge, item.condition.interface) for item in found]
        found += [
            Wanted(Condition(judge=judge, version=__version__, interface=interface, beside=True))
            for judge, interface in product(MODEL_FREE, interfaces)
            if (judge, interface) not in own
        ]
    return found


def _reasonings(judge: str, cot: str) -> list[str]:
    """The judge with and without reasoning, as asked."""
    strategy, model = split_judge(judge)
    plain = f"{_PLAIN}@{model}"
    reasoned = f"{_REASONING}@{model}" if strategy == _PLAIN else judge
    return {"yes": [reasoned], "no": [plain], "both": [reasoned, plain]}.get(cot, [judge])


def said_in_vain(asked: RunAsked) -> list[str]:
    """Options given that only a judge with a model understands."""
    own = set(RunAsked.__struct_fields__) - set(JudgeAsked.__struct_fields__)
    names = {f"--{name.replace('_', '-')}" for name in own}
    said = [name for name in asked.said if name not in names]
    return said + (["--localise"] if asked.localise else [])


def judge_settings(asked: RunAsked, condition: Condition) -> JudgeSettings:
    """The settings of a condition's judge.

    Raises:
        UsageError: An option makes no sense here; the message says why.
    """
    mode: Any = {"pointwise": "score", "pairwise": "pair", "ranking": "rank"}[condition.interface]
    grain: Any = condition.granularity
    told = msgspec.structs.replace(asked, judge=condition.judge, granularity=grain)
    return settings_of(told, mode=mode)
