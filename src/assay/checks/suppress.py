"""Inline suppression: comments by which an author suppresses findings.

    <!-- assay: ignore NUM001 -->        in the block that holds the comment, or else in the next one
    <!-- assay: ignore NUM001, CIT -->   several codes, whole families, names
    <!-- assay: ignore-file CIT006 -->   in the whole report

A comment must name what it suppresses. A comment that suppresses nothing is itself a finding (ASY001), so that outdated
ones do not pile up. A report can silence the checks this way, so switch suppression off (``--no-inline``) for reports
that you do not trust.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.base import Finding, LocatedSpan
from assay.checks.fault_types import FAULT_TYPES
from assay.checks.registry import all_checks
from assay.checks.selection import Coded, covers, is_known, near_labels
from assay.checks.wording import FilledWording, MessageLanguage, Wording, series
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.parts import Block
    from assay.subjects.report import Report
    from assay.text.markup import InlineMarkup

UNUSED: Final = "ASY001"
_MOST: Final = 1000
_DIRECTIVE: Final = re.compile(
    r"\s*assay\s*:\s*(ignore-file|ignore)\b[ \t:]*([^\n]{0,400}?)\s*$", re.IGNORECASE
)

_NO_CODE: Final = Wording(
    en="This suppression names no code, so it suppresses nothing; write `assay: ignore CODE`",
    zh="这条屏蔽注释没有写明编号，不起作用；请写成 `assay: ignore CODE`",
)
_UNKNOWN_CODE: Final = Wording(
    en="This suppression names “{label}”, which is not a check{near}",
    zh="这条屏蔽注释中的“{label}”不是任何检查{near}",
)
_NEAR: Final = Wording(en="; similar names: {labels}", zh="；相近的有{labels}")
_UNUSED: Final = Wording(
    en="`ignore {labels}` suppresses nothing here; delete the comment",
    zh="`ignore {labels}` 在此没有屏蔽任何问题，请删去这条注释",
)


class Suppression(msgspec.Struct, frozen=True):
    """A suppression comment: its span, its labels, and the span of text in which it suppresses findings."""

    span: Span
    labels: tuple[str, ...]
    scope: Span


def find_suppressions(report: Report) -> list[Suppression]:
    """Return the first thousand suppression comments outside code, in order."""
    if "<!--" not in report.source or "assay" not in report.source.lower():
        return []
    suppressions: list[Suppression] = []
    comments = [inline for inline in report.inlines if inline.kind == "comment"]
    with_text = [block for block in report.blocks if not _only_comments(report, block, comments)]
    starts = [block.span.start for block in with_text]
    for inline in comments:
        match = _DIRECTIVE.match(report.source, inline.inner_start, inline.inner_end)
        if match is None:
            continue
        block = report.block_at(inline.start)
        if block is not None and block.kind == "code":
            continue
        labels = tuple(part for part in re.split(r"[,，、;\s]+", match[2]) if part)
        if match[1].lower() == "ignore-file":
            scope = Span(0, len(report.source))
        else:
            # The block around the comment, or the next block with text if this one contains only comments.
            at = bisect_right(starts, inline.start) - 1
            around = with_text[at] if at >= 0 and inline.start < with_text[at].span.end else None
            following = with_text[at + 1] if at + 1 < len(with_text) else None
            target = around or following
            scope = target.span if target is not None else Span(inline.end, inline.end)
        suppressions.append(Suppression(Span(inline.start, inline.end), labels, scope))
        if len(suppressions) == _MOST:
            break
    return suppressions


def _only_comments(report: Report, block: Block, comments: list[InlineMarkup]) -> bool:
    at = block.span.start
    if not report.source.startswith("<!--", at):
        return False
    first = bisect_left(comments, at, key=lambda inline: inline.start)
    for i in range(first, len(comments)):
        inline = comments[i]
        if inline.start >= block.span.end or report.source[at : inline.start].strip():
            break
        at = inline.end
    return not report.source[at : block.span.end].strip()


def problem_with(suppression: Suppression) -> FilledWording | None:
    """Return a message why a suppression can never suppress anything, or None if it can."""
    if not suppression.labels:
        return _NO_CODE()
    for label in suppression.labels:
        if not is_known(label):
            near = near_labels(label)
            return _UNKNOWN_CODE(label=label, near=_NEAR(labels=series(near)) if near else "")
    return None


def _for_readers(suppression: Suppression) -> bool:
    """Return whether a comment names what only a model finds, which may not have read."""
    labels = [label for label in suppression.labels if label.upper() != "ALL"]
    return any(covers(label, item) for label in labels for item in FAULT_TYPES.values())


def apply_suppressions(
    report: Report,
    findings: Iterable[Finding],
    *,
    report_unused: bool = True,
    language: MessageLanguage = "en",
) -> list[Finding]:
    """Return the findings that no comment suppresses, and one for each comment that suppresses nothing.

    Args:
        report: The report the findings are about.
        findings: Findings of the checks, in order.
        report_unused: Whether to add ASY001; False if the check is not selected.
        language: Language of the messages of ASY001.
    """
    ordered = list(findings)
    suppressions = find_suppressions(report)
    if not suppressions:
        return ordered
    checks: dict[str, Coded] = {**all_checks(), **{item.code: item for item in FAULT_TYPES.values()}}
    used: set[int] = set()
    # The suppressions of each code, by scope, since many comments often have the same scope.
    silencers: dict[Span, dict[str, set[int]]] = {}
    for number, suppression in enumerate(suppressions):
        by_code = silencers.setdefault(suppression.scope, {})
        for code, check in checks.items():
            if any(covers(label, check) for label in suppression.labels):
                by_code.setdefault(code, set()).add(number)
    hidden: set[int] = set()
    starts = [finding.span.start for finding in ordered]
    for scope, by_code in silencers.items():
        for i in range(bisect_left(starts, scope.start), bisect_left(starts, scope.end)):
            if numbers := by_code.get(ordered[i].code):
                used |= numbers
                hidden.add(i)
    kept = [finding for i, finding in enumerate(ordered) if i not in hidden]
    if not report_unused:
        return kept
    for number, suppression in enumerate(suppressions):
        # The check itself has already reported comments that can never suppress anything.
        if number not in used and problem_with(suppression) is None and not _for_readers(suppression):
            kept.append(_unused(report, suppression, language))
    kept.sort(key=lambda finding: (finding.span.start, finding.span.end, finding.code))
    return kept


def _unused(report: Report, suppression: Suppression, language: MessageLanguage) -> Finding:
    line, column = report.lines.place(suppression.span.start)
    check = all_checks()[UNUSED]
    return Finding(
        code=check.code,
        name=check.name,
        severity=check.severity,
        dimension=check.dimension,
        message=_UNUSED(labels=", ".join(suppression.labels)).text(language),
        span=LocatedSpan(suppression.span.start, suppression.span.end, line, column),
        related=(),
        confidence=1.0,
    )
