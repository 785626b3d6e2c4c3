"""What a report costs to read when it is judged by one criterion at a time: shared prefixes, and tokens computed.

    python benchmarks/prefix_cost.py REPORTS.jsonl CRITERIA.jsonl --references OTHER.jsonl [--server]

REPORTS has rows with ``id``, ``query`` and ``report``, CRITERIA rows with ``id`` and ``criterions`` as DeepResearch Bench
has them; OTHER are reports of the same tasks by another system, for strategies that compare.

Always: of the requests that Assay sends about a report after the first, how many of their characters are a prefix shared
with an earlier one. With ``--server``: how many prompt tokens a llama.cpp server computes for one report of about 2,000
words and 25 criteria, against one independent call for each criterion (the same requests with nothing cached, the first
``--check`` of them really sent).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from assay.judges.model_judge import ModelJudge
from assay.judges.settings import JudgeSettings
from assay.models.base import Model, Reply, Request
from assay.models.registry import open_model
from assay.models.settings import ModelSettings
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scales import load_scale
from assay.runs.ledger import open_ledger
from assay.runs.session import Session
from assay.strategies.registry import find_strategy
from assay.subjects.case import Case
from assay.subjects.report import Report

WORDS = 2000
LOCAL = "local/smollm2-135m"


class Recording:
    """Any model, and every request it was sent with its reply, in order."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.calls: list[tuple[Request, Reply]] = []

    @property
    def id(self) -> str:
        return self.model.id

    async def complete(self, request: Request) -> Reply:
        reply = await self.model.complete(request)
        self.calls.append((request, reply))
        return reply

    async def close(self) -> None:
        await self.model.close()


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def criteria_of(path: Path, *, long: bool) -> dict[int, list[str]]:
    """The criteria of each task, with or without their explanation."""
    return {
        row["id"]: [
            f"{item['criterion']}: {item['explanation']}" if long else item["criterion"]
            for part in row["criterions"].values()
            for item in part
        ]
        for row in rows(path)
    }


def rubric_of(texts: list[str]) -> Rubric:
    criteria = tuple(Criterion(key=f"c{index:02}", asks=text) for index, text in enumerate(texts, 1))
    return Rubric(name="task", criteria=criteria, scale=load_scale("binary"), ask="each")


def prompt(request: Request) -> str:
    """What a server reads, without the marks of its chat template."""
    return "\x1e".join(f"{message.role}\x1f{message.content}" for message in request.messages)


def shared(text: str, earlier: list[str]) -> int:
    """Characters at the beginning that the text has in common with one of the earlier."""
    best = 0
    for other in earlier:
        low, high = best, min(len(text), len(other))
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if text[:middle] == other[:middle] else (low, middle - 1)
        best = max(best, low)
    return best


def shares(texts: list[str]) -> list[tuple[int, int]]:
    """Of each request but the first: characters shared with an earlier one, and all."""
    return [(shared(text, texts[:index]), len(text)) for index, text in enumerate(texts) if index]


async def requests_of(
    strategy: str, item: dict[str, Any], texts: list[str], reference: str | None
) -> list[Request]:
    model = Recording(open_model("scripted/random"))
    judge = ModelJudge(find_strategy(strategy), model, rubric_of(texts))
    report = Report(item["report"], query=item.get("query") or item.get("prompt"), id=str(item["id"]))
    await judge.judge(Case(report, reference=reference))
    return [request for request, _ in model.calls]


def prefix_table(args: argparse.Namespace) -> None:
    references = {row["id"]: row["report"] for row in rows(args.references)} if args.references else {}
    everything = [row for row in rows(args.reports) if row["report"].strip()]
    everything.sort(key=lambda row: abs(len(row["report"].split()) - WORDS))
    print(
        "characters of later requests that are a prefix shared with an earlier request about the same report"
    )
    print(
        f"{'strategy':14}{'criteria':10}{'reports':>8}{'requests':>9}{'characters':>12}{'shared':>9}"
        f"{'median':>9}{'p5':>9}{'least':>9}"
    )
    for strategy in args.strategies.split(","):
        for long in (False, True):
            wanted = criteria_of(args.criteria, long=long)
            found: list[tuple[int, int]] = []
            used = 0
            for item in everything:
                reference = references.get(item["id"])
                if item["id"] not in wanted or (strategy == "comparative" and not reference):
                    continue
                given = reference if strategy == "comparative" else None
                sent = asyncio.run(requests_of(strategy, item, wanted[item["id"]], given))
                found += shares([prompt(request) for request in sent])
                used += 1
                if used == args.count:
                    break
            each = sorted(part / whole for part, whole in found)
            total = sum(part for part, _ in found) / sum(whole for _, whole in found)
            low = each[int(len(each) * 0.05)]
            size = statistics.mean(whole for _, whole in found)
            print(
                f"{strategy:14}{'long' if long else 'short':10}{used:8}{len(found):9}{size:12,.0f}{total:9.2%}"
                f"{statistics.median(each):9.2%}{low:9.2%}{each[0]:9.2%}"
            )


