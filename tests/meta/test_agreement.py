"""Judges beside people."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from krippendorff import alpha as krippendorff
from scipy.stats import kendalltau, pearsonr, spearmanr
from sklearn.metrics import cohen_kappa_score, f1_score
from statsmodels.stats.inter_rater import fleiss_kappa

from assay.errors import UsageError
from assay.judges.judgment import Judgment, Verdict
from assay.judges.judgments import Judgments
from assay.meta.agreement import agree
from assay.meta.labels.label_set import read_labels
from assay.meta.labels.record import Label
from assay.meta.scales import Rescale, match_scales
from assay.present.agreement import agreement_text
from assay.present.display import Painter
from assay.subjects.report import Report
from meta.judgments_for_tests import pair, prefers, rates, scored


def test_right_only_if_both_orders_name_the_winner():
    said = [
        pair("a1 | b1", "A", ("A", "A")),
        pair("a2 | b2", "tie", ("A", "B")),
        pair("a3 | b3", "tie", ("tie", "tie")),
        pair("a4 | b4", "A", ("A", "A")),
        pair("a5 | b5", None, ("A", None), status="unparsed"),
    ]
    labels = [
        prefers("a1 | b1", "A>B"),
        prefers("a2 | b2", "A>B"),
        prefers("a3 | b3", "both_bad"),  # any tie matches any other
        prefers("a4 | b4", "A<B"),
        prefers("a5 | b5", "A>B"),
    ]
    judge = agree(said, labels).judges[0]
    assert judge.metrics["agreement_accuracy"].value == 0.5
    assert judge.metrics["agreement_accuracy"].n == 4
    assert judge.metrics["positional_consistency"].value == 0.75
    assert judge.n == 4
    assert judge.coverage == 0.8
    assert judge.statuses == {"ok": 4, "unparsed": 1}
    # Rows are people, in the order A, tie, B.
    assert judge.classes == ["A", "tie", "B"]
    assert judge.confusion == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]


def test_a_pair_the_other_way_round_is_turned():
    said = [pair("b | a", "B", ("B", "A")), pair("dir/c.md | dir/d.md", "A", ("A", "A"))]
    found = agree(said, [prefers("a | b", "A>B"), prefers("d.md | c.md", "A<B")]).judges[0]
    assert found.metrics["accuracy"].value == 1
    assert found.metrics["agreement_accuracy"].value == 0.5


def test_labels_of_one_pair_both_ways_round_are_of_one_unit():
    found = agree([pair("a | b", "A")], [prefers("a | b", "A>B", "r"), prefers("b | a", "A<B", "s")])
    assert found.humans.units == 1
    assert found.humans.pairwise["accuracy"].value == 1


def test_classes_against_scikit_learn():
    random.seed(1)
    sides = {"A>B": "A", "A<B": "B", "tie": "tie"}
    truth = [random.choice(list(sides)) for _ in range(300)]
    said = [sides[t] if random.random() < 0.6 else random.choice(["A", "B", "tie"]) for t in truth]
    judge = agree(
        [pair(f"a{i} | b{i}", one) for i, one in enumerate(said)],
        [prefers(f"a{i} | b{i}", one, task=f"t{i // 3}") for i, one in enumerate(truth)],
    ).judges[0]
    people = [sides[t] for t in truth]
    metrics = {name: item.value for name, item in judge.metrics.items()}
    assert metrics["cohen_kappa"] == pytest.approx(cohen_kappa_score(people, said))
    assert metrics["macro_f1"] == pytest.approx(f1_score(people, said, average="macro"))
    codes = [[["A", "tie", "B"].index(x) for x in row] for row in (people, said)]
    assert metrics["krippendorff_alpha"] == pytest.approx(krippendorff(codes, level_of_measurement="nominal"))
    assert judge.metrics["accuracy"].clusters == 100
    for item in judge.metrics.values():
        assert item.low <= item.value <= item.high


def test_scores_against_scipy_and_scikit_learn():
    random.seed(2)
    truth = [random.randint(1, 5) for _ in range(200)]
    said = [max(1, min(5, t + random.choice([-1, 0, 0, 1]))) for t in truth]
    judge = agree(
        [scored(f"s{i}", overall=float(one)) for i, one in enumerate(said)],
        [rates(f"s{i}", one) for i, one in enumerate(truth)],
    ).judges[0]
    metrics = {name: item.value for name, item in judge.metrics.items()}
    assert metrics["quadratic_kappa"] == pytest.approx(cohen_kappa_score(truth, said, weights="quadratic"))
    assert metrics["linear_kappa"] == pytest.approx(cohen_kappa_score(truth, said, weights="linear"))
    assert metrics["pearson"] == pytest.approx(pearsonr(truth, said).statistic)
    assert metrics["spearman"] == pytest.approx(spearmanr(truth, said).statistic)
    assert metrics["kendall"] == pytest.approx(kendalltau(truth, said).statistic)
    for name, level in (("krippendorff_alpha", "ordinal"), ("krippendorff_alpha_interval", "interval")):
        assert metrics[name] == pytest.approx(krippendorff([truth, said], level_of_measurement=level))
    assert metrics["within_one"] == 1
    assert metrics["mad"] == pytest.approx(sum(abs(a - b) for a, b in zip(truth, said, strict=True)) / 200)
    assert judge.scale.grid.names() == ["1", "2", "3", "4", "5"]


def test_alpha_of_numbers_without_steps():
    random.seed(3)
    truth = [random.random() for _ in range(60)]
    said = [t + random.gauss(0, 0.2) for t in truth]
    judge = agree(
        [scored(f"s{i}", overall=one) for i, one in enumerate(said)],
        [rates(f"s{i}", one, task=f"t{i % 20}") for i, one in enumerate(truth)],
    ).judges[0]
    assert "quadratic_kappa" not in judge.metrics
    found = judge.metrics["krippendorff_alpha"]
    assert found.value == pytest.approx(krippendorff([truth, said], level_of_measurement="interval"))
    assert found.clusters == 20
    assert judge.metrics["spearman"].method == "bootstrap"


def test_different_scales_have_correlations_only_until_told():
    said = [scored(f"s{i}", overall=1.0 + i % 5) for i in range(20)]
    labels = [rates(f"s{i}", (i % 5) / 4) for i in range(20)]
    plain = agree(said, labels).judges[0]
    assert set(plain.metrics) == {"pearson", "spearman", "kendall"}
    told = agree(said, labels, rescale=(Rescale.parse("1:5=0:1"),)).judges[0]
    assert told.metrics["mad"].value == 0
    assert told.metrics["exact"].value == 1
    # All right is no certainty: the interval stays open below.
    assert told.metrics["exact"].low < 0.9


@pytest.mark.parametrize(
    ("labels", "judge", "same"),
    [([1, 2, 5], [1, 3, 5], True), ([0, 0.5, 1], [1, 3, 5], False), ([3, 4], [1, 2, 3, 4, 5], True),
     ([0.3, 0.4], [0.7, 0.9], False), ([0, 1], [0, 1], True), ([0, 7], [60, 90], False), ([], [1], False)],
)  # fmt: skip
def test_scales_are_told_apart(labels, judge, same):
    assert match_scales(labels, judge).same is same


@pytest.mark.parametrize("text", ["", "1:5", "1:1=0:1", "a:b=c:d", "1:5=0:1:2", "1.2.3:4=5:6"])
def test_a_malformed_rescale_is_refused(text):
    with pytest.raises(UsageError, match="1:5=0:7"):
        Rescale.parse(text)


def test_verdicts_by_criterion_from_grades_or_scores():
    labels = [
        Label(subject=f"s{i}", rater="r", verdict=word, criterion="c", task=f"t{i}")
        for i, word in enumerate(["met", "not met", "met", "not met"])
    ]
    words = [
        Judgment(judge="w@m", subject=f"s{i}", verdicts=(Verdict(criterion="c", verdict=word),))
        for i, word in enumerate(["met", "met", "met", None])
    ]
    numbers = [
        Judgment(judge="n@m", subject=f"s{i}", scores={"c": value})
        for i, value in enumerate([1.0, 0.0, 1.0, 0.0])
    ]
    found = agree([*words, *numbers], labels)
    first, second = found.judges
    assert first.metrics["accuracy"].value == pytest.approx(2 / 3)
    assert first.coverage == 0.75
    assert second.metrics["macro_f1"].value == 1
    assert second.metrics["f1[met]"].value == 1


def test_raters_in_a_draw_have_no_truth_and_are_counted():
    labels = [
        prefers("a | b", "A>B", "r"),
        prefers("a | b", "A<B", "s"),
        prefers("c | d", "A>B", "r"),
        prefers("c | d", "A>B", "s"),
    ]
    found = agree([pair("a | b", "A"), pair("c | d", "A")], labels)
    assert found.humans.split == 1
    assert found.judges[0].n == 1


def test_people_are_the_ceiling():
    random.seed(4)
    labels = []
    for i in range(80):
        true = random.choice(["A>B", "A<B"])
        for rater in "xyz":
            said = true if random.random() < 0.9 else random.choice(["A>B", "A<B"])
            labels.append(prefers(f"a{i} | b{i}", said, rater))
    people = agree([pair(f"a{i} | b{i}", "A") for i in range(80)], labels).humans
    assert people.raters == 3
    assert people.shared == 80
    assert 0.7 < people.pairwise["accuracy"].value < people.leave_one_out["accuracy"].value < 1
    assert people.pairwise["accuracy"].n == 240
    # With all of them rating everything, the panel's share of agreeing pairs is the same number.
    assert people.panel["pairwise_agreement"].value == pytest.approx(people.pairwise["accuracy"].value)


def test_people_agree_more_on_some_dimensions():
    labels = [
        Label(
            subject=f"a{i} | b{i}",
            rater=rater,
            criterion=part,
            preference="A>B" if (i + k * apart) % 2 else "A<B",
        )
        for i in range(20)
        for part, apart in (("depth", 0), ("style", 1))
        for k, rater in enumerate(("x", "y", "z"))
    ]
    judged = [pair(f"a{i} | b{i}", "A", scores={"depth": 1.0, "style": 1.0}) for i in range(20)]
    by = agree(judged, labels).humans.by["dimension"]
    assert by["depth"].panel["fleiss_kappa"].value == 1
    assert by["style"].panel["fleiss_kappa"].value < 0


def test_trials_of_scores_are_averaged_and_of_preferences_counted_each():
    said = [
        scored("s", overall=2.0),
        scored("s", overall=4.0),
        scored("u", overall=1.0),
        scored("v", overall=5.0),
    ]
    judge = agree(said, [rates("s", 3), rates("u", 1), rates("v", 5)]).judges[0]
    assert judge.repetitions == 2
    assert judge.n == 3
    assert judge.metrics["mad"].value == 0
    votes = [pair("a | b", side) for side in ("A", "A", "B")]
    assert agree(votes, [prefers("a | b", "A>B")]).judges[0].n == 3
    one = agree(votes, [prefers("a | b", "A>B")], repetitions="together").judges[0]
    assert (one.n, one.metrics["accuracy"].value) == (1, 1)


def test_preferences_of_a_judge_that_scores_each_by_itself():
    said = [scored("a", "rules", overall=0.7), scored("b", "rules", overall=0.4)]
    judge = agree(said, [prefers("a | b", "A>B")]).judges[0]
    assert judge.pointwise
    assert judge.metrics["accuracy"].value == 1
    # It was shown no order, so it gets no praise for not minding it.
    assert "positional_consistency" not in judge.metrics


def test_a_file_of_subjects_joins_by_id_and_system():
    known = [
        Report("A report.", query="Why?", path="in/r.jsonl:1", id="7", system="x"),
        Report("Another report.", query="Why?", path="in/r.jsonl:2", id="7", system="y"),
    ]
    labels = [rates("7:x", 1), rates("7:y", 5)]
    said = [scored("r.jsonl:1", overall=1.0), scored("in/r.jsonl:2", overall=5.0)]
    judge = agree(said, labels, by=("language",), subjects=known).judges[0]
    assert judge.n == 2
    assert judge.metrics["mad"].clusters == 1  # both answer the same question
    assert judge.by["language"]["en"].n == 2


def test_a_row_of_a_file_is_not_another_row_of_it():
    with pytest.raises(UsageError, match="no judgment is of a labelled subject"):
        agree([scored("r.jsonl:2", overall=1.0)], [rates("r.jsonl:1", 1)])


def test_nothing_in_common_says_what_each_side_has():
    with pytest.raises(
        UsageError, match=r"labels are about 'insight', judgments about 'depth'.*insight=depth"
    ):
        agree([scored("s", depth=1.0)], [Label(subject="s", rater="r", scores={"insight": 2})])
    called = {"insight": "depth"}
    assert (
        agree(
            [scored("s", depth=1.0)],
            [Label(subject="s", rater="r", scores={"insight": 2})],
            dimensions=called,
        )
        .judges[0]
        .n
        == 1
    )
    with pytest.raises(UsageError, match="did you mean 'domain'"):
        agree(
            [scored("s", overall=1.0)],
            [rates("s", 1, strata={"domain": "x"})],
            by=("domian",),
        )
    with pytest.raises(UsageError, match="did you mean 'rita'"):
        agree([scored("s", overall=1.0)], [rates("s", 1, "rita")], raters=("ritta",))
    with pytest.raises(UsageError, match="no label is of kind verdict"):
        agree([scored("s", overall=1.0)], [rates("s", 1)], kind="verdict")


def test_judges_are_tested_against_each_other_with_correction():
    random.seed(5)
    labels, said = [], []
    for i in range(60):
        labels.append(prefers(f"a{i} | b{i}", "A>B"))
        said.append(pair(f"a{i} | b{i}", "A", judge="good@m"))
        said.append(pair(f"a{i} | b{i}", random.choice("AB"), judge="coin@m"))
        said.append(pair(f"a{i} | b{i}", random.choice("AB"), judge="toss@m"))
    found = agree(said, labels).tests
    assert [test.test for test in found] == ["mcnemar"] * 3
    assert [test.better for test in found] == ["good@m", "good@m", None]
    assert all(test.p_holm >= test.p for test in found)
    clustered = [prefers(f"a{i} | b{i}", "A>B", task=f"t{i % 30}") for i in range(60)]
    assert {test.test for test in agree(said, clustered).tests} == {"permutation"}


def test_absolute_errors_and_ranks_are_compared():
    random.seed(6)
    labels = [rates(f"s{i}", 1 + i % 5) for i in range(50)]
    near = [scored(f"s{i}", "near@m", overall=1.0 + i % 5) for i in range(50)]
    far = [scored(f"s{i}", "far@m", overall=float(random.randint(1, 5))) for i in range(50)]
    test = agree([*near, *far], labels).tests[0]
    assert (test.what, test.better) == ("absolute error", "near@m")
    share = [scored(f"s{i}", "share@m", overall=random.random() / 2) for i in range(50)]
    ranked = agree([*near, *share], labels).tests[0]
    assert (ranked.what, ranked.test, ranked.better) == ("rank correlation", "bootstrap", "near@m")


def test_the_record_has_the_keys_of_the_contract():
    data = agree(
        [scored("s", overall=1.0), scored("t", overall=2.0)], [rates("s", 1), rates("t", 3)]
    ).to_dict()
    assert data["schema"] == "assay.agreement/2"
    assert {"n", "coverage", "metrics", "by"} <= set(data)
    assert {"value", "low", "high", "n"} <= set(data["metrics"]["mad"])
    assert data["coverage"] == 1.0


def test_calibration_and_labels_needed():
    random.seed(7)
    truth = [random.randint(1, 5) for _ in range(120)]
    said = [min(5.0, t + 1.0 + random.random() * 0.5) for t in truth]
    found = agree(
        [scored(f"s{i}", overall=one) for i, one in enumerate(said)],
        [rates(f"s{i}", one, task=f"t{i % 40}") for i, one in enumerate(truth)],
        calibrate="isotonic",
        half_width=0.02,
    )
    gain = found.calibration["d@m"].mad
    assert gain.after < gain.before
    assert gain.gain.low > 0
    assert gain.after < found.constant_mad
    assert found.needed["d@m"]["spearman"].labels > 120 or found.judges[0].metrics["spearman"].half < 0.02
    assert "mad" not in found.needed["d@m"]
    with pytest.raises(UsageError, match="maps scores to scores"):
        agree([pair("a | b", "A")], [prefers("a | b", "A>B")], calibrate="linear")


def test_dimensions_are_strata_and_the_whole_is_the_headline():
    labels = [
        Label(subject=f"s{i}", rater="r", scores={"overall": i % 5, "depth": (i + 1) % 5}) for i in range(20)
    ]
    said = [scored(f"s{i}", overall=float(i % 5), depth=float(i % 5)) for i in range(20)]
    judge = agree(said, labels).judges[0]
    assert judge.metrics["exact"].value == 1
    assert judge.by["dimension"]["depth"].metrics["exact"].value == 0
    assert judge.n == 20


def test_a_judge_as_one_more_rater_is_held_against_people_in_pairs():
    # Two raters and two trials a report: means would agree better than single judgments do.
    random.seed(8)
    labels, said = [], []
    for i in range(200):
        true = random.gauss(3, 1)
        for rater in "xy":
            labels.append(rates(f"s{i}", true + random.gauss(0, 1), rater))
        said += [scored(f"s{i}", overall=true + random.gauss(0, 1)) for _ in range(2)]
    found = agree(said, labels)
    judge = found.judges[0]
    people = found.humans.pairwise["pearson"].value
    assert judge.as_rater["pearson"].value == pytest.approx(people, abs=0.12)
    assert judge.metrics["pearson"].value > people + 0.1
    assert judge.as_rater["pearson"].clusters == 200
    alone = agree(said, [label for label in labels if label.rater == "x"]).judges[0]
    assert alone.as_rater == {}


def test_a_scale_is_for_the_judges_that_are_on_it():
    labels = [rates(f"s{i}", (i % 5) / 4) for i in range(20)]
    five = [scored(f"s{i}", "five@m", overall=1.0 + i % 5) for i in range(20)]
    share = [scored(f"s{i}", "share@m", overall=(i % 5) / 4) for i in range(20)]
    both = (Rescale.parse("1:5=0:1"), Rescale.parse("0:1=0:1"))
    found = agree([*five, *share], labels, rescale=both)
    assert [judge.metrics["mad"].value for judge in found.judges] == [0, 0]
    with pytest.raises(UsageError, match=r"no judge scores within.*1.0 to 5.0"):
        agree(five, labels, rescale=(Rescale.parse("0:1=0:1"),))


def test_a_subject_of_another_folder_is_another_subject():
    # Nobody labelled b/report.md; its judgment is of a file of the same name, and of nothing else.
    said = [scored("a/report.md", overall=3.0), scored("b/report.md", overall=1.0)]
    judge = agree(said, [rates("a/report.md", 3)]).judges[0]
    assert judge.n == 1
    assert judge.repetitions == 1
    with pytest.raises(UsageError, match="no judgment is of a labelled subject"):
        agree(said, [rates("report.md", 3)])
    # What the last folder tells apart is told apart; a judge whose subjects were named from elsewhere is heard too.
    told = [scored("x/a/report.md", overall=3.0), scored("x/b/report.md", overall=1.0)]
    other = [scored("report.md", "e@m", overall=2.0)]
    found = agree([*told, *other], [rates("a/report.md", 3)])
    assert [(item.judge, item.n) for item in found.judges] == [("d@m", 1), ("e@m", 1)]


def test_an_abstention_is_neither_unparsed_nor_silently_dropped():
    """Five right and five abstained: all right among the decided, half right if an abstention is wrong."""
    labels = [prefers(f"a{i} | b{i}", "A>B" if i % 2 else "A<B", task=f"t{i}") for i in range(10)]
    said = [
        pair(f"a{i} | b{i}", "AB"[i % 2 == 0] if i < 5 else None, judge="vote(a@m b@m)") for i in range(10)
    ]
    judge = agree(said, labels).judges[0]
    assert judge.statuses == {"ok": 5, "abstained": 5}
    # Both figures stand side by side.
    assert judge.metrics["accuracy"].value == 1.0
    assert judge.abstentions_wrong["accuracy"].value == 0.5
    shown = agreement_text(agree(said, labels), Painter(False))
    assert "accuracy, abstained = wrong" in shown
    assert (judge.metrics["accuracy"].value, judge.coverage, judge.n) == (1.0, 0.5, 5)
    judge = agree(said, labels, abstain="wrong").judges[0]
    assert (judge.metrics["accuracy"].value, judge.coverage, judge.n) == (0.5, 0.5, 10)
    assert judge.statuses == {"ok": 5, "abstained": 5}
    assert judge.classes == ["A", "B", "abstained"]
    assert "f1[abstained]" not in judge.metrics
    with pytest.raises(UsageError, match="cannot be a wrong score"):
        agree([scored("s", overall=1.0)], [rates("s", 1)], abstain="wrong")


def test_labels_are_cases_beside_their_file_and_frames(tmp_path):
    for name in ("x", "y"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nA report.\n", "utf-8")
    (tmp_path / "labels.csv").write_text("a,b,rater,winner,domain\nx.md,y.md,anna,A,law\n", "utf-8")
    labels = read_labels(tmp_path / "labels.csv")
    (case,) = labels.cases()
    assert (case.name, case.mode, case.metadata) == ("x.md | y.md", "compare", {"domain": "law"})
    assert [item.source[:3] for item in case.subjects] == ["# x", "# y"]
    said = [pair(case.name, "A")]
    found = agree(said, labels, by="domain")
    assert found.to_frame().columns[:6].tolist() == ["judge", "by", "stratum", "metric", "value", "low"]
    assert agree(Judgments(said).to_frame(), labels.to_frame(), by="domain") == found
    assert type(found).from_dict(found.to_dict()) == found
    labels.save(tmp_path / "labels.jsonl")
    assert type(labels).load(tmp_path / "labels.jsonl")[0] == labels[0]
    (tmp_path / "y.md").unlink()
    with pytest.raises(UsageError, match="neither a text"):
        labels.cases()


def by_dimension(rows):
    """Labels of raters x, y and z, by dimension: ``{"depth": ["AAB", …]}``."""
    return [
        prefers(f"a{at} | b{at}", {"A": "A>B", "B": "A<B", "-": "tie"}[side], rater, criterion=dimension)
        for dimension, units in rows.items()
        for at, sides in enumerate(units)
        for rater, side in zip("xyz", sides, strict=False)
    ]


def test_kappa_and_agreement_accuracy_by_dimension():
    rows = {"depth": ["AAB", "BBB", "ABB", "AAA"], "style": ["AA-", "BBB", "-BB", "AAA"]}
    orders = [("A>B", "A>B"), ("A<B", "A<B"), ("A>B", "tie"), ("A>B", "A<B")]
    said = [
        Judgment(
            judge="j",
            subject=f"a{at} | b{at}",
            mode="compare",
            verdicts=tuple(
                Verdict(criterion=name, score=0.5, by_order={"AB": ab, "BA": ba}) for name in rows
            ),
        )
        for at, (ab, ba) in enumerate(orders)
    ]
    found = agree(said, by_dimension(rows))
    for name, units in rows.items():
        stratum = found.judges[0].by["dimension"][name]
        assert stratum.metrics["agreement_accuracy"].value == 2 / 4
        truth = [max("AB-", key=sides.count) for sides in units]
        assert stratum.metrics["cohen_kappa"].value == pytest.approx(
            cohen_kappa_score(truth, ["A", "B", "-", "-"])
        )
        counts = [[sides.count(side) for side in "A-B"] for sides in units]
        people = found.humans.by["dimension"][name].panel["fleiss_kappa"]
        assert people.value == pytest.approx(fleiss_kappa(counts))


@pytest.mark.parametrize(
    ("adjudicate", "truths", "adjudicated"),
    [(None, ["A", None, None], 0), ("middle", ["A", "tie", "tie"], 2), ("z", ["A", "B", "tie"], 2)],
)
def test_splits_are_adjudicated_by_a_rule_or_a_rater(adjudicate, truths, adjudicated):
    raters = "wxy" if adjudicate == "z" else "wxyz"
    units = ["AAA", "AB-", "A-B"]
    labels = [
        prefers(f"a{at} | b{at}", {"A": "A>B", "B": "A<B", "-": "tie"}[side], rater)
        for at, sides in enumerate(units)
        for rater, side in zip(raters, sides, strict=False)
    ]
    labels += [prefers("a1 | b1", "A<B", "z"), prefers("a2 | b2", "tie", "z")] if adjudicate == "z" else []
    said = [pair(f"a{at} | b{at}", side or "A") for at, side in enumerate(truths)]
    found = agree(said, labels, adjudicate=adjudicate)
    assert found.judges[0].metrics["accuracy"].value == 1
    assert found.judges[0].n == 3 - truths.count(None)
    assert (found.humans.adjudicated, found.humans.split) == (adjudicated, truths.count(None))
    assert found.humans.raters == 3


def test_an_adjudicator_must_have_rated_something():
    with pytest.raises(UsageError, match="no rater 'chair'"):
        agree([pair("a | b", "A")], [prefers("a | b", "A>B")], adjudicate="chair")
    with pytest.raises(UsageError, match="scores are averaged"):
        agree([scored("a", overall=1)], [rates("a", 1)], adjudicate="middle")


def graded(subject, axis_of, **verdicts):
    return Judgment(
        judge="g@m",
        subject=subject,
        verdicts=tuple(
            Verdict(criterion=key, verdict=word, axis=axis_of[key]) for key, word in verdicts.items()
        ),
    )


def test_binary_macro_f1_counts_partial_credit_as_not_met():
    rng = random.Random(3)
    words = ["met", "partially met", "not met"]
    axes = {"c1": "explicit", "c2": "implicit"}
    judged = {(f"r{at}", key): rng.choice(words) for at in range(30) for key in axes}
    said = [graded(f"r{at}", axes, **{key: judged[f"r{at}", key] for key in axes}) for at in range(30)]
    people = {unit: rng.choice(words) for unit in judged}
    two = {unit: "met" if word == "met" else "not met" for unit, word in people.items()}

    def labels(of):
        return [Label(subject=s, rater="r", criterion=c, verdict=word) for (s, c), word in of.items()]

    def f1(truth, verdicts):
        return f1_score([*truth.values()], [*verdicts.values()], average="macro")

    judged_in_two = {unit: "met" if word == "met" else "not met" for unit, word in judged.items()}
    found = agree(said, labels(two), by="axis")
    assert found.judges[0].metrics["macro_f1"].value == pytest.approx(f1(two, judged_in_two))
    assert "partially met counts as not met, because all labels" in found.notes[0]
    for key, axis in axes.items():
        own = {unit: word for unit, word in two.items() if unit[1] == key}
        stratum = found.judges[0].by["axis"][axis]
        assert stratum.metrics["macro_f1"].value == pytest.approx(
            f1(own, {unit: judged_in_two[unit] for unit in own})
        )
    # Ternary labels stay ternary, except on request.
    assert agree(said, labels(people)).judges[0].metrics["macro_f1"].value == pytest.approx(
        f1(people, judged)
    )
    found = agree(said, labels(people), binary=True)
    assert found.judges[0].metrics["macro_f1"].value == pytest.approx(f1(two, judged_in_two))
    assert "partially met" in agree(said, labels(two), binary=False).judges[0].classes
    with pytest.raises(UsageError, match="binary grading is of verdicts"):
        agree([pair("a | b", "A")], [prefers("a | b", "A>B")], binary=True)


UNIT = {"agreement_accuracy", "positional_consistency", "accuracy", "macro_f1", "exact", "within_one"}


def bounds_of(name):
    """The possible values of a metric."""
    if name in UNIT or name.startswith(("f1[", "llmbar.", "judgebench.")):
        return 0, 1
    if name == "gwet_ac2":  # Weights let the expected agreement exceed one half.
        return -10, 1
    return (0, 4) if name in ("mad", "rmse") else (-4, 4) if name == "bias" else (-1, 1)


def is_possible(metrics):
    for name, item in metrics.items():
        low, high = bounds_of(name)
        assert (item.low is None) == (item.high is None)
        if item.value is not None and item.low is not None:
            assert low - 1e-9 <= item.low <= item.value <= item.high <= high + 1e-9, name
        if item.value is not None and item.low is None:
            assert item.reason, name
        if 0 < item.clusters < 3 and item.n > item.clusters:
            assert item.low is None, name


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["preference", "score", "verdict"]),
    st.sampled_from(["assay", "llmbar", "judgebench"]),
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.integers(0, 5)),
        min_size=2,
        max_size=14,
    ),
)
def test_no_interval_leaves_the_possible_range(kind, rule, rows):
    sides, words = ("A", "B", "tie", "A", "B"), ("met", "partially met", "not met", "met", "not met")
    of_side = {"A": "A>B", "B": "A<B", "tie": "tie"}
    said, labels = [], []
    for at, (truth, first, second, task) in enumerate(rows):
        if kind == "preference":
            labels.append(prefers(f"a{at} | b{at}", of_side[sides[truth]], task=f"t{task}"))
            both = sides[first], sides[second]
            said.append(pair(f"a{at} | b{at}", both[0] if both[0] == both[1] else "tie", both))
        elif kind == "score":
            labels.append(rates(f"s{at}", truth, task=f"t{task}"))
            said += [scored(f"s{at}", overall=first), scored(f"s{at}", overall=second)]
        else:
            labels.append(Label(subject=f"s{at}", rater="r", verdict=words[truth], task=f"t{task}"))
            said.append(graded(f"s{at}", {"overall": None}, overall=words[first]))
    found = agree(said, labels, order_rule=rule)
    for judge in found.judges:
        is_possible(judge.metrics)
    if kind == "score":
        turned = [
            msgspec.structs.replace(item, judge="second", scores={"overall": 4 - item.overall})
            for item in said
        ]
        for test in agree([*said, *turned], labels).tests:
            if test.difference.low is None:
                continue
            assert -4 <= test.difference.low <= test.difference.value <= test.difference.high <= 4


def test_a_test_that_cannot_be_significant_says_so():
    labels = [prefers(f"a{at} | b{at}", "A>B", task=f"t{at // 4}") for at in range(12)]
    right = [pair(f"a{at} | b{at}", "A", ("A", "A"), judge="right") for at in range(12)]
    wrong = [pair(f"a{at} | b{at}", "B", ("B", "B"), judge="wrong") for at in range(12)]
    [test] = agree([*right, *wrong], labels).tests
    assert test.p == 2 / 2**3
    assert test.reason == "with 3 differing tasks, p cannot be below 0.25"
    labels = [prefers(f"a{at} | b{at}", "A>B") for at in range(12)]
    [test] = agree([*right, *wrong], labels).tests
    assert (test.test, test.reason, test.better) == ("mcnemar", "", "right")
    [test] = agree([*right[:4], *wrong[:4]], labels).tests
    assert test.p == 0.5**4
    assert test.reason == "with 4 differing tasks, p cannot be below 0.0625"
