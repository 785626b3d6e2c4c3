"""Experiment files: YAML or JSON that says what is judged, by which judges and rubrics, and at what cost.

    subjects: [reports/*.md]
    judges: [comparative@openai/gpt-5-mini, direct@deepseek/deepseek-chat]
    rubrics: [reflect-report]
    reference: references.jsonl
    trials: 3
    budget: {usd: 5}

Paths are relative to the file. The structs below are the format: files are decoded with them, and the published schema
is generated from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta

from assay.decoding import FieldError, decode, fail
from assay.errors import InputError, UsageError
from assay.judges.ensemble import Rule
from assay.judges.settings import MODEL_FREE, JudgeSettings, split_judge
from assay.located import LocatedData, join_path, parse_data, read_data_file
from assay.models.settings import ModelConfig, ModelSettings
from assay.rubrics.fields import plain_text
from assay.runs.budget import Budget
from assay.runs.experiment import Experiment, Grouping, JudgeSpec, On, Problems, SubjectSource
from assay.runs.experiment_suites import SuiteUse, judge_in_suite
from assay.schemas import json_schema
from assay.strategies.base import MODES, Mode

_SETTINGS: Final = JudgeSettings.__struct_fields__

Count: TypeAlias = Annotated[int, Meta(ge=1)]
Text: TypeAlias = Annotated[str, Meta(min_length=1)]
# An id may be written as a number.
Name: TypeAlias = Text | int
Texts: TypeAlias = Name | Annotated[list[Name], Meta(min_length=1)]
Members: TypeAlias = Annotated[list[Name], Meta(extra_json_schema={"minItems": 2, "uniqueItems": True})]
Pair: TypeAlias = Annotated[
    list[Name], Meta(extra_json_schema={"minItems": 2, "maxItems": 2, "uniqueItems": True})
]
All: TypeAlias = bool | Literal["all", "query", "id"] | None


class SubjectTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A source of subjects.

    Attributes:
        path: Files, folders or globs.
        limit: Largest number of subjects from this source.
        ids: Ids, paths or file names of the subjects to take; all by default.
        system: System that wrote the subjects, for inputs that do not name it.
        query: Question that the subjects answer, for inputs that do not carry it; @FILE reads it from a file.
        reference: Reference answers; as at the top of the file.
        format: Format of the input, if it is not to be recognised.
        fields: Names of the input's fields by what they hold, such as report: article.
    """

    path: Texts
    limit: Count | None = None
    ids: Texts | None = None
    system: Text | None = None
    query: Text | None = None
    reference: Text | None = None
    format: Text | None = None
    fields: dict[str, Text] = {}


