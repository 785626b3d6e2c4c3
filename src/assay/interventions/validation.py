"""Validation of a benchmark by people: the queue of pairs, the labels, and how far annotators agree.

For each pair an annotator decides whether the failure is there, was not there before, and nothing else broke:
``valid``, ``invalid`` or ``ambiguous`` (REFLECT, section 2.2 and appendix B.2). For attacks, the three criteria of
ReportLogic (appendix C.4) are asked in the same way: isolation, minimal edits, bounded strength.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, get_args

import msgspec

from assay.errors import InputError
from assay.interventions.base import Kind
from assay.interventions.instances import Instance, subject_of_side
from assay.interventions.registry import all_operators
from assay.interventions.settlement import Keep, Labels, Settlement, labels_of, settle
from assay.measures.kappas import cohen_kappa
from assay.measures.tabulate import confusion
from assay.rows import read_rows
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory
from assay.suggest import did_you_mean

Label = Literal["valid", "invalid", "ambiguous"]
_LABELS: Final[tuple[str, ...]] = get_args(Label)
_SHORT: Final = {
    "v": "valid",
    "1": "valid",
    "i": "invalid",
    "2": "invalid",
    "a": "ambiguous",
    "3": "ambiguous",
    "?": "ambiguous",
}
# The annotator's question by kind: REFLECT's three conditions, and ReportLogic's isolation, minimal edits and
# bounded strength.
_ASKED: Final[dict[Kind, str]] = {
    "failure": "Is the failure there now, was it not there before, and did nothing else of weight break?",
    "targeted": (
        "Is this dimension hurt and no other, is the rest left as it was, and is it clearly worse "
        "but not absurd?"
    ),
    "bias": (
        "Is only the surface another, with nothing new said and nothing lost, and no stronger than "
        "somebody would do it?"
    ),
    "manipulation": "Is nothing added but the manipulation itself, and no stronger than somebody would do it?",
}
# Characters of context shown on either side of an edit.
_LONG_LINE: Final = 800
_WORD: Final = 100
_AROUND: Final = 300


class QueueItem(msgspec.Struct, frozen=True, kw_only=True):
    """A pair as it is shown to an annotator.

    Attributes:
        id: Id of the instance.
        type: Name of the failure.
        definition: Definition of the failure.
        asked: What the annotator decides.
        query: Question that both texts answer.
        before: The passage in the reference, with its context.
        after: The same passage after the revision.
        note: The change in a few words.
        label: Label to fill in: valid, invalid or ambiguous.
        comment: Comment to fill in, optional.
    """

    id: str
    type: str
    definition: str
    asked: str
    query: str
    before: str
    after: str
    note: str
    label: str = ""
    comment: str = ""


class AnnotatorAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far two annotators agree.

    Attributes:
        annotators: Names of the two annotators.
        n: Number of pairs that both labelled.
        share: Share of them with the same label.
        kappa: Cohen's kappa over the three labels; None if it is not defined.
        disputed: Ids of the pairs with different labels.
    """

    annotators: tuple[str, str]
    n: int
    share: float | None
    kappa: float | None
    disputed: tuple[str, ...]


class Validation(msgspec.Struct, frozen=True, kw_only=True):
    """The labels of annotators and what they amount to.

    Attributes:
        labels: Labels by annotator, then by instance.
        agreement: Agreement of each pair of annotators.
        by_type: Number of instances of each type by label, if all annotators gave it; otherwise under ``disputed``.
        valid: Ids of instances that every annotator who saw them calls valid.
        rejected: Ids of instances that at least one annotator calls invalid.
        unseen: Ids of instances of the benchmark itself that nobody has labelled.
        settlement: What the labels decide about instances that the second reader did not accept; None if there are none.
    """

    labels: dict[str, dict[str, str]]
    agreement: tuple[AnnotatorAgreement, ...]
    by_type: dict[str, dict[str, int]]
    valid: tuple[str, ...]
    rejected: tuple[str, ...]
    unseen: tuple[str, ...]
    settlement: Settlement | None = None


def annotation_queue(instances: Iterable[Instance]) -> list[QueueItem]:
    """Return the pairs to be labelled, in the order given."""
    return [_queued(instance) for instance in instances]


def read_validation(path: str | Path) -> dict[str, str]:
    """Read labels by instance from a queue that was filled in; rows without a label are left out.

    The file is CSV, or JSON Lines with ``id`` and ``label``.

    Raises:
        InputError: The file cannot be read, lacks a field, or holds an unknown label.
    """
    labels: dict[str, str] = {}
    for where, row in read_rows(path):
        if not isinstance(row, dict) or not isinstance(row.get("id"), str) or "label" not in row:
            raise InputError(
                "the row has no id or no label", where=where, hint="fill in what assay bench queue wrote"
            )
        given = str(row["label"] or "").strip().lower()
        label = _SHORT.get(given, given)
        if not label:
            continue
        if label not in _LABELS:
            raise InputError(f"label {given!r}; {did_you_mean(given, _LABELS)}", where=where)
        if row["id"] in labels:
            raise InputError(f"{row['id']!r} is labelled twice", where=where)
        labels[row["id"]] = label
    return labels


