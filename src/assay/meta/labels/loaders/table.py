"""Tables of labels as people keep them: CSV, TSV or rows of JSON whose columns are called anything.

What the columns hold is guessed from their names, and said; ``--field preference=winner`` says otherwise. A column that
means nothing here and holds short texts is a stratum.

    report,rater,score,domain             a score a row
    report,rater,dimension,score          scores by dimension, a row each
    a,b,annotator,winner                  a preference a row; a and b are subjects
    task,model_a,model_b,winner           the same of systems: what they wrote on the task, ``task:system``
    report,rater,task_alignment,…         a column a dimension: the eight by name, others by --field scores=depth,style
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from assay.errors import InputError, UsageError
from assay.meta.labels.loaders._cells import short
from assay.meta.labels.loaders.base import ConvertedRow, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label, number_of, preference_of, verdict_of
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.suggest import did_you_mean

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "subject": ("subject", "item", "item_id", "report", "report_id", "example_id", "response_id", "subject_id", "pair",
                "pair_id", "file", "filename", "path", "name", "id", "报告", "样本", "编号"),
    "a": ("a", "report_a", "response_a", "answer_a", "model_a", "system_a", "left", "first", "subject_a", "id_a"),
    "b": ("b", "report_b", "response_b", "answer_b", "model_b", "system_b", "right", "second", "subject_b", "id_b"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id", "labeler", "labeller", "coder",
              "reviewer", "grader", "expert", "user", "judge", "评分员", "评分人", "标注员", "评审"),
    "preference": ("preference", "winner", "preferred", "choice", "better", "pref", "偏好", "胜者", "更好"),
    "score": ("score", "rating", "points", "human_score", "overall_score", "mark", "value", "grade", "评分", "得分", "分数"),
    "verdict": ("verdict", "decision", "judgement", "judgment", "met", "correct", "pass", "passed", "label", "判定", "结论"),
    "task": ("task", "task_id", "prompt_id", "question_id", "query_id", "topic_id", "任务", "题号"),
    "criterion": ("criterion", "criterion_id", "rubric_item", "criteria", "标准"),
    "dimension": ("dimension", "aspect", "metric", "维度"),
}  # fmt: skip
_NO_STRATA: Final = {
    "timestamp", "time", "date", "created_at", "comment", "comments", "note", "notes", "reason", "rationale",
    "explanation", "justification", "email", "prompt", "query", "question", "url",
}  # fmt: skip
_LONGEST_STRATUM: Final = 80
_SAYS: Final = ("preference", "score", "verdict", "scores")


def guess(rows: Sequence[Row], told: Mapping[str, str]) -> dict[str, str]:
    """What the columns hold: the column's name by what it holds; ``scores`` may be several, parted by commas.

    Raises:
        UsageError: What was told names no column, or no such thing.
    """
    columns = list(dict.fromkeys(str(key) for row in rows for key in row))
    found: dict[str, str] = {}
    for what, column in told.items():
        if what not in _NAMES and what != "scores":
            raise UsageError(
                f"--field {what}={column}: labels have no {what!r}; {did_you_mean(what, (*_NAMES, 'scores'))}"
            )
        for name in column.split(",") if what == "scores" else [column]:
            if name.strip() not in columns:
                raise UsageError(
                    f"--field {what}={column}: there is no column {name.strip()!r}; {did_you_mean(name, columns)}"
                )
        found[what] = column
    spelt = {_spelt(column): column for column in reversed(columns)}
    taken = {part.strip() for column in found.values() for part in column.split(",")}
    said = any(what in found for what in _SAYS)
    for what, names in _NAMES.items():
        if what in found or (what in _SAYS and said):
            continue
        column = next((spelt[name] for name in names if name in spelt and spelt[name] not in taken), "")
        if column and (what != "subject" or not {"a", "b"} & set(spelt) or _spelt(column) == "subject"):
            found[what] = column
            taken.add(column)
            said = said or what in _SAYS
    return _settled(found, told, spelt, taken)


def _settled(
    found: dict[str, str], told: Mapping[str, str], spelt: Mapping[str, str], taken: Iterable[str]
) -> dict[str, str]:
    """The guess without what contradicts the rest of it."""
    wide = [spelt[key] for key in DIMENSION_KEYS if key in spelt and spelt[key] not in taken]
    if wide and not any(what in found for what in _SAYS):
        found["scores"] = ",".join(wide)
    elif wide and "score" in found and "score" not in told:
        # A column a dimension and one for the whole: the whole is one of the scores.
        found["scores"] = ",".join([*wide, found.pop("score")])
    if ("a" in found) != ("b" in found):
        for what in ("a", "b"):
            if what not in told:
                found.pop(what, None)
    if "a" in found and "subject" in found and "subject" not in told:
        found.pop("subject")
    return found


def _spelt(column: str) -> str:
    return "_".join(column.replace("-", " ").casefold().split())


def _sniff(row: Row) -> bool:
    try:
        found = guess([row], {})
    except UsageError:
        return False
    return ("subject" in found or {"a", "b"} <= set(found)) and any(what in found for what in _SAYS)


def _load(row: Row, place: RowContext) -> ConvertedRow:
    names = place.fields
    said = [what for what in _SAYS if names.get(what)]
    if not said:
        have = ", ".join(map(str, row))[:120]
        told = (did_you_mean(_spelt(str(column)), _SAYS) for column in row)
        meant = next((f"; {hint}" for hint in told if hint.startswith("did you mean")), "")
        raise InputError(
            f"no column says anything; there are {have}{meant}",
            where=place.where,
            hint="--field preference=COLUMN, score=COLUMN, scores=COLUMN,COLUMN or verdict=COLUMN",
        )
    what = said[0]
    value = row.get(names[what]) if what != "scores" else None
    scores = _scores(row, names["scores"], place) if what == "scores" else None
    if (value is None and what != "scores") or scores == {}:
        # An empty cell: the rater did not say.
        return ConvertedRow(())
    score = number_of(value, names[what], place.where) if what == "score" else None
    dimension = short(row.get(names["dimension"])) if "dimension" in names else None
    if dimension is not None and score is not None:
        scores, score = {dimension: score}, None
    label = Label(
        subject=_subject(row, place),
        rater=(short(row.get(names["rater"])) if "rater" in names else None) or place.rater,
        preference=_preference(value, row, place) if what == "preference" else None,
        score=score,
        scores=scores,
        verdict=verdict_of(value, place.where) if what == "verdict" else None,
        criterion=_long(row.get(names["criterion"])) if "criterion" in names else None,
        task=short(row.get(names["task"])) if "task" in names else None,
        strata=_strata(row, names),
    )
    return ConvertedRow((label,))


def _subject(row: Row, place: RowContext) -> str:
    names = place.fields
    if "a" in names and "b" in names:
        a, b = short(row.get(names["a"])), short(row.get(names["b"]))
        if a is None or b is None:
            raise InputError(f"{names['a'] if a is None else names['b']!r} is empty", where=place.where)
        task = short(row.get(names["task"])) if "task" in names else None
        if task is not None and _spelt(names["a"]).startswith(("model", "system")):
            # Systems meet on many tasks: what was compared is what each wrote on this one.
            a, b = f"{task}:{a}", f"{task}:{b}"
        return f"{a} | {b}"
    found = short(row.get(names["subject"])) if "subject" in names else None
    if found is None:
        raise InputError(
            "the row names no subject",
            where=place.where,
            hint="--field subject=COLUMN, or a=COLUMN and b=COLUMN",
        )
    return found


def _preference(value: Any, row: Row, place: RowContext) -> Any:
    """The preference; where the winner is given by name, in terms of A and B."""
    names = place.fields
    if "a" in names and "b" in names and isinstance(value, str):
        for name, better in (("a", "A>B"), ("b", "A<B")):
            if value.strip() == str(row.get(names[name])).strip():
                return better
    if str(value).strip() in ("1", "2", "1.0", "2.0"):
        return "A>B" if str(value).strip()[0] == "1" else "A<B"
    return preference_of(value, place.where)


def _scores(row: Row, columns: str, place: RowContext) -> dict[str, float]:
    found: dict[str, float] = {}
    for column in (part.strip() for part in columns.split(",")):
        if row.get(column) is not None:
            key = "overall" if _spelt(column) in ("overall", *_NAMES["score"]) else _spelt(column)
            found[key] = number_of(row[column], column, place.where)
    return found


def _strata(row: Row, names: Mapping[str, str]) -> dict[str, str]:
    used = {part.strip() for column in names.values() for part in column.split(",")}
    return {
        str(key): text
        for key, value in row.items()
        if key not in used
        and _spelt(str(key)) not in _NO_STRATA
        and not isinstance(value, float)
        and (text := short(value)) is not None
        and len(text) <= _LONGEST_STRATUM
    }


def _long(value: Any) -> str | None:
    return " ".join(value.split())[:4000] or None if isinstance(value, str) else short(value)


LOADER = LabelLoader(
    name="table",
    what="a table whose columns name a subject, or a and b, and a preference, score or verdict",
    sniff=_sniff,
    load=_load,
    columns=guess,
    rank=90,
)
