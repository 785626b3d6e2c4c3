"""What people's labels make of a benchmark: the instances that stay, and the disputed ones that join them.

Labels settle an instance if annotators agree. Those on which they split stay disputed, until a further sheet of labels
settles them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import msgspec

from assay.interventions.instances import Instance

# Which instances labels keep: those that every annotator calls valid; or those that somebody calls valid and nobody invalid.
Keep = Literal["valid", "not-invalid"]
Labels = Mapping[str, Mapping[str, str]]


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """What people decide about the instances that the second reader did not accept.

    Attributes:
        accepted: Ids of those that join the benchmark.
        dropped: Ids of those that every annotator calls invalid.
        undecided: Number of annotators by label, by id, of those on which they split or which they call ambiguous; the
            splits between most labels come first.
        unseen: Ids of those that nobody has labelled.
    """

    accepted: tuple[str, ...]
    dropped: tuple[str, ...]
    undecided: dict[str, dict[str, int]]
    unseen: tuple[str, ...]


class SettledInstances(msgspec.Struct, frozen=True, kw_only=True):
    """The instances of a benchmark after people have labelled it.

    Attributes:
        kept: Those that it keeps, in order of type, disputed ones that join it among them.
        disputed: Those that are still disputed.
        removed: Number of those of the benchmark itself that it does not keep.
    """

    kept: tuple[Instance, ...]
    disputed: tuple[Instance, ...]
    removed: int


def settle(disputed: Sequence[Instance], labels: Labels, keep: Keep = "valid") -> Settlement:
    """Return what annotators decide about disputed instances.

    Args:
        disputed: Instances that the second reader did not accept.
        labels: Labels by annotator, then by instance.
        keep: Which of them join the benchmark.
    """
    accepted, dropped, unseen = [], [], []
    undecided: dict[str, Counter[str]] = {}
    for item in disputed:
        given = labels_of(item.id, labels)
        if not given:
            unseen.append(item.id)
        elif _accepts(given, keep):
            accepted.append(item.id)
        elif set(given) == {"invalid"}:
            dropped.append(item.id)
        else:
            undecided[item.id] = Counter(given)
    splits = sorted(undecided.items(), key=lambda pair: -len(pair[1]))
    return Settlement(
        accepted=tuple(accepted),
        dropped=tuple(dropped),
        undecided={name: dict(counts.most_common()) for name, counts in splits},
        unseen=tuple(unseen),
    )


def settled_instances(
    instances: Sequence[Instance], disputed: Sequence[Instance], labels: Labels, keep: Keep = "valid"
) -> SettledInstances:
    """Return the instances that a benchmark keeps by the labels of annotators.

    Instances of the benchmark itself are judged by the labels if annotators were given any of them; if they were given
    only disputed ones, all of it stays. What people accept says so (``accepted_by``).

    Args:
        instances: Instances of the benchmark.
        disputed: Instances that the second reader did not accept.
        labels: Labels by annotator, then by instance.
        keep: Which instances are kept.
    """
    own = any(labels_of(item.id, labels) for item in instances)
    settlement = settle(disputed, labels, keep)
    kept = []
    for item in instances:
        given = labels_of(item.id, labels)
        if _accepts(given, keep):
            kept.append(_accepted(item))
        elif not own or (keep == "not-invalid" and "invalid" not in given):
            kept.append(item)
    removed = len(instances) - len(kept)
    joined = set(settlement.accepted)
    kept += [_accepted(item) for item in disputed if item.id in joined]
    types = {name: at for at, name in enumerate(dict.fromkeys(item.type for item in (*instances, *disputed)))}
    open_ = {*settlement.undecided, *settlement.unseen}
    return SettledInstances(
        kept=tuple(sorted(kept, key=lambda item: types[item.type])),
        disputed=tuple(item for item in disputed if item.id in open_),
        removed=removed,
    )


def labels_of(instance: str, labels: Labels) -> list[str]:
    """Return the labels that annotators have given an instance."""
    return [given[instance] for given in labels.values() if instance in given]


def _accepts(given: Collection[str], keep: Keep) -> bool:
    return "valid" in given and ("invalid" not in given if keep == "not-invalid" else set(given) == {"valid"})


def _accepted(instance: Instance) -> Instance:
    return msgspec.structs.replace(instance, accepted_by="people")
