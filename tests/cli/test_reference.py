"""The page of commands."""

from pathlib import Path

from assay.cli.command_table import COMMANDS, walk
from assay.cli.reference import reference_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "commands.md"


def test_the_page_is_that_of_the_commands():
    assert PAGE.read_text("utf-8") == reference_page(), (
        "run: python -m assay.cli.reference docs/reference/commands.md"
    )


def test_it_has_every_command_with_groups_and_defaults():
    page = reference_page()
    for path, _ in walk(COMMANDS):
        assert f"\n### assay {path}\n" in page
        assert f"(#assay-{path.replace(' ', '-')})" in page
    judge = page.split("\n### assay judge\n")[1].split("\n### ")[0]
    assert "| **Judge and model** | | |" in judge
    assert "| `--repetitions N` | Judge this many times, each with another seed. | 1 |" in judge
    assert "| 2048 |" in judge.split("| **Advanced** | | |")[1]
    assert "`assay gate` | `assay bench gate`" in page
