"""FinResearchBench's judge without a model: the four computed dimensions, and nothing in place of the six rated ones."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from assay._version import __version__
from assay.judges.combine import combine_scores
from assay.judges.identity import key_of, metadata_of
from assay.logic.rule_graph import build_graph
from assay.rubrics.loader import load_rubric
from assay.suites.finresearch.judge import full_rubric, report_of, rule_part

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.rubrics.rubric import Rubric
    from assay.subjects.case import Case, Mode


class FinResearchRules:
    """Scores the four dimensions that follow from the rule-built graph and the text; there is no final score."""

    name = "rules"
    modes: tuple[Mode, ...] = ("score",)
    rubric_name = "finresearch"
    repetitions = 1

    @cached_property
    def version(self) -> str:
        """Hash of suite, name and the version of Assay."""
        text = f"{self.rubric_name} {self.name} {__version__}"
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    @cached_property
    def _rubric(self) -> Rubric:
        return full_rubric(load_rubric(self.rubric_name))

    def check(self, case: Case) -> None:
        """Refuse what is not a report to score.

        Raises:
            UsageError: It is something else.
        """
        report_of(case)

    def key(self, case: Case, repetition: int = 0) -> str:
        """Return the content address of a judgment."""
        return key_of(self.version, case, repetition)

    async def judge(self, case: Case, repetition: int = 0) -> Judgment:
        """Compute the four dimensions of a report."""
        report = report_of(case)
        part = rule_part(report, build_graph(report))
        return msgspec.structs.replace(
            combine_scores(case.name, self.name, self._rubric, [part]),
            version=self.version,
            key=self.key(case, repetition),
            repetition=repetition,
            metadata=metadata_of(case),
        )
