"""What a judge in training is asked: the very messages that the judge will be sent when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.runs.event_loop_portal import run_sync
from assay.strategies.base import Document, Question
from assay.strategies.dry_run import dry_run
from assay.strategies.prompts import Prompts

if TYPE_CHECKING:
    from assay.rubrics.rubric import Rubric
    from assay.strategies.base import Strategy
    from assay.training.examples import TrainingExample


class JudgePrompt:
    """Makes the messages for an example, as a judge with this strategy and rubric would send them.

    Args:
        strategy: The strategy, most often ``logicjudge``.
        rubric: The rubric; with ``dimensions``, only those of its criteria.
        dimensions: Keys of the criteria to ask about; all by default.
        prompts: Templates; by default the package's.
    """

    def __init__(
        self,
        strategy: Strategy,
        rubric: Rubric,
        dimensions: tuple[str, ...] = (),
        prompts: Prompts | None = None,
    ) -> None:
        self.strategy = strategy
        self.rubric = rubric
        self.criteria = tuple(item for item in rubric.criteria if not dimensions or item.key in dimensions)
        self.keys = tuple(item.key for item in self.criteria)
        self._prompts = prompts or Prompts()

    def messages(self, example: TrainingExample) -> list[dict[str, str]]:
        """Return the system and the user message about a pair."""
        # A pair with a known dimension alone is asked about that dimension.
        known = tuple(item for item in self.criteria if item.key in example.dimensions)
        question = Question(
            language="zh" if example.language == "zh" else "en",
            documents=(Document("A", example.a), Document("B", example.b)),
            query=example.query or None,
            mode="compare",
            rubric=self.rubric,
            criteria=known or self.criteria,
        )
        requests, _ = run_sync(dry_run(self.strategy, question, self._prompts))
        return [{"role": item.role, "content": item.content} for item in requests[0].messages]

    def keys_of(self, example: TrainingExample) -> tuple[str, ...]:
        """Return the dimensions that are asked about."""
        known = tuple(key for key in self.keys if key in example.dimensions)
        return known or self.keys
