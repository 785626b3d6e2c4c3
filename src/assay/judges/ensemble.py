"""Several judges combined: by consensus, or by majority vote (ReportLogic, section 5.1).

``consensus``: a label only if all judges give it. ``majority``: a label that more than half of all judges give.
Judges without a verdict cast no vote but count towards the total: if two of three replies are unparsed, there is no
majority. Votes are counted for each order separately, overall and on each dimension, and the orders are then combined
as for a single judge. For a judge whose verdicts by order are not known, a full margin counts as a win, anything less
as a tie.

An ensemble that cannot agree abstains: ``preference`` is None while ``status`` is ``ok``, since every judge
answered. Abstention thus differs from failure; both are left out of agreement and counted in its coverage. If so
many judges have no verdict that no agreement is possible, the ensemble takes their status.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Final, Literal, TypeVar, get_args

from msgspec.structs import replace

from assay.errors import UsageError
from assay.judges.judgment import (
    ABSTAINED,
    Judgment,
    Preference,
    Quote,
    Verdict,
    margin_of_orders,
    settle_orders,
    worst_status,
)
from assay.models.base import Usage
from assay.suggest import did_you_mean

Rule = Literal["consensus", "majority"]
RULES: Final[tuple[Rule, ...]] = get_args(Rule)
T = TypeVar("T", bound=Hashable)
_NAME: Final = re.compile(rf"({'|'.join(RULES)})\((.*)\)", re.DOTALL)
_ORDERS: Final = ("AB", "BA")
_WINS: Final = ("A>B", "A<B")


def ensemble(judgments: Sequence[Judgment], rule: Rule) -> Judgment:
    """Return the combined judgment of several judges on one pair.

    Args:
        judgments: One judgment per judge, on the same pair in the same order.
        rule: Rule of combination.

    Raises:
        UsageError: There are fewer than two judgments, they are of different pairs, a judge occurs twice, or the
            rule is unknown.
    """
    _check(judgments, rule)
    subject = judgments[0].subject
    count = len(judgments)
    by_order: dict[str, Preference | None] | None = None
    orders = [order for order in _ORDERS if any((item.by_order or {}).get(order) for item in judgments)]
    if orders:
        by_order = {
            order: _preference([_in_order(item, order) for item in judgments], rule)
            if order in orders
            else None
            for order in _ORDERS
        }
        preference = settle_orders([by_order[order] for order in orders])
    else:
        preference = _preference(
            [item.preference if item.status == "ok" else None for item in judgments], rule
        )
    answered = sum(item.status == "ok" for item in judgments)
    possible = answered == count if rule == "consensus" else 2 * answered > count
    keys = dict.fromkeys(key for item in judgments for key in item.scores or {})
    labels = {key: _labels_by_order(judgments, key, rule) for key in keys}
    scores = {
        key: margin
        for key in keys
        if (margin := _agreed_margin(judgments, key, labels[key], rule)) is not None
    }
    rubrics = {item.rubric for item in judgments}
    return Judgment(
        subject=subject,
        judge=f"{rule}({' '.join(item.judge for item in judgments)})",
        rubric=rubrics.pop() if len(rubrics) == 1 else None,
        scores=scores or None,
        preference=preference,
        by_order=by_order,
        status="ok" if possible else worst_status(item.status for item in judgments),
        mode="compare",
        problem=ABSTAINED if possible and preference is None else None,
        verdicts=_verdicts(judgments, scores, labels),
        rationale=_rationale(judgments, preference, rule),
        quotes=tuple(dict.fromkeys(_quotes(judgments))),
        usage=sum((item.usage for item in judgments), Usage()),
    )


def split_ensemble(name: str) -> tuple[Rule, tuple[str, ...]] | None:
    """Return rule and members of an ensemble's name, ``majority(A B C)``; None for another name."""
    match = _NAME.fullmatch(name.strip())
    if match is None:
        return None
    members, depth, word = [], 0, ""
    for char in match[2] + " ":
        depth += (char == "(") - (char == ")")
        if depth == 0 and (char.isspace() or char == ","):
            members += [word] if word else []
            word = ""
        else:
            word += char
    rule: Rule = "majority" if match[1] == "majority" else "consensus"
    return rule, tuple(members)


def _check(judgments: Sequence[Judgment], rule: str) -> None:
    if rule not in RULES:
        raise UsageError(f"no ensemble rule is called {rule!r}; {did_you_mean(rule, RULES)}")
    if len(judgments) < 2:
        raise UsageError("an ensemble takes two or more judges", cli_hint="give --judge once for each")
    subjects = {item.subject for item in judgments}
    if len(subjects) > 1:
        raise UsageError(
            f"an ensemble needs judgments of one pair, not of {' and '.join(sorted(subjects)[:2])}"
        )
    judges = Counter((item.judge, item.rubric) for item in judgments)
    twice = next((judge for (judge, _), times in judges.items() if times > 1), None)
    if twice is not None:
        raise UsageError(f"{twice} occurs twice, so its vote would count double; name each judge once")


