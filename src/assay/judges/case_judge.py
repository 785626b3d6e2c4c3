"""What every judge can do, whether it asks a model, applies rules, calls a function or combines other judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.subjects.case import Case, Mode


class CaseJudge(Protocol):
    """A judge of cases: all that plans, runs and evaluations know of a judge."""

    @property
    def name(self) -> str:
        """Its name in results."""
        ...

    @property
    def version(self) -> str | None:
        """Hash of everything that can change its judgments; None if unknown, and then none is ever recalled."""
        ...

    @property
    def rubric_name(self) -> str | None:
        """Name of its rubric; None if it has none."""
        ...

    @property
    def repetitions(self) -> int:
        """How often it judges each case."""
        ...

    @property
    def modes(self) -> tuple[Mode, ...]:
        """What it can do with a case."""
        ...

    def check(self, case: Case) -> None:
        """Refuse a case that cannot be judged, before anything is spent.

        Raises:
            UsageError: It cannot; the message says why and what to do.
        """
        ...

    def key(self, case: Case, repetition: int = 0) -> str:
        """Return the content address of a judgment: 32 hex digits, by which a ledger finds it again."""
        ...

    async def judge(self, case: Case, repetition: int = 0) -> Judgment:
        """Judge a case. ``repetition`` counts from 0.

        Raises:
            AssayError: No other case could be judged either, as with a wrong key. A call that failed is not an error
                but the status of the judgment.
        """
        ...
