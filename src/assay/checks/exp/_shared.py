"""Helpers of the expression checks: recognising prose and quoting it in messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from assay.subjects.parts import Block
    from assay.subjects.report import Report
    from assay.subjects.span import Span

_PHRASES: Final = PhraseFile("assay.checks", "exp")
# Word lists of this family, as sets.
WORDS: Final = WordSets(_PHRASES)
_BOX: Final = re.compile("[\u2500-\u259f]|[|+][-=]{3}|-{3}[|+]")
_GAP: Final = re.compile(r"\S(?: {3,}|\t+)\S")


def tabular(source: str) -> bool:
    r"""Return whether a passage is a table in plain text: ruled, aligned with white space, or mostly numbers.

    >>> tabular("Norway     60     12\nFinland    52     11"), tabular("Norway has 60, and Finland has 52.")
    (True, False)
    """
    if _BOX.search(source) or source.count("|") > 3:
        return True
    lines = [line for line in source.splitlines() if line.strip()]
    if len(lines) > 1 and 2 * sum(_GAP.search(line) is not None for line in lines) > len(lines):
        return True
    characters = "".join(source.split())
    return 5 * sum(map(str.isalpha, characters)) < 2 * len(characters)


def in_code(report: Report, at: int) -> bool:
    """Return whether an odd number of backticks precedes ``at`` in its line, so that it is in inline code."""
    source = report.source
    return source.count("`", source.rfind("\n", 0, at) + 1, at) % 2 == 1


def prose_at(report: Report, offset: int) -> Block | None:
    """Return the paragraph, list item or heading at ``offset``; None inside tables, code and references."""
    block = report.block_at(offset)
    return block if block is not None and block.kind in ("paragraph", "item", "heading") else None


def quote(report: Report, span: Span, limit: int = 60) -> str:
    """Return the words of a span in quotation marks; if longer than ``limit``, the middle is left out."""
    text = " ".join(report.source[span.start : span.end].split())
    if len(text) > limit:
        text = f"{text[: limit * 2 // 3].rstrip()} … {text[-limit // 3 :].lstrip()}"
    return f"“{text}”"
