"""The manifest of a benchmark, which records how it was built: ``bench.json`` (``assay.bench-manifest/1``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay._version import __version__
from assay.frozen import FrozenFields
from assay.interventions.artefacts import Artefact
from assay.interventions.instances import size_of_side

if TYPE_CHECKING:
    from assay.interventions.building import BuiltBenchmark

MANIFEST: Final = "bench.json"
# A type is named if a detector that understands nothing finds its reference more often than this.
LIMITS: Final = {"style": 0.58, "length": 0.55}
# With fewer instances of a type, the accuracy of a detector on it says nothing.
FEWEST_NAMED: Final = 10
SCHEMA: Final = "assay.bench-manifest/1"


class TypeCount(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one type in a benchmark.

    Attributes:
        instances: Number of instances.
        wanted: Number of instances wanted.
        longer: Instances that are longer than their reference.
        shorter: Instances that are shorter than their reference.
        patterns: Number of instances by pattern.
        passed: Revisions that passed every filter.
        refused: Revisions that were refused, by reason.
        disputed: Instances that the second reader did not accept.
        betrayed: Detectors that understand nothing and yet find the reference more often than `LIMITS` allows, with
            their accuracy.
    """

    instances: int
    wanted: int
    longer: int
    shorter: int
    patterns: dict[str, int]
    passed: int
    refused: dict[str, int]
    disputed: int = 0
    betrayed: dict[str, float] = {}


class Manifest(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """How a benchmark was built.

    Attributes:
        instances: Number of instances.
        references: Number of subjects that became references.
        subjects: Number of subjects that could have been used.
        unusable: Number of other subjects, by the reason why they could not be used.
        languages: Instances by language.
        groups: Number of references by number of their instances: what best-of-N can draw on.
        types: Counts by type.
        artefacts: Accuracy of each detector that understands nothing of substance (``giveaways`` in JSON).
        seed: Seed of every random choice.
        editor: ``rules``, or the model.
        validator: The model that read each instance a second time; empty if none did.
        assay: Version of Assay.
        schema: ``assay.bench-manifest/1``.
    """

    instances: int
    references: int
    subjects: int
    unusable: dict[str, int]
    languages: dict[str, int]
    groups: dict[int, int]
    types: dict[str, TypeCount]
    artefacts: tuple[Artefact, ...] = msgspec.field(name="giveaways")
    seed: int
    editor: str
    validator: str = ""
    assay: str = __version__
    schema: Literal["assay.bench-manifest/1"] = SCHEMA


def manifest_of(
    built: BuiltBenchmark,
    artefacts: Sequence[Artefact],
    *,
    types: Sequence[str],
    per_type: int,
    seed: int,
    editor: str,
    validator: str = "",
) -> Manifest:
    """Return the manifest of a benchmark, with the accuracy of the detectors on it."""
    sizes = Counter(Counter(instance.group for instance in built.instances).values())
    return Manifest(
        instances=len(built.instances),
        references=len({instance.group for instance in built.instances}),
        subjects=built.subjects,
        unusable=built.unusable,
        languages=dict(Counter(instance.language for instance in built.instances)),
        groups={size: sizes[size] for size in sorted(sizes)},
        types={name: _count(name, built, per_type, artefacts) for name in types},
        artefacts=tuple(artefacts),
        seed=seed,
        editor=editor,
        validator=validator,
    )


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest beside the instances."""
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a folder; None if it has none, or one of another version."""
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError):
        return None


def _count(name: str, built: BuiltBenchmark, wanted: int, artefacts: Sequence[Artefact]) -> TypeCount:
    own = [instance for instance in built.instances if instance.type == name]
    growth = [size_of_side(instance.perturbed) - size_of_side(instance.reference) for instance in own]
    return TypeCount(
        instances=len(own),
        wanted=wanted,
        longer=sum(size > 0 for size in growth),
        shorter=sum(size < 0 for size in growth),
        patterns=dict(Counter(instance.pattern for instance in own).most_common()),
        passed=built.candidates.get(name, 0),
        refused=built.refused.get(name, {}),
        disputed=sum(instance.type == name for instance in built.disputed),
        betrayed={
            artefact.detector: value
            for artefact in artefacts
            if (value := _accuracy(artefact, name)) is not None
            and value > LIMITS.get(artefact.detector, 1.0)
            and len(own) >= FEWEST_NAMED
        },
    )


def _accuracy(artefact: Artefact, name: str) -> float | None:
    estimate = artefact.by_type.get(name)
    return None if estimate is None else estimate.value
