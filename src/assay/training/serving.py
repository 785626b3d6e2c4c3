"""A small OpenAI-compatible endpoint for one model, by transformers on this machine: one reply at a time.

For many calls at a time vLLM or llama.cpp serve the same folder; `commands_for` says how.
"""

from __future__ import annotations

import asyncio
import shlex
import time
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.training.generation import LocalGenerator

# Tokens of a reply whose request names no limit.
_USUAL: Final = 2048
_LARGEST: Final = 64 << 20


def application(generator: LocalGenerator, name: str) -> web.Application:
    """Return the application: ``/v1/models`` and ``/v1/chat/completions``.

    Args:
        generator: The model.
        name: Its name in requests and replies.
    """
    turn = asyncio.Lock()

    async def models(_: web.Request) -> web.Response:
        row = {
            "id": name,
            "object": "model",
            "owned_by": "assay",
            "context_length": generator.context or None,
        }
        return web.json_response({"object": "list", "data": [row]})

    async def chat(request: web.Request) -> web.Response:
        try:
            body = await request.json()
            asked = _asked(body)
        except (ValueError, TypeError, KeyError, UsageError) as error:
            return _refusal(f"not a request: {error}")
        asked["max_new_tokens"] = asked["max_new_tokens"] or _USUAL
        try:
            async with turn:
                (reply,) = await asyncio.to_thread(generator.replies, [body["messages"]], **asked)
        except UsageError as error:
            return _refusal(str(error), code="context_length_exceeded")
        message = {"role": "assistant", "content": reply.text}
        finish = "length" if reply.cut_off else "stop"
        usage = {
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.tokens,
            "total_tokens": reply.prompt_tokens + reply.tokens,
        }
        return web.json_response(
            {
                "id": f"chatcmpl-{time.time_ns():x}",
                "object": "chat.completion",
                "created": int(time.time()),
                "model": name,
                "choices": [{"index": 0, "message": message, "finish_reason": finish}],
                "usage": usage,
            }
        )

    app = web.Application(client_max_size=_LARGEST)
    app.router.add_get("/v1/models", models)
    app.router.add_post("/v1/chat/completions", chat)
    return app


def commands_for(folder: str, name: str) -> dict[str, str]:
    """Return the commands by which other servers serve the same model."""
    at, called = shlex.quote(folder), shlex.quote(name)
    cli_commands = {
        "vLLM": f"vllm serve {at} --served-model-name {called} --port 8000",
        "llama.cpp": f"python convert_hf_to_gguf.py {at} --outfile {called}.gguf && llama-server -m {called}.gguf",
    }
    return cli_commands  # noqa: RET504 - the name says that these are for a shell


def _asked(body: Any) -> dict[str, Any]:
    """Return how a request wants its reply.

    Raises:
        UsageError: It asks for what this endpoint does not do.
    """
    messages = body["messages"]
    if not isinstance(messages, list) or not messages:
        raise UsageError("messages is an empty list, or not one")
    for item in messages:
        if not isinstance(item.get("content"), str) or item.get("role") not in (
            "system",
            "user",
            "assistant",
        ):
            raise UsageError("a message has a role and a text as its content")
    if body.get("stream"):
        raise UsageError("replies are not streamed here")
    return {
        "max_new_tokens": int(body.get("max_completion_tokens") or body.get("max_tokens") or 0),
        "temperature": float(body.get("temperature") or 0.0),
        "top_p": float(body.get("top_p") or 1.0),
        "seed": None if body.get("seed") is None else int(body["seed"]),
    }


def _refusal(message: str, *, code: str = "invalid_request") -> web.Response:
    return web.json_response(
        {"error": {"message": message, "type": "invalid_request_error", "code": code}}, status=400
    )
