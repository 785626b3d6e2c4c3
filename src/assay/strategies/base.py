"""Prompting strategies: a name, a template, and how the calls make one answer.

A strategy of one call is its template and the fields that the judge fills in before the verdict:

    STRATEGY = Strategy(
        name="brief",
        summary="One or two sentences, then the verdict.",
        fields=(Field("assessment", "one or two sentences on the whole"),),
    )

A strategy of several calls brings its own ``elicit``, which names the blocks of its template:

    async def elicit(ask: Ask) -> Answer:
        plan = await ask.text("plan")
        return await ask.verdict("score", plan=plan) if plan else nothing("plan")

``elicit`` runs again from the start whenever a run is resumed or a batch comes back, and the ledger answers the calls
made before. So it must make the same calls after the same replies: no randomness, no clock.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

import msgspec

from assay.errors import UsageError
from assay.frozen import FrozenFields
from assay.models.base import Reply, Usage
from assay.rubrics.rubric import Criterion, Rubric, Target
from assay.subjects.case import MODES, Mode

# What stands before the task in a prompt. A call may be shown only a part of it.
Material = Literal["query", "reference", "context", "documents"]
ALL_MATERIAL: Final[tuple[Material, ...]] = ("query", "reference", "context", "documents")
Status = Literal["ok", "unparsed", "refused", "failed"]
# Keys of a reply that hold the verdict.
_VERDICTS: Final = ("score", "scores", "preference", "preferences", "ranking")
# Stands for the index of a document in quotes of the reference.
REFERENCE: Final = -1


class Document(msgspec.Struct, frozen=True):
    """A text to be judged, with its label in the prompt (``"A"``, ``"1"``; empty if it is the only one)."""

    label: str
    text: str
    kind: Target = "report"


class PromptMaterial(msgspec.Struct, frozen=True, kw_only=True):
    """What stands before the task in a prompt, each text fenced. The same texts give the same beginning.

    Attributes:
        documents: Documents, such as those to be judged.
        query: The question that the documents answer.
        reference: A reference answer, for strategies that compare with one.
        context: What comes before the document, in parts: the steps before a step, the outline around a chunk. Each
            part has its own fence, so that a longer context begins like a shorter one.
        language: Language of the prompt.
    """

    documents: tuple[Document, ...] = ()
    query: str | None = None
    reference: str | None = None
    context: tuple[str, ...] = ()
    language: Literal["en", "zh"] = "en"


class Question(PromptMaterial, frozen=True, kw_only=True):
    """What a judge is asked in one go: documents, criteria, and the mode.

    Attributes:
        mode: Score one document, compare two, or rank several.
        rubric: The rubric.
        criteria: The criteria of the rubric that this question is about; all must be answered.
        trial: Number of the repetition, from 0.
    """

    mode: Mode
    rubric: Rubric
    criteria: tuple[Criterion, ...]
    trial: int = 0


class Field(msgspec.Struct, frozen=True):
    """A text, or a list of texts, that the judge writes before its verdict.

    Attributes:
        key: Key in the reply.
        asks: What the judge is asked to write there.
        asks_zh: The same in Chinese.
        many: Whether it is a list.
        quotes: Where the texts were copied from, if they are quotes; they are looked up there.
    """

    key: str
    asks: str
    asks_zh: str = ""
    many: bool = False
    quotes: Literal["document", "reference"] | None = None


class ConfidenceField(Field, frozen=True):
    """A number from 0 to 1 that the judge writes after its verdict: how sure it is."""


class QuotedText(msgspec.Struct, frozen=True):
    """A passage that the judge quoted, and where it stands.

    Attributes:
        text: The passage.
        document: Index of the document that has it; `REFERENCE` if it was to be copied from the reference; None if no
            document has it.
        start: Start in code points; None for an invented quote, which stands nowhere.
        end: End, exclusive; None for an invented quote.
    """

    text: str
    document: int | None
    start: int | None
    end: int | None


class Detail(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the judge writes on one criterion besides its verdict.

    Attributes:
        rationale: The reasons.
        confidence: How sure the judge says it is, 0 to 1; None if it was not asked or gave no usable number.
        quotes: Passages quoted for the criterion.
        missing: What it would take to satisfy the criterion.
    """

    rationale: str = ""
    confidence: float | None = None
    quotes: tuple[QuotedText, ...] = ()
    missing: tuple[str, ...] = ()


