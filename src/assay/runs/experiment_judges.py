"""The judges of an experiment, with their strategies, open models and rubrics."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import InputError, UsageError
from assay.judges.default_rubrics import default_rubric
from assay.judges.ensemble_judge import EnsembleJudge
from assay.judges.model_judge import ModelJudge
from assay.models.settings import ModelConfig, load_model_config
from assay.rubrics.loader import is_file_name
from assay.runs.experiment_subjects import ExperimentSubjects, SubjectEntry
from assay.runs.model_free_judges import model_free_judge
from assay.runs.plan import PlannedJudge
from assay.runs.rubric_lookup import find_rubric, is_rubric_name
from assay.strategies.registry import find_strategy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.judges.case_judge import CaseJudge
    from assay.judges.settings import JudgeSettings
    from assay.runs.experiment import Experiment, JudgeSpec
    from assay.runs.rubric_lookup import AnyRubric
    from assay.runs.session import Session
    from assay.suites.base import Suite


async def bind_judges(
    experiment: Experiment, session: Session, *, seed: int | None = None
) -> list[PlannedJudge]:
    """Return the judges of an experiment: each with each of its rubrics, or with the default one for its subjects.

    Raises:
        UsageError: A strategy, model or rubric is unknown; the message says where it is named.
        InputError: A rubric's file cannot be read.
    """
    judges: list[PlannedJudge] = []
    ensembles: list[JudgeSpec] = []
    changes: dict[str, Any] = {} if seed is None else {"seed": seed}
    for spec in experiment.judges:
        modes = tuple(mode for mode in experiment.modes if mode in spec.modes)
        if not modes:
            raise UsageError(
                f"{spec.place} is for {', '.join(spec.modes)}, but the experiment only has"
                f" {', '.join(experiment.modes)}"
            )
        if spec.rule:
            ensembles.append(spec)
            continue
        if spec.members:
            judge = model_free_judge(spec.name, _suite(spec))
            judges.append(PlannedJudge(judge, spec.label, modes, suite=spec.suite))
            continue
        for name in spec.rubrics or (_usual(experiment, spec),):
            with _at(spec.place):
                rubric = _rubric(experiment, name)
                settings = msgspec.structs.replace(spec.settings, **changes)
                suite = _suite(spec)
                make = ModelJudge if suite is None else suite.make
                judge = await session.judge(
                    spec.name, rubric=rubric, settings=settings, make=make, label=spec.given
                )
                info = (await session.open(spec.model)).info
            judges.append(PlannedJudge(judge, spec.label, modes, bool(info.caches), spec.suite))
    alone = [item for item in judges if "compare" in item.modes]
    for spec in ensembles:
        settings = msgspec.structs.replace(spec.settings, **changes)
        for name in spec.rubrics or (_usual(experiment, spec),):
            with _at(spec.place):
                rubric = _rubric(experiment, name)
                members = [await _member(item, session, rubric, settings, alone) for item in spec.members]
                ensemble = EnsembleJudge(members, spec.rule or "majority", name=spec.label)
            judges.append(PlannedJudge(ensemble, spec.label, ("compare",)))
    return [*judges, *_ensembles_of_all(experiment, alone)]


async def _member(
    name: str, session: Session, rubric: AnyRubric, settings: JudgeSettings, alone: Sequence[PlannedJudge]
) -> CaseJudge:
    """Return a member of an ensemble: a judge of the experiment with this label, or one of its own."""
    free = model_free_judge(name)
    if free is not None:
        return free
    for item in alone:
        if item.label == name and item.judge.rubric_name == rubric.name:
            found: CaseJudge = item.judge
            return found
    return await session.judge(name, rubric=rubric, settings=settings)


def _ensembles_of_all(experiment: Experiment, alone: Sequence[PlannedJudge]) -> Iterator[PlannedJudge]:
    """Yield the judges of pairs combined by each rule that the experiment names, those with one rubric together."""
    groups: dict[str | None, list[PlannedJudge]] = {}
    for item in alone:
        groups.setdefault(item.judge.rubric_name, []).append(item)
    for group in groups.values():
        for rule in experiment.ensemble if len(group) > 1 else ():
            name = f"{rule} of {len(group)}"
            judge = EnsembleJudge([item.judge for item in group], rule, name=name)
            yield PlannedJudge(judge, name, ("compare",))


def model_config(experiment: Experiment) -> ModelConfig:
    """Return the settings of models: those of the experiment, completed by the nearest settings file."""
    file, own = load_model_config(), experiment.models
    models, providers = dict(file.models), dict(file.providers)
    for tables, own_tables in ((models, own.models), (providers, own.providers)):
        for name, settings in own_tables.items():
            tables[name] = settings.over(tables[name]) if name in tables else settings
    return ModelConfig(models=models, providers=providers)


def _usual(experiment: Experiment, spec: JudgeSpec) -> str:
    """Return the default rubric for the first subject."""
    first = next((entry for entry in ExperimentSubjects(experiment) if isinstance(entry, SubjectEntry)), None)
    if first is None:
        return "overall"
    return default_rubric([first.subject], spec.settings.granularity, find_strategy(spec.strategy))


def _suite(spec: JudgeSpec) -> Suite | None:
    """Return the suite of a judge: it may have judges of its own kind."""
    if not spec.suite:
        return None
    from assay.suites.registry import find_suite  # noqa: PLC0415 - loads every suite

    return find_suite(spec.suite)


def _rubric(experiment: Experiment, name: str) -> AnyRubric:
    """Return a rubric by name, or from a file beside the experiment."""
    file = Path(experiment.at(name))
    return find_rubric(file if not is_rubric_name(name) and (is_file_name(name) or file.exists()) else name)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Prefix errors with the place of the judge in the file."""
    try:
        yield
    except InputError:
        raise
    except UsageError as error:
        if type(error) is UsageError:
            raise UsageError(f"{place}: {error.problem}", hint=error.hint, cli_hint=error.cli_hint) from error
        raise
