"""The label of one rater on one subject: the contract ``assay.label/1``.

A line names one rater and one subject or pair (``"a | b"``), and holds one of

    preference   the better side of a pair
    score        a number
    scores       numbers by dimension
    verdict      a word, such as "met"; with ``criterion`` if it is about one criterion

``task`` groups labels for intervals; further plain fields (``domain``, ``language``) are strata.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from assay.decoding import kind_of
from assay.errors import InputError
from assay.frozen import freeze
from assay.judges.judgment import Preference
from assay.record import Record
from assay.suggest import did_you_mean

SCHEMA: Final = "assay.label/1"
Kind = Literal["preference", "score", "verdict"]
KINDS: Final[tuple[Kind, ...]] = ("preference", "score", "verdict")
_VALUES: Final = ("preference", "score", "scores", "verdict")
_KNOWN: Final = ("schema", "subject", "rater", *_VALUES, "task", "criterion", "dimension", "strata")
_WORDS: Final[dict[str, Preference]] = {
    "a>b": "A>B", "b<a": "A>B", "a": "A>B", "a>>b": "A>B", "a better": "A>B", "model a": "A>B", "model_a": "A>B",
    "a<b": "A<B", "b>a": "A<B", "b": "A<B", "b>>a": "A<B", "b better": "A<B", "model b": "A<B", "model_b": "A<B",
    "both_good": "both_good", "both good": "both_good",
    "both_bad": "both_bad", "both bad": "both_bad", "tie (bothbad)": "both_bad", "tie (both bad)": "both_bad",
    "tie": "tie", "a=b": "tie", "b=a": "tie", "c": "tie", "equal": "tie", "same": "tie", "draw": "tie",
}  # fmt: skip
_YES: Final = {
    "true": "met",
    "yes": "met",
    "met": "met",
    "not met": "not met",
    "false": "not met",
    "no": "not met",
    "satisfied": "met",
    "partially satisfied": "partially met",
    "not satisfied": "not met",
}
_LONGEST: Final = 200


class Label(Record, msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The label of one rater on one subject.

    Attributes:
        subject: Name of the subject; both names of a pair, ``"a | b"``.
        rater: Name of the rater.
        preference: Preference between the A and B of a pair.
        score: A number.
        scores: Numbers by dimension.
        verdict: A word in lower case: "met", "not met", "correct".
        criterion: Criterion of the score or verdict; None for the whole.
        task: Task of the subject; labels of one task are not independent.
        strata: Further properties by which results may be split.
    """

    subject: str
    rater: str
    preference: Preference | None = None
    score: float | None = None
    scores: dict[str, float] | None = None
    verdict: str | None = None
    criterion: str | None = None
    task: str | None = None
    strata: dict[str, str] = {}

    @property
    def kind(self) -> Kind:
        """Kind of the label; scores by dimension are scores."""
        if self.preference is not None:
            return "preference"
        return "verdict" if self.verdict is not None else "score"

    def __post_init__(self) -> None:
        freeze(self, "scores", "strata")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Label:
        """Return the label that `to_dict` wrote.

        Raises:
            InputError: The data are not a label; the message says why.
        """
        return read_label(dict(data), "label")

    def summary_line(self) -> str:
        """Return subject, rating and rater."""
        rating = next(value for name in _VALUES if (value := getattr(self, name)) is not None)
        return f"{self.subject}: {rating} by {self.rater}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ``schema`` first, with strata as separate fields."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        strata = data.pop("strata", {})
        return {"schema": SCHEMA, **data, **strata}


def read_label(row: Any, where: str) -> Label:
    """Read a row of ``assay.label/1``.

    Raises:
        InputError: The row is not a label; the message says why.
    """
    if not isinstance(row, dict):
        raise InputError(
            f"is {kind_of(row)}; a label must be an object with subject, rater and a rating", where=where
        )
    given = [name for name in _VALUES if row.get(name) is not None]
    if len(given) != 1:
        raise InputError(_wrong_count(row, given), where=where)
    strata = {
        str(key): _stratum(value) for key, value in row.items() if key not in _KNOWN and _is_plain(value)
    }
    preference = row.get("preference")
    return Label(
        subject=_name(row, "subject", where),
        rater=_name(row, "rater", where),
        preference=None if preference is None else preference_of(preference, where),
        score=None if row.get("score") is None else number_of(row["score"], "score", where),
        scores=_numbers(row.get("scores"), where),
        verdict=None if row.get("verdict") is None else verdict_of(row["verdict"], where),
        criterion=_criterion(row, where),
        task=None if row.get("task") is None else _name(row, "task", where),
        strata={**strata, **_nested_strata(row.get("strata"), where)},
    )


