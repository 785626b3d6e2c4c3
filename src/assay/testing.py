"""Assertions for tests: a report without findings, an estimate that surely keeps a bound, a judge that behaves.

def test_the_report():
    assay.testing.assert_report("report.md", fail_on="warning")

def test_my_judge():
    assay.testing.check_judge(my_judge, strict=True)
"""

from __future__ import annotations

from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.audits.audit import audit
from assay.audits.many import Audits
from assay.checks.base import Severity
from assay.checks.registry import find_check
from assay.errors import AssayError, UsageError
from assay.measures.intervals import Estimate
from assay.models.scripted import ScriptedModel as ScriptedModel  # noqa: PLC0414 - for tests of others
from assay.record import Record, Records
from assay.runs.event_loop_portal import run_sync
from assay.runs.run_settings import RunSettings
from assay.runs.running import OpenRun
from assay.runs.unbound_judge import judge_of
from assay.subjects.case import Case
from assay.subjects.reading import read_one
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from assay.audits.result import Audit
    from assay.judges.judgment import Judgment
    from assay.runs.unbound_judge import JudgeLike
    from assay.subjects.subject import Subject


_SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
# Characters of a quotation in a message.
_EXCERPT: Final = 160
_SAME: Final = 1e-9
_GOOD: Final = """# Do heat pumps save energy in old houses?

Field trials in 40 houses measured an average saving of 38 % against gas boilers [1]. Insulation mattered more than age:
houses with insulated roofs saved 45 % [2], others 27 % [2]. Two of the trials ran for one winter only, so the long-term
effect is uncertain.

## Sources

[1] Field trial of heat pumps, https://example.org/trial
[2] Insulation survey, https://example.org/survey
"""
_WORSE: Final = """# Heat pumps

Heat pumps are the best choice for everybody. They always save 90 % and never fail. Everybody knows this.
"""
_OTHER: Final = """# Reuse of concrete in Shanghai

The city reused 62 % of its concrete waste in 2022 [1]. Most of it went into road beds, because standards for load-bearing
parts are missing [1].

## Sources

[1] Annual report, https://example.org/annual
"""
_QUERY: Final = "Do heat pumps save energy in old houses?"
_TEXTS: Final = (_GOOD, _WORSE, _OTHER)


class JudgeCheck(Record, msgspec.Struct, frozen=True, kw_only=True):
    """One property of a judge.

    Attributes:
        name: Name of the property.
        passed: Whether the judge has it; None if it does not apply.
        detail: What was seen.
    """

    name: str
    passed: bool | None
    detail: str = ""

    def summary_line(self) -> str:
        """Return the property and what was seen."""
        word = {True: "pass", False: "FAIL", None: "n/a"}[self.passed]
        return f"{word} {self.name}{f': {self.detail}' if self.detail else ''}"


class JudgeChecks(Records[JudgeCheck]):
    """Every property that was checked."""

    __slots__ = ()
    item_type = JudgeCheck
    noun = "check"

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(item.passed is not False for item in self)

    def summary_line(self) -> str:
        """Return how many checks passed, and which did not."""
        failed = [item.name for item in self if item.passed is False]
        return f"{super().summary_line()}, {'failed: ' + ', '.join(failed) if failed else 'none failed'}"

    def __str__(self) -> str:
        return "\n".join(item.summary_line() for item in self)


def assert_report(
    report: Subject | str | PathLike[str],
    *,
    question: str | None = None,
    fail_on: Severity = "error",
    allow: Collection[str] = (),
    baseline: str | PathLike[str] | None = None,
) -> Audit:
    """Fail if an audit by rule finds something in a report or trajectory.

    Args:
        report: The report, the trajectory, or the path of a file with one.
        question: The question that it answers.
        fail_on: Least severity that fails: "error", "warning" or "info".
        allow: Codes or names of checks whose findings do not fail.
        baseline: An earlier audit, the output of ``assay audit --format json``; only new findings fail then.

    Returns:
        The audit.

    Raises:
        AssertionError: There are such findings; the message has each with its line and words.
        UsageError: There is no such severity or check.
        InputError: A file cannot be read.
    """
    __tracebackhide__ = True
    if fail_on not in _SEVERITIES:
        raise UsageError(f"fail_on is {fail_on!r}; it is one of {', '.join(_SEVERITIES)}")
    allowed = {find_check(label).code for label in allow}
    subject = read_one(report, question) if isinstance(report, str | PathLike) else report
    if question is not None and isinstance(subject, Report):
        subject = subject.replace(query=question)
    found: Audit = audit(subject)
    fails = _SEVERITIES[: _SEVERITIES.index(fail_on) + 1]
    # The other reports of the baseline come after this one, as missing.
    new = range(len(found.findings)) if baseline is None else Audits([found]).changes_since(baseline)[0].new
    bad = [
        item
        for at, item in enumerate(found.findings)
        if at in new and item.severity in fails and item.code not in allowed
    ]
    if bad:
        name = found.subject.path or found.subject.id or "the report"
        lines = [
            f"  {item.code} {item.name}, line {item.span.line}: {item.message}\n"
            f"      {found.subject.source[item.span.start : item.span.end][:_EXCERPT]!r}"
            for item in bad
        ]
        number = f"{len(bad)} {'new ' if baseline is not None else ''}finding{'s' * (len(bad) > 1)}"
        raise AssertionError("\n".join([f"{name} has {number}:", *lines]))
    return found


