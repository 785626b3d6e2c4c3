"""The arithmetic of training before it begins: memory of a device, time and money.

Bytes of a parameter in training: all weights with Adam take 16 (weight and gradient in 32 bits, two moments), and two
more for the copy that computes in bfloat16; with adapters the frozen weights take those of the precision alone and
the adapters 16 each. Activations with checkpointing are the input of each layer and the inside of one; without,
the inside of all. An inside is taken as 34 bytes for each token and unit of width in 16 bits (Korthikanti et al.
2022, equation 2, without the attention matrix, which kernels no longer keep). FLOPs are 6 for each active parameter and
token, 4 with adapters, and 2 more with checkpointing. These are estimates: measured peaks lie within a third of them.
"""

from __future__ import annotations

from typing import Final

import msgspec

from assay.training.recipe import GrpoSettings, ModelShape, Recipe, Stage

_ADAM: Final = 16.0
_INSIDE: Final = 34.0
# Tokens whose logits are in memory at once: TRL computes the loss in pieces of this size.
_LOGITS: Final = 1024
# Of the device's memory: the libraries' own, and what lies fragmented.
_OVERHEAD_GB: Final = 1.2
_GB: Final = 1e9
# Share of a device's bandwidth that generation reaches: by transformers, and by vLLM.
_READS: Final = {False: 0.15, True: 0.6}


class TrainingCost(msgspec.Struct, frozen=True, kw_only=True):
    """What training takes.

    Attributes:
        weights_gb: Weights on a device, in GB.
        optimiser_gb: Gradients and optimiser on a device.
        activations_gb: Activations of the rows on a device at a time.
        generation_gb: What generation takes; only GRPO. Transformers keeps the keys and values of the replies at a time; vLLM
            takes a fixed share of the device for its own copy of the weights, keys and values.
        generation_needs_gb: The least that generation needs: with vLLM its weights, and one row of the longest.
        total_gb: All of it, with what the libraries take.
        device_gb: Memory of a device.
        steps: Steps.
        tokens: Tokens read in training, over all epochs.
        hours: Time for all steps.
        usd: Cost of all devices for that time.
    """

    weights_gb: float
    optimiser_gb: float
    activations_gb: float
    generation_gb: float
    generation_needs_gb: float
    total_gb: float
    device_gb: float
    steps: int
    tokens: float
    hours: float
    usd: float

    @property
    def fits(self) -> bool:
        """Whether it fits into a device."""
        return self.total_gb <= self.device_gb and self.generation_needs_gb <= self.generation_gb


def training_cost(
    recipe: Recipe,
    stage: Stage,
    shape: ModelShape,
    *,
    rows: int,
    median: int,
    longest: int,
    device_gb: float | None = None,
    max_steps: int = 0,
) -> TrainingCost:
    """Return what a stage takes.

    Args:
        recipe: The recipe.
        stage: The stage.
        shape: Numbers of the model.
        rows: Rows of the training split.
        median: Median tokens of a row, by which time is estimated.
        longest: Tokens of the longest row, by which memory is.
        device_gb: Memory of a device; by default the recipe's.
        max_steps: Steps after which training ends; 0 for the recipe's epochs.
    """
    settings = recipe.stage(stage)
    hardware = recipe.hardware
    wide = 2.0 if recipe.precision == "bfloat16" else 4.0
    shards = hardware.devices if recipe.sharding in ("zero3", "fsdp") else 1
    optimiser_shards = hardware.devices if recipe.sharding != "none" else 1
    adapters = _adapters(recipe, shape)
    active = shape.active or shape.parameters
    copies = 2.0 if stage in ("grpo", "dpo") and recipe.lora is None else 1.0
    weights = shape.parameters * wide * copies / shards
    trained = shape.parameters if recipe.lora is None else adapters
    optimiser = trained * (_ADAM - (wide if wide == 4.0 else 0.0)) / optimiser_shards
    rows_at_once = settings.per_device * (2 if stage == "dpo" else 1)
    tokens_at_once = rows_at_once * longest
    inside = _INSIDE * wide / 2 * shape.hidden * tokens_at_once
    activations = (
        inside + shape.layers * shape.hidden * wide * tokens_at_once
        if recipe.checkpointing
        else inside * shape.layers
    )
    activations += min(tokens_at_once, _LOGITS) * shape.vocabulary * 8.0
    device = (hardware.memory_gb if device_gb is None else device_gb) * _GB
    generation = needs = 0.0
    replies = 1
    per_row = float(median)
    if isinstance(settings, GrpoSettings):
        replies = settings.replies
        generation, needs = _generation(settings, shape, wide, longest, device)
    steps = max(1, round(rows * replies * settings.epochs / settings.batch))
    steps = min(steps, max_steps) if max_steps else steps
    tokens = steps * settings.batch * per_row
    flops = active * (6.0 if recipe.lora is None else 4.0) + (2.0 * active if recipe.checkpointing else 0.0)
    seconds = tokens * flops * (2 if stage == "dpo" else 1)
    seconds /= hardware.devices * hardware.tflops * 1e12 * hardware.utilisation
    if isinstance(settings, GrpoSettings):
        # Each new token of all replies at once reads the active weights.
        passes = (
            steps * settings.batch / (settings.per_device * hardware.devices) * settings.max_new_tokens / 2
        )
        parallel = 8.0 if settings.vllm else 1.0
        seconds += passes / parallel * active * wide / (hardware.bandwidth_gb * _GB * _READS[settings.vllm])
    total = (weights + optimiser + activations + generation) / _GB + _OVERHEAD_GB
    return TrainingCost(
        weights_gb=weights / _GB,
        optimiser_gb=optimiser / _GB,
        activations_gb=activations / _GB,
        generation_gb=generation / _GB,
        generation_needs_gb=needs / _GB,
        total_gb=total,
        device_gb=device / _GB,
        steps=steps,
        tokens=tokens,
        hours=seconds / 3600,
        usd=seconds / 3600 * hardware.devices * hardware.usd_per_hour,
    )


def _generation(
    settings: GrpoSettings, shape: ModelShape, wide: float, longest: int, device: float
) -> tuple[float, float]:
    """Return the bytes that generation takes of a device, and the least that it needs."""
    cached = 2.0 * shape.layers * shape.kv_width * wide * longest
    if settings.vllm:
        return settings.vllm_memory * device, (shape.parameters * wide + cached) / settings.vllm_devices
    return cached * settings.per_device, cached * settings.per_device


def _adapters(recipe: Recipe, shape: ModelShape) -> float:
    """Return the parameters of the adapters: two thin matrices for each of about seven layers of a block."""
    if recipe.lora is None:
        return 0.0
    per_block = 2 * recipe.lora.rank * shape.hidden * 7 * 1.6
    return per_block * shape.layers
