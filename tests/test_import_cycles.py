"""No room has an import cycle, imports for type checkers and inside functions included."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent
ROOMS = sorted(path.name for path in ROOT.iterdir() if (path / "__init__.py").exists())

# The classmethods `read` open files in any format, and the loaders make reports and trajectories.
ALLOWED = {
    ("assay.subjects.report", "assay.subjects.reading"),
    ("assay.subjects.trajectory", "assay.subjects.reading"),
    ("assay.subjects.trajectory", "assay.subjects.loaders.canonical"),
    ("assay.rubrics.rubric", "assay.rubrics.rubric_file"),
    ("assay.rubrics.rubric", "assay.rubrics.loader"),
    ("assay.rubrics.rubric", "assay.rubrics.lint"),
}


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("assay", *parts)).removesuffix(".__init__")


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_no_import_cycle(room):
    modules = {name_of(path): path for path in (ROOT / room).rglob("*.py")}
    graph = {
        name: {
            other
            for other in imports_of(path)
            if other in modules and other != name and (name, other) not in ALLOWED
        }
        for name, path in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))
