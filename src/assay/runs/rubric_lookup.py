"""Rubrics by name or by file: one for all cases, one for each task, or one that is written for each instance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from assay.errors import InputError, UsageError
from assay.judges.task_rubrics import TaskRubrics
from assay.rubrics.loader import ALIASES, is_file_name, load_rubric, rubric_names
from assay.rubrics.rubric import Rubric
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.judges.rubric_source import RubricSource

INSTANCE: Final = "reportlogic-instance"
_ROWS: Final = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_HUB: Final = "hf:"


class GeneratedRubric(msgspec.Struct, frozen=True):
    """A rubric that a model writes for each judgment; the session knows the model."""

    name: str


AnyRubric: TypeAlias = "Rubric | RubricSource | GeneratedRubric"


def find_rubric(name_or_path: str | Path) -> AnyRubric:
    """Return a built-in rubric, the rubric or rubrics of a file or dataset, or one that is written for each instance.

    Raises:
        UsageError: There is none of that name.
        InputError: The file holds none; the message names the place.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, str) and is_rubric_name(name):
        return GeneratedRubric(name) if name == INSTANCE else load_rubric(name)
    if name.startswith(_HUB) or Path(name).is_dir() or name.lower().endswith(_ROWS):
        return _many(name)
    if isinstance(name_or_path, str) and not is_file_name(name):
        raise UsageError(
            f"no rubric is called {name!r}; {did_you_mean(name, (*rubric_names(), *ALIASES, INSTANCE))}"
            " (a file is named with its ending: .yaml, .json, .jsonl)"
        )
    return _whole(Path(name))


def is_rubric_name(name: str) -> bool:
    """Return whether this is the name of a rubric and not of a file."""
    return name in (*rubric_names(), *ALIASES, INSTANCE)


def _whole(path: Path) -> AnyRubric:
    """Return the rubric of a YAML or JSON file: in our format, as a list in other tools' fields, or by task."""
    from assay.rubrics.loaders.registry import load_rubric_set  # noqa: PLC0415

    try:
        return load_rubric(path)
    except InputError:
        # This also reports what is wrong with a rubric in our format.
        rubrics = load_rubric_set(path)
    only = rubrics.only
    return TaskRubrics(rubrics) if only is None or only.query else only.rubric


def _many(name: str) -> RubricSource:
    """Return the source behind a file or folder of rubrics: of tasks, or of pairs."""
    from assay.judges.instance_rubrics import InstanceRubrics, holds_instances  # noqa: PLC0415
    from assay.rubrics.loaders.registry import load_rubric_set  # noqa: PLC0415

    if not name.startswith(_HUB) and holds_instances(Path(name)):
        return InstanceRubrics.read(Path(name))
    return TaskRubrics(load_rubric_set(name))
