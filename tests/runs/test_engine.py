import asyncio
from types import SimpleNamespace

import pytest
from event_clock import run
from run_helpers import comparable, experiment, go, run_all, scripted, write_rows

from assay.judges.judgment import Judgment
from assay.models.base import CallFailedError, ModelSetupError, Reply, Usage
from assay.runs.engine import Engine, RunProgress
from assay.runs.ledger import open_ledger
from assay.runs.prefix_limiter import HaltedError
from assay.runs.run_options import RunOptions
from assay.runs.runner import opened_run
from assay.runs.tasks import JudgmentTask
from assay.subjects.case import Case
from assay.subjects.report import Report

CASE = Case(Report("text"))
TEXT = "subjects: r.jsonl\njudges: [{judge: direct@scripted/test, temperature: 0}]\n"


def score(request, value=3):
    return Reply(text=f'{{"score": {value}}}', usage=Usage(1, 100, 0, 5, 0.0))


def task(key, make, weight=1):
    """A task whose judge does what a function does."""
    judge = SimpleNamespace(version="v", judge=lambda case, repetition: make())
    return JudgmentTask(judge, CASE, key, weight=weight)


def outcome(status="ok"):
    return Judgment("s", "j", status=status)


class TestEngine:
    def test_a_bounded_number_is_under_way_and_all_are_made(self):
        active = most = 0

        async def make():
            nonlocal active, most
            active += 1
            most = max(most, active)
            await asyncio.sleep(1)
            active -= 1
            return outcome()

        progress = RunProgress(500)
        run(Engine(None, "r", width=4).run((task(str(i), make) for i in range(500)), progress))
        assert progress.made == progress.done == 500
        assert most == 4 * 3 + 8

    def test_the_plan_is_taken_bit_by_bit(self):
        taken = finished = 0
        ahead = []

        async def make():
            nonlocal finished
            await asyncio.sleep(1)
            finished += 1
            return outcome()

        def plan():
            nonlocal taken
            for i in range(300):
                taken += 1
                ahead.append(taken - finished)
                yield task(str(i), make)

        run(Engine(None, "r", width=1).run(plan(), RunProgress()))
        assert max(ahead) <= 1 * 3 + 8 + 1

    def test_heavy_judgments_count_for_more(self):
        active = most = 0

        async def make():
            nonlocal active, most
            active += 1
            most = max(most, active)
            await asyncio.sleep(1)
            active -= 1
            return outcome()

        run(Engine(None, "r", width=4).run((task(str(i), make, 25) for i in range(30)), RunProgress()))
        assert most == 1

    def test_what_nothing_can_get_round_ends_it_and_lets_others_finish(self):
        made = []

        async def good():
            await asyncio.sleep(2)
            made.append(1)
            return outcome()

        async def bad():
            await asyncio.sleep(1)
            raise ModelSetupError("wrong key")

        halted = []
        progress = RunProgress(100)
        engine = Engine(None, "r", width=1, halt=lambda: halted.append(1))
        with pytest.raises(ModelSetupError):
            run(
                engine.run(
                    [task("a", good), task("b", bad), *(task(str(i), good) for i in range(98))], progress
                )
            )
        assert progress.made == len(made) == 10  # those that were under way
        assert halted == [1]
        assert progress.problem == "wrong key"

    def test_halted_judgments_are_no_failure(self):
        async def make():
            raise HaltedError("the run is ending")

        progress = RunProgress(3)
        run(Engine(None, "r", width=1).run([task(str(i), make) for i in range(3)], progress))
        assert (progress.halted, progress.made) == (3, 0)


