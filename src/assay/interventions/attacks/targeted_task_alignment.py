"""A passage that answered the question answers something beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import shared_terms
from assay.interventions.attacks._paraphrase import exchanged
from assay.interventions.attacks._prose import (
    Line,
    capital,
    chinese,
    edit,
    lines,
    mixed,
    phrase_of,
    places,
    plain_words,
    section_phrases,
)
from assay.interventions.attacks._targeted import screened, targeted
from assay.subjects.roles import FRAME, role_of
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import Place, TextRevision
    from assay.subjects.report import Report

# Where a report takes its position.
_POSITION: Final = re.compile(
    r"\b(?:overall|in conclusion|in summary|therefore|thus|ultimately|recommend\w*|should|must|the (?:best|main|key|most|primary|central)|most (?:important|effective|likely|promising)|"
    r"crucial|critical|essential|will|can be|offers?|demonstrates?|shows?)\b|应当|应该|建议|关键|核心|总体|综上|因此|最终|需要|必须|将|最",
    re.IGNORECASE,
)
# Beside the question: how the subject is studied, named, recorded.
_BESIDE_EN: Final = (
    "The way in which {p} came to be studied, and by which disciplines, has a history of its own.",
    "Interest in {p} has grown in several fields, each of which brings its own conventions to the subject.",
    "Terms used in connection with {p} have changed over time, and authors do not always mean the same by them.",
    "How information on {p} is collected and kept is a subject in itself and has been handled in different ways.",
    "{P} can be looked at from many angles, and publications on the subject differ a good deal in style and scope.",
    "Readers who are new to {p} will find introductions of very different length and level.",
)
_BESIDE_ZH: Final = (
    "{p}这一话题何时进入研究者的视野、由哪些学科推动，本身就有一段历史。",
    "不同领域对{p}都有兴趣，各自的研究习惯和表述方式也不尽相同。",
    "与{p}有关的术语几经变化，不同作者的用法并不一致。",
    "有关{p}的资料如何收集和整理，本身就是一个可以单独讨论的题目。",
    "{p}可以从许多角度来看，相关出版物在体例和篇幅上差别很大。",
)
_AIM_EN: Final = re.compile(
    r"\b(?P<head>(?:this|the) (?:\w+ ){0,2}(?:report|paper|review|analysis|study|overview|article|document)\s+)(?P<verb>(?:systematically |comprehensively |thoroughly |critically )?(?:examines|explores|analy[sz]es|investigates|evaluates|assesses|reviews|synthesi[sz]es|covers|addresses|compares|details|"
    r"provides an? (?:\w+[ -]){0,3}(?:analysis|overview|review|assessment|examination|evaluation|synthesis|comparison) of|presents an? (?:\w+[ -]){0,3}(?:analysis|overview|review|assessment|examination|evaluation|synthesis|comparison) of))(?= (?!how|what|whether|why|which|who))",
    re.IGNORECASE,
)
_AIMS_EN: Final = (
    "traces the history of research into",
    "describes how the literature has come to speak of",
    "looks at the people and institutions that study",
    "surveys the terminology used in connection with",
    "recounts how interest arose in",
)
_AIM_ZH: Final = re.compile(
    r"(?P<head>(?:本报告|本文|本研究|本综述)[^。，]{0,6}?)(?P<verb>(?:系统|全面|深入|综合)?(?:地)?(?:分析|探讨|研究|评估|梳理|总结|阐述|考察|比较)(?:了|和总结|与总结)?)(?=[^，。]{6,})"
)
_AIMS_ZH: Final = (
    "回顾学界如何开始关注",
    "整理有哪些机构在研究",
    "介绍相关文献如何谈论",
    "说明哪些学科曾经涉及",
)
# Near enough to be mistaken for what was asked.
_NEIGHBOURS: Final = {
    "China": "India", "Chinese": "Indian", "Japan": "South Korea", "Japanese": "Korean", "United States": "United Kingdom", "Europe": "North America",
    "European": "North American", "Germany": "France", "India": "Indonesia", "elderly": "middle-aged", "older adults": "young adults", "children": "adolescents",
    "adolescents": "young adults", "students": "teachers", "primary and secondary": "tertiary", "women": "men", "small businesses": "large corporations",
    "中国": "日本", "我国": "日本", "美国": "英国", "日本": "韩国", "欧洲": "北美", "老年人": "中年人", "老年": "中年", "青少年": "成年人", "大学生": "中小学生",
    "儿童": "青少年", "女性": "男性", "农村": "城市", "中小企业": "大型企业", "中小学": "高校", "高职": "中职",
}  # fmt: skip
_LEANS: Final = re.compile(
    r"^(?:This|These|Those|Such|It|They|Its|Their|However|For|In (?:addition|contrast|this)|Additionally|Moreover|Furthermore|Also|He|She|His|Her|Here|As a|Thus|Therefore|First|Second|Finally|Another|Both|Similarly|Some|Other|Specifically|Examples?|Yet|Then|At the same time|Like|But|And|Or|[*\"“(])|[:：]|^(?:这|该|其|此|它|上述|因此|然而|例如|但|同时|首先|其次|如|另|而|以上|他|她|并|也|前者|后者|[一二三]是|第|通过|据|根据|[*\"“（])"
)
_FITS: Final = _POSITION


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Positions replaced by remarks beside the question, aims replaced, the subject of an answer moved to a neighbour."""
    zh = chinese(report)
    groups: dict[str, list[TextRevision]] = {}
    everything = lines(report, shortest=60, longest=420)
    frames = [line for line in everything if _stands_out(report, line)]
    for line in frames:
        for found in (
            *_elsewhere(report, line, everything, draw),
            *_aside(report, line, draw, zh=zh),
            *_aims(line, draw, zh=zh),
            *_neighbours(report, line),
        ):
            groups.setdefault(found.pattern, []).append(found)
    yield from mixed(groups, draw)


