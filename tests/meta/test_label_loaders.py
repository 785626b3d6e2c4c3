"""Labels from the formats people have."""

import csv
import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, InputError, UsageError
from assay.meta.labels.export import label_lines, renamed, subject_lines
from assay.meta.labels.label_set import all_label_loaders, read_labels
from assay.meta.labels.loaders.table import guess
from assay.meta.labels.record import preference_of, read_label, verdict_of


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def table(path, *rows):
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)
    return path


def test_own_labels_with_strata(tmp_path):
    row = {
        "schema": "assay.label/1",
        "subject": "a.md",
        "rater": "x",
        "scores": {"depth": 3, "style": 4.5},
        "task": 7,
        "domain": "law",
        "year": 2024,
    }
    found = read_labels([lines(tmp_path / "l.jsonl", row)])
    label = found[0]
    assert (label.subject, label.rater, label.task) == ("a.md", "x", "7")
    assert label.scores == {"depth": 3.0, "style": 4.5}
    assert label.strata == {"domain": "law", "year": "2024"}
    assert found.formats == ("own",)
    assert read_label(label.to_dict(), "x") == label


@pytest.mark.parametrize(
    ("said", "better"),
    [("A>B", "A>B"), ("B>A", "A<B"), (" a > b ", "A>B"), ("B", "A<B"), ("[[A>>B]]", "A>B"), ("C", "tie"),
     ("both_bad", "both_bad"), ("tie (bothbad)", "both_bad"), ("model_b", "A<B"), ("A=B", "tie")],
)  # fmt: skip
def test_preferences_in_the_usual_spellings(said, better):
    assert preference_of(said, "x") == better


@pytest.mark.parametrize("value", ["", "A>C", "maybe", 1, None, [], {"a": 1}, "A" * 500])
def test_what_is_no_preference_is_refused(value):
    with pytest.raises(InputError, match="not a preference"):
        preference_of(value, "f:3")


@pytest.mark.parametrize(
    ("said", "word"),
    [
        (True, "met"),
        (0, "not met"),
        ("Yes", "met"),
        ("not_met", "not met"),
        ("Partially  Met", "partially met"),
    ],
)
def test_verdicts_in_one_spelling(said, word):
    assert verdict_of(said, "x") == word


def test_llmbar(tmp_path):
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps([{"input": "Count.", "output_1": "1 2 3", "output_2": "no", "label": 1}]))
    found = read_labels([path])
    assert found.formats == ("llmbar",)
    assert found[0].preference == "A>B"
    assert [text.report for text in found.texts] == ["1 2 3", "no"]
    assert {text.query for text in found.texts} == {"Count."}


def test_judgebench_pairs_of_a_question_are_one_task(tmp_path):
    row = {"question": "Q", "response_A": "x", "response_B": "y", "label": "B>A", "source": "mmlu-pro-law"}
    path = lines(tmp_path / "j.jsonl", *({**row, "pair_id": name, "original_id": "o"} for name in "pq"))
    found = read_labels([path])
    assert [label.preference for label in found] == ["A<B", "A<B"]
    assert {label.task for label in found} == {"o"}
    assert found[0].strata == {"source": "mmlu-pro-law", "domain": "mmlu-pro"}


def test_the_chosen_answer_is_not_always_a(tmp_path):
    rows = [{"id": at, "prompt": "q", "chosen": f"good {at}", "rejected": f"bad {at}"} for at in range(60)]
    found = read_labels([lines(tmp_path / "r.jsonl", *rows)])
    first = sum(label.preference == "A>B" for label in found)
    assert 15 < first < 45
    texts = {text.name: text.report for text in found.texts}
    for label in found:
        a, b = label.subject.split(" | ")
        assert texts[a if label.preference == "A>B" else b].startswith("good")


def test_dialogues_and_several_rejected_answers(tmp_path):
    turn = {"role": "user", "content": "Hi?"}
    dialogue = {
        "chosen": [turn, {"role": "assistant", "content": "yes"}],
        "rejected": [turn, {"role": "assistant", "content": "no"}],
    }
    several = {"id": "z", "prompt": "q", "chosen": ["good"], "rejected": ["bad", "worse", "worst"]}
    found = read_labels([lines(tmp_path / "r.jsonl", dialogue, several)])
    assert {text.report for text in found.texts[:2]} == {"yes", "no"}
    assert found.texts[0].query == "Hi?"
    assert len(found) == 4
    assert [label.task for label in found[1:]] == ["z"] * 3


