"""A placeholder that was never filled in: TODO, [insert figure], XX%, lorem ipsum, {{company}}, 待补充.

A placeholder in a finished report means that a fact is missing where the text pretends to give one. The check looks for
the marks of templates and drafts. Code blocks and inline code are not checked, since braces are syntax there.

Known problems: a report about templates or about writing may quote placeholders outside code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import quote
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")

_WORDS: Final = PhraseLexicon(_PHRASES, "leftover_placeholder_words")
# Words of a placeholder, looked up in the word index; a pattern for the source at that point; and the confidence.
_MARKS: Final[tuple[tuple[tuple[str, ...], re.Pattern[str], float], ...]] = (
    (
        ("todo",),
        re.compile(
            r"(?<![/\\.\w-])TODO(?=[:：\])\s]|$)(?!\s+(?:files?|lists?|items?|comments?|notes?|pages?|apps?)\b)"
        ),
        0.85,
    ),
    (("fixme",), re.compile(r"FIXME(?![A-Za-z])"), 0.85),
    (("tbd",), re.compile(r"TBD(?=:|\s?[\])）】])"), 0.75),
    (
        ("xx", "xxx", "xxxx"),
        re.compile(
            r"(?<![A-Za-z0-9])X{2,4}(?:\.X{1,2})?\s?(?:%|％|percent\b|(?:million|billion|thousand)\b|亿|万元|万人|"
            r"元(?!素)|个百分点)|(?<=[$€£])XX+"
        ),
        0.85,
    ),
    (
        tuple(
            "insert add fill enter placeholder your specify to citation source company name date author link "
            "tbc reference".split()
        ),
        re.compile(
            r"(?<=\[)(?:insert|add|fill in|enter|placeholder|your|specify|to be (?:added|determined|"
            r"completed|filled)|citation needed|source needed|"
            r"company name|TBC|(?:name|date|author|link|citation|source|reference) (?:here|of|"
            r"to))(?:\s[^\]\n]{0,80})?(?=\](?!\())",
            re.IGNORECASE,
        ),
        0.85,
    ),
)
_MOST: Final = 20
_LOOK_BACK: Final = 300
_BRACES: Final = re.compile(r"\{\{\s?[A-Za-z_][\w. ]{0,40}\s?\}\}")
_ANGLES: Final = _PHRASES.pattern(
    "<(?:<<leftover_placeholder_angles.en>>)[ _-][A-Za-z _-]{1,40}>|<placeholder>", flags=re.IGNORECASE
)

_LEFTOVER: Final = Wording(en="A placeholder was left in the text: {quote}", zh="文中留有占位符：{quote}")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each of the first twenty placeholders outside code."""
    for count, (span, confidence) in enumerate(_placeholders(report)):
        if count == _MOST:
            return
        yield RawFinding(span, _LEFTOVER(quote=quote(report, span)), confidence=confidence)


def _placeholders(report: Report) -> Iterator[tuple[Span, float]]:
    source = report.source
    for start, end in _WORDS.find(report.cues):
        if _in_text(report, start):
            yield Span(start, end), 0.8
    for words, pattern, confidence in _MARKS:
        for word in words:
            for at in report.cues.positions(word):
                if (match := pattern.match(source, at)) and _in_text(report, at):
                    yield Span(at, match.end()), confidence
    for literal, form in (("{{", _BRACES), ("<", _ANGLES)):
        if literal in source:
            for match in form.finditer(source):
                if _in_text(report, match.start()):
                    yield Span(*match.span()), 0.85


def _in_text(report: Report, at: int) -> bool:
    block = report.block_at(at)
    if block is None or block.kind in ("code", "html", "reference"):
        return False
    line = report.source[max(0, at - _LOOK_BACK) : at].rsplit("\n", 1)[-1]
    # The span must not be in code or in a quotation.
    return line.count("`") % 2 == 0 and line.count("“") <= line.count("”")


CHECK = Check(
    code="EXP006",
    name="leftover-placeholder",
    severity="error",
    summary="a placeholder that was never filled in",
    run=run,
    bad=(
        Example("The market grew by XX% in 2023, according to [insert source here]."),
        Example("## Outlook\n\nTODO: add the forecast of {{agency}}."),
        Example("2023年市场规模为XX亿元，具体数据待补充。"),
    ),
    good=(
        Example(
            "The market grew by 12% in 2023, according to [Reuters](https://reuters.com). The XX chromosome "
            "is another matter."
        ),
        Example("Templates write `{{agency}}` and `TODO` in code.\n\n```\n{{agency}}\nTODO: x\n```"),
        Example(
            "Plans for the next release are in docs/TODO, which replaces the TODO file of earlier years."
        ),
        Example("2023年市场规模为12亿元，XX染色体与此无关，相关法规有待完善。"),
    ),
    dimension="local_coherence",
    failure="expression_quality",
)
