"""A judge as a value: what it is made of, what it says about itself, and judging by it one case at a time."""

import asyncio
import json
import threading
import time
from pathlib import Path

import pytest

from assay import Judge, JudgeSettings, Report, Trajectory, UsageError, load_rubric
from assay.errors import InputError
from assay.models.base import ModelSetupError, Reply, Usage
from assay.models.scripted import ScriptedModel
from assay.models.settings import ModelSettings
from assay.strategies.registry import find_strategy
from assay.subjects.trajectory import RawStep

TEXT = "# Heat\n\nPumps are quiet. They heat the house because they move heat.\n"
REPORT, OTHER = Report(TEXT), Report("# Cold\n\nFridges hum, and nobody knows why.\n")
MORE = [Report(f"{TEXT}{number}\n") for number in range(6)]
RANDOM = "direct@scripted/random"


@pytest.fixture(autouse=True)
def _place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def script(path: Path, *lines: str | dict) -> str:
    """A model that says these, in order or by what the prompt holds."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return f"scripted/{path.name}"


def test_score() -> None:
    judgment = Judge(RANDOM).score(REPORT, query="What of heat?")
    assert (judgment.status, judgment.rubric, judgment.usage.calls) == ("ok", "reportlogic", 1)
    assert (judgment.mode, judgment.repetition, len(judgment.key)) == ("score", 0, 32)
    assert judgment.version == Judge(RANDOM).version
    assert len(judgment.scores) == 9
    assert all(1 <= score <= 5 for score in judgment.scores.values())


def test_the_rubric_fits_the_subject() -> None:
    trajectory = Trajectory("Q?", [RawStep("I think.")], answer="So.")
    assert Judge(RANDOM).score(trajectory).rubric == "trajectory"
    fine = Judge(RANDOM, granularity="fine")
    assert fine.score(REPORT).rubric == "reflect-report"
    assert fine.score(trajectory).rubric == "trajectory"
    assert Judge(RANDOM, rubric=load_rubric("overall")).score(trajectory).rubric == "overall"


def test_compare_and_rank() -> None:
    with Judge(RANDOM) as judge:
        judgment = judge.compare(REPORT, OTHER)
        assert set(judgment.by_order) == {"AB", "BA"}
        assert judgment.usage.calls == 2
        few = judge.rank([REPORT, OTHER, MORE[0]])
        assert few.method == "listwise"
        assert sorted(few.order) == [0, 1, 2]
        many = judge.rank(MORE)
        assert many.method == "tournament"
        assert len(many.judgments) == 15
        alone = judge.rank([REPORT, OTHER], method="scores")
        assert alone.points == (judge.score(REPORT).overall, judge.score(OTHER).overall)


def test_repetitions_are_one_judgment() -> None:
    judgment = Judge(RANDOM, repetitions=4).score(REPORT)
    assert [item.usage.calls for item in judgment.repetitions] == [1] * 4
    assert [item.repetition for item in judgment.repetitions] == [0, 1, 2, 3]
    assert len({item.overall for item in judgment.repetitions}) > 1  # seeds differ
    assert judgment.overall == pytest.approx(sum(item.overall for item in judgment.repetitions) / 4, abs=1e-5)
    assert judgment.usage.calls == judgment.planned == 4
    assert Judge(RANDOM).score(REPORT).repetitions == ()


def test_repetitions_of_comparisons_end_when_they_are_settled(tmp_path) -> None:
    from assay.strategies.prompts import fence

    # Always the text about heat, whichever comes first.
    digest = fence("X", TEXT).split(" ", 1)[1].split(">", 1)[0]
    wins = [
        {
            "when": f"Report {label}, to be judged:\n<<REPORT-{label} {digest}",
            "text": json.dumps({"preference": verdict}),
        }
        for label, verdict in (("A", "A>B"), ("B", "A<B"))
    ]
    model = script(tmp_path / "wins.jsonl", *wins)
    judge = Judge(f"direct@{model}", rubric="overall", repetitions=7, early_stop=True)
    judgment = judge.compare(REPORT, OTHER)
    assert [item.preference for item in judgment.repetitions] == ["A>B"] * 4
    assert judgment.planned == 7
    assert judge.compare(OTHER, REPORT).preference == "A<B"


def test_within_a_running_loop() -> None:
    """As in a notebook: the methods that wait work beside those to await."""
    judge = Judge(RANDOM)

    async def cell() -> None:
        plain = judge.score(REPORT)
        assert await judge.ascore(REPORT) == plain
        with Judge(RANDOM) as held:
            assert await held.ascore(REPORT) == held.score(REPORT) == plain
        async with Judge(RANDOM) as other:
            assert len(await asyncio.gather(*(other.ascore(item) for item in MORE))) == 6
            assert (await other.acompare(REPORT, OTHER)).by_order
            assert (await other.arank([REPORT, OTHER])).method == "listwise"
            with pytest.raises(UsageError, match="await its ascore"):
                other.score(REPORT)

    asyncio.run(cell())
    # And in another loop later on.
    assert asyncio.run(judge.ascore(REPORT)).status == "ok"


@pytest.mark.parametrize("held", [False, True])
def test_from_several_threads(held) -> None:
    found: list[float] = []
    judge = Judge(RANDOM)
    if held:
        judge.__enter__()
    threads = [
        threading.Thread(target=lambda i=i: found.append(judge.score(MORE[i % 3]).overall)) for i in range(9)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if held:
        judge.__exit__(None, None, None)
    assert len(found) == 9
    assert len(set(found)) <= 3


def test_who_stops_waiting_stops_the_judgment() -> None:
    asked: list[str] = []

    class Slow:
        id = "scripted/slow"

        async def complete(self, _request):
            asked.append("begun")
            await asyncio.sleep(30)

        async def close(self) -> None:
            raise AssertionError("the caller's model was closed")

    judge = Judge(model=Slow())

    async def impatient() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await judge.ascore(REPORT)

    began = time.monotonic()
    asyncio.run(impatient())
    assert asked == ["begun"]
    assert time.monotonic() - began < 5


def test_objects_stand_for_names() -> None:
    async def says(request) -> str:
        assert "Pumps are quiet" in request.messages[1].content
        return '{"score": 4}'

    by_name = Judge("direct@scripted/random", rubric="overall")
    by_object = Judge(
        strategy=find_strategy("direct"), model="scripted/random", rubric=load_rubric("overall")
    )
    assert by_name.version == by_object.version
    assert by_name.score(REPORT) == by_object.score(REPORT)
    for model in (says, lambda _request: '{"score": 4}', ScriptedModel(lambda _request: '{"score": 4}')):
        assert Judge(model=model, rubric="overall").score(REPORT).overall == 4
    assert Judge(model=says, rubric="overall").score(REPORT).judge == "direct@says"

    def breaks(_request) -> Reply:
        raise RuntimeError("no line")

    judgment = Judge(model=breaks).score(REPORT)
    assert judgment.status == "failed"
    assert "RuntimeError: no line" in judgment.problem


def test_a_judge_is_frozen_and_shows_what_differs() -> None:
    judge = Judge(RANDOM, rubric="overall", temperature=0.3, name="mine")
    assert repr(judge) == "Judge('direct@scripted/random', rubric='overall', name='mine', temperature=0.3)"
    assert repr(Judge("length")) == "Judge('length')"
    assert judge.score(REPORT).judge == "mine"
    with pytest.raises(AttributeError, match=r"judge\.replace\(rubric=…\)"):
        judge.rubric = None
    colder = judge.replace(temperature=0.0)
    assert (colder.settings.temperature, colder.name, judge.settings.temperature) == (0.0, "mine", 0.3)
    assert colder.version != judge.version
    assert judge.replace(name="other").version == judge.version
    assert judge.replace(model="scripted/echo").model == "scripted/echo"


def test_files(tmp_path) -> None:
    path = tmp_path / "report.md"
    path.write_text(TEXT, "utf-8")
    length = Judge("length")
    assert length.score(path).subject == str(path)
    assert length.score("report.md").scores == length.score(REPORT).scores
    with pytest.raises(InputError):
        length.score("reprot.md")


def test_judges_without_a_model() -> None:
    rules, length, chance = Judge("rules"), Judge("length"), Judge("random")
    for asked in (lambda: rules.score(REPORT), lambda: rules.rank([REPORT, OTHER], method="scores")):
        with pytest.raises(UsageError, match="no scores of single ones"):
            asked()
    assert rules.compare(REPORT, REPORT).preference == "tie"
    ranking = rules.rank([REPORT, REPORT, OTHER])
    assert (ranking.judgment.judge, ranking.judgments[0].mode) == ("rules", "compare")
    assert "not one of quality" in ranking.notes[0]
    assert length.score(REPORT).scores == {"overall": 12.0}
    texts = [Report("a b c\n"), Report("a b c d e\n"), Report("a\n")]
    assert length.rank(texts).order == length.rank(texts, method="scores").order == (1, 0, 2)
    assert chance.score(REPORT) == chance.score(REPORT)
    with pytest.raises(UsageError, match="asks no model"):
        Judge("rules", rubric="overall")
    with pytest.raises(UsageError, match="tournament"):
        rules.rank([REPORT, OTHER], method="listwise")


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("dirct@scripted/random", {}, "did you mean 'direct'"),
        ("direct@openia/gpt-5-mini", {}, "did you mean 'openai'"),
        ("direct", {}, "names no model; write direct@"),
        (None, {}, "a judge needs a model"),
        (RANDOM, {"model": "scripted/echo"}, "names strategy and model already"),
        (RANDOM, {"rubric": "reportlogc"}, "did you mean 'reportlogic'"),
        (RANDOM, {"repetitons": 3}, "did you mean 'repetitions'"),
        (RANDOM, {"repetitions": 0}, "is 0; expected int >= 1"),
        (RANDOM, {"repetitions": "3"}, "is '3'; expected int, got str"),
        (RANDOM, {"temperature": float("nan")}, "temperature is nan; expected float"),
        (RANDOM, {"max_tokens": -1}, "max_tokens is -1"),
        (RANDOM, {"granularity": "fin"}, "granularity is 'fin'; did you mean 'fine'"),
        (RANDOM, {"language": "fr"}, "there are auto, en, zh"),
        (RANDOM, {"settings": JudgeSettings(seed="a")}, "seed is 'a'; expected int"),
        ("panel@scripted/random", {"options": {1: 2}}, "options is {1: 2}; expected str"),
        ("majority(length)", {}, "two judges or more"),
        ("majority(length direkt@a/b)", {}, "did you mean 'direct'"),
    ],
)
def test_what_is_wrong_is_said_when_it_is_made(name, settings, said) -> None:
    with pytest.raises(UsageError, match=said):
        Judge(name, **settings)


def test_what_cannot_be_judged() -> None:
    judge = Judge(RANDOM)
    with pytest.raises(UsageError, match="reference"):
        Judge("comparative@scripted/random").score(REPORT)
    for thing in (None, 3, b"text", [REPORT]):
        with pytest.raises(UsageError, match=f"the path of one, not {type(thing).__name__}"):
            judge.score(thing)
    with pytest.raises(UsageError, match="two subjects or more"):
        judge.rank([REPORT])
    with pytest.raises(UsageError, match="list"):
        judge.rank(REPORT)
    with pytest.raises(UsageError, match="did you mean 'listwise'"):
        judge.rank([REPORT, OTHER], method="listwize")
    with pytest.raises(UsageError, match="one kind"):
        judge.rank([REPORT, Trajectory("Q?", [RawStep("Hm.")])])
    with pytest.raises(UsageError, match="fine"):
        Judge(RANDOM, rubric="reflect-step").score(Trajectory("Q?", [RawStep("Hm.")]))


def test_too_long_is_said_before_anything_is_spent() -> None:
    small = ModelSettings(context=1500)
    judge = Judge(RANDOM, model_settings=small)
    with pytest.raises(UsageError, match="granularity: fine"):
        judge.score(Report(TEXT * 200))
    # Together they do not fit, in pairs they do: a tournament.
    half = TEXT * 22
    assert judge.rank([Report(half), Report(half + "!"), Report(half + "?")]).method == "tournament"
    assert judge.rank([REPORT, OTHER]).method == "listwise"
    fine = Judge(RANDOM, granularity="fine", model_settings=small)
    assert fine.score(Report("\n\n".join([TEXT.partition("\n\n")[2]] * 200))).status == "ok"


def test_a_failed_call_is_a_status(tmp_path) -> None:
    model = script(tmp_path / "once.jsonl", {"when": "Nothing holds this", "text": "x"})
    judgment = Judge(f"direct@{model}").score(REPORT)
    assert (judgment.status, judgment.scores) == ("failed", None)
    assert "no reply" in judgment.problem


@pytest.mark.parametrize("change", [{"body": {"top_k": 5}}, {"name": "other"}, {"top_p": 0.5}])
def test_another_setting_of_the_model_is_another_judge(change) -> None:
    def version(settings: ModelSettings) -> str | None:
        return Judge(RANDOM, model_settings=settings).score(REPORT).version

    usual = version(ModelSettings())
    assert version(ModelSettings(**change)) != usual
    # How it is reached makes no difference.
    assert version(ModelSettings(concurrency=3, headers={"X-Team": "a"})) == usual


def test_the_real_model(llama_url, monkeypatch) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", llama_url)
    judge = Judge("direct@vllm/smollm2-135m", rubric="overall", max_tokens=60)
    judgment = judge.score(
        Report("Solar panels cost 1 USD per watt [1].\n"), query="What do solar panels cost?"
    )
    assert judgment.status in ("ok", "unparsed")
    assert judgment.usage.input_tokens > 100


@pytest.mark.parametrize("count", [6, 12])
def test_what_ends_a_tournament_is_raised_and_not_that_it_has_ended(count):
    class Poor:
        id = "poor/model"
        calls = 0

        async def complete(self, request):
            self.calls += 1
            number = self.calls
            await asyncio.sleep(0.002)
            if number == 5:
                raise ModelSetupError("no credit left")
            return Reply(text='{"preference": "A>B"}', usage=Usage(calls=1))

        async def close(self):
            pass

    judge = Judge(model=Poor(), rubric="overall", model_settings=ModelSettings(concurrency=2))
    reports = [Report(f"# Heat\n\nPump {number} is quiet.\n") for number in range(count)]
    with pytest.raises(ModelSetupError, match="no credit left"):
        judge.rank(reports, method="tournament")
