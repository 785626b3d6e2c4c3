"""What a labelling task asks about each item: questions with answers on offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

import msgspec

from assay.errors import UsageError
from assay.rubrics.dimensions import DIMENSIONS
from assay.rubrics.rubric import Criterion, Rubric
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Task = Literal["faults", "pairs", "criteria", "score", "planted", "citations", "findings"]
TASKS: Final[tuple[Task, ...]] = get_args(Task)
Level = Literal["nominal", "ordinal", "interval"]
# An answer that says nothing about the item, and counts as given.
CANNOT_SAY: Final = "cannot say"
# Parts of a label that are not questions.
NOTE: Final = "note"
FAULTS: Final = "faults"
OVERALL: Final = "overall"
_SIDES: Final[Mapping[str, str]] = {"A>B": "A<B", "A<B": "A>B", "A": "B", "B": "A"}
SEVERITIES: Final = ("error", "warning", "info")
# The dimensions of ReportLogic, and what is wrong with facts and sources rather than with the argument.
FAULT_TYPES: Final = (
    *((str(item.key), item.title) for item in DIMENSIONS),
    ("factual_error", "Factual error"),
    ("wrong_citation", "Wrong citation"),
    ("invented_source", "Invented source"),
    ("omission", "Omission"),
)
_MOST_STEPS: Final = 11


class AnswerOption(msgspec.Struct, frozen=True):
    """An answer on offer: its value in labels, and its words on the page."""

    value: str
    label: str
    hint: str = ""


class AnnotationQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One question about an item.

    Attributes:
        key: Criterion of the labels; "overall" for the whole.
        title: Its name on the page.
        asks: What it asks.
        options: Answers on offer; empty for a number that is typed.
        low: Least number that may be typed.
        high: Greatest number that may be typed.
        level: Level of measurement, for agreement.
        sided: Whether answers name one of two sides, which are shown in either order.
        evidence: Whether a passage can be marked as evidence.
    """

    key: str
    title: str
    asks: str = ""
    options: tuple[AnswerOption, ...] = ()
    low: float | None = None
    high: float | None = None
    level: Level = "nominal"
    sided: bool = False
    evidence: bool = False

    @property
    def keys(self) -> list[str]:
        """The key of each answer: its value if all are single digits, else its number; empty after the ninth."""
        values = [option.value for option in self.options]
        if all(len(value) == 1 and value.isdigit() for value in values):
            return values
        return [str(number) if number < 10 else "" for number, _ in enumerate(values, start=1)]

    def accepts(self, value: str) -> bool:
        """Return whether a value is an answer to this question."""
        if value == CANNOT_SAY:
            return True
        if self.options:
            return any(option.value == value for option in self.options)
        try:
            number = float(value)
        except ValueError:
            return False
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)


def turned(value: str) -> str:
    """Return an answer about two sides after they change places."""
    return _SIDES.get(value, value)


def questions_of(
    task: Task, rubric: Rubric | None = None, scale: Literal["binary", "ternary"] = "ternary"
) -> tuple[AnnotationQuestion, ...]:
    """Return the questions of a task.

    Args:
        task: The task.
        rubric: Its rubric, for pairs, criteria and scores.
        scale: Answers to a criterion: met or not, or also partially met.

    Raises:
        UsageError: The task needs a rubric.
    """
    if task in ("pairs", "criteria", "score"):
        if rubric is None:
            raise UsageError(f"the task {task} needs a rubric", cli_hint="name one with --rubric")
        make: dict[str, Callable[[Criterion], AnnotationQuestion]] = {
            "pairs": _preference,
            "criteria": lambda item: _met(item, scale),
            "score": lambda item: _scored(item, rubric),
        }
        asked = tuple(make[task](item) for item in rubric.criteria)
        if task == "pairs" and len(asked) > 1:
            asked = (
                *asked,
                _preference(
                    Criterion(key=OVERALL, asks="Which is better on the whole?", title="On the whole")
                ),
            )
        return asked
    fixed: dict[str, tuple[AnnotationQuestion, ...]] = {
        "faults": _FAULTS_READ, "planted": _PLANTED, "citations": _CITATIONS, "findings": _FINDINGS,
    }  # fmt: skip
    if task not in fixed:
        raise UsageError(f"no task is called {task!r}; {did_you_mean(task, TASKS)}")
    return fixed[task]


