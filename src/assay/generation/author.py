"""Asking a model to write: data by a schema, or a text. Checked, and asked again with what was wrong.

author = Author(model, prompts)
written = await author.data(RUBRIC, schema=SCHEMA, shown=Shown(query=query, documents=(a, b)), check=flaws)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.generation.base import NOTHING, Assignment, AuthorReply, Check, Shown
from assay.models.base import CallFailedError, Message, Request, Sampling, Usage
from assay.strategies.json_text import split_hidden_reasoning
from assay.strategies.parsing import find_data, is_refusal
from assay.strategies.token_budget import fit_schema
from assay.text.bilingual import in_language, joined

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.models.base import Model, Reply
    from assay.strategies.prompts import Prompts

_FRAME: Final = Assignment(
    name="frame",
    summary="Words around every assignment.",
    template=str(Path(__file__).with_name("frame.jinja")),
)
ASSIGNMENTS: Final = (_FRAME,)
# A reply longer than this is not shown to the model again when it could not be used.
_ECHO: Final = 12_000
_DECLINED: Final = "the model declined"


class _Read(msgspec.Struct, frozen=True):
    """What one reply holds: a value, what is wrong with it, or why there is none."""

    value: Any = None
    flaws: tuple[str, ...] = ()
    problem: str | None = None


class Author:
    """A model that writes.

    Args:
        model: Who is asked.
        prompts: The templates.
        sampling: How replies are sampled.
        structured: Whether data are held to their schema by the endpoint.
        retries: How often a reply that cannot be used is answered with what was wrong.
    """

    def __init__(
        self,
        model: Model,
        prompts: Prompts,
        *,
        sampling: Sampling | None = None,
        structured: bool = True,
        retries: int = 1,
    ) -> None:
        self.model = model
        self.prompts = prompts
        self.sampling = sampling or Sampling(temperature=0.0, max_tokens=4096)
        self.structured = structured
        self.retries = retries

    def version(self, *assignments: Assignment) -> list[object]:
        """All that what it writes depends on besides what it is shown; for the version of whatever uses it."""
        return [
            self.model.id,
            msgspec.to_builtins(self.sampling),
            self.structured,
            self.retries,
            *(self.prompts.version_of(item.template) for item in (_FRAME, *assignments)),
        ]

    async def data(
        self,
        assignment: Assignment,
        block: str = "task",
        *,
        schema: Mapping[str, Any],
        shown: Shown = NOTHING,
        check: Check | None = None,
        max_tokens: int | None = None,
        draw: int = 0,
        **variables: Any,
    ) -> AuthorReply:
        """A JSON value by a schema.

        Args:
            assignment: What is to be written.
            block: Of its template.
            schema: JSON schema of the value, as `assay.strategies.data_schema` reads it.
            shown: What stands before the task.
            check: Says what is wrong with a value that fits the schema. The model is told, and asked again; the value
                with the fewest flaws is taken.
            max_tokens: Most tokens of the reply, where fewer than usual.
            draw: Which of several draws this is.
            **variables: For the template.
        """

        def read(reply: Reply) -> _Read:
            value = find_data(reply.text, schema, truncated=reply.finish == "length")
            if value is not None:
                return _Read(value, tuple(check(value)) if check is not None else ())
            why = "cut_off" if reply.finish == "length" else "no_json"
            return _Read(problem=self._word(why, shown))

        held = dict(schema) if self.structured else None
        return await self._write(
            assignment,
            block,
            schema=held,
            shown=shown,
            read=read,
            max_tokens=max_tokens,
            draw=draw,
            variables=variables,
        )

    async def text(
        self,
        assignment: Assignment,
        block: str = "task",
        *,
        shown: Shown = NOTHING,
        check: Check | None = None,
        max_tokens: int | None = None,
        draw: int = 0,
        **variables: Any,
    ) -> AuthorReply:
        """A text; arguments as of `data`. One that was cut off is kept, and flagged."""

        def read(reply: Reply) -> _Read:
            text = split_hidden_reasoning(reply.text)[0].strip()
            if not text:
                return _Read(problem=self._word("empty", shown))
            if is_refusal(text):
                return _Read(problem=_DECLINED)
            flaws = list(check(text)) if check is not None else []
            if reply.finish == "length":
                flaws.append(self._word("cut_off", shown))
            return _Read(text, tuple(flaws))

        return await self._write(
            assignment,
            block,
            schema=None,
            shown=shown,
            read=read,
            max_tokens=max_tokens,
            draw=draw,
            variables=variables,
        )

    async def _write(
        self,
        assignment: Assignment,
        block: str,
        *,
        schema: dict[str, Any] | None,
        shown: Shown,
        read: Callable[[Reply], _Read],
        max_tokens: int | None,
        draw: int,
        variables: Mapping[str, Any],
    ) -> AuthorReply:
        first = messages = self._messages(assignment, block, shown, variables)
        usage, calls, notes = Usage(), list[str](), dict[str, None]()
        best: _Read | None = None
        last, problem, cut_off = "", "", False
        for attempt in range(self.retries + 1):
            request = self._request(messages, schema, shown, max_tokens, draw, looping=cut_off)
            try:
                reply = await self.model.complete(request)
            except CallFailedError as error:
                if best is not None:
                    notes[f"asking again failed: {error}"] = None
                    break
                return AuthorReply(status="failed", problem=str(error), usage=usage, calls=tuple(calls))
            usage += reply.usage
            calls.append(request.key())
            notes.update({f"the endpoint does not take {name}": None for name in reply.dropped})
            # What a filter stopped may look like a whole text, and is none.
            found = read(reply) if reply.finish != "refusal" else _Read(problem=_DECLINED)
            if found.problem is not None:
                if best is None and (found.problem == _DECLINED or is_refusal(reply.text)):
                    return AuthorReply(
                        status="refused",
                        problem=_DECLINED,
                        usage=usage,
                        calls=tuple(calls),
                        reply=reply.text,
                        notes=tuple(notes),
                    )
            elif best is None or len(found.flaws) < len(best.flaws):
                best, last = found, reply.text
            if best is None:
                last = reply.text
            if best is not None and not best.flaws:
                break
            problem = found.problem or joined(found.flaws)
            cut_off = reply.finish == "length"
            if attempt < self.retries:
                messages = self._again(first, reply, in_language(problem, shown.language), shown)
        told: dict[str, Any] = {"usage": usage, "calls": tuple(calls), "reply": last, "notes": tuple(notes)}
        if best is None:
            return AuthorReply(status="unparsed", problem=str(problem), **told)
        return AuthorReply(status="ok", value=best.value, flaws=tuple(map(str, best.flaws)), **told)

    def _messages(
        self, assignment: Assignment, block: str, shown: Shown, variables: Mapping[str, Any]
    ) -> tuple[Message, ...]:
        language = shown.language
        lead = self.prompts.lead(shown)
        own = self.prompts.has_block(assignment.template, "system", language)
        system = (
            self.prompts.page(assignment.template, "system", language, {})
            if own
            else self.prompts.system(language)
        )
        text = self.prompts.page(assignment.template, block, language, variables).strip()
        return (
            Message("system", "", system),
            Message("user", "\n" + text if lead else text, lead),
        )

    def _request(
        self,
        messages: tuple[Message, ...],
        schema: dict[str, Any] | None,
        shown: Shown,
        max_tokens: int | None,
        draw: int,
        *,
        looping: bool,
    ) -> Request:
        sampling = self.sampling
        if draw and sampling.seed is not None:
            sampling = msgspec.structs.replace(sampling, seed=sampling.seed + draw)
        if max_tokens is not None and (sampling.max_tokens is None or max_tokens < sampling.max_tokens):
            sampling = msgspec.structs.replace(sampling, max_tokens=max_tokens)
        if schema is not None:
            schema = fit_schema(schema, sampling.max_tokens, shown.language, looping=looping)
        return Request(model=self.model.id, messages=messages, sampling=sampling, schema=schema, draw=draw)

    def _again(
        self, messages: tuple[Message, ...], reply: Reply, problem: str, shown: Shown
    ) -> tuple[Message, ...]:
        """The first messages with the reply and what was wrong with it; what was wrong before that is past."""
        said = reply.text.strip()
        note = self.prompts.page(_FRAME.template, "again", shown.language, {"problem": problem})
        if said and len(said) <= _ECHO and reply.finish != "length":
            return (*messages, Message("assistant", said), Message("user", note))
        # Two user messages in a row are refused by some chat templates.
        system, user = messages
        return (system, Message("user", f"{user.text}\n\n{note}", user.lead))

    def _word(self, block: str, shown: Shown) -> str:
        return self.prompts.page(_FRAME.template, block, shown.language, {})
