"""Rules by which the verdicts in the two orders of a pair become one, and count as right or wrong.

``assay``        one verdict for both orders if they agree, else a tie; without a verdict in an order there is none, and
                 the pair is left out.
``llmbar``       nothing is combined: each order counts by itself, and an order without a verdict is wrong (LLMBar,
                 Zeng et al. 2023).
``judgebench``   each order votes for a side; a tie or a missing verdict counts 0; the side with more votes wins, otherwise it
                 is a tie, which is wrong (JudgeBench, Tan et al. 2024).

The verdicts are preferred sides, "A", "B", "tie" or None, in terms of the pair as the labels name it: the verdict
in the second order has been mapped back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from assay.judges.sides import Orders, Side

OrderRule = Literal["assay", "llmbar", "judgebench"]


def combine_orders(orders: Orders, rule: OrderRule) -> Side | None:
    """Return the side that two orders prefer by a rule; None if the rule gives no verdict."""
    first, second = orders
    if rule == "judgebench":
        votes = sum({"A": 1, "B": -1}.get(side or "", 0) for side in orders)
        return "A" if votes > 0 else "B" if votes < 0 else "tie"
    if first is None or second is None:
        return None
    return first if first == second else "tie"


def score_orders(truth: Side, orders: Orders, rule: OrderRule) -> dict[str, float]:
    """Return what a pair counts in each figure that a benchmark publishes, 0 to 1; empty for Assay's own rule.

    A figure of the benchmark is the mean over all of its pairs. LLMBar: ``first_order``, ``swapped_order``,
    ``mean_of_orders``, ``both_orders`` and ``positional_agreement`` (its ``correct_False``, ``correct_True``,
    ``correct_average``, ``correct_both`` and ``equal``). JudgeBench: ``sum_of_orders`` (its accuracy), ``both_orders``
    and ``positional_agreement``. Two orders without a verdict are equal.
    """
    return _FIGURES[rule](truth, orders)


def _llmbar(truth: Side, orders: Orders) -> dict[str, float]:
    first, second = (float(side == truth) for side in orders)
    return {
        "first_order": first,
        "swapped_order": second,
        "mean_of_orders": (first + second) / 2,
        "both_orders": first * second,
        "positional_agreement": float(orders[0] == orders[1]),
    }


def _judgebench(truth: Side, orders: Orders) -> dict[str, float]:
    return {
        "sum_of_orders": float(combine_orders(orders, "judgebench") == truth),
        "both_orders": float(orders == (truth, truth)),
        "positional_agreement": float(orders[0] == orders[1]),
    }


def _none(_truth: Side, _orders: Orders) -> dict[str, float]:
    return {}


_FIGURES: Final[dict[OrderRule, Callable[[Side, Orders], dict[str, float]]]] = {
    "assay": _none,
    "llmbar": _llmbar,
    "judgebench": _judgebench,
}