def _preference(item: Criterion) -> AnnotationQuestion:
    options = (
        AnswerOption("A>B", "A is better"), AnswerOption("A<B", "B is better"), AnswerOption("both_good", "both good"),
        AnswerOption("both_bad", "both bad"),
    )  # fmt: skip
    return AnnotationQuestion(key=item.key, title=_title(item), asks=item.asks, options=options, sided=True)


def _met(item: Criterion, scale: str) -> AnnotationQuestion:
    options = [
        AnswerOption("met", "met"),
        AnswerOption("partially met", "partially met"),
        AnswerOption("not met", "not met"),
    ]
    if scale == "binary":
        del options[1]
    return AnnotationQuestion(
        key=item.key,
        title=_title(item),
        asks=item.asks,
        options=tuple(options),
        level="ordinal",
        evidence=True,
    )


def _scored(item: Criterion, rubric: Rubric) -> AnnotationQuestion:
    scale = item.scale or rubric.scale
    values = scale.values()
    if values is None or len(values) > _MOST_STEPS:
        return AnnotationQuestion(
            key=item.key, title=_title(item), asks=item.asks, low=scale.low, high=scale.high, level="interval"
        )
    options = tuple(
        AnswerOption(_plain(value), _plain(value), scale.anchors.get(_plain(value), "")) for value in values
    )
    level: Level = "nominal" if isinstance(values[0], str) else "interval"
    return AnnotationQuestion(key=item.key, title=_title(item), asks=item.asks, options=options, level=level)


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _title(item: Criterion) -> str:
    known: dict[str, str] = {dimension.key: dimension.title for dimension in DIMENSIONS}
    return item.title or known.get(item.key, "") or item.key.replace("_", " ").capitalize()


def _options(*pairs: tuple[str, str]) -> tuple[AnswerOption, ...]:
    return tuple(AnswerOption(value, label) for value, label in pairs)


# A reader says when a report is read; the faults themselves are marked in the text.
_FAULTS_READ: Final = (
    AnnotationQuestion(
        key="read",
        title="Read",
        asks="Mark each fault in the text; say here when you have read it all.",
        options=_options(("read", "read to the end")),
    ),
)
# The three questions about a planted failure, asked blind: which of the
# two passages is the original is not shown.
_PLANTED: Final = (
    AnnotationQuestion(
        key="there",
        title="Is it there?",
        asks="Does one of the two passages have the failure described above?",
        options=_options(("A", "passage A"), ("B", "passage B"), ("neither", "neither")),
        sided=True,
    ),
    AnnotationQuestion(
        key="plausible",
        title="Is it plausible?",
        asks="Could a careful writer or agent have written both passages?",
        options=_options(("yes", "yes"), ("no", "no")),
    ),
    AnnotationQuestion(
        key="better",
        title="Which is better?",
        asks="Which of the two passages is better?",
        options=_options(("A", "passage A"), ("B", "passage B"), ("same", "no difference")),
        sided=True,
    ),
)
_CITATIONS: Final = (
    AnnotationQuestion(
        key="support",
        title="Does the source support the claim?",
        asks="Read the marked claim and the source beside it.",
        options=_options(
            ("supported", "supported"),
            ("partly", "partly"),
            ("contradicted", "contradicted"),
            ("not supported", "not there"),
        ),
    ),
)
_FINDINGS: Final = (
    AnnotationQuestion(
        key="confirmed",
        title="Is the finding right?",
        asks="Does the marked passage have the fault that the finding names?",
        options=_options(("confirmed", "right"), ("rejected", "wrong")),
    ),
)
