"""A claim with figures or names that the source it cites does not contain.

If the texts of the sources are available, the simplest test of a citation is whether the source contains what the claim
says. Figures are compared by value, so that "1.2 billion" equals "1,200 million", allowing for rounding and for common
fractions in words. If another available source contains the figure, the message says so.

A claim is not checked if the text of one of its sources is missing or too short, or if the claim says that it was
calculated. Findings about names alone have lower confidence; names are only compared if claim and source use the same
script.

Known problems: an excerpt of a source may lack what the full page contains, and figures in images are not found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit.source_figures import Figures, citation_name, source_of, verifiable
from assay.checks.wording import FilledWording, Series, Wording, series
from assay.subjects.cited_claims import CitedClaim, cited_claims
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import SourceTexts
    from assay.subjects.report import Report
    from assay.subjects.span import Span
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "cit")

_SHORT: Final = 120
_EXCERPT: Final = 1200
_PAGE: Final = 4000
_DERIVED: Final = PhraseLexicon(_PHRASES, "claim_not_in_source_derived")
_NAME: Final = re.compile(
    r"(?<![.!?:\"“(]\s)(?<!^)\b[A-Z][a-z]{2,}(?:[\s\-][A-Z][a-z]{2,}){0,3}\b|\b[A-Z]{3,6}\b|《[^《》]{2,40}》"
)
_WORDS: Final = WordSets(_PHRASES)

_FIGURES_MISSING: Final = Wording(
    en="{figures} {n:=is|are} not in the cited source {source}{elsewhere}",
    zh="所引来源{source}中没有{figures}{elsewhere}",
)
_ELSEWHERE: Final = Wording(en=", but in {source}", zh="，但见于{source}")
_NAMES_MISSING: Final = Wording(
    en="The cited source {source} mentions none of {names}", zh="所引来源{source}没有提到{names}中的任何一个"
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield at most one finding for each cited claim."""
    sources = context.sources
    if sources is None:
        return
    figures: dict[str, Figures] = {}
    every: dict[int, Figures] | None = None
    for cited in cited_claims(report):
        texts = _texts(report, cited, sources)
        if not texts or _DERIVED.any(report.cues, cited.claim.start, cited.claim.end):
            continue
        known = [
            figures.setdefault(text, Figures([text])) if text not in figures else figures[text]
            for text in texts
        ]
        quantities = report.quantities_in(cited.claim)
        missing = [q for q in quantities if verifiable(q) and not any(figure.has(q) for figure in known)]
        size = sum(map(len, texts))
        if missing:
            if every is None:
                every = _all_figures(report, sources)
            yield _figures_finding(report, cited, missing, size, every)
            continue
        if not any(verifiable(q) for q in quantities):
            yield from _missing_names(report, cited, texts)


def _texts(report: Report, cited: CitedClaim, sources: SourceTexts) -> list[str]:
    """Return the texts of all sources cited for the claim; none if one is missing or they are too short together."""
    texts: list[str] = []
    for citation in cited.citations:
        for key, index in zip(citation.keys, citation.references, strict=True):
            text = source_of(report, sources, key, index, citation.form)
            if text is None:
                return []
            texts.append(text)
    return texts if sum(map(len, texts)) >= _SHORT else []


def _all_figures(report: Report, sources: SourceTexts) -> dict[int, Figures]:
    out: dict[int, Figures] = {}
    for ref in report.references:
        text = sources.text(ref.key, ref.url)
        if text:
            out[ref.index] = Figures([text])
    return out


def _sureness(size: int) -> float:
    return 0.6 if size < _EXCERPT else 0.75 if size < _PAGE else 0.85


def _names(report: Report, cited: CitedClaim) -> Series:
    names = [
        citation_name(report, key, index)
        for citation in cited.citations
        for key, index in zip(citation.keys, citation.references, strict=True)
    ]
    return series(names[:4], "or")


