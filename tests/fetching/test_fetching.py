"""Fetching from real servers on this machine, hostile ones included."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import zlib
from contextlib import asynccontextmanager, suppress
from itertools import pairwise

import msgspec
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.fetching.addresses import cited_addresses
from assay.fetching.fetcher import Fetcher, FetchLimits, fetch_all
from assay.fetching.safety import ForbiddenAddressError, checked, is_public
from assay.fetching.snapshots import Snapshot, SnapshotFolder
from assay.fetching.texts import kind_of_content, text_of_content
from assay.subjects.report import Report
from assay.subjects.sources import SourceFolder

LOCAL = FetchLimits(allow_private=True, delay=0.0, timeout=15.0, wire_bytes=200_000, bytes=400_000)
PAGE = """<html><head><title>Ferries of Norfield</title></head><body><nav>Home</nav><article><h1>Ferries</h1>
<p>The night ferry carried 41,300 passengers in 2019, said the harbour office in its yearly report.</p>
<p>In the year before it had carried 39,000 passengers, and fewer in every year before that one.</p></article></body></html>"""


async def page(_):
    return web.Response(text=PAGE, content_type="text/html")


async def endless(request):
    answer = web.StreamResponse(headers={"Content-Type": "text/html"})
    await answer.prepare(request)
    while True:
        await answer.write(b"<p>more</p>" * 1000)


async def drip(request):
    answer = web.StreamResponse(headers={"Content-Type": "text/html"})
    await answer.prepare(request)
    while True:
        await answer.write(b"x")
        await asyncio.sleep(0.2)


async def bomb(_):
    packed = gzip.compress(b"\0" * 200_000_000)
    return web.Response(body=packed, headers={"Content-Type": "text/html", "Content-Encoding": "gzip"})


async def deflated(_):
    return web.Response(
        body=zlib.compress(PAGE.encode()),
        headers={"Content-Type": "text/html", "Content-Encoding": "deflate"},
    )


async def huge(_):
    return web.Response(headers={"Content-Type": "text/html", "Content-Length": "200000000"}, body=b"x")


async def loop(_):
    raise web.HTTPFound("/loop")


async def hop(_):
    raise web.HTTPMovedPermanently("/page")


async def to_file(_):
    raise web.HTTPFound("file:///etc/passwd")


async def picture(_):
    return web.Response(body=b"\x89PNG\r\n\x1a\n" + b"\0" * 64, content_type="image/png")


async def says_html(_):
    return web.Response(body=b"\x89PNG\r\n\x1a\n" + b"\0" * 64, content_type="text/html")


async def pdf(_):
    return web.Response(body=a_pdf(), content_type="application/octet-stream")


async def robots(_):
    return web.Response(text="User-agent: *\nDisallow: /secret\n")


def a_pdf() -> bytes:
    import pypdf
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = pypdf.PdfWriter()
    sheet = writer.add_blank_page(300, 200)
    font = DictionaryObject({
        NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
        NameObject("/BaseFont"): NameObject("/Helvetica"),
    })  # fmt: skip
    fonts = DictionaryObject({NameObject("/F1"): font})
    sheet[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    stream.set_data(b"BT /F1 12 Tf 20 100 Td (The ferry carried 41,300 passengers.) Tj ET")
    sheet[NameObject("/Contents")] = writer._add_object(stream)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


ROUTES = {
    "/page": page, "/endless": endless, "/drip": drip, "/bomb": bomb, "/deflated": deflated, "/huge": huge,
    "/loop": loop, "/hop": hop, "/file": to_file, "/picture": picture, "/says-html": says_html, "/pdf": pdf,
    "/robots.txt": robots, "/secret": page,
}  # fmt: skip


@asynccontextmanager
async def served(**routes):
    app = web.Application()
    asked = []

    async def handle(request):
        asked.append(request.path)
        return await {**ROUTES, **routes}.get(request.path, missing)(request)

    async def missing(_):
        raise web.HTTPNotFound

    app.router.add_route("*", "/{rest:.*}", handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}", asked
    finally:
        await runner.cleanup()


def fetched(path, limits=LOCAL):
    async def run():
        async with served() as (base, _), Fetcher(limits) as fetcher:
            return await fetcher.fetch(base + path)

    return asyncio.run(run())


@pytest.mark.parametrize("path", ["/page", "/hop", "/deflated"])
def test_a_page_is_kept_as_text_with_its_title(path) -> None:
    snapshot, text = fetched(path)
    assert (snapshot.outcome, snapshot.status, snapshot.title) == ("ok", 200, "Ferries of Norfield")
    assert "41,300 passengers" in text
    assert "<p>" not in text
    assert snapshot.final_url.endswith(("/page", "/deflated"))


def test_a_pdf_is_read_whatever_the_server_calls_it() -> None:
    snapshot, text = fetched("/pdf")
    assert snapshot.outcome == "ok"
    assert "41,300" in text


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("/endless", "too_large"), ("/bomb", "too_large"), ("/huge", "too_large"), ("/drip", "timeout"),
        ("/loop", "refused"), ("/missing", "refused"), ("/file", "forbidden"), ("/picture", "no_text"),
        ("/says-html", "no_text"), ("/secret", "robots"),
    ],
)  # fmt: skip
def test_what_a_hostile_or_a_broken_server_does_is_an_outcome(path, outcome) -> None:
    snapshot, text = fetched(path, msgspec.structs.replace(LOCAL, timeout=1.0 if path == "/drip" else 15.0))
    assert (snapshot.outcome, text) == (outcome, None)
    assert snapshot.why


def test_a_server_that_is_not_there_is_an_outcome() -> None:
    async def run():
        async with Fetcher(LOCAL) as fetcher:
            return await fetcher.fetch("http://127.0.0.1:1/x")

    snapshot, _ = asyncio.run(run())
    assert snapshot.outcome == "unreachable"


def test_an_encrypted_connection_to_a_server_without_one_is_an_outcome() -> None:
    async def run():
        async with served() as (base, _), Fetcher(LOCAL) as fetcher:
            return await fetcher.fetch(base.replace("http:", "https:") + "/page")

    assert asyncio.run(run())[0].outcome in ("unreachable", "timeout")


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://localhost/", "http://10.0.0.8/", "http://[::1]/", "http://169.254.169.254/latest",
     "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/", "http://192.168.1.1/", "ftp://example.org/", "file:///etc/passwd",
     "http://user:word@example.org/", "http://example.org:22/", "http://printer.local/", "http://2130706433/", "http://0x7f.1/", "http://127.1/", "gopher://x/", "http://"],
)  # fmt: skip
def test_no_request_goes_to_a_private_place(url) -> None:
    with pytest.raises(ForbiddenAddressError):
        checked(url)


@pytest.mark.parametrize("name", ["127.0.0.1.nip.example", "localtest.example"])
def test_a_name_for_a_private_place_is_refused_when_it_is_resolved(name, monkeypatch) -> None:
    async def resolve(_self, host, port=0, family=0):
        return [
            {"hostname": host, "host": "127.0.0.1", "port": port, "family": family, "proto": 0, "flags": 0}
        ]

    monkeypatch.setattr("aiohttp.resolver.ThreadedResolver.resolve", resolve)

    async def run():
        async with Fetcher(msgspec.structs.replace(LOCAL, allow_private=False)) as fetcher:
            return await fetcher.fetch(f"http://{name}/")

    assert asyncio.run(run())[0].outcome == "forbidden"


def test_a_redirect_to_a_private_place_is_not_followed(monkeypatch) -> None:
    import assay.fetching.fetcher as module

    real = module.checked
    seen = []

    def only_the_first(url, *, allow_private):
        seen.append(url)
        return real(url, allow_private=len(seen) == 1)

    monkeypatch.setattr(module, "checked", only_the_first)
    assert fetched("/hop")[0].outcome == "forbidden"


@given(st.ip_addresses())
def test_public_is_what_the_registries_call_global(address) -> None:
    assert is_public(str(address)) <= (
        not address.is_private and not address.is_loopback and not address.is_link_local
    )


@given(
    st.binary(max_size=300), st.sampled_from(["", "text/html", "text/plain", "application/pdf", "image/png"])
)
def test_any_bytes_have_a_kind_and_a_text_or_a_reason(content, declared) -> None:
    kind = kind_of_content(content, declared)
    if kind != "other":
        with suppress(ValueError):
            assert isinstance(text_of_content(content, kind, None)[0], str)


def test_a_host_is_asked_in_turn_and_with_pauses() -> None:
    times, most = [], []
    open_now = 0

    async def slow(_):
        nonlocal open_now
        open_now += 1
        most.append(open_now)
        times.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.12)
        open_now -= 1
        return web.Response(text=PAGE, content_type="text/html")

    async def run():
        async with served(**{f"/p{n}": slow for n in range(5)}) as (base, asked):
            got = []
            limits = msgspec.structs.replace(LOCAL, delay=0.05, per_host=2)
            await fetch_all([f"{base}/p{n}" for n in range(5)], limits, done=lambda item, _: got.append(item))
            return got, asked

    got, asked = asyncio.run(run())
    assert [item.outcome for item in got] == ["ok"] * 5
    assert asked.count("/robots.txt") == 1
    assert max(most) <= 2
    assert all(later - earlier >= 0.045 for earlier, later in pairwise(times))


def test_a_folder_of_snapshots_is_one_that_audits_read(tmp_path) -> None:
    folder = SnapshotFolder(tmp_path / "pages")
    folder.put(Snapshot(url="https://a.example/x?utm_source=q", outcome="ok"), "The ferry carried 41,300.")
    folder.put(Snapshot(url="https://b.example/", outcome="refused", why="404"), None)
    assert (
        SourceFolder(tmp_path / "pages").text(None, "http://www.a.example/x") == "The ferry carried 41,300."
    )
    again = SnapshotFolder(tmp_path / "pages")
    assert again.get("a.example/x").outcome == "ok"
    assert again.get("https://b.example").why == "404"


def test_a_line_cut_off_by_a_kill_is_passed_over_and_a_broken_one_is_told(tmp_path) -> None:
    folder = SnapshotFolder(tmp_path)
    folder.put(Snapshot(url="https://a.example/", outcome="ok"), "x")
    index = tmp_path / "sources.jsonl"
    index.write_bytes(index.read_bytes() + b'{"url": "https://b.exa')
    assert len(list(SnapshotFolder(tmp_path))) == 1
    index.write_bytes(b"broken\n" + index.read_bytes())
    with pytest.raises(InputError, match="not a snapshot"):
        SnapshotFolder(tmp_path)


def test_addresses_of_a_report_are_taken_once() -> None:
    report = Report(
        "# F\n\nIt carried 41,300 [1], as [the office](https://a.example/x#part) says.\n\n## References\n\n"
        "[1] Harbour office: http://www.a.example/x\n[2] Count: https://b.example/y\n"
    )
    assert sorted(cited_addresses([report, report])) == ["a.example/x", "b.example/y"]


def test_snapshots_are_written_in_the_contract(tmp_path) -> None:
    folder = SnapshotFolder(tmp_path)
    folder.put(Snapshot(url="https://a.example/", outcome="ok", status=200), "x")
    (row,) = [json.loads(line) for line in (tmp_path / "sources.jsonl").read_text("utf-8").splitlines()]
    assert row["schema"] == "assay.snapshot/1"


def test_rules_of_a_site_are_found_behind_a_redirect() -> None:
    async def moved(_):
        return web.Response(status=301, headers={"Location": "/rules.txt"})

    async def run():
        async with served(**{"/robots.txt": moved, "/rules.txt": robots, "/secret": page}) as (base, asked):
            async with Fetcher(LOCAL) as fetcher:
                snapshot, _ = await fetcher.fetch(f"{base}/secret")
            return snapshot, asked

    snapshot, asked = asyncio.run(run())
    assert snapshot.outcome == "robots"
    assert "/secret" not in asked


@pytest.mark.parametrize("address", ["64:ff9b::7f00:1", "::7f00:1", "::a00:1", "192.0.0.8", "64:ff9b:1::1"])
def test_an_address_that_leads_to_a_private_one_is_not_public(address) -> None:
    assert not is_public(address)


def test_an_address_that_wraps_a_public_one_is_public() -> None:
    assert is_public("64:ff9b::808:808")
