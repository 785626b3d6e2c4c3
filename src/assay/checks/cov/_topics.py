"""How much of the query's vocabulary, and of the report's own, each block speaks.

A passage that has drifted off its topic uses few words of the query and few words that occur anywhere else in the
report. Looking the latter up for every block would cost more than reading the report, so only blocks that hold almost
none of the query's words are compared with the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from statistics import median
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.query import keys_of, read_query
from assay.subjects.roles import role_of
from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import CJK_STOP, STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.parts import Section
    from assay.subjects.report import Report
    from assay.subjects.span import Span

_PHRASES: Final = PhraseFile("assay.checks", "cov")
_WORDS: Final = WordSets(_PHRASES)
_FEWEST_KEYS: Final = 4
# Long queries repeat themselves; this many words tell the topic.
_MOST_KEYS: Final = 32
_PAIR: Final = re.compile("[\u4e00-\u9fff]{2}")
_WORD: Final = re.compile(r"[a-z]{4,}")
# Enough to tell a third from a half.
_MOST_TERMS: Final = 60
_TERMS_WITHIN: Final = {"en": 1200, "zh": 600}
_REACH: Final = 15_000


def _spelled(keys: Iterable[str]) -> tuple[str, ...]:
    # A short key is looked for at the start of a word: "ion" stands in every second paragraph.
    return tuple(key if len(key) > 4 or not key.isascii() else f" {key}" for key in keys)


@lru_cache(maxsize=256)
def _query_keys(query: str) -> tuple[str, ...]:
    return _spelled(sorted(read_query(query).terms, key=lambda term: (-len(term), term))[:_MOST_KEYS])


def topic_keys(report: Report) -> tuple[str, ...]:
    """Return words of the query and of the report's title.

    The result is empty if they say too little or the languages differ. Without a query the title stands in for it.
    """
    found: tuple[str, ...] | None = report.memo.get(topic_keys)
    if found is None:
        found = report.memo[topic_keys] = _topic_keys(report)
    return found


def _topic_keys(report: Report) -> tuple[str, ...]:
    keys: tuple[str, ...] = ()
    if report.query:
        if read_query(report.query).language != report.language:
            return ()
        keys = _query_keys(report.query)
    titles = [section.title for section in report.sections[1:2]]
    found = dict.fromkeys((*keys, *_spelled(keys_of(" ".join(titles)))))
    return tuple(found) if len(found) >= _FEWEST_KEYS else ()


def count_keys(text: str, keys: tuple[str, ...], most: int) -> int:
    """Return how many of the keys occur in ``text``, counted up to ``most``."""
    found = 0
    for key in keys:
        if key in text:
            found += 1
            if found >= most:
                break
    return found


def topic_terms(report: Report, span: Span) -> list[str]:
    """Terms of a span that can tell one topic from another: word stems, or pairs of Chinese characters."""
    lower = report.cues.lower
    # The first terms nearly always stand in the first lines; only where they do not is the rest read too.
    at = span.start + _TERMS_WITHIN[report.language]
    while at < span.end and "a" <= lower[at] <= "z":
        at += 1
    if at < span.end and len(terms := _terms(report, lower, span.start, at)) == _MOST_TERMS:
        return terms
    return _terms(report, lower, span.start, span.end)


def _terms(report: Report, lower: str, start: int, end: int) -> list[str]:
    if report.language == "zh":
        pairs = [p for p in dict.fromkeys(_PAIR.findall(lower, start, end)) if p not in _WORDS.report_words]
        return [p for p in pairs if p[0] not in CJK_STOP and p[1] not in CJK_STOP][:_MOST_TERMS]
    words = _WORD.findall(lower, start, end)
    found = dict.fromkeys([word[:6] for word in words if word not in STOPWORDS])
    return [stem for stem in found if stem not in _WORDS.report_words][:_MOST_TERMS]


def shared_share(report: Report, span: Span, terms: list[str], enough: float) -> float:
    """Return which share of a span's terms occurs in the body outside it; counting stops above ``enough``."""
    end = report.body_end
    limit = enough * len(terms)
    shared = 0
    chinese = report.language == "zh"
    for term in terms:
        if _outside(report, term, span, end, chinese=chinese):
            shared += 1
            if shared > limit:
                break
    return shared / len(terms) if terms else 1.0


