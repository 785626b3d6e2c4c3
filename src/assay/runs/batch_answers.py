"""Answers to batch files: a model of this machine, or of a Ray cluster, takes the place of a provider's batch service.

Requests and responses are JSON Lines in OpenAI's format, as ``assay run batch``, ``--requests`` and ``--responses`` write and
read them. On Ray, Ray Data streams the requests to workers that each open the model once. An output that is there
already is continued: requests with a reply in it are not asked again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from assay.errors import InputError
from assay.models.base import CallFailedError, Message, Reply, Request, Sampling
from assay.models.registry import open_model
from assay.rows import text_lines
from assay.runs.ray_library import connected, ray_library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Requests that a worker is given at a time.
_BLOCK: Final = 32
_SAMPLED: Final = ("temperature", "top_p", "seed", "reasoning_effort")


class Answerer:
    """Answers blocks of requests by one model, which it keeps open.

    Args:
        model: Its id, such as ``local/smollm2-135m`` or ``vllm/my-model``.
    """

    def __init__(self, model: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._name = model
        self._model = open_model(model)

    def __call__(self, block: dict[str, Any]) -> dict[str, list[str]]:
        """Return the response lines to a block of request lines, both under ``text``."""
        lines = [str(line) for line in block["text"]]
        return {"text": self._loop.run_until_complete(self._answer(lines))}

    def close(self) -> None:
        """Close the model."""
        self._loop.run_until_complete(self._model.close())
        self._loop.close()

    async def _answer(self, lines: list[str]) -> list[str]:
        return list(await asyncio.gather(*map(self._one, lines)))

    async def _one(self, line: str) -> str:
        row = json.loads(line)
        try:
            reply = await self._model.complete(_request(row["body"], self._name))
        except CallFailedError as error:
            return json.dumps(
                {"custom_id": row["custom_id"], "response": None, "error": {"message": str(error)}}
            )
        return json.dumps(_response(row["custom_id"], reply, self._name), ensure_ascii=False)


def answer_file(
    requests: str,
    output: str,
    model: str,
    *,
    ray: bool = False,
    workers: int = 1,
    gpus: float = 0.0,
    tick: Callable[[int], None] = lambda _: None,
) -> tuple[int, int]:
    """Answer the requests of a batch file that the output does not answer yet.

    Args:
        requests: The file.
        output: File of responses, which is appended to.
        model: Id of the model.
        ray: Whether Ray Data's workers answer.
        workers: Number of workers on Ray, each with the model.
        gpus: GPUs of each worker.
        tick: Callback after each block, with the number of responses in it.

    Returns:
        Number of replies, and number of requests that failed.

    Raises:
        InputError: A line is not a request.
        ModelSetupError: No call to the model can succeed.
    """
    answered = _answered(output)
    lines = (line for line in _request_lines(requests) if json.loads(line)["custom_id"] not in answered)
    made = failed = 0
    blocks = _on_ray(lines, model, workers, gpus) if ray else _here(lines, model)
    with Path(output).open("a", encoding="utf-8") as out:
        for block in blocks:
            out.writelines(line + "\n" for line in block)
            out.flush()
            bad = sum(json.loads(line)["response"] is None for line in block)
            made, failed = made + len(block) - bad, failed + bad
            tick(len(block))
    return made, failed


def _here(lines: Iterator[str], model: str) -> Iterator[list[str]]:
    answerer = Answerer(model)
    try:
        while block := list(islice(lines, _BLOCK)):
            yield answerer({"text": block})["text"]
    finally:
        answerer.close()


def _on_ray(lines: Iterable[str], model: str, workers: int, gpus: float) -> Iterator[list[str]]:
    ray = ray_library()
    own = connected(ray)
    try:
        import ray.data  # noqa: PLC0415 - optional

        for name in ("ray.data", "ray._private"):
            logging.getLogger(name).setLevel(logging.ERROR)
        ray.data.DataContext.get_current().enable_progress_bars = False
        answers = ray.data.from_items([{"text": line} for line in lines]).map_batches(
            Answerer,
            fn_constructor_args=(model,),
            batch_size=_BLOCK,
            compute=ray.data.ActorPoolStrategy(size=workers),
            num_gpus=gpus or None,
            num_cpus=0 if gpus else 1,
        )
        for block in answers.iter_batches(batch_size=_BLOCK):
            yield [str(line) for line in block["text"]]
    finally:
        if own:
            ray.shutdown()


def _request_lines(path: str) -> Iterator[str]:
    """Yield the lines of a file that are requests."""
    for where, line in text_lines(path):
        try:
            row = json.loads(line)
            fits = isinstance(row["custom_id"], str) and bool(row["body"]["messages"])
        except (ValueError, KeyError, TypeError):
            fits = False
        if not fits:
            raise InputError("is not a request: a line has custom_id, and body with messages", where=where)
        yield line


def _answered(path: str) -> set[str]:
    """Return the ids that a file of responses answers."""
    if not Path(path).exists():
        return set()
    found: set[str] = set()
    for _, line in text_lines(path):
        try:
            row = json.loads(line)
        except ValueError:
            continue  # the line that a kill cut off
        if row.get("response"):
            found.add(row["custom_id"])
    return found


def _request(body: dict[str, Any], model: str) -> Request:
    schema = (body.get("response_format") or {}).get("json_schema") or {}
    sampling = {name: body[name] for name in _SAMPLED if body.get(name) is not None}
    return Request(
        model=model,
        messages=tuple(Message(item["role"], _text(item["content"])) for item in body["messages"]),
        sampling=Sampling(max_tokens=body.get("max_completion_tokens") or body.get("max_tokens"), **sampling),
        schema=schema.get("schema"),
    )


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def _response(custom_id: str, reply: Reply, model: str) -> dict[str, Any]:
    usage = reply.usage
    refused = reply.finish == "refusal"
    message = {"role": "assistant", "content": None if refused else reply.text}
    choice = {
        "index": 0,
        "message": message | ({"refusal": reply.text} if refused else {}),
        "finish_reason": "content_filter" if refused else reply.finish,
    }
    body = {
        "object": "chat.completion",
        "model": reply.served or model,
        "choices": [choice],
        "usage": {
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
        },
    }
    return {"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}
