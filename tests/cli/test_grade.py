"""``assay grade``: what is shown, what is written, what is refused, batches, and reports that do not fit."""

from __future__ import annotations

import json
import re

import jsonschema
import msgspec
import pytest

from assay.judges.judgment import Judgment

TEXT = "# Heat\n\nThe pump pays back in nine years.\n\nOld houses were not studied.\n"
CRITERIA = [
    {"key": "payback", "criterion": "States the payback time", "weight": 5, "axis": "Explicit Criteria"},
    {"key": "limits", "criterion": "Names limits", "weight": 3, "axis": "Implicit Criteria"},
    {"key": "verse", "criterion": "Is written in verse", "weight": -4, "axis": "Implicit Criteria"},
]


def said(verdict: str, **more: object) -> dict[str, object]:
    usual = {"reasoning": "It is there.", "quotes": [], "missing": [], "score": verdict, "confidence": 0.5}
    return {**usual, **more}


USUAL = {
    "payback": said("met", quotes=["The pump pays back in nine years."]),
    "limits": said(
        "partially met", quotes=["Old houses were not studied", "so I was told"], missing=["which houses"]
    ),
    "verse": said("not met"),
}


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "heat.md"
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def rubric(tmp_path):
    path = tmp_path / "pump.json"
    path.write_text(json.dumps(CRITERIA), "utf-8")
    return path


