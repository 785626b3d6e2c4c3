"""Rounds of batch files against a provider of our own, and what they leave in the ledger."""

import asyncio
import json
import random
import urllib.request
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from run_helpers import comparable, experiment, scripted, write_rows

from assay.errors import InputError, UsageError
from assay.models.base import Usage
from assay.models.batch_responses import Responses
from assay.models.prices import FREE
from assay.models.quirks import BOUNDS, Quirks
from assay.models.schema_sample import sample_value
from assay.models.settings import ModelSettings
from assay.models.wire import decode_reply, request_body
from assay.runs.batch_run import BatchOutput, import_responses, read_batch_status, write_round
from assay.runs.ledger import open_ledger
from assay.runs.run_options import RunOptions
from assay.runs.runner import opened_run

EXPIRED = {"code": "batch_expired", "message": "This request could not be executed in time."}
CHOICES = RunOptions()


def completion(body):
    """The answer to a body: always the same for the same one, and now and then one that cannot be read."""
    rng = random.Random(json.dumps(body, sort_keys=True))
    form = body.get("response_format")
    if form is None:
        text = f"1. look closely ({rng.random():.3f})"
    elif len(body["messages"]) == 2 and rng.random() < 0.15:
        text = "I would rather not say it in JSON."
    else:
        text = json.dumps(sample_value(form["json_schema"]["schema"], rng))
    return {
        "id": f"chatcmpl-{rng.random()}",
        "model": body["model"],
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": len(json.dumps(body)) // 4, "completion_tokens": len(text) // 4},
    }


def line(key, body=None, *, status=200, error=None):
    response = None if body is None else {"status_code": status, "request_id": "r", "body": body}
    return json.dumps({"id": "batch_req", "custom_id": key, "response": response, "error": error})


class Provider:
    """Answers files of requests: shuffled, into two files, with some errors. Remembers whom it has answered."""

    def __init__(self, folder: Path, errors=0.0, seed=1):
        self.folder = folder
        self.rng = random.Random(seed)
        self.errors = errors
        self.answered = []
        self.rounds = 0

    def __call__(self, *paths):
        self.rounds += 1
        rows = [json.loads(text) for path in paths for text in Path(path).read_text("utf-8").splitlines()]
        assert len({row["custom_id"] for row in rows}) == len(rows)
        self.rng.shuffle(rows)
        lines = [self.answer(row) for row in rows]
        files = [self.folder / f"out-{self.rounds}-{part}.jsonl" for part in (1, 2)]
        middle = self.rng.randint(0, len(lines))
        for file, part in zip(files, (lines[:middle], lines[middle:]), strict=True):
            file.write_text("".join(f"{text}\n" for text in part), "utf-8")
        return [file for file in files if file.stat().st_size]

    def answer(self, row):
        assert row["method"] == "POST"
        assert row["url"] == "/v1/chat/completions"
        key = row["custom_id"]
        if self.rng.random() < self.errors:
            if self.rng.random() < 0.5:
                return line(key, error=EXPIRED)
            return line(key, {"error": {"message": "The server had an error"}}, status=500)
        self.answered.append(key)
        return line(key, completion(row["body"]))


def answers(request):
    """The same answers, given directly."""
    body = request_body(request, request.model.partition("/")[2], Quirks(without=BOUNDS))
    data = json.dumps(completion(json.loads(msgspec.json.encode(body)))).encode()
    return decode_reply(data, request, price=FREE)


def exported(made, ledger, path, **rest):
    return asyncio.run(write_round(made, ledger, CHOICES, BatchOutput(path=path, **rest)))


def imported(made, ledger, *files):
    with Responses(files) as responses:
        return asyncio.run(import_responses(made, ledger, CHOICES, responses))


def rows_of(ledger):
    return list(ledger.judgments(ledger.runs()[0].id))


