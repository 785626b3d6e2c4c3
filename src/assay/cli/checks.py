"""``assay checks``: the list, and the explanation of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import argument
from assay.cli.commands import command, group
from assay.cli.options import FormatArguments, json_text, painter_for

if TYPE_CHECKING:
    from assay.checks.base import Check
    from assay.checks.fault_types import FaultType
    from assay.present.display import Painter


class ChecksArguments(FormatArguments):
    """What the command line of ``assay checks`` says."""

    format: Literal["text", "json"]


@group()
def checks() -> None:
    """List the checks, or explain one."""


@command(ChecksArguments, name="list")
def list_(args: ChecksArguments) -> None:
    """List every check: code, severity, name, what it finds."""
    from assay.checks.registry import all_checks
    from assay.present.display import pad
    from assay.text.wording import sentence

    found = list(all_checks().values())
    if args.format == "json":
        click.echo(json_text([_as_dict(check) for check in found]))
        return
    paint = painter_for(args.color)
    wide = max(len(check.name) for check in found)
    for check in found:
        off = "" if check.default else paint("  (off by default)", "dim")
        needs = paint(f"  (needs {', '.join(check.needs)})", "dim") if check.needs else ""
        severity = paint(check.severity.ljust(7), check.severity)
        click.echo(
            f"{check.code}  {severity}  {pad(check.name, wide)}  {sentence(check.summary).rstrip('.')}{needs}{off}"
        )


class ExplainArguments(FormatArguments):
    """What the command line of ``assay checks explain`` says."""

    code: str = argument()
    format: Literal["text", "json"]


@command(ExplainArguments)
def explain(args: ExplainArguments) -> None:
    """Explain a check, by CODE or name: what it finds, why it matters, where it errs."""
    from assay.checks.fault_types import find_fault
    from assay.checks.registry import explanation, find_check

    fault = find_fault(args.code)
    if fault is not None:
        click.echo(json_text(fault) if args.format == "json" else _fault_text(fault, painter_for(args.color)))
        return
    check = find_check(args.code)
    if args.format == "json":
        click.echo(json_text({**_as_dict(check), "explanation": explanation(check)}))
        return
    paint = painter_for(args.color)
    lines = [
        f"{paint(check.code, check.severity)} {paint(check.name, 'bold')}  {check.severity}",
        "",
        explanation(check),
        "",
        *_facts(check, paint),
    ]
    if check.bad:
        lines += ["", paint("Flagged:", "bold"), _indented(check.bad[0].text)]
    if check.good:
        lines += ["", paint("Left alone:", "bold"), _indented(check.good[0].text)]
    click.echo("\n".join(lines))


def _fault_text(fault: FaultType, paint: Painter) -> str:
    """Return what a reader's type of fault is."""
    from assay.present.words import dimension_title

    rows = [
        ("Dimension", dimension_title(fault.dimension) if fault.dimension else None),
        ("Sign of", fault.failure.replace("_", " ") if fault.failure else None),
        ("Named by", "a model that reads: assay audit --model"),
        (
            "Severity",
            "by weight: error overturns an answer or conclusion, warning weakens one, info is minor",
        ),
    ]
    asks = f"{fault.asks[0].upper()}{fault.asks[1:]}."
    facts = [f"{paint(name.ljust(10), 'dim')}  {value}" for name, value in rows if value]
    return "\n".join([f"{paint(fault.code, 'bold')} {paint(fault.title, 'bold')}", "", asks, "", *facts])


def _facts(check: Check, paint: Painter) -> list[str]:
    from assay.present.words import dimension_title

    rows = [
        ("Looks at", check.subject),
        ("Dimension", dimension_title(check.dimension) if check.dimension else None),
        ("Sign of", check.failure.replace("_", " ") if check.failure else None),
        ("Languages", ", ".join(check.languages) if check.languages else "any"),
        ("Needs", ", ".join(check.needs) if check.needs else None),
        ("By default", "on" if check.default else "off; --select turns it on"),
        ("Since", check.since),
    ]
    return [f"{paint(name.ljust(10), 'dim')}  {value}" for name, value in rows if value]


def _indented(text: str) -> str:
    from assay.present.display import visible

    shown = text.strip().splitlines()
    more = ["…"] if len(shown) > 14 else []
    return "\n".join(f"    {visible(line[:200])}" for line in [*shown[:14], *more])


def _as_dict(check: Check) -> dict[str, object]:
    return {
        "code": check.code,
        "name": check.name,
        "severity": check.severity,
        "summary": check.summary,
        "subject": check.subject,
        "dimension": check.dimension,
        "failure": check.failure,
        "languages": list(check.languages) if check.languages else None,
        "needs": list(check.needs),
        "default": check.default,
        "since": check.since,
    }
