"""Scales by name, and scales in files: the structs into which `assay.decoding.decode` reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from assay.decoding import FieldError, decode, fail
from assay.errors import UsageError
from assay.located import LocatedData, read_data_file
from assay.rubrics.scale import Choice, Scale, number_text
from assay.suggest import did_you_mean

DATA: Final = Path(__file__).parent / "data"
# Larger numbers lose digits in sums, and are always mistakes.
LARGEST: Final = 1e9
_SHOWN: Final = r"[^\u0000-\u0008\u000e-\u001b\u007f\ud800-\udfff]*$"
_EXPECTED: Final = {"expected": "text without control characters"}
_NUMBERS: Final = ("low", "high", "step", "anchors", "anchors_zh")

Line = Annotated[str, Meta(pattern=f"^{_SHOWN}", extra=_EXPECTED)]
FilledLine = Annotated[str, Meta(pattern=rf"^(?=[\s\S]*\S){_SHOWN}", extra=_EXPECTED)]
Label = Annotated[str, Meta(pattern=rf"^(?=[\s\S]*\S){_SHOWN}", max_length=80, extra=_EXPECTED)]
Number = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]
Preference = Literal["A>B", "A<B", "both_good", "both_bad", "tie"]
# Which names there are is known from the data files; see `scale_names`.
ScaleName = Annotated[str, Meta(title="Name of a scale")]


class ChoiceFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One possible answer.

    Attributes:
        label: What the judge writes.
        value: The number it stands for; null if it stands for none.
        means: Its meaning.
        means_zh: Its meaning in Chinese.
    """

    label: Label | Number
    value: Number | None = None
    means: Line = ""
    means_zh: Line = ""


class ScaleFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A scale: numbers from ``low`` to ``high``, or ``choices``.

    Attributes:
        low: Least number.
        high: Greatest number.
        step: Distance between two numbers; 0 allows any number between them.
        anchors: Meanings of some numbers, by number.
        anchors_zh: The same in Chinese.
        choices: Possible answers, as a list or as a table from label to number.
    """

    low: Number | UnsetType = UNSET
    high: Number | UnsetType = UNSET
    step: Annotated[float, Meta(ge=0, le=LARGEST)] | UnsetType = UNSET
    anchors: dict[str, FilledLine] | UnsetType = UNSET
    anchors_zh: dict[str, FilledLine] | UnsetType = UNSET
    choices: (
        Annotated[list[ChoiceFile | Label | Number], Meta(min_length=2)]
        | Annotated[dict[Label, Number | None], Meta(min_length=2)]
        | UnsetType
    ) = UNSET

    def __post_init__(self) -> None:
        if self.choices is UNSET:
            self._check_numbers()
            return
        for key in _NUMBERS:
            if getattr(self, key) is not UNSET:
                raise FieldError(key, "cannot be combined with choices; a scale has numbers or choices")
        _check_labels([(path, choice.label) for path, choice in _choices(self.choices)])

    def _check_numbers(self) -> None:
        low, high, step = self.low, self.high, self.step or 0.0 if self.step is not UNSET else 1.0
        if low is UNSET or high is UNSET:
            raise FieldError("", f"has no {'low' if low is UNSET else 'high'!r}")
        if low >= high:
            raise FieldError(
                "high", f"is {number_text(high)}; it must be above low, which is {number_text(low)}"
            )
        if step > 0 and abs((high - low) / step - round((high - low) / step)) > 1e-9:
            raise FieldError("step", f"is {number_text(step)}; it must lead from low to high in whole steps")
        self.scale()

    def scale(self) -> Scale:
        """Return the scale that the file describes."""
        if self.choices is not UNSET:
            return Scale(choices=tuple(choice for _, choice in _choices(self.choices)))
        bare = Scale(
            low=self.low or 0.0,
            high=self.high or 0.0,
            step=self.step or 0.0 if self.step is not UNSET else 1.0,
        )
        anchors, anchors_zh = (
            _anchors("anchors", self.anchors, bare),
            _anchors("anchors_zh", self.anchors_zh, bare),
        )
        return msgspec.structs.replace(bare, anchors=anchors, anchors_zh=anchors_zh)


class PairChoiceFile(ChoiceFile, forbid_unknown_fields=True, kw_only=True):
    """One possible verdict on a pair."""

    label: Preference


class PairScaleFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A scale of verdicts on pairs.

    Attributes:
        choices: Possible verdicts, as a list or as a table from verdict to number; A>B and A<B are among them.
    """

    choices: list[PairChoiceFile | Preference] | dict[Preference, Number | None]

    def __post_init__(self) -> None:
        choices = list(_choices(self.choices))
        _check_labels([(path, choice.label) for path, choice in choices])
        if not {"A>B", "A<B"} <= {choice.label for _, choice in choices}:
            raise FieldError("choices", "does not offer both A>B and A<B")

    def scale(self) -> Scale:
        """Return the scale that the file describes."""
        return Scale(choices=tuple(choice for _, choice in _choices(self.choices)))


