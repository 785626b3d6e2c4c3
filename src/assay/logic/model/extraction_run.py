"""State that the steps of an extraction share."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from assay.logic.cues import find_cues
from assay.logic.model.calls import ASSIGNMENT
from assay.logic.model.graph_draft import GraphDraft
from assay.logic.model.numbered_lines import number_lines
from assay.strategies.base import PromptMaterial

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.logic.model.records import ExtractionSettings, ExtractionStep
    from assay.subjects.report import Report


class ExtractionRun:
    """An extraction under way.

    Attributes:
        steps: The calls so far.
        problems: Problems and corrections so far.
        dropped: Nodes of the model that do not stand in the report.
    """

    def __init__(
        self,
        author: Author,
        report: Report,
        settings: ExtractionSettings,
        query: str | None,
        language: Literal["en", "zh"],
    ) -> None:
        self.author = author
        self.report = report
        self.settings = settings
        self.language: Literal["en", "zh"] = language
        self.query = _short(query or "", settings.query)
        self.material = PromptMaterial(language=language)
        self.numbered = number_lines(report, settings.line)
        self.draft = GraphDraft(report)
        self.steps: list[ExtractionStep] = []
        self.problems: list[str] = []
        self.dropped = 0

    @cached_property
    def telling(self) -> frozenset[int]:
        """Return the sentences that report what somebody said or what happened."""
        cues = find_cues(self.report)
        return frozenset(cues["attributing"] | cues["happening"])

    def word(self, block: str, **variables: Any) -> str:
        """Render a block of the template in the language of the prompts."""
        return self.author.prompts.page(ASSIGNMENT.template, block, self.language, variables).strip("\n")

    def short(self, text: str) -> str:
        """Return a node's words, cut to the length they may have outside its part."""
        return _short(text, self.settings.text)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
