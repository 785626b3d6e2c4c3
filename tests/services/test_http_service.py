"""`assay serve` as a process of its own, asked over real connections."""

import asyncio
import http.client
import importlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import aiohttp
import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

import assay
from assay.services.service_contract import AuditAnswer, JudgmentAnswer, openapi

EXAMPLES = Path(__file__).parents[2] / "examples" / "heat-pumps"
FLAWED, GOOD = ((EXAMPLES / name).read_text("utf-8") for name in ("flawed.md", "good.md"))
JSON = {"Content-Type": "application/json"}


class Service:
    """The service in a process, and a client of it."""

    def __init__(self, *options):
        command = [sys.executable, "-m", "assay", "serve", "--port", "0", "--workers", "1", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stderr.readline())[1])
        self.base = f"http://127.0.0.1:{self.port}"

    def ask(self, path, body=None, method=None, headers=JSON):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
            connection.request(method or ("POST" if body is not None else "GET"), path, data, headers)
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        try:
            _, err = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, err


@pytest.fixture(scope="module")
def service():
    made = Service("--judge", "rules", "--judge", "guess=direct@scripted/random")
    yield made
    code, err = made.end()
    assert code == 0
    assert "Traceback" not in err


def test_an_audit_is_the_one_that_the_library_makes(service):
    status, body = service.ask("/v1/audit", {"report": FLAWED, "question": "Do they save?", "id": "x"})
    assert status == 200
    alone = assay.audit(assay.Report(FLAWED, query="Do they save?", id="x"), inline=False)
    assert json.loads(body) == json.loads(msgspec.json.encode(alone.to_dict()))
    read = msgspec.json.decode(body, type=AuditAnswer)
    assert [item.code for item in read.findings] == [item.code for item in alone.findings] != []


def test_judges_compare_and_grade(service):
    status, body = service.ask("/v1/compare", {"a": GOOD, "b": FLAWED, "question": "Do they save?"})
    assert status == 200
    assert msgspec.json.decode(body, type=JudgmentAnswer).judge == "rules"
    status, body = service.ask("/v1/judge", {"report": GOOD, "judge": "guess", "rubric": "overall"})
    assert msgspec.json.decode(body, type=JudgmentAnswer).scores["overall"] >= 0
    criteria = [{"text": "States a cost.", "weight": 3}, {"text": "Invents a source.", "weight": -2}]
    status, body = service.ask("/v1/grade", {"report": GOOD, "criteria": criteria, "judge": "guess"})
    assert status == 200
    assert len(msgspec.json.decode(body, type=JudgmentAnswer).verdicts) == 2


@pytest.mark.parametrize(
    ("path", "body", "headers", "told"),
    [
        ("/v1/audit", b"{", JSON, (400, "does not fit")),
        ("/v1/audit", b'{"report": "\xff"}', JSON, (400, "does not fit")),
        ("/v1/audit", {"reprt": "x"}, JSON, (400, "reprt")),
        ("/v1/audit", {"report": 3}, JSON, (400, "$.report")),
        ("/v1/audit", {"report": " "}, JSON, (400, "empty")),
        ("/v1/audit", {"report": FLAWED, "checks": ["NOPE"]}, JSON, (400, "NOPE")),
        ("/v1/audit", {"report": FLAWED, "language": "fr"}, JSON, (400, "'en' or 'zh'")),
        ("/v1/audit", {"report": FLAWED, "review": True}, JSON, (400, "no model")),
        ("/v1/audit", b"report=x", {"Content-Type": "text/plain"}, (415, "application/json")),
        ("/v1/judge", {"report": FLAWED, "judge": "openai/gpt-5"}, JSON, (400, "it has rules, guess")),
        ("/v1/judge", {"report": FLAWED, "judge": "guess", "rubric": "pyproject.toml"}, JSON, (400, "no rubric")),
        ("/v1/judge", {"report": FLAWED, "judge": "rules"}, JSON, (400, "compares")),
        ("/v1/grade", {"report": FLAWED, "criteria": [], "judge": "guess"}, JSON, (400, "1 to 200")),
        ("/v1/grade", {"report": FLAWED, "criteria": [{"text": "a"}] * 2, "judge": "guess"}, JSON, (400, "same text")),
        ("/v1/nothing", {}, JSON, (404, "/v1/audit")),
    ],
)  # fmt: skip
def test_a_bad_request_gets_its_reason(service, path, body, headers, told):
    status, answer = service.ask(path, body, headers=headers)
    assert status == told[0]
    assert told[1] in json.loads(answer)["error"]


