"""Pairs that are too long, cut by section: both sides keep the same sections, among them those in which they differ."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from assay.subjects.report import Report
from assay.training.examples import TrainingExample


def cut_pair(example: TrainingExample, fits: Callable[[TrainingExample], bool]) -> TrainingExample | None:
    """Return a pair with as many sections as fit, from the beginning; None if it cannot be cut.

    Two versions of one text keep the sections in which they differ, so a planted failure stays. Two different texts
    keep the same share of their sections each: their label was given to the whole, so this is for planted pairs first.

    Args:
        example: The pair.
        fits: Whether a pair is short enough.
    """
    a, b = _sections(example.a), _sections(example.b)
    if example.provenance == "planted":
        needed = _differing(a, b)
        if needed is None:
            return None
        choices = (sorted({*needed, *range(count)}) for count in range(len(a) - 1, -1, -1))
        sides = (("".join(a[i] for i in kept), "".join(b[i] for i in kept)) for kept in choices)
    else:
        steps = max(len(a), len(b))
        sides = (
            ("".join(a[: len(a) * count // steps]), "".join(b[: len(b) * count // steps]))
            for count in range(steps - 1, 0, -1)
        )
    for one, other in sides:
        if not one.strip() or not other.strip() or one == other:
            continue
        shorter = msgspec.structs.replace(example, a=one, b=other)
        if fits(shorter):
            return shorter
    return None


def _sections(text: str) -> list[str]:
    """Return the parts of a text from heading to heading; the text before the first heading is one."""
    report = Report(text)
    starts = sorted({0, *(section.span.start for section in report.sections[1:])})
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _differing(one: list[str], other: list[str]) -> set[int] | None:
    """Return the indices of the sections in which two versions differ; None if they have different sections."""
    if len(one) != len(other):
        return None
    return {index for index, (left, right) in enumerate(zip(one, other, strict=True)) if left != right}
