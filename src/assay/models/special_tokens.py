"""Special tokens of chat templates in the texts of a prompt: made harmless in what is sent, kept in what is recorded.

A server that turns a text into tokens may read ``<|im_end|>`` in a report as the end of the message, and what follows
as a message of its own. An invisible character inside the mark keeps it a text; people, and quotes, do not see it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# ChatML, Llama 3, Qwen, Phi, GPT-OSS; DeepSeek's wide bars; Llama 2 and Mistral; Gemma; sentence marks.
_MARKS: Final = re.compile(
    r"<(?=\|[a-zA-Z_][\w ]{0,40}\|>)"
    r"|<(?=｜[^｜\n]{1,40}｜>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK)\]|gMASK\])"
    r"|<(?=<?/?SYS>>)"
    r"|<(?=/?(?:start_of_turn|end_of_turn|bos|eos|pad|unk|s|tool_call|tool_response)>)"
)
# What all marks have, to pass over texts without any.
_HINTS: Final = (
    "<|", "<｜", "INST]", "SYSTEM_PROMPT]", "TOOL_", "AVAILABLE_TOOLS]", "SYS>>", "_turn>", "<s>", "</s>",
    "<bos>", "<eos>", "<pad>", "<unk>", "<tool_", "</tool_", "THINK]", "gMASK]",
)  # fmt: skip
# WORD JOINER: no width, no line break, and not stripped by tokenizers that normalise spaces.
JOINER: Final = "\u2060"


def neutralised(text: str) -> str:
    """Return a text in which no special token of a chat template is whole."""
    if not any(hint in text for hint in _HINTS):
        return text
    return _MARKS.sub(lambda found: found.group() + JOINER, text)


# The shared beginning of many requests is one string object, whose hash is known.
neutralised_lead = lru_cache(maxsize=64)(neutralised)
