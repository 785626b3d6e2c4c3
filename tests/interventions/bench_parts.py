"""Small subjects and operators for tests of what is built of them."""

from __future__ import annotations

from random import Random

from assay.interventions.applying import raw_step
from assay.interventions.base import (
    Edit,
    Operator,
    StepRevision,
    TextRevision,
    passage_site,
    step_site,
)
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

WORDS = (
    "heat pump cost rises demand falls winter summer region study finds homes older windows price market "
    "policy grant energy supply grid storage solar wind panel tariff"
).split()


def report(seed: int, *, language: str = "en") -> Report:
    """Sixty sentences of its own, with figures."""
    draw = Random(seed)
    if language == "zh":
        text = "".join(
            f"第{i}个地区的需求上升了{draw.randint(2, 90)}%，研究认为价格会继续变化。" for i in range(40)
        )
        return Report(f"# 报告 {seed}\n\n{text}\n", query="需求如何变化？", id=f"zh-{seed}")
    lines = [
        f"The {' '.join(draw.sample(WORDS, 6))} of the region rose by {draw.randint(2, 90)} % in {draw.randint(1990, 2024)}."
        for _ in range(30)
    ]
    body = "\n\n".join(" ".join(lines[i : i + 5]) for i in range(0, 30, 5))
    return Report(f"# Report {seed}\n\n{body}\n", query="How does demand change?", id=f"en-{seed}")


def trajectory() -> Trajectory:
    return Trajectory(
        "Who wrote the song?",
        [
            RawStep(
                "I search for the song.",
                [
                    RawCall(
                        "search",
                        {"query": "song of the north author"},
                        "A search for 'song of the north author' found: Jean wrote it.",
                    )
                ],
            ),
            RawStep(
                "Jean wrote it, says the page.", [RawCall("visit", {"url": "https://a.org"}, "Jean, 1890.")]
            ),
        ],
        answer="Jean",
        id="t-1",
    )


def numbers(subject: Report, draw: Random):
    """Every percentage, made larger or smaller or moved by a word."""
    places = [item for item in subject.quantities if "%" in subject.source[item.start : item.end + 2]]
    draw.shuffle(places)
    for number, item in enumerate(places):
        old = subject.source[item.start : item.end]
        digits = "".join(filter(str.isdigit, old))
        new = old.replace(digits, (digits + "0", digits[:1] if len(digits) > 1 else "100", "7")[number % 3])
        if new != old:
            yield TextRevision(
                edits=(Edit(item.start, item.end, new),),
                pattern=("longer", "shorter", "same")[number % 3],
                note=f"{old} → {new}",
            )


def sites(subject, draw: Random):
    if isinstance(subject, Trajectory):
        yield step_site(step=0, part="arguments")
        return
    for block in subject.paragraphs:
        yield passage_site(start=block.span.start, end=block.span.end)


def queries(subject: Trajectory, draw: Random):
    step = raw_step(subject.steps[0])
    call = step.tool_calls[0]
    step.tool_calls[0] = RawCall(call.name, {"query": "song of the south author"}, call.response)
    yield StepRevision(index=0, step=step, pattern="place", note="north → south")


NUMBERS = Operator(
    name="numbers",
    title="Wrong number",
    level="outcome",
    module="output",
    category="faithfulness",
    definition="A number is wrong.",
    definition_zh="数字有误。",
    rule=numbers,
    sites=sites,
    ask="Change one number.",
    ask_zh="改动一个数字。",
)
QUERIES = Operator(
    name="queries",
    title="Wrong query",
    level="process",
    module="tool",
    category="faithfulness",
    definition="A query is wrong.",
    definition_zh="查询有误。",
    rule=queries,
    sites=sites,
    ask="Change the query.",
    ask_zh="改动查询。",
)
