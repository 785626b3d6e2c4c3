"""Sentences that can be repeated elsewhere – whole, declarative and self-contained – and their short forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import (
    OWN_TALK,
    ProseLine,
    chinese,
    lines,
    plain_words,
)
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "statements")

# A sentence that points back, addresses the reader, quotes, or leads on is not self-contained.
_LEANS_EN: Final = _PHRASES.pattern(
    "^(?:This|These|Those|That|Such|However|For example|For instance|Therefore|Thus|Hence"
    "|As a result|As a consequence|In other words|It|Its|They|Their|He|She|His|Her|We|Our|You"
    "|Your|Additionally|Furthermore|Moreover|Similarly|Likewise|In contrast|By contrast"
    "|On the other hand|Finally|First|Firstly|Second|Secondly|Third|Thirdly|Fourth|Lastly|Next"
    "|Then|Conversely|Also|Note|See|Let|Here|There|Meanwhile|In addition|But|And|Or|Yet|So|Nor"
    "|Not|Consequently|Accordingly|Specifically|Overall|In summary|In short|In sum|In conclusion"
    "|To summarize|Ultimately|Instead|Rather|Nevertheless|Nonetheless|Still|Indeed|Another|Other"
    "|Others|Both|Neither|Either|One|Beyond|What|How|Why|When asked|Given|Taken|Today"
    "|Interestingly|Notably|Importantly|Crucially|Critically|Perhaps|Again|Now|Only|Even|Despite"
    "|In (?:this|these|such|that|both|each|all|particular)|At this|With this|From this|For this"
    "|To (?:this|that|do|be|address|achieve|get|make|avoid|ensure|meet)|The (?:"
    "<<dependent_openings>>)|Unlike|Looking|Generally|In general|More|At the same time|Initially"
    "|Later|Eventually|Subsequently|Under this|Through this|During this|By (?:this|then|doing)"
    "|According to (?:this|these|the (?:same|report|study|authors?))|Because of this|Due to this"
    "|Several|Recent examples|Examples?|Evidence|Key|Main|If you|Table|Figure|Step|Section"
    r"|Question|Answer|Yes|No)\b|\b(?:<<backward_references>>)\b|[?!:;\"“”‘|]|\.\.\.|…| [–—-] |—"
    r"|\*|e\.g\.|i\.e\.|^\W|\bvs\b",
    "en",
)
_FINITE: Final = _PHRASES.pattern(r"\b(?:<<finite_verbs>>)\b")
_LEANS_ZH: Final = _PHRASES.pattern(
    r"^(?:<<dependent_openings>>)|[^规原法准否]则|这|上面|前面|前文|后文|[?？!！:：;；\"「」‘’…|*]"
    "|——|本(?:报告|文|节|章|研究|部分)|上述|下表|上表|如下|以下|上文|下文|建议|我们|“[^“”]{13,}”"
    "|“[^”]*$",
    "zh",
)
# Points of lists that open with these words have no subject.
_BARE_ZH: Final = _PHRASES.pattern("^(?:<<bare_openings>>)")
_FINITE_ZH: Final = _PHRASES.pattern("<<finite>>")
# "**Lead:** text" is repeated without its lead.
_LABELLED: Final = re.compile(r"^\*\*[^*\n]{2,70}(?:[:：]\*\*|\*\*\s?[:：])\s*")
_RELATIVE: Final = re.compile(r",? (?:which|who|that|whose|where|as)\b[^,]*")
_SUBORDINATE: Final = _PHRASES.pattern(r"(?:<<subordinate>>)\b")


def statements(report: Report, *, longest: int = 260) -> list[tuple[ProseLine, str]]:
    """Return the lines of the body that make a complete statement, each with that statement as plain text.

    Args:
        report: The report.
        longest: Most characters of a statement; two fifths of that in Chinese.
    """
    found = []
    for line in lines(report, shortest=45, longest=longest + 120):
        body = statement(report, line)
        if body is not None and len(body) <= (longest * 2 // 5 if chinese(report) else longest):
            found.append((line, body))
    return found


def statement(report: Report, line: ProseLine) -> str | None:
    """Return a line's statement without emphasis marks, citations and full stop; None if it is not self-contained."""
    if not any(mark in line.text[line.tail :] for mark in ".。") or OWN_TALK.search(line.text):
        return None
    raw = _LABELLED.sub("", line.text[: line.tail])
    body = plain_words(raw)
    zh = chinese(report)
    if raw[:1] in "*_" or "**" in raw or not declares(body, zh=zh):
        return None
    if report.blocks[line.block].kind == "item":
        # Points of lists often lack a subject.
        if zh and _BARE_ZH.match(body):
            return None
        if not zh and not re.match(
            (
                r"(?:The|An?|Most|Many|Some|Several|All|Each|[A-Z][\w-]*(?: [\w-]+){0,4}? (?:is|are|was|were"
                "|has|have|can|may|will)) "
            ),
            body,
        ):
            return None
    return body


def declares(body: str, *, zh: bool) -> bool:
    """Return whether a text without marks is a complete declarative sentence that stands on its own."""
    if zh:
        return (
            14 <= len(body) <= 110
            and not _LEANS_ZH.search(body)
            and _FINITE_ZH.search(body) is not None
            and re.match(r"[\u4e00-\u9fffA-Z《]", body) is not None
        )
    first = re.match(r"[A-Za-z]+", body)
    if (
        first is None
        or first.group().lower() in _PHRASES["orders"].words("en")
        or first.group().lower() in _PHRASES["finite_verbs"].words("en")
        or _LEANS_EN.search(body)
    ):
        return False
    if _SUBORDINATE.match(body):
        head, comma, rest = body.partition(", ")
        if not comma or not _FINITE.search(head) or not _FINITE.search(_RELATIVE.sub("", rest)):
            return False
    # The verb of a relative clause is not the verb of the sentence.
    return len(body) >= 40 and _FINITE.search(_RELATIVE.sub("", body)) is not None


def finite(text: str, *, zh: bool) -> bool:
    """Return whether a text has a finite verb."""
    return (_FINITE_ZH if zh else _FINITE).search(text) is not None


def section_end(report: Report, section: Section) -> int | None:
    """Return the offset at which a paragraph can be appended to a section's own text.

    Returns:
        The offset; None if the section ends with a table, code or remarks of the writer.
    """
    blocks = [
        block
        for block in report.blocks
        if section.body.start <= block.span.start < section.body.end and block.kind != "heading"
    ]
    while blocks and blocks[-1].kind == "rule":
        blocks.pop()
    if not blocks or blocks[-1].kind not in ("paragraph", "item"):
        return None
    last = blocks[-1]
    text = report.source[last.span.start : last.span.end].rstrip()
    if text.endswith((":", "：", ":**", "：**")) or OWN_TALK.search(text) or "|" in text:
        return None
    if last.kind == "paragraph" and text[-1:] not in ".。]】)*":
        return None
    return last.span.start + len(text)
