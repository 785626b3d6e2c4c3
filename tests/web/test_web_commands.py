"""`assay view` and `assay annotate` from the command line: what they refuse, what they print, and that they end."""

import json
import os
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from test_annotation_project import answer, project_of, reports
from web_rows import judged

import assay
from assay.cli.main import root
from assay.web.annotation.items import pair_items
from assay.web.annotation.project import AnnotationProject


def run(*args):
    return CliRunner().invoke(root, [str(arg) for arg in args], catch_exceptions=False)


def error_of(result):
    return " ".join((result.stderr or result.output).split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["view", "none.sqlite"], "no such file or folder"),
        (["view", "text.txt"], "holds nothing to view"),
        (["annotate"], "--task says what people are to do"),
        (["annotate", "--task", "pairs"], "name reports"),
        (["annotate", "text.txt", "--task", "pairs"], "no two of the reports answer the same question"),
        (["annotate", "text.txt", "--task", "citations"], "--sources names the folder"),
        (["annotate", "text.txt", "--task", "planted"], "is not a benchmark"),
        (["annotate", "--from", "x", "--task", "findings"], "takes findings themselves"),
        (["annotate", "--from", "x", "--where", "colour=red", "--task", "pairs"], "write judge="),
        (["annotate", "text.txt", "--task", "faults", "-o", "run.sqlite"], "write somewhere else"),
        (["annotate", "export", "text.txt"], "cannot be read as a labelling project"),
        (["view", "--key", "short", "--host", "0.0.0.0", "run.sqlite"], "at least 16 characters"),
    ],
)
def test_what_cannot_be_opened_says_why(words, said, tmp_path, monkeypatch, make_run):
    make_run([judged(1)])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("A short text about heat pumps.")
    (tmp_path / "ledger.sqlite").rename(tmp_path / "run.sqlite")
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert said in error_of(result)
    assert not (tmp_path / "labels.sqlite").exists()


def serve(tmp_path, *words):
    process = subprocess.Popen(
        [sys.executable, "-m", "assay", *map(str, words), "--no-browser"], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(Path(assay.__file__).parents[1])},
    )  # fmt: skip
    lines = []
    for line in process.stderr:
        lines.append(line)
        if "Ctrl+C" in line:
            break
    return process, "".join(lines)


def get(link):
    place = urlsplit(link)
    connection = HTTPConnection(place.hostname, place.port, timeout=20)
    connection.request("GET", f"{place.path}?{place.query}")
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply.status, body


@pytest.mark.slow
def test_a_server_says_where_it_is_and_ends(tmp_path, make_run, ledger_path):
    make_run([judged(1)])
    process, text = serve(tmp_path, "view", ledger_path)
    try:
        status, body = get(re.search(r"http://\S+", text)[0])
        assert status == 200
        assert b"first" in body
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        process.stderr.close()


@pytest.mark.slow
def test_a_project_is_made_and_goes_on(tmp_path):
    rows = [
        {"id": "1", "system": name, "query": "Q?", "report": f"# {name}\n\nWords of {name}."}
        for name in "xyz"
    ]
    (tmp_path / "reports.jsonl").write_text("\n".join(map(json.dumps, rows)))
    words = ["reports.jsonl", "--task", "pairs", "--rater", "anna", "--limit", "2", "-o", "p.sqlite"]
    links = []
    for args in (words, ["p.sqlite", "--rater", "ben"]):
        process, text = serve(tmp_path, "annotate", *args)
        try:
            assert "2 items to label" in text
            links.append(re.search(r"http://\S+", text)[0])
            assert get(links[-1])[0] == 303
            assert get(links[-1].partition("?")[0])[0] == 401
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)
            process.stderr.close()
    assert links[0].partition("key=")[2] == links[1].partition("key=")[2], "the owner's link stays"
    project = AnnotationProject(tmp_path / "p.sqlite")
    assert [rater.name for rater in project.raters()] == ["anna", "ben"]


def test_labels_and_texts_are_exported(tmp_path):
    project = project_of(tmp_path, items=pair_items(reports(2)))
    labels, texts = tmp_path / "labels.jsonl", tmp_path / "texts.jsonl"
    assert "nobody has labelled anything" in error_of(run("annotate", "export", project.path))
    answer(project, "anna", "A>B")
    assert run("annotate", "export", project.path, "-o", labels, "--subjects", texts).exit_code == 0
    rows = [json.loads(line) for line in labels.read_text().splitlines()]
    assert {row["subject"] for row in rows} == {
        "texts.jsonl:1 | texts.jsonl:2",
        "texts.jsonl:3 | texts.jsonl:4",
    }
    assert [json.loads(line)["system"] for line in texts.read_text().splitlines()] == ["x", "y", "x", "y"]
    from assay.meta.labels.label_set import read_labels

    cases = read_labels(labels).cases()
    assert [subject.source for subject in cases[0].subjects] == [item.source for item in reports(1)]


def test_the_cases_that_judges_disagree_about_become_items(tmp_path, make_run, ledger_path, monkeypatch):
    from assay.web.annotation.run_cases import run_items
    from assay.web.judgment_index import HeadFilter
    from assay.web.opened import OpenedLedger

    rows = [judged(n, score=float(n), subject=f"r{n // 2}.md", judge=f"m{n % 2}") for n in range(2, 6)]
    rows.append(judged(6, score=3.0, subject="alone.md"))
    made = make_run(rows)
    items = list(run_items(OpenedLedger(str(ledger_path)), made, HeadFilter(disagree=True), pairs=False))
    assert sorted(item.subject for item in items) == ["r1.md", "r2.md"]
    assert items[0].texts[0]["report"].startswith("# Heat pumps")
    assert items[0].query == "Will they spread?"
