"""Audits: one subject, or a stream of them over several processes."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, overload

import msgspec

from assay.audits.result import Audit, Nothing, ReportAudit, ReportSummary, TrajectoryAudit, TrajectorySummary
from assay.audits.unchecked import unchecked_parts
from assay.checks.base import Check, Context, Finding
from assay.checks.registry import all_checks
from assay.checks.runner import run_checks
from assay.checks.selection import checks_of
from assay.checks.suppress import UNUSED, apply_suppressions
from assay.checks.wording import MessageLanguage
from assay.errors import AssayError, UsageError
from assay.garbage import paused_collector
from assay.judges.judgeable import WORDINGS, why_nothing
from assay.judges.rules_trajectory import TRAJECTORY_DIMENSIONS, dimension_of
from assay.logic.rule_graph import build_graph
from assay.logic.scores import rule_scores
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.subjects.parts import SourceTexts
from assay.subjects.reading import read_one
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.reviews.citations import CitationCheck

T = TypeVar("T")
# Enough work in one message that sending it costs little; small enough that memory stays flat.
_BATCH = 8


class AuditOptions(TypedDict, total=False):
    """The arguments of `audit`, for its types."""

    checks: str | Check | Iterable[str | Check] | None
    sources: SourceTexts | None
    trajectory: Trajectory | None
    options: Mapping[str, Mapping[str, Any]] | None
    inline: bool
    min_confidence: float
    language: MessageLanguage | None


def find(
    subject: Subject,
    *,
    checks: Sequence[Check] | None = None,
    sources: SourceTexts | None = None,
    trajectory: Trajectory | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    inline: bool = True,
    min_confidence: float = 0.0,
    language: MessageLanguage | None = None,
) -> list[Finding]:
    """Return the findings of an audit alone; the arguments are those of `audit`."""
    chosen = _chosen(checks)
    context = Context(sources=sources, trajectory=trajectory, language=language)
    if options:
        findings: list[Finding] = []
        for check in chosen:
            own = msgspec.structs.replace(context, options=options.get(check.code, {}))
            findings.extend(run_checks(subject, [check], own))
        findings.sort(key=lambda finding: (finding.span.start, finding.span.end, finding.code))
    else:
        findings = run_checks(subject, chosen, context)
    if min_confidence:
        findings = [finding for finding in findings if finding.confidence >= min_confidence]
    if inline and isinstance(subject, Report):
        report_unused = any(check.code == UNUSED for check in chosen)
        findings = apply_suppressions(
            subject, findings, report_unused=report_unused, language=context.message_language(subject)
        )
    return findings


@overload
def audit(subject: Report, **settings: Unpack[AuditOptions]) -> ReportAudit: ...


@overload
def audit(subject: Trajectory, **settings: Unpack[AuditOptions]) -> TrajectoryAudit: ...


@overload
def audit(subject: Subject | str | PathLike[str], **settings: Unpack[AuditOptions]) -> Audit: ...


def audit(
    subject: Subject | str | PathLike[str],
    *,
    checks: str | Check | Iterable[str | Check] | None = None,
    sources: SourceTexts | None = None,
    trajectory: Trajectory | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    inline: bool = True,
    min_confidence: float = 0.0,
    language: MessageLanguage | None = None,
) -> Audit:
    """Audit one report or trajectory: findings, what could not be checked, argument graph. No model, no network.

    Args:
        subject: What to audit, or the path of a file that holds one report or trajectory.
        checks: Codes, families (``"NUM"``) and names of checks, ``"default"``, ``"ALL"``, the same with ``-`` to leave
            some out, and `Check` objects; by default those that are on by default.
        sources: Texts of the cited sources, for the checks that compare a claim with its source.
        trajectory: The run that produced the report, for the checks that look whether a source was ever retrieved.
        options: Settings of single checks, by code.
        inline: Whether comments in the report may take findings back. False for reports you do not trust.
        min_confidence: Findings less sure than this (0 to 1) are left out.
        language: Language of the messages; None for the subject's own.

    Raises:
        UsageError: It is neither a subject nor a path, or no check has such a name.
        InputError: The file cannot be read, or holds several subjects.
        EngineError: A check failed on this text.
    """
    if isinstance(subject, str) and "\n" in subject:
        raise UsageError("audit takes a path, and this is a text", hint="audit(Report(text)) audits a text")
    if isinstance(subject, str | PathLike):
        subject = read_one(subject)
    if not isinstance(subject, Report | Trajectory):
        raise UsageError(
            f"audit takes a Report, a Trajectory or a path, not {type(subject).__name__}",
            hint="Report(text) takes a text",
        )
    with paused_collector():
        return _audit(
            subject,
            checks=None if checks is None else checks_of(checks),
            sources=sources,
            trajectory=trajectory,
            options=options,
            inline=inline,
            min_confidence=min_confidence,
            language=language,
        )


def _audit(subject: Subject, **settings: Any) -> Audit:
    findings = tuple(find(subject, **settings))
    context = Context(settings["sources"], settings["trajectory"], language=settings["language"])
    reason = why_nothing(subject)
    nothing = (
        None if reason is None else Nothing(reason, WORDINGS[reason].text(context.message_language(subject)))
    )
    unchecked = unchecked_parts(subject, _chosen(settings["checks"]), context) if nothing is None else ()
    if isinstance(subject, Trajectory):
        checks = all_checks()
        return TrajectoryAudit(
            subject=subject,
            summary=_trajectory_summary(subject),
            findings=findings,
            dimensions=_by_dimension(
                TRAJECTORY_DIMENSIONS, [dimension_of(finding, checks) for finding in findings]
            ),
            unchecked=unchecked,
            nothing=nothing,
        )
    graph = build_graph(subject)
    return ReportAudit(
        subject=subject,
        summary=_report_summary(subject),
        findings=findings,
        dimensions=_by_dimension(DIMENSION_KEYS, [finding.dimension for finding in findings]),
        unchecked=unchecked,
        nothing=nothing,
        logic=graph,
        structure=rule_scores(subject, graph) if nothing is None else None,
        citations=_citations(subject, context.sources),
    )


def _citations(report: Report, sources: SourceTexts | None) -> CitationCheck | None:
    if sources is None:
        return None
    from assay.reviews.citations import citations_by_rule  # noqa: PLC0415 - only where sources are given

    return citations_by_rule(report, sources)


def _chosen(checks: Sequence[Check] | None) -> list[Check]:
    return [check for check in all_checks().values() if check.default] if checks is None else list(checks)


def _by_dimension(keys: Iterable[str], of: Sequence[str | None]) -> dict[str, tuple[int, ...]]:
    return {key: tuple(i for i, dimension in enumerate(of) if dimension == key) for key in keys}


def _report_summary(report: Report) -> ReportSummary:
    return ReportSummary(
        path=report.path,
        id=report.id,
        system=report.system,
        language=report.language,
        words=report.words,
        sentences=len(report.sentences),
        paragraphs=len(report.paragraphs),
        # Section 0 is the whole report, not a section a reader would count.
        sections=len(report.sections) - 1,
        citations=len(report.citations),
        references=len(report.references),
    )


def _trajectory_summary(trajectory: Trajectory) -> TrajectorySummary:
    return TrajectorySummary(
        path=trajectory.path,
        id=trajectory.id,
        system=trajectory.system,
        language=trajectory.language,
        words=trajectory.words,
        steps=len(trajectory.steps),
        tool_calls=len(trajectory.tool_calls),
        tools=trajectory.tools,
    )


def common_language(subjects: Sequence[Subject]) -> MessageLanguage | None:
    """Return the language for messages about all subjects together; None if each can have its own.

    One subject has messages in its own language, and so have several in the same language; if their languages differ,
    all messages are in English.
    """
    languages = {Context().message_language(subject) for subject in subjects}
    return "en" if len(languages) > 1 else None


def audit_stream(
    subjects: Iterable[Subject | AssayError],
    then: Callable[[Audit], T],
    *,
    jobs: int = 1,
    pool: Executor | None = None,
    **settings: Any,
) -> Iterator[T | AssayError]:
    """Audit a stream in order, over ``jobs`` processes, in constant memory.

    Args:
        subjects: What to audit; an error in the stream (a row that could not be read) is passed on in its place.
        then: What to make of each audit. It runs in the worker, so that only its result travels: it must be a
            module-level function (or a `functools.partial` of one), and its result must pickle.
        jobs: Worker processes; 1 runs in this one.
        pool: Where to run instead, on ``jobs`` workers; its opener closes it.
        settings: As for `audit`.

    Yields:
        For each subject the result of ``then``, or the error that stopped it; the rest goes on.
    """
    work = partial(_one, then, settings)
    if jobs <= 1 and pool is None:
        stream = iter(subjects)
        while True:
            # What an audit leaves is gone before the collector is back, or the collector would look at all of it.
            with paused_collector():
                subject = next(stream, None)
                if subject is None:
                    return
                result = work(subject)
                del subject
            yield result
    pending: deque[Future[list[T | AssayError]]] = deque()
    own = (
        ProcessPoolExecutor(max_workers=jobs, initializer=_start_worker)
        if pool is None
        else nullcontext(pool)
    )
    with own as workers:
        try:
            for batch in _batches(subjects):
                pending.append(workers.submit(_batch, work, batch))
                while len(pending) >= jobs * 3:
                    yield from pending.popleft().result()
            while pending:
                yield from pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


def _start_worker() -> None:
    # Ctrl-C reaches the whole process group; the parent alone decides what to do about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _batches(subjects: Iterable[T]) -> Iterator[list[T]]:
    stream = iter(subjects)
    while batch := list(islice(stream, _BATCH)):
        yield batch


def _batch(work: Callable[[Any], T], subjects: list[Any]) -> list[T]:
    with paused_collector():
        results = [work(subject) for subject in subjects]
        subjects.clear()
        return results


def _one(
    then: Callable[[Audit], T], settings: Mapping[str, Any], subject: Subject | AssayError
) -> T | AssayError:
    if isinstance(subject, AssayError):
        return subject
    try:
        return then(audit(subject, **settings))
    except AssayError as error:
        return error
