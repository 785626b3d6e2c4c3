"""The page of all public names, written from their docstrings: ``python -m assay.present.python_reference FILE``."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

import assay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEAD: Final = """\
# Python

<!-- Written by `python -m assay.present.python_reference docs/reference/python.md`; do not edit. -->

Everything here is an attribute of `assay`. What a command does, a function does; [From Python](../tutorials/notebook.md)
is the place to begin. Three rules hold throughout: whatever takes a name takes the object; whatever may call a model has
an awaitable twin with the prefix `a`; results are frozen, and have `to_frame()`, `to_dict()`, `from_dict()`, `save()` and
`load()`. A `str` is a path; a text is `Report(text)`.
"""
# The order of the page, by the room a name comes from; the first that fits.
_SECTIONS: Final = (
    ("Subjects", ("assay.subjects", "assay.text")),
    ("Audits and checks", ("assay.audits", "assay.checks")),
    ("Argument graphs", ("assay.logic",)),
    ("Rubrics", ("assay.rubrics",)),
    ("Judges and runs", ("assay.judges", "assay.runs", "assay.strategies", "assay.models", "assay.suites")),
    ("Benchmarks of judges", ("assay.interventions", "assay.meta.benchmark", "assay.meta.result")),
    ("Agreement, stability, leaderboards", ("assay.meta", "assay.measures", "assay.metrics")),
    ("Records, errors, plug-ins", ("assay",)),
)
_PARTS: Final = re.compile(r"^(Args|Attributes|Returns|Raises|Yields):\n((?:(?: {4}.*)?\n?)*)", re.MULTILINE)
_ENTRY: Final = re.compile(r"^ {4}(\S[^:\n]*): ", re.MULTILINE)


def python_page() -> str:
    """Return the page, as Markdown."""
    found: dict[str, list[str]] = {title: [] for title, _ in _SECTIONS}
    for name in sorted(assay.__all__, key=str.lower):
        if not name.startswith("__"):
            thing = getattr(assay, name)
            found[_section_of(thing)].append(_entry(name, thing))
    parts = [_HEAD]
    for title, entries in found.items():
        if entries:
            parts += [f"## {title}\n", *entries]
    return "\n".join(parts)


def _section_of(thing: Any) -> str:
    home = thing.__name__ if inspect.ismodule(thing) else getattr(thing, "__module__", "assay")
    home = home if home.startswith("assay") else "assay.subjects"
    return next(title for title, rooms in _SECTIONS if any(home.startswith(room) for room in rooms))


def _entry(name: str, thing: Any) -> str:
    lines = [f"### {name}", ""]
    if inspect.isclass(thing):
        lines += [*_signature(name, thing), _text(_own_doc(thing)), ""]
        lines += _members(thing)
    elif inspect.ismodule(thing):
        lines += [_text(inspect.getdoc(thing) or ""), ""]
        functions = [
            (key, item) for key, item in vars(thing).items() if inspect.isfunction(item) and key[0] != "_"
        ]
        lines += [f"- `{key}{_parameters(item)}`: {_first_line(item)}" for key, item in functions]
        lines.append("")
    elif callable(thing) and inspect.isfunction(thing):
        lines += [*_signature(name, thing), _text(inspect.getdoc(thing) or ""), ""]
    else:
        lines += [f"`{_plain(thing)}`", ""]
    return "\n".join(lines)


def _signature(name: str, thing: Any) -> Iterator[str]:
    text = f"{name}{_parameters(thing)}"
    if len(text) > 100:
        inner = ",\n    ".join(_split(text[len(name) + 1 : text.rindex(")")]))
        text = f"{name}(\n    {inner},\n){text[text.rindex(')') + 1 :]}"
    yield from ("```text", text, "```", "")


def _struct_parameters(thing: Any) -> str:
    """Return the fields of a struct, whose types are not evaluated: some exist for the type checker alone."""
    types = {
        key: kind
        for home in reversed(thing.__mro__)
        for key, kind in vars(home).get("__annotations__", {}).items()
    }
    fields, defaults = thing.__struct_fields__, thing.__struct_defaults__
    shown = []
    for place, key in enumerate(fields):
        given = place - (len(fields) - len(defaults))
        value = "" if given < 0 or defaults[given] is msgspec.NODEFAULT else f" = {_default(defaults[given])}"
        shown.append(f"{key}: {_plain(types.get(key, 'Any'))}{value}")
    return f"({', '.join(shown)})"


def _default(value: Any) -> str:
    text = repr(value)
    return "…" if "factory" in type(value).__name__.lower() or len(text) > 40 else text


def _parameters(thing: Any) -> str:
    if hasattr(thing, "__struct_fields__"):
        return _struct_parameters(thing)
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return "(…)"
    text = re.sub(r"<(?:function|object|class) ?'?([\w.]*)[^>]*>|<factory>", "…", text)
    text = re.sub(
        r"""(: |-> )(?:'([^']*)'|"([^"]*)")""", lambda found: found[1] + (found[2] or found[3]), text
    )
    text = text.removesuffix(" -> None") if inspect.isclass(thing) else text
    return re.sub(r"\((?:self|cls)(?:, )?", "(", _plain(text), count=1)


def _plain(thing: Any) -> str:
    return re.sub(r"\b(?:assay|typing|collections\.abc|pathlib|msgspec)(?:\.\w+)*\.(?=\w)", "", str(thing))


def _split(text: str) -> list[str]:
    """Split parameters at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [*parts, text[start:].strip()]


def _own_doc(thing: type) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


def _members(thing: type) -> Iterator[str]:
    """Yield the public methods and properties that a class defines itself."""
    rows = []
    for key, item in vars(thing).items():
        function = getattr(item, "__func__", getattr(item, "fget", getattr(item, "func", item)))
        if key.startswith("_") or not inspect.isfunction(function):
            continue
        shown = key + (_parameters(function) if callable(item) or hasattr(item, "__func__") else "")
        rows.append(f"- `{shown}`: {_first_line(function)}")
    if rows:
        yield from (*rows, "")


def _first_line(thing: Any) -> str:
    return _inline((inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " "))


def _text(doc: str) -> str:
    """Return a docstring as Markdown: lists of arguments become lists, examples become blocks."""
    text = _PARTS.sub(lambda match: f"*{match[1]}*\n\n{_list(match[2])}\n\n", doc)
    out, block = [], False
    for line in text.split("\n"):
        code = line.startswith(">>> ") or (block and line.strip() != "")
        if code != block:
            out.append("```text" if code else "```")
            block = code
        out.append(line if code else _inline(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*out, "```"] if block else out)).strip()


def _list(body: str) -> str:
    if not _ENTRY.search(body):
        return inspect.cleandoc(body)
    items = _ENTRY.split(body)[1:]
    return "\n".join(
        f"- `{name}`: {' '.join(text.split())}" for name, text in zip(items[::2], items[1::2], strict=True)
    )


def _inline(text: str) -> str:
    text = re.sub(r"``(.+?)``", r"`\1`", text)
    return "".join(
        part if part.startswith("`") else part.replace("<", "&lt;") for part in re.split(r"(`[^`]*`)", text)
    )


def main(arguments: Sequence[str]) -> int:
    """Write the page to the one path given."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m assay.present.python_reference FILE\n")
        return 2
    Path(arguments[0]).write_text(python_page(), "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
