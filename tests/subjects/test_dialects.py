"""The table of dialects in the documentation, row by row."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.subjects.report import Report

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "citations.md"


def rows() -> list[list[str]]:
    out = []
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("| ") and "``" in line:
            cells = [cell.strip() for cell in line.replace("\\|", "\0").strip("|").split("|")]
            out.append([cell.strip("`").replace("\0", "|") for cell in cells])
    return out


@pytest.mark.parametrize(("name", "text", "listed", "wanted"), rows(), ids=lambda value: value[:30])
def test_dialect(name: str, text: str, listed: str, wanted: str):
    entries = "\n".join(line.strip(" ") for line in listed.split("⏎"))
    source = f"# Title\n\n{text}\n" + (f"\n## References\n\n{entries}\n" if listed else "")
    report = Report(source)
    marks, _, bound = wanted.partition(" → ")
    assert " · ".join(" ".join((c.form, *c.keys)) for c in report.citations) == marks
    assert sum(None not in c.references for c in report.citations) == int(bound or 0)
    if listed:
        assert all(ref.url or "年" in entries or "20" in entries for ref in report.references)


def test_the_table_has_all_rows():
    assert len(rows()) >= 20


@pytest.mark.parametrize(
    "text",
    [
        "The share lies in [0, 1], and a[1] is the first. Buf[2] = x[3].",
        "- [x] done\n- [ ] open",
        "It covers 3 km², 5 m³ and 10⁵ cells.",
        "磷酸盐包括正磷酸盐(PO₄³⁻)和焦磷酸盐(P₂O₇⁴⁻)、Ca²⁺。\n\n1. 一\n2. 二\n3. 三\n4. 四",
        "The film opened later (May 2021). It ended (as of 2023).",
        "Step 1. Do it. Then step 2, and see Section 3.",
    ],
)
def test_no_citations(text: str):
    listed = "".join(f"{i}. Survey {i}, accessed May 20, 2025, https://a.example/{i}\n" for i in range(4, 8))
    assert not [c for c in Report(f"{text}\n\n## Sources\n\n{listed}").citations if None not in c.references]


def test_words_of_links_that_name_a_source_are_no_prose():
    report = Report(
        "It grew ([A long title](https://a.example/1); [b](https://b.example)). Fine. [host](https://c.example)\n"
    )
    assert report.plain.split() == ["It", "grew", ".", "Fine."]
    assert Report("The [survey](https://a.example/1) says so.").plain.split() == [
        "The",
        "survey",
        "says",
        "so.",
    ]


def test_marks_without_a_list_are_one_group():
    report = Report(
        "A citeturn0search1. B citeturn0search2. C citeturn1view0. D citeturn2search0turn0search1."
    )
    (group,) = report.unread_marks
    assert (group.kind, group.count) == ("list_missing", 4)
    assert report.citations_readable


def test_unknown_marks_make_citations_unreadable():
    report = Report("A \\cite{smith}. B \\cite{li2020}. C \\cite{wu}. D \\cite{smith,wu}.")
    assert [group.kind for group in report.unread_marks] == ["unknown"]
    assert not report.citations_readable


def test_each_chapter_has_its_list():
    chapter = "## {0}\n\nIt grew [1]. It fell [2].\n\n### References\n\n[1] {0} one. https://a.example/{0}1\n[2] {0} two. https://a.example/{0}2\n\n"
    report = Report("# T\n\n" + chapter.format("A") + chapter.format("B"))
    assert [len(entries) for entries in report.reference_lists] == [2, 2]
    assert [c.references for c in report.citations] == [(0,), (1,), (2,), (3,)]


def test_bold_lines_that_are_headings():
    report = Report(
        "# T\n\n## 2. Body\n\nText.\n\n**3. Discussion**\n\nText.\n\n**4. End**\n\nText [1].\n\n**References**\n\n[1] A. https://a.example/1\n\n"
    )
    assert [s.title for s in report.sections[1:]] == ["T", "2. Body", "3. Discussion", "4. End", "References"]
    assert [s.level for s in report.sections[1:]] == [1, 2, 2, 2, 2]
    assert len(report.references) == 1
    assert [s.title for s in Report("# T\n\nText.\n\n**This is emphasised**\n\nText.").sections[1:]] == ["T"]


def test_definitions_of_images_are_neither_entries_nor_prose():
    images = "".join(f"![][image{i}] and {i} more.\n\n" for i in range(1, 6))
    definitions = "".join(f"[image{i}]: <data:image/png;base64,iVBORw0KGgo>\n\n" for i in range(1, 6))
    report = Report(f"# T\n\n{images}\n## References\n\n[1] A. https://a.example/1\n\n{definitions}")
    assert not report.unread_marks
    assert [ref.key for ref in report.references] == ["1"]
    assert all(block.kind == "reference" for block in report.blocks[-5:])
