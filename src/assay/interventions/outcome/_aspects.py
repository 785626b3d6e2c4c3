"""Passages of a report that treat an aspect the query asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.interventions.outcome._claims import POINTS_BACK, claims
from assay.subjects.query import read_query
from assay.subjects.roles import role_of
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block, Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "aspects")

# Shares of an aspect's mentions that make a passage the one that treats it.
_SHARE: Final = 0.3
_LEAST_HITS: Final = 2
_LONGEST: Final = {"en": 1700, "zh": 750}
_SHORTEST: Final = {"en": 80, "zh": 34}
# A key of the query that occurs everywhere is its subject, not a part of it.
_MOST_HITS: Final = 40
_COUNTED: Final = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,2})\s+(?:[a-z\-]+\s+){0,2}"
    r"(?:[a-z]+s)\b|[二三四五六七八九十两\d]+\s?(?:大|个|种|项|点|类|条|方面|维度|步|层|家|位|款)",
    re.IGNORECASE,
)
_HAN: Final = re.compile("[\u4e00-\u9fff]{3,}")
# Words of tasks and of reports about them that name no part of either.
_ZH_FRAME: Final = re.compile(
    r"分析|研究|报告|的主要|进行|提供|情况下|以及|如何|哪些|什么|发展趋|对.的|是否|之间的"
)
_NO_ASPECT: Final = re.compile(
    r"[:：]$|^(?:include|use|cite|write|ensure|please|make|add|format)\b|^请?(?:使用|引用|注明|确保|附上)",
    re.IGNORECASE,
)
_RULE_AT_END: Final = re.compile(r"\s*\n(?:-{3,}|\*{3,}|_{3,})\s*$")
_SUMMING: Final = re.compile(
    r"\b(?:summary|conclusions?|overview|key (?:findings|takeaways))\b|总结|小结|概述|结论", re.IGNORECASE
)
_LABEL: Final = re.compile(r"\s*\*\*([^*\n]{2,60}?)[:：]?\*\*\s*[:：]?\s*(?=\S)")
_NUMBERED: Final = re.compile(
    r"[\W_]*(?:\d{1,2}(?:\.\d{1,2})*[.)、．\s]|[一二三四五六七八九十]+[、.．]"
    r"|[（(][一二三四五六七八九十\d]+[)）]|(?:Step|Phase|Part|Option|Stage)\s\w+)",
    re.IGNORECASE,
)


class QueryAspect(NamedTuple):
    """An aspect or name that the query asks for.

    Attributes:
        label: Its wording in the query.
        keys: Lower-case strings whose occurrences count as mentions of it.
    """

    label: str
    keys: tuple[str, ...]


class AspectPassage(NamedTuple):
    """A passage that treats an aspect the query asks for.

    Attributes:
        kind: ``"section"``, ``"paragraph"``, ``"item"`` or ``"row"``.
        span: The span that a deletion removes, with heading and line breaks.
        body: Span of the text without heading or label.
        label: Its heading or label; empty if it has none.
        wanted: The aspect it treats.
        share: Its share of all mentions of the aspect.
        removable: Whether it can be removed without a gap in numbers, counts or lists.
    """

    kind: str
    span: Span
    body: Span
    label: str
    wanted: QueryAspect
    share: float
    removable: bool


def wanted(report: Report) -> list[QueryAspect]:
    """Return the aspects and names that the query lists."""
    found: list[QueryAspect] | None = report.memo.get(wanted)
    if found is None:
        found = report.memo[wanted] = list(_wanted(report))
    return found


def _wanted(report: Report) -> Iterator[QueryAspect]:
    """Yield the aspects that the query lists, then the names."""
    parts = read_query(report.query or "")
    for aspect in parts.aspects:
        # "Weaknesses:" announces the aspects, and "include images" is about the form.
        if aspect.keys and not _NO_ASPECT.search(aspect.label.strip()):
            yield QueryAspect(aspect.label, aspect.keys)
    for name in parts.names:
        yield QueryAspect(name.text, tuple(form for form in name.forms if len(form) > 1))


def headed_by(report: Report, label: str) -> QueryAspect | None:
    """Return the words that a heading shares with the query as an aspect, or None.

    Three Chinese characters in a row are enough, or one distinctive English word.
    """
    parts = read_query(report.query or "")
    if not label or parts.language != report.language:
        return None
    lower, query = label.lower(), parts.text.lower()
    if report.language == "zh":
        best = ""
        for i in range(len(lower)):
            for j in range(i + max(3, len(best) + 1), len(lower) + 1):
                if lower[i:j] not in query:
                    break
                best = lower[i:j]
        best = best.strip("的与和及在")
        if _HAN.fullmatch(best) and not _ZH_FRAME.search(best):
            return QueryAspect(best, (best,))
        # Two characters are a word if no other character of a word is beside them.
        pieces = [
            p for p in re.split(r"[与和及、/（）()的：:\s\d.．]+|分析$|情况$|方面$", lower) if len(p) == 2
        ]
        found = next((p for p in pieces if p in parts.terms and not _ZH_FRAME.search(p)), None)
        return QueryAspect(found, (found,)) if found else None
    keys = tuple(
        key
        for key in sorted(parts.terms)
        if len(key) > 3 and key not in _PHRASES["frame"].words("en") and hits(lower, (key,))
    )
    return QueryAspect(label, keys) if keys else None


def hits(text: str, keys: tuple[str, ...]) -> int:
    """Return how often any of the keys occurs in a lower-case text; Latin keys only at the start of a word."""
    return sum(
        len(re.findall(rf"(?<![a-z]){re.escape(key)}", text)) if key.isascii() else text.count(key)
        for key in keys
    )


def passages(report: Report) -> list[AspectPassage]:
    """Return the passages that treat an aspect of the query, those with the largest share of its mentions first."""
    found: list[AspectPassage] | None = report.memo.get(passages)
    if found is None:
        asked = [(w, n) for w in wanted(report) if 0 < (n := hits(_body(report), w.keys)) <= _MOST_HITS]
        found = report.memo[passages] = []
        for unit in (*_sections(report), *_blocks(report), *_rows(report)):
            text = report.source[unit.span.start : unit.span.end].lower()
            best: tuple[float, QueryAspect] | None = None
            for want, total in asked:
                held = hits(text, want.keys)
                named = hits(unit.label.lower(), want.keys) > 0
                share = held / total
                if held < min(_LEAST_HITS, total) or share < (_SHARE if named else 2 * _SHARE):
                    continue
                if best is None or share > best[0]:
                    best = (share, want)
            headed = headed_by(report, unit.label) if best is None else None
            if headed is not None and 0 < (total := hits(_body(report), headed.keys)) <= _MOST_HITS:
                share = hits(text, headed.keys) / total
                best = (share, headed) if share >= _SHARE / 2 else None
            if best is None:
                best = _part_of(report, unit)
            if best is not None:
                found.append(unit._replace(share=best[0], wanted=best[1]))
        found.sort(key=lambda passage: -passage.share)
    return found


# Share of the section that a passage must be before it is missed.
_LEAST_PART: Final = 0.3


def _part_of(report: Report, unit: AspectPassage) -> tuple[float, QueryAspect] | None:
    """Return a share and the aspect of a passage whose section heading names the aspect, or None.

    The share is half of the passage's share of that section. None is returned if the passage is too small or too large
    a part of the section, or if no heading above it names an aspect.
    """
    if unit.kind == "row":
        return None
    block = report.block_at(unit.span.start)
    if block is None:
        return None
    section = report.sections[block.section]
    if unit.kind == "section":
        section = report.sections[section.parent or 0]
    if section.index == 0 or section.level < 2 or role_of(report, section) is not None:
        return None
    share = len(unit.span) / max(1, len(section.span))
    least = _LEAST_PART if unit.kind == "section" else 1.5 * _LEAST_PART
    if not least <= share <= 0.8:
        return None
    title = section.title.lower()
    body = _body(report)
    asked = (w for w in wanted(report) if hits(title, w.keys) and hits(body, w.keys) <= _MOST_HITS)
    aspect = next(asked, None) or headed_by(report, section.title)
    if aspect is None or hits(body, aspect.keys) > _MOST_HITS:
        return None
    return share / 2, aspect


def _body(report: Report) -> str:
    """Return the report's text in which mentions are counted."""
    return report.source[: report.body_end].lower()


