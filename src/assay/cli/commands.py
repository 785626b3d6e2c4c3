"""The classes of Assay's commands and groups, and the decorators that make them."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from assay.cli.arguments import Arguments
    from assay.cli.command_table import Entry

A = TypeVar("A", bound="Arguments")

_ALL: Final = "assay.cli.help_all"
_LIST: Final = "list"
_HELP: Final = ("-h", "--help")


def load_command(name: str, entry: Entry) -> click.Command:
    """Import the command behind an entry of `assay.cli.command_table`."""
    module, _, attribute = entry.module.partition(":")
    loaded: Command | Group = getattr(
        importlib.import_module(f"assay.cli.{module}"), attribute or name.replace("-", "_")
    )
    loaded.name = name
    loaded.short_help = entry.line
    loaded.places = entry.subcommands
    return loaded


def _write_commands(places: Mapping[str, Entry], formatter: click.HelpFormatter) -> None:
    if places:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.line) for name, entry in places.items()])


class Command(click.Command):
    """A command that refuses to write over what it reads, and that may have commands below it.

    Attributes:
        places: Commands below this one; the first word after this command's name may name one of them.
    """

    places: Mapping[str, Entry] = {}

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of this command, or of the command below it that the first word names."""
        if not args or args[0] not in self.places:
            return super().make_context(info_name, args, parent, **extra)
        # Click shows the arguments of an outer command before the inner one's name; a group has none.
        outer = click.Context(click.Group(self.name), info_name=info_name, parent=parent)
        inner = load_command(args[0], self.places[args[0]])
        return inner.make_context(args[0], args[1:], outer, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from assay.cli.outputs import guard

        guard(ctx)
        return super().invoke(ctx)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters; a command with advanced options has ``--help-all``."""
        from assay.cli.arguments import ADVANCED

        params = super().get_params(ctx)
        rare = any(getattr(param, "group", None) == ADVANCED for param in params)
        return [*params, _help_all()] if rare else params

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options by group, then the commands below this one."""
        from assay.cli.arguments import ADVANCED, GroupedOption, in_groups

        params = self.get_params(ctx)
        groups = in_groups(params)
        if not ctx.meta.get(_ALL, False):
            groups.pop(ADVANCED, None)
        for group, options in groups.items():
            _write_options(group or "Options", options, ctx, formatter)
        _write_commands(self.places, formatter)
        rest = [item for item in params if not isinstance(item, GroupedOption | click.Argument)]
        _write_options("Help", rest, ctx, formatter)


def _write_options(
    title: str, options: Sequence[click.Parameter], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    rows = [row for row in (option.get_help_record(ctx) for option in options) if row is not None]
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


def _help_all() -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            ctx.meta[_ALL] = True
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()

    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show the advanced options too.",
    )


class Group(click.Group):
    """A group whose commands are imported when they are called; without a word after its name, it lists.

    Attributes:
        places: The commands of the group.
    """

    places: Mapping[str, Entry] = {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Run ``list``, if the group has it and no other command is named."""
        if _LIST in self.places and (not args or (args[0].startswith("-") and args[0] not in _HELP)):
            args = [_LIST, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands without importing them."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return a command."""
        return load_command(cmd_name, self.places[cmd_name]) if cmd_name in self.places else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; refuse an unknown name and offer the nearest one."""
        if args and not args[0].startswith("-") and args[0] not in self.places:
            called = "command" if ctx.parent is None else f"subcommand of `{ctx.command_path}`"
            ctx.fail(f"no {called} is called {args[0]!r}; {self.suggestion(args[0])}")
        return super().resolve_command(ctx, args)

    def suggestion(self, name: str) -> str:
        """Return what to say about an unknown name."""
        from assay.suggest import did_you_mean

        return did_you_mean(name, self.places)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        _write_commands(self.places, formatter)


def command(arguments: type[A] | None = None, **attributes: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a `Command`.

    Args:
        arguments: The class whose fields are the command's parameters; the function takes an object of it.
        **attributes: As of `click.command`.
    """

    def decorate(function: Callable[..., Any]) -> Command:
        from assay.cli.arguments import parameters_of

        if arguments is None:
            return click.command(cls=Command, **attributes)(function)

        @functools.wraps(function)
        def call(**values: Any) -> Any:
            from assay.cli.options import OutputArguments, format_by_suffix

            if issubclass(arguments, OutputArguments):
                values["format"] = format_by_suffix(click.get_current_context(), values)
            return function(arguments(**values))

        return click.command(cls=Command, params=parameters_of(arguments), **attributes)(call)

    return decorate


def group(**attributes: Any) -> Callable[[Callable[..., Any]], Group]:
    """Make a function a `Group`, whose commands stand in `assay.cli.command_table`."""

    def decorate(function: Callable[..., Any]) -> Group:
        return click.group(cls=Group, **attributes)(function)

    return decorate
