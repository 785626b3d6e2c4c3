"""Templates of prompts: read, compiled in a sandbox, rendered, and checked before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from assay.errors import InputError, UsageError
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from jinja2.nodes import Template as Tree

# What every block may use; `assay.strategies.prompts.Prompts` fills it in.
VARIABLES: Final = (
    *("task", "it", "noun", "measure", "mode", "labels", "scale"),
    *("has_query", "has_reference", "criteria_count", "fence", "language"),
)
# Placeholders that prompts of other tools have, and what stands in the prompt anyway.
_ADDED: Final = {
    **dict.fromkeys(
        ("report", "reports", "document", "documents", "text", "article", "answer", "response", "output"),
        "the documents",
    ),
    **dict.fromkeys(("candidate", "candidates", "trajectory", "content", "context"), "the documents"),
    **dict.fromkeys(("query", "question", "input"), "the query"),
    **dict.fromkeys(("reference", "reference_answer", "ground_truth"), "the reference"),
    **dict.fromkeys(("criteria", "criterion", "rubric"), "the criteria"),
    **dict.fromkeys(("format", "format_instructions", "schema"), "the format of the reply"),
}
# Stands before a prompt of one's own that does not say itself what is compared or ranked.
_TASK: Final = '{% if mode != "score" %}{{ task }}{{ "。" if language == "zh" else "." }}\n{% endif %}'
_BRACED: Final = re.compile(r"(?<![{$])\{(\w+)\}(?!\})")
_UNDEFINED: Final = re.compile(r"'(\w+)' is undefined")


def chinese_file(path: Path) -> Path:
    """Return the path of the Chinese version of a template: ``full.zh.jinja`` beside ``full.jinja``."""
    return path.with_suffix(f".zh{path.suffix}")


def read_template(path: Path) -> str:
    """Return the text of a template, read again once the file has changed.

    Raises:
        InputError: The file cannot be read or is not UTF-8.
    """
    try:
        state = path.stat()
        return _read(path, state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError("is not a text in UTF-8", where=str(path)) from error


@lru_cache(maxsize=256)
def _read(path: Path, _changed: int, _size: int) -> str:
    """Read a template; the arguments after its path make it read again once it has changed."""
    return path.read_text("utf-8-sig")


def compile_template(source: str, where: str) -> Template:
    """Return a template, compiled once for each source.

    Raises:
        InputError: It is not a template; the message names the line.
    """
    from jinja2 import TemplateSyntaxError  # noqa: PLC0415 - with the environment

    try:
        return _compiled(source)
    except TemplateSyntaxError as error:
        raise _not_a_template(error.message, where, error.lineno) from error


def render_block(template: Template, block: str, variables: Mapping[str, Any], where: str) -> str:
    """Return a rendered block.

    Raises:
        UsageError: There is no such block, or it cannot be rendered; the message says where and why.
    """
    from jinja2.exceptions import SecurityError, UndefinedError  # noqa: PLC0415

    function = template.blocks.get(block)
    if function is None:
        raise UsageError(
            f"{where} has no block {block!r}; it has {', '.join(sorted(template.blocks)) or 'none'}"
        )
    try:
        return "".join(function(template.new_context(dict(variables))))
    except SecurityError as error:
        raise UsageError(f"{where}, block {block!r}: not allowed in a template: {error}") from error
    except UndefinedError as error:
        missing = _UNDEFINED.fullmatch(str(error))
        hint = f"; {did_you_mean(missing[1], variables)}" if missing else ""
        raise UsageError(f"{where}, block {block!r}: {error}{hint}") from error
    except Exception as error:
        # A template is somebody's program, and may do anything wrong; its author needs the place.
        raise UsageError(f"{where}, block {block!r}: {str(error) or type(error).__name__}") from error


class OwnTemplate:
    """A template that a user wrote: a text without blocks becomes the block ``judge``.

    Args:
        text: The template, or plain text.
        where: Its file, or another name for messages.

    Raises:
        InputError: It is empty, or not a template; the message names the line.
    """

    def __init__(self, text: str, where: str) -> None:
        from jinja2 import TemplateSyntaxError, meta, nodes  # noqa: PLC0415

        if not text.strip():
            raise InputError("the prompt is empty", where=where)
        self.text = text
        self.where = where
        try:
            self._tree: Tree = _environment().parse(text)
            self.blocks = sorted({block.name for block in self._tree.find_all(nodes.Block)})
            task = "" if "task" in meta.find_undeclared_variables(self._tree) else _TASK
            self.source = text if self.blocks else f"{{% block judge %}}{task}{text.rstrip()}{{% endblock %}}"
            _compiled(self.source)
        except TemplateSyntaxError as error:
            raise _not_a_template(error.message, where, error.lineno) from error

    def check(
        self, blocks: Iterable[str] = ("judge",), *, variables: tuple[str, ...] | None = VARIABLES
    ) -> None:
        """Refuse a template that lacks a block, or uses a variable that does not exist; None allows any variable.

        Raises:
            UsageError: The message says what there is, and offers the closest name.
        """
        from jinja2 import meta, nodes  # noqa: PLC0415

        if self.blocks:
            for block in blocks:
                if block not in self.blocks:
                    raise UsageError(
                        f"{self.where} has no block {block!r}, but {', '.join(map(repr, self.blocks))}; write the task into"
                        f" {{% block {block} %}} … {{% endblock %}}, or without any block"
                    )
        known = VARIABLES if variables is None else variables
        used = set() if variables is None else meta.find_undeclared_variables(self._tree)
        for name in sorted(used.difference(known)):
            line = next(item.lineno for item in self._tree.find_all(nodes.Name) if item.name == name)
            raise UsageError(f"{self.where}:{line}: there is no variable {name!r}; {_instead(name, known)}")
        for part in self._tree.find_all(nodes.TemplateData):
            for match in _BRACED.finditer(part.data):
                if match[1] in _ADDED:
                    line = part.lineno + part.data[: match.start()].count("\n")
                    raise UsageError(
                        f"{self.where}:{line}: {match[0]} would be sent as it stands; {_instead(match[1], known)}"
                    )

    def constant(self, name: str) -> Any:
        """Return the value of ``{% set NAME = … %}``, or None if it is not set.

        Raises:
            InputError: The value is not a constant.
        """
        from jinja2 import nodes  # noqa: PLC0415

        for item in self._tree.find_all(nodes.Assign):
            if isinstance(item.target, nodes.Name) and item.target.name == name:
                try:
                    return cast("nodes.Expr", item.node).as_const()
                except nodes.Impossible as error:
                    raise InputError(
                        f'{name} must be written out, as in {{% set {name} = {{"doubts": "what is doubtful"}} %}}',
                        where=f"{self.where}:{item.lineno}",
                    ) from error
        return None


def _instead(name: str, known: tuple[str, ...]) -> str:
    added = _ADDED.get(name.lower())
    if added is None:
        return did_you_mean(name, known, otherwise=f"there are {', '.join(known)}")
    return f"leave it out, because Assay adds {added} itself (there are {', '.join(known)})"


def _not_a_template(problem: str | None, where: str, line: int) -> InputError:
    hint = "write braces that are meant literally between {% raw %} and {% endraw %}"
    literal = "expected" in (problem or "") or "unexpected" in (problem or "")
    return InputError(
        f"is not a template: {problem}", where=f"{where}:{line}", hint=hint if literal else None
    )


@lru_cache(maxsize=256)
def _compiled(source: str) -> Template:
    """Compile a template, which takes longer than a thousand renderings."""
    return _environment().from_string(source)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import StrictUndefined  # noqa: PLC0415 - costs 80 ms
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415

    # Prompts are text, not HTML: nothing is escaped, and fences keep the texts apart.
    return SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
