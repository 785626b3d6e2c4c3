"""What a model-built argument graph takes, by the length of the report: calls, prompt tokens, the largest prompt.

    python benchmarks/extraction_calls.py [WORDS]...

No model is asked: a double answers that knows the graph the report was written around (tests/logic/model/doubles.py), so
these are the calls a model makes that never errs. Tokens are estimated.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from assay.logic.model import extract_graph
from assay.models.tokens import estimate_request

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "logic" / "model"))
from doubles import Ideal, Planted, author

USUAL = (300, 1_000, 5_000, 10_000, 20_000, 50_000)


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or USUAL
    print(f"{'words':>8} {'calls':>6} {'prompt tokens':>14} {'largest':>8} {'nodes':>6}")
    for size in sizes:
        planted = Planted(size)
        model = Ideal(planted.truth)
        found = asyncio.run(extract_graph(author(model), planted.report))
        tokens = [estimate_request(request) for request in model.requests]
        print(
            f"{planted.report.words:>8,} {len(tokens):>6,} {sum(tokens):>14,} {max(tokens):>8,}"
            f" {len(found.graph.nodes):>6,}"
        )


if __name__ == "__main__":
    main()
