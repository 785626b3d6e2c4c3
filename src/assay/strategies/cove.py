"""Draft, question the draft, answer from the material alone, decide (Chain-of-Verification of the paper).

The call that answers the questions does not see the draft, so that its mistakes are not repeated. The final verdict
may correct the draft in either direction; the paper's prompt names only the downward one. A draft without a verdict
is the answer, because there is nothing to verify. If questions or answers come back empty, there is no verdict.
"""

from assay.strategies.base import Answer, Ask, Strategy, no_answer
from assay.strategies.full import REASONING
from assay.strategies.verdict_text import verdict_text


async def elicit(ask: Ask) -> Answer:
    """Make four calls, one after another."""
    draft = await ask.verdict("draft")
    if draft.status != "ok":
        return draft
    draft_text = verdict_text(draft, ask.question)
    questions = await ask.text("questions", draft=draft_text)
    if not questions:
        return no_answer("list of verification questions")
    answers = await ask.text("answers", questions=questions)
    if not answers:
        return no_answer("list of answers to the verification questions")
    return await ask.verdict("final", draft=draft_text, questions=questions, answers=answers)


STRATEGY = Strategy(
    name="cove",
    summary="Draft a verdict, ask what would expose its errors, answer without it, decide.",
    source="cot-judges, section 3.3, Chain-of-Verification",
    fields=(REASONING,),
    elicit=elicit,
    calls=(4, 4),
)
