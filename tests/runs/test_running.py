"""Many cases by many judges: order, limits, budgets, ledgers, functions, failures and progress."""

import asyncio
import signal
import subprocess
import sys
import threading
import time

import pytest

from assay import Case, Judge, Report, RunSettings, UsageError, arun, astream, run
from assay.errors import EngineError
from assay.judges.judgment import Judgment
from assay.models.base import Reply, Usage
from assay.runs.budget import Budget, BudgetReachedError
from assay.runs.ledger import open_ledger

REPORTS = [Report(f"# Heat {i}\n\nPumps are quiet {'very ' * i}in case {i}.\n", id=f"r{i}") for i in range(6)]
PAIRS = [Case(REPORTS[0], REPORTS[1]), Case(REPORTS[2], REPORTS[3])]
DIRECT, BRIEF = "direct@scripted/random", "brief@scripted/random"


class Counted:
    """A model that counts its calls and how many are in flight."""

    id = "scripted/counted"

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.calls = self.active = self.most = 0

    async def complete(self, request) -> Reply:
        self.calls += 1
        self.active += 1
        self.most = max(self.most, self.active)
        await asyncio.sleep(self.seconds)
        self.active -= 1
        return Reply(text='{"score": 3}', usage=Usage(1, 100, 0, 5, 0.0))

    async def close(self) -> None:
        pass


def words(report) -> float:
    return report.words


class TestResults:
    def test_case_by_case_in_the_order_of_the_judges(self):
        async def slow(report):
            await asyncio.sleep(0.02 if report.id == "r0" else 0)
            return 1

        judgments = run(REPORTS, [slow, words, BRIEF])
        assert [item.subject for item in judgments] == [f"r{i}" for i in range(6) for _ in range(3)]
        assert [item.judge for item in judgments[:3]] == ["slow", "words", BRIEF]
        assert {item.status for item in judgments} == {"ok"}
        assert judgments[0].metadata == {"id": "r0"}
        columns = judgments.to_columns()
        assert len(columns["judge"]) == 18

    def test_a_run_is_a_judge_on_its_own(self):
        judge = Judge(DIRECT, repetitions=3)
        assert list(run(REPORTS, judge)) == [judge.score(report) for report in REPORTS]

    def test_paths_and_single_judges(self, tmp_path):
        path = tmp_path / "a.md"
        path.write_text("One two three.\n")
        (judgment,) = run([path], "length")
        assert (judgment.subject, judgment.overall) == (str(path), 3)

    def test_metadata_of_a_case_and_of_its_subjects(self):
        a, b = Report("a b", id="1", system="x"), Report("a", id="1", system="y")
        (judgment,) = run([Case(a, b, metadata={"domain": "law"})], "length")
        assert judgment.metadata == {
            "id_a": "1",
            "system_a": "x",
            "id_b": "1",
            "system_b": "y",
            "domain": "law",
        }

    def test_astream_yields_as_they_finish(self):
        async def slow(report):
            await asyncio.sleep(0.05)
            return 1

        async def collected():
            return [item.judge async for item in astream(REPORTS[:2], [slow, "length"])]

        assert asyncio.run(collected()) == ["length", "length", "slow", "slow"]

    def test_whoever_leaves_a_stream_ends_the_run(self):
        model = Counted(0.01)

        async def first():
            stream = astream(REPORTS, Judge(model=model, rubric="overall"), max_concurrency=1)
            async for _ in stream:
                break
            await stream.aclose()
            return model.calls

        assert asyncio.run(first()) < 6

    def test_within_a_loop_and_from_threads(self):
        async def cell():
            assert len(run(REPORTS, DIRECT)) == len(await arun(REPORTS, DIRECT)) == 6

        asyncio.run(cell())
        found = []
        threads = [threading.Thread(target=lambda: found.append(run(REPORTS, DIRECT))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(found)) == 1


class TestLimits:
    def test_two_judges_with_one_model_share_its_limit(self):
        model = Counted(0.005)
        judges = [Judge(strategy=name, model=model, rubric="overall") for name in ("direct", "brief")]
        run(REPORTS, judges, max_concurrency=3)
        assert model.calls >= 12
        assert model.most == 3

    def test_the_limit_counts_functions_too(self):
        model = Counted(0.005)

        async def own(_report):
            model.active += 1
            model.most = max(model.most, model.active)
            await asyncio.sleep(0.005)
            model.active -= 1
            return 1

        run(REPORTS, [own, Judge(model=model, rubric="overall")], max_concurrency=2)
        assert model.most == 2

    def test_a_plain_function_is_called_one_case_at_a_time_and_holds_nobody_up(self):
        threads, model = set(), Counted(0.01)

        def blocking(_report):
            threads.add(threading.get_ident())
            time.sleep(0.02)
            return 1

        began = time.monotonic()
        run(REPORTS, [blocking, Judge(model=model, rubric="overall")])
        assert len(threads) == 1
        assert threads != {threading.get_ident()}
        assert time.monotonic() - began < 1

    def test_a_budget_ends_it_and_what_was_made_is_kept(self):
        judges = [Judge(DIRECT, max_tokens=100)]
        judgments = run(REPORTS, judges, budget=Budget(tokens=3000))
        assert 0 < len(judgments) < 6
        assert isinstance(judgments.errors[0], BudgetReachedError)
        with pytest.raises(BudgetReachedError):
            run(REPORTS, judges, budget=Budget(tokens=3000), on_error="raise")

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            ({"max_concurrency": 0}, "max_concurrency is 0"),
            ({"on_error": "rise"}, "did you mean 'raise'"),
            ({"progress": "yes"}, "progress is 'yes'"),
            ({"budget": "5"}, "budget is '5'"),
            ({"budgt": 5}, "did you mean 'budget'"),
            ({"ledger": 3}, "ledger is 3"),
        ],
    )
    def test_wrong_settings(self, settings, said):
        with pytest.raises(UsageError, match=said):
            run(REPORTS, "length", **settings)
        assert repr(RunSettings(max_concurrency=4)) == "RunSettings(max_concurrency=4)"


