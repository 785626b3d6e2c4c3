r"""Marks that look like citations and lead to nothing: of an unknown form, or of a list that the report does not have.

A report whose marks are of an unknown form is not judged by its citations.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.subjects.parts import Citation
    from assay.subjects.structured_text import StructuredText

# A first character that is one of a few lets `re` skip to it; what stands before it is tested afterwards.
_FORMS: Final = re.compile(
    r"""[\[\\{(^【<](?:
        (?<=\[)(?:
            (?<![!\]]\[)(?P<label>(?!image|img|fig|tab)[A-Za-z]{1,10}[-_\ ]?\d{1,4})
            (?:\s?[,;]\s?[A-Za-z]{0,10}[-_\ ]?\d{1,4}){0,8}\](?![(:\[])
          | @[\w:;,@\ \-]{2,120}\] | \[(?!\d{1,3}\]\]\()[^\[\]\n]{1,40}\d\]\](?!\()
          | (?<!\]\[)\d{1,3}:\d{1,3}(?:[-–]\d{1,4})?\]
        )
      | (?<=\\)cite[a-z]{0,2}\*?\{[^{}\n]{1,120}\}
      | (?<=\{)\{?\s?(?:cite|ref|citation|source)[^{}\n]{1,80}\}\}?
      | (?<=\()\(\d{1,3}\)\) | (?<=\^)\[?\d{1,3}\]?\^ | (?<=【)[^】\n]{0,30}\d[^】\n]{0,20}】
      | (?<=<)(?:ref|source|citation|doc)\b[^<>\n]{1,80}>
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d+")
_CLAUSE_END: Final = re.compile(r"\s{0,2}(?:[.,;:!?。，；：、！？)）|\[]|$)", re.MULTILINE)
_ENOUGH: Final = 4
_BOUND: Final = 0.5
_PLENTY: Final = 8


class UnreadMarks(msgspec.Struct, frozen=True):
    """Marks of one form that lead to no source.

    Attributes:
        kind: ``"unknown"`` for a form that was not understood, ``"list_missing"`` for marks of an agent's own list.
        example: The first mark, as written.
        count: How many there are.
        spans: Where they are.
    """

    kind: Literal["unknown", "list_missing"]
    example: str
    count: int
    spans: tuple[Span, ...]


def find_unread_marks(
    report: StructuredText, citations: Sequence[Citation], *, listed: bool
) -> list[UnreadMarks]:
    """Return one group for each form of mark that leads nowhere, the largest first. Linear; never raises.

    Args:
        report: The report.
        citations: Its citations.
        listed: Whether it has a reference list.
    """
    groups = [*_unlisted(report, citations), *_unknown(report)]
    if listed:
        groups += _unbound(report, citations)
    return sorted(groups, key=lambda group: -group.count)


def _group(
    report: StructuredText, kind: Literal["unknown", "list_missing"], spans: list[Span]
) -> UnreadMarks:
    return UnreadMarks(kind, report.text(spans[0]), len(spans), tuple(spans))


def _unlisted(report: StructuredText, citations: Sequence[Citation]) -> Iterator[UnreadMarks]:
    tokens = [
        c.span for c in citations if c.form == "token" and c.references.count(None) == len(c.references)
    ]
    if len(tokens) >= _ENOUGH:
        yield _group(report, "list_missing", tokens)


def _unbound(report: StructuredText, citations: Sequence[Citation]) -> Iterator[UnreadMarks]:
    """Yield the numbers of a report whose list has hardly any of them: the list belongs to something else."""
    marks = [
        c
        for c in citations
        if c.form in ("numeric", "footnote") and not report.text(c.span).endswith((")", "</a>"))
    ]
    loose = [c for c in marks if all(reference is None for reference in c.references)]
    bound = {
        int(key)
        for c in marks
        for key, reference in zip(c.keys, c.references, strict=True)
        if reference is not None and key.isdigit()
    }
    if len(bound) >= _PLENTY:
        # The list is that of the marks; what lies beyond it has no entry.
        top = max(bound)
        loose = [c for c in loose if not (c.keys[0].isdigit() and int(c.keys[0]) > top)]
    if len(loose) >= _ENOUGH and len(marks) - len(loose) < _BOUND * len(marks):
        yield _group(report, "unknown", [c.span for c in loose])


def _unknown(report: StructuredText) -> Iterator[UnreadMarks]:
    source = report.source
    groups: dict[str, list[Span]] = {}
    taken = [(one.start, one.end) for one in report.inlines if one.kind not in ("tag", "wrap", "url")]
    at = 0
    for match in _FORMS.finditer(source):
        while at < len(taken) and taken[at][1] <= match.start():
            at += 1
        if at < len(taken) and taken[at][0] < match.end():
            continue
        block = report.block_at(match.start())
        if (
            block is None
            or block.kind in ("code", "reference", "html", "heading")
            or match.start() == block.span.start
        ):
            continue
        if match["label"] and not _CLAUSE_END.match(source, match.end()):
            continue
        shape = _DIGITS.sub("0", match["label"] or match.group()[:2])
        groups.setdefault(shape, []).append(Span(match.start(), match.end()))
    for spans in groups.values():
        if len(spans) >= _ENOUGH and len({report.text(span) for span in spans}) >= _ENOUGH - 1:
            yield _group(report, "unknown", spans)
