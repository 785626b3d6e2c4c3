"""Records of a ledger: calls, the answers read from them, the judgments that combine them, and their runs.

    run → judgment → answers → calls → prompts

Every key is a hash of what determines the row, so that the same question is found again by any run.
"""

from __future__ import annotations

import secrets
import time
from typing import Any, Literal

import msgspec

from assay._version import __version__
from assay.judges.judgment import Judgment
from assay.models.base import Reply, Request
from assay.strategies.base import Answer

# "waiting": the missing requests are in batch files, and their responses are still to come.
RunStatus = Literal["running", "waiting", "done", "interrupted", "stopped", "failed"]


class CallRow(msgspec.Struct, frozen=True, kw_only=True):
    """One finished model call. ``key`` is ``Request.key()``; ``at`` is Unix time in seconds."""

    key: str
    request: Request
    reply: Reply
    at: float


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One answered question, as part of a judgment.

    ``unit`` is the part of the subject (``""`` for the whole, ``"chunk:3"``, ``"step:12"``), ``order`` the order of
    showing (``"AB"``, ``"BA"``, else ``""``), ``criteria`` the criteria asked.
    """

    key: str
    judgment: str
    unit: str = ""
    order: str = ""
    criteria: tuple[str, ...] = ()
    answer: Answer


class JudgmentRow(msgspec.Struct, frozen=True, kw_only=True):
    """One judgment, with the tags that join it to others.

    ``key`` is a hash of judge version, subjects' contents, query, reference and repetition. ``tags`` are columns of
    an experiment: subject id, system, label of the judge.
    """

    key: str
    judge_version: str
    trial: int
    judgment: Judgment
    tags: dict[str, str] = {}
    at: float


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """A run: its plan and its provenance (versions, settings, prompts, hashes; never an API key)."""

    id: str
    name: str
    status: RunStatus
    created: float
    plan: dict[str, Any]
    provenance: dict[str, Any]


def new_run(name: str, plan: dict[str, Any]) -> RunRow:
    """Return a run that starts now, with a unique id that contains name and time."""
    now = time.time()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    return RunRow(
        id=f"{name}-{stamp}-{secrets.token_hex(2)}",
        name=name,
        status="running",
        created=now,
        plan=plan,
        provenance={"assay": __version__},
    )


class RunHead(msgspec.Struct, frozen=True, kw_only=True):
    """A run in a list: without its plan, with the number of its judgments by status."""

    id: str
    name: str
    status: RunStatus
    created: float
    judgments: dict[str, int] = {}
