"""``assay strategies``: the list of prompting strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from assay.cli.commands import command
from assay.cli.options import FormatArguments, json_text, painter_for

if TYPE_CHECKING:
    from assay.strategies.base import Strategy


class StrategiesArguments(FormatArguments):
    """What the command line of ``assay strategies`` says."""

    format: Literal["text", "json"]


@command(StrategiesArguments)
def strategies(args: StrategiesArguments) -> None:
    """List the prompting strategies: ways to elicit a verdict from a model.

    A judge is named STRATEGY@MODEL; a prompt of your own takes the place of a strategy (./FILE@MODEL).

    The column of calls gives the fewest and the most calls for one question, with the strategy's default options. A
    reference is a good answer to compare with, given by --reference FILE.
    """
    from assay.strategies.registry import all_strategies

    found = list(all_strategies().values())
    if args.format == "json":
        click.echo(json_text([_as_dict(strategy) for strategy in found]))
        return
    from assay.present.display import pad

    paint = painter_for(args.color)
    wide = max(len(strategy.name) for strategy in found)
    rows = [(_calls(strategy), _needs(strategy), strategy) for strategy in found]
    needs_wide = max(len(needs) for _, needs, _ in rows)
    head = f"{pad('name', wide)}  calls  {pad('reference', needs_wide)}  what it does"
    click.echo(paint(head, "dim"))
    for calls, needs, strategy in rows:
        click.echo(
            f"{paint(pad(strategy.name, wide), 'bold')}  {pad(calls, 5)}  {pad(needs, needs_wide)}  {strategy.summary}"
        )
        if strategy.source:
            click.echo(" " * (wide + needs_wide + 11) + paint(strategy.source, "dim"))


def _calls(strategy: Strategy) -> str:
    least, most = strategy.calls
    return str(least) if least == most else f"{least}–{most}"


def _needs(strategy: Strategy) -> str:
    """Return the modes in which the strategy needs a reference."""
    from assay.subjects.case import MODES

    modes = [mode for mode in MODES if mode in strategy.needs_reference]
    return "always" if len(modes) == len(MODES) else f"to {' and '.join(modes)}" if modes else "–"


def _as_dict(strategy: Strategy) -> dict[str, object]:
    from assay.subjects.case import MODES

    return {
        "name": strategy.name,
        "calls": {"least": strategy.calls[0], "most": strategy.calls[1]},
        "needs_reference": [mode for mode in MODES if mode in strategy.needs_reference],
        "summary": strategy.summary,
        "source": strategy.source,
        "options": strategy.options,
        "fields": [field.key for field in strategy.fields],
        "template": strategy.template,
    }
