"""Writing rubrics and tasks in our own formats: one rubric as YAML or JSON, many tasks as JSON Lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import InputError, UsageError
from assay.rubrics.loaders.task_rows import dump_task
from assay.rubrics.rubric import Rubric
from assay.rubrics.rubric_file import dump_rubric
from assay.rubrics.tasks import RubricSet

_LINES: Final = (".jsonl", ".ndjson")
_WHOLE: Final = (".yaml", ".yml", ".json")
# Plain text that a YAML reader, ours or another, may take for something else.
_QUOTED: Final = re.compile(r"[-+.\d~]|(?:true|false|null|yes|no|on|off|y|n)$", re.IGNORECASE)


def write_rubrics(tasks: RubricSet, path: Path) -> str:
    """Write a set: as JSON Lines, or, where it is one rubric, as YAML or JSON by the file's ending.

    Returns:
        What was written, in words.

    Raises:
        UsageError: The ending is unknown, or one file is to hold several rubrics.
        InputError: It cannot be written.
    """
    name = path.name.lower()
    if name.endswith(_LINES):
        text = "".join(msgspec.json.encode(dump_task(task)).decode() + "\n" for task in tasks.tasks.values())
        what = f"{len(tasks.tasks)} task{'s' if len(tasks.tasks) > 1 else ''}"
    elif name.endswith(_WHOLE):
        only = tasks.only
        if only is None:
            raise UsageError(
                f"{path} would hold one rubric, and there are {len(tasks.tasks)}",
                hint="name a .jsonl file, or one task",
                cli_hint="name a .jsonl file, or one task with --task",
            )
        what = f"one rubric of {len(only.rubric.criteria)} criteria"
        if name.endswith(".json"):
            text = (
                msgspec.json.format(msgspec.json.encode(dump_rubric(only.rubric)), indent=2).decode() + "\n"
            )
        else:
            text = rubric_yaml(only.rubric)
    else:
        raise UsageError(
            f"{path} must end in one of {', '.join((*_LINES, *_WHOLE))}, which selects the format"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
    return what


def rubric_yaml(rubric: Rubric) -> str:
    """Return a rubric as YAML that `assay.located` reads back to an equal one."""
    import yaml  # noqa: PLC0415 - only where a file is written

    class Dumper(yaml.SafeDumper):
        """A YAML dumper without anchors that quotes every text which could be read as something else."""

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the base class's signature
            return True

    def text(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
        return dumper.represent_scalar(
            "tag:yaml.org,2002:str", data, style='"' if _QUOTED.match(data) else None
        )

    Dumper.add_representer(str, text)
    out: str = yaml.dump(dump_rubric(rubric), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=110)
    return out
