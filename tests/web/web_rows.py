"""Judgments with an answer and a call, to be put into a ledger."""

import asyncio
import threading

from assay.judges.judgment import Judgment, Quote, Verdict
from assay.models.base import Message, Reply, Request, Usage
from assay.runs.records import AnswerRow, CallRow, JudgmentRow, new_run
from assay.strategies.base import Answer
from assay.strategies.prompts import fence

REPORT = "# Heat pumps\n\nSales grew by 45% in *one* year. They are quiet.\n\nSo they will spread.\n"


def prompt(document, *, question="Will they spread?"):
    lead = f"The question that was asked:\n{fence('QUESTION', question)}\n\nReport, to be judged:\n{fence('REPORT', document)}\n\n"
    return (Message("system", "You judge."), Message("user", "Score it.", lead))


def judged(
    number,
    *,
    judge="direct@lab/m",
    document=REPORT,
    quote="Sales grew by 45%",
    status="ok",
    score=3.0,
    subject=None,
):
    """A judgment with one answer and its call."""
    request = Request(model="lab/m", messages=prompt(document), draw=number)
    usage = Usage(1, 900, 0, 40, 0.01)
    text = f'{{"score": {score}, "quote": "{quote}"}}'
    call = CallRow(
        key=request.key(),
        request=request,
        reply=Reply(text=text, usage=usage, attempts=2, seconds=1.5),
        at=5.0,
    )
    key = f"{number:032x}"
    at = document.find(quote)
    quotes = (Quote(quote, at if at >= 0 else None, at + len(quote) if at >= 0 else None),)
    item = Judgment(
        subject or f"reports/r{number}.md", judge, rubric="logic",
        scores={"overall": score, "evidence": score} if status == "ok" else None, status=status,
        problem=None if status == "ok" else "no JSON in the reply", quotes=quotes, usage=usage,
        verdicts=(Verdict(criterion="evidence", text="Is there evidence?", verdict=score, score=score, quotes=quotes, reasoning="It gives a figure."),) if status == "ok" else (),
    )  # fmt: skip
    answer = Answer(status=status, values={"evidence": score}, calls=(call.key,), reply=text, usage=usage)
    row = JudgmentRow(
        key=key, judge_version="v1", trial=0, judgment=item, tags={"judge": judge, "system": f"s{number % 2}"}, at=float(number)
    )  # fmt: skip
    return call, row, AnswerRow(key=f"{key}/0", judgment=key, criteria=("evidence",), answer=answer)


async def write_run(ledger, rows, *, name="first", status="done", plan=None):
    run = new_run(name, plan or {})
    await ledger.start_run(run)
    for call, row, answer in rows:
        await ledger.record_call(call)
        await ledger.record_judgment(run.id, row, [answer])
    await ledger.set_status(run.id, status)
    return run.id


def run_apart(coroutine):
    """Run a coroutine in a thread of its own, since the browser's driver has a loop in this one."""
    found = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(coroutine)))
    thread.start()
    thread.join()
    return found[0]
