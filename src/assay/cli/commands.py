"""The classes of Assay's commands and groups, and the decorators that make them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import click

from assay.cli.outputs import guard


class Command(click.Command):
    """A command that refuses to write over what it reads."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        guard(ctx)
        return super().invoke(ctx)


class Group(click.Group):
    """A group of such commands."""

    command_class = Command


class LazyGroup(Group):
    """A group whose commands are imported when they are called.

    Attributes:
        places: For each command its ``package.module:name`` and its line in the list of commands.
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
        module, _, name = self.places[cmd_name][0].partition(":")
        found: click.Command = getattr(importlib.import_module(module), name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; refuse an unknown name and offer the nearest one."""
        if args and not args[0].startswith("-") and args[0] not in self.places:
            from assay.suggest import did_you_mean  # noqa: PLC0415 - only on the way to an error

            ctx.fail(f"no {self.called} is called {args[0]!r}; {did_you_mean(args[0], self.places)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.places.items()])


def command(**attributes: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a `Command`; takes what `click.command` takes."""
    return click.command(cls=Command, **attributes)


def group(**attributes: Any) -> Callable[[Callable[..., Any]], Group]:
    """Make a function a `Group`; takes what `click.group` takes."""
    attributes.setdefault("cls", Group)
    made: Callable[[Callable[..., Any]], Group] = click.group(**attributes)
    return made
