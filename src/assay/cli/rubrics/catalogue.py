"""``assay rubrics list``, ``show``, ``lint`` and ``schema``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command
from assay.cli.options import FormatArguments, columns_for, json_text, painter_for

if TYPE_CHECKING:
    from assay.present.display import Painter
    from assay.rubrics.lint import RubricFinding
    from assay.rubrics.rubric import Criterion, Rubric
    from assay.rubrics.tasks import RubricTask


class RubricListArguments(FormatArguments):
    """What the command line of ``assay rubrics list`` says."""

    format: Literal["text", "json"]


@command(RubricListArguments, name="list")
def list_(args: RubricListArguments) -> None:
    """List the built-in rubrics and the named scales."""
    from assay.present.display import fit, pad
    from assay.rubrics.loader import ALIASES, load_rubric, rubric_names
    from assay.rubrics.scales import load_scale, scale_names
    from assay.runs.rubric_lookup import INSTANCE

    rubrics = [load_rubric(name) for name in rubric_names()]
    scales = {name: load_scale(name) for name in scale_names()}
    if args.format == "json":
        aliases = {name: [alias for alias, of in ALIASES.items() if of == name] for name in rubric_names()}
        click.echo(
            json_text(
                {
                    "rubrics": [{**_summary(item), "aliases": aliases[item.name]} for item in rubrics],
                    "written": [INSTANCE],
                    "scales": {name: scale.sentence() for name, scale in scales.items()},
                }
            )
        )
        return
    paint = painter_for(args.color)
    wide = max(len(name) for name in (*rubric_names(), *scales, INSTANCE))
    click.echo(paint("Rubrics", "bold"))
    for item in rubrics:
        targets = ", ".join(item.targets) or "anything"
        also = "".join(f", also called {alias}" for alias, name in ALIASES.items() if name == item.name)
        count = f"{len(item.criteria)} {'criterion' if len(item.criteria) == 1 else 'criteria'}"
        click.echo(f"  {pad(item.name, wide)}  {item.title}")
        click.echo(paint(f"  {' ' * wide}  {count}, for {targets}{also}", "dim"))
    click.echo(f"  {pad(INSTANCE, wide)}  ReportLogic, eight questions written for each pair")
    click.echo(
        paint(f"  {' ' * wide}  by a model, as it is asked (assay rubrics for-pair shows them)", "dim")
    )
    click.echo("\n" + paint("Scales, to name in a rubric of your own", "bold"))
    for name, scale in scales.items():
        click.echo(f"  {pad(name, wide)}  {fit(scale.sentence(), columns_for(sys.stdout) - wide - 4)}")


class RubricShowArguments(FormatArguments):
    """What the command line of ``assay rubrics show`` says."""

    name: str = argument()
    language: Literal["en", "zh"] = option("Language of the texts.", default="en")
    task: str | None = option("Show one task of a set, by its id.", "ID")
    format: Literal["text", "json"]


@command(RubricShowArguments)
def show(args: RubricShowArguments) -> None:
    """Show a rubric, or what a set of tasks holds.

    NAME is a built-in rubric, a file or a folder, or hf:owner/name[:split]. --format json prints a rubric
    in the published format.
    """
    from assay.cli.rubrics.sets import open_rubrics, set_data, set_text, task_lines
    from assay.rubrics.loaders.task_rows import dump_task
    from assay.rubrics.rubric_file import dump_rubric

    found = open_rubrics(args.name, args.task)
    only = found.tasks.only if args.task is not None else None
    paint, chinese = painter_for(args.color), args.language == "zh"
    if found.rubric is not None:
        if args.format == "json":
            click.echo(json_text(dump_rubric(found.rubric)))
        else:
            click.echo("\n".join(_described(found.rubric, paint, chinese=chinese)))
    elif only is not None:
        if args.format == "json":
            click.echo(json_text(dump_task(only)))
        else:
            click.echo(
                "\n".join([*task_lines(only, paint), *_described(only.rubric, paint, chinese=chinese)])
            )
    elif args.format == "json":
        click.echo(json_text(set_data(found.tasks)))
    else:
        click.echo("\n".join(set_text(found.tasks, paint)))


class RubricLintArguments(FormatArguments):
    """What the command line of ``assay rubrics lint`` says."""

    files: tuple[str, ...] = argument("FILE...")
    fail_on: Literal["error", "warning", "info", "never"] = option(
        "Least severity of a finding that makes the exit code 1.", default="error"
    )
    format: Literal["text", "json"]


@command(
    RubricLintArguments,
    epilog="Exit codes: 0 done; 1 findings at or above --fail-on; 2 a file is not a rubric, or bad usage.",
)
def lint(args: RubricLintArguments) -> int:
    """Find what makes a rubric hard to judge by: two demands in one, vague measures, duplicates, odd weights.

    FILE is a rubric or a set of tasks in any format that Assay reads, a folder of such files, or the name of a built-in
    rubric.
    """
    from assay.cli.rubrics.sets import linted

    found = [(path, *linted(path)) for path in args.files]
    if args.format == "json":
        import msgspec

        rows = [
            {"path": path, **({"task": task} if task else {}), "findings": msgspec.to_builtins(findings)}
            for path, items, _ in found
            for task, findings in _by_task(items)
        ]
        click.echo(json_text({"schema": "assay.rubric-lint/1", "rubrics": rows}))
    else:
        click.echo("\n".join(_report(found, painter_for(args.color))))
    order = ("info", "warning", "error")
    if args.fail_on == "never":
        return 0
    bar = order.index(args.fail_on)
    return int(any(order.index(finding.severity) >= bar for _, items, _ in found for _, _, finding in items))


@command()
def schema() -> None:
    """Print the JSON schema of rubric files, short forms included."""
    from assay.rubrics.rubric_file import rubric_schema

    click.echo(json_text(rubric_schema()))


_Items: TypeAlias = "list[tuple[RubricTask | None, str, RubricFinding]]"


def _by_task(items: _Items) -> list[tuple[str, list[RubricFinding]]]:
    """Group findings by task; without tasks or findings there is one group without a name."""
    groups: dict[str, list[RubricFinding]] = {}
    for task, _, finding in items:
        groups.setdefault(task.id if task else "", []).append(finding)
    return list(groups.items()) or [("", [])]


def _report(found: list[tuple[str, _Items, str]], paint: Painter) -> list[str]:
    from assay.present.display import visible

    lines: list[str] = []
    for path, items, details in found:
        for task, where, item in items:
            severity = paint(item.severity, item.severity)
            named = f"task {visible(task.id)} " if task else ""
            lines.append(
                f"{visible(where)} {item.code} {severity} {named}{visible(item.place)}: {visible(item.message)} "
                f"({item.name})"
            )
        counts = [
            f"{count} {severity}{'s' if count > 1 and severity != 'info' else ''}"
            for severity in ("error", "warning", "info")
            if (count := sum(item.severity == severity for _, _, item in items))
        ]
        lines.append(f"{visible(path)}: {details}{', '.join(counts) or 'clean'}")
    return lines


def _summary(found: Rubric) -> dict[str, Any]:
    return {
        "name": found.name,
        "title": found.title,
        "source": found.source,
        "targets": list(found.targets),
        "criteria": [item.key for item in found.criteria],
        "version": found.version,
    }


def _described(found: Rubric, paint: Painter, *, chinese: bool) -> list[str]:
    from assay.cli.rubrics.sets import labelled
    from assay.present.display import visible
    from assay.present.wrapping import wrapped

    language: Literal["en", "zh"] = "zh" if chinese else "en"
    overall = {
        "mean": "weighted mean",
        "sum": "weighted sum",
        "compliance": "weighted sum over the positive weights",
        "none": "none",
    }
    rows = [
        ("From", found.source),
        ("For", ", ".join(found.targets) or "anything"),
        ("Scale", found.scale.sentence(language)),
        ("Pairs", found.pair_scale.sentence(language)),
        ("Overall", overall[found.aggregate]),
        (
            "Asked",
            "all criteria in one call" if found.ask == "together" else "each criterion in a call of its own",
        ),
        ("Told", (found.about_zh if chinese else "") or found.about),
        ("Version", found.version),
    ]
    lines = [f"{paint(found.name, 'bold')}  {visible(found.title)}".rstrip(), ""]
    lines += labelled(rows, paint)
    weighted = any(item.weight != 1 for item in found.criteria)
    columns = columns_for(sys.stdout)
    for item in found.criteria:
        weight = paint("  " + visible(", ".join(_standing(item, weighted=weighted))), "dim")
        # A title that is only the beginning of the criterion would be repeated.
        cut = not item.title or item.asks.startswith(item.title.removesuffix("…"))
        title = "" if cut else f"  {visible(item.title)}"
        lines += ["", f"{paint(item.key, 'accent')}{title}{weight}".rstrip()]
        lines += wrapped((item.asks_zh if chinese else "") or item.asks, columns, "    ")
        if item.scale is not None:
            details = wrapped(f"answered with {item.scale.sentence(language)}", columns, "    ")
            lines += [paint(line, "dim") for line in details]
    return lines


def _standing(item: Criterion, *, weighted: bool) -> list[str]:
    """Return a criterion's weight, its axis, and whether it is mandatory."""
    from assay.rubrics.weighted import axis_of, axis_title, is_mandatory

    axis = axis_of(item)
    details = [f"weight {item.weight:g}"] if weighted else []
    if axis:
        details += ["mandatory"] * is_mandatory(item) + [axis_title(axis)]
    return details
