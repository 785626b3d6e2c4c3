"""Sets of tasks in ``assay rubrics``: how they are shown, and the commands ``convert`` and ``strip-examples``."""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from assay.cli.arguments import Arguments, argument, option
from assay.cli.commands import command
from assay.cli.options import columns_for
from assay.cli.outputs import ANY_FILE, OutputPath
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.located import LocatedData
    from assay.present.display import Painter
    from assay.rubrics.lint import RubricFinding
    from assay.rubrics.rubric import Rubric
    from assay.rubrics.tasks import RubricSet, RubricTask

_MOST_TASKS: Final = 30
_WHOLE: Final = (".yaml", ".yml", ".json")


@dataclasses.dataclass(frozen=True)
class OpenedRubric:
    """A rubric with its source, which knows the lines; or a set of tasks with the location of each."""

    rubric: Rubric | None
    source: LocatedData | None
    tasks: RubricSet
    places: dict[str, str]


def open_rubrics(name: str, task: str | None = None) -> OpenedRubric:
    """Return the rubric or the set of tasks that a name on the command line stands for.

    Args:
        name: A built-in rubric, a file, a folder or a dataset.
        task: The id of one task.

    Raises:
        UsageError: The rubric or the task does not exist.
        InputError: The file holds no rubric.
    """
    from assay.rubrics.loader import read_rubric
    from assay.rubrics.loaders.registry import read_rubric_set
    from assay.rubrics.tasks import RubricSet
    from assay.runs.rubric_lookup import INSTANCE

    if name == INSTANCE:
        raise UsageError(
            f"{name} is written by a model for each pair, from the eight"
            " dimensions of `assay rubrics show reportlogic`; `assay rubrics for-pair` writes one"
        )
    found, places = read_rubric_set(name)
    if task is not None:
        wanted = found.find(task)
        if wanted is None:
            raise UsageError(f"{name} has no task {task!r}; {found.nearest(task)}")
        found = RubricSet(found.name, {wanted.id: wanted})
    only = found.only
    if only is None or only.query or (task is None and not _one_rubric(name, places)):
        return OpenedRubric(None, None, found, places)
    try:
        rubric, source = read_rubric(name)
    except (InputError, UsageError):
        # A rubric in another tool's format has no line numbers.
        return OpenedRubric(only.rubric, None, found, places)
    return OpenedRubric(rubric, source, found, places)


def _one_rubric(name: str, places: dict[str, str]) -> bool:
    return name in places or name.lower().endswith(_WHOLE) or list(places.values()) == [name]


def linted(path: str) -> tuple[list[tuple[RubricTask | None, str, RubricFinding]], str]:
    """Return findings about a rubric or each task of a set, with their locations, and a phrase that says what was checked."""
    from assay.rubrics.lint import lint, lint_source

    opened = open_rubrics(path)
    if opened.rubric is not None:
        found = lint_source(opened.rubric, opened.source) if opened.source else lint(opened.rubric)
        return [(None, f"{path}:{item.line}" if item.line else path, item) for item in found], ""
    rows: list[tuple[RubricTask | None, str, RubricFinding]] = [
        (task, opened.places.get(key, path), finding)
        for key, task in opened.tasks.tasks.items()
        for finding in lint(task.rubric)
    ]
    count = sum(len(task.rubric.criteria) for task in opened.tasks.tasks.values())
    return rows, f"{_number(len(opened.tasks.tasks), 'task')}, {_number(count, 'criterion', 'criteria')}: "


def set_data(tasks: RubricSet) -> dict[str, Any]:
    """Return a set as data: a summary of each task, and counts."""
    import msgspec

    return {
        "schema": "assay.rubric-set/1",
        "name": tasks.name,
        "version": tasks.version,
        "criteria": sum(len(task.rubric.criteria) for task in tasks.tasks.values()),
        "tasks": [
            {
                "id": task.id,
                "domain": task.domain,
                "complexity": msgspec.structs.asdict(task.complexity),
                "criteria": len(task.rubric.criteria),
                "query": task.query,
            }
            for task in tasks.tasks.values()
        ],
        "counts": {title.lower().replace(" ", "_"): rows for title, rows in _counts(tasks).items()},
    }


def _counts(tasks: RubricSet) -> dict[str, dict[str, int]]:
    """Count criteria by axis and weight, and tasks by domain and complexity, in their natural order."""
    from assay.rubrics.tasks import LEVELS
    from assay.rubrics.weighted import AXES, axis_of, axis_title, importance

    criteria = [item for task in tasks.tasks.values() for item in task.rubric.criteria]
    axes = _ordered((axis_title(axis_of(item)) for item in criteria), AXES.values())
    # Shares and points do not fit the scale of six levels.
    whole = all(1 <= abs(item.weight) <= 5 for item in criteria)
    order = (
        "critically important",
        "important",
        "slightly important",
        "slightly detrimental",
        "detrimental",
        "critically detrimental",
    )
    found = {"By axis": axes}
    if whole and any(item.weight != 1 for item in criteria):
        found["By weight"] = _ordered((importance(item.weight) for item in criteria), order)
    found["By domain"] = _ordered((task.domain for task in tasks.tasks.values()), ())
    for name, levels in LEVELS.items():
        rows = (getattr(task.complexity, name) for task in tasks.tasks.values())
        found[f"By {name.replace('_', ' ')}"] = _ordered(rows, levels)
    return {title: rows for title, rows in found.items() if set(rows) - {""}}


