"""Options of the commands that ask a judge, and the settings they mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import click
import msgspec

from assay.cli.options import Amount, prompts_option
from assay.errors import InputError, UsageError
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.judges.settings import JudgeSettings
    from assay.runs.budget import Budget

F = TypeVar("F", bound="Callable[..., Any]")
# The judges that ask no model; see `assay.judges.model_free_comparison`.
MODEL_FREE: Final = ("rules", "length", "random")
_TRUE: Final = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


class JudgeAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of a judge on the command line; None and empty where nothing was said."""

    judge: str
    rubric: str | None = None
    reference: str | None = None
    query: str | None = None
    granularity: Literal["holistic", "fine", "synthesis"] = "holistic"
    chunk_chars: int | None = None
    per_call: int | None = None
    no_swap: bool = False
    trials: int = 1
    early_stop: bool = False
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    language: Literal["auto", "en", "zh"] = "auto"
    generator: str | None = None
    option: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    ledger: str | None = None
    fresh: bool = False
    concurrency: int | None = None
    max_usd: float | None = None
    max_total_tokens: int | None = None
    format: str = "text"
    output: str | None = None
    quiet: bool = False
    color: str = "auto"

    @property
    def said(self) -> list[str]:
        """Options given that only a judge with a model understands."""
        usual = JudgeAsked(judge=self.judge)
        shared = ("judge", "query", "format", "output", "quiet", "color")
        return [
            f"--{name.replace('_', '-')}"
            for name in JudgeAsked.__struct_fields__
            if name not in shared and getattr(self, name) != getattr(usual, name)
        ]

    @property
    def budget(self) -> Budget:
        """Caps."""
        from assay.runs.budget import Budget  # noqa: PLC0415

        return Budget(usd=self.max_usd, tokens=self.max_total_tokens)


def judge_option(default: str | None = None) -> Callable[[F], F]:
    """``--judge``."""
    # To click, a default of None is a default, and then nothing is missing.
    given: dict[str, Any] = (
        {"required": True} if default is None else {"default": default, "show_default": True}
    )
    return click.option(
        "--judge",
        **given,
        metavar="STRATEGY@MODEL",
        help="Who judges, such as comparative@openai/gpt-5-mini; or rules, length, random, which ask no model.",
    )


def model_options(*, score: bool = False, pairs: bool = False, rubric: str | None = None) -> Callable[[F], F]:
    """What a judge with a model takes: how it judges, how it is sampled, what is kept and what may be spent.

    Args:
        score: Whether subjects are judged by themselves.
        pairs: Whether they are shown together, in an order.
        rubric: What is said of ``--rubric``, where it is another than usual.
    """
    early = (
        "Spare what cannot change a majority: the votes of strategy panel, and here the trials left."
        if pairs
        else "Spare votes that cannot change a majority, where the strategy takes votes (panel)."
    )
    options: list[Callable[[Any], Any]] = [
        click.option("--rubric", metavar="NAME|FILE", help=rubric or _rubric_help(score=score)),
        click.option(
            "--reference", metavar="FILE", help="A good answer to compare with, where the strategy does."
        ),
    ]
    if score:
        options += [
            click.option(
                "--granularity",
                type=click.Choice(["holistic", "fine", "synthesis"]),
                default="holistic",
                show_default=True,
                help="The whole in one; chunk by chunk and step by step; or a long report read part by part, judged once.",
            ),
            click.option(
                "--chunk-chars",
                type=click.IntRange(min=200),
                metavar="N",
                help="Synthesis: characters of a part. [as fits the model]",
            ),
            click.option(
                "--per-call",
                type=click.IntRange(min=0),
                metavar="N",
                help="Criteria asked in one call; 0 for all. [as the rubric says]",
            ),
        ]
    if pairs:
        options.append(
            click.option(
                "--no-swap", is_flag=True, help="Show them in one order only: half the calls, less sure."
            )
        )
        options.append(
            click.option(
                "--generator",
                metavar="MODEL",
                help="Who writes the rubric of a pair, with --rubric reportlogic-instance. [the judge's model]",
            )
        )
    options += [
        click.option(
            "--trials",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Judge so many times, with a seed each.",
        ),
        click.option("--early-stop", is_flag=True, help=early),
        click.option(
            "--temperature",
            type=Amount(0, 2),
            help="Of the sampling. [0; 0.7 for several trials and for overseer]",
        ),
        click.option("--seed", type=int, help="Of the first trial. [43 where the temperature is not 0]"),
        click.option("--max-tokens", type=click.IntRange(min=1), help="Most tokens of a reply. [2048]"),
        click.option(
            "--language",
            type=click.Choice(["auto", "en", "zh"]),
            default="auto",
            show_default=True,
            help="Of the prompts.",
        ),
        click.option("--option", multiple=True, metavar="KEY=VALUE", help="A setting of the strategy's own."),
        prompts_option,
        click.option(
            "--ledger",
            metavar="WHERE",
            help="Where calls and judgments are kept: a file, postgresql://…, or none. [ASSAY_LEDGER, assay.toml, "
            ".assay/ledger.sqlite]",
        ),
        click.option("--fresh", is_flag=True, help="Ask again what the ledger has answers to."),
        click.option("-j", "--concurrency", type=click.IntRange(min=1), help="Calls under way at once."),
        click.option("--max-usd", type=Amount(min=0), help="Stop before it has cost more."),
        click.option("--max-total-tokens", type=click.IntRange(min=1), help="Stop before it has used more."),
        click.option(
            "-q", "--quiet", is_flag=True, help="Results only: no progress, nothing on what was used."
        ),
    ]

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _rubric_help(*, score: bool) -> str:
    text = "The yardstick; `assay rubric list` shows them. [reportlogic for reports, reflect-trajectory for trajectories"
    return text + ("; reflect-chunk and reflect-step for their parts]" if score else "]")


