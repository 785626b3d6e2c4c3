"""Data sets for training a judge and runs of training, as text and as cards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.present.markup import markdown_table
from assay.present.table import Table
from assay.present.terminal import table_lines
from assay.training.teachers import FATES

if TYPE_CHECKING:
    from assay.present.display import Painter
    from assay.training.data_set import DataManifest, TokenLengths
    from assay.training.memory import TrainingCost
    from assay.training.recipe import Recipe
    from assay.training.trainers import TrainingRun

_MEASURES: Final = (
    *("loss", "eval_loss", "mean_token_accuracy", "reward", "eval_reward", "rewards/valid_form/mean", "kl"),
    *("rewards/accuracies", "eval_rewards/accuracies"),
)
_FATES: Final = ("NO VERDICT", "NOT UNANIMOUS", "NOT CONSISTENT", "KEPT")


def data_tables(data: DataManifest) -> list[Table]:
    """Return the tables of a data set: pairs, filters, lengths, and what predicts the label without reading."""
    kinds = sorted({kind for counts in data.counts.values() for kind in counts})
    tables = [
        Table(
            title="Pairs",
            heads=["SPLIT", *(kind.upper() for kind in kinds), "TOKENS, MEDIAN", "95 %", "LONGEST"],
            rows=[
                [
                    name,
                    *(f"{counts.get(kind, 0):,}" for kind in kinds),
                    f"{data.lengths[name].median:,}",
                    f"{data.lengths[name].p95:,}",
                    f"{data.lengths[name].longest:,}",
                ]
                for name, counts in data.counts.items()
            ],
        )
    ]
    if data.filters:
        tables.append(_filters(data.filters))
    tables.append(
        Table(
            title="Whether the label can be had without reading (0.5 is chance)",
            heads=["DETECTOR", "ACCURACY", "INTERVAL", "PAIRS"],
            rows=[
                [
                    item.detector,
                    "–" if item.accuracy is None else f"{item.accuracy:.2f}",
                    item.reason if item.low is None else f"{item.low:.2f} to {item.high:.2f}",
                    f"{item.n:,}",
                ]
                for item in data.shortcuts
            ],
            align="lrl",
        )
    )
    return tables


def _filters(filters: Mapping[str, Any]) -> Table:
    whole = {fate: filters.get(fate, 0) for fate in FATES}
    rows = [("all pairs", whole), *filters.get("by_group", {}).items()]
    return Table(
        title="What the filters on teachers' verdicts did",
        heads=["", *_FATES],
        rows=[[name, *(f"{counts.get(fate, 0):,}" for fate in FATES)] for name, counts in rows],
    )


def data_text(data: DataManifest, paint: Painter, columns: int) -> str:
    """Return what a data set holds."""
    lines: list[str] = []
    for table in data_tables(data):
        lines += [paint(table.title, "bold"), *table_lines(table, paint, columns), ""]
    removed = [f"{count:,} {why}" for why, count in data.removed.items() if count]
    lines += [f"Left out: {', '.join(removed) or 'nothing'}."]
    if data.cut:
        lines += [f"Cut by section to fit: {data.cut:,}."]
    lines += [f"Tokens by {data.counted_by}; at most {data.max_length:,} in a row."]
    return "\n".join(lines) + "\n"


def data_card(data: DataManifest) -> str:
    """Return the card of a data set, in Markdown."""
    lines = ["# Data for training a judge of pairs", ""]
    lines += [
        f"Made by Assay {data.version} with strategy {data.strategy} and rubric {data.rubric}; seed {data.seed}. ",
        "Each row shows a pair; both orders are in every split, and no question is in two splits.",
        "",
    ]
    for table in data_tables(data):
        lines += [f"## {table.title}", "", *markdown_table(table), ""]
    counted: list[tuple[str, Mapping[str, int]]] = [
        ("Labels of the training split", data.labels),
        ("Labels on dimensions in the training split", data.dimensions),
        ("Languages", data.languages),
        ("Left out, by reason", data.removed),
    ]
    for title, counts in counted:
        if counts:
            rows = [[name, f"{count:,}"] for name, count in counts.items()]
            lines += [f"## {title}", "", *markdown_table(Table(heads=["", "NUMBER"], rows=rows)), ""]
    rows = [
        [name, f"{count:,}", data.licences.get(name, "not stated")] for name, count in data.sources.items()
    ]
    lines += [
        "## Sources",
        "",
        *markdown_table(Table(heads=["SOURCE", "PAIRS", "LICENCE"], rows=rows, align="lrl")),
    ]
    if data.cut:
        lines += ["", f"{data.cut:,} pairs were cut by section to fit."]
    lines += ["", f"Tokens were counted by {data.counted_by}; a row has at most {data.max_length:,}.", ""]
    lines += ["## Files", "", *(f"- `{name}`: blake2b `{value}`" for name, value in data.files.items()), ""]
    return "\n".join(lines)


def cost_text(stage: str, recipe: Recipe, lengths: TokenLengths, cost: TrainingCost) -> str:
    """Return what a stage will take: lengths, memory, time and money."""
    hardware = recipe.hardware
    devices = f"{hardware.devices} device{'s' if hardware.devices > 1 else ''}"
    money = f", ${cost.usd:,.2f} at ${hardware.usd_per_hour:g} an hour" if hardware.usd_per_hour else ""
    lines = [
        f"{stage} of {recipe.model} on {devices}, {recipe.precision}, {'adapters' if recipe.lora else 'all weights'}",
        f"rows    {lengths.n:,}; tokens {lengths.median:,} in the median, {lengths.p95:,} at 95 %, {lengths.longest:,} at most",
        (
            f"memory  {cost.total_gb:,.1f} of {cost.device_gb:,.1f} GB on a device: weights {cost.weights_gb:,.1f}, "
            f"optimiser {cost.optimiser_gb:,.1f}, activations {cost.activations_gb:,.1f}, generation {cost.generation_gb:,.1f}"
        ),
        f"time    {cost.steps:,} steps, about {_duration(cost.hours)}{money}",
    ]
    return "\n".join(lines) + "\n"


def run_text(run: TrainingRun, folder: str) -> str:
    """Return what a run of training measured, and what comes next."""
    lines = [f"{run.steps:,} steps in {_duration(run.seconds / 3600)}"]
    for name, value in {**_last(run), **{f"best {key}": value for key, value in run.best.items()}}.items():
        lines.append(f"{name:<32}{value:.4g}")
    if run.tokens_per_second is not None:
        lines.append(f"{'tokens a second':<32}{run.tokens_per_second:,.0f}")
    if run.peak_gb is not None:
        lines.append(f"{'memory, GB':<32}{run.peak_gb:.1f} (expected {run.cost.total_gb:.1f})")
    after = (
        "assay train grpo DATA --recipe … --model" if run.stage == "sft" else "assay train eval DATA --model"
    )
    lines += [f"model in {folder}/model, curves in {folder}/curves.svg", f"next: {after} {folder}"]
    return "\n".join(lines) + "\n"


def model_card(run: TrainingRun) -> str:
    """Return the card of a trained model, in Markdown."""
    settings = run.recipe.stage(run.stage)
    rows = [[name, str(value)] for name, value in msgspec.to_builtins(settings).items()]
    measured = {**_last(run), **{f"best {key}": value for key, value in run.best.items()}}
    lines = [
        "---",
        f"base_model: {json.dumps(run.base)}",
        "library_name: transformers",
        "tags: [assay, judge, reward]",
        "---",
        "",
        "# A judge of pairs of reports",
        "",
        f"{run.base}, trained by Assay {run.version} ({run.stage}) on {run.rows.get('train', 0):,} rows of {run.data}.",
        "It replies in the form of LogicJudge (ReportLogic, appendix A.1): `assay judge` and `assay compare` read it with",
        "the strategy `logicjudge`.",
        "",
        "## Training",
        "",
        *markdown_table(Table(heads=["SETTING", "VALUE"], rows=rows, align="ll")),
        "",
        (
            f"Adapters: {'none, all weights' if run.recipe.lora is None else f'rank {run.recipe.lora.rank}, merged'}; "
            f"precision {run.recipe.precision}; seed {run.recipe.seed}; {run.steps:,} steps."
        ),
        f"Libraries: {', '.join(f'{name} {version}' for name, version in run.libraries.items())}.",
        "",
        "## Measures of training",
        "",
        *markdown_table(
            Table(heads=["MEASURE", "VALUE"], rows=[[n, f"{v:.4g}"] for n, v in measured.items()])
        ),
        "",
        "These say that it learned, not that it judges well: `assay train eval` measures that on questions it has not seen.",
        "",
        "## Limits",
        "",
        "It judges what its data shows: their language, length, kind of report and kinds of failure. Its verdicts on other",
        "material are untested. Read the data card of its data set for sources and licences.",
        "",
        "## Data",
        "",
        *(f"- `{name}`: blake2b `{value}`" for name, value in run.data_files.items()),
        "",
    ]
    return "\n".join(lines)


def _last(run: TrainingRun) -> dict[str, float]:
    """Return the last value of each measure that people look at."""
    found: dict[str, float] = {}
    for row in run.log:
        for name in _MEASURES:
            if name in row:
                found[name] = float(row[name])
    return found


def _duration(hours: float) -> str:
    if hours < 1 / 60:
        return f"{hours * 3600:.0f} s"
    return f"{hours * 60:.0f} min" if hours < 2 else f"{hours:,.1f} h"
