"""The judgments of one judge, matched to the units that people labelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from assay.meta.consensus import consensus_of
from assay.meta.labelled_units import OVERALL, LabelledUnits, SubjectNames
from assay.meta.labels.record import Kind
from assay.meta.responses import Better, JudgeResponse, swapped

Key = tuple[str, str]
Orders = tuple[Better | None, Better | None]
# Scores of judges that grade criteria stand for these words.
_WORDS: Final = {1.0: "met", 0.5: "partially met", 0.0: "not met"}
_EVEN: Final = 1e-9
# Names of each side that a message shows.
SHOWN: Final = 3


class UnitResponse(msgspec.Struct, frozen=True, gc=False):
    """One repetition on one unit: the value (None without a verdict) and, for a pair, the preference in both orders."""

    value: Any
    orders: Orders | None = None
    status: str = "ok"


class UnitVerdict(msgspec.Struct, frozen=True, gc=False):
    """A verdict to compare with the labels of its unit."""

    key: Key
    value: Any
    orders: Orders | None = None


class JudgeRatings(msgspec.Struct, frozen=True, kw_only=True):
    """All judgments of one judge.

    Attributes:
        judge: Name of the judge.
        by_unit: Repetitions by unit.
        unlabelled: Number of judgments of subjects that nobody labelled.
        matched: Number of judgments of labelled subjects.
        tokens: Input and output tokens of all judgments in the files; each judgment counts once.
        cost: Cost in US dollars; None if that of any judgment is unknown.
        pointwise: Whether preferences were derived from two scores.
    """

    judge: str
    by_unit: dict[Key, list[UnitResponse]]
    unlabelled: int = 0
    matched: int = 0
    tokens: int = 0
    cost: float | None = None
    pointwise: bool = False

    @property
    def repetitions(self) -> int:
        """The largest number of repetitions of any unit."""
        return max(map(len, self.by_unit.values()), default=0)

    @property
    def orderless(self) -> bool:
        """Whether the order of a pair plays no role: the judge uses no model, is a person, or scored each subject alone."""
        return self.pointwise or "@" not in self.judge

    @property
    def values(self) -> list[Any]:
        """All values, without missing verdicts."""
        return [
            one.value for repetitions in self.by_unit.values() for one in repetitions if one.value is not None
        ]

    def statuses(self) -> Counter[str]:
        """Count repetitions by status."""
        return Counter(
            "ok" if item.value is not None else item.status if item.status != "ok" else "unparsed"
            for repetitions in self.by_unit.values()
            for item in repetitions
        )

    def verdicts(self, kind: Kind, trials: Literal["together", "each"]) -> tuple[list[UnitVerdict], int]:
        """Return the verdicts, and the number of units whose repetitions do not agree on one.

        Args:
            kind: Kind of the labels.
            trials: ``together`` gives one verdict per unit (mean or majority of its repetitions), ``each`` one per
                repetition.
        """
        verdicts: list[UnitVerdict] = []
        undecided = 0
        for key, repetitions in self.by_unit.items():
            if trials == "each" or len(repetitions) == 1:
                verdicts += [
                    UnitVerdict(key, one.value, one.orders) for one in repetitions if one.value is not None
                ]
                continue
            value = consensus_of([one.value for one in repetitions], kind)
            if value is not None:
                verdicts.append(UnitVerdict(key, value, _majority_orders(repetitions)))
            undecided += value is None and any(one.value is not None for one in repetitions)
        return verdicts, undecided


def match_responses(
    responses: Sequence[JudgeResponse],
    labelled: LabelledUnits,
    names: SubjectNames,
    called: Mapping[str, str],
) -> JudgeRatings:
    """Assign the judgments of one judge to labelled units.

    Args:
        responses: All judgments of one judge.
        labelled: Labelled units.
        names: Names of the labelled subjects.
        called: The judge's names for dimensions or criteria, by the labels' names, where the two differ.
    """
    parts: dict[str, list[str]] = {}
    for subject, part in labelled.units:
        parts.setdefault(subject, []).append(part)
    pairs = [item for item in responses if item.pair]
    wants_pairs = labelled.kind == "preference"
    pointwise = wants_pairs and not pairs
    by_unit: dict[Key, list[UnitResponse]] = {}
    unlabelled = matched = 0
    if pointwise:
        pairs, unlabelled = _pairs_from_scores(responses, names, parts)
    known = {name for item in responses for name in (*item.scores, *item.verdicts)}
    for item in pairs if wants_pairs else responses:
        match = names.find(item) if item.pair == wants_pairs else None
        if match is None:
            unlabelled += 1
            continue
        subject, flip = match
        matched += 1
        for part in parts.get(subject, ()):
            one = _unit_response(item, called.get(part, part), known, labelled.kind, flip=flip)
            if one is not None:
                by_unit.setdefault((subject, part), []).append(one)
    costs = [item.cost for item in responses]
    return JudgeRatings(
        judge=responses[0].judge,
        by_unit=by_unit,
        unlabelled=unlabelled,
        matched=matched,
        tokens=sum(item.tokens for item in responses),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        pointwise=pointwise,
    )


def _unit_response(
    item: JudgeResponse, part: str, known: set[str], kind: str, *, flip: bool
) -> UnitResponse | None:
    """Return what a judgment says about a part; None if the judge was not asked about that part."""
    if kind == "preference":
        if part == OVERALL:
            return UnitResponse(*_preference(item, flip=flip), item.status)
        margin = item.scores.get(part)
        if margin is None:
            return UnitResponse(None, None, item.status) if part in known else None
        return UnitResponse(_side(-margin if flip else margin), None, item.status)
    given: Mapping[str, Any] = item.scores
    if kind == "verdict":
        given = item.verdicts or {name: _WORDS.get(score) for name, score in item.scores.items()}
    if part in given:
        return UnitResponse(given[part], None, item.status)
    if part == OVERALL and len(given) == 1 and OVERALL not in known:
        return UnitResponse(next(iter(given.values())), None, item.status)
    was_asked = part in known or (item.status != "ok" and not given)
    return UnitResponse(None, None, item.status) if was_asked else None


def _preference(item: JudgeResponse, *, flip: bool) -> tuple[Better | None, Orders | None]:
    """Return the preference, overall and by order, in terms of the labels' A and B."""
    orders = item.orders
    if orders is None and "@" not in item.judge and item.better is not None:
        # A person, or a judge that asks no model, has no order to be swayed by.
        orders = item.better, item.better
    if not flip:
        return item.better, orders
    return swapped(item.better), None if orders is None else (swapped(orders[0]), swapped(orders[1]))


