"""Scorers in real evaluations of Inspect AI, with its own mock model and its own logs."""

import gc
import math
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai import Task, eval  # noqa: A004
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import generate, solver
from inspect_ai.tool import ToolCall

import assay
from assay.errors import UsageError
from assay.integrations.inspect import audited, judged

FLAWED = "Heat pumps save money. Cells make up 58% of the cost, labour 31% and permits 23%.\n\nSo everybody should buy one."
SOUND = "Cells make up 58% of the cost, labour 31% and permits 11%."

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def streams_that_inspect_leaves_open():
    """What Inspect leaves to the collector is collected here, and not in a test of somebody else."""
    yield
    gc.collect()


def output(text):
    made = ModelOutput.from_content("mockllm/model", text)
    # Without it the mock counts tokens with a table from the network.
    made.usage = ModelUsage(input_tokens=10, output_tokens=10, total_tokens=20)
    return made


def answering(*texts):
    return get_model("mockllm/model", custom_outputs=[output(text) for text in texts])


def run(tmp_path, task, model, **settings):
    logs = eval(task, model=model, log_dir=str(tmp_path), display="none", max_samples=1, **settings)
    assert logs[0].status == "success", logs[0].error
    return logs[0]


def samples(count):
    return [
        Sample(id=f"s{number}", input="What do heat pumps cost?", target="58, 31, 11")
        for number in range(count)
    ]


def test_an_audit_counts_and_tells_its_findings(tmp_path):
    log = run(tmp_path, Task(samples(2), solver=generate(), scorer=audited()), answering(FLAWED, SOUND))
    flawed, sound = (sample.scores["audited"] for sample in log.samples)
    alone = assay.audit(assay.Report(FLAWED, query="What do heat pumps cost?"))
    assert flawed.value["errors"] == len(alone.findings) - flawed.value["warnings"] - sum(
        item.severity == "info" for item in alone.findings
    )
    assert "NUM" in flawed.explanation
    assert flawed.metadata["findings"][0]["line"] == 1
    assert sound.value["errors"] == 0
    metrics = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert metrics["errors"] == flawed.value["errors"] / 2 > 0


def test_a_judge_asks_the_grader_of_the_evaluation_and_its_calls_are_in_the_log(tmp_path):
    rubric = assay.Rubric.of({"States every share of the cost.": 1})
    path = tmp_path / "rubric.yaml"
    rubric.save(path)
    grader = answering('{"score": "met"}')
    task = Task(samples(1), solver=generate(), scorer=judged("direct", rubric=str(path)))
    log = run(tmp_path / "logs", task, answering(SOUND), model_roles={"grader": grader})
    score = log.samples[0].scores["judged"]
    asked = [event for event in log.samples[0].events if event.event == "model"]
    assert len(asked) == 2
    assert any(SOUND in text for text in log.samples[0].attachments.values())
    assert score.value == 1
    assert "met" in score.explanation
    assert [row["score"] for row in score.metadata["criteria"]] == [1]


def test_a_sample_without_a_verdict_is_unscored_and_says_why(tmp_path):
    task = Task(samples(1), solver=generate(), scorer=judged("direct"))
    log = run(
        tmp_path, task, answering(SOUND), model_roles={"grader": answering(*["I would rather not."] * 30)}
    )
    score = log.samples[0].scores["judged"]
    assert math.isnan(score.value)
    assert score.metadata["status"] != "ok"
    assert score.explanation


def test_rules_judge_without_a_model_and_no_output_is_unscored(tmp_path):
    task = Task(samples(2), solver=generate(), scorer=[judged("random"), audited()])
    log = run(tmp_path, task, answering(SOUND, " "))
    first, second = log.samples
    assert 0 <= first.scores["judged"].value <= 1
    assert math.isnan(second.scores["judged"].value)
    assert "no output" in second.scores["judged"].explanation
    assert "no output" in second.scores["audited"].explanation


@solver
def searching():
    async def solve(state, _):
        call = ToolCall(id="1", function="search", arguments={"query": "heat pumps"})
        state.messages = [
            ChatMessageUser(content=state.input_text),
            ChatMessageAssistant(content="I search.", tool_calls=[call]),
            ChatMessageTool(content="Nothing found.", tool_call_id="1", function="search"),
            ChatMessageAssistant(content="They cost 58."),
        ]
        state.output = output("They cost 58.")
        return state

    return solve


def test_the_conversation_can_be_judged_as_a_trajectory(tmp_path):
    log = run(
        tmp_path, Task(samples(1), solver=searching(), scorer=audited(subject="trajectory")), answering()
    )
    assert set(log.samples[0].scores["audited"].value) == {"errors", "warnings", "per_1000_words"}
    (read,) = assay.read(next(Path(tmp_path).glob("*.eval")))
    assert read.steps[0].tool_calls[0].name == "search"


def test_a_log_is_scored_later_from_the_command_line(tmp_path):
    run(tmp_path, Task(samples(1), solver=generate()), answering(FLAWED))
    (log,) = tmp_path.glob("*.eval")
    done = subprocess.run(
        [str(Path(sys.executable).with_name("inspect")), "score", str(log), "--scorer", "assay/audited",
         "--action", "append", "--overwrite"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    scored = read_eval_log(log).samples[0].scores
    assert any("errors" in score.value for score in scored.values())


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: audited(subject="page"), "'report' or 'trajectory'"),
        (lambda: audited(checks=["NOPE001"]), "NOPE001"),
        (lambda: judged("direkt"), "direct"),
        (lambda: judged("direct@openai/gpt-5-mini", model="openai/gpt-5"), "its own model"),
        (lambda: judged("direct", rubric="no-such-rubric"), "no-such-rubric"),
    ],
)
def test_what_is_wrong_is_told_when_the_scorer_is_made(make, words):
    with pytest.raises(UsageError, match=words):
        make()
