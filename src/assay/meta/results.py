"""Results of judges on a benchmark: every condition, the contrasts between them, and the folder that keeps them.

The folder holds ``run.json`` (benchmark, time, version), ``trials.jsonl`` (from which everything else is computed) and
``result.json`` (the results, for readers without Assay).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import msgspec

from assay.errors import InputError, UsageError
from assay.interventions.instances import Instance
from assay.measures.intervals import Estimate
from assay.meta.contrasts import ConditionContrast, contrasts_of
from assay.meta.detection import detection_of
from assay.meta.detection_record import SCHEMA as ONE_SCHEMA
from assay.meta.detection_record import BestOfN, Detection, DetectionRate
from assay.meta.gate import Gate, JudgeMetrics, check_thresholds, metrics_of, thresholds_of
from assay.meta.result_summary import html_of, summary_of
from assay.meta.trials import TRIALS, Condition, Trial, distinct_names, read_trials, write_trials
from assay.record import Record, columns_of, frame_of
from assay.rows import read_text

if TYPE_CHECKING:
    import pandas as pd


RUN: Final = "run.json"
RESULT: Final = "result.json"
_SCHEMA: Final = "assay.bench-results/1"
Ended = Literal["done", "interrupted", "stopped", "failed"]
# What a row of a table may be about.
By = Literal["judge", "type", "category", "level", "language", "attack"]


class RunOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """The run that results come from.

    Attributes:
        id: Id of the run, as in the ledger; of results compared, all ids joined by ``+``.
        bench: Folder of the benchmark.
        instances: Number of instances.
        created: Unix time.
        assay: Version of Assay.
        fingerprint: Hash of the instance ids; equal for runs on the same instances, empty for several benchmarks.
        status: ``done``, or the reason for an early end: ``interrupted``, ``stopped`` (by a cap), ``failed``.
    """

    id: str = ""
    bench: str = ""
    instances: int = 0
    created: float = 0.0
    assay: str = ""
    fingerprint: str = ""
    status: Ended = "done"


class BenchmarkResult(Record, msgspec.Struct, frozen=True, kw_only=True):
    """What judges detect on a benchmark.

    Mappings by judge use the names of `names`, which are unique.

    Attributes:
        origin: The run.
        detections: Results by condition, requested conditions first.
        contrasts: Paired differences between conditions.
        trials: Trials by condition: the verdict on each instance. Empty if the result comes from ``result.json``.
        instances: Instances of the benchmark, if the run was made here: cards show the missed ones.
    """

    origin: RunOrigin
    detections: tuple[Detection, ...]
    contrasts: tuple[ConditionContrast, ...]
    trials: tuple[tuple[Trial, ...], ...] = ()
    instances: tuple[Instance, ...] = ()

    @property
    def asked(self) -> list[Detection]:
        """Results of the requested conditions; all if there are only baselines."""
        return [item for item in self.detections if not item.condition.beside] or list(self.detections)

    @property
    def beside(self) -> list[Detection]:
        """Results of the baselines."""
        return [item for item in self.detections if item.condition.beside]

    @property
    def names(self) -> list[str]:
        """A name for each condition that no other one has; what all conditions share is left out."""
        return distinct_names([item.condition for item in self.detections])[0]

    @property
    def accuracy(self) -> dict[str, DetectionRate]:
        """Share of the failures that each judge detects, with its interval."""
        return self._by_name(lambda item: item.accuracy)

    @property
    def coverage(self) -> dict[str, float | None]:
        """Share of the instances on which each judge gave a verdict."""
        return self._by_name(lambda item: item.coverage)

    @property
    def by_type(self) -> dict[str, dict[str, DetectionRate]]:
        """Share of the failures detected, by judge and type."""
        return self._by_name(lambda item: item.by_type)

    @property
    def attack_success(self) -> dict[str, dict[str, Estimate]]:
        """Share of the attacks that succeed, by judge and type of attack; lower is better."""
        return self._by_name(lambda item: item.robustness.asr if item.robustness else {})

    @property
    def best_of_n(self) -> dict[str, dict[int, BestOfN]]:
        """How often each judge picks the reference out of n candidates, by judge and n."""
        return self._by_name(lambda item: {best.n: best for best in item.best_of_n})

    @property
    def metrics(self) -> list[JudgeMetrics]:
        """Every metric of each requested judge that can have a threshold."""
        full = [item.condition.name for item in self.detections]
        titles = [name if full.count(name) == 1 else own for name, own in zip(full, self.names, strict=True)]
        asked = self.asked
        return [
            JudgeMetrics(title, metrics_of(item), self.origin.status)
            for title, item in zip(titles, self.detections, strict=True)
            if item in asked
        ]

    def to_columns(self, by: By | None = "judge") -> dict[str, list[Any]]:
        """Return the columns of `to_frame`, which needs pandas; this needs nothing.

        Args:
            by: What a row is about: a ``judge``; a judge and a ``type``, ``category``, ``level``, ``language`` or
                ``attack``; None for one verdict.

        Raises:
            UsageError: Rows cannot be about this.
        """
        named = list(zip(self.names, self.detections, strict=True))
        if by is None:
            return columns_of(
                [
                    {"judge": name, **msgspec.to_builtins(trial)}
                    for name, own in zip(self.names, self.trials, strict=False)
                    for trial in own
                ]
            )
        if by == "judge":
            return columns_of([_row(name, item) for name, item in named])
        if by == "attack":
            rates: dict[str, Mapping[str, Estimate]] = dict(self.attack_success)
        elif by in ("type", "category", "level", "language"):
            rates = {name: getattr(item, f"by_{by}") for name, item in named}
        else:
            raise UsageError(
                f"by is {by!r}; it must be 'judge', 'type', 'category', 'level', 'language', 'attack' or None"
            )
        return columns_of(
            [
                {"judge": name, by: key, **{field: getattr(rate, field, None) for field in _RATE}}
                for name, own in rates.items()
                for key, rate in own.items()
            ]
        )

    def to_frame(self, by: By | None = "judge") -> pd.DataFrame:
        """Return a pandas data frame with a row for each judge, judge and type …, or verdict; see `to_columns`.

        Raises:
            MissingExtraError: pandas is not installed.
            UsageError: Rows cannot be about this.
        """
        return frame_of(self.to_columns(by))

    def check(
        self,
        min: Mapping[str, float] | None = None,  # noqa: A002 - the word for it
        max: Mapping[str, float] | None = None,  # noqa: A002
        *,
        sure: bool = False,
    ) -> Gate:
        """Check thresholds, as CI does: ``assert result.check(min={"accuracy": 0.6}).met``.

        Every requested judge must meet each threshold. `assay.meta.gate.metrics_of` has the names.

        Args:
            min: Smallest value of each metric.
            max: Largest value of each metric.
            sure: Whether the whole interval must meet the threshold.

        Raises:
            UsageError: There is no metric of that name.
        """
        return check_thresholds(self.metrics, thresholds_of(min or {}, max or {}), sure=sure)

    def card(
        self,
        path: str | PathLike[str] | None = None,
        *,
        judge: str | int | None = None,
        instances: Sequence[Instance] | None = None,
        agreement: Mapping[str, Any] | None = None,
    ) -> str:
        """Return the HTML page about a judge, or the page that compares several, and write it if a path is given.

        Args:
            path: Where to write the page.
            judge: Name of the condition or its number, from 0; by default all requested ones.
            instances: Instances of the benchmark, to show missed failures; by default those of its folder.
            agreement: Agreement of one judge with people (``assay.agreement/2``).

        Raises:
            UsageError: There is no such judge.
            InputError: The page cannot be written.
        """
        # Pages are made above this package; they load when one is wanted.
        pages = importlib.import_module("assay.present.html.comparison")
        page: str = pages.results_page(self, judge, instances=instances, agreement=agreement)
        if path is not None:
            try:
                Path(path).write_text(page, "utf-8")
            except OSError as error:
                raise InputError(f"cannot be written: {error.strerror}", where=fspath(path)) from error
        return page

    def to_dict(self) -> dict[str, Any]:
        """Return ``assay.bench-result/1`` for one requested condition, ``assay.bench-results/1`` for several."""
        more: dict[str, Any] = {
            "beside": [item.to_dict() for item in self.beside],
            "contrasts": [item.to_dict() for item in self.contrasts],
            "conditions": [item.condition.name for item in self.detections],
            "origin": msgspec.to_builtins(self.origin),
        }
        asked = self.asked
        if len(asked) == 1:
            return {**asked[0].to_dict(), **more}
        return {"schema": _SCHEMA, "results": [item.to_dict() for item in asked], **more}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the results that `to_dict` wrote, without trials.

        Raises:
            InputError: The data are something else.
        """
        schema = data.get("schema")
        if schema not in (ONE_SCHEMA, _SCHEMA):
            raise InputError(f"not results of a benchmark: the schema is {schema!r}")
        several = data.get("results") if schema == _SCHEMA else [data]
        if not isinstance(several, list):
            raise InputError(f"not {schema}: results are missing")
        try:
            return cls(
                origin=msgspec.convert(data.get("origin") or {}, RunOrigin),
                detections=tuple(map(Detection.from_dict, [*several, *(data.get("beside") or ())])),
                contrasts=tuple(map(ConditionContrast.from_dict, data.get("contrasts") or ())),
            )
        except msgspec.ValidationError as error:
            raise InputError(f"not {schema}: {error}") from error

    def save(self, path: str | PathLike[str]) -> None:
        """Write the results to a folder, which is created, or a table of them to a ``.csv`` or ``.parquet`` file.

        Raises:
            InputError: The folder cannot be written.
        """
        folder = Path(path)
        if folder.suffix in (".csv", ".parquet"):
            super().save(folder)
            return
        conditions = [item.condition for item in self.detections]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_trials(folder / TRIALS, conditions, (trial for own in self.trials for trial in own))
            for name, data in ((RUN, self.origin), (RESULT, self.to_dict())):
                (folder / name).write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", where=fspath(path)) from error

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the results of a folder, computed anew from its trials, or those of a JSON file.

        Raises:
            InputError: There are no results, or they are malformed; the message names the place.
        """
        place = Path(path)
        if place.is_file() and place.name != TRIALS:
            try:
                return cls.from_dict(msgspec.json.decode(read_text(place), type=dict[str, Any]))
            except msgspec.MsgspecError as error:
                raise InputError(f"not a JSON object: {error}", where=fspath(path)) from error
            except InputError as error:
                raise InputError(error.problem, where=fspath(path), hint=error.hint) from error
        conditions, trials = read_trials(place)
        record = place / RUN
        origin = RunOrigin()
        if record.is_file():
            try:
                origin = msgspec.json.decode(read_text(record), type=RunOrigin)
            except msgspec.MsgspecError as error:
                raise InputError(f"not a record of a run: {error}", where=str(record)) from error
        return cls.of(conditions, trials, origin)

    @classmethod
    def of(
        cls,
        conditions: Sequence[Condition],
        trials: Iterable[Trial],
        origin: RunOrigin,
        *,
        runs: Sequence[int] = (),
    ) -> Self:
        """Compute all results from trials; ``runs`` is as in `assay.meta.contrasts.contrasts_of`."""
        by_condition: list[list[Trial]] = [[] for _ in conditions]
        for trial in trials:
            by_condition[trial.condition].append(trial)
        return cls(
            origin=origin,
            detections=tuple(map(detection_of, conditions, by_condition)),
            contrasts=tuple(contrasts_of(conditions, by_condition, runs=runs)),
            trials=tuple(map(tuple, by_condition)),
        )

    def summary_line(self) -> str:
        """Return how many judges saw how many instances, and what the first two detect."""
        asked = self.asked
        named = zip(self.names, self.detections, strict=True)
        return summary_of(self.origin.instances, [(name, item) for name, item in named if item in asked])

    def _repr_html_(self) -> str:
        return html_of(
            repr(self)[1:-1],
            list(zip(self.names, self.detections, strict=True)),
            self.contrasts,
            verdicts_on=self.asked,
            finished=self.origin.status == "done",
        )

    def _by_name(self, value: Any) -> dict[str, Any]:
        return {name: value(item) for name, item in zip(self.names, self.detections, strict=True)}


_RATE: Final = ("value", "low", "high", "n", "instances", "ties")


def _row(name: str, item: Detection) -> dict[str, Any]:
    """Return the figures of one judge as a row."""
    condition, robustness, usage = item.condition, item.robustness, item.spent.usage
    best = next((best for best in item.best_of_n if best.n == 4), None)
    return {
        "judge": name,
        "interface": condition.interface,
        "rubric": condition.rubrics or condition.rubric,
        "version": condition.version,
        "baseline": condition.beside,
        "accuracy": item.accuracy.value,
        "low": item.accuracy.low,
        "high": item.accuracy.high,
        "n": item.accuracy.n,
        "ties": item.accuracy.ties,
        "coverage": item.coverage,
        "best_of_4": best.accuracy.value if best else None,
        "asr_targeted": robustness.asr_targeted.value if robustness else None,
        "asr_bias": robustness.asr_bias.value if robustness else None,
        "asr_manipulation": robustness.asr_manipulation.value if robustness else None,
        "same_in_both_orders": item.orders.consistent.value if item.orders else None,
        "flips": item.noise.value if item.noise else None,
        "calls": usage.calls,
        "cost_usd": usage.cost_usd,
    }
