"""What a result says of its judges: names that are unique, verdicts that intervals hold, runs tested against each other."""

from __future__ import annotations

import msgspec
import pytest
from trial_parts import trial

from assay.errors import InputError, UsageError
from assay.meta.card import cards_of
from assay.meta.card_verdict import verdict_of
from assay.meta.detection import detection_of
from assay.meta.result_comparison import compare_results
from assay.meta.results import BenchmarkResult, RunOrigin
from assay.meta.trials import Condition, distinct_names

CONDITION = Condition(judge="direct@test/m", rubric="reflect-report", reasoning=False, version="aaaaaaaa")


def rows(right: int, wrong: int, *, groups: int = 20, start: int = 0, **more):
    return [
        trial(
            start + n,
            group=str(n % groups),
            correct=n < right,
            said="reference" if n < right else "perturbed",
            **more,
        )
        for n in range(right + wrong)
    ]


def verdict(trials, **more) -> str:
    return verdict_of(detection_of(CONDITION, trials), **more)


def attacks(name: str, succeed: int, fail: int):
    return rows(fail, succeed, kind="bias", type=name)


@pytest.mark.parametrize(
    ("trials", "says", "never"),
    [
        (rows(80, 20), "more than a coin toss. Do not use it alone: it misses at least", "cannot be told"),
        (rows(55, 45), "cannot be told from a coin toss. Do not rely on it until", "more than a coin toss"),
        (rows(20, 80), "fewer than a coin toss. Do not rely on it to find failures.", "until"),
        (rows(200, 0, groups=100), "It misses at most", "Do not"),
        # All of one report: no interval, so nothing is claimed beyond what was seen.
        (rows(14, 6, groups=1), "It detected 14 of 20 planted failures, all made of one report", "than a coin toss."),
        ([trial(n, correct=None, said=None, status="failed") for n in range(5)], "no verdict on any of 5", "Do not"),
        (attacks("length", 20, 0), "It was not tested on failures. It is fooled more often than not by 1 of 1 kind", "%"),
        ([*rows(80, 20), *attacks("length", 0, 20)], "The one kind of attack tested fools it less often", "is fooled"),
        (
            [*rows(80, 20), *attacks("length", 5, 5), *attacks("structure", 2, 8)],
            "35 % [14, 65] of surface attacks succeed.",
            "more often than not",
        ),
        (
            [*rows(80, 20), *attacks("length", 20, 0), *attacks("structure", 10, 10)],
            "fooled more often than not by 1 of 2 kinds of attack (length); 1 more is undecided.",
            "structure",
        ),
        (
            [*rows(95, 5), *rows(1, 19, start=200, type="incoherence")],
            "Do not use it alone for incoherence.",
            "at least",
        ),
        (
            [*rows(95, 5), *rows(10, 10, start=200, level="process")],
            "It is not shown to beat a coin toss on process failures (50 %",
            "outcome",
        ),
        (
            [*rows(80, 0), *(trial(300 + n, correct=None, said=None, status="unparsed") for n in range(20))],
            "It gave no verdict on 20 % of the cases.",
            "coin toss on",
        ),
    ],
)  # fmt: skip
def test_a_verdict_claims_what_the_intervals_hold(trials, says: str, never: str) -> None:
    text = verdict(trials)
    assert says in text
    assert never not in text


def test_ties_and_unfinished_runs_are_told() -> None:
    tied = [trial(n, correct=n < 6, said="reference" if n < 6 else "tie") for n in range(20)]
    assert "(14 of its 20 verdicts are ties, which count as misses)" in verdict(tied)
    assert verdict(tied, finished=False).startswith("The run is unfinished. ")


def test_no_two_judges_share_a_name() -> None:
    other = msgspec.structs.replace(CONDITION, version="bbbbbbbb")
    mine = msgspec.structs.replace(CONDITION, label="mine")
    names, shared = distinct_names(
        [CONDITION, other, other, mine, msgspec.structs.replace(mine, judge="full@test/m")]
    )
    assert names == [
        "direct@test/m (version aaaaaa)",
        "direct@test/m (version bbbbbb)",
        "direct@test/m (version bbbbbb) (2)",
        "mine (direct@test/m)",
        "mine (full@test/m)",
    ]
    assert shared == ["pointwise", "holistic", "reflect-report"]
    fine = msgspec.structs.replace(CONDITION, granularity="fine")
    assert distinct_names([CONDITION, fine])[0] == ["direct@test/m · holistic", "direct@test/m · fine"]


