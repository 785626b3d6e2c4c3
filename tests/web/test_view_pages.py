"""The pages of `assay view`, over HTTP: from a run down to a prompt, and everything else that can be opened."""

import csv
import io
import json
import re

import pytest
from web_rows import judged

from assay.audits.audit import audit
from assay.errors import InputError
from assay.meta.benchmark import Benchmark
from assay.subjects.report import Report
from assay.web.opened import open_items


def rows_of(page):
    return re.findall(r'<tr data-key="(\w+)"', page)


@pytest.fixture
def client(make_run, view, ledger_path):
    rows = [
        judged(n, score=float(n % 5), judge=f"direct@lab/m{n % 2}", subject=f"r{n // 2}.md")
        for n in range(1, 121)
    ]
    rows.append(judged(900, status="unparsed", quote="not there"))
    make_run(rows)
    client = view(ledger_path)
    client.run = re.search(r'href="(/runs/0/[^"]+)"', client.page("/"))[1]
    client.page(f"{client.run}?status=ok")  # the index is there
    return client


def test_the_list_of_runs_says_what_is_missing(client):
    page = client.page("/")
    assert ">first</a>" in page
    assert "121" in page
    assert '<span class="tone error">1</span>' in page


def test_a_table_goes_on_without_end(client):
    seen, address = [], client.run
    while address:
        page = client.page(address)
        seen += rows_of(page)
        found = re.search(r'<tr class="more"><td colspan="7"><a href="([^"]+)"', page)
        address = found and found[1].replace("&amp;", "&")
    assert len(seen) == len(set(seen)) == 121


def test_filters_and_orders_are_the_servers(client):
    assert rows_of(client.page(f"{client.run}?status=unparsed")) == [f"{900:032x}"]
    assert len(rows_of(client.page(f"{client.run}?search=r7.md"))) == 2
    best = client.page(f"{client.run}?sort=score&down=1")
    assert rows_of(best)[0] in {f"{n:032x}" for n in range(4, 121, 5)}
    none = client.page(f"{client.run}?search=nowhere")
    assert "No judgment fits." in none
    assert "0 of 121" in none
    assert client.get(f"{client.run}?sort=nothing").status == 400
    assert client.get(f"{client.run}?after=nothing").status == 400
    assert client.get(f"{client.run}?judge={'x' * 900}").status == 400


def test_disagreement_is_found(client):
    page = client.page(f"{client.run}?disagree=1")
    assert rows_of(page)
    assert "only disagreement" in page
    assert "checked" in page


def test_a_judgment_leads_to_its_calls_and_shows_its_quotes(client):
    page = client.page(f"{client.run}/judgments/{3:032x}")
    assert '<mark class="info" data-f="0">Sales grew by 45%</mark>' in page
    assert "It gives a figure." in page
    assert "2 attempts" in page
    assert "Will they spread?" in page
    address = re.search(rf'href="({client.run}/calls/\w+)"', page)[1]
    call = client.page(address)
    assert "&lt;&lt;REPORT" in call
    assert "# Heat pumps" in call
    assert "You judge." in call
    assert "&#34;score&#34;: 3.0" in call


def test_a_quote_that_is_not_in_the_text_says_so(client):
    page = client.page(f"{client.run}/judgments/{900:032x}")
    assert "not in the text" in page
    assert "no JSON in the reply" in page


def test_neighbours_are_those_of_the_table(client):
    page = client.page(f"{client.run}?sort=at")
    first, second, *_ = rows_of(page)
    shown = client.page(f"{client.run}/judgments/{first}?sort=at")
    assert f'rel="next" href="{client.run}/judgments/{second}?sort=at"' in shown
    assert 'rel="prev"' not in shown


def test_the_export_is_what_is_seen(client):
    reply = client.get(f"{client.run}/judgments.csv?status=ok")
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert len(rows) == 120
    assert {row["judge"] for row in rows} == {"direct@lab/m0", "direct@lab/m1"}
    assert "attachment" in reply.getheader("content-disposition")


def test_unknown_addresses_say_so(client):
    for path in ("/nothing", f"{client.run}/judgments/none", f"{client.run}/calls/none"):
        reply = client.get(path)
        assert reply.status == 404
        assert "There is nothing at this address" in reply.text


def test_cells_are_no_formulas(make_run, view, ledger_path):
    run = make_run([judged(1, subject="=HYPERLINK(1)")])
    assert "'=HYPERLINK(1)" in view(ledger_path).get(f"/runs/0/{run}/judgments.csv").text


