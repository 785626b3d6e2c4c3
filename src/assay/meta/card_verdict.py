"""The verdict on a judge in a few words, for a reader who decides whether to use it.

It is written from intervals: a judge is "better than a coin toss" only if its whole interval is, and whatever an
interval leaves open is called undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate
    from assay.meta.detection_record import Detection

_HALF: Final = 0.5
_LEAST_COVERAGE: Final = 0.95
# A judge whose interval reaches this share is not said to miss failures.
_NEARLY_ALL: Final = 0.95
_NAMED: Final = 3
Side = Literal["above", "below", "undecided"]


def verdict_of(detection: Detection, *, finished: bool = True) -> str:
    """Return what a judge detects, what fools it, and what it must not be used for.

    Args:
        detection: Results of the judge.
        finished: Whether the run came to its end.
    """
    parts = [
        _detects(detection),
        _levels(detection),
        _attacks(detection),
        _without_verdict(detection),
        _advice(detection),
    ]
    text = " ".join(part for part in parts if part)
    return text if finished else f"The run is unfinished. {text}"


def _side(rate: Estimate) -> Side:
    """Return on which side of one half the whole interval lies."""
    # As shown, in whole percent: a reader does not take [50, 70] to be above one half.
    if rate.low is not None and round(rate.low, 2) > _HALF:
        return "above"
    return "below" if rate.high is not None and round(rate.high, 2) < _HALF else "undecided"


def _detects(detection: Detection) -> str:
    rate = detection.accuracy
    if not detection.n:
        return "It was not tested on failures."
    if rate.value is None:
        return f"It gave no verdict on any of {detection.n:,} failures, so what it detects is unknown."
    if rate.low is None or rate.high is None:
        found = f"It detected {round(rate.value * rate.n):,} of {rate.n:,} planted failures"
        return f"{found}, all made of one report, which is too little for an interval."
    found = f"It detects {_percent(rate)} of planted failures"
    ties = (
        f" ({rate.ties:,} of its {rate.n:,} verdicts are ties, which count as misses)"
        if rate.ties * 4 > rate.n
        else ""
    )
    return {
        "above": f"{found}, more than a coin toss.",
        "below": f"{found}, fewer than a coin toss{ties}.",
        "undecided": f"{found}, which cannot be told from a coin toss{ties}.",
    }[_side(rate)]


def _levels(detection: Detection) -> str:
    """Return what differs between reports and trajectories, if both were tested and only one is above chance."""
    sides = {name: _side(rate) for name, rate in detection.by_level.items() if rate.value is not None}
    if len(set(sides.values())) < 2 or _side(detection.accuracy) != "above":
        return ""
    weak = [
        f"{name} failures ({_percent(rate)})"
        for name, rate in detection.by_level.items()
        if sides.get(name, "above") != "above"
    ]
    return f"It is not shown to beat a coin toss on {' and '.join(weak)}."


def _attacks(detection: Detection) -> str:
    rates = detection.robustness.asr if detection.robustness else {}
    known = {name.removeprefix("targeted_"): rate for name, rate in rates.items() if rate.value is not None}
    if not known:
        return ""
    above, open_, below = (_of_side(known, side) for side in ("above", "undecided", "below"))
    kinds = f"{len(known)} {'kind' if len(known) == 1 else 'kinds'} of attack"
    if len(below) == len(known):
        tested = f"All {kinds} tested" if len(known) > 1 else "The one kind of attack tested"
        return f"{tested} {'fool' if len(known) > 1 else 'fools'} it less often than not."
    if not above:
        robustness = detection.robustness
        assert robustness is not None
        families = {
            "targeted attacks": robustness.asr_targeted,
            "surface attacks": robustness.asr_bias,
            "manipulations": robustness.asr_manipulation,
        }
        shares = [f"{_percent(rate)} of {name}" for name, rate in families.items() if rate.n]
        return f"{_joined(shares)} succeed."
    rest = f"; {len(open_)} more {'is' if len(open_) == 1 else 'are'} undecided" if open_ else ""
    return f"It is fooled more often than not by {len(above)} of {kinds} ({_listed(above)}){rest}."


def _without_verdict(detection: Detection) -> str:
    coverage = detection.coverage
    if coverage is None or coverage >= _LEAST_COVERAGE or detection.accuracy.value is None:
        return ""
    return f"It gave no verdict on {100 * (1 - coverage):.0f} % of the cases."


def _advice(detection: Detection) -> str:
    rate = detection.accuracy
    if rate.value is None:
        return ""
    side = _side(rate)
    if side == "below":
        return "Do not rely on it to find failures."
    if side == "undecided":
        return "Do not rely on it until more cases show that it beats a coin toss."
    blind = _of_side(detection.by_type, "below")
    if blind:
        return f"Do not use it alone for {_listed(blind)}."
    if rate.high is not None and rate.high < _NEARLY_ALL:
        return (
            f"Do not use it alone: it misses at least {100 * (1 - rate.high):.0f} % of failures like these."
        )
    if rate.low is not None and rate.low >= _NEARLY_ALL:
        return f"It misses at most {100 * (1 - rate.low):.0f} % of failures like these."
    return ""


def _of_side(rates: Mapping[str, Estimate], side: Side) -> list[str]:
    return [name for name, rate in rates.items() if rate.value is not None and _side(rate) == side]


def _listed(names: Iterable[str]) -> str:
    words = [name.replace("_", " ") for name in names]
    more = len(words) - _NAMED
    shown = words if more <= 0 else [*words[:_NAMED], f"{more} more"]
    return _joined(shown)


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _percent(rate: Estimate) -> str:
    if rate.value is None:
        return "no verdict"
    if rate.low is None or rate.high is None:
        return f"{100 * rate.value:.0f} %"
    return f"{100 * rate.value:.0f} % [{100 * rate.low:.0f}, {100 * rate.high:.0f}]"
