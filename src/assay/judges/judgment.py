"""The result of a judge on one case: the contract ``assay.judgment/1``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

import msgspec

from assay.models.base import Usage

SCHEMA: Final = "assay.judgment/1"
Preference = Literal["A>B", "A<B", "both_good", "both_bad", "tie"]
Status = Literal["ok", "unparsed", "refused", "failed"]
_WORST_FIRST: Final[tuple[Status, ...]] = ("failed", "refused", "unparsed")


class Quote(msgspec.Struct, frozen=True, omit_defaults=True):
    """A quotation that a judgment rests on; its offsets are None if the subject does not contain it.

    ``document`` is the index of the subject, in the order given.
    """

    text: str
    start: int | None
    end: int | None
    document: int = 0


class Judgment(msgspec.Struct, frozen=True):
    """One judgment. For a pair, ``scores`` are margins from -1 (B) to 1 (A) by dimension."""

    subject: str
    judge: str
    rubric: str | None = None
    scores: dict[str, float] | None = None
    preference: Preference | None = None
    by_order: dict[str, Preference | None] | None = None
    choice: int | None = None
    status: Status = "ok"
    rationale: str = ""
    quotes: tuple[Quote, ...] = ()
    usage: Usage = Usage()
    schema: str = SCHEMA

    def to_dict(self) -> dict[str, Any]:
        """Return the contract as plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}


def worst_status(statuses: Iterable[Status]) -> Status:
    """Return the status of a whole: the worst status of its parts, so ``ok`` only if all parts are."""
    given = set(statuses)
    return next((status for status in _WORST_FIRST if status in given), "ok")


def settle_orders(verdicts: Sequence[Preference | None]) -> Preference | None:
    """Return one preference for both orders: a shared one, otherwise a tie; None if an order has no verdict."""
    if not verdicts or None in verdicts:
        return None
    return verdicts[0] if len(set(verdicts)) == 1 else "tie"
