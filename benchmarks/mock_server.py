"""A chat-completions server that thinks for a fixed time and answers with a value that fits the schema asked for.

    python benchmarks/mock_server.py --latency 0.5 --port 0

prints ``{"base_url": "http://127.0.0.1:PORT/v1"}`` once it listens, and serves until it is ended. It is a process of its own so that
what a client costs can be measured apart from it. ``GET /stats`` counts what came.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import zlib

import msgspec
from aiohttp import web

from assay.models.schema_sample import sample_value


class _Message(msgspec.Struct):
    content: str


class _Body(msgspec.Struct):
    messages: list[_Message]
    model: str = "mock"
    response_format: dict | None = None


_BODY = msgspec.json.Decoder(_Body)
_ENCODER = msgspec.json.Encoder()


class Mock:
    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.requests = 0
        self.busy = 0
        self.most = 0
        # Answers to the same schema are drawn from a few prepared ones: the server should not be what is measured.
        self.prepared: dict[int, list[str]] = {}

    async def chat(self, request: web.Request) -> web.Response:
        data = await request.read()
        self.requests += 1
        self.busy += 1
        self.most = max(self.most, self.busy)
        try:
            if self.latency:
                await asyncio.sleep(self.latency)
            return web.Response(body=self.answer(data), content_type="application/json")
        finally:
            self.busy -= 1

    def answer(self, data: bytes) -> bytes:
        body = _BODY.decode(data)
        text = body.messages[-1].content
        seed = zlib.crc32(text.encode("utf-8", "replace"))
        schema = ((body.response_format or {}).get("json_schema") or {}).get("schema")
        content = self._content(schema, seed) if schema else "The claim is stated and supported."
        size = sum(len(message.content) for message in body.messages) // 4
        usage = {
            "prompt_tokens": size,
            "completion_tokens": len(content) // 4,
            "prompt_tokens_details": {"cached_tokens": 0},
        }
        message = {"role": "assistant", "content": content}
        return _ENCODER.encode(
            {
                "id": f"mock-{self.requests}",
                "object": "chat.completion",
                "model": body.model,
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": usage,
            }
        )

    def _content(self, schema: dict, seed: int) -> str:
        key = zlib.crc32(_ENCODER.encode(schema))
        if key not in self.prepared:
            self.prepared[key] = [
                _ENCODER.encode(sample_value(schema, random.Random(key + i))).decode() for i in range(16)
            ]
        return self.prepared[key][seed % 16]

    async def models(self, _request: web.Request) -> web.Response:
        return web.json_response(
            {"object": "list", "data": [{"id": "mock", "object": "model", "max_model_len": 1_000_000}]}
        )

    async def stats(self, _request: web.Request) -> web.Response:
        return web.json_response({"requests": self.requests, "most_at_once": self.most})


async def serve(latency: float, port: int) -> None:
    mock = Mock(latency)
    app = web.Application(client_max_size=64 << 20)
    app.router.add_post("/v1/chat/completions", mock.chat)
    app.router.add_get("/v1/models", mock.models)
    app.router.add_get("/stats", mock.stats)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    print(json.dumps({"base_url": f"http://127.0.0.1:{runner.addresses[0][1]}/v1"}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--latency", type=float, default=0.5, help="seconds per answer (default 0.5)")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.latency, arguments.port))
