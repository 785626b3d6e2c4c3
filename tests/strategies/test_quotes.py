"""Quotes, found whatever their form and only if their words and numbers are right; on made-up and on real reports."""

from __future__ import annotations

import random
import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.strategies.base import REFERENCE, QuotedText
from assay.strategies.quote_text import plain_text
from assay.strategies.quotes import locate, locate_quotes

TEXT = """# Markets

The market grew by **15.5%** in 2023 [1](https://x.example/a_(b)), “driven” by exports — see [the report](http://a.example).
Café prices fell 5%, as [Smith](https://s.example) said [2][3]. The area is 10² km; profits were −7 million.

- First item of the list
- Second item, with `code` and snake_case

> Growth is not destiny. Demand, in 2020, 15 firms said, was weak.

| Year | Sales |
|------|-------|
| 2021 | 4,000 |

市场规模在 2023 年增长了 15%，达到 2,000 亿元【4†L1-L2】。专家认为“前景良好”……但风险仍在。
It ends at step 1. 5 firms left; ﬁve ﬁrms stayed\u200b behind &amp; \\$9 was lost."""


@pytest.mark.parametrize(
    ("quote", "there"),
    [
        ("The market grew by **15.5%** in 2023", "The market grew by **15.5%** in 2023"),
        ("The market grew by 15.5% in 2023", "The market grew by **15.5%** in 2023"),
        ("the   MARKET grew\nby 15.5% in 2023.", "The market grew by **15.5%** in 2023"),
        ('"The market grew by 15.5%"', "The market grew by **15.5%"),
        ("“The market grew by 15.5% in 2023, 'driven' by exports”", "The market … exports"),
        ('in 2023 [1], "driven" by exports - see the report', "in 2023 … the report"),
        ("exports — see [the report](http://a.example).", "exports — see [the report](http://a.example)."),
        ("exports -- see the report", "exports — see [the report"),
        ("Café prices fell 5%", "Café prices fell 5%"),
        ("CAFE\u0301 PRICES FELL 5%", "Café prices fell 5%"),
        ("as Smith said. The area is 10² km", "as [Smith … km"),
        ("profits were -7 million", "profits were −7 million"),
        ("First item of the list Second item", "First item of the list\n- Second item"),
        ("Second item, with code and snake_case", "Second item, with `code` and snake_case"),
        ("Year Sales 2021", None),
        ("2021 | 4,000", "2021 | 4,000"),
        ("市场规模在2023年增长了15%,达到2,000亿元。", "市场规模 … 亿元"),
        ("专家认为「前景良好」...但风险仍在", "专家认为“前景良好”……但风险仍在"),
        ("five firms stayed behind & $9 was lost", "ﬁve … lost"),
        ("The market grew ... by exports", "The market grew … exports"),
        ("The market grew […] Growth is not destiny", "The market grew … destiny"),
        ("... is not destiny. Demand, in 2020 ...", "is not destiny. Demand, in 2020"),
        ("Growth is not dest...", "Growth is not dest"),
        ("Growth is not destiny.…", "Growth is not destiny"),
        # Short, but there once, and verbatim.
        ("−7", "−7"),
        ("风险", "风险"),
        ("destiny", "destiny"),
        # Not there: a word, a number, half of one.
        ("The market shrank by 15.5% in 2023", None),
        ("The market grew by 15.6% in 2023", None),
        ("The market grew by 5% in 2023", None),
        ("The market grew by 1", None),
        ("The market grew by 15", None),
        ("The market grew by 15. in 2023", None),
        ("market grew by 15.5% in 202", None),
        ("profits were 7 million", None),
        ("The area is 10", None),
        ("The area is 102 km", None),
        ("rket grew by 15.5%", None),
        ("The market grew by 15.5% in 2023 [2]", None),
        ("Cafe prices fell 5%", None),
        ("Cafe prices f", None),
        ("is not destined to", None),
        ("step 1.5 firms left", None),
        ("市场规模在 2023 年增长了 1", None),
        ("市场规模在 2023 年下降了 15%", None),
        ("Growth is not destiny ... The market grew", None),
        ("The market grew ... by imports", None),
        ("", None),
        ("…", None),
        ('"', None),
        ("a", None),
        ("the", None),
        ("15", None),
        ("firms", None),
    ],
)  # fmt: skip
def test_locate(quote: str, there: str | None):
    place = locate(quote, TEXT)
    if there is None:
        assert place is None
        return
    found = TEXT[slice(*place)]
    first, _, last = there.partition(" … ")
    assert (found.startswith(first) and found.endswith(last)) if last else found == there


def test_a_gap_has_a_limit():
    text = "The study finds growth. " + "Filler stands here. " * 100 + "That is false in every case."
    assert locate("The study finds growth ... false in every case", text) is None
    assert locate("Filler stands here ... false in every case", text) is not None


def test_a_long_quote_may_break_off_within_a_word_but_not_within_a_number():
    text = (
        "Demand for the product grew in all of the regions that were looked at, " * 4
        + "by as much as 1550 units."
    )
    assert locate(text[: text.index("units") + 3], text) == (0, text.index("units") + 3)
    assert locate(text[: text.index("1550") + 2], text) is None
    assert locate("Demand for the product gr", text) is None


