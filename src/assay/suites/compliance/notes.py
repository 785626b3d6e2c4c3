"""Notes of the compliance tables: what a reader must know before comparing figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from assay.judges.compliance import compliance_of, mark
from assay.judges.judgment import Judgment
from assay.suites.compliance.marks import UNLABELLED, FailureRule, PlacedJudgment

_NAMED: Final = 12
_CLOSE: Final = 1e-6

METHOD: Final[dict[str, str]] = {
    "compliance": (
        "Σ w·m / Σ w⁺ over all criteria of a report, with m = 1, ½ or 0; binary turns ½ into 0 "
        "(ResearchRubrics, equation "
        "1). A report counts only if every criterion has a verdict; «in part» covers the criteria "
        "with a verdict. Means "
        "over reports with 95 % t intervals, clustered by task."
    ),
    "pairs": (
        "Mean difference of compliance over the tasks on which both systems are graded in full; 95 % "
        "t interval and paired "
        "t test over tasks, with Holm's correction over all pairs. «Smallest» is the smallest difference that would be "
        "significant."
    ),
    "failures": (
        "Share: failures on the axis over all failures of a report, averaged over reports whose rubric has the axis "
        "(ResearchRubrics, equation 2); «where it fails» averages only over reports in which the axis fails, as the "
        "paper's code does. Reports without failures have no shares. Rate: share of verdicts that fail."
    ),
    "importance": (
        "Share of verdicts that fail among mandatory criteria (|w| ≥ 4 unless the rubric says "
        "otherwise) and optional ones."
    ),
    "strata": "Compliance over the tasks of one domain or one level of complexity.",
    "heat": "Share of all failures (equation 2 as printed) by axis, in the tasks of each domain, over all systems.",
    "lengths": (
        "Over reports with compliance and known length; intervals on Fisher's z. «Pooled» mixes differences within and "
        "between systems; «within» subtracts each system's means."
    ),
    "citations": (
        "Citation marks in a report; accuracy is the share without a finding of the rules, which do "
        "not check whether the "
        "source supports the claim."
    ),
    "rubric": "Each task's rubric counts once.",
    "prompts": (
        "Words in the prompts of the graded tasks (one for each Chinese character), with sample "
        "standard deviation and t "
        "interval."
    ),
}
_RULES: Final[dict[FailureRule, str]] = {
    "harm": "fail if they are met in full",
    "verdict": "fail if they are not met, like all others, as in the paper",
}


def notes_of(
    grades: Sequence[PlacedJudgment],
    systems: Sequence[str],
    rule: FailureRule,
    *,
    same: int = 0,
    unread: Iterable[str] = (),
) -> Iterator[str]:
    """Yield all notes, the most serious first."""
    yield from (f"left out because it cannot be read: {problem}" for problem in unread)
    if same:
        yield f"{_number(same, 'grade is an exact copy', 'grades are exact copies')} of another and left out"
    yield from _judges(grades, systems)
    for system, missing in missing_tasks(grades, systems).items():
        if missing:
            tasks = len({item.task for item in grades})
            yield f"{system} is not graded on {len(missing)} of {tasks} tasks: {_listed(missing)}"
    yield from _rubrics(grades)
    yield from _verdicts(grades, systems)
    yield from _records(grades)
    negative = {(item.task, c.criterion) for item in grades for c in item.judgment.verdicts if c.weight < 0}
    if negative:
        yield f"{_number(len(negative), 'criterion has', 'criteria have')} a negative weight; they {_RULES[rule]}"


def versions_of(grades: Iterable[PlacedJudgment]) -> tuple[str, ...]:
    """Return judges with versions, most frequent first."""
    counts = Counter(_judge(item.judgment) for item in grades)
    return tuple(name for name, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def missing_tasks(grades: Sequence[PlacedJudgment], systems: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return for each system the tasks on which only other systems are graded."""
    tasks = list(dict.fromkeys(item.task for item in grades))
    has: dict[str, set[str]] = {system: set() for system in systems}
    for item in grades:
        has[item.system].add(item.task)
    return {system: tuple(task for task in tasks if task not in has[system]) for system in systems}


