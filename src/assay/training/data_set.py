"""A data set for training a judge: examples in three splits, exported for SFT, GRPO and preference training.

    DIR/manifest.json                     assay.training-data/1: counts, sources, filters, hashes
    DIR/card.md                           the same for people
    DIR/examples/{train,validation,test}.jsonl   assay.training/1, one pair a line
    DIR/sft/….jsonl                       messages
    DIR/grpo/….jsonl                      prompt, label, dimensions, id, order
    DIR/dpo/….jsonl                       prompt, chosen, rejected

Exported rows show each pair in both orders.
"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay._version import __version__
from assay.errors import InputError
from assay.interventions.artefacts import artefacts_of
from assay.training.cutting import cut_pair
from assay.training.examples import TrainingExample, exported, write_examples
from assay.training.mixing import mixed
from assay.training.prompting import JudgePrompt
from assay.training.splitting import SPLITS, HeldOut, Split, split_by_group

SCHEMA: Final = "assay.training-data/1"
MANIFEST: Final = "manifest.json"
CARD: Final = "card.md"
# The columns of each way of training.
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "sft": ("id", "order", "messages"),
    "grpo": ("id", "order", "prompt", "label", "dimensions", "provenance", "language", "kind"),
    "dpo": ("id", "order", "prompt", "chosen", "rejected"),
}
_WINS: Final = {"A>B": False, "A<B": True}


class TokenLengths(msgspec.Struct, frozen=True, kw_only=True):
    """Lengths of prompt and reply together, in tokens: of ``n`` rows, the median, the 95th percentile, the longest."""

    n: int = 0
    median: int = 0
    p95: int = 0
    longest: int = 0

    @classmethod
    def of(cls, lengths: Sequence[int]) -> TokenLengths:
        """Return the summary of lengths."""
        if not lengths:
            return cls()
        ordered = sorted(lengths)
        return cls(
            n=len(ordered),
            median=round(statistics.median(ordered)),
            p95=ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
            longest=ordered[-1],
        )


class Shortcut(msgspec.Struct, frozen=True, kw_only=True):
    """How often something that understands nothing is right about a label; 0.5 is chance."""

    detector: str
    accuracy: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reason: str = ""


class DataManifest(msgspec.Struct, kw_only=True):
    """How a data set was made, and what is in it.

    Attributes:
        counts: Pairs by split and provenance.
        labels: Pairs of the training split by label.
        dimensions: Labels on dimensions in the training split, by dimension.
        languages: Pairs by language.
        sources: Pairs by source, of all splits.
        licences: Licences by source, as the user named them.
        filters: What the filters on teachers' verdicts removed, as `assay.training.teachers.FilterReport`.
        removed: Pairs left out, by reason.
        lengths: Token lengths of the rows by split.
        counted_by: What counted the tokens: the name of a tokenizer, or ``estimate``.
        max_length: Longest row that is kept, in tokens.
        cut: Number of pairs that were cut by section to fit.
        shortcuts: Whether length or style alone predicts the label.
        seed: Seed of draws and splits.
        shares: Shares of the splits.
        rubric: Name and version of the rubric.
        strategy: The strategy whose prompts were used.
        files: Hash of each file, by its path in the folder.
        version: Version of Assay.
        schema: ``assay.training-data/1``.
    """

    counts: dict[str, dict[str, int]]
    labels: dict[str, int]
    dimensions: dict[str, int]
    languages: dict[str, int]
    sources: dict[str, int]
    licences: dict[str, str] = {}
    filters: dict[str, Any] = {}
    removed: dict[str, int] = {}
    lengths: dict[str, TokenLengths] = {}
    counted_by: str = "estimate"
    max_length: int = 0
    cut: int = 0
    shortcuts: list[Shortcut] = []
    seed: int = 0
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    rubric: str = ""
    strategy: str = ""
    files: dict[str, str] = {}
    version: str = __version__
    schema: str = SCHEMA


class DataSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How examples become a data set.

    Attributes:
        ratios: Parts by provenance; none to take all there are.
        shares: Shares of training, validation and test.
        seed: Seed of draws and splits.
        max_length: Longest row in tokens.
        cut: Whether longer pairs are cut by section instead of left out.
        count: Counts the tokens of a text.
        counted_by: What counts them, by name.
        licences: Licences by source.
    """

    ratios: Mapping[str, float] = {}
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    seed: int = 0
    max_length: int = 40_960
    cut: bool = False
    count: Callable[[str], int]
    counted_by: str = "estimate"
    licences: Mapping[str, str] = {}


