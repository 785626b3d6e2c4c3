"""Mixing examples of several sources by ratio."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from assay.training.examples import TrainingExample


def mixed(
    sources: Mapping[str, Sequence[TrainingExample]],
    ratios: Mapping[str, float],
    *,
    seed: int = 0,
) -> dict[str, list[TrainingExample]]:
    """Return as many examples as possible of each source in these proportions.

    Which examples stay is decided by a hash of the pair and the seed, so that the choice does not change when others
    are added, beyond what their number demands.

    Args:
        sources: Examples by source.
        ratios: Parts by source; a source without one is taken whole, and so are all if there are none.
        seed: Seed of the choice.

    Raises:
        ValueError: A ratio is negative, or is given for a source without examples.
    """
    wanted = {name: ratio for name, ratio in ratios.items() if ratio > 0}
    if any(ratio < 0 for ratio in ratios.values()):
        raise ValueError("a ratio is negative")
    if empty := sorted(name for name in wanted if not sources.get(name)):
        raise ValueError(f"there are no examples of {', '.join(empty)} to mix")
    unit = min((len(sources[name]) / ratio for name, ratio in wanted.items()), default=0.0)
    result: dict[str, list[TrainingExample]] = {}
    for name, examples in sources.items():
        if name not in ratios:
            result[name] = list(examples)
            continue
        count = round(unit * ratios[name])
        chosen = set(sorted(range(len(examples)), key=lambda at: _draw(examples[at], seed))[:count])
        result[name] = [item for at, item in enumerate(examples) if at in chosen]
    return result


def _draw(example: TrainingExample, seed: int) -> str:
    return hashlib.blake2b(f"{seed}:{example.digest}".encode(), digest_size=8).hexdigest()
