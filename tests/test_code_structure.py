"""What holds the source together: one name one class, no private doors between packages, functions that fit on a page."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "assay"

# Class names that stand in more than one file, each with its reason.
SHARED_CLASSES: dict[str, str] = {}
# Files of one name in sibling folders: they do the same job for their folder.
SHARED_FILES = {"__init__.py", "base.py", "registry.py"}
LONGEST_FUNCTION = 80
LONGEST_FILE = 425
# Longer files, each with its reason.
LONG_FILES = {
    "interventions/process/constraint_drop.py": "one operator, three kinds of constraints in two languages",
    "meta/agreement.py": "one computation in four steps that share their tables",
    "rubrics/rubric_file.py": "one format with its short forms",
}
LONGEST_LINE = 120


@cache
def modules() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py"))}


def nodes(*kinds: type[ast.AST]) -> Iterator[tuple[Path, ast.AST]]:
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, kinds):
                yield path, node


def test_one_class_name_stands_for_one_class() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for path, node in nodes(ast.ClassDef):
        assert isinstance(node, ast.ClassDef)
        places[node.name].add(str(path.relative_to(SOURCE)))
    twice = {
        name: sorted(files) for name, files in places.items() if len(files) > 1 and name not in SHARED_CLASSES
    }
    assert not twice
    assert len(SHARED_CLASSES) <= 15
    assert not [name for name in SHARED_CLASSES if len(places[name]) < 2], "no longer shared"


def test_no_package_imports_the_private_module_of_another() -> None:
    wrong = []
    for path, node in nodes(ast.ImportFrom):
        assert isinstance(node, ast.ImportFrom)
        parts = (node.module or "").split(".")
        private = next(
            (
                i
                for i, part in enumerate(parts)
                if part.startswith("_") and part not in {"_version", "__future__"}
            ),
            None,
        )
        if parts[0] == "assay" and private is not None:
            owner = SOURCE.joinpath(*parts[1:private])
            if not path.is_relative_to(owner):
                wrong.append(f"{path.relative_to(SOURCE)} imports {node.module}")
    assert not wrong


def test_functions_fit_on_a_page() -> None:
    long = [
        f"{path.relative_to(SOURCE)}: {node.name} has {length} lines"
        for path, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert not long


def test_files_keep_to_one_purpose() -> None:
    long = {
        str(path.relative_to(SOURCE)): lines
        for path in modules()
        if (lines := path.read_text("utf-8").count("\n")) > LONGEST_FILE
        and str(path.relative_to(SOURCE)) not in LONG_FILES
    }
    assert not long


def test_no_line_is_wider_than_a_screen() -> None:
    # Sample texts of checks and messages may be longer; a pattern or a word list may not: it is composed of named parts.
    wide = [
        f"{path.relative_to(SOURCE)}:{number}"
        for path in modules()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE and (line.count("|") > 4 or line.count(",") > 15 or "re.compile" in line)
    ]
    assert not wide


def test_only_packages_list_what_they_export() -> None:
    plain = [
        path
        for path in modules()
        if path.name != "__init__.py" and re.search(r"^__all__", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert not plain
