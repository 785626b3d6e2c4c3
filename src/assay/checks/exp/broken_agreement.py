"""Errors of grammatical agreement: "the system admit", "these method is", "results shows", "a important".

One error is a slip; many make a report look unedited and can change its meaning. Only patterns without a correct reading
are reported: a demonstrative with a noun of the wrong number, a pronoun or a plural noun with a singular verb (and the
reverse), a base form instead of a participle, an infinitive without "to", a double comparative, and a wrong "a" or "an"
before an ordinary word. Words between subject and verb are taken into account: "A number of systems are", "the users of
the system require" and "make the system work" are correct.

Known problems: titles and quotations are judged like the rest of the text. Only English paragraphs are checked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._agreement import GrammarSlip, demonstratives, subjects
from assay.checks.exp._shared import prose_at, quote
from assay.checks.exp._slips import articles, missing_words, participles
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")
_WORDS: Final = WordSets(_PHRASES)

_LETTERS: Final = re.compile(r"[^\W\d_]+")
_NEAR: Final = 400
_RULES: Final = (subjects, demonstratives, participles, missing_words, articles)

_BROKEN: Final = Wording(en="{quote}: {fault}", zh="{quote}：{fault}")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each error; if two overlap, only the first."""
    slips: list[GrammarSlip] = []
    for rule in _RULES:
        slips.extend(rule(report.cues))
    slips.sort()
    last = -1
    for start, end, message, confidence in slips:
        if start < last:
            continue
        block = prose_at(report, start)
        if (
            block is None
            or end > block.span.end
            or "\n\n" in report.source[start:end]
            or _named(report, start, end)
            or not _english(report, block, start)
        ):
            continue
        last = end
        yield RawFinding(
            Span(start, end),
            _BROKEN(quote=quote(report, Span(start, end)), fault=message),
            confidence=confidence,
        )


def _english(report: Report, block: Block, at: int) -> bool:
    """Return whether the paragraph is in English.

    The grammar does not apply to reports and quotations in other languages.
    """
    words = _LETTERS.findall(report.plain, max(block.span.start, at - _NEAR), min(block.span.end, at + _NEAR))
    lower_words = set(map(str.lower, words))
    # A short line may not contain such a word; then the report's language decides.
    return (
        not _WORDS.broken_agreement_english.isdisjoint(lower_words)
        or len(_WORDS.broken_agreement_english_too & lower_words) > 1
        or (len(words) < 8 and report.language == "en")
    )


def _named(report: Report, start: int, end: int) -> bool:
    """Return whether the words contain a name or markup, or are part of a quotation."""
    words = report.source[start:end].replace("*", " ").split()
    if words != report.plain[start:end].split() or any(
        word[:1].isupper() for word in (*words[1:4], words[-1]) if word != words[0]
    ):
        return True
    if words[0] == "A" and report.source[max(0, start - 12) : start].rstrip()[-1:].isalnum():
        # "hepatitis A infection", "option A offers": a label, not an article.
        return True
    if any(f"`{word}`" in report.source for word in words if len(word) > 3):
        # "if exports is not given", where `exports` is a name in code elsewhere.
        return True
    before = report.source[max(0, start - 120) : start].rsplit("\n", 1)[-1]
    return before.count("“") > before.count("”")


CHECK = Check(
    code="EXP005",
    name="broken-agreement",
    severity="warning",
    summary="subject and verb, article and noun, or verb forms that do not fit together",
    run=run,
    bad=(
        Example(
            "A system of first-order equations, like the one in Section 5.3, generally admit an infinite "
            "number of solutions."
        ),
        Example("These method is well known, and the results shows a clear trend."),
        Example(
            "It has been show that a important share of users is able handle the change in order improve comfort."
        ),
    ),
    good=(
        Example(
            "A system of equations generally admits an infinite number of solutions; a number of systems admit none."
        ),
        Example(
            "The objects listed here are global, a direct require of any path works, and in an xterm the "
            "image write is slow. "
            "When `exports` is a string, exports is used alone."
        ),
        Example(
            "These method papers are well known, and the data show a clear trend. Subsidies help the system "
            "admit new users."
        ),
        Example(
            "It has been shown that an important share of users is able to handle the change in order to "
            "improve comfort."
        ),
    ),
    languages=("en",),
    dimension="local_coherence",
    failure="expression_quality",
)
