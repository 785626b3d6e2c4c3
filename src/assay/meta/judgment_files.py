"""Judgments to be measured: from files of any contract, exports of runs, tables of comparisons, and data frames.

``assay.judgment/1`` and ``/2``, ``assay.grade/1``    as Assay writes them; in a folder, the judgments of an exported run
``assay.label/1``                                    a person in the place of a judge, measured by the same functions
tables                                               the columns of ``Judgments.to_frame()`` or of an exported CSV; or two
                                                     systems and a winner: model_a, model_b, winner

Reasons and quotations are left out, so that a million judgments fit into memory.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import InputError, UsageError
from assay.given import each_of
from assay.judges.judgment import Judgment, Preference
from assay.judges.judgment_format import GRADE, SCHEMAS, current_row
from assay.measures.win_rate import preference_of_number
from assay.meta.labels.files import label_rows
from assay.meta.labels.record import SCHEMA as LABEL
from assay.meta.labels.record import Label, read_label
from assay.record import frame_rows, is_frame
from assay.rows import read_rows
from assay.rubrics.scales import LARGEST
from assay.suggest import did_you_mean

_EXPECTED: Final = (
    f"a line must be {', '.join(SCHEMAS)}, {GRADE} or {LABEL}, or name two systems and a winner"
)
_SUFFIXES: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".jsonl.gz", ".ndjson.gz", ".csv.gz")
# Fields that a row may leave empty, and a judgment may not.
_NEVER_NONE: Final = ("status", "usage", "verdicts", "metadata", "tags", "mode", "repetition", "trial")
# Fields that no measure needs.
_PROSE: Final = ("rationale", "quotes", "notes", "problem")
_VERDICT_PROSE: Final = ("reasoning", "quotes", "missing", "problem")
_USAGE: Final = ("calls", "input_tokens", "cached_input_tokens", "output_tokens", "cost_usd")
_SIDES: Final = (
    ("model_a", "model_b"), ("system_a", "system_b"), ("model_1", "model_2"), ("model1", "model2"), ("left", "right"),
    ("generator_1", "generator_2"), ("a", "b"),
)  # fmt: skip
_GRADED: Final = ("generator_1", "generator_2")
_WINNERS: Final = ("winner", "preference", "outcome", "label", "verdict", "margin")
_FIRST: Final = ("model_a", "a", "A", "left", "A>B", "A>>B", "model_1", "model1", "1", "first", "system_a")
_SECOND: Final = (
    "model_b", "b", "B", "right", "A<B", "A<<B", "B>A", "B>>A", "model_2", "model2", "2", "second", "system_b",
)  # fmt: skip
_TIES: Final = (
    "tie", "Tie", "draw", "both", "both_good", "both_bad", "tie (bothbad)", "tie (both bad)", "A=B",
)  # fmt: skip
_SILENT: Final = (
    "", "none", "None", "null", "error", "invalid", "unparsed", "refused", "failed", "nan", "N/A",
)  # fmt: skip
# Between these two, a frame of judgments has the scores by dimension.
_LAYOUT: Final = {"overall", "consistent"}
# Columns that say the same in another way.
_DERIVED: Final = ("order_ab", "order_ba", "margin", "consistent", "coverage", "repetitions", "a", "b")
_VALUES: Final = ("preference", "margin", "overall", "scores", "verdicts")


def read_judgments(paths: Iterable[str | Path]) -> Iterator[Judgment]:
    """Yield every judgment in files and folders, in order; a judgment that occurs twice counts once.

    Raises:
        InputError: A file is missing or cannot be read, or a row is not a judgment; the message names the row.
    """
    keys: set[tuple[str, str]] = set()
    for path in paths:
        for file in _files(Path(path)):
            for (where, row), tags in zip(label_rows(file), _tags(file), strict=False):
                item = judgment_of(row, where, tags)
                if item.key is not None:
                    if (item.judge, item.key) in keys:
                        continue
                    keys.add((item.judge, item.key))
                yield item


def judgments_of(source: Any) -> Iterable[Judgment]:
    """Return judgments given as objects, or as a data frame with a row for each.

    Raises:
        UsageError: The frame lacks a column; the message names it.
        InputError: A row of the frame is not a judgment.
    """
    if not is_frame(source):
        return each_of(
            source, Judgment, "a judgment is a Judgment", hint="Judgments.load reads a file of them"
        )
    columns = [str(name) for name in source.columns]
    if "subject" not in columns and not any({*pair} <= {*columns} for pair in _SIDES):
        raise UsageError(f"the frame has no column 'subject', nor 'a' and 'b'; it has {', '.join(columns)}")
    if not any(name in _VALUES or name in _WINNERS or name.startswith("score.") for name in columns):
        raise UsageError(
            f"the frame has none of the columns {', '.join(map(repr, _VALUES))}; it has {', '.join(columns)}"
        )
    scores = (
        columns[columns.index("overall") + 1 : columns.index("consistent")] if {*columns} >= _LAYOUT else []
    )
    named = source.rename(columns={name: f"score.{name}" for name in scores})
    return [judgment_of(row, f"row {at}") for at, row in enumerate(frame_rows(named))]


def judgment_of(row: Any, where: str, tags: Any = None) -> Judgment:
    """Return a row of a file or a data frame as a judgment.

    Args:
        row: The row, of any of the forms above.
        where: Its place, for errors.
        tags: What else is known of its subjects, such as their systems.

    Raises:
        InputError: The row is not a judgment.
    """
    if not isinstance(row, dict):
        raise InputError("is not a judgment", where=where, hint=_EXPECTED)
    schema = row.get("schema")
    try:
        if schema in (*SCHEMAS, GRADE):
            return _from_contract(row, tags)
        if schema == LABEL:
            return _from_label(read_label(row, where))
        if schema is None and "subject" in row and ("judge" in row or any(name in row for name in _VALUES)):
            return _from_table(row, tags)
    except (msgspec.ValidationError, ArithmeticError, AttributeError, TypeError, ValueError) as error:
        raise InputError(f"is not a judgment: {error}", where=where) from error
    if schema is None:
        return _from_winner(row, where)
    raise InputError(f"is not a judgment: {json.dumps(schema)[:60]}", where=where, hint=_EXPECTED)


def _from_contract(row: Mapping[str, Any], tags: Any = None) -> Judgment:
    known = dict(row)
    for name in _PROSE:
        known.pop(name, None)
    for name in _NEVER_NONE:
        if known.get(name, 0) is None:
            del known[name]
    if isinstance(tags, Mapping):
        known["tags"] = tags
    if known.get("mode", "pair") == "pair":
        pair = "mode" in known or str(row.get("subject")).count(" | ") == 1
        known.pop("mode", None)
        known |= {"mode": "compare"} if pair else {}
    known = current_row(known)
    if known.get("by_order") == {}:
        raise ValueError("by_order is empty")
    if known.get("scores") is not None:
        known["scores"] = _scores(known["scores"])
    if known.get("verdicts"):
        known["verdicts"] = [
            {name: value for name, value in verdict.items() if name not in _VERDICT_PROSE}
            for verdict in known["verdicts"]
        ]
    return msgspec.convert(known, Judgment)


def _scores(given: Mapping[str, float | None]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for key, value in given.items():
        if value is None:
            continue
        if not -LARGEST <= value <= LARGEST:  # refuses NaN, too
            raise ValueError(f"scores.{key} is {value}; it must be a number of at most {LARGEST:.0e}")
        scores[key] = value
    return scores


def _from_label(label: Label) -> Judgment:
    part = label.criterion or "overall"
    scores = label.scores or ({part: label.score} if label.score is not None else None)
    verdicts = [] if label.verdict is None else [{"criterion": part, "verdict": label.verdict}]
    return _from_contract(
        {
            "subject": label.subject,
            "judge": label.rater,
            "scores": scores,
            "preference": label.preference,
            "verdicts": verdicts,
            "mode": "score" if label.preference is None else "compare",
            "metadata": {**label.strata, **({"task": label.task} if label.task else {})},
        }
    )


def _from_table(row: Mapping[str, Any], tags: Any = None) -> Judgment:
    """Return a row with a column for each score and each fact about the subjects, as frames and exports have."""
    data: dict[str, Any] = {"judge": row.get("judge") or "judge", "scores": {}, "metadata": {}, "usage": {}}
    orders = {"AB": row.get("order_ab") or None, "BA": row.get("order_ba") or None}
    for name, cell in row.items():
        if cell is None or cell == "" or name in _DERIVED:
            continue
        value = cell
        if isinstance(cell, str) and cell[:1] in ("{", "["):
            value = msgspec.json.decode(cell)
        if name in ("scores", "metadata", "usage", "tags"):
            data["metadata" if name == "tags" else name].update(value)
        elif name == "overall" or name.startswith("score."):
            data["scores"][name.removeprefix("score.")] = float(value)
        elif name == "tokens":
            data["usage"]["output_tokens"] = int(value)
        elif name in _USAGE:
            data["usage"][name] = float(value) if name == "cost_usd" else int(value)
        elif name in Judgment.__struct_fields__ or name == "trial":
            data[name] = int(value) if name in ("trial", "repetition", "repetitions") else value
        else:
            data["metadata"][name.removeprefix("tag.")] = value
    if any(orders.values()):
        data["by_order"] = orders
    elif isinstance(row.get("consistent"), bool) and data.get("preference"):
        same = data["preference"] if row["consistent"] else None
        data["by_order"] = {"AB": same or "A>B", "BA": same or "A<B"}
    margin = row.get("margin")
    if margin is not None and margin != "":
        data["preference"] = data.get("preference") or _preferred(float(margin))
        data["scores"].setdefault("overall", float(margin))
    data["scores"] = data["scores"] or None
    return _from_contract(data, tags)


def _preferred(margin: float) -> Preference:
    return "A>B" if margin > 0 else "A<B" if margin < 0 else "tie"


def _from_winner(row: Mapping[str, Any], where: str) -> Judgment:
    """Return a comparison of two systems, of which a row names the winner."""
    keys = next((pair for pair in _SIDES if all(isinstance(row.get(key), str) for key in pair)), None)
    winner = next((key for key in _WINNERS if key in row), None)
    if keys is None or winner is None:
        fields = ", ".join(str(key)[:30] for key in list(row)[:8]) or "none"
        raise InputError(
            f"is not a judgment, but a table without a schema; its fields are {fields}",
            where=where,
            hint="give judgments, or model_a, model_b, winner",
            cli_hint="give judgments, or model_a, model_b, winner; with `assay leaderboard --judge rules`, reports",
        )
    one, two = (str(row[key]).strip() for key in keys)
    value = row[winner]
    if keys == _GRADED and isinstance(value, int | float):
        # AlpacaEval's scale: 1 prefers the first, 2 the second, 0 and 1.5 are ties, and between is a degree.
        graded = preference_of_number(float(value))
        value = None if graded is None else 1.5 - graded
    preference = _winner(value, one, two, where)
    dimension = row.get("dimension") or row.get("criterion") or "overall"
    margin = {"A>B": 1.0, "A<B": -1.0}.get(preference or "", 0.0)
    known = {
        str(key): value for key, value in row.items() if key not in (*keys, winner) and value is not None
    }
    return Judgment(
        subject=f"{one} | {two}",
        judge=str(row.get("judge") or ""),
        preference=preference if dimension == "overall" else None,
        scores=None if preference is None or dimension == "overall" else {str(dimension): margin},
        status="unparsed" if preference is None else "ok",
        mode="compare",
        metadata={**known, "system_a": one, "system_b": two},
    )


def _winner(value: Any, one: str, two: str, where: str) -> Preference | None:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, float):
        return _preferred(value)
    text = str(value).strip()
    # A system may be called "a": names first.
    if one != two and text in (one, two):
        return "A>B" if text == one else "A<B"
    readings: tuple[tuple[tuple[str, ...], Preference | None], ...] = (
        (_FIRST, "A>B"), (_SECOND, "A<B"), (_TIES, "tie"), (_SILENT, None),
    )  # fmt: skip
    for labels, preference in readings:
        if text in labels:
            return preference
    raise InputError(
        f"winner {text[:60]!r}: {did_you_mean(text, [*_FIRST, *_SECOND, *_TIES])}",
        where=where,
        hint="write the name of a system, model_a, model_b or tie; leave it empty for no verdict",
    )


def _files(path: Path) -> Iterator[Path]:
    """Yield a file; for a folder, the judgments of an export, or all of its files."""
    if not path.exists():
        raise InputError(
            "no such file or folder",
            where=str(path),
            hint="Judgments.save writes one",
            cli_hint="`assay runs export` writes judgments",
        )
    if not path.is_dir():
        yield path
        return
    exported = path / "judgments.jsonl"
    if exported.is_file():
        yield exported
        return
    files = sorted(
        file for file in path.iterdir() if file.is_file() and file.name.lower().endswith(_SUFFIXES)
    )
    if not files:
        raise InputError(
            "no judgments in this folder", where=str(path), hint="files ending in .jsonl or .csv"
        )
    yield from files


def _tags(path: Path) -> Iterable[Any]:
    """Yield the tags from ``index.jsonl`` next to exported judgments, line by line."""
    beside = path.with_name("index.jsonl")
    if path.name != "judgments.jsonl" or not beside.is_file():
        return repeat(None)
    return (row.get("tags") if isinstance(row, dict) else None for _, row in read_rows(beside))
