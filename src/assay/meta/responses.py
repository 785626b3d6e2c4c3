"""Judgments read from files, in the form in which they are compared with people's labels.

A line is ``assay.judgment/2`` or ``/1`` (from ``assay judge``, ``compare``, ``rank`` or ``runs export``), ``assay.grade/1`` (from
``assay grade``) or ``assay.label/1`` (a person in the place of a judge, measured by the same functions).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import InputError
from assay.judges.judgment_format import GRADE, SCHEMAS
from assay.judges.judgment_format import SCHEMA as JUDGMENT
from assay.meta.labels.files import label_rows
from assay.meta.labels.record import SCHEMA as LABEL
from assay.meta.labels.record import Label, read_label, verdict_of
from assay.rubrics.scales import LARGEST

# The preferred side; both kinds of tie are ties.
BETTER: Final = {"A>B": "A", "A<B": "B", "tie": "tie", "both_good": "tie", "both_bad": "tie"}
Better = str
_SWAPPED: Final = {"A": "B", "B": "A", "tie": "tie"}
_STATUSES: Final = ("ok", "unparsed", "refused", "failed")
_EXPECTED: Final = f"a line must be {JUDGMENT}, {GRADE} or {LABEL}"


class JudgeResponse(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One judgment.

    Attributes:
        judge: Name of the judge.
        subject: The judge's name for the subject; both names of a pair, ``"a | b"``.
        better: Preferred side of a pair: "A", "B" or "tie"; None without a verdict and for single subjects.
        orders: Preferred side with A shown first and with B shown first, if both orders were shown.
        scores: Scores by dimension; margins for a pair.
        verdicts: Verdicts by criterion.
        pair: Whether the subject is a pair.
        status: "ok", or the reason for having no verdict.
        trial: Number of the repetition; None if the file does not say.
        key: Address of the judgment in a ledger, so that a judgment read twice counts once.
        tokens: Input and output tokens of all calls.
        cost: Cost in US dollars; None if unknown.
        rubric: Name of the rubric.
        version: Version of the judge.
    """

    judge: str
    subject: str
    better: Better | None = None
    orders: tuple[Better | None, Better | None] | None = None
    scores: dict[str, float] = {}
    verdicts: dict[str, str | None] = {}
    pair: bool = False
    status: str = "ok"
    trial: int | None = None
    key: str | None = None
    tokens: int = 0
    cost: float | None = None
    rubric: str | None = None
    version: str | None = None


