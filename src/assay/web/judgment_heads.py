"""What a table shows of a judgment, read without its reasons and quotes."""

from __future__ import annotations

from typing import Final

import msgspec

from assay.judges.judgment import Judgment, Preference, Status, Verdict
from assay.models.base import Usage
from assay.runs.row_codec import RowCodec
from assay.subjects.case import Mode


class _VerdictHead(msgspec.Struct, gc=False):
    criterion: str
    unit: str = ""
    verdict: str | float | None = None
    score: float | None = None
    status: Status = "ok"


class _JudgmentPart(msgspec.Struct, gc=False):
    subject: str
    judge: str
    rubric: str | None = None
    scores: dict[str, float] | None = None
    preference: Preference | None = None
    by_order: dict[str, Preference | None] | None = None
    choice: int | None = None
    status: Status = "ok"
    usage: Usage = Usage()
    mode: Mode = "score"
    problem: str | None = None
    verdicts: tuple[_VerdictHead, ...] = ()


class RowPart(msgspec.Struct, gc=False):
    """The fields of a `JudgmentRow` that a table needs."""

    trial: int
    judgment: _JudgmentPart
    tags: dict[str, str] = {}
    at: float = 0.0


ROW_PART: Final = RowCodec.of(RowPart)


class JudgmentHead(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a table of judgments.

    Attributes:
        key: Key of the judgment in its run.
        row: Row of the judgment in the ledger.
        subject: Name of the case.
        judge: Name of the judge.
        rubric: Name of the rubric; empty without one.
        system: System that wrote the subject; both of a pair, joined by `` | ``.
        mode: Whether the case was scored, compared or ranked.
        status: Why there is no verdict; "ok" if there is one.
        problem: The problem in words.
        verdict: Preference of a pair, best of a ranking; empty for scores.
        score: Overall score or margin; None without one.
        split: Whether the two orders of a pair disagree.
        values: Score or verdict by criterion.
        tokens: Tokens of all calls.
        cost: Cost in US dollars; None if the price is unknown.
        calls: Number of calls.
        trial: Number of the repetition.
        at: Unix time.
        case: Id of the subject, or both of a pair, joined by `` | ``: the same in another run of other files.
        spread: How far the judges of this case are apart: difference of scores, or 1 if preferences differ.
    """

    key: str
    row: int = 0
    subject: str = ""
    judge: str = ""
    rubric: str = ""
    system: str = ""
    mode: Mode = "score"
    status: Status = "ok"
    problem: str = ""
    verdict: str = ""
    score: float | None = None
    split: bool = False
    values: dict[str, str | float | None] = {}
    tokens: int = 0
    cost: float | None = None
    calls: int = 0
    trial: int = 0
    at: float = 0.0
    case: str = ""
    spread: float | None = None


def head_of(key: str, row: int, part: RowPart) -> JudgmentHead:
    """Return the row of a table for a row of the ledger."""
    item, tags = part.judgment, part.tags
    orders = [order for order in (item.by_order or {}).values() if order is not None]
    scores = item.scores or {}
    usage = item.usage
    system, case = (
        tags.get(name) or " | ".join(part for part in (tags.get(f"{name}_a"), tags.get(f"{name}_b")) if part)
        for name in ("system", "id")
    )
    return JudgmentHead(
        key=key,
        row=row,
        subject=_storable(item.subject),
        judge=_storable(tags.get("judge") or item.judge),
        rubric=_storable(item.rubric or ""),
        system=_storable(system),
        mode=item.mode,
        status=item.status,
        problem=_storable(item.problem or ""),
        verdict=item.preference or ("" if item.choice is None else str(item.choice + 1)),
        score=scores.get("overall"),
        split=len(orders) == 2 and orders[0] != orders[1] and any("A" in order for order in orders),
        values=_values(item.verdicts, scores),
        tokens=usage.input_tokens + usage.output_tokens,
        cost=usage.cost_usd,
        calls=usage.calls,
        trial=part.trial,
        at=part.at,
        case=_storable(case),
    )


def _storable(text: str) -> str:
    """Return a text without lone surrogates, which no database takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _values(verdicts: tuple[_VerdictHead, ...], scores: dict[str, float]) -> dict[str, str | float | None]:
    """Return the verdict on each criterion for the whole, in the order asked; for a number, its score."""
    found: dict[str, str | float | None] = {}
    for item in verdicts:
        if not item.unit and len(item.criterion) <= 200:
            verdict = _storable(item.verdict) if isinstance(item.verdict, str) else item.score
            found[_storable(item.criterion)] = verdict
    return found or {name: value for name, value in scores.items() if name != "overall"}


def part_of(judgment: Judgment, tags: dict[str, str], at: float = 0.0) -> RowPart:
    """Return the same of a judgment that is not from a ledger."""
    return RowPart(
        trial=judgment.repetition,
        judgment=_JudgmentPart(
            subject=judgment.subject,
            judge=judgment.judge,
            rubric=judgment.rubric,
            scores=dict(judgment.scores) if judgment.scores else None,
            preference=judgment.preference,
            by_order=dict(judgment.by_order) if judgment.by_order else None,
            choice=judgment.choice,
            status=judgment.status,
            usage=judgment.usage,
            mode=judgment.mode,
            problem=judgment.problem,
            verdicts=tuple(map(_verdict_head, judgment.verdicts)),
        ),
        tags=tags,
        at=at,
    )


def _verdict_head(item: Verdict) -> _VerdictHead:
    return _VerdictHead(item.criterion, item.unit, item.verdict, item.score, item.status)
