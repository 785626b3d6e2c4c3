"""The factory of attacks beyond the papers, which only insert text, and the offsets at which they insert it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any

from assay.interventions.attacks._prose import chinese, lines
from assay.interventions.base import Edit, EditSite, Level, Operator, TextRevision

if TYPE_CHECKING:
    from assay.subjects.report import Report


def manipulation(
    *,
    name: str,
    title: str,
    title_zh: str,
    definition: str,
    definition_zh: str,
    rule: Callable[[Any, Random], Iterable[Any]],
    check: Callable[[Any, Any, Any], str | None],
    sites: Callable[[Any, Random], Iterable[EditSite]] | None = None,
    ask: str = "",
    ask_zh: str = "",
    codes: tuple[str, ...] = (),
    level: Level = "outcome",
    unfit: Callable[[Any], str | None] | None = None,
) -> Operator:
    """Return an operator that only adds a manipulation.

    The rest of the report or run stays as good as it was, so the attacked one must not win.
    """
    return Operator(
        name=name,
        title=title,
        title_zh=title_zh,
        kind="manipulation",
        level=level,
        unfit=unfit,
        module="attack",
        category="manipulation",
        definition=definition,
        definition_zh=definition_zh,
        rule=rule,
        sites=sites,
        ask=ask,
        ask_zh=ask_zh,
        check=check,
        codes=codes,
        source="beyond the papers",
    )


def inserted(at: int, text: str, *, pattern: str, note: str) -> TextRevision:
    """Return a revision that inserts a text at the offset ``at``."""
    return TextRevision(edits=(Edit(at, at, text),), pattern=pattern, note=note)


def inserted_text(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return the text that an attack inserted, or None if it also changed or removed text.

    A passage that a model rewrote counts as an insertion if it keeps the whole old passage in one or two pieces.
    """
    added: list[str] = []
    for edit in attack.edits:
        old, new = reference.source[edit.start : edit.end], edit.text
        low = 0
        while low < min(len(old), len(new)) and old[low] == new[low]:
            low += 1
        high = 0
        while high < min(len(old), len(new)) - low and old[-1 - high] == new[-1 - high]:
            high += 1
        if low + high < len(old):
            return None
        added.append(new[low : len(new) - high])
    grown = sum(map(len, added))
    return "\n".join(added) if len(perturbed.source) == len(reference.source) + grown else None


def after_title(report: Report) -> int | None:
    """Return the offset after the report's first heading, or None if the report does not begin with one."""
    if len(report.sections) > 1 and report.sections[1].title_span.start < 200:
        return report.sections[1].title_span.end
    return None


def after_opening(report: Report) -> int | None:
    """Return the offset after the first paragraph of prose, or None if no paragraph is long enough."""
    for block in report.blocks:
        if block.kind == "paragraph" and block.span.end - block.span.start > (40 if chinese(report) else 120):
            return block.span.end
    return None


def at_end(report: Report) -> int:
    """Return the offset after the report's last character that is not white space."""
    return len(report.source.rstrip())


def endings(report: Report) -> list[int]:
    """Return the offsets of paragraph ends at which a sentence can be added."""
    return [
        line.end
        for line in lines(report, shortest=40, longest=700)
        if report.blocks[line.block].kind == "paragraph"
        and line.end >= report.blocks[line.block].span.end - 1
        and line.text.rstrip()[-1:] in ".。]】"
    ]
