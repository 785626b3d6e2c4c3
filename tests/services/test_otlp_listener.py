"""`assay audit --from otlp` as a process of its own: what agents send becomes audits, what is not OTLP gets a reason."""

import gzip
import http.client
import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.services.otlp_listener import otlp_runs

TRACES = Path(__file__).parents[1] / "data" / "traces"
SENT = (TRACES / "openinference-smolagents.otlp.json").read_bytes()
PROTOBUF = (TRACES / "openinference-openai-agents.otlp.pb").read_bytes()
JSON = {"Content-Type": "application/json"}


class Listening:
    """A listener in a process, and a client of it."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assay", "audit", "--from", "otlp", "--port", "0", "--isolated", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        line = self.process.stderr.readline()
        self.port = int(re.search(r":(\d+)/v1/traces", line)[1])

    def post(self, body, headers=None, path="/v1/traces"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("POST", path, body, headers or JSON)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()

    def end(self):
        """Interrupt the listener as Ctrl+C does; return its exit code, output and messages."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err


@pytest.fixture
def listening():
    started = []

    def start(*options):
        started.append(Listening(*options))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.wait()
        one.process.stdout.close()
        one.process.stderr.close()


def test_runs_are_audited_as_they_end_and_the_rest_at_the_end(listening):
    pytest.importorskip("opentelemetry.proto")
    server = listening("--format", "json")
    assert server.post(PROTOBUF, {"Content-Type": "application/x-protobuf"})[0] == 200
    # The outermost span is there: the audit comes without waiting for an end.
    first = json.loads(server.process.stdout.readline())
    assert first["trajectory"]["tool_calls"] == 1
    assert first["trajectory"]["path"].startswith("otlp:")
    assert server.post(gzip.compress(SENT), {**JSON, "Content-Encoding": "gzip"})[0] == 200
    code, out, err = server.end()
    assert code == 0, err
    assert json.loads(out)["trajectory"]["system"] == "ToolCallingAgent.run"


def test_what_is_no_trace_gets_a_reason_and_the_listener_goes_on(listening):
    server = listening("--max-bytes", "100k", "--limit", "1")
    for body, headers, path, status, words in (
        (b"{}", JSON, "/v1/metrics", 404, "metrics and logs are not"),
        (b"a=b", {"Content-Type": "text/plain"}, "/v1/traces", 415, "not OTLP"),
        (b"{", JSON, "/v1/traces", 400, "cannot be read"),
        (b"[1]", JSON, "/v1/traces", 400, "no object"),
        (b"x" * 200_000, JSON, "/v1/traces", 413, "more than 102,400"),
        (gzip.compress(b" " * 10_000_000), {**JSON, "Content-Encoding": "gzip"}, "/v1/traces", 400, "more than 102,400"),
        (b"nonsense", {**JSON, "Content-Encoding": "gzip"}, "/v1/traces", 400, "cannot be read"),
        (b"\xff\xff\xff", {"Content-Type": "application/x-protobuf"}, "/v1/traces", 400, "no protobuf of OTLP"),
    ):  # fmt: skip
        try:
            found = server.post(body, headers, path)
        except (BrokenPipeError, ConnectionResetError):
            # The answer came before the whole of a large body was sent.
            assert status == 413
            continue
        assert found[0] == status
        assert words in found[1]
    assert server.post(SENT)[0] == 200
    out, err = server.process.communicate(timeout=20)
    assert server.process.returncode == 0
    assert "1 step, 1 tool call" in out
    assert "a request was refused" in err


def test_a_taken_port_is_told():
    said = []
    first = otlp_runs(0, tell=said.append, quiet=0.05)
    # The generator starts to listen at its first step.
    threading.Thread(target=next, args=(first, None), daemon=True).start()
    while not said:
        pass
    port = int(re.search(r":(\d+)/", said[0])[1])
    with pytest.raises(UsageError, match=f"port {port} cannot be used"):
        next(otlp_runs(port))


def test_a_page_in_a_browser_cannot_send_a_trace(listening):
    server = listening()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    # What a page sends without asking is of a type that is refused; for JSON the browser asks first, and hears no.
    connection.request(
        "OPTIONS",
        "/v1/traces",
        headers={"Origin": "https://bad.example", "Access-Control-Request-Method": "POST"},
    )
    reply = connection.getresponse()
    assert reply.status == 501
    assert reply.getheader("Access-Control-Allow-Origin") is None
    connection.close()
    assert server.end()[0] == 0


def test_files_and_a_listener_do_not_go_together(tmp_path):
    command = [sys.executable, "-m", "assay", "audit", "--from", "otlp", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "it takes no files" in done.stderr
