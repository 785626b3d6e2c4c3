"""What a judge in training is asked: the very messages that the judge will be sent when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from assay.models.special_tokens import neutralised
from assay.rubrics.loader import load_rubric
from assay.runs.event_loop_portal import run_sync
from assay.strategies.base import Document, Question
from assay.strategies.dry_run import dry_run
from assay.strategies.prompts import Prompts

if TYPE_CHECKING:
    from assay.rubrics.rubric import Criterion, Rubric
    from assay.strategies.base import Strategy
    from assay.training.examples import TrainingExample


class JudgePrompt:
    """Makes the messages for an example, as a judge with this strategy and rubric would send them.

    Args:
        strategy: The strategy, most often ``logicjudge``.
        rubric: The rubric.
        prompts: Templates; by default the package's.
    """

    def __init__(self, strategy: Strategy, rubric: Rubric, prompts: Prompts | None = None) -> None:
        self.strategy = strategy
        self.rubric = rubric
        self._whole = load_rubric("overall")
        self._prompts = prompts or Prompts()

    def messages(self, example: TrainingExample) -> list[dict[str, str]]:
        """Return the system and the user message about a pair."""
        rubric, criteria = self._asked(example)
        question = Question(
            language="zh" if example.language == "zh" else "en",
            documents=(Document("A", example.a), Document("B", example.b)),
            query=example.query or None,
            mode="compare",
            rubric=rubric,
            criteria=criteria,
        )
        requests, _ = run_sync(dry_run(self.strategy, question, self._prompts))
        # As they are sent, special tokens of chat templates in two pieces.
        return [{"role": item.role, "content": neutralised(item.content)} for item in requests[0].messages]

    def keys_of(self, example: TrainingExample) -> tuple[str, ...]:
        """Return the keys of the criteria that are asked about."""
        return tuple(item.key for item in self._asked(example)[1])

    def _asked(self, example: TrainingExample) -> tuple[Rubric, tuple[Criterion, ...]]:
        """Return the criteria of an example: its own, those with a known label, or else the whole alone.

        A pair of which only the verdict on the whole is known says nothing about single dimensions.
        """
        if example.criteria:
            own = tuple(
                msgspec.structs.replace(item, asks=words, asks_zh=words)
                if (words := example.criteria[item.key])
                else item
                for item in self.rubric.criteria
                if item.key in example.criteria
            )
            return self.rubric, own
        known = tuple(item for item in self.rubric.criteria if item.key in example.dimensions)
        return (self.rubric, known) if known else (self._whole, self._whole.criteria)
