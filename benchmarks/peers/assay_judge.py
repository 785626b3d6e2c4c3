"""Assay: the session and engine behind `assay run`, with the durable ledger."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from common import Work, measured

from assay.judges.settings import JudgeSettings
from assay.models.settings import ModelSettings
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scales import load_scale
from assay.runs.engine import Engine, RunProgress
from assay.runs.ledger import open_ledger
from assay.runs.session import Session
from assay.runs.tasks import JudgmentTask
from assay.subjects.case import Case
from assay.subjects.report import Report


async def run(work: Work) -> int:
    os.environ["OPENAI_API_KEY"] = "none"
    with tempfile.TemporaryDirectory() as folder:
        ledger = open_ledger(Path(folder) / "ledger.sqlite")
        overrides = ModelSettings(base_url=work["base_url"], concurrency=work["concurrency"])
        progress = RunProgress()
        async with Session(ledger=ledger, overrides=overrides) as session:
            tasks = []
            for index, item in enumerate(work["items"]):
                rubric = Rubric(
                    name=f"task-{index}",
                    criteria=tuple(
                        Criterion(key=f"c{i:02}", asks=text) for i, text in enumerate(item["criteria"])
                    ),
                    scale=load_scale("binary"),
                    ask="each",
                )
                judge = await session.judge(
                    "brief@openai/" + work["model"], rubric=rubric, settings=JudgeSettings(max_tokens=400)
                )
                report = Report(item["report"], query=item["query"], id=str(index))
                tasks.append(JudgmentTask(judge, Case(report), judge.key(Case(report))))
            await Engine(ledger, "benchmark", width=session.slots).run(tasks, progress)
        ledger.close()
    assert progress.statuses["ok"] == len(work["items"]), progress.statuses
    return sum(len(item["criteria"]) for item in work["items"])


measured(run)
