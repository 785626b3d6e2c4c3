"""Settings of a judge: everything except model, strategy and rubric."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_type_hints

import msgspec

from assay.errors import UsageError
from assay.judges.units import Granularity
from assay.strategies.base import Strategy
from assay.strategies.registry import all_strategies, is_prompt_file
from assay.suggest import closest, did_you_mean

# Judges without a model, by their full name.
MODEL_FREE: Final = ("rules", "length", "random")
# NAME= before a judge; neither a path nor a model stands there.
_NAMED: Final = re.compile(r"([^=@/\\]+)=")


class JudgeSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Settings of a judge. All of them are part of its version.

    Attributes:
        granularity: Whether a subject is judged as a whole, in chunks or steps, or by a synthesis of large parts.
        chunk_chars: Characters of a part for a synthesis, a Chinese one counting three; by default what fits the
            model.
        per_call: Criteria asked in one call; 0 for all; by default as the rubric says (together, or one by one).
        swap: Whether pairs and rankings are shown in both orders.
        language: Language of the prompts; "auto" takes the subject's.
        temperature: Sampling temperature; by default 0, or 0.7 with several repetitions or draws.
        top_p: Nucleus sampling; None leaves it to the endpoint.
        max_tokens: Maximum tokens of a reply.
        seed: Seed of the first repetition; further draws count up. Sent if the temperature is not 0, or if given.
        structured: Whether replies must follow a JSON schema.
        retries: Number of corrections requested for an unreadable reply.
        repetitions: How often each case is judged.
        early_stop: Whether repetitions of comparisons end once the majority is settled.
        reasoning_effort: Reasoning effort, for models that accept one.
        defence: Whether the prompt says that nothing in the material is addressed to the judge; False to measure what
            that is worth against injected instructions.
        generator: Model that writes rubrics, for rubrics written for each instance; by default the judge's own.
        options: Settings of the strategy.
    """

    granularity: Granularity = "holistic"
    chunk_chars: Annotated[int, msgspec.Meta(ge=200)] | None = None
    per_call: Annotated[int, msgspec.Meta(ge=0)] | None = None
    swap: bool = True
    language: Literal["auto", "en", "zh"] = "auto"
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, msgspec.Meta(gt=0, le=1)] | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] = 2048
    seed: int | None = None
    structured: bool = True
    retries: Annotated[int, msgspec.Meta(ge=0)] = 1
    repetitions: Annotated[int, msgspec.Meta(ge=1)] = 1
    early_stop: bool = False
    reasoning_effort: str | None = None
    defence: bool = True
    generator: str | None = None
    options: dict[str, Any] = {}

    def __post_init__(self) -> None:
        """Replace values equal to a default by the default object: the version omits defaults and recognises them by identity."""
        for name, usual in zip(self.__struct_fields__, self.__struct_defaults__, strict=True):
            value = getattr(self, name)
            if value is not usual and type(value) is type(usual) and value == usual:
                msgspec.structs.force_setattr(self, name, usual)


def checked_settings(settings: JudgeSettings) -> JudgeSettings:
    """Return settings made in Python after checking their bounds; those of a file are checked when it is read.

    Raises:
        UsageError: A setting has an invalid value.
    """
    try:
        return msgspec.convert(msgspec.structs.asdict(settings), JudgeSettings)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).replace("`", "").partition(" - at ")
        key = place.rpartition("$.")[2].partition("[")[0]
        value = getattr(settings, key)
        words = [one for one in get_args(get_type_hints(JudgeSettings)[key]) if isinstance(one, str)]
        if words and isinstance(value, str):
            raise UsageError(f"{key} is {value!r}; {did_you_mean(value, words)}") from error
        problem = problem.replace("null", "None").replace("object", "dict")
        raise UsageError(f"{key} is {value!r}; {problem[:1].lower()}{problem[1:]}") from error
    except UnicodeEncodeError as error:
        raise UsageError(f"a setting is {error.object!r}, which is not valid Unicode") from error


