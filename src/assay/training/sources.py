"""Examples from files: benchmarks, labels, and the test splits of data sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from assay.meta.benchmark import Benchmark
from assay.meta.labels.label_set import read_labels
from assay.training.examples import TrainingExample, read_examples
from assay.training.people import examples_from
from assay.training.planted import examples_of

# More characters than any paragraph has.
_ANY: Final = 10**9


def planted_in(folder: str, most_chars: int | None = None) -> Iterator[TrainingExample]:
    """Yield the planted failures of a benchmark (see `assay.training.planted.examples_of`)."""
    yield from examples_of(Benchmark.load(folder).instances, source=Path(folder).name, most_chars=most_chars)


def labelled_in(path: str) -> Iterator[TrainingExample]:
    """Yield the pairs that people decided in a file of labels."""
    yield from examples_from(read_labels(path), source=Path(path).name)


def tested_in(path: str) -> Iterator[TrainingExample]:
    """Yield every pair on which judges may be tested: of a benchmark, a file of labels, or a data set's test split.

    The pairs of a benchmark come whole and as the paragraphs that differ.
    """
    own = Path(path) / "examples" / "test.jsonl"
    if own.is_file():
        yield from read_examples(own)
    elif Path(path).is_dir():
        for most in (None, _ANY):
            yield from planted_in(path, most)
    else:
        yield from labelled_in(path)