def _outside(report: Report, term: str, span: Span, end: int, *, chinese: bool) -> bool:
    if chinese:
        # A bounded look around keeps the whole linear: in a book of a million words a finding far off tells little.
        lower = report.cues.lower
        return (
            lower.find(term, max(0, span.start - _REACH), span.start) >= 0
            or lower.find(term, span.end, min(end, span.end + _REACH)) >= 0
        )
    places = report.cues.prefix(term)
    return bool(places) and (
        places[0][0] < span.start or any(span.end <= at < end for at, _ in reversed(places))
    )


class Apart(msgspec.Struct, frozen=True):
    """A section that stands apart: its index, query terms it holds, the median of its siblings, its shared share."""

    section: int
    keys: int
    expected: float
    share: float


# A section is judged when it is long enough to show what it is about and is not most of the report.
_LEAST_SECTION: Final = {"en": 300, "zh": 90}
_MOST_OF_REPORT: Final = 0.4
_FEWEST_SECTIONS: Final = 3
_FEWEST_TERMS: Final = 15
# Against its siblings' median of query terms (per root of length, as vocabularies grow), and share of own terms met
# outside. Nearly half of 145 sections from reports on other questions lie below both, and none of 4,600 real ones.
_RATIO: Final = 0.6
_MOST_HELD: Final = 3
# A section shows what it is about in its first lines; reading on would cost more than it tells.
_WINDOW: Final = {"en": 900, "zh": 350}
_HEAD: Final = 1500
_SAMPLE: Final = 7
_SHARE: Final = {"en": 0.22, "zh": 0.13}


def _title_terms(report: Report, title: str) -> set[str]:
    lower = title.lower()
    if report.language == "zh":
        return {p for i in range(len(lower) - 1) if _PAIR.match(p := lower[i : i + 2])} - _WORDS.report_words
    return {word[:6] for word in _WORD.findall(lower) if word not in STOPWORDS} - _WORDS.report_words


def _announced(report: Report, section: Section, titles: Counter[str]) -> bool:
    """Return whether a term of the section's title is in the query or in a title beside its own and its parent's."""
    own = _title_terms(report, section.title)
    above = (
        _title_terms(report, report.sections[section.parent].title) if section.parent is not None else set()
    )
    query = (report.query or "").lower()
    return any(term in query or titles[term] > 1 + (term in above) for term in own)


def sections_apart(report: Report) -> tuple[Apart, ...]:
    """Sections with few of the query's terms whose own terms hardly occur elsewhere."""
    found: tuple[Apart, ...] | None = report.memo.get(sections_apart)
    if found is None:
        found = report.memo[sections_apart] = _sections_apart(report)
    return found


def _sections_apart(report: Report) -> tuple[Apart, ...]:
    if report.language not in _SHARE or len(report.sections) <= _FEWEST_SECTIONS:
        return ()
    keys = topic_keys(report)
    if not keys:
        return ()
    lower = report.cues.lower
    least, most = _LEAST_SECTION[report.language], _MOST_OF_REPORT * len(report.source)
    judged = [s for s in report.sections[1:] if 2 <= s.level <= 3 and least <= len(s.span) <= most]
    if len(judged) < _FEWEST_SECTIONS:
        return ()
    # Words of the query that the report itself begins with tell its topic best, and are soon found again.
    head = lower[:_HEAD]
    spoken = tuple(key for key in keys if key in head)
    keys = spoken if len(spoken) > _FEWEST_KEYS else keys
    window = _WINDOW[report.language]
    texts = {s.index: lower[s.span.start : min(s.span.end, s.span.start + window)] for s in judged}
    few = [s for s in judged if count_keys(texts[s.index], keys, _MOST_HELD + 1) <= _MOST_HELD]
    few = [s for s in few if role_of(report, s) is None]
    # Where half the sections hold few of the query's words, the query's words say little.
    if not few or len(few) * 2 > len(judged):
        return ()
    sample = judged[:: -(-len(judged) // _SAMPLE)]
    middle = median(count_keys(texts[s.index], keys, len(keys)) / len(texts[s.index]) ** 0.5 for s in sample)
    titles: Counter[str] | None = None
    out: list[Apart] = []
    for section in few:
        root = len(texts[section.index]) ** 0.5
        held = count_keys(texts[section.index], keys, len(keys))
        if held >= _RATIO * middle * root or (out and section.parent == out[-1].section):
            continue
        terms = topic_terms(report, section.span)
        if len(terms) < _FEWEST_TERMS:
            continue
        limit = _SHARE[report.language]
        share = shared_share(report, section.span, terms, limit)
        if share > limit:
            continue
        if titles is None:
            titles = Counter(term for s in report.sections for term in _title_terms(report, s.title))
        if not _announced(report, section, titles):
            out.append(Apart(section.index, held, middle * root, share))
    return tuple(out)
