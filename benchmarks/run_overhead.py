"""What `assay.run` costs beside the engine alone: the same judgments of a scripted model, made both ways.

    python benchmarks/run_overhead.py [--reports 2000] [--rounds 7]

Both ways begin with new reports, so that nothing is remembered. Time is CPU time of the process. Prints the median of the
rounds, taken in turns, and the overhead per judgment.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import time

from assay import Judge, Report, RunSettings
from assay.judges.judgment import Judgment
from assay.models.scripted import ScriptedModel
from assay.runs.engine import Engine, RunProgress
from assay.runs.running import OpenRun
from assay.runs.session import Session
from assay.runs.tasks import tasks_of
from assay.runs.unbound_judge import bind_judge
from assay.subjects.case import Case


def reports(count: int, words: int) -> list[Report]:
    return [
        Report(
            f"# Report {number}\n\n" + f"Pumps are quiet in case {number}. " * (words // 6), id=str(number)
        )
        for number in range(count)
    ]


def judge() -> Judge:
    return Judge(model=ScriptedModel(lambda _request: '{"score": 3}'), rubric="overall")


async def by_engine(subjects: list[Report]) -> float:
    made: list[Judgment] = []
    async with Session() as session:
        gc.collect()
        began = time.process_time()
        bound = await bind_judge(judge(), session, Case(subjects[0]))
        tasks = (task for subject in subjects for task in tasks_of(bound, Case(subject)))
        engine = Engine(None, "benchmark", width=session.slots)
        await engine.run(tasks, RunProgress(), on_judgment=lambda _task, judgment: made.append(judgment))
        seconds = time.process_time() - began
    assert len(made) == len(subjects)
    return seconds


async def by_run(subjects: list[Report]) -> float:
    async with OpenRun(RunSettings(progress=False)) as opened:
        gc.collect()
        began = time.process_time()
        judgments = await opened.judgments(subjects, judge())
        seconds = time.process_time() - began
    assert len(judgments) == len(subjects)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reports", type=int, default=2000)
    parser.add_argument("--words", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    times: dict[str, list[float]] = {"engine": [], "run": []}
    asyncio.run(by_engine(reports(200, args.words)))  # templates and imports
    for number in range(args.rounds):
        for name, way in (("engine", by_engine), ("run", by_run))[:: 1 if number % 2 else -1]:
            times[name].append(asyncio.run(way(reports(args.reports, args.words))))
    engine, run = (statistics.median(times[name]) for name in ("engine", "run"))
    shares = [b / a - 1 for a, b in zip(times["engine"], times["run"], strict=True)]
    print(f"{args.reports:,} judgments: engine {engine:.3f} s, run {run:.3f} s")
    print(f"overhead {run / engine - 1:+.1%} (rounds {min(shares):+.1%} to {max(shares):+.1%})")
    print(
        f"{1e6 * engine / args.reports:.0f} µs a judgment by the engine, {1e6 * run / args.reports:.0f} by run"
    )


if __name__ == "__main__":
    main()
