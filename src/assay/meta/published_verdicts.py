"""Verdicts of judges as public benchmarks publish them, with what the benchmark holds to be right.

LLMBar        ``evaluators/MODEL/STRATEGY/result.json``: ``label`` and ``results``, the last of which has the winner in
              both orders, the swapped one mapped back. Labels that rows lack are taken from ``dataset.json``.
JudgeBench    JSON Lines: ``pair_id``, ``label``, ``judge_name`` and ``judgments``, one or two with a ``decision``, the
              second of the swapped order; the texts may be left out.
AlpacaEval    ``annotations.json``: ``generator_1``, ``generator_2``, ``annotator`` and ``preference``; there are no labels,
              only win rates.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.judges.judgment import Judgment, Preference
from assay.judges.judgments import Judgments
from assay.judges.order_rules import OrderRule
from assay.measures.win_rate import PreferenceWinRate, preference_win_rate
from assay.meta.labels.label_set import Labels
from assay.meta.labels.loaders.judgebench import strata_of_source
from assay.meta.labels.record import Label
from assay.record import Record
from assay.rows import read_rows

Benchmark = Literal["llmbar", "judgebench", "alpacaeval"]
_ENDINGS: Final = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_EVALUATORS: Final = "evaluators"
_DATASET: Final = "dataset.json"
_WINNERS: Final[dict[str, Preference]] = {"1": "A>B", "2": "A<B"}
_DECISIONS: Final[dict[Any, Preference]] = {"A>B": "A>B", "B>A": "A<B", "A=B": "tie"}
_SWAPPED: Final[dict[Preference | None, Preference]] = {"A>B": "A<B", "A<B": "A>B", "tie": "tie"}
_RULES: Final[dict[Benchmark, OrderRule]] = {
    "llmbar": "llmbar",
    "judgebench": "judgebench",
    "alpacaeval": "assay",
}
# Strata that a benchmark publishes its figures by.
_STRATA: Final = ("subset", "response_model")
_Row = dict[str, Any]
_Rows = list[tuple[str, _Row]]


class PublishedWinRate(Record, msgspec.Struct, frozen=True, kw_only=True):
    """How often an annotator prefers a model to the baseline.

    Attributes:
        annotator: Name of the judge.
        model: Name of the second system.
        baseline: Name of the first system.
        rate: Win rate of the model, plain and discrete.
    """

    annotator: str
    model: str
    baseline: str
    rate: PreferenceWinRate

    def summary_line(self) -> str:
        """Return the model and its win rate."""
        return f"{self.model} against {self.baseline} by {self.annotator}: {self.rate.summary_line()}"


class PublishedVerdicts(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The published verdicts of one benchmark, to be given to `assay.agree`.

    Attributes:
        benchmark: ``llmbar``, ``judgebench`` or ``alpacaeval``.
        judgments: Verdicts of each judge on each pair, in both orders.
        labels: What the benchmark holds to be right; empty for AlpacaEval.
        order_rule: Rule by which the benchmark counts the two orders.
        by: Strata that the benchmark publishes its figures by, if there are several.
        win_rates: AlpacaEval's win rates, by annotator and model.
    """

    benchmark: Benchmark
    judgments: Judgments
    labels: Labels
    order_rule: OrderRule
    by: tuple[str, ...] = ()
    win_rates: tuple[PublishedWinRate, ...] = ()


def benchmark_of(row: Any) -> Benchmark | None:
    """Return the benchmark whose published verdicts a row belongs to; None for any other row."""
    if not isinstance(row, dict):
        return None
    if isinstance(row.get("results"), list) and {"output_1", "output_2"} <= row.keys():
        return "llmbar"
    if isinstance(row.get("judgments"), list) and "label" in row:
        return "judgebench"
    if {"generator_1", "generator_2", "preference"} <= row.keys():
        return "alpacaeval"
    return None


def holds_verdicts(path: str | PathLike[str]) -> bool:
    """Return whether a file, or any file in a folder, holds published verdicts; never raises."""
    try:
        return any(benchmark_of(_first_row(file)) for file in _files(Path(path)))
    except (InputError, OSError):
        return False


