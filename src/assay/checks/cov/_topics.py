"""How far each block shares the vocabulary of the query and of the rest of the report.

A passage that has drifted off its topic uses few words of the query and few words that occur anywhere else in the
report. To look up the latter for every block would cost more than to parse the report, so only blocks with almost none
of the query's words are compared with the rest.
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
# Long queries repeat themselves; this many words identify the topic.
_MOST_KEYS: Final = 32
_PAIR: Final = re.compile("[\u4e00-\u9fff]{2}")
_WORD: Final = re.compile(r"[a-z]{4,}")
# Enough terms to distinguish a share of a third from a share of a half.
_MOST_TERMS: Final = 60
_TERMS_WITHIN: Final = {"en": 1200, "zh": 600}
_REACH: Final = 15_000


def _spelled(keys: Iterable[str]) -> tuple[str, ...]:
    # A short key must begin a word: "ion" occurs inside words in every second paragraph.
    return tuple(key if len(key) > 4 or not key.isascii() else f" {key}" for key in keys)


@lru_cache(maxsize=256)
def _query_keys(query: str) -> tuple[str, ...]:
    return _spelled(sorted(read_query(query).terms, key=lambda term: (-len(term), term))[:_MOST_KEYS])


def topic_keys(report: Report) -> tuple[str, ...]:
    """Return the key words of the query and of the report's title; of the title alone if there is no query.

    The result is empty if there are fewer than four, or if query and report differ in language.
    """
    keys: tuple[str, ...] | None = report.memo.get(topic_keys)
    if keys is None:
        keys = report.memo[topic_keys] = _topic_keys(report)
    return keys


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
    """Return the number of keys that occur in ``text``, but at most ``most``."""
    count = 0
    for key in keys:
        if key in text:
            count += 1
            if count >= most:
                break
    return count


def topic_terms(report: Report, span: Span) -> list[str]:
    """Return the first 60 terms of a span that identify its topic: word stems, or pairs of Chinese characters."""
    lower = report.cues.lower
    # The first lines nearly always contain enough terms. If they do not, the rest is read too.
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
    stems = dict.fromkeys([word[:6] for word in words if word not in STOPWORDS])
    return [stem for stem in stems if stem not in _WORDS.report_words][:_MOST_TERMS]


def shared_share(report: Report, span: Span, terms: list[str], enough: float) -> float:
    """Return the share of ``terms`` that also occur in the body outside the span; counting stops above ``enough``."""
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
        # The bounded search keeps the check linear. In a very long text, an occurrence far away means little.
        lower = report.cues.lower
        return (
            lower.find(term, max(0, span.start - _REACH), span.start) >= 0
            or lower.find(term, span.end, min(end, span.end + _REACH)) >= 0
        )
    occurrences = report.cues.prefix(term)
    return bool(occurrences) and (
        occurrences[0][0] < span.start or any(span.end <= at < end for at, _ in reversed(occurrences))
    )


class Apart(msgspec.Struct, frozen=True):
    """A section on another topic than the rest of the report.

    Attributes:
        section: Index of the section.
        keys: Number of key words of the topic that it contains.
        expected: Number of key words that its length leads to expect, from the median of the sections.
        share: Share of its terms that occur outside it.
    """

    section: int
    keys: int
    expected: float
    share: float


# A section is judged if it is long enough to show its topic and not most of the report.
_LEAST_SECTION: Final = {"en": 300, "zh": 90}
_MOST_OF_REPORT: Final = 0.4
_FEWEST_SECTIONS: Final = 3
_FEWEST_TERMS: Final = 15
# Limits: the number of query terms relative to the median section (per square root of the length, as vocabularies
# grow), and the share of the section's terms that occur outside it. Of 145 sections planted from reports on other
# questions, nearly half lie below both limits; of 4,600 genuine sections, none does.
_RATIO: Final = 0.6
_MOST_HELD: Final = 3
# A section shows its topic in its first lines; the rest would add cost and little information.
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
    """Return whether a term of the section's title occurs in the query, or in a title other than its parent's."""
    own = _title_terms(report, section.title)
    above = (
        _title_terms(report, report.sections[section.parent].title) if section.parent is not None else set()
    )
    query = (report.query or "").lower()
    return any(term in query or titles[term] > 1 + (term in above) for term in own)


def sections_apart(report: Report) -> tuple[Apart, ...]:
    """Return the sections that contain few of the query's terms and whose own terms hardly occur elsewhere."""
    result: tuple[Apart, ...] | None = report.memo.get(sections_apart)
    if result is None:
        result = report.memo[sections_apart] = _sections_apart(report)
    return result


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
    # Query words in the opening of the report identify its topic best, and they soon recur.
    head = lower[:_HEAD]
    in_opening = tuple(key for key in keys if key in head)
    keys = in_opening if len(in_opening) > _FEWEST_KEYS else keys
    window = _WINDOW[report.language]
    texts = {s.index: lower[s.span.start : min(s.span.end, s.span.start + window)] for s in judged}
    few = [s for s in judged if count_keys(texts[s.index], keys, _MOST_HELD + 1) <= _MOST_HELD]
    few = [s for s in few if role_of(report, s) is None]
    # If half of the sections contain few of the query's words, these words do not identify the topic.
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
