"""Time the pages of `assay view` over a ledger of 100,000 judgments, over HTTP.

python benchmarks/view_speed.py [JUDGMENTS]

Prints the time to index the run once, and for each page the median and the slowest of ten requests.
"""

import asyncio
import random
import statistics
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

import uvicorn

from assay.judges.judgment import Judgment, Quote, Verdict
from assay.models.base import Usage
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.runs.ledger import open_ledger
from assay.runs.records import JudgmentRow, new_run
from assay.web.opened import OpenedLedger
from assay.web.serving import Address, access_to, listening
from assay.web.view_app import view_app

JUDGES = [f"direct@lab/model-{number}" for number in range(5)]
SYSTEMS = [f"system-{number}" for number in range(20)]
_REASON = (
    "The report names its sources, and the step from them to the conclusion is stated in most places. " * 2
)


def judgment_row(number: int, rng: random.Random) -> JudgmentRow:
    judge, case = JUDGES[number % len(JUDGES)], number // len(JUDGES)
    system = SYSTEMS[case % len(SYSTEMS)]
    failed = rng.random() < 0.01
    scores = {key: float(rng.randint(1, 5)) for key in DIMENSION_KEYS}
    item = Judgment(
        subject=f"reports/{system}.jsonl:{case}",
        judge=judge,
        rubric="reportlogic",
        scores=None if failed else {**scores, "overall": sum(scores.values()) / len(scores)},
        status="failed" if failed else "ok",
        problem="the model's context is too small for this report" if failed else None,
        rationale=_REASON * 3,
        quotes=(Quote("names its sources", 10, 27),),
        usage=Usage(1, 5000, 0, 400, 0.002),
        verdicts=()
        if failed
        else tuple(
            Verdict(criterion=key, verdict=value, score=value, reasoning=_REASON)
            for key, value in scores.items()
        ),
    )
    key = f"{rng.getrandbits(128):032x}"
    tags = {"id": str(case), "system": system, "judge": judge}
    return JudgmentRow(key=key, judge_version="v1", trial=0, judgment=item, tags=tags, at=1.7e9 + number)


async def fill(path: Path, count: int) -> str:
    rng = random.Random(1)
    with open_ledger(path) as ledger:
        run = new_run("large", {})
        await ledger.start_run(run)
        for start in range(0, count, 2000):
            rows = [judgment_row(number, rng) for number in range(start, min(start + 2000, count))]
            await asyncio.gather(*(ledger.record_judgment(run.id, row) for row in rows))
        await ledger.set_status(run.id, "done")
    return run.id


def serve_in_thread(path: Path) -> tuple[int, object]:
    listener = listening(Address())
    port = listener.getsockname()[1]
    app = view_app([OpenedLedger(str(path))], access_to(Address(), port))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    return port, server


def timed(port: int, address: str) -> tuple[float, bytes]:
    start = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", address)
    reply = connection.getresponse()
    body = reply.read()
    assert reply.status == 200, body[:500]
    return time.perf_counter() - start, body


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.sqlite"
        run = asyncio.run(fill(path, count))
        print(f"{count:,} judgments, {path.stat().st_size / 1e6:,.0f} MB")
        port, server = serve_in_thread(path)
        base = f"/runs/0/{run}"
        cold, _ = timed(port, base)
        indexed, _ = timed(port, f"{base}?status=failed")
        print(f"first page, nothing indexed yet    {1000 * cold:7.0f} ms")
        print(f"first filter, waits for the index  {1000 * indexed:7.0f} ms")
        pages = {
            "first page": "",
            "judge": "?judge=direct%40lab%2Fmodel-3",
            "system and status": "?system=system-7&status=failed",
            "disagreement": "?disagree=1",
            "search": "?search=system-3+jsonl%3A77",
            "search without a match": "?search=zzzz",
            "by score": "?sort=score&down=1",
            "by case": "?sort=subject",
            "one judge by score": "?judge=direct%40lab%2Fmodel-3&sort=score&down=1",
            "by a criterion": "?criterion=local_coherence&sort=value",
        }
        for name, query in pages.items():
            show(name, [timed(port, base + query)[0] for _ in range(10)])
        after = ""
        times = []
        for _ in range(100):
            took, body = timed(port, f"{base}?sort=score&fragment=1{after}")
            times.append(took)
            text = body.decode()
            start = text.rindex('href="') + 6
            query = text[start : text.index('"', start)].replace("&amp;", "&")
            after = "&" + "&".join(
                part for part in query.partition("?")[2].split("&") if part.startswith("after=")
            )
        show("scrolling, 100 pages", times)
        server.should_exit = True


def show(name: str, times: list[float]) -> None:
    print(f"{name:34s} {1000 * statistics.median(times):7.0f} ms, slowest {1000 * max(times):.0f} ms")


if __name__ == "__main__":
    main()
