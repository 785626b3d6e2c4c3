"""How far people agree with each other: the ceiling for any judge of theirs.

``pairwise`` puts every rating beside every other of the same unit; ``leave_one_out`` puts each beside what the others say
together, which is how a judge is measured too – though a judge is measured against one rater more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import numpy as np

from assay.measures import additive
from assay.measures.bootstrap import bootstrap_tables
from assay.measures.intervals import Estimate
from assay.measures.kappas import rating_parts
from assay.meta.agreement_metrics import DRAWS
from assay.meta.consensus import others_say, together
from assay.meta.labelled_units import LabelledUnit, LabelledUnits
from assay.meta.metric_set import MetricSet

_NAMED: Final = 20


class HumanAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """The people, and how far they agree.

    Attributes:
        raters: How many.
        named: Ratings by rater, of at most twenty, most first.
        labels: Ratings in all.
        units: What was rated.
        shared: Units with two ratings or more: what agreement rests on.
        split: Units of which as many say one thing as another: left out of what judges are measured against.
        pairwise: Metrics of every rating beside every other of its unit.
        leave_one_out: Metrics of every rating beside what the others say.
        panel: Fleiss' κ, Gwet's AC and the share of agreeing pairs, all raters as one panel.
    """

    raters: int
    named: dict[str, int]
    labels: int
    units: int
    shared: int = 0
    split: int = 0
    pairwise: dict[str, Estimate] = {}
    leave_one_out: dict[str, Estimate] = {}
    panel: dict[str, Estimate] = {}


def human_agreement_of(
    labelled: LabelledUnits, units: Sequence[LabelledUnit], yard: MetricSet
) -> HumanAgreement:
    """How far the raters of units agree.

    Args:
        labelled: For the kind.
        units: Those in question.
        yard: What a judge is measured with.
    """
    raters: Counter[str] = Counter()
    pairs: list[tuple[Any, Any, str]] = []
    left: list[tuple[Any, Any, str]] = []
    shared: list[LabelledUnit] = []
    split = 0
    for unit in units:
        raters.update(unit.ratings.keys())
        given = list(unit.ratings.values())
        split += together(given, labelled.kind) is None
        if len(given) < 2:
            continue
        shared.append(unit)
        pairs += [(a, b, unit.task) for i, a in enumerate(given) for j, b in enumerate(given) if i != j]
        left += [(rest, one, unit.task) for one, rest in others_say(given, labelled.kind)]
    return HumanAgreement(
        raters=len(raters),
        named=dict(raters.most_common(_NAMED)),
        labels=sum(raters.values()),
        units=len(units),
        shared=len(shared),
        split=split,
        pairwise=_each_way(_measured(yard, pairs)),
        leave_one_out=_measured(yard, left),
        panel=_panel(shared, yard),
    )


def _measured(yard: MetricSet, rows: Sequence[tuple[Any, Any, str]]) -> dict[str, Estimate]:
    if not rows:
        return {}
    truth, said, tasks = zip(*rows, strict=True)
    return yard.measure(truth, said, tasks)


def _each_way(found: dict[str, Estimate]) -> dict[str, Estimate]:
    """Every pair of ratings is there both ways round: half as many, and no bias between them."""
    return {key: msgspec.structs.replace(item, n=item.n // 2) for key, item in found.items() if key != "bias"}


def _panel(shared: Sequence[LabelledUnit], yard: MetricSet) -> dict[str, Estimate]:
    """Coefficients of all raters together, over tasks drawn again."""
    k = len(yard.classes)
    if not shared or k < 2:
        return {}
    counts = np.zeros((len(shared), k))
    for at, unit in enumerate(shared):
        for value in unit.ratings.values():
            counts[at, yard.code(value)] += 1
    parts = rating_parts(counts)
    places = {task: at for at, task in enumerate(dict.fromkeys(unit.task for unit in shared))}
    sums = np.zeros((len(places), parts.shape[1]))
    np.add.at(sums, [places[unit.task] for unit in shared], parts)
    alike = additive.similarity(k, "none")
    found = {
        "pairwise_agreement": bootstrap_tables(
            sums, lambda rows: additive.over(rows[..., -3], rows[..., -2]), draws=DRAWS
        ),
        "fleiss_kappa": bootstrap_tables(sums, lambda rows: additive.fleiss_parts(rows, alike), draws=DRAWS),
        "gwet_ac1": bootstrap_tables(sums, lambda rows: additive.ac_parts(rows, alike), draws=DRAWS),
    }
    return {key: msgspec.structs.replace(value, n=len(shared)) for key, value in found.items()}
