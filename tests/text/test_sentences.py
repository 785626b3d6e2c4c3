"""Sentence boundaries, checked by hand: ``⏐`` stands where a sentence ends."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.markup import plain_view
from assay.text.sentences import split_sentences

ENGLISH = [
    "One sentence.",
    "No full stop at all",
    "It grew. ⏐It fell.",
    "Did it grow? ⏐Yes! ⏐It did.",
    "It grew 3.5% in 2020. ⏐It fell in 2021.",
    "Version 2.0.1 was released. ⏐Version 3 followed.",
    "Pi is 3.14159. ⏐Euler's number is 2.718.",
    "It cost $1.2 million. ⏐$3 million followed.",
    "In 2019. ⏐2020 saw more.",
    "Dr. Smith met Mr. Jones. ⏐They agreed.",
    "Prof. Li and Mrs. Chen wrote it.",
    "J. Smith and A. B. Jones disagree.",
    "George W. Bush was president. ⏐He left in 2009.",
    "J.K. Rowling wrote it. ⏐She is British.",
    "We need vitamin C. ⏐The body cannot make it.",
    "Take Plan B. ⏐However, it costs more.",
    "The U.S. Department of Energy funds it.",
    "The U.S. Air Force and the U.K. Ministry agree.",
    "It is made in the U.S. ⏐The rest is imported.",
    "He lives in Washington D.C. ⏐It is hot there.",
    "Apple Inc. Headquarters is in Cupertino.",
    "It was bought by Apple Inc. ⏐The price was not disclosed.",
    "Holding Co. Structures differ from those of Berkshire.",
    "Smith et al. (2020) found it. ⏐Jones et al. 2021 did not.",
    "As Smith et al. show, it works. ⏐Others object.",
    "Cats vs. Dogs is a data set. ⏐It is small.",
    "See No. 5 and Fig. 2 for details.",
    "See Figs. 2 and 3, Eq. 4, Sec. 5 and pp. 6-7. ⏐Then stop.",
    "Use fruit, e.g. apples, i.e. Malus. ⏐Wash them.",
    "Apples, pears, etc. are fruit.",
    "We sell apples, pears, etc. ⏐Nuts are sold too.",
    "At 5 p.m. Eastern it closes. ⏐At 6 a.m. it opens.",
    "It closes at 5 p.m. ⏐The gate is shut.",
    "On Jan. 5 and Feb. 3 it rained. ⏐On Mar. 1 it did not.",
    "It took approx. 5 hours. ⏐We left.",
    "It runs for 30 min. ⏐The test then ends.",
    "The state of the art. ⏐The rest.",
    "St. Louis and Mt. Everest are places.",
    "She holds a Ph.D. in physics. ⏐Her field is optics.",
    "The species is Desulfovibrio sp. ⏐It is common.",
    "The answer was no. ⏐The end.",
    'He said "It works." ⏐Then he left.',
    'He asked "Does it work?" and left.',
    "“It works.” ⏐She nodded.",
    "(It works.) ⏐It does.",
    "It works (see below). ⏐It does.",
    "It works (really?) and well.",
    "Yahoo! is a company. ⏐It was sold.",
    "Kahoot! (2006) is a game.",
    "Well... maybe. ⏐Or not.",
    "Well... ⏐Maybe not.",
    "Wait… what? ⏐Nothing.",
    "It was … unexpected. ⏐Truly.",
    "What?! ⏐No way.",
    "It grew.[1] ⏐It fell.[2][3]",
    "It grew [1]. ⏐It fell [2, 3]. ⏐It rose [4-6].",
    "It grew. [1] ⏐It fell. [2]",
    "It grew.[^1] ⏐It fell.",
    "It grew.¹ ⏐It fell.²",
    "It grew ([Reuters](https://www.reuters.com/a.b?c=d.)). ⏐It fell.",
    "See https://example.com/a.b.html. ⏐It has more.",
    "See www.example.com. ⏐It has more.",
    "Visit example.com for more. ⏐It is free.",
    "**Bold claim.** ⏐Plain text follows.",
    "Use `a.b. C` in code. ⏐It runs.",
    "Node.js and .NET are frameworks. ⏐ASP.NET too.",
    "1. First point. ⏐It has two sentences.",
    "They are: 1. Solar. ⏐2. Wind.",
    "Table 2. Sales by region.",
    "It was Section 3. ⏐Then we moved on.",
    "It was the year 1999. ⏐The bubble burst in 2000.",
    "It is a line\nbroken in two. ⏐This is\nanother.",
    "It ended.  ⏐ Two spaces.",
    "Growth was 5 %. ⏐Inflation was 2 %.",
    "Sales rose; profits fell. ⏐Then it stopped.",
    "The firm (Acme Corp.) won. ⏐It celebrated.",
    "He came from St. Petersburg, Russia. ⏐In winter.",
    "Its value is 0.005 a.u. and rising. ⏐Good.",
    "The so-called “fox vs. hedgehog” view. ⏐It is old.",
    "Costs fell by 3 percent in Q1. ⏐Q2 was flat.",
]

CHINESE = [
    "这是一句话。",
    "没有句号",
    "增长了。⏐下降了。",
    "增长了吗？⏐是的！⏐没错。",
    "他说：“很好。”⏐然后走了。",
    "他说：“很好。”，然后走了。",
    "他说“好。”⏐她说“不。”",
    "增长3.5%，达到2.1亿元。⏐之后下降。",
    "增长3.5%。[1]⏐下降2%。[2][3]",
    "增长3.5%[1]。⏐下降2%[2]。",
    "增长3.5%【1】。⏐下降。",
    "市场扩大；利润下降；成本上升。⏐结束。",
    "一是扩大市场；⏐\n二是降低成本；⏐\n三是提高质量。",
    "《你好！中国》是一部电影。⏐票房很高。",
    "等等……⏐他走了。",
    "国债、地方债……和折扣率。⏐结束。",
    "（见下文。）⏐继续。",
    "使用GPT-4.0模型。⏐效果好。",
    "包括：1.演奏技法，2.节奏组织，3.和声。⏐结束。",
    "1.市场规模",
    "增长很快.⏐中国市场最大。",
    "Tiffany & Co. 的作品很多。⏐很贵。",
    "访问 https://example.com/a。⏐然后注册。",
    "“十四五”规划提出目标。⏐目标明确。",
    "什么？！⏐不会吧。",
    "「好的。」⏐他说。",
    "**重点。**⏐正文开始。",
    "2023年，GDP增长5.2%。⏐2024年，增长5.0%。",
    "Apple Inc.发布了新产品。⏐销量很好。",
    "Is it right? ⏐是的。⏐Yes.",
    "增长35%.⏐中国经济回升。",
    "销量上升（见表）.⏐中国居首。",
    "(1).市场规模扩大。",
    "1.市场规模扩大。",
    "价格上涨｡⏐销量下降｡",
    '起点。⏐"就香港而言，情况不同。"⏐他说。',
    '他说"好。"⏐就走了。⏐后来"好了。"⏐结束。',
]


def boundaries(case):
    text = case.replace("⏐", "")
    plain = plain_view(text)
    wanted = []
    at = 0
    for part in case.split("⏐"):
        piece = plain[at : at + len(part)]
        if piece.strip():
            left = at + len(piece) - len(piece.lstrip())
            wanted.append((left, at + len(piece.rstrip())))
        at += len(part)
    return plain, wanted


@pytest.mark.parametrize("case", ENGLISH + CHINESE)
def test_boundaries(case):
    plain, wanted = boundaries(case)
    assert [plain[a:b] for a, b in split_sentences(plain, 0, len(plain))] == [plain[a:b] for a, b in wanted]


NASTY = st.text(alphabet="aA1 .!?。！？…；\"'”）)(]\n\t«《》的一 U.S.No", max_size=80)


@given(st.one_of(st.text(max_size=120), NASTY))
def test_covers_everything_but_white_space(text):
    spans = split_sentences(text, 0, len(text))
    at = 0
    for left, right in spans:
        assert at <= left < right <= len(text)
        assert not text[at:left].strip()
        assert not text[left].isspace()
        assert not text[right - 1].isspace()
        at = right
    assert not text[at:].strip()


@given(NASTY, st.integers(0, 40), st.integers(0, 90))
def test_stays_inside_its_range(text, start, end):
    spans = split_sentences(text, min(start, len(text)), end)
    for left, right in spans:
        assert start <= left < right <= min(end, len(text))


def test_random_bytes_never_raise():
    random.seed(7)
    for _ in range(200):
        text = random.randbytes(400).decode("latin-1") + random.randbytes(400).decode("utf-8", "replace")
        plain = plain_view(text)
        assert len(plain) == len(text)
        split_sentences(plain, 0, len(plain))
