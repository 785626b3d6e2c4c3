"""A statement: one sentence, or a heading, that claims or reports something, and what its words do to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from assay.logic.patterns import leans, opposes
from assay.logic.roles import concludes, gives_ground, is_adverse, sets_apart
from assay.logic.terms import coarse, terms_of

if TYPE_CHECKING:
    from assay.subjects.report import Report
    from assay.subjects.span import Span

# Value and unit of a number: what two passages that speak of the same fact share.
Figure = tuple[float, str]
_BULLETS: Final = frozenset("•●▪◦‣∙")
_BULLET_REACH: Final = 12
NO_KEYS: Final[frozenset[str]] = frozenset()


class Statement:
    """One sentence (or heading) that claims or reports something.

    Attributes:
        kind: Claim or evidence.
        span: Its words in the source, without enumerator and citation marks.
        block: Index of its block, -1 for a heading.
        section: Index of its section.
        claim: Points for being a claim.
        evidence: Points for being evidence.
        figures: The figures it gives.
        keys: What it cites: reference numbers, addresses, authors.
        conclusive: Whether it draws a conclusion by its words.
        lead_in: Whether it ends in a colon.
        urging: Whether it says what should be done.
    """

    __slots__ = (
        "_leaning",
        "_report",
        "_sentence",
        "_terms",
        "block",
        "claim",
        "conclusive",
        "evidence",
        "figures",
        "keys",
        "kind",
        "lead_in",
        "section",
        "span",
        "urging",
    )

    def __init__(  # noqa: PLR0917 - one is made for every sentence, and keywords cost as much as the rest
        self,
        kind: Literal["argument", "evidence"],
        span: Span,
        report: Report,
        sentence: int,
        block: int,
        section: int,
        claim: float,
        evidence: float = 0.0,
        figures: tuple[Figure, ...] = (),
        keys: frozenset[str] = NO_KEYS,
        *,
        conclusive: bool = False,
        lead_in: bool = False,
        urging: bool = False,
    ) -> None:
        self.kind = kind
        self.span = span
        self.block = block
        self.section = section
        self.claim = claim
        self.evidence = evidence
        self.figures = figures
        self.keys = keys
        self.conclusive = conclusive
        self.lead_in = lead_in
        self.urging = urging
        self._report = report
        self._sentence = sentence
        self._terms: frozenset[str] | None = None
        self._leaning: bool | None = None

    @property
    def cited(self) -> bool:
        """Return whether it has a citation."""
        return bool(self.keys)

    @property
    def terms(self) -> frozenset[str]:
        """Return what it is about; computed on first use, because most statements are never asked."""
        if self._terms is None:
            report = self._report
            if self._sentence < 0:
                self._terms = terms_of(report.cues, self.span.start, self.span.end)
            else:
                self._terms = coarse(report.sentence_terms[self._sentence], chinese=report.language == "zh")
        return self._terms

    @property
    def opposing(self) -> bool:
        """Return whether it turns against what stands before it ("However, …")."""
        return opposes(self._report.cues.lower, self.span.start)

    @property
    def concluding(self) -> bool:
        """Return whether it opens as the conclusion from what stands before it ("Therefore, …")."""
        return concludes(self._report.cues.lower, self.span.start)

    @property
    def grounding(self) -> bool:
        """Return whether it opens as the reason for what stands before it ("This is because …")."""
        return gives_ground(self._report.cues.lower, self.span.start)

    @property
    def setting_apart(self) -> bool:
        """Return whether it opens as a contrast to what stands before it."""
        return sets_apart(self._report.cues.lower, self.span.start)

    @property
    def bulleted(self) -> bool:
        """Return whether a bullet stands before it that is not read as a list's ("•" within a paragraph)."""
        before = self._report.source[max(0, self.span.start - _BULLET_REACH) : self.span.start]
        return before.rstrip(" \t*_")[-1:] in _BULLETS

    @property
    def adverse(self) -> bool:
        """Return whether it names a drawback, a doubt or a limit."""
        return is_adverse(self._report.cues.lower[self.span.start : self.span.end])

    @property
    def leaning(self) -> bool:
        """Return whether it cannot be understood without the sentence before it."""
        if self._leaning is None:
            self._leaning = leans(self._report.cues.lower, self.span.start)
        return self._leaning