def _ordered(values: Iterable[str], order: Iterable[str]) -> dict[str, int]:
    """Count values: known ones in the given order, others by frequency, the empty one last."""
    counted = Counter(values)
    known = [name for name in order if counted[name]]
    others = [name for name, _ in counted.most_common() if name and name not in known]
    return {name: counted[name] for name in (*known, *others, *([""] if counted[""] else []))}


def set_text(tasks: RubricSet, paint: Painter) -> list[str]:
    """Return a set as lines of text."""
    from assay.present.display import bar, fit, pad, visible, width
    from assay.rubrics.weighted import is_mandatory

    criteria = [item for task in tasks.tasks.values() for item in task.rubric.criteria]
    mandatory, negative = sum(map(is_mandatory, criteria)), sum(item.weight < 0 for item in criteria)
    noted = [f"{mandatory} mandatory"] * (mandatory > 0) + [f"{negative} negative"] * (negative > 0)
    totals = f"{_number(len(tasks.tasks), 'task')}, {_number(len(criteria), 'criterion', 'criteria')}"
    totals += f" ({', '.join(noted)})" if noted else ""
    lines = [f"{paint(visible(tasks.name), 'bold')}  {totals}", f"{paint('Version', 'dim')}  {tasks.version}"]
    counts = _counts(tasks)
    wide = min(32, max((width(name) for rows in counts.values() for name in rows), default=0))
    for title, rows in counts.items():
        lines += ["", paint(title, "bold")]
        total = sum(rows.values())
        for name, count in rows.items():
            shown = pad(fit(visible(name or "(none)"), wide), wide)
            lines.append(f"  {shown}  {count:5d}  {bar(count / total, 24)}")
    lines += ["", paint("Tasks", "bold")]
    ids = min(28, max(width(visible(key)) for key in tasks.tasks))
    for task in list(tasks.tasks.values())[:_MOST_TASKS]:
        count = len(task.rubric.criteria)
        head = f"  {pad(fit(visible(task.id), ids), ids)}  {paint(f'{count:3d}', 'dim')}  "
        asked = visible(" ".join(task.query.split())) or "(any question)"
        lines.append(head + fit(asked, columns_for(sys.stdout) - ids - 9))
    if len(tasks.tasks) > _MOST_TASKS:
        lines.append(paint(f"  … and {len(tasks.tasks) - _MOST_TASKS} more; --task ID shows one", "dim"))
    return lines


def task_lines(task: RubricTask, paint: Painter) -> list[str]:
    """Return the lines about a task that stand above its rubric."""
    import msgspec

    levels = msgspec.structs.asdict(task.complexity)
    rows = [
        ("Task", task.id),
        ("Asked", " ".join(task.query.split()) if task.query else "any question"),
        ("Domain", task.domain),
        (
            "Complex",
            ", ".join(f"{name.replace('_', ' ')} {level}" for name, level in levels.items() if level),
        ),
    ]
    return [*labelled(rows, paint), ""]


def labelled(rows: Iterable[tuple[str, str]], paint: Painter) -> list[str]:
    """Return labelled values, wrapped to the terminal's width; rows without a value are left out."""
    from assay.present.wrapping import wrapped

    lines: list[str] = []
    for label, value in rows:
        if value:
            first, *rest = wrapped(value, columns_for(sys.stdout), " " * 10)
            lines += [f"{paint(label.ljust(8), 'dim')}  {first.lstrip()}", *rest]
    return lines


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


class RubricFileArguments(Arguments):
    """A rubric or set of tasks to read, and the file to write."""

    source: str = argument("IN", type=ANY_FILE)
    output: Path = option(
        "File to write: .jsonl, .yaml or .json.",
        "FILE",
        flags="-o --output",
        type=OutputPath(kind=Path),
        required=True,
    )
    task: str | None = option("Only this task.", "ID")


@command(RubricFileArguments)
def convert(args: RubricFileArguments) -> None:
    """Write rubrics of other tools in Assay's format: tasks as .jsonl, or one rubric as .yaml or .json.

    IN is a file or a folder in any format that Assay reads, the name of a built-in rubric, or hf:owner/name[:split].
    """
    from assay.rubrics.rubric_writer import write_rubrics

    report_written(args.output, write_rubrics(open_rubrics(args.source, args.task).tasks, args.output))


def report_written(output: Path, what: str, more: str = "") -> None:
    """Say what was written, and where."""
    from assay.present.display import visible

    click.echo(f"{visible(str(output))}: {what}{more}")
