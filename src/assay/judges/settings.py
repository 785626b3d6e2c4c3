"""How a judge judges: everything about it that is neither model nor strategy nor rubric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args, get_type_hints

import msgspec

from assay.errors import UsageError
from assay.judges.units import Granularity
from assay.strategies.base import Strategy
from assay.suggest import did_you_mean

# Judges that ask nobody, by their whole name.
MODEL_FREE: Final = ("rules", "length", "random")


class JudgeSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Settings of a judge. All of them belong to its version.

    Attributes:
        granularity: The subject in one; chunk by chunk and step by step; or a long report read in large parts, and judged
            from what was gathered.
        chunk_chars: Characters of such a part, where a Chinese one counts three; None as fits the model.
        per_call: Criteria asked in one call; None as the rubric says (all together, or each alone); 0 for all.
        swap: Whether pairs and rankings are shown in both orders.
        language: Of the prompts; "auto" is the subject's.
        temperature: None for 0, or 0.7 where there are several trials or the strategy draws again.
        top_p: None leaves it to the endpoint.
        max_tokens: Most tokens of a reply.
        seed: Of the first trial; each further draw counts up. Sent where the temperature is not 0, or where given.
        structured: Whether replies are held to a JSON schema.
        retries: How often an unreadable reply is answered with what was wrong.
        trials: How often the same is judged.
        early_stop: Whether trials of comparisons end once the majority cannot change.
        reasoning_effort: For models that take one.
        generator: Model that writes the rubric of each judgment, where the yardstick is one that is written; the judge's
            own where None.
        options: The strategy's own settings.
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
    trials: Annotated[int, msgspec.Meta(ge=1)] = 1
    early_stop: bool = False
    reasoning_effort: str | None = None
    generator: str | None = None
    options: dict[str, Any] = {}

    def __post_init__(self) -> None:
        """Put the default itself where its like was given: what is left out of the version is told by identity."""
        for name, usual in zip(self.__struct_fields__, self.__struct_defaults__, strict=True):
            value = getattr(self, name)
            if value is not usual and type(value) is type(usual) and value == usual:
                msgspec.structs.force_setattr(self, name, usual)


def checked_settings(settings: JudgeSettings) -> JudgeSettings:
    """The settings, held to their bounds; those of a file are when it is read, those from Python only here.

    Raises:
        UsageError: One has a value that it cannot have.
    """
    try:
        return msgspec.convert(msgspec.structs.asdict(settings), JudgeSettings)
    except msgspec.ValidationError as error:
        said, _, place = str(error).replace("`", "").partition(" - at ")
        key = place.rpartition("$.")[2].partition("[")[0]
        value = getattr(settings, key)
        words = [one for one in get_args(get_type_hints(JudgeSettings)[key]) if isinstance(one, str)]
        if words and isinstance(value, str):
            raise UsageError(f"{key} is {value!r}; {did_you_mean(value, words)}") from error
        said = said.replace("null", "None").replace("object", "dict")
        raise UsageError(f"{key} is {value!r}; {said[:1].lower()}{said[1:]}") from error


def split_judge(name: str) -> tuple[str, str]:
    """Strategy and model of ``STRATEGY@MODEL``.

    Raises:
        UsageError: It is not of that form.
    """
    strategy, at, model = name.partition("@")
    if not at or not strategy.strip() or not model.strip():
        raise UsageError(
            f"{name!r} is not a judge; write STRATEGY@MODEL, for example direct@openai/gpt-5-mini"
            " (`assay strategies` and `assay models list` show what there is)"
        )
    return strategy.strip(), model.strip()


def check_options(strategy: Strategy, options: Mapping[str, Any]) -> None:
    """Refuse settings a strategy does not have.

    Raises:
        UsageError: It has none of that name, or none of that kind.
    """
    for name, value in options.items():
        if name not in strategy.options:
            known = did_you_mean(
                name, strategy.options, otherwise=f"it has {', '.join(strategy.options) or 'none'}"
            )
            raise UsageError(f"strategy {strategy.name!r} has no option {name!r}; {known}")
        usual = strategy.options[name]
        if type(value) is not type(usual):
            raise UsageError(f"option {name!r} of {strategy.name!r} is {value!r}; it must be like {usual!r}")
