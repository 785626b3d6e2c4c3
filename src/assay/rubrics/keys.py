"""Names of criteria in results: given, or made from their texts.

A key is a property of the JSON a judge is asked for, and some endpoints take only ASCII letters, digits and ``_``
there.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final

from assay.text.words import STOPWORDS

KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_WORD: Final = re.compile(r"[A-Za-z0-9]+")
_LONGEST: Final = 32
_WORDS: Final = 4
# Words that open every other criterion and tell none apart.
_EMPTY: Final = frozenset(
    """answer article assess assesses check checks clearly correctly does evaluate evaluates explicitly include includes
    mention mentions paper provide provides report response should must whether text state states""".split()
)


def slug(text: str) -> str:
    """Return the ASCII words of a text joined by underscores, from the first letter on; empty if it has none."""
    joined = "_".join(word.lower() for word in _WORD.findall(text))[:64].strip("_")
    return joined if not joined or joined[0].isalpha() else f"c_{joined}"[:64]


def made_keys(texts: Sequence[str]) -> list[str]:
    """Return a key for each text: its number and its most distinctive words, or a short hash if it has none.

    The number makes keys unique and sortable; the rest shows when another criterion has taken the place.

    >>> made_keys(["The report states the 2024 revenue.", "是否说明了样本量"])
    ['c01_2024_revenue', 'c02_3a6377']
    """
    width = max(2, len(str(len(texts))))
    return [f"c{index:0{width}d}_{_gist(text)}" for index, text in enumerate(texts, start=1)]


def _gist(text: str) -> str:
    words = [word.lower() for word in _WORD.findall(text)]
    telling = [word for word in words if word not in STOPWORDS and word not in _EMPTY] or words
    gist = ""
    for word in telling[:_WORDS]:
        if len(gist) + len(word) >= _LONGEST:
            break
        gist = f"{gist}_{word}" if gist else word
    # A lone abbreviation in a Chinese sentence says too little.
    return (
        gist
        if sum(map(str.isalpha, gist)) >= 3
        else hashlib.blake2b(text.encode(), digest_size=3).hexdigest()
    )


def unique(keys: Iterable[str]) -> list[str]:
    """Return the keys; a key that occurred before gets a number at its end."""
    seen: set[str] = set()
    out: list[str] = []
    for key in keys:
        fresh, count = key, 2
        while fresh in seen:
            fresh = f"{key[:60]}_{count}"
            count += 1
        seen.add(fresh)
        out.append(fresh)
    return out
