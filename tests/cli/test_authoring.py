"""What commands share that have a model write: the ledger, caps, batch files, shown by `assay lab query suitable`."""

from __future__ import annotations

import asyncio
import json
import random

import pytest

from assay.cli.author_session import AuthorArguments, AuthorSession, run_author_session
from assay.errors import EngineError
from assay.models.base import PendingCall
from assay.models.schema_sample import sample_value

QUESTION = "Why did lithium prices fall in 2023?"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "q.txt").write_text(f"{QUESTION}\n\n中国的中产有哪些特点？\n", "utf-8")
    return tmp_path


def answered(requests, path, *, status=200, text=None, message="The server had an error"):
    """What a provider makes of a file."""
    lines = []
    for line in requests.read_text("utf-8").splitlines():
        row = json.loads(line)
        schema = row["body"]["response_format"]["json_schema"]["schema"]
        said = text or json.dumps(sample_value(schema, random.Random(row["custom_id"])), ensure_ascii=False)
        body = {
            "model": "gpt-4.1-mini-2025-04-14",
            "choices": [{"message": {"content": said}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        }
        if status != 200:
            body = {"error": {"message": message, "type": "invalid_request_error"}}
        lines.append(
            json.dumps({"custom_id": row["custom_id"], "response": {"status_code": status, "body": body}})
        )
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


class TestLedger:
    def test_what_was_asked_is_not_asked_again(self, assay, folder):
        args = (
            "query",
            "suitable",
            "q.txt",
            "--model",
            "scripted/random",
            "--ledger",
            "l.db",
            "--format",
            "jsonl",
        )
        first = assay(*args)
        assert first.exit_code == 0
        assert "2 calls" in first.stderr
        again = assay(*args)
        assert again.stdout == first.stdout
        assert "calls" not in again.stderr
        assert "2 calls" in assay(*args, "--fresh").stderr

    def test_another_temperature_is_another_question(self, assay, folder):
        args = ("query", "suitable", "q.txt", "--model", "scripted/random", "--ledger", "l.db")
        assay(*args)
        assert "2 calls" in assay(*args, "--temperature", "0.7").stderr

    def test_a_cap_stops_it_and_keeps_what_was_answered(self, assay, folder):
        args = ("query", "suitable", "q.txt", "--model", "scripted/random", "--ledger", "l.db", "-j", "1")
        result = assay(*args, "--max-total-tokens", "6000", "--max-tokens", "500")
        assert result.exit_code == 0
        result = assay(*args, "--max-total-tokens", "600", "--max-tokens", "500", "--fresh")
        assert result.exit_code == 3
        assert "600" in result.stderr

    def test_quiet(self, assay, folder):
        assert assay("lab", "query", "suitable", "q.txt", "--model", "scripted/random", "-q").stderr == ""

    def test_no_such_model(self, assay, folder):
        result = assay("lab", "query", "suitable", "q.txt", "--model", "openia/gpt-4.1")
        assert result.exit_code == 2
        assert "openai" in result.stderr


class TestBatchFiles:
    ARGS = ("query", "suitable", "q.txt", "--model", "openai/gpt-4.1-mini", "--ledger", "l.db")

    def test_requests_are_fit_to_send(self, assay, folder):
        result = assay(*self.ARGS, "--requests", "r.jsonl", "-o", "out.jsonl")
        assert result.exit_code == 0
        assert "wrote 2 requests to r.jsonl; nothing was sent" in result.stderr
        assert not (folder / "out.jsonl").exists()
        rows = [json.loads(line) for line in (folder / "r.jsonl").read_text("utf-8").splitlines()]
        assert len({row["custom_id"] for row in rows}) == 2
        for row in rows:
            assert (row["method"], row["url"]) == ("POST", "/v1/chat/completions")
            body = row["body"]
            assert body["model"] == "gpt-4.1-mini"
            assert [message["role"] for message in body["messages"]] == ["system", "user"]
            form = body["response_format"]["json_schema"]
            assert form["strict"] is True
            assert form["schema"]["properties"]["decision"]["enum"] == ["ACCEPT", "REJECT"]

    def test_answered_files_are_taken_in(self, assay, folder):
        assay(*self.ARGS, "--requests", "r.jsonl")
        answered(folder / "r.jsonl", folder / "a.jsonl")
        result = assay(*self.ARGS, "--responses", "a.jsonl", "-o", "out.jsonl")
        assert result.exit_code == 0
        assert "2 replies read" in result.stderr
        rows = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()]
        assert [row["status"] for row in rows] == ["ok", "ok"]
        # They are in the ledger now: no file, no key, no network.
        again = assay(*self.ARGS, "--format", "jsonl")
        assert [json.loads(line)["decision"] for line in again.stdout.splitlines()] == [
            row["decision"] for row in rows
        ]

    def test_what_cannot_be_used_is_asked_again_in_the_next_round(self, assay, folder):
        assay(*self.ARGS, "--requests", "r.jsonl")
        answered(folder / "r.jsonl", folder / "a.jsonl", text="I accept them all.")
        result = assay(*self.ARGS, "--responses", "a.jsonl", "--requests", "r2.jsonl")
        assert result.exit_code == 0
        assert "wrote 2 requests to r2.jsonl" in result.stderr
        row = json.loads((folder / "r2.jsonl").read_text("utf-8").splitlines()[0])
        assert [message["role"] for message in row["body"]["messages"]] == [
            "system",
            "user",
            "assistant",
            "user",
        ]

    def test_replies_nobody_needs_and_files_of_earlier_rounds_are_said(self, assay, folder):
        assay(*self.ARGS, "--requests", "r.jsonl")
        answered(folder / "r.jsonl", folder / "a.jsonl")
        one = ("query", "suitable", QUESTION, *self.ARGS[3:])
        result = assay(*one, "--responses", "a.jsonl", "--requests", "r.jsonl")
        assert result.exit_code == 0, result.stderr
        assert ": 1 reply read" in result.stderr
        assert "1 reply in the files not needed: already known, or to other requests" in result.stderr
        assert "r.jsonl belongs to an earlier round; do not send it" in result.stderr

    def test_requests_take_the_place_of_requests_only(self, assay, folder):
        (folder / "notes.txt").write_text("mine", "utf-8")
        for name, says in (
            ("notes.txt", "is not a file of requests"),
            ("q.txt", "is one of the files to read"),
        ):
            kept = (folder / name).read_bytes()
            result = assay(*self.ARGS, "--requests", name)
            assert result.exit_code == 2
            assert says in result.stderr
            assert (folder / name).read_bytes() == kept
        for _ in range(2):
            assert assay(*self.ARGS, "--requests", "r.jsonl").exit_code == 0

    def test_what_waits_is_said(self, assay, folder):
        assay(*self.ARGS, "--requests", "r.jsonl")
        answered(folder / "r.jsonl", folder / "a.jsonl", status=500)
        result = assay(*self.ARGS, "--responses", "a.jsonl")
        assert result.exit_code == 0
        assert "The server had an error" in result.stderr
        assert "2 wait for replies; --requests FILE writes their requests" in result.stderr

    def test_a_refused_setting_is_remembered_for_the_next_round(self, assay, folder):
        args = (*self.ARGS, "--seed", "7")
        assay(*args, "--requests", "r.jsonl")
        assert json.loads((folder / "r.jsonl").read_text("utf-8").splitlines()[0])["body"]["seed"] == 7
        answered(
            folder / "r.jsonl",
            folder / "a.jsonl",
            status=400,
            message="Unsupported parameter: 'seed' is not supported with this model.",
        )
        assay(*args, "--responses", "a.jsonl")
        assay(*args, "--requests", "r2.jsonl")
        assert "seed" not in json.loads((folder / "r2.jsonl").read_text("utf-8").splitlines()[0])["body"]

    def test_nothing_waits_any_more(self, assay, folder):
        assay(*self.ARGS, "--requests", "r.jsonl")
        answered(folder / "r.jsonl", folder / "a.jsonl")
        result = assay(*self.ARGS, "--responses", "a.jsonl", "--requests", "r2.jsonl")
        assert "wrote" not in result.stderr
        assert not (folder / "r2.jsonl").exists()

    @pytest.mark.parametrize(
        ("args", "told"),
        [
            (("--requests", "r.jsonl", "--ledger", "none"), "batch files need a ledger"),
            (("--requests", "-"), "is not a file; name one"),
            (("--responses", "nowhere.jsonl"), "nowhere.jsonl"),
        ],
    )
    def test_mistakes(self, assay, folder, args, told):
        result = assay(*self.ARGS, *args)
        assert result.exit_code == 2
        assert told in result.stderr


class _Session:
    slots = 1


class TestEach:
    def test_what_waits_is_counted_and_the_rest_goes_on(self):
        session = AuthorSession(AuthorArguments(model="m"), _Session())

        async def make(item):
            if item == 1:
                raise PendingCall("later")
            return item

        assert asyncio.run(session.each([0, 1, 2], make)) == [0, None, 2]
        assert session.pending == 1

    def test_an_error_stops_the_others(self):
        session = AuthorSession(AuthorArguments(model="m"), _Session())
        finished = []

        async def make(item):
            if item == 0:
                raise EngineError("no more money")
            await asyncio.sleep(0.01 * item)
            finished.append(item)

        async def both():
            with pytest.raises(EngineError):
                await session.each(range(10), make)
            await asyncio.sleep(0.2)

        asyncio.run(both())
        assert finished == []


def test_settings_of_the_model_come_before_what_a_command_takes_for_usual(folder):
    (folder / "assay.toml").write_text(
        '[models."scripted/random"]\nmax-tokens = 77\ncontext = 900\n', "utf-8"
    )
    seen = []

    async def work(session):
        seen.append((await session.author(max_tokens=5000)).sampling.max_tokens)
        seen.append(await session.window())
        return 0

    assert run_author_session(AuthorArguments(model="scripted/random", ledger="none"), work) == 0
    asked = AuthorArguments(model="scripted/random", ledger="none", max_tokens=99)
    run_author_session(asked, work)
    assert seen == [77, 900, 99, 900]
