import asyncio
import json
import os
import subprocess
import sys

import pytest
from event_clock import run
from hypothesis import given, settings
from hypothesis import strategies as st
from run_helpers import experiment, run_all, scripted, write_rows

from assay.errors import UsageError
from assay.models.base import CallFailedError, Message, Reply, Request, Usage
from assay.runs.budget import Budget, BudgetReachedError, CappedModel, Spending
from assay.runs.ledger import open_ledger
from assay.runs.run_options import RunOptions
from servers.fault import FaultServer


class Priced:
    id = "test/priced"

    def __init__(self, used, seconds=1.0, fail=()):
        self.used, self.seconds, self.fail = used, seconds, set(fail)
        self.calls = 0

    async def complete(self, request):
        self.calls += 1
        number = int(request.messages[0].text)
        await asyncio.sleep(self.seconds)
        if number in self.fail:
            raise CallFailedError("no", attempts=3)
        tokens = self.used[number]
        return Reply(text="x", usage=Usage(1, tokens, 0, 0, tokens / 100), attempts=2)

    async def close(self):
        pass


def ask(number):
    return Request(model="test/priced", messages=(Message("user", str(number)),))


async def all_of(spending, model, most, count):
    capped = CappedModel(model, spending, most)
    return await asyncio.gather(*(capped.complete(ask(i)) for i in range(count)), return_exceptions=True)


def test_without_a_cap_all_is_counted():
    spending = Spending(Budget())
    run(all_of(spending, Priced([10, 20, 30], fail={1}), None, 3))
    assert spending.spent == Usage(2, 40, 0, 0, 0.4)
    assert spending.retries == 4
    assert spending._under_way == 0


def test_calls_wait_for_those_under_way_rather_than_end_the_run():
    # Each may take 100 and takes 10: by what they may take, one fits at a time; by what they take, nine fit.
    spending = Spending(Budget(tokens=180))
    results = run(all_of(spending, Priced([10] * 20), lambda _: (100, None), 20))
    assert sum(isinstance(item, Reply) for item in results) == 9
    assert spending.spent.input_tokens == 90
    assert "the cap of 180 tokens is reached: 90 used" in str(results[-1])


def test_what_was_spent_before_counts():
    spending = Spending(Budget(usd=1.0), Usage(5, 900, 0, 0, 0.95))
    results = run(all_of(spending, Priced([1] * 10), lambda _: (0, 0.02), 10))
    assert sum(isinstance(item, Reply) for item in results) == 4
    assert spending.total.cost_usd == pytest.approx(0.99)


def test_what_cannot_be_told_in_money_cannot_be_capped_in_money():
    spending = Spending(Budget(usd=1.0), Usage(5, 900, 0, 0, None))
    results = run(all_of(spending, Priced([1]), lambda _: (0, 0.02), 1))
    assert "what this run spent before is not known in money" in str(results[0])


def test_a_cap_in_money_holds_where_the_endpoint_counts_nothing():
    class Silent(Priced):
        async def complete(self, request):
            reply = await super().complete(request)
            return Reply(text="x", usage=Usage(1, reply.usage.input_tokens, 0, 0, None))

    spending = Spending(Budget(usd=1.0), Usage(1, 10, 0, 0, 0.4))
    results = run(all_of(spending, Silent([1] * 10), lambda _: (0, 0.2), 10))
    # Unknown is not free: each counts as what it may have cost at most.
    assert sum(isinstance(item, Reply) for item in results) == 3
    assert "$1.0000 spent at most, for the endpoint does not say what it used" in str(results[-1])
    assert spending.total.cost_usd is None


def test_requests_that_brought_no_reply_are_counted():
    spending = Spending(Budget())
    run(
        all_of(spending, Priced([1, 1, 1], fail={0}), None, 3)
    )  # three tries in vain; two replies at the second try
    assert spending.wasted_requests == 5


@pytest.mark.parametrize("cap", [-1, float("nan")])
def test_a_cap_is_a_number(cap):
    with pytest.raises(UsageError, match="must be a number of 0 or more"):
        Budget(usd=cap)


def test_a_failed_call_gives_back_what_was_set_aside():
    spending = Spending(Budget(tokens=100))
    results = run(all_of(spending, Priced([50] * 3, fail={0}), lambda _: (100, None), 3))
    assert [type(item).__name__ for item in results] == ["CallFailedError", "Reply", "BudgetReachedError"]


