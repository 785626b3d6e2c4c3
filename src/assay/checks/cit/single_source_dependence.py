"""One source supports most of the cited statements.

A report that relies on one source inherits the errors and interests of that source, however long its reference list
is. The check counts sentences, not markers: a sentence with three sources counts a third for each.

Known problems: a report that was asked to review one document does so rightly.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cit._shared import TITLED, entry_name, excerpt
from assay.checks.wording import Wording
from assay.subjects.references import normalize_url
from assay.subjects.source_identity import page_identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.subjects.span import Span

_SENTENCES: Final = 10
_SHARE: Final = 0.5

_ONE_SOURCE: Final = Wording(
    en="{source} supports {n} of the {total} cited sentences",
    zh="有引用的{total}个句子中，{n}句都出自{source}",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding if a single source supports at least half of the cited sentences."""
    if len(report.citations) < _SENTENCES:
        return
    # A cheap test first: a source with few markers cannot support half of the sentences, even if listed three times.
    named = Counter(
        index if index is not None else key
        for c in report.citations
        for key, index in zip(c.keys, c.references, strict=True)
    )
    if named.most_common(1)[0][1] * 3 < _SHARE * len({c.sentence for c in report.citations}):
        return
    cited: dict[int, set[str]] = {}
    first: dict[str, Span] = {}
    names_of: dict[int, str] = {}
    for citation in report.citations:
        if citation.sentence is None:
            continue
        names = cited.setdefault(citation.sentence, set())
        for key, index in zip(citation.keys, citation.references, strict=True):
            if index is None:
                name = normalize_url(key) if citation.form == "link" else f"key:{key}"
            elif (name := names_of.get(index, "")) == "":
                ref = report.references[index]
                name = page_identity(ref.url) if ref.url else f"ref:{index}"
                names_of[index] = name
            names.add(name)
            first.setdefault(name, citation.span)
    if len(cited) < _SENTENCES:
        return
    weight: dict[str, float] = {}
    for names in cited.values():
        for name in names:
            weight[name] = weight.get(name, 0.0) + 1 / len(names)
    name, top = max(weight.items(), key=lambda item: item[1])
    share = top / len(cited)
    if share < _SHARE:
        return
    alone = sum(1 for names in cited.values() if name in names)
    title = next(
        (
            entry_name(ref.key, excerpt(ref.title or ref.url or ""))
            for ref in report.references
            if (ref.url and page_identity(ref.url) == name) or f"ref:{ref.index}" == name
        ),
        TITLED(title=excerpt(name.partition(":")[2] if name.startswith("key:") else name)),
    )
    yield RawFinding(
        first[name],
        _ONE_SOURCE(source=title, n=alone, total=len(cited)),
        confidence=0.85 if share > 0.6 else 0.75,
    )


_REFS = (
    "\n\n## References\n\n[1] Vendor white paper: https://vendor.example.org/wp\n[2] Survey: "
    "https://a.example.org/s\n[3] Grid study: https://c.example.org/g\n"
)
_SAYS = "Output rose in {0} [{1}]."

CHECK = Check(
    code="CIT007",
    name="single-source-dependence",
    severity="info",
    summary="One source stands behind at least half of the cited sentences.",
    run=run,
    dimension="evidence_sufficiency",
    failure="evidence_omission",
    bad=(Example(" ".join(_SAYS.format(2010 + i, 1 if i < 10 else 2) for i in range(12)) + _REFS),),
    good=(Example(" ".join(_SAYS.format(2010 + i, 1 + i % 3) for i in range(12)) + _REFS),),
)
