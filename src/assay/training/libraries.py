"""torch, transformers, TRL and PEFT, imported when training begins, with an error that says what to install."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.errors import InputError, MissingExtraError


def library(name: str) -> Any:
    """Return a library of the extra ``[train]``.

    Raises:
        MissingExtraError: It is not installed.
    """
    # TRL and transformers report nothing to anybody, and the Hub is asked for models only.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and not name.startswith(error.name):
            raise
        raise MissingExtraError("training a judge", "train") from error


def model_files(model: str) -> dict[str, str]:
    """Return how transformers is told to load a model: by folder or name, and for a GGUF file by its name too."""
    path = Path(model)
    if path.suffix == ".gguf":
        return {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
    return {"pretrained_model_name_or_path": model}


def load_tokenizer(model: str) -> Any:
    """Return the tokenizer of a model, with a padding token.

    Raises:
        InputError: There is no such model, or its tokenizer has no chat template.
    """
    transformers = library("transformers")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(**model_files(model))
    except (OSError, ValueError) as error:
        raise InputError(f"its tokenizer cannot be loaded: {first_line(error)}", where=model) from error
    if tokenizer.chat_template is None:
        raise InputError(
            "its tokenizer has no chat template",
            where=model,
            hint="take the instruction-tuned model of the family",
        )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def token_counter(model: str) -> Callable[[str], int]:
    """Return a function that counts the tokens of a text by the tokenizer of a model.

    Raises:
        InputError: There is no such model.
    """
    tokenizer = load_tokenizer(model)
    return lambda text: len(tokenizer(text, add_special_tokens=False)["input_ids"])


def first_line(error: BaseException) -> str:
    """Return the first line of an error."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
