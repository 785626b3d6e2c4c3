"""A chat-completions server that misbehaves by a script or at random, and always gives the same content the same answer.

    with FaultServer(["429", "ok"]) as server:          # in this order, then always "ok"
        ... server.base_url, server.counts, server.bodies

    with FaultServer(seed=7, share=0.4) as server:      # at random, but the same for the same contents
        ...

The answer to a request depends only on its messages and schema, so that a run through faults can be compared with one
without.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gzip
import itertools
import json
import random
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from aiohttp import web

from assay.models.schema_sample import sample_value

# Random faults are chosen from these; "wrong_schema" and "blank" are replies, which the client must handle.
FAULTS = (
    "429", "429-after", "500", "503", "529", "reset", "stall", "truncated", "bad_json", "no_choices", "error_200", "empty",
    "blank", "html",
)  # fmt: skip

# Answers without end, for all practical purposes.
OVERSIZED = ("huge", "huge_declared", "huge_error", "bomb")

Behaviour = str | tuple[int, Mapping[str, str], Any] | Callable[[dict[str, Any]], Any]


class FaultServer:
    """A server in a thread of its own on a free port.

    Args:
        script: Behaviour by request, in order of arrival; "ok" afterwards. A name, a status with headers and
            body, or a function of the request's body that returns either.
        seed: Seed of random faults, which replace the script.
        share: Share of attempts that meet a random fault.
        most: Maximum faults of a content before it is answered.
        faults: Faults to choose from.
        latency: Seconds per answer.
        stall: Seconds per stalled answer.
        models: Rows of ``/v1/models``.
        props: Contents of ``/props``.
    """

    def __init__(
        self,
        script: Iterable[Behaviour] = (),
        *,
        seed: int | None = None,
        share: float = 0.3,
        most: int = 3,
        faults: Iterable[str] = FAULTS,
        latency: float = 0.0,
        stall: float = 2.0,
        models: list[dict[str, Any]] | None = None,
        props: dict[str, Any] | None = None,
    ) -> None:
        self.script = iter(script)
        self.seed, self.share, self.most, self.faults = seed, share, most, tuple(faults)
        self.latency, self.stall = latency, stall
        self.models, self.props = models, props
        self.counts: Counter[str] = Counter()  # requests by content
        self.answered: Counter[str] = Counter()  # whole answers by content
        self.met: Counter[str] = Counter()  # faults by name
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.gets: list[str] = []
        self.busy = self.most_at_once = 0
        self.sent = 0  # bytes of oversized answers that went out
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._over = asyncio.Event()
        self.base_url = ""

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    @staticmethod
    def content(body: Mapping[str, Any]) -> str:
        """Return what identifies a question: its messages and schema."""
        form = (body.get("response_format") or {}).get("json_schema") or {}
        return json.dumps([body["messages"], form.get("schema")], sort_keys=True)

    @staticmethod
    def reply_text(body: Mapping[str, Any]) -> str:
        """Return the answer to a question."""
        form = (body.get("response_format") or {}).get("json_schema") or {}
        rng = random.Random(zlib.crc32(FaultServer.content(body).encode("utf-8", "surrogatepass")))
        schema = form.get("schema")
        return json.dumps(sample_value(schema, rng)) if schema else f"answer {rng.randrange(10**6)}"

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/props", self._props)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
        self.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        self._ready.set()
        await self._over.wait()
        await runner.cleanup()

    async def _models(self, request: web.Request) -> web.Response:
        self.gets.append(request.path)
        if self.models is None:
            return web.Response(status=404)
        return web.json_response({"object": "list", "data": self.models})

    async def _props(self, request: web.Request) -> web.Response:
        self.gets.append(request.path)
        return web.json_response(self.props) if self.props is not None else web.Response(status=404)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self.busy += 1
        self.most_at_once = max(self.most_at_once, self.busy)
        try:
            return await self._answer(request)
        finally:
            self.busy -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        content = self.content(body)
        self.counts[content] += 1
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        if self.latency:
            await asyncio.sleep(self.latency)
        behaviour = self._behaviour(body, content)
        if isinstance(behaviour, tuple):
            status, headers, data = behaviour
            text = data if isinstance(data, str) else json.dumps(data)
            return web.Response(status=status, headers=headers, text=text, content_type="application/json")
        if behaviour != "ok":
            self.met[behaviour] += 1
            return await self._misbehave(request, behaviour, body)
        self.answered[content] += 1
        return web.json_response(completion(self.reply_text(body), body))

    def _behaviour(self, body: dict[str, Any], content: str) -> Any:
        if self.seed is not None:
            tries = self.counts[content]
            rng = random.Random(f"{self.seed} {tries} {content}")
            return rng.choice(self.faults) if tries <= self.most and rng.random() < self.share else "ok"
        behaviour = next(self.script, "ok")
        return behaviour(body) if callable(behaviour) else behaviour

    async def _oversized(self, request: web.Request, name: str) -> web.StreamResponse:
        """Send far too much, and count in ``sent`` what the client let through."""
        status = 503 if name == "huge_error" else 200
        headers = {"Content-Type": "application/json"}
        if name == "huge_declared":
            headers["Content-Length"] = str(50 << 20)
        if name == "bomb":
            headers["Content-Encoding"] = "gzip"
        response = web.StreamResponse(status=status, headers=headers)
        pieces = [bomb()] if name == "bomb" else itertools.repeat(b" " * 65536, (50 << 20) // 65536)
        with contextlib.suppress(ConnectionError):
            await response.prepare(request)
            for piece in pieces:
                await response.write(piece)
                self.sent += len(piece)
            await response.write_eof()
        return response

    async def _misbehave(self, request: web.Request, name: str, body: dict[str, Any]) -> web.StreamResponse:
        if name.startswith("429"):
            headers = {"Retry-After": "0.02"} if name == "429-after" else {}
            return web.json_response(
                {"error": {"message": "Rate limit reached"}}, status=429, headers=headers
            )
        if name.isdigit():
            return web.json_response({"error": {"message": "try later"}}, status=int(name))
        if name == "reset":
            request.transport.abort()
            return web.Response()
        if name == "stall":
            await asyncio.sleep(self.stall)
            return web.Response(status=504)
        if name == "truncated":
            data = json.dumps(completion(self.reply_text(body), body)).encode()
            response = web.StreamResponse(
                headers={"Content-Type": "application/json", "Content-Length": str(len(data))}
            )
            await response.prepare(request)
            await response.write(data[: len(data) // 2])
            request.transport.close()
            return response
        if name in OVERSIZED:
            return await self._oversized(request, name)
        if name == "html":
            return web.Response(text="<html><body>502 Bad Gateway</body></html>", content_type="text/html")
        whole = completion(self.reply_text(body), body)
        if name in ("gzip", "deflate", "gzip_cut", "zstd"):
            return _packed(name, json.dumps(whole).encode())
        said: dict[str, Any] = {
            "bad_json": json.dumps(whole)[:-20],
            "no_choices": json.dumps({**whole, "choices": []}),
            "error_200": json.dumps({"error": {"message": "overloaded", "code": 502}}),
            "empty": "",
            "blank": json.dumps(completion("", body)),
            "wrong_schema": json.dumps(completion('{"colour": "blue"}', body)),
        }
        return web.Response(text=said[name], content_type="application/json")


@functools.lru_cache(maxsize=1)
def bomb() -> bytes:
    """400 MiB of spaces, packed by gzip into 0.4 MB."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([*(packer.compress(b" " * (1 << 20)) for _ in range(400)), packer.flush()])


def _packed(name: str, data: bytes) -> web.Response:
    """An answer with a content encoding."""
    body = zlib.compress(data) if name == "deflate" else gzip.compress(data)
    encoding = name.removesuffix("_cut")
    return web.Response(
        body=body[:-20] if name == "gzip_cut" else body,
        headers={"Content-Encoding": encoding, "Content-Type": "application/json"},
    )


def completion(text: str, body: Mapping[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """Return a complete chat completion."""
    size = sum(len(message["content"]) for message in (body or {}).get("messages", ()))
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": (body or {}).get("model", "m"),
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": size // 4,
            "completion_tokens": len(text) // 4,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
        **changes,
    }
