"""The metrics for one kind of label, with its classes and scale: the same for judges and for people."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final

import msgspec

from assay.measures.intervals import Estimate
from assay.measures.tabulate import confusion
from assay.meta.agreement_metrics import class_metrics, score_metrics
from assay.meta.labels.record import Kind
from assay.meta.scales import ScaleMatch

_SIDES: Final = ("A", "tie", "B")
# The last class, if a judge abstained and that counts.
_ABSTAINED: Final = "abstained"
_USUAL: Final = ("met", "partially met", "not met")


class MetricSet(msgspec.Struct, frozen=True, kw_only=True):
    """How values of one kind are compared.

    Attributes:
        kind: Kind of the labels.
        classes: Names of the possible values, in order; empty for scores without steps.
        scale: Scale of scores.
    """

    kind: Kind
    classes: list[str] = []
    scale: ScaleMatch | None = None

    @classmethod
    def of(cls, kind: Kind, values: Iterable[Any], scale: ScaleMatch | None = None) -> MetricSet:
        """Choose the classes: sides of pairs (a tie only if it occurs), words, or steps of the scale."""
        if kind == "score":
            grid = scale.grid if scale else None
            return cls(kind=kind, classes=[] if grid is None else grid.names(), scale=scale)
        present = {value for value in values if value is not None}
        if kind == "preference":
            classes = [side for side in _SIDES if side != "tie" or side in present]
        else:
            usual = [word for word in _USUAL if word in present]
            classes = usual + sorted(present - {*usual, _ABSTAINED})
        return cls(kind=kind, classes=[*classes, _ABSTAINED] if _ABSTAINED in present else classes)

    def code(self, value: Any) -> int:
        """Return the class of a value, from 0. Raises ValueError if it belongs to none."""
        grid = self.scale.grid if self.scale else None
        return grid.code(value) if grid is not None else self.classes.index(value)

    def measure(
        self, truth: Sequence[Any], values: Sequence[Any], tasks: Sequence[Hashable]
    ) -> dict[str, Estimate]:
        """Compute all metrics of the kind."""
        if self.kind == "score":
            same = self.scale is not None and self.scale.same
            return score_metrics(truth, values, tasks, self.scale.grid if self.scale else None, same=same)
        return class_metrics([*map(self.code, truth)], [*map(self.code, values)], tasks, self.classes)

    def confusion(self, truth: Sequence[Any], values: Sequence[Any]) -> list[list[int]]:
        """Count values by class, with the truth in rows; empty without classes or values."""
        if not self.classes or not truth:
            return []
        codes = [self.code(value) for value in truth], [self.code(value) for value in values]
        table: list[list[int]] = confusion(*codes, len(self.classes)).tolist()
        return table
