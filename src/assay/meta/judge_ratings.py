"""The judgments of one judge, matched to the units that people labelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from assay.judges.judgment import Judgment, Preference, Verdict, worst_status
from assay.judges.order_rules import OrderRule, combine_orders
from assay.judges.sides import Orders, Side, orders_of, side_of, side_of_margin, swapped
from assay.meta.consensus import consensus_of
from assay.meta.labelled_units import OVERALL, LabelledUnits, SubjectNames
from assay.meta.labels.record import Kind, verdict_of

Key = tuple[str, str]
_PREFERENCES: Final[dict[str, Preference]] = {"A": "A>B", "B": "A<B", "tie": "tie"}
# Scores of judges that grade criteria stand for these words.
_WORDS: Final = {1.0: "met", 0.5: "partially met", 0.0: "not met"}
# The value of a judge that was asked and decided for nothing.
ABSTAINED: Final = "abstained"
# Names of each side that a message shows.
SHOWN: Final = 3


class UnitResponse(msgspec.Struct, frozen=True, gc=False):
    """One repetition on one unit: the value (None without a verdict) and, for a pair, the preference in both orders."""

    value: Any
    orders: Orders | None = None
    status: str = "ok"
    repetition: int = 0

    @property
    def is_silent(self) -> bool:
        """Whether there is no verdict."""
        return self.value is None or self.value == ABSTAINED


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
    def given(self) -> list[Any]:
        """All values, without missing verdicts."""
        return [
            one.value for repetitions in self.by_unit.values() for one in repetitions if not one.is_silent
        ]

    def statuses(self) -> Counter[str]:
        """Count repetitions by status."""
        return Counter(
            item.status if item.is_silent and item.status != "ok" else ABSTAINED if item.is_silent else "ok"
            for repetitions in self.by_unit.values()
            for item in repetitions
        )

    def with_abstentions(self) -> JudgeRatings:
        """Return the ratings with "abstained" as the value where the judge was asked and decided for nothing."""
        # A judge that never gave a verdict by order has no agreement accuracy, abstaining or not.
        by_order = any(one.orders is not None for each in self.by_unit.values() for one in each)
        counted = UnitResponse(ABSTAINED, (ABSTAINED, ABSTAINED) if by_order else None)
        return msgspec.structs.replace(
            self,
            by_unit={
                key: [counted if one.value is None and one.status == "ok" else one for one in repetitions]
                for key, repetitions in self.by_unit.items()
            },
        )

    def runs(self, keys: Sequence[Key]) -> list[list[float | None]]:
        """Return the scores of each unit by repetition, as many for each; repetitions without a number count by place."""
        numbered = all(
            len({one.repetition for one in self.by_unit[key]}) == len(self.by_unit[key]) for key in keys
        )
        rows: list[dict[int, float | None]] = []
        for key in keys:
            units = enumerate(self.by_unit[key])
            rows.append({one.repetition if numbered else at: one.value for at, one in units})
        names = sorted({name for row in rows for name in row})
        return [[row.get(name) for name in names] for row in rows]

    def verdicts(self, kind: Kind, how: Literal["together", "each"]) -> tuple[list[UnitVerdict], int]:
        """Return the verdicts, and the number of units whose repetitions do not agree on one.

        Args:
            kind: Kind of the labels.
            how: ``together`` gives one verdict per unit (mean or majority of its repetitions), ``each`` one per
                repetition.
        """
        verdicts: list[UnitVerdict] = []
        undecided = 0
        for key, repetitions in self.by_unit.items():
            if how == "each" or len(repetitions) == 1:
                verdicts += [
                    UnitVerdict(key, one.value, one.orders) for one in repetitions if one.value is not None
                ]
                continue
            value = consensus_of([one.value for one in repetitions], kind)
            if value is not None:
                verdicts.append(UnitVerdict(key, value, _majority_orders(repetitions)))
            undecided += value is None and any(one.value is not None for one in repetitions)
        return verdicts, undecided


def match_judgments(
    judge: str,
    judgments: Sequence[Judgment],
    labelled: LabelledUnits,
    names: SubjectNames,
    called: Mapping[str, str],
    *,
    rule: OrderRule = "assay",
) -> JudgeRatings:
    """Assign the judgments of one judge to labelled units.

    Args:
        judge: Name of the judge.
        judgments: All of its judgments, singles only.
        labelled: Labelled units.
        names: Names of the labelled subjects.
        called: The judge's names for dimensions or criteria, by the labels' names, where the two differ.
        rule: Rule by which the orders of a pair combine.
    """
    parts: dict[str, list[str]] = {}
    for subject, part in labelled.units:
        parts.setdefault(subject, []).append(part)
    pairs = [item for item in judgments if item.mode == "compare"]
    wants_pairs = labelled.kind == "preference"
    pointwise = wants_pairs and not pairs
    by_unit: dict[Key, list[UnitResponse]] = {}
    unlabelled = matched = 0
    if pointwise:
        pairs, unlabelled = _pairs_from_scores(judgments, names, parts)
    known = parts_of(judgments)
    for item in pairs if wants_pairs else judgments:
        match = names.find(item) if (item.mode == "compare") == wants_pairs else None
        if match is None:
            unlabelled += 1
            continue
        subject, flip = match
        matched += 1
        for part in parts.get(subject, ()):
            one = _unit_response(item, called.get(part, part), known, labelled.kind, flip=flip, rule=rule)
            if one is not None:
                one = msgspec.structs.replace(one, repetition=item.repetition)
                by_unit.setdefault((subject, part), []).append(one)
    costs = [item.usage.cost_usd for item in judgments]
    return JudgeRatings(
        judge=judge,
        by_unit=by_unit,
        unlabelled=unlabelled,
        matched=matched,
        tokens=sum(item.usage.input_tokens + item.usage.output_tokens for item in judgments),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        pointwise=pointwise,
    )


def add_axes(
    judgments: Iterable[Judgment], labelled: LabelledUnits, names: SubjectNames, called: Mapping[str, str]
) -> None:
    """Give units the axis of their criterion as a stratum, where judgments know it and labels do not."""
    labels = {mine: theirs for theirs, mine in called.items()}
    for item in judgments:
        axes = {name: verdict.axis for verdict in item.verdicts if verdict.axis for name in _names(verdict)}
        match = names.find(item) if axes else None
        for name, axis in axes.items() if match else ():
            unit = labelled.units.get((match[0], labels.get(name, name))) if match else None
            if unit is not None and axis is not None:
                unit.strata.setdefault("axis", axis)


def parts_of(judgments: Iterable[Judgment]) -> dict[str, None]:
    """Return the names of all criteria and dimensions that judgments are about, in order."""
    names: dict[str, None] = {}
    for item in judgments:
        if item.scores:
            names |= dict.fromkeys(item.scores)
        for verdict in item.verdicts:
            names |= dict.fromkeys(_names(verdict))
    return names


def _names(verdict: Verdict) -> tuple[str, ...]:
    """Return the names by which labels may mean a criterion: its key and its text."""
    text = " ".join(verdict.text.split())
    return (verdict.criterion, text) if text else (verdict.criterion,)


def _verdict_on(judgment: Judgment, part: str) -> Verdict | None:
    return next((item for item in judgment.verdicts if not item.unit and part in _names(item)), None)


def _unit_response(
    item: Judgment, part: str, known: Container[str], kind: Kind, *, flip: bool, rule: OrderRule
) -> UnitResponse | None:
    """Return what a judgment says about a part; None if the judge was not asked about that part."""
    if kind == "preference" and part == OVERALL:
        return _preference(item, rule, flip=flip)
    verdict = _verdict_on(item, part)
    if kind == "preference":
        return _preference_on(item, part, verdict, known, flip=flip, rule=rule)
    if verdict is not None and verdict.status != "ok":
        return UnitResponse(None, None, verdict.status)
    value = _value(item, part, verdict, kind)
    if value is None and part == OVERALL and OVERALL not in known:
        only = [each.criterion for each in item.verdicts] or list(item.scores or ())
        if len(only) == 1:
            value = _value(item, only[0], _verdict_on(item, only[0]), kind)
    if value is not None:
        return UnitResponse(value, None, item.status)
    was_asked = part in known or (item.status != "ok" and not item.scores and not item.verdicts)
    return UnitResponse(None, None, item.status) if was_asked else None


def _value(item: Judgment, part: str, verdict: Verdict | None, kind: Kind) -> Any:
    """Return a score, or a word for it."""
    score = None if verdict is None else verdict.score
    if score is None:
        score = (item.scores or {}).get(part)
    if kind == "score":
        return score
    if verdict is not None and isinstance(verdict.verdict, str):
        return verdict_of(verdict.verdict, item.subject)
    return None if score is None else _WORDS.get(score)


def _preference_on(
    item: Judgment,
    part: str,
    verdict: Verdict | None,
    known: Container[str],
    *,
    flip: bool,
    rule: OrderRule,
) -> UnitResponse | None:
    """Return the preference on one criterion, in both orders if these are known."""
    margin = (item.scores or {}).get(part)
    if margin is None and verdict is not None:
        margin = verdict.score
    status = item.status if verdict is None else verdict.status
    if margin is None:
        return UnitResponse(None, None, status) if part in known else None
    orders = orders_of(None if verdict is None else verdict.by_order)
    if orders is not None and flip:
        orders = swapped(orders[0]), swapped(orders[1])
    side: Side | None = side_of_margin(-margin if flip else margin)
    if orders is not None and None not in orders:
        side = combine_orders(orders, rule)
    return UnitResponse(side, orders, status)


def _preference(item: Judgment, rule: OrderRule, *, flip: bool) -> UnitResponse:
    """Return the preference, overall and by order, in terms of the labels' A and B.

    Orders without a joint preference, as in imported verdicts, are combined by the rule.
    """
    side, orders, status = side_of(item), orders_of(item.by_order), item.status
    if orders is not None and any(orders) and item.problem != ABSTAINED:
        if rule != "assay" or (side is None and status == "ok"):
            side = combine_orders(orders, rule)
        if side is None and status == "ok":
            status = "unparsed"
    elif orders is not None and rule == "judgebench":
        side = combine_orders(orders, rule)
    if flip:
        side, orders = swapped(side), None if orders is None else (swapped(orders[0]), swapped(orders[1]))
    return UnitResponse(side, orders, status)


def _pairs_from_scores(
    judgments: Iterable[Judgment], names: SubjectNames, parts: Mapping[str, Sequence[str]]
) -> tuple[list[Judgment], int]:
    """Derive a preference for each labelled pair from the scores of its two sides; order plays no part in it."""
    scored: dict[str, list[Judgment]] = {}
    unlabelled = 0
    for item in judgments:
        name = names.find_side(item.subject)
        unlabelled += name is None
        if name is not None:
            scored.setdefault(name, []).append(item)
    pairs: list[Judgment] = []
    for subject in parts:
        sides = subject.split(" | ")
        if len(sides) != 2:
            continue
        for a, b in zip(*(scored.get(side, []) for side in sides), strict=False):
            first, second = a.scores or {}, b.scores or {}
            margins = {key: first[key] - second[key] for key in first if key in second}
            preference = _PREFERENCES[side_of_margin(margins[OVERALL])] if OVERALL in margins else None
            pairs.append(
                Judgment(
                    judge=a.judge,
                    subject=subject,
                    preference=preference,
                    by_order=None if preference is None else {"AB": preference, "BA": preference},
                    scores=margins,
                    mode="compare",
                    status=worst_status((a.status, b.status)),
                )
            )
    return pairs, unlabelled


def _majority_orders(repetitions: Sequence[UnitResponse]) -> Orders | None:
    """Return the majority in each order."""
    both = [one.orders for one in repetitions if one.orders is not None]
    if not both:
        return None
    return consensus_of([one[0] for one in both], "preference"), consensus_of(
        [one[1] for one in both], "preference"
    )


def explain_mismatch(
    judgments: Sequence[Judgment],
    labelled: LabelledUnits,
    ratings: Sequence[JudgeRatings],
    *,
    known: bool,
) -> str:
    """Explain why no judgment matches a label, with names of both sides."""
    if any(item.matched for item in ratings):
        parts = list(dict.fromkeys(part for _, part in labelled.units))
        dimensions = list(parts_of(judgments))
        return (
            f"labels are about {first_names(parts)}, judgments about {first_names(dimensions) or 'nothing'}; "
            f"a map of dimensions, {parts[0][:40]}={dimensions[0][:40] if dimensions else 'NAME'}, would match them"
        )
    if labelled.kind != "preference" and all(item.mode == "compare" for item in judgments):
        return f"judgments compare pairs, but labels are {labelled.kind}s of single subjects"
    subjects = list(dict.fromkeys(subject for subject, _ in labelled.units))
    judged = list(dict.fromkeys(item.subject for item in judgments))
    hint = "" if known else "; give the subjects that were judged, so that their ids are known"
    return f"no judgment is of a labelled subject: judged {first_names(judged)}, labelled {first_names(subjects)}{hint}"


def first_names(names: Sequence[str]) -> str:
    """Quote the first names of a list."""
    shown = ", ".join(repr(name[:60]) for name in names[:SHOWN])
    return shown + (" …" if len(names) > SHOWN else "")
