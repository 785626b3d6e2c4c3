"""What a ledger keeps: calls, the answers read from them, the judgments made of those, and the runs they belong to.

    run → judgment → answers → calls → prompts

Every row has a key that is a hash of what determines it, so the same question is found again whoever asks it.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from assay.judges.judgment import Judgment
from assay.models.base import Reply, Request
from assay.strategies.base import Answer

# "waiting": what it still takes is in files of requests whose responses are to come.
RunStatus = Literal["running", "waiting", "done", "interrupted", "stopped", "failed"]


class CallRow(msgspec.Struct, frozen=True, kw_only=True):
    """One finished model call. ``key`` is ``Request.key()``; ``at`` is Unix time in seconds."""

    key: str
    request: Request
    reply: Reply
    at: float


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One question answered, as a part of a judgment.

    ``unit`` says which part of the subject (``""`` all of it, ``"chunk:3"``, ``"step:12"``), ``order`` in which order a
    pair was shown (``"AB"``, ``"BA"``, else ``""``), ``criteria`` which criteria were asked.
    """

    key: str
    judgment: str
    unit: str = ""
    order: str = ""
    criteria: tuple[str, ...] = ()
    answer: Answer


class JudgmentRow(msgspec.Struct, frozen=True, kw_only=True):
    """One judgment, with what joins it to others.

    ``key`` is a hash of judge version, subjects' contents, query, reference and trial. ``tags`` are further columns of
    an experiment: subject id, system, label of the judge.
    """

    key: str
    judge_version: str
    trial: int
    judgment: Judgment
    tags: dict[str, str] = {}
    at: float


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """A run: what was planned and with what. ``provenance``: versions, settings, prompts, hashes – never a key."""

    id: str
    name: str
    status: RunStatus
    created: float
    plan: dict[str, Any]
    provenance: dict[str, Any]


class RunHead(msgspec.Struct, frozen=True, kw_only=True):
    """A run in a list: without its plan, with the number of its judgments by status."""

    id: str
    name: str
    status: RunStatus
    created: float
    judgments: dict[str, int] = {}
