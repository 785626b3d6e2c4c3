"""Every strategy end to end with a real model: session, ledger, HTTP, llama.cpp, and a tiny model that rambles."""

import asyncio
import json
import urllib.request
from typing import Any

import jsonschema
import pytest

from assay.judges.settings import JudgeSettings
from assay.models.base import Reply, Request, Usage
from assay.models.llama_server import LlamaServer, can_serve
from assay.models.settings import ModelSettings
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scale import Scale
from assay.runs.ledger import open_ledger
from assay.runs.session import Session
from assay.strategies.registry import all_strategies
from assay.subjects.case import Case
from assay.subjects.report import Report
from judge_outcome import outcome_of

pytestmark = pytest.mark.skipif(not can_serve(), reason="xllamacpp is not installed")

MODEL = "local/smollm2-135m"
# The others take minutes together.
FAST = ("direct", "full")
RUBRIC = Rubric(
    name="small",
    criteria=(Criterion(key="support", asks="Is the claim backed by a source?"),),
    scale=Scale(low=1, high=5, anchors={"1": "very poor", "5": "excellent"}),
)
QUERY = "Is a heat pump worth it?"
REPORTS = [
    Report("Heat pumps save 40 % of heating costs, says an audit of 2023.", query=QUERY, id="audit"),
    Report("Heat pumps never pay back.", query=QUERY, id="never"),
    Report("It depends on the house.", query=QUERY, id="depends"),
]
REFERENCE = "An audit of 2023 found savings of 40 % in insulated houses."
# Enough for a short reason and a verdict, and too little for a loop.
TOKENS = 96


class Asked:
    """What a session asked in one go, in the order the replies came, and whether it was paid for."""

    def __init__(self) -> None:
        self.calls: list[tuple[Request, Reply, bool]] = []

    def note(self, request: Request, reply: Reply, paid: bool) -> None:
        self.calls.append((request, reply, paid))

    @property
    def paid(self) -> int:
        return sum(paid for _, _, paid in self.calls)

    @property
    def again(self) -> int:
        """Calls that answer an unreadable reply."""
        return sum(
            "That reply cannot be read" in request.messages[-1].content for request, _, _ in self.calls
        )


def judged(url: str, path, name: str, mode: str, rubric: Rubric = RUBRIC, **settings: Any):
    """An outcome, what was asked for it, and the replies in the ledger."""
    asked = Asked()

    async def run():
        ledger = open_ledger(path / "ledger.sqlite")
        try:
            async with Session(
                ledger=ledger, overrides=ModelSettings(base_url=url), on_reply=asked.note
            ) as session:
                wanted = JudgeSettings(**{"max_tokens": TOKENS, "swap": False, **settings})
                judge = await session.judge(f"{name}@{MODEL}", rubric=rubric, settings=wanted)
                given = {"reference": REFERENCE if mode in judge.strategy.needs_reference else None}
                shown = {"score": REPORTS[:1], "compare": REPORTS[:2]}.get(mode, REPORTS)
                outcome = await outcome_of(judge, Case(*shown, mode=mode, **given))
                keys = {key for part in outcome.parts for key in part.answer.calls}
                return outcome, {key: ledger.reply(key) for key in keys}
        finally:
            ledger.close()

    outcome, replies = asyncio.run(run())
    return outcome, asked, replies


def check(url, path, name, mode):
    """One judgment, all that must hold of it, and that a second run asks nothing."""
    outcome, asked, replies = judged(url, path, name, mode)
    (part,) = outcome.parts
    answer = part.answer

    # A model with an enforced schema and enough budget for it gives a verdict: if it rambles, it is asked once more with a
    # smaller budget. Only a step in prose may come back empty.
    assert answer.status == "ok" or "came back empty" in (answer.problem or ""), answer
    assert outcome.judgment.status == answer.status
    for request, reply, _ in asked.calls:
        assert reply.finish in ("stop", "length")
        if request.schema is not None and reply.finish == "stop":
            jsonschema.validate(json.loads(reply.text), request.schema)

    # As many calls as declared, each in the ledger, each counted.
    least, most = all_strategies()[name].calls_with()
    if answer.status == "ok":
        assert least <= len(answer.calls) - asked.again <= most
    assert len(asked.calls) == len(answer.calls)
    assert set(answer.calls) == {request.key() for request, _, _ in asked.calls}
    assert all(replies[key] is not None for key in answer.calls)
    assert answer.usage == sum((replies[key].usage for key in answer.calls), start=Usage())
    assert answer.usage.calls == len(answer.calls)
    assert answer.usage.input_tokens > 100
    assert answer.usage.output_tokens > 5
    assert answer.usage.cost_usd == 0

    again, asked_again, _ = judged(url, path, name, mode)
    assert asked_again.paid == 0
    assert again == outcome
    return answer


