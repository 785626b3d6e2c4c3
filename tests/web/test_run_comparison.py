"""Two runs, and two audits of the same reports, side by side."""

import csv
import io
import re

import pytest
from web_rows import judged

from assay.audits.audit import audit
from assay.subjects.report import Report
from assay.web.judgment_heads import JudgmentHead
from assay.web.judgment_index import JudgmentIndex
from assay.web.run_comparison import compare_runs


class Made:
    def __init__(self, heads):
        self.all = {head.key: head for head in heads}

    def rows(self):
        return dict.fromkeys(self.all, 1)

    def heads(self, keys=None):
        yield from (self.all[key] for key in sorted(keys or self.all))


def head(
    key, *, subject=None, judge="j", score=None, verdict="", status="ok", mode="score", case="", values=None
):
    return JudgmentHead(
        key=key, row=1, subject=subject or f"s{key}", judge=judge, rubric="r", mode=mode, status=status, verdict=verdict, score=score,
        case=case, values=values or {},
    )  # fmt: skip


def compared(before, after, **chosen):
    index = JudgmentIndex()
    index.refresh("a", Made(before))
    index.refresh("b", Made(after))
    found = compare_runs(index, "a", "b", **chosen)
    index.close()
    return found


def test_regressions_come_first():
    before = [head("1", score=3.0), head("2", score=3.0), head("3", score=3.0), head("4", status="failed"), head("5", score=2.0),
              head("6", verdict="A>B", mode="compare"), head("7", score=1.0), head("8", score=1.0)]  # fmt: skip
    after = [head("1", score=2.5), head("2", score=1.0), head("3", status="unparsed"), head("4", score=2.0), head("5", score=4.0),
             head("6", verdict="A<B", mode="compare"), head("7", score=1.0), head("9", score=1.0)]  # fmt: skip
    found = compared(before, after)
    assert [(item.kind, item.before.key) for item in found.changes] == [
        ("lost", "3"), ("worse", "2"), ("worse", "1"), ("flipped", "6"), ("better", "5"), ("gained", "4"), ("same", "7"),
    ]  # fmt: skip
    assert found.counts == {"lost": 1, "worse": 2, "flipped": 1, "better": 1, "gained": 1, "same": 1}
    assert found.alone == (1, 1)
    assert found.flips.value == 1
    assert found.joined_by == "subject"


def test_any_judge_of_one_run_is_compared_with_any_of_the_other():
    before = [
        head(f"{n}{judge}", subject=f"s{n}", judge=judge, score=float(n)) for n in range(3) for judge in "jk"
    ]
    after = [
        head(f"{n}{judge}", subject=f"s{n}", judge=judge, score=n + 1.0) for n in range(3) for judge in "jm"
    ]
    by_name = compared(before, after)
    assert (by_name.cases, len(by_name.changes), by_name.unpaired) == (3, 3, (["k"], ["m"]))
    found = compared(before, after, chosen=("k", "m"))
    assert {(item.before.judge, item.after.judge) for item in found.changes} == {("k", "m")}
    assert (found.cases, found.counts, found.unpaired) == (3, {"better": 3}, (["j"], ["j"]))
    one_side = compared(before, after, chosen=("", "m"))
    assert (one_side.cases, len(one_side.changes)) == (3, 6)


def test_scores_move_with_intervals_over_subjects():
    before = [
        head(f"{n:02}", subject=f"s{n // 2}", judge=f"j{n % 2}", score=2.0, values={"depth": 1 + n % 2})
        for n in range(20)
    ]
    after = [head(f"{n:02}", subject=f"s{n // 2}", judge=f"j{n % 2}", score=2.5 + (n // 2 % 3) / 10, values={"depth": 1 + n % 2}) for n in range(20)]  # fmt: skip
    whole, depth = compared(before, after).criteria
    assert (whole.name, whole.before) == ("", 2.0)
    assert whole.moved.clusters == 10
    assert whole.moved.low > 0.5
    assert whole.moved.value == pytest.approx(0.59)
    assert (depth.name, depth.moved.value) == ("depth", 0)


def test_other_files_are_joined_by_id_and_other_judges_by_case():
    before = [head(str(n), subject=f"v1.jsonl:{n}", case=str(n), judge="old", score=3.0) for n in range(1, 4)]
    after = [head(str(n), subject=f"v2.jsonl:{n}", case=str(n), judge="new", score=2.0) for n in range(1, 4)]
    found = compared(before, after)
    assert (found.joined_by, found.same_judges) == ("ident", False)
    assert found.counts == {"worse": 3}
    assert compared(before, [head("9", subject="other", score=1.0)]).changes == []


def test_the_page_leads_to_both_sides(make_run, view, ledger_path):
    first = make_run([judged(n, score=3.0, subject=f"r{n}.md") for n in range(1, 6)], name="old")
    second = make_run(
        [judged(n + 100, score=2.0 if n == 1 else 3.0, subject=f"r{n}.md", document="# Another\n\nSales grew by 45%\n") for n in range(1, 6)],
        name="new",
    )  # fmt: skip
    client = view(ledger_path)
    page = client.page(f"/runs/0/{second}?status=ok")
    assert f'<option value="0/{first}">' in page
    address = f"/compare?a=0/{first}&b=0/{second}"
    page = client.page(address)
    assert "5</b> cases in both" in page
    assert page.index("r1.md") < page.index("r2.md")
    assert f"/runs/0/{second}/judgments/{101:032x}" in page
    assert f"/runs/0/{first}/judgments/{1:032x}" in page
    assert "The prompts differ" not in page, "the texts differ, the instructions do not"
    assert len(re.findall(r"/judgments/", client.page(f"{address}&kind=worse"))) == 2
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}&as=csv").text)))
    assert [row["change"] for row in rows] == ["worse", "same", "same", "same", "same"]
    for wrong in ("/compare", "/compare?a=0/x&b=0/y", "/compare?a=9/x&b=9/y"):
        assert client.get(wrong).status == 400


def test_two_nights_of_audits(view, tmp_path):
    def save(name, *texts):
        lines = []
        for number, text in enumerate(texts):
            report = Report(f"# Heat\n\n{text}\n\n" + "Words in a row. " * 60, id=str(number), system="s")
            path = tmp_path / f"{name}{number}.json"
            audit(report).save(path)
            import json

            lines.append(json.dumps(json.loads(path.read_text())))
            path.unlink()
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))

    good, bad = "It is quiet.", "Sales grew from 40 to 58 units, an increase of 63% [1]."
    save("monday", good, bad)
    save("tuesday", bad, bad)
    client = view(tmp_path / "monday.jsonl", tmp_path / "tuesday.jsonl")
    assert "/compare/audits" in client.page("/")
    page = client.page("/compare/audits?earlier=0&later=1")
    assert "reports worse 1" in page
    assert "new</b>" in client.page("/audits/0/to/1/0")
    assert "new</b>" not in client.page("/audits/0/to/1/1")
    assert client.get("/audits/0/to/7").status == 400
    assert client.get("/compare/audits?earlier=x").status == 400


def test_what_is_seen_becomes_a_static_page(make_run, view, ledger_path, tmp_path):
    run = make_run([judged(n, subject=f"<b>r{n}.md") for n in range(1, 6)])
    client = view(ledger_path)
    reply = client.get(f"/runs/0/{run}/judgments.html?search=r3.md")
    assert "attachment" in reply.getheader("content-disposition")
    assert "&lt;b&gt;r3.md" in reply.text
    assert "r4.md" not in reply.text
    assert "<style>" in reply.text
    assert client.get(f"/runs/0/{run}/pairs/{1:032x}").status == 404