class TestFunctions:
    @pytest.mark.parametrize(
        ("value", "scores"),
        [
            (2, {"overall": 2.0}),
            (True, {"overall": 1.0}),
            ({"a": 1, "b": 2}, {"a": 1.0, "b": 2.0, "overall": 1.5}),
            ({"a": 1, "overall": 5}, {"a": 1.0, "overall": 5.0}),
            (None, None),
            (Judgment("x", "y", scores={"z": 1.0}), {"z": 1.0}),
        ],
    )
    def test_what_a_score_may_be(self, value, scores):
        def judge(_report):
            return value

        (judgment,) = run(REPORTS[:1], judge)
        assert (judgment.status, judgment.scores, judgment.judge, judgment.subject) == (
            "ok",
            scores,
            "judge",
            "r0",
        )

    @pytest.mark.parametrize(
        ("value", "preference", "margin"),
        [
            (0.5, "A>B", 0.5),
            (-1, "A<B", -1.0),
            (0, "tie", 0.0),
            ("both_bad", "both_bad", 0.0),
            (None, None, None),
        ],
    )
    def test_what_a_comparison_may_be(self, value, preference, margin):
        judgments = run(PAIRS, lambda _a, _b: value)
        assert (judgments[0].preference, judgments[0].margin) == (preference, margin)

    @pytest.mark.parametrize(
        ("value", "said"),
        [
            ("good", "returned 'good'; a verdict is a number"),
            (float("nan"), "not a finite number; return None to abstain"),
            ([1], r"returned \[1\]"),
        ],
    )
    def test_what_a_score_may_not_be(self, value, said):
        (judgment,) = run(REPORTS[:1], lambda _report: value)
        assert judgment.status == "failed"
        import re

        assert re.search(said, judgment.problem)

    def test_objects_with_methods(self):
        class Mine:
            name, version = "mine", "1"

            def score(self, report):
                return report.words

            async def compare(self, a, b):
                return "A>B" if a.words > b.words else "A<B"

            def rank(self, subjects):
                return sorted(range(len(subjects)), key=lambda i: -subjects[i].words)

        judgments = run([REPORTS[0], PAIRS[0], Case(*REPORTS[:3], mode="rank")], Mine())
        assert [item.mode for item in judgments] == ["score", "compare", "rank"]
        assert judgments[1].preference == "A<B"
        assert (judgments[2].choice, judgments[2].scores) == (2, {"0": 0.0, "1": 0.5, "2": 1.0})
        assert {item.judge for item in judgments} == {"mine"}
        assert judgments[0].version

    def test_an_exception_is_a_failed_judgment_that_says_where(self):
        def fails(report):
            return 1 / (report.words - report.words)

        judgments = run(REPORTS, [fails, words])
        assert [item.status for item in judgments[:2]] == ["failed", "ok"]
        assert judgments[0].problem.startswith("ZeroDivisionError: ")
        assert "(test_running.py:" in judgments[0].problem
        with pytest.raises(ZeroDivisionError):
            run(REPORTS, fails, on_error="raise")

    def test_a_failed_call_is_raised_if_wanted(self):
        def model(_request):
            raise OSError("cut off")

        judge = Judge(model=model, rubric="overall")
        assert run(REPORTS[:1], judge)[0].status == "failed"
        with pytest.raises(EngineError, match=r"r0: .*cut off"):
            run(REPORTS[:1], judge, on_error="raise")

    def test_what_a_judge_cannot_do(self):
        with pytest.raises(
            UsageError, match=r"nothing was sent: .*words scores one subject; it cannot compare"
        ):
            run(PAIRS, words)
        judgments = run([REPORTS[0], PAIRS[0]], [words, "rules"])
        assert [item.status for item in judgments] == ["ok", "failed", "failed", "ok"]
        assert "it cannot compare" in judgments[2].problem
        with pytest.raises(UsageError, match="takes 3 parameters"):
            run(REPORTS, lambda a, b, c: 1)
        with pytest.raises(UsageError, match="there is nothing to judge"):
            run([], words)


