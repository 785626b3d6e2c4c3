"""Citation groundedness: citations that do not support their claim – a wrong number, an exchange, a wrong source.

The text of the sources is not available, so every pattern relies on what the report itself shows. A marker is
changed only if the title of its source shares words with the claim. It then points at a source whose title shares
none and that nothing nearby cites, or past the end of the list. In a report that cites only by name, the name
becomes that of another source of the report.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.hints import place_hint
from assay.interventions.outcome._claims import (
    attributions,
    claims,
    difference,
    mixed,
    paragraph_sites,
    plain,
    refused,
    revise,
    sentence_citations,
    title_terms,
)
from assay.interventions.outcome._source_swaps import (
    TELLING,
    altered_addresses,
    closing,
    elsewhere,
    last_marker,
    number,
    same_sort,
)
from assay.subjects.cited_claims import CitedClaim, cited_claims
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.parts import Block, Citation, Sentence
    from assay.subjects.report import Report

_BARE: Final = re.compile(r"[\[［【]\d{1,3}[\]］】]")
_EXCHANGE: Final = 900
# A number past the end of the list is found by counting; the other patterns need reading and should prevail.
_MOST_ABSENT: Final = 3
# Fewest content terms that claim and title share before the title counts as that of its source.
_FIT: Final = {"en": 2, "zh": 3, "und": 2}


def _rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    yield from mixed(report, draw, _wrong, _absent, _exchanged, _moved, _misnamed, altered_addresses)


def _alone(report: Report) -> list[tuple[CitedClaim, Sentence]]:
    """Return the claims that cite exactly one source once, with their sentences."""
    found: list[tuple[CitedClaim, Sentence]] | None = report.memo.get(_alone)
    if found is None:
        allowed = {s.index: s for s in claims(report)}
        found = report.memo[_alone] = [
            (cited, sentence)
            for cited in cited_claims(report)
            if len(cited.citations) == 1
            and len((one := cited.citations[0]).keys) == 1
            and one.form in ("numeric", "footnote")
            and one.references[0] is not None
            and one.sentence is not None
            and (sentence := allowed.get(one.sentence)) is not None
        ]
    return found


def _fit(report: Report, span: Span, index: int) -> int:
    """Return the number of distinctive terms that a span shares with the title of a source."""
    return len(content_terms(plain(report, span)) & title_terms(report)[index])


def _markers(report: Report) -> dict[int, str]:
    """Return for each source a marker that cites it alone, in the report's style."""
    out: dict[int, str] = {}
    for citation in report.citations:
        if len(citation.keys) == 1 and citation.form in ("numeric", "footnote"):
            index = citation.references[0]
            if index is not None:
                out.setdefault(index, report.text(citation.span))
    return out


def _same_form(one: str, other: str) -> bool:
    return re.sub(r"\d+", "1", one.split("(", maxsplit=1)[0]) == re.sub(
        r"\d+", "1", other.split("(", maxsplit=1)[0]
    )