class JudgeTable(JudgeSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge: STRATEGY@MODEL under "judge", or strategy and model apart, with any settings of its own.

    Attributes:
        judge: STRATEGY@MODEL; the model alone if the experiment runs a suite.
        strategy: Prompting strategy.
        model: PROVIDER/NAME.
        rubric: The same as rubrics.
        rubrics: Names or files of the rubrics it judges by; the experiment's by default.
        label: Its name in results.
        modes: What it is used for; everything by default.
    """

    judge: Text | None = None
    strategy: Text | None = None
    model: Text | None = None
    rubric: Texts | None = None
    rubrics: Texts | None = None
    label: Text = ""
    modes: Mode | list[Mode] | None = None


class PairGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pairs to compare: two named subjects, or all pairs that share a query or an id.

    Attributes:
        a: Id, path or SYSTEM/ID of the first subject.
        b: Id, path or SYSTEM/ID of the second subject.
        systems: Systems whose subjects are compared, in this order; all by default.
        on: What the subjects of a pair must share.
    """

    a: Name | None = None
    b: Name | None = None
    systems: Members = []
    on: On = "query"

    def __post_init__(self) -> None:
        if (self.a is None) != (self.b is None):
            raise FieldError("", f"has no {'a' if self.a is None else 'b'!r}")
        if self.a is not None and self.systems:
            raise FieldError("systems", "stands beside subjects that are named one by one; give either")


class RankGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Subjects to rank: named ones, or all that share a query or an id.

    Attributes:
        candidates: Ids, paths or SYSTEM/ID of the subjects.
        systems: Systems whose subjects are ranked, in this order; all by default.
        on: What the subjects of a ranking must share.
    """

    candidates: Members = []
    systems: Members = []
    on: On = "query"

    def __post_init__(self) -> None:
        if self.candidates and self.systems:
            raise FieldError("systems", "stands beside subjects that are named one by one; give either")


class SuiteTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A suite and the rubric it is given.

    Attributes:
        suite: Name of the suite.
        rubric: Name or file of the rubric, for suites that need one.
    """

    suite: Text
    rubric: Text | None = None


class ExperimentFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is judged, by which judges and rubrics, and at what cost. Paths are relative to the file.

    Attributes:
        subjects: Files, folders, globs, or tables with one.
        judges: STRATEGY@MODEL, or tables with settings; several make a list.
        name: Name of the runs; the file's name by default.
        rubric: The same as rubrics.
        rubrics: Names or files; each is used by every judge that names none of its own.
        score: Whether subjects are scored singly; by default only if nothing is compared or ranked.
        compare: Pairs to compare: those that share a query or an id, or named ones.
        rank: Sets to rank: those that share a query or an id, or named ones.
        query: Question for subjects that carry none; @FILE reads it from a file.
        reference: JSONL file with id and reference, folder of texts named by id, or one text for all subjects.
        trials: Number of repetitions of each judgment.
        early_stop: Whether repetitions of comparisons end once their majority is settled.
        settings: Settings of every judge that does not set them itself.
        suite: The same as suites.
        suites: Suites whose judges these are; a judge may then be a model alone.
        ensemble: Rules by which the judges of each pair are combined as well: all agree, or more than half do.
        limit: Largest number of subjects.
        problems: What happens if subjects cannot be read or judged: the run does not begin, or leaves them out.
        budget: Caps on the whole run, resumptions included.
        models: Settings by model id, as in assay.toml.
        providers: Settings by provider, as in assay.toml.
        ledger: SQLite file or postgresql://… address that keeps the results.
        prompts: Folders of templates that take precedence over the package's.
    """

    subjects: Text | SubjectTable | Annotated[list[Text | SubjectTable], Meta(min_length=1)]
    judges: Text | JudgeTable | Annotated[list[Text | JudgeTable], Meta(min_length=1)]
    name: Text | None = None
    rubric: Texts | None = None
    rubrics: Texts | None = None
    score: bool | None = None
    compare: All | PairGroup | Annotated[list[Pair | PairGroup], Meta(min_length=1)] = None
    rank: All | RankGroup | Annotated[list[Members | RankGroup], Meta(min_length=1)] = None
    query: str | None = None
    reference: Text | None = None
    trials: Count = 1
    early_stop: bool = False
    settings: JudgeSettings = JudgeSettings()
    suite: Text | SuiteTable | Annotated[list[Text | SuiteTable], Meta(min_length=1)] | None = None
    suites: Text | SuiteTable | Annotated[list[Text | SuiteTable], Meta(min_length=1)] | None = None
    ensemble: Rule | Annotated[list[Rule], Meta(min_length=1)] | None = None
    limit: Count | None = None
    problems: Problems = "stop"
    budget: Budget = Budget()
    models: dict[str, ModelSettings] = {}
    providers: dict[str, ModelSettings] = {}
    ledger: Text | None = None
    prompts: Texts | None = None

    def __post_init__(self) -> None:
        for one, same in (("rubric", "rubrics"), ("suite", "suites")):
            if getattr(self, one) is not None and getattr(self, same) is not None:
                raise FieldError(one, f"is the same as {same!r}; give one of them")
        for model_id in self.models:
            if "/" not in model_id:
                raise FieldError(f"models.{model_id}", f"names no model; write PROVIDER/{model_id}")


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
    data = msgspec.structs.replace(data, data=_cleaned(data))
    file = decode(data, ExperimentFile)
    suites = _suites(data, file)
    judges = _judges(data, file, suites)
    compare, score = _groupings(data, "compare", file.compare), file.score
    if suites:
        # What the suites do with the subjects counts where the file does not say.
        wanted = {mode for spec in judges for mode in spec.modes}
        if "pair" in wanted and file.compare is None:
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


def experiment_schema() -> dict[str, Any]:
    """Return the JSON schema of experiment files."""
    schema = json_schema(
        ExperimentFile, schema_id="urn:assay:experiment:1", title="Assay experiment, version 1"
    )
    # Keys of model settings may be written with underscores or hyphens.
    fields = schema["$defs"]["ModelSettings"]["properties"]
    fields.update({key.replace("-", "_"): field for key, field in fields.items()})
    # Only with a suite may a judge be a model alone.
    judge = {
        "anyOf": [
            {"type": "string", "pattern": "^[^@]+@.+$"},
            {"type": "object", "required": ["judge"], "properties": {"judge": {"pattern": "^[^@]+@.+$"}}},
            {"type": "object", "required": ["strategy", "model"]},
        ]
    }
    named = {"anyOf": [*judge["anyOf"], {"type": "array", "items": judge}]}
    schema["anyOf"] = [{"required": ["suite"]}, {"required": ["suites"]}, {"properties": {"judges": named}}]
    return schema


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


def _suites(data: LocatedData, file: ExperimentFile) -> tuple[SuiteUse, ...]:
    key = "suite" if file.suite is not None else "suites"
    given = file.suite or file.suites
    uses: list[SuiteUse] = []
    for path, item in zip(_paths(data, key), _listed(given), strict=True) if given else ():
        table = SuiteTable(suite=item) if isinstance(item, str) else item
        use = SuiteUse(table.suite, table.rubric or "", path)
        if any((other.name, other.rubric) == (use.name, use.rubric) for other in uses):
            fail(data, path, f"is {use.name!r} again")
        uses.append(use)
    return tuple(uses)


def _judges(data: LocatedData, file: ExperimentFile, suites: Sequence[SuiteUse]) -> tuple[JudgeSpec, ...]:
    """The judges that are named; with suites, each of them for each suite."""
    common = {**data.data.get("settings", {}), **_given(data.data, ("trials", "early_stop"))}
    rubrics = _texts(file.rubrics if file.rubric is None else file.rubric)
    specs: list[JudgeSpec] = []
    for path, item, raw in zip(
        _paths(data, "judges"), _listed(file.judges), _listed(data.data["judges"]), strict=True
    ):
        spec = _judge(data, path, item, rubrics, needs_strategy=not suites)
        settings = {**common, **(_given(raw, _SETTINGS) if isinstance(raw, dict) else {})}
        variants = [judge_in_suite(spec, use, settings, data) for use in suites] or [
            msgspec.structs.replace(
                spec, label=spec.label or spec.name, settings=msgspec.convert(settings, JudgeSettings)
            )
        ]
        for variant in variants:
            same = next((other for other in specs if _same(variant, other)), None)
            if same is not None:
                hint = "give it a label or other settings; trials repeat a judge"
                fail(data, path, f"is {same.place} again", hint)
            specs.append(variant)
    return tuple(specs)


def _judge(
    data: LocatedData, path: str, item: str | JudgeTable, rubrics: tuple[str, ...], *, needs_strategy: bool
) -> JudgeSpec:
    """One judge as the file has it, before its settings are put together."""
    table = JudgeTable(judge=item) if isinstance(item, str) else item
    strategy, model = table.strategy or "", table.model or ""
    if table.judge is not None:
        for key in ("strategy", "model"):
            if getattr(table, key) is not None:
                fail(data, f"{path}.{key}", "is said twice, here and in 'judge'")
        place = path if isinstance(item, str) else f"{path}.judge"
        strategy, model = _split(data, place, table.judge, needs_strategy=needs_strategy)
    for key, value in (("model", model), ("strategy", strategy)):
        if not value and (key == "model" or needs_strategy):
            fail(data, path, f"has no {key!r}")
    if table.rubric is not None and table.rubrics is not None:
        fail(data, f"{path}.rubrics", "is the same as 'rubric'; give one of them")
    modes = MODES if table.modes is None else _listed(table.modes)
    return JudgeSpec(
        strategy=strategy,
        model=model,
        label=table.label,
        rubrics=_texts(table.rubrics if table.rubric is None else table.rubric) or rubrics,
        modes=tuple(mode for mode in MODES if mode in modes),
        place=path,
    )


def _split(data: LocatedData, place: str, name: str, *, needs_strategy: bool) -> tuple[str, str]:
    """Strategy and model of a judge; a model alone if a suite brings the strategy."""
    if name in MODEL_FREE:
        hint = f"`assay judge`, `assay compare` and `assay rank` take --judge {name}"
        fail(data, place, f"is {name!r}, which asks no model; an experiment runs judges that do", hint)
    if "@" not in name and not needs_strategy:
        return "", name
    try:
        return split_judge(name)
    except UsageError as error:
        raise InputError(f"{place}: {error}", where=data.where(place)) from error


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
    if rules and sum("pair" in spec.modes for spec in judges) < 2:
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