class TestEnsembles:
    def test_members_are_asked_once_though_they_judge_too(self):
        model = Counted()
        model.complete = _prefers_first(model)
        member = Judge(model=model, rubric="overall")
        judgments = run(PAIRS, [member, {"ensemble": "majority", "judges": [member, "length", "random"]}])
        assert model.calls == 4
        assert judgments[1].judge == "majority(direct@scripted/counted length random)"
        assert judgments[1].mode == "compare"

    def test_a_name(self):
        judgments = run(PAIRS, "consensus(length length2=random)".replace("length2=", ""))
        assert judgments[0].judge == "consensus(length random)"
        assert judgments[0].status == "ok"


def _prefers_first(model):
    async def complete(_request):
        model.calls += 1
        return Reply(text='{"preference": "A>B"}', usage=Usage(1, 100, 0, 5, 0.0))

    return complete


class TestLedger:
    def test_what_is_there_is_recalled_and_looks_the_same(self, tmp_path):
        model, path = Counted(), tmp_path / "l.sqlite"
        judges = [Judge(model=model, rubric="overall", repetitions=2), "length"]
        first = run(REPORTS, judges, ledger=path)
        again = run(REPORTS, judges, ledger=path)
        assert again == first
        assert model.calls == 12
        run(REPORTS, judges, ledger=path, fresh=True)
        assert model.calls == 24
        with open_ledger(path, read_only=True) as ledger:
            assert [item.status for item in ledger.runs()] == ["done"] * 3

    def test_a_function_without_a_version_is_called_again(self, tmp_path):
        called = []

        def judge(report):
            called.append(report.id)
            return 1

        for version, count in ((None, 12), ("1", 6)):
            called.clear()
            if version:
                judge.version = version
            for _ in range(2):
                run(REPORTS, judge, ledger=tmp_path / f"{version}.sqlite")
            assert len(called) == count

    def test_no_folder_appears_unless_asked_for(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        run(REPORTS, [DIRECT, "length"])
        assert list(tmp_path.iterdir()) == []

    def test_killed_and_resumed(self, tmp_path):
        code = (
            "import assay, time, sys\n"
            "def model(request):\n    time.sleep(0.05); sys.stdout.write('asked\\n'); sys.stdout.flush(); return '{\"score\": 3}'\n"
            "model.version = '1'\n"
            "reports = [assay.Report(f'Report {i} says that pumps are quiet.') for i in range(40)]\n"
            "judge = assay.Judge(model=model, rubric='overall')\n"
            "print(len(assay.run(reports, judge, ledger='l.sqlite', max_concurrency=2)))\n"
        )
        child = subprocess.Popen(
            [sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, text=True
        )
        asked = [child.stdout.readline() for _ in range(10)]
        child.send_signal(signal.SIGKILL)
        child.communicate()
        assert asked == ["asked\n"] * 10
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        lines = done.stdout.split()
        assert lines[-1] == "40"
        # What had been answered is not asked again; calls in flight at the kill are.
        assert 30 - 10 <= lines.count("asked") <= 32


class TestProgress:
    def test_a_function_hears_how_far_it_is(self):
        heard = []
        run(REPORTS, [Judge(DIRECT, repetitions=2), lambda _report: 1 / 0], progress=heard.append)
        last = heard[-1]
        assert (last.planned, last.done, last.failed) == (18, 18, 6)
        assert last.usage.calls == 12

    def test_nothing_is_shown_where_nobody_looks(self, capfd):
        run(REPORTS, DIRECT)
        assert capfd.readouterr() == ("", "")


def test_a_function_that_returns_none_abstains() -> None:
    (scored,) = run([Case(REPORTS[0])], [lambda report: None])
    (compared,) = run(PAIRS[:1], [lambda a, b: None])
    for judgment in (scored, compared):
        assert (judgment.status, judgment.problem, judgment.coverage) == ("ok", "abstained", 0.0)
        assert "abstained by" in repr(judgment)
    (number,) = run([Case(REPORTS[0])], [lambda report: 0.013347022587268994])
    assert "r0: 0.0133 by" in repr(number)
    assert number.problem is None
