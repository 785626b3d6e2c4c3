"""Remarks of the model about its own work: "I'll now search", "As an AI language model", 让我继续搜索.

Agents leave working notes in the report: what they will search next, what they could not find, what the user asked.
Readers want the results. Adjacent sentences with such remarks make one finding.

Not flagged are "we" and "this report" as authors use them ("this report examines", "we find"), impersonal statements of
the limits of the evidence, and quotations.

Known problems: reports about chat assistants may quote such phrases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import prose_at, quote
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")

_SURE: Final = PhraseLexicon(_PHRASES, "model_talk_sure")
# A text without any of these words contains none of the phrases.
_ASIDE: Final = frozenset(phrase.split(" ", 1)[0] for phrase in _SURE.en)
_ASIDE_ZH: Final = ("我", "您", "搜索结果", "希望这", "希望以上")
_BETWEEN: Final = 300

_TALK: Final = Wording(
    en="Talk about the writing instead of the subject: {quote}",
    zh="这句话谈的是写作过程，而不是主题：{quote}",
)
_MUCH_TALK: Final = Wording(
    en="{n} sentences of talk about the writing instead of the subject: {quote}",
    zh="有{n}句话谈的是写作过程，而不是主题：{quote}",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each run of sentences about the writer's own work."""
    if not _ASIDE.intersection(report.cues.words()) and not (
        report.cues.cjk and any(word in report.plain for word in _ASIDE_ZH)
    ):
        return
    phrase_spans = [
        phrase_span for phrase_span in _SURE.find(report.cues) if _own_words(report, *phrase_span)
    ]
    run_start = run_end = -1
    phrases = 0
    for start, end in phrase_spans:
        span = _sentence(report, start, end)
        if run_end >= 0 and (span.start <= run_end or _same_run(report, run_end, span.start)):
            phrases += span.start > run_end
            run_end = max(run_end, span.end)
            continue
        if run_end >= 0:
            yield _finding(report, Span(run_start, run_end), phrases)
        run_start, run_end, phrases = span.start, span.end, 1
    if run_end >= 0:
        yield _finding(report, Span(run_start, run_end), phrases)


def talks(report: Report, span: Span) -> bool:
    """Return whether a passage contains such remarks, so that other checks can leave it to this one."""
    return any(
        span.start <= start < span.end and _own_words(report, start, end)
        for start, end in _SURE.find(report.cues)
    )


def _sentence(report: Report, start: int, end: int) -> Span:
    sentence = report.sentence_at(start)
    return sentence.span if sentence else Span(start, end)


def _own_words(report: Report, start: int, end: int) -> bool:
    """Return whether the phrase is in prose and not in quotation marks, code or tables."""
    if prose_at(report, start) is None:
        return False
    sentence = report.sentence_at(start)
    left = max(sentence.span.start if sentence else 0, start - _BETWEEN)
    before = report.source[left:start]
    opened = before.count("“") - before.count("”") + before.count("「") - before.count("」")
    if opened > 0 or before.count('"') % 2:
        return False
    after = report.source[end : end + 1]
    return not (before[-1:] in "‘'\"" and before and after in "’'\"")


def _same_run(report: Report, left: int, right: int) -> bool:
    """Return whether two spans belong to one run: they are near each other, with no heading between them."""
    return right - left < _BETWEEN and "\n#" not in report.source[left:right]


def _finding(report: Report, span: Span, sentences: int) -> RawFinding:
    quoted = quote(report, span, 90)
    return RawFinding(
        span,
        _MUCH_TALK(n=sentences, quote=quoted) if sentences > 1 else _TALK(quote=quoted),
        confidence=0.9 if sentences > 1 else 0.85,
    )


CHECK = Check(
    code="EXP007",
    name="model-talk",
    severity="warning",
    summary="the writer's working notes or chat left in the report",
    run=run,
    bad=(
        Example(
            "I'll now search for more recent figures. Let me look at the second source.\n\n# Heat "
            "pumps\n\nSales rose by 12 %."
        ),
        Example("As an AI language model, I do not have access to live data. Sales rose by 12 % in 2022."),
        Example("我需要更具体地了解该领域的发展：\n\n# 报告\n\n让我继续搜索相关信息。2023年销量增长12%。"),
    ),
    good=(
        Example(
            "This report examines recent figures; we find that sales rose by 12 %. Data for 2024 could not be found."
        ),
        Example(
            "Users were told: “As an AI language model, I do not have access to live data.” Most stopped asking."
        ),
        Example("本报告研究该领域的发展。我们发现2023年销量增长12%。"),
    ),
    dimension="global_coherence",
    failure="expression_quality",
)