_NOTHING: Final = QueryAspect("", ())
# Number of items of its depth around an item before it can go unnoticed.
_BESIDE: Final = 2
# Share of a passage's terms that may occur in the rest of its section.
_AGAIN: Final = 0.3


def _sections(report: Report) -> Iterator[AspectPassage]:
    """Yield the sections that can be removed or shortened."""
    longest, shortest = _LONGEST.get(report.language, 0), _SHORTEST.get(report.language, 0)
    end = report.body_end
    for section in report.sections[1:]:
        if section.level < 2 or section.children or section.span.end > end or section.parent is None:
            continue
        closing = _RULE_AT_END.search(report.text(section.span))
        stop = section.span.start + closing.start() + 1 if closing else section.span.end
        body = Span(section.title_span.end, stop)
        text = report.text(body)
        inner = text.strip()
        if not shortest <= len(inner) <= longest or role_of(report, section) is not None:
            continue
        if _SUMMING.search(section.title):
            continue
        start = body.start + len(text) - len(text.lstrip())
        siblings = [s for s in report.sections if s.parent == section.parent and s.level == section.level]
        if len(siblings) < 3:
            continue
        yield AspectPassage(
            "section",
            Span(_line_start(report, section.title_span.start), stop),
            Span(start, start + len(inner)),
            section.title,
            _NOTHING,
            0.0,
            _can_go(report, section, siblings),
        )


