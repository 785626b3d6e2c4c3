"""The questions of a judgment (what is shown, in which order, by which criteria), and the cases that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from assay.errors import UsageError
from assay.judges.identity import name_of
from assay.judges.judgment import Quote
from assay.judges.parts import JudgmentPart
from assay.judges.synthesis import ReportReading, shown_parts
from assay.judges.units import SubjectUnit, labels_of, units_of, whole
from assay.rubrics.rubric import Criterion, Rubric
from assay.strategies.base import Answer, Document, Question, Strategy, require_reference
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.judges.settings import JudgeSettings
    from assay.strategies.prompts import Prompts
    from assay.subjects.case import Case


class JudgmentQuestion(NamedTuple):
    """A question of a judgment: its unit, the order of showing, the units shown, and the question itself."""

    unit: str
    order: str
    shown: tuple[SubjectUnit, ...]
    question: Question


class QuestionContext(NamedTuple):
    """What all questions of a judgment have in common."""

    strategy: Strategy
    settings: JudgeSettings
    prompts: Prompts
    language: Literal["en", "zh"]
    repetition: int


def questions_of(
    case: Case,
    rubric: Rubric,
    context: QuestionContext,
    reading: ReportReading | None = None,
) -> list[JudgmentQuestion]:
    """Return all questions of a judgment.

    Args:
        case: The case.
        rubric: The rubric.
        context: Strategy, settings, prompts, language and repetition.
        reading: What was gathered from the parts of a report, for a synthesis.

    Raises:
        UsageError: The questions cannot be asked.
    """
    questions: list[JudgmentQuestion] = []
    for order, together, batches in _shown(case, rubric, context, reading):
        labels = labels_of(len(together), case.mode)
        documents = tuple(
            Document(label, unit.text, unit.kind) for label, unit in zip(labels, together, strict=True)
        )
        for criteria in batches:
            question = Question(
                mode=case.mode,
                documents=documents,
                rubric=rubric,
                criteria=criteria,
                query=case.query,
                reference=case.reference,
                context=together[0].context if case.mode == "score" else (),
                language=context.language,
                trial=context.repetition,
            )
            require_reference(context.strategy, question)
            questions.append(
                JudgmentQuestion(together[0].id if case.mode == "score" else "", order, together, question)
            )
    return questions


_Shown = tuple[str, tuple[SubjectUnit, ...], list[tuple[Criterion, ...]]]


def _shown(
    case: Case,
    rubric: Rubric,
    context: QuestionContext,
    reading: ReportReading | None,
) -> list[_Shown]:
    """Return the units shown together, the order in which they are shown, and the criteria of each call."""
    settings = context.settings
    if case.mode != "score":
        together = tuple(whole(item) for item in case.subjects)
        names = ("AB", "BA") if case.mode == "compare" else ("forward", "reverse")
        orders = [together, together[::-1]] if settings.swap else [together]
        # A comparison weighs all criteria for its verdict; asked one by one, they would give no overall verdict.
        return [(name, order, [rubric.criteria]) for name, order in zip(names, orders, strict=False)]
    batches = batches_of(rubric, settings)
    subject = case.subjects[0]
    if settings.granularity != "synthesis" or not isinstance(subject, Report):
        return [("", (unit,), batches) for unit in units_of(subject, settings.granularity)]
    parts = shown_parts(
        subject,
        rubric,
        batches,
        reading=reading,
        chars=settings.chunk_chars,
        prompts=context.prompts,
        language=context.language,
    )
    return [("", (unit,), groups) for unit, groups in parts]


def batches_of(rubric: Rubric, settings: JudgeSettings) -> list[tuple[Criterion, ...]]:
    """Return the criteria that are asked together.

    Raises:
        UsageError: ``per_call`` is negative.
    """
    count = settings.per_call
    if count is None:
        count = 0 if rubric.ask == "together" else 1
    if count < 0:
        raise UsageError(f"per-call is {count}; it must be 0 (all) or more")
    step = count or max(1, len(rubric.criteria))
    return [rubric.criteria[i : i + step] for i in range(0, len(rubric.criteria), step)]


def check_subjects(case: Case, rubric: Rubric, settings: JudgeSettings) -> None:
    """Refuse subjects that cannot be judged in this way.

    Raises:
        UsageError: They are of a kind that the settings or the rubric are not for.
    """
    mode, subjects = case.mode, case.subjects
    if mode != "score" and settings.granularity != "holistic":
        raise UsageError(
            "judging in parts scores one subject; compare and rank take whole subjects",
            hint='granularity="holistic"',
            cli_hint="--granularity holistic",
        )
    if settings.granularity == "synthesis" and not isinstance(subjects[0], Report):
        raise UsageError(
            f"{name_of(subjects[0])} is a trajectory, and synthesis is for reports",
            hint='granularity="fine" judges it step by step, granularity="holistic" as a whole',
            cli_hint="--granularity fine judges it step by step, --granularity holistic as a whole",
        )
    targets = rubric.targets
    if not targets:
        return
    fine = settings.granularity == "fine"
    for subject in subjects:
        kinds = ("report", "chunk") if isinstance(subject, Report) else ("trajectory", "step")
        if kinds[fine] in targets:
            continue
        hint, cli_hint = "use another rubric", "`assay rubrics list` shows the others"
        if kinds[not fine] in targets and mode == "score":
            way, how = ("holistic", "as a whole") if fine else ("fine", "in parts")
            hint = f'granularity="{way}" judges it {how}; or {hint}'
            cli_hint = f"--granularity {way} judges it {how}; or use another rubric: {cli_hint}"
        raise UsageError(
            f"rubric {rubric.name!r} is for a {' or a '.join(targets)}, and {name_of(subject)}"
            f" is judged as a {kinds[fine]}",
            hint=hint,
            cli_hint=cli_hint,
        )


def part_of(question: JudgmentQuestion, answer: Answer, count: int) -> JudgmentPart:
    """Return an answer as a part of a judgment of ``count`` subjects.

    A ranking is put into the order in which the subjects were given, and quotes are located in their sources.
    """
    order, shown = question.order, question.shown
    if order == "reverse" and answer.ranking is not None:
        answer = msgspec.structs.replace(answer, ranking=tuple(count - 1 - place for place in answer.ranking))
    quotes = []
    for quote in answer.quotes:
        start: int | None = None
        end: int | None = None
        given = 0
        if quote.start is not None and quote.end is not None and quote.document is not None:
            if quote.document < 0:
                # A quote from the reference has no place in the subject.
                continue
            start, end = shown[quote.document].place(quote.start, quote.end) or (None, None)
            turned = order in ("BA", "reverse")
            given = count - 1 - quote.document if turned else quote.document
        quotes.append(Quote(quote.text, start, end, given))
    keys = tuple(item.key for item in question.question.criteria)
    return JudgmentPart(question.unit, order, keys, answer, tuple(quotes))
