"""What a reader must know before comparing the figures: said once, in words, beside the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from assay.judges.grade_record import Grade
from assay.suites.compliance.marks import UNLABELLED, FailureRule, PlacedGrade, compliance, mark

_NAMED: Final = 12
_CLOSE: Final = 1e-6

METHOD: Final[dict[str, str]] = {
    "compliance": (
        "Σ w·m / Σ w⁺ over all criteria of a report, m = 1, ½ or 0; binary turns ½ into 0 (ResearchRubrics, equation 1). "
        "A report counts only if every criterion has a verdict; «in part» is over the criteria that have one. "
        "Mean over reports, 95 % t interval, reports on one task counted as dependent."
    ),
    "pairs": (
        "Mean difference of compliance over the tasks both systems are graded on in full; 95 % t interval and paired t "
        "test over tasks, p adjusted for the number of pairs by Holm's rule. «Smallest» is the least difference these "
        "tasks could tell from none."
    ),
    "failures": (
        "Share: failures on the axis of all failures of the report, averaged over reports whose rubric has the axis "
        "(ResearchRubrics, equation 2); «where it fails» averages only over reports in which the axis fails, as the "
        "code published with the paper does. Reports without any failure have no shares. Rate: failures of verdicts."
    ),
    "importance": "Failures of verdicts among mandatory criteria (|w| ≥ 4 unless the rubric says otherwise) and the others.",
    "strata": "Compliance over the tasks of one domain or one level of complexity.",
    "heat": "Share of all failures (as printed, equation 2) by axis, within the tasks of each domain, all systems together.",
    "lengths": (
        "Over reports with full compliance and known length. Intervals on Fisher's z. «Pooled» mixes differences within "
        "and between systems; «within» takes each system's means off first."
    ),
    "citations": (
        "Citation marks a report; accuracy is the share of them the rules find no fault with, which is not whether the "
        "source supports the claim."
    ),
    "rubric": "Each task's rubric counts once.",
    "prompts": "Words of the prompts of the graded tasks; each Chinese character counts as one; sample deviation; t interval.",
}
_RULES: Final[dict[FailureRule, str]] = {
    "harm": "fail where they are met in full",
    "verdict": "fail where they are not met, like any other, as the paper words it",
}


def notes_of(
    grades: Sequence[PlacedGrade],
    systems: Sequence[str],
    rule: FailureRule,
    *,
    same: int = 0,
    unread: Iterable[str] = (),
) -> Iterator[str]:
    """All notes, what spoils a comparison first."""
    yield from (f"left out, not readable: {problem}" for problem in unread)
    if same:
        yield f"{_number(same, 'grade was', 'grades were')} given twice, to the letter, and count once"
    yield from _judges(grades, systems)
    for system, missing in missing_tasks(grades, systems).items():
        if missing:
            tasks = len({item.task for item in grades})
            yield f"{system} is not graded on {len(missing)} of {tasks} tasks: {_listed(missing)}"
    yield from _rubrics(grades)
    yield from _verdicts(grades, systems)
    yield from _records(grades)
    negative = {(item.task, c.key) for item in grades for c in item.grade.criteria if c.weight < 0}
    if negative:
        yield f"{_number(len(negative), 'criterion has', 'criteria have')} a negative weight; they {_RULES[rule]}"


def versions_of(grades: Iterable[PlacedGrade]) -> tuple[str, ...]:
    """Judge and version of grades, most frequent first."""
    found = Counter(_judge(item.grade) for item in grades)
    return tuple(name for name, _ in sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def missing_tasks(grades: Sequence[PlacedGrade], systems: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Tasks that some system is graded on and this one is not."""
    tasks = list(dict.fromkeys(item.task for item in grades))
    has: dict[str, set[str]] = {system: set() for system in systems}
    for item in grades:
        has[item.system].add(item.task)
    return {system: tuple(task for task in tasks if task not in has[system]) for system in systems}


def _judge(grade: Grade) -> str:
    return f"{grade.judge or '(no judge)'}{f' ({grade.judge_version})' if grade.judge_version else ''}"


def _judges(grades: Sequence[PlacedGrade], systems: Sequence[str]) -> Iterator[str]:
    every = versions_of(grades)
    if len(every) < 2:
        return
    mixed = [name for name in systems if len({_judge(i.grade) for i in grades if i.system == name}) > 1]
    if mixed:
        yield f"grades of several judges or versions are mixed in {_listed(mixed)}: {_listed(every)}"
    if len(mixed) < len(systems):
        yield f"not all groups are graded by the same judge and version; their figures do not compare: {_listed(every)}"


def _rubrics(grades: Sequence[PlacedGrade]) -> Iterator[str]:
    asked: dict[str, set[frozenset[tuple[str, str, float]]]] = {}
    for item in grades:
        criteria = frozenset((c.key, c.criterion, c.weight) for c in item.grade.criteria)
        asked.setdefault(item.task, set()).add(criteria)
    unlike = [task for task, sets in asked.items() if len(sets) > 1]
    if unlike:
        yield f"not graded by the same criteria everywhere: {_number(len(unlike), 'task', 'tasks')}: {_listed(unlike)}"
    kinds = {item.grade.grading for item in grades}
    if kinds == {"binary"}:
        yield "graded without half marks: there are no ternary figures"
    elif len(kinds) > 1:
        few = sum(item.grade.grading == "binary" for item in grades)
        yield f"{few} of {len(grades)} reports are graded without half marks and are left out of ternary figures"
    unlabelled = sum(c.axis is None for item in grades for c in item.grade.criteria)
    if unlabelled:
        total = sum(len(item.grade.criteria) for item in grades)
        yield f"{unlabelled:,} of {total:,} criteria name no axis: “{UNLABELLED}”"


def _verdicts(grades: Sequence[PlacedGrade], systems: Sequence[str]) -> Iterator[str]:
    for system in systems:
        mine = [item for item in grades if item.system == system]
        empty = [item.task for item in mine if not item.grade.criteria]
        if empty:
            yield f"{system}: {len(empty)} of {len(mine)} grades have no criteria: {_listed(empty)}"
        short = [item.task for item in mine if any(mark(c, "binary") is None for c in item.grade.criteria)]
        if short:
            yield (
                f"{system}: {len(short)} of {len(mine)} reports lack a verdict on some criterion and are left out of its "
                f"compliance: {_listed(short)}"
            )
        none = [i.task for i in mine if i.grade.criteria and all(c.weight < 0 for c in i.grade.criteria)]
        if none:
            yield f"{system}: no criterion of positive weight, so no compliance: {_listed(none)}"


def _records(grades: Sequence[PlacedGrade]) -> Iterator[str]:
    unlike = [
        item.grade.report
        for item in grades
        if item.grade.compliance is not None
        and (made := compliance(item.grade, item.grade.grading)) is not None
        and abs(made - item.grade.compliance) > _CLOSE
    ]
    if unlike:
        yield (
            f"the compliance written in {_number(len(unlike), 'grade', 'grades')} is not that of its criteria, which is "
            f"used here: {_listed(unlike)}"
        )
    lost = sum(item.grade.id is None for item in grades)
    if lost:
        yield (
            f"{_number(lost, 'grade names', 'grades name')} no task; each counts as a task of its own and is compared with "
            "no other"
        )


def _number(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _listed(names: Sequence[str] | Mapping[str, object]) -> str:
    names = list(names)
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
