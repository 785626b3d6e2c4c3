"""``assay sources``: pages fetched once, what could not be had told, citations checked and counted."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from aiohttp import web

PAGE = """<html><head><title>Harbour</title></head><body><article><p>In 2019 the night ferry of Norfield carried 41,300
passengers, the harbour office reports. That was more than in the year before, when it carried 39,000.</p></article></body></html>"""
REPORT = """# Ferries

The night ferry of Norfield carried 41,300 passengers in 2019, the harbour office reports [1]. Prices rose by 12 % [2].

## References

[1] Harbour office: {base}/yearly
[2] Council: {base}/gone
"""


@pytest.fixture
def base():
    """A server on this machine, in a thread of its own."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    place = {}

    async def serve():
        app = web.Application()

        async def yearly(_):
            return web.Response(text=PAGE, content_type="text/html")

        app.router.add_get("/yearly", yearly)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        place["port"] = site._server.sockets[0].getsockname()[1]
        place["runner"] = runner
        ready.set()

    def work():
        loop.run_until_complete(serve())
        loop.run_forever()
        loop.run_until_complete(place["runner"].cleanup())
        loop.close()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield f"http://127.0.0.1:{place['port']}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


def test_fetched_once_and_then_checked(assay, base, tmp_path) -> None:
    report, pages = tmp_path / "report.md", tmp_path / "pages"
    report.write_text(REPORT.format(base=base), "utf-8")
    first = assay("sources", "fetch", report, "-o", pages, "--allow-private", "--delay", "0")
    assert "2 addresses, 2 fetched now, 1 with a text" in first.stdout
    assert "the server answered 404" in first.stdout
    again = assay("sources", "fetch", report, "-o", pages, "--allow-private")
    assert "2 addresses, 0 fetched now" in again.stdout
    found = assay("sources", "check", report, "--sources", pages, "--format", "json")
    data = json.loads(found.stdout)
    assert [item["verdict"] for item in data["citations"]] == ["supports", "not_available"]
    text = assay("sources", "check", report, "--sources", pages).stdout
    assert "1 of 2" in text
    assert "EFFECTIVE CITATIONS" in text
    # The folder is one that audits read.
    audit = json.loads(assay("audit", report, "--sources", pages, "--format", "json").stdout)
    assert "sources" not in {part["topic"] for part in audit["unchecked"]}


def test_nothing_private_is_fetched_unless_it_is_allowed(assay, base, tmp_path) -> None:
    report = tmp_path / "report.md"
    report.write_text(REPORT.format(base=base), "utf-8")
    found = assay("sources", "fetch", report, "-o", tmp_path / "pages", "--format", "json")
    assert {item["outcome"] for item in json.loads(found.stdout)} == {"forbidden"}


def test_a_folder_without_sources_is_told(assay, tmp_path) -> None:
    report = tmp_path / "report.md"
    report.write_text(REPORT.format(base="https://x.example"), "utf-8")
    assert assay("sources", "check", report, "--sources", tmp_path / "none").exit_code == 2


def test_a_report_that_was_written_from_documents_is_checked_against_them(assay, tmp_path) -> None:
    documents, replies = tmp_path / "documents", tmp_path / "replies.jsonl"
    documents.mkdir()
    (documents / "harbour.md").write_text(
        "The harbour office counted 41,300 passengers on the night ferry of Norfield in 2019. That was more than in 2018.",
        "utf-8",
    )
    (documents / "council.md").write_text(
        "The council has spoken of other things than prices, and at length. " * 4, "utf-8"
    )
    text = "# Ferries\n\nThe night ferry of Norfield carried 41,300 passengers in 2019 [harbour]. Prices rose by 12 % [council].\n"
    replies.write_text(json.dumps({"text": text}), "utf-8")
    out = tmp_path / "out.md"
    assay(
        "lab",
        "write",
        "What of it?",
        "--documents",
        documents,
        "--model",
        f"scripted/{replies}",
        "--ledger",
        "none",
        "-o",
        out,
    )
    assert out.read_text("utf-8").endswith("## References\n\n[1] harbour\n[2] council\n")
    found = json.loads(assay("sources", "check", out, "--sources", documents, "--format", "json").stdout)
    assert found["citations"][0]["verdict"] == "supports"
    assert "not_available" not in [item["verdict"] for item in found["citations"]]
