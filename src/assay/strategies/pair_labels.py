"""Labels of a comparison as judges write them: ``A>B``, ``a > b``, ``**A>B**``, ``both good``, ``Tie``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

_TIES: Final = frozenset(("tie", "both_good", "both_bad"))
# What may stand around a label without changing it: emphasis, quotation marks, brackets, a full stop.
_AROUND: Final = " \t\r\n*_`\"'“”「」$.。!"
_BOXED: Final = re.compile(r"\\boxed\s*\{(?:\\text\s*\{)?([^{}]{1,40})\}{1,2}|\\[()\[\]]")


def read_label(value: Any, labels: Sequence[str]) -> str | None:
    """Return the label on offer that a text stands for, or None.

    Case, white space, the mark between words, and emphasis or a full stop around the whole do not matter. A tie that
    is not on offer under its own name becomes the only tie on offer, or plain ``tie`` if there are several and it
    does not say which.
    """
    if not isinstance(value, str):
        return None
    wanted = _label(undecorated(value))
    for label in labels:
        if _label(label) == wanted:
            return label
    turned = {"b<a": "a>b", "b>a": "a<b"}.get(wanted)
    for label in labels:
        if turned is not None and _label(label) == turned:
            return label
    ties = [label for label in labels if _label(label) in _TIES]
    if wanted not in _TIES or not ties:
        return None
    if len(ties) == 1:
        return ties[0]
    return "tie" if wanted == "tie" else None


def undecorated(text: str) -> str:
    r"""Return a short text without emphasis, quotation marks, a full stop, or a LaTeX box around it."""
    return _BOXED.sub(lambda match: match[1] or "", text).strip(_AROUND)


def _label(text: str) -> str:
    wide = text.strip().casefold().translate(str.maketrans("＜＞＝", "<>="))
    words = re.sub(r"\s*([<>=|])\s*", r"\1", wide)
    return re.sub(r"[\s_-]+", "_", words)