def _pairs_from_scores(
    responses: Iterable[JudgeResponse], names: SubjectNames, parts: Mapping[str, Sequence[str]]
) -> tuple[list[JudgeResponse], int]:
    """Derive a preference for each labelled pair from the scores of its two sides; order plays no part in it."""
    scores: dict[str, list[JudgeResponse]] = {}
    unlabelled = 0
    for item in responses:
        name = names.find_side(item.subject)
        unlabelled += name is None
        if name is not None:
            scores.setdefault(name, []).append(item)
    pairs: list[JudgeResponse] = []
    for subject in parts:
        sides = subject.split(" | ")
        if len(sides) != 2:
            continue
        for a, b in zip(*(scores.get(side, []) for side in sides), strict=False):
            margins = {key: a.scores[key] - b.scores[key] for key in a.scores if key in b.scores}
            better = _side(margins[OVERALL]) if OVERALL in margins else None
            pairs.append(
                JudgeResponse(
                    judge=a.judge,
                    subject=subject,
                    better=better,
                    orders=None if better is None else (better, better),
                    scores=margins,
                    pair=True,
                    status=next((one.status for one in (a, b) if one.status != "ok"), "ok"),
                )
            )
    return pairs, unlabelled


def _side(margin: float) -> Better:
    return "tie" if abs(margin) <= _EVEN else "A" if margin > 0 else "B"


def _majority_orders(repetitions: Sequence[UnitResponse]) -> Orders | None:
    """Return the majority in each order."""
    both = [one.orders for one in repetitions if one.orders is not None]
    if not both:
        return None
    return consensus_of([one[0] for one in both], "preference"), consensus_of(
        [one[1] for one in both], "preference"
    )


def explain_mismatch(
    responses: Sequence[JudgeResponse],
    labelled: LabelledUnits,
    ratings: Sequence[JudgeRatings],
    *,
    known: bool,
) -> str:
    """Explain why no judgment matches a label, with names of both sides."""
    if any(item.matched for item in ratings):
        parts = list(dict.fromkeys(part for _, part in labelled.units))
        dimensions = list(
            dict.fromkeys(name for item in responses for name in (*item.scores, *item.verdicts))
        )
        return (
            f"labels are about {first_names(parts)}, judgments about {first_names(dimensions) or 'nothing'}; "
            f"a map of dimensions, {parts[0][:40]}={dimensions[0][:40] if dimensions else 'NAME'}, would match them"
        )
    if labelled.kind != "preference" and all(item.pair for item in responses):
        return f"judgments compare pairs, but labels are {labelled.kind}s of single subjects"
    subjects = list(dict.fromkeys(subject for subject, _ in labelled.units))
    judged = list(dict.fromkeys(item.subject for item in responses))
    hint = "" if known else "; name the file of the judged subjects, so that its ids are known"
    return f"no judgment is of a labelled subject: judged {first_names(judged)}, labelled {first_names(subjects)}{hint}"


def first_names(names: Sequence[str]) -> str:
    """Quote the first names of a list."""
    shown = ", ".join(repr(name[:60]) for name in names[:SHOWN])
    return shown + (" …" if len(names) > SHOWN else "")
