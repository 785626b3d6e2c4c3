"""What a statement depends on to be understood: the heading it stands under and the label of its list.

"Total assets were $1.33 trillion" under the heading "Norway" says nothing without the heading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.logic.patterns import is_appendix, is_generic_title, role_of_title
from assay.logic.terms import terms_of
from assay.logic.wording import after_label, without_enumerator
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.statement import Statement
    from assay.subjects.report import Report

_LONGEST: Final = 60
# Blocks to look back over for the item that holds this one.
_BACK: Final = 12
_NUMBER: Final = re.compile(r"^\W*(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4})[.、:：)]?\s+")
_JOINER: Final = " › "
_NONE: Final[frozenset[str]] = frozenset()


def context_of(report: Report, statement: Statement) -> str:
    """Return the heading and label that a statement does not repeat, joined by " › "; empty if it stands alone."""
    if statement.block < 0:
        return ""
    title, named = _heading(report, statement.section)
    label, labelled = _label(report, statement)
    if not named and not labelled:
        return ""
    words = terms_of(report.cues, statement.span.start, statement.span.end)
    parts = ((title, named), (label, labelled))
    return _JOINER.join(part for part, terms in parts if part and terms and terms.isdisjoint(words))


def _heading(report: Report, index: int) -> tuple[str, frozenset[str]]:
    """Return the title of a section and its terms; no terms if it tells nothing about the statements below it."""
    known: dict[int, tuple[str, frozenset[str]]] = report.memo.setdefault(_heading, {})
    if index not in known:
        known[index] = _read_heading(report, index)
    return known[index]


def _read_heading(report: Report, index: int) -> tuple[str, frozenset[str]]:
    section = report.sections[index]
    title = tidy(_NUMBER.sub("", without_enumerator(section.title, 0)[0])).strip(" :：*#")
    # The title over the whole report is the subject of every statement.
    if section.parent in (None, 0) and section.children:
        return "", _NONE
    if not title or len(title) > _LONGEST or section.index == 0 or title[-1] in "?？":
        return "", _NONE
    if is_generic_title(title) or role_of_title(title) or is_appendix(title):
        return "", _NONE
    span = section.title_span
    return title, terms_of(report.cues, span.start, span.end)


def _label(report: Report, statement: Statement) -> tuple[str, frozenset[str]]:
    """Return the label of a statement's list and its terms."""
    blocks = report.blocks
    block = blocks[statement.block]
    if block.kind != "item":
        return "", _NONE
    for k in range(statement.block - 1, max(-1, statement.block - _BACK), -1):
        above = blocks[k]
        if above.section != block.section:
            return "", _NONE
        if above.kind == "item" and above.depth >= block.depth:
            continue
        text = report.plain[above.span.start : above.span.end].strip()
        end = after_label(text)
        label = text[: end - 1] if end else text
        if len(label) > _LONGEST or (above.kind != "item" and not text.endswith((":", "："))):
            return "", _NONE
        named = terms_of(report.cues, above.span.start, above.span.start + len(label))
        return tidy(" ".join(label.split())).strip(" *"), named
    return "", _NONE
