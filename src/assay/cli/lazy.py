"""Groups of commands that are listed at once and loaded when they are called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

import click


class LazyGroup(click.Group):
    """A group that knows where each of its commands is, and the one line that is said of it.

    Attributes:
        places: Module and attribute, as ``package.module:name``, and the line, by the command's name.
        called: What messages call the group's commands.
    """

    places: Mapping[str, tuple[str, str]] = {}
    called = "command"

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All of them, unloaded."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, loaded."""
        if cmd_name not in self.places:
            return None
        module, _, name = self.places[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Which command is meant; the nearest is offered where there is none."""
        if args and not args[0].startswith("-") and args[0] not in self.places:
            from assay.suggest import did_you_mean  # noqa: PLC0415 - only on the way to an error

            ctx.fail(f"no {self.called} is called {args[0]!r}; {did_you_mean(args[0], self.places)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List them, unloaded."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.places.items()])
