"""What a strategy is: a name, a template, and how its calls make one answer.

A strategy of one call is its template and the fields it wants filled before the verdict:

    STRATEGY = Strategy(
        name="brief",
        summary="One or two sentences, then the verdict.",
        fields=(Field("assessment", "one or two sentences on the whole"),),
    )

One of several calls brings its own ``elicit``, which asks by the names of the blocks of its template:

    async def elicit(ask: Ask) -> Answer:
        plan = await ask.text("plan")
        return await ask.verdict("score", plan=plan) if plan else nothing("plan")

It is run again from the start whenever a run is resumed or a batch comes back, and is answered from the ledger as far
as that reaches. So it must ask the same after the same replies: no randomness, no clock.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

import msgspec

from assay.errors import UsageError
from assay.models.base import Reply, Usage
from assay.rubrics.rubric import Criterion, Rubric, Target

Mode = Literal["score", "pair", "rank"]
MODES: Final[tuple[Mode, ...]] = ("score", "pair", "rank")
# What stands before the task in a prompt. A call may be shown less than all of it.
Material = Literal["query", "reference", "context", "documents"]
ALL_MATERIAL: Final[tuple[Material, ...]] = ("query", "reference", "context", "documents")
Status = Literal["ok", "unparsed", "refused", "failed"]
# In place of the index of a document, for quotes of the reference.
REFERENCE: Final = -1


class Document(msgspec.Struct, frozen=True):
    """A text to be judged: its label in the prompt (``"A"``, ``"1"``; empty where it is the only one)."""

    label: str
    text: str
    kind: Target = "report"


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One question to a judge: what is judged, by which criteria, in which way.

    Attributes:
        mode: Score one document, compare two, or rank several.
        documents: One, two or more, as the mode has it.
        rubric: The yardstick.
        criteria: Those of its criteria asked in this question; all must be answered.
        query: The question the documents answer.
        reference: A reference answer, for strategies that compare with one.
        context: What stands before the document, in parts: the steps before a step, the outline around a chunk.
            Each is fenced by itself, so that a longer context begins like a shorter one.
        language: Of the prompt.
        trial: Which repetition this is, from 0.
    """

    mode: Mode
    documents: tuple[Document, ...]
    rubric: Rubric
    criteria: tuple[Criterion, ...]
    query: str | None = None
    reference: str | None = None
    context: tuple[str, ...] = ()
    language: Literal["en", "zh"] = "en"
    trial: int = 0


class Field(msgspec.Struct, frozen=True):
    """Something the judge writes before its verdict: its key in the reply, what goes there, text or a list of texts.

    ``quotes``: the texts are passages copied from a document; they are looked up there. ``quotes="reference"`` looks
    them up in the reference instead.
    """

    key: str
    asks: str
    asks_zh: str = ""
    many: bool = False
    quotes: Literal["document", "reference"] | None = None


class ConfidenceField(Field, frozen=True):
    """A number from 0 to 1, written after the verdict: how sure the judge is of it."""


class QuotedText(msgspec.Struct, frozen=True):
    """A passage the judge quoted, and where it stands, in code points.

    ``document`` is the index of the document it stands in, `REFERENCE` if it was taken from the reference, None if it
    stands in none of the documents. ``start`` and ``end`` are None where it stands nowhere: an invented quote, be it of
    the documents or (``document`` is then `REFERENCE` all the same) of the reference.
    """

    text: str
    document: int | None
    start: int | None
    end: int | None


