import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.generation.cited_documents import cited_ids
from assay.generation.documents import read_documents
from assay.generation.report_writing import (
    SourceDocument,
    flaws,
    length_of,
    prompt_tokens,
    tokens_needed,
    write_report,
)

DOCUMENTS = [
    SourceDocument("d1", "Supply rose.", "Mines", "https://x.org/1"),
    SourceDocument("d2", "Demand slowed."),
]
PARAGRAPH = "Prices fell in 2023 [d1]. Supply had risen for a year [d2]. Demand slowed as well. Both add up."
REPORT = f"# Lithium\n\n{PARAGRAPH}\n\n## Outlook\n\n{PARAGRAPH}"


class TestFlaws:
    def test_a_report_as_asked_for_has_none(self):
        assert flaws(REPORT, ["d1", "d2"], least=30) == []

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (REPORT + "\n\n- one\n- two", "it has 2 list items"),
            (REPORT + "\n\n1. one\n2. two", "it has 2 list items"),
            (REPORT + "\n\n| a | b |\n|---|---|\n| 1 | 2 |", "it has 1 tables"),
            (REPORT + "\n\nToo short. It is.", "1 of 3 paragraphs have fewer than 4 sentences: “Too short. It is.”"),
            (REPORT.replace("[d2]", "[d9]"), "it cites [d9], and there is no such document"),
            (REPORT.replace(" [d1]", "").replace(" [d2]", ""), "it cites none of the documents"),
            (REPORT + "\n\n<<DOCUMENT 0123456789ab>>", "repeats the lines that mark the documents"),
            ("# Title alone", "it has no paragraph"),
        ],
    )  # fmt: skip
    def test_each_is_named(self, text, told):
        assert any(told in flaw for flaw in flaws(text, ["d1", "d2"], least=1)), flaws(
            text, ["d1", "d2"], least=1
        )

    def test_length_by_language(self):
        assert any("at least 3,000 are asked for" in flaw for flaw in flaws(REPORT, ["d1"]))
        chinese = "锂价下跌[d1]。供给上升。需求放缓。两者叠加。"
        assert "it has 24 characters; at least 6,000 are asked for" in flaws(chinese, ["d1"], language="zh")
        assert flaws(chinese, ["d1"], language="zh", least=24) == []
        assert "it is not written in Chinese" in flaws(REPORT, ["d1"], language="zh", least=1)
        assert length_of("two words", "en") == 2

    def test_no_documents_no_citations(self):
        assert flaws(REPORT.replace(" [d1]", "").replace(" [d2]", ""), [], least=1) == []


class TestCited:
    @pytest.mark.parametrize(
        ("text", "known", "unknown"),
        [
            ("a [1], b [2][3]", ("1", "2", "3"), ()),
            ("a [1-3] [9]", ("1", "2", "3"), ("9",)),
            ("a [1, 2; 7]", ("1", "2"), ("7",)),
            ("a 【1】【2、8】", ("1", "2"), ("8",)),
            ("a [^1] [[2]]", ("1", "2"), ()),
            ("see [the 2023 page](https://x.org) and ![1](y.png)", (), ()),
            ("it said [sic] and [the Act]", (), ()),
            ("`[7]` and\n```\n[8]\n```\n", (), ()),
            ("a [My Notes]", ("my notes",), ()),
        ],
    )
    def test_forms(self, text, known, unknown):
        found = cited_ids(text, ["1", "2", "3", "my notes"])
        assert (found.known, found.unknown) == (known, unknown)

    @given(st.text(alphabet="[]【】0123 d,-–()!`^\n", max_size=60))
    def test_any_text(self, text):
        found = cited_ids(text, ["d1", "2"])
        assert set(found.known) <= {"d1", "2"}
        assert not set(found.unknown) & {"d1", "2"}


class TestWriting:
    def test_the_writer_is_told_what_is_wrong(self, author):
        writer = author("- a list", REPORT, retries=1)
        written = asyncio.run(write_report(writer, "Why?", DOCUMENTS, least=30))
        assert (written.status, written.value, written.flaws) == ("ok", REPORT, ())
        assert "it has 1 list items" in writer.model.requests[1].messages[-1].content

    def test_documents_are_fenced_with_their_ids(self, author):
        writer = author(REPORT)
        asyncio.run(write_report(writer, "Why?", DOCUMENTS, least=30))
        content = writer.model.requests[0].messages[1].content
        assert (
            content.index("Document [d1]\n<<DOCUMENT ")
            < content.index("Document [d2]")
            < content.index("<<QUESTION")
        )
        assert "Title: Mines\nURL: https://x.org/1\nSupply rose.\n<<END DOCUMENT" in content
        assert "at least 30 words" in content

    def test_the_size_of_the_prompt_is_known_before(self, author):
        long = [SourceDocument("d1", "word " * 4000)]
        assert 5000 < prompt_tokens(author(), "Why?", long) < 7000
        assert tokens_needed(3000, "en") > 3000


class TestDocuments:
    def test_a_folder_and_rows(self, tmp_path):
        (tmp_path / "b.txt").write_text("Two", "utf-8")
        (tmp_path / "a.md").write_text("# One\n", "utf-8")
        rows = [{"id": 7, "title": "T", "url": "u", "text": "Three"}, {"content": "Four"}]
        (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        (tmp_path / "x.png").write_bytes(b"\x89")
        found = read_documents([tmp_path])
        assert [item.id for item in found] == ["a", "b", "7", "2"]
        assert found[2] == SourceDocument("7", "Three", "T", "u")

    @pytest.mark.parametrize(
        ("name", "text", "told"),
        [
            ("a.jsonl", '{"id": "x"}', "a.jsonl:1: has no text"),
            (
                "a.jsonl",
                '{"id": "x", "text": "t"}\n{"id": "x", "text": "t"}',
                "a.jsonl:2: the id 'x' is also that of",
            ),
            ("a.jsonl", '{"id": "x, y", "text": "t"}', "cannot be cited"),
            ("a.jsonl", "{", "a.jsonl:1: broken JSON"),
            ("a.md", " ", "is empty"),
            ("a.png", "x", "holds no documents"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path, name, text, told):
        (tmp_path / name).write_text(text, "utf-8")
        with pytest.raises(InputError) as caught:
            read_documents([tmp_path])
        assert told in str(caught.value)

    def test_nothing_there(self, tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_documents([tmp_path / "none"])
