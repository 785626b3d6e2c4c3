"""``assay bench card`` and ``assay bench gate``: what a judge is worth, and whether that is enough."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import Arguments, argument, option
from assay.cli.commands import command
from assay.cli.options import ColorArguments, painter_for
from assay.cli.outputs import RUN_FOLDER, OutputPath, opened, refuse_overwrite
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.interventions.instances import Instance
    from assay.meta.card import Card
    from assay.meta.results import Results


class CardArguments(Arguments):
    """What the command line of ``assay bench card`` says."""

    runs: tuple[str, ...] = argument("RUN...", type=RUN_FOLDER)
    condition: str | None = option("The condition of the run, by its number (from 1) or its judge.", "N|NAME")
    agreement: str | None = option("Agreement with people, as `assay agree --format json` writes it.", "FILE")
    format: Literal["html", "json"] = option("Output format.", flags="-f --format", default="html")
    output: str | None = option(
        "Write the result to this file instead of the terminal.",
        "PATH",
        flags="-o --output",
        type=OutputPath(),
    )


class GateArguments(ColorArguments):
    """What the command line of ``assay bench gate`` says."""

    runs: tuple[str, ...] = argument("RUN...", type=RUN_FOLDER)
    least: tuple[str, ...] = option(
        "Smallest value that a metric may have. Repeatable.", "NAME=N", flags="--min"
    )
    most: tuple[str, ...] = option(
        "Largest value that a metric may have. Repeatable.", "NAME=N", flags="--max"
    )
    sure: bool = option("Require that the whole 95 % interval meets the threshold, not only the value.")
    format: Literal["text", "json"] = option("Output format.", flags="-f --format", default="text")


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
    from assay.meta.card import card_of
    from assay.meta.results import load_results

    agreement = _agreement(args.agreement)
    cards: list[Card] = []
    found = [(path, load_results(path)) for path in args.runs]
    for path, results in found:
        refuse_overwrite(args.output, [place / INSTANCES for place in _benchmarks(path, results)])
        instances = _instances(path, results)
        cards += [
            card_of(results, at, instances=instances, agreement=agreement)
            for at in _conditions(results, args.condition)
        ]
    if agreement is not None and len(cards) > 1:
        raise UsageError("--agreement is about one judge; name its condition with --condition")
    with opened(args.output) as stream:
        if args.format == "json":
            for item in cards:
                stream.write(msgspec.json.encode(item.to_dict()).decode() + "\n")
            return 0
        from assay.present.html.card import card_page
        from assay.present.html.comparison import comparison_page

        if len(cards) == 1:
            stream.write(card_page(cards[0]))
        else:
            beside = [item for _, results in found for item in results.beside]
            stream.write(comparison_page(cards, [item.to_dict() for item in beside]))
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

    from assay.meta.gate import check_thresholds, parse_thresholds, read_metrics
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
    return 0 if all(one.met for one in found) else 1


def _conditions(results: Results, named: str | None) -> list[int]:
    """Return the indices of the conditions: the one that is named, or all but the baseline judges."""
    from assay.suggest import did_you_mean

    if named is None:
        args = [at for at, item in enumerate(results.detections) if not item.condition.beside]
        return args or list(range(len(results.detections)))
    if named.isdigit():
        if not 1 <= int(named) <= len(results.detections):
            raise UsageError(f"--condition {named}: the run has only {len(results.detections)} conditions")
        return [int(named) - 1]
    found = [
        at
        for at, item in enumerate(results.detections)
        if named in (item.condition.judge, item.condition.name)
    ]
    if not found:
        names = list(dict.fromkeys(item.condition.judge for item in results.detections))
        raise UsageError(
            f"the run has no condition {named!r}; {did_you_mean(named, names)} (or its number, 1 to {len(results.detections)})"
        )
    return found


def _benchmarks(path: str, results: Results) -> tuple[Path, Path]:
    """Return the folders that may hold the run's benchmark: the one around the run, and the recorded one."""
    return Path(path).parent.parent, Path(results.origin.bench)


def _instances(path: str, results: Results) -> list[Instance]:
    """Return the instances of the run's benchmark, or none if it is gone or has changed."""
    from assay.interventions.instances import read_instances

    for place in _benchmarks(path, results):
        try:
            found = read_instances(place)
        except (InputError, OSError):
            continue
        known = {item.id for item in found}
        if all(trial.instance in known for trials in results.trials for trial in trials):
            return found
    return []


def _agreement(path: str | None) -> dict[str, Any] | None:
    import msgspec

    from assay.rows import read_text

    if path is None:
        return None
    try:
        data: dict[str, Any] = msgspec.json.decode(read_text(path), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise InputError(f"not a JSON object: {error}", where=path) from error
    if data.get("schema") != "assay.agreement/1" or not isinstance(data.get("metrics"), dict):
        raise InputError(
            "this is not an assay.agreement/1 object", where=path, hint="assay agree --format json writes it"
        )
    return data
