"""What goes into a ledger comes out, exactly, and is found again."""

import asyncio
import gc
import sqlite3
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_rows import LEAD, call, judgment, request, run_row

from assay.errors import EngineError, InputError, UsageError
from assay.models.base import Message, Reply, Request, Sampling, TokenLogprob, Usage
from assay.runs.ledger import open_ledger
from assay.runs.records import CallRow

# Anything a model or a report may say: lone surrogates, NUL, emoji.
TEXT = st.text(st.characters(exclude_categories=()), max_size=200) | st.sampled_from(
    ["\ud83d\ude00", "😀", "\ud83d\ude00\0", "=#!", "x" * 100, LEAD, "\udcff" * 90]
)
PLAIN = st.text(max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PLAIN, inner, max_size=3),
    max_leaves=8,
)
REQUESTS = st.builds(
    Request,
    model=PLAIN,
    messages=st.lists(
        st.builds(Message, role=st.sampled_from(["system", "user", "assistant"]), text=TEXT, lead=TEXT),
        max_size=4,
    ).map(tuple),
    sampling=st.builds(
        Sampling,
        temperature=st.none() | st.floats(0, 2),
        max_tokens=st.none() | st.integers(1, 9999),
        stop=st.lists(PLAIN, max_size=2).map(tuple),
        extra=st.dictionaries(PLAIN, JSON, max_size=2),
    ),
    schema=st.none() | st.dictionaries(PLAIN, JSON, max_size=4),
    draw=st.integers(0, 99),
)
LOGPROB = st.floats(max_value=0, allow_nan=False)  # minus infinity is what some servers say
REPLIES = st.builds(
    Reply,
    text=TEXT,
    finish=st.sampled_from(["stop", "length", "refusal"]),
    usage=st.builds(Usage, calls=st.integers(0, 3), cost_usd=st.none() | st.floats(0, 10)),
    reasoning=st.none() | TEXT,
    served=st.none() | PLAIN,
    logprobs=st.none()
    | st.lists(
        st.builds(
            TokenLogprob,
            token=TEXT,
            logprob=LOGPROB,
            top=st.lists(st.tuples(TEXT, LOGPROB), max_size=2).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
    dropped=st.lists(PLAIN, max_size=2).map(tuple),
)


@settings(deadline=None)
@given(st.lists(st.tuples(REQUESTS, REPLIES), min_size=1, max_size=4))
def test_a_call_comes_back_exactly(pairs):
    rows = [CallRow(key=asked.key(), request=asked, reply=reply, at=1.5) for asked, reply in pairs]

    async def go(ledger):
        for row in rows:
            await ledger.record_call(row)

    with open_ledger(":memory:") as ledger:
        asyncio.run(go(ledger))
        newest = {row.key: row for row in rows}
        assert list(ledger.calls(newest)) == list(newest.values())
        for key, row in newest.items():
            assert ledger.reply(key) == row.reply
            assert ledger.history(key)[0] == row


def test_texts_are_kept_once_and_requests_are_small(tmp_path):
    path = tmp_path / "x.sqlite"

    async def go(ledger):
        await asyncio.gather(*(ledger.record_call(call(number)) for number in range(500)))

    with open_ledger(path) as ledger:
        asyncio.run(go(ledger))
    assert path.stat().st_size < 500_000
    con = sqlite3.connect(path)
    assert con.execute("SELECT count(*) FROM blobs WHERE length(text) > 10000").fetchone() == (1,)
    assert con.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    con.close()


def test_a_reply_is_seen_before_it_is_committed(tmp_path):
    async def go(ledger):
        row = call(1)
        done = ledger.put_call(row)
        assert ledger.reply(row.key) == row.reply
        assert not done.done()
        await done
        assert ledger.reply(row.key) == row.reply
        assert ledger.reply("no such key") is None

    with open_ledger(tmp_path / "x.sqlite") as ledger:
        asyncio.run(go(ledger))


def test_callers_of_one_turn_share_a_transaction_and_all_is_durable(tmp_path):
    path = tmp_path / "x.sqlite"

    async def go(ledger):
        written, write = [], ledger._store.write

        def counted(batch):
            written.append(len(batch.waiting))
            return write(batch)

        ledger._store.write = counted
        await asyncio.gather(*(ledger.record_call(call(number)) for number in range(128)))
        # Another connection sees what was awaited.
        con = sqlite3.connect(path)
        assert con.execute("SELECT count(*) FROM calls").fetchone() == (128,)
        con.close()
        return written

    with open_ledger(path) as ledger:
        assert asyncio.run(go(ledger)) == [128]


def test_asked_again_the_newest_answers_and_the_old_one_stays():
    async def go(ledger):
        await ledger.record_call(call(1, text="old", at=10.0))
        await ledger.record_call(call(1, text="new", at=20.0))

    with open_ledger(":memory:") as ledger:
        asyncio.run(go(ledger))
        key = request(1).key()
        assert ledger.reply(key).text == "new"
        assert ledger.reply(key, since=20.0).text == "new"
        assert ledger.reply(key, since=20.5) is None
        assert [row.reply.text for row in ledger.history(key)] == ["new", "old"]
        assert [row.reply.text for row in ledger.calls([key, "unknown"])] == ["new"]
        assert ledger.find_call(key[:6]) == [key]


def test_runs_judgments_and_answers():
    async def go(ledger):
        await ledger.start_run(run_row())
        for number in range(700):  # more than a page
            asked = call(number)
            await asyncio.gather(
                ledger.record_call(asked),
                ledger.record_judgment(
                    "run-first",
                    *judgment(number, status="failed" if number == 3 else "ok", calls=[asked.key]),
                ),
            )
        await ledger.set_status("run-first", "done")

    with open_ledger(":memory:") as ledger:
        asyncio.run(go(ledger))
        row, answers = judgment(5, calls=[request(5).key()])
        assert ledger.judgment(row.key) == ledger.judgment(row.key, "run-first") == row
        assert ledger.answers_to(row.key) == answers
        assert ledger.judgment("?") is None
        keys = [f"{number:032x}" for number in range(700)]
        assert ledger.finished("run-first") == ledger.finished() == set(keys) - {keys[3]}
        assert ledger.finished("another") == set()
        assert [made.key for made in ledger.judgments("run-first")] == keys
        assert [made.judgment for made in ledger.answers("run-first")] == keys
        assert sorted(ledger.call_keys("run-first")) == sorted(request(number).key() for number in range(700))
        assert ledger.coverage("run-first") == {"failed": 1, "ok": 699}
        used = ledger.usage_by_model("run-first")["test/m"]
        assert (used.calls, used.input_tokens, used.cached_input_tokens) == (700, 70_000, 56_000)
        assert used.cost_usd == pytest.approx(7.0)
        assert ledger.run("first") == run_row(status="done")
        assert [(head.id, head.status, head.judgments) for head in ledger.runs()] == [
            ("run-first", "done", {"failed": 1, "ok": 699})
        ]


def test_a_judgment_made_again_takes_its_place_in_its_run_only():
    async def go(ledger):
        await ledger.start_run(run_row())
        await ledger.start_run(run_row("second", created=6.0))
        await ledger.record_judgment("run-first", *judgment(1, status="failed"))
        assert ledger.finished() == set()
        await ledger.record_judgment("run-first", *judgment(1, rationale="once"))
        await ledger.record_judgment("run-second", *judgment(1, rationale="again"))
        await ledger.record_judgment("run-second", *judgment(2, status="failed"))

    key = judgment(1)[0].key
    with open_ledger(":memory:") as ledger:
        asyncio.run(go(ledger))
        assert ledger.coverage("run-first") == {"ok": 1}
        assert ledger.judgment(key, "run-first").judgment.rationale == "once"
        assert ledger.judgment(key).judgment.rationale == "again"
        # A later failure does not hide what there is; one that has never succeeded is no reason to join.
        assert ledger.join("run-third", [key, judgment(2)[0].key]) == {key}
        assert ledger.finished("run-third") == {key}
        assert ledger.judgment(judgment(2)[0].key).judgment.status == "failed"


def test_answers_without_a_judgment_are_taken_over():
    async def go(ledger):
        row, (answer,) = judgment(1)
        early = [
            type(answer)(key=f"{row.key}/{n}", judgment=row.key, unit=f"chunk:{n}", answer=answer.answer)
            for n in range(3)
        ]
        await ledger.record_answers(early[0])
        await ledger.record_answers(*early[1:])
        assert ledger.answers_to(row.key) == early
        await ledger.record_judgment("r", row, [answer])  # has the key of the first
        assert [part.unit for part in ledger.answers_to(row.key)] == ["", "chunk:1", "chunk:2"]
        assert [part.unit for part in ledger.answers("r")] == ["", "chunk:1", "chunk:2"]

    with open_ledger(":memory:") as ledger:
        asyncio.run(go(ledger))


def test_a_run_that_goes_on_keeps_its_birthday_and_unknown_names_get_a_near_one():
    async def go(ledger):
        await ledger.start_run(run_row())
        await ledger.start_run(run_row(status="done", created=99.0, plan={"n": 4}))

    with open_ledger(":memory:") as ledger:
        with pytest.raises(UsageError, match="there are none yet"):
            ledger.run("first")
        asyncio.run(go(ledger))
        assert ledger.run("run-first") == run_row(status="done", plan={"n": 4})
        with pytest.raises(UsageError, match="did you mean 'first'"):
            ledger.run("frist")
        with pytest.raises(UsageError, match="there are first"):
            ledger.run("zzz")


def test_facts():
    async def go(ledger):
        await ledger.set_fact("caches:test/m", "yes")
        await ledger.set_fact("caches:test/m", "no \ud800")
        with pytest.raises(UsageError, match="invisible characters"):
            await ledger.set_fact("a\0b", "x")

    with open_ledger(":memory:") as ledger:
        asyncio.run(go(ledger))
        assert ledger.fact("caches:test/m") == "no \ud800"
        assert ledger.fact("other") is None
        assert ledger.facts() == {"caches:test/m": "no \ud800"}


def test_it_is_recorded_though_the_waiting_task_is_cancelled(tmp_path):
    async def go(ledger):
        task = asyncio.create_task(ledger.record_call(call(1)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    path = tmp_path / "x.sqlite"
    with open_ledger(path) as ledger:
        asyncio.run(go(ledger))
    with open_ledger(path) as ledger:
        assert ledger.reply(request(1).key()) is not None


def test_what_was_put_and_never_awaited_is_written_at_the_end(tmp_path):
    async def go(ledger):
        ledger.put_call(call(1))

    path = tmp_path / "x.sqlite"
    with open_ledger(path) as ledger:
        asyncio.run(go(ledger))
        asyncio.run(ledger.record_call(call(2)))  # another loop goes on with the same ledger
    with open_ledger(path) as ledger:
        assert len(list(ledger.calls([request(1).key(), request(2).key()]))) == 2
    with pytest.raises(EngineError, match="closed"):
        ledger.put_call(call(3))


def test_interleaved_iterators_do_not_disturb_each_other():
    async def go(ledger):
        await asyncio.gather(*(ledger.record_call(call(n, lead=f"{n} " * 100)) for n in range(20)))

    with open_ledger(":memory:") as ledger:
        asyncio.run(go(ledger))
        keys = [request(n, lead=f"{n} " * 100).key() for n in range(20)]
        pairs = list(zip(ledger.calls(keys[:10]), ledger.calls(keys[10:]), strict=True))
        assert [one.request for one, _ in pairs] == [request(n, lead=f"{n} " * 100) for n in range(10)]


def test_lookups_are_fast(tmp_path):
    async def go(ledger):
        await asyncio.gather(*(ledger.record_call(call(number)) for number in range(2000)))

    with open_ledger(tmp_path / "x.sqlite") as ledger:
        asyncio.run(go(ledger))
        keys = [request(number).key() for number in range(2000)]
        best = 1.0
        for _ in range(5):
            began = time.perf_counter()
            for key in keys:
                ledger.reply(key)
            best = min(best, (time.perf_counter() - began) / len(keys))
    assert best < 100e-6  # 8 to 35 µs were measured, by what else the machine did


@pytest.mark.parametrize(
    ("where", "error", "words"),
    [
        ("mysql://x/y", UsageError, "mysql:// is not a kind of ledger; it may be"),
        ("postgresq://x/y", UsageError, "did you mean postgresql://"),
        ("", UsageError, "cannot be the path"),
        ("a\0b", UsageError, "cannot be the path"),
        ("{tmp}", InputError, "is a folder"),
        ("{tmp}/file/x.sqlite", InputError, "cannot make the folder"),
        ("{tmp}/file", InputError, "nor any SQLite file"),
        ("{tmp}/other.sqlite", InputError, "not a ledger of Assay"),
        ("{tmp}/newer.sqlite", InputError, "format 99"),
    ],
)
def test_what_is_no_ledger(tmp_path, where, error, words):
    (tmp_path / "file").write_text("This is not a database, whatever its name is." * 50)
    for name, script in (
        ("other", "CREATE TABLE t (x)"),
        ("newer", "PRAGMA application_id = 1095975257; PRAGMA user_version = 99"),
    ):
        con = sqlite3.connect(tmp_path / f"{name}.sqlite")
        con.executescript(script)
        con.close()
    with pytest.raises(error, match=words):
        open_ledger(where.format(tmp=tmp_path))
    gc.collect()  # nothing left open


def test_sqlite_addresses_and_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for where in (
        "sqlite:///a.sqlite",
        "deep/er/b.sqlite",
        tmp_path / "c ?#%20.sqlite",
        f"sqlite:///{tmp_path}/d",
    ):
        with open_ledger(where) as ledger:
            asyncio.run(ledger.record_call(call(1)))
        with open_ledger(where, read_only=True) as ledger:
            assert ledger.reply(request(1).key()) is not None
    assert {path.name for path in tmp_path.iterdir()} == {"a.sqlite", "deep", "c ?#%20.sqlite", "d"}
