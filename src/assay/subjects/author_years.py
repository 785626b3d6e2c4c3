"""Author–year citations.

``(Smith, 2021)``, ``(Smith et al., 2021; Li & Wu, 2020)``, ``Smith et al. (2021)``, （张伟等，2021）, （张伟、李明，2021）,
（国家统计局，2024年）.

Reports put far more in such brackets than authors: "(Iran, 2011)" is a film, "(Nominal yen, 2024)" a unit. So a bracket
counts only when it names an entry of the reference list, when it says "et al.", or when the report as a whole plainly
cites this way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.subjects.marked_text import MarkedText
    from assay.subjects.parts import Reference

_YEAR: Final = r"(?:19|20)\d\d[a-z]?"
_BRACKET: Final = re.compile(r"[(（]([^()（）\n]{4,300})[)）]")
_LONE_YEAR: Final = re.compile(rf"\s?({_YEAR})(?:[,:]\s*pp?\.\s*\d{{1,4}}(?:[-–]\d{{1,4}})?)?\s?$")
_LATIN: Final = r"(?:(?:de|van|von|der|den|la|le|al|el|di|da|bin|ibn)\s){0,2}[A-Z\u00c0-\u00de][\w'’\-]+"
_PART: Final = re.compile(
    rf"""^\s*(?:(?:see(?:\ also)?|e\.g\.|cf\.|i\.e\.|for\ example|参见|详见|见|如)[,，:：\s]*)?
    (?P<name>{_LATIN}|[\u4e00-\u9fff]{{2,4}}?|[A-Z]{{2,8}})
    (?P<more>[^\d,，;；]{{0,80}}?(?:[,，]\s[^\d,，;；]{{1,60}}?){{0,3}})
    [,，.]?\s?(?P<comma>[,，]?)\s?(?P<year>{_YEAR})\b""",
    re.VERBOSE,
)
_SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史"
    "陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤葛柳俞洪鲍施尤章温康牛樊霍殷庄岳齐梅"
)
# "张伟、李明，2021", "国家统计局，2024年": people or a body.
_CHINESE_PART: Final = re.compile(
    rf"^\s*(?:参见|详见|见|如)?(?P<name>[\u4e00-\u9fff·]{{2,20}}?)(?P<more>等人?|(?:[、和与及][\u4e00-\u9fff·]{{2,10}}){{1,4}}等?)?"
    rf"[,，\s]\s?(?P<year>{_YEAR})年?\s*$"
)
_BEFORE: Final = re.compile(
    rf"(?<!\w)(?P<name>{_LATIN}|[\u4e00-\u9fff]{{2,3}})(?P<more>(?:,?\set\sal\.?|等人?"
    rf"|(?:,\s{_LATIN}){{0,3}},?\s(?:and|&)\s{_LATIN}|[和与][\u4e00-\u9fff]{{2,3}})?)$"
)
_SURE: Final = re.compile(r"\bet\sal\b|等")
_PERSON_MAX: Final = 3
# What may follow the first name: more names, "&", "and", an organisation's words. Not a slash, a colon, a verb.
_NAMES: Final = re.compile(
    rf"^[,，\s]*(?:(?:{_LATIN}|[A-Z]\.|and|&|of|for|the|on|et\sal\.?|等人?|和|与"
    rf"|[\u4e00-\u9fff]{{2,4}})(?:[,，、\s]+|$)){{0,8}}$"
)
_NOT_AUTHOR: Final = re.compile(
    r"""(?ix)^(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)(?:\b|uary|ruary|ch|il|e|y|ust|tember
    |ober|ember)
      |(?:q[1-4]|h[12]|fy|as|since|until|from|by|in|around|circa|about|est|version|updated|accessed|published
      |retrieved|spring
      |summer|autumn|fall|winter|early|mid|late|year|expected|projected|forecast|data|founded|established
      |launched|released
      |the|before|after|end|through|up|ver|ed|vol|no|table|figure|fig|section|chapter|appendix)\b
      |(?:截至|截止|至|约|预计|自|从|到|成立|发布|更新|数据|第|修订|试行|版))"""
)
# What a text without a list of these works cites: "Lee et al. 2021", "(Lee & Park, 2021)", "Lee and Park (2021)".
_MENTION: Final = re.compile(
    rf"""(?<!\w)(?P<name>{_LATIN})
        (?: (?:,?\set\sal\.?|\s(?:and|&)\s{_LATIN}),?\s?[(（]?{_YEAR}\b | \s[(（]{_YEAR}[)）])
      | [(（;]\s?(?P<alone>{_LATIN}),?\s{_YEAR}\s?[)）;,]""",
    re.VERBOSE,
)
_WINDOW: Final = 90
_LONE_MAX: Final = 20
_STYLE: Final = 2


class AuthorYear(msgspec.Struct, frozen=True):
    """A citation by author and year: its place, its keys (``"smith 2021"``), the entry of each or None."""

    span: Span
    keys: tuple[str, ...]
    references: tuple[int | None, ...]


def mentioned_works(text: str) -> set[str]:
    """Return the citations by author and year in a text, in lower case, whether or not a list has the works.

    >>> sorted(mentioned_works("Lee and Park (2021) agree (Wu 2019), as in (May 2019)."))
    ['lee and park 2021', 'wu 2019']
    """
    return {
        " ".join(re.sub(r"[(（;,)）]", " ", match.group().lower()).split())
        for match in _MENTION.finditer(text)
        if not _NOT_AUTHOR.match(match["name"] or match["alone"])
    }


class _AuthorYearMarker(msgspec.Struct):
    span: Span
    keys: tuple[str, ...]
    references: tuple[int | None, ...]
    sure: bool
    plausible: bool


class _ReferencesByYear:
    """The reference list by year, for look-up by a first author."""

    def __init__(self, report: MarkedText, references: Sequence[Reference]) -> None:
        self.by_year: dict[str, list[tuple[int, str]]] = {}
        for ref in references:
            text = report.source[ref.span.start : ref.span.end]
            if ref.url:
                text = text.replace(ref.url, " ")
            head = text[:120].lower()
            for year in dict.fromkeys(re.findall(rf"(?<!\d){_YEAR}(?!\d)", text)):
                self.by_year.setdefault(year, []).append((ref.index, head))
                if len(year) > 4:
                    self.by_year.setdefault(year[:4], []).append((ref.index, head))

    def find(self, name: str, year: str) -> int | None:
        """Return the reference of that year whose first author has the name, otherwise one that names them later."""
        other: int | None = None
        for wanted in dict.fromkeys((year, year[:4])):
            for index, head in self.by_year.get(wanted, ()):
                at = head.find(name)
                if at >= 0 and not (name.isascii() and _inside_word(head, at, len(name))):
                    before = head[:at]
                    if "," not in before and " and " not in before and "&" not in before:
                        return index
                    other = index if other is None else other
        return other


def _inside_word(text: str, at: int, size: int) -> bool:
    before = text[at - 1 : at]
    after = text[at + size : at + size + 1]
    return before.isalnum() or after.isalnum()


def find_author_years(
    report: MarkedText, references: Sequence[Reference], *, numbered: bool
) -> list[AuthorYear]:
    """Return author–year citations of the body in order.

    Args:
        report: The report.
        references: Entries of its reference list.
        numbered: Whether it numbers its citations; then only what is certain counts.
    """
    plain = report.plain
    entries: _ReferencesByYear | None = None
    candidates: list[_AuthorYearMarker] = []
    for match in _BRACKET.finditer(plain):
        inner = match[1]
        # Cheap tests first: most brackets hold no year near their end.
        if not (inner[-1].isdigit() or inner[-2].isdigit()) or ("20" not in inner and "19" not in inner):
            continue
        entries = entries or _ReferencesByYear(report, references)
        lone = _LONE_YEAR.match(inner) if len(inner) < _LONE_MAX else None
        found = _narrative(plain, match, lone[1], entries) if lone else _bracket(match, entries)
        if found is not None:
            candidates.append(found)
    if not candidates:
        return []
    known = {
        key for c in candidates for key, ref in zip(c.keys, c.references, strict=True) if ref is not None
    }
    style = not numbered and (len(known) >= _STYLE or sum(c.sure for c in candidates) > _STYLE)
    kept = [
        AuthorYear(c.span, c.keys, c.references)
        for c in candidates
        if c.sure
        or (c.plausible and (style or (not numbered and any(ref is not None for ref in c.references))))
    ]
    kept.sort(key=lambda found: found.span)
    return kept


def _bracket(match: re.Match[str], entries: _ReferencesByYear) -> _AuthorYearMarker | None:
    keys: list[str] = []
    references: list[int | None] = []
    sure = False
    plausible = True
    for part in re.split(r"[;；]", match[1]):
        if chinese := _CHINESE_PART.match(part):
            name, year = chinese["name"], chinese["year"]
            if _NOT_AUTHOR.match(name):
                continue
            reference = entries.find(name, year)
            person = len(name) <= _PERSON_MAX and name[0] in _SURNAMES
            plausible = plausible and (reference is not None or person or bool(chinese["more"]))
            sure = sure or (person and bool(_SURE.search(chinese["more"] or "")))
            keys.append(f"{name} {year}")
            references.append(reference)
            continue
        found = _PART.match(part)
        if found is None or _NOT_AUTHOR.match(part.lstrip()):
            continue
        sure = sure or bool(_SURE.search(found["more"]))
        if not _NAMES.match(found["more"]):
            plausible = False
        keys.append(f"{found['name'].lower()} {found['year']}")
        references.append(entries.find(found["name"].lower(), found["year"]))
    if not keys:
        return None
    return _AuthorYearMarker(
        Span(match.start(), match.end()), tuple(keys), tuple(references), sure, plausible
    )


def _narrative(
    plain: str, match: re.Match[str], year: str, entries: _ReferencesByYear
) -> _AuthorYearMarker | None:
    window = plain[max(0, match.start() - _WINDOW) : match.start()].rstrip()
    before = _BEFORE.search(window)
    if before is None or _NOT_AUTHOR.match(before["name"]):
        return None
    name = before["name"].lower()
    reference = entries.find(name, year)
    sure = bool(_SURE.search(before["more"]))
    if not sure and reference is None:
        # "Creature Comforts (1989)": any title looks like that.
        return None
    start = max(0, match.start() - _WINDOW) + before.start()
    return _AuthorYearMarker(
        Span(start, match.end()), (f"{name} {year}",), (reference,), sure, plausible=True
    )
