"""A sentence or heading in another language than the report's, such as English in a Chinese report.

A model that slips into the language of its sources excludes readers who do not know it. Names, terms, titles in quotation
marks and text in brackets are part of ordinary writing and not flagged; nor are tables and references.

Known problems: reports about languages may quote whole sentences without quotation marks.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import quote
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")
_WORDS: Final = WordSets(_PHRASES)

_HAN: Final = re.compile("[\u3400-\u9fff]")
_HAN_RUN: Final = re.compile("[\u3400-\u9fff，。、；：！？]{12,}")
_LATIN_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_BRACKETED: Final = re.compile(r"[(（\[「『《“\"‘][^()（）\[\]「」『』《》“”\"\n]{0,300}[)）\]」』》”\"’]")
# Function words that identify a language; each list omits words that also occur in English texts or names.
_MARKERS: Final[dict[str, tuple[str, ...]]] = {
    "English": ("the", "of", "and", "is", "are", "that", "with", "for", "this", "was", "to", "by", "which"),
    "German": ("der", "und", "nicht", "wird", "eine", "sich", "auch", "auf", "dem", "ist", "von", "für"),
    "French": ("les", "des", "une", "est", "dans", "pour", "sur", "qui", "par", "avec", "plus", "sont"),
    "Spanish": ("los", "las", "una", "para", "del", "con", "por", "que", "es", "como", "más", "sus"),
}
_MOST: Final = 6

_FOREIGN: Final = Wording(
    en="A sentence in {language} in a report in {main}: {quote}", zh="{main}报告中出现{language}句子：{quote}"
)
_ENGLISH_HEADING: Final = Wording(
    en="An English heading in a Chinese report: {quote}", zh="中文报告中出现英文标题：{quote}"
)
_CHINESE_SENTENCE: Final = Wording(
    en="A Chinese sentence in an English report: {quote}", zh="英文报告中出现中文句子：{quote}"
)
_LANGUAGE_NAMES: Final = {
    "Chinese": Wording(en="Chinese", zh="中文"),
    "English": Wording(en="English", zh="英文"),
    "German": Wording(en="German", zh="德文"),
    "French": Wording(en="French", zh="法文"),
    "Spanish": Wording(en="Spanish", zh="西班牙文"),
}


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each run of foreign sentences and for each foreign heading, but at most six."""
    if report.language == "zh":
        findings = [*_marked(report, "English"), *_english_headings(report)]
    else:
        findings = [
            finding for language in ("German", "French", "Spanish") for finding in _marked(report, language)
        ]
        if report.cues.cjk:
            findings.extend(_chinese(report))
    yield from sorted(findings, key=lambda finding: finding.span.start)[:_MOST]


def _marked(report: Report, language: str) -> Iterator[RawFinding]:
    """Yield a finding for each run of sentences in a language, recognised by its function words."""
    index = report.cues
    words = [word for word in _MARKERS[language] if index.positions(word)]
    if len(words) < 3:
        return
    counts: Counter[int] = Counter()
    kinds: Counter[int] = Counter()
    for word in words:
        inside = Counter(
            sentence.index for at in index.positions(word) if (sentence := report.sentence_at(at))
        )
        counts.update(inside)
        kinds.update(inside.keys())
    last = -2
    for number in sorted(number for number, count in counts.items() if count >= 4 and kinds[number] >= 3):
        sentence = report.sentences[number]
        if not _foreign(report, sentence, language):
            continue
        if number != last + 1:
            message = _FOREIGN(
                language=_LANGUAGE_NAMES[language],
                main=_LANGUAGE_NAMES["Chinese" if report.language == "zh" else "English"],
                quote=quote(report, sentence.span),
            )
            yield RawFinding(sentence.span, message, confidence=0.85)
        last = number


def _foreign(report: Report, sentence: Sentence, language: str) -> bool:
    text = _BRACKETED.sub(" ", report.plain[sentence.span.start : sentence.span.end])
    words = [word.lower() for word in _LATIN_WORD.findall(text)]
    if len(words) < 9:
        return False
    if language == "English":
        return len(_HAN.findall(text)) <= len(words) // 4
    english = sum(word in ("the", "of", "and", "is", "in", "to", "with", "by", "that") for word in words)
    own = sum(word in _MARKERS[language] for word in words)
    return english <= 1 and own * 5 >= len(words)


def _english_headings(report: Report) -> Iterator[RawFinding]:
    for section in report.sections[1:]:
        words = _LATIN_WORD.findall(section.title)
        if (
            words
            and not _HAN.search(section.title)
            and words[-1].lower() in _WORDS.mixed_language_structure
            and all(word.isalpha() for word in words)
            and len(words) <= 4
        ):
            yield RawFinding(
                section.title_span,
                _ENGLISH_HEADING(quote=quote(report, section.title_span)),
                confidence=0.75,
            )


def _chinese(report: Report) -> Iterator[RawFinding]:
    last = -2
    for match in _HAN_RUN.finditer(report.plain):
        sentence = report.sentence_at(match.start())
        if sentence is None or sentence.index in (last, last + 1):
            last = sentence.index if sentence else last
            continue
        text = _BRACKETED.sub(" ", report.plain[sentence.span.start : sentence.span.end])
        han = len(_HAN.findall(text))
        if han >= 12 and han > 2 * len(_LATIN_WORD.findall(text)):
            last = sentence.index
            span = Span(sentence.span.start, sentence.span.end)
            yield RawFinding(span, _CHINESE_SENTENCE(quote=quote(report, span)), confidence=0.85)


CHECK = Check(
    code="EXP008",
    name="mixed-language",
    severity="warning",
    summary="a sentence or heading in another language than the report",
    run=run,
    bad=(
        Example(
            "热泵销量在2022年增长了12%，主要由补贴推动。The growth of the market is driven by subsidies that the government "
            "pays to owners of old boilers. 未来仍将增长。"
        ),
        Example(
            "Heat pump sales grew by 12 % in 2022, and most of the growth is due to subsidies. "
            "未来几年市场仍将保持较快增长，主要由补贴推动。 The outlook is good."
        ),
    ),
    good=(
        Example(
            "热泵（heat pump, a device that moves heat to the inside of a house with the use of power）销量增长了12%。"
            "“The growth of the market is driven by subsidies”，报告写道。"
        ),
        Example(
            "Heat pump sales grew by 12 % in 2022 according to the State Grid (国家电网有限公司能源研究院有限公司), and the "
            "growth is due to subsidies."
        ),
    ),
    languages=("en", "zh"),
    dimension="local_coherence",
    failure="expression_quality",
)
