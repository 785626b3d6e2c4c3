"""Models that retry: limits, pauses and further attempts around a backend's single attempts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

import msgspec

from assay.models.base import CallFailedError, ContextLengthError, Reply, Request, Usage
from assay.models.faults import Fault, FaultKind
from assay.models.prices import Price
from assay.models.rate_limiter import Limiter
from assay.models.retry import SYSTEM_CLOCK, Clock, Pacing, RetryPolicy
from assay.models.settings import ModelSettings
from assay.models.tokens import estimate_request

_LOG: Final = logging.getLogger("assay.models")
_CONCURRENCY: Final = 64
# Seconds for which other calls wait for the first one. A refusal of the key comes within them, and a fan-out of
# many seconds hardly becomes longer.
_ALONE: Final = 0.3


class RetryingModel:
    """A model whose calls are tried until they succeed or cannot. A backend overrides the methods below `complete`."""

    def __init__(
        self,
        model_id: str,
        settings: ModelSettings | None = None,
        *,
        price: Price | None = None,
        policy: RetryPolicy | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self.settings = settings or ModelSettings()
        self.price = price
        self._id = model_id
        attempts = self.settings.max_attempts
        self._policy = policy or (RetryPolicy(attempts=attempts) if attempts else RetryPolicy())
        self._clock = clock
        self._pacing = Pacing(self._policy, clock)
        self._limiter = Limiter(
            concurrency=self.settings.concurrency or _CONCURRENCY,
            rpm=self.settings.rpm,
            tpm=self.settings.tpm,
            clock=clock.time,
            nap=self._pacing.nap,
        )
        self._diagnosis: asyncio.Future[str] | None = None
        self._first: asyncio.Event | None = None

    @property
    def id(self) -> str:
        """``provider/name``."""
        return self._id

    async def complete(self, request: Request) -> Reply:
        """Answer one request. The first one goes alone, so that a wrong key costs one request and not one a slot.

        Raises:
            ModelSetupError: No call to this model can succeed.
            ContextLengthError: The prompt is too long for the model.
            CallFailedError: This call failed for good.
        """
        if self._pacing.successes:
            return await self._complete(request)
        if self._first is None:
            self._first = asyncio.Event()
            try:
                return await self._complete(request)
            finally:
                self._first.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ALONE):
                await self._first.wait()
        return await self._complete(request)

    async def _complete(self, request: Request) -> Reply:
        pacing = self._pacing
        estimate = self._estimate(request) if self._limiter.counts_tokens else 0
        spent: Usage | None = None
        tries = failed = empty = 0
        successes = pacing.successes
        while True:
            await pacing.ready()
            entry = await self._limiter.enter(estimate)
            used: int | None = None
            version = self._version()
            started = self._clock.time()
            try:
                pacing.check()
                if self._diagnosis is not None:
                    # Another call has found that none can succeed, and is preparing the message.
                    raise self._pacing.stop(await asyncio.shield(self._diagnosis))
                result = await self._attempt(request, tries + 1)
                if type(result) is Reply:
                    used = result.usage.input_tokens + result.usage.output_tokens
            finally:
                self._limiter.leave(entry, used)
            tries += 1
            if isinstance(result, Reply):
                pacing.succeeded()
                empty += 1
                if result.text or result.finish != "stop" or empty >= self._policy.empty:
                    return result if spent is None else _with_usage(result, spent)
                # Endpoints under load send empty replies without a reason. They cost as much as others.
                spent = result.usage if spent is None else spent + result.usage
                fault = Fault(kind="broken", message="an empty reply")
            else:
                fault = result
            if fault.kind == "field" and self._mend(request, fault, version):
                continue
            if fault.kind == "declined":
                return self._declined(request, fault, tries)
            if not fault.again:
                raise await self._hopeless(fault)
            if fault.kind == "rate":
                self._too_many(fault, started)
                if pacing.successes != successes:
                    # Other calls succeed: waiting will help.
                    successes = pacing.successes
                    continue
            failed += 1
            if failed >= self._policy.attempts:
                raise self._given_up(fault, failed)
            _LOG.debug("%s: %s; try %d of %d", self._id, fault.message, failed, self._policy.attempts)
            if fault.kind != "rate":
                await pacing.after(fault, failed)

    async def _attempt(self, request: Request, attempt: int) -> Reply | Fault:
        """Make one attempt."""
        raise NotImplementedError

    def _version(self) -> int:
        """Return a number that grows with everything learnt about the model."""
        return 0

    def _mend(self, request: Request, fault: Fault, version: int) -> bool:  # noqa: ARG002 - for backends that can
        """Whether the next attempt may go better than the one begun at ``version``."""
        return False

    def _dropped(self, request: Request) -> tuple[str, ...]:  # noqa: ARG002
        """Return the settings of a request that are not sent."""
        return ()

    def _hide(self, text: str) -> str:
        """Return ``text`` without keys."""
        return text

    async def _diagnose(self, kind: FaultKind, message: str) -> str:  # noqa: ARG002
        """Return one line on why no call can succeed, and what to do."""
        return f"{self._id}: {message}"

    def _nobody_there(self) -> str:
        """Return what to do if no server answers."""
        return "check that the server is running"

    def _estimate(self, request: Request) -> int:
        return estimate_request(request) + (request.sampling.max_tokens or 0)

    def _too_many(self, fault: Fault, started: float) -> None:
        wait = fault.wait
        if wait is not None and wait > self._policy.longest:
            duration = f"{wait / 60:.0f} minutes" if wait < 7200 else f"{wait / 3600:.0f} hours"
            raise self._pacing.stop(
                f"{self._id}: too many requests; the endpoint asks to wait {duration}, so run it again then",
                later=True,
            )
        pause = self._pacing.too_many(started, wait)
        _LOG.info("%s: too many requests; all calls pause for %.1f s", self._id, pause)

    def _declined(self, request: Request, fault: Fault, tries: int) -> Reply:
        """Return a content filter's refusal as a reply: no retry and no other setting would change it."""
        usage = Usage(1, 0, 0, 0, 0.0 if self.price is not None else None)
        return Reply(
            text=self._hide(fault.message),
            finish="refusal",
            usage=usage,
            attempts=tries,
            dropped=self._dropped(request),
        )

    def _given_up(self, fault: Fault, tries: int) -> Exception:
        message = f"{self._id}: {self._hide(fault.message)}, {tries} times"
        if fault.kind == "unreachable" and not self._pacing.successes:
            return self._pacing.stop(f"{message}; {self._nobody_there()}")
        return CallFailedError(message, attempts=tries)

    async def _hopeless(self, fault: Fault) -> Exception:
        """Return the error for a fault that no retry mends.

        It concerns this call if other calls succeeded, otherwise the model.
        """
        message = self._hide(fault.message)
        if fault.kind == "long":
            return ContextLengthError(f"{self._id}: the prompt is longer than the model can read ({message})")
        if fault.kind == "oversized":
            return CallFailedError(f"{self._id}: {message}")
        if self._pacing.successes and fault.kind in ("model", "forbidden", "request", "field"):
            return CallFailedError(f"{self._id}: {message}")
        if self._diagnosis is None:
            self._diagnosis = asyncio.ensure_future(self._diagnose(fault.kind, message))
        return self._pacing.stop(await asyncio.shield(self._diagnosis))


def _with_usage(reply: Reply, spent: Usage) -> Reply:
    """Return the reply with the usage of the empty replies before it."""
    return msgspec.structs.replace(reply, usage=spent + reply.usage)
