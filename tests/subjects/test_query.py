"""What is read off a query: own queries with known parts, and the real ones where they are at hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.subjects.query import keys_of, read_query


def names(text: str) -> list[str]:
    return [name.text for name in read_query(text).names]


def years(text: str, *, bound: bool = False) -> list[int]:
    return [year.value for year in read_query(text).years if year.bound is bound]


def labels(text: str) -> list[str]:
    return [aspect.label for aspect in read_query(text).aspects]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What are the philosophies of Duan Yongping, Warren Buffett, and Charlie Munger?", ["Duan Yongping", "Warren Buffett", "Charlie Munger"]),
        ("Compare Google's A2A protocol with MCP.", ["Google", "A2A", "MCP"]),
        ("Please write a review. Which plugins replicate Notion in Obsidian?", ["Notion", "Obsidian"]),
        ("In the field of FinTech, how does Black-Litterman work?", ["Black-Litterman"]),
        ("Write a paper on 'New Paradigm of Holistic Empowerment in Elementary Education and Teaching.'", []),
        ("I manage homes in Oslo. What do heat pumps cost?", []),
        ("请比较GCS算法与PRM算法在日本的应用", ["GCS", "PRM", "日本"]),
        ("我在上海市郊负责水务规划。请研究再生水。", []),
    ],
)  # fmt: skip
def test_names(query, expected):
    assert names(query) == expected


def test_a_name_is_known_by_its_other_spellings():
    (name,) = read_query("How do schools in China use tablets?").names
    assert {"china", "chinese", "中国"} <= set(name.forms)
    (short,) = [
        n for n in read_query("Explain horizontal gene transfer (HGT) in plants.").names if n.text == "HGT"
    ]
    assert "gene transfer" in short.forms


@pytest.mark.parametrize(
    ("query", "asked", "bounds"),
    [
        ("From 2020 to 2050, how many elderly people will there be?", [2020, 2050], []),
        ("Homes built between 1965 and 1985. Use sources since 2020.", [], [1965, 1985, 2020]),
        ("对1937-1949年的研究成果", [1937, 1949], []),
        ("国务院2025年印发的《规划纲要（2024—2035年）》", [], [2025, 2024, 2035]),
        ("分析 2010 年至今的走势，篇幅1200至1900字", [2010], []),
        ("A throughput of 2,000 litres and version 2.2024", [], []),
    ],
)
def test_years(query, asked, bounds):
    assert years(query) == asked
    assert years(query, bound=True) == bounds


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Study this:\n1. Field performance: how well do they do?\n2. Installed cost: what is paid?", ["Field performance", "Installed cost"]),
        ("Report: 1) List makers. 2) Include prices.", ["List makers", "Include prices"]),
        ("Cover aspects such as products, case studies, and talent development programs.", ["products", "case studies", "talent development programs"]),
        ("What are prebiotics? Which bacteria warrant concern?", ["What are prebiotics?", "Which bacteria warrant concern?"]),
        ("横向比较各公司的融资情况、信誉度、实际分红等维度", ["融资", "信誉度", "分红"]),
        ("必须考虑以下维度：非西方现代化、后殖民主义、全球史。", ["非西方现代化", "后殖民主义", "全球史"]),
        ("请研究。一是风格演变；二是跨界合作；三是技术创新。", ["风格演变", "跨界合作", "技术创新"]),
        ("How do birds navigate?", []),
    ],
)  # fmt: skip
def test_aspects(query, expected):
    assert labels(query) == expected


def test_keys_tell_an_aspect_from_the_rest():
    query = "Study heat pumps. 1. Heat pump cost: what is paid? 2. Heat pump noise: how loud are they?"
    cost, noise = read_query(query).aspects
    assert cost.keys == ("cost",)
    assert noise.keys == ("noise",)
    # "heat" and "pump" are words of the whole query: one key of three words.
    assert cost.share == pytest.approx(1 / 3)


def test_bigrams_that_bridge_two_words_are_no_keys():
    (aspect, _) = read_query("请研究量子计算的研究团队，需要包括：研究方向、资金支持").aspects
    assert "究方" not in aspect.keys


@pytest.mark.parametrize(
    ("query", "kind", "low", "high"),
    [
        ("Compare the three in a table.", "table", None, None),
        ("请用表格比较三条路线", "table", None, None),
        ("A table with at least 12 rows, please.", "rows", 12, None),
        ("List the top 10 insurers.", "items", 10, None),
        ("评估出十个课题组", "items", 10, None),
        ("in 900 to 1,600 words", "words", 900, 1600),
        ("in under 500 words", "words", None, 500),
        ("at least 3000 words", "words", 3000, None),
        ("about 2000 words", "words", 1500, 2500),
        ("不超过800字", "words", None, 800),
        ("用思维导图告诉我", "mind_map", None, None),
        ("Include images of these devices.", "image", None, None),
        ("give numbered references, with numbered references", "references", None, None),
    ],
)
def test_forms(query, kind, low, high):
    form = next(form for form in read_query(query).forms if form.kind == kind)
    assert (form.low, form.high) == (low, high)
    assert query[form.start : form.end].strip() == form.text.strip()


def test_language_form():
    assert [f.value for f in read_query("Please write the report in Chinese.").forms] == ["zh"]
    assert [f.value for f in read_query("请用英文回答。").forms] == ["en"]
    assert not read_query("Only use English-language journals; the Chinese market matters.").forms


def test_words_that_only_look_like_forms():
    query = (
        "Which plugins replicate its views (Table, Kanban, Calendar, and List views)? What is table tennis?"
    )
    assert not read_query(query).forms


def test_empty_and_huge_queries():
    assert read_query("").names == ()
    assert not read_query("").asks
    huge = read_query("Compare Alpha Corp and Beta Corp. " * 40_000)
    assert {"Alpha Corp", "Beta Corp"} <= {name.text for name in huge.names}


def test_keys_are_prefixes_and_bigrams():
    assert keys_of("Cost-effectiveness of the policies") == ("cost", "effec", "polic")
    assert "水价" in keys_of("水价的机制")


@given(st.text(max_size=300))
def test_any_text_can_be_taken_apart(text):
    parts = read_query(text)
    for part in (*parts.aspects, *parts.names, *parts.years, *parts.forms):
        assert 0 <= part.start <= part.end <= len(text)


@pytest.fixture(scope="session")
def real(shared):
    text = (shared / "deepresearch_bench" / "queries.jsonl").read_text(encoding="utf-8")
    return {row["id"]: read_query(row["query"]) for row in map(json.loads, text.splitlines())}


def test_real_queries_are_read_in_their_language(real):
    assert all(parts.language == ("zh" if number <= 50 else "en") for number, parts in real.items())


def test_names_of_real_queries(real):
    assert {"Accenture", "IBM", "Capgemini"} <= {name.text for name in real[57].names}
    assert [name.text for name in real[69].names] == ["Google", "A2A", "MCP"]
    assert {"HIV", "m6A"} <= {name.text for name in real[26].names}


def test_years_of_real_queries(real):
    assert [year.value for year in real[51].years] == [2020, 2050]
    assert [year.value for year in real[32].years] == [1937, 1949]


def test_aspects_of_real_queries(real):
    assert [aspect.label for aspect in real[51].aspects] == ["clothing", "food", "housing", "transportation"]
    assert [aspect.label for aspect in real[30].aspects] == ["非西方现代化", "后殖民主义", "东方学", "全球史"]
    assert [len(real[number].aspects) for number in (83, 92)] == [4, 4]


def test_forms_of_real_queries(real):
    assert {form.kind for form in real[83].forms} == {"image"}
    assert {form.kind for form in real[4].forms} == {"mind_map"}
    assert [(form.kind, form.low) for form in real[15].forms] == [("items", 10)]
