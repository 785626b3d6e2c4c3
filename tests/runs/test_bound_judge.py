"""Judging from Python: through every door, with and without a model, and paid once."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
from pathlib import Path

import pytest

from assay import JudgeSettings, Report, Trajectory, UsageError, load_rubric, open_judge
from assay.errors import InputError
from assay.models.base import CallFailedError, Reply, Request
from assay.models.settings import ModelSettings
from assay.runs.bound_judge import subject_of
from assay.runs.budget import Budget, BudgetReachedError
from assay.runs.ledger import open_ledger
from assay.runs.recording_judge import in_order
from assay.subjects.trajectory import RawStep

TEXT = "# Heat\n\nPumps are quiet. They heat the house because they move heat.\n"
OTHER = "# Cold\n\nFridges hum, and nobody knows why.\n"


@pytest.fixture(autouse=True)
def _place(tmp_path, monkeypatch):
    monkeypatch.delenv("ASSAY_LEDGER", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def judge():
    with open_judge("direct@scripted/random") as judge:
        yield judge


def script(path: Path, *lines: str | dict) -> str:
    """A model that says these, in order or by what the prompt holds."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return f"scripted/{path.name}"


def test_score(judge) -> None:
    judgment = judge.score(TEXT, query="What of heat?")
    assert (judgment.status, judgment.rubric, judgment.usage.calls) == ("ok", "reportlogic", 1)
    assert len(judgment.scores) == 9
    assert all(1 <= score <= 5 for score in judgment.scores.values())


def test_the_rubric_fits_the_subject(judge) -> None:
    trajectory = Trajectory("Q?", [RawStep("I think.")], answer="So.")
    assert judge.score(trajectory).rubric == "reflect-trajectory"
    with open_judge("direct@scripted/random", granularity="fine") as fine:
        assert fine.score(TEXT).rubric == "reflect-chunk"
        assert fine.score(trajectory).rubric == "reflect-step"
    with open_judge("direct@scripted/random", rubric=load_rubric("overall")) as overall:
        assert overall.score(trajectory).rubric == "overall"


def test_compare_and_rank(judge) -> None:
    judgment = judge.compare(TEXT, OTHER)
    assert set(judgment.by_order) == {"AB", "BA"}
    assert judgment.usage.calls == 2
    few = judge.rank([TEXT, OTHER, TEXT + "More.\n"])
    assert few.method == "listwise"
    assert sorted(few.order) == [0, 1, 2]
    many = judge.rank([f"{TEXT}{i}\n" for i in range(6)])
    assert many.method == "tournament"
    assert len(many.judgments) == 15
    alone = judge.rank([TEXT, OTHER], method="scores")
    assert alone.points == (judge.score(TEXT).scores["overall"], judge.score(OTHER).scores["overall"])


def test_the_same_is_paid_once(judge, tmp_path) -> None:
    first = judge.score(TEXT)
    with open_judge("direct@scripted/random") as again:
        assert again.score(TEXT) == first
        assert again._backend._session.spending.spent.calls == 0
    with open_judge("direct@scripted/random", fresh=True) as fresh:
        fresh.score(TEXT)
        fresh.score(TEXT)
        assert fresh._backend._session.spending.spent.calls == 1
    with open_ledger(tmp_path / ".assay" / "ledger.sqlite", read_only=True) as ledger:
        # One run for each judge in use, all of one judgment.
        assert [run.name for run in ledger.runs()] == ["python"] * 3
        (row,) = {row.key for run in ledger.runs() for row in ledger.judgments(run.id)}
        assert len(ledger.answers_to(row)) == 1
        assert {run.status for run in ledger.runs()} <= {"done", "running"}


def test_nothing_is_kept_where_nothing_shall_be(tmp_path) -> None:
    with open_judge("direct@scripted/random", ledger=None) as judge:
        assert judge.score(TEXT).status == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_of_ones_own(tmp_path) -> None:
    with open_judge("direct@scripted/random", ledger=tmp_path / "mine.sqlite") as judge:
        judge.score(TEXT)
    with open_ledger(tmp_path / "mine.sqlite", read_only=True) as ledger:
        assert len(ledger.runs()) == 1


