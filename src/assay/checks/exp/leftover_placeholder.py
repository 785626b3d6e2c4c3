"""A placeholder that was never filled in: TODO, [insert figure], XX%, lorem ipsum, {{company}}, 待补充.

A placeholder in a finished report means that a fact is missing where the text pretends to give one. The check looks for
the marks of templates and drafts. Code, diagrams and markup are not checked, since brackets and braces are syntax there,
and neither are reports that show templates: braces count only if the report has few of them.

Known problems: a report about templates or about writing may quote placeholders outside code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import quote
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")

_WORDS: Final = PhraseLexicon(_PHRASES, "leftover_placeholder_words")
# Words of a placeholder, looked up in the word index, and a pattern for the source at that point.
_MARKS: Final[tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]] = (
    (
        ("todo", "fixme", "tbd"),
        re.compile(r"(?<![/\\.\w-])(?:TODO|FIXME|TBD)(?=[:：]|\s?[\])）】])"),
    ),
    (
        ("xx", "xxx", "xxxx"),
        re.compile(
            r"(?<![A-Za-z0-9])X{2,4}(?:\.X{1,2})?\s?(?:%|％|percent\b|(?:million|billion|thousand)\b|亿|万元|万人|"
            r"元(?!素)|个百分点)|(?<=[$€£])XX+"
        ),
    ),
    (
        tuple("insert add placeholder your to citation source company name date author tbc".split()),
        # The bracket stands alone: after a letter or an arrow it belongs to a diagram or to code.
        re.compile(
            r"(?<=[\s(*_:,“\"]\[)(?:insert|add|placeholder|your (?:name|company|organi[sz]ation|title|email|address|"
            r"logo|text|source)|to be (?:added|determined|completed|filled|confirmed)|citation needed|"
            r"source needed|company name|TBC|(?:name|date|author|citation|source) here)"
            r"(?:\s[^\]\n]{0,80})?(?=\](?![(\[]))",
            re.IGNORECASE,
        ),
    ),
)
_MOST: Final = 20
_LOOK_BACK: Final = 300
_BRACES: Final = re.compile(r"(?<![>\w\"'`{])\{\{\s?[A-Za-z_][\w. ]{0,40}\s?\}\}(?![<\w\"'`}])")
_MOST_BRACES: Final = 3
_ANGLES: Final = _PHRASES.pattern(
    "<(?:<<leftover_placeholder_angles.en>>)[ _-][A-Za-z _-]{1,40}>|<placeholder>", flags=re.IGNORECASE
)
# A line of a diagram or of markup.
_SYNTAX: Final = re.compile(r"-->|<br/?>|\\?<[a-z/][^>\n]{0,80}>")

# An entry of the reference list that names no source: "[1] Reference 1 from collected information".
_ENTRY: Final = re.compile(
    r"[\W\d]*\(?(?:reference|source|citation|参考文献|文献|来源)\s?\d{1,3}(?: from [^\n]{3,40})?\W*\Z",
    re.IGNORECASE,
)
_LONGEST_ENTRY: Final = 80

_ENTRIES: Final = Wording(
    en="{n:entry|entries} of the reference list without a source: {quote}",
    zh="参考文献中有{n}条没有写明来源：{quote}",
)
_LEFTOVER: Final = Wording(en="A placeholder was left in the text: {quote}", zh="文中留有占位符：{quote}")


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each of the first twenty placeholders outside code, and one for all in reference lists."""
    entries = [
        entry.span
        for entry in report.references
        if len(entry.span) <= _LONGEST_ENTRY and _ENTRY.match(report.text(entry.span))
    ]
    if entries:
        message = _ENTRIES(n=len(entries), quote=quote(report, entries[0]))
        yield Hit(entries[0], message, related=tuple(entries[1:_MOST]), confidence=0.95)
    for count, span in enumerate(_placeholders(report)):
        if count == _MOST:
            return
        yield Hit(span, _LEFTOVER(quote=quote(report, span)), confidence=0.95)


def _placeholders(report: Report) -> Iterator[Span]:
    source = report.source
    for start, end in _WORDS.find(report.cues):
        if _in_text(report, start):
            yield Span(start, end)
    for words, pattern in _MARKS:
        for word in words:
            for at in report.cues.positions(word):
                if (match := pattern.match(source, at)) and _in_text(report, at):
                    yield Span(at, match.end())
    if "{{" in source:
        braces = [Span(*match.span()) for match in _BRACES.finditer(source)]
        if len(braces) <= _MOST_BRACES:
            yield from (span for span in braces if _in_text(report, span.start))
    if "<" in source:
        for match in _ANGLES.finditer(source):
            if _in_text(report, match.start()):
                yield Span(*match.span())


def _in_text(report: Report, at: int) -> bool:
    block = report.block_at(at)
    if block is None or block.kind in ("code", "html", "reference"):
        return False
    source = report.source
    begin = source.rfind("\n", max(0, at - _LOOK_BACK), at) + 1
    before = source[begin:at]
    # The span must not be in code, in a quotation or in a line of a diagram.
    if before.count("`") % 2 or before.count("“") > before.count("”"):
        return False
    stop = source.find("\n", at, at + _LOOK_BACK)
    markup = _SYNTAX.search(source, begin, at + _LOOK_BACK if stop < 0 else stop)
    return markup is None or markup.start() == at


CHECK = Check(
    code="EXP006",
    name="leftover-placeholder",
    severity="error",
    summary="a placeholder that was never filled in",
    run=run,
    bad=(
        Example("The market grew by XX% in 2023, according to [insert source here]."),
        Example("## Outlook\n\nTODO: add the forecast of {{agency}}."),
        Example("The market grew by 12%.\n\n---\n*Prepared by: [Your Name], Senior Analyst*"),
        Example("2023年市场规模为XX亿元，具体数据待补充。"),
        Example("Sales grew [1].\n\n## References\n\n[1] Reference 1 from collected information\n"),
    ),
    good=(
        Example(
            "The market grew by 12% in 2023, according to [Reuters](https://reuters.com). The XX chromosome "
            "is another matter."
        ),
        Example("Templates write `{{agency}}` and `TODO` in code.\n\n```\n{{agency}}\nTODO: x\n```"),
        Example(
            "flowchart LR\n  A[Keep local gates] --> C[Add long-range connectivity]\n\n"
            "\\<goal\\>Solve the equation {{equation}}\\</goal\\>"
        ),
        Example(
            "Plans for the next release are in docs/TODO, which replaces the TODO file of earlier years."
        ),
        Example("2023年市场规模为12亿元，XX染色体与此无关，相关法规有待完善。"),
    ),
    dimension="local_coherence",
    failure="expression_quality",
)
