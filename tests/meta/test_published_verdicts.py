"""Published verdicts of LLMBar, JudgeBench and AlpacaEval give the published figures."""

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.judges.order_rules import combine_orders, score_orders
from assay.judges.sides import swapped
from assay.measures.win_rate import preference_win_rate
from assay.meta.agreement import agree
from assay.meta.judgment_files import read_judgments
from assay.meta.labels.label_set import read_labels
from assay.meta.published_verdicts import benchmark_of, holds_verdicts, read_verdicts

OURS = Path(__file__).parents[1] / "data" / "verdicts"
THEIRS = Path(__file__).parents[3] / "shared" / "data" / "verdicts"
if not THEIRS.is_dir():
    THEIRS = Path(__file__).parents[4] / "shared" / "data" / "verdicts"
published = pytest.mark.skipif(not THEIRS.is_dir(), reason="the published files are not here")
LLMBAR = {
    "correct_False": "first_order",
    "correct_True": "swapped_order",
    "correct_average": "mean_of_orders",
    "correct_both": "both_orders",
    "equal": "positional_agreement",
}
sides = st.sampled_from(["A", "B", "tie", None])


def agreement_of(path, **options):
    verdicts = read_verdicts(path)
    options = {"order_rule": verdicts.order_rule, "by": verdicts.by, **options}
    return agree(verdicts.judgments, verdicts.labels, **options)


def percent_in(text):
    return float(text.rpartition("=")[2].strip().rstrip("%"))


def is_published(metrics, statistics):
    for theirs, ours in LLMBAR.items():
        assert 100 * metrics[f"llmbar.{ours}"].value == pytest.approx(
            percent_in(statistics[theirs]), abs=1e-11
        )


def test_llmbar_counts_each_order_and_nulls_as_wrong():
    found = agreement_of(OURS / "llmbar" / "Natural")
    [judge] = found.judges
    assert judge.judge == "Model/Vanilla"
    file = OURS / "llmbar" / "Natural" / "evaluators" / "Model" / "Vanilla" / "statistics.json"
    is_published(judge.metrics, json.loads(file.read_text()))
    # Assay's own rule leaves pairs without a verdict out.
    assert judge.metrics["agreement_accuracy"].n == 2
    assert judge.coverage == 0.5


def test_llmbar_subsets_are_strata_and_labels_come_from_the_data_set():
    [judge] = agreement_of(OURS / "llmbar").judges
    assert set(judge.by["subset"]) == {"Natural", "Adversarial/Manual"}
    for subset, part in judge.by["subset"].items():
        file = OURS / "llmbar" / subset / "evaluators" / "Model" / "Vanilla" / "statistics.json"
        is_published(part.metrics, json.loads(file.read_text()))


@published
def test_llmbar_as_published():
    folder = THEIRS / "llmbar_manual"
    judges = {judge.judge: judge for judge in agreement_of(folder).judges}
    files = list(folder.rglob("statistics.json"))
    assert len(judges) == len(files) > 0
    for file in files:
        name = file.parent.relative_to(folder / "evaluators").as_posix()
        is_published(judges[name].metrics, json.loads(file.read_text()))


def test_judgebench_sums_the_orders():
    judges = {judge.judge: judge for judge in agreement_of(OURS / "judgebench").judges}
    assert set(judges) == {"plain@m-large", "strict@m-large"}
    plain = judges["plain@m-large"].metrics
    # Right: both orders; one order and a tie; one order and null. Not: opposed, none at all, both wrong.
    assert plain["judgebench.sum_of_orders"].value == 3 / 6
    assert plain["accuracy"].value == 3 / 6
    assert plain["judgebench.both_orders"].value == 1 / 6
    assert plain["judgebench.positional_agreement"].value == 3 / 6
    assert judges["strict@m-large"].metrics["judgebench.sum_of_orders"].value == 1


def test_judgebench_labels_need_no_texts():
    labels = read_labels(sorted((OURS / "judgebench").glob("*.jsonl")))
    assert labels.formats == ("judgebench",)
    assert {label.rater for label in labels} == {"judgebench"}
    assert {label.kind for label in labels} == {"preference"}


def test_alpacaeval_by_hand():
    [one] = read_verdicts(OURS / "alpacaeval").win_rates
    assert (one.annotator, one.model, one.baseline) == ("judge-1", "mine", "base")
    rate = one.rate
    assert (rate.wins, rate.losses, rate.ties, rate.total, rate.left_out) == (3, 2, 3, 8, 1)
    assert rate.win_rate.value == pytest.approx((0 + 1 + 0.5 + 0.5 + 0.25 + 0.9 + 1 + 0.5) / 8)
    assert rate.discrete_win_rate.value == (3 + 3 / 2) / 8


@published
def test_alpacaeval_as_published():
    [one] = read_verdicts(THEIRS / "alpaca_eval").win_rates
    [row] = csv.DictReader((THEIRS / "alpaca_eval" / "leaderboard.csv").read_text().splitlines())
    rate = one.rate
    assert 100 * rate.win_rate.value == pytest.approx(float(row["win_rate"]), abs=1e-11)
    assert 100 * rate.standard_error == pytest.approx(float(row["standard_error"]), abs=1e-11)
    assert 100 * rate.discrete_win_rate.value == pytest.approx(float(row["discrete_win_rate"]), abs=1e-11)
    counts = [int(row[name]) for name in ("n_wins", "n_wins_base", "n_draws", "n_total")]
    assert [rate.wins, rate.losses, rate.ties, rate.total] == counts