@pytest.fixture
def model(tmp_path):
    """A model that says of each criterion what it is told; gives its id."""

    def make(verdicts=USUAL, *lines):
        rows = [*lines]
        rows += [
            {"when": f"Criterion: {item['criterion']}", "text": json.dumps(verdicts[item["key"]])}
            for item in CRITERIA
            if item["key"] in verdicts
        ]
        rows.append({"when": '"scores"', "text": json.dumps({"scores": verdicts})})
        (tmp_path / "replies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return "scripted/replies.jsonl"

    return make


def test_a_report_in_full(assay, report, rubric, model):
    result = assay("grade", report, "--rubric", rubric, "--judge", model())
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[1] == "grader@scripted/replies.jsonl · pump · ternary"
    assert "  Explicit Criteria" in lines
    assert "  ✔   +5 * States the payback time" in lines
    assert "  ◐   +3   Names limits" in lines
    assert "  ✘   -4 * Is written in verse" in lines
    at = lines.index("  ◐ Names limits")
    assert lines[at + 1 : at + 6] == [
        "    partially met, sure by 0.50 · weight +3",
        "    It is there.",
        "       line 5  “Old houses were not studied”",
        "     invented  “so I was told”",
        "    missing: which houses",
    ]
    # What is unwanted and not met, and what is met, needs no explanation.
    assert result.stdout.count("It is there.") == 1
    assert "  compliance  81.2 %" in lines
    assert "  binary      62.5 % (partially met counts as not met)" in lines
    assert "  mandatory   2 of 2 satisfied" in lines
    assert "  verdicts    3 of 3 criteria" in lines
    assert result.stderr.startswith("3 calls, ")
    assert "assay log show grade-" in result.stderr


def test_json_is_the_record(assay, report, rubric, model):
    one, many = (
        assay(
            "grade", report, "--rubric", rubric, "--judge", model(), "--per-call", count, "--format", "json",
            "--domain", "Energy",
        )
        for count in (1, 0)
    )  # fmt: skip
    data = json.loads(one.stdout)
    jsonschema.validate(data, msgspec.json.schema(Judgment))
    assert (data["schema"], data["metadata"]["domain"], data["scores"]["overall"]) == (
        "assay.judgment/2",
        "Energy",
        0.8125,
    )
    assert data["verdicts"][0]["quotes"] == [
        {"text": "The pump pays back in nine years.", "start": 8, "end": 41}
    ]
    again = json.loads(many.stdout)
    assert (again["usage"]["calls"], data["usage"]["calls"]) == (1, 3)
    assert again["verdicts"] == data["verdicts"]


def test_a_missing_verdict_is_seen_and_counted(assay, report, rubric, model):
    verdicts = {**USUAL, "limits": {"score": "perhaps"}}
    result = assay("grade", report, "--rubric", rubric, "--judge", model(verdicts))
    assert result.exit_code == 0
    assert "  ?   +3   Names limits" in result.stdout
    assert "    no verdict (unparsed) · weight +3" in result.stdout
    assert "  compliance       none: not all criteria have a verdict" in result.stdout
    # Of the eight that could be had, the five that were graded are all met.
    assert "  of those graded  100.0 %" in result.stdout
    assert "  verdicts         2 of 3 criteria" in result.stdout


def test_binary(assay, report, rubric, model):
    verdicts = {**USUAL, "limits": said("not met")}
    result = assay("grade", report, "--rubric", rubric, "--judge", model(verdicts), "--grading", "binary")
    assert "  compliance  62.5 %" in result.stdout
    assert "partially" not in result.stdout


def test_several_reports_are_summed_up(assay, report, rubric, model, tmp_path):
    (tmp_path / "b.md").write_text("# Cold\n\nFridges hum.\n", "utf-8")
    result = assay("grade", report, tmp_path / "b.md", "--rubric", rubric, "--judge", model())
    assert result.exit_code == 0
    first, *rest = result.stdout.splitlines()
    assert first.split() == ["report", "compliance", "binary", "mandatory", "verdicts", "words"]
    assert rest[0].split()[-7:-1] == ["81.2", "%", "62.5", "%", "2/2", "3/3"]
    assert rest[-1].startswith("mean of 2 of 2")


def test_a_set_of_tasks_gives_each_report_its_own(assay, report, model, tmp_path):
    rows = [
        {"sample_id": "heat", "prompt": "Pumps?", "domain": "Energy", "conceptual_breadth": "Simple",
         "logical_nesting": "Shallow", "exploration": "Low",
         "rubrics": [{"criterion": "States the payback time", "weight": 5, "axis": "Explicit Criteria"}]},
        {"sample_id": "cold", "prompt": "Fridges?", "domain": "Homes", "conceptual_breadth": "Simple",
         "logical_nesting": "Shallow", "exploration": "Low",
         "rubrics": [{"criterion": "Names limits", "weight": 3, "axis": "Implicit Criteria"}]},
    ]  # fmt: skip
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    result = assay("grade", report, "--rubric", tasks, "--judge", model(), "--format", "json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert (data["metadata"]["id"], data["metadata"]["domain"], data["scores"]["overall"]) == (
        "heat",
        "Energy",
        1.0,
    )
    assert data["metadata"]["complexity"]["conceptual_breadth"].lower() == "simple"
    assert [item["text"] for item in data["verdicts"]] == ["States the payback time"]


def test_one_that_does_not_fit_is_read_in_parts_and_that_is_said(assay, rubric, model, tmp_path):
    long = tmp_path / "long.md"
    long.write_text(TEXT + "\n\n".join("Tea was cheap that year. " * 30 for _ in range(20)), "utf-8")
    found = {
        "found": [{"criterion": "payback", "quotes": ["The pump pays back in nine years."], "note": "when"}]
    }
    name = model(USUAL, {"when": "The pump pays back in nine years.\n\nOld", "text": json.dumps(found)},
                 {"when": '"found"', "text": '{"found": []}'})  # fmt: skip
    (tmp_path / "assay.toml").write_text(f'[models."{name}"]\ncontext = 2500\nmax-tokens = 400\n', "utf-8")
    result = assay("grade", long, "--rubric", rubric, "--judge", name)
    assert result.exit_code == 0, result.stderr
    assert f"{long} does not fit {name} (2,500 tokens): it is read part by part" in result.stderr
    assert "  ✔   +5 * States the payback time" in result.stdout
    short = tmp_path / "heat.md"
    short.write_text(TEXT, "utf-8")
    result = assay("grade", short, "--rubric", rubric, "--judge", name)
    assert "part by part" not in result.stderr
    result = assay("grade", short, "--rubric", rubric, "--judge", name, "--chunks")
    assert result.exit_code == 0
    assert result.stderr.startswith("4 calls, ")


def test_batch_files_bring_the_same_grade(assay, report, rubric, model, tmp_path):
    ledger = tmp_path / "batch.sqlite"
    requests = tmp_path / "requests.jsonl"
    command = ("grade", report, "--rubric", rubric, "--judge", "openai/gpt-5-mini", "--ledger", ledger)
    result = assay(*command, "--requests", requests)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert "wrote 3 requests to" in result.stderr
    replies = tmp_path / "replies-batch.jsonl"
    rows = []
    for line in requests.read_text("utf-8").splitlines():
        request = json.loads(line)
        text = request["body"]["messages"][-1]["content"]
        text = text if isinstance(text, str) else "".join(part["text"] for part in text)
        key = next(item["key"] for item in CRITERIA if f"Criterion: {item['criterion']}" in text)
        body = {
            "id": "x", "object": "chat.completion", "created": 1, "model": "gpt-5-mini",
            "choices": [{"index": 0, "finish_reason": "stop",
                         "message": {"role": "assistant", "content": json.dumps(USUAL[key])}}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }  # fmt: skip
        rows.append({"id": "r", "custom_id": request["custom_id"], "response": {"status_code": 200, "request_id": "q", "body": body}, "error": None})  # fmt: skip
    replies.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    result = assay(*command, "--responses", replies)
    assert result.exit_code == 0, result.stderr
    assert "3 replies read" in result.stderr
    assert "  compliance  81.2 %" in result.stdout
    result = assay(*command, "--requests", tmp_path / "none.jsonl", "--ledger", "none")
    assert result.exit_code == 2
    assert "batch files need a ledger" in result.stderr


def test_trials_are_put_to_the_vote(assay, report, rubric, model):
    result = assay(
        "grade", report, "--rubric", rubric, "--judge", model(), "--repetitions", 3, "--format", "json"
    )
    data = json.loads(result.stdout)
    assert (data["usage"]["calls"], data["scores"]["overall"]) == (9, 0.8125)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--judge", "rules", "--rubric", "pump.json"), "judge 'rules' uses no model and cannot judge by criteria"),
        (("--judge", "scripted/random"), "name the criteria with --rubric"),
        (("--judge", "scripted/random", "--rubric", "reportlogic"), "use `assay judge` for others"),
        (("--judge", "scripted/random", "--rubric", "pump.json", "--granularity", "fine"), "use --chunks to read it part"),
        (("--judge", "grade@scripted/random", "--rubric", "pump.json"), "did you mean 'grader'?"),
        (("--rubric", "pump.json"), "Missing option '--judge'"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("rubric")
def test_what_is_refused(assay, report, more, message):
    result = assay("grade", report, *more)
    assert result.exit_code == 2
    assert message in re.sub(r"\s+", " ", result.stderr)


def test_a_trajectory_is_no_report(assay, rubric, tmp_path):
    run = tmp_path / "run.json"
    run.write_text(json.dumps({"schema": "assay.trajectory/1", "query": "?", "tools": None, "steps": [{"index": 0, "reasoning": "Hm.", "tool_calls": []}], "answer": "A."}), "utf-8")  # fmt: skip
    result = assay("grade", run, "--rubric", rubric, "--judge", "scripted/random")
    assert result.exit_code == 2
    assert "is a trajectory, and only reports can be graded" in result.stderr


def test_no_verdict_at_all_is_3(assay, report, rubric, model):
    nothing = {item["key"]: {"score": "perhaps"} for item in CRITERIA}
    result = assay("grade", report, "--rubric", rubric, "--judge", model(nothing))
    assert result.exit_code == 3
    assert "no verdict" in result.stderr


def test_domain_is_for_tasks_that_name_none(assay, report, rubric, model, tmp_path):
    tasks = tmp_path / "tasks.jsonl"
    row = {
        "id": "heat",
        "query": "Pumps?",
        "domain": "Energy",
        "rubric": [{"criterion": "Names limits", "weight": 3}],
    }
    tasks.write_text(json.dumps(row) + "\n", "utf-8")
    for criteria, domain in ((tasks, "Energy"), (rubric, "Homes")):
        result = assay(
            "grade", report, "--rubric", criteria, "--judge", model(), "--domain", "Homes", "-f", "json"
        )
        assert result.exit_code == 0, result.stderr
        assert json.loads(result.stdout)["metadata"]["domain"] == domain


def test_a_summary_shows_mandatory_criteria_without_a_verdict(assay, report, rubric, model, tmp_path):
    (tmp_path / "b.md").write_text("# Cold\n\nFridges hum.\n", "utf-8")
    verdicts = {**USUAL, "verse": {"score": "perhaps"}}
    result = assay("grade", report, tmp_path / "b.md", "--rubric", rubric, "--judge", model(verdicts))
    lines = result.stdout.splitlines()
    assert "1/2, 1 ?" in lines[1]
    assert "2/3" in lines[1]
    assert lines[-1].startswith("2 without a score")
    # The head and all rows end in the same column.
    assert {len(line) for line in lines[:3]} == {len(lines[0])}


def test_a_summary_is_as_wide_as_the_terminal():
    from assay.present.display import Painter
    from assay.present.grades import summary_text

    grades = [Judgment("folder/" * 20 + f"{name}.md", "j", metadata={"words": 12_345}) for name in "ab"]
    for columns in (80, 100):
        text = summary_text(grades, painter=Painter(False), columns=columns)
        assert max(map(len, text.splitlines()[:3])) <= columns


@pytest.mark.parametrize(
    ("criteria", "count"),
    [
        ([{"point": "States the payback time", "weight": 5}, {"point": "Names limits", "weight": 3}], 2),
        ([{"sample_id": "heat", "prompt": "Pumps?", "rubrics": [{"criterion": "Names limits", "weight": 3}]}], 1),
    ],
    ids=["points", "tasks"],
)  # fmt: skip
def test_whole_files_of_other_tools_are_rubrics(assay, report, model, criteria, count):
    path = report.with_name("theirs.json")
    path.write_text(json.dumps(criteria), "utf-8")
    result = assay("grade", report, "--rubric", path, "--judge", model(), "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert len(json.loads(result.stdout)["verdicts"]) == count


@pytest.mark.parametrize("option", ["-o", "--requests"])
def test_no_input_is_written_over(assay, report, rubric, tmp_path, option):
    question = tmp_path / "question.txt"
    question.write_text("Do pumps pay?", "utf-8")
    for path in (rubric, report, question):
        before = path.read_bytes()
        result = assay(
            "grade", report, "--rubric", rubric, "--query", f"@{question}", "--judge", "openai/m",
            "--ledger", tmp_path / "l.sqlite", option, path,
        )  # fmt: skip
        assert result.exit_code == 2
        assert f"{option} {path} is" in result.stderr
        assert path.read_bytes() == before


def test_a_fault_that_is_there_is_told_as_one(assay, tmp_path):
    (tmp_path / "report.md").write_text("# Pumps\n\nPumps are quiet in winter.\n", "utf-8")
    (tmp_path / "c.yaml").write_text(
        "- {criterion: Names a pump, weight: 3}\n- {criterion: Invents a law, weight: -2}\n", "utf-8"
    )
    words = ("grade", str(tmp_path / "report.md"), "--judge", "scripted/random", "--ledger", "none", "-q")
    text = assay(*words, "--rubric", str(tmp_path / "c.yaml")).stdout
    assert (
        'negative weight: the criterion describes a fault, so "met" means that the fault is present' in text
    )
    assert "mandatory;" not in text