def _stands_out(report: Report, line: Line) -> bool:
    """Whether a sentence is where readers look for the answer: summary, introduction, conclusion, or the opening."""
    if line.text.rstrip()[-1:] not in ".。]】":
        return False
    if role_of(report, report.sections[line.section]) in FRAME:
        return True
    return line.start < 0.06 * len(report.source)


def _topic(report: Report, line: Line, draw: Random) -> str | None:
    """What the sentence is about, as a noun phrase the report uses: a section's title that shares its terms."""
    terms = report.sentence_terms[line.index]
    near = [phrase for _, phrase in section_phrases(report) if content_terms(phrase) & terms]
    if near:
        return draw.choice(near)
    title = report.sections[1].title if len(report.sections) > 1 else ""
    return phrase_of(report, title)


def _aside(report: Report, line: Line, draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    if not _POSITION.search(line.text) or re.match(r"[*\"“]", line.text):
        return
    topic = _topic(report, line, draw)
    if topic is None:
        return
    new = draw.choice(_BESIDE_ZH if zh else _BESIDE_EN).format(p=topic, P=capital(topic))
    yield edit(
        line, 0, len(line.text), new, pattern="answer-put-aside", note=f"no longer said: {line.text[:90]}"
    )


def _elsewhere(report: Report, line: Line, everything: list[Line], draw: Random) -> Iterator[TextRevision]:
    """The answer replaced by what the body says, in passing, of something the question does not ask about."""
    if not _POSITION.search(line.text) or re.match(r"[*\"“]", line.text):
        return
    asked = content_terms(report.query or report.sections[min(1, len(report.sections) - 1)].title)
    mine = report.sentence_terms[line.index]
    if len(mine & asked) < 2:
        return
    low, high = 0.55 * len(line.text), 1.3 * len(line.text)
    zh = chinese(report)
    beside = [
        other
        for other in everything
        if low <= len(other.text) <= high
        and report.blocks[other.block].kind == "paragraph"
        and other.section != line.section
        and role_of(report, report.sections[other.section]) is None
        and not _LEANS.search(other.text)
        and not re.search(r"\d", plain_words(other.text))
        and other.text.rstrip()[-1:] in ".。]】"
        and len(report.sentence_terms[other.index] & asked) <= (2 if zh else 1)
        and len(report.sentence_terms[other.index] & mine) <= (4 if zh else 2)
    ]
    for other in draw.sample(beside, min(2, len(beside))):
        body = exchanged(plain_words(other.text[: other.tail]), draw, zh=zh)
        text = body + ("。" if zh else ".")
        note = (
            f"no longer said: {line.text[:80]}; instead a remark of line {report.lines.place(other.start)[0]}"
        )
        yield edit(line, 0, len(line.text), text, pattern="answers-something-else", note=note)


def _aims(line: Line, draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    match = (_AIM_ZH if zh else _AIM_EN).search(line.text)
    if match:
        new = draw.choice(_AIMS_ZH if zh else _AIMS_EN)
        yield edit(
            line,
            match.start("verb"),
            match.end("verb"),
            new,
            pattern="aim-moved",
            note=f"aim: {match['verb']} → {new}",
        )


def _neighbours(report: Report, line: Line) -> Iterator[TextRevision]:
    query = report.query or ""
    for asked, near in _NEIGHBOURS.items():
        if asked not in query and asked not in (report.sections[1].title if len(report.sections) > 1 else ""):
            continue
        pattern = re.escape(asked) if not asked.isascii() else rf"\b{re.escape(asked)}\b"
        found = list(re.finditer(pattern, line.text))
        if (
            len(found) == 1
            and near not in line.text
            and near not in query
            and not re.search(r"\d", line.text)
        ):
            match = found[0]
            yield edit(
                line,
                match.start(),
                match.end(),
                near,
                pattern="subject-moved",
                note=f"asked about {asked}, answers about {near}",
            )


def sites(report: Report, draw: Random) -> Iterable[Place]:
    """Paragraphs in which the report takes its position."""
    asked = (report.query or "")[:300]
    return places(report, draw, _FITS, hint=f"The question was: {asked}" if asked else "")


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """What the passage said of the question is gone or moved: its terms differ, and fewer of them are those asked about."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    lost = content_terms(found.before) - content_terms(found.after)
    gained = content_terms(found.after) - content_terms(found.before)
    if not lost and not gained:
        return "the passage is about the same as before"
    if shared_terms(found.before, found.after) > 0.97:
        return "the passage still answers what it answered"
    if reference.query:
        asked = content_terms(reference.query)
        before, after = content_terms(found.before), content_terms(found.after)
        closer = len(after & asked) - len(before & asked)
        if closer > 2:
            return "the passage is closer to the question than before"
    return None


OPERATOR = targeted(
    dimension="task_alignment",
    title="Task alignment and claim clarity",
    definition=(
        "Where the report took a position on the question, it now says something beside it: an adjacent matter, another subject or "
        "aim, or a remark that commits to nothing."
    ),
    definition_zh="报告原本对问题作出回答的地方，改为谈论相邻的事情：别的对象或目的，或一句不表明立场的泛泛之谈。",
    rule=rule,
    sites=sites,
    ask=(
        "Rewrite one sentence of the passage that answers the question so that it answers something adjacent instead (a neighbouring "
        "subject, the history of the topic, how it is studied), in the same tone and at about the same length. Say nothing false, add "
        "no figures, names or sources, and leave the other sentences alone."
    ),
    ask_zh="把段落中回答问题的一句话改为回答相邻的问题（邻近对象、话题的历史、研究方式等），语气和长度相近。不写错误内容，不新增数字、名称或来源，其他句子不动。",
    check=check,
    codes=("COV005", "COV006"),
)
