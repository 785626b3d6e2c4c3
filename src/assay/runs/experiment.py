"""Experiments: a YAML or JSON file that says what is judged, by whom, and by which yardstick.

    subjects: [reports/*.md]
    judges: [comparative@openai/gpt-5-mini, direct@deepseek/deepseek-chat]
    rubrics: [reflect-report]
    reference: references.jsonl
    trials: 3
    budget: {usd: 5}

Paths are relative to the file. A field nobody knows is refused with its place and the nearest one there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast, get_args

import msgspec

from assay.decoding import fail, kind_of
from assay.errors import InputError, UsageError
from assay.judges.ensemble import RULES, Rule
from assay.judges.settings import MODEL_FREE, JudgeSettings, split_judge
from assay.located import LocatedData, parse_data, read_data_file
from assay.models.settings import ModelConfig, parse_model_config
from assay.rubrics.fields import Table, plain_text
from assay.runs.budget import Budget
from assay.runs.experiment_suites import SuiteUse, judge_in_suite, suite_uses
from assay.runs.experiment_types import Experiment, Grouping, JudgeSpec, On, Problems, SubjectSource
from assay.strategies.base import MODES
from assay.suggest import did_you_mean

_KEYS: Final = (
    "name", "subjects", "judges", "rubrics", "rubric", "score", "compare", "rank", "query", "reference", "trials",
    "early_stop", "settings", "suite", "suites", "ensemble", "limit", "problems", "budget", "models", "providers", "ledger", "prompts",
)  # fmt: skip
_SUBJECT_KEYS: Final = ("path", "limit", "ids", "system", "query", "reference", "format", "fields")
_SETTINGS: Final = JudgeSettings.__struct_fields__
_JUDGE_KEYS: Final = ("judge", "strategy", "model", "rubric", "rubrics", "label", "modes", *_SETTINGS)


def load_experiment(path: str | Path) -> Experiment:
    """Read an experiment.

    Raises:
        InputError: It cannot be read or says what cannot be; the message names the line and the field.
    """
    file = Path(path)
    return parse_experiment(read_data_file(file), base=file.parent, name=file.stem)


def parse_experiment(
    source: LocatedData | str, *, base: Path = Path(), name: str = "experiment"
) -> Experiment:
    """The same from plain data, or from text.

    Raises:
        InputError: As above.
    """
    if isinstance(source, str):
        source = parse_data(source, f"{name}.yaml")
    table = Table(source, "", source.data, _KEYS)
    table.need("subjects", "judges")
    rubrics = _texts(table, "rubrics", "rubric")
    usual = _common(table)
    used = suite_uses(table)
    judges = _judges(table, rubrics, usual, used)
    compare, score = _groupings(table, "compare"), _flag(table, "score")
    if used:
        # What its suites do with the subjects, where the file does not say.
        wanted = {mode for spec in judges for mode in spec.modes}
        if "pair" in wanted and table.value.get("compare") is None:
            compare = (Grouping(on="query", place="compare"),)
        score = "score" in wanted if score is None else score
    budget = Table(source, "budget", table.value.get("budget", {}), ("usd", "tokens"))
    return Experiment(
        name=table.text("name", empty=False) or name,
        base=base,
        subjects=_subjects(table),
        judges=judges,
        score=score,
        compare=compare,
        rank=_groupings(table, "rank"),
        ensemble=_ensemble(table, judges),
        query=_optional(table, "query"),
        reference=_optional(table, "reference"),
        limit=_count(table, "limit"),
        problems=cast("Problems", table.choice("problems", get_args(Problems), "stop")),
        budget=Budget(usd=_amount(budget, "usd"), tokens=_count(budget, "tokens")),
        models=_models(table),
        ledger=_optional(table, "ledger"),
        prompts=_texts(table, "prompts"),
    )


def experiment_schema() -> dict[str, Any]:
    """The JSON schema of experiment files."""
    path = Path(__file__).with_name("experiment.schema.json")
    schema: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    return schema


def _subjects(table: Table) -> tuple[SubjectSource, ...]:
    found = []
    for path, value in _items(table, "subjects"):
        if isinstance(value, str):
            found.append(SubjectSource(path=(plain_text(table.source, path, value),)))
            continue
        item = Table(table.source, path, value, _SUBJECT_KEYS)
        item.need("path")
        fields = Table(
            table.source,
            item.at("fields"),
            item.value.get("fields", {}),
            tuple(item.value.get("fields") or ()),
        )
        found.append(
            SubjectSource(
                path=_texts(item, "path"),
                limit=_count(item, "limit"),
                ids=_texts(item, "ids"),
                system=_optional(item, "system"),
                query=_optional(item, "query"),
                reference=_optional(item, "reference"),
                format=_optional(item, "format"),
                fields={key: fields.text(key, empty=False) for key in fields.value},
            )
        )
    return tuple(found)


def _common(table: Table) -> dict[str, Any]:
    """Settings of all judges that say nothing else."""
    settings = Table(table.source, "settings", table.value.get("settings", {}), _SETTINGS)
    own: dict[str, Any] = {key: table.value[key] for key in ("trials", "early_stop") if key in table.value}
    _check_settings(settings, settings.value)
    _check_settings(table, own)
    return {**settings.value, **own}


def _judges(
    table: Table, rubrics: tuple[str, ...], usual: dict[str, Any], used: Sequence[SuiteUse]
) -> tuple[JudgeSpec, ...]:
    """The judges that are named; with suites, each of them for each suite."""
    found: list[JudgeSpec] = []
    for path, value in _items(table, "judges"):
        given = {"judge": value} if isinstance(value, str) else value
        item = Table(table.source, path, given, _JUDGE_KEYS)
        if "judge" in item:
            for key in ("strategy", "model"):
                if key in item:
                    item.fail(key, "is said twice, here and in 'judge'")
            named = item.text("judge", empty=False)
            place = path if isinstance(value, str) else item.at("judge")
            if named in MODEL_FREE:
                raise InputError(
                    f"{place}: {named!r} asks no model, and an experiment runs judges that do; `assay judge`, `assay "
                    f"compare` and `assay rank` take --judge {named}",
                    where=table.source.where(place),
                )
            try:
                # A suite has a strategy of its own; then the model is enough.
                strategy, model = split_judge(named) if "@" in named or not used else ("", named)
            except UsageError as error:
                raise InputError(f"{place}: {error}", where=table.source.where(place)) from error
        else:
            item.need("model", *(() if used else ("strategy",)))
            strategy, model = item.text("strategy"), item.text("model", empty=False)
        modes = _texts(item, "modes") or MODES
        for mode in modes:
            if mode not in MODES:
                item.fail("modes", f"has {mode!r}; {did_you_mean(mode, MODES)}")
        own = {key: item.value[key] for key in _SETTINGS if key in item}
        _check_settings(item, own)
        spec = JudgeSpec(
            strategy=strategy,
            model=model,
            label=item.text("label", empty=False),
            rubrics=_texts(item, "rubric", "rubrics") or rubrics,
            modes=tuple(mode for mode in MODES if mode in modes),
            place=path,
        )
        said = {**usual, **own}
        for made in [judge_in_suite(spec, use, said, table.source) for use in used] or [_alone(spec, said)]:
            same = next((other for other in found if _same(made, other)), None)
            if same is not None:
                fail(
                    table.source,
                    path,
                    f"is {same.place} again",
                    "give it a label or other settings, or ask for trials",
                )
            found.append(made)
    return tuple(found)


def _alone(spec: JudgeSpec, said: dict[str, Any]) -> JudgeSpec:
    label = spec.label or spec.name
    return msgspec.structs.replace(spec, label=label, settings=msgspec.convert(said, JudgeSettings))


def _same(spec: JudgeSpec, other: JudgeSpec) -> bool:
    return msgspec.structs.replace(spec, place="") == msgspec.structs.replace(other, place="")


def _groupings(table: Table, key: str) -> tuple[Grouping, ...]:
    value = table.value.get(key)
    if value is None or value is False:
        return ()
    if isinstance(value, str) or value is True:
        on: Any = "query" if value in (True, "all") else value
        offered = Table(table.source, "", {key: on}, (key,)).choice(key, get_args(On), "query")
        return (Grouping(on=cast("On", offered), place=key),)
    items = _items(table, key) if isinstance(value, list) else [(key, value)]
    return tuple(_grouping(table.source, path, item, key) for path, item in items)


def _grouping(source: LocatedData, path: str, value: Any, key: str) -> Grouping:
    if isinstance(value, list):
        members = tuple(_name(source, f"{path}[{i}]", item) for i, item in enumerate(value))
        systems: tuple[str, ...] = ()
        on = "query"
    else:
        own = ("a", "b") if key == "compare" else ("candidates",)
        item = Table(source, path, value, (*own, "systems", "on"))
        if "a" in item or "b" in item:
            item.need("a", "b")
            members = (
                _name(source, item.at("a"), item.value["a"]),
                _name(source, item.at("b"), item.value["b"]),
            )
        else:
            members = _texts(item, "candidates")
        systems = _texts(item, "systems")
        on = item.choice("on", get_args(On), "query")
        if members and systems:
            item.fail("systems", "stands beside subjects that are named one by one; give either")
    what = members or systems
    if what and len(what) < 2:
        fail(source, path, f"names {what[0]!r} alone; it takes two or more")
    if members and key == "compare" and len(members) != 2:
        fail(source, path, f"names {len(members)} subjects; a comparison takes two, and `rank` takes more")
    if len(set(what)) < len(what):
        fail(source, path, "names one twice")
    return Grouping(members=members, systems=systems, on=cast("On", on), place=path)


def _ensemble(table: Table, judges: Sequence[JudgeSpec]) -> tuple[Rule, ...]:
    """The rules by which judges are put together."""
    named = _texts(table, "ensemble")
    for name in named:
        if name not in RULES:
            table.fail("ensemble", f"is {name!r}; {did_you_mean(name, RULES)}")
    if named and sum("pair" in spec.modes for spec in judges) < 2:
        table.fail("ensemble", "takes two judges or more that compare pairs")
    return cast("tuple[Rule, ...]", tuple(dict.fromkeys(named)))


def _models(table: Table) -> ModelConfig:
    data = {
        key: {
            name: {field.replace("_", "-"): value for field, value in row.items()}
            if isinstance(row, dict)
            else row
            for name, row in table.value[key].items()
        }
        if isinstance(table.value[key], dict)
        else table.value[key]
        for key in ("models", "providers")
        if key in table
    }
    try:
        return parse_model_config(data, where=table.source.where("models"))
    except UsageError as error:
        raise InputError(str(error)) from error


def _check_settings(table: Table, values: dict[str, Any]) -> None:
    """Each setting of the kind and in the range it must be; the message names it."""
    for key, value in values.items():
        try:
            msgspec.convert({key: value}, JudgeSettings)
        except msgspec.ValidationError as error:
            said = (
                str(error)
                .partition(" - at ")[0]
                .replace("`", "")
                .removeprefix("Expected ")
                .partition(", got")[0]
            )
            table.fail(key, f"is {value!r}; it must be {said.replace('| null', 'or empty')}")


def _items(table: Table, key: str) -> list[tuple[str, Any]]:
    value = table.value[key]
    if not isinstance(value, list):
        if isinstance(value, str | dict):
            return [(key, value)]
        fail(table.source, key, f"is {kind_of(value)}; it must be a list")
    if not value:
        fail(table.source, key, "is empty")
    return [(f"{key}[{i}]", item) for i, item in enumerate(value)]


def _texts(table: Table, *keys: str) -> tuple[str, ...]:
    """A text or a list of texts under one of the keys."""
    given = [key for key in keys if key in table]
    if not given:
        return ()
    if len(given) > 1:
        table.fail(given[1], f"is the same as {given[0]!r}; give one of them")
    value = table.value[given[0]]
    if not isinstance(value, list):
        return (_name(table.source, table.at(given[0]), value),)
    if not value:
        table.fail(given[0], "is empty")
    return tuple(_name(table.source, f"{table.at(given[0])}[{i}]", item) for i, item in enumerate(value))


def _name(source: LocatedData, path: str, value: Any) -> str:
    """A text; an id may be written as a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return plain_text(source, path, value)


def _optional(table: Table, key: str) -> str | None:
    value = table.value.get(key)
    if isinstance(value, str) and key == "query":
        # A question may have several lines.
        return value.strip() or None
    return None if value is None else table.text(key, empty=False)


def _flag(table: Table, key: str) -> bool | None:
    value = table.value.get(key)
    if value is not None and not isinstance(value, bool):
        table.fail(key, f"is {kind_of(value)}; it must be true or false")
    return value


def _count(table: Table, key: str) -> int | None:
    value = table.value.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        table.fail(key, f"is {value!r}; it must be a whole number, 1 or more")
    return int(value)


def _amount(table: Table, key: str) -> float | None:
    if table.value.get(key) is None:
        return None
    value = table.number(key, 0.0)
    if value < 0:
        table.fail(key, f"is {value}; it cannot be negative")
    return value
