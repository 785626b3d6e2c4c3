"""Comparisons read from files: judgments of Assay, exports of runs, and arena rows.

``assay.judgment/2``   subject "a | b", preference, scores by dimension; the systems come from ``tags``, a neighbouring
                       file ``index.jsonl`` (as ``assay log export`` writes), or a table of subjects
exported CSV           the same in columns ``tag.…`` and ``score.…``
arena rows             two names and a winner as JSON Lines, JSON or CSV: model_a, model_b, winner
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import InputError
from assay.judges.judgment_format import SCHEMAS
from assay.judges.model_free_comparison import TIE_MARGINS
from assay.meta.leaderboard.comparisons import LOSS, NO_VERDICT, OVERALL, TIE, WIN, ComparisonsBuilder
from assay.meta.leaderboard.subject_index import (
    ComparedSubject,
    SubjectIndex,
    domain_of,
    first_text,
    object_rows,
)
from assay.suggest import did_you_mean

_SUFFIXES: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".jsonl.gz", ".ndjson.gz", ".csv.gz")
_SIDES: Final = (
    ("model_a", "model_b"), ("system_a", "system_b"), ("model_1", "model_2"), ("model1", "model2"), ("left", "right"),
    ("generator_1", "generator_2"), ("a", "b"),
)  # fmt: skip
_WINNERS: Final = ("winner", "preference", "outcome", "label", "verdict")
_FIRST: Final = ("model_a", "a", "A", "left", "A>B", "A>>B", "model_1", "model1", "1", "first", "system_a")
_SECOND: Final = (
    "model_b", "b", "B", "right", "A<B", "A<<B", "B>A", "B>>A", "model_2", "model2", "2", "second", "system_b",
)  # fmt: skip
_TIES: Final = (
    "tie",
    "Tie",
    "draw",
    "both",
    "both_good",
    "both_bad",
    "tie (bothbad)",
    "tie (both bad)",
    "A=B",
)
_SILENT: Final = (
    "",
    "none",
    "None",
    "null",
    "error",
    "invalid",
    "unparsed",
    "refused",
    "failed",
    "nan",
    "N/A",
)
_TASKS: Final = (
    "task", "task_id", "question_id", "query_id", "prompt_id", "instruction_id", "query", "question", "prompt",
)  # fmt: skip


class SkippedRows(msgspec.Struct):
    """Numbers of rows that were read but not used.

    Attributes:
        same: Comparisons of a system with itself.
        unknown: Comparisons with a subject of unknown system.
        single: Judgments of single subjects.
        filtered: Judgments of other judges than the selected one.
        example: A subject of unknown system.
    """

    same: int = 0
    unknown: int = 0
    single: int = 0
    filtered: int = 0
    example: str = ""


class ComparisonReader:
    """Reads files into a `ComparisonsBuilder`.

    Args:
        builder: Collects the comparisons.
        index: Index of subjects.
        tie: Largest margin that counts as a tie; None for the judge's own rule (0 for judges with a model).
        judge: Judge whose comparisons are read; None for all.
    """

    def __init__(
        self,
        builder: ComparisonsBuilder,
        index: SubjectIndex,
        *,
        tie: float | None = None,
        judge: str | None = None,
    ) -> None:
        self.builder, self.index, self.tie, self.judge = builder, index, tie, judge
        self.skipped = SkippedRows()

    def read(self, paths: Iterable[str]) -> None:
        """Read all comparisons in files and folders.

        Raises:
            InputError: A file is missing or cannot be read, or a row is not a comparison.
        """
        for path in paths:
            for file in _files(Path(path)):
                self._file(file)

    def _file(self, path: Path) -> None:
        tags = _index(path)
        for (where, row), row_tags in zip(object_rows(path), tags, strict=False):
            if (
                row.get("schema") in SCHEMAS
                or "tag.system_a" in row
                or ("order_ab" in row and "subject" in row)
            ):
                judgment = _unflattened(row, where)
                self.judgment(judgment, row_tags or judgment.get("tags"))
            elif "schema" in row:
                raise InputError(_other(row["schema"]), where=where)
            else:
                self._arena(row, where)

    def judgment(self, row: Mapping[str, Any], tags: Mapping[str, Any] | None = None) -> None:
        """Add a judgment as plain data, with the tags of its sides."""
        tags = tags if isinstance(tags, Mapping) else {}
        label = str(tags.get("judge") or row.get("judge") or "")
        if self.judge is not None and self.judge not in (label, row.get("judge")):
            self.skipped.filtered += 1
            return
        sides = self._sides(row, tags)
        if sides is None:
            self.skipped.single += 1
            return
        self._add(
            sides,
            pair_verdicts(row, self.tie),
            row,
            tags,
            judge=label,
            rubric=row.get("rubric"),
        )

    def _sides(
        self, row: Mapping[str, Any], tags: Mapping[str, Any]
    ) -> tuple[ComparedSubject | None, ComparedSubject | None] | None:
        """Return the two compared subjects, None for an unknown one; None if the judgment is not of a pair."""
        subject = row.get("subject")
        names = subject.split(" | ") if isinstance(subject, str) else []
        if len(names) != 2 and not ("system_a" in tags and "system_b" in tags):
            return None
        names = names if len(names) == 2 else ["", ""]
        sides: list[ComparedSubject | None] = []
        for side, name in zip("ab", names, strict=True):
            system = first_text(tags, [f"system_{side}"]) or first_text(row, [f"system_{side}"])
            own = first_text(tags, [f"id_{side}"])
            known = self.index.find(name, system) or (self.index.find(own, system) if own else None)
            if known is None and system is None:
                self.skipped.example = self.skipped.example or name
                sides.append(None)
                continue
            known = known or ComparedSubject()
            sides.append(msgspec.structs.replace(known, system=system or known.system, id=own or known.id))
        return sides[0], sides[1]

    def _arena(self, row: Mapping[str, Any], where: str) -> None:
        keys = next((pair for pair in _SIDES if all(isinstance(row.get(key), str) for key in pair)), None)
        winner = next((key for key in _WINNERS if key in row), None)
        if keys is None or winner is None:
            fields = ", ".join(str(key)[:30] for key in list(row)[:8]) or "none"
            raise InputError(
                f"is not a comparison; its fields are {fields}",
                where=where,
                hint="give judgments of pairs, or model_a, model_b, winner",
                cli_hint="give judgments of pairs, or model_a, model_b, winner; with --judge rules, reports",
            )
        judge = first_text(row, ("judge",)) or ""
        if self.judge is not None and self.judge != judge:
            self.skipped.filtered += 1
            return
        one, two = str(row[keys[0]]).strip(), str(row[keys[1]]).strip()
        code = _winner(row[winner], one, two, where)
        dimension = first_text(row, ("dimension", "criterion")) or OVERALL
        self._add(
            (ComparedSubject(system=one), ComparedSubject(system=two)),
            {dimension: code},
            row,
            {},
            judge=judge,
            rubric=None,
        )

    def _add(
        self,
        sides: tuple[ComparedSubject | None, ComparedSubject | None],
        verdicts: Mapping[str, int],
        row: Mapping[str, Any],
        tags: Mapping[str, Any],
        *,
        judge: str,
        rubric: Any,
    ) -> None:
        one, two = sides
        if one is None or two is None or not one.system or not two.system:
            self.skipped.unknown += 1
            return
        if one.system == two.system:
            self.skipped.same += 1
            return
        task = first_text(tags, _TASKS) or first_text(row, _TASKS) or _task(one, two)
        domain = domain_of(tags) or domain_of(row) or one.domain or two.domain
        self.builder.add(
            (one.system, two.system),
            verdicts,
            task=task,
            domain=domain or self.index.domain(task, task) or self.index.domain(one.id),
            judge=judge,
            rubric=rubric if isinstance(rubric, str) else None,
            styles=(one.style, two.style),
        )


def pair_verdicts(row: Mapping[str, Any], tie: float | None = None) -> dict[str, int]:
    """Return the codes of a judgment of a pair by dimension.

    ``overall`` is the preference; other dimensions follow from the sign of their margins.
    """
    codes = {OVERALL: NO_VERDICT}
    preference = row.get("preference")
    if row.get("status", "ok") == "ok" and isinstance(preference, str):
        codes[OVERALL] = {"A>B": WIN, "A<B": LOSS}.get(preference, TIE)
    within = TIE_MARGINS.get(str(row.get("judge")), 0.0) if tie is None else tie
    scores = row.get("scores")
    for key, value in scores.items() if isinstance(scores, Mapping) else ():
        if key == OVERALL or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if math.isfinite(value):
            codes[str(key)] = TIE if abs(value) <= within else WIN if value > 0 else LOSS
    return codes


def _task(one: ComparedSubject, two: ComparedSubject) -> str | None:
    if one.task is not None and one.task == two.task:
        return one.task
    if one.id is not None and two.id is not None:
        # Repetitions on the same two subjects belong together.
        return one.id if one.id == two.id else " | ".join(sorted((one.id, two.id)))
    return one.task or two.task


def _winner(value: Any, one: str, two: str, where: str) -> int:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NO_VERDICT
    text = str(value).strip()
    # A system may be called "a": names first.
    if one != two and text in (one, two):
        return WIN if text == one else LOSS
    for labels, code in ((_FIRST, WIN), (_SECOND, LOSS), (_TIES, TIE), (_SILENT, NO_VERDICT)):
        if text in labels:
            return code
    raise InputError(
        f"winner {text[:60]!r}: {did_you_mean(text, [*_FIRST, *_SECOND, *_TIES])}",
        where=where,
        hint="write the name of a system, model_a, model_b or tie; leave it empty for no verdict",
    )


def _files(path: Path) -> Iterator[Path]:
    """Yield a file; for a folder, the judgments of an export, or all of its files."""
    if not path.exists():
        raise InputError(
            "no such file or folder", where=str(path), hint="`assay log export` writes judgments"
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


def _index(path: Path) -> Iterable[Mapping[str, Any] | None]:
    """Yield the tags from ``index.jsonl`` next to exported judgments, line by line."""
    beside = path.with_name("index.jsonl")
    if path.name != "judgments.jsonl" or not beside.is_file():
        return repeat(None)
    return (row.get("tags") for _, row in object_rows(beside))


def _unflattened(row: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Restore the scores and tags of a judgment from the columns of an exported table."""
    if row.get("schema") in SCHEMAS:
        return row
    scores: dict[str, float] = {}
    for key, value in row.items():
        if key.startswith("score.") and value not in (None, ""):
            try:
                scores[key.removeprefix("score.")] = float(value)
            except ValueError as error:
                raise InputError(f"{key} is not a number: {value!r}", where=where) from error
    tags = {key.removeprefix("tag."): value for key, value in row.items() if key.startswith("tag.")}
    return {
        **{key: row.get(key) for key in ("subject", "judge", "rubric")},
        "status": row.get("status") or "ok",
        "preference": row.get("preference") or None,
        "scores": scores,
        "tags": tags,
    }


def _other(schema: Any) -> str:
    if schema == "assay.grade/1":
        return "holds grades, not comparisons; `assay compliance` makes tables of them"
    if schema == "assay.label/1":
        return "holds labels, not comparisons; use `assay agree` to compare judges with them"
    return f"is not a judgment, but {str(schema)[:60]!r}"
