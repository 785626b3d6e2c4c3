"""Options of the commands that ask a judge, and the judge settings that they stand for."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from assay.cli.arguments import ADVANCED, JUDGE, option
from assay.cli.options import Amount, CallArguments, OutputArguments, QueryArguments
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.judges.settings import JudgeSettings
    from assay.runs.budget import Budget

# Judges that ask no model; see `assay.judges.model_free_comparison`.
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


class JudgeArguments(CallArguments, QueryArguments, OutputArguments, group=JUDGE):
    """What the command line says about a judge with a model, for commands of every mode."""

    judge: str = option(
        "The judge: a model (openai/gpt-5-mini), STRATEGY@MODEL, or your prompt (./strict.jinja@openai/gpt-5-mini), with "
        "NAME= before it to name it in results; or rules, length, random, which ask no model.",
        "JUDGE",
        required=True,
    )
    rubric: str | None = option(
        "The rubric; `assay rubrics list` shows them. [reportlogic for reports, trajectory for trajectories]",
        "NAME|FILE",
    )
    reference: str | None = option(
        "Reference answers, for strategies that compare with one: a text for all, a folder of texts named by id, or JSONL with id "
        "and reference. [the field reference of each row]",
        "PATH",
        group=ADVANCED,
    )
    repetitions: int = option(
        "Judge this many times, each with another seed.",
        "N",
        default=1,
        type=click.IntRange(min=1),
        older="--trials",
    )
    early_stop: bool = option(
        "Skip votes that cannot change the majority, if the strategy takes votes (panel).", group=ADVANCED
    )
    temperature: float | None = option(
        "Sampling temperature. [0; 0.7 for several repetitions and for overseer]",
        type=Amount(0, 2),
        group=ADVANCED,
    )
    seed: int | None = option(
        "Seed of the first repetition. [43 if the temperature is not 0]", group=ADVANCED
    )
    max_tokens: int | None = option(
        "Maximum number of tokens in a reply. [2048]", type=click.IntRange(min=1), group=ADVANCED
    )
    language: Literal["auto", "en", "zh"] = option("Language of the prompts.", default="auto", group=ADVANCED)
    option: tuple[str, ...] = option("An option of the strategy. Repeatable.", "KEY=VALUE", group=ADVANCED)
    # Options of some modes only.
    granularity: Literal["holistic", "fine", "synthesis"] = "holistic"
    chunk_chars: int | None = None
    per_call: int | None = None
    no_swap: bool = False
    generator: str | None = None

    @property
    def model_only(self) -> list[str]:
        """Return the options that are given and that only a judge with a model understands."""
        shared = ("judge", "query", "format", "output", "quiet", "color")
        return [
            f"--{field.name.replace('_', '-')}"
            for field in dataclasses.fields(JudgeArguments)
            if field.name not in shared and getattr(self, field.name) != field.default
        ]

    @property
    def budget(self) -> Budget:
        """What the command may spend."""
        from assay.runs.budget import Budget

        return Budget(usd=self.max_usd, tokens=self.max_total_tokens)


class ScoringArguments(JudgeArguments, group=JUDGE):
    """The same for commands that judge each subject by itself."""

    rubric: str | None = option(
        "The rubric; `assay rubrics list` shows them. [reportlogic for reports, reflect-report for their passages, "
        "trajectory for trajectories and steps]",
        "NAME|FILE",
    )
    granularity: Literal["holistic", "fine", "synthesis"] = option(
        "Judge the subject as a whole (holistic); chunk by chunk and step by step (fine); or read a long report part by "
        "part and judge it once (synthesis).",
        default="holistic",
        group=ADVANCED,
    )
    chunk_chars: int | None = option(
        "With --granularity synthesis: characters in a part. [as many as fit the model]",
        "N",
        type=click.IntRange(min=200),
        group=ADVANCED,
    )
    per_call: int | None = option(
        "Criteria in one call; 0 for all of them. [as the rubric says]",
        "N",
        type=click.IntRange(min=0),
        group=ADVANCED,
    )


class PairwiseArguments(JudgeArguments, group=JUDGE):
    """The same for commands that show several subjects together, in some order."""

    no_swap: bool = option(
        "Show the subjects in one order only, which halves the calls and is less reliable.", group=ADVANCED
    )
    generator: str | None = option(
        "The model that writes the rubric of each pair, with --rubric reportlogic-instance. [the judge's model]",
        "MODEL",
        group=ADVANCED,
    )
    early_stop: bool = option(
        "Skip what cannot change the majority: votes of strategy panel, and further repetitions of a comparison.",
        group=ADVANCED,
    )


def settings_of(args: JudgeArguments, *, mode: Literal["score", "compare", "rank"]) -> JudgeSettings:
    """Return the settings of a judge with a model.

    Raises:
        UsageError: An option makes no sense here; the message says why.
    """
    from assay.judges.settings import JudgeSettings, split_judge
    from assay.strategies.registry import find_strategy

    strategy = find_strategy(split_judge(args.judge).strategy)
    own = {}
    for pair in args.option:
        key, sign, text = pair.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"--option {pair}: write it as KEY=VALUE")
        key = key.strip()
        # The judge refuses unknown keys and offers the nearest one.
        own[key] = _value(key, text.strip(), strategy.options.get(key), strategy.name)
    if args.early_stop:
        votes = "early_stop" in strategy.options
        repeated = mode == "compare" and args.repetitions > 1
        if not votes and not repeated and mode == "score":
            raise UsageError(
                f"--early-stop: strategy {strategy.name!r} takes no votes, and the mean of several scores can change until the last "
                "repetition; use it with strategy panel, or for repetitions of comparisons"
            )
        if not votes and args.repetitions == 1:
            raise UsageError(
                "--early-stop: a single judgment cannot stop early; add --repetitions 5, for example"
            )
        if votes:
            own.setdefault("early_stop", True)
    changes: dict[str, Any] = {} if args.max_tokens is None else {"max_tokens": args.max_tokens}
    return JudgeSettings(
        granularity=args.granularity,
        chunk_chars=args.chunk_chars,
        per_call=args.per_call,
        swap=not args.no_swap,
        language=args.language,
        temperature=args.temperature,
        seed=args.seed,
        repetitions=args.repetitions,
        early_stop=args.early_stop,
        generator=args.generator,
        options=own,
        **changes,
    )


def refuse_model_options(args: JudgeArguments) -> None:
    """Refuse options that have no effect on a judge without a model, rather than ignore them.

    Raises:
        UsageError: Some are given.
    """
    if args.model_only:
        raise UsageError(f"judge {args.judge!r} asks no model; {', '.join(args.model_only)} would do nothing")


def _value(key: str, text: str, usual: Any, strategy: str) -> Any:
    """Convert the text to the type of the option's default."""
    import msgspec

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
