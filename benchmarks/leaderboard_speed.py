"""How fast Bradley–Terry strengths of 50 systems come out of a million comparisons, against libraries in the same run.

    python benchmarks/leaderboard_speed.py [--systems 50] [--comparisons 1000000] [--rounds 3]

Everyone is given the same comparisons as arrays of numbers, a tenth of them ties. choix takes pairs of winner and loser
and knows no ties, so a tie is one win each way there, and everything else is counted twice; building that list is not
counted. evalica takes names and verdicts as they are. Then what the library cannot: a thousand bootstrap draws over tasks.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import choix
import evalica
import numpy as np

from assay.measures.bradley_terry import bradley_terry, bradley_terry_draws, win_matrix
from assay.meta.leaderboard.build import build_leaderboard
from assay.meta.leaderboard.comparisons import Comparisons


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=50)
    parser.add_argument("--comparisons", type=int, default=1_000_000)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    n, many = asked.systems, asked.comparisons
    random = np.random.default_rng(5)
    strengths = random.normal(0, 1, n)
    first = random.integers(0, n, many)
    second = (first + random.integers(1, n, many)) % n
    chance = 1 / (1 + np.exp(strengths[second] - strengths[first]))
    outcome = (random.random(many) < chance).astype(float)
    outcome[random.random(many) < 0.1] = 0.5
    tasks = random.integers(0, asked.tasks, many)

    pairs: list[tuple[int, int]] = []
    for one, two, said in zip(first.tolist(), second.tolist(), outcome.tolist(), strict=True):
        pairs += [(one, two), (two, one)] if said == 0.5 else [(one, two) if said else (two, one)] * 2
    winners = [
        evalica.Winner.Draw if said == 0.5 else evalica.Winner.X if said else evalica.Winner.Y
        for said in outcome
    ]
    left, right = [f"s{at}" for at in first], [f"s{at}" for at in second]
    comparisons = Comparisons(
        systems=tuple(f"s{at:03d}" for at in range(n)),
        tasks=asked.tasks,
        domains=(),
        first=first,
        second=second,
        task=tasks,
        domain=np.full(many, -1),
        verdicts={"overall": (outcome * 2 - 1).astype(np.int8)},
        style_first=np.full(many, -1),
        style_second=np.full(many, -1),
    )
    contenders: dict[str, Callable[[], object]] = {
        "Assay (matrix, prior 0)": lambda: bradley_terry(win_matrix(first, second, outcome, n), prior=0),
        "choix.ilsr_pairwise": lambda: choix.ilsr_pairwise(n, pairs),
        "evalica.bradley_terry": lambda: evalica.bradley_terry(left, right, winners),
        "Assay, 1,000 draws over tasks": lambda: bradley_terry_draws(tasks, first, second, outcome, n),
        "Assay, the whole board": lambda: build_leaderboard(comparisons),
    }
    bradley_terry(np.array([[0.0, 2.0], [1.0, 0.0]]))  # loads what is loaded late
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(asked.rounds):
        for name, work in contenders.items():
            times[name].append(timed(work))
    ours = statistics.median(times["Assay (matrix, prior 0)"])
    print(f"{n} systems, {many:,} comparisons, {asked.tasks:,} tasks, median of {asked.rounds} rounds")
    for name, found in times.items():
        middle = statistics.median(found)
        print(f"{name:32s} {middle:9.3f} s   {middle / ours:9.1f} × ours")
    exact = bradley_terry(win_matrix(first, second, outcome, n), prior=0)
    theirs = choix.ilsr_pairwise(n, pairs)
    print(f"largest difference from choix: {np.abs(exact - theirs + theirs.mean()).max():.1e} log-odds")


if __name__ == "__main__":
    main()