def read_verdicts(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> PublishedVerdicts:
    """Read verdicts that LLMBar, JudgeBench or AlpacaEval publishes, from files or folders of one benchmark.

    Raises:
        InputError: There are no such verdicts, those of several benchmarks, or a malformed row.
    """
    given = [paths] if isinstance(paths, str | PathLike) else list(paths)
    tables: dict[Path, _Rows] = {}
    kinds: dict[Benchmark, Path] = {}
    for path in map(Path, given):
        for file in _files(path):
            kind = benchmark_of(_first_row(file))
            if kind is not None:
                kinds.setdefault(kind, file)
                tables.setdefault(file, _rows(file))
    if len(kinds) != 1:
        problem = "holds no verdicts of LLMBar, JudgeBench or AlpacaEval"
        if kinds:
            problem = f"holds verdicts of {' and '.join(kinds)}; read one benchmark at a time"
        raise InputError(problem, where=", ".join(map(str, given)))
    benchmark = next(iter(kinds))
    if benchmark == "alpacaeval":
        rates = tuple(_win_rates(row for rows in tables.values() for _, row in rows))
        return PublishedVerdicts(
            benchmark=benchmark,
            judgments=Judgments(()),
            labels=Labels(),
            order_rule=_RULES[benchmark],
            win_rates=rates,
        )
    read = _llmbar if benchmark == "llmbar" else _judgebench
    pairs = list(read(tables))
    labels = {label.subject: label for _, label in pairs}
    strata = [
        name for name in _STRATA if len({label.strata.get(name) for label in labels.values()} - {None}) > 1
    ]
    return PublishedVerdicts(
        benchmark=benchmark,
        judgments=Judgments([judgment for judgment, _ in pairs]),
        labels=Labels(labels.values(), formats=[benchmark]),
        order_rule=_RULES[benchmark],
        by=tuple(strata),
    )


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    yield from sorted(
        file for file in path.rglob("*") if file.is_file() and file.name.lower().endswith(_ENDINGS)
    )


def _first_row(file: Path) -> Any:
    return next((row for _, row in read_rows(file)), None)


def _rows(file: Path) -> _Rows:
    rows: _Rows = []
    for where, row in read_rows(file):
        if not isinstance(row, dict):
            raise InputError("is not an object with a verdict", where=where)
        rows.append((where, row))
    return rows


def _text(row: _Row, *names: str) -> str | None:
    """Return the first field with a text or number, as a text of one line."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return " ".join(str(value).split())
    return None


def _pair(
    judge: str, name: str, orders: Sequence[Preference | None], label: Preference, strata: dict[str, str]
) -> tuple[Judgment, Label]:
    """Return the judgment of a pair and its label; with one order, its verdict is the preference."""
    subject = f"{name}:A | {name}:B"
    by_order = dict(zip(("AB", "BA"), orders, strict=False)) if len(orders) > 1 else None
    strata = dict(strata)
    task = strata.pop("task", name)
    judgment = Judgment(
        subject=subject,
        judge=judge,
        preference=None if by_order else orders[0],
        by_order=by_order,
        mode="compare",
        status="ok" if any(orders) else "unparsed",
        metadata={"task": task, **strata},
    )
    return judgment, Label(subject=subject, rater="benchmark", preference=label, task=task, strata=strata)


def _llmbar(tables: Mapping[Path, _Rows]) -> Iterator[tuple[Judgment, Label]]:
    places = {file: _llmbar_place(file) for file in tables}
    subsets = {folder for folder, _ in places.values()}
    common = os.path.commonpath(list(subsets))
    for file, rows in tables.items():
        folder, judge = places[file]
        subset = os.path.relpath(folder, common).replace(os.sep, "/") if len(subsets) > 1 else ""
        known: list[Any] | None = None
        for at, (where, row) in enumerate(rows):
            label = row.get("label")
            if label is None:
                known = _dataset_labels(folder) if known is None else known
                label = known[at] if at < len(known) else None
            right = _WINNERS.get(str(label))
            if right is None:
                raise InputError(f"label is {label!r}; it must be 1 or 2", where=where)
            name = f"{subset}/row-{at + 1}" if subset else f"row-{at + 1}"
            yield _pair(judge, name, _llmbar_orders(row), right, {"subset": subset} if subset else {})


def _llmbar_place(file: Path) -> tuple[str, str]:
    """Return the folder of the subset, and the name of the evaluator: its folders below ``evaluators``."""
    parts = file.resolve().parent.parts
    if _EVALUATORS in parts:
        at = len(parts) - 1 - parts[::-1].index(_EVALUATORS)
        return str(Path(*parts[:at])), "/".join(parts[at + 1 :]) or file.stem
    return str(file.resolve().parent.parent), parts[-1]


def _dataset_labels(folder: str) -> list[Any]:
    file = Path(folder) / _DATASET
    return [row.get("label") for _, row in _rows(file)] if file.is_file() else []


def _llmbar_orders(row: _Row) -> tuple[Preference | None, Preference | None]:
    """Return the winner in both orders; earlier results are drafts, and the swapped order is mapped back already."""
    last = next((item for item in reversed(row["results"]) if isinstance(item, dict)), {})

    def winner(key: str) -> Preference | None:
        found = last.get(key)
        return _WINNERS.get(str(found.get("winner"))) if isinstance(found, dict) else None

    return winner("swap = False"), winner("swap = True")


def _judgebench(tables: Mapping[Path, _Rows]) -> Iterator[tuple[Judgment, Label]]:
    for file, rows in tables.items():
        models = _judge_models(file, rows)
        for at, (where, row) in enumerate(rows, start=1):
            label = _DECISIONS.get(row["label"] if isinstance(row.get("label"), str) else None)
            if label not in ("A>B", "A<B"):
                raise InputError(f"label is {row.get('label')!r}; it must be A>B or B>A", where=where)
            judgments = row.get("judgments")
            if not isinstance(judgments, list) or not 1 <= len(judgments) <= 2:
                raise InputError(
                    "judgments must be a list of one or two, the second of the swapped order", where=where
                )
            decisions = [_decision(item) for item in judgments]
            orders = [decisions[0], *(_SWAPPED.get(item) for item in decisions[1:])]
            kind = _text(row, "judge_name") or "judge"
            model = next(filter(None, map(_model, judgments)), None) or models.get(kind, "")
            name = _text(row, "pair_id", "id") or f"row-{at}"
            response = _text(row, "response_model")
            strata = strata_of_source(row.get("source"))
            if response := _text(row, "response_model"):
                strata["response_model"] = response
            if task := _text(row, "original_id", "question_id"):
                strata["task"] = task
            yield _pair(f"{kind}@{model}" if model else kind, name, orders, label, strata)


def _decision(judgment: Any) -> Preference | None:
    decision = judgment.get("decision") if isinstance(judgment, dict) else None
    return _DECISIONS.get(decision) if isinstance(decision, str) else None


def _model(judgment: Any) -> str | None:
    inner = judgment.get("judgment") if isinstance(judgment, dict) else None
    return _text(inner, "judge_model") if isinstance(inner, dict) else None


def _judge_models(file: Path, rows: _Rows) -> dict[str, str]:
    """Return the model of each judge in a file, for rows whose judgments are all null; else as the file's name says."""
    models: dict[str, str] = {}
    for _, row in rows:
        kind = _text(row, "judge_name") or "judge"
        items = row.get("judgments")
        model = next(filter(None, map(_model, items)), None) if isinstance(items, list) else None
        if model:
            models.setdefault(kind, model)
    named = dict(part.partition("=")[::2] for part in file.name.rsplit(".jsonl", 1)[0].split(","))
    if named.get("judge_model") and named.get("judge_name"):
        models.setdefault(named["judge_name"], named["judge_model"])
    return models


def _win_rates(rows: Iterable[_Row]) -> Iterator[PublishedWinRate]:
    groups: dict[tuple[str, str, str], list[float | None]] = {}
    for row in rows:
        names = tuple(_text(row, name) or "" for name in ("annotator", "generator_2", "generator_1"))
        value = row.get("preference")
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
        groups.setdefault(names, []).append(number)  # type: ignore[arg-type]  # three names make a key
    for (annotator, model, baseline), preferences in groups.items():
        yield PublishedWinRate(
            annotator=annotator, model=model, baseline=baseline, rate=preference_win_rate(preferences)
        )
