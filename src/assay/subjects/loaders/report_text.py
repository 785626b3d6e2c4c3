"""A text file that is one report: Markdown, or plain text when a ``.txt`` shows no sign of Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterator

# A heading, a link, a table row, a list or emphasis. Old plain text has none of them.
_MARKDOWN: Final = re.compile(
    r"^#{1,6} \S|\]\(\S|^\|.{1,500}\|[ \t]*$|^[ \t]{0,3}[-*+] \S|\*\*\S|^```", re.MULTILINE
)


def sniff(_text: str) -> bool:
    """Any text can be a report; this loader is asked last."""
    return True


def load(text: str, origin: InputContext) -> Iterator[Report]:
    """Yield the one report of a file."""
    markdown = origin.suffix not in (".txt", ".text") or _MARKDOWN.search(text) is not None
    yield Report(text, query=origin.query, path=origin.path, markdown=markdown)


LOADER = SubjectLoader(
    name="report-text",
    what="Markdown or plain text",
    takes="text",
    sniff=sniff,
    load=load,
    rank=90,
)
