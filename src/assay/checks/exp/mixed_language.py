"""Words of another script inside prose: Chinese words in English sentences, Russian or Korean ones in Chinese text.

A model that thinks in one language and writes in another lets words slip in. Readers who know only the report's language
cannot read them. All places make one finding.

Terms that the report explains are part of ordinary writing: a word in brackets or quotation marks, beside a bracket, or
explained so anywhere in the report is not flagged, nor are titles, headings, links, tables, references and reports whose
question is in the other script or about it. English words in Chinese text are too often terms to be judged; only English
words of grammar between Chinese characters are flagged.

Known problems: names that are usually left in their script may be flagged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import in_code, in_quotes, prose_at
from assay.checks.wording import Wording, series
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_HAN: Final = "\u3400-\u9fff"
_HAN_RUN: Final = re.compile(f"[{_HAN}]{{1,40}}")
# Scripts that neither English nor Chinese text uses in running words.
_OTHER: Final = "\u0400-\u04ff\uac00-\ud7af\u0e00-\u0e7f\u0600-\u06ff\u0900-\u097f"
_OTHER_RUN: Final = re.compile(f"[{_OTHER}]{{2,40}}")
_KANA: Final = re.compile("[\u3040-\u30ff]")
# Common letters of these scripts: a text without any of them has no word in one. Searching for a letter is cheap.
_LETTERS: Final = "оеаи이의는다าلاा"
_GRAMMAR: Final = (
    *(
        "however",
        "therefore",
        "moreover",
        "furthermore",
        "although",
        "because",
        "which",
        "the",
        "of",
        "and",
        "with",
    ),
    *("from", "that", "is", "are", "was", "were", "significantly", "especially", "currently"),
)
_BESIDE: Final = re.compile(r"[(（\[【「『《“”\"'‘’)）\]】」』》/|:：=→·]")
# A report with more different words than this is about the other language or culture.
_MOST: Final = 8
_SHOWN: Final = 4

_STRAY: Final = Wording(
    en="{n:word|words} of another script without explanation: {words}",
    zh="正文夹有{n}处未加说明的外文词：{words}",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding at the first stray word, if there are any."""
    if report.language not in ("en", "zh"):
        return
    spans = list(_grammar_words(report)) if report.language == "zh" else []
    if report.language == "en" and report.cues.cjk:
        spans.extend(_stray(report, _HAN_RUN))
    if any(letter in report.plain for letter in _LETTERS):
        spans.extend(_stray(report, _OTHER_RUN))
    if spans:
        spans.sort(key=lambda span: span.start)
        words = list(dict.fromkeys(report.text(span).strip() for span in spans))
        yield Hit(
            spans[0],
            _STRAY(n=len(spans), words=series(words[:_SHOWN], quoted=True, cut=len(words) > _SHOWN)),
            related=tuple(spans[1:]),
            confidence=0.8,
        )


def _grammar_words(report: Report) -> Iterator[Span]:
    """Yield the English words of grammar that stand between Chinese characters."""
    plain = report.plain
    for word in _GRAMMAR:
        for start in report.cues.positions(word):
            before, after = (
                plain[start - 2 : start].rstrip(),
                plain[start + len(word) : start + len(word) + 2].lstrip(),
            )
            if _HAN_RUN.match(before[-1:]) and _HAN_RUN.match(after[:1]) and _in_prose(report, start):
                yield Span(start, start + len(word))


def _stray(report: Report, pattern: re.Pattern[str]) -> Iterator[Span]:
    """Yield the words of a script, unless the report explains them, quotes them or is about them."""
    if report.query and pattern.search(report.query):
        return
    matches = list(pattern.finditer(report.plain))
    if not matches or len({match.group() for match in matches}) > _MOST:
        return
    if _KANA.search(report.plain):
        return
    explained = {
        match.group() for match in matches if not _in_prose(report, match.start()) or _glossed(report, match)
    }
    for match in matches:
        if match.group() not in explained:
            yield Span(*match.span())


def _in_prose(report: Report, at: int) -> bool:
    block = prose_at(report, at)
    sentence = report.sentence_at(at)
    if block is None or block.kind == "heading" or sentence is None or in_code(report, at):
        return False
    return not in_quotes(report, sentence, at)


def _glossed(report: Report, match: re.Match[str]) -> bool:
    """Return whether the word is marked as a term: beside brackets or emphasis, or after a capitalised name."""
    source = report.source
    before = source[max(0, match.start() - 80) : match.start()]
    after = source[match.end() : match.end() + 3]
    if _BESIDE.search(before[-3:]) or _BESIDE.search(after) or "*" in before[-2:] + after[:2]:
        return True
    if max(map(before.rfind, "([（【")) > max(map(before.rfind, ")]）】")):
        return True
    words = before.split()
    # "Zhang Wei 张伟 said": the name in its own script.
    return bool(words) and words[-1][:1].isupper()


CHECK = Check(
    code="EXP008",
    name="mixed-language",
    severity="warning",
    summary="unexplained words of another script inside sentences",
    run=run,
    bad=(
        Example(
            "Heat pump sales grew by 12 % in 2022, and most of the growth is due to subsidies. The "
            "agency 已经 extended them, and the outlook is good."
        ),
        Example(
            "No other king fits. The removal of the stone and the building of the castles are 标志性事件 of his rule."
        ),
        Example(
            "热泵销量在2022年增长了12%，主要由补贴推动。今后几年市场 однако 可能放缓，需要新的政策支持。"
        ),
    ),
    good=(
        Example(
            "热泵（heat pump, a device that moves heat to the inside of a house with the use of power）销量增长了12%。"
            "“The growth of the market is driven by subsidies”，报告写道。研发投入也在增长，A and B 两组相近；"
            "其余各省的补贴在2023年之后逐步退出，市场仍保持平稳，安装企业的数量也没有明显变化。"
        ),
        Example(
            "Heat pump sales grew by 12 % in 2022 according to the State Grid (国家电网). The 国家电网 report calls this "
            "guanxi (关系), and Li Wei 李伟 agrees."
        ),
    ),
    languages=("en", "zh"),
    dimension="local_coherence",
    failure="expression_quality",
)
