"""What the site needs beyond the documents: links that leave ``docs/`` keep their words only, fences their language only."""  # noqa: INP001 - no package

from __future__ import annotations

import posixpath
import re
from typing import Any

# Words after the language tell the tests what to execute.
_FENCE = re.compile(r"^( *```[\w-]+) [^`\n]+$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\[]+)\]\(((?:\.\./)+[^)\s]+)\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page in which files of the repository that the site does not have are named, not linked."""
    folder = posixpath.dirname(page.file.src_uri)

    def named(match: re.Match[str]) -> str:
        leaves = posixpath.normpath(posixpath.join(folder, match[2])).startswith("../")
        return match[1] if leaves else match[0]

    return _LINK.sub(named, _FENCE.sub(r"\1", markdown))