class Answer(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """The verdicts read from the replies to one question, or why there are none.

    Attributes:
        status: "ok" only if every criterion was answered with a value on offer.
        values: Number or label for each criterion. Empty unless the status is "ok"; but if each criterion has an
            entry of its own (`Strategy.each`), the criteria that were answered are here in any case.
        preference: Verdict over all criteria of a comparison.
        ranking: Indices of the documents of a ranking, best first.
        rationale: The reasons as readable text.
        quotes: Passages quoted.
        details: Reasons and quotes by criterion, for strategies that ask for them.
        usage: Tokens and cost of all calls.
        calls: Keys of the calls in the ledger, in order.
        problem: Why there is no verdict.
        reply: The raw reply that was read, with or without success.
        notes: What else happened: votes that were not needed, attempts made, settings that an endpoint refused.
    """

    status: Status
    values: dict[str, float | str] = {}
    preference: str | None = None
    ranking: tuple[int, ...] | None = None
    rationale: str = ""
    quotes: tuple[QuotedText, ...] = ()
    details: dict[str, Detail] = {}
    usage: Usage = Usage()
    calls: tuple[str, ...] = ()
    problem: str | None = None
    reply: str = ""
    notes: tuple[str, ...] = ()


class Ask(Protocol):
    """What a strategy makes its calls with: each call sends a block of its template after the shared prefix."""

    question: Question
    options: Mapping[str, Any]

    async def text(
        self,
        block: str,
        *,
        max_tokens: int | None = None,
        sees: Sequence[Material] = ALL_MATERIAL,
        **variables: Any,
    ) -> str:
        """Return a reply in prose, without hidden reasoning.

        Args:
            block: Block of the template.
            max_tokens: Most tokens of the reply, if fewer than usual.
            sees: The material that the call is shown; ``()`` for a call that sees its block alone.
            **variables: Variables of the block.
        """
        ...

    async def verdict(
        self,
        block: str = "judge",
        *,
        fields: Sequence[Field] | None = None,
        draw: int = 0,
        sees: Sequence[Material] = ALL_MATERIAL,
        **variables: Any,
    ) -> Answer:
        """Return a verdict on the question.

        Replies are read strictly. The model is told once what is wrong with a reply that cannot be read; after that
        the answer is "unparsed". Usage and calls of the answer belong to this verdict alone.

        Args:
            block: Block of the template.
            fields: What the judge writes before the verdict; the strategy's fields if None.
            draw: Number of the draw: another number makes the same call again, for another reply.
            sees: The material that the call is shown.
            **variables: Variables of the block.
        """
        ...

    async def reply(
        self,
        block: str = "judge",
        *,
        read: Callable[[Reply], Answer],
        draw: int = 0,
        sees: Sequence[Material] = ALL_MATERIAL,
        **variables: Any,
    ) -> Answer:
        """Return a verdict in a form of the strategy's own, which its block asks for and ``read`` reads.

        ``read`` returns an answer that is "ok", or "unparsed" with a problem. The model is told the problem once,
        by the block ``again`` of the template.
        """
        ...

    async def data(
        self,
        block: str,
        schema: Mapping[str, Any],
        *,
        max_tokens: int | None = None,
        draw: int = 0,
        sees: Sequence[Material] = ALL_MATERIAL,
        **variables: Any,
    ) -> Any | None:
        """Return a JSON value that fits a schema, or None if the reply holds none."""
        ...

    async def all(self, *calls: Awaitable[Any]) -> list[Any]:
        """Make several calls at once and return their results in order; all are made even if one has no reply yet."""
        ...

    def note(self, text: str) -> None:
        """Record something about how the answer came about."""
        ...


Elicit = Callable[[Ask], Awaitable[Answer]]


async def _once(ask: Ask) -> Answer:
    return await ask.verdict()


class Strategy(msgspec.Struct, frozen=True, kw_only=True):
    """A way to elicit a verdict.

    Attributes:
        name: Name on the command line, before the ``@``.
        summary: What it does, in one line.
        source: Paper and section, if it comes from a paper.
        fields: What the judge writes before the verdict, in order; empty for a bare verdict.
        each: Whether each criterion of a score has an entry of its own with all fields. The block ``entries`` of the
            template describes the object of entries; what the judge writes there becomes `Answer.details`.
        elicit: Makes the calls. The default sends the block ``judge`` once.
        needs_reference: Modes that require a reference.
        calls: Fewest and most calls of a question, for plans; retries of unreadable replies and questions that end
            early are not counted.
        calls_by: The same as a function of the options, if they change it.
        draws: Whether it may make the same call again for another reply, which takes a temperature above 0.
        options: Its own settings and their defaults, which fix their types.
        template: Path of its template; if empty, the file beside the module that is named after the strategy.
        texts: Templates by language, "en" or "zh", for strategies made outside the package; they are not read again
            from ``template``, which then only names them.
        language: Language of the prompts unless the judge's settings name one; None for that of the subject.
        digest: Hash of the code of ``elicit``, for strategies whose code may change between two runs.
        plain: The plainest readable reply to a question, for strategies with a reply form of their own; for dry runs.
    """

    name: str
    summary: str
    source: str = ""
    fields: tuple[Field, ...] = ()
    each: bool = False
    elicit: Elicit = _once
    needs_reference: frozenset[Mode] = frozenset()
    calls: tuple[int, int] = (1, 1)
    calls_by: Callable[[Mapping[str, Any]], tuple[int, int]] | None = None
    draws: bool = False
    options: dict[str, Any] = {}
    template: str = ""
    texts: dict[str, str] = {}
    language: Literal["en", "zh"] | None = None
    digest: str = ""
    plain: Callable[[Question], str] | None = None

    def calls_with(self, options: Mapping[str, Any] | None = None) -> tuple[int, int]:
        """Return the fewest and the most calls of a question with these options.

        Raises:
            UsageError: An option has a value out of range.
        """
        return self.calls_by({**self.options, **(options or {})}) if self.calls_by else self.calls


def check_fields(fields: Iterable[Field], where: str) -> None:
    """Refuse fields that would stand in the place of a verdict.

    Raises:
        UsageError: A field has the name of a verdict; the message begins with ``where``.
    """
    for field in fields:
        if field.key in _VERDICTS:
            raise UsageError(f"{where} has a field {field.key!r}, which is the name of a verdict; rename it")


def require_reference(strategy: Strategy, question: Question) -> None:
    """Refuse a question without a reference that the strategy needs.

    Raises:
        UsageError: The strategy needs a reference in this mode and the question has none.
    """
    if question.mode not in strategy.needs_reference or (question.reference or "").strip():
        return
    doing = {"score": "scores a document", "compare": "compares two documents", "rank": "ranks documents"}
    free = [doing[mode] for mode in MODES if mode not in strategy.needs_reference]
    without = f"; it {' or '.join(free)} without one" if free else ""
    raise UsageError(
        f"strategy {strategy.name!r} {doing[question.mode]} against a reference answer, and there is none{without}",
        hint="pass it as reference=…",
        cli_hint="pass it with --reference FILE",
    )


def no_answer(step: str) -> Answer:
    """Return the answer for a step that came back empty: no verdict, rather than one reached without the step."""
    return Answer(status="unparsed", problem=f"the {step} came back empty")
