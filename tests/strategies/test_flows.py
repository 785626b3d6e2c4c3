"""Strategies of several calls: who is told what, and what becomes of parts that fail."""

from __future__ import annotations

import asyncio
import json

import pytest

from assay.errors import UsageError
from assay.models.base import CallFailedError, Reply, Sampling
from assay.strategies.asker import Asker, PendingCall, run_strategy
from assay.strategies.panel import PERSONAS
from assay.strategies.registry import find_strategy

from .scripts import PROMPTS, REFERENCE, Scripted, ask, plain, question


def verdict(request, score, reasoning: str = "Because it is so.") -> str:
    return json.dumps({**plain(request.schema), "reasoning": reasoning, "score": score})


def text_of(request) -> str:
    return request.messages[1].text


def persona_of(request) -> str:
    said = text_of(request)
    return next(
        name
        for name, words in zip(PERSONAS, ("exacting judge", "by the whole", "good teacher"), strict=True)
        if words in said
    )


# geval


def test_geval_judges_by_its_plan() -> None:
    plan = "1. CRITICAL Does it say nine years?"
    _, (first, second) = ask("geval", question(), lambda n, _: plan if n == 0 else None)
    assert first.schema is None
    assert "CRITICAL" in text_of(first)
    assert plan in text_of(second)


@pytest.mark.parametrize(
    ("name", "empty", "what"),
    [
        ("geval", 0, "plan of checks"),
        ("cove", 1, "list of verification questions"),
        ("cove", 2, "list of answers to the verification questions"),
        ("debate", 0, "advocate's argument"),
        ("debate", 1, "critic's argument"),
        ("reference_checklist", 0, "list of questions"),
    ],
)
def test_a_step_that_comes_back_empty_ends_it(name: str, empty: int, what: str) -> None:
    result, requests = ask(name, question(reference=REFERENCE), lambda n, _: " \n" if n == empty else None)
    assert (result.status, result.problem) == ("unparsed", f"the {what} came back empty")
    assert result.values == {}
    assert len(requests) == (2 if name == "debate" else empty + 1)


def test_a_step_that_is_declined_is_a_refusal() -> None:
    result, _ = ask(
        "debate", question(), lambda n, _: Reply(text="I can't.", finish="refusal") if n == 1 else None
    )
    assert (result.status, result.problem) == ("refused", "the model declined to answer 'critic'")
    assert len(result.calls) == 2


def test_hidden_reasoning_is_not_handed_on_and_a_cut_is_noted() -> None:
    said = Reply(text="<think>secret</think>1. CRITICAL Is it so?", finish="length")
    result, requests = ask("geval", question(), lambda n, _: said if n == 0 else None)
    assert "secret" not in text_of(requests[1])
    assert result.notes == ("the reply to 'plan' was cut off",)


# cove


def test_cove_answers_without_the_draft() -> None:
    replies = [None, "1. Does it say nine?", "1. Yes, at the start.", None]

    def script(n, request):
        return verdict(request, 4, "The draft says it is fine.") if n == 0 else replies[n]

    result, (draft, questions, answers, final) = ask("cove", question(), script)
    assert result.status == "ok"
    assert draft.schema == final.schema
    assert "The draft says it is fine." in text_of(questions)
    assert "support: 4" in text_of(questions)
    assert "The draft says it is fine." not in text_of(answers)
    assert "support: 4" not in text_of(answers)
    assert "raft" not in text_of(answers)
    for part in ("The draft says it is fine.", "1. Does it say nine?", "1. Yes, at the start."):
        assert part in text_of(final)


def test_a_draft_without_a_verdict_is_the_answer() -> None:
    result, requests = ask("cove", question(), lambda n, _: "Hard to say." if n == 0 else None)
    assert result.status == "unparsed"
    assert len(requests) == 1


# panel


def test_the_chair_reads_all_three() -> None:
    def script(n, request):
        return verdict(request, n + 1, f"Thought {n}.") if n < 3 else None

    result, requests = ask("panel", question(), script)
    assert result.status == "ok"
    assert [persona_of(item) for item in requests[:3]] == list(PERSONAS)
    for n in range(3):
        assert f"<<JUDGE-{n + 1} " in text_of(requests[3])
        assert f"Thought {n}.\n\nsupport: {n + 1}\n" in text_of(requests[3])
        assert not any("Thought" in text_of(item) for item in requests[:3])


def test_the_chair_is_told_who_was_silent() -> None:
    result, requests = ask("panel", question(), lambda n, _: "no idea" if n == 1 else None)
    assert result.status == "ok"
    assert "(Judge 2 gave no verdict that could be read.)" in text_of(requests[3])
    assert "no idea" not in text_of(requests[3])
    (note,) = result.notes
    assert note.startswith("the holistic judge gave no verdict (unparsed: ")