def settings_of(asked: JudgeAsked, *, mode: Literal["score", "pair", "rank"]) -> JudgeSettings:
    """The settings of a judge with a model.

    Raises:
        UsageError: An option makes no sense here; the message says why.
    """
    from assay.judges.settings import JudgeSettings, split_judge  # noqa: PLC0415
    from assay.strategies.registry import find_strategy  # noqa: PLC0415 - loads every strategy

    if "@" not in asked.judge:
        hint = did_you_mean(
            asked.judge, MODEL_FREE, otherwise="write STRATEGY@MODEL, such as direct@openai/gpt-5-mini"
        )
        raise UsageError(
            f"no judge is called {asked.judge!r}; {hint} (without a model: {', '.join(MODEL_FREE)})"
        )
    strategy = find_strategy(split_judge(asked.judge)[0])
    options = {}
    for pair in asked.option:
        key, sign, text = pair.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"--option {pair}: write it as KEY=VALUE")
        key = key.strip()
        # A key that the strategy does not have is refused by the judge, which knows the near ones.
        options[key] = _value(key, text.strip(), strategy.options.get(key), strategy.name)
    if asked.early_stop:
        votes = "early_stop" in strategy.options
        repeated = mode == "pair" and asked.trials > 1
        if not votes and not repeated and mode == "score":
            raise UsageError(
                f"--early-stop: strategy {strategy.name!r} takes no votes, and trials of scores make a mean, which the last "
                "of them can still change; it is for strategy panel, and for trials of comparisons"
            )
        if not votes and asked.trials == 1:
            raise UsageError(
                "--early-stop: there is one trial and nothing to stop early; --trials 5 makes five"
            )
        if votes:
            options.setdefault("early_stop", True)
    changes: dict[str, Any] = {} if asked.max_tokens is None else {"max_tokens": asked.max_tokens}
    return JudgeSettings(
        granularity=asked.granularity,
        chunk_chars=asked.chunk_chars,
        per_call=asked.per_call,
        swap=not asked.no_swap,
        language=asked.language,
        temperature=asked.temperature,
        seed=asked.seed,
        trials=asked.trials,
        early_stop=asked.early_stop,
        generator=asked.generator,
        options=options,
        **changes,
    )


def refuse_said(asked: JudgeAsked) -> None:
    """Refuse options that a judge without a model does not understand: said, and of no effect, they would mislead.

    Raises:
        UsageError: There are some.
    """
    said = asked.said
    if said:
        raise UsageError(f"judge {asked.judge!r} asks no model; {', '.join(said)} would do nothing")


def _value(key: str, text: str, usual: Any, strategy: str) -> Any:
    """The text as the kind of thing the option is."""
    if isinstance(usual, bool):
        if text.lower() in _TRUE:
            return _TRUE[text.lower()]
        raise UsageError(f"--option {key}={text}: {key!r} of {strategy!r} is true or false")
    if isinstance(usual, int | float):
        try:
            return type(usual)(text)
        except ValueError:
            kind = "a whole number" if isinstance(usual, int) else "a number"
            raise UsageError(f"--option {key}={text}: {key!r} of {strategy!r} is {kind}") from None
    if usual is None or isinstance(usual, str):
        return text
    try:
        return msgspec.json.decode(text, type=type(usual))
    except msgspec.MsgspecError as error:
        raise UsageError(f"--option {key}={text}: {key!r} of {strategy!r} is JSON like {usual!r}") from error


def reference_text(path: str | None) -> str | None:
    """The text of a reference answer: a report in any known format, or a trajectory.

    Raises:
        InputError: It cannot be read, or holds several.
    """
    if path is None:
        return None
    from assay.judges.units import whole  # noqa: PLC0415
    from assay.runs.bound_judge import subject_of  # noqa: PLC0415

    text = whole(subject_of(Path(path))).text
    if not text.strip():
        raise InputError("the reference is empty", where=path)
    return text