def test_healthbench_gives_a_label_a_physician(tmp_path):
    row = {
        "prompt_id": "p",
        "completion_id": "c",
        "prompt": [{"role": "user", "content": "I cough."}],
        "completion": "See a doctor.",
        "rubric": "Advises care.",
        "category": "hedging",
        "binary_labels": [True, False],
        "anonymized_physician_ids": ["d1", "d2"],
    }
    found = read_labels([lines(tmp_path / "h.jsonl", row, {**row, "rubric": "Is kind."})])
    assert [(label.rater, label.verdict) for label in found[:2]] == [("d1", "met"), ("d2", "not met")]
    assert found[0].criterion == "Advises care."
    assert len(found.texts) == 1


def test_proof_grades(tmp_path):
    imo = table(
        tmp_path / "imo.csv",
        ["Grading ID", "Problem ID", "Problem", "Solution", "Response", "Points", "Reward"],
        ["GB-1", "PB-1", "Prove, that", "reference", 'My "proof"\nin lines', "7", "Correct"],
    )
    found = read_labels([imo])
    assert found[0].score == 7
    assert found.texts[0].report == 'My "proof"\nin lines'
    putnam = {
        "problem_id": "A1",
        "problem": "Show",
        "solution": "text",
        "components": {"setup": 1},
        "total": 1,
    }
    found = read_labels([lines(tmp_path / "p.jsonl", putnam)])
    assert found[0].scores == {"setup": 1.0, "overall": 1.0}


def test_columns_of_a_table_are_guessed_and_said(tmp_path):
    path = table(
        tmp_path / "t.csv",
        ["Report", "Annotator", "Rating", "Domain", "Comment"],
        ["a.md", "x", "4", "law", "nice"],
        ["a.md", "y", "", "law", ""],
    )
    found = read_labels([path])
    assert found.columns == {"subject": "Report", "rater": "Annotator", "score": "Rating"}
    assert found[0].strata == {"Domain": "law"}
    assert found.empty == 1


def test_columns_in_chinese(tmp_path):
    found = read_labels(
        [table(tmp_path / "t.csv", ["报告", "评分员", "评分", "领域"], ["甲.md", "张", "4", "金融"])]
    )
    label = found[0]
    assert (label.subject, label.rater, label.score, label.strata) == ("甲.md", "张", 4.0, {"领域": "金融"})


def test_a_winner_given_by_name(tmp_path):
    path = table(
        tmp_path / "t.csv",
        ["task", "model_a", "model_b", "winner"],
        ["7", "x", "y", "y"],
        ["8", "x", "y", "tie"],
        ["9", "x", "y", "model_a"],
    )
    found = read_labels([path])
    assert [label.preference for label in found] == ["A<B", "tie", "A>B"]
    assert found[0].subject == "7:x | 7:y"


def test_scores_by_dimension_in_rows_and_in_columns(tmp_path):
    long = table(tmp_path / "a.csv", ["report", "rater", "dimension", "score"], ["a", "x", "depth", "3"])
    assert read_labels([long])[0].scores == {"depth": 3.0}
    wide = table(tmp_path / "b.csv", ["report", "rater", "task_alignment", "overall"], ["a", "x", "3", "4"])
    told = read_labels([wide], scores="task_alignment,overall")
    assert told[0].scores == {"task_alignment": 3.0, "overall": 4.0}


def test_semicolons_and_tabs_and_gzip(tmp_path):
    (tmp_path / "a.csv").write_text("report;score\na;3\n")
    (tmp_path / "b.tsv").write_text("report\tscore\nb\t4\n")
    with gzip.open(tmp_path / "c.jsonl.gz", "wt") as stream:
        stream.write(json.dumps({"subject": "c", "rater": "x", "score": 5}))
    found = read_labels([tmp_path / name for name in ("a.csv", "b.tsv", "c.jsonl.gz")])
    assert [(label.subject, label.score) for label in found] == [("a", 3), ("b", 4), ("c", 5)]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.jsonl", '{"subject": "a", "rater": "r", "score": "x"}\n', r"a\.jsonl:1: score is 'x'"),
        ("a.jsonl", '{"subject": "a", "rater": "r", "score": 1}\n{"cut', r"a\.jsonl:2: broken JSON"),
        ("a.jsonl", '{"subject": "a", "rater": "r", "score": 1, "verdict": "met"}\n', "score and verdict"),
        ("a.jsonl", '{"subject": "a", "rater": "r", "prefrence": "A>B"}\n', "did you mean 'preference'"),
        ("a.jsonl", '{"schema": "assay.label/1", "subject": "a", "score": 1}\n[1]\n', r"a\.jsonl:2: is"),
        ("a.jsonl", "", "it is empty"),
        ("a.jsonl", '{"subject": "a", "rater": "r", "score": 1e400}\n', "must be a number"),
        ("a.csv", "report,score\na,3\nb,vier\n", r"a\.csv:3: score is 'vier'"),
        ("a.csv", "report,score,score\na,3,4\n", "two columns are called 'score'"),
        ("a.csv", "report,score\na,3,x,y\n", r"a\.csv:2: has 4 cells in 2 columns"),
        ("a.txt", "x", r"\.csv"),
        ("a.json", "7", "a label must be an object"),
        ("a.json", '[{"input": "q", "output_1": "a", "output_2": "b", "label": 3}]', "must be 1 or 2"),
        ("a.jsonl.gz", "not gzip", "gzip"),
    ],
)
def test_rubbish_is_named_with_its_line(tmp_path, name, text, told):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError, match=told):
        read_labels([tmp_path / name])


