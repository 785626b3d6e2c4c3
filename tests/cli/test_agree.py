"""``assay agree``, ``assay agree labels``, ``assay agree stability``."""

import json

import pytest


def lines(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def judgment(subject, **rest):
    usage = {"calls": 1, "input_tokens": 90, "cached_input_tokens": 0, "output_tokens": 10, "cost_usd": None}
    row = {"schema": "assay.judgment/2", "subject": subject, "judge": "d@m", "rubric": "r", "scores": None}
    return {
        **row,
        "preference": None,
        "by_order": None,
        "choice": None,
        "status": "ok",
        "usage": usage,
        **rest,
    }


@pytest.fixture
def scores(tmp_path):
    """Three trials each on twenty reports, and a csv of two raters."""
    rows = [
        judgment(f"r{i}.md", scores={"overall": 1 + (i + (t == i % 4)) % 5}, trial=t, key=f"k{i}-{t}")
        for i in range(20)
        for t in range(3)
    ]
    table = ["report,rater,score,domain"]
    table += [f"r{i}.md,{who},{1 + i % 5},{'law' if i % 2 else 'art'}" for i in range(20) for who in "xy"]
    (tmp_path / "labels.csv").write_text("\n".join(table) + "\n")
    return lines(tmp_path / "judgments.jsonl", rows), tmp_path / "labels.csv"


def test_text_for_people(assay, scores):
    result = assay("agree", *scores, "--by", "domain")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("40 labels (scores) by 2 raters on 20 units")
    assert "columns of the labels: subject=report, rater=rater, score=score" in result.stderr
    for word in (
        "quadratic_kappa",
        "[1] d@m",
        "DOMAIN",
        "law",
        "100.0%",
        "AS A PANEL",
        "ONE BESIDE ONE",
        "PEOPLE \\ [1]",
    ):
        assert word in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 120
    assert "\x1b" not in result.stdout


def test_json_keeps_the_contract(assay, scores):
    data = json.loads(assay("agree", *scores, "--format", "json", "--by", "domain").stdout)
    assert data["schema"] == "assay.agreement/2"
    assert data["n"] == 20
    assert data["coverage"] == 1.0
    assert set(data["metrics"]["quadratic_kappa"]) >= {"value", "low", "high", "n"}
    assert set(data["by"]["domain"]) == {"law", "art"}
    assert data["judges"][0]["tokens"] == 6000


def test_the_earlier_name_of_repetitions(assay, scores):
    both = [
        assay("agree", *scores, name, "each", "--format", "json").stdout
        for name in ("--repetitions", "--trials")
    ]
    assert both[0] == both[1]
    assert json.loads(both[0])["schema"] == "assay.agreement/2"


def test_judgments_read_twice_count_once(assay, scores):
    judgments, labels = scores
    data = json.loads(assay("agree", judgments, judgments, labels, "--format", "json").stdout)
    assert data["judges"][0]["repetitions"] == 3


def test_calibration_and_labels_needed_are_shown(assay, scores):
    out = assay("agree", *scores, "--calibrate", "isotonic", "--half-width", "0.05").stdout
    assert "Calibrated (isotonic)" in out
    assert "95 % intervals of ±0.05" in out


def test_stability(assay, scores):
    judgments, labels = scores
    out = assay("agree", "stability", judgments, "--labels", labels).stdout
    assert "SCORES (overall)" in out
    assert "Noise floor of d@m" in out
    assert "front" in out
    data = json.loads(assay("agree", "stability", judgments, "--format", "json").stdout)
    assert data["schema"] == "assay.stability/2"
    assert data["judges"][0]["repetitions"] == [3, 3]


def test_from_a_foreign_file_to_agreement(assay, tmp_path):
    rows = [
        {
            "id": at,
            "prompt": f"Question {at}?",
            "chosen": "# Good\n\nWell said. Because.\n",
            "rejected": "bad",
        }
        for at in range(4)
    ]
    path = lines(tmp_path / "pairs.jsonl", rows)
    made = assay("agree", "labels", "convert", path, "-o", "labels.jsonl", "--subjects", "subjects.jsonl")
    assert made.exit_code == 0, made.stderr
    assert "4 preferences by 1 rater (rewardbench)" in made.stderr
    assert (
        assay("judge", "subjects.jsonl", "--judge", "length", "--format", "json", "-o", "j.jsonl").exit_code
        == 0
    )
    data = json.loads(assay("agree", "j.jsonl", "labels.jsonl", "--format", "json").stdout)
    # The chosen text is the longer one.
    assert data["metrics"]["agreement_accuracy"]["value"] == 1.0
    assert data["judges"][0]["pointwise"]


def test_formats_are_listed(assay):
    assert "llmbar" in assay("agree", "labels", "list").stdout
    assert {
        row["name"] for row in json.loads(assay("agree", "labels", "list", "--format", "json").stdout)
    } >= {
        "own",
        "table",
    }


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["judgments.jsonl"], "name the judgments, then the labels"),
        (["judgments.jsonl", "nowhere.csv"], "nowhere.csv: cannot be read"),
        (["judgments.jsonl", "other.csv"], "no judgment is of a labelled subject"),
        (["judgments.jsonl", "labels.csv", "--by", "domian"], "did you mean 'domain'"),
        (["judgments.jsonl", "labels.csv", "--rescale", "x"], "1:5=0:7"),
        (["judgments.jsonl", "labels.csv", "--dimension", "x"], "insight=warrants_causality"),
        (["judgments.jsonl", "labels.csv", "-o", "labels.csv"], "one of the files to read"),
        (["labels.csv", "labels.csv"], "labels.csv:2: is not a judgment"),
        (["cut.jsonl", "labels.csv"], "cut.jsonl:1: broken JSON"),
        (["odd.jsonl", "labels.csv"], "odd.jsonl:1: is not a judgment"),
        (["judgments.jsonl", "labels.csv", "--half-width", "0"], "half-width"),
    ],
)
def test_mistakes_end_with_2_and_one_line(assay, scores, tmp_path, args, told):
    (tmp_path / "other.csv").write_text("report,score\nelse.md,3\n")
    (tmp_path / "cut.jsonl").write_text('{"schema": "assay.jud')
    (tmp_path / "odd.jsonl").write_text('{"schema": "assay.judgment/2", "subject": 7, "judge": "x"}\n')
    result = assay("agree", *args)
    assert result.exit_code == 2
    assert told in result.stderr.splitlines()[-1]


