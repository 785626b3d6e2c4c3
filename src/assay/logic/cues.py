"""What claims and evidence sound like, in English and Chinese.

Every group of phrases pulls a sentence towards being a claim, towards being evidence, or both. The weights are
small round numbers on purpose: they order the groups (a conclusion marker outweighs an evaluative word, a named
finding outweighs a hedge) and are not fitted to any text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from assay.subjects.report import Report
    from assay.text.lexicon import CueIndex


class CueGroup(NamedTuple):
    """Phrases that mean the same for the argument, and what one of them adds to a sentence's two scores.

    Attributes:
        name: What finding one means.
        claim: Points towards a claim.
        evidence: Points towards evidence.
        words: English cues of one word.
        stems: Beginnings of English words.
        phrases: English cues of several words, with their first and last word.
        zh: Chinese phrases. One phrase belongs to one group.
        after: English phrases with a very common beginning, as that beginning, the word after it and the rest from
            that word on: looked up from the rarer end.
    """

    name: str
    claim: float
    evidence: float
    words: tuple[str, ...]
    stems: tuple[str, ...]
    phrases: tuple[tuple[str, str, str], ...]
    zh: tuple[str, ...]
    after: tuple[tuple[str, str, str], ...] = ()


def _group(
    name: str, claim: float, evidence: float, *, en: str, zh: str, after: dict[str, str] | None = None
) -> CueGroup:
    cues = en.split(", ")
    return CueGroup(
        name,
        claim,
        evidence,
        words=tuple(cue for cue in cues if cue.isalpha()),
        stems=tuple(cue[:-1] for cue in cues if cue.endswith("*")),
        phrases=tuple(
            (cue.split(" ")[0], cue.split(" ")[-1], cue)
            for cue in cues
            if not cue.isalpha() and not cue.endswith("*")
        ),
        zh=tuple(zh.split(", ")),
        after=tuple(
            (first + " ", phrase.split(" ")[0], phrase)
            for first, phrases in (after or {}).items()
            for phrase in phrases.split(", ")
        ),
    )


GROUPS: Final[tuple[CueGroup, ...]] = (
    _group(
        "concluding",
        2.5,
        0.0,
        en=(
            "therefore, thus, hence, consequently, overall, ultimately, findings suggest, results suggest, evidence suggests,"
            " evidence indicates, taken together, bottom line, conclude, concludes, we argue, we find that,"
            " accordingly"
        ),
        after={
            "in": "summary, conclusion, short, sum, essence",
            "this": "suggests, indicates, means, implies, shows that",
            "as a": "result",
            "on": "balance",
        },
        zh=(
            "因此, 所以, 综上, 总之, 总体而言, 总的来说, 总体来看, 总体上, 由此可见, 这表明, 这意味着, 由此, 归根结底, 综合来看,"
            " 整体而言, 整体来看, 可以看出, 不难看出, 这说明, 研究认为, 可以认为, 综合而言"
        ),
    ),
    _group(
        "recommending",
        2.0,
        0.0,
        en="should, must, recommend, recommended, recommends, recommendation, need to, needs to, needed, ought to, advisable, prioritize",
        zh="建议, 应当, 应该, 应优先, 应加强, 应建立, 应以, 应重点, 应结合, 应根据, 还应, 均应, 也应, 应设, 应把, 应将, 必须, 亟需, 亟待, 优先考虑, 需加强, 需建立, 推荐",
    ),
    _group(
        "judging",
        1.2,
        0.0,
        en=(
            "crucial, critical, essential, key, important, importance, significant, significantly, major, primary, dominant,"
            " dominates, superior, inferior, better, worse, best, greatest, leading, effective, effectively, efficient, promising,"
            " suitable, feasible, viable, robust, limited, insufficient, lack, lacks, challenge, challenges, challenging,"
            " difficult, difficulty, advantage, advantages, disadvantage*, barrier, barriers, threat, threatens, strength, strengths,"
            " weakness*, remain, remains, depends, unlikely, transform*, reshap*, underscor*, highlights, vital, unprecedented,"
            " fundamental, fundamentally, necessary, ideal, optimal, stronger, weaker, greater, most, unique, valuable,"
            " compelling, substantial, substantially, complex, profound, pivotal, central, inadequate, vulnerable, risky, costly, suited, well-suited"
        ),
        zh=(
            "关键, 核心, 重要, 显著, 主要, 优势, 劣势, 挑战, 难以, 有利于, 不利于, 有效, 有助于, 潜力, 更加, 更为, 突出, 领先, 不足,"
            " 缺乏, 有限, 面临, 取决于, 本质, 适合, 可行, 成为, 呈现, 优于, 深刻, 明显, 最为, 尤其, 依赖, 制约, 瓶颈, 前景, 仍然,"
            " 决定, 不可或缺, 局限, 弊端, 短板, 主导, 至关, 根本, 日益, 趋于, 加剧, 走向, 转向, 复杂"
        ),
    ),
    _group(
        "answering",
        1.6,
        0.0,
        en="best suited, most suitable, most likely, best choice, largest, strongest, above all, the answer is",
        zh="最大, 最佳, 最优, 首选, 最适合, 更适合, 最具, 最有, 最值得, 最高",
    ),
    _group(
        "predicting",
        0.7,
        0.0,
        en="will, would, could, may, might, can, cannot, likely, expected, projected, poised, forecast*, future, we'll",
        zh="将, 预计, 有望, 可能, 未来, 预期, 势必, 或许, 能够, 可以",
    ),
    _group(
        "causing",
        0.8,
        0.0,
        en=(
            "because, due to, driven by, leads to, lead to, leading to, results in, resulting in, owing to, enables, enable,"
            " allows, allowing, making it, stems from, given that, enabling"
        ),
        zh="由于, 因为, 导致, 推动, 促使, 驱动, 使得, 从而, 源于, 促进, 为了, 进而, 造成, 引发",
    ),
    _group(
        "contrasting",
        0.7,
        0.0,
        en="however, but, although, though, while, despite, whereas, rather than, yet, nevertheless, unlike, instead",
        zh="然而, 但, 不过, 尽管, 虽然, 相比, 而非, 反而, 不仅, 却, 相较",
    ),
    _group(
        "attributing",
        0.0,
        1.5,
        en=(
            "according to, reported, reports that, found that, found, finds that, study, studies, survey, surveys, surveyed,"
            " data show, data from, shows that, showed, shown that, estimated, estimates, recorded, measured, observed,"
            " meta-analysis, trial, trials, statistics, census, experiment, experiments, revealed, demonstrated"
        ),
        zh=(
            "根据, 数据显示, 研究发现, 研究表明, 研究显示, 报告显示, 报告指出, 统计, 调查, 显示, 指出, 披露, 实测, 试验, 实验, 测算,"
            " 荟萃分析, 样本, 研究团队"
        ),
    ),
    _group(
        "happening",
        0.0,
        1.0,
        en=(
            "announced, launched, signed, enacted, approved, acquired, released, introduced, founded, established, completed,"
            " published, adopted, issued, opened, rose, fell, grew, increased, decreased, declined, reached, totaled, totalled,"
            " began, won, died, born, rated, directed, written by, created by, appointed, elected, awarded, joined, merged, banned, filed,"
            " accounted for, accounts for, dropped, doubled, tripled, amounted, raised, deployed, implemented, ruled, invested"
        ),
        zh=(
            "发布, 推出, 成立, 宣布, 签署, 出台, 同比, 环比, 截至, 达到, 上市, 收购, 获批, 投产, 通过了, 增至, 降至, 占比, 增长了,"
            " 下降了, 上线, 颁布, 印发, 建成, 融资"
        ),
    ),
    _group("illustrating", 0.0, 0.7, en="for example, for instance, e.g", zh="例如, 比如, 举例, 案例"),
    # Sentences that send the reader to a table or figure; one that gives no number itself says nothing else.
    _group(
        "pointing",
        0.0,
        0.0,
        en="see table, see figure, see fig, see chart, see appendix",
        after={"in": "table, figure, fig, chart, appendix"},
        zh="见表, 见图, 如图, 所示, 下图, 上图, 图中",
    ),
    # Sentences about the text instead of its subject: announcements, asides to the asker, the model's own notes …
    _group(
        "announcing",
        0.0,
        0.0,
        en=(
            "let me, let's, i will, i'll, i need, i have, i can, i should, i found, i've, i am, i'm, i cannot, now i, we will, it examines, it analyzes, it synthesizes, it reviews,"
            " we now, the report concludes with, the report examines, the report covers, the report provides, the report begins,"
            " we have identified, we've identified, your query, your question, your request, below is, below are,"
            " following section, following sections, following table, table below, sections below, organized as, structured as,"
            " structured around, see section, listed below, outlined below, described below, detailed below, shown below,"
            " summarized below, above analysis, search results, tools available, key points include, sources section,"
            " sources listed, cited sources, primary sources, could not find, was unable to, based on the research,"
            " based on my research, based on the information, dive into, research question"
        ),
        after={"as": "requested, follows"},
        zh=(
            "我需要, 我还, 需要查找, 接下来我, 让我, 我将, 我会, 我来, 现在我, 我已, 我们将, 以下是,"
            " 以下为, 如下, 下文, 下面, 下表, 如表, 详见, 见下, 上文, 以下几, 以下从, 搜索, 检索, 文末, 附录, 见附, 参考资料, 以下内容,"
            " 以下按, 以下分, 以下对, 未能获取, 已有资料, 从以下, 可以总结, 不再赘述, 已注明, 主要结论包括, 主要包括以下, 分为以下, 如以下, 有以下"
        ),
    ),
    _group(
        "self",
        0.0,
        0.0,
        en="present report, present review, present study",
        after={
            "this": (
                "report, section, paper, article, document, chapter, overview, guide, synthesis, summary, analysis, review,"
                " comprehensive report, research report, comparative analysis, comprehensive analysis, comprehensive guide,"
                " comprehensive review, research paper, technical report, literature review, detailed report"
            ),
        },
        zh="本报告, 本文, 本节, 本章, 本研究, 本综述, 本调研, 本部分, 本论文, 研究不仅",
    ),
    # … unless the text states its own finding.
    _group(
        "finding",
        0.0,
        0.0,
        en=(
            "argues that, finds that, concludes that, conclude that, analysis shows, analysis suggests, analysis reveals,"
            " review finds, report shows, report finds, report argues, report recommends, report demonstrates"
        ),
        zh="本研究发现, 本报告建议, 本报告发现, 本报告的结论, 本报告认为, 本文认为, 本研究认为",
    ),
)


def find_cues(report: Report) -> dict[str, set[int]]:
    """Indices of the sentences that hold a phrase of each group.

    English words inside a Chinese report are names and titles, and the other way round; they are not looked at.
    """
    found: dict[str, set[int]] = {group.name: set() for group in GROUPS}
    index, language = report.cues, report.language
    if language != "zh":
        starts = report.sentence_starts
        ends = [sentence.span.end for sentence in report.sentences]
        for group in GROUPS:
            inside = found[group.name]
            for at in _english(index, group):
                i = bisect_right(starts, at) - 1
                if i >= 0 and at < ends[i]:
                    inside.add(i)
    if index.cjk and language != "en":
        pattern, groups = _chinese()
        lower = index.lower
        inside_of = list(found.values())
        # Sentence by sentence: headings and tables are passed over, and nothing has to be put in its place afterwards.
        for i, sentence in enumerate(report.sentences):
            span = sentence.span
            for phrase in pattern.findall(lower, span.start, span.end):
                inside_of[groups[phrase]].add(i)
    return found


def _english(index: CueIndex, group: CueGroup) -> list[int]:
    """Where the English phrases of a group begin, in no particular order."""
    words = index.words()
    positions = words.get
    hits: list[int] = []
    for word in group.words:
        if at := positions(word):
            hits += at
    for stem in group.stems:
        hits += [start for start, _ in index.prefix(stem)]
    for first, last, phrase in group.phrases:
        # Most phrases whose first word occurs lack the last, and are not looked for at every place of the first.
        if first in words and last in words:
            hits += [start for start, _ in index.phrase(first, phrase)]
    lower = index.lower
    for before, word, phrase in group.after:
        for start in positions(word, ()):
            if lower.startswith(before, start - len(before)) and lower.startswith(phrase, start):
                hits.append(start)
    return hits


@lru_cache(maxsize=1)
def _chinese() -> tuple[re.Pattern[str], dict[str, int]]:
    # One pattern for all groups reads a Chinese text once; branching on the first character spares most of the
    # comparisons. The longest phrase at a place wins.
    groups = {phrase: i for i, group in enumerate(GROUPS) for phrase in group.zh}
    by_first: dict[str, list[str]] = {}
    for phrase in sorted(groups, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append(re.escape(phrase[1:]))
    return re.compile("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in by_first.items())), groups
