"""Audits of which a model reads the subject too: `review`, and `areview` to await."""

from __future__ import annotations

from contextlib import nullcontext
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

from assay.audits.audit import AuditOptions, audit
from assay.audits.reviewed import with_review
from assay.reviews.reviewing import review as read_for_faults
from assay.runs.event_loop_portal import run_sync
from assay.runs.ledger import open_ledger
from assay.runs.session import Session

if TYPE_CHECKING:
    from assay.audits.result import Audit
    from assay.models.base import Model
    from assay.reviews.faults import Depth
    from assay.runs.budget import Budget
    from assay.subjects.subject import Subject

# Tokens of a reply: twelve faults with quotes and repairs, in Chinese more.
_TOKENS = 8_192


def review(
    subject: Subject | str | PathLike[str],
    model: str | Model,
    *,
    sceptic: str | Model | None = None,
    depth: Depth = "standard",
    ledger: str | PathLike[str] | None = None,
    budget: Budget | None = None,
    **settings: Unpack[AuditOptions],
) -> Audit:
    """Audit a report or a trajectory by rule, and have a model read it for faults.

    Args:
        subject: What to audit, or the path of a file that holds one report or trajectory.
        model: The reader: its name, or a model.
        sceptic: The second reader, who doubts each fault; by default the same model.
        depth: "quick": the whole only; "standard": also part by part; "thorough": in smaller parts, and each fault
            is looked at by itself.
        ledger: Where calls are kept, so that none is paid for twice; nowhere by default.
        budget: Most that may be spent.
        **settings: The arguments of `audit`.

    Raises:
        UsageError: There is no such model or depth.
        InputError: The file cannot be read.
    """
    return run_sync(
        areview(subject, model, sceptic=sceptic, depth=depth, ledger=ledger, budget=budget, **settings)
    )


async def areview(
    subject: Subject | str | PathLike[str],
    model: str | Model,
    *,
    sceptic: str | Model | None = None,
    depth: Depth = "standard",
    ledger: str | PathLike[str] | None = None,
    budget: Budget | None = None,
    **settings: Unpack[AuditOptions],
) -> Audit:
    """Do what `review` does, for callers in an event loop."""
    by_rule = audit(subject, **settings)
    if by_rule.nothing is not None:
        return by_rule
    # Nothing is kept without a ledger.
    keeping = nullcontext(None) if ledger is None else open_ledger(str(ledger))
    given: dict[str, Any] = {} if budget is None else {"budget": budget}
    with keeping as opened:
        async with Session(ledger=opened, **given) as session:
            author = await session.author(model, retries=1, max_tokens=_TOKENS)
            second = None if sceptic is None else await session.author(sceptic, retries=1, max_tokens=_TOKENS)
            found = await read_for_faults(
                author, by_rule.subject, sceptic=second, depth=depth, trajectory=settings.get("trajectory")
            )
    return with_review(
        by_rule,
        found,
        inline=settings.get("inline", True),
        min_confidence=settings.get("min_confidence", 0.0),
    )
