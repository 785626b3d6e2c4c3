"""Audits in processes, with a bound on what waits: beyond it callers are told to come again."""

from __future__ import annotations

import asyncio
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, Self

import msgspec

from assay.audits.audit import audit
from assay.errors import AssayError, EngineError
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.services.service_contract import AuditRequest


class BusyError(EngineError):
    """As much waits as may wait."""


class AuditWorkers:
    """A pool of processes that audit reports by rule; an async context manager.

    Args:
        workers: Number of processes.
        longest_queue: Maximum audits that wait or run; more are refused at once.
    """

    def __init__(self, workers: int, longest_queue: int) -> None:
        self._workers = workers
        self._longest = longest_queue
        self._pool: ProcessPoolExecutor | None = None
        self.waiting = 0

    async def __aenter__(self) -> Self:
        self._pool = self._new_pool()
        loop = asyncio.get_running_loop()
        # The first audit of a process loads what all need.
        await asyncio.gather(*(loop.run_in_executor(self._pool, _warm) for _ in range(self._workers)))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def audit(self, request: AuditRequest) -> bytes:
        """Return an audit as JSON.

        Raises:
            BusyError: Too many wait.
            AssayError: What is wrong with the request.
        """
        if self.waiting >= self._longest:
            raise BusyError("too many audits wait")
        self.waiting += 1
        try:
            assert self._pool is not None
            loop = asyncio.get_running_loop()
            try:
                found = await loop.run_in_executor(self._pool, _audited, request)
            except BrokenProcessPool:
                # A worker was killed, for memory perhaps; the others go with it, and new ones take over.
                self._pool = self._new_pool()
                raise EngineError("the audit was ended from outside; send it again") from None
            if isinstance(found, AssayError):
                raise found
            return found
        finally:
            self.waiting -= 1

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, initializer=_ignore_interrupts)


def _ignore_interrupts() -> None:
    # Ctrl-C reaches the whole process group; the server alone decides what to do about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _warm() -> None:
    audit(Report("# Heat pumps\n\nThey save 40 % [1].\n\n## Sources\n\n[1] https://example.org"))


def _audited(request: AuditRequest) -> bytes | AssayError:
    language: Any = request.language
    report = Report(request.report, query=request.question, id=request.id)
    try:
        found = audit(report, checks=request.checks, language=language, inline=False)
    except AssayError as error:
        return error
    return msgspec.json.encode(found.to_dict())
