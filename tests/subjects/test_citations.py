"""Citations and reference lists in the forms agents write."""

import pytest

from assay.subjects.references import normalize_url
from assay.subjects.report import Report

ENTRIES = "[1] Survey: https://a.example.org/s\n[2] Study: https://b.example.org/t\n"


def bound(report: Report) -> list[tuple[tuple[str, ...], tuple[int | None, ...]]]:
    return [(c.keys, c.references) for c in report.citations]


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "before",
    [
        "## References\n\n",
        "参考文献：\n",
        "References\n",
        "**Sources:**\n\n",
        "Sources:\n\n",
        "---\n\n",
        "# 六、参考文献\n\n",
        "### Sources (accessed 2024)\n",
    ],
)
def test_list_is_found_under(before: str):
    report = Report("# Title\n\nSales rose [1]. Load fell [2].\n\n" + before + ENTRIES)
    assert [ref.key for ref in report.references] == ["1", "2"]
    assert bound(report) == [(("1",), (0,)), (("2",), (1,))]


def test_list_in_the_middle_and_prose_after_it():
    report = Report(
        "Sales rose [1][2].\n\n" + ENTRIES + "\n---\n\n**Ask for more, and we will go on from here.**\n"
    )
    assert len(report.references) == 2
    assert report.blocks[-1].kind == "paragraph"


def test_prose_below_the_list_is_no_entry():
    report = Report(
        "Sales rose [1].\n\n## References\n\n" + ENTRIES + "\n(All of the pages above are official ones.)\n"
    )
    assert report.text(report.references[-1].span) == "[2] Study: https://b.example.org/t"
    assert report.blocks[-1].kind == "paragraph"


@pytest.mark.parametrize(
    ("entry", "key", "title", "url"),
    [
        ("[1] https://a.example.org/s - Survey of 2023", "1", "Survey of 2023", "https://a.example.org/s"),
        (
            "1. [Survey of 2023](https://a.example.org/s_(x))",
            "1",
            "Survey of 2023",
            "https://a.example.org/s_(x)",
        ),
        (
            "[1] Survey (of 2023):\nhttps://a.example.org/s",
            "1",
            "Survey (of 2023)",
            "https://a.example.org/s",
        ),
        ("[1] (PDF) Survey (https://a.example.org/s).", "1", "PDF) Survey", "https://a.example.org/s"),
        ("【1】调查（2023）：https://a.example.org/s", "1", "调查（2023）", "https://a.example.org/s"),
        ("[^a]: Survey of 2023, https://a.example.org/s", "a", "Survey of 2023", "https://a.example.org/s"),
        ("- [Survey of 2023](https://a.example.org/s)", None, "Survey of 2023", "https://a.example.org/s"),
    ],
)
def test_entry_forms(entry: str, key: str | None, title: str, url: str):
    report = Report(f"Text [1].\n\n## References\n\n{entry}\n")
    (ref,) = report.references
    assert (ref.key, ref.url) == (key, url)
    assert ref.title in (title, "(" + title)


def test_several_entries_on_a_line():
    report = Report(
        "Text [2].\n\n## References\n\n[1] A https://a.example.org [2] B https://b.example.org [3] C https://c.example.org\n"
    )
    assert [(ref.key, ref.url) for ref in report.references] == [
        ("1", "https://a.example.org"),
        ("2", "https://b.example.org"),
        ("3", "https://c.example.org"),
    ]


def test_bracketed_markers_mean_the_bracketed_list():
    report = Report(
        "Text [2].\n\n## 参考文献\n\n1. 《甲》，2020年\n2. 《乙》，2021年\n\n参考文献：\n" + ENTRIES
    )
    assert report.references[report.citations[0].references[0] or 0].url == "https://b.example.org/t"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("https://www.a.example.org/x/", "http://A.example.org/x#part"),
        ("https://a.example.org/x?utm_source=y&id=2", "a.example.org/x?id=2"),
        ("https://a.example.org", "https://a.example.org/"),
    ],
)
def test_same_address(left: str, right: str):
    assert normalize_url(left) == normalize_url(right)