def directly(made, where):
    """A run with nothing between; its judgments."""

    async def main(ledger):
        async with opened_run(made, ledger, CHOICES) as run:
            await run.go()
            return list(ledger.judgments(run.id))

    with open_ledger(where) as ledger:
        return asyncio.run(main(ledger))


def by_rounds(made, ledger, provider, folder, most=40):
    """Rounds until nothing waits; how many."""
    for number in range(1, most):
        found = exported(made, ledger, folder / "requests.jsonl")
        if not found.requests:
            return number - 1
        imported(made, ledger, *provider(*found.models[0].files))
    raise AssertionError("it does not end")


@pytest.fixture
def models(monkeypatch):
    return scripted(monkeypatch, answers)


STRATEGIES = {
    "direct": ("direct@scripted/m", 1),
    "geval": ("geval@scripted/m", 2),
    "cove": ("cove@scripted/m", 4),
    "panel": ("panel@scripted/m", 2),
    "overseer": ("{judge: overseer@scripted/m, temperature: 0.7}", 4),
    "direct of all criteria": ("{judge: direct@scripted/m, per_call: 0, trials: 3}", 1),
}
PAIRS = "compare: query\nearly_stop: true\ntrials: 3\n"


class TestTheSameAsARun:
    @pytest.mark.parametrize("name", STRATEGIES)
    def test_after_enough_rounds(self, name, models, tmp_path):
        judge, least = STRATEGIES[name]
        write_rows(tmp_path / "r.jsonl", 6)
        made = experiment(tmp_path, f"subjects: [r.jsonl]\njudges: [{judge}]\nrubrics: [reflect-report]\n")
        expected = directly(made, tmp_path / "direct.sqlite")
        asked = {request.key() for request in models["scripted/m"].requests}
        provider = Provider(tmp_path, errors=0.2)
        with open_ledger(tmp_path / "batch.sqlite") as ledger:
            rounds = by_rounds(made, ledger, provider, tmp_path)
            assert comparable(rows_of(ledger)) == comparable(expected)
            assert ledger.runs()[0].status == "done"
        assert rounds >= least
        assert sorted(provider.answered) == sorted(asked)

    def test_without_errors_there_is_a_round_for_each_call(self, models, tmp_path, monkeypatch):
        monkeypatch.setattr(random.Random, "random", lambda _self: 0.5)
        write_rows(tmp_path / "r.jsonl", 2)
        for name, least in (("direct", 1), ("geval", 2), ("cove", 4), ("panel", 2)):
            made = experiment(tmp_path, f"subjects: [r.jsonl]\njudges: [{name}@scripted/m]\n")
            with open_ledger(":memory:") as ledger:
                assert by_rounds(made, ledger, Provider(tmp_path), tmp_path) == least

    def test_trials_that_may_end_early(self, models, tmp_path):
        write_rows(tmp_path / "a.jsonl", 4, system="a")
        write_rows(tmp_path / "b.jsonl", 4, system="b")
        made = experiment(tmp_path, f"subjects: [a.jsonl, b.jsonl]\njudges: [brief@scripted/m]\n{PAIRS}")
        expected = directly(made, tmp_path / "direct.sqlite")
        asked = {request.key() for request in models["scripted/m"].requests}
        provider = Provider(tmp_path, errors=0.3)
        with open_ledger(tmp_path / "batch.sqlite") as ledger:
            by_rounds(made, ledger, provider, tmp_path)
            found = rows_of(ledger)
        assert comparable(found) == comparable(expected)
        assert {row.key: row.tags for row in found} == {row.key: row.tags for row in expected}
        assert sorted(provider.answered) == sorted(asked)


@pytest.fixture
def panel(models, tmp_path):
    write_rows(tmp_path / "r.jsonl", 4)
    return experiment(tmp_path, "subjects: [r.jsonl]\njudges: [panel@scripted/m, direct@scripted/m]\n")


@pytest.fixture
def ledger(tmp_path):
    with open_ledger(tmp_path / "l.sqlite") as kept:
        yield kept