class Detail(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was said on one criterion besides its verdict.

    Attributes:
        rationale: The reasons.
        confidence: How sure the judge says it is, 0 to 1; None where it was not asked or said nothing usable.
        quotes: Passages quoted for it.
        missing: What it would take to satisfy the criterion.
    """

    rationale: str = ""
    confidence: float | None = None
    quotes: tuple[QuotedText, ...] = ()
    missing: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said to one question.

    Attributes:
        status: "ok" only if every criterion was answered with something on offer.
        values: The answer to each criterion, a number or a label, as offered; empty unless ok – or, where each criterion
            has an entry of its own (`Strategy.each`), of those that were answered.
        preference: The verdict over all criteria, of a comparison.
        ranking: Indices of the documents, best first, of a ranking.
        rationale: The reasons, readable.
        quotes: Passages quoted.
        details: What was said on single criteria, by strategies that ask for it.
        usage: All calls.
        calls: Keys of the calls in the ledger, in order.
        problem: Why there is no verdict.
        reply: The raw reply the verdict was read from, or was not.
        notes: What else happened: votes not asked for, attempts made, settings an endpoint would not take.
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
    """What a strategy asks through: each call renders a block of its template behind the shared prefix."""

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
        """A reply in prose: the block's text is asked, the reply comes back without hidden reasoning.

        ``sees`` is the material shown, here and below: ``()`` for a call that knows only what its block tells it.
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
        """A verdict on the question; ``draw`` asks the same again for another one.

        Read strictly; a reply that cannot be read is answered with what was wrong with it, once; then it is unparsed.
        Usage and calls of the answer are of this verdict alone.
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
        """A verdict in a form of the strategy's own, which its block asks for and ``read`` reads.

        What it makes of a raw reply is ``ok``, or ``unparsed`` with a problem. A reply that cannot be read is answered
        with what was wrong with it, in the words of the template's block ``again``, as `verdict` does.
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
        """A JSON value by a schema, or None where the reply holds none that fits."""
        ...

    async def all(self, *asked: Awaitable[Any]) -> list[Any]:
        """Several calls at once, in order; every one is asked even if one of them cannot be answered yet."""
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
        name: On the command line, before the ``@``.
        summary: One line.
        source: Paper and section, for those that come from one.
        fields: What is written before the verdict, in order, by ``Ask.verdict``; empty for a bare verdict.
        each: Whether the fields are filled for each criterion of a score by itself, in an entry of its own. The template
            says in its block ``entries`` what the object of entries looks like. What is said lands in `Answer.details`.
        elicit: Makes the calls. The default asks the block ``judge`` once.
        needs_reference: Modes in which it makes sense only beside a reference.
        calls: Calls a question takes, least and most, for plans. Retries of unreadable replies are not among them, nor
            is a question that ends early because a reply could not be used.
        calls_by: The same by the options, where those change it.
        draws: Whether it may ask the same again for another answer, which takes a temperature above 0.
        options: Settings of its own and their defaults, of the types they must have.
        template: Path of its template; beside the module and named after it where empty.
        plain: The plainest reply to a question that can be read, of strategies whose replies have a form of their own;
            for rehearsals.
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
    plain: Callable[[Question], str] | None = None

    def calls_with(self, options: Mapping[str, Any] | None = None) -> tuple[int, int]:
        """Calls a question takes with these options, least and most.

        Raises:
            UsageError: An option has a value it cannot have.
        """
        return self.calls_by({**self.options, **(options or {})}) if self.calls_by else self.calls


def require_reference(strategy: Strategy, question: Question) -> None:
    """Refuse a question that the strategy cannot ask.

    Raises:
        UsageError: It needs a reference in this mode and the question has none.
    """
    if question.mode not in strategy.needs_reference or (question.reference or "").strip():
        return
    doing = {"score": "scores a document", "pair": "compares two documents", "rank": "ranks documents"}
    free = [doing[mode] for mode in MODES if mode not in strategy.needs_reference]
    without = f"; it {' or '.join(free)} without one" if free else ""
    raise UsageError(
        f"strategy {strategy.name!r} {doing[question.mode]} by means of a reference answer, and there is none: "
        f"pass one with --reference FILE{without}"
    )


def no_answer(step: str) -> Answer:
    """The answer where a step on the way to the verdict came back empty: none, rather than one reached without it."""
    return Answer(status="unparsed", problem=f"the {step} came back empty")
