"""Rewards for training agents: what rules find in a report, a judge's score, or weighted criteria.

    trainer = GRPOTrainer(model, reward_funcs=[AuditReward(), JudgeReward("direct@openai/gpt-5-mini")], …)   # TRL

In a task of verifiers, a method marked ``@vf.reward`` returns ``await reward.score(trace.last_reply, self.data.prompt)``.

A reward is called with a batch by TRL and with one completion by verifiers. It keeps the reason of each value, and a
completion without a verdict has no reward: it is never the lowest, and never the mean.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.audits.audit import audit
from assay.errors import AssayError, UsageError
from assay.integrations.scores import reasons_of, share_of
from assay.runs.budget import Budget, Spending
from assay.runs.event_loop_portal import run_sync
from assay.runs.judge import Judge
from assay.runs.run_settings import RunSettings
from assay.runs.running import OpenRun
from assay.subjects.case import Case
from assay.subjects.report import Report

if TYPE_CHECKING:
    from os import PathLike

    from assay.audits.result import Audit
    from assay.rubrics.rubric import Rubric

# Values whose reasons are kept in memory.
_KEPT: Final = 10_000
_WORDS: Final = 1000
_TOLD: Final = 5

Completion = str | Sequence[Mapping[str, Any]]


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a completion got its reward.

    Attributes:
        reward: Name of the reward.
        value: The value; None without a verdict.
        reason: What was found, or what the judge says.
        completion: Hash of the completion, as `completion_hash` returns it.
    """

    reward: str
    value: float | None
    reason: str
    completion: str


def completion_hash(completion: Completion) -> str:
    """Return the hash under which the reason of a completion is kept."""
    return hashlib.blake2b(_text(completion).encode("utf-8", "replace"), digest_size=8).hexdigest()


class Reward(ABC):
    """A reward function: called by TRL with a batch; `score` is what verifiers calls.

    Args:
        name: Its name in logs.
        log: File to which each reason is appended as a JSON line.

    Attributes:
        reasons: The reasons of the last 10,000 values, oldest first.
    """

    def __init__(self, name: str, log: str | PathLike[str] | None = None) -> None:
        # TRL names its columns by it.
        self.__name__ = name
        self.reasons: deque[Reason] = deque(maxlen=_KEPT)
        self._log = None if log is None else Path(log)

    def __call__(
        self, prompts: Sequence[Completion], completions: Sequence[Completion], **columns: Any
    ) -> list[float | None]:
        """Return the reward of each completion, as TRL asks for it; None without a verdict."""
        return run_sync(self.batch(prompts, completions, **columns))

    async def batch(
        self, prompts: Sequence[Completion], completions: Sequence[Completion], **columns: Any
    ) -> list[float | None]:
        """Await the rewards of a batch; equal completions of equal prompts are judged once."""
        rows = [
            (_question(prompt), _text(completion), _row(columns, index, len(completions)))
            for index, (prompt, completion) in enumerate(zip(prompts, completions, strict=True))
        ]
        keys = [json.dumps(row, sort_keys=True, default=str) for row in rows]
        different = dict(zip(keys, rows, strict=True))
        found = dict(zip(different, await self._values(list(different.values())), strict=True))
        for key, completion in zip(keys, completions, strict=True):
            value, reason = found[key]
            self._keep(
                Reason(
                    reward=self.__name__, value=value, reason=reason, completion=completion_hash(completion)
                )
            )
        return [found[key][0] for key in keys]

    async def score(
        self, completion: Completion, prompt: Completion = "", answer: str = "", **_: Any
    ) -> float:
        """Return the reward of one completion, as verifiers asks for it.

        Raises:
            RewardError: There is no verdict: verifiers has no value for that.
        """
        (value,) = await self.batch([prompt], [completion], answer=[answer])
        if value is None:
            raise RewardError(f"{self.__name__}: no verdict: {self.reasons[-1].reason}")
        return value

    @abstractmethod
    async def _values(self, rows: list[tuple[str, str, dict[str, Any]]]) -> list[tuple[float | None, str]]:
        """Return value and reason of each question, text and row of columns."""

    def _keep(self, reason: Reason) -> None:
        self.reasons.append(reason)
        if self._log is not None:
            with self._log.open("ab") as out:
                out.write(msgspec.json.encode(reason) + b"\n")


class RewardError(AssayError):
    """A completion has no reward."""

    exit_code = 3