def _judge(judgment: Judgment) -> str:
    return f"{judgment.judge or '(no judge)'}{f' ({judgment.version})' if judgment.version else ''}"


def _judges(grades: Sequence[PlacedJudgment], systems: Sequence[str]) -> Iterator[str]:
    every = versions_of(grades)
    if len(every) < 2:
        return
    mixed = [name for name in systems if len({_judge(i.judgment) for i in grades if i.system == name}) > 1]
    if mixed:
        yield f"grades of several judges or versions are mixed in {_listed(mixed)}: {_listed(every)}"
    if len(mixed) < len(systems):
        yield (
            "groups are graded by different judges or versions, so that their figures are not "
            f"comparable: {_listed(every)}"
        )


def _rubrics(grades: Sequence[PlacedJudgment]) -> Iterator[str]:
    asked: dict[str, set[frozenset[tuple[str, str, float]]]] = {}
    for item in grades:
        criteria = frozenset((c.criterion, c.text, c.weight) for c in item.judgment.verdicts)
        asked.setdefault(item.task, set()).add(criteria)
    unlike = [task for task, sets in asked.items() if len(sets) > 1]
    if unlike:
        yield f"different criteria were used on {_number(len(unlike), 'task', 'tasks')}: {_listed(unlike)}"
    kinds = {item.grading for item in grades}
    if kinds == {"binary"}:
        yield "all grades are without half marks, so that there are no ternary figures"
    elif len(kinds) > 1:
        few = sum(item.grading == "binary" for item in grades)
        yield f"{few} of {len(grades)} reports are graded without half marks and are left out of ternary figures"
    unlabelled = sum(c.axis is None for item in grades for c in item.judgment.verdicts)
    if unlabelled:
        total = sum(len(item.judgment.verdicts) for item in grades)
        yield f"{unlabelled:,} of {total:,} criteria have no axis and are shown as “{UNLABELLED}”"


def _verdicts(grades: Sequence[PlacedJudgment], systems: Sequence[str]) -> Iterator[str]:
    for system in systems:
        own = [item for item in grades if item.system == system]
        empty = [item.task for item in own if not item.judgment.verdicts]
        if empty:
            yield f"{system}: {len(empty)} of {len(own)} grades have no criteria: {_listed(empty)}"
        short = [item.task for item in own if any(mark(c, "binary") is None for c in item.judgment.verdicts)]
        if short:
            yield (
                f"{system}: {len(short)} of {len(own)} reports lack a verdict on some criterion and are left out of "
                f"compliance: {_listed(short)}"
            )
        none = [i.task for i in own if i.judgment.verdicts and all(c.weight < 0 for c in i.judgment.verdicts)]
        if none:
            yield f"{system}: no criterion has a positive weight, so that there is no compliance: {_listed(none)}"


def _records(grades: Sequence[PlacedJudgment]) -> Iterator[str]:
    unlike = [
        item.judgment.subject
        for item in grades
        if item.judgment.overall is not None
        and (computed := compliance_of(item.judgment)) is not None
        and abs(computed - item.judgment.overall) > _CLOSE
    ]
    if unlike:
        yield (
            f"{_number(len(unlike), 'grade states', 'grades state')} a compliance that differs from "
            "that of the criteria, "
            f"which is used here: {_listed(unlike)}"
        )
    lost = sum(item.id is None for item in grades)
    if lost:
        yield (
            f"{_number(lost, 'grade names', 'grades name')} no task; each counts as a task of its own "
            "and is not compared "
            "with others"
        )


def _number(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _listed(names: Sequence[str] | Mapping[str, object]) -> str:
    names = list(names)
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
