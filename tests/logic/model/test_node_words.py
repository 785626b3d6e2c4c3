"""What of a model's words may stand in a graph: those of the report, and nothing it does not say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import Report
from assay.logic.model.node_words import LocatedWords, NodeRefusal, locate_words
from assay.logic.model.numbered_lines import NumberedReport, number_lines, split_parts
from assay.models.tokens import estimate_tokens

SOURCE = """\
# Wind in the north

## Costs

1. Auction prices for **offshore wind** did not rise; they fell from $160/MWh in 2015 to $62/MWh in 2023 [1][2].
- Turbines grew from 6 MW to 15 MW, says [the maker](https://maker.example/a/very/long/address?with=much).

| Site | Cost |
|---|---|
| Bay | $4 million |

```
code that argues 100 %
```

## References

[1] Agency: https://a.example/1
"""
CHINESE = "# 水\n\n人工湿地的单位成本为0.50元/立方米，是三条路线中最低的[2]。反渗透的成本并不低。某些城镇的污水处理没有完全达到标准。\n"


def numbered(source: str = SOURCE) -> NumberedReport:
    return number_lines(Report(source), 1200)


def find(text: str, *lines: int, source: str = SOURCE) -> LocatedWords | NodeRefusal:
    known = numbered(source)
    return locate_words(known, known.lines, lines, text)


def test_the_sheet_numbers_what_can_argue() -> None:
    assert [line.shown for line in numbered().lines] == [
        "S1| # Wind in the north",
        "S2| ## Costs",
        "S3| - Auction prices for offshore wind did not rise; they fell from $160/MWh in 2015 to $62/MWh in 2023. ⟦1, 2⟧",
        "S4| - Turbines grew from 6 MW to 15 MW, says the maker. ⟦maker.example⟧",
        "S5| | Site | Cost",
        "S6| | Bay | $4 million",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "",
            "Auction prices for offshore wind did not rise; they fell from $160/MWh in 2015 to $62/MWh in 2023",
        ),
        ("they fell from $160/MWh in 2015", "they fell from $160/MWh in 2015"),
        (
            "S3| - Auction prices for offshore wind did not rise",
            "Auction prices for offshore wind did not rise",
        ),
        ("to $62/MWh in 2023. ⟦1, 2⟧", "to $62/MWh in 2023"),
        ("they  FELL".lower(), "they fell"),
    ],
)
def test_words_of_the_line(text: str, words: str) -> None:
    found = find(text, 3)
    assert isinstance(found, LocatedWords)
    assert found.verbatim
    report = numbered().report
    assert found.text.startswith(words)
    assert report.plain_text(found.span) == found.text


def test_a_wrong_number_beside_right_words_is_a_slip() -> None:
    found = find("Turbines grew from 6 MW to 15 MW", 3)
    assert isinstance(found, LocatedWords)
    assert [line.number for line in found.lines] == [4]


def test_a_shorter_wording_of_the_same_words() -> None:
    found = find("Offshore wind prices did not rise, they fell to $62/MWh", 3)
    assert isinstance(found, LocatedWords)
    assert not found.verbatim
    assert found.text == "Offshore wind prices did not rise, they fell to $62/MWh"
    assert found.span == numbered()[3].span


@pytest.mark.parametrize(
    ("text", "lines", "code"),
    [
        ("Offshore wind prices collapsed in 2023", (3,), "words"),
        ("Auction prices fell to $26/MWh", (3,), "figure"),
        ("Auction prices fell from $62/MWh to $160/MWh", (3,), "figure"),
        ("Auction prices of offshore wind rise", (3,), "denial"),
        ("It is", (3,), "empty"),
        ("海上风电价格下跌", (3,), "words"),
        ("", (), "nowhere"),
        ("", (99,), "lines"),
        ("invented from nothing", (99, -4, 0), "lines"),
        ("code that argues 100 %", (3,), "words"),
        ("Agency", (), "nowhere"),
        ("prices fell " * 200, (3,), "long"),
    ],
)
def test_what_the_report_does_not_say(text: str, lines: tuple[int, ...], code: str) -> None:
    found = find(text, *lines)
    assert isinstance(found, NodeRefusal)
    assert found.code == code
    assert found.why


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("人工湿地的单位成本为0.50元/立方米", 2, None),
        ("人工湿地成本最低", 2, None),
        ("人工湿地的单位成本为0.80元/立方米", 2, "figure"),
        ("反渗透的成本低", 3, "words"),
        ("城镇污水处理达到标准", 4, "denial"),
        ("城镇污水处理没有达到标准", 4, None),
        ("污准水标", 4, "words"),
        ("反渗透的成本很高", 3, "words"),
    ],
)
def test_chinese(text: str, line: int, code: str | None) -> None:
    found = find(text, line, source=CHINESE)
    assert (found.code if isinstance(found, NodeRefusal) else None) == code


def test_a_line_outside_the_part_was_not_shown() -> None:
    known = numbered()
    found = locate_words(known, known.lines[2:3], [4], "")
    assert isinstance(found, NodeRefusal)
    assert found.code == "lines"
    # Nor can words of another part be had by way of a line of this one.
    assert isinstance(
        locate_words(known, known.lines[2:3], [3], "Turbines grew from 6 MW to 15 MW"), NodeRefusal
    )


@given(st.text(max_size=400), st.text(max_size=60), st.lists(st.integers(-2, 12), max_size=4))
def test_any_text(source: str, text: str, numbers: list[int]) -> None:
    known = numbered(source)
    if not known.lines:
        return
    found = locate_words(known, known.lines, numbers, text)
    if isinstance(found, LocatedWords):
        assert 0 <= found.span.start < found.span.end <= len(source)
        assert found.text
        assert found.lines
        if found.verbatim:
            assert found.text == known.report.plain_text(found.span)


@given(
    st.integers(40, 400),
    st.lists(st.sampled_from(["# A", "## B", "### C", "word " * 30 + ".", "x" * 300]), max_size=40),
)
def test_parts_hold_every_line_once_and_fit(limit: int, blocks: list[str]) -> None:
    known = number_lines(Report("\n\n".join(blocks)), 200)
    cut = split_parts(known, limit)
    assert [line.number for part in cut for line in part] == list(range(1, len(known.lines) + 1))
    for part in cut:
        # A heading goes with what follows it, whatever it takes.
        body = [line for line in part if line.kind != "heading"]
        assert sum(line.tokens for line in body) <= limit or len(body) == 1


def test_an_endless_sentence_is_shown_in_pieces() -> None:
    known = numbered("word " * 3000)
    assert len(known.lines) > 10
    assert all(estimate_tokens(line.shown) < 400 for line in known.lines)
    assert (
        "".join(known.report.plain_text(line.span).replace(" ", "") for line in known.lines) == "word" * 3000
    )