def result(trials, condition: Condition = CONDITION, **more) -> BenchmarkResult:
    beside = Condition(judge="random", version="1", beside=True)
    tossed = [
        msgspec.structs.replace(item, condition=1, correct=int(item.instance) % 2 == 0) for item in trials
    ]
    origin = RunOrigin(bench="b", instances=len(trials), fingerprint="f")
    return BenchmarkResult.of([condition, beside], [*trials, *tossed], origin, **more)


def test_two_prompts_of_two_runs_are_tested_against_each_other() -> None:
    one = result(rows(40, 0))
    two = result(rows(20, 20), msgspec.structs.replace(CONDITION, version="b", label="sceptic"))
    found = compare_results(one, two)
    # The coin toss of both is the same, is kept once, and tests nothing.
    assert list(found.accuracy) == ["direct@test/m", "sceptic", "random"]
    assert [(item.axis, item.first_name, item.second_name) for item in found.contrasts] == [
        ("version", "direct@test/m", "sceptic")
    ]
    assert found.contrasts[0].difference.value == 0.5
    assert (found.contrasts[0].only_first, found.contrasts[0].only_second) == (20, 0)
    assert found.contrasts[0].p < 0.01
    assert not found.contrasts[0].too_few
    # Judges that differ in several settings are tested too, where the runs differ.
    three = result(rows(20, 20), Condition(judge="full@other/m", interface="pairwise", rubric="overall"))
    assert compare_results(one, three).contrasts[0].axis == "judge and rubric and reasoning and interface"


def test_only_what_both_judged_is_compared() -> None:
    found = compare_results(result(rows(30, 0)), result(rows(0, 10)))
    assert found.contrasts[0].difference.n == 10
    assert "not tested on the same instances" in found.card()
    with pytest.raises(UsageError, match="no instance in common"):
        compare_results(result(rows(5, 0)), result(rows(5, 0, start=100)))
    with pytest.raises(UsageError, match="two runs or more"):
        compare_results(result(rows(5, 0)))


def test_few_references_say_that_p_cannot_be_small() -> None:
    few = compare_results(result(rows(20, 0, groups=3)), result(rows(0, 20, groups=3)))
    assert (few.contrasts[0].references, few.contrasts[0].p, few.contrasts[0].least) == (3, 0.25, 0.25)
    assert few.contrasts[0].too_few
    assert "≥ 0.250" in few.card()


def test_tables_by_judge_type_and_verdict() -> None:
    found = result([*rows(8, 2), *rows(1, 1, start=50, type="incoherence"), *attacks("length", 1, 1)])
    by_judge = found.to_columns()
    assert by_judge["judge"] == ["direct@test/m", "random"]
    assert by_judge["accuracy"][0] == pytest.approx(9 / 12)
    by_type = found.to_columns("type")
    assert by_type["type"] == ["fabrication", "incoherence"] * 2
    assert by_type["value"][:2] == [0.8, 0.5]
    assert found.to_columns("attack")["attack"] == ["length", "length"]
    assert len(found.to_columns(None)["instance"]) == 28
    with pytest.raises(UsageError, match="by is 'kind'"):
        found.to_columns("kind")


def test_thresholds_are_checked_from_python() -> None:
    found = result(rows(15, 5))
    assert found.check(min={"accuracy": 0.7}, max={"ties": 1}).met
    gate = found.check(min={"accuracy": 0.7}, sure=True)
    assert not gate.met
    assert "0 of 1 thresholds met" in repr(gate)
    with pytest.raises(UsageError, match="did you mean"):
        found.check(min={"acuracy": 0.7})
    with pytest.raises(UsageError, match=r"write 0\.7 for 70 %"):
        found.check(min={"accuracy": 70})


def test_results_come_back_from_their_contract(tmp_path) -> None:
    found = result(rows(15, 5))
    again = BenchmarkResult.from_dict(found.to_dict())
    assert again.detections == found.detections
    assert again.contrasts == found.contrasts
    for data in ({}, {"schema": "assay.bench-result/1"}, {"schema": "assay.bench-results/1", "results": 3}):
        with pytest.raises(InputError):
            BenchmarkResult.from_dict(data)
    found.save(tmp_path / "run")
    assert BenchmarkResult.load(tmp_path / "run") == found
    assert BenchmarkResult.load(tmp_path / "run" / "result.json").accuracy == found.accuracy


def test_a_card_is_of_a_judge_that_exists(tmp_path) -> None:
    found = result(rows(15, 5))
    assert [item.name for item in cards_of(found)] == ["direct@test/m"]
    assert cards_of(found, "random")[0].name == "random"
    assert "more than a coin toss" in found.card(tmp_path / "card.html")
    assert (tmp_path / "card.html").is_file()
    with pytest.raises(UsageError, match="random"):
        found.card(judge="randm")
