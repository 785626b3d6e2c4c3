"""Caps on the spending of a run: a call that could exceed one is not sent, and the run stops with what it has."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from assay.errors import EngineError, UsageError
from assay.models.base import CallFailedError, Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.models.base import Model, Reply, Request


class BudgetReachedError(EngineError):
    """The next call could cost more than is left."""


class Budget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Caps on what may be spent; None sets no cap.

    Attributes:
        usd: US dollars.
        tokens: Tokens, input and output together.
    """

    usd: Annotated[float, msgspec.Meta(ge=0)] | None = None
    tokens: Annotated[int, msgspec.Meta(ge=0)] | None = None

    def __post_init__(self) -> None:
        given: tuple[tuple[str, Any], ...] = (("usd", self.usd), ("tokens", self.tokens))
        for name, value in given:
            if value is not None and not (isinstance(value, int | float) and value >= 0):
                raise UsageError(f"budget: {name} is {value}; it must be a number of 0 or more")


class Spending:
    """What a run has spent, and what the calls in flight may cost. Shared by all its models.

    Args:
        budget: The caps.
        before: What the same run spent before, which counts against the caps.
    """

    def __init__(self, budget: Budget, before: Usage | None = None) -> None:
        self.budget = budget
        self.before = before or Usage()
        self.spent = Usage()
        self.retries = 0
        # Requests without a reply, including those of calls that finally succeeded.
        self.wasted_requests = 0
        self.reached: str | None = None
        # Upper bound of what endpoints that report no usage may have charged.
        self.unpriced_usd = 0.0
        self._paid_usd = self.before.cost_usd or 0.0
        self._under_way = 0
        self._reserved_tokens = 0
        self._reserved_usd = 0.0
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def total(self) -> Usage:
        """What the run has spent, now and before."""
        return self.before + self.spent

    @property
    def capped(self) -> bool:
        """Whether there is a cap."""
        return self.budget.usd is not None or self.budget.tokens is not None

    def spent_elsewhere(self, usage: Usage) -> None:
        """Set what was spent before, or by other processes on the same run; it counts against the caps."""
        self._paid_usd += (usage.cost_usd or 0.0) - (self.before.cost_usd or 0.0)
        self.before = usage

    async def reserve(self, tokens: int, usd: float | None) -> None:
        """Reserve the maximum cost of a call; wait while calls in flight may still leave enough.

        Raises:
            BudgetReachedError: The call could cost more than is left.
        """
        while (short := self._short(tokens, usd)) is not None and self.reached is None:
            if not self._under_way:
                self.reached = short
                self._wake()
                break
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        if self.reached is not None:
            raise BudgetReachedError(f"{self.reached}, and the next call could go beyond it")
        self.begin()
        self._reserved_tokens += tokens
        self._reserved_usd += usd or 0.0

    def begin(self) -> None:
        """Count a call that reserves nothing."""
        self._under_way += 1

    def settle(self, tokens: int, usd: float | None, usage: Usage | None) -> None:
        """Release the reservation of a call, and count what the call used."""
        self._under_way -= 1
        self._reserved_tokens -= tokens
        self._reserved_usd -= usd or 0.0
        if usage is not None:
            self.spent += usage
            if usage.cost_usd is not None:
                self._paid_usd += usage.cost_usd
            else:
                self.unpriced_usd += usd or 0.0
        if self._waiting:
            self._wake()

    def _wake(self) -> None:
        for turn in self._waiting:
            if not turn.done():
                turn.set_result(None)
        self._waiting.clear()

    def _short(self, tokens: int, usd: float | None) -> str | None:
        """Describe the cap that the call could exceed and how much of it is used; None if the call exceeds neither."""
        budget, total = self.budget, self.total
        if budget.tokens is not None:
            used = total.input_tokens + total.output_tokens
            if used + self._reserved_tokens + tokens > budget.tokens:
                return f"the cap of {budget.tokens:,} tokens is reached: {used:,} used"
        if budget.usd is not None:
            if usd is None:
                raise UsageError("a budget in money needs the model's price; cap the tokens instead")
            if self.before.calls and self.before.cost_usd is None:
                return "what this run spent before is not known in money; cap the tokens instead"
            paid = self._paid_usd + self.unpriced_usd
            if paid + self._reserved_usd + usd > budget.usd:
                cap = f"{budget.usd:,.2f}" if budget.usd >= 0.01 else f"{budget.usd:g}"
                most = " at most, for the endpoint does not say what it used" if self.unpriced_usd else ""
                return f"the cap of ${cap} is reached: ${paid:,.4f} spent{most}"
        return None


class CappedModel:
    """A model whose calls count against a budget.

    Args:
        model: The model.
        spending: What has been spent.
        estimate: Function that returns the maximum use of a request: tokens (input and output together) and US dollars,
            which are None if no price is known.
    """

    def __init__(
        self, model: Model, spending: Spending, estimate: Callable[[Request], tuple[int, float | None]]
    ) -> None:
        self._model = model
        self._spending = spending
        self._estimate = estimate

    @property
    def id(self) -> str:
        """``provider/name`` of the model."""
        return self._model.id

    async def complete(self, request: Request) -> Reply:
        """Answer a request if the budget allows it.

        Raises:
            BudgetReachedError: The budget does not allow it.
        """
        spending = self._spending
        tokens, usd = 0, None
        if spending.capped:
            tokens, usd = self._estimate(request)
            await spending.reserve(tokens, usd)
        else:
            spending.begin()
        usage = None
        try:
            reply = await self._model.complete(request)
            usage = reply.usage
            spending.retries += reply.attempts - 1
            spending.wasted_requests += max(0, reply.attempts - usage.calls)
        except CallFailedError as error:
            spending.retries += error.attempts - 1
            spending.wasted_requests += error.attempts
            raise
        else:
            return reply
        finally:
            spending.settle(tokens, usd, usage)

    async def close(self) -> None:
        """Close the model."""
        await self._model.close()
