"""The calls that a strategy makes for one question: rendered, sent, read, and counted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final

import msgspec

from assay.models.base import (
    CallFailedError,
    Message,
    Model,
    PendingCall,
    Reply,
    Request,
    Sampling,
    Usage,
)
from assay.rubrics.rubric import Criterion
from assay.strategies.answer_form import AnswerForm, ReplyVerdict, answer_form
from assay.strategies.base import (
    ALL_MATERIAL,
    Answer,
    Detail,
    Field,
    Material,
    Question,
    Status,
    Strategy,
    require_reference,
)
from assay.strategies.combined_answer import combine_answers
from assay.strategies.criterion_entries import CriterionEntry
from assay.strategies.json_text import split_hidden_reasoning
from assay.strategies.parsing import STANDS_IN_MATERIAL, find_data, is_refusal, read_reply
from assay.strategies.problems import problem
from assay.strategies.prompts import Prompts
from assay.strategies.quotes import locate_quotes
from assay.strategies.token_budget import fit_schema
from assay.text.bilingual import in_language

# Draws between one repetition and the next, so that a strategy may draw again within one.
DRAWS: Final = 64
# A longer reply that could not be read is not shown to the model again.
_ECHO: Final = 4000
_DECLINED: Final = "the model declined to judge"


# What happened, in order: a call by its key with its usage, or a note. Calls made at once keep their events apart until
# all are back, so that the record does not depend on which came back first.
_Event = tuple[str, Usage] | str
_BRANCH: ContextVar[list[_Event] | None] = ContextVar("assay.strategies.branch", default=None)


class _DeclinedError(Exception):
    """The model, or a filter before it, declined a step on the way to the verdict."""

    def __init__(self, block: str, reply: str) -> None:
        self.reply = reply
        super().__init__(f"the model declined to answer {block!r}")


class Asker:
    """Makes the calls of one strategy for one question; `assay.strategies.base.Ask` is what strategies see of it.

    Args:
        question: The question.
        strategy: The strategy.
        model: The model.
        prompts: The templates.
        sampling: Sampling of the replies; its seed is that of the first draw.
        options: Settings of the strategy.
        structured: Whether the endpoint is to enforce a JSON schema.
        retries: How often the model is told what is wrong with a reply that cannot be read.

    Raises:
        UsageError: The question lacks a reference that the strategy needs.
    """

    def __init__(
        self,
        question: Question,
        strategy: Strategy,
        model: Model,
        prompts: Prompts,
        *,
        sampling: Sampling,
        options: Mapping[str, Any] | None = None,
        structured: bool = True,
        retries: int = 1,
    ) -> None:
        require_reference(strategy, question)
        self.question = question
        self.options: Mapping[str, Any] = {**strategy.options, **(options or {})}
        self._strategy = strategy
        self._model = model
        self._prompts = prompts
        self._sampling = sampling
        self._structured = structured
        self._retries = retries
        self._events: list[_Event] = []

    @property
    def usage(self) -> Usage:
        """Return the usage of all calls so far."""
        return sum((event[1] for event in self._events if not isinstance(event, str)), start=Usage())

    @property
    def calls(self) -> tuple[str, ...]:
        """Return the keys of all calls so far, in the order of the strategy."""
        return tuple(event[0] for event in self._events if not isinstance(event, str))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the notes so far, each once."""
        return tuple(dict.fromkeys(event for event in self._events if isinstance(event, str)))

    async def text(
        self,
        block: str,
        *,
        max_tokens: int | None = None,
        sees: Sequence[Material] = ALL_MATERIAL,
        **variables: Any,
    ) -> str:
        """Return a reply in prose."""
        request = self._request(self._messages(block, None, variables, sees), None, 0, max_tokens)
        reply = await self._send(request, [])
        if reply.finish == "refusal":
            raise _DeclinedError(block, reply.text)
        if reply.finish == "length":
            self._record(f"the reply to {block!r} was cut off")
        return split_hidden_reasoning(reply.text)[0].strip()

    async def verdict(
        self,
        block: str = "judge",
        *,
        fields: Sequence[Field] | None = None,
        draw: int = 0,
        sees: Sequence[Material] = ALL_MATERIAL,
        **variables: Any,
    ) -> Answer:
        """Return a verdict on the question."""
        wanted = self._strategy.fields if fields is None else tuple(fields)
        form = answer_form(self.question, wanted, each=self._strategy.each)
        messages = self._messages(block, form, variables, sees)
        schema = form.schema() if self._structured else None

        def again(problem: str) -> str:
            return self._prompts.again(self.question.language, problem)

        more = {"fields": wanted, "draw": draw, "sees": sees, **variables}

        def rest(criterion: Criterion, retries: int) -> Awaitable[Answer]:
            return self._alone(criterion, retries, block, more)

        told = problem(STANDS_IN_MATERIAL)
        warned = False

        def read(reply: Reply) -> Answer:
            nonlocal warned
            result = self._read(reply, form, warned=warned)
            warned = warned or result.problem == told
            return result

        return await self._until_read(messages, schema, draw, read, again, rest=rest)

    async def reply(
        self,
        block: str = "judge",
        *,
        read: Callable[[Reply], Answer],
        draw: int = 0,
        sees: Sequence[Material] = ALL_MATERIAL,
        **variables: Any,
    ) -> Answer:
        """Return a verdict in a form of the strategy's own."""
        language = self.question.language

        def read_or_refused(reply: Reply) -> Answer:
            result = read(reply)
            partly = bool(result.values) or result.preference is not None
            refused = reply.finish == "refusal" or is_refusal(reply.text)
            if result.status == "unparsed" and refused and not partly:
                result = Answer(status="refused", problem=_DECLINED)
            return msgspec.structs.replace(result, reply=reply.text)

        def again(problem: str) -> str:
            return self._prompts.page(self._strategy, "again", language, {"problem": problem})

        messages = self._messages(block, None, variables, sees)
        return await self._until_read(messages, None, draw, read_or_refused, again)

    async def _until_read(
        self,
        messages: tuple[Message, ...],
        schema: dict[str, Any] | None,
        draw: int,
        read: Callable[[Reply], Answer],
        again: Callable[[str], str],
        *,
        rest: Callable[[Criterion, int], Awaitable[Answer]] | None = None,
    ) -> Answer:
        """Ask until a reply can be read or the retries are used up; ``rest`` asks a criterion left over alone."""
        usage, calls = Usage(), list[str]()
        cut_off = False
        for attempt in range(self._retries + 1):
            request = self._request(messages, schema, draw, None, looping=cut_off)
            reply = await self._send(request, calls)
            usage += reply.usage
            result = read(reply)
            if result.status in ("ok", "refused") or attempt == self._retries:
                break
            if result.values and rest is not None:
                # What was answered counts; each criterion left over is asked again, alone.
                left = [item for item in self.question.criteria if item.key not in result.values]
                others = await self.all(*(rest(item, self._retries - attempt - 1) for item in left))
                usage = sum((item.usage for item in others), usage)
                calls += [key for item in others for key in item.calls]
                result = combine_answers(self.question, result, others)
                break
            cut_off = reply.finish == "length"
            messages = self._again(
                messages, reply, again(in_language(result.problem or "", self.question.language))
            )
        # A record keeps the English alone.
        problem = None if result.problem is None else str(result.problem)
        return msgspec.structs.replace(result, usage=usage, calls=tuple(calls), problem=problem)

    async def _alone(self, criterion: Criterion, retries: int, block: str, more: Mapping[str, Any]) -> Answer:
        """Return the answer to one of several criteria; if its call fails for good, the other answers stand."""
        # The events are recorded here all the same: `all` keeps them by branch.
        asker = Asker(
            msgspec.structs.replace(self.question, criteria=(criterion,)),
            self._strategy,
            self._model,
            self._prompts,
            sampling=self._sampling,
            options=self.options,
            structured=self._structured,
            retries=retries,
        )
        try:
            return await asker.verdict(block, **more)
        except CallFailedError as error:
            return Answer(status="failed", problem=str(error))

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
        """Return a JSON value that fits a schema."""
        held = dict(schema) if self._structured else None
        request = self._request(self._messages(block, None, variables, sees), held, draw, max_tokens)
        reply = await self._send(request, [])
        return find_data(reply.text, schema, truncated=reply.finish == "length")

    async def all(self, *calls: Awaitable[Any]) -> list[Any]:
        """Make several calls at once."""
        logs: list[list[_Event]] = [[] for _ in calls]
        results = await asyncio.gather(*map(_apart, calls, logs), return_exceptions=True)
        for log in logs:
            for event in log:
                self._record(event)
        # A call that failed counts before one that is only pending.
        errors = [item for item in results if isinstance(item, BaseException)]
        for error in sorted(errors, key=lambda item: isinstance(item, PendingCall)):
            raise error
        return results

    def note(self, text: str) -> None:
        """Record something about how the answer came about."""
        self._record(text)

    def _record(self, event: _Event) -> None:
        log = _BRANCH.get()
        (self._events if log is None else log).append(event)

    def _messages(
        self, block: str, form: AnswerForm | None, variables: Mapping[str, Any], sees: Sequence[Material]
    ) -> tuple[Message, ...]:
        question = self.question
        lead = self._prompts.lead(question, sees)
        task = self._prompts.task(self._strategy, block, question, form, variables)
        return (
            Message("system", "", self._prompts.system(question.language)),
            Message("user", task if lead else task.lstrip("\n"), lead),
        )

    def _request(
        self,
        messages: tuple[Message, ...],
        schema: dict[str, Any] | None,
        draw: int,
        max_tokens: int | None,
        *,
        looping: bool = False,
    ) -> Request:
        sampling = self._sampling
        drawn = self.question.trial * DRAWS + draw
        if drawn and sampling.seed is not None:
            sampling = msgspec.structs.replace(sampling, seed=sampling.seed + drawn)
        if max_tokens is not None and (sampling.max_tokens is None or max_tokens < sampling.max_tokens):
            sampling = msgspec.structs.replace(sampling, max_tokens=max_tokens)
        if schema is not None:
            schema = fit_schema(schema, sampling.max_tokens, self.question.language, looping=looping)
        return Request(model=self._model.id, messages=messages, sampling=sampling, schema=schema, draw=drawn)

    async def _send(self, request: Request, calls: list[str]) -> Reply:
        reply = await self._model.complete(request)
        key = request.key()
        calls.append(key)
        self._record((key, reply.usage))
        for name in reply.dropped:
            self._record(f"the endpoint does not take {name}")
        return reply

    def _read(self, reply: Reply, form: AnswerForm, *, warned: bool) -> Answer:
        question = self.question
        texts = [document.text for document in question.documents]
        parsed = read_reply(
            reply.text,
            form,
            truncated=reply.finish == "length",
            materials=[*texts, question.reference or ""],
            warned=warned,
        )
        status: Status = "ok"
        partly = form.entries and bool(parsed.verdict.values)
        if parsed.verdict.problem is not None:
            refused = not partly and (reply.finish == "refusal" or is_refusal(reply.text))
            status = "refused" if refused else "unparsed"
        verdict = parsed.verdict if status == "ok" or partly else ReplyVerdict()
        why = _DECLINED if status == "refused" else parsed.verdict.problem
        return Answer(
            status=status,
            values=verdict.values,
            preference=verdict.preference,
            ranking=verdict.ranking,
            rationale=parsed.rationale,
            quotes=locate_quotes(parsed.quotes, texts, question.reference),
            details={key: self._detail(entry, texts) for key, entry in parsed.entries.items()},
            problem=why,
            reply=reply.text,
        )

    def _detail(self, entry: CriterionEntry, texts: Sequence[str]) -> Detail:
        return Detail(
            rationale=entry.rationale,
            confidence=entry.confidence,
            quotes=locate_quotes(entry.quotes, texts, self.question.reference),
            missing=entry.missing,
        )

    def _again(self, messages: tuple[Message, ...], reply: Reply, words: str) -> tuple[Message, ...]:
        """Return the conversation with the reply and the words about what is wrong with it."""
        shown = reply.text.strip()
        # The model would only continue a reply that was cut off.
        echoed = shown and len(shown) <= _ECHO and reply.finish != "length"
        if not echoed:
            # Some chat templates refuse two user messages in a row.
            last = messages[-1]
            return (*messages[:-1], Message("user", f"{last.text}\n\n{words}", last.lead))
        return (*messages[:2], Message("assistant", shown), Message("user", words))


async def _apart(call: Awaitable[Any], log: list[_Event]) -> Any:
    # It runs in a task of its own, which has a context of its own.
    _BRANCH.set(log)
    return await call


async def run_strategy(asker: Asker, strategy: Strategy) -> Answer:
    """Run a strategy. A call that failed for good makes the answer "failed"; the calls before it are counted."""
    try:
        result = await strategy.elicit(asker)
    except CallFailedError as error:
        result = Answer(status="failed", problem=str(error))
    except _DeclinedError as error:
        result = Answer(status="refused", problem=str(error), reply=error.reply)
    return msgspec.structs.replace(
        result,
        usage=asker.usage,
        calls=asker.calls,
        notes=(*result.notes, *asker.notes),
    )
