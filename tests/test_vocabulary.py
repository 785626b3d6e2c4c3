"""Retired words stay retired: in names, help, messages, docstrings, comments and documents (docs/glossary.md)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

from assay.cli.command_table import COMMANDS, walk
from assay.cli.commands import load_command
from assay.cli.main import root

REPOSITORY = Path(__file__).parents[1]
SOURCES = sorted((REPOSITORY / "src").rglob("*.py"))
# The glossary lists retired words, and contracts keep the names of their fields.
PAGES = [
    path
    for path in sorted(REPOSITORY.glob("docs/**/*.md"))
    if path.name not in ("glossary.md", "contracts.md")
]
PAGES += [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "examples/README.md")]

# Words with one current name each.
RETIRED = re.compile(
    r"\b(?:yardsticks?|witness(?:es)?|whoever|bouts?|entrants?|contests?|giveaways?|spare_inputs"
    r"|human ceiling|put(?:s|ting)? to a judge|so many at most|where there (?:is|are) none|is no whole)\b",
    re.IGNORECASE,
)
# "A is no B" for "A is not a B"; "there is no B", "is no longer" and "is no more than" are English.
NO_NOUN = re.compile(
    r"(?<!there )(?<!There )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|better\b|worse\b|larger\b|higher\b|smaller\b|later\b|one\b)[a-z]+"
)
# Retired words that a contract or a prompt keeps: names of fields, and English prompts, which are part of judges' versions.
KEPT = {
    "src/assay/interventions/manifest.py": "giveaways",
    "src/assay/suites/concordance.py": "yardstick",
    "src/assay/interventions/attacks/prompt_injection.py": "whoever",
}
# Participles and dialect that once stood as names of things.
RETIRED_NAMES = {
    *("yardstick", "yardsticks", "witness", "witnesses", "whoever", "bout", "bouts", "entrant", "entrants"),
    *("contest", "contests", "giveaway", "giveaways", "hearing", "heard", "ceiling", "opinion", "opinions"),
    *("putting", "door", "boarding", "carding"),
}


def names_of(path: Path) -> set[str]:
    names = set(path.relative_to(REPOSITORY / "src" / "assay").with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    return {name for name in names if not name.startswith("__")}


def words_of(name: str) -> list[str]:
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name.replace("_", " "))


def test_no_name_is_made_of_retired_words() -> None:
    wrong = {
        f"{path.relative_to(REPOSITORY)}: {name}"
        for path in SOURCES
        for name in names_of(path)
        if {word.lower() for word in words_of(name)} & RETIRED_NAMES
    }
    assert not wrong


@pytest.mark.parametrize("path", [*SOURCES, *PAGES], ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_texts_keep_to_the_glossary(path: Path) -> None:
    text = path.read_text("utf-8")
    wrong = [f"{text.count(chr(10), 0, m.start()) + 1}: {m.group()}" for m in RETIRED.finditer(text)]
    if path.suffix == ".py":
        tree = ast.parse(text)
        strings = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        wrong += [f"{n.lineno}: {m.group()}" for n in strings for m in NO_NOUN.finditer(n.value)]
    else:
        wrong += [f"{text.count(chr(10), 0, m.start()) + 1}: {m.group()}" for m in NO_NOUN.finditer(text)]
    kept = KEPT.get(str(path.relative_to(REPOSITORY)))
    assert not [found for found in wrong if kept is None or not found.lower().endswith(kept)]


def commands() -> list[tuple[str, click.Command]]:
    below = [(path, load_command(path.rpartition(" ")[2], entry)) for path, entry in walk(COMMANDS)]
    return [("assay", root), *((f"assay {path}", command) for path, command in below)]


@pytest.mark.parametrize(
    ("path", "command"), commands(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_help_keeps_to_the_glossary(path: str, command: click.Command) -> None:
    text = command.get_help(click.Context(command, info_name=path))
    assert not [m.group() for pattern in (RETIRED, NO_NOUN) for m in pattern.finditer(text)]


@pytest.mark.parametrize(
    ("path", "command"), commands(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_help_of_an_option_is_a_phrase_that_stands_alone(path: str, command: click.Command) -> None:
    for parameter in command.params:
        text = getattr(parameter, "help", None)
        if text is None:
            continue
        assert text[0].isupper() or not text[0].isalpha(), f"{path} {parameter.name}: {text}"
        assert text.rstrip().endswith((".", ")", "]", "…")), f"{path} {parameter.name}: {text}"