def calls(ledger):
    return [row for run in ledger.runs() for row in ledger.call_keys(run.id)]


class TestRounds:
    def test_exports_are_the_same_byte_for_byte_and_one_round(self, panel, ledger, tmp_path):
        first = exported(panel, ledger, tmp_path / "a.jsonl")
        second = exported(panel, ledger, tmp_path / "b.jsonl")
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
        assert first.waiting == second.waiting == 8
        assert [first.models[0].again, second.models[0].again] == [False, True]
        assert [len(first.models[0].rounds), len(second.models[0].rounds)] == [1, 1]
        assert ledger.runs()[0].status == "waiting"

    def test_documents_stay_neighbours(self, panel, ledger, tmp_path):
        exported(panel, ledger, tmp_path / "a.jsonl")
        shown = [
            json.loads(text)["body"]["messages"][1]["content"].partition("<<END REPORT")[0]
            for text in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()
        ]
        changes = sum(one != other for one, other in pairwise(shown))
        assert changes == len(set(shown)) - 1 == 3

    def test_import_again_stores_nothing_again(self, panel, ledger, tmp_path):
        exported(panel, ledger, tmp_path / "a.jsonl")
        files = Provider(tmp_path)(tmp_path / "a.jsonl")
        first = imported(panel, ledger, *files)
        before = [len(ledger.history(key)) for key in calls(ledger)]
        second = imported(panel, ledger, *files)
        assert (first.new, first.there, first.unknown) == (16, 0, [])
        assert (second.new, second.there, second.unknown) == (0, 16, [])
        assert second.spent == Usage()
        assert [len(ledger.history(key)) for key in calls(ledger)] == before

    def test_an_import_bit_by_bit_in_any_order(self, panel, ledger, tmp_path):
        exported(panel, ledger, tmp_path / "a.jsonl")
        provider = Provider(tmp_path)
        lines = [
            provider.answer(json.loads(text))
            for text in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()
        ]
        made = []
        for number in (3, 0, 2, 1):
            part = tmp_path / f"part-{number}.jsonl"
            part.write_text("\n".join(lines[number::4]), "utf-8")  # without an end of line at the end
            made.append(imported(panel, ledger, part).new)
        assert made == [4, 4, 4, 4]
        found = exported(panel, ledger, tmp_path / "b.jsonl")
        assert found.models[0].on_way == 0

    def test_what_is_on_its_way_can_be_left_out(self, panel, ledger, tmp_path):
        exported(panel, ledger, tmp_path / "a.jsonl")
        provider = Provider(tmp_path)
        lines = [
            provider.answer(json.loads(text))
            for text in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()
        ]
        keys = [json.loads(text)["custom_id"] for text in lines]
        # Of the first two documents all has come back, of the third an error, of the fourth nothing.
        (tmp_path / "part.jsonl").write_text("\n".join([*lines[:8], line(keys[8], error=EXPIRED)]), "utf-8")
        taken = imported(panel, ledger, tmp_path / "part.jsonl")
        assert taken.failed == {f"batch_expired: {EXPIRED['message']}": 1}
        everything = exported(panel, ledger, tmp_path / "b.jsonl").models[0]
        assert everything.on_way == 7
        assert {json.loads(text)["custom_id"] for text in (tmp_path / "b.jsonl").read_text().splitlines()} > {
            *keys[8:]
        }

    def test_only_what_is_new(self, panel, ledger, tmp_path):
        exported(panel, ledger, tmp_path / "a.jsonl")
        provider = Provider(tmp_path)
        lines = [
            provider.answer(json.loads(text))
            for text in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()
        ]
        keys = [json.loads(text)["custom_id"] for text in lines]
        (tmp_path / "part.jsonl").write_text("\n".join([*lines[:8], line(keys[8], error=EXPIRED)]), "utf-8")
        imported(panel, ledger, tmp_path / "part.jsonl")
        found = exported(panel, ledger, tmp_path / "b.jsonl", new=True).models[0]
        written = {json.loads(text)["custom_id"] for text in (tmp_path / "b.jsonl").read_text().splitlines()}
        assert keys[8] in written
        assert not written & {*keys[9:]}
        assert (found.written, found.requests, found.on_way) == (len(written), len(written) + 7, 7)

    def test_status_changes_nothing(self, panel, ledger, tmp_path):
        exported(panel, ledger, tmp_path / "a.jsonl")
        imported(panel, ledger, *Provider(tmp_path)(tmp_path / "a.jsonl"))
        where = tmp_path / "l.sqlite"
        with open_ledger(where, read_only=True) as looked_at:
            found = asyncio.run(read_batch_status(panel, looked_at, CHOICES))
        assert (found.planned, found.done + found.ready + found.waiting, found.imports) == (8, 8, 1)
        assert found.models[0].requests == exported(panel, ledger, tmp_path / "b.jsonl").models[0].written

    def test_a_reply_that_cannot_be_read_is_asked_again_in_the_next_round(self, panel, ledger, tmp_path):
        exported(panel, ledger, tmp_path / "a.jsonl")
        first = [json.loads(text) for text in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()]
        said = "Four out of five, I would say."
        lines = []
        for row in first:
            answer = completion(row["body"])
            answer["choices"][0]["message"]["content"] = said
            lines.append(line(row["custom_id"], answer))
        (tmp_path / "out.jsonl").write_text("\n".join(lines), "utf-8")
        taken = imported(panel, ledger, tmp_path / "out.jsonl")
        assert (taken.made, taken.waiting) == (0, 8)
        exported(panel, ledger, tmp_path / "b.jsonl")
        second = [json.loads(text) for text in (tmp_path / "b.jsonl").read_text("utf-8").splitlines()]
        assert len(second) == len(first)
        for row in second:
            assert [message["role"] for message in row["body"]["messages"]] == [
                "system",
                "user",
                "assistant",
                "user",
            ]
            assert row["body"]["messages"][2]["content"] == said

    def test_a_run_goes_on_by_batch_and_the_other_way_round(
        self, panel, models, ledger, tmp_path, monkeypatch
    ):
        expected = directly(panel, tmp_path / "direct.sqlite")
        asked = len(models["scripted/m"].requests)

        async def slowly(request):
            await asyncio.sleep(0.01)
            return answers(request)

        models = scripted(monkeypatch, slowly)

        async def begin():
            one_by_one = RunOptions(models=ModelSettings(concurrency=1))
            async with opened_run(panel, ledger, one_by_one) as run:
                # Once: a second time would not wait for what is under way.
                await run.go(lambda *_: run.stopping or run.interrupt())
                return run.status

        assert asyncio.run(begin()) == "interrupted"
        begun = len(models["scripted/m"].requests)
        assert 0 < begun < asked
        provider = Provider(tmp_path)
        exported(panel, ledger, tmp_path / "a.jsonl")
        taken = imported(panel, ledger, *provider(tmp_path / "a.jsonl"))
        assert taken.before > 0

        async def end():
            async with opened_run(panel, ledger, CHOICES) as run:
                await run.go()

        asyncio.run(end())
        # The last model opened has what the end asked; nobody was asked twice.
        assert begun + len(provider.answered) + len(models["scripted/m"].requests) == asked
        assert comparable(rows_of(ledger)) == comparable(expected)
        assert len(ledger.runs()) == 1

    def test_asked_afresh(self, panel, ledger, tmp_path):
        by_rounds(panel, ledger, Provider(tmp_path), tmp_path)
        assert exported(panel, ledger, tmp_path / "b.jsonl").requests == 0
        fresh = RunOptions(fresh=True)
        found = asyncio.run(write_round(panel, ledger, fresh, BatchOutput(path=tmp_path / "c.jsonl")))
        assert found.waiting == 8
        taken = imported(panel, ledger, *Provider(tmp_path, seed=2)(tmp_path / "c.jsonl"))
        assert (taken.new, taken.made) == (16, 8 - taken.waiting)

    def test_caps_do_not_turn_away_what_is_paid_for(self, models, ledger, tmp_path):
        write_rows(tmp_path / "r.jsonl", 3)
        made = experiment(
            tmp_path, "subjects: [r.jsonl]\njudges: [direct@scripted/m]\nbudget: {tokens: 1, usd: 0.0}\n"
        )
        exported(made, ledger, tmp_path / "a.jsonl")
        assert imported(made, ledger, *Provider(tmp_path)(tmp_path / "a.jsonl")).new == 3