def test_three_silent_judges_have_no_chair() -> None:
    result, requests = ask("panel", question(), lambda *_: "no idea")
    assert (result.status, len(requests), len(result.notes)) == ("unparsed", 3, 3)
    assert result.problem.startswith("none of the three judges gave a verdict")
    refused, _ = ask("panel", question(), lambda *_: Reply(text="", finish="refusal"))
    assert refused.status == "refused"


@pytest.mark.parametrize("mode", ["score", "compare", "rank"])
def test_two_that_agree_settle_it_on_request(mode: str) -> None:
    result, requests = ask("panel", question(mode, criteria=3), early_stop=True)
    assert len(requests) == 2
    assert result.status == "ok"
    assert result.notes == (
        "the exacting and the holistic judge agree, so the majority cannot change: "
        "the teacherly judge and the chair not asked",
    )


def test_early_stop_asks_on_until_two_agree() -> None:
    def votes(*scores):
        return lambda n, request: (
            ("no idea" if scores[n] is None else verdict(request, scores[n], f"Thought {n}."))
            if n < 3
            else verdict(request, 5)
        )

    result, requests = ask("panel", question(), votes(2, 3, 2), early_stop=True)
    assert (len(requests), result.values) == (3, {"support": 2})
    assert result.rationale == "Thought 0.\n\nThought 2."
    assert result.notes == (
        "the exacting and the teacherly judge agree, so the majority cannot change: the chair not asked",
    )
    result, requests = ask("panel", question(), votes(1, 2, 3), early_stop=True)
    assert (len(requests), result.values, result.notes) == (4, {"support": 5}, ())
    # Two that say nothing do not agree.
    result, requests = ask("panel", question(), votes(None, None, 3), early_stop=True)
    assert (len(requests), result.values, len(result.notes)) == (4, {"support": 5}, 2)


def test_agreement_is_on_every_criterion() -> None:
    def script(n, request):
        scores = {"support": 4, "coherence": 2 + n}
        return json.dumps({**plain(request.schema), "scores": scores}) if n < 3 else None

    _, requests = ask("panel", question(criteria=2), script, early_stop=True)
    assert len(requests) == 4


def test_calls_by_option() -> None:
    panel, overseer = find_strategy("panel"), find_strategy("overseer")
    assert (panel.calls_with(), panel.calls_with({"early_stop": True})) == ((4, 4), (2, 4))
    assert (overseer.calls_with(), overseer.calls_with({"attempts": 2})) == (overseer.calls, (2, 4))
    with pytest.raises(UsageError, match="must be 1 to 50"):
        overseer.calls_with({"attempts": 0})


# debate


def test_the_arbiter_sees_the_arguments_and_no_more() -> None:
    arguments = ["It is splendid.", "It is dreadful."]
    _, requests = ask("debate", question("compare"), lambda n, _: arguments[n] if n < 2 else None)
    arbiter = requests[2].messages[1]
    assert arbiter.lead == ""
    assert all(said in arbiter.text for said in arguments)
    assert "nine years" not in arbiter.content
    assert "heat pump" not in arbiter.content
    _, requests = ask("debate", question("compare"), blind=False)
    assert "nine years" in requests[2].messages[1].lead
    assert "nothing but these" not in text_of(requests[2])


# overseer