def test_new_judgments_of_a_run_appear(make_run, view, ledger_path):
    import asyncio

    from web_rows import write_run

    from assay.runs.ledger import open_ledger

    async def grow():
        with open_ledger(ledger_path) as ledger:
            run = await write_run(
                ledger, [judged(1)], status="running", plan={"judgments": [{"judge": "j", "planned": 5}]}
            )
            client = view(ledger_path)
            assert len(rows_of(await asyncio.to_thread(client.page, f"/runs/0/{run}?status=ok"))) == 1
            for number in (2, 3):
                call, row, answer = judged(number)
                await ledger.record_call(call)
                await ledger.record_judgment(run, row, [answer])
            await asyncio.sleep(1.1)
            page = await asyncio.to_thread(client.page, f"/runs/0/{run}?status=ok")
            await ledger.set_status(run, "done")
            events = await asyncio.to_thread(client.get, f"/runs/0/{run}/events")
            return page, events.text

    page, events = asyncio.run(grow())
    await_rows = rows_of(page)
    assert len(await_rows) in (1, 3)  # the index follows in the background
    state = json.loads(events.partition("data: ")[2].partition("\n")[0])
    assert (state["done"], state["planned"], state["live"]) == (3, 5, False)


def test_audits_benchmarks_and_pages_are_opened(view, tmp_path, examples):
    report = tmp_path / "report.md"
    report.write_text(
        "# Heat\n\nSales grew from 40 to 58 units, an increase of 63% [1].\n\n" + "Words in a row. " * 60
    )
    found = audit(Report(report.read_text(), path="report.md"))
    found.save(tmp_path / "audits.json")
    Benchmark.build([*examples.glob("heat-pumps/*.md")], per_type=1).save(tmp_path / "bench")
    (tmp_path / "old.html").write_text(
        "<!doctype html><p>an older page</p><script>document.title = 'ran'</script>"
    )
    client = view(tmp_path)
    home = client.page("/")
    audits, bench, old = (
        re.search(rf'href="(/{kind}/\d+)"', home)[1] for kind in ("audits", "benchmarks", "pages")
    )
    assert f'href="{audits}/0"' in client.page(audits)
    page = client.page(f"{audits}/0")
    assert "<mark" in page, "the text is read again"
    assert f'class="brand" href="{audits}"' in page
    assert "<ins>" in client.page(bench)
    framed = client.page(old)
    assert f'<iframe src="{old}/old.html"' in framed
    policy = client.get(f"{old}/old.html").getheader("content-security-policy")
    assert "sandbox" in policy
    assert "script-src 'sha256-" in policy


def test_a_changed_report_is_not_marked(view, tmp_path):
    report = tmp_path / "report.md"
    report.write_text(
        "# Heat\n\nSales grew from 40 to 58 units, an increase of 63% [1].\n\n" + "Words in a row. " * 60
    )
    audit(Report(report.read_text(), path="report.md")).save(tmp_path / "audits.json")
    report.write_text("# Short\n")
    assert "<mark" not in view(tmp_path / "audits.json").page("/audits/0/0").partition("</header>")[2]


def test_an_audit_cannot_name_a_file_elsewhere(view, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text(
        "# Heat\n\nSales grew from 40 to 58 units, an increase of 63% [1]. Secret.\n\n"
        + "Words in a row. " * 60
    )
    inside = tmp_path / "inside"
    inside.mkdir()
    for name in ("../secret.md", str(secret)):
        audit(Report(secret.read_text(), path=name)).save(inside / "audits.json")
        assert "Secret." not in view(inside).page("/audits/0/0")


@pytest.mark.parametrize("name", ["empty", "text.txt", "other.json", "none"])
def test_what_holds_nothing_is_refused(tmp_path, name):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("words")
    (tmp_path / "other.json").write_text('{"a": 1}')
    with pytest.raises(InputError, match=r"nothing to view|no such file"):
        open_items([str(tmp_path / name)])


def test_judgments_of_a_file_are_a_table_too(view, tmp_path):
    lines = [json.dumps(judged(n)[1].judgment.to_dict()) for n in range(1, 4)]
    path = tmp_path / "judgments.jsonl"
    path.write_text("\n".join(lines))
    client = view(path)
    page = client.page("/runs/0/judgments?status=ok")
    assert len(rows_of(page)) == 3
    assert "no text of this case" in client.page("/runs/0/judgments/judgments/0000001")