def _in_order(judgment: Judgment, order: str) -> Preference | None:
    return (judgment.by_order or {}).get(order)


def _preference(votes: Sequence[Preference | None], rule: Rule) -> Preference | None:
    """Return the label agreed on. Ties of different kinds agree on a tie without a kind."""
    kinds: list[Preference | None] = [vote if vote is None or vote in _WINS else "tie" for vote in votes]
    agreed: Preference | None = _agreed(kinds, rule)
    if agreed != "tie":
        return agreed
    ties = {vote for vote, kind in zip(votes, kinds, strict=True) if kind == "tie"}
    return ties.pop() if len(ties) == 1 else "tie"


def _agreed(votes: Sequence[T | None], rule: Rule) -> T | None:
    """Return the value that all votes have in common, or more than half."""
    ranked = Counter(vote for vote in votes if vote is not None).most_common(1)
    if not ranked:
        return None
    label, times = ranked[0]
    enough = times == len(votes) if rule == "consensus" else 2 * times > len(votes)
    return label if enough else None


def _margin(judgment: Judgment, key: str) -> float | None:
    """Return the vote of one judge over both orders: 1 or -1 for a full win, 0 otherwise."""
    margin = (judgment.scores or {}).get(key)
    if margin is None:
        return None
    return margin if abs(margin) == 1 else 0.0


def _labels_by_order(
    judgments: Sequence[Judgment], key: str, rule: Rule
) -> dict[str, str | float | None] | None:
    """Return the label agreed on for a dimension in each order; None unless every judge has both."""
    orders = [
        next((verdict.by_order for verdict in item.verdicts if verdict.criterion == key), None)
        for item in judgments
    ]
    if not all(given and all(order in given for order in _ORDERS) for given in orders):
        return None
    known = [{order: _known(given[order]) for order in _ORDERS} for given in orders if given]
    return {order: _preference([given[order] for given in known], rule) for order in _ORDERS}


def _known(label: object) -> Preference | None:
    return next((name for name in get_args(Preference) if name == label), None)


def _agreed_margin(
    judgments: Sequence[Judgment],
    key: str,
    labels: Mapping[str, str | float | None] | None,
    rule: Rule,
) -> float | None:
    if labels is not None:
        return margin_of_orders(labels)
    return _agreed([_margin(item, key) for item in judgments], rule)


def _verdicts(
    judgments: Sequence[Judgment],
    margins: Mapping[str, float],
    labels: Mapping[str, dict[str, str | float | None] | None],
) -> tuple[Verdict, ...]:
    """Return one verdict for each criterion that a judge has one on; None if they do not agree."""
    verdicts = []
    found: dict[str, list[Verdict]] = {}
    for item in (item for judgment in judgments for item in judgment.verdicts):
        found.setdefault(item.criterion, []).append(item)
    for key, given in found.items():
        margin = margins.get(key)
        orders = labels.get(key)
        label: str | float | None = None
        if orders is not None and len(set(orders.values())) == 1:
            label = orders["AB"]
        elif orders is None and margin is not None:
            label = "A>B" if margin > 0 else "A<B" if margin < 0 else "tie"
        answered = sum(item.status == "ok" for item in given)
        votes = ", ".join(str(item.status if item.score is None else f"{item.score:+g}") for item in given)
        verdicts.append(
            replace(
                given[0],
                verdict=label,
                score=margin,
                by_order=orders,
                status="ok" if answered else worst_status(item.status for item in given),
                problem=None if margin is not None else f"the judges do not agree: {votes}",
                reasoning="\n".join(item.reasoning for item in given if item.reasoning),
                quotes=tuple(dict.fromkeys(quote for item in given for quote in item.quotes)),
                confidence=None,
            )
        )
    return tuple(verdicts)


def _rationale(judgments: Sequence[Judgment], preference: Preference | None, rule: Rule) -> str:
    verdicts = ", ".join(
        f"{item.judge}: {item.preference or ('no verdict' if item.status == 'ok' else item.status)}"
        for item in judgments
    )
    what = "abstains" if preference is None else preference
    return "\n".join(
        [
            f"{rule}: {what} ({verdicts})",
            *(f"[{item.judge}] {item.rationale}" for item in judgments if item.rationale),
        ]
    )


def _quotes(judgments: Sequence[Judgment]) -> list[Quote]:
    return [quote for item in judgments for quote in item.quotes]
