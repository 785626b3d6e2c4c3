"""Where examples come from, what filters remove, and that no question is on two sides."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import read
from assay.interventions.building import build
from assay.interventions.registry import find_operators
from assay.judges.judgment import Judgment, Verdict
from assay.judges.parts import JudgmentPart
from assay.rubrics.loader import load_rubric
from assay.strategies.base import Answer, Detail
from assay.strategies.registry import find_strategy
from assay.subjects.case import Case
from assay.subjects.report import Report
from assay.training.cutting import cut_pair
from assay.training.data_set import rows_of
from assay.training.examples import TrainingExample, composed_reply, exported, read_examples, write_examples
from assay.training.mixing import mixed
from assay.training.planted import difference, differing_paragraphs, examples_of
from assay.training.prompting import JudgePrompt
from assay.training.reward import expected_of, rewards
from assay.training.splitting import HeldOut, clusters_of, split_by_group
from assay.training.teachers import agreed_pairs, example_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str, **fields: str) -> TrainingExample:
    usual = {
        "query": f"question {name}",
        "a": f"text {name}",
        "b": f"worse {name}",
        "label": "A>B",
        "group": f"question {name}",
    }
    return TrainingExample(id=name, provenance="planted", **{**usual, **fields})


def judgment(judge: str, first: str | None, second: str | None, **decisions: str) -> Judgment:
    verdicts = tuple(
        Verdict(criterion=key, by_order={"AB": value, "BA": value}, reasoning=f"{judge} on {key}")
        for key, value in decisions.items()
    )
    return Judgment(
        "p", judge, by_order={"AB": first, "BA": second}, verdicts=verdicts, rationale="B says nothing."
    )


CASE = Case(Report("One text.", system="x"), Report("Another text.", system="y"), query="Which?", id="p")


@pytest.mark.parametrize(
    ("judgments", "fate"),
    [
        ([judgment("t1", "A>B", "A>B"), judgment("t2", "A>B", "A>B")], "kept"),
        ([judgment("t1", "A>B", "A<B"), judgment("t2", "A>B", "A>B")], "not_consistent"),
        ([judgment("t1", "A>B", "A>B"), judgment("t2", "A<B", "A<B")], "not_unanimous"),
        ([judgment("t1", "A>B", None), judgment("t2", "A>B", "A>B")], "no_verdict"),
        ([], "no_verdict"),
    ],
)
def test_a_pair_stays_if_all_teachers_agree_in_both_orders(judgments: list[Judgment], fate: str) -> None:
    found, report = agreed_pairs([(CASE, judgments)])
    assert report.pairs == 1
    assert getattr(report, fate) == 1
    assert len(found) == (fate == "kept")
    assert report.by_group["systems: x and y"] == {fate: 1}


def test_a_dimension_on_which_teachers_differ_has_no_label() -> None:
    one = judgment("t1", "A>B", "A>B", local_coherence="A>B", evidence_sufficiency="A<B")
    two = judgment("t2", "A>B", "A>B", local_coherence="A>B", evidence_sufficiency="A>B")
    ((found,), report) = agreed_pairs([(CASE, [one, two])])
    assert found.dimensions == {"local_coherence": "A>B"}
    assert report.by_group["dimension: evidence_sufficiency"] == {"not_unanimous": 1}


def test_replies_of_one_teacher_are_taken_as_given_in_each_order() -> None:
    def part(order: str, label: str) -> JudgmentPart:
        answer = Answer(
            status="ok",
            values={"local_coherence": label, "evidence_sufficiency": "tie"},
            preference=label,
            rationale="local coherence: It leaps.\noverall: It leaps.",
            details={"local_coherence": Detail(rationale="It leaps.")},
        )
        return JudgmentPart("", order, ("local_coherence", "evidence_sufficiency"), answer)

    one = judgment("t1", "A>B", "A>B", local_coherence="A>B")
    ((found,), _) = agreed_pairs([(CASE, [one])])
    made = example_of(found, load_rubric("reportlogic"), [part("AB", "A>B"), part("BA", "A<B")])
    assert made.reply.endswith("\nA>B")
    assert made.swapped().reply.endswith("\nA<B")
    assert json.loads(made.reply.split("\n")[1])["overall_explanation"] == "It leaps."
    assert set(made.criteria) == {item.key for item in load_rubric("reportlogic").criteria}


def test_the_mix_has_the_proportions_asked_for() -> None:
    sources = {
        "teachers": [example(f"t{n}") for n in range(30)],
        "planted": [example(f"p{n}") for n in range(8)],
    }
    got = mixed(sources, {"teachers": 2, "planted": 1}, seed=3)
    assert [len(items) for items in got.values()] == [16, 8]
    assert mixed(sources, {"teachers": 2, "planted": 1}, seed=3) == got
    assert mixed(sources, {}) == sources
    with pytest.raises(ValueError, match="no examples of people"):
        mixed(sources, {"people": 1})


def test_few_questions_leave_no_split_empty() -> None:
    for seed in range(5):
        split = split_by_group([example(name) for name in ("tides", "wool", "copper")], seed=seed)
        assert min(map(len, (split.train, split.validation, split.test))) == 1


def test_a_prompt_asks_what_is_known_and_its_reply_can_be_read() -> None:
    prompt = JudgePrompt(find_strategy("logicjudge"), load_rubric("reportlogic"))
    whole, one = example("1"), example("2")
    one = msgspec.structs.replace(one, dimensions={"local_coherence": "A>B"})
    own = msgspec.structs.replace(
        one, criteria={"local_coherence": "Is step 2 left out?", "task_alignment": ""}
    )
    assert prompt.keys_of(whole) == ("overall",)
    assert prompt.keys_of(one) == ("local_coherence",)
    assert set(prompt.keys_of(own)) == {"local_coherence", "task_alignment"}
    assert "Is step 2 left out?" in prompt.messages(own)[1]["content"]
    for item in (whole, one, own):
        for row in rows_of([item], prompt):
            assert rewards(
                [row["messages"][-1]["content"], row["rejected"][0]["content"]], [expected_of(row)] * 2
            ) == [1.0, -0.5]


def test_planted_failures_have_their_label_by_construction() -> None:
    (report,) = read(EXAMPLES / "heat-pumps" / "good.md")
    built = build([report], find_operators(["outcome"]), per_type=2, seed=1)
    whole = list(examples_of(built.instances))
    assert whole
    assert {item.label for item in whole} == {"A>B"}
    assert all(item.a == report.source != item.b for item in whole)
    for short in examples_of(built.instances, most_chars=400):
        assert short.a in report.source
        assert short.b not in report.source


def test_only_the_paragraphs_that_differ_are_taken() -> None:
    assert differing_paragraphs("a\n\nb\n\nc", "a\n\nB\n\nc") == ("b", "B")
    assert differing_paragraphs("a\n\nb\n\nc\n\nd\n\ne", "A\n\nb\n\nc\n\nd\n\nE") == ("", "")


QUESTIONS = st.lists(
    st.text(alphabet="abcde ", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=30
)


@given(QUESTIONS, st.integers(0, 5))
def test_no_question_is_on_two_sides_and_nothing_is_lost(questions: list[str], seed: int) -> None:
    rows = [example(str(at), group=text, a=f"{text} {at}") for at, text in enumerate(questions)]
    split = split_by_group(rows, shares=(0.6, 0.2, 0.2), seed=seed)
    sides = [{item.group for item in side} for side in (split.train, split.validation, split.test)]
    assert not any(one & other for one, other in combinations(sides, 2))
    assert sum(map(len, (split.train, split.validation, split.test))) + split.repeated == len(rows)
    linked = dict(zip(questions, clusters_of(questions), strict=True))
    for side in sides:
        others = {group for other in sides if other is not side for group in other}
        assert not {linked[group] for group in side} & {linked[group] for group in others}


def test_near_duplicates_are_one_group() -> None:
    one = "How did lithium prices develop between 2020 and 2023 in China?"
    two = "How did the lithium prices develop between 2020 and 2023 in China"
    other = "What limits the growth of offshore wind in Norway?"
    first, second, third = clusters_of([one, two, other])
    assert first == second != third


def test_a_report_used_again_for_another_question_stays_on_its_side() -> None:
    words = [f"word{at % 97}x{at % 31}" for at in range(900)]
    report, changed = " ".join(words), " ".join(["A new beginning.", *words[:450], "another", *words[450:]])
    unlike = " ".join(f"other{at % 89}y{at % 37}" for at in range(900))
    questions = ["What do heat pumps cost?", "Who pays the mayor of Bath?", "Which ferries still run?"]
    first, second, third = clusters_of(questions, [(report,), (changed,), (unlike, "")])
    assert first == second != third
    chinese = "海上风电的建设成本在过去十年里下降了一半以上，主要原因是风机变大和施工船增多。" * 3
    first, second, third = clusters_of(
        questions, [(chinese,), (chinese[5:],), ("渡轮票价由各县议会每年公布一次。",)]
    )
    assert first == second != third


def test_a_benchmark_in_use_stays_out_by_its_content() -> None:
    used = example("x")
    same = example("y", a=used.b, b=f"  {used.a}\n", label="A<B")
    split = split_by_group([same, example("z"), example("z2", a="text z", b="worse z")], never=[used])
    assert (split.held_out, split.repeated) == (1, 1)
    with pytest.raises(ValueError, match="add up to 1"):
        split_by_group([], shares=(0.5, 0.1, 0.1))


def test_a_file_of_examples_comes_back_and_a_wrong_line_is_named(tmp_path) -> None:
    path = tmp_path / "x.jsonl"
    rows = [example("1"), example("2").swapped()]
    assert write_examples(path, rows) == 2
    assert list(read_examples(path)) == rows
    path.write_bytes(path.read_bytes().replace(b"A<B", b"B!"))
    with pytest.raises(Exception, match=r"label is 'B!'.*") as caught:
        list(read_examples(path))
    assert "x.jsonl:2" in str(caught.value)


def test_one_row_serves_every_way_of_training() -> None:
    row = exported(example("1"), [{"role": "user", "content": "?"}], ("local_coherence",))
    assert row["messages"][-1] == row["chosen"][0]
    assert row["chosen"][0]["content"].endswith("A>B")
    assert row["rejected"][0]["content"].endswith("A<B")


def test_a_reply_quotes_the_difference_and_names_the_sides_as_they_stand() -> None:
    good, bad = "The pump paid back in nine years [1].", "The pump paid back in five years [1]."
    why = difference(good, bad)
    assert why == '{bad} reads "back in five years [1]." where {good} reads "back in nine years [1].".'
    row = example("one", a=good, b=bad, why=why, summary="Fabrication.")
    assert 'B reads \\"back in five' in composed_reply(row, ["overall"])
    assert 'A reads \\"back in five' in composed_reply(row.swapped(), ["overall"])
    assert (
        difference("成本为三元。", "成本为九元。", chinese=True)
        == "{bad}写作“本为九元。”，{good}写作“本为三元。”。"
    )
    assert difference("same", "same") == "{bad} is the worse copy of {good}."


def test_a_long_planted_pair_is_cut_by_section_and_keeps_its_failure():
    sections = [f"## Part {i}\n\nWhat part {i} says of pumps, at some length.\n\n" for i in range(6)]
    good = "# All\n\n" + "".join(sections)
    bad = good.replace("part 4 says", "part 4 denies")
    pair = example("long", a=good, b=bad)
    shorter = cut_pair(pair, lambda item: len(item.a) <= len(good) * 0.6)
    assert shorter is not None
    assert "part 4 says" in shorter.a
    assert "part 4 denies" in shorter.b
    assert shorter.a.startswith("# All\n\n## Part 0")
    assert len(shorter.a) <= len(good) * 0.6
    assert cut_pair(pair, lambda item: len(item.a) < 10) is None


def test_two_texts_of_different_writers_keep_the_same_share():
    a = "".join(f"## A{i}\n\nText.\n\n" for i in range(4))
    b = "".join(f"## B{i}\n\nText.\n\n" for i in range(8))
    pair = msgspec.structs.replace(example("two", a=a, b=b), provenance="teachers")
    shorter = cut_pair(pair, lambda item: len(item.a) + len(item.b) <= (len(a) + len(b)) / 2)
    assert (shorter.a.count("##"), shorter.b.count("##")) == (2, 4)


def test_what_is_held_out_is_known_by_its_texts_and_its_question_too() -> None:
    held = HeldOut([example("used")])
    assert example("used") in held
    assert example("used", a="text used.", b="another text") in held
    assert example("new", query="Question used?") in held
    assert example("new") not in held


def test_the_rejected_reply_of_a_teacher_is_as_long_as_the_chosen_one() -> None:
    reply = (
        '<think>\n{"aspect_evaluations": {"criterion": {"justification": "A gives the figures that B leaves out.", '
        '"decision": "A>B"}}, "overall_explanation": "A is complete."}\n</think>\nA>B'
    )
    row = exported(example("t", reply=reply), [], ("overall",))
    chosen, rejected = row["chosen"][0]["content"], row["rejected"][0]["content"]
    assert chosen == reply
    assert rejected.endswith("A<B")
    assert '"decision": "A<B"' in rejected
    assert abs(len(rejected) - len(chosen)) <= 2