class TestResume:
    def test_what_is_there_is_not_made_again(self, tmp_path, monkeypatch):
        opened = scripted(monkeypatch, score)
        write_rows(tmp_path / "r.jsonl", 10)
        made = experiment(tmp_path, TEXT)
        first, rows = run_all(made, tmp_path / "l")
        second, same = run_all(made, tmp_path / "l")
        assert (first.progress.made, second.progress.made, second.progress.recalled) == (10, 0, 10)
        assert first.id == second.id
        assert not opened["scripted/test"].requests
        assert comparable(rows) == comparable(same)

    def test_failures_are_tried_again_and_other_outcomes_kept(self, tmp_path, monkeypatch):
        fail = {"on": True}

        def script(request):
            text = request.messages[1].content
            if "report 1 " in text and fail["on"]:
                return CallFailedError("down")
            if "report 2 " in text:
                return Reply(text="I cannot help with that.", finish="refusal")
            return Reply(text="no verdict here") if "report 3 " in text else score(request)

        scripted(monkeypatch, script)
        write_rows(tmp_path / "r.jsonl", 5)
        made = experiment(tmp_path, TEXT)
        first, _ = run_all(made, tmp_path / "l")
        assert first.progress.statuses == {"ok": 2, "failed": 1, "refused": 1, "unparsed": 1}
        assert first.status == "done"
        fail["on"] = False
        second, rows = run_all(made, tmp_path / "l")
        assert (second.progress.made, second.progress.recalled) == (1, 4)
        assert sorted(row.judgment.status for row in rows) == ["ok", "ok", "ok", "refused", "unparsed"]

    def test_a_changed_document_is_judged_anew_and_the_old_verdict_is_gone(self, tmp_path, monkeypatch):
        scripted(
            monkeypatch, lambda request: score(request, 5 if "quieter" in request.messages[1].content else 1)
        )
        write_rows(tmp_path / "r.jsonl", 3)
        made = experiment(tmp_path, TEXT)
        first, rows = run_all(made, tmp_path / "l")
        text = (tmp_path / "r.jsonl").read_text()
        (tmp_path / "r.jsonl").write_text(text.replace("quiet in case 1.", "quieter in case 1."))
        second, changed = run_all(made, tmp_path / "l")
        assert second.id != first.id
        assert (second.progress.made, second.progress.recalled) == (1, 2)
        assert len(changed) == 3
        assert sorted(row.judgment.scores["overall"] for row in changed) == [1, 1, 5]
        # And back: what was paid for stays paid for.
        (tmp_path / "r.jsonl").write_text(text)
        third, back = run_all(made, tmp_path / "l")
        assert (third.id, third.progress.made) == (first.id, 0)
        assert comparable(back) == comparable(rows)

    @pytest.mark.parametrize(
        ("before", "after", "asked"),
        [
            ("temperature: 0", "temperature: 0.5", 3),
            ("scripted/test", "scripted/other", 3),
            ("direct@", "brief@", 3),
            ("temperature: 0", "temperature: 0, max_tokens: 100", 3),
            ("temperature: 0", "temperature: 0, rubric: reflect-report", 3),
            # How it is scheduled or capped is no part of the question.
            ("subjects", "budget: {tokens: 1000000}\nsubjects", 0),
            # Another judge by another name: other judgments, of the same calls.
            ("temperature: 0", "temperature: 0, label: x", 0),
        ],
    )
    def test_a_changed_setting_is_a_new_question(self, tmp_path, monkeypatch, before, after, asked):
        opened = scripted(monkeypatch, score)
        write_rows(tmp_path / "r.jsonl", 3)
        run_all(experiment(tmp_path, TEXT), tmp_path / "l")
        opened.clear()
        run_all(experiment(tmp_path, TEXT.replace(before, after)), tmp_path / "l")
        questions = {request.key() for model in opened.values() for request in model.requests}
        assert len(questions) in ((asked, 2 * asked) if asked else (0,))

    def test_fresh_asks_again_and_goes_on_where_it_stopped(self, tmp_path, monkeypatch):
        opened = scripted(monkeypatch, score)
        write_rows(tmp_path / "r.jsonl", 6)
        made = experiment(tmp_path, TEXT)
        run_all(made, tmp_path / "l")
        text = TEXT + "budget: {tokens: 100000}\n"
        # Stopped after some: the cap is reached.
        fresh, _ = run_all(experiment(tmp_path, text), tmp_path / "l", RunOptions(fresh=True, limit=None))
        assert fresh.progress.made == 6
        assert len(opened["scripted/test"].requests) == 6
        # Taken up again without --fresh, what was asked afresh counts, and nothing is asked.
        again, rows = run_all(made, tmp_path / "l")
        assert again.progress.recalled == len(rows) == 6
        assert not opened["scripted/test"].requests

    def test_an_interrupted_fresh_run_is_finished_fresh(self, tmp_path, monkeypatch):
        opened = scripted(monkeypatch, score)
        write_rows(tmp_path / "r.jsonl", 6)
        text = TEXT.replace("temperature: 0", "temperature: 0, max_tokens: 50")
        made = experiment(tmp_path, text)
        run_all(made, tmp_path / "l")
        capped = experiment(tmp_path, text + "budget: {tokens: 1400}\n")
        stopped, _ = run_all(capped, tmp_path / "l", RunOptions(fresh=True))
        assert stopped.status == "stopped"
        asked = len(opened["scripted/test"].requests)
        assert 0 < asked < 6
        again, _ = run_all(made, tmp_path / "l")
        assert again.status == "done"
        assert again.progress.recalled == asked
        assert len(opened["scripted/test"].requests) == 6 - asked

    def test_another_run_takes_over_what_is_the_same(self, tmp_path, monkeypatch):
        opened = scripted(monkeypatch, score)
        write_rows(tmp_path / "r.jsonl", 6)
        part, _ = run_all(experiment(tmp_path, TEXT), tmp_path / "l", RunOptions(limit=2))
        whole, rows = run_all(experiment(tmp_path, TEXT), tmp_path / "l")
        assert part.id != whole.id
        assert (whole.progress.recalled, whole.progress.made, len(rows)) == (2, 4, 6)
        assert len(opened["scripted/test"].requests) == 4


