"""A judge that asks a model: a prompting strategy, a model, a rubric and settings, applied to cases.

judge = ModelJudge(find_strategy("comparative"), model, load_rubric("reflect-report"))
judgment = await judge.judge(Case(report, reference=text))
print(judgment.scores)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.generation.author import Author
from assay.generation.gathered_passages import GATHER
from assay.judges.combine import combine_pair, combine_ranking, combine_scores
from assay.judges.context_window import check_window, surely_fits, tokens_of
from assay.judges.identity import key_of, language_of, metadata_of
from assay.judges.judgment import Judgment
from assay.judges.parts import JudgmentPart, all_parts
from assay.judges.questions import (
    JudgmentQuestion,
    QuestionContext,
    batches_of,
    check_subjects,
    part_of,
    questions_of,
)
from assay.judges.rubric_source import RubricSource, SetupCost
from assay.judges.settings import JudgeSettings, check_options
from assay.judges.synthesis import ReportReading, parts_of, read_parts
from assay.models.base import Sampling
from assay.rubrics.rubric import Criterion, Rubric
from assay.strategies.asker import DRAWS, Asker, run_strategy
from assay.strategies.base import Question, Strategy, require_reference
from assay.strategies.prompts import Prompts
from assay.subjects.case import MODES, Case, Mode
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.models.base import Model

# The first seed of the paper's repetitions (cot-judges, section 3.4).
_SEED: Final = 43
# Approximate tokens of the task of writing a rubric for a pair, and of its eight items.
_RUBRIC_TASK: Final = 1500
_RUBRIC: Final = 2000
_WARM: Final = 0.7


class ModelJudge:
    """A judge that asks a model.

    Args:
        strategy: Prompting strategy.
        model: Model that is asked.
        rubric: One rubric for all cases, or a source that gives each case its own.
        settings: All other settings.
        prompts: Templates; by default the package's own.
        extra: Request fields from the model's own settings. They are part of the judge's version.
        name: Its name in results; by default ``STRATEGY@MODEL``.
    """

    def __init__(
        self,
        strategy: Strategy,
        model: Model,
        rubric: Rubric | RubricSource,
        settings: JudgeSettings | None = None,
        prompts: Prompts | None = None,
        *,
        extra: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        self.strategy = strategy
        self.model = model
        self.source = None if isinstance(rubric, Rubric) else rubric
        self.rubric = rubric if isinstance(rubric, Rubric) else rubric.typical
        self.settings = settings or JudgeSettings()
        own = prompts or Prompts()
        self.prompts = own if self.settings.defence else own.without_defence()
        self.name = name or f"{strategy.name}@{model.id}"
        # Context window of the model in tokens, if known.
        self.window: int | None = None
        self._extra = dict(extra or {})
        check_options(strategy, self.settings.options)
        self._batches = batches_of(self.rubric, self.settings)

    @cached_property
    def version(self) -> str:
        """Hash of templates, rubric, model and settings, 12 hex digits: everything that can change its judgments.

        The number of repetitions and an early stop do not count: each repetition is the same either way.
        """
        # Sampling is hashed as it results, so that a given value and an equal default do not differ.
        settings = msgspec.structs.replace(
            self.settings,
            repetitions=1,
            early_stop=False,
            temperature=None,
            top_p=None,
            max_tokens=1,
            seed=None,
            reasoning_effort=None,
        )
        parts = (
            self.strategy.name,
            self.strategy.fields,
            sorted(self.strategy.options.items()),
            self.prompts.version(self.strategy),
            self.rubric.version if self.source is None else self.source.version,
            self.model.id,
            settings,
            self.sampling,
            *(("each",) if self.strategy.each else ()),
            *(self._author.version(GATHER) if self.settings.granularity == "synthesis" else ()),
        )
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=6).hexdigest()

    @cached_property
    def sampling(self) -> Sampling:
        """Sampling parameters of the first repetition."""
        settings = self.settings
        temperature = settings.temperature
        if temperature is None:
            temperature = _WARM if settings.repetitions > 1 or self.strategy.draws else 0.0
        seed = settings.seed
        if seed is None and temperature > 0:
            seed = _SEED
        return Sampling(
            temperature=temperature,
            top_p=settings.top_p,
            max_tokens=settings.max_tokens,
            seed=seed,
            reasoning_effort=settings.reasoning_effort,
            extra=self._extra,
        )

    @property
    def rubric_name(self) -> str:
        """Name of the rubric in results."""
        return self.rubric.name if self.source is None else self.source.name

    @property
    def repetitions(self) -> int:
        """Number of times each case is judged."""
        return self.settings.repetitions

    @property
    def early_stop(self) -> bool:
        """Whether repetitions of comparisons end once the majority is settled."""
        return self.settings.early_stop

    @property
    def modes(self) -> tuple[Mode, ...]:
        """What the judge can do."""
        return MODES

    def key(self, case: Case, repetition: int = 0) -> str:
        """Return the content address of a judgment: 32 hex digits that depend on everything that determines the judgment.

        If subjects have the same content but other names, their judgments have other keys, although they share the calls.
        """
        return key_of(self.version, case, repetition)

    def rubric_for(self, case: Case) -> Rubric:
        """Return the rubric of a case, or a typical one if it is yet to be written."""
        return self.rubric if self.source is None else self.source.known(case) or self.rubric

    def check(self, case: Case) -> None:
        """Refuse a case that cannot be judged, without calling the model.

        Raises:
            UsageError: The rubric is for other subjects, there is none for this case, the strategy needs a reference,
                or the texts exceed the model's window.
        """
        check_subjects(case, self.rubric, self.settings)
        if self.source is not None:
            self.source.check(case)
        question = Question(
            mode=case.mode, documents=(), rubric=self.rubric, criteria=(), reference=case.reference
        )
        require_reference(self.strategy, question)
        self.check_window(case)

    def check_window(self, case: Case) -> None:
        """Refuse a case that exceeds the context window of the judge's model.

        Raises:
            TooLongError: A question does not fit.
        """
        window = self.window
        if window is not None and not surely_fits(case, window):
            granularity = self.settings.granularity
            check_window(self.questions(case), self.prompts, window, self.model.id, granularity)

    def setup_cost(self, case: Case) -> SetupCost:
        """Return the estimated cost of the calls that precede the questions of a judgment."""
        if self.source is None or self.source.known(case) is not None:
            return SetupCost()
        read = sum(map(tokens_of, case.subjects))
        return SetupCost(1, read + _RUBRIC_TASK, _RUBRIC)

    @property
    def batches(self) -> Sequence[tuple[Criterion, ...]]:
        """Criteria that are asked together when a subject is scored."""
        return self._batches

    async def judge(self, case: Case, repetition: int = 0) -> Judgment:
        """Score, compare or rank, according to the case's mode.

        Raises:
            UsageError: The strategy lacks an input, or the rubric is for other subjects.
            ModelSetupError: No call to the model can succeed.
        """
        return self.combine(case, repetition, *await self.answer(case, repetition))

    def combine(self, case: Case, repetition: int, rubric: Rubric, parts: Sequence[JudgmentPart]) -> Judgment:
        """Return the judgment that follows from the answers to a case by a rubric."""
        if case.mode == "score":
            judgment = combine_scores(case.name, self.name, rubric, parts)
        elif case.mode == "compare":
            judgment = combine_pair(case.name, self.name, rubric, parts)
        else:
            judgment = combine_ranking(case.name, self.name, rubric, len(case.subjects), parts)
        return msgspec.structs.replace(
            judgment,
            rubric=self.rubric_name if self.source is not None else judgment.rubric,
            version=self.version,
            key=self.key(case, repetition),
            repetition=repetition,
            metadata=metadata_of(case),
        )

    def questions(
        self,
        case: Case,
        repetition: int = 0,
        *,
        rubric: Rubric | None = None,
        reading: ReportReading | None = None,
    ) -> list[JudgmentQuestion]:
        """Return all questions of a judgment.

        For a synthesis that has not been read yet, the parts to read are included as questions: what they will
        contribute is unknown.

        Args:
            case: The case.
            repetition: Number of the repetition, from 0.
            rubric: Rubric of this judgment; by default the judge's, or a typical one.
            reading: What was gathered from the parts of a report, for a synthesis.

        Raises:
            UsageError: The questions cannot be asked.
        """
        check_subjects(case, self.rubric, self.settings)
        context = QuestionContext(
            self.strategy, self.settings, self.prompts, self._language(case), repetition
        )
        return questions_of(case, rubric or self.rubric_for(case), context, reading)

    @property
    def _author(self) -> Author:
        """The judge's model as the reader of parts."""
        settings = self.settings
        return Author(
            self.model,
            self.prompts,
            sampling=self.sampling,
            structured=settings.structured,
            retries=settings.retries,
        )

    def asker(self, question: Question) -> Asker:
        """Return the object that asks one question."""
        settings = self.settings
        return Asker(
            question,
            self.strategy,
            self.model,
            self.prompts,
            sampling=self.sampling,
            options=settings.options,
            structured=settings.structured,
            retries=settings.retries,
        )

    async def answer(self, case: Case, repetition: int = 0) -> tuple[Rubric, tuple[JudgmentPart, ...]]:
        """Return the rubric of a judgment and all its answers, before they are combined.

        Other kinds of judges override this; most call `ask_by` with a rubric of their own.
        """
        if self.source is None:
            return self.rubric, await self.ask_by(self.rubric, case, repetition)
        check_subjects(case, self.rubric, self.settings)
        resolved = await self.source.rubric(case, language=self._language(case))
        if resolved.rubric is None:
            return self.rubric, resolved.parts
        answers = await self.ask_by(resolved.rubric, case, repetition)
        return resolved.rubric, (*resolved.parts, *answers)

    async def ask_by(self, rubric: Rubric, case: Case, repetition: int = 0) -> tuple[JudgmentPart, ...]:
        """Return all answers by a rubric. For a synthesis the parts of the report are read first, and come first."""
        preparation: tuple[JudgmentPart, ...] = ()
        reading: ReportReading | None = None
        subject = case.subjects[0]
        if self.settings.granularity == "synthesis" and isinstance(subject, Report) and rubric.criteria:
            check_subjects(case, self.rubric, self.settings)
            reading = await read_parts(
                self._author,
                parts_of(subject, self.settings.chunk_chars),
                rubric.criteria,
                query=case.query,
                language=self._language(case),
                draw=repetition * DRAWS,
            )
            unread = (JudgmentPart("", "", (key,), answer) for key, answer in reading.unread.items())
            preparation = (*reading.parts, *unread)
        questions = self.questions(case, repetition, rubric=rubric, reading=reading)
        return preparation + await self._ask(questions, len(case.subjects))

    def _language(self, case: Case) -> Literal["en", "zh"]:
        """Return the language of the prompts."""
        language = self.settings.language
        return (self.strategy.language or language_of(case.subjects[0])) if language == "auto" else language

    async def _ask(self, questions: Sequence[JudgmentQuestion], count: int) -> tuple[JudgmentPart, ...]:
        async def one(question: JudgmentQuestion) -> JudgmentPart:
            return part_of(question, await run_strategy(self.asker(question.question), self.strategy), count)

        return await all_parts([one(question) for question in questions]) if questions else ()