def test_once_reached_nothing_more_is_sent():
    spending = Spending(Budget(tokens=10))
    model = Priced([1] * 3)
    results = run(all_of(spending, model, lambda _: (11, None), 3))
    assert all(isinstance(item, BudgetReachedError) for item in results)
    assert model.calls == 0


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30),
    st.integers(1, 400),
)
def test_a_cap_is_never_broken(calls, cap):
    used = [min(pair) for pair in calls]
    most = [max(pair) for pair in calls]
    spending = Spending(Budget(tokens=cap))
    results = run(
        all_of(
            spending, Priced(used), lambda request: (most[int(request.messages[0].text)], None), len(calls)
        )
    )
    assert spending.spent.input_tokens <= cap
    assert spending._reserved_tokens == spending._under_way == 0
    if not all(isinstance(item, Reply) for item in results):
        # It ended because the next one might not have fitted, and not before.
        assert spending.spent.input_tokens + max(most) > cap


class TestRuns:
    TEXT = "subjects: r.jsonl\njudges: [{judge: direct@scripted/test, max_tokens: 50}]\n"

    @staticmethod
    def answer(request):
        return Reply(text='{"score": 3}', usage=Usage(1, 500, 0, 20, 0.01))

    def test_it_stops_keeps_what_there_is_and_goes_on_when_the_cap_is_raised(self, tmp_path, monkeypatch):
        scripted(monkeypatch, self.answer)
        write_rows(tmp_path / "r.jsonl", 20)
        first, rows = run_all(experiment(tmp_path, self.TEXT + "budget: {tokens: 5200}\n"), tmp_path / "l")
        assert first.status == "stopped"
        assert 5 <= len(rows) <= 10
        assert first.session.spending.spent.input_tokens <= 5200
        # Again: what was spent counts, nothing more is sent.
        again, same = run_all(experiment(tmp_path, self.TEXT + "budget: {tokens: 5200}\n"), tmp_path / "l")
        assert (again.id, again.status, again.progress.made) == (first.id, "stopped", 0)
        assert len(same) == len(rows)
        raised, whole = run_all(experiment(tmp_path, self.TEXT + "budget: {tokens: 99999}\n"), tmp_path / "l")
        assert (raised.id, raised.status, len(whole)) == (first.id, "done", 20)
        assert raised.session.spending.spent.calls == 20 - len(rows)
        assert raised.session.spending.total.calls == 20
        with open_ledger(tmp_path / "l") as ledger:
            assert ledger.run(first.id).status == "done"

    def test_money(self, tmp_path, monkeypatch):
        scripted(monkeypatch, self.answer)
        write_rows(tmp_path / "r.jsonl", 20)
        text = self.TEXT + "models: {scripted/test: {price: {input: 20, output: 100}}}\n"
        made, rows = run_all(experiment(tmp_path, text), tmp_path / "l", RunOptions(budget=Budget(usd=0.1)))
        assert made.status == "stopped"
        assert 1 <= len(rows) < 11
        assert made.session.spending.spent.cost_usd <= 0.1

    def test_money_without_a_price(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 1)
        text = self.TEXT.replace("scripted/test", "vllm/unknown") + "budget: {usd: 1}\n"
        with pytest.raises(UsageError, match=r"judges\[0\]: no price is known for vllm/unknown"):
            run_all(experiment(tmp_path, text), tmp_path / "l")


@pytest.mark.slow
def test_one_cap_holds_for_two_processes_on_one_run(tmp_path):
    write_rows(tmp_path / "r.jsonl", 60)
    (tmp_path / "e.yaml").write_text(
        "name: capped\nsubjects: r.jsonl\njudges:\n"
        "  - {judge: brief@lab/m, rubric: reflect-report, per_call: 1}\nbudget: {tokens: 40000}\n"
    )
    with FaultServer(latency=0.1) as server:
        environ = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
        both = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "assay",
                    "run",
                    "e.yaml",
                    "--ledger",
                    "l.sqlite",
                    "-j",
                    "2",
                    "-f",
                    "json",
                ],
                cwd=tmp_path,
                env=environ | {"LAB_BASE_URL": server.base_url},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        ended = [process.communicate(timeout=120) for process in both]
        assert [process.returncode for process in both] == [3, 3], ended
        paid = [json.loads(out)["paid"] for out, _ in ended]
        used = sum(item["input_tokens"] + item["output_tokens"] for item in paid)
        # Each knows within a fifth of a second what the other has spent; four calls may be in flight.
        assert 20_000 < used <= 40_000 * 1.1
