"""An entry of the reference list that the text never cites.

A list with unused entries makes a report look better founded than it is; it may also mean that a passage or its citation
was lost. One finding for each list names the entries.

An entry also counts as cited if the text has its DOI, another identifier or its title. Lines that stand for sources
("further references omitted") do not count. Nothing is flagged in reports without in-text citations, in lists of further reading, or if the text and the list use
different citation styles. If the text cites by links or by names, at least half of the list must be cited.

Known problems: an entry cited only inside a table image or a code block counts as unused.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import excerpt, ranges
from assay.checks.wording import Series, Wording
from assay.subjects.source_identity import work_identity
from assay.text.phrases import PhraseFile
from assay.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Reference
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "cit")

_RELATED: Final = 10
_NAMED: Final = 6
_MOSTLY: Final = 0.5
_WORD: Final = re.compile(r"[^\W\d_]+")
_YEARS: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_AUTHOR: Final = 60
_MARKER: Final = re.compile(r"[\[［【](\d{1,4})[\]］】]")
_READING: Final = _PHRASES.pattern(
    "(?i)<<reference_never_cited_reading.en>>|<<reference_never_cited_reading.zh>>"
)

_REMARK: Final = _PHRASES.pattern(
    "(?i)<<reference_never_cited_remark.en>>|<<reference_never_cited_remark.zh>>"
)
# What names one work or record wherever it stands: DOI, arXiv and database numbers, paths of files.
_IDENTIFIER: Final = re.compile(
    r"""\b(?: 10\.\d{4,6}/[^\s()\[\]<>"'`，。；）]+ | \d{4}\.\d{4,5}(?:v\d)?\b | PMC\d{5,9}\b
      | [A-Z]{2,8}:[A-Z]?\d{4,9}\b | (?<![./\w\-])[\w\-]+(?:/[\w.\-]+){1,6}\.[a-z]{2,5}\b )""",
    re.VERBOSE | re.IGNORECASE,
)
# "the corpus callosum 23 and", "control 46.": a number without brackets that belongs to no noun of its own.
_BARE: Final = re.compile(r"(?:[^\W\d_]|[)\]）”’\"*.])[ ]?(\d{1,3})(?![\d%]|[.,]\d)")
_TITLE: Final = 24
_SENTENCE: Final = 10

_UNUSED: Final = Wording(
    en="{n} of the {total} listed sources {n:=is|are} never cited{keys}",
    zh="所列{total}条文献中有{n}条从未被引用{keys}",
)
_KEYS: Final = Wording(en=": {keys}", zh="：{keys}")


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each list that has unused entries."""
    if not report.references or not report.citations_readable:
        return
    used: set[int] = set()
    forms: Counter[str] = Counter()
    for citation in report.citations:
        bound = [index for index in citation.references if index is not None]
        used.update(bound)
        forms[_STYLES.get(citation.form, citation.form)] += bool(bound)
    style = forms.most_common(1)[0][0] if len(used) > 1 else ""
    for entries in report.reference_lists:
        unused = _unused(report, entries, used, style)
        if unused:
            keys = [ref.key for ref in unused if ref.key is not None]
            names = _shortened(ranges(keys)) if keys else _titles(unused)
            yield Hit(
                unused[0].span,
                _UNUSED(n=len(unused), total=len(entries), keys=_KEYS(keys=names) if names.items else ""),
                related=tuple(ref.span for ref in unused[1:_RELATED]),
                confidence=0.7 if style == "author_year" else 0.9,
                severity="warning" if len(unused) > _MOSTLY * len(entries) and style == "number" else None,
            )


_STYLES: Final = {"numeric": "number", "footnote": "number", "cite_tag": "number"}


def _unused(report: Report, entries: list[Reference], used: set[int], style: str) -> list[Reference]:
    """Return the entries of a list that nothing cites, if the citations plainly refer to this list."""
    cited = [ref for ref in entries if ref.index in used]
    unused = [ref for ref in entries if ref.index not in used and not _reading(report, ref)]
    unused = _unnamed(report, unused) if unused and cited else unused
    if not unused or not cited or (style == "number" and entries[0].key is None):
        return []
    if style != "number" and len(cited) * 2 < len(entries):
        # Links and names also stand beside a list of further reading.
        return []
    seen = {key for ref in report.references if ref.index in used for key in (ref.key, *ref.aliases)}
    for ref in report.references:
        # A list of works may itself cite the list of sources: "1. Wang Bi, Commentary. [12][13]".
        if ref.index not in used:
            seen.update(_MARKER.findall(report.source, ref.span.start + 1, ref.span.end))
    if style == "author_year":
        # "Li et al., 2025" may refer to any of several entries; the parser assigns it to the first.
        named = {key for ref in cited for key in _author_years(report, ref)}
        return [ref for ref in unused if not named.intersection(_author_years(report, ref))]
    # If two entries have the same number or address, the first gets the citations.
    urls = {work_identity(ref.url) for ref in cited if ref.url}
    return [
        ref
        for ref in unused
        if not (style == "number" and ref.key in seen) and not (ref.url and work_identity(ref.url) in urls)
    ]


def _unnamed(report: Report, unused: list[Reference]) -> list[Reference]:
    """Return the entries that the text does not name in another way, by an identifier, a title or a bare number."""
    body = "\n".join(report.text(block.span) for block in report.blocks if block.kind != "reference")
    named = {match.group().lower().rstrip(".,;:*_") for match in _IDENTIFIER.finditer(body)}
    lower = body.lower()
    marks = [report.text(citation.span) for citation in report.citations if citation.form == "numeric"]
    bare = 2 * sum(mark.isdigit() for mark in marks) > len(marks)
    numbers = set(_BARE.findall(body)) if bare else set()
    return [
        ref
        for ref in unused
        if not (
            ref.key in numbers
            or (len(ref.title) >= _TITLE and ref.title.lower() in lower)
            or _is_remark(report, ref)
            or any(
                match.group().lower().rstrip(".,;:*_") in named
                for match in _IDENTIFIER.finditer(report.text(ref.span))
            )
        )
    ]


def _is_remark(report: Report, reference: Reference) -> bool:
    """Return whether a line of the list is a note and not a source: it says so, or is a sentence without any datum."""
    text = report.text(reference.span)
    plain = (
        reference.key is None
        and not reference.url
        and not _YEARS.search(text)
        and not _IDENTIFIER.search(text)
    )
    return bool(_REMARK.search(reference.title or text)) or (plain and count_words(text) >= _SENTENCE)


def _shortened(names: Series) -> Series:
    return names if len(names.items) <= 2 * _NAMED else Series(names.items[: 2 * _NAMED], cut=True)


def _titles(unused: list[Reference]) -> Series:
    titles = tuple(excerpt(ref.title or ref.url or "", 50) for ref in unused[:_NAMED])
    return Series(tuple(filter(None, titles)), quoted=True, cut=len(unused) > _NAMED)


def _author_years(report: Report, reference: Reference) -> Iterator[tuple[str, str]]:
    """Yield the first author's name with each year of an entry: ``Min Li, …`` and ``Li, M., …`` are both "li"."""
    text = report.text(reference.span)
    words = _WORD.findall(text[:_AUTHOR].partition(",")[0])
    if words:
        for year in _YEARS.findall(text):
            yield words[-1].lower(), year


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
            "Sales doubled in 2023 [1]. Peak load rose (Wu, doi:10.5555/grid.17).\n\n## References\n\n"
            "[1] Survey: https://a.example.org/s\n[2] Grid study: https://doi.org/10.5555/grid.17\n"
            "[3] Other references omitted for brevity\n"
        ),
        Example(
            "Sales doubled in 2023. Peak load rose.\n\n## References\n\n[1] Survey: https://a.example.org/s\n"
            "[2] Market outlook: https://b.example.org/o\n"
        ),
    ),
)
