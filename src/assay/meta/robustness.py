"""How far a judge can be fooled: attack success rates, and how well it keeps a penalty to where it belongs.

ASR (reportlogic, appendix C.4; readings in docs/architecture.md): of a targeted attack, the share of verdicts on the attacked dimension
that do not penalise the attacked text – a tie is a success of the attack; of a surface attack, the share in which the
attacked text wins – a tie is none. IR: of targeted attacks that were penalised on their dimension, the mean share of the
other dimensions whose verdict is a tie, or is what the judge says of the clean text against itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from assay.measures.clustered import share_interval
from assay.measures.intervals import Estimate, mean_interval
from assay.meta.trials import least_margin
from assay.rubrics.dimensions import DIMENSION_KEYS

if TYPE_CHECKING:
    from assay.meta.trials import Trial

POSITION: Final = "position"
_BYLINE: Final = "byline:"


class Robustness(msgspec.Struct, frozen=True, kw_only=True):
    """What attacks do to a judge.

    Attributes:
        asr: Attack success rate by type of attack; lower is better.
        asr_targeted: Over all targeted attacks.
        asr_bias: Over all surface attacks of the paper.
        asr_manipulation: Over all attacks beyond it.
        overall_asr: The same attacks by the overall verdict alone, targeted ones.
        ir: Isolation rate by dimension; higher is better.
        ir_all: Over all dimensions.
        position: Of identical texts shown in two orders, the share of orders in which one of them was called better.
        first: Of those, the share in which it was the one shown first.
        by_label: Success of an author's label by the label.
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
    """All about attacks, from trials; None where there were none.

    Args:
        trials: Of one condition.
        both_orders: Whether pairs were shown in both orders: a verdict on a dimension is one that both gave.
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
        asr={name: _success(found) for name, found in by_type.items()},
        asr_targeted=of("targeted"),
        asr_bias=of("bias"),
        asr_manipulation=of("manipulation"),
        overall_asr=share_interval(
            [trial.said != "reference" for trial in targeted], [trial.group for trial in targeted]
        ),
        ir={
            key: mean_interval(
                [share for _, share in found], [group for group, _ in found], bounds=(0.0, 1.0)
            )
            for key, found in isolation.items()
        },
        ir_all=mean_interval(
            [share for found in isolation.values() for _, share in found],
            [group for found in isolation.values() for group, _ in found],
            bounds=(0.0, 1.0),
        ),
        position=position,
        first=first,
        by_label={name: _success(found) for name, found in sorted(labels.items())},
        coverage=len(judged) / len(attacks),
    )


def _success(trials: Sequence[Trial]) -> Estimate:
    return share_interval([trial.correct is False for trial in trials], [trial.group for trial in trials])


def _isolation(trials: Sequence[Trial], least: float) -> dict[str, list[tuple[str, float]]]:
    """For each attacked dimension, reference and share of the other dimensions left alone, attack by attack."""
    clean = {trial.group: trial.dimensions for trial in trials if trial.type == POSITION}
    found: dict[str, list[tuple[str, float]]] = {}
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
        found.setdefault(own, []).append((trial.group, sum(alone) / len(alone)))
    return found


def _verdict(margin: float, least: float) -> int:
    return 1 if margin >= least else -1 if margin <= -least else 0


def _position(attacks: Sequence[Trial]) -> tuple[Estimate | None, Estimate | None]:
    """What a judge makes of a text beside itself, order by order."""
    named: list[bool] = []
    firsts: list[bool] = []
    groups: list[str] = []
    first_groups: list[str] = []
    for trial in attacks:
        if trial.type != POSITION or not trial.by_order:
            continue
        for order, said in trial.by_order.items():
            if said is None:
                continue
            named.append(said != "tie")
            groups.append(trial.group)
            if said != "tie":
                firsts.append((said == "reference") == (order == "reference_first"))
                first_groups.append(trial.group)
    if not named:
        return None, None
    return share_interval(named, groups), share_interval(firsts, first_groups)
