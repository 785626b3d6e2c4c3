"""Repairing a report by what its readers proposed: each repair as an edit, and why one is not made.

A repair never brings in what the report does not have: no figure, no name, no address, no citation, and no "studies show" in
place of one. What is in doubt is left to the author. Where only a source can mend a fault, the text stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.text.quantities import find_quantities

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from assay.checks.base import Finding, Repair
    from assay.subjects.report import Report

_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_ADDRESS: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"“”]+|\bdoi:?\s?10\.\S+|\b10\.\d{4,}/\S+|\b(?:[a-z0-9-]{2,}\.)+[a-z]{2,10}(?:/[^\s<>\"“”]*)?(?![\w.])",
    re.IGNORECASE,
)
# "Smith et al. (2018)", "Lee and Park, 2020".
_AUTHOR_YEAR: Final = re.compile(
    r"\b(?P<name>[A-Z][\w'’-]+)(?:\s(?:et\sal\.?|(?:and|&)\s[A-Z][\w'’-]+))?,?\s\(?(?P<year>(?:19|20)\d\d)[a-z]?\b"
)
_NO_NAMES: Final = frozenset(
    "in since by from until during after before as for of and the to through between around about january february "
    "march april may june july august september october november december spring summer autumn winter q1 q2 q3 q4".split()
)
_ATTRIBUTED: Final = re.compile(
    r"\baccording to\b|\b(?:stud(?:y|ies)|research|surveys?|reports?|analys[ie]s|data|experts?|researchers)\s"
    r"(?:\w+\s){0,4}?(?:shows?|showed|finds?|found|suggests?|indicates?|confirms?|estimates?)\b"
    r"|研究表明|研究显示|调查显示|数据显示|据统计|据[^，。]{1,12}(?:报道|报告|统计|研究)|专家(?:认为|指出)",
    re.IGNORECASE,
)
# A name within a sentence; what opens a sentence may be any word.
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-zA-Z]{2,}")
_SMALL: Final = 3
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
    sentence = report.sentence_at(start)
    around = old if sentence is None else old + report.text(sentence.span)
    invented = _invented(report, repair.text, around)
    if invented is not None:
        return invented
    if repair.kind == "replace":
        return RepairEdit(start, end, _with_markers(report, start, end, old, repair.text))
    return _insertion(report, end, repair.text)


def _repair_of(finding: Finding) -> Repair | None:
    return finding.reading.repair if finding.reading is not None else None


def _invented(report: Report, text: str, old: str = "") -> str | None:
    """Return what a text brings in that the report does not have, or None.

    Args:
        report: The report.
        text: The new words.
        old: The words around them as they were.
    """
    source = report.source
    for address in _ADDRESS.findall(text):
        if address.rstrip(".,;:!?)。，；") not in source:
            return "it would bring in a source that the report does not have"
    foreign = [marker for marker in _MARKER.findall(text) if marker not in source]
    if foreign:
        return f"it would cite {foreign[0]}, which the report does not have"
    bare = _MARKER.sub("", text)
    for match in _AUTHOR_YEAR.finditer(bare):
        near = re.compile(rf"{re.escape(match['name'])}\W.{{0,60}}?{match['year']}", re.DOTALL)
        if match["name"].lower() not in _NO_NAMES and near.search(source) is None:
            return f"it would name a source that the report does not have: {match.group().strip()}"
    for match in _ATTRIBUTED.finditer(bare):
        if match.group().lower() not in old.lower():
            return f"it would say that a source shows it, without one: {match.group()}"
    fresh = _fresh_figure(report, bare)
    if fresh is not None:
        return f"it would bring in a figure that the report does not have: {fresh}"
    known = source.lower()
    name = next((name for name in _NAME.findall(bare) if name.lower() not in known), None)
    return f"it would bring in a name that the report does not have: {name}" if name is not None else None


def _fresh_figure(report: Report, text: str) -> str | None:
    """Return a figure of a text, in digits or words, that neither report nor question has."""
    asked = report.query or ""
    known = set(_FIGURE.findall(report.source)) | set(_FIGURE.findall(asked))
    digits: str | None = next((figure for figure in _FIGURE.findall(text) if figure not in known), None)
    if digits is not None:
        return digits
    values = {quantity.value for quantity in (*report.quantities, *find_quantities(asked))}
    written = f"{report.source}\n{asked}".lower()
    for quantity in find_quantities(text):
        words = text[quantity.start : quantity.end]
        small = quantity.kind in ("count", "ordinal") and abs(quantity.value) <= _SMALL
        if quantity.spelled and not small and quantity.value not in values and words.lower() not in written:
            return words
    return None


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
