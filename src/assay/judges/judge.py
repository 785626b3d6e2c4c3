"""A judge: a prompting strategy, a model, a rubric and settings, applied to subjects.

judge = Judge(find_strategy("comparative"), model, load_rubric("reflect-report"))
result = await judge.score(report, reference=text)
print(result.judgment.scores)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.generation.author import Author
from assay.generation.gathered_passages import GATHER
from assay.judges.combine import combine_pair, combine_ranking, combine_scores
from assay.judges.identity import address_of, language_of, name_of, query_of
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
from assay.models.tokens import estimate_tokens
from assay.rubrics.rubric import Criterion, Rubric
from assay.strategies.asker import DRAWS, Asker, run_strategy
from assay.strategies.base import Question, Strategy, require_reference
from assay.strategies.prompts import Prompts
from assay.subjects.case import Mode
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.models.base import Model
    from assay.subjects.subject import Subject

# The first seed of the paper's repetitions (cot-judges, section 3.4).
_SEED: Final = 43
# Approximate tokens of the task of writing a rubric for a pair, and of its eight items.
_RUBRIC_TASK: Final = 1500
_RUBRIC: Final = 2000
_WARM: Final = 0.7


class JudgeResult(msgspec.Struct, frozen=True):
    """A judgment and the answers it combines."""

    judgment: Judgment
    parts: tuple[JudgmentPart, ...]


class Judge:
    """A judge that asks a model.

    Args:
        strategy: Prompting strategy.
        model: Model that is asked.
        rubric: One rubric for all cases, or a source that gives each case its own.
        settings: All other settings.
        prompts: Templates; by default the package's own.
        extra: Request fields from the model's own settings. They are part of the judge's version.
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
    ) -> None:
        self.strategy = strategy
        self.model = model
        self.source = None if isinstance(rubric, Rubric) else rubric
        self.rubric = rubric if isinstance(rubric, Rubric) else rubric.typical
        self.settings = settings or JudgeSettings()
        self.prompts = prompts or Prompts()
        self._extra = dict(extra or {})
        check_options(strategy, self.settings.options)
        self._batches = batches_of(self.rubric, self.settings)

    @property
    def name(self) -> str:
        """``STRATEGY@MODEL``."""
        return f"{self.strategy.name}@{self.model.id}"

    @cached_property
    def version(self) -> str:
        """Hash of templates, rubric, model and settings, 12 hex digits: everything that can change its judgments.

        The number of repetitions and an early stop do not count: each repetition is the same either way.
        """
        # Sampling is hashed as it results, so that a given value and an equal default do not differ.
        settings = msgspec.structs.replace(
            self.settings,
            trials=1,
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
            temperature = _WARM if settings.trials > 1 or self.strategy.draws else 0.0
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

    def key(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> str:
        """Return the content address of a judgment: 32 hex digits that depend on everything that determines the judgment.

        If subjects have the same content but other names, their judgments have other keys, although they share the calls.
        """
        return self.keys(address_of(mode, subjects, query=query, reference=reference), (trial,))[0]

    def keys(self, address: bytes, trials: Iterable[int]) -> list[str]:
        """Return the keys of several repetitions of a case by its `address_of`, which is hashed once for all judges."""
        start = hashlib.blake2b(address, digest_size=16)
        start.update(self.version.encode())
        keys = []
        for trial in trials:
            digest = start.copy()
            digest.update(b"%d" % trial)
            keys.append(digest.hexdigest())
        return keys

    @property
    def rubric_name(self) -> str:
        """Name of the rubric in results."""
        return self.rubric.name if self.source is None else self.source.name

    def rubric_for(self, mode: Mode, subjects: Sequence[Subject], *, query: str | None = None) -> Rubric:
        """Return the rubric of a case, or a typical one if it is yet to be written."""
        if self.source is None:
            return self.rubric
        return self.source.known(mode, subjects, query=query_of(subjects, query)) or self.rubric

    def check(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
    ) -> None:
        """Refuse a case that cannot be judged, without calling the model.

        Raises:
            UsageError: The rubric is for other subjects, there is none for this case, or the strategy needs a
                reference.
        """
        check_subjects(mode, subjects, self.rubric, self.settings)
        if self.source is not None:
            self.source.check(mode, subjects, query=query_of(subjects, query))
        question = Question(mode=mode, documents=(), rubric=self.rubric, criteria=(), reference=reference)
        require_reference(self.strategy, question)

    def setup_cost(self, mode: Mode, subjects: Sequence[Subject], *, query: str | None = None) -> SetupCost:
        """Return the estimated cost of the calls that precede the questions of a judgment."""
        if (
            self.source is None
            or self.source.known(mode, subjects, query=query_of(subjects, query)) is not None
        ):
            return SetupCost()
        read = sum(estimate_tokens(subject.source) for subject in subjects)
        return SetupCost(1, read + _RUBRIC_TASK, _RUBRIC)

    @property
    def batches(self) -> Sequence[tuple[Criterion, ...]]:
        """Criteria that are asked together when a subject is scored."""
        return self._batches

    async def make(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> JudgeResult:
        """Score, compare or rank, according to the mode. Raises the same errors as `score`."""
        rubric, parts = await self.collect(mode, subjects, query=query, reference=reference, trial=trial)
        if mode == "score":
            judgment = combine_scores(name_of(subjects[0]), self.name, rubric, parts)
        elif mode == "compare":
            names = " | ".join(map(name_of, subjects, "AB"))
            judgment = combine_pair(names, self.name, rubric, parts)
        else:
            names = " | ".join(name_of(item, str(i + 1)) for i, item in enumerate(subjects))
            judgment = combine_ranking(names, self.name, rubric, len(subjects), parts)
        if self.source is not None:
            judgment = msgspec.structs.replace(judgment, rubric=self.source.name)
        return JudgeResult(judgment, parts)

    async def score(
        self,
        subject: Subject,
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> JudgeResult:
        """Judge one subject by itself.

        Args:
            subject: A report or a trajectory.
            query: Question that it answers, unless it carries its own.
            reference: Reference answer.
            trial: Number of the repetition, from 0.

        Raises:
            UsageError: The strategy lacks an input, or the rubric is for other subjects.
            ModelSetupError: No call to the model can succeed.
        """
        return await self.make("score", [subject], query=query, reference=reference, trial=trial)

    async def compare(
        self,
        a: Subject,
        b: Subject,
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> JudgeResult:
        """Judge which of two subjects is better, by default in both orders. Raises the same errors as `score`."""
        return await self.make("compare", [a, b], query=query, reference=reference, trial=trial)

    async def rank(
        self,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> JudgeResult:
        """Order several subjects, best first, in one prompt and by default in the reverse order too.

        If they do not fit into one prompt, use `assay.judges.tournament`. Raises the same errors as `score`.
        """
        return await self.make("rank", subjects, query=query, reference=reference, trial=trial)

    def questions(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
        rubric: Rubric | None = None,
        reading: ReportReading | None = None,
    ) -> list[JudgmentQuestion]:
        """Return all questions of a judgment.

        For a synthesis that has not been read yet, the parts to read are included as questions: what they will
        contribute is unknown.

        Args:
            mode: Score, pair or rank.
            subjects: The subjects.
            query: Question that they answer.
            reference: Reference answer.
            trial: Number of the repetition, from 0.
            rubric: Rubric of this judgment; by default the judge's, or a typical one.
            reading: What was gathered from the parts of a report, for a synthesis.

        Raises:
            UsageError: The questions cannot be asked.
        """
        check_subjects(mode, subjects, self.rubric, self.settings)
        context = QuestionContext(
            self.strategy,
            self.settings,
            self.prompts,
            self._language(subjects),
            query_of(subjects, query),
            reference,
            trial,
        )
        return questions_of(
            mode, subjects, rubric or self.rubric_for(mode, subjects, query=query), context, reading
        )

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

    async def collect(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> tuple[Rubric, tuple[JudgmentPart, ...]]:
        """Return the rubric of a judgment and all its answers, before they are combined.

        Other kinds of judges override this; most call `ask_by` with a rubric of their own.
        """
        inputs: dict[str, Any] = {"query": query, "reference": reference, "trial": trial}
        if self.source is None:
            return self.rubric, await self.ask_by(self.rubric, mode, subjects, **inputs)
        check_subjects(mode, subjects, self.rubric, self.settings)
        resolved = await self.source.rubric(
            mode, subjects, query=query_of(subjects, query), language=self._language(subjects)
        )
        if resolved.rubric is None:
            return self.rubric, resolved.parts
        answers = await self.ask_by(resolved.rubric, mode, subjects, **inputs)
        return resolved.rubric, (*resolved.parts, *answers)

    async def ask_by(
        self,
        rubric: Rubric,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> tuple[JudgmentPart, ...]:
        """Return all answers by a rubric. For a synthesis the parts of the report are read first, and come first."""
        preparation: tuple[JudgmentPart, ...] = ()
        reading: ReportReading | None = None
        subject = subjects[0]
        if self.settings.granularity == "synthesis" and isinstance(subject, Report) and rubric.criteria:
            check_subjects(mode, subjects, self.rubric, self.settings)
            reading = await read_parts(
                self._author,
                parts_of(subject, self.settings.chunk_chars),
                rubric.criteria,
                query=query_of(subjects, query),
                language=self._language(subjects),
                draw=trial * DRAWS,
            )
            unread = (JudgmentPart("", "", (key,), answer) for key, answer in reading.unread.items())
            preparation = (*reading.parts, *unread)
        questions = self.questions(
            mode, subjects, query=query, reference=reference, trial=trial, rubric=rubric, reading=reading
        )
        return preparation + await self._ask(questions, len(subjects))

    def _language(self, subjects: Sequence[Subject]) -> Literal["en", "zh"]:
        """Return the language of the prompts."""
        language = self.settings.language
        return language_of(subjects[0]) if language == "auto" else language

    async def _ask(self, questions: Sequence[JudgmentQuestion], count: int) -> tuple[JudgmentPart, ...]:
        async def one(question: JudgmentQuestion) -> JudgmentPart:
            return part_of(question, await run_strategy(self.asker(question.question), self.strategy), count)

        return await all_parts([one(question) for question in questions]) if questions else ()
