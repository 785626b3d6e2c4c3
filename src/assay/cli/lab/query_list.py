"""``assay lab query list``: the questions that suites bring."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator
from typing import Any, Final, Literal

import click

from assay.cli.arguments import argument
from assay.cli.commands import command
from assay.cli.options import FormatArguments
from assay.errors import UsageError

# A suite that brings questions has a module of this name with a function of this name.
_QUESTIONS: Final = "questions"


class QueryListArguments(FormatArguments):
    """What the command line of ``assay lab query list`` says."""

    suite: str | None = argument(required=False)
    format: Literal["text", "jsonl"]


@command(QueryListArguments, name="list")
def list_(args: QueryListArguments) -> None:
    """List the questions that suites bring, or those of one SUITE."""
    import msgspec

    suite = args.suite
    found = dict(_found())
    if suite is not None and suite not in found:
        from assay.suggest import did_you_mean

        raise UsageError(f"no suite called {suite!r} brings questions; {did_you_mean(suite, found)}")
    rows = [row for name, some in found.items() if suite in (None, name) for row in some]
    if args.format == "jsonl":
        click.echo("".join(msgspec.json.encode(row).decode() + "\n" for row in rows), nl=False)
        return
    from assay.cli.options import columns_for, painter_for
    from assay.present.display import fit, pad, visible, width
    from assay.text.amounts import plural

    paint, columns = painter_for(args.color), columns_for(sys.stdout)
    for name, some in found.items():
        if suite not in (None, name):
            continue
        click.echo(paint(name, "bold") + f"  {plural(len(some), 'question')}")
        wide = max(width(str(row["id"])) for row in some)
        for row in some:
            head = f"  {pad(visible(str(row['id'])), wide)}  "
            click.echo(head + fit(visible(str(row["query"])), columns - width(head)))


def _found() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each suite that brings questions, with rows as `assay lab query` reads them."""
    import assay.suites as package

    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if not info.ispkg or importlib.util.find_spec(f"{info.name}.{_QUESTIONS}") is None:
            continue
        function = getattr(importlib.import_module(f"{info.name}.{_QUESTIONS}"), _QUESTIONS, None)
        if function is not None:
            name = info.name.rpartition(".")[2]
            yield name, [_row(name, item) for item in function()]


def _row(suite: str, item: Any) -> dict[str, Any]:
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(item)
    query = fields.pop("query", None) or fields.pop("query_en", "")
    return {"suite": suite, "id": fields.pop("id", None), "query": query, **fields}
