"""`assay serve`: audits, judgments, comparisons and grades over HTTP.

Audits by rule run in processes, judges in one open run with its ledger and budget. What waits is bounded: beyond it a
request is refused at once with 503 and `Retry-After`, so that a caller knows it and nothing piles up.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from assay._version import __version__
from assay.errors import AssayError, EngineError, MissingExtraError, ModelError, UsageError
from assay.rubrics.loader import rubric_names
from assay.rubrics.rubric import Rubric
from assay.runs.budget import BudgetReachedError
from assay.runs.judge import Judge
from assay.runs.review_run import areview
from assay.runs.run_settings import RunSettings
from assay.runs.running import OpenRun
from assay.services.audit_workers import AuditWorkers, BusyError
from assay.services.service_contract import (
    ENDPOINTS,
    AuditRequest,
    CompareRequest,
    ErrorAnswer,
    GradeRequest,
    HealthAnswer,
    JudgeRequest,
    openapi,
)
from assay.subjects.case import Case
from assay.subjects.report import Report

try:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
    from prometheus_client.exposition import CONTENT_TYPE_LATEST
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import Response
    from starlette.routing import Route
except ImportError as error:
    raise MissingExtraError("the service", "serve") from error

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment

T = TypeVar("T")
_JSON: Final = "application/json"
_BODY_SECONDS: Final = 30.0
_RETRY_SECONDS: Final = 2
_MOST_CRITERIA: Final = 200
# Upper bounds in seconds: an audit takes milliseconds, a judgment by a model up to minutes.
_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0)


class ServiceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a service works.

    Attributes:
        judges: Judges that may be asked, by the name that callers use; the first is the default.
        model: Model that reads reports for faults, if callers may ask for that.
        token: What every request must bring as a bearer token; None for none.
        workers: Processes that audit.
        longest_queue: Maximum audits that wait or run, and of judgments as well.
        max_bytes: The largest request.
        run: Ledger, budget and concurrency of the judges.
    """

    judges: Mapping[str, str]
    model: str | None = None
    token: str | None = None
    workers: int = 2
    longest_queue: int = 64
    max_bytes: int = 4_000_000
    run: RunSettings = RunSettings(progress=False)


class RefusedError(UsageError):
    """A request that is answered with a status of its own."""

    def __init__(self, status: int, problem: str) -> None:
        self.status = status
        super().__init__(problem)


