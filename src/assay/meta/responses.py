"""What judges said, as it is compared with what people said: one line a judgment, by judge.

Read from JSON Lines of ``assay.judgment/1`` (``assay judge``, ``compare``, ``rank``, ``runs export``), ``assay.grade/1``
(``assay grade``) and ``assay.label/1`` (a person in a judge's place: measured by the same functions).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import InputError
from assay.judges.grade_record import SCHEMA as GRADE
from assay.judges.judgment import SCHEMA as JUDGMENT
from assay.meta.labels.files import read_rows
from assay.meta.labels.record import SCHEMA as LABEL
from assay.meta.labels.record import Label, read_label, verdict_of
from assay.rubrics.fields import LARGEST

# Whom a preference is for: both kinds of tie are ties.
BETTER: Final = {"A>B": "A", "A<B": "B", "tie": "tie", "both_good": "tie", "both_bad": "tie"}
Better = str
_TURNED: Final = {"A": "B", "B": "A", "tie": "tie"}
_STATUSES: Final = ("ok", "unparsed", "refused", "failed")


class JudgeResponse(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One judgment.

    Attributes:
        judge: Who.
        subject: Of what, as the judge calls it; of a pair both, ``"a | b"``.
        better: Of a pair: "A", "B", "tie"; None without a verdict, or where it is no pair.
        orders: The same with A first and with B first, where both were asked; in terms of the A and B given.
        scores: By dimension; of a pair, margins.
        verdicts: By criterion.
        pair: Whether it is of a pair.
        status: "ok", or why there is no verdict.
        trial: Which of several judgments of the same; None where it does not say.
        key: Of the judgment in a ledger, so that one read twice counts once.
        tokens: Of all calls, in and out.
        cost: In US dollars; None where unknown.
        rubric: By which yardstick.
        version: Of the judge.
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
    """What is needed of a judgment; further fields are passed over."""

    subject: str
    judge: str
    rubric: str | None = None
    scores: dict[str, float | None] | None = None
    preference: str | None = None
    by_order: dict[str, str | None] | None = None
    status: str = "ok"
    usage: _UsageRow | None = None
    version: str | None = None
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
    """The same in terms of the pair the other way round."""
    return None if better is None else _TURNED[better]


def read_responses(paths: Iterable[str | Path]) -> list[JudgeResponse]:
    """Every judgment in files, in order; judges told apart by rubric and version where one name stands for several.

    Raises:
        InputError: A file cannot be read, or a line is no judgment.
    """
    found: list[JudgeResponse] = []
    keys: set[tuple[str, str]] = set()
    for path in paths:
        for item in _file(Path(path)):
            if item.key is not None:
                if (item.judge, item.key) in keys:
                    continue
                keys.add((item.judge, item.key))
            found.append(item)
    if not found:
        raise InputError(
            "holds no judgments",
            where=", ".join(map(str, paths)),
            hint="`assay judge --format json` writes them",
        )
    return _with_distinct_names(found)


def _file(path: Path) -> Iterator[JudgeResponse]:
    for where, row in read_rows(path):
        if not isinstance(row, dict):
            raise InputError("is no judgment", where=where, hint=f"a line of {JUDGMENT}, {GRADE} or {LABEL}")
        yield _said(row, where)


def _said(row: dict[str, Any], where: str) -> JudgeResponse:
    schema = row.get("schema", JUDGMENT if "judge" in row else None)
    try:
        if schema == JUDGMENT:
            return _of_judgment(msgspec.convert(row, _JudgmentRow), where)
        if schema == GRADE:
            return _of_grade(msgspec.convert(row, _GradeRow), where)
    except (msgspec.ValidationError, OverflowError) as error:
        raise InputError(f"this is no judgment: {error}", where=where) from error
    if schema == LABEL:
        return _of_label(read_label(row, where))
    shown = json.dumps(schema)[:60] if schema is not None else "a table without a schema"
    raise InputError(
        f"is no judgment: {shown}", where=where, hint=f"a line of {JUDGMENT}, {GRADE} or {LABEL}"
    )


def _of_judgment(row: _JudgmentRow, where: str) -> JudgeResponse:
    if row.status not in _STATUSES:
        raise InputError(f"a status {row.status!r}; there are {', '.join(_STATUSES)}", where=where)
    pair = row.preference is not None or row.by_order is not None or row.subject.count(" | ") == 1
    usage = row.usage or _UsageRow()
    orders = None
    if row.by_order is not None:
        orders = tuple(_better(row.by_order.get(name), where) for name in ("AB", "BA"))
    return JudgeResponse(
        judge=row.judge,
        subject=row.subject,
        better=_better(row.preference, where) if row.status == "ok" else None,
        orders=orders,  # type: ignore[arg-type]  # of two
        scores=_scores(row.scores or {}, where),
        pair=pair,
        status=row.status,
        trial=row.trial,
        key=row.key,
        tokens=usage.input_tokens + usage.output_tokens,
        cost=usage.cost_usd,
        rubric=row.rubric,
        version=row.version,
    )


def _scores(given: Mapping[str, float | None], where: str) -> dict[str, float]:
    found = {key: value for key, value in given.items() if value is not None}
    for key, value in found.items():
        if not abs(value) <= LARGEST:  # so written, NaN is refused too
            raise InputError(
                f"scores.{key} is {value}; it must be a number of at most {LARGEST:.0e}", where=where
            )
    return found


def _of_grade(row: _GradeRow, where: str) -> JudgeResponse:
    verdicts: dict[str, str | None] = {}
    scores: dict[str, float] = {}
    for item in row.criteria:
        said = verdict_of(item.verdict, where) if item.status == "ok" and item.verdict is not None else None
        for name in {item.key, " ".join(item.criterion.split())} - {""}:
            verdicts[name] = said
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
        # What is missing is missing criterion by criterion.
        status="ok" if any(value is not None for value in verdicts.values()) else _worse(row.status),
        key=row.key,
        tokens=usage.input_tokens + usage.output_tokens,
        cost=usage.cost_usd,
        rubric=row.rubric or None,
        version=row.judge_version or None,
    )


def _of_label(label: Label) -> JudgeResponse:
    part = label.criterion or "overall"
    return JudgeResponse(
        judge=label.rater,
        subject=label.subject,
        better=BETTER[label.preference] if label.preference else None,
        scores=label.scores or ({part: label.score} if label.score is not None else {}),
        verdicts={part: label.verdict} if label.verdict is not None else {},
        pair=label.preference is not None,
    )


def _worse(status: str) -> str:
    return "failed" if status == "ok" else status


def _better(value: str | None, where: str) -> Better | None:
    if value is None:
        return None
    if value not in BETTER:
        raise InputError(f"a preference {value!r}; there are {', '.join(BETTER)}", where=where)
    return BETTER[value]


def _with_distinct_names(found: list[JudgeResponse]) -> list[JudgeResponse]:
    """Judges of one name that judged the same by several rubrics, or in several versions, get longer names.

    Only where it is the same that they judged: a rubric written for each task makes a version for each, of one judge.
    """
    rubrics: dict[tuple[str, str], set[str | None]] = {}
    versions: dict[tuple[str, str, str | None], set[str | None]] = {}
    for item in found:
        rubrics.setdefault((item.judge, item.subject), set()).add(item.rubric)
        versions.setdefault((item.judge, item.subject, item.rubric), set()).add(item.version)
    many = {judge for (judge, _), these in rubrics.items() if len(these) > 1}
    changed = {judge for (judge, _, _), these in versions.items() if len(these) > 1}
    if not many and not changed:
        return found
    out: list[JudgeResponse] = []
    for item in found:
        name = item.judge
        if item.judge in many:
            name += f" · {item.rubric or 'no rubric'}"
        if item.judge in changed:
            name += f" · {(item.version or 'no version')[:8]}"
        out.append(msgspec.structs.replace(item, judge=name) if name != item.judge else item)
    return out


def responses_by_judge(said: Iterable[JudgeResponse]) -> Mapping[str, list[JudgeResponse]]:
    """Judgments of each judge, in the order they are first met."""
    found: dict[str, list[JudgeResponse]] = {}
    for item in said:
        found.setdefault(item.judge, []).append(item)
    return found
