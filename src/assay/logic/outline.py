"""Outline of a report: which sections argue, which frame the argument, and which do neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.logic.patterns import is_appendix, role_of_title

if TYPE_CHECKING:
    from assay.subjects.report import Report

# How much a frame section speaks for the whole report.
FRAME_WEIGHT: Final = {"summary": 3.0, "conclusion": 2.6, "introduction": 1.2, "body": 1.0}
# A section with this many tenths of the text is the whole report under its title.
_WHOLE: Final = 6


class Outline:
    """The shape of a report's argument.

    Attributes:
        tops: The report's main sections, in order.
        frame: Sections whose own body may hold the thesis, with their role.
        skipped: Sections without an argument: references, contents, disclaimers.
    """

    __slots__ = ("_sections", "frame", "skipped", "tops")

    def __init__(self, report: Report) -> None:
        self._sections = sections = report.sections
        self.frame: dict[int, str] = {0: "body"}
        self.skipped: set[int] = set()
        for section in sections[1:]:
            if section.is_references or section.parent in self.skipped or is_appendix(section.title):
                self.skipped.add(section.index)
        tops = [i for i in sections[0].children if i not in self.skipped]
        # A title over everything is not a section of its own.
        while tops:
            whole = max(tops, key=lambda i: len(sections[i].span))
            inner = [i for i in sections[whole].children if i not in self.skipped]
            large = len(sections[whole].span) * 10 >= len(report.source) * _WHOLE
            if not inner or not large or role_of_title(sections[whole].title):
                break
            if len(inner) == 1 and len(sections[inner[0]].span) * 10 < len(report.source) * _WHOLE:
                break
            self.frame[whole] = "body"
            at = tops.index(whole)
            tops[at : at + 1] = inner
        self.tops: list[int] = []
        for i in tops:
            role = role_of_title(sections[i].title)
            if role:
                self.frame[i] = role
                for child in sections[i].children:
                    nested = role_of_title(sections[child].title)
                    if nested in ("summary", "conclusion"):
                        self.frame[child] = nested
            self.tops.append(i)

    def inside(self, *roles: str) -> list[int]:
        """Return direct subsections of the frame sections of these roles that are not in the frame themselves."""
        return [
            child
            for index, role in self.frame.items()
            if role in roles
            for child in self._sections[index].children
            if child not in self.frame and child not in self.skipped
        ]