def test_trials(judge) -> None:
    with open_judge("direct@scripted/random", trials=4) as repeated:
        trials = repeated.trials(TEXT)
        assert [item.usage.calls for item in trials.judgments] == [1] * 4
        assert len({item.scores["overall"] for item in trials.judgments}) > 1  # seeds differ
        judgment = repeated.score(TEXT)
        assert judgment.scores["overall"] == pytest.approx(trials.scores["overall"].mean)
        assert judgment.usage.calls == 4
    assert len(judge.trials(TEXT).judgments) == 1


def test_trials_of_comparisons_end_when_they_are_settled(tmp_path) -> None:
    # Always the text about heat, whichever comes first.
    wins = [
        {
            "when": f"Report {label}, to be judged:\n<<REPORT-{label} {digest}",
            "text": json.dumps({"preference": verdict}),
        }
        for label, verdict, digest in (("A", "A>B", _mark(TEXT)), ("B", "A<B", _mark(TEXT)))
    ]
    model = script(tmp_path / "wins.jsonl", *wins)
    with open_judge(f"direct@{model}", rubric="overall", trials=7, early_stop=True) as judge:
        trials = judge.trials(TEXT, OTHER)
        assert trials.votes == {"A>B": 4}
        assert (trials.planned, trials.settled_early) == (7, True)
        assert judge.compare(OTHER, TEXT).preference == "A<B"


def _mark(text: str) -> str:
    from assay.strategies.prompts import fence

    return fence("X", text).split(" ", 1)[1].split(">", 1)[0]


def test_within_a_running_loop(judge) -> None:
    """As in a notebook: the plain door works beside the one to await, on the same judge."""

    async def cell() -> None:
        plain = judge.score(TEXT)
        assert await judge.ascore(TEXT) == plain
        scores = await asyncio.gather(*(judge.ascore(f"{TEXT}{i}") for i in range(8)))
        assert len(scores) == 8
        assert (await judge.acompare(TEXT, OTHER)).by_order
        assert (await judge.arank([TEXT, OTHER])).method == "listwise"
        async with open_judge("direct@scripted/random") as other:
            assert (await other.atrials(TEXT)).judgments == (plain,)

    asyncio.run(cell())
    # And in another loop later on.
    assert asyncio.run(judge.ascore(TEXT)).status == "ok"


