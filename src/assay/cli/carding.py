"""What ``assay card`` and ``assay gate`` do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from assay.cli.options import painter_for
from assay.cli.outputs import opened, refuse_overwrite
from assay.errors import InputError, UsageError
from assay.interventions.instances import INSTANCES, read_instances
from assay.meta.card import Card, card_of
from assay.meta.gate import check_thresholds, parse_thresholds, read_metrics
from assay.meta.results import Results, load_results
from assay.present.gates import gate_text, measures_text
from assay.rows import read_text
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.interventions.instances import Instance


class CardAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of ``assay card``."""

    runs: tuple[str, ...]
    condition: str | None = None
    agreement: str | None = None
    format: str = "html"
    output: str | None = None


class GateAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of ``assay gate``."""

    runs: tuple[str, ...]
    least: tuple[str, ...] = ()
    most: tuple[str, ...] = ()
    sure: bool = False
    format: str = "text"
    color: str = "auto"


def run_card(asked: CardAsked) -> int:
    """Make a card, or a page that compares judges, and give the exit code."""
    agreement = _agreement(asked.agreement)
    cards: list[Card] = []
    found = [(path, load_results(path)) for path in asked.runs]
    for path, results in found:
        refuse_overwrite(asked.output, [place / INSTANCES for place in _benchmarks(path, results)])
        instances = _instances(path, results)
        cards += [
            card_of(results, at, instances=instances, agreement=agreement)
            for at in _conditions(results, asked.condition)
        ]
    if agreement is not None and len(cards) > 1:
        raise UsageError("--agreement is of one judge; name its condition with --condition")
    with opened(asked.output) as stream:
        if asked.format == "json":
            for item in cards:
                stream.write(msgspec.json.encode(item.to_dict()).decode() + "\n")
            return 0
        from assay.present.html.card import card_page  # noqa: PLC0415 - loads the templates
        from assay.present.html.comparison import comparison_page  # noqa: PLC0415

        if len(cards) == 1:
            stream.write(card_page(cards[0]))
        else:
            beside = [item for _, results in found for item in results.beside]
            stream.write(comparison_page(cards, [item.to_dict() for item in beside]))
    return 0


def run_gate(asked: GateAsked) -> int:
    """Hold judges to bounds, and give the exit code."""
    bounds = parse_thresholds(asked.least, asked.most)
    judged = [item for path in asked.runs for item in read_metrics(path)]
    for item in judged:
        if item.status != "done":
            click.echo(f"assay: {item.title}: only a part of the run, which was {item.status}", err=True)
    painter = painter_for(asked.color)
    if not bounds:
        if asked.format == "json":
            for item in judged:
                click.echo(msgspec.json.encode(item).decode())
        else:
            click.echo(measures_text(judged, painter=painter), nl=False)
        return 0
    found = check_thresholds(judged, bounds, sure=asked.sure)
    if asked.format == "json":
        for one in found:
            click.echo(msgspec.json.encode(one).decode())
    else:
        click.echo(gate_text(found, painter=painter, sure=asked.sure), nl=False)
    return 0 if all(one.met for one in found) else 1


def _conditions(results: Results, named: str | None) -> list[int]:
    """Which conditions: those asked for, or the one that is named."""
    if named is None:
        asked = [at for at, item in enumerate(results.detections) if not item.condition.beside]
        return asked or list(range(len(results.detections)))
    if named.isdigit():
        if not 1 <= int(named) <= len(results.detections):
            raise UsageError(f"--condition {named}: the run has {len(results.detections)}")
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
    """Return where the benchmark of a run may be: around the run, or where it was then."""
    return Path(path).parent.parent, Path(results.origin.bench)


def _instances(path: str, results: Results) -> list[Instance]:
    """The benchmark's, where it is still there: beside the run, or where it was when it was run."""
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
    if path is None:
        return None
    try:
        data: dict[str, Any] = msgspec.json.decode(read_text(path), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise InputError(f"no JSON object: {error}", where=path) from error
    if data.get("schema") != "assay.agreement/1" or not isinstance(data.get("metrics"), dict):
        raise InputError(
            "this is no assay.agreement/1", where=path, hint="assay agree --format json writes it"
        )
    return data
