"""``assay compare --format html``."""

from __future__ import annotations


def test_a_comparison_as_a_page(assay, tmp_path):
    for name, text in (("a", "# A\n\nThe ferry carried 41,300.\n"), ("b", "# B\n\nBoats are slow.\n")):
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    for judge in ("rules", "quote@scripted/random"):
        page = assay(
            "compare", tmp_path / "a.md", tmp_path / "b.md", "--judge", judge, "--rubric", "overall", "--ledger", "none",
            "--format", "html",
        ) if judge != "rules" else assay("compare", tmp_path / "a.md", tmp_path / "b.md", "--format", "html")  # fmt: skip
        assert page.stdout.startswith("<!doctype html>")
        assert page.stdout.count('class="side-text"') == 2
