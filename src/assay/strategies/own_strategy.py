"""Strategies of one's own: a prompt in a file, or an async function under the decorator `strategy`.

    Judge("./sceptic.jinja@openai/gpt-5-mini")        # plain text, or a template with a block ``judge``

    @assay.strategy(prompt="{{ task }} as a sceptic.", fields={"doubts": "what is doubtful"})
    async def sceptic(ask): ...                       # without a body, it asks once

A prompt is the task alone. The system message, the query, the reference and the documents (fenced) stand before it; the
format of the reply and the criteria follow.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, Final, overload

from assay.errors import UsageError
from assay.given import require
from assay.strategies.base import Answer, Ask, Elicit, Field, Strategy, check_fields
from assay.strategies.full import REASONING
from assay.strategies.templates import OwnTemplate, chinese_file, read_template
from assay.subjects.case import Mode
from assay.text.language import detect_language

Body = Callable[[Ask], Awaitable[Answer | None] | None]
Fields = Mapping[str, Any] | Sequence[Field]
_EXAMPLE: Final = '{"doubts": "what is doubtful"}'


def strategy_of_file(path: str | Path) -> Strategy:
    """Return the strategy whose prompt is a file. Its name is that of the file, without the suffix.

    The file is plain text, or a template in Jinja whose task is in the block ``judge``. A Chinese version beside it,
    ``my_prompt.zh.jinja``, is used for Chinese subjects. ``{% set fields = {KEY: ASKS} %}`` names what the judge writes
    before its verdict; without it that is its reasoning.

    Raises:
        InputError: The file cannot be read or is not a template.
        UsageError: It uses a variable, or lacks a block; the message says which there are.
    """
    file = Path(path).expanduser()
    texts = {"en": file}
    if chinese_file(file).is_file():
        texts["zh"] = chinese_file(file)
    templates = {language: OwnTemplate(read_template(item), str(item)) for language, item in texts.items()}
    for template in templates.values():
        template.check()
    wanted = {language: template.constant("fields") for language, template in templates.items()}
    return Strategy(
        name=file.stem,
        summary=f"The prompt in {file}.",
        fields=_fields(wanted["en"], wanted.get("zh"), str(file)),
        template=str(file),
        **_texts(templates),
    )


@overload
def strategy(body: Body, /) -> Strategy: ...


@overload
def strategy(
    *,
    prompt: str = "",
    prompt_zh: str = "",
    template: str | Path = "",
    fields: Fields | None = None,
    name: str = "",
    summary: str = "",
    needs_reference: Collection[Mode] = (),
    calls: tuple[int, int] = (1, 1),
    draws: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Callable[[Body], Strategy]: ...


def strategy(
    body: Body | None = None,
    /,
    *,
    prompt: str = "",
    prompt_zh: str = "",
    template: str | Path = "",
    fields: Fields | None = None,
    name: str = "",
    summary: str = "",
    needs_reference: Collection[Mode] = (),
    calls: tuple[int, int] = (1, 1),
    draws: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Strategy | Callable[[Body], Strategy]:
    """Make a strategy of an async function, which makes the calls through ``ask`` (see `assay.strategies.base.Ask`).

    The function must make the same calls after the same replies: no randomness, no clock. If it returns None, as a body
    of ``...`` does, the strategy asks once, by the block ``judge``. The function's own code is part of the judge's
    version; what it calls elsewhere is not.

    Args:
        body: The function, if the decorator stands without arguments.
        prompt: The task, in Jinja or plain text; several calls need several blocks. By default "Judge the report."
        prompt_zh: The same in Chinese, for Chinese subjects.
        template: A file instead of ``prompt``, relative to the file of the function or to the working directory.
        fields: What the judge writes before its verdict, by key; a value in a list asks for a list, and ``quotes`` are
            looked up in the subject. ``{}`` asks for a bare verdict. By default the file's own, or ``reasoning``.
        name: Name of the strategy; by default that of the function.
        summary: What it does, in one line; by default the first line of the function's docstring.
        needs_reference: Modes that require a reference.
        calls: Fewest and most calls of a question, for plans.
        draws: Whether it makes the same call again for another reply, which takes a temperature above 0.
        options: Its own settings and their defaults.

    Raises:
        UsageError: The prompt lacks a block or, if the function has no calls of its own, uses an unknown variable.
        InputError: The template cannot be read or is not one.
    """

    def made(function: Body) -> Strategy:
        require(function, FunctionType, "a strategy is made of a function")
        return _of_function(
            function,
            _prompts(function, prompt, prompt_zh, template),
            fields,
            name=name or getattr(function, "__name__", "own"),
            summary=summary or (inspect.getdoc(function) or "").partition("\n")[0],
            needs_reference=frozenset(needs_reference),
            calls=calls,
            draws=draws,
            options=dict(options or {}),
        )

    return made if body is None else made(body)


def _of_function(
    function: Body, templates: dict[str, OwnTemplate], fields: Fields | None, *, name: str, **more: Any
) -> Strategy:
    for template in templates.values():
        # Calls of its own name their blocks and bring variables.
        template.check((), variables=None) if _asks(function) else template.check()
    where = next(iter(templates.values())).where
    wanted = {language: template.constant("fields") for language, template in templates.items()}
    if fields is not None:
        wanted = {"en": fields}
    return Strategy(
        name=name,
        fields=_fields(wanted.get("en"), wanted.get("zh"), where),
        elicit=_elicit(function, name),
        template=where,
        digest=_digest(function),
        **_texts(templates),
        **more,
    )


def _prompts(function: Body, prompt: str, prompt_zh: str, template: str | Path) -> dict[str, OwnTemplate]:
    """Return the templates of a function by language."""
    name = getattr(function, "__name__", "own")
    if template:
        if prompt or prompt_zh:
            raise UsageError(f"strategy {name!r} has a prompt and a template; give one of them")
        beside = (
            Path(inspect.getfile(function)).parent / template
            if inspect.isroutine(function)
            else Path(template)
        )
        file = beside if beside.is_file() else Path(template)
        files = {"en": file, **({"zh": chinese_file(file)} if chinese_file(file).is_file() else {})}
        return {language: OwnTemplate(read_template(item), str(item)) for language, item in files.items()}
    if not prompt and not prompt_zh:
        prompt, prompt_zh = "{{ task }}.", "{{ task }}。"
    where = f"the prompt of strategy {name!r}"
    return {
        language: OwnTemplate(text, where) for language, text in (("en", prompt), ("zh", prompt_zh)) if text
    }


def _texts(templates: Mapping[str, OwnTemplate]) -> dict[str, Any]:
    """Return the texts of a strategy, and the language of all its prompts if it has only one text."""
    if len(templates) > 1:
        return {"texts": {language: template.source for language, template in templates.items()}}
    (template,) = templates.values()
    language = "zh" if detect_language(template.text) == "zh" else "en"
    return {"texts": {language: template.source}, "language": language}


def _fields(given: Any, given_zh: Any, where: str) -> tuple[Field, ...]:
    """Return the fields that a prompt asks for; its reasoning if it names none."""
    if given is None and given_zh is None:
        return (REASONING,)
    if isinstance(given, Sequence) and all(isinstance(item, Field) for item in given):
        fields = tuple(given)
    else:
        chinese = _asked(given_zh or {}, where)
        english = chinese if given is None else _asked(given, where)
        fields = tuple(
            Field(
                key,
                asks,
                chinese.get(key, ("", False))[0],
                many=many or key == "quotes",
                quotes="document" if key == "quotes" else None,
            )
            for key, (asks, many) in english.items()
        )
    check_fields(fields, where)
    return fields


def _asked(given: Any, where: str) -> dict[str, tuple[str, bool]]:
    """Return what is asked for by key, and whether it is a list."""
    if not isinstance(given, Mapping):
        raise UsageError(
            f"{where}: fields is {given!r}; write keys and what the judge writes there: {_EXAMPLE}"
        )
    asked: dict[str, tuple[str, bool]] = {}
    for key, value in given.items():
        many = isinstance(value, list | tuple) and len(value) == 1
        text = value[0] if many else value
        if not isinstance(key, str) or not isinstance(text, str) or not text.strip():
            raise UsageError(f"{where}: field {key!r} is {value!r}; say in words what the judge writes there")
        asked[key] = (text, many)
    return asked


def _asks(function: Body) -> bool:
    """Return whether a function has a body that does something."""
    code = getattr(function, "__code__", None)
    return code is None or bool(code.co_names)


def _elicit(function: Body, name: str) -> Elicit:
    async def elicit(ask: Ask) -> Answer:
        returned = function(ask)
        answer = await returned if inspect.isawaitable(returned) else returned
        if answer is None:
            return await ask.verdict()
        if not isinstance(answer, Answer):
            raise UsageError(
                f"strategy {name!r} returned {type(answer).__name__}; return the answer of ask.verdict()"
            )
        return answer

    return elicit


def _digest(function: Body) -> str:
    """Return a hash of the function's code, so that judgments of older code are not taken for its own."""
    try:
        code = inspect.getsource(function)
    except (OSError, TypeError):
        # A function typed into a shell.
        part = getattr(function, "__code__", None)
        code = f"{part.co_code.hex()} {part.co_names}" if part else repr(type(function))
    return hashlib.blake2b(code.encode(), digest_size=6).hexdigest()