class AuditReward(Reward):
    """What rules find: 0 if nothing, down to -1. No model is asked.

    The sum of ``error`` for each error and ``warning`` for each warning, by thousand words, at least -1; an empty text gets
    -1. Rules do not follow quality, so this rewards the absence of provable faults and nothing else.

    Args:
        checks: Codes or names of checks, as `assay.audit` takes them; by default all that are on.
        error: Deduction for each error in a thousand words.
        warning: Deduction for each warning in a thousand words.
        log: File of reasons; see `Reward`.

    Raises:
        UsageError: There is no such check, or a deduction is negative.
    """

    def __init__(
        self,
        checks: Sequence[str] | None = None,
        *,
        error: float = 0.2,
        warning: float = 0.05,
        log: str | PathLike[str] | None = None,
    ) -> None:
        super().__init__("assay_audit", log)
        if min(error, warning) < 0:
            raise UsageError("error and warning are deductions, 0 or more")
        audit(Report("Text."), checks=checks)
        self._checks = checks
        self._error, self._warning = error, warning

    async def _values(self, rows: list[tuple[str, str, dict[str, Any]]]) -> list[tuple[float | None, str]]:
        return await asyncio.to_thread(lambda: [self._one(question, text) for question, text, _ in rows])

    def _one(self, question: str, text: str) -> tuple[float | None, str]:
        if not text.strip():
            return -1.0, "the text is empty"
        try:
            found: Audit = audit(Report(text, query=question or None), checks=self._checks)
        except AssayError as error:
            return None, str(error)
        counted = [item for item in found.located_findings if item.severity != "info"]
        errors = sum(item.severity == "error" for item in counted)
        per_word = _WORDS / max(_WORDS / 2, found.summary.words)
        value = -min(1.0, per_word * (self._error * errors + self._warning * (len(counted) - errors)))
        told = [f"{item.code} {item.message}" for item in counted[:_TOLD]]
        more = f" and {len(counted) - _TOLD} more" if len(counted) > _TOLD else ""
        return value + 0.0, ("; ".join(told) + more) or "rules find nothing"


class JudgeReward(Reward):
    """A judge's score as a share of what its rubric allows, 0 to 1; with weighted criteria, their compliance.

    All completions of a batch are judged at once, within the model's limits. With ``ledger``, a question that was
    answered once is never paid for again, in this training or a later one.

    Args:
        judge: A judge: its name, such as ``direct@openai/gpt-5-mini``, a `Judge`, or a function of one's own.
        rubric: Name, path or `Rubric`; by default what fits reports. Only for a judge that is given by name.
        reference: Column whose text is the reference answer, such as ``answer``.
        ledger: Where calls and judgments are kept.
        max_usd: Most that this reward may cost over its life, in US dollars; after that there is no verdict.
        log: File of reasons; see `Reward`.
        **settings: Further settings of the run, such as ``max_concurrency``; ``budget`` is a cap in tokens or dollars.

    Raises:
        UsageError: The judge, the rubric or a setting is unknown; in a call, the data have no column ``reference``.
    """

    def __init__(
        self,
        judge: Any,
        *,
        rubric: str | PathLike[str] | Rubric | None = None,
        reference: str | None = None,
        ledger: str | PathLike[str] | None = None,
        max_usd: float | None = None,
        log: str | PathLike[str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__("assay_judge", log)
        if isinstance(judge, str):
            judge = Judge(judge, rubric=rubric)
        elif rubric is not None:
            raise UsageError("the judge has a rubric of its own; name the judge as text to give it another")
        self._judge = judge
        self._reference = reference
        if max_usd is not None:
            settings["budget"] = max_usd
        self._settings = RunSettings().replace(**{"progress": False, "ledger": ledger, **settings})
        # One for all batches: a cap of each batch would be none of the training.
        self._spending = Spending(self._settings.budget or Budget())

    async def _values(self, rows: list[tuple[str, str, dict[str, Any]]]) -> list[tuple[float | None, str]]:
        for _, _, columns in rows:
            if self._reference is not None and self._reference not in columns:
                had = ", ".join(columns) or "none"
                raise UsageError(
                    f"the data have no column {self._reference!r} for the reference; they have {had}"
                )
        found: list[tuple[float | None, str]] = [(0.0, "the text is empty")] * len(rows)
        filled = [index for index, (_, text, _) in enumerate(rows) if text.strip()]
        cases = [
            Case(
                Report(rows[index][1], query=rows[index][0] or None, id=str(index)),
                reference=str(rows[index][2].get(self._reference) or "") or None if self._reference else None,
            )
            for index in filled
        ]
        if cases:
            async with OpenRun(self._settings, "reward", spending=self._spending) as opened:
                judgments = await opened.judgments(cases, self._judge)
            by_id = {judgment.subject: judgment for judgment in judgments}
            for index, case in zip(filled, cases, strict=True):
                judgment = by_id.get(case.name)
                found[index] = (
                    (None, "not judged: the budget is used up")
                    if judgment is None
                    else (share_of(judgment, self._judge), reasons_of(judgment))
                )
        return found


def _text(completion: Completion) -> str:
    """Return the text of a completion: a plain one, or the last message of a conversation that an assistant wrote."""
    if isinstance(completion, str):
        return completion
    for message in reversed(completion):
        if message.get("role", "assistant") == "assistant":
            return _content(message.get("content"))
    return ""


def _question(prompt: Completion) -> str:
    """Return the question: a plain prompt, or the last message of a user."""
    if isinstance(prompt, str):
        return prompt
    return next(
        (_content(item.get("content")) for item in reversed(prompt) if item.get("role") == "user"), ""
    )


def _content(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))


def _row(columns: Mapping[str, Any], index: int, total: int) -> dict[str, Any]:
    """Return the columns' values of one completion; what is not a column of the batch is left out."""
    return {
        name: values[index]
        for name, values in columns.items()
        if isinstance(values, list | tuple) and len(values) == total
    }
