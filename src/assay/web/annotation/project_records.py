"""Records of a labelling project: its plan, its raters, their answers."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from assay.errors import UsageError
from assay.web.annotation.questions import AnnotationQuestion, Task

RaterRole = Literal["rater", "adjudicator"]


class ProjectPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a project is about; it does not change.

    Attributes:
        task: The task.
        questions: What is asked about each item.
        guidelines: What raters are told, as Markdown.
        rubric: Name of the rubric; empty without one.
        seed: Seed of all orders.
        overlap: Raters of each item; None for all.
        created: Unix time.
    """

    task: Task
    questions: tuple[AnnotationQuestion, ...]
    guidelines: str = ""
    rubric: str = ""
    seed: int = 0
    overlap: int | None = None
    created: float = 0.0

    @property
    def guidelines_hash(self) -> str:
        """Hash of what raters were told and asked, 12 hex digits."""
        data = msgspec.json.encode((self.guidelines, self.questions))
        return hashlib.blake2b(data, digest_size=6).hexdigest()


class KnownAnswers(msgspec.Struct, frozen=True):
    """What is known of an item.

    Attributes:
        key: Key of the item.
        answers: Answer to each question, in terms of the sides of the item.
        why: What was noted beside the answers; raters in training read it.
        training: Whether raters begin with this item and are told the answers.
    """

    key: str
    answers: dict[str, str]
    why: str = ""
    training: bool = False


class ItemOutline(msgspec.Struct, frozen=True):
    """An item without its texts: its name in labels, the group that it belongs to, and what raters do not see."""

    subject: str
    task: str = ""
    hidden: dict[str, Any] = {}


class RaterRow(msgspec.Struct, frozen=True):
    """A rater: name, the key of the link, and whether the rater settles what others disagree about."""

    name: str
    link: str
    role: RaterRole


class AnswerRecord(msgspec.Struct, frozen=True):
    """The newest answer of a rater to a question; no value if it was undone."""

    rater: str
    item: int
    question: str
    value: str | None
    at: float
    id: int


class RaterProgress(msgspec.Struct, frozen=True):
    """How far a rater is: items done and in all, seconds in all and in the middle per item."""

    rater: RaterRow
    done: int
    total: int
    seconds: float
    median: float


class StaleAnswerError(UsageError):
    """The item was changed meanwhile, in another tab."""
