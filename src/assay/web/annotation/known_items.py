"""Items whose answers are known: a rater's training, which says what was expected, and checks of attention, which do not."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from assay.errors import InputError
from assay.measures.intervals import Estimate, wilson_interval
from assay.web.annotation.project_records import KnownAnswers
from assay.web.annotation.questions import CANNOT_SAY, FAULTS, NOTE, turned

if TYPE_CHECKING:
    from assay.web.annotation.assignment import Assigned
    from assay.web.annotation.items import AnnotationItem
    from assay.web.annotation.project import AnnotationProject

_EVIDENCE: Final = ":evidence"


class QuestionFeedback(msgspec.Struct, frozen=True):
    """A question of an item in training: what the rater said and what is known, in terms of the sides shown."""

    question: str
    title: str
    given: str
    known: str

    @property
    def right(self) -> bool:
        """Whether both are the same."""
        return self.given == self.known


def known_from(
    earlier: AnnotationProject, asked: Sequence[str], *, training: int, seed: int = 0
) -> list[tuple[AnnotationItem, KnownAnswers]]:
    """Return the items that an earlier project has settled, with their answers.

    An answer is settled by an adjudicator, or if all who answered said the same.

    Args:
        earlier: The project in which the answers were given.
        asked: Keys of the questions of the new project.
        training: How many of the items become training; the others become checks of attention.
        seed: Chooses which.

    Raises:
        InputError: The questions are others, the task is to mark faults, or nothing is settled.
    """
    where = str(earlier.path)
    if earlier.plan.task == FAULTS:
        raise InputError("faults are marked, not chosen, so that no answer can be known", where=where)
    if [question.key for question in earlier.plan.questions] != list(asked):
        raise InputError(
            "asks other questions, so its answers are not known ones here",
            where=where,
            hint="use the same task and rubric",
        )
    settlers = {rater.name for rater in earlier.raters() if rater.role == "adjudicator"}
    said: defaultdict[int, defaultdict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for row in earlier.answers():
        if row.value is not None and not row.question.endswith(_EVIDENCE):
            said[row.item][row.question][row.rater] = row.value
    found = []
    for number, questions in sorted(said.items()):
        answers = {
            key: value
            for key in asked
            if (value := _settled(questions.get(key, {}), settlers)) not in (None, CANNOT_SAY)
        }
        if len(answers) == len(asked):
            why = " ".join(dict.fromkeys(questions.get(NOTE, {}).values()))
            found.append((earlier.item(number), {key: str(value) for key, value in answers.items()}, why))
    if not found:
        raise InputError("has no item whose answers are all settled", where=where)
    random.Random(f"known {seed}").shuffle(found)  # noqa: S311 - a choice that can be made again
    return [
        (item, KnownAnswers(item.key, answers, why, at < training))
        for at, (item, answers, why) in enumerate(found)
    ]


def _settled(given: Mapping[str, str], settlers: set[str]) -> str | None:
    decided = {value for rater, value in given.items() if rater in settlers} or set(given.values())
    return decided.pop() if len(decided) == 1 else None


def feedback_on(
    project: AnnotationProject, rater: str, assigned: Assigned
) -> tuple[list[QuestionFeedback], str]:
    """Return what an item in training tells its rater once every question is answered, and why; empty before."""
    known = project.known.get(assigned.item)
    if known is None or not known.training:
        return [], ""
    given, _ = project.shown_answers(rater, assigned)
    found = []
    for question in project.plan.questions:
        if question.key not in given:
            return [], ""
        right = known.answers[question.key]
        shown = turned(right) if assigned.swapped and question.sided else right
        words = {option.value: option.label for option in question.options}
        found.append(
            QuestionFeedback(
                question.key, question.title, words.get(given[question.key], given[question.key]),
                words.get(shown, shown),
            )
        )  # fmt: skip
    return found, known.why


def attention(project: AnnotationProject) -> dict[str, Estimate]:
    """Return the share of known answers that each rater gave to the checks of attention, with a 95 % Wilson interval."""
    hits: defaultdict[str, list[bool]] = defaultdict(list)
    for row in project.answers():
        known = project.known.get(row.item)
        if known is not None and not known.training and row.question in known.answers:
            hits[row.rater].append(row.value == known.answers[row.question])
    return {rater: wilson_interval(sum(found), len(found)) for rater, found in hits.items()}