def validate(
    instances: Sequence[Instance],
    labels: Labels,
    *,
    disputed: Sequence[Instance] = (),
    keep: Keep = "valid",
) -> Validation:
    """Summarise the labels of annotators and how far they agree.

    Args:
        instances: Instances of the benchmark.
        labels: Labels by annotator, then by instance.
        disputed: Instances that the second reader did not accept; labels decide which of them join the benchmark.
        keep: Which of them do.

    Raises:
        InputError: An annotator labels an instance that is neither in the benchmark nor disputed.
    """
    own = {instance.id for instance in instances}
    ids = [instance.id for instance in (*instances, *disputed)]
    known = set(ids)
    for annotator, given in labels.items():
        strange = [item for item in given if item not in known]
        if strange:
            raise InputError(
                f"labels of unknown instances: {len(strange)}, such as {strange[0]!r}",
                where=annotator,
            )
    by_type: dict[str, Counter[str]] = {}
    valid, rejected, unseen = [], [], []
    for instance in (*instances, *disputed):
        given_labels = set(labels_of(instance.id, labels))
        if not given_labels:
            if instance.id in own:
                unseen.append(instance.id)
            continue
        by_type.setdefault(instance.type, Counter())[
            next(iter(given_labels)) if len(given_labels) == 1 else "disputed"
        ] += 1
        if given_labels == {"valid"}:
            valid.append(instance.id)
        if "invalid" in given_labels:
            rejected.append(instance.id)
    names = list(labels)
    agreement = [
        _agreed(names[i], names[j], labels[names[i]], labels[names[j]], ids)
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]
    return Validation(
        labels={name: dict(given) for name, given in labels.items()},
        agreement=tuple(agreement),
        by_type={name: dict(counts) for name, counts in by_type.items()},
        valid=tuple(valid),
        rejected=tuple(rejected),
        unseen=tuple(unseen),
        settlement=settle(disputed, labels, keep) if disputed else None,
    )


def _agreed(
    first: str, second: str, a: Mapping[str, str], b: Mapping[str, str], ids: Sequence[str]
) -> AnnotatorAgreement:
    both = [item for item in ids if item in a and item in b]
    disputed = tuple(item for item in both if a[item] != b[item])
    n = len(both)
    share = 1 - len(disputed) / n if n else None
    kappa = None
    if both:
        codes = [[_LABELS.index(given[item]) for item in both] for given in (a, b)]
        kappa = cohen_kappa(confusion(codes[0], codes[1], len(_LABELS))).value
    return AnnotatorAgreement(annotators=(first, second), n=n, share=share, kappa=kappa, disputed=disputed)


def _queued(instance: Instance) -> QueueItem:
    operator = all_operators().get(instance.type)
    before, after = _shown(instance)
    return QueueItem(
        id=instance.id,
        type=instance.type,
        definition=operator.definition if operator is not None else "",
        asked=_ASKED[instance.kind],
        query=instance.query,
        before=before,
        after=after,
        note=instance.note,
    )


def _shown(instance: Instance) -> tuple[str, str]:
    """Return the passage in the reference and in the revised subject, each with the same context."""
    sides = [
        subject_of_side(data, query=instance.query, name=instance.id)
        for data in (instance.reference, instance.perturbed)
    ]
    sites = (instance.reference_site or instance.site, instance.site)
    first, second = sides
    if isinstance(first, Report) and isinstance(second, Report):
        places = [(first, sites[0]), *((second, site) for site in (sites[1], *instance.other_sites))]
        low = max(0, min(site.start or 0 for _, site in places) - _AROUND)
        # The text after the last site is the same in both, so it is measured from the end.
        left = [len(report.source) - (site.end or 0) for report, site in places]
        tail = max(0, min(left) - _AROUND)
        low = _line_start(first.source, low)
        tail = len(first.source) - _line_end(first.source, len(first.source) - tail)
        return _cut(first.source, low, tail), _cut(second.source, low, tail)
    shown = []
    for subject, site in zip(sides, sites, strict=True):
        assert isinstance(subject, Trajectory)
        index = site.index or 0
        span = subject.steps[index].span if index < len(subject.steps) else None
        shown.append(subject.text(span) if span is not None else "")
    return shown[0], shown[1]


def _line_start(source: str, at: int) -> int:
    """Return where the line of a place begins, or the next word if that is far away, so that no markup is cut."""
    start = source.rfind("\n", 0, at) + 1
    if at - start <= _LONG_LINE:
        return start
    space = source.find(" ", at, at + _WORD)
    return space + 1 if space >= 0 else at


def _line_end(source: str, at: int) -> int:
    end = source.find("\n", at)
    end = len(source) if end < 0 else end
    if end - at <= _LONG_LINE:
        return end
    space = source.rfind(" ", at - _WORD, at)
    return space if space >= 0 else at


def _cut(source: str, low: int, tail: int) -> str:
    high = len(source) - tail
    return f"{'…' if low else ''}{source[low:high]}{'…' if tail else ''}"