class _UsageRow(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class _JudgmentRow(msgspec.Struct):
    """The fields of ``assay.judgment/2`` and ``/1`` that are used here; others are ignored."""

    subject: str
    judge: str
    rubric: str | None = None
    scores: dict[str, float | None] | None = None
    preference: str | None = None
    by_order: dict[str, str | None] | None = None
    status: str = "ok"
    usage: _UsageRow | None = None
    version: str | None = None
    repetition: int | None = None
    trial: int | None = None
    key: str | None = None


class _CriterionRow(msgspec.Struct):
    key: str
    criterion: str = ""
    status: str = "ok"
    verdict: str | None = None
    score: float | None = None


class _GradeRow(msgspec.Struct):
    report: str
    judge: str = ""
    rubric: str = ""
    judge_version: str = ""
    criteria: tuple[_CriterionRow, ...] = ()
    compliance: float | None = None
    status: str = "ok"
    usage: _UsageRow | None = None
    key: str | None = None


def swapped(better: Better | None) -> Better | None:
    """Return the preferred side after A and B have been exchanged."""
    return None if better is None else _SWAPPED[better]


def read_responses(paths: Iterable[str | Path]) -> list[JudgeResponse]:
    """Read every judgment in files, in order.

    If one judge name stands for several rubrics or versions, these become part of the name.

    Raises:
        InputError: A file cannot be read, or a line is not a judgment.
    """
    responses: list[JudgeResponse] = []
    keys: set[tuple[str, str]] = set()
    for path in paths:
        for item in _file(Path(path)):
            if item.key is not None:
                if (item.judge, item.key) in keys:
                    continue
                keys.add((item.judge, item.key))
            responses.append(item)
    if not responses:
        raise InputError(
            "holds no judgments",
            where=", ".join(map(str, paths)),
            hint="Judgments.save writes them",
            cli_hint="`assay judge --format json` writes them",
        )
    return _with_distinct_names(responses)


def _file(path: Path) -> Iterator[JudgeResponse]:
    for where, row in label_rows(path):
        if not isinstance(row, dict):
            raise InputError("is not a judgment", where=where, hint=_EXPECTED)
        yield _response(row, where)


def _response(row: dict[str, Any], where: str) -> JudgeResponse:
    schema = row.get("schema", JUDGMENT if "judge" in row else None)
    try:
        if schema in SCHEMAS:
            return _from_judgment(msgspec.convert(row, _JudgmentRow), where)
        if schema == GRADE:
            return _from_grade(msgspec.convert(row, _GradeRow), where)
    except (msgspec.ValidationError, OverflowError) as error:
        raise InputError(f"is not a judgment: {error}", where=where) from error
    if schema == LABEL:
        return _from_label(read_label(row, where))
    shown = json.dumps(schema)[:60] if schema is not None else "a table without a schema"
    raise InputError(f"is not a judgment: {shown}", where=where, hint=_EXPECTED)


def _from_judgment(row: _JudgmentRow, where: str) -> JudgeResponse:
    if row.status not in _STATUSES:
        raise InputError(f"status is {row.status!r}; it must be one of {', '.join(_STATUSES)}", where=where)
    pair = row.preference is not None or row.by_order is not None or row.subject.count(" | ") == 1
    usage = row.usage or _UsageRow()
    orders = None
    if row.by_order is not None:
        orders = _better(row.by_order.get("AB"), where), _better(row.by_order.get("BA"), where)
    return JudgeResponse(
        judge=row.judge,
        subject=row.subject,
        better=_better(row.preference, where) if row.status == "ok" else None,
        orders=orders,
        scores=_scores(row.scores or {}, where),
        pair=pair,
        status=row.status,
        # Without a key nothing says that the number of the repetition was recorded.
        trial=row.repetition if row.key is not None and row.repetition is not None else row.trial,
        key=row.key,
        tokens=usage.input_tokens + usage.output_tokens,
        cost=usage.cost_usd,
        rubric=row.rubric,
        version=row.version,
    )


def _scores(given: Mapping[str, float | None], where: str) -> dict[str, float]:
    scores = {key: value for key, value in given.items() if value is not None}
    for key, value in scores.items():
        if not abs(value) <= LARGEST:  # refuses NaN, too
            raise InputError(
                f"scores.{key} is {value}; it must be a number of at most {LARGEST:.0e}", where=where
            )
    return scores


def _from_grade(row: _GradeRow, where: str) -> JudgeResponse:
    verdicts: dict[str, str | None] = {}
    scores: dict[str, float] = {}
    for item in row.criteria:
        verdict = (
            verdict_of(item.verdict, where) if item.status == "ok" and item.verdict is not None else None
        )
        for name in {item.key, " ".join(item.criterion.split())} - {""}:
            verdicts[name] = verdict
            if item.status == "ok" and item.score is not None:
                scores[name] = item.score
    if row.compliance is not None:
        scores["overall"] = row.compliance
    scores = _scores(scores, where)
    usage = row.usage or _UsageRow()
    return JudgeResponse(
        judge=row.judge,
        subject=row.report,
        scores=scores,
        verdicts=verdicts,
        # Missing verdicts are counted criterion by criterion; the grade has failed only if all are missing.
        status="ok" if any(value is not None for value in verdicts.values()) else _failure(row.status),
        key=row.key,
        tokens=usage.input_tokens + usage.output_tokens,
        cost=usage.cost_usd,
        rubric=row.rubric or None,
        version=row.judge_version or None,
    )


def _from_label(label: Label) -> JudgeResponse:
    part = label.criterion or "overall"
    return JudgeResponse(
        judge=label.rater,
        subject=label.subject,
        better=BETTER[label.preference] if label.preference else None,
        scores=label.scores or ({part: label.score} if label.score is not None else {}),
        verdicts={part: label.verdict} if label.verdict is not None else {},
        pair=label.preference is not None,
    )


def _failure(status: str) -> str:
    return "failed" if status == "ok" else status


def _better(value: str | None, where: str) -> Better | None:
    if value is None:
        return None
    if value not in BETTER:
        raise InputError(f"preference is {value!r}; it must be one of {', '.join(BETTER)}", where=where)
    return BETTER[value]


def _with_distinct_names(responses: list[JudgeResponse]) -> list[JudgeResponse]:
    """Add rubric or version to the names of judges that judged the same subject by several of them.

    Rubrics written for each task give one judge a version for each task; such names stay as they are.
    """
    rubrics: dict[tuple[str, str], set[str | None]] = {}
    versions: dict[tuple[str, str, str | None], set[str | None]] = {}
    for item in responses:
        rubrics.setdefault((item.judge, item.subject), set()).add(item.rubric)
        versions.setdefault((item.judge, item.subject, item.rubric), set()).add(item.version)
    by_rubric = {judge for (judge, _), names in rubrics.items() if len(names) > 1}
    by_version = {judge for (judge, _, _), names in versions.items() if len(names) > 1}
    if not by_rubric and not by_version:
        return responses
    renamed: list[JudgeResponse] = []
    for item in responses:
        name = item.judge
        if item.judge in by_rubric:
            name += f" · {item.rubric or 'no rubric'}"
        if item.judge in by_version:
            name += f" · {(item.version or 'no version')[:8]}"
        renamed.append(msgspec.structs.replace(item, judge=name) if name != item.judge else item)
    return renamed


def responses_by_judge(responses: Iterable[JudgeResponse]) -> Mapping[str, list[JudgeResponse]]:
    """Group judgments by judge, in order of first appearance."""
    groups: dict[str, list[JudgeResponse]] = {}
    for item in responses:
        groups.setdefault(item.judge, []).append(item)
    return groups
