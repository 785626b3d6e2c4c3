"""How fast an audit is, against markdown-it-py parsing the same texts in the same run, and how much memory it takes.

    python benchmarks/audit_speed.py [FILE_OR_FOLDER]

A JSON Lines file of reports (``report`` or ``article`` fields), or a folder of such files and of Markdown files; without
it the project's own examples are used, many times over. Times are CPU time. The ratios are what `docs/benchmarks.md` quotes.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt

from assay.audits.audit import audit_stream
from assay.audits.result import Audit
from assay.subjects.report import Report

ROOT = Path(__file__).resolve().parents[1]
Work = list[tuple[str, str | None]]
ZH = "经济增长速度明显加快市场规模持续扩大"
# Texts that nobody means to send, each of the size asked for.
HOSTILE: dict[str, Callable[[int], str]] = {
    "[1] without end": lambda size: "[1]" * (size // 3),
    "(": lambda size: "(" * size,
    "*": lambda size: "*" * size,
    "digits": lambda size: "1234567890" * (size // 10),
    "one word": lambda size: "a" * size,
    "Chinese without marks": lambda size: ZH * (size // len(ZH.encode())),
    "https:// runs": lambda size: "https://" * (size // 8),
    "- [1] lines": lambda size: "- [1] \n" * (size // 7),
    "rows of a table": lambda size: "| a | b |\n|---|---|\n" + "| x | 1.5% |\n" * (size // 13),
    "headings": lambda size: "# a\n" * (size // 4),
    "percentages": lambda size: "3.5% " * (size // 5),
    "one sentence": lambda size: "The market rose by 5% in 2020 [1]. " * (size // 35),
}


def read_work(path: Path) -> Work:
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    found: Work = []
    for file in files:
        if file.suffix == ".jsonl" and ("report" in file.parent.name or "report" in file.name):
            for line in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                found.append((row.get("report") or row["article"], row.get("query") or row.get("prompt")))
        elif file.suffix == ".md" and file.name != "README.md":
            query = file.parent / "query.txt"
            text = query.read_text(encoding="utf-8") if query.exists() else None
            found.append((file.read_text(encoding="utf-8"), text))
    return found


def audit_json(result: Audit) -> bytes:
    return msgspec.json.encode(result.to_dict())


def audits(work: Work, jobs: int = 1) -> int:
    """Audit all reports as the command line does; return their number."""
    return sum(1 for _ in audit_stream((Report(s, query=q) for s, q in work), audit_json, jobs=jobs))


def cpu(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def print_ratio(work: Work, rounds: int = 5) -> None:
    """Time both in turn, pass by pass: each works as it would alone, and a drift of the machine meets both."""
    parser = MarkdownIt("commonmark").enable("table")
    size = sum(len(source.encode()) for source, _ in work) / 1e6
    audits(work[:3])
    pairs = [
        (cpu(lambda: sum(len(parser.parse(source)) for source, _ in work)), cpu(lambda: audits(work)))
        for _ in range(rounds)
    ]
    parse, full = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = statistics.median(full / parse for parse, full in pairs)
    print(f"{len(work)} reports, {size:.1f} MB; medians of {rounds} rounds")
    print(f"markdown-it-py     {parse:7.2f} s  {size / parse:6.2f} MB/s")
    print(f"full JSON audit    {full:7.2f} s  {size / full:6.2f} MB/s   {ratio:.2f} x markdown-it-py")
    parse = full = 0.0
    for source, query in work:
        parse += cpu(lambda source=source: parser.parse(source))  # type: ignore[misc]
        full += cpu(lambda one=(source, query): audits([one]))  # type: ignore[misc]
    print(f"text by text       {full:7.2f} s  {size / full:6.2f} MB/s   {full / parse:.2f} x markdown-it-py")


def print_growth(work: Work) -> None:
    body = "\n\n".join(source for source, _ in work).encode()[:600_000].decode(errors="ignore")
    before = 0.0
    for times in (1, 2, 4, 8):
        took = min(cpu_of("\n\n".join([body] * times)) for _ in range(2))
        growth = f"  {took / before:.2f} x for 2 x the text" if before else ""
        print(f"{times} x a text of 0.6 MB {took:6.2f} s{growth}")
        before = took


def cpu_of(source: str) -> float:
    return cpu(lambda: audits([(source, None)]))


def print_hostile(size: int = 1_000_000) -> None:
    for name, make in HOSTILE.items():
        half, whole = (min(cpu_of(text), cpu_of(text)) for text in (make(size // 2), make(size)))
        factor = memory(make(size))
        print(f"{name:22} {whole:6.2f} s/MB  {whole / half:.2f} x for 2 x the text  {factor:4.0f} x memory")


def memory(source: str) -> float:
    """Return by how much one audit raises the resident memory of a fresh process at its peak, over the text's size."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_grown, (source,)) / len(source.encode())


def _grown(source: str) -> int:
    audits([("# Pumps\n\nSales grew by 5% in 2021 [1].", None)])
    before = _resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    audits([(source, None)])
    return _resident("VmHWM") - before


def _resident(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def print_memory(work: Work) -> None:
    joined = {"all": work, "Chinese": [pair for pair in work if Report(pair[0]).language == "zh"]}
    for name, part in joined.items():
        text = "\n\n".join(source for source, _ in part).encode()[:1_000_000].decode(errors="ignore")
        if not text:
            continue
        tracemalloc.start()
        audits([(text, None)])
        peak = tracemalloc.get_traced_memory()[1] / len(text.encode())
        tracemalloc.stop()
        size = len(text.encode()) / 1e6
        print(
            f"{name} reports, one text of {size:.1f} MB: {memory(text):.0f} x resident, {peak:.0f} x allocated"
        )


def print_jobs(work: Work, rounds: int = 3) -> None:
    rows = work * (1 + 400 // len(work))
    speed: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for jobs, found in speed.items():
            start = time.perf_counter()
            done = audits(rows, jobs)
            found.append(done / (time.perf_counter() - start))
    gain = statistics.median(two / one for one, two in zip(speed[1], speed[2], strict=True))
    print(f"-j 1: {max(speed[1]):.0f} reports/s, -j 2: {max(speed[2]):.0f} reports/s, {gain:.2f} x")


def main() -> None:
    work = read_work(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "examples")
    if len(sys.argv) == 1:
        work *= 40
    print_ratio(work)
    print_growth(work)
    print_memory(work)
    print_jobs(work)
    print_hostile()


if __name__ == "__main__":
    main()
