"""A ledger with judgments, answers and calls, served; and a real browser."""

import contextlib

import pytest
from web_rows import run_apart, write_run
from web_server import Client, serving

from assay.runs.ledger import open_ledger
from assay.web.opened import open_items
from assay.web.serving import Address, access_to
from assay.web.view_app import view_app
from present.chromium import CHROMIUM


@pytest.fixture
def ledger_path(tmp_path):
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def make_run(ledger_path):
    def make(rows, **rest):
        async def write():
            with open_ledger(ledger_path) as ledger:
                return await write_run(ledger, rows, **rest)

        return run_apart(write())

    return make


@pytest.fixture
def view():
    """Serve paths; returns a client."""
    with contextlib.ExitStack() as stack:

        def start(*paths, **access):
            items = open_items(map(str, paths))
            port = stack.enter_context(
                serving(lambda port: view_app(items, access_to(Address(), port, **access)))
            )
            return Client(port)

        yield start


@pytest.fixture
def chromium():
    # One for each test: while the driver runs, its event loop is that of this thread, and no other can run there.
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Open a page that notes every complaint of the browser and every request that leaves the server."""
    contexts = []

    def start(width=1280, height=900, *, dark=False, language="en-GB", **rest):
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            locale=language,
            **rest,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.complaints = []
        page.on(
            "console",
            lambda said: page.complaints.append(said.text) if said.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on(
            "dialog", lambda dialog: (page.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss())
        )
        page.on(
            "request",
            lambda request: (
                page.complaints.append(request.url)
                if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:"))
                else None
            ),
        )
        return page

    yield start
    for context in contexts:
        context.close()
