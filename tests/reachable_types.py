"""The types that are reachable from public names: by annotations of functions, methods and attributes, transitively."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import typing
from collections.abc import Iterator
from functools import cache, cached_property
from types import ModuleType
from typing import Any


def reachable_types(public: list[ModuleType]) -> dict[type, str]:
    """Return each class of Assay that a public name leads to, with the annotation that leads there first."""
    todo: list[tuple[Any, str]] = [(getattr(room, name), name) for room in public for name in room.__all__]
    found: dict[type, str] = {}
    seen: set[int] = set()
    while todo:
        item, via = todo.pop()
        if id(item) in seen or not getattr(item, "__module__", "").startswith("assay"):
            continue
        seen.add(id(item))
        if isinstance(item, type):
            found[item] = via
            for owner in item.__mro__:
                if owner.__module__.startswith("assay"):
                    todo += members_of(item, owner)
        elif inspect.isfunction(item):
            todo += ((part, f"{item.__name__}(…)") for part in types_of(item))
    return found


def members_of(item: type, owner: type) -> Iterator[tuple[type, str]]:
    for name, annotation in annotations_of(owner).items():
        if not name.startswith("_"):
            yield from ((part, f"{item.__name__}.{name}") for part in parts_of(annotation))
    for name, member in vars(owner).items():
        function = (
            member.fget
            if isinstance(member, property)
            else member.func
            if isinstance(member, cached_property)
            else member.__func__
            if isinstance(member, classmethod | staticmethod)
            else member
        )
        if inspect.isfunction(function) and (not name.startswith("_") or name == "__init__"):
            yield from ((part, f"{item.__name__}.{name}(…)") for part in types_of(function))


def types_of(function: Any) -> Iterator[type]:
    for annotation in annotations_of(function).values():
        yield from parts_of(annotation)


def annotations_of(item: Any) -> dict[str, Any]:
    """Return the annotations of a class (its own) or a function, evaluated where imports for type checkers count."""
    names = names_of(item.__module__)
    out: dict[str, Any] = {}
    for name, text in inspect.get_annotations(item).items():
        try:
            out[name] = eval(text, names) if isinstance(text, str) else text
        except (NameError, TypeError):  # a name of the function's own, or "A" | None inside quotes
            continue
    return out


@cache
def names_of(module: str) -> dict[str, Any]:
    names = dict(vars(sys.modules[module]))
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for item in (part for part in node.body if isinstance(part, ast.ImportFrom)):
                try:
                    source = importlib.import_module(str(item.module))
                except ImportError:
                    continue
                for alias in item.names:
                    if hasattr(source, alias.name):
                        names.setdefault(alias.asname or alias.name, getattr(source, alias.name))
    return names


def parts_of(annotation: Any) -> Iterator[type]:
    """Yield the classes in an annotation."""
    if isinstance(annotation, type):
        yield annotation
    if isinstance(annotation, list | tuple):
        for part in annotation:
            yield from parts_of(part)
    elif typing.get_origin(annotation) is not typing.Literal:
        yield from parts_of(list(typing.get_args(annotation)))
