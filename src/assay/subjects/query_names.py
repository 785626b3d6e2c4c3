"""Names in a query: people, organisations, products, places, titles, and the abbreviations given for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.text.words import STOPWORDS, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterator


class QueryName(msgspec.Struct, frozen=True):
    """A name, and the lower-case strings any of which shows that a text speaks of it."""

    text: str
    start: int
    end: int
    forms: tuple[str, ...]


_WORD: Final = r"(?:(?!I['’])[A-Z][\w&’'\-]*|[A-Z](?:\.[A-Z])+\.?|[a-z]{1,2}[A-Z]\w+|\d+[A-Z]\w*)"
_RUN: Final = re.compile(rf"{_WORD}(?:[ ](?:(?:of|de|von|van|the|for|&)[ ])?(?:{_WORD}|\d+))*")
_LATIN_IN_CJK: Final = re.compile(r"[A-Za-z][A-Za-z0-9+\-]*(?: [A-Z][A-Za-z0-9+\-]*)*")
_TITLE: Final = re.compile(r"《([^》]{2,60})》")
_ABBREVIATION: Final = re.compile(r"[(（]([A-Z][A-Za-z0-9\-]{1,9}s?)[)）]")
_POSSESSIVE: Final = re.compile(r"['’]s(?:\s+|$)")
_ACRONYM: Final = re.compile(r"^(?:[A-Z0-9][A-Z0-9&+\-]+s?|[A-Za-z]*\d\w*|\w*[a-z][A-Z]\w*)$")
_SENTENCE_START: Final = re.compile(r"(?:^|[.?!:;。？！：；\n•\-]|\d[.)])[\s\"'“‘(]*$")

_STRETCH: Final = re.compile(r"['\"“‘]([^'\"”’\n]{20,200})['\"”’]|[^.,?!;:\n'\"“”]{20,300}")
# "In the field of FinTech": where the question lives, not what it asks about.
_FIELD: Final = re.compile(r"\b(?:field|area|domain|realm|context|age|era) of (?:the )?$", re.IGNORECASE)

# Who asks, and from where: "I manage homes in Oslo", 我在上海市郊….
_ASKER: Final = re.compile(
    r"(?:(?<=^)|(?<=[.?!。？！\n]))\s*(?:我(?:们)?(?:是|在|今年|负责|公司|部门)|(?:I|We)(?:'m| am| are| manage| own| work"
    r"| live| run| have)\b|As an? |Acting as )[^.?!。？！，,\n]{0,200}"
)

# Capitalised words that name nothing: they open sentences and headings of queries.
_OPENERS: Final = frozenset(
    """please write analyze analyse research find provide summarize summarise trace create list include identify
    explain compare conduct focus cover ensure additionally finally conversely furthermore examples example
    acting your could given while regarding within exploring explore researching investigate examine discuss
    describe develop design draft prepare produce objective topic background based since however although
    question questions note task report title goal help show tell make use need want put say do does did is are
    can should would will was were has have had been considering suppose assume detailed also specifically
    understanding""".split()
)
# Parts of names that are too common to show that the name is meant.
_GENERIC: Final = frozenset(
    """university institute company group inc ltd corp new south north east west united states great big the of and
    for de von van city national international association department ministry school college center centre act
    law framework system model theory english chinese language analysis study project program programme research
    report section part table figure version series edition general""".split()
)
_ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "ai": ("artificial intelligence", "人工智能"),
    "us": ("united states", "u.s.", "america", "美国"),
    "usa": ("united states", "u.s.", "america", "美国"),
    "uk": ("united kingdom", "u.k.", "britain", "british", "england", "英国"),
    "eu": ("european union", "europe", "欧盟"),
    "china": ("chinese", "中国", "prc"),
    "america": ("american", "u.s.", "united states"),
    "americas": ("america",),
    "france": ("french",),
    "spain": ("spanish",),
    "germany": ("german",),
    "netherlands": ("dutch",),
    "greece": ("greek",),
    "switzerland": ("swiss",),
    "britain": ("british", "uk", "u.k.", "united kingdom"),
    "k8s": ("kubernetes",),
    "kubernetes": ("k8s",),
    "pe": ("私募", "private equity"),
    "vc": ("风险投资", "风投", "创投", "venture capital"),
    "hiv": ("艾滋",),
    "gsc": ("gcs",),
    "saas": ("software-as-a-service", "software as a service", "软件即服务"),
    "app": ("应用",),
    "it": ("信息技术", "information technology"),
    "vr": ("虚拟现实", "virtual reality"),
    "ar": ("增强现实", "augmented reality"),
    "5g": ("第五代",),
    "esg": ("可持续",),
    "ip": ("知识产权",),
    "prometheus": ("普罗米修斯",),
    "gaussian": ("高斯",),
}
_PLACES: Final = (
    "中国 美国 日本 韩国 朝鲜 德国 英国 法国 俄罗斯 印度 巴西 加拿大 澳大利亚 新加坡 意大利 西班牙 荷兰 瑞士 瑞典 挪威 芬兰 丹麦 以色列 越南 泰国 印尼 "
    "马来西亚 菲律宾 墨西哥 南非 埃及 土耳其 沙特 阿联酋 欧洲 欧盟 非洲 东南亚 拉美 北美 南美 中东 北京 上海 广州 深圳 香港 澳门 台湾 浙江 江苏 广东 四川 山东 湖北 "
    "杭州 成都 南京 武汉 重庆 天津 西安 苏州"
).split()
_PLACE_ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "中国": ("我国", "国内", "china"), "美国": ("u.s", "usa", "美"), "英国": ("uk", "英"), "欧盟": ("欧洲", "eu"), "欧洲": ("欧盟",
    "欧", "eu"),
    "印尼": ("印度尼西亚",), "拉美": ("拉丁美洲", "南美"), "北美": ("美国", "加拿大"), "南美": ("拉美", "拉丁美洲"), "日本": ("日", "japan"),
    "韩国": ("韩", "korea"), "法国": ("法",), "德国": ("德",), "东南亚": ("东盟",), "非洲": ("南非", "尼日利亚", "肯尼亚", "埃及"),
}  # fmt: skip


def read_names(text: str) -> Iterator[QueryName]:
    """Yield names in order of appearance, each once."""
    seen: set[str] = set()
    chinese = has_cjk(text)
    found = [*_chinese_names(text)] if chinese else [*_english_names(text)]
    about_asker = [match.span() for match in _ASKER.finditer(text)]
    found = [name for name in found if not any(a <= name.start < b for a, b in about_asker)]
    long_forms = _abbreviations(text)
    for name in sorted(found, key=lambda name: name.start):
        key = name.text.lower()
        if key not in seen:
            seen.add(key)
            extra = tuple(form for part in (key, *name.forms) for form in long_forms.get(part, ()))
            yield QueryName(name.text, name.start, name.end, (*name.forms, *extra))


def _abbreviations(text: str) -> dict[str, tuple[str, ...]]:
    """Return each short form given in brackets with the last two words before it; either stands for the other."""
    out: dict[str, tuple[str, ...]] = {}
    for match in _ABBREVIATION.finditer(text):
        words = text[max(0, match.start() - 60) : match.start()].lower().split()
        short = match.group(1).lower()
        if words and words[-1].isascii():
            out[short] = (*out.get(short, ()), " ".join(words[-2:]))
    return out


def _forms(name: str) -> tuple[str, ...]:
    forms: dict[str, None] = {}
    for token in re.findall(r"[^\s&]+", name):
        bare = re.sub(r"['’]s$", "", token).strip(".,").lower()
        if len(bare) < 2 or all(part in _GENERIC or part in STOPWORDS for part in bare.split("-")):
            continue
        # Demonyms and plurals: "Japan" is met by "Japanese".
        forms[bare.rstrip("s") if len(bare) > 4 and not bare.endswith("ss") else bare] = None
        for alias in _ALIASES.get(bare, ()):
            forms[alias] = None
        if "-" in bare:
            # "LN-based", "Mean-Variance": the parts are met alone, and with other dashes between them.
            forms.update(
                dict.fromkeys(part for part in bare.split("-") if len(part) > 1 and part not in _GENERIC)
            )
    return tuple(forms)


def _title_spans(text: str) -> list[tuple[int, int]]:
    """Stretches written in title case, where capitals mark no names."""
    spans: list[tuple[int, int]] = []
    for match in _STRETCH.finditer(text):
        words = [word for word in re.findall(r"[A-Za-z][\w\-]+", match.group()) if len(word) > 3]
        if len(words) >= 6 and sum(word[0].isupper() for word in words) > 0.6 * len(words):
            spans.append(match.span())
    return spans


def _runs(text: str) -> Iterator[tuple[int, str]]:
    """Runs of capitalised words; a possessive ends one: "Google's A2A" is two names."""
    for match in _RUN.finditer(text):
        start = match.start()
        for piece in _POSSESSIVE.split(match.group()):
            if piece:
                at = text.index(piece, start)
                yield at, piece
                start = at + len(piece)


def _english_names(text: str) -> Iterator[QueryName]:
    titles = _title_spans(text)
    for begin, run in _runs(text):
        start, tokens = begin, run.split(" ")
        opens = bool(_SENTENCE_START.search(text[max(0, start - 12) : start]))
        while tokens and (tokens[0].lower() in _OPENERS or tokens[0].lower() in STOPWORDS):
            start += len(tokens[0]) + 1
            tokens = tokens[1:]
            opens = False
        if not tokens:
            continue
        # Many capitals in a row are a title; its words are ordinary ones.
        if len(tokens) > 5:
            continue
        acronym = any(map(_ACRONYM.match, tokens))
        if not acronym and ((opens and len(tokens) == 1) or any(a <= start < b for a, b in titles)):
            continue
        if _FIELD.search(text[max(0, start - 20) : start]):
            continue
        name = " ".join(tokens).rstrip(".-")
        forms = _forms(name)
        if forms and not name.isdigit():
            yield QueryName(name, start, start + len(name), forms)


def _chinese_names(text: str) -> Iterator[QueryName]:
    titles = [match.span() for match in _TITLE.finditer(text)]
    for match in _TITLE.finditer(text):
        core = re.sub(r"[（(].*$", "", match.group(1))
        yield QueryName(match.group(1), match.start(1), match.end(1), (core.lower(), core[:4].lower()))
    for match in _LATIN_IN_CJK.finditer(text):
        word = match.group().strip("-")
        if (
            (len(word) >= 3 or word.isupper())
            and "+" not in word[1:-1]
            and not any(a <= match.start() < b for a, b in titles)
            and "=" not in text[match.end() : match.end() + 1]
        ):
            forms = _forms(word)
            if forms:
                yield QueryName(word, match.start(), match.start() + len(word), forms)
    for place in _PLACES:
        at = text.find(place)
        if at >= 0:
            yield QueryName(place, at, at + len(place), (place, *_PLACE_ALIASES.get(place, ())))
