"""What a judgment costs the client: Assay with its durable ledger against peers, in one run, on the same reports.

    python benchmarks/judge_overhead.py REPORTS.jsonl CRITERIA.jsonl [--peers PYTHON] [--rounds 3]

REPORTS has rows with ``id``, ``query`` and ``report``, CRITERIA rows with ``id`` and ``criterions`` as DeepResearch Bench
has them. PYTHON is an interpreter with the packages rubric and autorubric; without it only Assay and the bare loop run.
A mock server answers each call after a fixed latency. Figures are medians over rounds, contenders taking turns.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
CONTENDERS = {
    "bare aiohttp": ("bare_aiohttp.py", False),
    "assay": ("assay_judge.py", False),
    "rubric": ("rubric_judge.py", True),
    "autorubric": ("autorubric_judge.py", True),
}


def items(reports: Path, criteria: Path, count: int, each: int) -> list[dict]:
    """Reports nearest to 2,000 words with their own criteria."""
    wanted = {}
    for line in criteria.read_text("utf-8").splitlines():
        row = json.loads(line)
        texts = [
            f"{item['criterion']}: {item['explanation']}"
            for part in row["criterions"].values()
            for item in part
        ]
        wanted[row["id"]] = texts
    rows = [json.loads(line) for line in reports.read_text("utf-8").splitlines()]
    rows = [row for row in rows if len(wanted.get(row["id"], ())) >= 1]
    rows.sort(key=lambda row: abs(len(row["report"].split()) - 2000))
    spare = [text for texts in wanted.values() for text in texts]
    found = []
    for row in rows[:count]:
        # Where a task has fewer, those of others fill up: every call is one of its own.
        texts = wanted[row["id"]][:each]
        texts += [text for text in spare if text not in texts][: each - len(texts)]
        found.append({"query": row["query"], "report": row["report"], "criteria": texts})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("reports", type=Path)
    parser.add_argument("criteria", type=Path)
    parser.add_argument("--peers", help="an interpreter with rubric and autorubric")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--concurrency", type=int, default=128)
    options = parser.parse_args()
    work = items(options.reports, options.criteria, 20, 25)
    calls = sum(len(item["criteria"]) for item in work)
    results: dict[str, list[dict]] = {}
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, str(HERE / "mock_server.py"), "--latency", str(options.latency), "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            base_url = json.loads(server.stdout.readline())["base_url"]
            plan = Path(folder) / "work.json"
            plan.write_text(
                json.dumps(
                    {
                        "base_url": base_url,
                        "model": "mock-model",
                        "concurrency": options.concurrency,
                        "items": work,
                    }
                ),
                "utf-8",
            )
            for _ in range(options.rounds):
                for name, (script, peer) in CONTENDERS.items():
                    if peer and not options.peers:
                        continue
                    python = options.peers if peer else sys.executable
                    done = subprocess.run(
                        [python, str(HERE / "peers" / script), str(plan)],
                        capture_output=True,
                        text=True,
                        check=False,
                    )
                    if done.returncode:
                        raise SystemExit(f"{name}: {done.stderr[-2000:]}")
                    results.setdefault(name, []).append(json.loads(done.stdout.splitlines()[-1]))
        finally:
            server.terminate()
    ideal = options.latency * calls / options.concurrency
    print(
        f"{calls} judgments, {options.latency} s latency, {options.concurrency} at a time, ideal {ideal:.2f} s"
    )
    print(
        f"{'':14}{'CPU ms/judgment':>18}{'wall s':>9}{'wall/ideal':>12}{'start-up CPU s':>16}{'peak MB':>9}"
    )
    for name, rows in results.items():
        cpu = statistics.median(row["cpu"] / row["judgments"] for row in rows) * 1000
        wall = statistics.median(row["wall"] for row in rows)
        start = statistics.median(row["startup_cpu"] for row in rows)
        peak = max(row["peak_mb"] for row in rows)
        print(f"{name:14}{cpu:18.2f}{wall:9.2f}{wall / ideal:12.2f}{start:16.2f}{peak:9.0f}")
    if "rubric" in results:
        ours = statistics.median(row["cpu"] / row["judgments"] for row in results["assay"])
        for name in ("rubric", "autorubric"):
            theirs = statistics.median(row["cpu"] / row["judgments"] for row in results[name])
            print(f"judgments per CPU second, assay against {name}: {theirs / ours:.1f} x")


if __name__ == "__main__":
    main()