def test_annotations_are_comparisons_of_a_leaderboard():
    read = [item.preference for item in read_judgments([OURS / "alpacaeval" / "annotations.json"])]
    assert read == ["A>B", "A<B", "tie", "tie", None, "A>B", "A<B", "A<B", "tie"]


@given(st.lists(st.one_of(st.none(), st.sampled_from([0, 1, 1.5, 2, 3, -1]), st.floats(1, 2)), min_size=2))
def test_win_rates_against_pandas(values):
    rate = preference_win_rate(values)
    series = pd.Series(values, dtype=float).replace({0.0: 1.5})
    series = series[(series >= 1) & (series <= 2)] - 1
    assert rate.total == len(series)
    if len(series):
        assert rate.win_rate.value == pytest.approx(series.mean())
        assert rate.win_rate.low is None or 0 <= rate.win_rate.low <= rate.win_rate.high <= 1
        assert rate.discrete_win_rate.value == pytest.approx((np.sign(series - 0.5) / 2 + 0.5).mean())
    if len(series) > 1:
        assert rate.standard_error == pytest.approx(series.sem(), abs=1e-12)


@given(sides, sides, st.sampled_from(["assay", "llmbar", "judgebench"]))
def test_rules_know_no_side(first, second, rule):
    """Exchanging A and B exchanges the verdict, and the order in which the two were asked plays no role."""
    verdict = combine_orders((first, second), rule)
    assert combine_orders((swapped(first), swapped(second)), rule) == swapped(verdict)
    assert combine_orders((second, first), rule) == verdict
    if first == second is not None:
        assert verdict == first
    for value in score_orders("A", (first, second), rule).values():
        assert 0 <= value <= 1


def test_orders_without_a_preference_are_combined(tmp_path):
    orders = [("A>B", "A>B"), ("A>B", "A<B"), ("A<B", None), ("tie", "A>B")]
    rows = [
        {"subject": f"a{at} | b{at}", "judge": "GPT-4/Vanilla", "by_order": {"AB": ab, "BA": ba}}
        for at, (ab, ba) in enumerate(orders)
    ]
    file = tmp_path / "judgments.jsonl"
    file.write_text("".join(json.dumps({"schema": "assay.judgment/2", **row}) + "\n" for row in rows))
    labels = [{"subject": f"a{at} | b{at}", "rater": "r", "preference": "A>B"} for at in range(len(orders))]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    said = list(read_labels(tmp_path / "labels.jsonl"))
    [judge] = agree(read_judgments([file]), said).judges
    assert (judge.n, judge.statuses) == (3, {"ok": 3, "unparsed": 1})
    assert judge.metrics["accuracy"].value == 1 / 3
    assert judge.metrics["positional_consistency"].value == 1 / 3
    [judge] = agree(read_judgments([file]), said, order_rule="judgebench").judges
    assert judge.metrics["accuracy"].value == 2 / 4


def test_positional_consistency_is_the_same_under_any_name():
    verdicts = read_verdicts(OURS / "judgebench")
    values = set()
    for name in ("GPT-4/Vanilla", "Vanilla@GPT-4", "x"):
        renamed = [item for item in verdicts.judgments if item.judge.startswith("plain")]
        renamed = [type(item).from_dict({**item.to_dict(), "judge": name}) for item in renamed]
        [judge] = agree(renamed, verdicts.labels).judges
        values.add(judge.metrics["positional_consistency"].value)
    assert values == {1 / 2}


def test_what_is_not_published_verdicts_is_refused(tmp_path):
    (tmp_path / "own.jsonl").write_text('{"subject": "a", "judge": "j", "scores": {"overall": 1}}\n')
    assert not holds_verdicts(tmp_path)
    assert not holds_verdicts(tmp_path / "missing.json")
    with pytest.raises(InputError, match="no verdicts of LLMBar"):
        read_verdicts(tmp_path)
    with pytest.raises(InputError, match="one benchmark at a time"):
        read_verdicts(OURS)
    broken = json.loads(
        (OURS / "judgebench" / next(OURS.joinpath("judgebench").iterdir()).name).read_text().splitlines()[0]
    )
    for change, message in (({"label": "C"}, "label is 'C'"), ({"judgments": []}, "one or two")):
        (tmp_path / "own.jsonl").write_text(json.dumps({**broken, **change}) + "\n")
        with pytest.raises(InputError, match=message):
            read_verdicts(tmp_path)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x, max_size=3)
            | st.dictionaries(
                st.sampled_from(["results", "judgments", "label", "output_1", "output_2"]), x, max_size=4
            )
        ),
    )
)
def test_any_row_is_recognised_or_not(row):
    assert benchmark_of(row) in (None, "llmbar", "judgebench", "alpacaeval")
