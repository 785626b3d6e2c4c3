"""The conditions that the command line of ``assay bench run`` names: judges × interfaces × settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from assay._version import __version__
from assay.cli.arguments import ADVANCED, JUDGE, SUBJECTS, argument, option
from assay.cli.judge_options import MODEL_FREE, JudgeArguments, PairwiseArguments, settings_of
from assay.cli.outputs import BENCHMARK, RUN_FOLDER, OutputPath
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.judges.settings import JudgeSettings
    from assay.meta.trials import Condition, Interface

_REASONING: Final = "full"
_PLAIN: Final = "direct"


class BenchRunArguments(PairwiseArguments, without=("query",)):
    """What the command line of ``assay bench run`` says."""

    folder: str = argument("DIR", type=BENCHMARK)
    judge: str = "rules"
    judges: tuple[str, ...] = option(
        "The judge under test: a model (openai/gpt-5-mini), STRATEGY@MODEL, or your prompt (./strict.jinja@MODEL), with NAME= "
        "before it to name it in results; or rules. Repeatable. [rules]",
        "JUDGE",
        flags="--judge",
        group=JUDGE,
    )
    interfaces: tuple[Literal["pointwise", "pairwise", "ranking"], ...] = option(
        "How subjects are shown: each by itself, two side by side, or several. Repeatable. [pointwise]",
        flags="--interface",
        group=JUDGE,
    )
    grain: str = option(
        "What is judged with --interface pointwise: the whole, or the revised part with what comes before it.",
        flags="--granularity",
        default="holistic",
        type=click.Choice(["holistic", "fine", "both"]),
        group=JUDGE,
    )
    cot: Literal["as-named", "yes", "no", "both"] = option(
        "Whether the judge reasons before its verdict. yes: use strategy full instead of direct; no: use direct instead of "
        "any strategy; both: run each.",
        default="as-named",
        group=ADVANCED,
    )
    candidates: int = option(
        "Subjects in a ranking, including the reference.",
        "N",
        default=4,
        type=click.IntRange(2, 20),
        group=ADVANCED,
    )
    types: str | None = option(
        "Only these types: names or groups, as `assay bench types` lists them.", "A,B", group=SUBJECTS
    )
    limit: int | None = option(
        "Only the first N instances of each type, as a cheap test.",
        "N",
        type=click.IntRange(min=1),
        group=SUBJECTS,
    )
    localise: bool = option(
        "Ask the model where the fault is, which takes one more call for each instance.", group=ADVANCED
    )
    alone: bool = option("Leave out the rules, length and random judges that run beside it.", group=ADVANCED)
    save: str | None = option(
        "Folder in which the run is kept. [DIR/trials/ID]", "FOLDER", type=OutputPath(*RUN_FOLDER.reads)
    )
    no_save: bool = option("Keep no folder of the run.", group=ADVANCED)
    rubric: str | None = option(
        "Rubrics, separated by commas: usual (as fits the subject), none, or names and files. Several are compared. [usual]",
        "NAME|FILE",
        group=JUDGE,
    )
    format: Literal["text", "json"]


@dataclasses.dataclass(frozen=True)
class NamedCondition:
    """A condition, and its rubric as the command line names it: ``usual``, or a name or file."""

    condition: Condition
    rubric: str = ""

    @property
    def free(self) -> bool:
        """Whether the judge asks no model."""
        return self.condition.judge in MODEL_FREE


def conditions_of(args: BenchRunArguments) -> list[NamedCondition]:
    """Return every condition; those that the command line names come first."""
    from assay.judges.settings import check_judge_names, split_judge
    from assay.meta.trials import Condition

    judges = list(dict.fromkeys(args.judges or ("rules",)))
    interfaces: Sequence[Interface] = list(dict.fromkeys(args.interfaces)) or ["pointwise"]
    rubrics = [name.strip() for name in (args.rubric or "usual").split(",") if name.strip()]
    grains = ["holistic", "fine"] if args.grain == "both" else [args.grain]
    found: list[NamedCondition] = []
    check_judge_names(judges)
    for judge, interface in product(judges, interfaces):
        if judge in MODEL_FREE:
            found.append(NamedCondition(Condition(judge=judge, version=__version__, interface=interface)))
            continue
        # Refuses an unknown judge and offers the nearest one.
        settings_of(dataclasses.replace(args, judge=judge), mode="rank")
        # Only the pointwise interface can judge parts.
        fitting = grains if interface == "pointwise" else ["holistic"]
        for name, grain, rubric in product(_reasonings(judge, args.cot), fitting, rubrics):
            named = split_judge(name)
            condition = Condition(
                judge=named.spec,
                label="" if named.label == named.spec else named.label,
                interface=interface,
                granularity=grain,
                rubric="overall" if rubric in ("none", "overall") else rubric,
                reasoning=named.strategy != _PLAIN,
                trials=args.repetitions,
            )
            wanted = NamedCondition(condition, "overall" if rubric == "none" else rubric)
            if wanted not in found:
                found.append(wanted)
    if args.grain == "fine" and "pointwise" not in interfaces:
        raise UsageError("--granularity fine scores parts by themselves, and needs --interface pointwise")
    if not args.alone:
        own = [(item.condition.judge, item.condition.interface) for item in found]
        found += [
            NamedCondition(Condition(judge=judge, version=__version__, interface=interface, beside=True))
            for judge, interface in product(MODEL_FREE, interfaces)
            if (judge, interface) not in own
        ]
    return found


def _reasonings(judge: str, cot: str) -> list[str]:
    """Return the judge with and without reasoning, as --cot says."""
    from assay.judges.settings import split_judge

    strategy, model, _ = split_judge(judge)
    plain = f"{_PLAIN}@{model}"
    reasoned = f"{_REASONING}@{model}" if strategy == _PLAIN else judge
    return {"yes": [reasoned], "no": [plain], "both": [reasoned, plain]}.get(cot, [judge])


def useless_options(args: BenchRunArguments) -> list[str]:
    """Return the options that are given and that only a judge with a model understands."""
    own = {field.name for field in dataclasses.fields(BenchRunArguments)} - {
        field.name for field in dataclasses.fields(JudgeArguments)
    }
    names = {f"--{name.replace('_', '-')}" for name in own}
    given = [name for name in args.model_only if name not in names]
    return given + (["--localise"] if args.localise else [])


def judge_settings(args: BenchRunArguments, condition: Condition) -> JudgeSettings:
    """Return the settings of a condition's judge.

    Raises:
        UsageError: An option makes no sense here; the message says why.
    """
    mode: Any = {"pointwise": "score", "pairwise": "compare", "ranking": "rank"}[condition.interface]
    grain: Any = condition.granularity
    own_args = dataclasses.replace(args, judge=condition.judge, granularity=grain)
    return settings_of(own_args, mode=mode)