def test_quotes_of_documents_and_of_the_reference():
    documents = ["Alpha is the first letter.", "Beta is the second letter."]
    quotes = [
        ("Beta is the second", "document"),
        ("is the first letter", "document"),
        ("Gamma is the third", "document"),
        ("Gamma is the third", "reference"),
        ("Beta is the second", "reference"),
    ]
    found = locate_quotes(quotes, documents, "Gamma is the third letter.")
    assert found == (
        QuotedText("Beta is the second", 1, 0, 18),
        QuotedText("is the first letter", 0, 6, 25),
        QuotedText("Gamma is the third", None, None, None),
        QuotedText("Gamma is the third", REFERENCE, 0, 18),
        QuotedText("Beta is the second", REFERENCE, None, None),
    )
    assert locate_quotes([("Gamma is", "reference")], documents, None)[0].start is None


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.text(max_size=200))
@example("A" * 300, "A" * 301)
@example("ß is ss, it is said", "SS IS ß, IT IS SAID")
def test_any_text_is_looked_up_without_harm(quote: str, text: str):
    for where in (text, text + quote + text):
        place = locate(quote, where)
        assert place is None or 0 <= place[0] < place[1] <= len(where)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_the_way_back_leads_to_the_source(text: str):
    plain = plain_text(text)
    assert len(plain.text) == len(plain.source)
    assert list(plain.source) == sorted(plain.source)
    assert all(0 <= place < len(text) for place in plain.source)


# Real reports.

_SENTENCE = re.compile(r"[^.!?。！？\n|#>]{40,300}(?:[.!?](?=\s)|[。！？])")

_MARKED = re.compile(r"[\[\]()*_`\\<>{}…&]|\.\.")


def sentences(report: str, count: int) -> list[tuple[int, str]]:
    """Sentences that stand once in a report, and where: in words, whole at both ends, without markers."""
    found = []
    for match in _SENTENCE.finditer(report):
        text = match.group().strip()
        start = match.start() + match.group().index(text)
        before = report[start - 1 : start]
        if report.count(text) == 1 and text[0].isalnum() and before in " \n" and not _MARKED.search(text):
            found.append((start, text))
    return found[:: max(1, len(found) // count)][:count]


def reformed(text: str, rng: random.Random) -> str:
    """The same words in another form."""
    changes = [
        str.upper,
        lambda s: s.replace(" ", "  "),
        lambda s: s.replace(" ", "\n", 2),
        lambda s: f"“{s}”",
        lambda s: s.rstrip(".。!?！？"),
        lambda s: s.replace("'", "’").replace('"', "”"),
        lambda s: s.replace("-", "–"),
        lambda s: s.replace("，", ",").replace("（", "(").replace("％", "%"),
        lambda s: "".join(chr(ord(c) + 0xFEE0) if c.isdigit() and c.isascii() else c for c in s),
        lambda s: f"**{s[:9]}**{s[9:]}" if not (s[8].isdigit() and s[9].isdigit()) else s,
        lambda s: f"...{s}...",
        lambda s: s.replace(" ", "\u00a0"),
    ]
    for change in rng.sample(changes, 3):
        text = change(text)
    return text


def test_real_sentences_are_found_in_any_form_and_only_if_right(real_reports: list[dict]):
    rng = random.Random(0)
    looked = 0
    for row in real_reports:
        report = row.get("report") or row.get("article")
        plain = plain_text(report).text
        for start, text in sentences(report, 6):
            quote = reformed(text, rng)
            place = locate(quote, report)
            assert place is not None, (quote, text)
            assert place[0] == start, (quote, text, report[slice(*place)])
            assert place[1] in (start + len(text), start + len(text.rstrip(".。!?！？")))
            looked += 1
            digits = [at for at, mark in enumerate(text) if mark.isdigit()]
            if digits:
                at = rng.choice(digits)
                wrong = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
                assert plain_text(wrong).text in plain or locate(wrong, report) is None, wrong
            words = list(re.finditer(r"[a-z]{3,}|[\u4e00-\u9fff]", text))
            if words:
                word = rng.choice(words)
                for other in ("never", "s", ""):
                    changed = {"never": "never", "s": word.group() + "s", "": ""}[other]
                    wrong = text[: word.start()] + changed + text[word.end() :]
                    if wrong != text and plain_text(wrong).text.strip(" .,;:!?。'-") not in plain:
                        assert locate(wrong, report) is None, wrong
    assert looked > 100


def test_fifty_quotes_of_a_long_document_take_no_time(real_reports: list[dict]):
    report = "\n\n".join(row.get("report") or row.get("article") for row in real_reports)[:100_000]
    quotes = [(report[at : at + 150].upper(), "document") for at in range(0, 100_000, 2000)]
    locate_quotes(quotes[:1], [report], None)
    best = 1.0
    for _ in range(3):
        start = time.process_time()
        locate_quotes(quotes, [report], None)
        best = min(best, time.process_time() - start)
    assert best < 0.15


@pytest.mark.parametrize(
    "nonsense",
    [
        "[",
        "](",
        "\\",
        " ",
        "* ",
        "[1",
        "<br",
        "…",
        "|",
        "【1",
        "*",
        "[[1",
        "[1](a",
        "](a (b",
        '](a "b',
        "[a",
        "[1,",
        "a ",
        "1.",
    ],
)
def test_nonsense_takes_linear_time(nonsense: str):
    text = nonsense * (60_000 // len(nonsense))
    start = time.process_time()
    plain_text(text)
    locate(text[:6000] + "x", text)
    assert time.process_time() - start < 4
