"""A structured text with its tables and its numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Any

from assay.subjects.parts import ReportTable
from assay.subjects.span import Span
from assay.subjects.structured_text import StructuredText
from assay.subjects.tables import parse_tables
from assay.text.quantities import find_quantities
from assay.text.quantity import Quantity

# "2.1 Method", "3) Results": the number of a heading counts nothing.
_HEADING_NUMBER = re.compile(r"[\s#]*[0-9]{1,2}(?:\.[0-9]{1,2}){0,4}(?:[.)、．](?![0-9])|(?=\s))")


class NumberedText(StructuredText):
    """A structured text with its tables and the numbers of its body."""

    @cached_property
    def memo(self) -> dict[object, Any]:
        """Results that rules in other rooms share about this report, by a key of their own."""
        return {}

    @cached_property
    def tables(self) -> list[ReportTable]:
        """Pipe tables with their cells."""
        return parse_tables(self)

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Numbers of the body in order, without those in code, in the reference list and in heading numbers."""
        plain = self.plain
        out: list[Quantity] = []
        at = 0
        for block in self.blocks:
            span = block.span
            if block.kind in ("code", "html", "reference"):
                resume = span.end
            elif block.kind == "heading" and (number := _HEADING_NUMBER.match(plain, span.start, span.end)):
                resume = number.end()
            else:
                continue
            # Skipped blocks that follow each other leave nothing but white space between them.
            if span.start - at > 8:
                out += find_quantities(plain, at, span.start)
            at = resume
        out += find_quantities(plain, at, len(plain))
        return out

    @cached_property
    def _quantity_starts(self) -> list[int]:
        return [quantity.start for quantity in self.quantities]

    def quantities_in(self, span: Span) -> list[Quantity]:
        """Return numbers that begin inside ``span``."""
        first = bisect_right(self._quantity_starts, span.start - 1)
        last = bisect_right(self._quantity_starts, span.end - 1)
        return self.quantities[first:last]
