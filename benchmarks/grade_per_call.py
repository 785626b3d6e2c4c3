"""What many criteria per call save, and whether the verdicts stay the same.

    python benchmarks/grade_per_call.py REPORT RUBRIC --base-url http://localhost:8000/v1 --model vllm/NAME [--per-call 1 25]

Each way of asking is run once by strategy grader at temperature 0, on a report that none of them has seen before (a line
in front of it differs, so that no cache of the server serves two of them). Prompt tokens computed are those the server
says it did not have in its cache. Prints one table; the ratios are what counts, for tokens and seconds are the machine's.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

import msgspec

from assay.judges.grades import gradable, graded
from assay.judges.judgment import Judgment
from assay.judges.settings import JudgeSettings
from assay.models.settings import ModelSettings
from assay.rubrics.loader import load_rubric
from assay.runs.session import Session
from assay.subjects.case import Case
from assay.subjects.report import Report


class Measured(msgspec.Struct):
    """One way of asking."""

    per_call: int
    grade: Judgment
    seconds: float

    @property
    def computed(self) -> int:
        return self.grade.usage.input_tokens - self.grade.usage.cached_input_tokens

    @property
    def verdicts(self) -> list[str | None]:
        return [None if item.verdict is None else str(item.verdict) for item in self.grade.verdicts]


async def measured(args: argparse.Namespace, text: str, per_call: int, number: int) -> Measured:
    rubric = gradable(load_rubric(Path(args.rubric)))
    report = Report(f"(copy {number})\n\n{text}", path=args.report)
    count = min(per_call or len(rubric.criteria), len(rubric.criteria))
    settings = JudgeSettings(per_call=per_call, max_tokens=args.tokens * count)
    overrides = ModelSettings(base_url=args.base_url, timeout=1200.0)
    async with Session(ledger=None, overrides=overrides) as session:
        judge = await session.judge(f"grader@{args.model}", rubric=rubric, settings=settings)
        began = time.monotonic()
        rubric, parts = await judge.answer(Case(report))
        outcome = judge.combine(Case(report), 0, rubric, parts)
        seconds = time.monotonic() - began
    return Measured(per_call, graded(outcome, report, rubric), seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("report")
    parser.add_argument("rubric")
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--per-call", type=int, nargs="+", default=[1, 25])
    parser.add_argument("--chars", type=int, default=1500, help="of the report, from its beginning")
    parser.add_argument("--tokens", type=int, default=160, help="most tokens of a reply, for each criterion")
    args = parser.parse_args()
    text = Path(args.report).read_text("utf-8")[: args.chars]
    found = [
        asyncio.run(measured(args, text, count, number)) for number, count in enumerate(args.per_call, 1)
    ]
    first = found[0]
    print("per call  calls  read  computed  ratio  written  seconds  ratio  verdicts  same as first")
    for item in found:
        usage = item.grade.usage
        both = [
            (a, b)
            for a, b in zip(first.verdicts, item.verdicts, strict=True)
            if a is not None and b is not None
        ]
        same = f"{sum(a == b for a, b in both)} of {len(both)}"
        print(
            f"{item.per_call:8}  {usage.calls:5}  {usage.input_tokens:4}  {item.computed:8}"
            f"  {item.computed / max(1, first.computed):5.2f}  {usage.output_tokens:7}  {item.seconds:7.0f}"
            f"  {item.seconds / first.seconds:5.2f}  {sum(v is not None for v in item.verdicts):3} of"
            f" {len(item.verdicts):2}  {same}"
        )


if __name__ == "__main__":
    main()
