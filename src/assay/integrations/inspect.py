"""Scorers for Inspect AI: what rules find in the output of a sample, and the judgment of a judge.

    Task(dataset=…, solver=…, scorer=[audited(), judged("brief", rubric="reflect-report")])
    inspect score logs/run.eval --scorer assay/audited

The reports are the outputs of the samples; with ``subject="trajectory"`` the whole conversation is judged. A judge that names
no model of its own asks the evaluation's model with the role ``grader``, so that its calls are in the log like all others.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Literal

from assay.audits.audit import audit
from assay.errors import AssayError, MissingExtraError, UsageError
from assay.integrations.scores import reasons_of, share_of
from assay.models.base import Reply, Request, Usage
from assay.models.special_tokens import neutralised
from assay.runs.judge import Judge
from assay.subjects.loaders.inspect_json import sample_trajectory
from assay.subjects.report import Report

try:
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
        GenerateConfig,
        Model,
        get_model,
    )
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState  # noqa: TC002 - Inspect reads the annotations
    from sniffio import current_async_library
except ImportError as error:
    raise MissingExtraError("scorers for Inspect AI", "inspect") from error

if TYPE_CHECKING:
    from os import PathLike

    from assay.audits.result import Audit
    from assay.judges.judgment import Judgment
    from assay.rubrics.rubric import Rubric
    from assay.subjects.trajectory import Trajectory

SubjectKind = Literal["report", "trajectory"]

# Findings told in the explanation of a score.
_TOLD: Final = 20
_WORDS: Final = 1000


@scorer(metrics={key: [mean(), stderr()] for key in ("errors", "warnings", "per_1000_words")})
def audited(checks: list[str] | None = None, subject: SubjectKind = "report") -> Scorer:
    """Return a scorer that counts what rules find: errors, warnings, and both by thousand words.

    Lower is better. The explanation has the findings with their lines; ``metadata`` has them as data. No model is asked.

    Args:
        checks: Codes or names of checks, as `assay.audit` takes them; by default all that are on.
        subject: Whether the output or the whole conversation is audited.

    Raises:
        UsageError: There is no such kind of subject, or no such check.
    """
    _require_kind(subject)
    if checks is not None:
        audit(Report("Text."), checks=checks)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the signature of scorers
        given = _subject(state, subject)
        if given is None:
            return Score.unscored(explanation="There is no output to audit.")
        found = await asyncio.to_thread(audit, given, checks=checks)
        return _score_of_audit(found, state.output.completion)

    return score


@scorer(metrics=[mean(), stderr()])
def judged(
    judge: str = "direct",
    rubric: str | PathLike[str] | Rubric | None = None,
    subject: SubjectKind = "report",
    model: str | None = None,
    reference: bool = False,
) -> Scorer:
    """Return a scorer with a judge's score on the whole, as a share of what its rubric allows: 0 to 1.

    The explanation has the judge's reasons; ``metadata`` has the score, status and reasons by criterion. A sample without a
    verdict is unscored, not zero.

    Args:
        judge: A strategy, such as ``direct`` or ``brief``, which asks Inspect's model; or a judge with a model of its own,
            ``direct@openai/gpt-5-mini`` or ``rules``, which asks by Assay's own client.
        rubric: Name or path of a rubric; by default what fits the subject.
        subject: Whether the output or the whole conversation is judged.
        model: Inspect's name of the model to ask; by default the one with the role ``grader``, or the evaluated one.
        reference: Whether the sample's target is shown to the judge as the reference answer.

    Raises:
        UsageError: Judge, rubric or kind of subject is unknown, or the judge has two models.
    """
    _require_kind(subject)
    own = "@" in judge or "(" in judge or judge in ("rules", "length", "random")
    if own and model is not None:
        raise UsageError(f"the judge {judge!r} has its own model; leave model= out, or name a strategy alone")
    asked = Judge(judge, rubric=rubric) if own else Judge(strategy=judge, model=_Asked(model), rubric=rubric)

    async def score(state: TaskState, target: Target) -> Score:
        given = _subject(state, subject)
        if given is None:
            return Score.unscored(explanation="There is no output to judge.")
        if current_async_library() != "asyncio":
            raise UsageError("judges run on asyncio; leave INSPECT_ASYNC_BACKEND at its default")
        try:
            judgment = await asked.ascore(given, reference=target.text if reference else None)
        except UsageError:
            # A judge that cannot be asked at all is no sample without a verdict.
            raise
        except AssayError as error:
            return Score.unscored(explanation=str(error))
        return _score_of_judgment(judgment, asked)

    return score


class _Asked:
    """Inspect's model as one that Assay can ask. It is got when it is asked, as roles are known only within an evaluation."""

    def __init__(self, name: str | None) -> None:
        self.name = name or "grader"
        self.id = f"inspect/{self.name}"
        self._given = name

    async def complete(self, request: Request) -> Reply:
        """Ask it."""
        model: Model = get_model(self._given) if self._given else get_model(role="grader")
        sampling = request.sampling
        output = await model.generate(
            [_message(item.role, neutralised(item.content)) for item in request.messages],
            config=GenerateConfig(
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                max_tokens=sampling.max_tokens,
                seed=sampling.seed,
                stop_seqs=list(sampling.stop) or None,
            ),
        )
        used = output.usage
        usage = Usage(
            1,
            used.input_tokens if used else 0,
            (used.input_tokens_cache_read or 0) if used else 0,
            used.output_tokens if used else 0,
            None,
        )
        finish: Any = {"content_filter": "refusal", "max_tokens": "length"}.get(output.stop_reason, "stop")
        return Reply(text=output.completion, usage=usage, served=output.model, finish=finish)

    async def close(self) -> None:
        """Do nothing: the model is Inspect's."""