class TestWhatComesBack:
    def first(self, made, ledger, tmp_path):
        exported(made, ledger, tmp_path / "a.jsonl")
        return [json.loads(text) for text in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()]

    def taken(self, made, ledger, tmp_path, lines):
        (tmp_path / "out.jsonl").write_text("\n".join(lines), "utf-8")
        return imported(made, ledger, tmp_path / "out.jsonl")

    def test_responses_to_other_requests(self, panel, ledger, tmp_path):
        rows = self.first(panel, ledger, tmp_path)
        lines = [line(row["custom_id"], completion(row["body"])) for row in rows[:2]]
        others = ["request-1", "0" * 32, "x\0y"]
        taken = self.taken(
            panel, ledger, tmp_path, [*lines, *(line(key, completion(rows[0]["body"])) for key in others)]
        )
        assert (taken.lines, taken.new, taken.unknown) == (5, 2, others)

    def test_a_body_that_is_no_completion_is_an_error(self, panel, ledger, tmp_path):
        rows = self.first(panel, ledger, tmp_path)
        bodies = [{}, {"error": {"message": "overloaded"}}, {"choices": []}, "text"]
        taken = self.taken(
            panel,
            ledger,
            tmp_path,
            [line(row["custom_id"], body) for row, body in zip(rows, bodies, strict=False)],
        )
        assert taken.new == 0
        assert sum(taken.failed.values()) == 4
        assert any("overloaded" in said for said in taken.failed)
        assert sum(item.requests for item in taken.models) == len(rows)

    def test_a_prompt_that_is_too_long_fails_and_is_not_in_the_next_round(self, panel, ledger, tmp_path):
        rows = self.first(panel, ledger, tmp_path)
        error = {
            "error": {"message": "maximum context length is 10 tokens", "code": "context_length_exceeded"}
        }
        lines = [line(row["custom_id"], completion(row["body"])) for row in rows[1:]]
        taken = self.taken(panel, ledger, tmp_path, [line(rows[0]["custom_id"], error, status=400), *lines])
        assert taken.given_up == [rows[0]["custom_id"]]
        assert taken.statuses["failed"] == 1
        form = BatchOutput(path=tmp_path / "b.jsonl")
        found = asyncio.run(write_round(panel, ledger, CHOICES, form, given_up=taken.given_up))
        assert rows[0]["custom_id"] not in (tmp_path / "b.jsonl").read_text()
        assert found.ready == 0
        # As with a direct run, whoever asks again asks for what failed, too.
        exported(panel, ledger, tmp_path / "c.jsonl")
        assert rows[0]["custom_id"] in (tmp_path / "c.jsonl").read_text()

    def test_a_filter_is_a_refusal(self, panel, ledger, tmp_path):
        rows = self.first(panel, ledger, tmp_path)
        error = {"error": {"message": "content management policy", "code": "content_filter"}}
        taken = self.taken(
            panel, ledger, tmp_path, [line(row["custom_id"], error, status=400) for row in rows]
        )
        assert (taken.failed, taken.new) == ({}, len(rows))
        assert taken.statuses == {"refused": 8}

    def test_replies_that_differ(self, panel, ledger, tmp_path):
        rows = self.first(panel, ledger, tmp_path)
        answer = completion(rows[0]["body"])
        other = json.loads(json.dumps(answer))
        other["choices"][0]["message"]["content"] = "another"
        key = rows[0]["custom_id"]
        taken = self.taken(
            panel,
            ledger,
            tmp_path,
            [
                line(key, answer),
                line(key, {**answer, "id": "later"}),
                line(key, other),
                line(key, error=EXPIRED),
            ],
        )
        assert (taken.new, taken.repeated, taken.contradicted, taken.failed) == (1, 1, [key], {})
        assert ledger.reply(key).text == answer["choices"][0]["message"]["content"]


