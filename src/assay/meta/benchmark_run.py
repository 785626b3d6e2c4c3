"""A run of judges over the instances of a benchmark, one condition after another."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay._version import __version__
from assay.errors import UsageError
from assay.generation.fault_location import confirm_fault, locate_faults
from assay.judges.default_rubrics import rubric_for_planted
from assay.judges.settings import split_judge
from assay.judges.units import whole
from assay.meta.ask import ask_judge
from assay.meta.evaluation import evaluate
from assay.meta.localisation import localise_faults
from assay.meta.results import BenchmarkResult, RunOrigin
from assay.meta.site_judge import SiteJudge, focus
from assay.meta.stopping import StoppingRule, shuffled
from assay.runs.model_free_judges import ModelFreeJudge
from assay.strategies.registry import find_strategy
from assay.subjects.case import Case
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.interventions.instances import Instance
    from assay.judges.case_judge import CaseJudge
    from assay.judges.model_judge import ModelJudge
    from assay.judges.units import Granularity
    from assay.meta.conditions import JudgeSetup
    from assay.meta.evaluation import Localiser
    from assay.meta.results import Ended
    from assay.meta.trials import Condition, FailureLocalisation, Trial
    from assay.models.base import Usage
    from assay.runs.running import OpenRun
    from assay.runs.session import Session

_AHEAD: Final = 8
_KINDS: Final[dict[str, type]] = {"outcome": Report, "process": Trajectory}


class BenchmarkRun:
    """Judges the instances of a benchmark under every condition; what is made before an error stays.

    Args:
        instances: Instances of the benchmark.
        setups: The conditions.
        candidates: Largest number of subjects in a ranking, including the reference.
        localise: Whether models are asked where the failure is, which takes one more call for each instance.
        until: Width of the interval of a condition's accuracy at which it stops; None judges everything.
        warn: Callback for what is left out, and why.
    """

    def __init__(
        self,
        instances: Sequence[Instance],
        setups: Sequence[JudgeSetup],
        *,
        candidates: int = 4,
        localise: bool = False,
        until: float | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        # A run that may stop early meets references in an order that does not depend on what they are.
        self.instances = instances if until is None else shuffled(instances)
        self._until = until
        self.setups = setups
        # Versions are recorded once a judge is bound to its model.
        self.conditions = [item.condition for item in setups]
        self.trials: list[Trial] = []
        # Instances, and sets of rankings, of which replies are still to come in batch files, over all conditions.
        self.pending = 0
        self._candidates = candidates
        self._localise = localise
        # Callback for every trial, with its condition.
        self.on_trial: Callable[[Condition, Trial], None] | None = None
        # Callback for every judge with a model, once it is open.
        self.on_judge: Callable[[ModelJudge], None] | None = None
        self._warn = warn or (lambda _: None)

    @property
    def planned(self) -> int:
        """Number of judgments, without those of rankings, which depend on each other."""
        return sum(
            self._planned(item.condition)
            for item in self.setups
            if not isinstance(item.judge, ModelFreeJudge)
        )

    async def make(self, opened: OpenRun) -> None:
        """Make all trials in an open run.

        Raises:
            UsageError: A judge cannot judge any of these instances.
            EngineError: A model cannot be asked any more, or a cap is reached.
        """
        opened.plan([self.planned])
        for at, setup in enumerate(self.setups):
            await (self._ask_model(opened, at) if setup.asks_model else self._ask_object(opened, at))

    def result(self, bench: str, *, run: str, status: Ended = "done") -> BenchmarkResult:
        """Return the results, without baselines that were never run."""
        put_to = {trial.condition for trial in self.trials}
        kept = [at for at, item in enumerate(self.conditions) if at in put_to or not item.beside]
        places = {at: place for place, at in enumerate(kept)}
        digest = hashlib.blake2b("".join(item.id for item in self.instances).encode(), digest_size=6)
        return BenchmarkResult.of(
            [self.conditions[at] for at in kept],
            [msgspec.structs.replace(trial, condition=places[trial.condition]) for trial in self.trials],
            RunOrigin(
                id=run,
                bench=bench,
                instances=len(self.instances),
                created=time.time(),
                assay=__version__,
                fingerprint=digest.hexdigest(),
                status=status,
            ),
        )

    async def _keep(self, at: int, trials: AsyncGenerator[Trial | None], rule: StoppingRule | None) -> bool:
        """Keep the trials of a condition; return whether it stopped because its interval is narrow enough."""
        async with contextlib.aclosing(trials):
            async for trial in trials:
                if trial is None:
                    self.pending += 1
                    continue
                if rule is not None and rule.add(trial):
                    return True
                self.trials.append(trial)
                if self.on_trial is not None:
                    self.on_trial(self.conditions[at], trial)
        return False

    def _rule(self, at: int) -> StoppingRule | None:
        """Return when a condition stops; baselines cost nothing and judge everything."""
        if self._until is None or self.conditions[at].beside:
            return None
        return StoppingRule(self._until)

    def _record_stop(self, at: int, rule: StoppingRule | None) -> None:
        if rule is not None:
            condition = self.conditions[at]
            self.conditions[at] = msgspec.structs.replace(
                condition, settings={**condition.settings, "stopping": rule.record()}
            )

    async def _ask_object(self, opened: OpenRun, at: int) -> None:
        setup, condition = self.setups[at], self.conditions[at]
        bound: dict[type, CaseJudge] = {}

        async def bind(case: Case) -> CaseJudge:
            kind = type(case.subjects[0])
            if kind not in bound:
                bound[kind] = await opened.bound(setup.judge, case)
            return bound[kind]

        fitting = list(self.instances)
        for level in dict.fromkeys(item.level for item in self.instances):
            own = [item for item in fitting if item.level == level]
            subject = own[0].subject("perturbed")
            judge = await bind(Case(subject))
            if condition.interface == "pointwise" and "score" not in judge.modes:
                raise UsageError(f"judge {judge.name} compares two subjects; use interface='pairwise'")
            try:
                if condition.interface == "pointwise" or "compare" not in judge.modes:
                    judge.check(Case(subject))
                else:
                    judge.check(Case(subject, subject))
            except UsageError as error:
                self._warn(f"left out: {len(own)} of level {level}: {error}")
                fitting = [item for item in fitting if item.level != level]
                bound.pop(type(subject))
        if not bound:
            raise UsageError(f"nothing was sent: {condition.name} cannot judge any of these instances")
        if condition.rubric is not None:
            self.conditions[at] = msgspec.structs.replace(
                condition,
                version="+".join(dict.fromkeys(item.version or "" for item in bound.values())),
                rubrics="+".join(dict.fromkeys(item.rubric_name or "" for item in bound.values())),
            )
        free = isinstance(setup.judge, ModelFreeJudge)
        rule = self._rule(at)
        stopped = await self._keep(
            at,
            evaluate(
                fitting,
                ask_judge(bind, opened),
                interface=condition.interface,
                condition=at,
                both_orders=not free and all("compare" in item.modes for item in bound.values()),
                candidates=self._candidates,
                width=1 if free else _AHEAD + opened.session.slots,
                share=condition.judge != "random",
            ),
            rule,
        )
        if rule is not None and not stopped:
            rule.finish()
        self._record_stop(at, rule)

    async def _ask_model(self, opened: OpenRun, at: int) -> None:
        setup, condition = self.setups[at], self.conditions[at]
        fine = condition.granularity == "fine"
        judges: list[tuple[ModelJudge, list[Instance]]] = []
        for level, rubric, own in self._by_rubric(setup):
            more: dict[str, Any] = {"make": SiteJudge} if fine else {}
            judge = await opened.session.judge(setup.judge, rubric=rubric, settings=setup.settings, **more)
            opened.keep(judge)
            if self.on_judge is not None:
                self.on_judge(judge)
            fitting: list[Instance] = []
            # Instances are alike but for a reference answer, which some strategies need.
            for alike in ([item for item in own if item.answer], [item for item in own if not item.answer]):
                problem = _unfit(judge, alike[0], condition) if alike else None
                if problem is None:
                    fitting += alike
                else:
                    self._warn(f"left out: {len(alike)} of level {level}: {problem}")
            if fitting:
                order = {item.id: number for number, item in enumerate(own)}
                judges.append((judge, sorted(fitting, key=lambda item: order[item.id])))
        if not judges:
            raise UsageError(f"nothing was sent: {condition.name} cannot judge any of these instances")
        recorded: dict[str, Any] = msgspec.to_builtins(setup.settings)
        if condition.interface == "ranking":
            recorded["candidates"] = self._candidates
        # Recorded before anything is sent, so that it is there even if the run ends early.
        self.conditions[at] = msgspec.structs.replace(
            condition,
            version="+".join(dict.fromkeys(judge.version for judge, _ in judges)),
            rubrics="+".join(dict.fromkeys(judge.rubric_name for judge, _ in judges)),
            settings=recorded,
        )
        localiser = await _localiser(opened.session, condition) if self._localise else None
        rule = self._rule(at)
        stopped = False
        for judge, own in judges:
            if stopped:
                break

            async def bind(_case: Case, judge: CaseJudge = judge) -> CaseJudge:
                return judge

            stopped = await self._keep(
                at,
                evaluate(
                    own,
                    ask_judge(bind, opened),
                    interface=condition.interface,
                    condition=at,
                    both_orders=setup.settings.swap,
                    fine=fine,
                    candidates=self._candidates,
                    width=opened.session.slots + _AHEAD,
                    localiser=localiser,
                ),
                rule,
            )
        if rule is not None and not stopped:
            rule.finish()
        self._record_stop(at, rule)

    def _by_rubric(self, setup: JudgeSetup) -> list[tuple[str, Any, list[Instance]]]:
        """Return the instances that a condition judges, with level and rubric, in order: one judge for each rubric."""
        fine = setup.condition.granularity == "fine"
        strategy = find_strategy(split_judge(setup.judge).strategy)
        found: dict[tuple[str, str], tuple[Any, list[Instance]]] = {}
        for item in self.instances:
            # A surface attack changes the whole text, so it has no part to judge.
            if fine and item.kind not in ("failure", "targeted"):
                continue
            rubric = setup.rubric
            if rubric == "usual":
                grain: Granularity = "fine" if fine else "holistic"
                rubric = rubric_for_planted(_KINDS[item.level], item.kind, grain, strategy)
            found.setdefault((item.level, str(rubric)), (rubric, []))[1].append(item)
        return [(level, rubric, own) for (level, _), (rubric, own) in found.items()]

    def _planned(self, condition: Condition) -> int:
        if condition.interface == "pairwise":
            return len(self.instances) * condition.trials
        if condition.interface == "ranking":
            return 0
        groups = {item.id if condition.granularity == "fine" else item.group for item in self.instances}
        return (len(self.instances) + len(groups)) * condition.trials


def _unfit(judge: ModelJudge, instance: Instance, condition: Condition) -> str | None:
    """Return why instances cannot be judged this way, or None; only the first is checked, before anything is sent."""
    subject = instance.subject("perturbed")
    try:
        if condition.interface != "pointwise":
            judge.check(Case(subject, subject, reference=instance.answer))
            return None
        if condition.granularity == "fine":
            focus(subject, instance.site)
        judge.check(Case(subject, reference=instance.answer))
    except UsageError as error:
        return str(error)
    return None


async def _localiser(session: Session, condition: Condition) -> Localiser:
    author = await session.author(split_judge(condition.judge).model)

    async def ask(instance: Instance, subject: Any) -> tuple[FailureLocalisation | None, Usage]:
        steps = None if isinstance(subject, Report) else len(subject.steps)
        shown: dict[str, Any] = {
            "query": instance.query or None,
            "language": instance.language,
            "steps": steps,
        }
        named, written = await locate_faults(author, whole(subject).text, **shown)
        usage = written.usage
        found = localise_faults(subject, (instance.site, *instance.other_sites), named)
        if found is None or found.first:
            return found, usage
        # The reference has the faults of its own and not the planted one.
        original = whole(instance.subject("reference")).text
        native, second = await confirm_fault(author, original, named[0], **shown)
        return msgspec.structs.replace(found, native=native), usage + second.usage

    return ask
