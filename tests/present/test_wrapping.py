"""Reasons of judges on a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.present.display import width
from assay.present.wrapping import wrapped


def test_words_and_lines() -> None:
    assert wrapped("one two three four five six\n\n  seven", 20, "  ") == [
        "  one two three four",
        "  five six",
        "  seven",
    ]
    assert wrapped("", 40) == []


def test_chinese_breaks_anywhere_but_before_its_punctuation() -> None:
    lines = wrapped("储能成本下降，因为规模扩大，而且材料更便宜。", 20)
    assert "".join(lines) == "储能成本下降，因为规模扩大，而且材料更便宜。"
    assert all(width(line) <= 22 for line in lines)
    assert not any(line[0] in "，。" for line in lines)


def test_a_word_longer_than_a_line_is_cut() -> None:
    assert wrapped("x" * 50, 20) == ["x" * 20, "x" * 20, "x" * 10]


@given(st.one_of(st.text(max_size=300), st.text(alphabet="，。x 储", max_size=200)), st.integers(20, 60))
def test_nothing_is_lost_and_nothing_too_wide(text: str, columns: int) -> None:
    lines = wrapped(text, columns)
    assert all(width(line) <= columns + 2 for line in lines)
    assert all("\x1b" not in line and "\n" not in line for line in lines)
    letters = [char for char in text if char.isalnum()]
    assert [char for line in lines for char in line if char.isalnum()] == letters
