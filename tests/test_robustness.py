"""Input that nobody meant to send: each ends with a result or with one line that says why, and with the right code."""

import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay import Report, audit
from assay.checks.base import Context
from assay.checks.registry import all_checks
from assay.checks.runner import run_checks
from assay.cli.main import root

REPORT = "# Pumps\n\nSales grew by 5% in 2021, as the agency said [1].\n\n## References\n\n[1] Agency. https://agency.example/a\n"
ZH = "# 报告\n\n市场增长了百分之五，公司表示增长来自需求。\n" * 5

# What is read, with whatever findings.
READ = {
    "quotes in a line": "> " * 10_000 + "deep\n",
    "quotes over lines": "\n".join("> " * depth + "x" for depth in range(400)),
    "quote signs": ">" * 10_000 + "deep\n",
    "lists in a line": "- " * 10_000 + "deep\n",
    "lists over lines": "\n".join("  " * depth + "- x" for depth in range(400)),
    "brackets": "[" * 10_000 + "a" + "]" * 10_000,
    "open links": "[a](" * 10_000,
    "open images": "![[]" * 10_000,
    "emphasis": "*" * 10_000 + "a" + "*" * 10_000,
    "open emphasis": "*a _b " * 10_000,
    "code spans": " ".join("`" * size for size in range(1, 300)),
    "open tags": "<a " * 10_000,
    "open comments": "<!-- " * 10_000,
    "short rows": "|" + " a |" * 3000 + "\n|" + "---|" * 3000 + "\n" + "|1|\n" * 1000,
    "one combining letter": "a" + "\u0301" * 100_000,
    "digits": "1" * 100_000,
    "dots": "." * 100_000,
    "front matter": "---\ntitle: x\nauthor: y\n---\n",
    "open front matter": "---\ntitle: x\n",
    "code": "```python\nprint(1)\n```\n",
    "open code": "```python\nprint(1)\n",
    "crlf": REPORT.replace("\n", "\r\n"),
    "cr": REPORT.replace("\n", "\r"),
    "byte-order mark": REPORT.encode("utf-8-sig"),
    "utf-16": REPORT.encode("utf-16"),
    "utf-32": REPORT.encode("utf-32"),
    "gb18030": ZH.encode("gb18030"),
    "latin": "# Étude\n\nLe marché a augmenté de 5 % en été, déjà.\n".encode("latin-1"),
}
# What is not, and the words of the line that says so.
REFUSED = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\t\n", "is empty but for white space"),
    "binary": (bytes(range(256)) * 40, "a binary file, not text"),
    "only NUL": (b"\0" * 1000, "a binary file, not text"),
    "a broken byte": (b"# T\n\n\xc3\xbcber text\n\xff\xfe\xe9 bad\n", "not UTF-8"),
    "a lone surrogate": ("# T\n\nbody \ud800 x\n".encode("utf-8", "surrogatepass"), "not UTF-8"),
    "a legacy encoding": ("# Отчёт\n\nРынок вырос.\n".encode("koi8-r"), "not UTF-8"),
}


@pytest.fixture
def assay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*args, **rest):
        return CliRunner().invoke(root, [str(arg) for arg in args], prog_name="assay", **rest)

    return run


def write(name, content):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize("name", READ)
def test_odd_text_gives_a_result(assay, name):
    write("odd.md", READ[name])
    result = assay("audit", "odd.md", "--format", "json", "--fail-on", "never", "--isolated")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    assert json.loads(result.stdout)["schema"] == "assay.audit/2"


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_text_is_refused_in_one_line(assay, name):
    content, words = REFUSED[name]
    write("odd.md", content)
    result = assay("audit", "odd.md", "--isolated")
    assert result.exit_code == 2
    assert result.stderr.startswith("assay: odd.md: ")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["deep.json", "deeper.json"])
def test_json_nested_too_deeply(assay, name):
    write("deep.json", "[" * 100_000 + "]" * 100_000)
    write("deeper.json", '{"a":' * 5000 + "1" + "}" * 5000)
    result = assay("audit", name)
    assert result.exit_code == 2
    assert "nested too deeply" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_broken_row_costs_only_itself_and_is_named_by_its_line(assay):
    rows = [json.dumps({"id": i, "prompt": "Q?", "article": REPORT}) for i in range(5)]
    rows[2] = '{"id": 2, "article": "# cut off'
    rows[3] = "{"
    write("runs.jsonl", "\n".join(rows) + "\n")
    result = assay("audit", "runs.jsonl", "--format", "json", "--fail-on", "never")
    assert [json.loads(line)["report"]["path"] for line in result.stdout.splitlines()] == [
        "runs.jsonl:1",
        "runs.jsonl:2",
        "runs.jsonl:5",
    ]
    first, second = result.stderr.splitlines()
    assert first == "assay: runs.jsonl:3: broken JSON: Unterminated string starting at column 22"
    # The row ends before its line does: no "line 2" of a row that has one.
    assert second.startswith("assay: runs.jsonl:4: broken JSON: ")
    assert second.endswith("at column 2")
    assert result.exit_code == 2