def assert_holds(estimate: Estimate, *, at_least: float | None = None, at_most: float | None = None) -> None:
    """Fail unless the interval of an estimate keeps a bound: its lower end `at_least`, its upper end `at_most`.

    A value above the bound whose interval reaches below it does not hold: with other cases it might have failed.

    Raises:
        AssertionError: The bound is not surely kept, or there is no interval.
        UsageError: No bound was given.
    """
    __tracebackhide__ = True
    if at_least is None and at_most is None:
        raise UsageError("assert_holds needs at_least or at_most")
    if estimate.low is None or estimate.high is None:
        raise AssertionError(f"{estimate} has no interval: {estimate.reason or 'too few values'}")
    if at_least is not None and not estimate.low >= at_least:
        raise AssertionError(f"{estimate} (n = {estimate.n}): the interval reaches below {at_least}")
    if at_most is not None and not estimate.high <= at_most:
        raise AssertionError(f"{estimate} (n = {estimate.n}): the interval reaches above {at_most}")


def check_judge(
    judge: JudgeLike,
    *,
    subjects: Sequence[Subject] | None = None,
    strict: bool = False,
    settings: RunSettings | None = None,
) -> JudgeChecks:
    """Check a judge on built-in texts, or on subjects of your own.

    The checks: a verdict for each case (``coverage``), the same verdict for the same case (``repeatability``), opposite
    verdicts for exchanged subjects (``swap symmetry``), a tie between identical subjects (``identical subjects``), and no
    exception, not even for an empty and a very short text (``empty text``, ``short text``, ``exceptions``).

    Args:
        judge: Whatever `assay.run` takes as a judge.
        subjects: Two subjects or more that it can judge.
        strict: Whether a failed check raises an error.
        settings: Settings of the run.

    Returns:
        A line for each check; ``passed`` says whether none failed.

    Raises:
        UsageError: It is not a judge; or, if strict, a check failed, and the message has every line.
    """
    return run_sync(acheck_judge(judge, subjects=subjects, strict=strict, settings=settings))


async def acheck_judge(
    judge: JudgeLike,
    *,
    subjects: Sequence[Subject] | None = None,
    strict: bool = False,
    settings: RunSettings | None = None,
) -> JudgeChecks:
    """Await `check_judge`."""
    texts = list(
        subjects or (Report(text, query=_QUERY, id=f"text {at}") for at, text in enumerate(_TEXTS, 1))
    )
    if len(texts) < 2:
        raise UsageError("a judge is checked on two subjects or more")
    # One judge for all checks, as in a run.
    spec = judge_of(judge)
    async with OpenRun(settings or RunSettings(progress=False)) as opened:
        found = await _checked(opened, spec, texts)
    checks = JudgeChecks(found)
    if strict and not checks.passed:
        raise UsageError(f"judge {spec.name} fails:\n{checks}")
    return checks


