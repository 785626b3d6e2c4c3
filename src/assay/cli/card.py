"""``assay bench card`` and ``assay bench gate``: what a judge is worth, and whether that is enough."""

from __future__ import annotations

from typing import Any, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.chart_output import CHARTS, check_charts, write_chart_files
from assay.cli.commands import command
from assay.cli.options import FormatArguments, OutputArguments, painter_for
from assay.cli.outputs import RUN_FOLDER, opened, refuse_overwrite
from assay.errors import InputError, UsageError


class CardArguments(OutputArguments):
    """What the command line of ``assay bench card`` says."""

    runs: tuple[str, ...] = argument("RUN...", type=RUN_FOLDER)
    condition: str | None = option("The condition of the run, by its number (from 1) or its judge.", "N|NAME")
    agreement: str | None = option("Agreement with people, as `assay agree --format json` writes it.", "FILE")
    format: Literal["html", "json", "svg", "png", "pdf"] = option(
        "Output format; svg, png and pdf write each chart of the page to a file.",
        flags="-f --format",
        default="html",
    )


class GateArguments(FormatArguments):
    """What the command line of ``assay bench gate`` says."""

    runs: tuple[str, ...] = argument("RUN...", type=RUN_FOLDER)
    least: tuple[str, ...] = option(
        "Smallest value that a metric may have. Repeatable.", "NAME=N", flags="--min"
    )
    most: tuple[str, ...] = option(
        "Largest value that a metric may have. Repeatable.", "NAME=N", flags="--max"
    )
    sure: bool = option("Require that the whole 95 % interval meets the threshold, not only the value.")
    format: Literal["text", "json"]


@command(CardArguments)
def card(args: CardArguments) -> int:
    """Make one page about a judge from RUN, a folder that `assay bench run` kept; from several, a page that compares them.

    \b
    assay bench card bench/trials/RUN -o card.html
    assay bench card bench/trials/ONE bench/trials/TWO -o judges.html
    assay agree judgments.jsonl labels.jsonl --format json -o agreement.json
    assay bench card bench/trials/RUN --agreement agreement.json -o card.html
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    from assay.interventions.instances import INSTANCES
    from assay.meta.card import cards_of, places_of
    from assay.meta.result_comparison import compare_results
    from assay.meta.results import BenchmarkResult
    from assay.present.html.comparison import cards_page, cards_sections

    check_charts(args.format, args.output)
    found = [BenchmarkResult.load(path) for path in args.runs]
    for path, item in zip(args.runs, found, strict=True):
        refuse_overwrite(args.output, [place / INSTANCES for place in places_of(item, path)])
    results = found[0] if len(found) == 1 else compare_results(*found)
    named = args.condition
    if named is not None and named.isdigit() and not 1 <= int(named) <= len(results.detections):
        raise UsageError(f"--condition {named}: the run has only {len(results.detections)} conditions")
    cards = cards_of(
        results,
        int(named) - 1 if named is not None and named.isdigit() else named,
        agreement=_agreement(args.agreement),
        near=args.runs[0],
    )
    if args.format in CHARTS:
        from assay.present.html.tables import charts_in

        write_chart_files(charts_in(cards_sections(cards, results)), args.output, args.format)
        return 0
    with opened(args.output) as stream:
        if args.format == "json":
            for card in cards:
                stream.write(msgspec.json.encode(card.to_dict()).decode() + "\n")
        else:
            stream.write(cards_page(cards, results))
    return 0


@command(
    GateArguments,
    epilog="Exit codes: 0 every threshold is met; 1 one is missed, or its metric is unknown; 2 bad usage or input.",
)
def gate(args: GateArguments) -> int:
    """Fail CI when a judge misses a threshold: RUN is a folder of `assay bench run`, or JSON that it or `assay agree` wrote.

    \b
    assay bench gate bench/trials/RUN --min detection=0.7 --max asr.length=0.1 --min coverage=0.98
    assay bench gate agreement.json --min quadratic_kappa=0.6 --sure
    assay bench gate bench/trials/RUN                         lists the metrics of the run
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    from assay.meta.gate import check_thresholds, parse_thresholds
    from assay.meta.metric_files import read_metrics
    from assay.present.gates import gate_text, measures_text

    bounds = parse_thresholds(args.least, args.most)
    judged = [item for path in args.runs for item in read_metrics(path)]
    for item in judged:
        if item.status != "done":
            click.echo(f"assay: {item.title}: the run is incomplete ({item.status})", err=True)
    painter = painter_for(args.color)
    if not bounds:
        if args.format == "json":
            for item in judged:
                click.echo(msgspec.json.encode(item).decode())
        else:
            click.echo(measures_text(judged, painter=painter), nl=False)
        return 0
    found = check_thresholds(judged, bounds, sure=args.sure)
    if args.format == "json":
        for one in found:
            click.echo(msgspec.json.encode(one).decode())
    else:
        click.echo(gate_text(found, painter=painter, sure=args.sure), nl=False)
    return 0 if found.met else 1


def _agreement(path: str | None) -> dict[str, Any] | None:
    import msgspec

    from assay.rows import read_text

    if path is None:
        return None
    try:
        data: dict[str, Any] = msgspec.json.decode(read_text(path), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise InputError(f"not a JSON object: {error}", where=path) from error
    if data.get("schema") not in ("assay.agreement/1", "assay.agreement/2") or not isinstance(
        data.get("metrics"), dict
    ):
        raise InputError(
            "this is not an assay.agreement/2 object", where=path, hint="assay agree --format json writes it"
        )
    return data
