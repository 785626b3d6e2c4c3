"""Human–human agreement: how far raters agree with each other, an upper reference for any judge.

``pairwise`` compares every rating with every other of the same unit. ``leave_one_out`` compares each with the
consensus of the others, just as a judge is compared with the consensus of all raters, which has one rater more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from assay.frozen import FrozenFields
from assay.measures import additive
from assay.measures.bootstrap import bootstrap_tables
from assay.measures.intervals import Estimate
from assay.measures.kappas import rating_parts
from assay.meta.agreement_metrics import DRAWS
from assay.meta.consensus import consensus_of, leave_one_out
from assay.meta.labelled_units import LabelledUnit
from assay.meta.metric_set import MetricSet

_NAMED: Final = 20


class HumanAgreement(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """The raters, and how far they agree.

    Attributes:
        raters: Number of raters.
        named: Number of ratings by rater, for the twenty most active.
        labels: Number of ratings.
        units: Number of rated units.
        shared: Number of units with at least two ratings, on which agreement rests.
        split: Number of units whose raters are tied and nothing adjudicates, so that judges are not measured on them.
        adjudicated: Number of units whose raters are tied and that adjudication decided.
        pairwise: Metrics of every rating against every other of its unit.
        leave_one_out: Metrics of every rating against the consensus of the others.
        panel: Fleiss' κ, Gwet's AC1 and the share of agreeing pairs, with all raters as one panel.
        by: The same by stratum: ``{"dimension": {"depth": …}}``.
    """

    raters: int
    named: dict[str, int]
    labels: int
    units: int
    shared: int = 0
    split: int = 0
    adjudicated: int = 0
    pairwise: dict[str, Estimate] = {}
    leave_one_out: dict[str, Estimate] = {}
    panel: dict[str, Estimate] = {}
    by: dict[str, dict[str, HumanAgreement]] = {}


def human_agreement_of(
    units: Sequence[LabelledUnit], metrics: MetricSet, truth: Mapping[tuple[str, str], Any]
) -> HumanAgreement:
    """Measure how far the raters of units agree, with the metrics of a judge; ``truth`` is after adjudication."""
    raters: Counter[str] = Counter()
    pairs: list[tuple[Any, Any, str]] = []
    against_rest: list[tuple[Any, Any, str]] = []
    shared: list[LabelledUnit] = []
    split = decided = 0
    for unit in units:
        raters.update(unit.ratings.keys())
        given = list(unit.ratings.values())
        if consensus_of(given, metrics.kind) is None:
            known = truth.get((unit.subject, unit.part)) is not None
            decided, split = decided + known, split + (not known)
        if len(given) < 2:
            continue
        shared.append(unit)
        pairs += [(a, b, unit.task) for i, a in enumerate(given) for j, b in enumerate(given) if i != j]
        against_rest += [(rest, one, unit.task) for one, rest in leave_one_out(given, metrics.kind)]
    return HumanAgreement(
        raters=len(raters),
        named=dict(raters.most_common(_NAMED)),
        labels=sum(raters.values()),
        units=len(units),
        shared=len(shared),
        split=split,
        adjudicated=decided,
        pairwise=_once_per_pair(_measured(metrics, pairs)),
        leave_one_out=_measured(metrics, against_rest),
        panel=_panel(shared, metrics),
    )


def _measured(metrics: MetricSet, rows: Sequence[tuple[Any, Any, str]]) -> dict[str, Estimate]:
    return metrics.measure(*zip(*rows, strict=True)) if rows else {}


def _once_per_pair(metrics: dict[str, Estimate]) -> dict[str, Estimate]:
    """Halve the counts, because every pair of ratings occurs in both directions; bias is then 0 by construction."""
    return {
        key: msgspec.structs.replace(item, n=item.n // 2) for key, item in metrics.items() if key != "bias"
    }


def _panel(shared: Sequence[LabelledUnit], metrics: MetricSet) -> dict[str, Estimate]:
    """Return the coefficients of all raters together, bootstrapped over tasks."""
    k = len(metrics.classes)
    if not shared or k < 2:
        return {}
    counts = np.zeros((len(shared), k))
    for at, unit in enumerate(shared):
        for value in unit.ratings.values():
            counts[at, metrics.code(value)] += 1
    parts = rating_parts(counts)
    places = {task: at for at, task in enumerate(dict.fromkeys(unit.task for unit in shared))}
    sums = np.zeros((len(places), parts.shape[1]))
    np.add.at(sums, [places[unit.task] for unit in shared], parts)
    alike = additive.similarity(k, "none")
    estimates = {
        "pairwise_agreement": bootstrap_tables(
            sums, lambda rows: additive.over(rows[..., -3], rows[..., -2]), draws=DRAWS
        ),
        "fleiss_kappa": bootstrap_tables(sums, lambda rows: additive.fleiss_parts(rows, alike), draws=DRAWS),
        "gwet_ac1": bootstrap_tables(sums, lambda rows: additive.ac_parts(rows, alike), draws=DRAWS),
    }
    return {key: msgspec.structs.replace(value, n=len(shared)) for key, value in estimates.items()}
