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
    from assay.logic.statements import Statement
    from assay.subjects.report import Report

_LONGEST: Final = 60
# Blocks to look back over for the item that holds this one.
_BACK: Final = 12
_NUMBER: Final = re.compile(r"^\W*(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4})[.、:：)]?\s+")
_JOINER: Final = " › "


def context_of(report: Report, statement: Statement) -> str:
    """Return the heading and label that a statement does not repeat, joined by " › "; empty if it stands alone."""
    if statement.block < 0:
        return ""
    words = terms_of(report.cues, statement.span.start, statement.span.end)
    parts = [_heading(report, statement, words), _label(report, statement, words)]
    return _JOINER.join(part for part in parts if part)


def _heading(report: Report, statement: Statement, words: frozenset[str]) -> str:
    section = report.sections[statement.section]
    title = tidy(_NUMBER.sub("", without_enumerator(section.title, 0)[0])).strip(" :：*#")
    # The title over the whole report is the subject of every statement.
    if section.parent in (None, 0) and section.children:
        return ""
    if not title or len(title) > _LONGEST or section.index == 0 or title[-1] in "?？":
        return ""
    if is_generic_title(title) or role_of_title(title) or is_appendix(title):
        return ""
    span = section.title_span
    named = terms_of(report.cues, span.start, span.end)
    return "" if not named or named & words else title


def _label(report: Report, statement: Statement, words: frozenset[str]) -> str:
    blocks = report.blocks
    block = blocks[statement.block]
    if block.kind != "item":
        return ""
    for k in range(statement.block - 1, max(-1, statement.block - _BACK), -1):
        above = blocks[k]
        if above.section != block.section:
            return ""
        if above.kind == "item" and above.depth >= block.depth:
            continue
        text = report.plain[above.span.start : above.span.end].strip()
        end = after_label(text)
        label = text[: end - 1] if end else text
        if len(label) > _LONGEST or (above.kind != "item" and not text.endswith((":", "："))):
            return ""
        named = terms_of(report.cues, above.span.start, above.span.start + len(label))
        return "" if not named or named & words else tidy(" ".join(label.split())).strip(" *")
    return ""
