"""The items of a labelling task: made from reports, benchmarks or audits."""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.audits.audit import audit as run_audit
from assay.errors import AssayError, InputError
from assay.interventions.instances import DISPUTED, INSTANCES, Instance, read_disputed, side_of
from assay.interventions.validation import annotation_queue
from assay.judges.identity import name_of
from assay.reviews.citations import check_citations
from assay.subjects.reading import read_subjects
from assay.subjects.report import Report
from assay.subjects.sources import SourceFolder
from assay.web.opened import OpenedAudits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assay.audits.result import Audit
    from assay.subjects.subject import Subject

SEPARATOR: Final = " | "
_SOURCE_SHOWN: Final = 60_000


class AnnotationItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing to label.

    Attributes:
        key: Hash of what is shown; equal items are one.
        subject: Name in labels; both names of a pair, joined by `` | ``.
        query: Question that the texts answer.
        texts: One text or two, each ``{"report": text}`` or ``{"trajectory": {…}}``.
        about: What is shown beside them: the definition of a failure, a finding, a claim.
        hidden: What raters do not see: systems, types, verdicts.
        task: Question that groups items for intervals.
    """

    key: str
    subject: str
    query: str = ""
    texts: tuple[dict[str, Any], ...] = ()
    about: dict[str, Any] = {}
    hidden: dict[str, Any] = {}
    task: str = ""


def item_of(
    subject: str,
    texts: Sequence[dict[str, Any]],
    *,
    query: str = "",
    about: dict[str, Any] | None = None,
    hidden: dict[str, Any] | None = None,
    task: str = "",
) -> AnnotationItem:
    """Return an item with its key."""
    data = msgspec.json.encode((subject, texts, about or {}))
    return AnnotationItem(
        key=hashlib.blake2b(data, digest_size=12).hexdigest(),
        subject=subject,
        query=query,
        texts=tuple(texts),
        about=about or {},
        hidden=hidden or {},
        task=task or query or subject,
    )


def read_all(paths: Iterable[str]) -> list[Subject]:
    """Return the subjects of files and folders.

    Raises:
        InputError: One cannot be read.
    """
    found: list[Subject] = []
    for item in read_subjects(list(paths)):
        if isinstance(item, AssayError):
            raise item
        found.append(item)
    return found


def single_items(subjects: Iterable[Subject]) -> Iterator[AnnotationItem]:
    """Yield an item for each subject."""
    for number, subject in enumerate(subjects, start=1):
        yield item_of(
            name_of(subject, f"subject {number}"),
            [side_of(subject)],
            query=subject.query or "",
            hidden={"system": subject.system or "", "id": subject.id or ""},
            task=subject.id or "",
        )


def pair_items(subjects: Iterable[Subject]) -> Iterator[AnnotationItem]:
    """Yield an item for every two subjects that answer the same question.

    Raises:
        InputError: No two answer the same question.
    """
    groups: defaultdict[str, list[Subject]] = defaultdict(list)
    for subject in subjects:
        groups[" ".join((subject.query or "").split())].append(subject)
    found = False
    for query, members in groups.items():
        for a, b in combinations(members, 2):
            if not query and len(members) > 2 and not (a.id and a.id == b.id):
                continue
            found = True
            yield pair_of(a, b)
    if not found:
        raise InputError(
            "no two of the reports answer the same question",
            hint="rows need the field query; of files without one, name two",
        )


def pair_of(a: Subject, b: Subject) -> AnnotationItem:
    """Return the item of two subjects."""
    return item_of(
        SEPARATOR.join((name_of(a, "A"), name_of(b, "B"))),
        [side_of(a), side_of(b)],
        query=a.query or b.query or "",
        hidden={"system_a": a.system or "", "system_b": b.system or ""},
        task=a.id or "",
    )


def planted_items(folders: Iterable[str], *, disputed: bool = False) -> Iterator[AnnotationItem]:
    """Yield an item for each instance of benchmarks: both passages, without saying which is the original."""
    for folder in folders:
        if not (Path(folder) / INSTANCES).is_file() and not (Path(folder) / DISPUTED).is_file():
            raise InputError("is not a benchmark", where=folder, hint="assay bench build makes one")
        from assay.meta.benchmark import Benchmark  # noqa: PLC0415 - knows every operator

        instances: Sequence[Instance] = (
            read_disputed(folder) if disputed else Benchmark.load(folder).instances
        )
        failures = [item for item in instances if item.kind == "failure"]
        for one, queued in zip(failures, annotation_queue(failures), strict=True):
            yield item_of(
                one.id,
                [{"report": queued.before}, {"report": queued.after}],
                query=one.query,
                about={"definition": queued.definition, "title": queued.type.replace("_", " ")},
                hidden={"type": one.type, "editor": one.editor},
                task=one.group,
            )


def citation_items(paths: Iterable[str], sources: str) -> Iterator[AnnotationItem]:
    """Yield an item for each claim and the source that is cited for it, if its text is in a folder."""
    texts = SourceFolder(sources)
    for subject in read_all(paths):
        if not isinstance(subject, Report):
            continue
        checked = asyncio.run(check_citations(subject, texts))
        for citation in checked.citations:
            key, url = (None, citation.source) if "://" in citation.source else (citation.source, None)
            text = texts.text(key, url)
            if text is None:
                continue
            yield item_of(
                f"{name_of(subject, 'report')}#{citation.start}-{citation.end} {citation.source}",
                [{"report": subject.source}],
                query=subject.query or "",
                about={
                    "start": citation.start,
                    "end": citation.end,
                    "source": citation.source,
                    "text": text[:_SOURCE_SHOWN],
                    "cut": len(text) > _SOURCE_SHOWN,
                },
                hidden={"rule": citation.verdict},
                task=name_of(subject, "report"),
            )


def finding_items(paths: Iterable[str]) -> Iterator[AnnotationItem]:
    """Yield an item for each finding of audits: of JSON that `assay audit` wrote, or made by the rules now."""
    for path in paths:
        place = Path(path)
        if place.suffix in (".json", ".jsonl") and place.is_file() and _holds_audits(place):
            opened = OpenedAudits(place)
            for number in range(len(opened.audits)):
                yield from _findings(opened.with_text(number))
        else:
            for subject in read_all([path]):
                yield from _findings(run_audit(subject))


def _holds_audits(path: Path) -> bool:
    try:
        return bool(OpenedAudits(path).audits)
    except AssayError:
        return False


def _findings(audit: Audit) -> Iterator[AnnotationItem]:
    source = audit.subject.source
    name = audit.summary.path or audit.summary.id or "report"
    for finding, mark in zip(audit.findings, audit.fingerprints, strict=True):
        if not source:
            raise InputError(
                "the text of this audit is not there any more",
                where=name,
                hint="label from the reports themselves",
            )
        yield item_of(
            f"{name}#{finding.code}:{mark[:12]}",
            [side_of(audit.subject)],
            query=audit.subject.query or "",
            about={
                "start": finding.span.start,
                "end": finding.span.end,
                "code": finding.code,
                "name": finding.name,
                "message": finding.message,
                "related": [(place.start, place.end) for place in finding.related],
            },
            hidden={"severity": finding.severity, "system": audit.summary.system or ""},
            task=name,
        )