def _figures_finding(
    report: Report, cited: CitedClaim, missing: list[Quantity], size: int, every: dict[int, Figures]
) -> Hit:
    figures = dict.fromkeys(report.source[q.start : q.end].strip() for q in missing[:4])
    own = {index for citation in cited.citations for index in citation.references}
    elsewhere = [i for i, known in every.items() if i not in own and all(known.has(q) for q in missing)]
    # A round figure may occur anywhere, but a precise one in only one other source suggests that this is the right one.
    other_source = (
        elsewhere[0] if len(elsewhere) == 1 and any(q.decimals or q.value >= 100 for q in missing) else None
    )
    elsewhere_named: FilledWording | str = ""
    related: tuple[Span, ...] = ()
    if other_source is not None:
        ref = report.references[other_source]
        elsewhere_named = _ELSEWHERE(source=citation_name(report, ref.key or "", other_source))
        related = (ref.span,)
    return Hit(
        cited.claim,
        _FIGURES_MISSING(
            figures=series(figures), n=len(missing), source=_names(report, cited), elsewhere=elsewhere_named
        ),
        related=related,
        confidence=min(0.95, _sureness(size) + (0.1 if other_source is not None else 0.0)),
    )


def _missing_names(report: Report, cited: CitedClaim, texts: list[str]) -> Iterator[Hit]:
    claim = report.plain[cited.claim.start : cited.claim.end]
    names = _proper_names(claim)
    if len(names) < 2 or has_cjk(claim) != any(map(has_cjk, texts)):
        return
    joined = "\n".join(texts).lower()
    if not any(
        word in joined
        for name in names
        for word in name.lower().split()
        if word not in _WORDS.claim_not_in_source_common
    ):
        yield Hit(
            cited.claim,
            _NAMES_MISSING(source=_names(report, cited), names=series(names[:4], quoted=True)),
            confidence=_sureness(sum(map(len, texts))) - 0.15,
        )


def _proper_names(claim: str) -> list[str]:
    names = [" ".join(name.strip("《》").split()) for name in _NAME.findall(claim)]
    return [name for name in dict.fromkeys(names) if name.lower() not in _WORDS.claim_not_in_source_common]


_LIST = (
    "\n\n## References\n\n[1] Heat pump sales: https://energy.example.org/sales\n[2] Grid study: "
    "https://grid.example.org/study\n"
)
_SOURCES = {
    "1": "The association counts every unit its members sell. In 2023 they sold 356,000 heat pumps, 53 "
    "percent more than in 2022, "
    "when 236,000 were sold. Most went into existing houses, and the average price fell slightly to 28,400 "
    "euros per unit.",
    "2": "Across the twelve feeders monitored over two winters, evening peak load rose by 4.2 % for each "
    "tenth of homes that "
    "switched. Transformers in three villages reached their limits on 17 days. The operator plans to replace "
    "them by 2027.",
}
_LIST_ZH = "\n\n## 参考文献\n\n[1] 热泵销量: https://energy.example.org/sales\n[2] 电网研究: https://grid.example.org/study\n"
_SOURCES_ZH = {
    "1": "协会统计其会员销售的每一台设备。2023年共售出35.6万台热泵，比2022年增长53%，当年售出23.6万台。大部分安装在既有住宅中，平均价格略降至28400欧元。"
    "协会预计，随着补贴规则的明确和安装人员的增加，未来几年市场仍将保持增长，但增速会有所放缓，各地区之间的差异也将继续存在。",
    "2": "在两个冬季监测的十二条馈线上，每有十分之一的住户改用热泵，晚间峰值负荷上升4.2%。三个村庄的变压器在17天内达到极限。运营商计划在2027年前更换。"
    "研究指出，只要把部分用电移至夜间，多数馈线无需扩容即可承受更高的热泵比例，但需要用户接受一定程度的远程控制，并配合分时电价。",
}

CHECK = Check(
    code="CIT009",
    name="claim-not-in-source",
    severity="warning",
    summary="Figures or names of a claim that the cited source does not contain (needs the sources).",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    needs=("sources",),
    bad=(
        Example(
            "In 2023, 356,000 heat pumps were sold, 73 % more than a year before [1]." + _LIST,
            sources=_SOURCES,
        ),
        Example(
            "Evening peak load rose by 4.2 % for each tenth of homes that switched [1]." + _LIST,
            sources=_SOURCES,
        ),
        Example("2023年共售出35.6万台热泵，比上年增长73%[1]。" + _LIST_ZH, sources=_SOURCES_ZH),
    ),
    good=(
        Example(
            "In 2023 about 0.36 million heat pumps were sold, 53 % more than a year before [1]." + _LIST,
            sources=_SOURCES,
        ),
        Example(
            "Sales rose by 53 % [1], and peak load by 4.2 % for each 10 % of homes that switched [2]."
            + _LIST,
            sources=_SOURCES,
        ),
        Example("2023年共售出356000台热泵，比上年增长53%[1]。" + _LIST_ZH, sources=_SOURCES_ZH),
    ),
)
