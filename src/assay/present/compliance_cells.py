"""Figures of ``assay.compliance/1`` as short texts: shares in percent, intervals in brackets, "–" for what there is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from assay.measures.correlation import Correlation
    from assay.measures.describe import Description
    from assay.measures.intervals import Estimate
    from assay.suites.compliance.record import CriterionCoverage

NONE: Final = "–"
ALL: Final = "all together"


def percent(estimate: Estimate | None, *, signed: bool = False) -> str:
    """``75.5 [73.7, 77.3]``, of a share or a difference of shares."""
    if estimate is None or estimate.value is None:
        return NONE
    sign = "+" if signed else ""
    text = _number(f"{100 * estimate.value:{sign}.1f}")
    if estimate.low is None or estimate.high is None:
        return text
    low, high = (_number(f"{100 * end:{sign}.1f}") for end in (estimate.low, estimate.high))
    return f"{text} [{low}, {high}]"


def _number(text: str) -> str:
    return "0.0" if text in ("-0.0", "+0.0") else text.replace("-", "−")


def of(part: int, whole: int) -> str:
    """``99 of 100``; the number alone where that is all."""
    return f"{whole:,}" if part == whole else f"{part:,} of {whole:,}"


def verdicts(coverage: CriterionCoverage) -> str:
    """How many criteria have a verdict."""
    return of(coverage.verdicts, coverage.criteria)


def level_title(key: str) -> str:
    """``conceptual_breadth`` as people write it."""
    return key.replace("_", " ").capitalize()


def short(estimate: Estimate) -> str:
    """``75.5``: the value in percent without its interval."""
    return NONE if estimate.value is None else _number(f"{100 * estimate.value:.1f}")


def plain(estimate: Estimate) -> str:
    """``118.9 [102.0, 135.7]``: a mean of numbers."""
    if estimate.value is None:
        return NONE
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:,.1f}"
    return f"{estimate.value:,.1f} [{estimate.low:,.1f}, {estimate.high:,.1f}]"


def mean(words: Description, digits: int = 0) -> str:
    """A mean without its interval."""
    return NONE if words.mean is None else f"{words.mean:,.{digits}f}"


def correlation(found: Correlation) -> str:
    """``0.24 [0.05, 0.42]``."""
    if found.value is None:
        return NONE
    value = _signed(found.value)
    if found.low is None or found.high is None:
        return value
    return f"{value} [{_signed(found.low)}, {_signed(found.high)}]"


def _signed(value: float) -> str:
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text.replace("-", "−")


def p_value(p: float | None) -> str:
    """``0.012``, ``<0.001``."""
    if p is None:
        return NONE
    return "<0.001" if p < 0.001 else f"{p:.3f}"