def test_from_several_threads(judge) -> None:
    found: list[float] = []
    threads = [
        threading.Thread(target=lambda i=i: found.append(judge.score(f"{TEXT}{i % 3}").scores["overall"]))
        for i in range(9)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 9
    assert len(set(found)) <= 3


def test_who_stops_waiting_stops_the_judgment(monkeypatch) -> None:
    from assay.models import registry

    asked: list[str] = []

    class Slow:
        id = "scripted/random"

        async def complete(self, request: Request) -> Reply:
            asked.append("begun")
            await asyncio.sleep(30)
            raise AssertionError

        async def close(self) -> None:
            pass

    monkeypatch.setattr(registry, "open_model", lambda *a, **k: Slow())
    with open_judge("direct@scripted/random", ledger=None) as judge:

        async def impatient() -> None:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await judge.ascore(TEXT)

        began = time.monotonic()
        asyncio.run(impatient())
    assert asked == ["begun"]
    assert time.monotonic() - began < 5


def test_a_forgotten_judge_lets_go() -> None:
    judge = open_judge("direct@scripted/random")
    judge.score(TEXT)
    door = judge._portal
    del judge
    gc.collect()
    assert not door.used


def test_a_closed_judge_says_so(judge) -> None:
    judge.score(TEXT)
    judge.close()
    judge.close()
    with pytest.raises(UsageError, match="closed"):
        judge.score(TEXT)


def test_files_texts_and_what_only_looks_like_a_file(tmp_path, judge) -> None:
    path = tmp_path / "report.md"
    path.write_text(TEXT, "utf-8")
    assert judge.score(path).subject == str(path)
    assert judge.score("report.md").subject == "report.md"
    assert judge.score(str(path)).scores == judge.score(Report(TEXT)).scores
    assert subject_of("One line of text, no file.").source == "One line of text, no file."
    for name in ("reprot.md", "folder/report", "a b.jsonl"):
        with pytest.raises(InputError, match="no such file"):
            subject_of(name)
    with pytest.raises(InputError, match="empty"):
        subject_of("  \n")
    (tmp_path / "two.jsonl").write_text(
        json.dumps({"report": TEXT}) + "\n" + json.dumps({"report": OTHER}) + "\n"
    )
    with pytest.raises(InputError, match="more than one"):
        subject_of("two.jsonl")


def test_judges_without_a_model() -> None:
    with open_judge("rules") as rules:
        for asked in (lambda: rules.score(Report(TEXT)), lambda: rules.rank([TEXT, OTHER], method="scores")):
            with pytest.raises(UsageError, match="no scores of single ones"):
                asked()
        assert rules.compare(TEXT, TEXT).preference == "tie"
        assert rules.rank([TEXT, TEXT, OTHER]).judgment.judge == "rules"
    with open_judge("length") as length:
        assert length.score(TEXT).scores == {"overall": 12.0}
        assert length.rank(["a b c\n", "a b c d e\n", "a\n"]).order == (1, 0, 2)
        assert length.rank(["a b c\n", "a b c d e\n", "a\n"], method="scores").order == (1, 0, 2)
    with open_judge("random") as chance:
        assert chance.score(TEXT) == chance.score(TEXT)
    with pytest.raises(UsageError, match="asks no model"):
        open_judge("rules", rubric="overall")
    with open_judge("rules") as rules, pytest.raises(UsageError, match="tournament"):
        rules.rank([TEXT, OTHER], method="listwise")


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("dirct@scripted/random", {}, "did you mean 'direct'"),
        ("direct@openia/gpt-5-mini", {}, "did you mean 'openai'"),
        ("direct", {}, "names no model; write direct@"),
        ("direct@scripted/random", {"rubric": "reportlogc"}, "did you mean 'reportlogic'"),
        ("direct@scripted/random", {"trails": 3}, "did you mean 'trials'"),
        ("direct@scripted/random", {"trials": 0}, "trials is 0; expected int >= 1"),
        ("direct@scripted/random", {"trials": "3"}, "trials is '3'; expected int, got str"),
        ("direct@scripted/random", {"temperature": float("nan")}, "temperature is nan; expected float"),
        ("direct@scripted/random", {"max_tokens": -1}, "max_tokens is -1"),
        ("direct@scripted/random", {"granularity": "fin"}, "granularity is 'fin'; did you mean 'fine'"),
        ("direct@scripted/random", {"language": "fr"}, "there are auto, en, zh"),
        ("direct@scripted/random", {"settings": JudgeSettings(seed="a")}, "seed is 'a'; expected int"),
        ("panel@scripted/random", {"options": {1: 2}}, "options is {1: 2}; expected str"),
    ],
)
def test_what_is_wrong_is_said_at_once(name, settings, said) -> None:
    with pytest.raises(UsageError, match=said):
        open_judge(name, **settings)


def test_what_cannot_be_judged(judge) -> None:
    with open_judge("comparative@scripted/random") as wants, pytest.raises(UsageError, match="reference"):
        wants.score(TEXT)
    for thing in (None, 3, b"text", [TEXT]):
        with pytest.raises(UsageError, match=f"or a text, not {type(thing).__name__}"):
            judge.score(thing)
    with pytest.raises(UsageError, match="two subjects or more"):
        judge.rank([TEXT])
    with pytest.raises(UsageError, match="list"):
        judge.rank(TEXT)
    with pytest.raises(UsageError, match="did you mean 'listwise'"):
        judge.rank([TEXT, OTHER], method="listwize")
    with pytest.raises(UsageError, match="use rank for more"):
        judge.trials(TEXT, OTHER, TEXT)
    with pytest.raises(UsageError, match="one kind"):
        judge.rank([Report(TEXT), Trajectory("Q?", [RawStep("Hm.")])])
    with (
        open_judge("direct@scripted/random", rubric="reflect-chunk") as chunks,
        pytest.raises(UsageError, match="fine"),
    ):
        chunks.score(TEXT)