def _criterion(row: dict[str, Any], where: str) -> str | None:
    """Return what the rating is about; other formats call it a dimension."""
    name = next((name for name in ("criterion", "dimension") if row.get(name) is not None), None)
    return None if name is None else _name(row, name, where, longest=4000)


def _wrong_count(row: dict[str, Any], given: list[str]) -> str:
    if given:
        return f"holds {' and '.join(given)}; a label must hold only one of them"
    for key in map(str, row):
        hint = did_you_mean(key, _VALUES, otherwise="")
        if key not in _KNOWN and hint:
            return f"holds no rating, but {key!r}; {hint}"
    return f"holds no rating; it must have one of {', '.join(_VALUES)}"


def preference_of(value: Any, where: str) -> Preference:
    """Parse a preference in any usual notation: ``A>B``, ``B``, ``tie``.

    Raises:
        InputError: The value is not a preference.
    """
    if isinstance(value, str):
        preference = _preference(value)
        if preference is not None:
            return preference
    raise InputError(
        f"{_shown(value)} is not a preference; write A>B, A<B, both_good, both_bad or tie", where=where
    )


@lru_cache(maxsize=256)
def _preference(text: str) -> Preference | None:
    return _WORDS.get(re.sub(r"\s*([<>=])\s*", r"\1", " ".join(text.split()).casefold()).strip("[]"))


def verdict_of(value: Any, where: str) -> str:
    """Normalise a verdict: lower case, single blanks; yes and no become "met" and "not met".

    Raises:
        InputError: The value is not a word.
    """
    if isinstance(value, bool):
        return "met" if value else "not met"
    if isinstance(value, int | float) and value in (0, 1):
        return "met" if value else "not met"
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST:
        raise InputError(f"{_shown(value)} is not a verdict; write a word, or true or false", where=where)
    word = " ".join(value.replace("_", " ").casefold().split())
    return _YES.get(word, word)


def number_of(value: Any, name: str, where: str) -> float:
    """Parse a finite number, given as a number or as a string, as in cells of a table.

    Raises:
        InputError: The value is not a finite number.
    """
    if isinstance(value, str):
        try:
            value = float(value.strip())
        except ValueError:
            raise InputError(f"{name} is {_shown(value)}; it must be a number", where=where) from None
    try:
        good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e9
    except OverflowError:
        good = False
    if not good or not math.isfinite(value):
        raise InputError(f"{name} is {_shown(value)}; it must be a number", where=where)
    return float(value)


def _numbers(value: Any, where: str) -> dict[str, float] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not value:
        raise InputError(
            f"scores is {kind_of(value)}; it must be a table of numbers by dimension", where=where
        )
    return {
        str(key): number_of(item, f"scores.{key}", where) for key, item in value.items() if item is not None
    }


def _name(row: dict[str, Any], key: str, where: str, *, longest: int = 2000) -> str:
    value = row.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        missing = "has no" if value is None else f"has {_shown(value)} as"
        raise InputError(
            f"the label {missing} {key!r}",
            where=where,
            hint=f'{key}="COLUMN" names its column',
            cli_hint=f"--field {key}=COLUMN names its column",
        )
    if len(value) > longest:
        raise InputError(f"{key!r} has {len(value):,} characters; it must be a name", where=where)
    return value.strip()


def _nested_strata(value: Any, where: str) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError(f"strata is {kind_of(value)}; it must be a table", where=where)
    return {str(key): _stratum(item) for key, item in value.items() if _is_plain(item)}


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool) and len(str(value)) <= _LONGEST


def _stratum(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _shown(value: Any) -> str:
    if isinstance(value, dict | list) or value is None:
        return kind_of(value)
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits
        return "a number too long to write"
    return text if len(text) <= 60 else text[:60] + "…"
