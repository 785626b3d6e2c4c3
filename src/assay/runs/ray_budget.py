"""One budget for all workers of a run on Ray."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from assay.models.base import Usage
from assay.runs.budget import BudgetReachedError, Spending

if TYPE_CHECKING:
    from assay.runs.budget import Budget


class Purse:
    """The budget of a run, shared by its workers; a Ray actor.

    Args:
        budget: The caps.
        before: What the run spent before.
    """

    def __init__(self, budget: Budget, before: Usage) -> None:
        self._spending = Spending(budget, before)
        self._held: dict[str, Counter[tuple[int, float | None]]] = {}

    async def reserve(self, life: str, tokens: int, usd: float | None) -> str | None:
        """Reserve the most that a call may cost; return what cap stands against it, if one does."""
        try:
            await self._spending.reserve(tokens, usd)
        except BudgetReachedError:
            return self._spending.reached
        self._held.setdefault(life, Counter())[tokens, usd] += 1
        return None

    def settle(self, life: str, tokens: int, usd: float | None, usage: Usage | None) -> None:
        """Release a reservation, and count what the call used."""
        held = self._held.get(life, Counter())
        if held[tokens, usd]:
            held[tokens, usd] -= 1
            self._spending.settle(tokens, usd, usage)

    def forget(self, life: str) -> None:
        """Release what a dead worker had reserved; its calls may have been paid, so they count at their most."""
        for (tokens, usd), count in self._held.pop(life, Counter()).items():
            for _ in range(count):
                self._spending.settle(tokens, usd, Usage(calls=1, input_tokens=tokens, cost_usd=usd))


class SharedSpending(Spending):
    """Spending of a worker, whose reservations the purse grants."""

    def __init__(self, budget: Budget, purse: Any, life: str) -> None:
        super().__init__(budget)
        self._purse = purse
        self._life = life

    async def reserve(self, tokens: int, usd: float | None) -> None:
        """Reserve the maximum cost of a call.

        Raises:
            BudgetReachedError: The call could cost more than is left.
        """
        if self.reached is None:
            self.reached = await self._purse.reserve.remote(self._life, tokens, usd)
        if self.reached is not None:
            raise BudgetReachedError(f"{self.reached}, and the next call could go beyond it")
        self.begin()

    def settle(self, tokens: int, usd: float | None, usage: Usage | None) -> None:
        """Release the reservation of a call, and count what the call used."""
        super().settle(0, None, usage)
        if self.capped:
            self._purse.settle.remote(self._life, tokens, usd, usage)