def test_too_long_is_said_before_anything_is_spent() -> None:
    small = ModelSettings(context=1500)
    long = TEXT * 200
    with open_judge("direct@scripted/random", overrides=small) as judge:
        with pytest.raises(UsageError, match="granularity: fine"):
            judge.score(long)
        # Together they do not fit, in pairs they do: a tournament.
        half = TEXT * 22
        assert judge.rank([half, half + "!", half + "?"]).method == "tournament"
        assert judge.rank([TEXT, OTHER]).method == "listwise"
    with open_judge("direct@scripted/random", granularity="fine", overrides=small) as fine:
        assert fine.score("\n\n".join([TEXT.partition("\n\n")[2]] * 200)).status == "ok"


def test_a_budget_ends_it_and_what_was_made_is_kept() -> None:
    with open_judge("direct@scripted/random", budget=Budget(tokens=6000), max_tokens=500) as judge:
        with pytest.raises(BudgetReachedError):
            judge.rank([f"{TEXT}{i}\n" for i in range(6)])
        spent = judge._backend._session.spending.spent
    assert 0 < spent.input_tokens + spent.output_tokens <= 6000
    with open_judge("direct@scripted/random", max_tokens=500) as judge:
        judge.rank([f"{TEXT}{i}\n" for i in range(6)])
        assert judge._backend._session.spending.spent.calls == 30 - spent.calls


def test_a_failed_call_is_a_status_and_is_asked_again(tmp_path) -> None:
    model = script(tmp_path / "once.jsonl", {"when": "Nothing holds this", "text": "x"})
    with open_judge(f"direct@{model}") as judge:
        judgment = judge.score(TEXT)
        assert (judgment.status, judgment.scores) == ("failed", None)
        assert "no reply" in (judgment.problem or "")
    scores = dict.fromkeys([item.key for item in load_rubric("reportlogic").criteria], 3)
    script(tmp_path / "once.jsonl", json.dumps({"scores": scores}))
    with open_judge(f"direct@{model}") as judge:
        assert judge.score(TEXT).scores["overall"] == 3


def test_settings_of_the_judge_and_of_the_model() -> None:
    settings = JudgeSettings(temperature=1.0, seed=7)
    with open_judge(
        "direct@scripted/random",
        settings=settings,
        seed=8,
        ledger=None,
        overrides=ModelSettings(max_tokens=99),
    ) as judge:
        judge.score(TEXT)
        (maker,) = judge._backend._makers.values()
        sampling = maker.judge.sampling
        assert (sampling.temperature, sampling.seed, sampling.max_tokens) == (1.0, 8, 99)


@pytest.mark.parametrize("change", [{"body": {"top_k": 5}}, {"name": "other"}, {"top_p": 0.5}])
def test_another_setting_of_the_model_is_another_question(change) -> None:
    def calls_and_version(settings: ModelSettings) -> tuple[int, str]:
        with open_judge("direct@scripted/random", overrides=settings) as judge:
            judge.score(TEXT)
            (maker,) = judge._backend._makers.values()
            return judge._backend._session.spending.spent.calls, maker.judge.version

    usual = calls_and_version(ModelSettings())
    changed = calls_and_version(ModelSettings(**change))
    assert usual[0] == changed[0] == 1
    assert usual[1] != changed[1]
    # How it is reached is none.
    assert calls_and_version(ModelSettings(concurrency=3, headers={"X-Team": "a"})) == (0, usual[1])


def test_a_stream_comes_back_in_order_and_a_failure_loses_nothing() -> None:
    under_way = 0
    most = 0

    def make(number: int):
        async def work() -> int:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.001 * (7 * number % 5))
            under_way -= 1
            if number == 13:
                raise CallFailedError("thirteen")
            return number

        return work

    found: list[int] = []

    async def gather() -> None:
        async for number in in_order((make(i) for i in range(40)), width=4):
            found.append(number)

    async def run() -> None:
        with pytest.raises(CallFailedError, match="thirteen"):
            await gather()
        # Those under way beside the one that failed are finished; nothing new is begun.
        assert found[:13] == list(range(13))
        assert set(found[13:]) <= {14, 15, 16}
        assert most == 4

    asyncio.run(run())


def test_the_real_model(llama_url, monkeypatch) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", llama_url)
    with open_judge("direct@vllm/smollm2-135m", rubric="overall", max_tokens=60) as judge:
        judgment = judge.score("Solar panels cost 1 USD per watt [1].\n", query="What do solar panels cost?")
    assert judgment.status in ("ok", "unparsed")
    assert judgment.usage.input_tokens > 100
