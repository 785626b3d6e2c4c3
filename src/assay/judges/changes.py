"""Differences of two texts: the passages that only one of them has, with the shared passages around them.

Two versions of a report (a draft and its revision, a report and its perturbed copy) agree almost everywhere, and
differ in quality only by the few passages that differ. Independent reports share nothing, and
`PassageAlignment.shared` says so.

Headings, list marks and labels such as "Evidence:" are not passages: adding them changes the looks of a text, not
its content.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.subjects.report import Report

_ENGLISH_LABEL: Final = r"""
    (?:(?:key|main|supporting|strong|core|direct|further|additional|important|critical)\s+)?
    (?:evidence|proof|support|data(?:\s+point)?|findings?|facts?|claims?|reasons?|arguments?|points?|notes?
       |takeaways?|conclusions?|warrants?|causes?|effects?|(?:step|part|point|reason|finding)\s+\d+)
    (?:\s+\d+)?\s*(?:[:：–—-]|\.\s)"""
_CHINESE_LABEL: Final = r"""
    (?:【|\[|（|\()?(?:关键|主要|核心|重要|支撑|直接)?
    (?:证据|论据|依据|要点|数据|事实|论点|理由|结论|发现)(?:[一二三四五六七八九十\d]{0,2})?(?:】|\]|）|\)|[:：])"""
_LABEL: Final = re.compile(rf"^\W*(?:{_ENGLISH_LABEL}|{_CHINESE_LABEL})\s*", re.IGNORECASE | re.VERBOSE)
_INNER_LABEL: Final = re.compile(
    r"[（(【\[]\s*(?:key |main )?(?:evidence|proof|关键证据|主要证据|证据|论据|依据)\s*[）)】\]]"
    r"|(?<=[：:])\s*(?:evidence|证据|论据)[:：]",
    re.IGNORECASE,
)
# "**Step 1 – Applying the metric.**": a run-in heading. The span starts inside its emphasis marks.
_RUN_IN: Final = re.compile(
    r"(?:\*\*|__)(?:[^\s*_]+[ \t]+){0,9}[^\s*_]*[.:：。]?(?:\*\*|__)(?:[.:：。]?\s*)$"
)
_WORD: Final = re.compile(r"[^\W_]+(?:[.,'’\-][^\W_]+)*", re.UNICODE)
# Above this many passages on either side, only identical runs at both ends are matched.
_MAX_ALIGNED: Final = 4000


class ReportPassage(msgspec.Struct, frozen=True):
    """A sentence, a table row or another unit of content. Passages with the same ``key`` are equal."""

    key: str
    text: str
    span: Span
    section: int
    cited: tuple[str, ...] = ()


class PassageChange(msgspec.Struct, frozen=True):
    """A change: passages of A (``left``) that replace passages of B (``right``). Either may be empty.

    ``before`` and ``after`` are the shared passages around them.
    """

    left: tuple[ReportPassage, ...]
    right: tuple[ReportPassage, ...]
    before: ReportPassage | None
    after: ReportPassage | None

    def flipped(self) -> PassageChange:
        """Return the same change seen from B."""
        return PassageChange(self.right, self.left, self.before, self.after)


class PassageAlignment(msgspec.Struct, frozen=True):
    """All changes between A and B, and their shared passages. ``shared`` is the shared share of the longer text."""

    changes: tuple[PassageChange, ...]
    common: tuple[ReportPassage, ...]
    shared: float


def strip_labels(text: str) -> str:
    """Return ``text`` without labels like "Evidence:" in front or in brackets."""
    out = _INNER_LABEL.sub(" ", text)
    while (match := _LABEL.match(out)) and match.end() < len(out):
        out = out[match.end() :]
    return out


def make_passage(text: str, span: Span, section: int = 0, cited: tuple[str, ...] = ()) -> ReportPassage:
    """Return a passage with its key: the words in lower case without labels, and the sources it cites."""
    bare = strip_labels(text)
    key = " ".join(_WORD.findall(bare.lower()))
    return ReportPassage(f"{key}|{','.join(cited)}", " ".join(bare.split()), span, section, cited)


def report_passages(report: Report) -> list[ReportPassage]:
    """Return the sentences and table rows of a report, in order, without headings and the reference list."""
    out: list[ReportPassage] = []
    for sentence in report.sentences:
        if _RUN_IN.match(report.source, sentence.span.start - 2, sentence.span.end + 2):
            continue
        keys = tuple(key for citation in report.citations_in(sentence.span) for key in citation.keys)
        passage = make_passage(
            report.plain[sentence.span.start : sentence.span.end], sentence.span, sentence.section, keys
        )
        if passage.key[0] != "|" or keys:
            out.append(passage)
    for table in report.tables:
        section = report.blocks[table.block].section
        for row in (table.header, *table.rows):
            if row:
                span = Span(row[0].span.start, row[-1].span.end)
                keys = tuple(key for citation in report.citations_in(span) for key in citation.keys)
                text = " ; ".join(cell.text for cell in row)
                out.append(make_passage(text, span, section, keys))
    out.sort(key=lambda passage: passage.span.start)
    return out


def align(left: Sequence[ReportPassage], right: Sequence[ReportPassage]) -> PassageAlignment:
    """Match equal passages in order, and return the changes between them."""
    head = 0
    while head < min(len(left), len(right)) and left[head].key == right[head].key:
        head += 1
    tail = 0
    while tail < min(len(left), len(right)) - head and left[-1 - tail].key == right[-1 - tail].key:
        tail += 1
    inner_left = [passage.key for passage in left[head : len(left) - tail]]
    inner_right = [passage.key for passage in right[head : len(right) - tail]]
    changes: list[PassageChange] = []
    # Equal passages may differ in a mark or a label; which of them represents both must not depend on the order.
    twin: dict[int, ReportPassage] = {i: _either(left[i], right[i]) for i in range(head)}
    for i in range(1, tail + 1):
        twin[len(left) - i] = _either(left[-i], right[-i])
    if max(len(inner_left), len(inner_right)) > _MAX_ALIGNED:
        blocks = [(0, len(inner_left), 0, len(inner_right))]
    else:
        matcher = SequenceMatcher(None, inner_left, inner_right, autojunk=False)
        blocks = []
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == "equal":
                for i, j in zip(range(head + i1, head + i2), range(head + j1, head + j2), strict=True):
                    twin[i] = _either(left[i], right[j])
            else:
                blocks.append((i1, i2, j1, j2))
    for i1, i2, j1, j2 in blocks:
        a, b = head + i1, head + i2
        changes.append(
            PassageChange(
                tuple(left[a:b]),
                tuple(right[head + j1 : head + j2]),
                twin.get(a - 1),
                twin.get(b),
            )
        )
    common = tuple(twin[i] for i in sorted(twin))
    size = max(sum(len(p.key) for p in left), sum(len(p.key) for p in right))
    shared = sum(len(p.key) for p in common) / size if size else 1.0
    return PassageAlignment(tuple(changes), common, shared)


def _either(one: ReportPassage, two: ReportPassage) -> ReportPassage:
    return min(one, two, key=lambda passage: (passage.text, passage.cited))
