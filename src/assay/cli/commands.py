"""The classes of Assay's commands and groups, and the decorators that make them."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from assay.cli.arguments import Arguments


A = TypeVar("A", bound="Arguments")


class Command(click.Command):
    """A command that refuses to write over what it reads."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from assay.cli.outputs import guard

        guard(ctx)
        return super().invoke(ctx)


class Group(click.Group):
    """A group of such commands."""

    command_class = Command


class LazyGroup(Group):
    """A group whose commands are imported when they are called.

    Attributes:
        places: For each command the module in `assay.cli` that defines it, and its line in the list of commands.
        called: What messages call the group's commands.
    """

    places: Mapping[str, tuple[str, str]] = {}
    called = "command"

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands without importing them."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return a command."""
        if cmd_name not in self.places:
            return None
        name, line = self.places[cmd_name]
        module = importlib.import_module(f"assay.cli.{name}")
        found: click.Command = getattr(module, "list_" if cmd_name == "list" else cmd_name)
        found.short_help = line
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; refuse an unknown name and offer the nearest one."""
        if args and not args[0].startswith("-") and args[0] not in self.places:
            from assay.suggest import did_you_mean

            ctx.fail(f"no {self.called} is called {args[0]!r}; {did_you_mean(args[0], self.places)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.places.items()])


def command(
    arguments: type[A] | None = None, *, parent: click.Group | None = None, **attributes: Any
) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a `Command`.

    Args:
        arguments: The class whose fields are the command's parameters; the function takes an object of it.
        parent: The group that the command belongs to.
        **attributes: As of `click.command`.
    """

    def decorate(function: Callable[..., Any]) -> Command:
        from assay.cli.arguments import parameters_of

        if arguments is None:
            made = click.command(cls=Command, **attributes)(function)
        else:

            @functools.wraps(function)
            def call(**values: Any) -> Any:
                return function(arguments(**values))

            made = click.command(cls=Command, params=parameters_of(arguments), **attributes)(call)
        if parent is not None:
            parent.add_command(made)
        return made

    return decorate


def group(arguments: type[A] | None = None, **attributes: Any) -> Callable[[Callable[..., Any]], Group]:
    """Make a function a `Group`; takes what `command` takes."""
    attributes.setdefault("cls", Group)

    def decorate(function: Callable[..., Any]) -> Group:
        call = function
        if arguments is not None:
            from assay.cli.arguments import parameters_of

            attributes["params"] = parameters_of(arguments)

            @functools.wraps(function)
            def call(**values: Any) -> Any:
                return function(arguments(**values))

        made: Group = click.group(**attributes)(call)
        return made

    return decorate
