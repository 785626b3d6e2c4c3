"""A session: open models, each wrapped once, and the ledger that they share.

A call passes the ledger (no call if it has the reply), the limiter (its turn), the budget, and the client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

import msgspec

from assay.errors import EngineError, UsageError
from assay.generation.author import Author
from assay.judges.model_judge import ModelJudge
from assay.judges.settings import JudgeSettings, split_judge
from assay.judges.synthesis import part_chars
from assay.models import registry
from assay.models.base import Sampling
from assay.models.endpoint import EndpointModel
from assay.models.prices import cost_of
from assay.models.settings import ModelSettings
from assay.models.tokens import estimate_request
from assay.models.windows import ModelInfo, preflight
from assay.runs.budget import Budget, CappedModel, Spending
from assay.runs.claims import Claims
from assay.runs.prefix_limiter import PrefixLimiter, Warming
from assay.runs.recorded_model import RecordedModel
from assay.runs.rubric_lookup import AnyRubric, GeneratedRubric, find_rubric
from assay.strategies.prompts import Prompts
from assay.strategies.registry import find_strategy

if TYPE_CHECKING:
    from assay.judges.rubric_source import RubricSource
    from assay.models.base import Model, Reply, Request, Usage
    from assay.models.settings import ModelConfig
    from assay.runs.ledger import Ledger
    from assay.runs.recorded_model import OnReply
    from assay.strategies.base import Strategy
    from assay.suites.base import SuiteJudge

# Calls in flight of a model object.
_CONCURRENCY: Final = 64
# Default limit of an author's reply: a rubric of eight items takes about two thousand tokens, in Chinese more.
_WRITTEN: Final = 4096
_SAMPLED: Final = ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort")


class OpenModel(msgspec.Struct, frozen=True):
    """An open model: the wrapped model that judges ask, its settings, what is known about its endpoint, its limiter."""

    model: Any
    settings: ModelSettings
    info: Any
    limiter: Any
    slots: int
    # False for a model object of the caller, who closes it.
    own: bool = True


class Session:
    """Opens models and binds judges to them; an async context manager.

    Args:
        ledger: Where calls and judgments are kept; None keeps nothing.
        fresh: Whether to ask again what the ledger has: True, or a Unix time before which replies are too old.
        budget: Caps on spending.
        spent: What the run has spent before, which counts against the caps.
        warming: Order of calls; see `assay.runs.prefix_limiter`.
        overrides: Settings of models that win over file and variables.
        prompts: Folders of templates that take precedence over the package's.
        config: Settings of models from a file; by default the nearest settings file.
        connect: False opens models that answer nothing, for plans.
        max_calls: Maximum calls in flight over all models; by default each model's own limit applies.
        on_reply: Callback for every reply, with whether it was paid for.
        through: Function that returns the model to ask instead of a model with its settings. The model itself is
            never asked, not even for its context window.
        spending: Where spending is counted, in place of ``budget`` and ``spent``.
        workers: Number of processes that divide the limits of each model among them.
        family: Name that such processes have in common; see `assay.runs.claims`.
    """

    def __init__(
        self,
        *,
        ledger: Ledger | None = None,
        fresh: bool | float = False,
        budget: Budget | None = None,
        spent: Usage | None = None,
        warming: Warming = "auto",
        overrides: ModelSettings | None = None,
        prompts: Sequence[str | Path] = (),
        config: ModelConfig | None = None,
        connect: bool = True,
        max_calls: int | None = None,
        on_reply: OnReply | None = None,
        through: Callable[[Model, ModelSettings], Model] | None = None,
        spending: Spending | None = None,
        workers: int = 1,
        family: str = "",
    ) -> None:
        self.ledger = ledger
        self.spending = spending or Spending(budget or Budget(), spent)
        self._workers = workers
        self.prompts = Prompts(prompts)
        writes = ledger is not None and connect and not ledger.read_only
        self._claims = Claims(ledger, family=family) if ledger is not None and writes else None
        self._fresh = fresh
        self._warming: Warming = warming
        self._overrides = overrides
        self._config = config
        self._connect = connect
        self._on_reply = on_reply
        self._through = through
        # By the model's own id, which may be more specific than the one it was opened by.
        self._opened: dict[str, OpenModel] = {}
        self._ids: dict[str | int, str] = {}
        self._max_calls = max_calls
        # Shared by all models, and by functions that judge beside them.
        self.limit = None if max_calls is None else asyncio.Semaphore(max_calls)
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all models; the ledger belongs to its opener."""
        for opened in self._opened.values():
            if opened.own:
                await opened.model.close()
        self._opened.clear()
        self._ids.clear()
        if self._claims is not None:
            await self._claims.close()

    def halt(self) -> None:
        """Send nothing more; calls in flight continue."""
        for opened in self._opened.values():
            opened.limiter.halt()

    def settings(self, model_id: str) -> ModelSettings:
        """Return the settings of an open model."""
        return self._opened[self._ids.get(model_id, model_id)].settings

    def ask_since(self, moment: float) -> None:
        """Ask again what was answered before a moment (Unix time)."""
        self._fresh = moment
        for opened in self._opened.values():
            if hasattr(opened.model, "since"):
                opened.model.since = moment

    @property
    def opened(self) -> bool:
        """Whether any model is open."""
        return bool(self._opened)

    @property
    def slots(self) -> int:
        """Maximum calls in flight, over all models."""
        return sum(opened.slots for opened in self._opened.values()) or 1

    @property
    def active(self) -> int:
        """Calls in flight, over all models."""
        return sum(opened.limiter.active for opened in self._opened.values())

    async def judge(
        self,
        name: str,
        *,
        rubric: str | Path | AnyRubric = "overall",
        settings: JudgeSettings | None = None,
        make: SuiteJudge = ModelJudge,
        label: str = "",
    ) -> ModelJudge:
        """Return a judge with a model, bound to this session.

        Args:
            name: ``STRATEGY@MODEL`` or another form of `assay.judges.settings.split_judge`.
            rubric: The rubric, or its name or file.
            settings: All other settings.
            make: Constructor, for judges of another kind.
            label: Its name in results, unless ``name`` gives one.

        Raises:
            UsageError: The strategy, model or rubric is unknown, or there is a budget in money and no price.
        """
        named = split_judge(name)
        looked_up = find_rubric(rubric) if isinstance(rubric, str | Path) else rubric
        known_as = named.given or label or None
        strategy = find_strategy(named.strategy)
        return await self.bind(strategy, named.model, looked_up, settings, make=make, name=known_as)

    async def bind(
        self,
        strategy: Strategy,
        model: str | Model,
        rubric: AnyRubric,
        settings: JudgeSettings | None = None,
        *,
        make: SuiteJudge = ModelJudge,
        name: str | None = None,
        prompts: Prompts | None = None,
        overrides: ModelSettings | None = None,
    ) -> ModelJudge:
        """Return a judge of a strategy and a model, which is given by its id or as an object.

        Raises:
            UsageError: The model is unknown, or there is a budget in money and no price.
        """
        opened = await self.open(model, overrides)
        settled = self._settled(opened, settings)
        resolved = await self._written(settled, model) if isinstance(rubric, GeneratedRubric) else rubric
        extra = _extra(opened.settings)
        judge = make(
            strategy, opened.model, resolved, settled, prompts or self.prompts, extra=extra, name=name
        )
        judge.window = opened.settings.context or opened.info.context_window
        return judge

    async def author(self, model_id: str | Model, *, retries: int = 2, **sampling: Any) -> Author:
        """Return a model as an author, sampled as given here, else by its own settings, else greedily."""
        opened = await self.open(model_id)
        configured = {
            name: value for name in _SAMPLED if (value := getattr(opened.settings, name, None)) is not None
        }
        chosen = {"max_tokens": _WRITTEN, **configured, **sampling}
        return Author(
            opened.model,
            self.prompts,
            sampling=Sampling(**chosen, extra=_extra(opened.settings)),
            retries=retries,
        )

    async def _written(self, settings: JudgeSettings, model_id: str | Model) -> RubricSource:
        """Return the source of rubrics that the generator, or the judge's own model, writes for each instance."""
        from assay.judges.instance_rubrics import InstanceRubrics  # noqa: PLC0415

        return InstanceRubrics.written(await self.author(settings.generator or model_id))

    async def open(self, model: str | Model, overrides: ModelSettings | None = None) -> OpenModel:
        """Return a model, opened and wrapped at the first call; a model object is wrapped and never closed here."""
        key = model if isinstance(model, str) else id(model)
        async with self._lock:
            if key not in self._ids:
                opened = await self._open(model, overrides)
                own = opened.model.id
                if not opened.own:
                    own = f"{own}#{len(self._opened)}" if own in self._opened else own
                elif own in self._opened:
                    await opened.model.close()
                self._opened.setdefault(own, opened)
                self._ids[key] = own
            return self._opened[self._ids[key]]

    def window(self, model_id: str) -> int | None:
        """Return the context window of an open model in tokens; None if unknown."""
        opened = self._opened[self._ids.get(model_id, model_id)]
        window: int | None = opened.settings.context or opened.info.context_window
        return window

    def _settled(self, opened: OpenModel, settings: JudgeSettings | None) -> JudgeSettings:
        """Return the judge's settings, completed by the model's own."""
        given = settings or JudgeSettings()
        default = JudgeSettings()
        changes = {
            name: value
            for name in _SAMPLED
            if (value := getattr(opened.settings, name, None)) is not None
            and getattr(given, name) == getattr(default, name)
        }
        if given.granularity == "synthesis" and given.chunk_chars is None:
            window = opened.settings.context or opened.info.context_window
            if window is not None:
                reply = changes.get("max_tokens", given.max_tokens)
                changes["chunk_chars"] = part_chars(window, reply)
        return msgspec.structs.replace(given, **changes) if changes else given

    async def _open(self, model: str | Model, overrides: ModelSettings | None) -> OpenModel:
        own = isinstance(model, str)
        model_id = model if isinstance(model, str) else model.id
        given = overrides or self._overrides
        if own:
            settings = registry.settings_of(model_id, config=self._config, overrides=given)
        else:
            settings = given or ModelSettings()
        settings = _part_of(settings, self._workers)
        if self.spending.budget.usd is not None and cost_of(model_id, settings.price, 1, 0, 0) is None:
            raise UsageError(
                f"no price is known for {model_id}, so a budget in money cannot be kept; give one in assay.toml"
                f' ([models."{model_id}"] price = {{ input = …, output = … }}) or cap the tokens',
                cli_hint="--max-total-tokens caps the tokens",
            )
        client: Model = registry.open_model(model_id, settings) if isinstance(model, str) else model
        info = ModelInfo(context_window=settings.context, caches=settings.caches)
        asks = self._connect and self._through is None
        if asks or isinstance(client, EndpointModel):
            # For a plan nothing is sent, and no local server is started.
            reported = await preflight(client, ask=None if asks else False)
            info = msgspec.structs.replace(
                reported,
                context_window=settings.context or reported.context_window,
                caches=reported.caches if settings.caches is None else settings.caches,
            )
        if not self._connect:
            await client.close()
            client = _PlanOnlyModel(client.id)
        elif self._through is not None:
            client = self._through(client, settings)
        slots = settings.concurrency or (1 if own else _CONCURRENCY)
        if self.limit is not None:
            slots = min(slots, self._max_calls or slots)
            client = _SharedLimit(client, self.limit)

        def upper_bound(request: Request) -> tuple[int, float | None]:
            read = estimate_request(request)
            written = request.sampling.max_tokens or 0
            return read + written, cost_of(model_id, settings.price, read, 0, written)

        limiter = PrefixLimiter(
            CappedModel(client, self.spending, upper_bound),
            slots=slots,
            warming=self._warming,
            caches=info.caches,
        )
        if self.ledger is None or not self._connect:
            return OpenModel(limiter, settings, info, limiter, slots, own)
        recorded = RecordedModel(
            limiter, self.ledger, fresh=self._fresh, on_reply=self._on_reply, claims=self._claims
        )
        return OpenModel(recorded, settings, info, limiter, slots, own)


