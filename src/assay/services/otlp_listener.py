"""Listens for OpenTelemetry traces on this machine, and yields the run of each trace as it ends.

Agents send OTLP over HTTP, to ``http://127.0.0.1:4318/v1/traces`` by default, as JSON or protobuf (extra ``otlp``). A
trace has ended when its outermost span has come and nothing followed for a second, or after a minute without news.
Only this machine can reach it. A page in a browser cannot: what it may send without asking is not of these types.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import queue
import signal
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import msgspec

from assay.errors import InputError, MissingExtraError, UsageError
from assay.json_values import parse_json
from assay.subjects.loaders.base import DEFAULT_MAX_BYTES, InputContext
from assay.subjects.loaders.otlp import spans_in
from assay.subjects.loaders.traces import TraceSpan, runs_of
from assay.subjects.trajectory import Trajectory

PORT: Final = 4318
PATH: Final = "/v1/traces"
_JSON: Final = "application/json"
_PROTOBUF: Final = "application/x-protobuf"
# After the outermost span: exporters send in batches, and the parts of a trace may overtake each other.
_QUIET_SECONDS: Final = 1.0
_LONGEST_SECONDS: Final = 60.0
_MOST_SPANS: Final = 200_000


# Spans, each with the name of the service that sent it.
Spans = list[tuple[TraceSpan, str | None]]


class _OpenTrace(msgspec.Struct):
    """A trace that has not ended."""

    # By id: an exporter that got no answer sends again.
    spans: dict[str, TraceSpan]
    news: float
    system: str | None = None

    @property
    def rooted(self) -> bool:
        return any(span.parent is None for span in self.spans.values())


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A second listener on the same port would take half of the spans.
    allow_reuse_port = False


def otlp_runs(
    port: int = PORT,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    tell: Callable[[str], None] | None = None,
    quiet: float = _QUIET_SECONDS,
    longest: float = _LONGEST_SECONDS,
) -> Iterator[Trajectory | InputError]:
    """Yield the run of each trace as it ends, until it is interrupted; what is open then is yielded last.

    Args:
        port: Port on 127.0.0.1; 0 for any that is free.
        max_bytes: The largest request; a larger one gets status 413.
        tell: Called with lines to be shown: the address, and what was refused.
        quiet: Seconds without news after which a trace with its outermost span has ended.
        longest: The same without its outermost span.

    Raises:
        UsageError: The port is taken.
    """
    say = tell or (lambda _: None)
    arrived: queue.Queue[Spans] = queue.Queue(maxsize=1000)
    handler = type("Handler", (_Handler,), {"arrived": arrived, "limit": max_bytes, "say": staticmethod(say)})
    try:
        server = _Server(("127.0.0.1", port), handler)
    except OSError as error:
        raise UsageError(f"port {port} cannot be used: {error.strerror or error}") from error
    threading.Thread(target=server.serve_forever, daemon=True).start()
    traces: dict[str, _OpenTrace] = {}
    try:
        with _interrupt() as interrupted:
            say(f"traces are taken at http://127.0.0.1:{server.server_port}{PATH}; Ctrl+C ends it")
            yield from _until(interrupted, arrived, traces, quiet, longest)
    finally:
        server.shutdown()
        server.server_close()


def _until(
    interrupted: threading.Event,
    arrived: queue.Queue[Spans],
    traces: dict[str, _OpenTrace],
    quiet: float,
    longest: float,
) -> Iterator[Trajectory | InputError]:
    while not interrupted.is_set():
        with contextlib.suppress(queue.Empty):
            _take(arrived.get(timeout=min(0.2, quiet)), traces)
        now = time.monotonic()
        for name, one in list(traces.items()):
            if now - one.news > (quiet if one.rooted else longest):
                yield from _runs(name, traces.pop(name))
        while sum(len(one.spans) for one in traces.values()) > _MOST_SPANS:
            oldest = min(traces, key=lambda name: traces[name].news)
            yield from _runs(oldest, traces.pop(oldest))
    while not arrived.empty():
        _take(arrived.get_nowait(), traces)
    for name, one in traces.items():
        yield from _runs(name, one)


@contextlib.contextmanager
def _interrupt() -> Iterator[threading.Event]:
    """Yield an event that Ctrl+C sets: the first ends the listening, also where it comes while a run is audited.

    The second interrupts as ever.
    """
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return
    before = signal.getsignal(signal.SIGINT)

    def end(*_: object) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, end)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _take(spans: Spans, traces: dict[str, _OpenTrace]) -> None:
    for span, service in spans:
        one = traces.setdefault(span.trace, _OpenTrace({}, 0.0))
        one.spans[span.id] = span
        one.news = time.monotonic()
        one.system = one.system or service


def _runs(name: str, one: _OpenTrace) -> Iterator[Trajectory | InputError]:
    systems = {} if one.system is None else {name: one.system}
    yield from runs_of(one.spans.values(), InputContext(path=f"otlp:{name}"), systems=systems)


class _Handler(BaseHTTPRequestHandler):
    """Takes export requests; what it cannot take gets a reason in plain words."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    arrived: queue.Queue[Spans]
    limit: int
    say: Callable[[str], None]

    def log_message(self, *_: Any) -> None:
        """Write no log of requests."""

    def do_POST(self) -> None:
        """Take one export request."""
        status, words = self._received()
        if status >= 400:
            type(self).say(f"a request was refused: {words}")
            # What was not read would be taken for the next request.
            self.close_connection = True
        kind = self.headers.get_content_type()
        body = (
            b""
            if status == 200 and kind == _PROTOBUF
            else msgspec.json.encode({"message": words} if words else {})
        )
        self.send_response(status)
        self.send_header("Content-Type", kind if status == 200 else _JSON)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _received(self) -> tuple[int, str]:
        if self.path.split("?")[0] != PATH:
            return 404, f"only {PATH} is taken: metrics and logs are not"
        kind = self.headers.get_content_type()
        if kind not in (_JSON, _PROTOBUF):
            return 415, f"{kind} is not OTLP: {_JSON} or {_PROTOBUF}"
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            return 411, "a request without its length"
        if int(length) > self.limit:
            return 413, f"a request of {int(length):,} bytes, more than {self.limit:,}"
        data = self.rfile.read(int(length))
        if len(data) < int(length):
            return 400, "a request that breaks off"
        try:
            spans = list(spans_in(decoded_request(self._unpacked(data), kind)))
        except MissingExtraError as error:
            return 415, str(error)
        except (InputError, ValueError, OSError, EOFError, zlib.error) as error:
            return 400, f"cannot be read: {error}"
        try:
            self.arrived.put(spans, timeout=5)
        except queue.Full:
            return 503, "too many requests wait"
        return 200, ""

    def _unpacked(self, data: bytes) -> bytes:
        if self.headers.get("Content-Encoding", "identity") != "gzip":
            return data
        unpacked = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        out = unpacked.decompress(data, self.limit + 1)
        if len(out) > self.limit:
            raise InputError(f"unpacked it has more than {self.limit:,} bytes")
        if not unpacked.eof:
            raise gzip.BadGzipFile("the compressed request breaks off")
        return out


