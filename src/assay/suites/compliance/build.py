"""Computes the tables of ResearchRubrics (sections 4.2 and C to D) from grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.errors import UsageError
from assay.judges.compliance import compliance_of, is_complete
from assay.measures.describe import describe
from assay.measures.intervals import Estimate, mean_interval
from assay.measures.paired import holm, paired_difference
from assay.suites.compliance.failures import failure_rows, heat_rows, importance_rows
from assay.suites.compliance.lengths import length_rows
from assay.suites.compliance.marks import GRADINGS, FailureRule, PlacedJudgment, axis_of, in_order
from assay.suites.compliance.notes import METHOD, missing_tasks, notes_of, versions_of
from assay.suites.compliance.prompts import GradedTask, prompt_rows
from assay.suites.compliance.record import (
    CitationCounts,
    Compliance,
    CriterionCoverage,
    LengthPoint,
    PairRow,
    RubricAxis,
    RubricCoverage,
    StratumRow,
    SystemRow,
)

if TYPE_CHECKING:
    from assay.judges.compliance import Grading
    from assay.suites.compliance.grade_files import SourcedJudgment

By = Literal["system", "judge", "system-judge", "file"]
_NO_MORE: Final = (None, 1.0)
_SHARE: Final = (0.0, 1.0)


def _system(item: SourcedJudgment) -> str:
    return item.judgment.metadata.get("system") or item.file


def _judge(item: SourcedJudgment) -> str:
    return item.judgment.judge or "(no judge)"


GROUPS: Final[dict[By, Callable[[SourcedJudgment], str]]] = {
    "system": _system,
    "judge": _judge,
    "system-judge": lambda item: f"{_system(item)} · {_judge(item)}",
    "file": lambda item: item.file,
}


def compliance_tables(
    grades: Iterable[SourcedJudgment],
    *,
    by: By = "system",
    rule: FailureRule = "harm",
    tasks: Mapping[str, GradedTask] | None = None,
    unread: Iterable[str] = (),
) -> Compliance:
    """Compute all tables.

    Args:
        grades: Grades, as from `assay.suites.compliance.grade_files.read_grades`.
        by: Property that identifies a system.
        rule: What counts as failure of a criterion of negative weight.
        tasks: Tasks by id, for prompts and for domains and complexity that grades do not name.
        unread: Errors of unreadable grades, for the notes.

    Raises:
        UsageError: There are no grades.
    """
    given, same = _unique(grades)
    if not given:
        raise UsageError("no grades were found", cli_hint="`assay grade … -o grades.jsonl` writes them")
    tasks = tasks or {}
    placed = [_placed(item, by, tasks) for item in given]
    gradings = tuple(one for one in GRADINGS if one == "binary" or any(g.grading == one for g in placed))
    names = _ranked(placed, gradings)
    split = {name: [item for item in placed if item.system == name] for name in names}
    missing = missing_tasks(placed, names)
    points = tuple(_point(item) for item in placed)
    groups: list[tuple[str | None, list[PlacedJudgment]]] = [*split.items()]
    if len(names) > 1:
        groups.append((None, placed))
    known = {task: tasks[task] for task in dict.fromkeys(item.task for item in placed) if task in tasks}
    mandatory = any(one.mandatory for item in placed for one in item.judgment.verdicts)
    return Compliance(
        by=by,
        failure_rule=rule,
        gradings=gradings,
        judges=versions_of(placed),
        rubrics=tuple(sorted({item.judgment.rubric for item in placed if item.judgment.rubric})),
        tasks=len({item.task for item in placed}),
        coverage=_coverage(placed),
        systems=tuple(_row(name, own, gradings, missing[name]) for name, own in split.items()),
        pairs=tuple(row for grading in gradings for row in _pairs(split, grading)),
        failures=tuple(
            row for name, own in groups for one in gradings for row in failure_rows(own, one, rule, name)
        ),
        importance=tuple(
            row
            for name, own in groups
            for one in gradings
            for row in importance_rows(own, one, rule, name)
            # Without mandatory criteria, there is nothing to compare.
            if mandatory
        ),
        strata=tuple(_strata(split, gradings)),
        heat=tuple(row for one in gradings for row in heat_rows(placed, one, rule)),
        lengths=tuple(length_rows(points, names, gradings)),
        points=points,
        rubric=_rubric(placed),
        prompts=tuple(prompt_rows(known)),
        notes=tuple(notes_of(placed, names, rule, same=same, unread=unread)),
        method=dict(METHOD),
    )


def _unique(grades: Iterable[SourcedJudgment]) -> tuple[list[SourcedJudgment], int]:
    """Drop exact copies, as when a file is named twice, and return how many there are."""
    unique: dict[tuple[str, bytes], SourcedJudgment] = {}
    number = 0
    for item in grades:
        number += 1
        file = item.file if item.judgment.metadata.get("system") is None else ""
        unique.setdefault((file, msgspec.json.encode(item.judgment)), item)
    return list(unique.values()), number - len(unique)


def _placed(item: SourcedJudgment, by: By, tasks: Mapping[str, GradedTask]) -> PlacedJudgment:
    known = item.judgment.metadata
    name = known.get("id")
    task = tasks.get(name) if name is not None else None
    return PlacedJudgment(
        system=GROUPS[by](item),
        task=name if name is not None else f"{item.judgment.subject or item.where}",
        judgment=item.judgment,
        domain=known.get("domain") or (task.domain if task else None),
        complexity=known.get("complexity") or (task.complexity if task else {}),
    )


def _scores(
    grades: Sequence[PlacedJudgment], grading: Grading, *, partly: bool = False
) -> list[tuple[str, float]]:
    """Return task and compliance of each report that has one."""
    return [
        (item.task, value)
        for item in grades
        if (value := compliance_of(item.judgment, grading, partly=partly)) is not None
    ]


def _mean(scores: Sequence[tuple[str, float]]) -> Estimate:
    return mean_interval([value for _, value in scores], [task for task, _ in scores], bounds=_NO_MORE)


def _ranked(grades: Sequence[PlacedJudgment], gradings: Sequence[Grading]) -> list[str]:
    """Sort groups by compliance, best first; those without compliance come last."""
    keys: dict[str, tuple[bool, float]] = {}
    for name in dict.fromkeys(item.system for item in grades):
        mean = _mean(_scores([item for item in grades if item.system == name], gradings[0])).value
        keys[name] = (mean is None, -(mean or 0.0))
    return sorted(keys, key=lambda name: (*keys[name], name))


def _coverage(grades: Sequence[PlacedJudgment]) -> CriterionCoverage:
    criteria = [c for item in grades for c in item.judgment.verdicts]
    without = Counter(
        c.status if c.status != "ok" else "no score" for c in criteria if c.status != "ok" or c.score is None
    )
    return CriterionCoverage(
        reports=len(grades),
        complete=sum(is_complete(item.judgment) for item in grades),
        criteria=len(criteria),
        verdicts=len(criteria) - without.total(),
        without=dict(without),
    )


def _row(
    name: str, grades: Sequence[PlacedJudgment], gradings: Sequence[Grading], missing: tuple[str, ...]
) -> SystemRow:
    return SystemRow(
        system=name,
        tasks=len({item.task for item in grades}),
        coverage=_coverage(grades),
        compliance={one: _mean(_scores(grades, one)) for one in gradings},
        partly={one: _mean(_scores(grades, one, partly=True)) for one in gradings},
        words=describe([item.words for item in grades if item.words], floor=0),
        tokens=describe([item.tokens for item in grades if item.tokens], floor=0),
        citations=_citations(grades),
        not_graded=missing,
    )


def _citations(grades: Sequence[PlacedJudgment]) -> CitationCounts:
    counted = [(item.task, marks) for item in grades if (marks := _marks(item.citations)) is not None]
    cited = [(task, total, sound) for task, (total, sound) in counted if total and sound is not None]
    total = sum(number for _, number, _ in cited)
    return CitationCounts(
        reports=len(counted),
        marks=mean_interval(
            [number for _, (number, _) in counted], [task for task, _ in counted], bounds=(0.0, None)
        ),
        accuracy=mean_interval(
            [sound / number for _, number, sound in cited], [task for task, _, _ in cited], bounds=_SHARE
        ),
        pooled=sum(sound for _, _, sound in cited) / total if total else None,
    )


def _marks(counts: Mapping[str, int]) -> tuple[int, int | None] | None:
    """Return citation marks and those without a finding; None if they were not counted."""
    if "marks" not in counts:
        return None
    return counts["marks"], counts["marks"] - counts["faulty"] if "faulty" in counts else None


def _point(item: PlacedJudgment) -> LengthPoint:
    return LengthPoint(
        system=item.system,
        task=item.task,
        words=item.words,
        tokens=item.tokens,
        compliance={one: compliance_of(item.judgment, one) for one in GRADINGS},
    )


def _pairs(split: Mapping[str, Sequence[PlacedJudgment]], grading: Grading) -> Iterator[PairRow]:
    means: dict[str, dict[str, float]] = {}
    for name, grades in split.items():
        values: dict[str, list[float]] = {}
        # A grade without a task cannot be compared with others.
        for task, value in _scores([item for item in grades if item.id is not None], grading):
            values.setdefault(task, []).append(value)
        means[name] = {task: sum(one) / len(one) for task, one in values.items()}
    pairs = list(combinations(split, 2))
    common = {(a, b): [task for task in means[a] if task in means[b]] for a, b in pairs}
    tests = {
        (a, b): paired_difference([means[a][t] for t in common[a, b]], [means[b][t] for t in common[a, b]])
        for a, b in pairs
    }
    adjusted = holm([tests[pair].p for pair in pairs])
    for (a, b), p_holm in zip(pairs, adjusted, strict=True):
        either = {item.task for name in (a, b) for item in split[name]}
        one = tests[a, b]
        yield PairRow(
            a=a,
            b=b,
            grading=grading,
            tasks=len(common[a, b]),
            left_out=len(either) - len(common[a, b]),
            difference=one.difference,
            p=one.p,
            p_holm=p_holm,
            smallest=one.smallest,
        )


def _strata(
    split: Mapping[str, Sequence[PlacedJudgment]], gradings: Sequence[Grading]
) -> Iterator[StratumRow]:
    every = [item for grades in split.values() for item in grades]
    keys = dict.fromkeys(key for item in every for key in item.complexity)
    for by in ("domain", *keys):
        names = {name for item in every if (name := _stratum(item, by))}
        for stratum in in_order(names):
            for system, grades in split.items():
                own = [item for item in grades if _stratum(item, by) == stratum]
                if own:
                    yield StratumRow(
                        system=system,
                        by=by,
                        stratum=stratum,
                        tasks=len({item.task for item in own}),
                        compliance={one: _mean(_scores(own, one)) for one in gradings},
                        coverage=_coverage(own),
                    )


def _stratum(item: PlacedJudgment, by: str) -> str | None:
    return item.domain if by == "domain" else item.complexity.get(by)


def _rubric(grades: Sequence[PlacedJudgment]) -> RubricCoverage:
    first: dict[str, PlacedJudgment] = {}
    for item in grades:
        first.setdefault(item.task, item)
    axes = {task: {axis_of(c) for c in item.judgment.verdicts} for task, item in first.items()}
    ordered = in_order({axis for some in axes.values() for axis in some})
    criteria = [c for item in first.values() for c in item.judgment.verdicts]
    return RubricCoverage(
        tasks=len(first),
        criteria=describe([len(item.judgment.verdicts) for item in first.values()], floor=0),
        axes=describe([len(some) for some in axes.values()], floor=0),
        all_axes=sum(len(some) == len(ordered) for some in axes.values()),
        by_axis=tuple(
            RubricAxis(
                axis=axis,
                tasks=sum(axis in some for some in axes.values()),
                criteria=sum(axis_of(c) == axis for c in criteria),
                mandatory=sum(axis_of(c) == axis and c.mandatory for c in criteria),
                negative=sum(axis_of(c) == axis and c.weight < 0 for c in criteria),
            )
            for axis in ordered
        ),
    )
