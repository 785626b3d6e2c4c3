"""What trained models achieve, side by side with other judges, and the endpoint that serves them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

from assay.errors import InputError, UsageError
from assay.judges.judgment import Judgment, Verdict
from assay.present.display import Painter
from assay.present.training_results import results_markdown, results_text
from assay.training.evaluation import (
    ReplyRecord,
    TrainingEvaluation,
    measured,
    read_replies,
    records_of_judgments,
    records_of_model,
)
from assay.training.examples import TrainingExample, reply_of
from assay.training.generation import GeneratedReply
from assay.training.serving import application, commands_for


def pair(name: str, first: str | None, second: str | None, *, group: str = "") -> list[ReplyRecord]:
    """Two replies about a pair whose first text is better; verdicts as shown."""
    return [
        ReplyRecord(id=name, order=0, group=group or name, kind="k", label="A>B", verdict=first),
        ReplyRecord(id=name, order=1, group=group or name, kind="k", label="A<B", verdict=second),
    ]


def test_a_pair_counts_if_it_is_right_in_both_orders() -> None:
    records = [
        *pair("right", "A>B", "A<B"),
        *pair("always first", "A>B", "A>B"),
        *pair("wrong", "A<B", "A>B"),
        *pair("half read", "A>B", None),
    ]
    found = measured("m", records)
    assert (found.pairs, found.agreement.value) == (4, 0.25)
    assert found.form.value == 7 / 8
    assert found.accuracy.value == 4 / 8
    assert found.consistency.value == pytest.approx(2 / 3)
    assert found.first.value == 5 / 7
    assert found.kinds["k"].n == 4


def test_intervals_rest_on_groups() -> None:
    alone = measured("m", [item for n in range(8) for item in pair(str(n), "A>B", "A<B" if n % 2 else "A>B")])
    grouped = measured(
        "m",
        [item for n in range(8) for item in pair(str(n), "A>B", "A<B" if n % 2 else "A>B", group=str(n % 2))],
    )
    assert alone.agreement.value == grouped.agreement.value == 0.5
    assert alone.agreement.low is not None
    assert grouped.agreement.low is None


EXAMPLE = TrainingExample(
    id="p", query="", a="x", b="y", label="A>B", dimensions={"local_coherence": "A>B"}, provenance="planted"
)


def test_verdicts_of_other_judges_are_read_as_shown() -> None:
    by_order = {"AB": "A>B", "BA": "A>B"}
    judgment = Judgment(
        "p", "j", by_order=by_order, verdicts=(Verdict(criterion="local_coherence", by_order=by_order),)
    )
    found = measured("j", records_of_judgments([EXAMPLE], [judgment]))
    assert (found.agreement.value, found.consistency.value) == (1.0, 1.0)
    assert found.dimensions["local_coherence"].value == 1.0
    same = measured("rules", records_of_judgments([EXAMPLE], [Judgment("p", "rules", preference="A<B")]))
    assert (same.agreement.value, same.consistency.value) == (0.0, 1.0)
    none = measured("j", records_of_judgments([EXAMPLE], [None]))
    assert none.form.value == 0.0


class Fake:
    """A generator that always prefers the first text, and counts its prompts."""

    context = 100

    def __init__(self) -> None:
        self.asked = 0

    def replies(self, prompts, *, max_new_tokens, **_) -> list[GeneratedReply]:
        if max_new_tokens > 90:
            raise UsageError(
                "the prompt has 20 tokens, and with 99 for the reply it exceeds the context of 100"
            )
        self.asked += len(prompts)
        text = reply_of({"local_coherence": "A>B"}, {}, "why", "A>B")
        return [GeneratedReply(text, 20, 7, False) for _ in prompts]


def test_replies_that_are_kept_are_not_made_again(tmp_path: Path) -> None:
    rows = [
        {
            "id": str(n),
            "order": order,
            "prompt": [{"role": "user", "content": "?"}],
            "label": "A<B" if order else "A>B",
            "dimensions": {"local_coherence": "A<B" if order else "A>B"},
        }
        for n in range(3)
        for order in (0, 1)
    ]
    path, fake = tmp_path / "replies.jsonl", Fake()

    def keep(records) -> None:
        with path.open("ab") as stream:
            stream.writelines(msgspec.json.encode(item) + b"\n" for item in records)

    def go():
        return records_of_model(
            fake,
            rows,
            {},
            max_new_tokens=9,
            batch=4,
            known=read_replies(path),
            keep=keep,
            clock=iter(range(99)).__next__,
        )

    first = go()
    assert fake.asked == 6
    with path.open("ab") as stream:
        stream.write(b'{"id": "cut')
    assert go() == first
    assert fake.asked == 6
    found = measured("first", first)
    assert (found.agreement.value, found.accuracy.value, found.first.value) == (0.0, 0.5, 1.0)
    assert found.dimensions["local_coherence"].value == 0.5
    path.write_bytes(b'{"id": 1}\n')
    with pytest.raises(InputError, match="not a reply"):
        read_replies(path)


def test_tables_show_every_judge_and_say_what_chance_is() -> None:
    result = TrainingEvaluation(
        data="d", split="test", judges=[measured(n, pair("p", "A>B", "A<B")) for n in ("one", "two")]
    )
    text = results_text(result, Painter(False), 100)
    assert "one" in text
    assert "0.25" in text
    assert results_markdown(result).count("| two") >= 1


def test_the_endpoint_speaks_the_protocol() -> None:
    async def talk() -> None:
        async with TestClient(TestServer(application(Fake(), "my-judge"))) as client:
            models = await (await client.get("/v1/models")).json()
            assert models["data"][0]["id"] == "my-judge"
            ask = {"model": "my-judge", "messages": [{"role": "user", "content": "?"}], "max_tokens": 9}
            body = await (await client.post("/v1/chat/completions", json=ask)).json()
            assert body["choices"][0]["message"]["content"].endswith("A>B")
            assert body["usage"] == {"prompt_tokens": 20, "completion_tokens": 7, "total_tokens": 27}
            for change, code in (
                ({"max_tokens": 99}, "context_length_exceeded"),
                ({"messages": []}, "invalid_request"),
                ({"stream": True}, "invalid_request"),
                ({"messages": [{"role": "user"}]}, "invalid_request"),
            ):
                refused = await client.post("/v1/chat/completions", json={**ask, **change})
                assert refused.status == 400
                assert json.loads(await refused.text())["error"]["code"] == code

    asyncio.run(talk())


def test_other_servers_get_their_commands() -> None:
    found = commands_for("out put/model", "my-judge")
    assert found["vLLM"] == "vllm serve 'out put/model' --served-model-name my-judge --port 8000"
