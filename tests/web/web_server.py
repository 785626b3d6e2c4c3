"""A real server in a thread, and a client that speaks to it over a socket."""

import contextlib
import json
import threading
import time
from http.client import HTTPConnection

import uvicorn

from assay.web.serving import Address, listening


@contextlib.contextmanager
def serving(make_app, *, host="127.0.0.1", port=0):
    """Serve ``make_app(port)``; yields the port."""
    listener = listening(Address(host=host, port=port))
    port = listener.getsockname()[1]
    config = uvicorn.Config(
        make_app(port), log_level="error", access_log=False, timeout_graceful_shutdown=1, lifespan="on"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started and time.monotonic() < until:
        time.sleep(0.01)
    assert server.started
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


class Client:
    """One visitor with cookies."""

    def __init__(self, port):
        self.port = port
        self.cookies = {}
        self.form_key = ""

    def ask(self, method, path, *, body=None, headers=None, host=None):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        given = {"Host": host or f"127.0.0.1:{self.port}", **(headers or {})}
        if self.cookies:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if isinstance(body, dict):
            body = json.dumps(body)
            given.setdefault("Content-Type", "application/json")
        connection.request(method, path, body=body, headers=given)
        reply = connection.getresponse()
        text = reply.read().decode()
        for name, value in reply.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        connection.close()
        reply.text = text
        return reply

    def get(self, path, **rest):
        return self.ask("GET", path, **rest)

    def page(self, path):
        reply = self.get(path)
        while reply.status == 303:
            reply = self.get(reply.getheader("location"))
        assert reply.status == 200, reply.text[:2000]
        marker = 'name="form-key" content="'
        if marker in reply.text:
            self.form_key = reply.text.partition(marker)[2].partition('"')[0]
        return reply.text

    def post(self, path, body, **headers):
        return self.ask("POST", path, body=body, headers={"X-Assay-Form": self.form_key, **headers})


def until(page, expression, seconds=10.0):
    """Wait until an expression holds in a page, whose policy allows no function made from a text."""
    end = time.monotonic() + seconds

    def holds():
        try:
            return page.evaluate(expression)
        except Exception:  # noqa: BLE001 - the page is just being left
            return False

    while not holds():
        assert time.monotonic() < end, f"{expression} never held; {page.url}"
        page.wait_for_timeout(30)
