"""Rewards for training agents, with the signatures of TRL and verifiers."""

import asyncio
import json

import pytest

from assay.errors import UsageError
from assay.integrations.rewards import AuditReward, JudgeReward, RewardError, completion_hash
from assay.models.scripted import ScriptedModel
from assay.runs.judge import Judge
from servers.fault import FaultServer

WRONG = (
    "# Costs\n\nHardware made up 58% of the cost, labour 31% and permits 23%. "
    + "Prices fell again in 2023. " * 20
)
SOUND = (
    "# Costs\n\nHardware made up 58% of the cost, labour 31% and permits 11%. "
    + "Prices fell again in 2023. " * 20
)


def chat(text):
    return [{"role": "assistant", "content": text}]


def test_an_audit_rewards_the_text_without_errors_and_says_why():
    reward = AuditReward(["NUM"])
    found = reward(["q", "q", "q"], [SOUND, WRONG, "  "])
    assert found[0] == 0
    assert -1 < found[1] < 0
    assert found[2] == -1
    kept = {item.completion: item for item in reward.reasons}
    assert "NUM001" in kept[completion_hash(WRONG)].reason
    assert kept[completion_hash(SOUND)].reason == "rules find nothing"


def test_chats_and_texts_are_worth_the_same():
    reward = AuditReward(["NUM"])
    assert reward([[{"role": "user", "content": "q"}]], [chat(WRONG)]) == reward(["q"], [WRONG])


def test_a_judge_sees_the_question_and_the_reference_and_is_asked_once_for_equal_texts():
    asked = []

    def answer(request):
        asked.append("\n".join(message.content for message in request.messages))
        return json.dumps({"reasoning": "Clear.", "score": 4})

    judge = Judge(strategy="comparative", model=ScriptedModel(answer), rubric="overall")
    reward = JudgeReward(judge, reference="answer")
    found = reward(["What does it cost?"] * 3, [SOUND, SOUND, WRONG], answer=["11 %", "11 %", "11 %"])
    assert found[0] == found[1]
    assert 0 < found[0] < 1
    assert len(asked) == 2
    assert all("What does it cost?" in text and "11 %" in text for text in asked)
    assert "Clear." in reward.reasons[0].reason


def test_no_verdict_is_no_reward():
    reward = JudgeReward(Judge(strategy="direct", model=ScriptedModel("I cannot say."), rubric="overall"))
    assert reward(["q"], [SOUND]) == [None]
    with pytest.raises(RewardError, match="no verdict"):
        asyncio.run(reward.score(chat(SOUND), "q"))


def test_an_empty_completion_gets_the_least_without_a_call():
    reward = JudgeReward(Judge(strategy="direct", model=ScriptedModel("{}"), rubric="overall"))
    assert reward(["q"], [chat(" ")]) == [0.0]


def test_the_cap_holds_over_all_batches_and_settings_are_checked_at_once():
    from assay.runs.budget import Budget

    judge = Judge(strategy="direct", model=ScriptedModel(lambda _: '{"score": 7}'), rubric="overall")
    reward = JudgeReward(judge, budget=Budget(tokens=6_000))
    values = [reward(["q"], [f"{SOUND} Version {number}."])[0] for number in range(20)]
    assert values[0] is not None
    assert values[-1] is None
    assert "budget" in reward.reasons[-1].reason or "cap" in reward.reasons[-1].reason
    assert JudgeReward(judge, max_usd=20).batch
    with pytest.raises(UsageError, match="no setting 'max_dollars'"):
        JudgeReward(judge, max_dollars=20)


def test_a_column_that_is_not_there_is_told():
    judge = Judge(strategy="direct", model=ScriptedModel(lambda _: '{"score": 7}'), rubric="overall")
    with pytest.raises(UsageError, match="no column 'answer' for the reference; they have gold"):
        JudgeReward(judge, reference="answer")(["q"], [SOUND], gold=["11 %"])


def test_a_weighted_rubric_gives_compliance():
    rubric = {"schema": "assay.rubric/1", "name": "r", "scale": "binary", "aggregate": "compliance", "ask": "each",
              "criteria": [{"key": "cost", "asks": "Gives a cost.", "weight": 3}, {"key": "date", "asks": "Gives a date.", "weight": 1}]}  # fmt: skip

    def answer(request):
        met = "Gives a cost." in request.messages[-1].content
        return json.dumps(
            {"reasoning": "r", "score": "met" if met else "not met", "verdict": "met" if met else "not met"}
        )

    from assay.rubrics.rubric_file import parse_rubric

    judge = Judge(strategy="grader", model=ScriptedModel(answer), rubric=parse_rubric(rubric))
    assert JudgeReward(judge)(["q"], [SOUND]) == [0.75]


def test_answers_are_kept_in_the_ledger_and_reasons_in_a_file(tmp_path, monkeypatch):
    with FaultServer() as server:
        monkeypatch.setenv("LAB_BASE_URL", server.base_url)
        settings = {"rubric": "overall", "ledger": tmp_path / "l.sqlite", "log": tmp_path / "log.jsonl"}
        first = JudgeReward("direct@lab/m", **settings)(["q", "q"], [SOUND, WRONG])
        again = JudgeReward("direct@lab/m", **settings)(["q", "q"], [WRONG, SOUND])
        assert first == again[::-1]
        assert len(server.bodies) == 2
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [row["value"] for row in rows] == first + again


def test_names_for_the_columns_of_logs():
    assert AuditReward().__name__ == "assay_audit"


def test_a_judge_with_two_rubrics_or_an_unknown_check_is_refused():
    with pytest.raises(UsageError, match="rubric of its own"):
        JudgeReward(Judge("rules"), rubric="overall")
    with pytest.raises(UsageError, match="NOPE"):
        AuditReward(["NOPE"])
    with pytest.raises(UsageError, match="deductions"):
        AuditReward(error=-1)
