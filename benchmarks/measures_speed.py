"""How fast agreement is worked out for a million judgments, against the libraries people use, in the same run.

    python benchmarks/measures_speed.py [JUDGMENTS]

Needs scikit-learn, krippendorff and SciPy. Both sides of a row get the same arrays and must find the same value. CPU
seconds of this process, median of three rounds taken in turn; the ratios are what `docs/benchmarks.md` quotes. The peak
is of what Python and NumPy take while one interval is drawn, beyond the judgments themselves.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable

import krippendorff
import numpy as np
from scipy import stats
from sklearn.metrics import cohen_kappa_score, f1_score

from assay.measures.alpha import krippendorff_alpha
from assay.measures.bootstrap import clustered
from assay.measures.hypotheses import paired_permutation
from assay.measures.kappas import cohen_kappa, fleiss_kappa, gwet_ac, macro_f1
from assay.measures.tabulate import confusion, counts_of

ROUNDS = 3
CATEGORIES = 5


def clocked(call: Callable[[], float | None]) -> tuple[float, float]:
    start = time.process_time()
    value = call()
    return time.process_time() - start, float("nan") if value is None else float(value)


def compared(
    name: str, ours: Callable[[], float | None], theirs: Callable[[], float | None] | None, peer: str = ""
) -> None:
    mine: list[float] = []
    other: list[float] = []
    value = expected = 0.0
    for _ in range(ROUNDS):
        spent, value = clocked(ours)
        mine.append(spent)
        if theirs is not None:
            spent, expected = clocked(theirs)
            other.append(spent)
    row = f"| {name} | {statistics.median(mine):.3f} s |"
    if theirs is None:
        print(f"{row} | | |", flush=True)
        return
    if abs(value - expected) > 1e-6:
        raise SystemExit(f"{name}: {value} is not the {expected} of {peer}")
    ratio = statistics.median(other) / statistics.median(mine)
    print(f"{row} {statistics.median(other):.3f} s | {ratio:.1f} × | {peer} |", flush=True)


def drawn(name: str, call: Callable[[], float | None]) -> None:
    spent = statistics.median(clocked(call)[0] for _ in range(ROUNDS))
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(f"| {name} | {spent:.2f} s | {peak:.0f} MB |", flush=True)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    random = np.random.default_rng(0)
    first = random.integers(0, CATEGORIES, n)
    second = np.where(random.random(n) < 0.6, first, random.integers(0, CATEGORIES, n))
    both = np.stack([first, second])[:, : n // 2]
    floats = both.astype(float)
    hits = first == second

    print(f"{n:,} judgments of {CATEGORIES} categories\n")
    print("| | Assay | peer | | |\n|---|---:|---:|---:|---|")
    for weights, name in (("none", None), ("linear", "linear"), ("quadratic", "quadratic")):
        compared(
            f"Cohen κ, weights {weights}",
            lambda weights=weights: cohen_kappa(confusion(first, second), weights).value,
            lambda name=name: cohen_kappa_score(first, second, weights=name),
            "scikit-learn",
        )
    compared(
        "macro F1",
        lambda: macro_f1(confusion(first, second)).value,
        lambda: f1_score(first, second, average="macro"),
        "scikit-learn",
    )
    for level in ("nominal", "ordinal", "interval", "ratio"):
        compared(
            f"Krippendorff α, {level}",
            lambda level=level: krippendorff_alpha(floats, level).value,
            lambda level=level: krippendorff.alpha(reliability_data=floats, level_of_measurement=level),
            "krippendorff",
        )
    compared("Fleiss κ", lambda: fleiss_kappa(counts_of(both)).value, None)
    compared("Gwet AC2, quadratic", lambda: gwet_ac(counts_of(both), "quadratic", kind="counts").value, None)

    print("\n| 1,000 resamples | CPU | peak |\n|---|---:|---:|")
    for groups in (1000, 20_000, 100_000, n):
        place = random.integers(0, groups, n) if groups < n else np.arange(n)
        for kind in ("accuracy", "kappa", "macro_f1"):
            drawn(
                f"{kind}, {groups:,} groups",
                lambda kind=kind, place=place: (
                    clustered(
                        kind,
                        hits if kind == "accuracy" else first,
                        None if kind == "accuracy" else second,
                        place,
                    ).half
                ),
            )
    place = random.integers(0, 1000, n)
    drawn("Spearman of 5 steps, 1,000 groups", lambda: clustered("spearman", first, second, place).half)
    drawn(
        "permutation test, 10,000 swaps of 1,000 groups", lambda: paired_permutation(first, second, place).p
    )

    small = hits[: n // 10]
    print(
        "\n| 1,000 resamples of a tenth of the hits, each its own group | Assay | peer | | |\n|---|---:|---:|---:|---|"
    )
    mine = statistics.median(clocked(lambda: clustered("accuracy", small).half)[0] for _ in range(ROUNDS))

    def scipys() -> float:
        found = stats.bootstrap((small,), np.mean, method="percentile", n_resamples=1000, batch=20)
        return float(found.confidence_interval.high - found.confidence_interval.low) / 2

    other = statistics.median(clocked(scipys)[0] for _ in range(ROUNDS))
    print(f"| accuracy | {mine:.4f} s | {other:.2f} s | {other / mine:,.0f} × | scipy.stats.bootstrap |")


if __name__ == "__main__":
    main()
