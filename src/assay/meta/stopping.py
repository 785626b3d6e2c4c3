"""When a run on a benchmark may stop: as soon as the interval of its accuracy is narrow enough, at a stated error."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.errors import UsageError
from assay.measures.sequential import ConfidenceSequence

if TYPE_CHECKING:
    from assay.interventions.instances import Instance
    from assay.meta.trials import Trial

ERROR: Final = 0.05


class StoppingRule:
    """Looks at the accuracy after each reference and says when its interval is narrow enough.

    The instances of a reference are one observation, their mean; the interval holds at every moment with the error
    stated, so that stopping does not bias it (`assay.measures.sequential`).

    Args:
        width: Width of the interval at which the run stops, 0 to 1: 0.2 is ten points either way.
        error: Probability that the accuracy is ever outside the interval.

    Raises:
        UsageError: The width is not between 0 and 1.
    """

    def __init__(self, width: float, *, error: float = ERROR) -> None:
        if not 0 < width < 1:
            raise UsageError(f"a run stops at an interval between 0 and 1 wide, not at {width}")
        self.width = width
        self._sequence = ConfidenceSequence(error=error)
        self._group: str | None = None
        self._correct: list[float] = []

    def add(self, trial: Trial) -> bool:
        """Add a trial, in the order of `shuffled`; return whether the run may stop before it."""
        if trial.group != self._group:
            self._close()
            self._group = trial.group
        if trial.correct is not None and trial.kind in ("failure", "targeted"):
            self._correct.append(float(trial.correct))
        return self._sequence.width <= self.width

    def record(self) -> dict[str, Any]:
        """Return what is kept with the condition."""
        low, high = self._sequence.interval
        return {
            "until": self.width,
            "error": self._sequence.error,
            "references": self._sequence.n,
            "interval": [round(low, 4), round(high, 4)],
        }

    def finish(self) -> None:
        """Add the last reference."""
        self._close()

    def _close(self) -> None:
        if self._correct:
            self._sequence.extend([sum(self._correct) / len(self._correct)])
        self._correct = []


def shuffled(instances: Sequence[Instance]) -> list[Instance]:
    """Return instances with their references in an order that does not depend on what they are."""
    return sorted(
        instances, key=lambda item: (hashlib.blake2b(item.group.encode(), digest_size=8).digest(), item.id)
    )