class TestEarlyStop:
    TEXT = (
        "subjects: ['*.jsonl']\njudges: [{judge: direct@scripted/test, trials: 5}]\ncompare: query\n"
        "early_stop: true\n"
    )

    def test_trials_end_when_the_majority_is_settled(self, tmp_path, monkeypatch):
        opened = scripted(monkeypatch, lambda request: '{"preference": "tie"}')
        write_rows(tmp_path / "x.jsonl", 2, system="x")
        write_rows(tmp_path / "y.jsonl", 2, system="y")
        made, rows = run_all(experiment(tmp_path, self.TEXT), tmp_path / "l")
        # Three of five agree: the other two cannot change it.
        assert (made.progress.made, made.progress.skipped, made.progress.done) == (6, 4, 10)
        assert made.progress.planned == 10
        assert [row.tags.get("trials_skipped") for row in sorted(rows, key=lambda row: row.trial)] == [
            None, None, None, None, "2", "2",
        ]  # fmt: skip
        again, _ = run_all(experiment(tmp_path, self.TEXT), tmp_path / "l")
        assert (again.progress.made, again.progress.recalled, again.progress.skipped) == (0, 6, 4)
        assert not opened["scripted/test"].requests

    def test_disagreement_takes_them_all(self, tmp_path, monkeypatch):
        def script(request):
            verdict = ["tie", "A>B", "A<B", "tie", "A>B"][request.draw // 64]
            return f'{{"preference": "{verdict}"}}'

        scripted(monkeypatch, script)
        write_rows(tmp_path / "x.jsonl", 1, system="x")
        write_rows(tmp_path / "y.jsonl", 1, system="y")
        text = self.TEXT.replace("trials: 5", "trials: 5, swap: false")
        made, _ = run_all(experiment(tmp_path, text), tmp_path / "l")
        assert (made.progress.made, made.progress.skipped) == (5, 0)


class TestStop:
    def test_interrupted_it_awaits_what_is_under_way_and_sends_nothing_more(self, tmp_path, monkeypatch):
        begun, ended = [], []

        async def slow(request):
            begun.append(request.key())
            await asyncio.sleep(0.2)
            ended.append(request.key())
            return score(request)

        scripted(monkeypatch, slow)
        write_rows(tmp_path / "r.jsonl", 30)
        made = experiment(tmp_path, TEXT + "models: {scripted/test: {concurrency: 4}}\n")

        async def main(ledger):
            async with opened_run(made, ledger, RunOptions()) as one:
                asyncio.get_running_loop().call_later(0.3, one.interrupt)
                await one.go()
                return one

        with open_ledger(tmp_path / "l") as ledger:
            one = asyncio.run(main(ledger))
            assert one.status == ledger.run(one.id).status == "interrupted"
            assert 4 <= len(begun) <= 8
            assert begun == ended
            assert one.progress.made == len(begun)
            # It goes on from there.
            two = asyncio.run(go(made, ledger))
        assert (two.id, two.status) == (one.id, "done")
        assert len(begun) == len(set(begun)) == 30

    def test_twice_it_does_not_wait(self, tmp_path, monkeypatch):
        async def endless(request):
            await asyncio.sleep(60)

        scripted(monkeypatch, endless)
        write_rows(tmp_path / "r.jsonl", 3)
        made = experiment(tmp_path, TEXT)

        async def main(ledger):
            loop = asyncio.get_running_loop()
            async with opened_run(made, ledger, RunOptions()) as one:
                loop.call_later(0.1, one.interrupt)
                loop.call_later(0.2, one.interrupt)
                began = loop.time()
                await one.go()
                return one, loop.time() - began

        with open_ledger(tmp_path / "l") as ledger:
            one, seconds = asyncio.run(main(ledger))
        assert one.status == "interrupted"
        assert seconds < 5

    def test_a_wrong_key_ends_it_at_once(self, tmp_path, monkeypatch):
        opened = scripted(monkeypatch, lambda request: ModelSetupError("the key is wrong"))
        write_rows(tmp_path / "r.jsonl", 500)
        made = experiment(tmp_path, TEXT + "models: {scripted/test: {concurrency: 4}}\n")
        with pytest.raises(ModelSetupError, match="the key is wrong"):
            run_all(made, tmp_path / "l")
        assert len(opened["scripted/test"].requests) <= 8
        with open_ledger(tmp_path / "l") as ledger:
            assert [head.status for head in ledger.runs()] == ["failed"]