class HttpService:
    """The service as an ASGI application, in ``app``.

    Args:
        settings: How it works.

    Raises:
        UsageError: A judge is unknown.
    """

    def __init__(self, settings: ServiceSettings) -> None:
        self._settings = settings
        self._judges = {name: Judge(spec, name=name) for name, spec in settings.judges.items()}
        self._workers = AuditWorkers(settings.workers, settings.longest_queue)
        self._run = OpenRun(settings.run, "serve")
        self._asking = 0
        self._measures = _Measures(lambda: self._workers.waiting + self._asking)
        self._document = msgspec.json.encode(openapi())
        work: dict[str, Callable[[Any], Awaitable[bytes]]] = {
            "audit": self._audit,
            "judge": self._judge,
            "compare": self._compare,
            "grade": self._grade,
        }
        routes = [
            Route(item.path, self._endpoint(item.name, item.takes, work[item.name]), methods=["POST"])
            for item in ENDPOINTS
        ]
        routes += [
            Route("/health", self._health),
            Route("/metrics", self._metrics),
            Route("/openapi.json", self._openapi),
        ]
        self.app = Starlette(
            routes=routes, lifespan=self._open, exception_handlers={404: _not_there, 405: _not_there}
        )

    @contextlib.asynccontextmanager
    async def _open(self, _: Starlette) -> AsyncIterator[None]:
        async with self._workers, self._run:
            yield

    def _endpoint(
        self, name: str, kind: type[T], work: Callable[[T], Awaitable[bytes]]
    ) -> Callable[[Request], Awaitable[Response]]:
        decoder = msgspec.json.Decoder(kind)

        async def answer(request: Request) -> Response:
            started = time.perf_counter()
            try:
                self._admit(request)
                content, status = await work(decoder.decode(await self._body(request))), 200
            except ClientDisconnect:
                content, status = b"", 499
            except (AssayError, msgspec.DecodeError, UnicodeDecodeError) as error:
                status = _status(error)
                words = str(error) if isinstance(error, AssayError) else f"the request does not fit: {error}"
                content = msgspec.json.encode(ErrorAnswer(error=words))
            self._measures.count(name, status, time.perf_counter() - started)
            headers = {"Retry-After": str(_RETRY_SECONDS)} if status == 503 else {}
            if status == 401:
                headers["WWW-Authenticate"] = "Bearer"
            return Response(content, status, headers, _JSON)

        return answer

    def _admit(self, request: Request) -> None:
        token = self._settings.token
        given = request.headers.get("authorization", "")
        if token is not None and not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
            raise RefusedError(401, "a token is needed: Authorization: Bearer …")
        # A page in a browser can send a form or a text without asking, and JSON only after asking.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            raise RefusedError(415, f"requests are {_JSON}")
        length = request.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._settings.max_bytes:
            raise RefusedError(413, f"a request has at most {self._settings.max_bytes:,} bytes")

    async def _body(self, request: Request) -> bytes:
        parts, size = [], 0
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                async for part in request.stream():
                    parts.append(part)
                    size += len(part)
                    if size > self._settings.max_bytes:
                        raise RefusedError(413, f"a request has at most {self._settings.max_bytes:,} bytes")
        except TimeoutError:
            raise RefusedError(408, f"the request did not come within {_BODY_SECONDS:.0f} seconds") from None
        return b"".join(parts)

    # What is done

    async def _audit(self, asked: AuditRequest) -> bytes:
        _require_text(asked.report)
        if asked.language not in (None, "en", "zh"):
            raise UsageError(f"language is {asked.language!r}; it is 'en' or 'zh'")
        if not asked.review:
            return await self._workers.audit(asked)
        if self._settings.model is None:
            raise UsageError("this server has no model, so it audits by rule only; leave review out")
        report = Report(asked.report, query=asked.question, id=asked.id)
        settings = self._settings.run
        with self._place():
            found = await areview(
                report,
                self._settings.model,
                ledger=_address(settings),
                budget=settings.budget,
                checks=asked.checks,
            )
        return msgspec.json.encode(found.to_dict())

    async def _judge(self, asked: JudgeRequest) -> bytes:
        _require_text(asked.report)
        report = Report(asked.report, query=asked.question, id=asked.id)
        case = Case(report, reference=asked.reference, mode="score")
        return await self._judged(case, asked.judge, asked.rubric)

    async def _compare(self, asked: CompareRequest) -> bytes:
        _require_text(asked.a, asked.b)
        case = Case(Report(asked.a, id="a"), Report(asked.b, id="b"), query=asked.question)
        return await self._judged(case, asked.judge, asked.rubric)

    async def _grade(self, asked: GradeRequest) -> bytes:
        _require_text(asked.report)
        if not 0 < len(asked.criteria) <= _MOST_CRITERIA:
            raise UsageError(f"a report is graded by 1 to {_MOST_CRITERIA} criteria")
        weights = {item.text: item.weight for item in asked.criteria}
        if len(weights) < len(asked.criteria):
            raise UsageError("two criteria have the same text")
        rubric = Rubric.of(weights, name="criteria")
        case = Case(Report(asked.report, query=asked.question, id=asked.id), mode="score")
        return await self._judged(case, asked.judge, rubric)

    async def _judged(self, case: Case, name: str | None, rubric: str | Rubric | None) -> bytes:
        if name is not None and name not in self._judges:
            raise UsageError(f"this server has no judge {name!r}; it has {', '.join(self._judges)}")
        judge = self._judges[name or next(iter(self._judges))]
        if isinstance(rubric, str) and rubric not in rubric_names():
            # Never a path: callers have no business with the files of the server.
            raise UsageError(f"there is no rubric {rubric!r}; criteria of your own go to /v1/grade")
        chosen = judge if rubric is None else judge.replace(rubric=rubric)
        with self._place():
            judgments = await self._run.judgments([case], chosen)
        if judgments.errors:
            raise judgments.errors[0]
        return _encoded(judgments[0])

    @contextlib.contextmanager
    def _place(self) -> Any:
        if self._asking >= self._settings.longest_queue:
            raise BusyError("too many judgments wait")
        self._asking += 1
        try:
            yield
        finally:
            self._asking -= 1

    # About the server

    async def _health(self, _: Request) -> Response:
        waiting = self._workers.waiting + self._asking
        told = HealthAnswer(status="ok", version=__version__, judges=list(self._judges), waiting=waiting)
        return Response(msgspec.json.encode(told), media_type=_JSON)

    async def _metrics(self, _: Request) -> Response:
        return Response(generate_latest(self._measures.registry), media_type=CONTENT_TYPE_LATEST)

    async def _openapi(self, _: Request) -> Response:
        return Response(self._document, media_type=_JSON)


class _Measures:
    """What Prometheus is told. Nothing of a request's content."""

    def __init__(self, waiting: Callable[[], float]) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self._requests = Counter(
            "assay_requests", "Requests by endpoint and status.", ["endpoint", "status"], registry=registry
        )
        self._seconds = Histogram(
            "assay_request_seconds",
            "Seconds to the answer.",
            ["endpoint"],
            buckets=_BUCKETS,
            registry=registry,
        )
        Gauge("assay_waiting", "Audits and judgments that wait or run.", registry=registry).set_function(
            waiting
        )

    def count(self, endpoint: str, status: int, seconds: float) -> None:
        self._requests.labels(endpoint, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)


def _status(error: Exception) -> int:
    """Return the status that tells a caller what kind of error it is."""
    if isinstance(error, RefusedError):
        return error.status
    if isinstance(error, BusyError):
        return 503
    if isinstance(error, BudgetReachedError):
        return 402
    if isinstance(error, ModelError | EngineError):
        return 502
    return 400


def _require_text(*texts: str) -> None:
    if not all(text.strip() for text in texts):
        raise UsageError("a report is empty; pass its whole text")


def _address(settings: RunSettings) -> str | None:
    return None if settings.ledger is None else str(settings.ledger)


def _encoded(judgment: Judgment) -> bytes:
    return msgspec.json.encode(judgment.to_dict())


async def _not_there(request: Request, _: Exception) -> Response:
    paths = ", ".join(item.path for item in ENDPOINTS)
    words = f"{request.method} {request.url.path} is not served; POST goes to {paths}"
    return Response(msgspec.json.encode(ErrorAnswer(error=words[:500])), 404, media_type=_JSON)
