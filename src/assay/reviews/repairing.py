"""Repairing a report by what its readers proposed: each repair as an edit, and why one is not made.

A repair never brings in what the report does not have: no figure, no address, no citation. Where only a source can
mend a fault, the text stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from assay.checks.base import Finding, Repair
    from assay.subjects.report import Report

_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_ADDRESS: Final = re.compile(r"https?://|www\.|\bdoi\b", re.IGNORECASE)
_MARKER: Final = re.compile(r"\[\^?\d+(?:[,，–-]\s?\d+)*\]|【[^】]*】")
_STOPS: Final = ".!?。！？"


class RepairEdit(msgspec.Struct, frozen=True):
    """A repair as an edit: the offsets of what it replaces, and the new text."""

    start: int
    end: int
    text: str


class RepairedReport(msgspec.Struct, frozen=True):
    """A report with repairs.

    Attributes:
        text: The new text.
        made: Numbers of the findings whose repairs were made, from 1.
        left: Numbers of the other findings with a repair, with the reason.
    """

    text: str
    made: tuple[int, ...]
    left: tuple[tuple[int, str], ...]


def repaired(
    report: Report, findings: Sequence[Finding], accepted: Collection[int] | None = None
) -> RepairedReport:
    """Return a report with the repairs of its findings made.

    Args:
        report: The report, as it was when it was audited.
        findings: Findings of its audit.
        accepted: Numbers of the findings to repair, from 1; None for all that can be.
    """
    order = sorted(
        (number for number, finding in enumerate(findings, 1) if _repair_of(finding) is not None),
        key=lambda number: ("error", "warning", "info").index(findings[number - 1].severity),
    )
    edits: dict[int, RepairEdit] = {}
    left: list[tuple[int, str]] = []
    for number in order:
        if accepted is not None and number not in accepted:
            left.append((number, "not accepted"))
            continue
        edit = edit_of(report, findings[number - 1])
        if isinstance(edit, str):
            left.append((number, edit))
        elif any(edit.start < other.end and other.start < edit.end for other in edits.values()):
            left.append((number, "another repair changes the same words"))
        else:
            edits[number] = edit
    text = report.source
    for edit in sorted(edits.values(), key=lambda item: (item.start, item.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return RepairedReport(text, tuple(sorted(edits)), tuple(sorted(left)))


def edit_of(report: Report, finding: Finding) -> RepairEdit | str:
    """Return the repair of a finding as an edit, or why there is none."""
    repair = _repair_of(finding)
    if repair is None:
        return "no repair was proposed"
    if repair.kind == "source":
        return f"it takes a source: {repair.text}" if repair.text else "it takes a source"
    start, end = finding.span.start, finding.span.end
    old = report.source[start:end]
    if repair.kind == "delete":
        return RepairEdit(start, end, "")
    invented = _invented(report, repair.text)
    if invented is not None:
        return invented
    if repair.kind == "replace":
        return RepairEdit(start, end, _with_markers(report, start, end, old, repair.text))
    return _insertion(report, end, repair.text)


def _repair_of(finding: Finding) -> Repair | None:
    return finding.reading.repair if finding.reading is not None else None


def _invented(report: Report, text: str) -> str | None:
    """Return what a text brings in that the report does not have, or None."""
    if (address := _ADDRESS.search(text)) is not None and text[address.start() :].split(maxsplit=1)[
        0
    ] not in report.source:
        return "it would bring in a source that the report does not have"
    known = set(_FIGURE.findall(report.source)) | set(_FIGURE.findall(report.query or ""))
    fresh = [figure for figure in _FIGURE.findall(_MARKER.sub("", text)) if figure not in known]
    if fresh:
        return f"it would bring in a figure that the report does not have: {fresh[0]}"
    foreign = [marker for marker in _MARKER.findall(text) if marker not in report.source]
    return f"it would cite {foreign[0]}, which the report does not have" if foreign else None


def _with_markers(report: Report, start: int, end: int, old: str, new: str) -> str:
    """Return new words with the citations that the old ones had."""
    spans = [item.span for item in report.citations if start <= item.span.start and item.span.end <= end]
    lost = [words for span in spans if (words := report.text(span)) not in new]
    if lost:
        stop = new[-1:] if new[-1:] in _STOPS else ""
        new = f"{new.removesuffix(stop)}{' ' if report.language == 'en' else ''}{''.join(lost)}{stop}"
    # A quote often leaves out the full stop, and a rewritten sentence has one.
    if new[-1:] in _STOPS and old[-1:] not in _STOPS and report.source[end : end + 1] in _STOPS:
        new = new[:-1]
    return new


def _insertion(report: Report, at: int, text: str) -> RepairEdit:
    """Return a sentence put after the one that ends at or around an offset, or in a paragraph of its own."""
    block = report.block_at(max(0, at - 1))
    sentence = report.sentence_at(max(0, at - 1))
    if block is not None and block.kind == "paragraph" and sentence is not None:
        end = sentence.span.end
        gap = " " if report.language != "zh" else ""
        return RepairEdit(end, end, f"{gap}{text}")
    end = (
        len(report.source.rstrip())
        if block is None
        else block.span.start + len(report.source[block.span.start : block.span.end].rstrip())
    )
    return RepairEdit(end, end, f"\n\n{text}")
