"""The writer talking about its own work instead of the subject: "I'll now search", "As an AI language model", 让我继续搜索.

Agents leave their working notes in the report: what they will search next, what they found lacking, who asked. A
reader wants the findings. Neighbouring sentences of such talk make one finding.

Left alone: "we" and "this report" as authors use them ("this report examines", "we find"), limits of the evidence
stated impersonally, and quotations.

Known problems: reports about chat assistants quote such phrases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import prose_at, quote
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_SURE: Final = Lexicon(
    en=(
        "as an ai language model, as an ai model, as an ai assistant, as a large language model, i'm an ai, i am an ai, my knowledge cutoff, "
        "my training data, i'll search, i will search, i'll now, i will now, let's search, let's look for, now let's, let's continue, let's gather, let's explore more, let me do, let me write, let me provide, i'll look, i'll need to, i need to search, i need to find, i need to gather, "
        "i need more, i need to look, i should search, let me search, let me look, let me continue, let me gather, let me find, let me try, let me check, "
        "let me get, let me explore, let me investigate, let me research, let me now, now i have, now i'll, now let me, i'll continue, i'll gather, "
        "i'll provide, i'll create, i'll compile, i'll start, i'll begin, i'll conduct, i'll research, i'll write, i'll prepare, i'll help you, i'll organize, "
        "i'll analyze, i now have, i have gathered, i've gathered, i have enough information, i have sufficient information, i've collected, i have collected, "
        "based on my search, based on my research, based on the search results, based on the information i, from my search, my searches, my search results, "
        "here is the report you, here's the report you, here is a comprehensive report, here's a comprehensive report, as you requested, as per your request, "
        "i hope this helps, feel free to ask, let me know if, would you like me to, do you want me to, i cannot browse, i don't have access to, i do not have access to, "
        "i was unable to find, i couldn't find, i could not find, i wasn't able to find, i apologize, happy to help, certainly! here, sure! here, if you'd like i can, "
        "if you want i can, i can also provide, i'd be happy to"
    ),
    zh=(
        "我还需要, 我将再, 让我们获取, 让我们继续, 让我们查找, 让我们了解, 让我们进一步, 让我继续, 让我搜索, 让我来搜索, 让我进行更, 让我进一步, 让我尝试, 让我查找, 让我查询, 让我再, 让我先, 让我获取, 让我了解, 让我为您, 让我们搜索, 我需要搜索, 我需要查找, 我需要获取, 我需要先, "
        "我需要更具体, 我需要更多, 我需要了解, 我需要进一步, 我需要收集, 我需要继续, 我需要查询, 我需要补充, 需要我继续, 我将搜索, 我将继续搜索, 我将进行搜索, 我会搜索, 我将为您, 我来为您, 我将查找, 我将首先, 我会为您, "
        "我现在需要, 现在我需要, 现在我已经, 现在我有了, 我已经收集, 我已收集, 我已经获得, 我已经获取, 接下来我将, 接下来我需要, 接下来，我将, 接下来，我需要, 下面我将, 首先，我需要, 首先我需要, 最后，我需要, 此外，我需要, "
        "基于我的搜索, 根据我的搜索, 基于搜索结果, 根据搜索结果, 根据我的研究, 基于我的研究, 基于我收集, 根据我收集, 作为AI助手，我, 作为AI语言模型，我, 作为一个AI助手, 作为一名AI助手, 作为一个AI语言模型，我, 作为人工智能助手，我, 我的训练数据, 我的知识截止, "
        "我无法访问, 我无法浏览, 我没有找到, 我未能找到, 我找不到, 希望这对您, 希望这份报告, 希望以上, 如果您需要, 如果您有任何, 如果您希望, 如您需要, 如果你需要我, 需要我为您, 需要我帮, 您要求的, 您提出的, 抱歉，我"
    ),
)
# Without one of these there is no first or second person, and none of the phrases.
_ASIDE: Final = frozenset(phrase.split(" ", 1)[0] for phrase in _SURE.en)
_ASIDE_ZH: Final = ("我", "您", "搜索结果", "希望这", "希望以上")
_BETWEEN: Final = 300


_TALK: Final = Wording(
    en="Talk about the writing instead of the subject: {quote}",
    zh="这句话谈的是写作过程，而不是主题：{quote}",
)
_MUCH_TALK: Final = Wording(
    en="{n} sentences of talk about the writing instead of the subject: {quote}",
    zh="有{n}句话谈的是写作过程，而不是主题：{quote}",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one hit per contiguous run of sentences that talk about the work."""
    if not _ASIDE.intersection(report.cues.words()) and not (
        report.cues.cjk and any(word in report.plain for word in _ASIDE_ZH)
    ):
        return
    places = [place for place in _SURE.find(report.cues) if _own_words(report, *place)]
    run_start = run_end = -1
    phrases = 0
    for start, end in places:
        span = _sentence(report, start, end)
        if run_end >= 0 and (span.start <= run_end or _same_run(report, run_end, span.start)):
            phrases += span.start > run_end
            run_end = max(run_end, span.end)
            continue
        if run_end >= 0:
            yield _hit(report, Span(run_start, run_end), phrases)
        run_start, run_end, phrases = span.start, span.end, 1
    if run_end >= 0:
        yield _hit(report, Span(run_start, run_end), phrases)