class TestFiles:
    def test_one_for_each_model(self, models, ledger, tmp_path):
        write_rows(tmp_path / "r.jsonl", 2)
        made = experiment(
            tmp_path,
            "subjects: [r.jsonl]\njudges: [direct@scripted/m, direct@scripted/m.2, direct@scripted/m-2]\n",
        )
        found = exported(made, ledger, tmp_path / "q.jsonl")
        assert [Path(item.files[0]).name for item in found.models] == [
            "q.scripted-m.jsonl",
            "q.scripted-m-2.jsonl",
            "q.scripted-m-2-x.jsonl",
        ]
        for item in found.models:
            names = {
                json.loads(text)["body"]["model"] for text in Path(item.files[0]).read_text().splitlines()
            }
            assert names == {item.model.partition("/")[2]}
        only = exported(made, ledger, tmp_path / "one.jsonl", models=("scripted/m.2",))
        assert [item.files for item in only.models] == [[], [str(tmp_path / "one.jsonl")], []]
        with pytest.raises(UsageError, match=r"did you mean 'scripted/m.2'"):
            exported(made, ledger, tmp_path / "one.jsonl", models=("scripted/m_2",))

    def test_split_and_what_is_left_of_an_earlier_round(self, panel, ledger, tmp_path):
        whole = exported(panel, ledger, tmp_path / "whole.jsonl").models[0]
        parts = exported(panel, ledger, tmp_path / "q.jsonl", most_requests=6).models[0]
        assert [Path(path).name for path in parts.files] == ["q.jsonl", "q.part2.jsonl", "q.part3.jsonl"]
        joined = b"".join(Path(path).read_bytes() for path in parts.files)
        assert joined == Path(whole.files[0]).read_bytes()
        by_size = exported(panel, ledger, tmp_path / "q.jsonl", most_bytes=len(joined) - 1).models[0]
        assert len(by_size.files) == 2
        assert by_size.stale == [str(tmp_path / "q.part3.jsonl")]
        assert all(Path(path).stat().st_size < len(joined) for path in by_size.files)
        assert not list(tmp_path.glob(".*unfinished"))

    def test_nowhere_to_write(self, panel, ledger, tmp_path):
        with pytest.raises(InputError, match="is a folder"):
            exported(panel, ledger, tmp_path)
        with pytest.raises(InputError, match="cannot be written: No such file"):
            exported(panel, ledger, tmp_path / "none" / "q.jsonl")

    def test_what_fails_half_way_leaves_nothing(self, panel, ledger, tmp_path, monkeypatch):
        from assay.models.batch_requests import BatchWriter

        write = BatchWriter.write

        def fail(self, key, body):
            write(self, key, body)
            if len(self.keys) == 3:
                raise OSError(28, "No space left on device")

        monkeypatch.setattr(BatchWriter, "write", fail)
        with pytest.raises(InputError, match="No space left"):
            exported(panel, ledger, tmp_path / "q.jsonl")
        assert not [path.name for path in tmp_path.iterdir() if "q.jsonl" in path.name]


