"""Time of the reward of a judge in training: 512 replies that are whole, that break off, or that are prose.

python benchmarks/reward_speed.py
"""

from __future__ import annotations

import json
import random
import time

from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.training.reward import Expected, rewards

COUNT = 512
KEYS = tuple(DIMENSION_KEYS)


def whole(seed: int) -> str:
    """Return a reply of some 2,700 characters in the judge's form."""
    pick = random.Random(seed)
    entry = {"justification": "Report A says that the “costs rose by 12 %” while B {does} not. " * 3}
    entries = {key: {"decision": pick.choice(["A>B", "A<B"]), **entry} for key in KEYS}
    block = {"aspect_evaluations": entries, "overall_explanation": "words " * 40}
    return f"<think>\n{json.dumps(block)}\n</think>\nA>B"


def main() -> None:
    """Print the best of five for each kind."""
    texts = [whole(seed) for seed in range(COUNT)]
    kinds = {
        "whole": texts,
        "broken off": [text[: random.Random(at).randint(300, 2400)] for at, text in enumerate(texts)],
        "prose": ["The first report is better because it cites more {sources}. " * 40] * COUNT,
    }
    for name, replies in kinds.items():
        best = float("inf")
        for _ in range(5):
            began = time.perf_counter()
            rewards(replies, [Expected(label="A>B", keys=KEYS)] * COUNT)
            best = min(best, time.perf_counter() - began)
        print(f"{name:10}  {best * 1000:.0f} ms for {COUNT}")


if __name__ == "__main__":
    main()
