"""``assay train sft``, ``grpo`` and ``dpo``: a recipe and a data set, handed to TRL."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command
from assay.cli.options import FormatArguments, json_text
from assay.cli.outputs import ANY_FILE, OutputPath

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.training.recipe import Stage
    from assay.training.trainers import TrainingRun

_EPILOG = (
    "Exit codes: 0 done; 2 bad usage or input, a library is missing, or the device is too small; 130 interrupted. The same command "
    "goes on from the last checkpoint."
)


class StageArguments(FormatArguments):
    """What the command line of a stage says."""

    data: str = argument("DATA", type=ANY_FILE)
    recipe: str = option(
        "The recipe: a name, as `assay train recipes` lists them, or a file.", "NAME|FILE", required=True
    )
    model: str | None = option(
        "The model to begin with instead of the recipe's: a name on the Hub, a folder, a GGUF file, or the folder of an earlier stage.",
        "MODEL",
    )
    output: str | None = option(
        "Folder of the run; if it holds the same run unfinished, that goes on.",
        "DIR",
        flags="-o --output",
        type=OutputPath("training.json", "curves.svg", "README.md"),
    )
    steps: int = option(
        "Stop after this many steps, as a cheap test.",
        "N",
        default=0,
        type=click.IntRange(min=0),
        show_default=False,
    )
    dry_run: bool = option("Show memory, time and cost, and train nothing.", flags="-n --dry-run")
    quiet: bool = option("Show no progress.", flags="-q --quiet")
    format: Literal["text", "json"]


@command(StageArguments, epilog=_EPILOG)
def sft(args: StageArguments) -> int:
    """Teach a model the replies in DATA: supervised fine-tuning, the loss on the reply only.

    \b
    assay train sft data --recipe gpu-24gb --dry-run
    assay train sft data --recipe gpu-24gb -o sft

    The checkpoint with the lowest validation loss is kept.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    return _stage("sft", args)


@command(StageArguments, epilog=_EPILOG)
def grpo(args: StageArguments) -> int:
    """Reinforce verdicts: GRPO with the reward of the format first, then of the verdict.

    \b
    assay train grpo data --recipe gpu-24gb --model sft -o grpo

    Begin with the model that SFT made, whose replies can be read.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    return _stage("grpo", args)


@command(StageArguments, epilog=_EPILOG)
def dpo(args: StageArguments) -> int:
    """Teach a model to prefer the right reply to a wrong one: DPO, the cheaper alternative to GRPO.

    \b
    assay train dpo data --recipe gpu-24gb --model sft -o dpo
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    return _stage("dpo", args)


def _stage(stage: Stage, args: StageArguments) -> int:
    import msgspec

    from assay.errors import UsageError
    from assay.present.training import cost_text
    from assay.training.data_set import read_manifest_of
    from assay.training.libraries import load_tokenizer
    from assay.training.models import device_memory_gb, shape_of, unpacked
    from assay.training.preparation import checked_cost, prepared
    from assay.training.recipe import load_recipe
    from assay.training.trainers import MODEL, train

    if args.output is None and not args.dry_run:
        raise UsageError("-o names the folder of the run")
    recipe = load_recipe(args.recipe)
    if args.model is not None:
        inside = Path(args.model) / MODEL
        model = str(inside) if inside.is_dir() else args.model
        recipe = msgspec.structs.replace(recipe, model=model, shape=None)
    manifest = read_manifest_of(args.data)
    began_with = recipe.model
    if args.output is not None and not args.dry_run:
        recipe = msgspec.structs.replace(recipe, model=unpacked(recipe.model, Path(args.output) / "base"))
    tokenizer = load_tokenizer(recipe.model)
    data = prepared(args.data, stage, recipe, lambda messages: _count(tokenizer, messages))
    shape = shape_of(recipe)
    # A plan is for the machine of the recipe; a run for this one.
    device = recipe.hardware.memory_gb if args.dry_run else device_memory_gb()
    cost = checked_cost(recipe, stage, shape, data, device_gb=device, max_steps=args.steps)
    if not args.quiet or args.dry_run:
        text = (
            json_text(cost) + "\n" if args.format == "json" else cost_text(stage, recipe, data.lengths, cost)
        )
        click.echo(text, nl=False, err=not args.dry_run)
    if args.dry_run:
        return 0
    if recipe.hardware.devices > 1 and "WORLD_SIZE" not in os.environ:
        words = [
            "accelerate",
            "launch",
            "--num_processes",
            str(recipe.hardware.devices),
            "-m",
            "assay",
            "train",
            stage,
        ]
        raise UsageError(
            f"the recipe is for {recipe.hardware.devices} devices; start it by {shlex.join(words)} …"
        )
    assert args.output is not None
    out = Path(args.output)
    run = train(
        stage,
        recipe,
        data,
        out,
        cost,
        base=began_with,
        data_name=args.data,
        data_files=manifest.files,
        max_steps=args.steps,
        quiet=args.quiet or args.format == "json",
    )
    _report(args, run, out)
    return 0


def _count(tokenizer: Any, messages: Sequence[dict[str, str]]) -> int:
    text = tokenizer.apply_chat_template(list(messages), tokenize=False)
    return len(tokenizer(text, add_special_tokens=False)["input_ids"])


def _report(args: StageArguments, run: TrainingRun, out: Path) -> None:
    from assay.present.training import model_card, run_text
    from assay.present.training_curves import curves_svg

    (out / "curves.svg").write_text(curves_svg(run.log, title=f"{run.stage} of {run.base}"), "utf-8")
    (out / "model" / "README.md").write_text(model_card(run), "utf-8")
    click.echo(json_text(run) if args.format == "json" else run_text(run, str(out)), nl=args.format == "json")


class RecipeArguments(FormatArguments):
    """What the command line of ``assay train recipes`` says."""

    name: str | None = argument("[NAME]", required=False)
    format: Literal["text", "json"]


@command(RecipeArguments)
def recipes(args: RecipeArguments) -> None:
    """List the recipes, or print the one called NAME, to be changed and kept as a file.

    \b
    assay train recipes gpu-24gb > mine.yaml
    assay train sft data --recipe mine.yaml -o sft
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.training.recipe import load_recipe, recipe_names, recipe_text

    if args.name is not None:
        text = json_text(load_recipe(args.name)) if args.format == "json" else recipe_text(args.name)
        click.echo(text, nl=args.format == "json")
        return
    found = {name: load_recipe(name).about for name in recipe_names()}
    if args.format == "json":
        click.echo(json_text([{"name": name, "about": about} for name, about in found.items()]))
        return
    for name, about in found.items():
        click.echo(f"{name:<14}{about}")