async def computed(args: argparse.Namespace, *, long: bool) -> None:
    """One report and 25 criteria, through a session, at a server with one slot."""
    wanted = criteria_of(args.criteria, long=long)
    item = min(rows(args.reports), key=lambda row: abs(len(row["report"].split()) - WORDS))
    spare = [text for texts in wanted.values() for text in texts]
    texts = list(dict.fromkeys([*wanted[item["id"]], *spare]))[: args.each]
    report = Report(item["report"], query=item.get("query"), id=str(item["id"]))
    with tempfile.TemporaryDirectory() as folder:
        ledger = open_ledger(Path(folder) / "ledger.sqlite")
        overrides = ModelSettings(base_url=os.environ.get("LOCAL_BASE_URL"), concurrency=1)
        sent: list[tuple[Request, Reply]] = []
        async with Session(
            ledger=ledger,
            overrides=overrides,
            on_reply=lambda request, reply, _paid: sent.append((request, reply)),
        ) as session:
            judge = await session.judge(
                f"direct@{LOCAL}", rubric=rubric_of(texts), settings=JudgeSettings(max_tokens=16, retries=0)
            )
            started = time.perf_counter()
            judgment = await judge.judge(Case(report))
            seconds = time.perf_counter() - started
            prompt_tokens = [reply.usage.input_tokens for _, reply in sent]
            fresh = [reply.usage.input_tokens - reply.usage.cached_input_tokens for _, reply in sent]
            print(
                f"\nreport {item['id']}: {len(item['report'].split()):,} words, {len(texts)} criteria"
                f" ({'long' if long else 'short'}, {statistics.mean(map(len, texts)):.0f} characters), {seconds:.0f} s,"
                f" status {judgment.status}"
            )
            print(f"  prompt tokens of all {len(sent)} calls, as independent calls: {sum(prompt_tokens):>9,}")
            print(
                f"  computed: first call {fresh[0]:,}, later ones {statistics.mean(fresh[1:]):.0f} each: {sum(fresh):>9,}"
            )
            print(f"  ratio: 1/{sum(prompt_tokens) / sum(fresh):.1f}")
            cached = sum(reply.usage.cached_input_tokens for _, reply in sent[1:])
            print(f"  cached tokens of later calls: {cached / sum(prompt_tokens[1:]):.1%}")
            if args.check:
                await confirm(sent[: args.check])
        ledger.close()


async def confirm(sent: list[tuple[Request, Reply]]) -> None:
    """Some of the same requests with the server's cache switched off: that independent calls compute their whole prompt."""
    model = open_model(LOCAL, base_url=os.environ.get("LOCAL_BASE_URL"))
    for request, before in sent:
        sampling = msgspec.structs.replace(request.sampling, extra={"cache_prompt": False})
        reply = await model.complete(msgspec.structs.replace(request, sampling=sampling))
        fresh = reply.usage.input_tokens - reply.usage.cached_input_tokens
        print(f"  without the cache: {fresh:,} computed of {before.usage.input_tokens:,}")
    await model.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("reports", type=Path)
    parser.add_argument("criteria", type=Path)
    parser.add_argument("--references", type=Path, help="reports on the same tasks, to compare with")
    parser.add_argument("--strategies", default="direct,brief,comparative")
    parser.add_argument("--count", type=int, default=20, help="reports")
    parser.add_argument("--each", type=int, default=25, help="criteria, at the server")
    parser.add_argument(
        "--server", choices=("short", "long", "both"), help="which criteria to measure at a real server"
    )
    parser.add_argument("--check", type=int, default=1, help="calls repeated without the cache")
    args = parser.parse_args()
    prefix_table(args)
    for long in {"short": [False], "long": [True], "both": [False, True], None: []}[args.server]:
        asyncio.run(computed(args, long=long))


main()
