"""Files of batches: found by request whatever their order, and nothing in them passed over in silence."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.models.base import Message, Request, Sampling
from assay.models.batch_model import BatchQuirks
from assay.models.batch_requests import BatchWriter
from assay.models.batch_responses import Responses
from assay.models.faults import Fault
from assay.models.wire import decode_reply

REQUEST = Request(
    model="openai/m", messages=(Message("user", "?"),), sampling=Sampling(max_tokens=9), schema={}
)


def body(text):
    return {"id": "x", "choices": [{"message": {"content": text}, "finish_reason": "stop"}]}


def reply(key, text="yes", **rest):
    row = {"id": "r", "custom_id": key, "response": {"status_code": 200, "body": body(text)}, "error": None}
    return json.dumps({**row, **rest}, ensure_ascii=False)


def failure(key, status=500, message="The server had an error"):
    return reply(key, response={"status_code": status, "body": {"error": {"message": message}}})


def written(tmp_path, *lines, name="out.jsonl", end="\n"):
    path = tmp_path / name
    path.write_bytes(end.join(line if isinstance(line, str) else line.decode() for line in lines).encode())
    return path


def said(responses, key):
    return decode_reply(responses.body(key), REQUEST).text


keys = st.text("abcdef0123456789-_é", min_size=1, max_size=12)
texts = st.text(st.characters(codec="utf-8"), max_size=40)


class TestResponses:
    @given(
        answers=st.tuples(st.dictionaries(keys, texts, max_size=12), st.sets(keys, max_size=6)),
        junk=st.lists(
            st.sampled_from(["", "   ", "{", "[]", "null", "{}", '"text"', '{"custom_id": 3}']), max_size=4
        ),
        form=st.tuples(st.integers(1, 3), st.booleans(), st.sampled_from(["\n", "\r\n"])),
        order=st.randoms(use_true_random=False),
    )
    def test_whatever_the_order_and_the_split(self, tmp_path_factory, answers, junk, form, order):
        replies, failed = answers
        lines = [
            *(reply(key, text) for key, text in replies.items()),
            *(failure(key) for key in failed),
            *junk,
        ]
        order.shuffle(lines)
        parts, packed, end = form
        folder = tmp_path_factory.mktemp("batch")
        paths = []
        for number in range(parts):
            # Each file has a response, or it would be refused.
            part = [*lines[number::parts], reply("always", "there")]
            data = "".join(line + end for line in part).encode()
            path = folder / f"{number}.jsonl"
            path.write_bytes(gzip.compress(data) if packed else data)
            paths.append(path)
        with Responses(paths) as found:
            assert set(found.keys()) == {*replies, "always"}
            assert {key: said(found, key) for key in found.keys()} == {**replies, "always": "there"}  # noqa: SIM118
            assert set(found.failed) == failed - {*replies, "always"}
            assert len(found.unreadable) == sum(bool(line.strip()) for line in junk)
            assert found.lines == len(replies) + len(failed) + parts
            assert found.repeated == parts - 1 + ("always" in replies and replies["always"] == "there")

    @pytest.mark.parametrize(
        ("line", "kind", "message"),
        [
            (failure("k"), "busy", "HTTP 500: The server had an error"),
            (failure("k", 429, "Rate limit reached"), "rate", "HTTP 429: Rate limit reached"),
            (failure("k", 401, "Incorrect API key"), "key", "HTTP 401: Incorrect API key"),
            (
                failure("k", 400, "maximum context length is 9"),
                "long",
                "HTTP 400: maximum context length is 9",
            ),
            (
                reply("k", response=None, error={"code": "batch_expired", "message": "too late"}),
                "busy",
                "batch_expired: too late",
            ),
            (reply("k", error={"code": "batch_cancelled", "message": "off"}), "busy", "batch_cancelled: off"),
            (reply("k", response=None, error="no luck"), "busy", "no luck"),
            (reply("k", response=None), "broken", "neither a response nor an error"),
            # vLLM's: the error stands beside a response without a body.
            (
                reply(
                    "k",
                    response={"status_code": 400, "request_id": "v", "body": None},
                    error={"object": "error", "message": "unknown model", "code": 400},
                ),
                "model",
                "HTTP 400: unknown model",
            ),
        ],
    )
    def test_errors_in_place_of_replies(self, line, kind, message, tmp_path):
        with Responses([written(tmp_path, line)]) as found:
            assert (found.failed["k"].kind, found.failed["k"].message) == (kind, message)
            assert found.body("k") is None
            assert len(found) == 0

    def test_the_last_line_of_a_file_that_was_cut(self, tmp_path):
        path = written(tmp_path, reply("a"), reply("b")[:-40])
        with Responses([path]) as found:
            assert list(found.keys()) == ["a"]
            assert len(found.unreadable) == 1
            assert found.unreadable[0].startswith(f"{path}:2: ")
            assert found.unreadable[0].endswith("; the file ends in the middle of it")

    def test_a_gzip_file_that_was_cut(self, tmp_path):
        path = tmp_path / "out.jsonl.gz"
        data = gzip.compress("".join(f"{reply(str(number))}\n" for number in range(5000)).encode())
        path.write_bytes(data[: len(data) // 2])
        with Responses([path]) as found:
            assert 1000 < len(found) < 4000
            assert any("gzip file is cut" in line for line in found.unreadable)

    def test_a_byte_order_mark(self, tmp_path):
        path = tmp_path / "out.jsonl"
        path.write_bytes(b"\xef\xbb\xbf" + reply("a", "ü").encode())
        with Responses([path]) as found:
            assert said(found, "a") == "ü"

    def test_a_response_that_is_the_completion_itself(self, tmp_path):
        with Responses([written(tmp_path, reply("a", response=body("straight")))]) as found:
            assert said(found, "a") == "straight"

    def test_bodies_that_are_not_quite_json(self, tmp_path):
        line = reply("a", "half@").replace("@", "\\ud83d")
        with Responses([written(tmp_path, line)]) as found:
            assert said(found, "a") == "half\ufffd"

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            ("", "holds no response: it is empty"),
            ("<html>", "holds no response; line 1: JSON is malformed"),
            ("# subjects\nname: x\n", "holds no response; line 1: JSON is malformed"),
            ('[{"custom_id": "a"}]', "holds no response; line 1: Expected `object`"),
            ('{"hello": 1}', "holds no response; line 1: has no custom_id"),
            ('{"error": {"message": "No such File object"}}', "the provider's error: No such File object"),
            (
                '{"custom_id": "a", "method": "POST", "url": "/v1", "body": {}}',
                ":1: is a request, not a response",
            ),
            (
                '{"id": "batch_1", "object": "batch", "output_file_id": "file-7"}',
                "is the batch's description, not its responses (its output_file_id is file-7)",
            ),
        ],
    )
    def test_files_of_something_else(self, content, problem, tmp_path):
        with pytest.raises(InputError) as error, Responses([written(tmp_path, content)]):
            pass
        assert problem in str(error.value)

    def test_no_file(self, tmp_path):
        with pytest.raises(InputError, match="cannot be read: No such file"):
            Responses([tmp_path / "none.jsonl"])
        with pytest.raises(InputError, match="cannot be read: Is a directory"):
            Responses([tmp_path])


class TestWriter:
    @given(
        sizes=st.lists(st.integers(0, 300), max_size=20),
        most_requests=st.integers(1, 6),
        most_bytes=st.integers(100, 900),
    )
    def test_limits_hold_and_nothing_is_lost(self, tmp_path_factory, sizes, most_requests, most_bytes):
        folder = tmp_path_factory.mktemp("batch")
        writer = BatchWriter(folder / "q.jsonl", most_requests=most_requests, most_bytes=most_bytes)
        for number, size in enumerate(sizes):
            for _ in range(2):
                writer.write(f"k{number}", json.dumps({"text": "x" * size}).encode())
        assert list(folder.glob("q*")) == []
        writer.close()
        files = [path.read_text().splitlines() for path in writer.paths]
        assert [json.loads(line)["custom_id"] for lines in files for line in lines] == [
            f"k{number}" for number in range(len(sizes))
        ]
        for path, lines in zip(writer.paths, files, strict=True):
            assert 0 < len(lines) <= most_requests
            assert path.stat().st_size <= most_bytes or len(lines) == 1
        assert writer.size == sum(path.stat().st_size for path in writer.paths)
        assert writer.stale() == []

    def test_a_line(self, tmp_path):
        writer = BatchWriter(tmp_path / "q.jsonl", url="/chat/completions")
        writer.write("k", b'{"model":"m"}')
        writer.close()
        assert json.loads((tmp_path / "q.jsonl").read_text()) == {
            "custom_id": "k",
            "method": "POST",
            "url": "/chat/completions",
            "body": {"model": "m"},
        }


class TestManners:
    FAULT = Fault(
        kind="field",
        message="HTTP 400",
        detail="Unsupported parameter: 'seed' is not supported",
        parameter="seed",
    )

    def seeded(self, **rest):
        return Request(model="vllm/m", messages=(), sampling=Sampling(seed=1, **rest))

    def test_learnt_once_and_kept(self):
        quirks = BatchQuirks("vllm/m", "m")
        assert quirks.learnt is None
        quirks.learn(self.seeded(), self.FAULT)
        assert quirks.taught == ["without seed"]
        later = BatchQuirks("vllm/m", "m", learnt=quirks.learnt)
        later.learn(self.seeded(), self.FAULT)
        assert later.taught == []
        assert later.of(self.seeded()).left_out == {"seed"}

    def test_one_thing_a_round(self):
        quirks = BatchQuirks("vllm/m", "m")
        request = Request(model="vllm/m", messages=(), schema={"type": "object"})
        for number in range(3):
            detail = f"Invalid schema for response_format 'reply': in context=({number})"
            quirks.learn(request, Fault(kind="field", message="HTTP 400", detail=detail))
        assert quirks.of(request).schema == "json_schema"
        again = BatchQuirks("vllm/m", "m", learnt=quirks.learnt)
        for number in range(3):
            detail = f"Invalid schema for response_format 'reply': in context=({number})"
            again.learn(request, Fault(kind="field", message="HTTP 400", detail=detail))
        assert again.of(request).schema == "json_schema"

    def test_openai_calls_it_otherwise(self):
        assert (
            BatchQuirks("openai/gpt-4o", "gpt-4o").of(REQUEST).name("max_tokens") == "max_completion_tokens"
        )
        assert BatchQuirks("vllm/gpt-4o", "gpt-4o").of(REQUEST).name("max_tokens") == "max_tokens"