def _part_of(settings: ModelSettings, workers: int) -> ModelSettings:
    """Return the limits of one of several processes that keep the whole limits together."""
    if workers == 1:
        return settings
    limits = {name: getattr(settings, name) for name in ("concurrency", "rpm", "tpm")}
    changes = {name: max(1, value // workers) for name, value in limits.items() if value is not None}
    return msgspec.structs.replace(settings, **changes)


def _extra(settings: ModelSettings) -> dict[str, Any]:
    """Return the fields that a model's settings add to every request, which make it another request."""
    return {**settings.body, **({"model": settings.name} if settings.name else {})}


class _SharedLimit:
    """A model that shares a limit of calls with others."""

    def __init__(self, model: Model, limit: asyncio.Semaphore) -> None:
        self.id = model.id
        self._model = model
        self._limit = limit

    async def complete(self, request: Request) -> Reply:
        """Wait for a turn, and call."""
        async with self._limit:
            return await self._model.complete(request)

    async def close(self) -> None:
        """Close the model."""
        await self._model.close()


class _PlanOnlyModel:
    """A model that is only used for plans."""

    def __init__(self, model_id: str) -> None:
        self.id = model_id

    async def complete(self, request: Request) -> Reply:
        """Refuse."""
        self._refuse(request)

    async def close(self) -> None:
        """Do nothing."""

    def _refuse(self, request: Request) -> NoReturn:
        raise EngineError(f"{request.model} was opened for a plan and cannot be called")