def test_unknown_formats_and_fields_get_the_nearest(tmp_path):
    path = table(tmp_path / "t.csv", ["report", "score"], ["a", "3"])
    with pytest.raises(UsageError, match="did you mean 'llmbar'"):
        read_labels([path], format="llmbr")
    with pytest.raises(UsageError, match="did you mean 'score'"):
        read_labels([path], scor="score")
    with pytest.raises(UsageError, match="there is no column 'scores'; did you mean 'score'"):
        read_labels([path], score="scores")


def test_written_texts_and_labels_find_each_other(tmp_path):
    rows = [{"id": at, "prompt": "q", "chosen": f"good {at}", "rejected": f"bad {at}"} for at in range(3)]
    found = read_labels([lines(tmp_path / "r.jsonl", *rows)])
    made = renamed(found, found.texts, "out/subjects.jsonl")
    assert made[1].subject == "subjects.jsonl:3 | subjects.jsonl:4"
    subjects = [json.loads(line) for line in subject_lines(found.texts)]
    for label in made:
        sides = [int(side.rpartition(":")[2]) - 1 for side in label.subject.split(" | ")]
        best = subjects[sides[0 if label.preference == "A>B" else 1]]
        assert best["report"].startswith("good")
    (tmp_path / "l.jsonl").write_text("".join(label_lines(made)), "utf-8")
    assert read_labels([tmp_path / "l.jsonl"]) == type(found)(made)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
_KEYS = st.sampled_from(
    ["subject", "rater", "score", "scores", "preference", "verdict", "chosen", "rejected", "prompt", "output_1",
     "output_2", "input", "label", "response_A", "response_B", "binary_labels", "completion", "Problem ID", "Points",
     "Response", "components", "a", "b", "winner", "criterion", "task", "schema", "anonymized_physician_ids"]
)  # fmt: skip


@given(st.lists(st.dictionaries(_KEYS, _JSON, max_size=6), min_size=1, max_size=3))
def test_any_rows_are_read_or_refused(rows):
    from assay.meta.labels.loaders.base import RowContext

    for row in rows:
        for loader in all_label_loaders():
            loader.sniff(row)
            try:
                names = loader.columns([row], {}) if loader.columns else {}
                loader.load(row, RowContext("f:1", "row-1", "human", names))
            except AssayError:
                continue
            except KeyError:
                assert not loader.sniff(row)


@given(st.lists(st.text(max_size=10), max_size=6))
def test_any_columns_are_guessed_without_contradiction(columns):
    found = guess([dict.fromkeys(columns, "x")], {})
    assert set(found.values()) <= set(columns) | {found.get("scores", "")}
    assert ("a" in found) == ("b" in found)


def test_a_sheet_of_pairs_has_a_preference_in_each_dimension(tmp_path):
    found = read_labels([
        table(
            tmp_path / "sheet.csv",
            ["a", "b", "rater", "task_alignment", "internal_consistency", "winner", "note"],
            ["x.md", "y.md", "kim", "A>B", "", "x.md", "a long remark"],
            ["x.md", "z.md", "kim", "tie", "both_bad", "B", ""],
        )
    ])  # fmt: skip
    assert [(label.subject, label.criterion, label.preference) for label in found] == [
        ("x.md | y.md", "task_alignment", "A>B"),
        ("x.md | y.md", None, "A>B"),
        ("x.md | z.md", "task_alignment", "tie"),
        ("x.md | z.md", "internal_consistency", "both_bad"),
        ("x.md | z.md", None, "A<B"),
    ]
    assert {label.rater for label in found} == {"kim"}
