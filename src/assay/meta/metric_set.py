"""What a judge is measured with, and a person: the metrics of a kind of label, its classes, its scale."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final

import msgspec

from assay.measures.intervals import Estimate
from assay.meta.agreement_metrics import of_classes, of_scores
from assay.meta.labels.record import Kind
from assay.meta.scales import ScaleMatch

_SIDES: Final = ("A", "tie", "B")
_USUAL: Final = ("met", "partially met", "not met")


class MetricSet(msgspec.Struct, frozen=True, kw_only=True):
    """How values of a kind are compared.

    Attributes:
        kind: Of the labels.
        classes: Names of what can be said, in order; none of scores without steps.
        scale: Of scores.
    """

    kind: Kind
    classes: list[str] = []
    scale: ScaleMatch | None = None

    @classmethod
    def of(cls, kind: Kind, values: Iterable[Any], scale: ScaleMatch | None = None) -> MetricSet:
        """For these values: sides of pairs (a tie only where somebody says so), words, or steps of the scale."""
        if kind == "score":
            grid = scale.grid if scale else None
            return cls(kind=kind, classes=[] if grid is None else grid.names(), scale=scale)
        said = {value for value in values if value is not None}
        if kind == "preference":
            return cls(kind=kind, classes=[side for side in _SIDES if side != "tie" or side in said])
        usual = [word for word in _USUAL if word in said]
        return cls(kind=kind, classes=usual + sorted(said - set(usual)))

    @property
    def same(self) -> bool:
        """Whether scores are on one scale."""
        return self.scale is not None and self.scale.same

    def code(self, value: Any) -> int:
        """The class of a value, from 0. Raises ValueError where it is of none."""
        grid = self.scale.grid if self.scale else None
        return grid.code(value) if grid is not None else self.classes.index(value)

    def measure(
        self, truth: Sequence[Any], said: Sequence[Any], tasks: Sequence[Hashable]
    ) -> dict[str, Estimate]:
        """All metrics of the kind."""
        if self.kind == "score":
            return of_scores(truth, said, tasks, self.scale.grid if self.scale else None, same=self.same)
        return of_classes([*map(self.code, truth)], [*map(self.code, said)], tasks, self.classes)

    def confusion(self, truth: Sequence[Any], said: Sequence[Any]) -> list[list[int]]:
        """Counts, the truth by rows; none where there are no classes."""
        if not self.classes or not truth:
            return []
        from assay.measures.tabulate import confusion  # noqa: PLC0415

        codes = [self.code(value) for value in truth], [self.code(value) for value in said]
        table: list[list[int]] = confusion(*codes, len(self.classes)).tolist()
        return table
