"""How fast an audit is, against markdown-it-py parsing the same text in the same run.

    python benchmarks/audit_speed.py [FOLDER]

FOLDER holds JSON Lines files of reports (``report`` or ``article`` fields), or Markdown files; without it the
project's own examples are used, many times over. Prints one table; the ratios are what `docs/benchmarks.md` quotes.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt

from assay.audits.audit import audit, audit_many
from assay.audits.result import Audit
from assay.subjects.report import Report

ROOT = Path(__file__).resolve().parents[1]


def texts(folder: Path) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".jsonl" and "report" in path.parent.name:
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                found.append((row.get("report") or row["article"], row.get("query") or row.get("prompt")))
        elif path.suffix == ".md" and path.name != "README.md":
            query = path.parent / "query.txt"
            found.append(
                (
                    path.read_text(encoding="utf-8"),
                    query.read_text(encoding="utf-8") if query.exists() else None,
                )
            )
    return found


def audit_json(result: Audit) -> bytes:
    return msgspec.json.encode(result.to_dict())


def json_of(source: str, query: str | None) -> bytes:
    return audit_json(audit(Report(source, query=query)))


def timed(work: list[tuple[str, str | None]], rounds: int = 3) -> tuple[float, float]:
    """Median seconds of markdown-it-py and of a full JSON audit, taken in turn."""
    parser = MarkdownIt("commonmark").enable("table")
    parse: list[float] = []
    full: list[float] = []
    for _ in range(rounds):
        parse.append(0.0)
        full.append(0.0)
        # Text by text, so that a machine whose speed drifts drifts for both alike.
        for source, query in work:
            start = time.process_time()
            parser.parse(source)
            middle = time.process_time()
            json_of(source, query)
            parse[-1] += middle - start
            full[-1] += time.process_time() - middle
    return statistics.median(parse), statistics.median(full)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "examples"
    work = texts(folder)
    if len(sys.argv) == 1:
        work *= 40
    size = sum(len(source.encode()) for source, _ in work) / 1e6
    json_of(*work[0])
    parse, full = timed(work)
    print(f"{len(work)} reports, {size:.1f} MB")
    print(f"markdown-it-py     {parse:7.2f} s  {size / parse:6.2f} MB/s")
    print(f"full JSON audit    {full:7.2f} s  {size / full:6.2f} MB/s   {full / parse:.2f} x markdown-it-py")

    body = "\n\n".join(source for source, _ in work)
    previous = 0.0
    for megabytes in (0.3, 0.6, 1.25, 2.5, 5.0):
        piece = body[: int(megabytes * 1e6 / (len(body.encode()) / len(body)))]
        start = time.process_time()
        json_of(piece, None)
        took = time.process_time() - start
        growth = f"  {took / previous:.2f} x for 2 x the text" if previous else ""
        print(f"one text of {megabytes:4.1f} MB {took:6.2f} s{growth}")
        previous = took

    rows = (work * (1 + 2000 // len(work)))[:2000]
    for jobs in (1, 2):
        start = time.perf_counter()
        done = sum(1 for _ in audit_many((Report(s, query=q) for s, q in rows), audit_json, jobs=jobs))
        took = time.perf_counter() - start
        print(f"-j {jobs}: {done / took:6.0f} reports/s")
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