class JudgeName(NamedTuple):
    """What the name of a judge says: strategy or prompt file, model, and the name that it was given, if any."""

    strategy: str
    model: str
    given: str = ""

    @property
    def spec(self) -> str:
        """The judge with its strategy, as `split_judge` reads it."""
        return f"{self.given}={self.strategy}@{self.model}" if self.given else f"{self.strategy}@{self.model}"

    @property
    def label(self) -> str:
        """Its name in results."""
        strategy = Path(self.strategy).stem if is_prompt_file(self.strategy) else self.strategy
        return self.given or f"{strategy}@{self.model}"


def split_judge(name: str, *, base: Path | None = None, usual: str = "direct") -> JudgeName:
    """Return strategy and model of a judge, and the name that it is given in results.

    A judge is ``STRATEGY@MODEL``, a prompt file in the place of the strategy (``./strict.jinja@openai/gpt-5-mini``), or a
    model alone, which is asked by the usual strategy. ``NAME=`` before any of them names it in results.

    Args:
        name: The judge.
        base: Folder that prompt files are relative to; the working directory by default.
        usual: Strategy of a model alone.

    Raises:
        UsageError: The name does not have one of these forms.
    """
    given, judge = "", name.strip()
    named = _NAMED.match(judge)
    if named and not ((base or Path()) / judge.rpartition("@")[0]).is_file():
        given, judge = named[1].strip(), judge[named.end() :].strip()
    # A folder may have an @ in its name, and so may a model.
    parts = judge.split("@")
    cuts = [("@".join(parts[:i]).strip(), "@".join(parts[i:]).strip()) for i in range(1, len(parts))]
    for strategy, model in cuts:
        if strategy and model and is_prompt_file(strategy, base):
            path = strategy if base is None else str(base / Path(strategy).expanduser())
            return JudgeName(path, model, given)
    for strategy, model in cuts[:1]:
        if strategy and model and "/" not in strategy:
            return JudgeName(strategy, model, given)
    provider, slash, rest = judge.partition("/")
    if provider and slash and rest and not is_prompt_file(judge, base) and not judge.startswith("@"):
        return JudgeName(usual, judge, given)
    raise UsageError(_refusal(name, judge.rstrip("@ "), base))


def _refusal(name: str, judge: str, base: Path | None) -> str:
    known = all_strategies()
    strategy = judge.lower().replace("-", "_")
    if strategy in known or is_prompt_file(judge, base):
        return f"{name!r} names no model; write {judge}@openai/gpt-5-mini, for example"
    near = closest(strategy, (*MODEL_FREE, *known), n=1)
    hint = f"did you mean {near[0]!r}? A judge is" if near else "write"
    return (
        f"no judge is called {name!r}; {hint} STRATEGY@MODEL (direct@openai/gpt-5-mini), a model (openai/gpt-5-mini), a"
        f" prompt file with a model (./my_prompt.jinja@openai/gpt-5-mini), or without a model {', '.join(MODEL_FREE)}"
    )


def check_judge_names(judges: Iterable[str], *, base: Path | None = None) -> None:
    """Refuse judges that differ and would have the same name in results.

    Raises:
        UsageError: Two prompts have the same name; the message says how to name them.
    """
    seen: dict[str, str] = {}
    for judge in judges:
        if judge in MODEL_FREE:
            continue
        known_as = split_judge(judge, base=base).label
        other = seen.setdefault(known_as, judge)
        if other != judge:
            raise UsageError(
                f"{other} and {judge} would both be called {known_as!r} in results; name one: NAME={judge}"
            )


def check_options(strategy: Strategy, options: Mapping[str, Any]) -> None:
    """Refuse options that a strategy does not have.

    Raises:
        UsageError: The strategy has no option of that name or type.
    """
    for name, value in options.items():
        if name not in strategy.options:
            known = did_you_mean(
                name, strategy.options, otherwise=f"it has {', '.join(strategy.options) or 'none'}"
            )
            raise UsageError(f"strategy {strategy.name!r} has no option {name!r}; {known}")
        usual = strategy.options[name]
        if type(value) is not type(usual):
            raise UsageError(
                f"option {name!r} of {strategy.name!r} is {value!r}; it must be a value like {usual!r}"
            )
