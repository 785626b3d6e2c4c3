"""What the command line says, as typed objects: each field of an `Arguments` class is an option or an argument.

    class AuditArguments(OutputArguments):
        paths: tuple[str, ...] = argument("PATH...")
        limit: int | None = option("Stop after this many reports.", type=click.IntRange(min=1))

The annotation says the rest: ``bool`` is a flag, a ``Literal`` a choice, a tuple may be given several times. A subclass
narrows an option by its annotation alone. Help shows the options by group, in each group those of the class first, then
those of its bases from left to right. A field with a plain default is not on the command line.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, dataclass_transform, get_args, get_origin, get_type_hints

import click

_PARAMETER: Final = "parameter"

# The groups of options in the order of the help; options without a group are the command's own, and come first.
OWN: Final = ""
SUBJECTS: Final = "What is judged"
JUDGE: Final = "Judge and model"
LIMITS: Final = "Limits and ledger"
OUTPUT: Final = "Output"
ADVANCED: Final = "Advanced"
_FIRST: Final = (OWN, SUBJECTS, JUDGE)
_LAST: Final = (LIMITS, OUTPUT, ADVANCED)


class GroupedOption(click.Option):
    """An option in a group of the help.

    Attributes:
        group: The heading under which the help shows it; those under `ADVANCED` only with ``--help-all``.
        older: An earlier name, which the help does not show.
        of_program: Whether ``assay`` itself has the option too, and says its default.
    """

    def __init__(
        self, *args: Any, group: str = OWN, older: str = "", of_program: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.group = group
        self.older = older
        self.of_program = of_program

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return the default and what else the help shows, without the bounds of numbers, which an error names."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        """Return the default: of an option of the whole program, its value there."""
        above = ctx.find_root().params.get(self.name or "") if self.of_program else None
        return super().get_default(ctx, call) if above is None else above

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser accept the earlier name too."""
        super().add_to_parser(parser, ctx)
        if self.older:
            action = "append" if self.multiple else "store"
            parser.add_option(obj=self, opts=[self.older], dest=self.name, action=action, nargs=self.nargs)

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Return the value of the option's environment variable, under its own name or under an earlier one."""
        value = super().resolve_envvar_value(ctx)
        if value is None and ctx.auto_envvar_prefix and self.name:
            for prefix in (ctx.auto_envvar_prefix, *_earlier_prefixes(ctx.auto_envvar_prefix)):
                for name in (self.name, self.older.lstrip("-")) if self.older else (self.name,):
                    value = value or os.environ.get(f"{prefix}_{name.replace('-', '_').upper()}") or None
        return value


def in_groups(params: Iterable[click.Parameter]) -> dict[str, list[GroupedOption]]:
    """Return the options by group, in the order of the help; in each group those that must be given come first."""
    groups: dict[str, list[GroupedOption]] = {group: [] for group in _FIRST}
    for param in params:
        if isinstance(param, GroupedOption):
            groups.setdefault(param.group, []).append(param)
    order = sorted(groups, key=lambda group: _LAST.index(group) if group in _LAST else -1)
    return {group: sorted(groups[group], key=lambda option: not option.required) for group in order}


def _earlier_prefixes(prefix: str) -> list[str]:
    """Return the prefixes of variables that a command had under its earlier names."""
    from assay.cli.command_table import RENAMED

    words = {earlier: newer for earlier, newer in RENAMED.items() if "--" not in newer}
    return [
        f"ASSAY_{_shouted(earlier)}{prefix.removeprefix('ASSAY_' + _shouted(newer))}"
        for earlier, newer in words.items()
        if f"{prefix}_".startswith(f"ASSAY_{_shouted(newer)}_")
    ]


def _shouted(words: str) -> str:
    return words.replace(" ", "_").replace("-", "_").upper()


class _Parameter:
    """How a field appears on the command line."""

    def __init__(self, kind: type[click.Parameter], flags: str = "", **attributes: Any) -> None:
        self.kind = kind
        self.flags = flags
        self.attributes = {name: value for name, value in attributes.items() if value is not None}


def option(
    help: str,  # noqa: A002 - click's name for it
    metavar: str | None = None,
    *,
    flags: str = "",
    default: Any = None,
    type: click.ParamType[Any] | None = None,  # noqa: A002
    required: bool = False,
    show_default: bool | str | None = None,
    envvar: str | None = None,
    older: str | None = None,
    group: str | None = None,
    of_program: bool | None = None,
) -> Any:
    """Declare a field to be an option.

    Args:
        help: A full sentence that stands alone.
        metavar: What stands for the value in the help.
        flags: The option's names, such as "-j --jobs"; ``--`` and the field's name if empty.
        default: The value if the option is not given; False for flags and () for tuples if there is none.
        type: How the text is read, if the annotation does not say it.
        required: Whether the option must be given.
        show_default: Whether the help shows the default, or what it shows instead; by default it shows numbers and words.
        envvar: An environment variable besides the one that every option has.
        older: An earlier name of the option, such as "--trials"; it still works, and so does its environment variable,
            but the help does not show it.
        group: The heading under which the help shows it. [that of the class]
        of_program: Whether ``assay`` has the option too, before the command; the command's own is then hidden.
    """
    declared = _Parameter(
        GroupedOption,
        flags,
        help=help,
        metavar=metavar,
        type=type,
        show_default=show_default,
        envvar=envvar,
        older=older,
        default=default,
        group=group,
        of_program=of_program,
        hidden=of_program,
    )
    return _field(declared, default=default, required=required)