def test_lone_surrogates_in_a_row_become_marks(assay):
    write("runs.jsonl", '{"id":1,"prompt":"q \\ud800","article":"# T \\udfff\\n\\nBody \\ud83d here.\\n"}\n')
    result = assay("audit", "runs.jsonl", "--format", "json", "--fail-on", "never")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["report"]["path"] == "runs.jsonl:1"


def test_packed_files_that_are_cut_or_swell(assay):
    write("ok.md.gz", gzip.compress(REPORT.encode()))
    write("cut.md.gz", gzip.compress(REPORT.encode() * 50)[:-20])
    write("bomb.md.gz", gzip.compress(b"a b c. " * 1_000_000))
    assert assay("audit", "ok.md.gz", "--fail-on", "never").exit_code == 0
    for name, words in (("cut.md.gz", "end-of-stream"), ("bomb.md.gz", "too large")):
        result = assay("audit", name, "--max-bytes", "1M")
        assert result.exit_code == 2
        assert words in result.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_costs_only_itself(assay):
    write("secret.md", REPORT)
    write("open.md", REPORT)
    Path("secret.md").chmod(0)
    result = assay("audit", "secret.md", "open.md", "--format", "json", "--fail-on", "never")
    assert result.exit_code == 2
    assert result.stderr == "assay: secret.md: cannot be read: Permission denied\n"
    assert json.loads(result.stdout)["report"]["path"] == "open.md"


@pytest.mark.parametrize("command", [["audit", "r.md"], ["audit", "."], ["audit", "*.md"], ["logic", "r.md"], ["compare", "r.md", "s.md"]])  # fmt: skip
def test_an_input_is_never_written_over(assay, command):
    write("r.md", REPORT)
    write("s.md", REPORT)
    result = assay(*command, "-o", "./r.md")
    assert result.exit_code == 2
    assert result.stderr == "assay: -o ./r.md is one of the files to read; write somewhere else\n"
    assert Path("r.md").read_text("utf-8") == REPORT


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
@pytest.mark.parametrize("output", [[], ["-o", "/dev/full"]])
def test_a_full_disk_is_no_bug_of_ours(tmp_path, output):
    (tmp_path / "r.md").write_text(REPORT, "utf-8")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        result = subprocess.run(
            [sys.executable, "-c", "from assay.cli.main import main; main()", "audit", "r.md", *output],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False, cwd=tmp_path,
        )  # fmt: skip
    assert result.returncode == 3
    assert result.stderr == "assay: cannot write: No space left on device; what could be written is kept\n"


def test_no_command_shows_help_as_it_is(assay):
    result = assay()
    assert result.exit_code == 2
    assert "\nReports:\n" in result.stderr


def test_a_run_of_one_character_is_one_finding():
    found = run_checks(Report("的" * 10_000), [all_checks()["EXP001"]], Context())
    assert [finding.message for finding in found] == ["“的”连续出现10000次"]


def test_a_text_that_ends_in_a_doubled_word():
    found = run_checks(Report("这是市场的的"), [all_checks()["EXP001"]], Context())
    assert [finding.message for finding in found] == ["“的”连续出现2次"]


# Text in which a check that looks at every other place for each place would take for ever.
MANY = {
    "STR004": lambda n: "There are three reasons:\n\n- a\n- b\n\n" * (n // 2),
    "STR001": lambda n: "".join(
        f"**Figure {i}.** caption\n\nAs Figure {i} shows, x holds.\n\n" for i in range(n // 4)
    ),
    "ASY001": lambda n: "<!-- assay: off -->\n\n<!-- assay: on -->\n\n" * n,
}


def seconds(code, text):
    report = Report(text)
    check = all_checks()[code]
    # What all checks share is made here and not counted.
    run_checks(
        report, [check for check in all_checks().values() if check.code in ("EXP001", "SEC001")], Context()
    )
    best = 9.0
    for _ in range(2):
        began = time.process_time()
        run_checks(report, [check], Context())
        best = min(best, time.process_time() - began)
    return best


@pytest.mark.slow
@pytest.mark.parametrize("code", MANY)
def test_checks_stay_linear_where_it_is_hard(code):
    short, long = (seconds(code, MANY[code](n)) for n in (1500, 12_000))
    # Eight times the text: linear is 8, quadratic 64.
    assert long < 24 * max(short, 0.004)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["comments", "line", "words"])
def test_a_large_text_takes_seconds(kind):
    text = {
        "comments": "<!-- assay: ignore NUM001 -->\nthe the x\n\n" * 20_000,
        "line": "The market grew by 5 percent in 2021 and fell later, as the firm said [1]. " * 14_000,
        "words": "市场增长了百分之五，公司表示。" * 60_000,
    }[kind]
    began = time.process_time()
    audit(Report(text))
    assert time.process_time() - began < 20
