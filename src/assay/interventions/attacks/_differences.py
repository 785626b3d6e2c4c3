"""The difference that a revision makes: the sentences before and after, with their numbers, citations and terms."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_CITED: Final = re.compile(
    r"\[\^?\d{1,3}(?:\s?[,，–-]\s?\^?\d{1,3})*\]|【\d[^】\n]{0,60}】|https?://[^\s)\]>]+"
)


def numbers(text: str) -> Counter[str]:
    """Count the numbers of a text, except those in citation marks and addresses."""
    return Counter(match.group().rstrip(".,") for match in _NUMBER.finditer(_CITED.sub(" ", text)))


def marks(text: str) -> Counter[str]:
    """Count the citation marks and addresses of a text."""
    return Counter(match.group() for match in _CITED.finditer(text))
