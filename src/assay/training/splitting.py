"""Training, validation and test: questions and reports stay together with their near-duplicates, and a benchmark in use stays out."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from assay.text.near_duplicates import shingles, similar_pairs
from assay.text.words import CJK_RANGES
from assay.training.examples import TrainingExample

# Jaccard index of questions, and of the runs of words of reports, from which they stay together.
_LEAST: Final = 0.7
_LEAST_OF_TEXTS: Final = 0.6
# Words, or Chinese characters, of a run; and of how many runs of a long text one is compared.
_RUN: Final = 5
_SAMPLED: Final = 16
_FEW: Final = 400
SPLITS: Final = ("train", "validation", "test")


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """Examples by split.

    Attributes:
        train: To train on.
        validation: To choose a checkpoint by.
        test: To report.
        held_out: Examples left out because their pair occurs in a benchmark that is used for testing.
        repeated: Examples left out because the same pair occurs earlier.
        clusters: Number of groups of questions and reports that stay together.
    """

    train: tuple[TrainingExample, ...]
    validation: tuple[TrainingExample, ...]
    test: tuple[TrainingExample, ...]
    held_out: int = 0
    repeated: int = 0
    clusters: int = 0


_WORD: Final = re.compile(r"\w+")
_UNIT: Final = re.compile(rf"[{CJK_RANGES}]|[^\W_{CJK_RANGES}]+")


class HeldOut:
    """What no training may see: pairs of benchmarks for testing, their texts, and their questions, by content.

    Args:
        examples: Examples of the benchmarks.
    """

    def __init__(self, examples: Iterable[TrainingExample]) -> None:
        known = list(examples)
        self._pairs = {item.digest for item in known}
        self._texts = {_words(text) for item in known for text in (item.a, item.b)}
        self._questions = {_words(item.query) for item in known} - {""}

    def __contains__(self, example: TrainingExample) -> bool:
        """Return whether an example is one of them, shares a text with one, or answers the same question."""
        return (
            example.digest in self._pairs
            or _words(example.query) in self._questions
            or bool(self._texts & {_words(example.a), _words(example.b)})
        )


def _words(text: str) -> str:
    """Return a text as its words alone: a changed mark, space or capital makes no other text."""
    return " ".join(_WORD.findall(text.casefold()))


def split_by_group(
    examples: Iterable[TrainingExample],
    *,
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1),
    seed: int = 0,
    never: Iterable[TrainingExample] = (),
) -> Split:
    """Divide examples so that no question or report, and no near-duplicate of one, is on two sides.

    A group is assigned by a hash of its first question and the seed, so that a group stays where it is when others
    are added; but of few groups, each split with a share gets one, as long as there are enough.

    Args:
        examples: The examples; a pair that occurs twice, in whatever order, is used once.
        shares: Shares of training, validation and test; they add up to 1.
        seed: Seed of the assignment.
        never: Examples of benchmarks that are used for testing; see `HeldOut`.

    Raises:
        ValueError: The shares do not add up to 1.
    """
    if abs(sum(shares) - 1) > 1e-9 or min(shares) < 0:
        raise ValueError(f"shares {shares} do not add up to 1")
    held = HeldOut(never)
    kept: dict[str, TrainingExample] = {}
    held_out = repeated = 0
    for example in examples:
        digest = example.digest
        if example in held:
            held_out += 1
        elif digest in kept:
            repeated += 1
        else:
            kept[digest] = example
    rows = list(kept.values())
    cluster = clusters_of(
        [example.group or example.id for example in rows], [(example.a, example.b) for example in rows]
    )
    side_of = _sides(dict.fromkeys(cluster), shares, seed)
    sides: dict[str, list[TrainingExample]] = {name: [] for name in SPLITS}
    for example, first in zip(rows, cluster, strict=True):
        sides[side_of[first]].append(example)
    return Split(
        train=tuple(sides["train"]),
        validation=tuple(sides["validation"]),
        test=tuple(sides["test"]),
        held_out=held_out,
        repeated=repeated,
        clusters=len(set(cluster)),
    )


def clusters_of(questions: Sequence[str], texts: Sequence[Sequence[str]] = ()) -> list[str]:
    """Return for each question the first of those that it is linked to by near-duplicates.

    Args:
        questions: The questions.
        texts: The texts of each; equal ones and near-duplicates among them link their questions too.
    """
    distinct = list(dict.fromkeys(questions))
    parent = list(range(len(distinct)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    def link(one: int, other: int) -> None:
        low, high = sorted((root(one), root(other)))
        parent[high] = low

    for one, other, _ in similar_pairs([shingles(text) for text in distinct], _LEAST):
        link(one, other)
    index_of = {text: index for index, text in enumerate(distinct)}
    holder: dict[str, int] = {}
    for question, own in zip(questions, texts, strict=False):
        for text in filter(None, map(_words, own)):
            link(holder.setdefault(text, index_of[question]), index_of[question])
    holders = list(holder.values())
    for one, other, _ in similar_pairs([_runs(text) for text in holder], _LEAST_OF_TEXTS):
        link(holders[one], holders[other])
    place = {text: distinct[root(index)] for index, text in enumerate(distinct)}
    return [place[text] for text in questions]


def _runs(text: str) -> frozenset[str]:
    """Return the runs of five words or Chinese characters of a text, of a long one a sample that hangs on the runs alone."""
    units = _UNIT.findall(text)
    runs = {" ".join(units[at : at + _RUN]) for at in range(max(1, len(units) - _RUN + 1))}
    if len(runs) > _FEW:
        runs = {run for run in runs if zlib.crc32(run.encode("utf-8", "replace")) % _SAMPLED == 0}
    return frozenset(runs)


def _sides(groups: Iterable[str], shares: tuple[float, float, float], seed: int) -> dict[str, str]:
    """Return the side of each group."""
    places = {name: _place(name, seed) for name in groups}
    sides = {
        name: "train" if at < shares[0] else "validation" if at < shares[0] + shares[1] else "test"
        for name, at in places.items()
    }
    for side, share in zip(SPLITS, shares, strict=True):
        largest = max(SPLITS, key=list(sides.values()).count)
        left = [name for name, where in sides.items() if where == largest]
        if share and side not in sides.values() and len(left) > 1:
            sides[max(left, key=places.__getitem__)] = side
    return sides


def _place(group: str, seed: int) -> float:
    """Return a number from 0 to 1 that hangs on a group and the seed alone."""
    digest = hashlib.blake2b(f"{seed}\x00{group}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
