"""A judge whose rubric is not the same for all: looked up, or written on the way."""

import pytest

from assay.errors import UsageError
from assay.judges.model_judge import ModelJudge
from assay.judges.parts import JudgmentPart
from assay.judges.rubric_source import ResolvedRubric
from assay.judges.settings import JudgeSettings
from assay.models.base import Reply, Usage
from assay.rubrics.loader import load_rubric
from assay.strategies.base import Answer
from assay.strategies.registry import find_strategy
from assay.subjects.case import Case
from assay.subjects.report import Report
from judge_outcome import judged


def named(name, *asks, scale="binary"):
    from assay.rubrics.rubric_file import parse_rubric

    items = [{"key": ask.rstrip("?").split()[-1].lower(), "asks": ask} for ask in asks]
    return parse_rubric({"name": name, "criteria": items, "scale": scale})


class Shelf:
    """A source with a rubric for reports that name it in their first word."""

    name = "shelf"
    version = "0123456789ab"

    def __init__(self, rubrics, before=()):
        self.rubrics = rubrics
        self.before = tuple(before)

    @property
    def typical(self):
        return next(iter(self.rubrics.values()))

    def check(self, case):
        word = case.subjects[0].source.split()[0]
        if word not in self.rubrics:
            raise UsageError(f"no rubric for {word}")

    def known(self, case):
        return self.rubrics.get(case.subjects[0].source.split()[0])

    async def rubric(self, case, *, language="en"):
        return ResolvedRubric(self.known(case), self.before)


class Model:
    id = "test/model"

    def __init__(self, text):
        self.text = text
        self.asked = []

    async def complete(self, request):
        self.asked.append(request.messages[-1].content)
        return Reply(text=self.text)

    async def close(self):
        pass


def written(status="ok"):
    answer = Answer(status=status, usage=Usage(calls=1, input_tokens=7), calls=("ab" * 16,))
    return JudgmentPart("rubric", "", (), answer)


def judge(source, text, **settings):
    return ModelJudge(find_strategy("direct"), Model(text), source, JudgeSettings(**settings))


def test_each_is_judged_by_its_own():
    source = Shelf({"one": named("one", "Says it why?"), "two": named("two", "Says it when?")})
    made = judge(source, '{"score": "met"}')
    first = judged(made, Report("one report"))
    second = judged(made, Report("two reports"))
    assert list(first.judgment.scores) == ["why", "overall"]
    assert list(second.judgment.scores) == ["when", "overall"]
    assert first.judgment.rubric == second.judgment.rubric == "shelf"
    assert "why" in made.model.asked[0]
    assert "when" in made.model.asked[1]


def test_what_was_asked_on_the_way_is_counted_and_is_no_criterion():
    source = Shelf({"one": named("one", "Says it why?")}, [written()])
    outcome = judged(judge(source, '{"score": "met"}'), Report("one report"))
    assert outcome.judgment.status == "ok"
    assert outcome.judgment.scores == {"why": 1.0, "overall": 1.0}
    assert outcome.judgment.usage.calls == 2
    assert [part.unit for part in outcome.parts] == ["rubric", ""]


@pytest.mark.parametrize("mode", ["score", "compare", "rank"])
def test_no_rubric_is_no_verdict(mode):
    source = Shelf({"": named("x", "Why?")}, [written("unparsed")])
    made = judge(source, '{"score": "met"}')
    outcome = judged(made, *[Report("none"), Report("none too")][: 1 if mode == "score" else 2], mode=mode)
    assert outcome.judgment.status == "unparsed"
    assert (outcome.judgment.scores, outcome.judgment.preference, outcome.judgment.choice) == (
        None,
        None,
        None,
    )
    assert made.model.asked == []


def test_a_pair_settles_by_its_two_orders_and_not_by_the_step_before():
    source = Shelf({"one": load_rubric("overall")}, [written()])
    made = judge(source, '{"preference": "tie"}')
    judgment = judged(made, Report("one a"), Report("one b")).judgment
    assert judgment.status == "ok"
    assert judgment.preference == "tie"
    assert judgment.by_order == {"AB": "tie", "BA": "tie"}


def test_what_there_is_no_rubric_for_is_refused_before_anything_is_asked():
    made = judge(Shelf({"one": named("one", "Why?")}), "")
    made.check(Case(Report("one")))
    with pytest.raises(UsageError, match="no rubric for three"):
        made.check(Case(Report("three")))


def test_the_version_follows_the_source():
    rubrics = {"one": named("one", "Why?")}
    first, second = Shelf(rubrics), Shelf(rubrics)
    second.version = "ba9876543210"
    assert judge(first, "").version != judge(second, "").version
    assert judge(first, "").version == judge(Shelf(rubrics), "").version
    assert judge(first, "").version != judge(rubrics["one"], "").version


def test_criteria_of_each_are_dealt_into_calls():
    many = named("many", *(f"Says it {word}?" for word in ("why", "when", "who")))
    made = judge(Shelf({"one": named("one", "Why?"), "many": many}), "", per_call=2)
    questions = made.questions(Case(Report("many things")))
    assert [len(question.criteria) for *_, question in questions] == [2, 1]
