"""Sentences that can be repeated elsewhere – whole, declarative and self-contained – and their short forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import (
    OWN_TALK,
    ProseLine,
    capital,
    chinese,
    lines,
    opening_small,
    plain_words,
)
from assay.text.phrases import PhraseFile
from assay.text.words import STOPWORDS

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
# Trailing parts after a whole clause, which a short form can omit.
_TRAILS: Final = _PHRASES.pattern(", (?:<<trailing_openings>>) [^,]{8,140}$")
# "**Lead:** text" is repeated without its lead.
_LABELLED: Final = re.compile(r"^\*\*[^*\n]{2,70}(?:[:：]\*\*|\*\*\s?[:：])\s*")
_RELATIVE: Final = re.compile(r",? (?:which|who|that|whose|where|as)\b[^,]*")
_SUBORDINATE: Final = _PHRASES.pattern(r"(?:<<subordinate>>)\b")
# Whatever limits or reverses a statement stays with it.
_TURNS: Final = _PHRASES.pattern(r"\b(?:<<turns>>)\b")
# Pronouns whose noun would come only later.
_PRONOUN: Final = re.compile(r"\b(?:it|its|they|their|them|he|she|his|her|this|these)\b")
_LAST: Final = re.compile(r"^(?P<main>[^,]{25,160}),? (?P<sub>(?:because|although) (?!of\b)[^,]{18,150})$")
_FIRST: Final = re.compile(
    "^(?P<sub>(?:Because|Although|While|When|In|Since|During) [^,]{4,90}), (?P<main>(?:the|a|an"
    r"|many|most|some|all|each|it|[A-Z][\w-]+|[a-z]+s) [^,]{25,170})$",
)
_ACCORDING: Final = re.compile(r"^According to (?P<who>(?:the |a |an )?[^,]{3,60}), (?P<main>[^,]{25,190})$")
_NEGATED: Final = re.compile(r"\b(?:not|never|no|only|simply|partly|mainly|largely|precisely|n't)\b|n[’']t\b")


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


def small_opening(report: Report, text: str) -> str | None:
    """Return a sentence worded to follow other words: lower-cased unless it begins with a name.

    Returns:
        The sentence; None if the report does not show whether its first words are a name.
    """
    word = re.match(r"[A-Z][\w'’-]*", text)
    if word is not None and text[word.end() : word.end() + 1] not in (" ", ","):
        return text
    if word is not None and word.group().lower() in _PHRASES["everyday"].words("en"):
        return text[0].lower() + text[1:]
    if word is not None and word.group().lower() not in STOPWORDS:
        name = re.escape(word.group())
        large = len(re.findall(rf"(?<=[a-z,] ){name}\b", report.plain))
        small = len(re.findall(rf"\b{re.escape(word.group().lower())}\b", report.plain))
        if large > small:
            return text
        if re.match(r"[\w'’-]+ [A-Z]", text) and large and large * 4 >= small:
            return text
        # "Light Emitting Diodes" is one name or none; half of it in lower case would be neither.
        if re.match(r"[\w'’-]+ [A-Z][a-z]", text) or (not small and re.match(r"[\w'’-]+ [A-Z]", text)):
            return None
    return opening_small(report, text)


def shortened(body: str, *, zh: bool) -> str:
    """Return a sentence without the part that trails its main clause, or unchanged if that part cannot be dropped."""
    text = body
    if zh:
        return text
    cut = _TRAILS.search(text)
    if cut and (_TURNS.search(text, cut.start()) or re.search(r"[()]", text)):
        return text
    # The part before must be complete; the verb in "systems that are small, such as kilns" does not belong to it.
    if cut and cut.start() >= 45 and not _SUBORDINATE.match(text):
        head = text[: cut.start()]
        if not re.search(r"\b(?:that|who|which|whose|where)\b", head) and _FINITE.search(head):
            return head
    return text


def moved(report: Report, body: str) -> str | None:
    """Return a sentence with its two clauses in the other order, or None if the grammar is not certain."""
    if chinese(report) or _NEGATED.search(body):
        return None
    match = _LAST.match(body)
    if match and _PRONOUN.search(match["sub"]):
        return None
    if match and _FINITE.search(match["main"]) and _FINITE.search(match["sub"]):
        small = small_opening(report, match["main"])
        return None if small is None else f"{capital(match['sub'])}, {small}"
    match = _ACCORDING.match(body)
    if match and _FINITE.search(match["main"]):
        return f"{capital(match['main'])}, according to {match['who']}"
    match = _FIRST.match(body)
    if match and _FINITE.search(match["main"]):
        sub = match["sub"]
        clause = sub.split()[0] in ("Because", "Although", "While", "When", "Since")
        if clause and not _FINITE.search(sub):
            return None
        if not clause and not re.match(r"(?:In|During|Since) (?:the )?(?:\w+ )?(?:\d{4}|[12]\d{3}s)$", sub):
            return None
        comma = "," if sub.startswith(("Although", "While")) else ""
        return f"{capital(match['main'])}{comma} {sub[0].lower()}{sub[1:]}"
    return None


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
