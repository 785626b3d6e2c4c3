"""The format of experiment files: structs that decode them, and the JSON schema generated from these structs."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from assay.decoding import FieldError
from assay.judges.ensemble import Rule
from assay.judges.settings import JudgeSettings
from assay.models.settings import ModelSettings
from assay.runs.budget import Budget
from assay.runs.experiment import On, Problems
from assay.schemas import json_schema
from assay.subjects.case import Mode

Count: TypeAlias = Annotated[int, Meta(ge=1)]
# A judge with a model, one without, or an ensemble.
_JUDGE: Final = r"[@/].+$|^(rules|length|random)$|^(majority|consensus)\(.*\)$"
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


class SettingsTable(JudgeSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of judges in experiment files."""


class JudgeTable(SettingsTable, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge: a model, STRATEGY@MODEL or PROMPT@MODEL under "judge", or strategy and model apart, with any settings of its own.

    Attributes:
        judge: STRATEGY@MODEL, a prompt file with a model (./strict.jinja@openai/gpt-5-mini), a model alone, rules, length,
            random, or an ensemble: majority(A B C).
        ensemble: Rule by which the judges of an ensemble are combined.
        judges: The judges of an ensemble.
        strategy: Prompting strategy, or a prompt file; "direct", or the suite's, by default.
        model: PROVIDER/NAME.
        rubric: The same as rubrics.
        rubrics: Names or files of the rubrics it judges by; the experiment's by default.
        name: Its name in results.
        label: The same as name.
        modes: What it is used for; everything by default.
    """

    judge: Text | None = None
    ensemble: Rule | None = None
    judges: Annotated[list[Text], Meta(min_length=2)] | None = None
    strategy: Text | None = None
    model: Text | None = None
    rubric: Texts | None = None
    rubrics: Texts | None = None
    name: Text = ""
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
            raise FieldError("systems", "cannot be combined with subjects that are named one by one")


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
            raise FieldError("systems", "cannot be combined with subjects that are named one by one")


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
        judges: Models, STRATEGY@MODEL or PROMPT@MODEL, or tables with settings; several make a list.
        name: Name of the runs; the file's name by default.
        rubric: The same as rubrics.
        rubrics: Names or files; each is used by every judge that names none of its own.
        score: Whether subjects are scored singly; by default only if nothing is compared or ranked.
        compare: Pairs to compare: those that share a query or an id, or named ones.
        rank: Sets to rank: those that share a query or an id, or named ones.
        query: Question for subjects that carry none; @FILE reads it from a file.
        reference: JSONL file with id and reference, folder of texts named by id, or one text for all subjects.
        repetitions: Number of repetitions of each judgment.
        early_stop: Whether repetitions of comparisons end once their majority is settled.
        settings: Settings of every judge that does not set them itself.
        suite: The same as suites.
        suites: Suites whose judges these are.
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
    repetitions: Count = 1
    early_stop: bool = False
    settings: SettingsTable = SettingsTable()
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


def experiment_schema() -> dict[str, Any]:
    """Return the JSON schema of experiment files."""
    schema = json_schema(
        ExperimentFile, schema_id="urn:assay:experiment:1", title="Assay experiment, version 1"
    )
    # Keys of model settings may be written with underscores or hyphens.
    fields = schema["$defs"]["ModelSettings"]["properties"]
    fields.update({key.replace("-", "_"): field for key, field in fields.items()})
    # Files written before the key was renamed are still valid.
    for table in (schema, schema["$defs"]["JudgeTable"], schema["$defs"]["SettingsTable"]):
        older = {"description": "Earlier name of repetitions.", "deprecated": True}
        table["properties"]["trials"] = {**table["properties"]["repetitions"], **older}
        table["not"] = {"required": ["repetitions", "trials"]}
    judge = {
        "anyOf": [
            {"type": "string", "pattern": _JUDGE},
            {"type": "object", "required": ["judge"], "properties": {"judge": {"pattern": _JUDGE}}},
            {"type": "object", "required": ["model"]},
            {"type": "object", "required": ["ensemble", "judges"]},
        ]
    }
    named = {"anyOf": [*judge["anyOf"], {"type": "array", "items": judge}]}
    schema["allOf"] = [{"properties": {"judges": named}}]
    return schema
