"""Passages beside the point: what could be said about a name or a term that a report uses, and nobody asked.

A frame is a small grammar. ``{X}`` is the name or the term; ``[a|b|c]`` is one of its parts, drawn; ``<a|b>`` is one of
them or nothing. So a frame gives dozens of sentences, and a longer or a shorter one as there is room for it. A frame is not
used where the question or the report is about what the frame is about.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.outcome._tangents_en import ENGLISH
from assay.interventions.outcome._tangents_zh import CHINESE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.report import Report

__all__ = ["Tangent", "Topic", "tangents", "topics"]

_CHOICE: Final = re.compile(r"\[([^\[\]<>]*)\]|<([^\[\]<>]*)>")
_COUNTRIES: Final = (
    "China|Japan|Germany|France|Italy|Spain|India|Brazil|Canada|Australia|Mexico|South Korea|Singapore|Norway|Sweden|Denmark|Finland|Netherlands|Switzerland|"
    "United Kingdom|United States|Turkey|Egypt|Chile|Argentina|Colombia|Iran|Israel|Indonesia|Vietnam|Thailand|Malaysia|Poland|Portugal|Greece|Ireland|Austria|Belgium|Russia|Taiwan"
)
_PLACE: Final = re.compile(rf"\b(?:{_COUNTRIES})\b")
_PLACE_ZH: Final = re.compile(
    "美国|日本|德国|法国|英国|韩国|印度|新加坡|加拿大|澳大利亚|意大利|西班牙|瑞士|瑞典|挪威|荷兰|俄罗斯|巴西|北京|上海|深圳|广州|杭州|成都|南京|武汉|苏州|重庆|西安|天津|浙江|江苏|广东|四川|山东"
)
_BODY: Final = re.compile(
    r"\b(?:[A-Z][\w&’'-]+ ){1,4}(?:University|Institute|Agency|Bank|Commission|Group|Council|Ministry|Association|Foundation|Organization|Academy|Society|Corporation|Fund|Center|Laboratory)\b(?! of)"
)
_BODY_ZH: Final = re.compile(
    r"(?:(?<=[，。；、（“])|(?<=\n)|(?<=[由据与和]))([\u4e00-\u9fff]{2,6}(?:大学|研究院|研究所|集团|银行|公司|协会|委员会|实验室|基金会|学会))"
)
_SHORT: Final = re.compile(r"(?<![\w/.-])[A-Z][A-Za-z]?[A-Z][A-Z0-9]{0,4}(?![\w/.-])")
_LATIN_ZH: Final = re.compile(r"(?<![A-Za-z0-9/.\[-])[A-Z]{2,6}(?![A-Za-z0-9/.\]-])")
_TITLE_ZH: Final = re.compile(r"《([\u4e00-\u9fffA-Za-z0-9·]{3,16})》")
_QUOTED_ZH: Final = re.compile(r"[“「]([\u4e00-\u9fff]{2,8})[”」]|\*\*([\u4e00-\u9fff]{2,8})[:：]?\*\*")
_PAIR: Final = re.compile(r"\b([a-z]{4,}) ([a-z]{4,})\b")
_NO_TERM: Final = frozenset(
    """this that these those with from have been such more most less than which their there where when while also into over between across
    other many some each both only very well high higher lower large larger small based using including related several various different
    significant important recent further specific overall major general particular early late long short ones thing things years year
    percent million billion report study studies research analysis example section data results findings literature evidence key main best
    strong stronger effective growing increasing complex multiple direct indirect after before under through within without upon toward
    show shows found find uses used make makes made provide provides offer offers include includes remain remains become becomes require requires
    support supports help helps lead leads play plays role drive drives need needs review peer-reviewed potential improve reduce increase enhance
    ensure rather even about them factor factors approach level method process information number group order allowing case they will would could should must does being were here then often widely highly still without""".split()
)
_TERM_TAILS: Final = ("ing", "ed", "ly", "ive", "ous", "al", "ic", "ible", "able", "ent", "ant", "ary", "s")
_ROMAN: Final = frozenset(
    (
        "II",
        "III",
        "IV",
        "VI",
        "VII",
        "VIII",
        "IX",
        "XX",
        "AND",
        "THE",
        "FOR",
        "PDF",
        "DOI",
        "URL",
        "HTTP",
        "HTTPS",
        "USA",
        "US",
        "UK",
        "EU",
        "EUR",
        "USD",
        "JPY",
        "CNY",
        "RMB",
        "GBP",
        "WHO",
        "GDP",
        "DNA",
        "RNA",
        "UN",
        "OECD",
        "IMF",
        "CEO",
        "CFO",
        "STEP",
        "MIT",
        "ID",
        "OK",
        "PPT",
        "API",
    )
)
_NO_TERM_ZH: Final = re.compile(
    r"[的与和及或为以是在从到对等不有更最了将被]|^[加提推强优降完促扩缩深构建实保增减改支注重促]|提升|影响|优势|挑战|定义|背景|特点|风险|建议|结论|方法|趋势|问题|机制不|作用|措施|总结|概述|方向|来源|现状|评估|分析|不足|要求|目标|内容|适用|场景|局限|大学|公司|银行|[一二三四五六七八九十百千万]"
)
# A term is used at least so often.
_OFTEN: Final = 3
_OFTEN_ZH: Final = 2


class Topic(msgspec.Struct, frozen=True):
    """A name or a term a tangent can be about: ``kind`` is place, body, short, term, title or none."""

    text: str
    kind: str


class Tangent(msgspec.Struct, frozen=True):
    """A passage beside the point, without a full stop at its end; ``about`` says what it drifts to."""

    text: str
    topic: Topic
    about: str
    clause: bool = False


def topics(report: Report) -> list[Topic]:
    """Names and terms of a report, those it uses most often first within each kind; worked out once."""
    known: list[Topic] | None = report.memo.get(topics)
    if known is None:
        known = report.memo[topics] = _topics(report)
    return list(known)


def _topics(report: Report) -> list[Topic]:
    plain = report.plain
    limit = report.reference_span.start if report.reference_span else len(plain)
    text = plain[:limit]
    if report.language == "zh":
        found = {
            "place": _PLACE_ZH.findall(text), "body": _BODY_ZH.findall(text), "title": _TITLE_ZH.findall(text),
            "short": [word for word in _LATIN_ZH.findall(text) if word not in _ROMAN], "term": _terms_zh(report, text),
        }  # fmt: skip
        least = {"short": 4, "body": 2}
    else:
        shorts = [word for word in _SHORT.findall(text) if word not in _ROMAN]
        pairs = _pairs(text)
        found = {
            "place": _PLACE.findall(text),
            "body": [_bare(name) for name in _BODY.findall(text)],
            "short": shorts,
            "term": pairs,
        }
        least = {"short": 4, "term": 3, "body": 2}
    out: list[Topic] = []
    for kind, names in found.items():
        counts: dict[str, int] = {}
        for name in names:
            counts[name] = counts.get(name, 0) + 1
        ranked = sorted(counts, key=lambda name: (-counts[name], name))
        out += [Topic(name, kind) for name in ranked[:8] if counts[name] >= least.get(kind, 1)]
    return out


def _pairs(text: str) -> list[str]:
    """Pairs of words that are a term: what comes before and after them varies, or they are part of a longer one."""
    found = [f"{one} {two}" for one, two in _PAIR.findall(text) if _is_term(one, two)]
    out = []
    for pair in dict.fromkeys(found):
        count = found.count(pair)
        if count < _OFTEN:
            continue
        after = re.findall(rf"\b{pair} ([a-z]{{4,}})", text)
        before = re.findall(rf"([a-z]{{4,}}|[A-Za-z]+-) ?{pair}\b", text)
        longer = max(
            (side.count(word) for side in (before, after) for word in side if word not in _NO_TERM), default=0
        )
        if 2 * longer <= count:
            out += [pair] * count
    return out


def _terms_zh(report: Report, text: str) -> list[str]:
    """What a Chinese report sets in quotation marks or bold type, and uses again and again."""
    limit = len(text)
    marked = dict.fromkeys("".join(pair) for pair in _QUOTED_ZH.findall(report.source[:limit]))
    return [
        term
        for term in marked
        if 2 < len(term) < 8 and not _NO_TERM_ZH.search(term)
        for _ in range(text.count(term))
        if text.count(term) >= _OFTEN_ZH
    ]


def _bare(name: str) -> str:
    return re.sub(r"^(?:The|In|At|By|For|From|And|As|While|Also|An?) ", "", name)


def _is_term(one: str, two: str) -> bool:
    return (
        one not in _NO_TERM
        and two not in _NO_TERM
        and not two.endswith(_TERM_TAILS)
        and not one.endswith(("ly", "es", "ed", "ing"))
    )


def tangents(
    report: Report, near: str, draw: Random, *, least: int, most: int, clause: bool = False
) -> Iterator[Tangent]:
    """Tangents between two lengths, in an order that is drawn; each about something of the passage where that can be.

    Args:
        report: What it departs from.
        near: The passage; topics that occur in it come first.
        draw: Frames, topics and wordings come from it.
        least: Characters it has at least.
        most: Characters it has at most.
        clause: Such as continue a sentence after a comma.
    """
    chinese = report.language == "zh"
    frames = [frame for frame in (CHINESE if chinese else ENGLISH) if frame.clause == clause]
    spoken: dict[str, bool] = report.memo.setdefault(tangents, {})
    for frame in frames:
        if frame.about not in spoken:
            spoken[frame.about] = _spoken_of(frame.about, (report.query or "").lower(), report.cues.lower)
    frames = [frame for frame in frames if not spoken[frame.about]]
    draw.shuffle(frames)
    # What begins with a word of the report fits in better than what begins with none.
    frames.sort(key=lambda frame: frame.kinds == "none")
    known = topics(report)
    draw.shuffle(known)
    known.sort(key=lambda topic: topic.text not in near)
    for frame in frames:
        topic = next((topic for topic in known if topic.kind in frame.kinds), None)
        if topic is None:
            if "none" not in frame.kinds:
                continue
            topic = Topic("", "none")
        written = _written(frame.text.replace("{X}", topic.text), draw, least, most)
        if written is not None:
            yield Tangent(written, topic, frame.about.split("|")[0], clause)


def _spoken_of(about: str, query: str, text: str) -> bool:
    """Whether a frame is about what the question asks, or what the report speaks of again and again."""
    words = about.split("|")
    return any(word in query for word in words) or sum(text.count(word) for word in words) > 5


def _written(text: str, draw: Random, least: int, most: int) -> str | None:
    """A wording of the frame that is as long as there is room for; None where none of a few is."""
    for _ in range(8):
        said = _CHOICE.sub(lambda match: _drawn(match, draw), text)
        said = re.sub(r"\s+", " ", said).replace(" ,", ",").strip()
        if least <= len(said) <= most:
            return said
    return None


def _drawn(match: re.Match[str], draw: Random) -> str:
    if match.group(1) is not None:
        return draw.choice(str(match.group(1)).split("|"))
    return draw.choice(str(match.group(2)).split("|")) if draw.random() < 0.5 else ""
