"""A model that writes: data by a schema, or a text. What it writes is checked, and it is asked again with the flaws.

author = Author(model, prompts)
written = await author.data(RUBRIC, schema=SCHEMA, material=PromptMaterial(query=query), check=flaws)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.generation.base import Assignment, AuthorReply, Check
from assay.models.base import CallFailedError, Message, Request, Sampling, Usage
from assay.strategies.base import PromptMaterial
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
# A longer reply that could not be used is not shown to the model again.
_ECHO: Final = 12_000
_DECLINED: Final = "the model declined"
_NO_MATERIAL: Final = PromptMaterial()


class _Attempt(msgspec.Struct, frozen=True):
    """What one reply holds: a value and its flaws, or why there is no value."""

    value: Any = None
    flaws: tuple[str, ...] = ()
    problem: str | None = None


class _Task(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked to write, and how its replies are read."""

    messages: tuple[Message, ...]
    language: str
    read: Callable[[Reply], _Attempt]
    schema: dict[str, Any] | None = None
    max_tokens: int | None = None
    draw: int = 0


class Author:
    """A model that writes.

    Args:
        model: The model.
        prompts: The templates.
        sampling: Sampling of the replies.
        structured: Whether the endpoint is to enforce the schema of data.
        retries: How often the model is told what is wrong with a reply that cannot be used.
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
        """Return all that the replies depend on besides the material, for the version of whatever uses them."""
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
        reads: Mapping[str, Any] | None = None,
        material: PromptMaterial = _NO_MATERIAL,
        lead: str | None = None,
        check: Check | None = None,
        max_tokens: int | None = None,
        draw: int = 0,
        **variables: Any,
    ) -> AuthorReply:
        """Have a JSON value written.

        Args:
            assignment: What is to be written.
            block: Block of its template.
            schema: JSON schema of the value, as `assay.strategies.data_schema` reads it.
            reads: Schema by which replies are read, if more is accepted than asked for; ``check`` and the caller see to
                the rest.
            material: What stands before the task.
            lead: What stands there instead, if it is worded already; requests with the same words share a prefix.
            check: Lists the flaws of a value that fits the schema. The model is told and asked again; the value
                with the fewest flaws is taken.
            max_tokens: Most tokens of the reply, if fewer than usual.
            draw: Number of the draw.
            **variables: Variables of the template.
        """
        language = material.language

        def read(reply: Reply) -> _Attempt:
            value = find_data(reply.text, reads or schema, truncated=reply.finish == "length")
            if value is not None:
                return _Attempt(value, tuple(check(value)) if check is not None else ())
            return _Attempt(
                problem=self._word("cut_off" if reply.finish == "length" else "no_json", language)
            )

        return await self._write(
            _Task(
                messages=self._messages(assignment, block, material, variables, lead),
                language=language,
                read=read,
                schema=dict(schema) if self.structured else None,
                max_tokens=max_tokens,
                draw=draw,
            )
        )

    async def text(
        self,
        assignment: Assignment,
        block: str = "task",
        *,
        material: PromptMaterial = _NO_MATERIAL,
        check: Check | None = None,
        max_tokens: int | None = None,
        draw: int = 0,
        **variables: Any,
    ) -> AuthorReply:
        """Have a text written; the arguments are those of `data`. A text that was cut off is kept, with a flaw."""
        language = material.language

        def read(reply: Reply) -> _Attempt:
            text = split_hidden_reasoning(reply.text)[0].strip()
            if not text:
                return _Attempt(problem=self._word("empty", language))
            if is_refusal(text):
                return _Attempt(problem=_DECLINED)
            flaws = list(check(text)) if check is not None else []
            if reply.finish == "length":
                flaws.append(self._word("cut_off", language))
            return _Attempt(text, tuple(flaws))

        messages = self._messages(assignment, block, material, variables)
        return await self._write(
            _Task(messages=messages, language=language, read=read, max_tokens=max_tokens, draw=draw)
        )

    async def _write(self, task: _Task) -> AuthorReply:
        """Ask until a reply has no flaws or the retries are used up; the attempt with the fewest flaws is taken."""
        messages = task.messages
        usage, calls, notes = Usage(), list[str](), dict[str, None]()
        best: _Attempt | None = None
        last, problem, cut_off = "", "", False
        for attempt_number in range(self.retries + 1):
            request = self._request(messages, task, again=cut_off)
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
            # What a filter stopped may look like a whole text.
            attempt = task.read(reply) if reply.finish != "refusal" else _Attempt(problem=_DECLINED)
            if attempt.problem is None:
                if best is None or len(attempt.flaws) < len(best.flaws):
                    best, last = attempt, reply.text
                if not best.flaws:
                    break
            elif best is None:
                last = reply.text
                if attempt.problem == _DECLINED or is_refusal(reply.text):
                    return AuthorReply(
                        status="refused",
                        problem=_DECLINED,
                        usage=usage,
                        calls=tuple(calls),
                        reply=last,
                        notes=tuple(notes),
                    )
            problem = attempt.problem or joined(attempt.flaws)
            cut_off = reply.finish == "length"
            if attempt_number < self.retries:
                messages = self._again(task, reply, in_language(problem, task.language))
        shared: dict[str, Any] = {
            "usage": usage,
            "calls": tuple(calls),
            "reply": last,
            "notes": tuple(notes),
        }
        if best is None:
            return AuthorReply(status="unparsed", problem=str(problem), **shared)
        return AuthorReply(status="ok", value=best.value, flaws=tuple(map(str, best.flaws)), **shared)

    def _messages(
        self,
        assignment: Assignment,
        block: str,
        material: PromptMaterial,
        variables: Mapping[str, Any],
        lead: str | None = None,
    ) -> tuple[Message, ...]:
        language, template = material.language, assignment.template
        lead = self.prompts.lead(material) if lead is None else lead
        if self.prompts.has_block(template, "system", language):
            system = self.prompts.page(template, "system", language, {})
        else:
            system = self.prompts.system(language)
        text = self.prompts.page(template, block, language, variables).strip()
        return (Message("system", "", system), Message("user", "\n" + text if lead else text, lead))

    def _request(self, messages: tuple[Message, ...], task: _Task, *, again: bool) -> Request:
        sampling = self.sampling
        if task.draw and sampling.seed is not None:
            sampling = msgspec.structs.replace(sampling, seed=sampling.seed + task.draw)
        most = task.max_tokens
        if most is not None and again:
            # Hidden reasoning counts on hosted endpoints and may have used up the cap.
            most *= 2
        if most is not None and (sampling.max_tokens is None or most < sampling.max_tokens):
            sampling = msgspec.structs.replace(sampling, max_tokens=most)
        schema = task.schema
        if schema is not None:
            schema = fit_schema(schema, sampling.max_tokens, task.language, looping=again)
        return Request(
            model=self.model.id, messages=messages, sampling=sampling, schema=schema, draw=task.draw
        )

    def _again(self, task: _Task, reply: Reply, problem: str) -> tuple[Message, ...]:
        """Return the first messages with the reply and its flaws; those of earlier replies are left out."""
        text = reply.text.strip()
        note = self.prompts.page(_FRAME.template, "again", task.language, {"problem": problem})
        if text and len(text) <= _ECHO and reply.finish != "length":
            return (*task.messages, Message("assistant", text), Message("user", note))
        # Some chat templates refuse two user messages in a row.
        system, user = task.messages
        return (system, Message("user", f"{user.text}\n\n{note}", user.lead))

    def _word(self, block: str, language: str) -> str:
        return self.prompts.page(_FRAME.template, block, language, {})
