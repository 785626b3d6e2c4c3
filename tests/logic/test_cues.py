"""Cues of claims and evidence."""

from __future__ import annotations

import pytest

from assay import Report
from assay.logic.cues import find_cues


@pytest.mark.parametrize(
    "sentence",
    [
        "上市公司应当进一步完善信息披露制度。",
        "政府推动企业披露碳足迹并提升能源效率。",
        "团队将继续加强对老年人群体的调查研究工作。",
        "各地需要建立更加科学统一的统计制度。",
        "专家组在评审过程中指出问题并提出整改意见。",
        "用户的人口统计特征决定了产品的定位。",
    ],
)
def test_chinese_nouns_are_no_sources(sentence: str) -> None:
    assert find_cues(Report(sentence))["attributing"] == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "公司披露2023年营收增长了三成左右。",
        "据统计，全国已有上百个城市采用这一做法。",
        "住户调查显示，多数居民愿意承担改造费用。",
        "研究者调查了受感染期间宿主细胞的反应。",
        "白皮书指出数字化技术将在未来改变水务行业。",
        "年报披露：公司海外业务的占比持续提高。",
    ],
)
def test_chinese_sources_are(sentence: str) -> None:
    assert find_cues(Report(sentence))["attributing"] == {0}


def test_the_longest_chinese_phrase_wins() -> None:
    cues = find_cues(Report("研究不仅关注成本，而且关注收益的分配。"))
    assert cues["self"] == {0}
    assert cues["contrasting"] == set()


def test_english_words_stems_and_phrases() -> None:
    cues = find_cues(Report("In summary, the survey underscores a clear disadvantage of the plan."))
    assert all(cues[group] == {0} for group in ("concluding", "attributing", "judging"))
    assert cues["happening"] == set()
