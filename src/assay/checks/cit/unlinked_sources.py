"""A list of sources to which nothing in the text points.

A closing list of addresses shows what an agent has opened, not what its claims rest on. If no statement cites an entry,
readers would have to search every source for every claim. A text that names many of its sources by author or title,
cites works by author and year, or has marks of its own ("Learning 12"), is not flagged.

Known problems: a text may name its sources in other words than the list does.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.author_years import mentioned_works

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_ENTRIES: Final = 3
_STRAY: Final = 2
_WORDS: Final = 150
_WORKS: Final = 3
_AUTHOR: Final = re.compile(
    r"[\s\[(\-*\d.)\]]{0,8}(?P<name>[^\W\d_][\w.'’\-]{2,30})[^\n]{0,80}?(?P<year>(?:19|20)\d\d)"
)
_MARKS: Final = 3
# "(Learning 12)", "(**L-3**; …)": marks of the text's own, but not its parts.
_OWN_MARK: Final = re.compile(
    r"[(（\[;,][ *]{0,4}(?!(?:table|fig|figure|section|chapter|phase|step|level|stage|part|tier|appendix|type|class)\b)"
    r"([A-Za-z]{1,12})[- ]\d{1,3}[ *]{0,4}(?=[)）\];,])",
    re.IGNORECASE,
)
_NAMED: Final = 0.3
_WORD: Final = re.compile(r"[^\W\d_]{4,}|[\u4e00-\u9fff]{2,}")

_UNLINKED: Final = Wording(
    en="The report lists {n} sources but says nowhere which statement rests on which",
    zh="报告列出了{n}个来源，但没有说明哪处陈述依据哪个来源",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding at the first entry of the list."""
    listed = [source for source in report.sources if source.references]
    if (
        len(listed) < _ENTRIES
        or len(report.citations) > _STRAY
        or any(index is not None for citation in report.citations for index in citation.references)
        or not report.citations_readable
        or report.words < _WORDS
    ):
        return
    start = report.references[0].span.start
    if len(mentioned_works(report.source[:start])) >= _WORKS or _has_own_marks(report.source[:start]):
        return
    if any(_is_cited(report.text(source.span), report.source[:start]) for source in listed):
        return
    body = report.source[:start].lower()
    named = sum(1 for source in listed if _is_named(source.title or report.text(source.span), body))
    if named < _NAMED * len(listed):
        yield Hit(report.references[0].span, _UNLINKED(n=len(listed)), confidence=0.9)


def _is_cited(entry: str, body: str) -> bool:
    """Return whether a text cites an entry by its first author and year: "Wu et al. (2021)"."""
    match = _AUTHOR.match(entry)
    if match is None or match["name"].lower().startswith("http") or match["name"] not in body:
        return False
    cited = rf"(?<!\w){re.escape(match['name'])}(?:,? et al\.?| (?:and|&) [\w.'’\-]{{2,30}})?,?\s?[(（]?{match['year']}\b"
    return re.search(cited, body) is not None


def _has_own_marks(body: str) -> bool:
    marks = {" ".join(match.group().strip(" *(（[;,").split()) for match in _OWN_MARK.finditer(body)}
    words = Counter(mark.rstrip("0123456789") for mark in marks)
    return any(n >= _MARKS for n in words.values())


def _is_named(title: str, body: str) -> bool:
    """Return whether the text has the first two words of a title, or of the authors, beside each other."""
    words = _WORD.findall(title.lower())[:2]
    return len(words) == 2 and words[0] not in ("http", "https") and f"{words[0]} {words[1]}" in body


_FILL = "Heat pumps spread because gas became dear and grants were raised. " * 15
_FILL_ZH = "由于天然气涨价和补贴提高，热泵迅速普及，各地安装量持续上升。" * 8
_LIST = "- https://a.example.org/report\n- https://b.example.org/study\n- https://c.example.org/survey\n"

CHECK = Check(
    code="CIT014",
    name="unlinked-sources",
    severity="info",
    summary="A list of sources to which nothing in the text points.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(
        Example(f"{_FILL}\n\n## Sources\n\n{_LIST}"),
        Example(f"{_FILL_ZH}\n\n## 参考来源\n\n{_LIST}"),
    ),
    good=(
        Example(f"{_FILL} Sales doubled (https://a.example.org/report).\n\n## Sources\n\n{_LIST}"),
        Example(
            f"{_FILL} Sales doubled (Wu 2019), as Lee et al. (2021) and Park (2020) say.\n\n## Sources\n\n{_LIST}"
        ),
        Example(f"{_FILL} It grew (Study 3), then fell (Study 7; Study 12).\n\n## Sources\n\n{_LIST}"),
        Example(
            f"{_FILL} The Nordic Pump Survey and the Alpine Grid Study agree.\n\n## Sources\n\n"
            "- Nordic Pump Survey 2023. https://a.example.org/n\n- Alpine Grid Study. https://b.example.org/s\n"
            "- Ministry of Energy. https://c.example.org/m\n"
        ),
    ),
)
