"""The manifest of a benchmark, which records how it was built: ``bench.json`` (``assay.bench-manifest/1``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay._version import __version__
from assay.frozen import FrozenFields
from assay.interventions.artefacts import Artefact
from assay.interventions.instances import Instance, size_of_side
from assay.interventions.settlement import Keep, SettledInstances
from assay.interventions.validation import AnnotatorAgreement, Validation

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


class ValidationRecord(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """A validation of a benchmark by people.

    Attributes:
        annotators: Names of the annotators.
        keep: Which instances were kept: ``valid`` or ``not-invalid``.
        labelled: Number of instances that somebody labelled.
        accepted: Number of disputed instances that joined the benchmark.
        dropped: Number of disputed instances that were dropped.
        undecided: Number of disputed instances on which annotators split or which they call ambiguous.
        removed: Number of instances of the benchmark itself that were not kept.
        agreement: Agreement of each pair of annotators, with Cohen's kappa.
    """

    annotators: tuple[str, ...]
    keep: Keep
    labelled: int
    accepted: int
    dropped: int
    undecided: int
    removed: int
    agreement: tuple[AnnotatorAgreement, ...]


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
        validations: Validations by people, the last one last.
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
    validations: tuple[ValidationRecord, ...] = ()
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
    return Manifest(
        **_totals(built.instances, artefacts),
        subjects=built.subjects,
        unusable=built.unusable,
        types={
            name: TypeCount(
                **_counts(name, built.instances, built.disputed, artefacts),
                wanted=per_type,
                passed=built.candidates.get(name, 0),
                refused=built.refused.get(name, {}),
            )
            for name in types
        },
        seed=seed,
        editor=editor,
        validator=validator,
    )


def validated_manifest(
    older: Manifest,
    settled: SettledInstances,
    found: Validation,
    artefacts: Sequence[Artefact],
    *,
    keep: Keep,
) -> Manifest:
    """Return the manifest of a benchmark after people have labelled it: everything is counted and measured again.

    Args:
        older: Manifest of the benchmark that they labelled.
        settled: The instances that it keeps.
        found: The labels, and how far annotators agree.
        artefacts: Accuracy of the detectors on the instances that it keeps.
        keep: Which instances were kept.
    """
    settlement = found.settlement
    record = ValidationRecord(
        annotators=tuple(found.labels),
        keep=keep,
        labelled=len({name for given in found.labels.values() for name in given}),
        accepted=0 if settlement is None else len(settlement.accepted),
        dropped=0 if settlement is None else len(settlement.dropped),
        undecided=0 if settlement is None else len(settlement.undecided),
        removed=settled.removed,
        agreement=found.agreement,
    )
    return msgspec.structs.replace(
        older,
        **_totals(settled.kept, artefacts),
        types={
            name: msgspec.structs.replace(count, **_counts(name, settled.kept, settled.disputed, artefacts))
            for name, count in older.types.items()
        },
        validations=(*older.validations, record),
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


def _totals(instances: Sequence[Instance], artefacts: Sequence[Artefact]) -> dict[str, Any]:
    """Return the fields of a manifest that follow from the instances."""
    sizes = Counter(Counter(instance.group for instance in instances).values())
    return {
        "instances": len(instances),
        "references": len({instance.group for instance in instances}),
        "languages": dict(Counter(instance.language for instance in instances)),
        "groups": {size: sizes[size] for size in sorted(sizes)},
        "artefacts": tuple(artefacts),
    }


def _counts(
    name: str, instances: Sequence[Instance], disputed: Sequence[Instance], artefacts: Sequence[Artefact]
) -> dict[str, Any]:
    """Return the fields of a type's counts that follow from the instances."""
    own = [instance for instance in instances if instance.type == name]
    growth = [size_of_side(instance.perturbed) - size_of_side(instance.reference) for instance in own]
    return {
        "instances": len(own),
        "longer": sum(size > 0 for size in growth),
        "shorter": sum(size < 0 for size in growth),
        "patterns": dict(Counter(instance.pattern for instance in own).most_common()),
        "disputed": sum(instance.type == name for instance in disputed),
        "betrayed": {
            artefact.detector: value
            for artefact in artefacts
            if (value := _accuracy(artefact, name)) is not None
            and value > LIMITS.get(artefact.detector, 1.0)
            and len(own) >= FEWEST_NAMED
        },
    }


def _accuracy(artefact: Artefact, name: str) -> float | None:
    estimate = artefact.by_type.get(name)
    return None if estimate is None else estimate.value
