"""How steady judges are."""

import random
from statistics import fmean

import pytest
from msgspec.structs import replace
from scipy.stats import pearsonr

from assay.errors import UsageError
from assay.judges.judgment import Usage
from assay.meta.agreement import agree
from assay.meta.stability import stability
from meta.judgments_for_tests import pair, prefers, rates, scored


def noisy(judge, sd, *, trials=5, subjects=40, scale=1.0, seed=0):
    random.seed(seed)
    return [
        scored(f"s{i}", judge, overall=scale * (i % 5 + random.gauss(0, sd)))
        for i in range(subjects)
        for _ in range(trials)
    ]


def test_variance_reliability_and_noise_floor():
    found = stability(noisy("d@m", 0.5)).judges[0]
    assert found.within_variance.value == pytest.approx(0.25, abs=0.06)
    assert found.within_variance.low < 0.25 < found.within_variance.high
    assert found.components.trial == pytest.approx(found.within_variance.value)
    # Subjects vary by 2.0 (1 to 5, evenly): 2 / 2.25.
    assert found.reliability == pytest.approx(0.89, abs=0.03)
    # 1.96 · sqrt(2 · 0.25 / 40)
    assert found.floor.difference == pytest.approx(0.219, abs=0.03)
    assert stability(noisy("d@m", 0.5), tasks=160).judges[0].floor.difference == pytest.approx(
        found.floor.difference / 2
    )


def test_flip_rate_of_pairs():
    said = [pair("a | b", side) for side in ("A", "A", "B", None)] + [pair("c | d", "A"), pair("c | d", "A")]
    found = stability(said).judges[0]
    assert found.mode == "compare"
    # Of three verdicts two pairs differ of three; of the other none.
    assert found.flip_rate.value == pytest.approx(1 / 3)
    assert found.ever_flipped.value == 0.5
    assert (found.verdicts, found.silent, found.repetitions) == (5, 1, (2, 4))
    assert found.within_variance is None


def test_the_front_of_agreement_and_stability():
    labels = [rates(f"s{i}", i % 5) for i in range(40)]
    said = noisy("steady@m", 0.1) + noisy("loose@m", 1.0, seed=1)
    found = stability(said, agreement=agree(said, labels))
    steady, loose = found.judges
    assert steady.agreement_name == "pearson_mean_of_runs"
    assert steady.front
    assert not loose.front
    assert found.comparable
    assert found.components.judges == 2


def test_agreement_is_the_mean_of_the_runs_correlations():
    rng = random.Random(5)
    truth = [rng.randint(1, 7) for _ in range(30)]
    runs = [[value + rng.gauss(0, 4) for value in truth] for _ in range(4)]
    said = [scored(f"s{at}", overall=runs[run][at]) for at in range(30) for run in range(4)]
    labels = [rates(f"s{at}", value) for at, value in enumerate(truth)]
    agreement = agree(said, labels)
    [judge] = stability(said, agreement=agreement).judges
    assert judge.agreement_name == "pearson_mean_of_runs"
    assert judge.agreement.value == pytest.approx(fmean(pearsonr(truth, run)[0] for run in runs))
    means = [fmean(column) for column in zip(*runs, strict=True)]
    assert judge.agreement_of_means.value == pytest.approx(pearsonr(truth, means)[0])
    assert judge.agreement.value < judge.agreement_of_means.value
    # Repetitions carry numbers: their order in the file plays no role, nor does a missing one.
    said = [replace(item, repetition=at % 4) for at, item in enumerate(said)]
    rng.shuffle(said)
    again = agree(said, labels).judges[0].metrics["pearson_mean_of_runs"]
    assert again.value == pytest.approx(judge.agreement.value)
    fewer = [item for item in said if (item.subject, item.repetition) != ("s3", 2)]
    without = [value for at, value in enumerate(truth) if at != 3]
    third = [value for at, value in enumerate(runs[2]) if at != 3]
    expected = [pearsonr(truth, run)[0] for run in (runs[0], runs[1], runs[3])] + [
        pearsonr(without, third)[0]
    ]
    found = agree(fewer, labels).judges[0].metrics["pearson_mean_of_runs"]
    assert found.value == pytest.approx(fmean(expected))
    assert found.n == 119


def test_tokens_can_put_a_worse_judge_on_the_front():
    labels = [prefers(f"a{i} | b{i}", "A>B") for i in range(20)]
    dear = [
        pair(f"a{i} | b{i}", "A", judge="dear@m", usage=Usage(output_tokens=900))
        for i in range(20)
        for _ in "12"
    ]
    cheap = [
        pair(f"a{i} | b{i}", "AB"[(i + k) % 2], judge="cheap@m", usage=Usage(output_tokens=10))
        for i in range(20)
        for k in range(2)
    ]
    found = stability([*dear, *cheap], agreement=agree([*dear, *cheap], labels))
    assert [(item.front, item.front_with_tokens) for item in found.judges] == [(True, True), (False, True)]


def test_judges_on_different_scales_are_compared_by_reliability():
    said = noisy("five@m", 0.2) + noisy("hundred@m", 0.2, scale=25.0)
    found = stability(said)
    assert not found.comparable
    assert found.components is None
    assert any("reliability" in note for note in found.notes)


def test_all_dimensions_where_there_is_no_whole():
    said = [scored("s", depth=1.0, style=2.0), scored("s", depth=3.0, style=2.0)]
    found = stability(said)
    assert found.dimension == "all dimensions"
    assert found.judges[0].within_variance.value == 1.0
    assert stability(said, dimension="style").judges[0].within_variance.value == 0


def test_nothing_judged_twice_is_refused():
    with pytest.raises(UsageError, match="subject twice"):
        stability([scored("s", overall=1.0)])
    with pytest.raises(UsageError, match="subject twice"):
        stability([scored("s", status="failed"), scored("s", status="failed")])


def test_one_judge_judged_once_is_named():
    found = stability([*noisy("d@m", 0.5), scored("s1", "rules", overall=1.0)])
    assert found.judges[1].repeated == 0
    assert "rules" in found.notes[0]
