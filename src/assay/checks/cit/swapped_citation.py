"""A claim that shares nothing with the source it cites and clearly matches another source of the same report.

Swapped and mistyped citations look like this. The check needs the texts of the sources. Words that most of the sources
share, because they belong to the topic, do not count; the check looks for the rarer terms and figures of the claim.

Known problems: if a claim and its source are in different languages, they share few words and are not checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit.source_figures import citation_name, source_of
from assay.checks.wording import Wording, series
from assay.subjects.cited_claims import CitedClaim, cited_claims
from assay.text.quantities import find_quantities
from assay.text.words import content_terms, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import SourceTexts
    from assay.subjects.report import Report

_SHORT: Final = 80
# The cited source may contain at most the first share of the claim's distinctive terms; the other source must contain
# at least the second.
_NOTHING: Final = 0.12
_MUCH: Final = 0.5
_TERMS: Final = 4
_BEST_TERMS: Final = 3

_FITS_ANOTHER: Final = Wording(
    en="The claim shares {shared} of its {total} distinctive terms with {own}, but {count} with {other}",
    zh="这一论断的{total}个特征词中，见于所引{own}的有{shared}个，见于{other}的却有{count}个",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each claim that matches another source than the one it cites."""
    sources = context.sources
    if sources is None:
        return
    terms = _source_terms(report, sources)
    if len(terms) < 2:
        return
    holders: dict[str, list[int]] = {}
    for index, source_terms in terms.items():
        for term in source_terms:
            holders.setdefault(term, []).append(index)
    for cited in cited_claims(report):
        finding = _judge(report, sources, cited, terms, holders)
        if finding is not None:
            yield finding


def _source_terms(report: Report, sources: SourceTexts) -> dict[int, set[str]]:
    out: dict[int, set[str]] = {}
    for ref in report.references:
        text = sources.text(ref.key, ref.url)
        if text is not None and len(text) >= _SHORT:
            out[ref.index] = _terms(ref.title + "\n" + text)
    return out


def _terms(text: str) -> set[str]:
    figures = {
        f"{q.value:g}" for q in find_quantities(text) if q.kind != "ordinal" and (q.value >= 10 or q.decimals)
    }
    return content_terms(text) | figures


def _judge(
    report: Report,
    sources: SourceTexts,
    cited: CitedClaim,
    terms: dict[int, set[str]],
    holders: dict[str, list[int]],
) -> Hit | None:
    own: set[int] = set()
    for citation in cited.citations:
        for key, index in zip(citation.keys, citation.references, strict=True):
            if index is None or index not in terms:
                # The text of a source cited here is missing, and that source may be the matching one.
                return None
            own.add(index)
            if source_of(report, sources, key, index, citation.form) is None:
                return None
    claim = report.plain[cited.claim.start : cited.claim.end]
    common = len(terms) / 2 if len(terms) > 3 else len(terms) - 0.5
    telling = {term for term in _terms(claim) if 0 < len(holders.get(term, ())) <= common}
    if len(telling) < _TERMS:
        return None
    weight = {term: 1.0 / len(holders[term]) for term in telling}
    total = sum(weight.values())
    here = sum(weight[term] for term in telling if any(index in own for index in holders[term])) / total
    if here > _NOTHING:
        return None
    scores: dict[int, float] = {}
    counts: dict[int, int] = {}
    for term in telling:
        for index in holders[term]:
            scores[index] = scores.get(index, 0.0) + weight[term]
            counts[index] = counts.get(index, 0) + 1
    best = max(scores, key=lambda index: scores[index])
    if best in own or scores[best] < _MUCH * total or counts[best] < _BEST_TERMS:
        return None
    ref = report.references[best]
    if has_cjk(claim) != any(
        has_cjk(sources.text(report.references[i].key, report.references[i].url) or "") for i in own
    ):
        return None
    names = series((citation_name(report, report.references[i].key or "", i) for i in sorted(own)[:3]), "or")
    shared = sum(1 for term in telling if any(index in own for index in holders[term]))
    return Hit(
        cited.claim,
        _FITS_ANOTHER(
            shared=shared,
            total=len(telling),
            own=names,
            count=counts[best],
            other=citation_name(report, ref.key or "", best),
        ),
        related=(cited.citations[0].span, ref.span),
        confidence=0.85 if scores[best] > 0.7 * total and here == 0 else 0.7,
    )


_LIST = (
    "\n\n## References\n\n[1] Heat pump sales: https://energy.example.org/sales\n[2] Grid study: "
    "https://grid.example.org/study\n"
    "[3] Noise survey: https://noise.example.org/n\n"
)
_SOURCES = {
    "1": "The association counts every unit its members sell. In 2023 they sold 356,000 heat pumps, 53 "
    "percent more than in 2022. Most went "
    "into existing houses, and the average price fell slightly to 28,400 euros.",
    "2": "Across the twelve feeders monitored over two winters, evening peak load rose by 4.2 % for each "
    "tenth of homes that switched to heat "
    "pumps. Transformers in three villages reached their limits on 17 days.",
    "3": "Of 1,900 neighbours asked about heat pumps, one in nine was disturbed by the noise of the outdoor "
    "unit, mostly at night and mostly "
    "where the unit stood below three metres from a bedroom window.",
}

CHECK = Check(
    code="CIT010",
    name="swapped-citation",
    severity="error",
    summary="A claim that shares nothing with its source but plainly matches another one (needs the sources).",
    run=run,
    dimension="evidence_sufficiency",
    failure="wrong_source_citation",
    needs=("sources",),
    bad=(
        Example(
            "Transformers in three villages reached their limits while evening peak load rose [3]." + _LIST,
            sources=_SOURCES,
        ),
        Example(
            "三个村庄的变压器达到极限，晚间峰值负荷明显上升[1]。\n\n## 参考文献\n\n[1] 噪声调查: https://noise.example.org/n\n[2] 电网研究: "
            "https://grid.example.org/g\n",
            sources={
                "1": "在受访的一千九百名邻居中，九分之一的人认为室外机的噪声造成干扰，多数发生在夜间，且室外机距离卧室窗户不足三米。"
                "调查还询问了居民对限时运行和隔音罩的态度，结果显示大多数人愿意接受这两种办法，只要费用不由自己承担。",
                "2": "在两个冬季监测的十二条馈线上，晚间峰值负荷随热泵比例明显上升，三个村庄的变压器在十七天内达到极限。运营商计划在两年内更换这些变压器，"
                "并研究把部分用电移至夜间的办法，以推迟线路扩容，降低改造成本，减少停电风险。",
            },
        ),
    ),
    good=(
        Example(
            "Transformers in three villages reached their limits while evening peak load rose [2]." + _LIST,
            sources=_SOURCES,
        ),
        Example(
            "Transformers in villages reached their limits, and neighbours were disturbed by noise [2][3]."
            + _LIST,
            sources=_SOURCES,
        ),
    ),
)
