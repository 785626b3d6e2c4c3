"""Passages of given texts about a topic."""

import asyncio

import pytest

from assay.errors import InputError
from assay.logic.ground_truth.search import DocumentSearch, read_documents


def test_the_passage_that_shares_rare_words_comes_first(tmp_path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.md").write_text(
        "The market for heat pumps grew.\n\n" + "The market is large. " * 60, "utf-8"
    )
    (tmp_path / "deep" / "b.txt").write_text("Compressors of heat pumps fail rarely.", "utf-8")
    (tmp_path / "c.pdf").write_bytes(b"%PDF")
    documents = read_documents(tmp_path)
    found = asyncio.run(documents("How often do heat pump compressors fail on the market?", 3))
    assert [passage.source for passage in found][:2] == ["deep/b.txt", "a.md"]
    assert all(len(passage.text) <= 900 for passage in found)
    assert asyncio.run(documents("sailing", 3)) == []
    assert len(asyncio.run(documents("market", 1))) == 1


def test_chinese_texts_are_found_too() -> None:
    documents = DocumentSearch([("甲", "热泵的压缩机很少出故障。"), ("乙", "风电价格下降。")])
    assert [passage.source for passage in asyncio.run(documents("压缩机故障", 5))] == ["甲"]


def test_rows_of_jsonl(tmp_path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text(
        '{"title": "A", "text": "Pumps."}\n\n{"url": "http://b.example", "content": "Wind."}\n', "utf-8"
    )
    found = asyncio.run(read_documents(path)("pumps and wind", 5))
    assert sorted(passage.source for passage in found) == ["A", "http://b.example"]


@pytest.mark.parametrize(
    ("text", "message"),
    [("[]", r"x\.jsonl:1: has no text under"), ("{", r"x\.jsonl:1: broken JSON"), ("", "holds no texts")],
)
def test_rows_that_are_no_texts(tmp_path, text, message) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        read_documents(path)


def test_no_such_place(tmp_path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_documents(tmp_path / "none")