def talks(report: Report, span: Span) -> bool:
    """Whether a passage holds such talk, so that other checks can leave it to this one."""
    return any(
        span.start <= start < span.end and _own_words(report, start, end)
        for start, end in _SURE.find(report.cues)
    )


def _sentence(report: Report, start: int, end: int) -> Span:
    sentence = report.sentence_at(start)
    return sentence.span if sentence else Span(start, end)


def _own_words(report: Report, start: int, end: int) -> bool:
    """Whether the phrase stands in prose, outside quotation marks, code and tables."""
    if prose_at(report, start) is None:
        return False
    sentence = report.sentence_at(start)
    left = max(sentence.span.start if sentence else 0, start - _BETWEEN)
    before = report.source[left:start]
    opened = before.count("“") - before.count("”") + before.count("「") - before.count("」")
    if opened > 0 or before.count('"') % 2:
        return False
    after = report.source[end : end + 1]
    return not (before[-1:] in "‘'\"" and before and after in "’'\"")


def _same_run(report: Report, left: int, right: int) -> bool:
    """Whether two places belong to one stretch of talk: near each other, with no heading between."""
    return right - left < _BETWEEN and "\n#" not in report.source[left:right]


def _hit(report: Report, span: Span, sentences: int) -> RawFinding:
    quoted = quote(report, span, 90)
    return RawFinding(
        span,
        _MUCH_TALK(n=sentences, quote=quoted) if sentences > 1 else _TALK(quote=quoted),
        confidence=0.9 if sentences > 1 else 0.85,
    )


CHECK = Check(
    code="EXP007",
    name="model-talk",
    severity="warning",
    summary="the writer's working notes or chat left in the report",
    run=run,
    bad=(
        Example(
            "I'll now search for more recent figures. Let me look at the second source.\n\n# Heat pumps\n\nSales rose by 12 %."
        ),
        Example("As an AI language model, I do not have access to live data. Sales rose by 12 % in 2022."),
        Example("我需要更具体地了解该领域的发展：\n\n# 报告\n\n让我继续搜索相关信息。2023年销量增长12%。"),
    ),
    good=(
        Example(
            "This report examines recent figures; we find that sales rose by 12 %. Data for 2024 could not be found."
        ),
        Example(
            "Users were told: “As an AI language model, I do not have access to live data.” Most stopped asking."
        ),
        Example("本报告研究该领域的发展。我们发现2023年销量增长12%。"),
    ),
    dimension="global_coherence",
    failure="expression_quality",
)
