"""The conditions of an evaluation: judges × interfaces × granularities × rubrics × reasoning × defence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay._version import __version__
from assay.errors import UsageError
from assay.judges.ensemble import RULES
from assay.judges.settings import MODEL_FREE, JudgeSettings, check_judge_names, checked_settings, split_judge
from assay.meta.ask import evaluated_judge
from assay.meta.trials import Condition
from assay.runs.unbound_judge import UnboundJudge

if TYPE_CHECKING:
    from assay.judges.settings import JudgeName
    from assay.judges.units import Granularity
    from assay.meta.trials import Interface
    from assay.rubrics.rubric import Rubric

    # Settings of a judge, given its name and how subjects are shown to it.
    SettingsFor = Callable[[str, Interface, Granularity], JudgeSettings]

# REFLECT asks for two or three sentences before the verdict (appendix C.1).
_REASONING: Final = "brief"
_PLAIN: Final = "direct"
_ENSEMBLE: Final = re.compile(rf"({'|'.join(RULES)})\(")


class JudgeSetup(msgspec.Struct, frozen=True):
    """A condition and what it takes to run it.

    Attributes:
        condition: The condition, for the record.
        judge: The judge: the name of one with a model, or a judge of cases.
        rubric: The rubric, or its name or file; ``usual`` for the one that fits the subject.
        settings: Settings of a judge with a model.
    """

    condition: Condition
    judge: Any
    rubric: Any = None
    settings: Any = None

    @property
    def asks_model(self) -> bool:
        """Whether the judge is named by its model, so that a session opens it and records its judgments."""
        return self.settings is not None


def settings_from(usual: JudgeSettings | None, repetitions: int) -> SettingsFor:
    """Return a function that gives every judge the usual settings, with a granularity and at least so many repetitions."""
    common = usual or JudgeSettings()
    often = max(repetitions, common.repetitions)
    return lambda _name, _interface, grain: checked_settings(
        msgspec.structs.replace(common, granularity=grain, repetitions=often)
    )


def setups_of(
    judges: Sequence[Any],
    *,
    interfaces: Sequence[Interface] = ("pointwise",),
    granularities: Sequence[Granularity] = ("holistic",),
    rubrics: Sequence[str | Path | Rubric] = ("usual",),
    reasonings: Sequence[bool | None] = (None,),
    defences: Sequence[bool | None] = (None,),
    settings_for: SettingsFor,
    baselines: bool = True,
) -> list[JudgeSetup]:
    """Return every condition, the requested ones first.

    Args:
        judges: Whatever a judge may be given as: names, judges, functions, objects with methods.
        interfaces: How subjects are shown.
        granularities: What is judged pointwise: the whole subject, or the part with the failure.
        rubrics: Rubrics of judges with a model: names, files or rubrics; ``usual`` fits the subject, ``none`` is none.
        reasonings: Whether judges with a model reason before the verdict; None leaves their strategy as it is.
        defences: Whether judges with a model are told that nothing in the material is addressed to them; None
            leaves their settings as they are.
        settings_for: Returns the settings of a judge with a model.
        baselines: Whether the rules, length and random judges run beside them.

    Raises:
        UsageError: A judge is unknown, or the settings do not fit.
    """
    found: list[JudgeSetup] = []
    check_judge_names(judge for judge in judges if isinstance(judge, str) and not _ENSEMBLE.match(judge))
    for judge, interface in product(judges, interfaces):
        if not isinstance(judge, str) or judge in MODEL_FREE or _ENSEMBLE.match(judge):
            found += _setups_of_object(evaluated_judge(judge), interface, rubrics, reasonings, defences)
            continue
        # Only the pointwise interface can judge parts.
        fitting: Sequence[Granularity] = granularities if interface == "pointwise" else ["holistic"]
        for reasoning, grain, rubric, defence in product(reasonings, fitting, rubrics, defences):
            name = _with_reasoning(split_judge(judge), reasoning)
            plain = name._replace(given="").spec
            settings = _defended(settings_for(name.spec, interface, grain), defence)
            condition = Condition(
                judge=plain,
                label="" if name.label == plain else name.label,
                interface=interface,
                granularity=grain,
                rubric="overall" if rubric in ("none", "overall") else _name_of(rubric),
                reasoning=name.strategy != _PLAIN,
                defence=settings.defence,
                trials=settings.repetitions,
            )
            setup = JudgeSetup(condition, name.spec, "overall" if rubric == "none" else rubric, settings)
            if setup not in found:
                found.append(setup)
    if "fine" in granularities and "holistic" not in granularities and "pointwise" not in interfaces:
        raise UsageError(
            "granularity 'fine' scores parts by themselves, and needs the interface 'pointwise'",
            cli_hint="add --interface pointwise",
        )
    if baselines:
        own = [(item.condition.judge, item.condition.interface) for item in found]
        found += [
            JudgeSetup(_condition_of(evaluated_judge(name), interface, beside=True), evaluated_judge(name))
            for name, interface in product(MODEL_FREE, interfaces)
            if (name, interface) not in own
        ]
    return found


def _setups_of_object(
    judge: Any,
    interface: Interface,
    rubrics: Sequence[Any],
    reasonings: Sequence[bool | None],
    defences: Sequence[bool | None],
) -> list[JudgeSetup]:
    """Return the conditions of a judge that is an object; only one with a strategy has several."""
    if not isinstance(judge, UnboundJudge) or judge.strategy is None:
        return [JudgeSetup(_condition_of(judge, interface), judge)]
    found = []
    for reasoning, rubric, defence in product(reasonings, rubrics, defences):
        changes: dict[str, Any] = (
            {} if rubric == "usual" else {"rubric": "overall" if rubric == "none" else rubric}
        )
        if reasoning is not None and reasoning != (judge.strategy.name != _PLAIN):
            changes["strategy"], changes["model"] = (_REASONING if reasoning else _PLAIN), judge.model
        if defence is not None:
            changes["settings"] = _defended(judge.settings, defence)
        own = judge.replace(**changes) if changes else judge
        assert own.strategy is not None
        condition = Condition(
            judge=f"{own.strategy.name}@{own.model if isinstance(own.model, str) else getattr(own.model, 'id', '')}",
            label=own.name,
            interface=interface,
            granularity=own.settings.granularity,
            rubric="usual" if own.rubric is None else own.rubric.name,
            reasoning=own.strategy.name != _PLAIN,
            defence=own.settings.defence,
            trials=own.settings.repetitions,
            settings=msgspec.to_builtins(own.settings),
        )
        if condition.label == condition.judge:
            condition = msgspec.structs.replace(condition, label="")
        found.append(JudgeSetup(condition, own))
    return found


def _defended(settings: JudgeSettings, defence: bool | None) -> JudgeSettings:
    return settings if defence is None else msgspec.structs.replace(settings, defence=defence)


def _condition_of(judge: Any, interface: Interface, *, beside: bool = False) -> Condition:
    """Return the condition of a judge without settings."""
    version = __version__ if judge.name in MODEL_FREE else judge.version or ""
    return Condition(
        judge=judge.name,
        version=version,
        interface=interface,
        trials=getattr(judge, "repetitions", 1),
        beside=beside,
    )


def _with_reasoning(judge: JudgeName, reasoning: bool | None) -> JudgeName:
    if reasoning is None or (reasoning and judge.strategy != _PLAIN):
        return judge
    return judge._replace(strategy=_REASONING if reasoning else _PLAIN)


def _name_of(rubric: str | Path | Rubric) -> str:
    return str(rubric) if isinstance(rubric, str | Path) else rubric.name