def test_a_gigabyte_is_refused_before_it_is_read(service):
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
        connection.sendall(
            b"POST /v1/audit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1000000000\r\n\r\n" + b"x" * 1000
        )
        assert b" 413 " in connection.recv(4096)
    # Neither does it help to leave the length out.
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
        connection.sendall(
            b"POST /v1/audit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
        try:
            for _ in range(8):
                connection.sendall(chunk)
            answer = connection.recv(4096)
        except (BrokenPipeError, ConnectionResetError):
            answer = b" 413 "
        assert b" 413 " in answer
    assert service.ask("/health")[0] == 200


def test_health_and_metrics_tell_what_was_done_and_nothing_of_the_texts(service):
    service.ask("/v1/audit", {"report": "# Sehr geheim\n\nText."})
    health = json.loads(service.ask("/health")[1])
    assert (health["status"], health["judges"], health["waiting"]) == ("ok", ["rules", "guess"], 0)
    text = service.ask("/metrics")[1].decode()
    assert "geheim" not in text
    counts = {
        (sample.labels["endpoint"], sample.labels["status"]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "assay_requests_total"
    }
    assert counts["audit", "200"] >= 1


def test_what_cannot_wait_is_refused_and_the_rest_is_answered():
    made = Service("--queue", "2")

    async def storm():
        async with aiohttp.ClientSession() as session:

            async def one():
                async with session.post(f"{made.base}/v1/audit", json={"report": FLAWED * 20}) as reply:
                    return reply.status, reply.headers.get("Retry-After"), len(await reply.read())

            return await asyncio.gather(*(one() for _ in range(12)))

    found = asyncio.run(storm())
    assert {status for status, _, _ in found} == {200, 503}
    assert all(wait == "2" for status, wait, _ in found if status == 503)
    assert made.ask("/v1/audit", {"report": FLAWED})[0] == 200
    assert made.end()[0] == 0


def test_a_killed_worker_costs_one_answer_and_no_more():
    made = Service()
    assert made.ask("/v1/audit", {"report": GOOD})[0] == 200
    subprocess.run(["pkill", "-9", "-P", str(made.process.pid)], check=False)
    time.sleep(0.3)
    statuses = [made.ask("/v1/audit", {"report": GOOD})[0] for _ in range(3)]
    assert statuses[-1] == 200
    assert set(statuses) <= {200, 502}
    assert made.end()[0] == 0


def test_a_token_is_asked_for_and_beyond_loopback_one_is_made():
    made = Service("--token", "a-token-of-some-length")
    assert made.ask("/v1/audit", {"report": GOOD})[0] == 401
    assert (
        made.ask("/v1/audit", {"report": GOOD}, headers={**JSON, "Authorization": "Bearer wrong"})[0] == 401
    )
    right = {**JSON, "Authorization": "Bearer a-token-of-some-length"}
    assert made.ask("/v1/audit", {"report": GOOD}, headers=right)[0] == 200
    assert made.ask("/health")[0] == 200
    assert made.end()[0] == 0
    open_to_all = Service("--host", "0.0.0.0")
    assert open_to_all.ask("/v1/audit", {"report": GOOD})[0] == 401
    assert "Authorization: Bearer" in open_to_all.process.stderr.readline()
    assert open_to_all.end()[0] == 0


def test_calls_are_kept_in_the_ledger_and_not_repeated(tmp_path):
    ledger = tmp_path / "calls.sqlite"
    made = Service("--judge", "direct@scripted/random", "--ledger", str(ledger))
    first = made.ask("/v1/judge", {"report": GOOD, "rubric": "overall"})
    again = made.ask("/v1/judge", {"report": GOOD, "rubric": "overall"})
    assert json.loads(first[1])["scores"] == json.loads(again[1])["scores"]
    assert made.end()[0] == 0
    shown = subprocess.run(
        [sys.executable, "-m", "assay", "log", "list", "--ledger", str(ledger), "--format", "json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "serve" in shown.stdout


def test_a_client_that_is_generated_from_the_document_works(service, tmp_path, monkeypatch):
    document = tmp_path / "openapi.json"
    document.write_bytes(service.ask("/openapi.json")[1])
    assert json.loads(document.read_text("utf-8")) == openapi()
    done = subprocess.run(
        [str(Path(sys.executable).with_name("openapi-python-client")), "generate", "--path", str(document),
         "--meta", "none", "--output-path", str(tmp_path / "assay_client"), "--fail-on-warning"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        # It formats what it writes with ruff.
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.syspath_prepend(tmp_path)
    client = importlib.import_module("assay_client")
    audit = importlib.import_module("assay_client.api.assay.audit")
    request = importlib.import_module("assay_client.models").AuditRequest
    with client.Client(base_url=service.base) as connected:
        answer = audit.sync(client=connected, body=request(report=FLAWED))
    assert [item.code for item in answer.findings] == [
        item.code for item in assay.audit(assay.Report(FLAWED), inline=False).findings
    ]


def test_bad_options_are_told(tmp_path):
    for options, words in (
        (["--token", "short"], "at least 16"),
        (["--judge", "a=rules", "--judge", "a=length"], "two judges"),
        (["--judge", "direkt@openai/gpt-5"], "direct"),
    ):
        done = subprocess.run([sys.executable, "-m", "assay", "serve", *options], capture_output=True, text=True, check=False, timeout=60)  # fmt: skip
        assert done.returncode == 2
        assert words in done.stderr