def argument(
    metavar: str | None = None,
    *,
    type: click.ParamType[Any] | None = None,  # noqa: A002
    required: bool = True,
) -> Any:
    """Declare a field to be a positional argument; a tuple takes all that are given."""
    return _field(_Parameter(click.Argument, metavar=metavar, type=type), default=None, required=required)


def _field(declared: _Parameter, *, default: Any, required: bool) -> Any:
    declared.attributes["required"] = required
    if required:
        return dataclasses.field(metadata={_PARAMETER: declared})
    return dataclasses.field(default=default, metadata={_PARAMETER: declared})


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option, argument))
class Arguments:
    """What a command line says; subclasses are frozen dataclasses.

    Attributes:
        not_taken: Inherited fields that a command does not take.
    """

    not_taken: tuple[str, ...] = ()

    def __init_subclass__(cls, *, without: tuple[str, ...] = (), group: str = OWN, **kwargs: Any) -> None:
        """Make the subclass a dataclass.

        Args:
            without: Inherited fields that the command does not take.
            group: The group of the options that the class declares, unless they name another.
            **kwargs: Of other bases.
        """
        super().__init_subclass__(**kwargs)
        own = inspect.get_annotations(cls)
        cls.not_taken = (*(name for name in cls.not_taken if name not in own), *without)
        for name, annotation in own.items():
            field = cls.__dict__.get(name)
            bases = (vars(base).get("__dataclass_fields__", {}) for base in cls.__mro__[1:])
            inherited = next((fields[name] for fields in bases if name in fields), None)
            if name not in cls.__dict__ and inherited is not None:
                field = dataclasses.field(default=inherited.default, metadata=inherited.metadata)
                setattr(cls, name, field)
            elif isinstance(field, dataclasses.Field) and _PARAMETER in field.metadata:
                declared = field.metadata[_PARAMETER]
                if declared.kind is not click.Argument:
                    declared.attributes.setdefault("group", group)
            if isinstance(field, dataclasses.Field) and field.default is None:
                field.default = (
                    False if annotation == "bool" else () if annotation.startswith("tuple") else None
                )
        # Generated methods that nobody calls would slow down every start.
        dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)(cls)


def parameters_of(arguments: type[Arguments]) -> list[click.Parameter]:
    """Return the click parameters that a class of arguments declares."""
    types = get_type_hints(arguments)
    fields = dataclasses.fields(arguments)  # type: ignore[arg-type]
    declared: dict[str, _Parameter] = {
        field.name: field.metadata[_PARAMETER] for field in fields if _PARAMETER in field.metadata
    }
    names = [name for owner in arguments.__mro__ for name in inspect.get_annotations(owner)]
    return [
        _parameter(name, declared[name], types[name])
        for name in dict.fromkeys(names)
        if name in declared and name not in arguments.not_taken
    ]


def _parameter(name: str, declared: _Parameter, annotation: Any) -> click.Parameter:
    attributes = dict(declared.attributes)
    many = get_origin(annotation) is tuple
    inner = _inner(annotation)
    if get_origin(inner) is Literal and "type" not in attributes:
        attributes["type"] = click.Choice(get_args(inner))
    if declared.kind is click.Argument:
        return click.Argument([name], nargs=-1 if many else 1, **attributes)
    flags = declared.flags.split() or [f"--{name.replace('_', '-')}"]
    if inner is bool:
        attributes |= {"default": attributes.get("default")} if "/" in declared.flags else {"is_flag": True}
    else:
        attributes["multiple"] = many
        attributes.setdefault("type", inner)
        if inner in (int, float):
            attributes.setdefault("metavar", "N")
        attributes.setdefault("show_default", attributes.get("default") is not None)
    return GroupedOption([*flags, name], **attributes)


def _inner(annotation: Any) -> Any:
    """Return the type of one value: of ``tuple[str, ...]`` and of ``str | None`` it is ``str``."""
    if get_origin(annotation) is tuple:
        return get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        rest = [item for item in get_args(annotation) if item is not NoneType]
        return rest[0] if len(rest) == 1 else str
    return annotation
