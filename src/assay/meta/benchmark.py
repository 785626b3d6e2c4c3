"""Benchmarks of judges, from your own reports and trajectories.

benchmark = assay.Benchmark.build(assay.read("reports/"), types="outcome", per_type=6)
result = benchmark.run(["rules", my_function, "direct@openai/gpt-5-mini"])
result.to_frame(by="type")
result.card("card.html")
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from assay.errors import EngineError, InputError, UsageError
from assay.generation.author import Author
from assay.interventions.artefacts import Artefacts, measure_artefacts
from assay.interventions.base import Operator
from assay.interventions.building import build, build_by_model
from assay.interventions.instances import (
    DISPUTED,
    INSTANCES,
    REFUSED,
    Instance,
    read_instances,
    write_instances,
)
from assay.interventions.manifest import Manifest, manifest_of, read_manifest, write_manifest
from assay.interventions.refusals import Refusal, write_refusals
from assay.meta.benchmark_building import (
    concurrently,
    editing_by,
    nothing_built,
    opened_author,
    operators_of,
    read_references,
    several,
)
from assay.meta.benchmark_run import BenchmarkRun
from assay.meta.conditions import settings_from, setups_of
from assay.record import Records
from assay.runs.event_loop_portal import run_sync
from assay.runs.run_settings import RunSettings
from assay.runs.running import OpenRun
from assay.runs.session import Session

if TYPE_CHECKING:
    from assay.interventions.building import BuiltBenchmark
    from assay.judges.settings import JudgeSettings
    from assay.judges.units import Granularity
    from assay.meta.benchmark_building import Each, Types
    from assay.meta.results import BenchmarkResult
    from assay.meta.trials import Condition, Interface, Trial
    from assay.models.base import Model
    from assay.rubrics.rubric import Rubric
    from assay.runs.budget import Budget
    from assay.subjects.subject import Subject

_AHEAD: Final = 2


class Benchmark(Records[Instance]):
    """Pairs of a subject and its copy with one planted failure or attack, on which judges are evaluated.

    Args:
        items: The instances.
        errors: What could not be read when it was built.
        manifest: How it was built.
        folder: Where it is kept.
        disputed: Instances that the second reader did not accept, for people to decide; only where it was built.
        refusals: Revisions that were refused, with the reason; only where it was built.
    """

    __slots__ = ("disputed", "folder", "manifest", "refusals")
    item_type = Instance
    noun = "instance"

    def __init__(
        self,
        items: Iterable[Instance] = (),
        *,
        errors: Iterable[Exception] = (),
        manifest: Manifest | None = None,
        folder: str = "",
        disputed: Iterable[Instance] = (),
        refusals: Iterable[Refusal] = (),
    ) -> None:
        super().__init__(items, errors=errors)
        self.manifest = manifest
        self.folder = folder
        self.disputed = tuple(disputed)
        self.refusals = tuple(refusals)

    @property
    def instances(self) -> tuple[Instance, ...]:
        """The instances."""
        return tuple(self)

    @classmethod
    def build(
        cls,
        subjects: Iterable[Subject | str | PathLike[str]],
        *,
        types: Types = "failures",
        per_type: int = 6,
        seed: int = 0,
        editor: str | Model | None = None,
        validator: str | Model | None = None,
        budget: Budget | None = None,
    ) -> Benchmark:
        """Plant controlled failures in copies of subjects, one in each copy.

        Args:
            subjects: Reports and trajectories, or paths of them.
            types: What to plant: a group (``failures``, ``process``, ``outcome``, ``attacks``, ``targeted``, ``bias``,
                ``manipulation``, ``all``), or names of types and perturbations of your own.
            per_type: Number of instances of each type; fewer if the subjects offer no more places.
            seed: Seed of all random choices; the same subjects, types and seed give the same benchmark.
            editor: Model that writes the failures; by default, rules do, which costs nothing but knows only the types
                that rules plant well.
            validator: Model that reads each instance a second time and must find nothing against it; the others are
                kept as disputed. By default the editor itself, in a request of its own; none if rules write.
                ``"none"`` leaves it out.
            budget: Caps on what the models may spend.

        Raises:
            UsageError: There is no such type, or a perturbation of your own failed.
            InputError: There are no subjects, or no instance could be built; the message says why.
            EngineError: The model gave no reply at all.
        """
        if editor not in (None, "rules") or validator not in (None, "none"):
            return run_sync(
                cls.abuild(
                    subjects,
                    types=types,
                    per_type=per_type,
                    seed=seed,
                    editor=editor,
                    validator=validator,
                    budget=budget,
                )
            )
        given, errors = read_references(subjects)
        operators = operators_of(types)
        built = build(given, operators, per_type=per_type, seed=seed)
        return _benchmark_of(built, operators, per_type=per_type, seed=seed, editor="rules", errors=errors)

    @classmethod
    async def abuild(
        cls,
        subjects: Iterable[Subject | str | PathLike[str]],
        *,
        types: Types = "failures",
        per_type: int = 6,
        seed: int = 0,
        editor: str | Model | None = None,
        validator: str | Model | None = None,
        budget: Budget | None = None,
    ) -> Benchmark:
        """Await `build`; with a model as editor or validator, requests are sent together."""
        if editor in (None, "rules") and validator in (None, "none"):
            return await asyncio.to_thread(cls.build, subjects, types=types, per_type=per_type, seed=seed)
        async with Session(budget=budget) as session:
            writer = await opened_author(session, editor)
            reader = writer if validator is None else await opened_author(session, validator)
            each = concurrently(session.slots * _AHEAD)
            return await build_by_author(
                subjects, writer, reader, each, types=types, per_type=per_type, seed=seed
            )

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the benchmark of a folder.

        Raises:
            InputError: There is none, or a line is not an instance; the message names the line.
        """
        return cls(read_instances(fspath(path)), manifest=read_manifest(Path(path)), folder=fspath(path))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the benchmark to a folder, which is created; or its rows to a ``.jsonl``, ``.csv`` or ``.parquet`` file.

        Raises:
            InputError: The folder cannot be written.
        """
        folder = Path(path)
        if folder.suffix in (".jsonl", ".csv", ".parquet"):
            super().save(folder)
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_instances(folder / INSTANCES, self)
            write_instances(folder / DISPUTED, self.disputed)
            write_refusals(folder / REFUSED, self.refusals)
            if self.manifest is not None:
                write_manifest(folder, self.manifest)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", where=fspath(path)) from error

    def filter(
        self,
        predicate: Callable[[Instance], bool] | None = None,
        *,
        types: Types | None = None,
        ids: Collection[str] | None = None,
        per_type: int | None = None,
        **fields: Any,
    ) -> Self:
        """Return the instances that meet every condition given.

        Args:
            predicate: A function of an instance.
            types: Names or groups of types, or perturbations.
            ids: Ids of instances.
            per_type: Largest number of instances of each type: the first ones.
            **fields: Values of attributes, such as ``language="zh"``.

        Raises:
            UsageError: There is no such type, instance or attribute.
            InputError: No instance has one of the types.
        """
        chosen: Iterable[Instance] = super().filter(predicate, **fields)
        if types is not None:
            names = {types} if isinstance(types, str) else set()
            own = names & {item.type for item in self} or {item.name for item in operators_of(types)}
            chosen = [item for item in chosen if item.type in own]
            if not chosen:
                raise InputError(
                    f"no instance has one of these types: {', '.join(sorted(own))}", where=self.folder or None
                )
        if ids is not None:
            missing = [name for name in ids if name not in {item.id for item in self}]
            if missing:
                raise UsageError(f"{self.folder or 'the benchmark'} has no instance {missing[0]!r}")
            order = {name: at for at, name in enumerate(ids)}
            chosen = sorted((item for item in chosen if item.id in order), key=lambda item: order[item.id])
        if per_type is not None:
            seen: Counter[str] = Counter()
            kept = []
            for item in chosen:
                seen[item.type] += 1
                if seen[item.type] <= per_type:
                    kept.append(item)
            chosen = kept
        return type(self)(chosen, folder=self.folder)

    def with_answers(self, answers: Mapping[str, str] | str) -> Self:
        """Return the instances with reference answers.

        Args:
            answers: Answers by the ids of the subjects from which the instances were made, or one for all.

        Raises:
            UsageError: None of the instances has one.
        """
        found = [
            msgspec.structs.replace(
                item, answer=answers if isinstance(answers, str) else answers.get(item.source, item.answer)
            )
            for item in self
        ]
        if not any(item.answer for item in found):
            raise UsageError(
                "no instance has a reference answer; answers are found by the ids of the subjects, such as "
                f"{self[0].source!r}"
            )
        return type(self)(found, manifest=self.manifest, folder=self.folder)

    def artefacts(self) -> Artefacts:
        """Return how often detectors that understand nothing of substance find the reference; 0.5 is chance."""
        return Artefacts(measure_artefacts(self))

    def run(self, judges: Any = "rules", **options: Any) -> BenchmarkResult:
        """Evaluate judges and return what each detects; `arun` has the options."""
        return run_sync(self.arun(judges, **options))

    async def arun(
        self,
        judges: Any = "rules",
        *,
        interface: Interface | Sequence[Interface] = "pointwise",
        granularity: Granularity | Sequence[Granularity] = "holistic",
        rubric: str | Path | Rubric | Sequence[str | Path | Rubric] = "usual",
        reasoning: bool | Sequence[bool | None] | None = None,
        defence: bool | Sequence[bool | None] | None = None,
        repetitions: int = 1,
        candidates: int = 4,
        localise: bool = False,
        until: float | None = None,
        baselines: bool = True,
        judge_settings: JudgeSettings | None = None,
        prompts: Sequence[str | Path] = (),
        on_trial: Callable[[Condition, Trial], None] | None = None,
        settings: RunSettings | None = None,
        **changes: Any,
    ) -> BenchmarkResult:
        """Await `run`.

        Every combination of judge, interface, granularity, rubric, reasoning and defence is a condition.

        Args:
            judges: One judge or several, as `assay.run` takes them: names, `Judge`s, functions of one subject, which score,
                or of two, which compare. An exception of a function is a failed judgment.
            interface: How instances are shown: ``pointwise``, ``pairwise`` or ``ranking``.
            granularity: What judges with a model see pointwise: the whole, or the part with the failure (``fine``).
            rubric: Rubric of judges with a model: name, file or `Rubric`; ``usual`` fits the subject, ``none`` is none.
            reasoning: Whether judges with a model reason before the verdict; None leaves their strategy as it is.
            defence: Whether they are told that nothing in the material is addressed to them; None leaves their settings.
            repetitions: How often a judge with a model judges.
            candidates: Largest number of subjects in a ranking, including the reference.
            localise: Whether models are also asked where the failure is.
            until: Width of the interval of its accuracy at which a condition stops, such as 0.2 for ten points either way;
                the interval holds at every moment at once, with an error of 5 %. None judges everything.
            baselines: Whether the rules, length and random judges run beside them.
            judge_settings: All other settings of judges that are named by their model.
            prompts: Folders of templates that take precedence over the package's.
            on_trial: Callback for every verdict, with its condition.
            settings: Settings of the run: ledger, budget, limit, progress.
            **changes: Single settings of the run, such as ``ledger="ledger.sqlite"``; see `assay.RunSettings`.

        Raises:
            UsageError: A judge, rubric or setting is unknown or does not fit.
            EngineError: A model cannot be asked any more, or a cap is reached.
        """
        chosen = (settings or RunSettings()).replace(**changes)
        setups = setups_of(
            several(judges),
            interfaces=several(interface),
            granularities=several(granularity),
            rubrics=several(rubric),
            reasonings=several(reasoning),
            defences=several(defence),
            settings_for=settings_from(judge_settings, repetitions),
            baselines=baselines,
        )
        run = BenchmarkRun(self, setups, candidates=candidates, localise=localise, until=until)
        result = await self._result_of(run, chosen, prompts, on_trial)
        return msgspec.structs.replace(result, instances=self.instances)

    async def _result_of(
        self,
        work: BenchmarkRun,
        settings: RunSettings,
        prompts: Sequence[str | Path],
        on_trial: Callable[[Condition, Trial], None] | None,
    ) -> BenchmarkResult:
        def seen(condition: Condition, trial: Trial) -> None:
            if on_trial is not None:
                on_trial(condition, trial)
            if settings.on_error == "raise" and trial.status == "failed":
                raise EngineError(f"{condition.title} on {trial.instance}: {trial.problem}")

        work.on_trial = seen
        async with OpenRun(settings.replace(on_error="keep"), "bench", prompts=prompts) as opened:
            with opened.reporting():
                await work.make(opened)
        return work.result(self.folder, run=opened.row.id)

    def summary_line(self) -> str:
        """Return the number of instances, types and references."""
        types, groups = len({item.type for item in self}), len({item.group for item in self})
        return f"{super().summary_line()}, {types} types, {groups} references"


async def build_by_author(
    subjects: Iterable[Subject | str | PathLike[str]],
    editor: Author | None,
    validator: Author | None,
    each: Each,
    *,
    types: Types,
    per_type: int,
    seed: int,
) -> Benchmark:
    """Build a benchmark with models that are open; ``each`` applies a function to many items concurrently.

    Without an editor, rules write; a type that has no sites for a model is written by its rule in any case.
    """
    given, errors = read_references(subjects)
    operators = operators_of(types)
    edit = editing_by(editor, validator, seed=seed)
    built = await build_by_model(given, operators, edit, per_type=per_type, seed=seed, each=each)
    return _benchmark_of(
        built,
        operators,
        per_type=per_type,
        seed=seed,
        editor="rules" if editor is None else editor.model.id,
        validator="" if validator is None else validator.model.id,
        errors=errors,
    )


def _benchmark_of(
    built: BuiltBenchmark,
    operators: Sequence[Operator],
    *,
    per_type: int,
    seed: int,
    editor: str,
    errors: Sequence[Exception],
    validator: str = "",
) -> Benchmark:
    """Return what was built as a benchmark, with its manifest."""
    if not built.instances:
        raise nothing_built(built)
    manifest = manifest_of(
        built,
        measure_artefacts(built.instances),
        types=[operator.name for operator in operators],
        per_type=per_type,
        seed=seed,
        editor=editor,
        validator=validator,
    )
    return Benchmark(
        built.instances, errors=errors, manifest=manifest, disputed=built.disputed, refusals=built.refusals
    )
