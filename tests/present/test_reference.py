"""The page of all checks is current, complete and safe to render."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.checks.registry import all_checks
from assay.present.reference import main, reference_page

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"


@pytest.fixture(scope="module")
def page() -> str:
    return reference_page()


def test_committed_page_is_current(page: str) -> None:
    assert PAGE.read_text("utf-8") == page, "run: python -m assay.present.reference docs/checks.md"


def test_every_check_has_a_row_and_a_section_to_jump_to(page: str) -> None:
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line[4:].lower()).replace(" ", "-")
        for line in page.splitlines()
        if line.startswith("### ")
    }
    for check in all_checks().values():
        if check.run.__module__.startswith("assay.checks."):
            anchor = f"{check.code.lower()}-{check.name}"
            assert f"[{check.code}](#{anchor})" in page
            assert anchor in headings


def test_examples_cannot_hide_anything_or_leave_their_fence(page: str) -> None:
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


def test_writes_where_told(tmp_path: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "checks.md")]) == 0
    assert (tmp_path / "checks.md").read_text("utf-8") == page
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
