"""Loading scales by name and parsing them from plain data."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from assay.decoding import fail, kind_of
from assay.errors import UsageError
from assay.located import LocatedData, read_data_file
from assay.rubrics.fields import FieldTable, plain_text
from assay.rubrics.scale import Choice, Scale, number_text
from assay.suggest import did_you_mean

DATA: Final = Path(__file__).parent / "data"
_FIELDS: Final = ("low", "high", "step", "anchors", "anchors_zh", "choices")
_CHOICE_FIELDS: Final = ("label", "value", "means", "means_zh")
_LONGEST_LABEL: Final = 80
# Verdicts that a judgment of a pair may have.
_PREFERENCES: Final = ("A>B", "A<B", "both_good", "both_bad", "tie")


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
    return parse_scale(read_data_file(DATA / "scales" / f"{name}.yaml"))


def parse_scale(source: LocatedData, path: str = "", value: Any = None) -> Scale:
    """Return a scale from plain data: its name, numbers from ``low`` to ``high``, or ``choices``.

    Raises:
        InputError: The data does not describe a scale.
    """
    value = value if path else source.data
    if isinstance(value, str):
        if value not in scale_names():
            fail(source, path, f"is {value!r}, which names no scale; {did_you_mean(value, scale_names())}")
        return load_scale(value)
    table = FieldTable(source, path, value, _FIELDS)
    if "choices" in table:
        for key in ("low", "high", "step", "anchors", "anchors_zh"):
            if key in table:
                table.fail(key, "stands beside choices; a scale has numbers or choices")
        return Scale(choices=_choices(table))
    table.need("low", "high")
    low, high, step = table.number("low", 0.0), table.number("high", 0.0), table.number("step", 1.0)
    if low >= high:
        table.fail("high", f"is {number_text(high)}; it must be above low, which is {number_text(low)}")
    if step < 0:
        table.fail("step", f"is {number_text(step)}; it must be above 0, or 0 for any number in between")
    if step > 0 and abs((high - low) / step - round((high - low) / step)) > 1e-9:
        table.fail("step", f"is {number_text(step)}; it must lead from low to high in whole steps")
    scale = Scale(low=low, high=high, step=step)
    return Scale(
        low=low,
        high=high,
        step=step,
        anchors=_anchors(table, "anchors", scale),
        anchors_zh=_anchors(table, "anchors_zh", scale),
    )


def parse_pair_scale(source: LocatedData, path: str, value: Any) -> Scale:
    """Return a scale of verdicts on pairs; its choices must include ``A>B`` and ``A<B``.

    Raises:
        InputError: The data does not describe a scale.
    """
    scale = parse_scale(source, path, value)
    labels = [choice.label for choice in scale.choices]
    strange = [label for label in labels if label not in _PREFERENCES]
    if strange or not {"A>B", "A<B"} <= set(labels):
        found = f"offers {strange[0]!r}" if strange else "does not offer both A>B and A<B"
        fail(source, path, f"{found}; verdicts on a pair are among {', '.join(_PREFERENCES)}")
    return scale


def _anchors(table: FieldTable, key: str, scale: Scale) -> dict[str, str]:
    if key not in table:
        return {}
    where = table.at(key)
    if not isinstance(table.value[key], dict):
        fail(
            table.source, where, f"is {kind_of(table.value[key])}; it must be a table from number to meaning"
        )
    found: dict[str, str] = {}
    for name, text in table.value[key].items():
        number = scale.read(name)
        if number is None:
            fail(table.source, f"{where}.{name}", f"is no number of the scale, which is {scale.sentence()}")
        if str(number) in found:
            fail(table.source, f"{where}.{name}", "names a number that is named before")
        found[str(number)] = plain_text(table.source, f"{where}.{name}", text)
    return found


def _choices(table: FieldTable) -> tuple[Choice, ...]:
    value = table.value["choices"]
    source, where = table.source, table.at("choices")
    if isinstance(value, dict):
        # {met: 1, not met: 0}
        value = [{"label": label, "value": number} for label, number in value.items()]
    if not isinstance(value, list):
        table.fail("choices", f"is {kind_of(value)}; it must be a list of labels or of tables")
    if len(value) < 2:
        table.fail("choices", "offers fewer than two answers")
    found: list[Choice] = []
    seen: dict[str, str] = {}
    for index, item in enumerate(value):
        path = f"{where}[{index}]"
        entry = FieldTable(source, path, item if isinstance(item, dict) else {"label": item}, _CHOICE_FIELDS)
        entry.need("label")
        label = _label(entry)
        folded = label.casefold()
        if folded in seen:
            entry.fail(
                "label", f"is {label!r}, and {seen[folded]!r} stands before it; labels do not mind case"
            )
        seen[folded] = label
        found.append(
            Choice(
                label=label,
                value=None if entry.value.get("value") is None else entry.number("value", 0.0),
                means=entry.text("means"),
                means_zh=entry.text("means_zh"),
            )
        )
    return tuple(found)


def _label(entry: FieldTable) -> str:
    value = entry.value["label"]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(entry.number("label", 0.0))
    label = plain_text(entry.source, entry.at("label"), value)
    if len(label) > _LONGEST_LABEL:
        entry.fail(
            "label", f"has {len(label)} characters; at most {_LONGEST_LABEL}: what it means goes into 'means'"
        )
    return label