class TestHowAModelIsAsked:
    """What a batch is refused for, it is told a day later: what is known is minded from the start, the rest learnt."""

    def made(self, tmp_path, judge):
        write_rows(tmp_path / "r.jsonl", 2)
        return experiment(tmp_path, f"subjects: [r.jsonl]\njudges: [{judge}]\n")

    def bodies(self, made, ledger, path):
        exported(made, ledger, path)
        return [json.loads(text) for text in path.read_text("utf-8").splitlines()]

    @pytest.mark.parametrize(
        ("model", "fixed"),
        [
            ("gpt-5-mini", True),
            ("o3", True),
            ("o4-mini-2025-04-16", True),
            ("gpt-5.5", True),
            ("gpt-4.1", False),
            ("gpt-5.1", False),
            ("gpt-5-chat-latest", False),
            ("gpt-4o-mini", False),
        ],
    )
    def test_known_beforehand(self, model, fixed, ledger, tmp_path, monkeypatch):
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        made = self.made(tmp_path, f"brief@openai/{model}")
        for row in self.bodies(made, ledger, tmp_path / "a.jsonl"):
            body = row["body"]
            assert body["model"] == model
            assert ("temperature" in body) is not fixed
            assert body["max_completion_tokens"] == 2048
            assert "max_tokens" not in body
            form = body["response_format"]["json_schema"]
            assert form["strict"] is True
            assert "maxLength" not in json.dumps(form)

    def test_reasoning_turned_off(self, ledger, tmp_path):
        made = self.made(tmp_path, "{judge: direct@openai/gpt-5.5, reasoning_effort: none}")
        assert self.bodies(made, ledger, tmp_path / "a.jsonl")[0]["body"]["temperature"] == 0
        made = self.made(tmp_path, "{judge: direct@openai/gpt-5.1, reasoning_effort: high}")
        assert "temperature" not in self.bodies(made, ledger, tmp_path / "b.jsonl")[0]["body"]

    def test_learnt_from_refusals_and_remembered(self, ledger, tmp_path):
        made = self.made(tmp_path, "brief@vllm/lab")
        rows = self.bodies(made, ledger, tmp_path / "a.jsonl")
        assert rows[0]["body"]["max_tokens"] == 2048
        error = {
            "error": {
                "message": "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
                "param": "max_tokens",
            }
        }
        refused = tmp_path / "refused.jsonl"
        refused.write_text("\n".join(line(row["custom_id"], error, status=400) for row in rows), "utf-8")
        for _ in range(2):  # the same file once more teaches nothing more
            taken = imported(made, ledger, refused)
            again = self.bodies(made, ledger, tmp_path / "b.jsonl")
            assert again[0]["body"]["max_completion_tokens"] == 2048
            assert "max_tokens" not in again[0]["body"]
        assert taken.failed == {f"HTTP 400: {error['error']['message']}": 2}
        assert [row["custom_id"] for row in again] == [row["custom_id"] for row in rows]


def test_bodies_go_to_a_real_server_as_they_are(llama_url, ledger, tmp_path):
    """What the file says is what is sent: a real server answers every line, held to the schema."""
    (tmp_path / "r.md").write_text("# Pumps\n\nPumps are quiet [1].\n", "utf-8")
    made = experiment(
        tmp_path,
        "subjects: [r.md]\njudges: [{judge: direct@vllm/smollm2-135m, max_tokens: 48}]\nquery: Are they?\n",
    )
    exported(made, ledger, tmp_path / "q.jsonl")
    lines = []
    for text in (tmp_path / "q.jsonl").read_text("utf-8").splitlines():
        row = json.loads(text)
        request = urllib.request.Request(
            f"{llama_url.removesuffix('/v1')}{row['url']}",
            json.dumps(row["body"]).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            lines.append(line(row["custom_id"], json.loads(answer.read()), status=answer.status))
    (tmp_path / "out.jsonl").write_text("\n".join(lines), "utf-8")
    taken = imported(made, ledger, tmp_path / "out.jsonl")
    assert (taken.new, taken.statuses) == (1, {"ok": 1})
    assert 1 <= rows_of(ledger)[0].judgment.scores["overall"] <= 10
