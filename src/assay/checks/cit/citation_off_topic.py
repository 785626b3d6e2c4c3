"""A sentence that matches the title of a source it does not cite, and no title of a source it cites.

Without the texts of the sources, only their titles are available, but these suffice to notice a clear mix-up: a sentence
is about the study, the firm or the substance in the title of [7] but cites [3], which is about something else. Only
words that are rare in the report and in the other titles count.

The check is off by default, because a third of its findings are wrong; select it by its code. ``assay compare`` uses it
to decide which of two versions fits better.

Known problems: a title is not the source, and an article on another topic may well support the sentence. The finding is
only a hint, hence its low confidence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cit._shared import ENTRY, excerpt, label
from assay.checks.wording import Wording, series
from assay.text.words import STOPWORDS, content_terms, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Reference
    from assay.subjects.report import Report

_LATIN: Final = re.compile(r"[a-z][a-z'’\-]{2,}")
_HAN: Final = re.compile("[\u4e00-\u9fff]{3,40}")
_RARE: Final = 5
_SHARED: Final = 3
_SHARED_HAN: Final = 2
_COVER: Final = 0.5
_GRAM: Final = 3
# Each part of a Chinese title costs a search, so very long texts are searched only up to this offset.
_TITLES: Final = 300
_SEARCHED: Final = 100_000
# Each part of three characters costs a search, so only every second one is used, up to this offset in the title.
_STEP: Final = 2
_REACH: Final = 16

_ELSEWHERE: Final = Wording(
    en="The sentence cites {cited}, but its terms match {other} (shared: {terms}); check the marker",
    zh="这句话引用的是{cited}，内容却与{other}相符（相同词语：{terms}），请核对引用编号",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each citing sentence that matches the title of another entry."""
    titled = [ref for ref in report.references[:_TITLES] if ref.key is not None and len(ref.title) >= 8]
    if len(titled) < 3 or not report.citations:
        return
    words = {ref.index: _title_words(ref) for ref in titled}
    spread: dict[str, int] = {}
    for title_words in words.values():
        for word in title_words:
            spread[word] = spread.get(word, 0) + 1
    by_sentence: dict[int, set[int]] = {}
    for citation in report.citations:
        if citation.sentence is not None:
            cited = by_sentence.setdefault(citation.sentence, set())
            cited.update(index if index is not None else -1 for index in citation.references)
    scores = _scores(report, words, spread, by_sentence)
    for sentence in sorted(scores):
        finding = _judge(report, sentence, by_sentence[sentence], scores[sentence], words)
        if finding is not None:
            yield finding


def _title_words(ref: Reference) -> set[str]:
    title = ref.title.lower()
    words = {word for word in _LATIN.findall(title) if word not in STOPWORDS}
    if not title.isascii():
        for part in _HAN.findall(title)[:3]:
            words.update(part[i : i + _GRAM] for i in range(0, min(len(part) - _GRAM + 1, _REACH), _STEP))
    return words


def _scores(
    report: Report, words: dict[int, set[str]], spread: dict[str, int], cited: dict[int, set[int]]
) -> dict[int, dict[int, set[str]]]:
    """Return, for each sentence with citations, the rare title words that it contains, by entry."""
    cues = report.cues
    starts = report.sentence_starts
    listed = report.reference_span
    top = listed.start if listed else len(report.source)
    offsets: dict[str, list[int]] = {}
    out: dict[int, dict[int, set[str]]] = {}
    for index, title_words in words.items():
        for word in title_words:
            if spread[word] > 2:
                continue
            at = offsets.get(word)
            if at is None:
                at = offsets[word] = _positions(
                    cues.lower, cues.positions(word) if word.isascii() else None, word, top
                )
            for offset in at:
                sentence = bisect_right(starts, offset) - 1
                if sentence in cited:
                    out.setdefault(sentence, {}).setdefault(index, set()).add(word)
    return out


