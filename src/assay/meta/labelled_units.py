"""Labelled units: the things that people labelled, the rating of each rater, and the names that judgments use for them."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import UsageError
from assay.judges.sides import SIDES, swapped
from assay.meta.labels.record import KINDS, Kind, Label

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.subjects.subject import Subject

OVERALL: Final = "overall"
_SEPARATOR: Final = " | "


class LabelledUnit(msgspec.Struct, kw_only=True, gc=False):
    """One thing that people judged: a subject or a pair, as a whole or in one respect.

    Attributes:
        subject: Name of the subject; both names of a pair, in the order of the labels.
        part: Dimension or criterion; ``overall`` for the whole.
        task: Task of the subject; units of one task are not independent.
        strata: Properties by which results may be split.
        ratings: Rating of each rater: "A", "B" or "tie"; a number; a word.
        adjudication: Rating of the rater who decides if the others are split; None without one.
    """

    subject: str
    part: str
    task: str
    strata: dict[str, str]
    ratings: dict[str, Any]
    adjudication: Any = None


class KnownSubject(msgspec.Struct, frozen=True, kw_only=True):
    """Information from a file of subjects about one of them.

    Attributes:
        path: Name that judgments use.
        names: Names that labels may use.
        strata: Language and, if the file names them, domain, topic or category.
        task: Id of its query.
    """

    path: str
    names: tuple[str, ...]
    strata: dict[str, str]
    task: str | None = None


class LabelledUnits(msgspec.Struct, frozen=True, kw_only=True):
    """All units of one kind.

    Attributes:
        kind: Kind of the labels.
        units: Units by subject and part.
        repeated: Number of labels that the same rater later replaced by another value; the last one counts.
        others: Number of labels of other kinds, which are left out.
    """

    kind: Kind
    units: dict[tuple[str, str], LabelledUnit]
    repeated: int = 0
    others: int = 0


def kind_of_labels(labels: Iterable[Label], wanted: Kind | None = None) -> Kind:
    """Return the most frequent kind of label, or the wanted one.

    Raises:
        UsageError: No label is of the wanted kind.
    """
    counts = Counter(label.kind for label in labels)
    if wanted is not None and not counts[wanted]:
        raise UsageError(
            f"no label is of kind {wanted}; the labels are {', '.join(f'{n:,} of {k}' for k, n in counts.items())}"
        )
    if wanted is not None:
        return wanted
    best: Kind = "preference"
    for kind in KINDS:
        best = kind if counts[kind] > counts[best] else best
    return best


def known_subjects(subjects: Iterable[Subject]) -> list[KnownSubject]:
    """Collect the names, tasks and strata of subjects."""
    from assay.judges.identity import language_of, name_of  # noqa: PLC0415

    known: list[KnownSubject] = []
    subjects = list(subjects)
    ids = Counter(subject.id or "" for subject in subjects)
    for subject in subjects:
        id_, system = subject.id, getattr(subject, "system", None)
        names: list[str] = []
        if id_ and system:
            names += [f"{id_}:{system}", f"{system}:{id_}", f"{system}/{id_}", f"{id_}/{system}"]
        if id_ and ids[id_] == 1:
            names.append(id_)
        meta: Mapping[str, Any] = getattr(subject, "meta", None) or {}
        strata = {
            key: str(meta[key]) for key in ("domain", "topic", "category") if isinstance(meta.get(key), str)
        }
        strata["language"] = language_of(subject)
        known.append(KnownSubject(path=name_of(subject), names=tuple(names), strata=strata, task=id_))
    return known


def labelled_units(labels: Sequence[Label], kind: Kind, known: Sequence[KnownSubject] = ()) -> LabelledUnits:
    """Group labels of one kind by unit; pairs are the same pair in either order."""
    by_name = {name: item for item in known for name in (*item.names, item.path)}
    units: dict[tuple[str, str], LabelledUnit] = {}
    pairs: dict[frozenset[str], str] = {}
    repeated = others = 0
    for label in labels:
        if label.kind != kind:
            others += 1
            continue
        subject, flip = label.subject, False
        if kind == "preference":
            sides = subject.split(_SEPARATOR)
            if len(sides) == 2:
                subject = pairs.setdefault(frozenset(sides), subject)
                flip = subject != label.subject
        for part, value in _values(label, flip=flip):
            unit = units.get((subject, part))
            if unit is None:
                unit = _new_unit(label, subject, part, by_name)
                units[subject, part] = unit
            repeated += label.rater in unit.ratings and unit.ratings[label.rater] != value
            unit.ratings[label.rater] = value
    return LabelledUnits(kind=kind, units=units, repeated=repeated, others=others)


def set_adjudicator(labelled: LabelledUnits, rater: str) -> int:
    """Take a rater's labels out of the ratings, as adjudication; return their number.

    A unit that nobody else labelled keeps the label as a rating.
    """
    taken = 0
    for unit in labelled.units.values():
        if rater in unit.ratings and len(unit.ratings) > 1:
            unit.adjudication = unit.ratings.pop(rater)
            taken += 1
    return taken


def _new_unit(label: Label, subject: str, part: str, by_name: Mapping[str, KnownSubject]) -> LabelledUnit:
    item = by_name.get(subject.split(_SEPARATOR, maxsplit=1)[0])
    task = label.task or (item.task if item else None) or subject
    strata = {**(item.strata if item else {}), **label.strata}
    return LabelledUnit(subject=subject, part=part, task=task, strata=strata, ratings={})


def _values(label: Label, *, flip: bool) -> Iterable[tuple[str, Any]]:
    if label.preference is not None:
        side = SIDES[label.preference]
        yield label.criterion or OVERALL, swapped(side) if flip else side
    elif label.verdict is not None:
        yield label.criterion or OVERALL, label.verdict
    elif label.scores is not None:
        yield from label.scores.items()
    elif label.score is not None:
        yield label.criterion or OVERALL, label.score


class SubjectNames:
    """Finds the labels' name for the subject of a judgment.

    Tried in order: the same name; a name that a file of subjects gives; the name with its last folder only, without
    folders, and without ending. A shortened name counts only if it is unique among the labels and among the judgments.
    """

    def __init__(self, subjects: Iterable[str], known: Sequence[KnownSubject] = ()) -> None:
        self._whole = dict.fromkeys(subjects)
        self._pairs = {
            frozenset(sides): subject
            for subject in self._whole
            if len(sides := subject.split(_SEPARATOR)) == 2
        }
        self._sides = {side for subject in self._whole for side in subject.split(_SEPARATOR)}
        self._by_short: dict[str, str | None] = {}
        for side in sorted(self._sides):
            for short in set(_shortened(side)):
                self._by_short[short] = None if short in self._by_short else side
        self._ambiguous: frozenset[str] = frozenset()
        self._by_path: dict[str, str] = {}
        for item in known:
            name = next((name for name in item.names if name in self._sides), None)
            if name is not None:
                self._by_path[item.path] = name
                self._by_path.setdefault(_base(item.path), name)

    def among(self, judgments: Iterable[Judgment]) -> SubjectNames:
        """Return a copy for one judge, in which a short name that two judged subjects share stands for neither.

        Otherwise a label of ``a/report.md`` would be compared with a judgment of ``b/report.md``, which nobody
        labelled.
        """
        sides = {side for item in judgments for side in item.subject.split(_SEPARATOR)}
        counts = Counter(short for side in sides for short in set(_shortened(side)))
        names = copy(self)
        names._ambiguous = frozenset(short for short, count in counts.items() if count > 1)  # noqa: SLF001 - a copy
        return names

    def find(self, judgment: Judgment) -> tuple[str, bool] | None:
        """Return the labels' name and whether the pair is reversed; None if nobody labelled the subject."""
        if judgment.subject in self._whole:
            return judgment.subject, False
        sides = [self.find_side(side) for side in judgment.subject.split(_SEPARATOR)]
        if any(side is None for side in sides):
            return None
        if len(sides) == 1:
            name = str(sides[0])
            return (name, False) if name in self._whole else None
        subject = self._pairs.get(frozenset(str(side) for side in sides)) if len(sides) == 2 else None
        return None if subject is None else (subject, subject != _SEPARATOR.join(map(str, sides)))

    def find_side(self, side: str) -> str | None:
        """Return the labels' name for a single subject or one side of a pair."""
        if side in self._sides:
            return side
        base = _base(side)
        name = self._by_path.get(side) or (None if base in self._ambiguous else self._by_path.get(base))
        if name:
            return name
        matches = (self._by_short.get(short) for short in _shortened(side) if short not in self._ambiguous)
        return next((match for match in matches if match is not None), None)


def _shortened(name: str) -> tuple[str, ...]:
    """Return the name with its last folder only, without folders, and without its ending."""
    parts = name.replace("\\", "/").split("/")
    return (*(["/".join(parts[-2:])] if len(parts) > 1 else []), _base(name), _stem(name))


def _base(name: str) -> str:
    return posixpath.basename(name.replace("\\", "/"))


def _stem(name: str) -> str:
    stem, ending = posixpath.splitext(_base(name))
    # ``reports.jsonl:3`` is a row of a file, not another name for the file.
    return stem if ending[1:].isalnum() and not ending[1:].isdigit() else _base(name)