def test_stability_without_repeats_says_how_to_get_them(assay, tmp_path):
    path = lines(tmp_path / "j.jsonl", [judgment("a", scores={"overall": 3})])
    result = assay("agree", "stability", path)
    assert result.exit_code == 2
    assert "--repetitions 3" in result.stderr


def test_labels_without_texts_write_no_subjects(assay, scores):
    result = assay("agree", "labels", "convert", scores[1], "--subjects", "s.jsonl")
    assert result.exit_code == 2
    assert "without the texts" in result.stderr


def test_real_reports_and_scores_of_others(assay, shared, tmp_path):
    folder = shared / "deepresearch_bench"
    rows = [
        json.loads(line)
        for line in (folder / "reports" / "claude-3-7-sonnet.jsonl").read_text("utf-8").splitlines()
    ]
    lines(tmp_path / "reports.jsonl", [row for row in rows if row["id"] % 3 and row["id"] % 10 == 1])
    assay(
        "judge", "reports.jsonl", "--judge", "brief@scripted/random", "--format", "json", "-o", "judged.jsonl"
    )
    options = ("--subjects", "reports.jsonl", "--field", "scores=insight,overall_score", "--by", "language")
    more = ("--dimension", "insight=warrants_causality", "--rater", "race", "--format", "json")
    data = json.loads(assay("agree", "judged.jsonl", folder / "race_scores.jsonl", *options, *more).stdout)
    assert data["n"] == 7
    assert set(data["by"]) == {"dimension", "language"}
    assert set(data["metrics"]) == {"pearson", "spearman", "kendall"}


def test_tables_for_papers_and_spreadsheets(assay, scores):
    markdown, latex, csv = (
        assay("agree", *scores, "-f", form).stdout for form in ("markdown", "latex", "csv")
    )
    assert "| Metric | d@m |" in markdown
    assert "| quadratic kappa | " in markdown
    assert r"\begin{tabular}{lr}" in latex
    heads, *rows = csv.splitlines()
    assert heads == "table,judge,name,value,low,high,n,clusters,ties"
    assert any(row.startswith("metrics,d@m,quadratic_kappa,") for row in rows)


def test_charts_have_what_judges_and_people_say(assay, examples, tmp_path) -> None:
    files = ("agree", examples / "judgments.jsonl", examples / "labels.csv")
    done = assay(*files, "--format", "svg", "-o", tmp_path / "a.svg")
    assert done.exit_code == 0
    chart = (tmp_path / "a-agreement.svg").read_text("utf-8")
    assert "agreement accuracy" in chart
    assert "83.3 %" in chart
    assert "% of the row" in (tmp_path / "a-confusion-1.svg").read_text("utf-8")
    assert assay(*files, "--format", "svg").exit_code == 2


def test_a_chart_of_calibration_has_both_accuracies(assay, tmp_path) -> None:
    judgments, labels = tmp_path / "j.jsonl", tmp_path / "l.csv"
    rows = [
        {"schema": "assay.judgment/1", "subject": f"r{n}", "judge": "j", "mode": "score", "scores": {"overall": n % 5 + 1}}
        for n in range(40)
    ]  # fmt: skip
    judgments.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    labels.write_text(
        "subject,rater,score\n" + "\n".join(f"r{n},anna,{min(5, n % 5 + 2)}" for n in range(40)), "utf-8"
    )
    done = assay(
        "agree", judgments, labels, "--calibrate", "linear", "--format", "svg", "-o", tmp_path / "c.svg"
    )
    assert done.exit_code == 0, done.stderr
    assert "Out of sample with a map of the scores" in (tmp_path / "c-calibration.svg").read_text("utf-8")
