"""The pages of all checks are current, complete and safe to render."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.checks.registry import all_checks
from assay.present.reference import main, reference_pages

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return reference_pages()


def test_committed_pages_are_current(pages: dict[str, str]) -> None:
    for name, page in pages.items():
        assert (DOCS / name).read_text("utf-8") == page, "run: make docs"
    assert {path.name for path in (DOCS / "reference/checks").iterdir()} == {
        Path(name).name for name in pages if "/" in name
    }


def test_every_check_has_a_row_and_a_section_to_jump_to(pages: dict[str, str]) -> None:
    for check in all_checks().values():
        if check.run.__module__.startswith("assay.checks."):
            place = f"reference/checks/{check.code[:3]}.md"
            assert f"[{check.code}]({place}#{check.code.lower()}-{check.name})" in pages["checks.md"]
            assert f"\n## {check.code} {check.name}\n" in pages[place]


def test_examples_cannot_hide_anything_or_leave_their_fence(pages: dict[str, str]) -> None:
    for page in pages.values():
        assert not re.search(
            "[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f\x00-\x09\x0b-\x1f]", page
        )
        fence: str | None = None
        for line in page.splitlines():
            mark = re.match(r"`{3,}", line)
            if mark and fence is None:
                fence = mark.group()
            elif line == fence:
                fence = None
        assert fence is None


def test_writes_where_told(tmp_path: Path, pages: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / "checks.md").read_text("utf-8") == pages["checks.md"]
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