def write_data_set(
    folder: Path,
    sources: Mapping[str, Sequence[TrainingExample]],
    prompt: JudgePrompt,
    settings: DataSettings,
    *,
    never: Iterable[TrainingExample] = (),
    filters: Mapping[str, Any] | None = None,
) -> DataManifest:
    """Mix, split and write examples, and return the manifest.

    Args:
        folder: Where to; it is created.
        sources: Examples by provenance.
        prompt: Makes the messages.
        settings: All numbers.
        never: Pairs of benchmarks that are used for testing, which are left out by their content.
        filters: What the filters on teachers' verdicts did, for the record.

    Raises:
        InputError: No example is left.
    """
    fitting: dict[str, list[TrainingExample]] = {}
    lengths: dict[str, int] = {}
    too_long = cut = held_out = 0
    # Before anything is cut: a cut text would no longer be known again.
    held = HeldOut(never)

    def size_of(item: TrainingExample) -> int:
        return max(_size(item, order, prompt, settings.count) for order in (0, 1))

    for name, examples in sources.items():
        fitting[name] = []
        for item in examples:
            if item in held:
                held_out += 1
                continue
            kept: TrainingExample | None = item
            if size_of(item) > settings.max_length:
                kept = (
                    cut_pair(item, lambda pair: size_of(pair) <= settings.max_length)
                    if settings.cut
                    else None
                )
                cut += kept is not None
            if kept is None:
                too_long += 1
                continue
            lengths[kept.digest] = size_of(kept)
            fitting[name].append(kept)
    chosen = mixed(fitting, settings.ratios, seed=settings.seed)
    split = split_by_group(
        [item for examples in chosen.values() for item in examples],
        shares=settings.shares,
        seed=settings.seed,
    )
    sides = {name: list(getattr(split, name)) for name in SPLITS}
    removed = {
        "longer than the maximum": too_long,
        "left out by the mix": sum(map(len, fitting.values())) - sum(map(len, chosen.values())),
        "in a benchmark for testing": held_out,
        "the same pair again": split.repeated,
    }
    if not sides["train"]:
        why = ", ".join(f"{count:,} {reason}" for reason, count in removed.items() if count)
        raise InputError(f"no example is left for training: {why or 'there were none'}", where=str(folder))
    manifest = _manifest(sides, split, prompt, settings)
    manifest.filters = dict(filters or {})
    manifest.removed = removed
    manifest.cut = cut
    manifest.lengths = {
        name: TokenLengths.of([lengths[item.digest] for item in side]) for name, side in sides.items()
    }
    for name, side in sides.items():
        _write(folder, name, side, prompt, manifest.files)
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return manifest


def read_manifest_of(folder: str | Path) -> DataManifest:
    """Return the manifest of a data set.

    Raises:
        InputError: The folder has none, or it is not one.
    """
    file = Path(folder) / MANIFEST
    try:
        return msgspec.json.decode(file.read_bytes(), type=DataManifest)
    except FileNotFoundError:
        raise InputError("has no manifest.json of a data set for training", where=str(folder)) from None
    except msgspec.MsgspecError as error:
        raise InputError(
            f"is not the manifest of a data set for training: {error}", where=str(file)
        ) from error


def rows_of(examples: Iterable[TrainingExample], prompt: JudgePrompt) -> Iterator[dict[str, Any]]:
    """Yield the rows of examples, each pair in both orders, with the columns of all ways of training."""
    for example in examples:
        for item in (example, example.swapped()):
            yield exported(item, prompt.messages(item), prompt.keys_of(item))


def shortcuts_of(examples: Sequence[TrainingExample]) -> list[Shortcut]:
    """Return whether length or style alone predicts which text is better, with intervals over groups."""
    decided = [item for item in examples if item.label in _WINS]
    pairs = [(item.b, item.a) if _WINS[item.label] else (item.a, item.b) for item in decided]
    found = artefacts_of(
        pairs, [item.group for item in decided], [item.kind or item.provenance for item in decided]
    )
    return [
        Shortcut(
            detector=item.detector,
            accuracy=item.accuracy.value,
            low=item.accuracy.low,
            high=item.accuracy.high,
            n=item.accuracy.n,
            reason=item.reason or item.accuracy.reason,
        )
        for item in found
    ]


def _manifest(
    sides: Mapping[str, Sequence[TrainingExample]],
    split: Split,
    prompt: JudgePrompt,
    settings: DataSettings,
) -> DataManifest:
    every = [item for side in sides.values() for item in side]
    return DataManifest(
        counts={name: dict(Counter(item.provenance for item in side)) for name, side in sides.items()},
        labels=dict(Counter(item.label for item in split.train)),
        dimensions=dict(Counter(key for item in split.train for key in item.dimensions)),
        languages=dict(Counter(item.language for item in every)),
        sources=dict(Counter(item.source or "?" for item in every)),
        licences=dict(settings.licences),
        counted_by=settings.counted_by,
        max_length=settings.max_length,
        shortcuts=shortcuts_of(every),
        seed=settings.seed,
        shares=settings.shares,
        rubric=f"{prompt.rubric.name} {prompt.rubric.version}",
        strategy=prompt.strategy.name,
        files={},
    )


# What a chat template adds to a message, at most: its role, and the marks around it.
_TEMPLATE: Final = 8


def _size(example: TrainingExample, order: int, prompt: JudgePrompt, count: Callable[[str], int]) -> int:
    item = example.swapped() if order else example
    row = exported(item, prompt.messages(item), prompt.keys_of(item))
    return sum(count(message["content"]) + _TEMPLATE for message in row["messages"])


def _write(
    folder: Path,
    name: str,
    examples: Sequence[TrainingExample],
    prompt: JudgePrompt,
    files: dict[str, str],
) -> None:
    for kind in ("examples", *COLUMNS):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    write_examples(folder / "examples" / f"{name}.jsonl", examples)
    places = {kind: (folder / kind / f"{name}.jsonl").open("wb") for kind in COLUMNS}
    try:
        for row in rows_of(examples, prompt):
            for kind, stream in places.items():
                stream.write(msgspec.json.encode({key: row[key] for key in COLUMNS[kind]}) + b"\n")
    finally:
        for stream in places.values():
            stream.close()
    for kind in ("examples", *COLUMNS):
        path = folder / kind / f"{name}.jsonl"
        files[f"{kind}/{name}.jsonl"] = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
