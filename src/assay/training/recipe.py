"""Recipes: all settings of a way of training, in one commented YAML file.

The package has some, by name; a user's own is a file. A recipe has a section for each stage, so that SFT and GRPO of
one judge stand side by side.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

import msgspec

from assay.decoding import FieldError, decode
from assay.errors import InputError
from assay.located import parse_data, read_data_file
from assay.suggest import did_you_mean
from assay.training.reward import RewardSettings

Stage = Literal["sft", "grpo", "dpo"]
_SUFFIX: Final = ".yaml"


class LoraSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Low-rank adapters.

    Attributes:
        rank: Rank.
        alpha: Scale; the adapters count alpha / rank.
        dropout: Dropout before the adapters.
        modules: Names of the layers that get one, or ``all-linear``.
    """

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.0
    modules: str | tuple[str, ...] = "all-linear"


class Hardware(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the arithmetic assumes.

    Attributes:
        devices: Number of devices.
        memory_gb: Memory of each, in GB (10^9 bytes).
        tflops: Peak of each in the recipe's precision, in TFLOP/s.
        bandwidth_gb: Memory bandwidth of each, in GB/s, by which generation is bound.
        utilisation: Share of the peak that training reaches.
        usd_per_hour: Price of each device for an hour.
    """

    devices: int = 1
    memory_gb: float = 80.0
    tflops: float = 400.0
    bandwidth_gb: float = 2000.0
    utilisation: float = 0.35
    usd_per_hour: float = 0.0


class ModelShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The numbers of a model that memory and time depend on.

    Attributes:
        parameters: All parameters.
        active: Parameters that a token passes; of a mixture of experts, fewer than all.
        layers: Layers.
        hidden: Width.
        kv_width: Width of the keys of a layer: heads for keys times their size.
        vocabulary: Entries of the vocabulary.
        context: Longest input in tokens; 0 if it is not known.
    """

    parameters: float
    active: float = 0.0
    layers: int
    hidden: int
    kv_width: int
    vocabulary: int
    context: int = 0


class StageSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all stages have.

    Attributes:
        epochs: Passes over the data.
        batch: Rows in a step, over all devices and accumulations; for GRPO, replies.
        per_device: Rows on a device at a time.
        learning_rate: Learning rate at its peak.
        warmup: Share of the steps in which it rises.
        schedule: How it falls, by transformers' name.
        evaluations: How often the validation split is measured; 0 never.
        patience: Evaluations without an improvement after which training stops; 0 never stops early.
    """

    epochs: float = 1.0
    batch: int = 32
    per_device: int = 1
    learning_rate: float = 1e-5
    warmup: float = 0.05
    schedule: str = "cosine"
    evaluations: int = 10
    patience: int = 3

    def __post_init__(self) -> None:
        if self.per_device < 1:
            raise FieldError("per_device", f"is {self.per_device}", "at least one row is on a device")
        if self.batch < 1:
            raise FieldError("batch", f"is {self.batch}", "a step takes at least one row")


class SftSettings(StageSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Supervised fine-tuning: the loss is on the reply only."""


class DpoSettings(StageSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Direct preference optimisation.

    Attributes:
        beta: How strongly the model is held to where it began.
    """

    beta: float = 0.1


class GrpoSettings(StageSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Group relative policy optimisation.

    Attributes:
        replies: Replies to a prompt, which are compared with each other.
        max_new_tokens: Longest reply.
        temperature: Sampling temperature.
        kl: Weight of the divergence from the model it began with.
        vllm: Whether vLLM generates, beside the trainer on the same devices.
        vllm_memory: Share of a device's memory that vLLM takes, above 0 and below 1.
        vllm_devices: Devices over which vLLM spreads its copy of the weights.
        reward: What a reply is worth.
    """

    replies: int = 8
    max_new_tokens: int = 4096
    temperature: float = 1.0
    kl: float = 0.001
    vllm: bool = False
    vllm_memory: float = 0.3
    vllm_devices: int = 1
    reward: RewardSettings = RewardSettings()

    def __post_init__(self) -> None:
        StageSettings.__post_init__(self)
        if self.replies < 2:
            raise FieldError("replies", f"is {self.replies}", "a group has at least two replies to compare")
        if self.batch % self.replies:
            raise FieldError("batch", f"is {self.batch}, not a multiple of replies ({self.replies})")
        if not 0 < self.vllm_memory < 1:
            raise FieldError("vllm_memory", f"is {self.vllm_memory}", "a share above 0 and below 1")
        if self.vllm_devices < 1:
            raise FieldError("vllm_devices", f"is {self.vllm_devices}", "at least one device")


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way of training.

    Attributes:
        about: What it is for, in a sentence.
        model: The model to begin with: a name on the Hub, a folder, or a GGUF file.
        precision: Numbers of weights and activations; ``float32`` on a CPU.
        max_length: Longest prompt and reply together, in tokens.
        lora: Adapters; null trains all weights.
        checkpointing: Whether activations are computed again to save memory.
        sharding: How weights and optimiser are spread over several devices.
        hardware: What the arithmetic assumes.
        shape: Numbers of the model, so that the arithmetic needs no download; null reads them from the model.
        sft: Supervised fine-tuning.
        grpo: Reinforcement.
        dpo: Preference training.
        seed: Seed of order, adapters and sampling.
    """

    about: str = ""
    model: str
    precision: Literal["bfloat16", "float32"] = "bfloat16"
    max_length: int = 8192
    lora: LoraSettings | None = None
    checkpointing: bool = True
    sharding: Literal["none", "zero2", "zero3", "fsdp"] = "none"
    hardware: Hardware = Hardware()
    shape: ModelShape | None = None
    sft: SftSettings = SftSettings()
    grpo: GrpoSettings = GrpoSettings()
    dpo: DpoSettings = DpoSettings()
    seed: int = 0

    def stage(self, name: Stage) -> StageSettings:
        """Return the settings of a stage."""
        return {"sft": self.sft, "grpo": self.grpo, "dpo": self.dpo}[name]


def recipe_names() -> list[str]:
    """Return the names of the package's recipes."""
    folder = files("assay.training") / "recipes"
    return sorted(item.name.removesuffix(_SUFFIX) for item in folder.iterdir() if item.name.endswith(_SUFFIX))


def recipe_text(name: str) -> str:
    """Return the text of one of the package's recipes.

    Raises:
        InputError: There is none of this name.
    """
    names = recipe_names()
    if name not in names:
        raise InputError(f"no recipe is called {name!r}; {did_you_mean(name, names)}")
    return (files("assay.training") / "recipes" / f"{name}{_SUFFIX}").read_text("utf-8")


def load_recipe(name_or_path: str) -> Recipe:
    """Return a recipe by name, or from a file.

    Raises:
        InputError: There is none, or the file does not fit the format; the message names the line.
    """
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml", ".json"):
        return decode(read_data_file(path), Recipe)
    return decode(parse_data(recipe_text(name_or_path), f"{name_or_path}{_SUFFIX}"), Recipe)
