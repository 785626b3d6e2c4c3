"""Claims of a report, each with the citations that support it together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Citation
    from assay.subjects.report import Report


class CitedClaim(NamedTuple):
    """A claim and the citations that stand behind it together: ``… grew by 4 % [1][3]``."""

    claim: Span
    citations: tuple[Citation, ...]


def cited_claims(report: Report) -> Iterator[CitedClaim]:
    """Yield claims in order; markers side by side share one.

    A marker with no words before it stands for its sentence.
    """
    group: list[Citation] = []
    for citation in report.citations:
        if group and citation.claim == group[0].claim and citation.sentence == group[0].sentence:
            group.append(citation)
            continue
        if group:
            yield _cited_claim(report, group)
        group = [citation]
    if group:
        yield _cited_claim(report, group)


def _cited_claim(report: Report, group: list[Citation]) -> CitedClaim:
    claim = group[0].claim
    if group[0].sentence is not None and sum(map(str.isalnum, report.plain[claim.start : claim.end])) < 4:
        claim = report.sentences[group[0].sentence].span
    return CitedClaim(claim, tuple(group))
