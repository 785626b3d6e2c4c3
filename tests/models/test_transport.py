"""Proxies: which calls go through one."""

import asyncio
import random

import pytest

from assay.models.base import Message, Request
from assay.models.registry import open_model
from assay.models.transport import _proxy
from servers.fault import FaultServer

PROXY = "http://proxy.example:3128"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:11434/v1",
        "http://127.0.0.1:8000/v1",
        "http://127.8.9.1/v1",
        "http://[::1]:8000/v1",
        "http://0.0.0.0:8000/v1",
        "http://judge.localhost/v1",
        "http://gpu.lab.example/v1",
        "http://node7.cluster/v1",
        "http://10.0.0.5:8000/v1",
        "http://port.example:8000/v1",
    ],
)
def test_no_proxy_for_this_machine_and_for_hosts_that_are_named(monkeypatch, url):
    monkeypatch.setenv("HTTP_PROXY", PROXY)
    monkeypatch.setenv("NO_PROXY", "gpu.lab.example, .cluster,10.0.0.5,port.example:8000")
    assert _proxy(url) is None


def test_others_go_through_it(monkeypatch):
    monkeypatch.setenv("http_proxy", PROXY)
    assert _proxy("http://llm.example/v1") == PROXY
    assert _proxy("https://llm.example/v1") is None
    monkeypatch.setenv("https_proxy", "proxy.example:3129")
    assert _proxy("https://llm.example/v1") == "http://proxy.example:3129"
    monkeypatch.setenv("no_proxy", "*")
    assert _proxy("https://llm.example/v1") is None


def ask(base_url):
    async def run():
        model = open_model(f"lab/m{random.random()}", max_attempts=1, environ={"LAB_BASE_URL": base_url})
        try:
            return await model.complete(Request(model=model.id, messages=(Message("user", "Is it so?"),)))
        finally:
            await model.close()

    return asyncio.run(run())


def test_a_server_here_is_reached_although_a_proxy_is_set(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with FaultServer() as server:
        assert ask(server.base_url).text
    assert len(server.bodies) == 1


def test_a_server_elsewhere_is_reached_through_the_proxy(monkeypatch):
    with FaultServer() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url.removesuffix("/v1"))
        assert ask("http://llm.example/v1").text
    assert len(proxy.bodies) == 1
    assert proxy.headers[0]["Host"] == "llm.example"
