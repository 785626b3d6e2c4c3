"""Models for training and use: loaded from the Hub, a folder or a GGUF file, and saved as safetensors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.training.libraries import first_line, library, load_tokenizer, model_files
from assay.training.recipe import ModelShape

if TYPE_CHECKING:
    from assay.training.recipe import Recipe


def load_model(model: str, *, precision: str = "float32", sharded: bool = False) -> Any:
    """Return a causal language model.

    Args:
        model: A name on the Hub, a folder, or a GGUF file.
        precision: ``bfloat16`` or ``float32``.
        sharded: Whether several devices will hold a part of it each; it is then not put on one.

    Raises:
        InputError: It cannot be loaded.
    """
    torch, transformers = library("torch"), library("transformers")
    kind = getattr(torch, precision)
    try:
        loaded = transformers.AutoModelForCausalLM.from_pretrained(**model_files(model), dtype=kind)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be loaded: {first_line(error)}", where=model) from error
    if model.endswith(".gguf"):
        # What came from a GGUF file cannot be saved; a model of the same form can.
        if hasattr(loaded.config, "quantization_config"):
            # The weights are plain now, and can be trained.
            del loaded.config.quantization_config
        plain = transformers.AutoModelForCausalLM.from_config(loaded.config, dtype=kind)
        plain.load_state_dict(loaded.state_dict())
        plain.generation_config = loaded.generation_config
        loaded = plain
    return loaded if sharded or not torch.cuda.is_available() else loaded.to("cuda")


def unpacked(model: str, folder: Path) -> str:
    """Return where a model can be loaded from quickly: itself, or what a GGUF file was converted to, once.

    Args:
        model: A name on the Hub, a folder, or a GGUF file.
        folder: Where the weights of a GGUF file are kept as safetensors.

    Raises:
        InputError: It cannot be loaded.
    """
    if not model.endswith(".gguf"):
        return model
    if not folder.is_dir():
        unfinished = folder.with_name(f"{folder.name}.unfinished")
        save_model(load_model(model), load_tokenizer(model), unfinished)
        unfinished.rename(folder)
    return str(folder)


def save_model(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write a model with its tokenizer as safetensors; adapters are merged into the weights."""
    merged = model.merge_and_unload() if hasattr(model, "merge_and_unload") else model
    merged.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def shape_of(recipe: Recipe) -> ModelShape:
    """Return the numbers of a recipe's model: its own, or those of the model's configuration.

    Raises:
        InputError: The configuration cannot be read.
    """
    if recipe.shape is not None:
        return recipe.shape
    torch, transformers = library("torch"), library("transformers")
    try:
        config = transformers.AutoConfig.from_pretrained(**model_files(recipe.model))
    except (OSError, ValueError) as error:
        raise InputError(
            f"its configuration cannot be read: {first_line(error)}", where=recipe.model
        ) from error
    with torch.device("meta"):
        empty = transformers.AutoModelForCausalLM.from_config(config)
    heads = int(config.num_attention_heads)
    size = int(getattr(config, "head_dim", None) or config.hidden_size // heads)
    return ModelShape(
        parameters=float(sum(item.numel() for item in empty.parameters())),
        layers=int(config.num_hidden_layers),
        hidden=int(config.hidden_size),
        kv_width=size * int(getattr(config, "num_key_value_heads", None) or heads),
        vocabulary=int(config.vocab_size),
        context=int(getattr(config, "max_position_embeddings", 0) or 0),
    )


def device_memory_gb() -> float:
    """Return the memory of the device that training would use: the smallest GPU's, or what is free for a CPU, in GB."""
    torch = library("torch")
    if torch.cuda.is_available():
        sizes = [torch.cuda.get_device_properties(at).total_memory for at in range(torch.cuda.device_count())]
        return float(min(sizes)) / 1e9
    return _free_memory() / 1e9


def _free_memory() -> float:
    """Return the bytes of memory that are free, where Linux says so; else no bound."""
    try:
        lines: Mapping[str, str] = dict(
            line.split(":", 1) for line in Path("/proc/meminfo").read_text("ascii").splitlines()
        )
        return float(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return float("inf")


def model_and_tokenizer(model: str, *, precision: str = "float32", sharded: bool = False) -> tuple[Any, Any]:
    """Return a model and its tokenizer.

    Raises:
        InputError: One of them cannot be loaded.
    """
    tokenizer = load_tokenizer(model)
    return load_model(model, precision=precision, sharded=sharded), tokenizer
