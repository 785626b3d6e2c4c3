"""An entry of the reference list that the text never cites.

A list with unused entries makes a report look better founded than it is; it may also mean that a passage or its citation
was lost. The first entries are flagged one by one and the rest in one finding; if most of the list is unused, there is
only one finding.

Nothing is flagged in reports without in-text citations, in lists of further reading, or if the text and the list use
different citation styles.

Known problems: an entry cited only inside a table image or a code block counts as unused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding, Severity
from assay.checks.cit._shared import entry_name, excerpt, ranges
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Reference
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "cit")

_CAP: Final = 4
_RELATED: Final = 10
_MOSTLY: Final = 0.5
_WORD: Final = re.compile(r"[^\W\d_]+")
_YEARS: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_AUTHOR: Final = 60
_MARKER: Final = re.compile(r"[\[［【](\d{1,4})[\]］】]")
_READING: Final = _PHRASES.pattern(
    "(?i)<<reference_never_cited_reading.en>>|<<reference_never_cited_reading.zh>>"
)

_MOST_UNUSED: Final = Wording(
    en="{n} of the {total} entries are never cited{keys}", zh="{total}条文献中有{n}条从未被引用{keys}"
)
_UNUSED: Final = Wording(en="{entry} is never cited in the text", zh="{entry}在正文中从未被引用")
_MORE: Final = Wording(en="{n} more entries are never cited{keys}", zh="另有{n}条文献从未被引用{keys}")
_KEYS: Final = Wording(en=": {keys}", zh="：{keys}")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield findings for unused entries, in the order of the list."""
    references = report.references
    if not references:
        return
    used: set[int] = set()
    numbered = 0
    by_author = 0
    for citation in report.citations:
        used.update(index for index in citation.references if index is not None)
        numbered += citation.form in ("numeric", "footnote", "cite_tag")
        by_author += citation.form == "author_year"
    keyed = numbered >= by_author
    entries = [ref for ref in references if (ref.key is not None) == keyed]
    # Of two lists, only the one that the markers refer to is checked.
    bracketed = {report.source[references[index].span.start] in "[［【" for index in used}
    entries = [ref for ref in entries if (report.source[ref.span.start] in "[［【") in bracketed]
    unused = [ref for ref in entries if ref.index not in used]
    if not unused or (numbered if keyed else by_author) == 0 or len(used) < 2:
        return
    seen = {ref.key for ref in references if ref.index in used}
    if len(entries) < len(references):
        # A list of works may itself cite the list of sources: "1. Wang Bi, Commentary. [12][13]".
        mine = {ref.index for ref in entries}
        for ref in references:
            if ref.index not in mine:
                seen.update(_MARKER.findall(report.source, ref.span.start + 1, ref.span.end))
    if not keyed:
        # "Li et al., 2025" may refer to any of several entries; the parser assigns it to the first.
        named = {key for ref in references if ref.index in used for key in _author_years(report, ref)}
        unused = [ref for ref in unused if not named.intersection(_author_years(report, ref))]
    # If two entries have the same number, the marker is assigned to the first; CIT005 reports the second.
    unused = [ref for ref in unused if (not keyed or ref.key not in seen) and not _reading(report, ref)]
    if not unused:
        return
    if len(unused) >= _MOSTLY * len(entries) and len(unused) > _CAP:
        yield _summary(unused, _MOST_UNUSED, "warning", total=len(entries))
        return
    for ref in unused[: _CAP if len(unused) > _CAP + 1 else None]:
        yield RawFinding(
            ref.span,
            _UNUSED(entry=entry_name(ref.key, excerpt(ref.title))),
            confidence=0.9 if keyed else 0.7,
        )
    if len(unused) > _CAP + 1:
        rest = unused[_CAP:]
        yield _summary(rest, _MORE, None)


def _author_years(report: Report, reference: Reference) -> Iterator[tuple[str, str]]:
    """Yield the first author's name with each year of an entry: ``Min Li, …`` and ``Li, M., …`` are both "li"."""
    text = report.text(reference.span)
    words = _WORD.findall(text[:_AUTHOR].partition(",")[0])
    if words:
        for year in _YEARS.findall(text):
            yield words[-1].lower(), year


def _summary(
    unused: list[Reference], wording: Wording, severity: Severity | None, **values: int
) -> RawFinding:
    keys = [ref.key for ref in unused if ref.key is not None]
    return RawFinding(
        unused[0].span,
        wording(n=len(unused), keys=_KEYS(keys=ranges(keys)) if keys else "", **values),
        related=tuple(ref.span for ref in unused[1:_RELATED]),
        confidence=0.9,
        severity=severity,
    )


def _reading(report: Report, reference: Reference) -> bool:
    block = report.block_at(reference.span.start)
    return block is not None and bool(_READING.search(report.sections[block.section].title))


CHECK = Check(
    code="CIT002",
    name="reference-never-cited",
    severity="info",
    summary="An entry of the reference list that no marker in the text points at.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(
        Example(
            "Sales doubled in 2023 [1]. Peak load rose [3].\n\n## References\n\n[1] Survey: https://a.example.org/s\n"
            "[2] Market outlook: https://b.example.org/o\n[3] Grid study: https://c.example.org/g\n"
        ),
        Example(
            "2023年销量翻番[1]。峰值负荷上升[3]。\n\n## 参考文献\n\n[1] 调查: https://a.example.org/s\n"
            "[2] 市场展望: https://b.example.org/o\n[3] 电网研究: https://c.example.org/g\n"
        ),
    ),
    good=(
        Example(
            "Sales doubled in 2023 [1]. Peak load rose [2-3].\n\n## References\n\n[1] Survey: https://a.example.org/s\n"
            "[2] Market outlook: https://b.example.org/o\n[3] Grid study: https://c.example.org/g\n"
        ),
        Example(
            "Sales doubled in 2023. Peak load rose.\n\n## References\n\n[1] Survey: https://a.example.org/s\n"
            "[2] Market outlook: https://b.example.org/o\n"
        ),
    ),
)
