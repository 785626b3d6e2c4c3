"""What the documents show is what Assay does: commands, output, snippets, links, and examples in docstrings."""

from __future__ import annotations

import importlib
import os
import re
from functools import cache
from pathlib import Path

import pytest

from contracts_page import contracts_page
from documents import PAGES, REPOSITORY, Block, blocks_of, matches, parse_line, run_examples, run_page

SOURCES = REPOSITORY / "src" / "assay"
EXAMPLE = re.compile(r"^\s*>>> ", re.MULTILINE)
WITH_EXAMPLES = [path for path in sorted(SOURCES.rglob("*.py")) if EXAMPLE.search(path.read_text("utf-8"))]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def name_of(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


@pytest.fixture(autouse=True)
def _clean(monkeypatch, tmp_path) -> None:
    for name in list(os.environ):
        if name.startswith("ASSAY_") or name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_shows_what_happens(page: Path, tmp_path: Path) -> None:
    wrong = run_page(page, tmp_path)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=name_of)
def test_examples_in_docstrings(path: Path) -> None:
    import doctest
    import shutil

    shutil.copytree(REPOSITORY / "examples", "examples")
    module = importlib.import_module(".".join(path.relative_to(SOURCES.parent).with_suffix("").parts))
    found = [test for test in doctest.DocTestFinder(exclude_empty=True).find(module) if test.examples]
    wrong = [
        what for test in found for what in run_examples(test.docstring or "", test.name, dict(test.globs))
    ]
    assert found
    assert not wrong, "\n".join(wrong)


@cache
def anchors_of(page: Path) -> set[str]:
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        found.add(anchor if anchor not in found else f"{anchor}-1")
    return found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "", text)
    wrong = []
    for match in LINK.finditer(text):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors_of(there)):
            wrong.append(target)
    assert not wrong


def test_every_page_is_reached_from_the_readme() -> None:
    reached, waiting = set(), [REPOSITORY / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        for match in LINK.finditer(page.read_text("utf-8")):
            path = (match[1] or match[2]).partition("#")[0]
            if path.endswith(".md") and ":" not in path:
                there = (page.parent / path).resolve()
                waiting += [there] if there.exists() else []
    assert not [name_of(page) for page in PAGES if page not in reached]


def test_the_page_of_contracts_is_current(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs/reference/contracts.md").read_text("utf-8")
    assert contracts_page(tmp_path) == page, "run: make docs"


def test_every_contract_is_on_its_page() -> None:
    page = (REPOSITORY / "docs/reference/contracts.md").read_text("utf-8")
    named = {
        name
        for path in SOURCES.rglob("*.py")
        for name in re.findall(r'"(assay\.[a-z-]+)/\d"', path.read_text("utf-8"))
    }
    assert not {name for name in named if f"{name}/" not in page}


def test_files_that_papers_and_plug_ins_name_exist() -> None:
    wrong = [
        f"{name_of(page)}: {name}"
        for folder in ("explanation/papers", "how-to/extend")
        for page in sorted((REPOSITORY / "docs" / folder).glob("*.md"))
        for name in re.findall(r"`((?:\w+/)+\w+\.(?:py|yaml|jsonl|jinja|toml))`", page.read_text("utf-8"))
        if not any((root / name).exists() for root in (SOURCES, REPOSITORY, SOURCES / "rubrics"))
    ]
    assert not wrong


def test_output_is_compared_line_by_line() -> None:
    assert matches(["one", "…", "four … six"], "one\ntwo\nthree\nfour five six\n")
    assert matches(["one", "…"], "one\n")
    assert not matches(["one"], "one\ntwo\n")
    assert not matches(["o.e"], "one\n")


def test_a_block_gives_its_commands_and_what_they_print() -> None:
    block = Block("console", (), "$ assay audit a.md \\\n    -q  # quietly\nout\n$ ls\n", 1)
    assert block.commands() == [("assay audit a.md -q", ["out"]), ("ls", [])]


def test_a_wrong_option_is_noticed() -> None:
    parse_line("assay audit report.md --fail-on never > out.txt")
    with pytest.raises(AssertionError, match="--fail-of"):
        parse_line("assay audit report.md --fail-of never")


def test_most_commands_are_run() -> None:
    shown = [
        (block.runs, line)
        for page in PAGES
        for block in blocks_of(page)
        if block.language == "console"
        for line, _ in block.commands()
        if line.startswith("assay ")
    ]
    assert sum(runs for runs, _ in shown) >= 100
    assert len(shown) >= 140
