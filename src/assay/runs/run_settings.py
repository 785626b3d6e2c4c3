"""Settings of a run, and its progress."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from assay.errors import AssayError, UsageError
from assay.models.base import Usage
from assay.runs.budget import Budget
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.runs.ledger import Ledger

OnError = Literal["keep", "raise"]


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run is.

    Attributes:
        planned: Number of judgments of the run, repetitions included.
        done: Number of judgments that are finished: made, recalled, or not needed.
        made: Number of judgments that were made now.
        recalled: Number of judgments that the ledger had.
        failed: Number of judgments that were made now and have no verdict.
        usage: Calls, tokens and cost of the models.
        seconds: Seconds since the start.
        seconds_left: Seconds that remain at this rate; None if unknown.
    """

    planned: int
    done: int = 0
    made: int = 0
    recalled: int = 0
    failed: int = 0
    usage: Usage = Usage()
    seconds: float = 0.0
    seconds_left: float | None = None


class RunSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a run.

    Attributes:
        ledger: File or address that keeps every call and judgment, or an open `Ledger`; None keeps nothing.
        fresh: Whether to ask again what the ledger has.
        budget: Caps on spending: US dollars, or a `Budget`.
        max_concurrency: Maximum calls in flight, over all models and functions; by default each model's own limit.
        on_error: "keep": a judgment that fails is a result with its problem. "raise": it ends the run.
        progress: False shows nothing; a function receives a `Progress` now and then and at the end; by default there
            is a bar in terminals and notebooks after a second.

    Raises:
        UsageError: A setting has an invalid value.
    """

    ledger: Any = None
    fresh: bool = False
    budget: Any = None
    max_concurrency: Annotated[int, msgspec.Meta(ge=1)] | None = None
    on_error: OnError = "keep"
    progress: Any = None

    def __post_init__(self) -> None:
        if self.on_error not in ("keep", "raise"):
            raise UsageError(
                f"on_error is {self.on_error!r}; {did_you_mean(str(self.on_error), ('keep', 'raise'))}"
            )
        count: Any = self.max_concurrency
        if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
            raise UsageError(f"max_concurrency is {count!r}; it must be a whole number of 1 or more")
        if not (self.progress is None or isinstance(self.progress, bool) or callable(self.progress)):
            raise UsageError(f"progress is {self.progress!r}; it must be True, False, None or a function")
        if isinstance(self.budget, int | float) and not isinstance(self.budget, bool):
            msgspec.structs.force_setattr(self, "budget", Budget(usd=float(self.budget)))
        elif self.budget is not None and not isinstance(self.budget, Budget):
            raise UsageError(f"budget is {self.budget!r}; it must be a number of US dollars or a Budget")

    def replace(self, **changes: Any) -> RunSettings:
        """Return the settings with changes.

        Raises:
            UsageError: There is no such setting.
        """
        for key in changes:
            if key not in self.__struct_fields__:
                raise UsageError(f"a run has no setting {key!r}; {did_you_mean(key, self.__struct_fields__)}")
        return RunSettings(**{**msgspec.structs.asdict(self), **changes})

    @property
    def report(self) -> Callable[[Progress], Any] | None:
        """The function that receives the progress, if there is one."""
        return self.progress if callable(self.progress) else None

    def __repr__(self) -> str:
        usual = RunSettings.__struct_defaults__
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, default in zip(self.__struct_fields__, usual, strict=True)
            if getattr(self, name) is not default
        ]
        return f"RunSettings({', '.join(changed)})"


def opened_ledger(ledger: str | PathLike[str] | Ledger | None) -> tuple[Ledger | None, bool]:
    """Return an open ledger, and whether it was opened here."""
    from assay.runs.ledger import Ledger, open_ledger  # noqa: PLC0415 - with the database

    if ledger is None or isinstance(ledger, Ledger):
        return ledger, False
    if not isinstance(ledger, str | PathLike):
        raise UsageError(f"ledger is {ledger!r}; it must be a path, an address, a Ledger or None")
    try:
        return open_ledger(fspath(ledger)), True
    except ValueError as error:
        if isinstance(error, AssayError):
            raise
        raise UsageError(f"ledger is {fspath(ledger)!r}; that cannot be a path") from error
