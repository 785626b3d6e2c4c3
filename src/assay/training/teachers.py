"""Examples from teachers: a pair stays if all of them agree, in both orders (ReportLogic, section 4.2).

The judgments are those of an ordinary run of several judges on pairs; each has the preference in either order. What
each filter removes is counted, by dimension too, because a filter that removes the hard pairs makes an easy test.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec

from assay.training.examples import TrainingExample, reply_of

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.subjects.case import Case

# Preference of a judgment, in the words of its labels.
_LABELS: Final[Mapping[str, str]] = {
    "A": "A>B", "B": "A<B", "A>B": "A>B", "A<B": "A<B", "tie": "tie", "both_good": "both_good", "both_bad": "both_bad",
}  # fmt: skip


class FilterReport(msgspec.Struct, kw_only=True):
    """What became of the pairs.

    Attributes:
        pairs: Pairs that at least one teacher judged.
        no_verdict: Pairs on which a teacher gave no verdict.
        not_consistent: Pairs on which a teacher's verdict did not invert with the order.
        not_unanimous: Pairs on which teachers, each consistent, disagreed.
        kept: Pairs that are left.
        by_label: Kept pairs by label.
        by_group: Kept pairs and all pairs by system, language and whatever else pairs are told apart by.
    """

    pairs: int = 0
    no_verdict: int = 0
    not_consistent: int = 0
    not_unanimous: int = 0
    kept: int = 0
    by_label: Counter[str] = msgspec.field(default_factory=Counter)
    by_group: dict[str, tuple[int, int]] = {}


def distilled(
    pairs: Iterable[tuple[Case, Sequence[Judgment]]], *, seed: int = 0
) -> tuple[list[TrainingExample], FilterReport]:
    """Return the pairs on which all teachers agree in both orders, and what became of the others.

    A dimension has a label if all teachers give it the same decision in both orders. The reply is that of one teacher,
    drawn by the seed and the pair, put together from its decisions and reasons.

    Args:
        pairs: Each pair as it was judged, with the judgments of its teachers, one each.
        seed: Seed of the draw.
    """
    report = FilterReport()
    groups: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    found: list[TrainingExample] = []
    for case, judgments in pairs:
        report.pairs += 1
        names = _groups(case)
        for name in names:
            groups[name][1] += 1
        orders = [_orders(judgment.by_order) for judgment in judgments]
        if not judgments or any(None in order for order in orders):
            report.no_verdict += 1
        elif any(order[0] != order[1] for order in orders):
            report.not_consistent += 1
        elif len({order[0] for order in orders}) > 1:
            report.not_unanimous += 1
        else:
            report.kept += 1
            report.by_label[str(orders[0][0])] += 1
            for name in names:
                groups[name][0] += 1
            found.append(_example(case, judgments, str(orders[0][0]), seed))
    report.by_group = {name: (kept, every) for name, (kept, every) in sorted(groups.items())}
    return found, report


def _orders(by_order: Mapping[str, object] | None) -> tuple[str | None, str | None]:
    given = by_order or {}
    first, second = (_LABELS.get(str(given.get(order))) for order in ("AB", "BA"))
    return first, second


def _groups(case: Case) -> tuple[str, ...]:
    systems = sorted(str(item.system or "?") for item in case.subjects)
    return (f"systems: {' and '.join(systems)}", f"language: {case.subjects[0].language}")


def _example(case: Case, judgments: Sequence[Judgment], label: str, seed: int) -> TrainingExample:
    one, other = case.subjects
    decided: dict[str, set[str | None]] = defaultdict(set)
    for judgment in judgments:
        for verdict in judgment.verdicts:
            decided[verdict.criterion] |= set(_orders(verdict.by_order))
    dimensions = {key: next(iter(values)) for key, values in decided.items() if len(values) == 1}
    labels = {key: value for key, value in dimensions.items() if value is not None}
    teacher = Random(f"{seed}:{case.id}").choice(list(judgments))  # noqa: S311 - no secret hangs on it
    example = TrainingExample(
        id=str(case.id),
        query=case.query or "",
        a=one.source,
        b=other.source,
        label=label,
        dimensions=labels,
        provenance="teachers",
        source=teacher.judge,
        system_a=one.system or "",
        system_b=other.system or "",
        language=one.language,
        group=" ".join((case.query or str(case.id)).split()),
    )
    reasons = {verdict.criterion: verdict.reasoning for verdict in teacher.verdicts if verdict.reasoning}
    if not reasons or set(reasons) != set(labels):
        # Its reply decides a dimension on which the teachers differ: it cannot be the model for one that does not.
        return msgspec.structs.replace(example, why=teacher.rationale)
    return msgspec.structs.replace(example, reply=reply_of(labels, reasons, teacher.rationale, label))
