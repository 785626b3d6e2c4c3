"""Rows to put into ledgers, and a model that counts how often it is asked."""

from __future__ import annotations

import asyncio
import time

from assay.judges.judgment import Judgment
from assay.models.base import Message, Reply, Request, Sampling, Usage
from assay.runs.records import AnswerRow, CallRow, JudgmentRow, RunRow
from assay.strategies.base import Answer

LEAD = "The report under judgment. " + "Every house on the street has a heat pump. " * 300


def request(number, *, model="test/m", lead=LEAD):
    return Request(
        model=model,
        messages=(
            Message("system", "You judge. " * 20),
            Message("user", f"Criterion {number}: sources. " * 5, lead),
        ),
        sampling=Sampling(max_tokens=100),
        schema={"type": "object", "properties": {"score": {"type": "integer", "enum": [1, 2, 3]}}},
    )


def call(number, *, text=None, at=None, **rest):
    asked = request(number, **rest)
    reply = Reply(text=text or f'{{"score": {number}}}', usage=Usage(1, 100, 80, 10, 0.01))
    return CallRow(key=asked.key(), request=asked, reply=reply, at=time.time() if at is None else at)


def judgment(number, *, status="ok", judge="direct@test/m", calls=(), **rest):
    key = f"{number:032x}"
    scores = {"overall": float(number % 5)} if status == "ok" else None
    made = Judgment(
        f"s{number}", judge, scores=scores, status=status, usage=Usage(1, 100, 80, 10, 0.01), **rest
    )
    row = JudgmentRow(key=key, judge_version="v1", trial=0, judgment=made, tags={"system": "a"}, at=1.0)
    answer = Answer(
        status=status,
        values={"overall": number % 5} if status == "ok" else {},
        calls=tuple(calls),
        reply="raw",
    )
    return row, [AnswerRow(key=f"{key}/0", judgment=key, criteria=("overall",), answer=answer)]


def run_row(name="first", **rest):
    values = {
        "id": f"run-{name}",
        "name": name,
        "status": "running",
        "created": 5.0,
        "plan": {"n": 3},
        "provenance": {},
    }
    return RunRow(**{**values, **rest})


class Counting:
    """Answers after a moment and counts; ``fail`` is raised instead."""

    id = "test/m"

    def __init__(self, seconds=0.01, fail=None):
        self.asked = 0
        self.cancelled = 0
        self.closed = False
        self.seconds = seconds
        self.fail = fail

    async def complete(self, asked):
        self.asked += 1
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.fail is not None:
            raise self.fail
        return Reply(text=f"reply {self.asked} to {asked.key()}", usage=Usage(1, 50, 0, 5, 0.5))

    async def close(self):
        self.closed = True