def _line_start(report: Report, at: int) -> int:
    return report.source.rfind("\n", 0, at) + 1


def _can_go(report: Report, section: Section, siblings: list[Section]) -> bool:
    """Return whether a section's removal leaves no trace: no missing number, no wrong count, no stray rule."""
    numbered = _NUMBERED.match(section.title) is not None
    if numbered and section is not siblings[-1]:
        return False
    parent = report.sections[section.parent or 0]
    return (
        not _COUNTED.search(report.plain[parent.span.start : parent.body.end])
        if section.parent
        else not numbered
    )


def _blocks(report: Report) -> Iterator[AspectPassage]:
    """Yield the paragraphs and list items that can be removed or shortened."""
    end = report.body_end
    holding = {s.block for s in claims(report)}
    longest, shortest = _LONGEST.get(report.language, 0) * 0.7, _SHORTEST.get(report.language, 0)
    blocks = report.blocks
    for block in report.paragraphs:
        if block.index not in holding or block.span.end > end or not shortest <= len(block.span) <= longest:
            continue
        if role_of(report, report.sections[block.section]) is not None or "\n\n" in report.text(block.span):
            continue
        label = _LABEL.match(report.text(block.span))
        text = label.group(1) if label else ""
        start = block.span.start + (label.end() if label else 0)
        following = blocks[block.index + 1] if block.index + 1 < len(blocks) else None
        before = blocks[block.index - 1] if block.index else None
        # An item with items below it is their heading.
        if following is not None and following.kind == "item" and following.depth > block.depth:
            continue
        if report.text(block.span).rstrip().endswith((":", "：")):
            continue
        yield AspectPassage(
            block.kind,
            _lines_of(report, block),
            Span(start, block.span.end),
            text.strip(),
            _NOTHING,
            0.0,
            _block_can_go(report, block, before, following),
        )


def _lines_of(report: Report, block: Block) -> Span:
    """Return the span of a block's whole lines, with the line break after them."""
    start = _line_start(report, block.span.start)
    stop = report.source.find("\n", block.span.end)
    stop = len(report.source) if stop < 0 else stop + 1
    while block.kind == "paragraph" and report.source[stop : stop + 1] == "\n":
        stop += 1
    return Span(start, stop)


def _block_can_go(report: Report, block: Block, before: Block | None, following: Block | None) -> bool:
    """Return whether a block's removal leaves no trace in the blocks around it."""
    if block.kind == "item":
        same = [
            b for b in (before, following) if b is not None and b.kind == "item" and b.depth == block.depth
        ]
        if len(same) < _BESIDE or block.ordered:
            return False
        lead = next((b for b in reversed(report.blocks[: block.index]) if b.kind != "item"), None)
        return lead is None or not _COUNTED.search(report.plain_text(lead.span))
    # The only paragraph under a heading would leave the heading empty.
    beside = [
        b for b in (before, following) if b is not None and b.section == block.section and b.kind != "heading"
    ]
    if len(beside) < 1 or (before is not None and report.text(before.span).rstrip().endswith((":", "："))):
        return False
    # The text that follows may neither depend on the removed part nor repeat it.
    if repeated(report, block.span):
        return False
    if following is not None and POINTS_BACK.match(report.text(following.span)):
        return False
    return following is None or following.kind not in ("item", "table") or following.section != block.section


def repeated(report: Report, span: Span) -> bool:
    """Return whether the rest of the section repeats much of a passage, in its words or in their order."""
    block = report.block_at(span.start)
    if block is None:
        return False
    section = report.sections[block.section]
    own = content_terms(report.plain_text(span))
    rest = content_terms(
        f"{report.plain[section.title_span.end : span.start]} {report.plain[span.end : section.body.end]}"
    )
    return len(own & rest) > _AGAIN * len(own)


def _rows(report: Report) -> Iterator[AspectPassage]:
    """Yield table rows about something that the query names."""
    for table in report.tables:
        if len(table.rows) < 4:
            continue
        for row in table.rows:
            start = _line_start(report, row[0].span.start)
            stop = report.source.find("\n", row[-1].span.end)
            if not row[0].text or row[0].text[0].isdigit() or stop < 0:
                continue
            yield AspectPassage(
                "row", Span(start, stop + 1), Span(start, stop), row[0].text, _NOTHING, 0.0, True
            )