def _wrong(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which a marker points at another listed source, on another subject."""
    markers = _markers(report)
    sites = _alone(report)[:]
    draw.shuffle(sites)
    sites.sort(key=lambda site: -min(_fit(report, site[1].span, site[0].citations[0].references[0] or 0), 4))
    for cited, sentence in sites:
        citation = cited.citations[0]
        own = citation.references[0]
        if own is None or _fit(report, sentence.span, own) < TELLING:
            continue
        near = {i for c in _around(report, sentence) for i in c.references}
        text = report.text(citation.span)
        others = [
            i
            for i, marker in markers.items()
            if i != own
            and i not in near
            and _same_form(text, marker)
            and not _fit(report, sentence.span, i)
            and elsewhere(report, own, i)
        ]
        if others:
            marker = markers[draw.choice(others)]
            yield revise(citation.span.start, citation.span.end, marker, "wrong-source", f"{text} → {marker}")


def _around(report: Report, sentence: Sentence) -> list[Citation]:
    """Return the citations of a sentence's section, or of its block if the section is most of the report."""
    section = report.sections[sentence.section]
    span = (
        section.body if section.index > 0 and len(section.body) < 4000 else report.blocks[sentence.block].span
    )
    return report.citations_in(span)


def _absent(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which one marker points past the end of the list and all others into it."""
    keys = [int(r.key) for r in report.references if r.key is not None and r.key.isdigit()]
    if len(keys) < 5 or any(None in c.references for c in report.citations if c.form == "numeric"):
        return
    sites = [site for site in _alone(report) if _BARE.fullmatch(report.text(site[0].citations[0].span))]
    draw.shuffle(sites)
    for cited, _ in sites[:_MOST_ABSENT]:
        citation = cited.citations[0]
        text = report.text(citation.span)
        key = str(max(keys) + draw.randint(1, max(2, len(keys) // 4)))
        marker = text.replace(citation.keys[0], key)
        yield revise(citation.span.start, citation.span.end, marker, "no-such-source", f"{text} → {marker}")


def _exchanged(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which two consecutive claims exchange their sources."""
    sites = _alone(report)
    pairs = [
        (a, b)
        for (a, first), (b, second) in pairwise(sites)
        if second.block - first.block <= 1 and second.section == first.section and a.claim != b.claim
    ]
    draw.shuffle(pairs)
    for a, b in pairs:
        one, other = a.citations[0], b.citations[0]
        i, j = one.references[0], other.references[0]
        if i is None or j is None or i == j or other.span.end - one.span.start > _EXCHANGE:
            continue
        if not (_fit(report, a.claim, i) and _fit(report, b.claim, j) and elsewhere(report, i, j)):
            continue
        if (
            _fit(report, a.claim, j)
            or _fit(report, b.claim, i)
            or len(report.citations_in(Span(one.span.start, other.span.end))) > 2
        ):
            continue
        first, second = report.text(one.span), report.text(other.span)
        between = report.source[one.span.end : other.span.start]
        yield revise(
            one.span.start,
            other.span.end,
            second + between + first,
            "exchanged-sources",
            f"{first} and {second} of two claims exchanged",
        )


def _moved(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that move a marker to the next claim, which has another source and another subject.

    A neighbour without a source is left alone: a marker at the end of a passage may well cover all of it.
    """
    sites = _alone(report)[:]
    draw.shuffle(sites)
    allowed = {s.index: s for s in claims(report)}
    for cited, sentence in sites:
        citation = cited.citations[0]
        own = citation.references[0]
        if own is None or len(sentence_citations(report, sentence.span)) != 1:
            continue
        if not _fit(report, sentence.span, own):
            continue
        beside = [
            other
            for step in (-1, 1)
            if (other := allowed.get(sentence.index + step)) is not None
            and other.section == sentence.section
            and abs(other.block - sentence.block) <= 1
            and len(other.span) + len(sentence.span) <= _EXCHANGE
            and (last := last_marker(report, other)) is not None
            and own not in {i for c in sentence_citations(report, other.span) for i in c.references}
            and _same_form(report.text(last.span), report.text(citation.span))
            and not _fit(report, other.span, own)
            and all(
                elsewhere(report, own, i)
                for c in sentence_citations(report, other.span)
                for i in c.references
                if i is not None
            )
        ]
        if not beside:
            continue
        other = draw.choice(beside)
        last = last_marker(report, other)
        if last is None:
            continue
        marker = report.text(citation.span)
        bare = (
            report.source[sentence.span.start : citation.span.start].rstrip(" ")
            + (report.source[citation.span.end : sentence.span.end])
        )
        # Markers side by side are in ascending order.
        beyond = [c for c in closing(report, other) if number(citation) < number(c)]
        at = beyond[0].span.start if beyond else last.span.end
        given = report.source[other.span.start : at] + marker + report.source[at : other.span.end]
        low, high = sorted((sentence, other), key=lambda s: s.index)
        gap = report.source[low.span.end : high.span.start]
        text = bare + gap + given if low is sentence else given + gap + bare
        yield revise(
            low.span.start, high.span.end, text, "moved-citation", f"{marker} moved to the claim beside it"
        )


def _misnamed(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which another source that the report names replaces a named source."""
    found = attributions(report)
    names = sorted({a.text for a in found})
    sites = found[:]
    draw.shuffle(sites)
    for site in sites:
        sentence = report.sentence_at(site.phrase.start)
        if sentence is None:
            continue
        words = report.text(sentence.span)
        others = [
            name
            for name in names
            if name not in words
            and same_sort(name, site.text)
            and not set(name.lower().split()) & set(site.text.lower().split())
            and not (name in site.text or site.text in name)
        ]
        # The name may recur nearby and would reveal the exchange.
        if not others or words.count(site.text) > 1:
            continue
        name = draw.choice(others)
        yield revise(site.name.start, site.name.end, name, "misnamed-source", f"{site.text} → {name}")


def _sites(report: Report, draw: Random) -> Iterator[EditSite]:
    def wanted(block: Block) -> str | None:
        cited = [c for c in report.citations_in(block.span) if c.form != "link"]
        if cited:
            return place_hint("marker")
        if any(block.span.start <= a.phrase.start < block.span.end for a in attributions(report)):
            return place_hint("attribution")
        return None

    yield from paragraph_sites(report, draw, wanted)


def _check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    if (why := refused(reference, perturbed)) is not None:
        return why
    where = difference(reference, perturbed, revision)
    old, new = _pairs(reference, where.before), _pairs(perturbed, where.after)
    added = _added(old, new)
    if added:
        return _of_markers(reference, perturbed, old, added)
    if sum(len(keys) for _, keys in new) < sum(len(keys) for _, keys in old):
        return "a citation is missing, not wrong"
    if _addresses(where.old) != _addresses(where.new):
        return None
    before = [
        a.text for a in attributions(reference) if where.before.start <= a.phrase.start < where.before.end
    ]
    after = [a.text for a in attributions(perturbed) if where.after.start <= a.phrase.start < where.after.end]
    if before != after:
        fresh = [name for name in after if name not in before]
        return None if fresh else "a named source is missing, not wrong"
    return "no citation, named source or address differs"


_Pairs = list[tuple[str, tuple[str, ...]]]


def _pairs(report: Report, span: Span) -> _Pairs:
    """Return the claims of a span with the keys that they cite."""
    out: _Pairs = []
    by_claim: dict[Span, list[str]] = {}
    for citation in sentence_citations(report, span):
        by_claim.setdefault(citation.claim, []).extend(citation.keys)
    for claim, keys in by_claim.items():
        out.append((plain(report, claim), tuple(keys)))
    return out


def _addresses(text: str) -> list[str]:
    return re.findall(r"https?://[^\s)>\]]+", text)


# With this share in common, it is the same claim in other words.
_SAME: Final = 0.7


def _added(old: _Pairs, new: _Pairs) -> list[tuple[str, str]]:
    """Return pairs of a claim and a key that it did not cite before."""
    known = [(content_terms(words), keys) for words, keys in old]

    def had(words: str, key: str) -> bool:
        terms = content_terms(words)
        return any(
            key in keys and len(terms & other) >= _SAME * max(1, min(len(terms), len(other)))
            for other, keys in known
        )

    return sorted({(words, key) for words, keys in new for key in keys if not had(words, key)})


def _of_markers(
    reference: Report, perturbed: Report, old: _Pairs, added: list[tuple[str, str]]
) -> str | None:
    by_key = {ref.key: ref.index for ref in perturbed.references if ref.key is not None}
    terms = title_terms(reference)
    least = _FIT[reference.language]
    wrong = False
    for words, key in added:
        index = by_key.get(key)
        if index is None or index >= len(terms):
            if any(key in keys for _, keys in old):
                return "a citation that had no entry before has none now"
            wrong = True
        elif len(content_terms(words) & terms[index]) < least:
            wrong = True
    return None if wrong else "the title of the source that is cited now fits the claim"


OPERATOR = Operator(
    name="citation_groundedness",
    title="Citation groundedness",
    title_zh="引用失据",
    level="outcome",
    module="output",
    category="faithfulness",
    definition=(
        "A claim carries a citation that does not bear it out: a wrong or nonexistent number, two sources "
        "exchanged, a source named that is not the one, or an address that leads elsewhere."
    ),
    definition_zh="论断所附的引用并不支持它：编号错误或不存在、两处来源互换、署错来源名称，或链接指向了别处。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Change a citation and nothing that it stands behind: give a claim the number of another source, "
        "exchange the markers of two claims, move a marker to a neighbouring sentence that its source has "
        "nothing to do with, or name another institution as the source. Keep the form of the markers, and "
        "every word of the claims. The source that is cited now must not be one that could support the "
        "claim."
    ),
    ask_zh=(
        "只改引用，不改论断本身的文字：可以换成另一条来源的编号，互换两个论断的引用，把引用移到相邻的、该来源并不涉及的句子，"
        "或把来源机构换成另一家。引用的书写格式保持不变，并确保换上的来源不可能支持该论断。"
    ),
    check=_check,
    codes=("CIT001", "CIT003", "CIT010"),
    source="reflect, table 3: Output, Faithfulness, Citation Groundedness",
)
