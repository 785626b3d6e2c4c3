"""The text of a cited source and the figures in it, for comparison with the claims that cite it."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.text.phrases import PhraseFile
from assay.text.quantities import find_quantities
from assay.text.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.parts import SourceTexts
    from assay.subjects.report import Report

# Word lists of this family, among them figures that a source may write as words.
_PHRASES: Final = PhraseFile("assay.checks", "cit")
_TENTHS: Final = re.compile(r"([一二三四五六七八九])成")
_DIGITS: Final = {char: float(10 * (i + 1)) for i, char in enumerate("一二三四五六七八九")}
# Whether a smaller count ("three firms", "12 sites") occurs in a source is a matter of chance and wording.
_COUNT: Final = 32


def citation_name(report: Report, key: str, index: int | None) -> str:
    """Return the name of a source in a message: its number, or the start of its title or address."""
    if key.isdigit() and len(key) < 5:
        return f"[{key}]"
    if index is not None and report.references[index].title:
        return f"“{report.references[index].title[:50]}”"
    return key[:80]


def source_of(report: Report, sources: SourceTexts, key: str, index: int | None, form: str) -> str | None:
    """Return the text of the source that one key of a citation refers to, or None if the text is not available."""
    if index is not None:
        ref = report.references[index]
        return sources.text(ref.key if ref.key is not None else key, ref.url)
    if form == "link":
        return sources.text(None, key)
    return sources.text(key, None)


def verifiable(quantity: Quantity) -> bool:
    """Return whether a source can be expected to print this figure.

    That holds for every share, amount and measure, but not for small counts.
    """
    if quantity.kind in ("percent", "points", "currency"):
        return quantity.value not in (0.0, 100.0)
    if quantity.kind in ("count", "measure"):
        return quantity.decimals > 0 or quantity.scale > 1 or quantity.value >= _COUNT
    return False


@cache
def _worded() -> tuple[tuple[re.Pattern[str], tuple[float, ...]], ...]:
    rows = (*_PHRASES["fractions"].rows("en"), *_PHRASES["fractions"].rows("zh"))
    return tuple(
        (re.compile(pattern, re.IGNORECASE), tuple(map(float, values.split()))) for pattern, values in rows
    )


class Figures:
    """The figures in some texts. Look-ups allow for the rounding of printed numbers."""

    def __init__(self, texts: Iterable[str]) -> None:
        values: list[float] = []
        for text in texts:
            for quantity in find_quantities(text):
                values.append(abs(quantity.value))
                if quantity.scale > 1:
                    # A table headed "in millions" prints the bare number.
                    values.append(abs(quantity.value) / quantity.scale)
            for pattern, worded in _worded():
                if pattern.search(text):
                    values.extend(worded)
            values.extend(_DIGITS[match] for match in _TENTHS.findall(text))
        self._values: list[float] = sorted(set(values))

    def has(self, quantity: Quantity) -> bool:
        """Return whether the texts contain a figure equal to this one, within half a unit of its last digit."""
        slack = quantity.half_unit * 1.0001 + 1e-9
        candidates = [abs(quantity.value)]
        if quantity.scale > 1:
            candidates.append(abs(quantity.value) / quantity.scale)
        for i, value in enumerate(candidates):
            tolerance = slack if i == 0 else slack / quantity.scale
            at = bisect_left(self._values, value - tolerance)
            if at < len(self._values) and self._values[at] <= value + tolerance:
                return True
        return False