def decoded_request(data: bytes, kind: str) -> dict[str, Any]:
    """Return an export request as OTLP JSON has it.

    Raises:
        InputError: It is none.
        MissingExtraError: It is protobuf, and the package for that is not installed.
    """
    if kind == _JSON:
        value = parse_json(data)
        if not isinstance(value, dict):
            raise InputError("no object")
        return value
    try:
        from google.protobuf.json_format import MessageToDict  # noqa: PLC0415 - an extra
        from google.protobuf.message import DecodeError  # noqa: PLC0415
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (  # noqa: PLC0415
            ExportTraceServiceRequest,
        )
    except ImportError as error:
        raise MissingExtraError("a trace as protobuf", "otlp") from error
    try:
        found: dict[str, Any] = MessageToDict(ExportTraceServiceRequest.FromString(data))
    except DecodeError as error:
        raise InputError(f"no protobuf of OTLP: {error}") from error
    for resource in found.get("resourceSpans", []):
        for scope in resource.get("scopeSpans", []):
            for span in scope.get("spans", []):
                # Protobuf's own JSON writes ids in base64, OTLP in hexadecimal.
                for key in span.keys() & {"traceId", "spanId", "parentSpanId"}:
                    span[key] = base64.b64decode(span[key]).hex()
    return found
