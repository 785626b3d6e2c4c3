"""Experiment files: YAML or JSON that says what is judged, by which judges and rubrics, and at what cost.

    subjects: [reports/*.md]
    judges: [comparative@openai/gpt-5-mini, direct@deepseek/deepseek-chat]
    rubrics: [reflect-report]
    reference: references.jsonl
    repetitions: 3
    budget: {usd: 5}

With ``suite: reportlogic``, or ``suites: [reportlogic, {suite: researchrubrics, rubric: tasks.jsonl}]``, a judge may be a
model alone: strategy, rubric and settings come from the suite.

Paths are relative to the file. `assay.runs.experiment_format` has the fields and the schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, cast

import msgspec

from assay.decoding import decode, fail, plain_text
from assay.errors import InputError, UsageError
from assay.judges.ensemble import Rule, split_ensemble
from assay.judges.settings import MODEL_FREE, JudgeName, JudgeSettings, split_judge
from assay.located import LocatedData, join_path, parse_data, read_data_file
from assay.models.settings import ModelConfig
from assay.runs.experiment import Experiment, Grouping, JudgeSpec, On, SubjectSource
from assay.runs.experiment_format import (
    ExperimentFile,
    JudgeTable,
    PairGroup,
    RankGroup,
    SettingsTable,
    SubjectTable,
    SuiteTable,
)
from assay.strategies.registry import is_prompt_file
from assay.subjects.case import MODES, Mode

_SETTINGS: Final = SettingsTable.__struct_encode_fields__


class _SuiteUse(msgspec.Struct, frozen=True):
    """A suite in an experiment: its name, the rubric it is given, and its place in the file."""

    name: str
    rubric: str = ""
    place: str = ""


def load_experiment(path: str | Path) -> Experiment:
    """Read an experiment.

    Raises:
        InputError: The file cannot be read or does not fit the format; the message names line, field and remedy.
    """
    file = Path(path)
    return parse_experiment(read_data_file(file), base=file.parent, name=file.stem)


def parse_experiment(
    source: LocatedData | str, *, base: Path = Path(), name: str = "experiment"
) -> Experiment:
    """Return the experiment that plain data or a text describes.

    Raises:
        InputError: The data does not fit the format.
    """
    data = parse_data(source, f"{name}.yaml") if isinstance(source, str) else source
    data = _with_current_keys(data)
    data = msgspec.structs.replace(data, data=_cleaned(data))
    file = decode(data, ExperimentFile)
    suites = _suites(data, file)
    judges = _judges(data, file, suites, base)
    compare, score = _groupings(data, "compare", file.compare), file.score
    if suites:
        # What the suites do with the subjects counts where the file does not say.
        wanted = {mode for spec in judges for mode in spec.modes}
        if "compare" in wanted and file.compare is None:
            compare = (Grouping(on="query", place="compare"),)
        score = "score" in wanted if score is None else score
    return Experiment(
        name=file.name or name,
        base=base,
        subjects=tuple(map(_subject_source, _listed(file.subjects))),
        judges=judges,
        score=score,
        compare=compare,
        rank=_groupings(data, "rank", file.rank),
        ensemble=_ensemble(data, file, judges),
        query=file.query or None,
        reference=file.reference,
        limit=file.limit,
        problems=file.problems,
        budget=file.budget,
        models=ModelConfig(
            models=file.models, providers={key.lower(): value for key, value in file.providers.items()}
        ),
        ledger=file.ledger,
        prompts=_texts(file.prompts),
    )


def _with_current_keys(data: LocatedData) -> LocatedData:
    """Return the data with ``trials``, the earlier name of ``repetitions``, replaced by the current name.

    Raises:
        InputError: A table has both.
    """
    lines = dict(data.lines)

    def renamed(table: Any, path: str) -> Any:
        if not isinstance(table, dict) or "trials" not in table:
            return table
        older, current = join_path(path, "trials"), join_path(path, "repetitions")
        if "repetitions" in table:
            fail(data, older, "is an earlier name of 'repetitions'; give one of them")
        if older in lines:
            lines[current] = lines[older]
        return {"repetitions" if key == "trials" else key: value for key, value in table.items()}

    top = renamed(data.data, "")
    if isinstance(top, dict):
        top = dict(top)
        if "settings" in top:
            top["settings"] = renamed(top["settings"], "settings")
        judges = top.get("judges")
        if isinstance(judges, list):
            top["judges"] = [renamed(item, f"judges[{index}]") for index, item in enumerate(judges)]
        elif judges is not None:
            top["judges"] = renamed(judges, "judges")
    return msgspec.structs.replace(data, data=top, lines=lines)


def _cleaned(data: LocatedData) -> Any:
    """The data with white space in texts normalised and the keys of model settings in one spelling."""

    def clean(value: Any, path: str) -> Any:
        if isinstance(value, str):
            return plain_text(data, path, value)
        if isinstance(value, list):
            return [clean(item, f"{path}[{index}]") for index, item in enumerate(value)]
        if isinstance(value, dict):
            return {key: clean_field(key, item, join_path(path, key)) for key, item in value.items()}
        return value

    def clean_field(key: str, value: Any, path: str) -> Any:
        if key == "query" and isinstance(value, str):
            return value.strip() or None  # a question may have several lines
        if key in ("models", "providers") and isinstance(value, dict):
            return {name: _hyphenated(row) for name, row in value.items()}
        return value if key == "options" else clean(value, path)

    return clean(data.data, "")


def _hyphenated(row: Any) -> Any:
    return {key.replace("_", "-"): value for key, value in row.items()} if isinstance(row, dict) else row


def _subject_source(item: str | SubjectTable) -> SubjectSource:
    if isinstance(item, str):
        return SubjectSource(path=(item,))
    values = {name: getattr(item, name) for name in SubjectTable.__struct_fields__}
    return SubjectSource(**{**values, "path": _texts(item.path), "ids": _texts(item.ids)})


def _suites(data: LocatedData, file: ExperimentFile) -> tuple[_SuiteUse, ...]:
    key = "suite" if file.suite is not None else "suites"
    given = file.suite or file.suites
    uses: list[_SuiteUse] = []
    for path, item in zip(_paths(data, key), _listed(given), strict=True) if given else ():
        table = SuiteTable(suite=item) if isinstance(item, str) else item
        use = _SuiteUse(table.suite, table.rubric or "", path)
        if any((other.name, other.rubric) == (use.name, use.rubric) for other in uses):
            fail(data, path, f"is {use.name!r} again")
        uses.append(use)
    return tuple(uses)


def _judges(
    data: LocatedData, file: ExperimentFile, suites: Sequence[_SuiteUse], base: Path
) -> tuple[JudgeSpec, ...]:
    """The judges that are named; with suites, each of them for each suite."""
    common = {**data.data.get("settings", {}), **_given(data.data, ("repetitions", "early_stop"))}
    rubrics = _texts(file.rubrics if file.rubric is None else file.rubric)
    specs: list[JudgeSpec] = []
    for path, item, raw in zip(
        _paths(data, "judges"), _listed(file.judges), _listed(data.data["judges"]), strict=True
    ):
        spec = _judge(data, path, item, rubrics, base, needs_strategy=not suites)
        settings = {**common, **(_given(raw, _SETTINGS) if isinstance(raw, dict) else {})}
        variants = [_judge_in_suite(data, spec, use, settings) for use in suites] or [
            msgspec.structs.replace(
                spec,
                label=spec.label or JudgeName(spec.strategy, spec.model).label,
                settings=msgspec.convert(settings, JudgeSettings),
            )
        ]
        for variant in variants:
            same = next((other for other in specs if _same(variant, other)), None)
            if same is not None:
                hint = "give it a name or other settings; `repetitions` repeats a judge"
                fail(data, path, f"is {same.place} again", hint)
            named = next(
                (one for one in specs if one.label == variant.label and one.name != variant.name), None
            )
            if named is not None:
                hint = "give one a name, as in {name: strict, judge: …}"
                fail(data, path, f"would be called {variant.label!r} in results, like {named.place}", hint)
            specs.append(variant)
    return tuple(specs)


def _judge(
    data: LocatedData,
    path: str,
    item: str | JudgeTable,
    rubrics: tuple[str, ...],
    base: Path,
    *,
    needs_strategy: bool,
) -> JudgeSpec:
    """One judge as the file has it, before its settings are put together."""
    table = JudgeTable(judge=item) if isinstance(item, str) else item
    own = _without_own_model(data, path, table, rubrics, suite=not needs_strategy)
    if own is not None:
        return own
    strategy, model, given = table.strategy or "", table.model or "", ""
    if is_prompt_file(strategy, base):
        strategy = str(base / Path(strategy).expanduser())
    if table.judge is not None:
        for key in ("strategy", "model"):
            if getattr(table, key) is not None:
                fail(data, f"{path}.{key}", "is given twice, here and in 'judge'")
        place = path if isinstance(item, str) else f"{path}.judge"
        strategy, model, given = _split(data, place, table.judge, base, needs_strategy=needs_strategy)
    if not model:
        fail(data, path, "has no 'model'")
    if not strategy and needs_strategy:
        strategy = "direct"
    if table.name and table.label:
        fail(data, f"{path}.label", "is the same as 'name'; give one of them")
    if table.rubric is not None and table.rubrics is not None:
        fail(data, f"{path}.rubrics", "is the same as 'rubric'; give one of them")
    modes = MODES if table.modes is None else _listed(table.modes)
    return JudgeSpec(
        strategy=strategy,
        model=model,
        label=table.name or table.label or given,
        rubrics=_texts(table.rubrics if table.rubric is None else table.rubric) or rubrics,
        modes=tuple(mode for mode in MODES if mode in modes),
        place=path,
    )


def _without_own_model(
    data: LocatedData, path: str, table: JudgeTable, rubrics: tuple[str, ...], *, suite: bool
) -> JudgeSpec | None:
    """A judge without a model of its own: rules, length, random, or an ensemble; None for another."""
    name = table.judge or ""
    rule: Rule | Literal[""] = table.ensemble or ""
    members: tuple[str, ...] = (name,) if name in MODEL_FREE else tuple(table.judges or ())
    split = split_ensemble(name)
    if split is not None:
        rule, members = split
    if not members and not rule:
        return None
    if bool(rule) != (name not in MODEL_FREE) or len(members) < (2 if rule else 1):
        fail(data, path, "is not an ensemble", "write {ensemble: majority, judges: [A, B, C]}")
    if suite and name != "rules":
        fail(data, path, f"is {name or rule!r}, which has no model of its own; the judges of a suite do")
    usual: tuple[Mode, ...] = ("compare",) if rule else MODES
    if name == "rules" and not suite:
        usual = ("compare", "rank")
    wanted = usual if table.modes is None else _listed(table.modes)
    spec = JudgeSpec(
        strategy="",
        model="",
        label="",
        rubrics=_texts(table.rubrics if table.rubric is None else table.rubric) or rubrics,
        modes=tuple(mode for mode in usual if mode in wanted),
        place=path,
        rule=rule,
        members=members,
    )
    return msgspec.structs.replace(spec, label=table.name or table.label or spec.name)


def _split(data: LocatedData, place: str, name: str, base: Path, *, needs_strategy: bool) -> JudgeName:
    """Strategy, model and name of a judge; no strategy for a model alone if a suite brings it."""
    try:
        return split_judge(name, base=base, usual="direct" if needs_strategy else "")
    except UsageError as error:
        raise InputError(f"{place}: {error}", where=data.where(place)) from error


def _judge_in_suite(
    data: LocatedData, spec: JudgeSpec, use: _SuiteUse, given: Mapping[str, Any]
) -> JudgeSpec:
    """Return a judge as one of a suite, which supplies what the file leaves open."""
    from assay.suites.registry import find_suite  # noqa: PLC0415 - loads every suite

    try:
        suite = find_suite(use.name)
    except UsageError as error:
        raise InputError(str(error), where=data.where(use.place)) from error
    if spec.members and suite.by_rules is None:
        fail(data, spec.place, f"is {spec.name!r}, but the judges of {suite.name} ask a model")
    rubrics = spec.rubrics or tuple(name for name in (use.rubric or suite.rubric,) if name)
    if not rubrics:
        fail(
            data,
            use.place,
            f"is {suite.name!r}, which needs a rubric of yours",
            "name one: rubric: FILE",
        )
    modes = tuple(mode for mode in spec.modes if mode in suite.modes)
    if not modes:
        fail(
            data,
            spec.place,
            f"is for {', '.join(spec.modes)}, but {suite.name} is for {', '.join(suite.modes)}",
        )
    if spec.members:
        return msgspec.structs.replace(spec, modes=modes, suite=suite.name)
    strategy = spec.strategy or suite.strategy
    usual = {
        name: value
        for name, value in msgspec.structs.asdict(suite.settings).items()
        if value != getattr(JudgeSettings(), name)
    }
    return msgspec.structs.replace(
        spec,
        strategy=strategy,
        label=spec.label or JudgeName(strategy, spec.model).label,
        rubrics=rubrics,
        modes=modes,
        settings=msgspec.convert({**usual, **given}, JudgeSettings),
        suite=suite.name,
    )


def _same(spec: JudgeSpec, other: JudgeSpec) -> bool:
    return msgspec.structs.replace(spec, place="") == msgspec.structs.replace(other, place="")


def _groupings(data: LocatedData, key: str, value: Any) -> tuple[Grouping, ...]:
    """The groups under ``compare`` or ``rank``."""
    if value is None or value is False:
        return ()
    if isinstance(value, str | bool):
        on = cast("On", value) if value in ("query", "id") else "query"
        return (Grouping(on=on, place=key),)
    return tuple(
        _grouping(data, path, item, pairs=key == "compare")
        for path, item in zip(_paths(data, key), _listed(value), strict=True)
    )


def _grouping(
    data: LocatedData, path: str, item: list[str | int] | PairGroup | RankGroup, *, pairs: bool
) -> Grouping:
    systems: tuple[str, ...] = ()
    on: On = "query"
    if isinstance(item, list):
        members = _texts(item)
    else:
        named = [item.a, item.b] if isinstance(item, PairGroup) else item.candidates
        members = _texts([name for name in named if name is not None])
        systems, on = _texts(item.systems), item.on
    names = members or systems
    if len(names) == 1:
        fail(data, path, f"names {names[0]!r} alone; it takes two or more")
    if pairs and len(members) > 2:
        fail(data, path, f"names {len(members)} subjects; a comparison takes two, and `rank` takes more")
    if len(set(names)) < len(names):
        fail(data, path, "names one twice")
    return Grouping(members=members, systems=systems, on=on, place=path)


def _ensemble(data: LocatedData, file: ExperimentFile, judges: Sequence[JudgeSpec]) -> tuple[Rule, ...]:
    """The rules by which judges are combined."""
    rules = tuple(dict.fromkeys(_listed(file.ensemble))) if file.ensemble is not None else ()
    if rules and sum("compare" in spec.modes for spec in judges) < 2:
        fail(data, "ensemble", "takes two judges or more that compare pairs")
    return rules


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _paths(data: LocatedData, key: str) -> list[str]:
    """The path of each entry under a key that takes one entry or a list."""
    value = data.data[key]
    return [f"{key}[{index}]" for index in range(len(value))] if isinstance(value, list) else [key]


def _texts(value: Any) -> tuple[str, ...]:
    return () if value is None else tuple(map(str, _listed(value)))


def _given(table: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    return {key: table[key] for key in keys if key in table}