@lru_cache(maxsize=1)
def scale_names() -> tuple[str, ...]:
    """Return the named scales, sorted."""
    return tuple(sorted(path.stem for path in (DATA / "scales").glob("*.yaml")))


@lru_cache(maxsize=64)
def load_scale(name: str) -> Scale:
    """Return a named scale.

    Raises:
        UsageError: No scale has this name.
    """
    if name not in scale_names():
        raise UsageError(f"no scale is called {name!r}; {did_you_mean(name, scale_names())}")
    return decode(read_data_file(DATA / "scales" / f"{name}.yaml"), ScaleFile).scale()


def scale_of(data: LocatedData, path: str, given: str | ScaleFile | PairScaleFile) -> Scale:
    """Return a scale that a file names or describes.

    Raises:
        InputError: No scale has the name.
    """
    if not isinstance(given, str):
        return given.scale()
    if given not in scale_names():
        fail(data, path, f"is {given!r}, which names no scale; {did_you_mean(given, scale_names())}")
    return load_scale(given)


def one_line(text: str) -> str:
    """Return a text with its white space folded to single blanks."""
    return " ".join(text.split())


def _choices(
    choices: Sequence[ChoiceFile | str | float] | Mapping[Any, float | None],
) -> Iterator[tuple[str, Choice]]:
    """Yield the choices of a list or a table, each with the path of its label."""
    if isinstance(choices, Mapping):
        for label, value in choices.items():
            yield f"choices.{label}", Choice(label=one_line(label), value=value)
        return
    for index, item in enumerate(choices):
        path = f"choices[{index}]"
        if isinstance(item, ChoiceFile):
            yield (
                f"{path}.label",
                Choice(
                    label=_label(item.label),
                    value=item.value,
                    means=one_line(item.means),
                    means_zh=one_line(item.means_zh),
                ),
            )
        else:
            yield path, Choice(label=_label(item))


def _label(label: str | float) -> str:
    return one_line(label) if isinstance(label, str) else number_text(label)


def _check_labels(labels: list[tuple[str, str]]) -> None:
    seen: dict[str, str] = {}
    for path, label in labels:
        other = seen.setdefault(label.casefold(), path)
        if other != path:
            raise FieldError(path, f"is {label!r}, as {other} is; labels do not mind case")


def _anchors(key: str, given: dict[str, str] | UnsetType, scale: Scale) -> dict[str, str]:
    anchors: dict[str, str] = {}
    for name, text in given.items() if given is not UNSET else ():
        number = scale.read(name)
        if number is None:
            raise FieldError(f"{key}.{name}", f"is not a number of the scale, which is {scale.sentence()}")
        if str(number) in anchors:
            raise FieldError(f"{key}.{name}", "names a number a second time")
        anchors[str(number)] = one_line(text)
    return anchors
