"""An author–year citation, such as ``(Smith, 2021)``, without an entry in the reference list.

In the author–year style, only the name and the year lead readers to the source. A citation is flagged if no entry has
its first author and year, provided that the report clearly uses this style, that is, most of its author–year citations
have an entry.

Known problems: a list that spells a name differently (Müller, Mueller) causes a false finding. A wrong year is reported
as a missing entry, together with any entries by the same author.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Series, Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Citation
    from assay.subjects.report import Report

_BOUND: Final = 3
_SHARE: Final = 0.6

_RELATED: Final = 8
_NAMED: Final = 8

_NOT_LISTED: Final = Wording(
    en="{names} {n:=is|are} cited but not in the reference list{hint}",
    zh="正文引用了{names}，参考文献表中没有{hint}",
)
_NAME: Final = Wording(en="{name} {year}", zh="{name}（{year}）")
_OTHER_YEAR: Final = Wording(en="; the list has {name} with another year", zh="；表中有{name}其他年份的文献")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for all authors and years without an entry in the list."""
    cited = [c for c in report.citations if c.form == "author_year"]
    if not cited or not report.references or not report.citations_readable:
        return
    bound: set[str] = set()
    missing: dict[str, Citation] = {}
    for citation in cited:
        for key, reference in zip(citation.keys, citation.references, strict=True):
            if reference is None:
                missing.setdefault(key, citation)
            else:
                bound.add(key)
    if len(bound) < _BOUND or len(bound) < _SHARE * (len(bound) + len(missing)):
        return
    # "ecb", "who": abbreviations that a list may spell out.
    missing = {
        key: citation for key, citation in missing.items() if not _is_abbreviation(report, key, citation)
    }
    if not missing:
        return
    heads = [
        (ref.span, report.source[ref.span.start : ref.span.end][:80].lower()) for ref in report.references
    ]
    near = {key: [span for span, head in heads if key.rpartition(" ")[0] in head] for key in missing}
    dated = next((key for key, spans in near.items() if spans), None)
    names = tuple(_NAME(name=_shown(key), year=key.rpartition(" ")[2]) for key in list(missing)[:_NAMED])
    spans = sorted({citation.span for citation in missing.values()})
    yield RawFinding(
        spans[0],
        _NOT_LISTED(
            names=Series(names, "" if len(missing) > _NAMED else "and", cut=len(missing) > _NAMED),
            n=len(missing),
            hint=_OTHER_YEAR(name=_shown(dated)) if dated else "",
        ),
        related=(*spans[1:_RELATED], *(near[dated][:1] if dated else ())),
        confidence=0.8,
    )


def _shown(key: str) -> str:
    name = key.rpartition(" ")[0]
    return name.title() if name.isascii() else name


def _is_abbreviation(report: Report, key: str, citation: Citation) -> bool:
    name = key.rpartition(" ")[0]
    return len(name) <= 4 and name.isascii() and name.upper() in report.text(citation.span)


_LIST = (
    "\n\n## References\n\nEcker, U., & Lewandowsky, S. (2019). Backfire. Journal of Memory.\n\n"
    "Pew Research Center. (2021). News media trust.\n\nSmith, A., & Jones, B. (2020). Corrections that last.\n"
)
_LIST_ZH = "\n\n## 参考文献\n\n- 张伟, 王芳 (2020). 热泵推广研究. 能源学报.\n- 李明 (2019). 电网负荷. 电力杂志.\n- 陈静 (2021). 电费变化. 经济评论.\n"

CHECK = Check(
    code="CIT012",
    name="author-not-listed",
    severity="warning",
    summary="An author–year citation with no such author and year in the reference list.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(
        Example(
            "Trust fell (Pew Research Center, 2021). Corrections last (Smith & Jones, 2020), but not always "
            "(Ecker & Lewandowsky, 2019; Nyhan & Reifler, 2010)." + _LIST
        ),
        Example(
            "热泵增长很快（张伟等，2020）。负荷上升（李明，2019），电费下降（陈静，2021）。也有人反对（周涛，2018）。"
            + _LIST_ZH
        ),
    ),
    good=(
        Example(
            "Trust fell (Pew Research Center, 2021). Corrections last (Smith & Jones, 2020), but not always "
            "(see Ecker & Lewandowsky, 2019). The film opened later (May 2022)." + _LIST
        ),
        Example(
            "热泵增长很快（张伟等，2020）。负荷上升（李明，2019），电费下降（陈静，2021）。（截至2023）"
            + _LIST_ZH
        ),
    ),
)
