"""Making one fault of several that name the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.reviews.faults import TextFault
    from assay.subjects.span import Span

# Share of the shorter quote that two must have in common to be the same place.
_OVERLAP: Final = 0.5
# Types under which different readers put the same fault.
_KIN: Final = (
    frozenset({"contradiction", "arithmetic", "example_misfit"}),
    frozenset({"overreach", "unsupported", "causal_leap", "source_misfit"}),
    frozenset({"wrong_fact", "contradiction", "source_misfit"}),
    frozenset({"one_sided", "unanswered", "overreach"}),
)


def merged(faults: Iterable[TextFault]) -> tuple[list[TextFault], int]:
    """Return the faults, each once and in the order of the text, and how many were another again."""
    kept: list[TextFault] = []
    repeated = 0
    for fault in faults:
        twin = next((index for index, other in enumerate(kept) if _same(fault, other)), None)
        if twin is None:
            kept.append(fault)
        else:
            repeated += 1
            kept[twin] = joined(kept[twin], fault)
    return sorted(kept, key=lambda fault: (fault.span.start, fault.span.end)), repeated


def joined(fault: TextFault, other: TextFault) -> TextFault:
    """Return a fault with the passes of another that is the same."""
    return msgspec.structs.replace(fault, passes=tuple(dict.fromkeys((*fault.passes, *other.passes))))


def _same(one: TextFault, two: TextFault) -> bool:
    if one.type != two.type and not any({one.type, two.type} <= kin for kin in _KIN):
        return False
    if _overlap(one.span, two.span):
        return True
    # A contradiction may be named from either side.
    return (
        one.other is not None
        and two.other is not None
        and _overlap(one.span, two.other)
        and _overlap(one.other, two.span)
    )


def _overlap(one: Span, two: Span) -> bool:
    common = min(one.end, two.end) - max(one.start, two.start)
    return common >= _OVERLAP * max(1, min(one.end - one.start, two.end - two.start))
