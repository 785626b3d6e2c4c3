"""Tables of labels with arbitrary column names: CSV, TSV or JSON rows.

What the columns hold is guessed from their names and reported; ``--field preference=winner`` overrides the guess. Any
other column of short texts is a stratum.

    report,rater,score,domain             one score in each row
    report,rater,dimension,score          scores by dimension, one in each row
    a,b,annotator,winner                  one preference in each row; a and b are subjects
    task,model_a,model_b,winner           the same for systems, whose subjects are ``task:system``
    report,rater,task_alignment,…         one column for each dimension (others than the eight: --field scores=depth,style)
    a,b,rater,task_alignment,…            the same for pairs: a preference in each column, as a sheet for people has it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    "verdict": ("verdict", "decision", "judgement", "judgment", "met", "correct", "pass", "passed", "label",
                "判定", "结论"),
    "task": ("task", "task_id", "prompt_id", "question_id", "query_id", "topic_id", "任务", "题号"),
    "criterion": ("criterion", "criterion_id", "rubric_item", "criteria", "标准"),
    "dimension": ("dimension", "aspect", "metric", "维度"),
}  # fmt: skip
_NO_STRATA: Final = {
    "timestamp", "time", "date", "created_at", "comment", "comments", "note", "notes", "reason", "rationale",
    "explanation", "justification", "email", "prompt", "query", "question", "url",
}  # fmt: skip
_LONGEST_STRATUM: Final = 80
_VALUES: Final = ("preference", "score", "verdict", "scores")


def guess(rows: Sequence[Row], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the columns by what they hold; ``scores`` may name several, separated by commas.

    Args:
        rows: First rows of the table.
        chosen: Columns that the user named.

    Raises:
        UsageError: The user named an unknown column or content.
    """
    columns = list(dict.fromkeys(str(key) for row in rows for key in row))
    guessed: dict[str, str] = {}
    for what, column in chosen.items():
        if what not in _NAMES and what != "scores":
            raise UsageError(
                f"field {what}={column}: labels have no {what!r}; {did_you_mean(what, (*_NAMES, 'scores'))}"
            )
        for name in column.split(",") if what == "scores" else [column]:
            if name.strip() not in columns:
                raise UsageError(
                    f"field {what}={column}: there is no column {name.strip()!r}; {did_you_mean(name, columns)}"
                )
        guessed[what] = column
    spelt = {_spelt(column): column for column in reversed(columns)}
    taken = {part.strip() for column in guessed.values() for part in column.split(",")}
    has_rating = any(what in guessed for what in _VALUES)
    for what, names in _NAMES.items():
        if what in guessed or (what in _VALUES and has_rating):
            continue
        column = next((spelt[name] for name in names if name in spelt and spelt[name] not in taken), "")
        if column and (what != "subject" or not {"a", "b"} & set(spelt) or _spelt(column) == "subject"):
            guessed[what] = column
            taken.add(column)
            has_rating = has_rating or what in _VALUES
    return _resolved(guessed, chosen, spelt, taken)


def _resolved(
    guessed: dict[str, str], chosen: Mapping[str, str], spelt: Mapping[str, str], taken: Iterable[str]
) -> dict[str, str]:
    """Resolve contradictions in the guess."""
    wide = [spelt[key] for key in DIMENSION_KEYS if key in spelt and spelt[key] not in taken]
    if wide and "preference" in guessed and "preference" not in chosen:
        wide.append(guessed.pop("preference"))
    if wide and not any(what in guessed for what in _VALUES):
        guessed["scores"] = ",".join(wide)
    elif wide and "score" in guessed and "score" not in chosen:
        # With one column for each dimension and one for the whole, the whole is one of the scores.
        guessed["scores"] = ",".join([*wide, guessed.pop("score")])
    if ("a" in guessed) != ("b" in guessed):
        for what in ("a", "b"):
            if what not in chosen:
                guessed.pop(what, None)
    if "a" in guessed and "subject" in guessed and "subject" not in chosen:
        guessed.pop("subject")
    return guessed


def _spelt(column: str) -> str:
    return "_".join(column.replace("-", " ").casefold().split())


def _sniff(row: Row) -> bool:
    try:
        guessed = guess([row], {})
    except UsageError:
        return False
    return ("subject" in guessed or {"a", "b"} <= set(guessed)) and any(what in guessed for what in _VALUES)