def _positions(lower: str, known: list[int] | None, word: str, top: int) -> list[int]:
    """Return the offsets of a word before the reference list; none if it occurs too often to be distinctive."""
    if known is not None:
        count = bisect_right(known, top)
        return known[:count] if count <= _RARE else []
    out: list[int] = []
    top = min(top, _SEARCHED)
    at = lower.find(word, 0, top)
    while at >= 0 and len(out) <= _RARE:
        out.append(at)
        at = lower.find(word, at + 1, top)
    return out if len(out) <= _RARE else []


def _judge(
    report: Report, index: int, cited: set[int], scores: dict[int, set[str]], words: dict[int, set[str]]
) -> RawFinding | None:
    if -1 in cited or any(own not in words for own in cited):
        return None
    best, shared = max(scores.items(), key=lambda item: len(item[1]))
    if (
        best in cited
        or len(shared) < (_SHARED if all(map(str.isascii, shared)) else _SHARED_HAN)
        or len(shared) < _COVER * len(words[best])
    ):
        return None
    sentence = report.sentences[index]
    around = report.block_at(sentence.span.start)
    if around is not None and any(best in c.references for c in report.citations_in(around.span)):
        return None
    text = report.plain[sentence.span.start : sentence.span.end]
    here = content_terms(text)
    for own in cited:
        title = report.references[own].title
        address = re.sub(r"[\W_]+", " ", report.references[own].url or "")
        if (
            len(words[own]) < _SHARED
            or has_cjk(title) != has_cjk(text)
            or here & content_terms(f"{title} {address}")
        ):
            return None
        if report.references[own].title == report.references[best].title:
            return None
    other = report.references[best]
    names = series(
        (
            ENTRY(label=label(report.references[i].key or ""), title=excerpt(report.references[i].title, 40))
            for i in sorted(cited)[:2]
        ),
        "and",
    )
    return RawFinding(
        sentence.span,
        _ELSEWHERE(
            cited=names,
            other=ENTRY(label=label(other.key or ""), title=excerpt(other.title)),
            terms=series(sorted(shared)[:5], quoted=True),
        ),
        related=(other.span,),
        confidence=0.55,
    )


_LIST = (
    "\n\n## References\n\n[1] Ducted heat pump sales in Norway: https://energy.example.org/1\n"
    "[2] Feeder transformer limits under winter peaks: https://grid.example.org/2\n"
    "[3] Bedroom noise complaints by neighbours: https://noise.example.org/3\n"
)
_LIST_ZH = (
    "\n\n## 参考文献\n\n[1] 挪威热泵销售年度统计: https://energy.example.org/1\n[2] 农村馈线变压器极限负荷研究: https://grid.example.org/2\n"
    "[3] 室外机夜间噪声投诉调查: https://noise.example.org/3\n"
)

CHECK = Check(
    code="CIT011",
    default=False,
    name="citation-off-topic",
    severity="info",
    summary="A sentence that matches the title of a source it does not cite, and shares no word with the "
    "titles it does.",
    run=run,
    dimension="evidence_sufficiency",
    failure="wrong_source_citation",
    bad=(
        Example(
            "Sales in Norway doubled [1].\n\nEach feeder met its transformer limits in winter [3].\n\nMany "
            "complaints came at night [3]." + _LIST
        ),
        Example(
            "挪威销量翻番[1]。\n\n农村馈线变压器极限负荷在冬季多次出现[3]。\n\n夜间噪声较大[3]。" + _LIST_ZH
        ),
    ),
    good=(
        Example(
            "Sales in Norway doubled [1].\n\nEach feeder met its transformer limits in winter [2].\n\nMany "
            "complaints came at night [3]." + _LIST
        ),
        Example(
            "挪威销量翻番[1]。\n\n农村馈线变压器极限负荷在冬季多次出现[2]。\n\n夜间噪声较大[3]。" + _LIST_ZH
        ),
    ),
)