async def _checked(opened: OpenRun, judge: Any, texts: Sequence[Subject]) -> list[JudgeCheck]:
    modes = (await opened.bound(judge, Case(texts[0]))).modes
    singles = [Case(item) for item in texts] if "score" in modes else []
    pairs = [Case(a, b) for a, b in pairwise(texts)] if "compare" in modes else []
    sets = [Case(*texts, mode="rank")] if "rank" in modes and not singles + pairs and len(texts) > 2 else []
    cases = [*singles, *pairs, *sets]
    if not cases:
        return [JudgeCheck(name="modes", passed=False, detail="it neither scores nor compares nor ranks")]
    first, again = [await _judged(opened, judge, cases) for _ in range(2)]
    turned = await _judged(opened, judge, [Case(*reversed(case.subjects)) for case in pairs])
    same = await _judged(opened, judge, [Case(texts[0], texts[0])] if pairs else [])
    forward = first[len(singles) : len(singles) + len(pairs)]
    return [
        _exceptions([*first, *again, *turned, *same]),
        _coverage(first),
        _repeatability(first, again),
        _symmetry(forward, turned),
        _identical(same),
        *[
            await _edge(opened, judge, name, text, texts[0], compares=not singles)
            for name, text in _edges(texts[0])
        ],
    ]


async def _judged(opened: OpenRun, judge: Any, cases: Sequence[Case]) -> list[Judgment]:
    return list(await opened.judgments(cases, judge)) if cases else []


def _exceptions(judgments: Sequence[Judgment]) -> JudgeCheck:
    failed = [item for item in judgments if item.status == "failed"]
    detail = f"{len(failed)} of {len(judgments)} failed, such as {failed[0].problem}" if failed else ""
    return JudgeCheck(name="exceptions", passed=not failed, detail=detail)


def _coverage(judgments: Sequence[Judgment]) -> JudgeCheck:
    count = sum(_verdict(item) is not None for item in judgments)
    return JudgeCheck(
        name="coverage",
        passed=count == len(judgments),
        detail=f"a verdict on {count} of {len(judgments)} cases",
    )


def _repeatability(first: Sequence[Judgment], again: Sequence[Judgment]) -> JudgeCheck:
    pairs = [(_verdict(a), _verdict(b)) for a, b in zip(first, again, strict=True)]
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    changed = [(a, b) for a, b in both if not _equal(a, b)]
    detail = (
        f"{len(changed)} of {len(both)} verdicts changed, such as {changed[0][0]} to {changed[0][1]}"
        if changed
        else ""
    )
    return JudgeCheck(name="repeatability", passed=not changed if both else None, detail=detail)


def _symmetry(forward: Sequence[Judgment], turned: Sequence[Judgment]) -> JudgeCheck:
    opposite = {"A>B": "A<B", "A<B": "A>B"}
    both = [
        (one.preference, opposite.get(two.preference, two.preference))
        for one, two in zip(forward, turned, strict=True)
        if one.preference is not None and two.preference is not None
    ]
    wrong = sum(one != two for one, two in both)
    detail = (
        "it does not compare"
        if not forward
        else f"{wrong} of {len(both)} verdicts depend on the order"
        if wrong
        else ""
    )
    return JudgeCheck(name="swap symmetry", passed=not wrong if both else None, detail=detail)


def _identical(same: Sequence[Judgment]) -> JudgeCheck:
    preference = same[0].preference if same else None
    detail = "" if preference not in ("A>B", "A<B") else f"{preference} between a text and itself"
    return JudgeCheck(
        name="identical subjects", passed=None if preference is None else not detail, detail=detail
    )


def _edges(like: Subject) -> list[tuple[str, str]]:
    return [("empty text", ""), ("short text", "Yes.")] if isinstance(like, Report) else []


async def _edge(
    opened: OpenRun, judge: Any, name: str, text: str, other: Subject, *, compares: bool
) -> JudgeCheck:
    """Check that a judge does not fail on a text with nothing to judge; whether it abstains is its own choice."""
    subject = Report(text, query=_QUERY, id=name)
    try:
        (judgment,) = await opened.judgments([Case(subject, other) if compares else Case(subject)], judge)
    except AssayError as error:
        return JudgeCheck(name=name, passed=True, detail=f"refused: {error}")
    verdict = _verdict(judgment)
    if judgment.status == "failed":
        return JudgeCheck(name=name, passed=False, detail=judgment.problem or "")
    return JudgeCheck(
        name=name, passed=True, detail="no verdict" if verdict is None else f"verdict {verdict}"
    )


def _verdict(judgment: Judgment) -> float | str | int | None:
    if judgment.status != "ok":
        return None
    if judgment.mode == "compare":
        return judgment.preference
    return judgment.choice if judgment.mode == "rank" else judgment.overall


def _equal(a: float | str, b: float | str) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return abs(a - b) <= _SAME
