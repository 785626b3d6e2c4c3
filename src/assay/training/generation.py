"""Replies of a model on this machine, by transformers: for evaluation, and behind the endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from assay.errors import UsageError
from assay.training.libraries import library
from assay.training.models import model_and_tokenizer


class GeneratedReply(msgspec.Struct, frozen=True):
    """A reply: its text, the tokens of the prompt and of the reply, and whether it was cut off."""

    text: str
    prompt_tokens: int
    tokens: int
    cut_off: bool


class LocalGenerator:
    """A model that is loaded once and asked many times, greedily unless a temperature is given.

    Args:
        model: A folder, a GGUF file, or a name on the Hub.
        precision: ``bfloat16`` or ``float32``.
    """

    def __init__(self, model: str, *, precision: str = "float32") -> None:
        self.model, self.tokenizer = model_and_tokenizer(model, precision=precision)
        self.model.eval()
        self.tokenizer.padding_side = "left"
        self.context = int(getattr(self.model.config, "max_position_embeddings", 0) or 0)

    def replies(
        self,
        prompts: Sequence[Sequence[dict[str, str]]],
        *,
        max_new_tokens: int,
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int | None = None,
    ) -> list[GeneratedReply]:
        """Return a reply to each list of messages, all in one batch.

        Raises:
            UsageError: A prompt and its reply exceed the model's context.
        """
        torch, transformers = library("torch"), library("transformers")
        texts = [
            self.tokenizer.apply_chat_template(list(prompt), tokenize=False, add_generation_prompt=True)
            for prompt in prompts
        ]
        inputs = self.tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
        width = int(inputs["input_ids"].shape[1])
        if self.context and width + max_new_tokens > self.context:
            raise UsageError(
                f"the prompt has {width:,} tokens, and with {max_new_tokens:,} for the reply it exceeds the context of "
                f"{self.context:,}"
            )
        sampling: dict[str, Any] = {"do_sample": False}
        if temperature > 0:
            sampling = {"do_sample": True, "temperature": temperature, "top_p": top_p}
            transformers.set_seed(0 if seed is None else seed)
        with torch.inference_mode():
            output = self.model.generate(
                **inputs.to(self.model.device),
                max_new_tokens=max_new_tokens,
                pad_token_id=self.tokenizer.pad_token_id,
                **sampling,
            )
        made = []
        for prompt, row in zip(inputs["attention_mask"], output[:, width:].tolist(), strict=True):
            ends = [at for at, token in enumerate(row) if token in self._ends]
            tokens = row[: ends[0]] if ends else row
            text = self.tokenizer.decode(tokens, skip_special_tokens=True)
            made.append(GeneratedReply(text, int(prompt.sum()), len(tokens), not ends))
        return made

    @property
    def _ends(self) -> set[int]:
        given = self.model.generation_config.eos_token_id
        known = given if isinstance(given, list) else [given]
        return {int(item) for item in (*known, self.tokenizer.eos_token_id) if item is not None}