def overseen(*audits, scores=(1, 2, 3, 4, 5)):
    """A script: the scores of the attempts, and of each audit how many criteria are in error (None: unreadable)."""

    def script(n, request):
        if "why" not in json.dumps(request.schema):
            score = scores[n // 2]
            return (
                "no idea"
                if score is None
                else json.dumps({**plain(request.schema), "scores": dict.fromkeys(KEYS, score)})
            )
        wrong = audits[n // 2]
        if wrong is None:
            return "Looks good to me!"
        return json.dumps({key: {"why": "so", "error": i < wrong} for i, key in enumerate(KEYS)})

    return script


KEYS = ("support", "coherence", "limits")


def test_a_clean_first_attempt_is_the_answer() -> None:
    result, requests = ask("overseer", question(criteria=3), overseen(0))
    assert (len(requests), result.values["support"]) == (2, 1)
    assert result.notes == ("attempt 1 of at most 5 passed the audit",)
    audit = requests[1]
    assert audit.sampling.max_tokens == 800
    assert requests[0].sampling.max_tokens is None
    assert "support: 1\ncoherence: 1\nlimits: 1" in text_of(audit)
    assert "an integer from 1 (very poor) to 5 (excellent)" in text_of(audit)


def test_the_first_clean_attempt_wins() -> None:
    result, requests = ask("overseer", question(criteria=3), overseen(1, 2, 0))
    assert (len(requests), result.values["support"]) == (6, 3)
    assert [item.draw for item in requests] == [0, 0, 1, 0, 2, 0]
    assert result.notes == (
        "the audit of attempt 1 found errors in support",
        "the audit of attempt 2 found errors in support, coherence",
        "attempt 3 of at most 5 passed the audit",
    )


def test_else_the_one_with_the_fewest_errors() -> None:
    result, requests = ask("overseer", question(criteria=3), overseen(3, 2, 1, 1, 2))
    assert (len(requests), result.values["support"]) == (10, 3)
    assert result.notes[-1] == "no attempt passed; kept the one with the fewest errors, 1"
    result, requests = ask("overseer", question(criteria=3), overseen(3, 2), attempts=2)
    assert (len(requests), result.values["support"]) == (4, 2)


def test_an_audit_that_cannot_be_read_approves_nothing() -> None:
    result, _ = ask("overseer", question(criteria=3), overseen(None, 3, None, 2, 3))
    assert result.values["support"] == 4
    result, requests = ask("overseer", question(criteria=3), overseen(*[None] * 5))
    assert (len(requests), result.values["support"]) == (10, 1)
    assert result.notes[-1] == "no audit could be read; kept the first attempt, unaudited"


def test_attempts_without_a_verdict_are_not_audited() -> None:
    scores = iter([None, 4])

    def script(n, request):
        if "why" in json.dumps(request.schema):
            return None
        score = next(scores)
        return "no idea" if score is None else verdict(request, score)

    result, requests = ask("overseer", question(), script)
    assert (len(requests), result.values) == (3, {"support": 4})
    assert result.notes[0].startswith("attempt 1 gave no verdict (unparsed: ")
    result, requests = ask("overseer", question(), lambda *_: "no idea")
    assert (len(requests), result.status) == (5, "unparsed")


def test_an_attempt_that_repeats_itself_ends_the_drawing() -> None:
    result, requests = ask("overseer", question(criteria=3), overseen(2, 2, scores=(3, 3, 3)))
    assert (len(requests), result.values["support"]) == (3, 3)
    assert result.notes[1] == "attempt 2 repeats an earlier one to the letter: no more were drawn"


def test_what_is_audited() -> None:
    for mode, criteria, keys in (
        ("score", 1, ["support"]),
        ("compare", 1, ["support"]),
        ("compare", 2, ["support", "coherence", "preference"]),
        ("rank", 2, ["ranking"]),
    ):
        _, (_, audit) = ask("overseer", question(mode, criteria=criteria))
        assert list(audit.schema["properties"]) == keys


# Parts that fail, and the order of what is recorded


@pytest.mark.parametrize("name", ["panel", "debate"])
def test_a_call_that_failed_fails_the_answer_and_the_others_count(name: str) -> None:
    def script(n, _request):
        if n == 1:
            raise CallFailedError("the endpoint gave up")

    result, requests = ask(name, question(), script)
    assert (result.status, result.problem) == ("failed", "the endpoint gave up")
    assert len(result.calls) == len(requests) - 1 == result.usage.calls


def test_a_pending_call_leaves_the_others_asked() -> None:
    asked = []

    def script(_n, request):
        asked.append(persona_of(request))
        raise PendingCall

    with pytest.raises(PendingCall):
        ask("panel", question(), script)
    assert asked == list(PERSONAS)


def test_a_failure_is_told_before_a_pending_call() -> None:
    def script(n, _request):
        raise CallFailedError("no") if n == 2 else PendingCall

    assert ask("panel", question(), script)[0].status == "failed"


def test_the_record_does_not_depend_on_who_answers_first() -> None:
    class Slow(Scripted):
        def __init__(self, waits) -> None:
            super().__init__(lambda n, _: "no idea" if n < 6 else None)
            self.waits = waits

        async def complete(self, request):
            wait = self.waits[len(self.requests) % 3]
            reply = await super().complete(request)
            for _ in range(wait):
                await asyncio.sleep(0)
            return reply

    def run(waits):
        strategy = find_strategy("panel")
        asker = Asker(question(), strategy, Slow(waits), PROMPTS, sampling=Sampling(), retries=1)
        return asyncio.run(run_strategy(asker, strategy))

    runs = [run(waits) for waits in ((0, 0, 0), (9, 5, 1), (1, 9, 5))]
    assert len(runs[0].calls) == 6
    assert runs[0] == runs[1] == runs[2]


def test_trials_draw_anew() -> None:
    first, second = (ask("overseer", question(trial=trial))[1] for trial in (0, 1))
    assert [item.draw for item in first] == [0, 0]
    assert [item.draw for item in second] == [64, 64]


def test_a_model_is_told_in_its_language_and_the_record_is_english() -> None:
    replies = iter(['{"score": 9}', '{"score": 9}'])
    result, (_, again) = ask("direct", question(language="zh"), lambda *_: next(replies), retries=1)
    assert result.problem == '"support" is 9, which was not on offer'
    assert type(result.problem) is str
    assert "的取值 9 不在可选范围之内" in again.messages[-1].text
