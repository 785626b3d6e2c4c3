"""Seconds from a million judgments to columns and to a data frame.

python benchmarks/judgments_frame.py [NUMBER]
"""

from __future__ import annotations

import random
import sys
import time

from assay.judges.judgment import Judgment
from assay.judges.judgments import Judgments
from assay.models.base import Usage

KEYS = ("coherence", "depth", "support", "clarity", "insight", "balance", "style", "order")


def _judgments(number: int) -> Judgments:
    draw = random.Random(0)
    usage = Usage(2, 9000, 8000, 300, 0.004)
    for_system = [{"id": f"t{i}", "system": f"s{i % 7}"} for i in range(1000)]
    return Judgments(
        Judgment(
            f"{i} | {i + 1}" if i % 2 else f"reports/{i}.md",
            "full@openai/gpt-5-mini",
            "reflect-report",
            scores={**{key: draw.random() for key in KEYS}, "overall": draw.random()},
            preference="A>B" if i % 2 else None,
            by_order={"AB": "A>B", "BA": "tie"} if i % 2 else None,
            mode="compare" if i % 2 else "score",
            usage=usage,
            metadata=for_system[i % 1000],
        )
        for i in range(number)
    )


def main() -> None:
    """Measure."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    import pandas  # noqa: ICN001, PLC0415, F401 - its import is not measured

    judgments = _judgments(number)
    start = time.perf_counter()
    columns = judgments.to_columns()
    columned = time.perf_counter()
    frame = judgments.to_frame()
    done = time.perf_counter()
    print(
        f"{number:,} judgments, {len(columns)} columns: {columned - start:.2f} s; frame {done - columned:.2f} s"
    )
    print(frame.dtypes.to_string())


if __name__ == "__main__":
    main()
