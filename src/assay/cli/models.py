"""``assay models``: the known models and providers, and whether one works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command, group
from assay.cli.options import Amount, FormatArguments, json_text, painter_for

if TYPE_CHECKING:
    from assay.models.checkup import Checkup
    from assay.present.display import Painter


@group()
def models() -> None:
    """List models, test one, download or serve a local one.

    A model is named PROVIDER/NAME. Keys come from the variables that each provider's own tools read, or from a file
    .env in the working directory.

    \b
    assay models list                         providers, and where their keys are read from
    assay models list openai                  its models with a known price
    assay models check openai/gpt-5-mini      whether it works, what it supports, what it costs
    assay models check scripted/random        no key, no network
    """  # noqa: D301 - click reads the backspace as "do not wrap"


class ModelListArguments(FormatArguments):
    """What the command line of ``assay models list`` says."""

    provider: str | None = argument(required=False)
    format: Literal["text", "json"]


@command(ModelListArguments, name="list")
def list_(args: ModelListArguments) -> None:
    """List the providers, or the models of PROVIDER whose price and window are known."""
    rows = _models_of(args.provider) if args.provider else _providers()
    if args.format == "json":
        click.echo(json_text(rows))
        return
    paint = painter_for(args.color)
    lines = _model_lines(rows, paint) if args.provider else _provider_lines(rows, paint)
    click.echo("\n".join(lines))


class ModelCheckArguments(FormatArguments):
    """What the command line of ``assay models check`` says."""

    model: str = argument("PROVIDER/NAME")
    base_url: str | None = option("URL of the endpoint.", "URL")
    key_env: str | None = option("Environment variable that holds the key.", "NAME")
    timeout: float = option(
        "Seconds that one attempt may take.", "SECONDS", default=60.0, type=Amount(min=0, min_open=True)
    )
    format: Literal["text", "json"]


@command(ModelCheckArguments)
def check(args: ModelCheckArguments) -> None:
    """Say whether a model works, what it supports and what it costs, with two tiny calls."""
    import asyncio

    found, error = asyncio.run(
        _check(args.model, base_url=args.base_url, key_env=args.key_env, timeout=args.timeout)
    )
    if args.format == "json":
        click.echo(json_text(found))
    elif error is None:
        click.echo("\n".join(_check_lines(found, painter_for(args.color))))
    if error is not None:
        raise error


async def _check(model_id: str, **overrides: Any) -> tuple[Checkup, Exception | None]:
    from assay.models.checkup import check_model
    from assay.models.registry import open_model

    overrides.setdefault("max_attempts", 3)
    model = open_model(model_id, **overrides)
    try:
        return await check_model(model)
    finally:
        await model.close()


def _providers() -> list[dict[str, Any]]:
    from assay.models.environment import environment
    from assay.models.providers import known_providers
    from assay.models.registry import provider_names
    from assay.models.settings import load_model_config
    from assay.models.transport import shown_url

    variables = environment()
    config = load_model_config()
    rows: list[dict[str, Any]] = []
    for name in provider_names(config):
        known = known_providers().get(name)
        table = config.providers.get(name)
        url = (table.base_url if table else None) or (known.base_url if known else None)
        key = None
        if known is not None:
            found = known.find_url(variables)
            url = found[0] if found else url
            key = known.find_key(variables, table.key_env if table else None)
        names = (
            [table.key_env]
            if table and table.key_env
            else list(known.key_variables)
            if known and known.key
            else []
        )
        rows.append(
            {
                "provider": name,
                "base_url": shown_url(url) if url else None,
                "key_variables": names,
                "key_set": key.source if key is not None else None,
                "needs_key": bool(names),
                "caches": known.caches if known is not None else None,
            }
        )
    return rows


def _models_of(provider: str) -> list[dict[str, Any]]:
    from assay.errors import UsageError
    from assay.models.environment import environment
    from assay.models.prices import find_price, hosted_window, priced_models
    from assay.models.providers import find_provider
    from assay.models.registry import provider_names

    name = provider.lower().rstrip("/")
    find_provider(name, environment(), also=dict.fromkeys(provider_names()))
    ids = [model_id for model_id in priced_models() if model_id.startswith(f"{name}/")]
    if not ids:
        raise UsageError(
            f'no model of {name} has a known price; [models."{name}/NAME"] in assay.toml sets one'
        )
    import msgspec

    return [
        {"model": one, "context_window": hosted_window(one), "price": msgspec.to_builtins(find_price(one))}
        for one in ids
    ]


def _provider_lines(rows: list[dict[str, Any]], paint: Painter) -> list[str]:
    from assay.present.display import pad, visible

    notes = {
        "litellm": "litellm/PROVIDER/NAME, through LiteLLM",
        "local": "model files on this machine: assay models pull",
        "scripted": "scripted/random, scripted/echo, scripted/FILE.jsonl: no key, no network",
    }
    wide = max(len(row["provider"]) for row in rows)
    lines = []
    for row in rows:
        if row["key_set"]:
            key = paint(f"key in {row['key_set']}", "good")
        elif row["needs_key"]:
            key = f"no key: {' or '.join(row['key_variables'])}"
        else:
            key = "no key needed"
        where = notes.get(row["provider"]) or visible(row["base_url"] or "an entry point")
        shown = "" if row["provider"] in notes else f"  {paint(key, 'dim') if not row['key_set'] else key}"
        lines.append(f"{paint(pad(row['provider'], wide), 'bold')}  {where}{shown}")
    return lines


def _model_lines(rows: list[dict[str, Any]], paint: Painter) -> list[str]:
    from assay.present.display import pad

    wide = max(len(row["model"]) for row in rows)
    head = f"{pad('', wide)}  {'window':>10}  {'input':>8}  {'cached':>8}  {'output':>8}   USD per million tokens"
    lines = [paint(head, "dim")]
    for row in rows:
        price = row["price"]
        window = f"{row['context_window']:,}" if row["context_window"] else "?"
        cached = f"{price['cached']:g}" if "cached" in price else "–"
        longer = f"   × more above {price['above']:,} tokens" if "above" in price else ""
        lines.append(
            f"{pad(row['model'], wide)}  {window:>10}  {price['input']:>8g}  {cached:>8}  {price['output']:>8g}"
            f"{paint(longer, 'dim')}"
        )
    return lines


def _check_lines(found: Checkup, paint: Painter) -> list[str]:
    from assay.present.display import fit, pad, visible

    usage = found.usage
    cost = (
        "unknown" if usage.cost_usd is None else f"{usage.cost_usd:.6f} USD" if usage.cost_usd else "nothing"
    )
    limits = [f"{found.concurrency} at a time"] if found.concurrency else []
    limits += [
        f"{value:,} {unit} a minute"
        for value, unit in ((found.rpm, "requests"), (found.tpm, "tokens"))
        if value
    ]
    rows = [
        ("Endpoint", " · ".join(filter(None, (found.endpoint, found.kind)))),
        ("Key", f"in {found.key}" if found.key else "none sent" if found.endpoint else ""),
        ("Served as", visible(found.served or "")),
        ("Latency", " and ".join(f"{value:.2f} s" for value in found.seconds)),
        ("JSON schema", found.schema or ""),
        # If the schema was not honoured, the reply shows why.
        (
            "Reply",
            "" if found.schema == "honoured" else fit(visible(" ".join((found.reply or "").split())), 80),
        ),
        ("Seed", "taken" if found.seed else "not taken"),
        ("Same again", "yes, the same reply to the same request" if found.repeats else "no, replies differ"),
        ("Log probabilities", "yes" if found.logprobs else "no"),
        ("Prefix cache", _cache_words(found)),
        ("Context window", f"{found.context_window:,} tokens" if found.context_window else "unknown"),
        ("Limits", ", ".join(limits)),
        ("Not taken", ", ".join(found.dropped)),
        ("Price", _price_words(found)),
        ("This check", f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens, {cost}"),
    ]
    lines = [f"{paint('works', 'good')}  {paint(visible(found.model), 'bold')}"]
    return lines + [f"  {paint(pad(name, 17), 'dim')}  {value}" for name, value in rows if value]


def _cache_words(found: Checkup) -> str:
    reported = (
        f"reported: {found.cached_tokens:,} of the second call's tokens"
        if found.reports_cache
        else "not reported"
    )
    usual = {True: "kept by the endpoint", False: "not kept by the endpoint", None: ""}[found.caches]
    return ", ".join(filter(None, (usual, reported)))


def _price_words(found: Checkup) -> str:
    price = found.price
    if price is None:
        return f'unknown; [models."{found.model}"] price = {{ input = …, output = … }} in assay.toml sets it'
    if not price.input and not price.output:
        return "nothing"
    cached = f", {price.cached:g} cached" if price.cached is not None else ""
    longer = f"; more above {price.above:,} tokens" if price.above else ""
    return f"{price.input:g} input{cached}, {price.output:g} output, USD per million tokens{longer}"
