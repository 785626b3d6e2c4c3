"""The page of public names is current and names all of them."""

from __future__ import annotations

from pathlib import Path

import assay
from assay.present.python_reference import main, python_page

PAGE = Path(__file__).parents[2] / "docs/reference/python.md"


def test_committed_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == python_page(), "run: make docs"


def test_every_public_name_has_an_entry_with_words() -> None:
    text = PAGE.read_text("utf-8")
    for name in assay.__all__:
        if not name.startswith("__"):
            assert f"\n### {name}\n" in text
            entry = text.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
            assert len(entry.strip()) > 20, name


def test_signatures_show_types_and_defaults() -> None:
    page = python_page()
    assert "query: str | None = None" in page
    assert "on_error: Literal['raise', 'keep'] = 'raise'" in page


def test_writes_where_told(tmp_path: Path, capsys) -> None:
    assert main([str(tmp_path / "python.md")]) == 0
    assert (tmp_path / "python.md").read_text("utf-8") == python_page()
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