def slow_but(fast):
    return [
        pytest.param(name, marks=() if name in fast else pytest.mark.slow, id=name)
        for name, strategy in all_strategies().items()
        # A form of its own is not one that a server can hold a tiny model to.
        if strategy.plain is None
    ]


@pytest.mark.parametrize("name", slow_but(FAST))
def test_every_strategy_scores(llama_url, tmp_path, name):
    answer = check(llama_url, tmp_path, name, "score")
    if answer.status == "ok":
        assert answer.values["support"] in (1, 2, 3, 4, 5)
        assert bool(answer.rationale) == (name != "direct")
    if name == "direct":
        # A bare verdict cannot exceed the budget.
        assert answer.status == "ok"
        assert len(answer.calls) == 1
    if name in ("quote", "quote_reference"):
        # Copied or invented, each is one or the other.
        assert all((quote.start is None) == (quote.end is None) for quote in answer.quotes)


@pytest.mark.parametrize(
    "name",
    ["direct", *(pytest.param(name, marks=pytest.mark.slow) for name in ("brief", "structured", "debate"))],
)
def test_pairs(llama_url, tmp_path, name):
    answer = check(llama_url, tmp_path, name, "compare")
    assert answer.status == "ok"
    assert answer.preference in RUBRIC.pair_scale.values()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["direct", "brief", "bullets", "geval"])
def test_rankings(llama_url, tmp_path, name):
    # A schema cannot say that no label comes twice, so a ranking may be unreadable even so.
    outcome, asked, replies = judged(llama_url, tmp_path, name, "rank")
    (part,) = outcome.parts
    if part.answer.status == "ok":
        assert sorted(part.answer.ranking) == [0, 1, 2]
    else:
        assert part.answer.status == "unparsed"
        assert "came back empty" in part.answer.problem or "each of 1, 2, 3 once" in part.answer.problem
        assert part.answer.ranking is None
    assert part.answer.usage.calls == len(asked.calls) == len(part.answer.calls)
    assert all(replies.values())
    assert judged(llama_url, tmp_path, name, "rank")[1].paid == 0


DOCUMENT = (
    "# Heat pumps in cold climates\n\n"
    "An audit of 120 houses in 2023 found that heat pumps saved 40 % of heating costs where the house was insulated, "
    "and 12 % where it was not. The audit covers one region only, and no house was older than 1950."
)


def test_a_document_is_read_once_however_many_criteria_are_asked(tmp_path):
    """A server of its own: beside other tests the one slot would hold their prompts in between."""
    from servers.llama import model_file

    asks = (
        "Is every claim backed by a source?",
        "Are the limits of the findings named?",
        "Does each part follow from the one before it?",
        "Are the figures consistent with each other?",
        "Is the question answered?",
    )
    rubric = Rubric(
        name="five",
        criteria=tuple(Criterion(key=f"c{index}", asks=text) for index, text in enumerate(asks, 1)),
        scale=RUBRIC.scale,
        ask="each",
    )
    replies: list[tuple[Request, Reply]] = []

    async def run(url):
        async with Session(
            overrides=ModelSettings(base_url=url),
            # Without a ledger nobody is told of replies: the model is asked through one.
            ledger=(ledger := open_ledger(tmp_path / "ledger.sqlite")),
            on_reply=lambda request, reply, _paid: replies.append((request, reply)),
        ) as session:
            judge = await session.judge(
                f"direct@{MODEL}", rubric=rubric, settings=JudgeSettings(max_tokens=24)
            )
            outcome = await outcome_of(judge, Case(Report(DOCUMENT, query=QUERY)))
        ledger.close()
        return outcome

    with LlamaServer(model_file(), alias="smollm2-135m", context=2048, threads=1) as server:
        outcome = asyncio.run(run(server.base_url))
        (first, _), *later = replies
        lead = "".join(message.lead for message in first.messages)
        tokens = count(server.base_url, lead)

    assert outcome.judgment.status == "ok"
    assert len(outcome.judgment.scores) == 6  # five and their mean
    assert [len(part.answer.calls) for part in outcome.parts] == [1] * 5
    assert len(later) == 4
    assert tokens > 120
    for request, reply in later:
        assert request.messages[1].lead == first.messages[1].lead
        assert reply.reports_cache
        assert reply.usage.cached_input_tokens >= 0.9 * tokens, reply.usage
        # The task is the same too: all that is left to read is the criterion.
        assert reply.usage.input_tokens - reply.usage.cached_input_tokens < 40


def count(base_url: str, text: str) -> int:
    """Tokens of a text, by the server."""
    body = json.dumps({"content": text}).encode()
    asked = urllib.request.Request(
        base_url.removesuffix("/v1") + "/tokenize", body, {"Content-Type": "application/json"}
    )
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=60) as answer:
        return len(json.loads(answer.read())["tokens"])
