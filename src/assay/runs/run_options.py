"""The options of one run of an experiment, and the session that it opens with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from assay.runs.budget import Budget
from assay.runs.experiment_judges import model_config
from assay.runs.session import Session
from assay.strategies.prompt_folders import prompt_folders

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.models.base import Model
    from assay.models.settings import ModelSettings
    from assay.runs.experiment import Experiment
    from assay.runs.ledger import Ledger
    from assay.runs.prefix_limiter import Warming

    Through = Callable[[Model, ModelSettings], Model]


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of one run of an experiment, besides its file.

    Attributes:
        fresh: Whether to ask everything again.
        limit: Maximum subjects.
        budget: Caps instead of the file's.
        warming: Order of calls; see `assay.runs.prefix_limiter`.
        models: Settings of all models.
        seed: Seed of all judges.
        engine: ``local``, or ``ray`` for workers in processes of their own, on one machine or many.
        workers: Number of workers of Ray; 0 for one for each CPU of the cluster.
        ledger: Address of the ledger, which Ray's workers open themselves.
    """

    fresh: bool = False
    limit: int | None = None
    budget: Budget | None = None
    warming: Warming = "auto"
    models: ModelSettings | None = None
    seed: int | None = None
    engine: Literal["local", "ray"] = "local"
    workers: int = 0
    ledger: str = ""


def open_session(
    experiment: Experiment,
    ledger: Ledger | None,
    options: RunOptions,
    *,
    connect: bool = True,
    through: Through | None = None,
    **more: Any,
) -> Session:
    """Return a session with the settings of an experiment and of a run; ``more`` are further ones of `Session`."""
    return Session(
        ledger=ledger,
        budget=options.budget or experiment.budget,
        warming=options.warming,
        overrides=options.models,
        prompts=prompt_folders([experiment.at(folder) for folder in experiment.prompts]),
        config=model_config(experiment),
        connect=connect,
        through=through,
        **more,
    )
