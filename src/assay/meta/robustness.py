"""Robustness of a judge against attacks: attack success rates (ASR) and isolation rates (IR).

ASR (ReportLogic, appendix C.4; our reading of it is in docs/architecture.md). A targeted attack succeeds if the
verdict on the attacked dimension does not penalise the attacked text, so that a tie is a success. A surface attack
succeeds if the attacked text wins; a tie is not a success. IR is computed over targeted attacks that were penalised on
their dimension: the mean share of the other dimensions whose verdict is a tie, or equals that on two copies of the
clean text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from assay.frozen import FrozenFields
from assay.measures.clustered import share_interval
from assay.measures.intervals import Estimate, mean_interval
from assay.meta.trials import least_margin
from assay.rubrics.dimensions import DIMENSION_KEYS

if TYPE_CHECKING:
    from assay.meta.trials import Trial

POSITION: Final = "position"
_BYLINE: Final = "byline:"


class Robustness(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """Results of a judge on attacks.

    Attributes:
        asr: Attack success rate by type of attack; lower is better.
        asr_targeted: Success rate of all targeted attacks.
        asr_bias: Success rate of all surface attacks from the paper.
        asr_manipulation: Success rate of all attacks that the paper does not have.
        overall_asr: Success rate of targeted attacks by the overall verdict alone.
        ir: Isolation rate by dimension; higher is better.
        ir_all: Isolation rate over all dimensions.
        position: Share of orders with a winner, over pairs of identical texts shown in both orders.
        first: Share of those winners that were shown first.
        by_label: Success rate of bylines by byline.
        coverage: Share of attacks with a verdict.
    """

    asr: dict[str, Estimate]
    asr_targeted: Estimate
    asr_bias: Estimate
    asr_manipulation: Estimate
    overall_asr: Estimate
    ir: dict[str, Estimate]
    ir_all: Estimate
    position: Estimate | None
    first: Estimate | None
    by_label: dict[str, Estimate]
    coverage: float


def robustness_of(trials: Sequence[Trial], *, both_orders: bool) -> Robustness | None:
    """Compute the results on attacks; None without attacks.

    Args:
        trials: Trials of one condition.
        both_orders: Whether pairs were shown in both orders, so that a verdict on a dimension takes both.
    """
    attacks = [trial for trial in trials if trial.kind != "failure"]
    if not attacks:
        return None
    judged = [trial for trial in attacks if trial.correct is not None]
    counted = [trial for trial in judged if trial.type != POSITION]
    by_type: dict[str, list[Trial]] = {}
    for trial in counted:
        by_type.setdefault(trial.type, []).append(trial)
    isolation = _isolation(judged, least_margin(both_orders=both_orders))
    position, first = _position(attacks)
    labels: dict[str, list[Trial]] = {}
    for trial in counted:
        if trial.pattern.startswith(_BYLINE):
            labels.setdefault(trial.pattern.removeprefix(_BYLINE), []).append(trial)

    def of(kind: str) -> Estimate:
        return _success([trial for trial in counted if trial.kind == kind])

    targeted = [trial for trial in counted if trial.kind == "targeted" and trial.said is not None]
    return Robustness(
        asr={name: _success(own) for name, own in by_type.items()},
        asr_targeted=of("targeted"),
        asr_bias=of("bias"),
        asr_manipulation=of("manipulation"),
        overall_asr=share_interval(
            [trial.said != "reference" for trial in targeted], [trial.group for trial in targeted]
        ),
        ir={key: _isolation_rate(rows) for key, rows in isolation.items()},
        ir_all=_isolation_rate([row for rows in isolation.values() for row in rows]),
        position=position,
        first=first,
        by_label={name: _success(own) for name, own in sorted(labels.items())},
        coverage=len(judged) / len(attacks),
    )


def _success(trials: Sequence[Trial]) -> Estimate:
    return share_interval([trial.correct is False for trial in trials], [trial.group for trial in trials])


def _isolation_rate(rows: Sequence[tuple[str, float]]) -> Estimate:
    return mean_interval([share for _, share in rows], [group for group, _ in rows], bounds=(0.0, 1.0))


def _isolation(trials: Sequence[Trial], least: float) -> dict[str, list[tuple[str, float]]]:
    """Return for each attacked dimension the reference and the share of other dimensions left alone, by attack."""
    clean = {trial.group: trial.dimensions for trial in trials if trial.type == POSITION}
    shares: dict[str, list[tuple[str, float]]] = {}
    for trial in trials:
        own = trial.dimension
        if trial.kind != "targeted" or own is None or trial.dimensions.get(own, 0.0) < least:
            continue
        others = [key for key in DIMENSION_KEYS if key != own and key in trial.dimensions]
        if not others:
            continue
        before = clean.get(trial.group, {})
        alone = [
            verdict == 0 or (key in before and verdict == _verdict(before[key], least))
            for key in others
            for verdict in (_verdict(trial.dimensions[key], least),)
        ]
        shares.setdefault(own, []).append((trial.group, sum(alone) / len(alone)))
    return shares


def _verdict(margin: float, least: float) -> int:
    return 1 if margin >= least else -1 if margin <= -least else 0


def _position(attacks: Sequence[Trial]) -> tuple[Estimate | None, Estimate | None]:
    """Return how often identical texts get a winner, and how often that is the first one."""
    named: list[bool] = []
    firsts: list[bool] = []
    groups: list[str] = []
    first_groups: list[str] = []
    for trial in attacks:
        if trial.type != POSITION or not trial.by_order:
            continue
        for order, preferred in trial.by_order.items():
            if preferred is None:
                continue
            named.append(preferred != "tie")
            groups.append(trial.group)
            if preferred != "tie":
                firsts.append((preferred == "reference") == (order == "reference_first"))
                first_groups.append(trial.group)
    if not named:
        return None, None
    return share_interval(named, groups), share_interval(firsts, first_groups)
