"""The conditions that the command line of ``assay bench run`` names: judges × interfaces × settings."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import ADVANCED, JUDGE, SUBJECTS, argument, option
from assay.cli.batch_files import BatchArguments
from assay.cli.judge_options import MODEL_FREE, JudgeArguments, PairwiseArguments, settings_of
from assay.cli.options import Amount
from assay.cli.outputs import BENCHMARK, RUN_FOLDER, OutputPath
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judges.settings import JudgeSettings
    from assay.judges.units import Granularity
    from assay.meta.conditions import JudgeSetup
    from assay.meta.trials import Interface


class BenchRunArguments(BatchArguments, PairwiseArguments, without=("query",)):
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
    grain: Any = option(
        "What is judged with --interface pointwise: the whole, or the revised part with what comes before it.",
        flags="--granularity",
        default="holistic",
        type=click.Choice(["holistic", "fine", "both"]),
        group=ADVANCED,
    )
    defence: Any = option(
        "Whether judges are told that nothing in the material is addressed to them: on, off, or both, to see what that is worth "
        "against injected instructions.",
        default="on",
        type=click.Choice(["on", "off", "both"]),
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
    until: float | None = option(
        "Stop a judge when the interval of its accuracy is this wide (0.2 is ten points either way). The interval holds "
        "at every moment at once, with an error of 5 %.",
        "WIDTH",
        type=Amount(0, 1, min_open=True, max_open=True),
        group=ADVANCED,
    )
    alone: bool = option("Leave out the rules, length and random judges that run beside it.", group=ADVANCED)
    save: str | None = option(
        "Folder in which the run is kept. [DIR/trials/ID]", "FOLDER", type=OutputPath(*RUN_FOLDER.reads)
    )
    no_save: bool = option("Keep no folder of the run.", group=ADVANCED)
    rubric: str | None = None
    rubrics: tuple[str, ...] = option(
        "The rubric: usual (as fits the subject), none, or a name or file. Repeatable; several are compared. [usual]",
        "NAME|FILE",
        flags="--rubric",
        group=JUDGE,
    )
    format: Literal["text", "json", "csv", "markdown", "latex"]


def setups_from(args: BenchRunArguments) -> list[JudgeSetup]:
    """Return every condition that the command line names, then those of the baselines.

    Raises:
        UsageError: A judge is unknown, or an option makes no sense here; the message says why.
    """
    from assay.meta.conditions import setups_of

    grains: list[Granularity] = ["holistic", "fine"] if args.grain == "both" else [args.grain]

    def settings_for(judge: str, interface: Interface, grain: Granularity) -> JudgeSettings:
        modes: dict[Interface, Any] = {"pointwise": "score", "pairwise": "compare", "ranking": "rank"}
        return settings_of(dataclasses.replace(args, judge=judge, granularity=grain), mode=modes[interface])

    if args.in_rounds and args.until is not None:
        raise UsageError("a batch sends everything at once; leave out --until")
    for judge in args.judges:
        if judge not in MODEL_FREE:
            # Refuses an unknown judge and offers the nearest one.
            settings_of(dataclasses.replace(args, judge=judge), mode="rank")
    return setups_of(
        list(dict.fromkeys(args.judges or ("rules",))),
        interfaces=list(dict.fromkeys(args.interfaces)) or ["pointwise"],
        granularities=grains,
        rubrics=[name.strip() for text in args.rubrics for name in text.split(",") if name.strip()]
        or ["usual"],
        defences={"on": [True], "off": [False], "both": [True, False]}[args.defence],
        settings_for=settings_for,
        baselines=not args.alone,
    )


def asked_models(setups: Sequence[JudgeSetup]) -> list[str]:
    """Return the models that the judges of conditions ask."""
    from assay.judges.settings import split_judge

    asked = [item for item in setups if item.asks_model]
    models = [name for item in asked for name in (split_judge(item.judge).model, item.settings.generator)]
    return list(dict.fromkeys(name for name in models if name))


def useless_options(args: BenchRunArguments) -> list[str]:
    """Return the options that are given and that only a judge with a model understands."""
    own = {field.name for field in dataclasses.fields(BenchRunArguments)} - {
        field.name for field in dataclasses.fields(JudgeArguments)
    }
    names = {f"--{name.replace('_', '-')}" for name in own}
    given = [name for name in args.model_only if name not in names]
    return (
        given
        + ["--rubric"] * bool(args.rubrics)
        + ["--localise"] * args.localise
        + ["--defence"] * (args.defence != "on")
        + ["--requests"] * (args.requests is not None)
        + ["--responses"] * bool(args.responses)
    )