def _load(row: Row, context: RowContext) -> ConvertedRow:
    names = context.fields
    given = [what for what in _VALUES if names.get(what)]
    if not given:
        columns = ", ".join(map(str, row))[:120]
        hints = (did_you_mean(_spelt(str(column)), _VALUES, otherwise="") for column in row)
        hint = next((f"; {hint}" for hint in hints if hint), "")
        raise InputError(
            f"no column holds a rating; there are {columns}{hint}",
            where=context.where,
            hint='name it: preference="COLUMN", score=…, scores="COLUMN,COLUMN" or verdict=…',
            cli_hint="--field preference=COLUMN, score=COLUMN, scores=COLUMN,COLUMN or verdict=COLUMN",
        )
    what = given[0]
    if what == "scores" and {"a", "b"} <= set(names):
        return ConvertedRow(tuple(_preferences(row, names["scores"], context)))
    value = row.get(names[what]) if what != "scores" else None
    scores = _scores(row, names["scores"], context) if what == "scores" else None
    if (value is None and what != "scores") or scores == {}:
        # The rater left the cell empty.
        return ConvertedRow(())
    score = number_of(value, names[what], context.where) if what == "score" else None
    dimension = short(row.get(names["dimension"])) if "dimension" in names else None
    if dimension is not None and score is not None:
        scores, score = {dimension: score}, None
    label = Label(
        subject=_subject(row, context),
        rater=(short(row.get(names["rater"])) if "rater" in names else None) or context.rater,
        preference=_preference(value, row, context) if what == "preference" else None,
        score=score,
        scores=scores,
        verdict=verdict_of(value, context.where) if what == "verdict" else None,
        criterion=_long(row.get(names["criterion"]))
        if "criterion" in names
        else None
        if scores
        else dimension,
        task=short(row.get(names["task"])) if "task" in names else None,
        strata=_strata(row, names),
    )
    return ConvertedRow((label,))


def _subject(row: Row, context: RowContext) -> str:
    names = context.fields
    if "a" in names and "b" in names:
        a, b = short(row.get(names["a"])), short(row.get(names["b"]))
        if a is None or b is None:
            raise InputError(f"{names['a'] if a is None else names['b']!r} is empty", where=context.where)
        task = short(row.get(names["task"])) if "task" in names else None
        if task is not None and _spelt(names["a"]).startswith(("model", "system")):
            # Systems are compared on many tasks; the subjects are their reports on this task.
            a, b = f"{task}:{a}", f"{task}:{b}"
        return f"{a} | {b}"
    subject = short(row.get(names["subject"])) if "subject" in names else None
    if subject is None:
        raise InputError(
            "has no subject",
            where=context.where,
            hint='name its column: subject="COLUMN", or a="COLUMN" and b="COLUMN"',
            cli_hint="--field subject=COLUMN, or a=COLUMN and b=COLUMN",
        )
    return subject


def _preference(value: Any, row: Row, context: RowContext) -> Any:
    """Return the preference; a winner given by name becomes A or B."""
    names = context.fields
    if "a" in names and "b" in names and isinstance(value, str):
        for name, better in (("a", "A>B"), ("b", "A<B")):
            if value.strip() == str(row.get(names[name])).strip():
                return better
    if str(value).strip() in ("1", "2", "1.0", "2.0"):
        return "A>B" if str(value).strip()[0] == "1" else "A<B"
    return preference_of(value, context.where)


def _preferences(row: Row, columns: str, context: RowContext) -> Iterator[Label]:
    """Yield a preference for each dimension whose cell is not empty."""
    names = context.fields
    for column in (part.strip() for part in columns.split(",")):
        value = row.get(column)
        if value is None or not str(value).strip():
            continue
        whole = _spelt(column) in ("overall", *_NAMES["score"], *_NAMES["preference"])
        yield Label(
            subject=_subject(row, context),
            rater=(short(row.get(names["rater"])) if "rater" in names else None) or context.rater,
            preference=_preference(value, row, context),
            criterion=None if whole else _spelt(column),
            task=short(row.get(names["task"])) if "task" in names else None,
            strata=_strata(row, names),
        )


def _scores(row: Row, columns: str, context: RowContext) -> dict[str, float]:
    scores: dict[str, float] = {}
    for column in (part.strip() for part in columns.split(",")):
        if row.get(column) is not None:
            key = "overall" if _spelt(column) in ("overall", *_NAMES["score"]) else _spelt(column)
            scores[key] = number_of(row[column], column, context.where)
    return scores


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
