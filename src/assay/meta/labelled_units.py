"""Labels and judgments put together: what was judged, what people said of it, and which judgments are of it."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import UsageError
from assay.meta.labels.record import KINDS, Kind, Label
from assay.meta.responses import BETTER, Better, JudgeResponse, swapped

if TYPE_CHECKING:
    from assay.subjects.report import Report
    from assay.subjects.trajectory import Trajectory

OVERALL: Final = "overall"
_BETWEEN: Final = " | "


class LabelledUnit(msgspec.Struct, kw_only=True, gc=False):
    """One thing that people judged: a subject or a pair, as a whole or in one respect.

    Attributes:
        subject: Its name; of a pair both, in the order of the labels.
        part: Dimension or criterion; ``overall`` for the whole.
        task: What it belongs to: units of one task are not independent.
        strata: By which results may be split.
        ratings: What each rater said: "A", "B", "tie"; a number; a word.
    """

    subject: str
    part: str
    task: str
    strata: dict[str, str]
    ratings: dict[str, Any]


class KnownSubject(msgspec.Struct, frozen=True, kw_only=True):
    """What a file of subjects tells of one of them.

    Attributes:
        path: What judgments call it.
        names: What labels may call it.
        strata: Language and, where it says so, domain or topic.
        task: Its question's id.
    """

    path: str
    names: tuple[str, ...]
    strata: dict[str, str]
    task: str | None = None


class LabelledUnits(msgspec.Struct, frozen=True, kw_only=True):
    """Units of one kind, and how the labels became them.

    Attributes:
        kind: Of all.
        units: By subject and part.
        repeated: Labels that the same rater later gave again, otherwise; the last counts.
        others: Labels of other kinds, left out.
    """

    kind: Kind
    units: dict[tuple[str, str], LabelledUnit]
    repeated: int = 0
    others: int = 0


def kind_of_labels(labels: Iterable[Label], wanted: Kind | None = None) -> Kind:
    """The kind most labels are of, or the one wanted.

    Raises:
        UsageError: There are none of the kind wanted.
    """
    counts = Counter(label.kind for label in labels)
    if wanted is not None and not counts[wanted]:
        raise UsageError(
            f"no label is a {wanted}; there are {', '.join(f'{n:,} of {k}' for k, n in counts.items())}"
        )
    if wanted is not None:
        return wanted
    best: Kind = "preference"
    for kind in KINDS:
        best = kind if counts[kind] > counts[best] else best
    return best


def known_subjects(subjects: Iterable[Report | Trajectory]) -> list[KnownSubject]:
    """What files of subjects tell: what judgments call each, and what labels may call it."""
    from assay.judges.identity import language_of, name_of  # noqa: PLC0415

    found: list[KnownSubject] = []
    ids = Counter[str]()
    listed = list(subjects)
    for subject in listed:
        ids[subject.id or ""] += 1
    for subject in listed:
        name, id_, system = subject.id, subject.id, getattr(subject, "system", None)
        names: list[str] = []
        if id_ and system:
            names += [f"{id_}:{system}", f"{system}:{id_}", f"{system}/{id_}", f"{id_}/{system}"]
        if name and ids[name] == 1:
            names.append(name)
        meta: Mapping[str, Any] = getattr(subject, "meta", None) or {}
        strata = {
            key: str(meta[key]) for key in ("domain", "topic", "category") if isinstance(meta.get(key), str)
        }
        strata["language"] = language_of(subject)
        found.append(KnownSubject(path=name_of(subject), names=tuple(names), strata=strata, task=id_))
    return found


def labelled_units(labels: Sequence[Label], kind: Kind, known: Sequence[KnownSubject] = ()) -> LabelledUnits:
    """What was labelled, with what each rater said of it."""
    told = {name: item for item in known for name in (*item.names, item.path)}
    units: dict[tuple[str, str], LabelledUnit] = {}
    pairs: dict[frozenset[str], str] = {}
    repeated = others = 0
    for label in labels:
        if label.kind != kind:
            others += 1
            continue
        subject, flip = label.subject, False
        if kind == "preference":
            sides = subject.split(_BETWEEN)
            if len(sides) == 2:
                subject = pairs.setdefault(frozenset(sides), subject)
                flip = subject != label.subject
        for part, value in _values(label, flip=flip):
            unit = units.get((subject, part))
            if unit is None:
                unit = _unit(label, subject, part, told)
                units[subject, part] = unit
            repeated += label.rater in unit.ratings and unit.ratings[label.rater] != value
            unit.ratings[label.rater] = value
    return LabelledUnits(kind=kind, units=units, repeated=repeated, others=others)


def _unit(label: Label, subject: str, part: str, told: Mapping[str, KnownSubject]) -> LabelledUnit:
    item = told.get(subject.split(_BETWEEN, maxsplit=1)[0])
    task = label.task or (item.task if item else None) or subject
    strata = {**(item.strata if item else {}), **label.strata}
    return LabelledUnit(subject=subject, part=part, task=task, strata=strata, ratings={})


def _values(label: Label, *, flip: bool) -> Iterable[tuple[str, Any]]:
    if label.preference is not None:
        better = BETTER[label.preference]
        yield label.criterion or OVERALL, swapped(better) if flip else better
    elif label.verdict is not None:
        yield label.criterion or OVERALL, label.verdict
    elif label.scores is not None:
        yield from label.scores.items()
    elif label.score is not None:
        yield label.criterion or OVERALL, label.score


class SubjectNames:
    """Finds what labels call the subject of a judgment.

    The same name; else a name that a file of subjects gives it; else the same in the same folder, without folders, or
    without an ending too, where only one subject is called so, among the labels and among what was judged.
    """

    def __init__(self, subjects: Iterable[str], known: Sequence[KnownSubject] = ()) -> None:
        self._whole = dict.fromkeys(subjects)
        self._pairs = {
            frozenset(sides): subject for subject in self._whole if len(sides := subject.split(_BETWEEN)) == 2
        }
        parts = {part for subject in self._whole for part in subject.split(_BETWEEN)}
        self._parts = parts
        self._bare: dict[str, str | None] = {}
        for part in sorted(parts):
            for bare in set(_shorter(part)):
                self._bare[bare] = None if bare in self._bare else part
        self.shared: frozenset[str] = frozenset()
        self._told: dict[str, str] = {}
        for item in known:
            name = next((name for name in item.names if name in parts), None)
            if name is not None:
                self._told[item.path] = name
                self._told.setdefault(_base(item.path), name)

    def among(self, said: Iterable[JudgeResponse]) -> SubjectNames:
        """The same for what one judge judged: a shorter name that two of its subjects share is neither's.

        Else a label of ``a/report.md`` would be held against a judgment of ``b/report.md``, which nobody labelled.
        """
        parts = {part for item in said for part in item.subject.split(_BETWEEN)}
        counts = Counter(bare for part in parts for bare in set(_shorter(part)))
        found = copy(self)
        found.shared = frozenset(bare for bare, count in counts.items() if count > 1)
        return found

    def find(self, said: JudgeResponse) -> tuple[str, bool] | None:
        """The subject's name among the labels, and whether the pair is the other way round; None if it has none."""
        if said.subject in self._whole:
            return said.subject, False
        sides = [self.part(part) for part in said.subject.split(_BETWEEN)]
        if any(side is None for side in sides):
            return None
        if len(sides) == 1:
            name = str(sides[0])
            return (name, False) if name in self._whole else None
        subject = self._pairs.get(frozenset(str(side) for side in sides)) if len(sides) == 2 else None
        return None if subject is None else (subject, subject != _BETWEEN.join(map(str, sides)))

    def part(self, part: str) -> str | None:
        """The name among the labels of one subject, or of one of a pair."""
        if part in self._parts:
            return part
        base = _base(part)
        told = self._told.get(part) or (None if base in self.shared else self._told.get(base))
        if told:
            return told
        shorter = (self._bare.get(bare) for bare in _shorter(part) if bare not in self.shared)
        return next((name for name in shorter if name is not None), None)


def _shorter(name: str) -> tuple[str, ...]:
    """Shorter names of a subject: with its last folder, without, without its ending."""
    parts = name.replace("\\", "/").split("/")
    return (*(["/".join(parts[-2:])] if len(parts) > 1 else []), _base(name), _stem(name))


def _base(name: str) -> str:
    return posixpath.basename(name.replace("\\", "/"))


def _stem(name: str) -> str:
    stem, ending = posixpath.splitext(_base(name))
    # ``reports.jsonl:3`` is a row of a file, and no other name of the file.
    return stem if ending[1:].isalnum() and not ending[1:].isdigit() else _base(name)


def better_of(
    said: JudgeResponse, *, flip: bool
) -> tuple[Better | None, tuple[Better | None, Better | None] | None]:
    """The preference and both orders, in terms of the labels' A and B."""
    orders = said.orders
    if orders is None and "@" not in said.judge and said.better is not None:
        # A judge that asks no model, or a person, has no order to be swayed by.
        orders = said.better, said.better
    if not flip:
        return said.better, orders
    return swapped(said.better), None if orders is None else (swapped(orders[0]), swapped(orders[1]))