def test_other_address():
    assert normalize_url("https://a.example.org/X") != normalize_url("https://a.example.org/x")
    assert normalize_url("https://a.example.org/x?id=1") != normalize_url("https://a.example.org/x?id=2")


# ── claims ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_claims_of_a_sentence():
    report = Report("Sales rose [1], and load fell [2][1]. Bills too.\n\n## References\n\n" + ENTRIES)
    assert [report.text(c.claim) for c in report.citations] == [
        "Sales rose ",
        "and load fell ",
        "and load fell ",
    ]


def test_claim_in_a_table_is_its_cell():
    table = "| Item | Growth | Source |\n|---|---|---|\n| Sales | 4 % [1] | [2] |\n"
    report = Report(table + "\n## References\n\n" + ENTRIES)
    assert [report.text(c.claim).strip() for c in report.citations] == ["4 %", "Sales | 4 % [1] |"]


def test_ranges_and_intervals():
    report = Report("Text [1-2], 【1】, [1，2]; x in [0, 1].\n\n## References\n\n" + ENTRIES)
    assert [c.keys for c in report.citations] == [("1", "2"), ("1",), ("1", "2")]


# ── author and year ──────────────────────────────────────────────────────────────────────────────────────────────

AUTHORS = """

## References

Ecker, U., & Lewandowsky, S. (2019). Backfire. Journal of Memory.

Pew Research Center. (2021). News media trust.

Smith, A., & Jones, B. (2020a). Corrections that last.

李明 (2019). 电网负荷.
"""


def test_author_years_are_bound():
    text = "Trust fell (Pew Research Center, 2021; see Ecker et al., 2019, p. 12). Smith and Jones (2020a) agree （李明，2019）."
    report = Report(text + AUTHORS)
    assert bound(report) == [
        (("pew 2021", "ecker 2019"), (1, 0)),
        (("smith 2020a",), (2,)),
        (("李明 2019",), (3,)),
    ]
    assert report.text(report.citations[1].claim).startswith("Smith and Jones")


@pytest.mark.parametrize(
    "bracket",
    [
        "(January 2024)", "(Q2 2024)", "(as of June 2023)", "(Nominal JPY, 2024)", "(Iran, 2011)", "(UK/US, 2025)", "(GenAI, 2024)",
        "(See’s Candies acquisition, 1972)", "（截至2023年）", "(founded 1998)", "Adam (2019)", "(2021)", "（华为，2023）",
    ],
)  # fmt: skip
def test_dates_and_titles_are_no_authors(bracket: str):
    report = Report(
        f"Sales rose [1]. Load fell {bracket} [2]. It rose again [1].\n\n## References\n\n" + ENTRIES
    )
    assert [c.form for c in report.citations] == ["numeric"] * 3


def test_et_al_is_certain_without_a_list():
    report = Report("Novelty bonuses help (Burda et al., 2018), as Ma et al. (2023) confirm.\n")
    assert [c.keys for c in report.citations] == [("burda 2018",), ("ma 2023",)]


@pytest.mark.parametrize(
    "unit",
    [
        "(",
        "[1](",
        "(Aa",
        "Aa et al. (2020",
        "[1] a ",
        "](http",
        "（李",
        "(Aa, Bb & Cc, 2020; ",
        "AaBb (2020) ",
    ],
)
def test_linear_on_repeats(unit: str):
    report = Report("x [1]\n\n" + unit * 3000 + "\n\n## References\n\n[1] " + unit * 3000)
    assert isinstance(report.citations, list)
    assert isinstance(report.references, list)


def test_words_of_a_span_keep_no_blank_of_a_marker_before_punctuation():
    report = Report(
        "政府介入 [3]。然后（见 [4]）结束 [5]，好。\n\nIt fell [1]. And .NET grew [2], (see [3]) too.\n"
    )
    assert [report.plain_text(sentence.span) for sentence in report.sentences] == [
        "政府介入。",
        "然后 结束，好。",
        "It fell.",
        "And .NET grew, too.",
    ]
