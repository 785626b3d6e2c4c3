"""What is checked before the first step: rows, lengths, context, memory; each refusal says the numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import InputError, UsageError
from assay.rows import text_lines
from assay.training.data_set import COLUMNS, TokenLengths
from assay.training.examples import SWAPPED
from assay.training.memory import TrainingCost, training_cost
from assay.training.recipe import GrpoSettings, ModelShape, Recipe, Stage

_NEEDED: Final[dict[Stage, tuple[str, ...]]] = {
    "sft": ("messages",),
    "grpo": ("prompt", "label", "dimensions"),
    "dpo": ("prompt", "chosen", "rejected"),
}
_OPTIONAL: Final = ("validation", "test")


class PreparedData(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that have been checked, with their lengths.

    Attributes:
        train: Rows of the training split.
        validation: Rows of the validation split.
        lengths: Tokens of the training rows: prompt and reply, or prompt and the longest reply that may be generated.
    """

    train: list[dict[str, Any]]
    validation: list[dict[str, Any]]
    lengths: TokenLengths


def read_rows_of(folder: str | Path, stage: Stage, split: str) -> list[dict[str, Any]]:
    """Return the rows of a split; none for a validation split that is not there.

    Raises:
        InputError: The file is missing or empty, or a row lacks a column or holds what cannot be trained on.
    """
    path = Path(folder) / stage / f"{split}.jsonl"
    if not path.is_file():
        if split in _OPTIONAL and path.parent.is_dir():
            return []
        raise InputError(
            f"has no {stage}/{split}.jsonl", where=str(folder), hint="assay train distil writes it"
        )
    rows = [_row(place, line, stage) for place, line in text_lines(path)]
    if not rows and split == "train":
        raise InputError("holds no rows", where=str(path))
    return rows


def _row(place: str, line: str | bytes, stage: Stage) -> dict[str, Any]:
    try:
        row = msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise InputError(f"not a row: {error}", where=place) from error
    if missing := [name for name in _NEEDED[stage] if name not in row]:
        raise InputError(
            f"a row for {stage} lacks {', '.join(missing)}",
            where=place,
            hint=f"its columns are {', '.join(COLUMNS[stage])}",
        )
    if stage == "grpo" and row["label"] not in SWAPPED:
        raise InputError(f"label is {row['label']!r}, not one of {', '.join(SWAPPED)}", where=place)
    if stage == "sft":
        messages = row["messages"]
        if not isinstance(messages, list) or not messages or messages[-1].get("role") != "assistant":
            raise InputError("messages do not end with the reply of the assistant", where=place)
    return row


def prepared(
    folder: str | Path, stage: Stage, recipe: Recipe, count: Callable[[Sequence[dict[str, str]]], int]
) -> PreparedData:
    """Return the rows of a stage, all of which fit.

    Args:
        folder: The data set.
        stage: The stage.
        recipe: The recipe.
        count: Counts the tokens of messages, with what the chat template adds.

    Raises:
        InputError: A row cannot be trained on, or is too long; the message says how many are, and how long.
    """
    train, validation = (read_rows_of(folder, stage, split) for split in ("train", "validation"))
    settings = recipe.stage(stage)
    more = settings.max_new_tokens if isinstance(settings, GrpoSettings) else 0
    lengths = [max(count(messages) for messages in _texts(row, stage)) + more for row in train]
    measured = [max(count(messages) for messages in _texts(row, stage)) + more for row in validation]
    over = [size for size in [*lengths, *measured] if size > recipe.max_length]
    if over:
        new = f", {more:,} of them for the reply" if more else ""
        raise InputError(
            f"{len(over):,} of {len(train) + len(validation):,} rows need more than max_length {recipe.max_length:,} tokens, the longest "
            f"{max(over):,}{new}",
            where=str(folder),
            hint=f"raise max_length in the recipe, or leave out rows of more than {max(1, recipe.max_length - more)}",
            cli_hint=f"raise max_length in the recipe, or leave them out by assay train distil --max-length "
            f"{max(1, recipe.max_length - more)} --tokenizer MODEL",
        )
    if stage == "dpo":
        _check_pairs(folder, train)
    return PreparedData(train=train, validation=validation, lengths=TokenLengths.of(lengths))


def checked_cost(
    recipe: Recipe,
    stage: Stage,
    shape: ModelShape,
    data: PreparedData,
    *,
    device_gb: float,
    max_steps: int = 0,
) -> TrainingCost:
    """Return what training takes.

    Raises:
        UsageError: The model's context is too small, or the device; the message says the numbers.
    """
    if shape.context and data.lengths.longest > shape.context:
        raise UsageError(
            f"the longest row needs {data.lengths.longest:,} tokens, and the context of {recipe.model} has {shape.context:,}"
        )
    cost = training_cost(
        recipe,
        stage,
        shape,
        rows=len(data.train),
        median=data.lengths.median,
        longest=data.lengths.longest,
        device_gb=device_gb,
        max_steps=max_steps,
    )
    if cost.generation_needs_gb > cost.generation_gb:
        raise UsageError(
            f"vLLM gets {cost.generation_gb:,.1f} GB of a device and needs about {cost.generation_needs_gb:,.1f}, for the "
            "weights and one row: raise vllm_memory or vllm_devices in the recipe"
        )
    if not cost.fits:
        raise UsageError(
            f"{stage} needs about {cost.total_gb:,.1f} GB on a device, and it has {device_gb:,.1f} GB: weights "
            f"{cost.weights_gb:,.1f}, optimiser {cost.optimiser_gb:,.1f}, activations {cost.activations_gb:,.1f}, "
            f"generation {cost.generation_gb:,.1f}; take a smaller model, shorter rows, a smaller per_device, lora or sharding"
        )
    return cost


def _texts(row: dict[str, Any], stage: Stage) -> list[list[dict[str, str]]]:
    if stage == "sft":
        return [row["messages"]]
    if stage == "dpo":
        return [[*row["prompt"], *row[side]] for side in ("chosen", "rejected")]
    return [row["prompt"]]


def _check_pairs(folder: str | Path, rows: Sequence[dict[str, Any]]) -> None:
    same = sum(row["chosen"] == row["rejected"] for row in rows)
    if same:
        raise InputError(f"chosen and rejected are the same in {same:,} rows", where=str(folder))
