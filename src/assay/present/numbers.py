"""Numbers as people read them: shares in percent, intervals in brackets; "–" for none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate

NONE: Final = "–"


def titled(key: str) -> str:
    """Return a key as words: ``evidence_omission`` as "evidence omission"."""
    return key.replace("_", " ")


def number(value: float | None, digits: int = 3) -> str:
    """Return a value with a fixed number of decimals; a dash for None."""
    return NONE if value is None else f"{value:,.{digits}f}"


def interval(estimate: Estimate | None, digits: int = 3) -> str:
    """Return ``0.412 [0.310, 0.506]``; without an interval the value alone."""
    if estimate is None or estimate.value is None:
        return NONE
    if estimate.low is None or estimate.high is None:
        return number(estimate.value, digits)
    return (
        f"{number(estimate.value, digits)} [{number(estimate.low, digits)}, {number(estimate.high, digits)}]"
    )


def percent(value: float | None, digits: int = 0) -> str:
    """Return a share as a number of percent, without the sign."""
    return NONE if value is None else f"{100 * value:.{digits}f}"


def percent_sign(value: float | None, digits: int = 0) -> str:
    """Return ``75 %``; a dash for None."""
    return NONE if value is None else f"{percent(value, digits)} %"


def percent_interval(estimate: Estimate | None, *, signed: bool = False) -> str:
    """Return ``75.5 [73.7, 77.3]`` for a share, or with signs for a difference of shares."""
    if estimate is None or estimate.value is None:
        return NONE
    shown = [
        minus(f"{100 * value:{'+' if signed else ''}.1f}")
        for value in (estimate.value, estimate.low, estimate.high)
        if value is not None
    ]
    return f"{shown[0]} [{shown[1]}, {shown[2]}]" if len(shown) == 3 else shown[0]


def between(estimate: Estimate, *, joiner: str = "–") -> str:
    """Return the interval of a share alone, in percent: ``70–80``; empty if there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{percent(estimate.low)}{joiner}{percent(estimate.high)}"


def minus(text: str) -> str:
    """Return a formatted number with a true minus sign, and without the sign of a zero."""
    return text[1:] if text[:1] in ("-", "+") and not text.strip("-+0.") else text.replace("-", "−")


def p_value(p: float | None) -> str:
    """Return ``0.012`` or ``<0.001``."""
    return NONE if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def of(part: int, whole: int) -> str:
    """Return ``99 of 100``; the number alone where part and whole are the same."""
    return f"{whole:,}" if part == whole else f"{part:,} of {whole:,}"
