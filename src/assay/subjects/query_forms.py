"""Forms a query asks for: a table, so many rows or items, a length, a language, pictures, references."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

FormKind = Literal["table", "rows", "items", "words", "language", "image", "mind_map", "references"]


class RequestedForm(msgspec.Struct, frozen=True):
    """A requested form. ``low`` and ``high`` bound a count (None: open); ``value`` is the language asked for."""

    kind: FormKind
    text: str
    start: int
    end: int
    low: int | None = None
    high: int | None = None
    value: str | None = None


_WORDS: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50,
}  # fmt: skip
_NUMBER: Final = rf"(\d{{1,3}}(?:,\d{{3}})+|\d+|{'|'.join(_WORDS)})"
_ZH_NUMBER: Final = r"(\d+|[一二两三四五六七八九十百]+)"
_ZH_DIGITS: Final = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}

_TABLE: Final = re.compile(
    r"\b(?:in|as|into|with|using|include|including|provide|create|make|draw|present|add"
    r"|give)\s+(?:me\s+)?(?:a|an|one|the|summary"
    r"|comparison)?\s*(?:[\w\-]+\s+){0,3}?tables?\b(?!\s*(?:of contents|tennis|view|,))"
    r"|\bin tabular form\b|\btabulate\b|(?:用|以|做成|制作|列成|整理成|生成|给出|画|附|通过)(?:一?[张个份])?(?:\w{0,6}?)(?:表格|对比表"
    r"|比较表|一览表|汇总表)|表格(?:形式|比较|对比|呈现|展示|列出)",
    re.IGNORECASE,
)
_ROWS: Final = re.compile(
    rf"\b(?:at least|minimum of|no fewer than|with|of)\s+{_NUMBER}\s+(?:\w+\s+)?(?:rows|entries|lines)\b"
    rf"|(?:至少|不少于)\s*{_ZH_NUMBER}\s*(?:行|条记录)",
    re.IGNORECASE,
)
_ITEMS: Final = re.compile(
    rf"\b(?:top|at least|minimum of|no fewer than|list(?: of)?|name|identify|recommend|select|find"
    rf"|give(?: me)?|provide)\s+(?:the\s+)?(?:top\s+)?{_NUMBER}\s+(?!percent\b|years?\b|months?\b|weeks?\b"
    rf"|days?\b|hours?\b|words?\b|pages?\b|rows?\b|characters?\b|million\b|billion\b"
    rf"|thousand\b)[a-z][\w\-]*s\b"
    rf"|(?:前|至少|列出|列举|推荐|选出|评选出?)\s*{_ZH_NUMBER}\s*(?:-\s*\d+\s*)?(?:大|名|个|家|项|种|部|位|所|条|款|强|的)"
    rf"|{_ZH_NUMBER}\s*(?:个|家|项|所)(?:课题组|团队|公司|企业|机构|方案|案例|国家|产品|项目|学校)",
    re.IGNORECASE,
)
_LENGTH: Final = re.compile(
    rf"\b(?:in|of|with|within|under|below|between|about|around|approximately|at least|at most|no more than"
    rf"|not more than|up to|fewer than|less than|over|more than|maximum(?: of)?|minimum(?: of)?"
    rf"|max\.?)\s+{_NUMBER}(?:\s*(?:to|and|-|–|—)\s*{_NUMBER})?\s*words\b"
    rf"|\b{_NUMBER}(?:\s*(?:to|-|–)\s*{_NUMBER})?[ \-]words?\b(?:\s+(?:limit|maximum|or (?:less|fewer|more)))?",
    re.IGNORECASE,
)
_ZH_LENGTH: Final = re.compile(
    r"(不超过|不多于|少于|控制在|至少|不少于|不低于|超过|约|大约|篇幅|字数|以内)?[^\d。；，]{0,6}?(\d{3,6})\s*(?:(?:至|到|-|–|—"
    r"|~)\s*(\d{3,6}))?\s*(?:个)?(?:字|词)(以内|以上|左右|之内)?"
)
_LANGUAGE: Final = re.compile(
    r"\b(?:write|answer|respond|reply|report|written|output|present(?:ed)?|draft(?:ed)?|response|article"
    r"|deliver(?:ed)?)\b[^.?!\n]{0,40}?\bin\s+(english|chinese|mandarin)\b"
    r"|(?:用|以|使用)\s*(英文|英语|中文|汉语)(?:来)?(?:回答|撰写|写|作答|输出|书写|呈现|完成|回复)",
    re.IGNORECASE,
)
_IMAGE: Final = re.compile(
    r"\b(?:include|with|provide|add|attach|show|insert)\s+(?:[\w\-]+\s+){0,2}?(?:images?|pictures?|photos?"
    r"|photographs?|screenshots?)\b|(?:附上?|配上?|提供|插入|包含)[^。，]{0,6}(?:图片|照片|截图|配图)",
    re.IGNORECASE,
)
_MIND_MAP: Final = re.compile(r"\bmind[ \-]?map\b|思维导图|脑图", re.IGNORECASE)
_REFERENCES: Final = re.compile(
    r"\b(?:with|include|including|provide|add|extensive|numbered)\s+(?:[\w\-]+\s+){0,2}?(?:references"
    r"|citations|bibliography|sources)\b|\bcite\s+(?:your\s+|all\s+|the\s+)?(?:sources|references)\b"
    r"|\bonly cites\b"
    r"|(?:附上?|列出|给出|提供|注明|标注|带)[^。]{0,8}(?:参考文献|引用|来源|出处)",
    re.IGNORECASE,
)


# Each pattern with words one of which must occur for it to match: most queries ask for no form at all.
_PLAIN: Final[tuple[tuple[FormKind, re.Pattern[str], tuple[str, ...]], ...]] = (
    ("table", _TABLE, ("tab", "表")),
    ("image", _IMAGE, ("image", "picture", "photo", "screenshot", "图", "照片")),
    ("mind_map", _MIND_MAP, ("mind", "导图", "脑图")),
    (
        "references",
        _REFERENCES,
        ("reference", "cit", "bibliograph", "source", "文献", "引用", "来源", "出处"),
    ),
)
_COUNTED: Final[tuple[tuple[FormKind, re.Pattern[str], tuple[str, ...]], ...]] = (
    ("rows", _ROWS, ("row", "entries", "lines", "行", "记录")),
    ("items", _ITEMS, ("top", "at least", "minimum", "fewer", "list", "name", "identify", "recommend", "select",
    "find", "give", "provide",
                       "前", "至少", "列", "推荐", "选出", "个", "家", "项", "所")),
)  # fmt: skip


def _value(digits: str) -> int:
    low = digits.lower().replace(",", "")
    if low.isdigit():
        return int(low)
    if low in _WORDS:
        return _WORDS[low]
    return _chinese(low)


def _chinese(digits: str) -> int:
    """Chinese numerals up to ninety-nine: 十二 is 12, 二十 is 20."""
    if "十" not in digits:
        return _ZH_DIGITS.get(digits[:1], 0)
    tens, _, ones = digits.partition("十")
    return _ZH_DIGITS.get(tens, 1) * 10 + _ZH_DIGITS.get(ones, 0)


def _numbers(match: re.Match[str]) -> list[int]:
    return [_value(group) for group in match.groups() if group]


def read_forms(text: str) -> Iterator[RequestedForm]:
    """Requested forms in no particular order, one of each kind."""
    lower = text.lower()
    for kind, pattern, hints in _PLAIN:
        if any(hint in lower for hint in hints) and (match := pattern.search(text)):
            yield RequestedForm(kind, match.group(), match.start(), match.end())
    for kind, pattern, hints in _COUNTED:
        if not any(hint in lower for hint in hints):
            continue
        for match in pattern.finditer(text):
            numbers = _numbers(match)
            if numbers and 2 <= numbers[0] <= 200:
                yield RequestedForm(kind, match.group(), match.start(), match.end(), low=numbers[0])
                break
    if "word" in lower or "字" in text or "词" in text:
        yield from _length(text)
    if any(hint in lower for hint in ("english", "chinese", "mandarin", "英", "中文", "汉语")) and (
        match := _LANGUAGE.search(text)
    ):
        named = (match.group(1) or match.group(2)).lower()
        value = "en" if named in ("english", "英文", "英语") else "zh"
        yield RequestedForm("language", match.group(), match.start(), match.end(), value=value)


def _length(text: str) -> Iterator[RequestedForm]:
    if match := _LENGTH.search(text):
        numbers = _numbers(match)
        words = match.group().lower()
        low, high = _bounds(numbers, words)
        yield RequestedForm("words", match.group(), match.start(), match.end(), low, high)
        return
    for match in _ZH_LENGTH.finditer(text):
        numbers = [int(group) for group in (match.group(2), match.group(3)) if group]
        if match.group(1) or match.group(4) or len(numbers) == 2:
            low, high = _bounds(numbers, match.group())
            yield RequestedForm("words", match.group().strip(), match.start(), match.end(), low, high)
            return


def _bounds(numbers: list[int], words: str) -> tuple[int | None, int | None]:
    if len(numbers) >= 2:
        return min(numbers[:2]), max(numbers[:2])
    if re.search(
        r"under|below|within|at most|more than|up to|fewer|less|max|limit|不超过|不多于|少于|控制在|以内|之内",
        words,
    ) and not re.search(r"^(?:over|more than)", words):
        return None, numbers[0]
    if re.search(r"at least|minimum|over|or more|至少|不少于|不低于|超过|以上", words):
        return numbers[0], None
    # "About 2,000 words" is met by anything within a quarter of it.
    return round(numbers[0] * 0.75), round(numbers[0] * 1.25)