def _message(role: str, text: str) -> ChatMessage:
    if role == "system":
        return ChatMessageSystem(content=text)
    return ChatMessageAssistant(content=text) if role == "assistant" else ChatMessageUser(content=text)


def _require_kind(subject: str) -> None:
    if subject not in ("report", "trajectory"):
        raise UsageError(f"subject is {subject!r}; it is 'report' or 'trajectory'")


def _subject(state: TaskState, kind: SubjectKind) -> Report | Trajectory | None:
    """Return what is judged of a sample, or None if the sample has no output."""
    name = str(state.sample_id)
    if kind == "report":
        text = state.output.completion
        return (
            Report(text, query=state.input_text, id=name, system=str(state.model)) if text.strip() else None
        )
    messages = [message.model_dump(exclude_none=True) for message in state.messages]
    if not any(message["role"] == "assistant" for message in messages):
        return None
    row = {
        "id": name,
        "input": state.input_text,
        "messages": messages,
        "output": {"completion": state.output.completion},
    }
    return sample_trajectory(row, {"model": str(state.model)}, None)


def _score_of_audit(found: Audit, answer: str) -> Score:
    rows = [
        {
            "code": item.code,
            "severity": item.severity,
            "line": item.span.line,
            "message": item.message,
            "excerpt": item.excerpt,
        }
        for item in found.located_findings
    ]
    errors = sum(row["severity"] == "error" for row in rows)
    warnings = sum(row["severity"] == "warning" for row in rows)
    words = max(1, found.summary.words)
    told = [f"{row['line']}: {row['severity']} {row['code']} {row['message']}" for row in rows[:_TOLD]]
    return Score(
        value={
            "errors": errors,
            "warnings": warnings,
            "per_1000_words": _WORDS * (errors + warnings) / words,
        },
        answer=answer,
        explanation="\n".join(told) or "Rules find nothing.",
        metadata={"findings": rows},
    )


def _score_of_judgment(judgment: Judgment, judge: Judge) -> Score:
    by_criterion = [
        {"criterion": item.criterion, "score": item.score, "status": item.status, "reasoning": item.reasoning}
        for item in judgment.verdicts
    ]
    metadata = {
        "status": judgment.status,
        "criteria": by_criterion,
        "quotes": [item.text for item in judgment.quotes],
    }
    value = share_of(judgment, judge)
    if value is None:
        return Score.unscored(explanation=reasons_of(judgment), metadata=metadata)
    return Score(value=value, explanation=reasons_of(judgment), metadata=metadata)
