"""What only a real process shows: exit codes, signals, pipes, and how fast help comes."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from .conftest import BAD, GOOD

ASSAY = [sys.executable, "-c", "from assay.cli.main import main; main()"]


def run(*args, **rest):
    return subprocess.run([*ASSAY, *args], capture_output=True, text=True, timeout=60, check=False, **rest)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["audit", "good.md"], 0),
        (["audit", "bad.md"], 1),
        (["audit", "nope.md"], 2),
        (["nope"], 2),
        (["--version"], 0),
    ],
)
def test_exit_codes(good, bad, args, code):
    result = run(*args)
    assert result.returncode == code
    assert "Traceback" not in result.stderr


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom assay.cli.main import root\n"
        "try:\n    root.main(['--help'], prog_name='assay')\nexcept SystemExit:\n    pass\n"
        "heavy = {'msgspec', 'markdown_it', 'rich', 'jinja2', 'nh3', 'assay.checks', 'assay.subjects', 'multiprocessing'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stderr == "[]\n"


def test_a_reader_that_leaves_is_no_error(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps({"id": i, "prompt": "q", "article": BAD}) + "\n" for i in range(300)))
    process = subprocess.Popen(
        [*ASSAY, "audit", str(path), "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 141


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_keeps_what_is_finished(tmp_path):
    path, out = tmp_path / "runs.jsonl", tmp_path / "out.sarif"
    path.write_text(
        "".join(json.dumps({"id": i, "prompt": "q", "article": BAD}) + "\n" for i in range(20_000))
    )
    process = subprocess.Popen(
        [*ASSAY, "audit", str(path), "--format", "sarif", "-o", str(out)], stderr=subprocess.PIPE, text=True
    )
    for _ in range(300):
        if out.exists() and out.stat().st_size > 200_000:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert error.strip() == "assay: interrupted; what was finished is kept"
    assert len(json.loads(out.read_text("utf-8"))["runs"][0]["results"]) > 10


def test_a_narrow_terminal_encoding_does_not_end_the_run(bad):
    bad.write_text(BAD.replace("Sites by", "热泵 by") + "\n热泵热泵 leaves 112% 热泵。\n", "utf-8")
    result = run("audit", "bad.md", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert result.returncode == 1
    assert result.stderr == ""
    assert "NUM009" in result.stdout


def test_no_color_is_respected_on_a_terminal(bad):
    pty = pytest.importorskip("pty")

    def on_terminal(**extra):
        leader, follower = pty.openpty()
        env = {**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **extra}
        process = subprocess.Popen([*ASSAY, "audit", "bad.md"], stdout=follower, stderr=follower, env=env)
        os.close(follower)
        shown = b""
        while True:
            try:
                chunk = os.read(leader, 65536)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk
        process.wait(timeout=60)
        os.close(leader)
        return shown

    assert b"\x1b[1;31m" in on_terminal()
    assert b"\x1b[" not in on_terminal(NO_COLOR="1")
    assert b"\x1b[" not in on_terminal(TERM="dumb")


def test_a_stream_from_a_pipe():
    rows = "".join(json.dumps({"id": i, "prompt": "q", "article": GOOD}) + "\n" for i in range(3))
    result = run("audit", "-", "--format", "json", input=rows)
    assert result.returncode == 0
    assert len(result.stdout.splitlines()) == 3
