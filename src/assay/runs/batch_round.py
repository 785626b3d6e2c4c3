"""One round of a run through batch files: its models, each behind files, and their pending requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.models.batch_model import BatchModel, BatchQuirks, LearntQuirks
from assay.models.endpoint import EndpointModel
from assay.models.prices import price_of
from assay.models.tokens import estimate_request
from assay.runs.estimate import PER_CRITERION, PER_FIELD, PER_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from assay.models.base import Model, Request
    from assay.models.batch_requests import BatchWriter
    from assay.models.batch_responses import Responses
    from assay.models.prices import Price
    from assay.models.settings import ModelSettings
    from assay.runs.ledger import Ledger

# Digits of a key that distinguish the requests of one run.
_SHORT: Final = 16


class WrittenRound(msgspec.Struct):
    """A round that was written: Unix time, number of requests, and a hash of them."""

    at: float
    requests: int
    digest: str
    files: list[str] = []


class PendingRequests(msgspec.Struct):
    """Requests to one model that have no reply.

    Attributes:
        model: Model id.
        requests: Number of requests.
        on_way: Requests among them that an earlier round has written, without a response so far.
        input_tokens: Estimated input tokens.
        output_tokens: Assumed output tokens.
        cost: Cost of these tokens in US dollars, by the price of direct calls or of the settings; None if unknown.
        written: Requests in the files of this round.
        size: Bytes of these files.
        files: Files of this round.
        stale: Files of an earlier round beside them.
        again: Whether this round equals the last one.
        rounds: Rounds written so far, this one included.
        taught: How requests to the model are changed from now on, learnt from refusals in the files.
    """

    model: str
    requests: int = 0
    on_way: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    written: int = 0
    size: int = 0
    files: list[str] = []
    stale: list[str] = []
    again: bool = False
    rounds: list[WrittenRound] = []
    taught: list[str] = []


class BatchState(msgspec.Struct):
    """What the ledger remembers of a run's batches: rounds by model, requests in flight, imports."""

    rounds: dict[str, list[WrittenRound]] = {}
    on_way: dict[str, bytes] = {}
    imports: int = 0

    def sent(self, model: str) -> set[str]:
        """Return the requests in flight to a model, by the start of their keys."""
        text = self.on_way.get(model, b"").hex()
        return {text[start : start + _SHORT] for start in range(0, len(text), _SHORT)}

    def send(self, model: str, keys: Collection[str]) -> None:
        """Remember requests that were written."""
        self._set(model, self.sent(model) | {key[:_SHORT] for key in keys})

    def settle(self, model: str, keys: Collection[str]) -> None:
        """Remember that these requests have a response or an error."""
        self._set(model, self.sent(model) - {key[:_SHORT] for key in keys})

    def _set(self, model: str, short: set[str]) -> None:
        self.on_way[model] = bytes.fromhex("".join(sorted(short)))

    @classmethod
    def of(cls, ledger: Ledger, run: str) -> BatchState:
        """Load the state from the ledger."""
        text = ledger.fact(f"batch/{run}")
        return msgspec.json.decode(text, type=cls) if text is not None else cls()

    async def keep(self, ledger: Ledger, run: str) -> None:
        """Save the state in the ledger."""
        await ledger.set_fact(f"batch/{run}", msgspec.json.encode(self).decode())


class BatchRound:
    """The models of one round, each behind files, and their pending requests.

    Attributes:
        models: Models by id, as they are opened.
        quirks: Quirks of each.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        responses: Responses | None = None,
        writers: Mapping[str, BatchWriter] | None = None,
        new: bool = False,
        given_up: Collection[str] = (),
    ) -> None:
        self.models: dict[str, BatchModel] = {}
        self.quirks: dict[str, BatchQuirks] = {}
        self._ledger = ledger
        self._responses = responses
        self._writers = writers or {}
        self._new = new
        self._given_up = given_up
        self._queues: dict[str, _RequestQueue] = {}

    def open(self, client: Model, settings: ModelSettings) -> Model:
        """Return the file-backed model that replaces a model."""
        name = client.id
        if isinstance(client, EndpointModel):
            called, extra = client.endpoint.name, client.endpoint.body
        else:
            called, extra = settings.name or name.partition("/")[2], settings.body
        text = self._ledger.fact(f"batch/model/{name}")
        learnt = msgspec.json.decode(text, type=LearntQuirks) if text is not None else None
        price = price_of(name, settings.price)
        quirks = self.quirks[name] = BatchQuirks(name, called, learnt=learnt)
        queue = self._queues[name] = _RequestQueue(name, price, self._writers.get(name))
        model = self.models[name] = BatchModel(
            name,
            called,
            quirks,
            responses=self._responses,
            waits=queue.add,
            extra=extra,
            price=price,
            given_up=self._given_up,
        )
        return model

    @property
    def writes(self) -> bool:
        """Whether requests are written."""
        return bool(self._writers)

    async def remember(self) -> None:
        """Save in the ledger what was learnt about the models."""
        for name, quirks in self.quirks.items():
            if (learnt := quirks.learnt) is not None:
                await self._ledger.set_fact(f"batch/model/{name}", msgspec.json.encode(learnt).decode())

    def begin(self, state: BatchState) -> None:
        """Load the requests in flight."""
        for name, queue in self._queues.items():
            queue.on_way = state.sent(name)
            queue.new = self._new

    def waiting(self, state: BatchState) -> list[PendingRequests]:
        """Return the pending requests by model."""
        for name, queue in self._queues.items():
            queue.waiting.rounds = state.rounds.get(name, [])
            queue.waiting.taught = self.quirks[name].taught
        return [queue.waiting for queue in self._queues.values()]


class _RequestQueue:
    """Pending requests to one model, written if there is a writer."""

    def __init__(self, model: str, price: Price | None, writer: BatchWriter | None) -> None:
        self.waiting = PendingRequests(model, cost=None if price is None else 0.0)
        self.on_way: set[str] = set()
        self.new = False
        self._price = price
        self._writer = writer
        self._keys: set[str] = set()

    def add(self, request: Request, encode: Callable[[], bytes]) -> None:
        """Count a request, and write it, once."""
        key = request.key()
        if key in self._keys:
            return
        self._keys.add(key)
        waiting = self.waiting
        waiting.requests += 1
        before = key[:_SHORT] in self.on_way
        waiting.on_way += before
        read, written = estimate_request(request), _assumed(request)
        waiting.input_tokens += read
        waiting.output_tokens += written
        if self._price is not None and waiting.cost is not None:
            waiting.cost += self._price.cost(read, 0, written)
        if self._writer is not None and not (before and self.new):
            self._writer.write(key, encode())


def _assumed(request: Request) -> int:
    """Return the assumed tokens of a reply, as in plans (`assay.runs.estimate`)."""
    most = request.sampling.max_tokens
    expected = PER_TEXT if request.schema is None else PER_CRITERION + _fields(request.schema)
    return expected if most is None else min(expected, most)


def _fields(schema: Mapping[str, Any]) -> int:
    """Return the assumed tokens of a schema's reasons and verdicts."""
    if schema.get("type") == "object":
        return sum(_fields(part) for part in schema.get("properties", {}).values())
    if schema.get("type") == "array" and "enum" not in schema.get("items", {}):
        return 2 * _fields(schema.get("items", {}))
    return PER_FIELD if schema.get("type") == "string" and "enum" not in schema else PER_CRITERION
