"""Sentences as statements: which make a claim, which report a fact, and which say nothing about the subject.

Rule of the paper (appendix C): statements supported by data are evidence, all others arguments. A sentence collects
points for both sides (figures, sources and dated events for evidence; conclusions, judgements and causes for a
claim), and the heavier side wins. Announcements, questions, labels and fragments are neither.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.logic.cues import GROUPS, find_cues
from assay.logic.patterns import (
    is_anaphoric,
    is_checkable,
    is_claim_title,
    is_slogan,
    looks_ahead,
    orders_action,
    recommends,
)
from assay.logic.roles import (
    announces,
    defines,
    illustrates,
    is_diagram,
    lacks_referent,
    opens_items,
    reports_finding,
)
from assay.logic.statement import NO_KEYS, Figure, Statement
from assay.logic.wording import (
    STOPS,
    after_label,
    is_cjk,
    item_says_something,
    says_something,
    without_enumerator,
)
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Collection

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

# A claim holds at least one weak word of a claim, or opens its paragraph.
_LEAST_CLAIM: Final = 0.7
_SLOGAN: Final = 26
_LONG: Final = 110
_LONG_CJK: Final = 36
_HARD_KINDS: Final = frozenset(("percent", "points", "currency"))
_ENUMERATING: Final = frozenset("一二三四五六七八九十第")
# Units that count reasons and headings as often as things.
_LOOSE_UNITS: Final = frozenset(
    (*"个种类条项家名人次年天日月点岁", "years", "year", "months", "days", "hours", "weeks")
)


class _Scores:
    """Points of every sentence, added up group by group."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.starts = report.sentence_starts
        self.ends = [sentence.span.end for sentence in report.sentences]
        size = len(self.starts)
        self.claim = [0.0] * size
        self.evidence = [0.0] * size

    def read_cues(self) -> dict[str, set[int]]:
        """Return the sentences by the groups of cues they hold; each group counts once per sentence."""
        found = find_cues(self.report)
        for group in GROUPS:
            if group.claim:
                for i in found[group.name]:
                    self.claim[i] += group.claim
            if group.evidence:
                for i in found[group.name]:
                    self.evidence[i] += group.evidence
        return found


def is_strong(quantity: Quantity) -> bool:
    """Return whether a number is a figure (a share, a sum, a measure, a large count), not an ordinal or a small count."""
    kind = quantity.kind
    if kind in ("percent", "points", "currency"):
        return True
    if kind in ("year", "ordinal"):
        return False
    if quantity.unit in _LOOSE_UNITS or not quantity.unit:
        return quantity.scale > 1 or abs(quantity.value) >= 100 or quantity.decimals > 0
    return True


def _figures(report: Report, scores: _Scores) -> tuple[list[list[Figure]], set[int]]:
    """Return the figures of each sentence and the sentences with a share or a sum; add their evidence points."""
    starts, ends, evidence = scores.starts, scores.ends, scores.evidence
    figures: list[list[Figure]] = [[] for _ in starts]
    hard: set[int] = set()
    dated = [False] * len(starts)
    i = -1
    size = len(starts)
    for quantity in report.quantities:
        start = quantity.start
        while i + 1 < size and starts[i + 1] <= start:
            i += 1
        if i < 0 or start >= ends[i]:
            continue
        if is_strong(quantity):
            evidence[i] += 0.5 if figures[i] else 2.0
            figures[i].append((quantity.value, quantity.unit))
            if quantity.kind in _HARD_KINDS or quantity.scale > 1:
                hard.add(i)
        elif quantity.kind == "year":
            if not dated[i]:
                dated[i] = True
                evidence[i] += 0.8
        elif not figures[i]:
            evidence[i] += 0.2
    return figures, hard


def _link_lists(report: Report, scores: _Scores) -> set[int]:
    """Return the sentences that are little more than the words of links."""
    starts = scores.starts
    linked: dict[int, int] = {}
    for inline in report.inlines:
        if inline.kind == "link":
            i = bisect_right(starts, inline.start) - 1
            if i >= 0 and inline.start < scores.ends[i]:
                linked[i] = linked.get(i, 0) + inline.inner_end - inline.inner_start
    plain = report.plain
    out: set[int] = set()
    for i, size in linked.items():
        text = plain[starts[i] : scores.ends[i]]
        if size * 2 > sum(map(len, text[after_label(text) :].split())):
            out.add(i)
    return out


def read_statements(report: Report, skipped: Collection[int] = ()) -> list[Statement | None]:
    """Return the statement that each sentence makes, or None; same length and order as ``report.sentences``.

    Args:
        report: The report.
        skipped: Sections whose sentences are left out.
    """
    reader = _StatementReader(report)
    statements: list[Statement | None] = [None] * len(report.sentences)
    block = -1
    for i, sentence in enumerate(report.sentences):
        first = sentence.block != block
        block = sentence.block
        if sentence.section not in skipped:
            statements[i] = reader.read(i, sentence, first=first)
    return statements


class SentenceWeights(NamedTuple):
    """What the words of every sentence say about it.

    Attributes:
        claims: Points for being a claim.
        facts: Sentences that give a figure, or name a source or an example.
        figures: The figures of each sentence.
        keys: What a sentence cites.
    """

    claims: list[float]
    facts: set[int]
    figures: list[list[Figure]]
    keys: dict[int, list[str]]


def weigh_sentences(report: Report) -> SentenceWeights:
    """Return what the words of every sentence of a report say about it."""
    scores = _Scores(report)
    cues = scores.read_cues()
    figures, _ = _figures(report, scores)
    facts = {i for i, found in enumerate(figures) if found}
    keys = cited_keys(report)
    facts |= cues["attributing"] | cues["illustrating"] | keys.keys()
    return SentenceWeights(scores.claim, facts, figures, keys)


def cited_keys(report: Report) -> dict[int, list[str]]:
    """Return what each sentence cites, by its index."""
    keys: dict[int, list[str]] = {}
    for citation in report.citations:
        if citation.sentence is not None:
            keys.setdefault(citation.sentence, []).extend(citation.keys)
    return keys


class _StatementReader:
    """Reads the sentences of a report, in order."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._scores = scores = _Scores(report)
        cues = scores.read_cues()
        self._concluding, self._recommending = cues["concluding"], cues["recommending"]
        self._attributing, self._predicting = cues["attributing"], cues["predicting"]
        self._pointing = cues["pointing"]
        self._reporting = cues["attributing"] | cues["happening"]
        self._about_itself = cues["self"] - cues["finding"]
        self._off_subject = self._about_itself | (cues["announcing"] - cues["finding"])
        self._figures, self._hard = _figures(report, scores)
        self._linked = _link_lists(report, scores)
        self._cited = cited_keys(report)
        # The section whose list is a table of contents: "This report covers:" stood before it.
        self._contents = -1
        self._ahead: dict[int, bool] = {}

    def read(self, i: int, sentence: Sentence, *, first: bool) -> Statement | None:
        """Return the statement of the i-th sentence, or None.

        Args:
            i: Index of the sentence; that of the one before it was read before.
            sentence: The sentence.
            first: Whether it is the first one of its block.
        """
        report = self._report
        item = report.blocks[sentence.block].kind == "item"
        is_cited, measured = i in self._cited, bool(self._figures[i])
        start = sentence.span.start
        text = report.plain[start : sentence.span.end].rstrip()
        lead_in = text.endswith((":", "："))
        if not item:
            self._contents = sentence.section if lead_in and i in self._about_itself else -1
        elif self._contents == sentence.section and not measured and not is_cited:
            return None
        if self._is_off_subject(i, text, first=first):
            return None
        if not text[0].isalpha() or text[0] in _ENUMERATING:
            text, start = without_enumerator(text, start)
        if not self._is_whole(i, text, start, item=item, lead_in=lead_in):
            return None
        claim, evidence = self._scores.claim[i], self._scores.evidence[i]
        lower = report.cues.lower[start : start + len(text)]
        if is_cited:
            evidence += 1.2
        urging = i in self._recommending
        if (first or item) and orders_action(
            report.cues.lower, start, start + len(text), cjk=report.cues.cjk
        ):
            urging = True
            claim += 2.0
        example = illustrates(lower, 0)
        reports = example or (
            not (urging or lead_in) and (self._reports(i, claim, evidence, text) or reports_finding(lower))
        )
        if reports and not measured and not example and self._looks_ahead(sentence.section):
            reports = False
        if reports and not (measured or is_cited or example) and not is_checkable(text):
            # "Users often end up with …" names nothing that could be looked up.
            reports = False
        if reports and not measured and is_anaphoric(lower):
            # "This was achieved despite …" is evidence of nothing by itself.
            return None
        if not (measured or i in self._concluding) and lacks_referent(lower):
            # "These works broadened …" has lost its subject outside its paragraph.
            return None
        if first and not is_cited and not measured:
            # Topic sentences stand first and leave the proof to what follows.
            claim += 0.8
        if not reports and not lead_in and (claim < _LEAST_CLAIM or self._is_slogan(i, text, sentence)):
            return None
        if self._says_nothing(i, text, lower, measured=measured, lead_in=lead_in):
            return None
        return Statement(
            "evidence" if reports else "argument",
            Span(start, start + len(text)),
            report,
            i,
            sentence.block,
            sentence.section,
            claim,
            evidence,
            tuple(self._figures[i]),
            frozenset(self._cited[i]) if is_cited else NO_KEYS,
            conclusive=i in self._concluding,
            lead_in=lead_in,
            urging=urging,
        )

    def _says_nothing(self, i: int, text: str, lower: str, *, measured: bool, lead_in: bool) -> bool:
        """Return whether a sentence announces, defines or draws a diagram, or opens a list without a claim."""
        if lead_in and opens_items(lower):
            return True
        if measured or i in self._concluding:
            return False
        return is_diagram(text) or announces(lower) or defines(lower)

    def _looks_ahead(self, section: int) -> bool:
        """Return whether a section is about the future or advice, where nothing is reported."""
        known = self._ahead.get(section)
        if known is None:
            title = self._report.sections[section].title
            known = self._ahead[section] = recommends(title) or looks_ahead(title)
        return known

    def _is_slogan(self, i: int, text: str, sentence: Sentence) -> bool:
        """Return whether a short Chinese item only calls for action (推动产业升级), outside recommendations."""
        if len(text) > _SLOGAN or i in self._cited or self._figures[i] or text[0] < "\u2e80":
            return False
        return is_slogan(text) and not recommends(self._report.sections[sentence.section].title)

    def _is_off_subject(self, i: int, text: str, *, first: bool) -> bool:
        """Return whether a sentence is about the text itself, a list of links, or a reference to a table."""
        if not text or i in self._off_subject or i in self._linked:
            return True
        if i in self._pointing and not self._figures[i]:
            return True
        if not first and i - 1 in self._about_itself and is_anaphoric(text.lower()):
            # "This report covers … It examines …"
            self._about_itself.add(i)
            return True
        return False

    def _is_whole(self, i: int, text: str, start: int, *, item: bool, lead_in: bool) -> bool:
        """Return whether a sentence is a statement at all: not a label, a name, a date, a fragment."""
        report = self._report
        cjk = is_cjk(report, text)
        stated = self._scores.claim[i] > 0
        if not says_something(text, cjk=cjk, lead_in=lead_in, stated=stated):
            return False
        if item:
            weighed = bool(self._figures[i]) or stated
            return (
                lead_in
                or i in self._hard
                or item_says_something(report, text, start, cjk=cjk, weighed=weighed)
            )
        # A line without an end is a label in bold, a name, a date.
        long = len(text) >= (_LONG_CJK if cjk else _LONG)
        return lead_in or i in self._cited or text[-1] in STOPS or long

    def _reports(self, i: int, claim: float, evidence: float, text: str) -> bool:
        """Return whether a sentence is evidence rather than a claim."""
        attributed, predicts = i in self._attributing, i in self._predicting
        if i in self._concluding and not attributed and evidence < claim + 1.0:
            return False
        if attributed and i not in self._concluding and evidence >= 1.5 and is_checkable(text):
            # What a named source says is reported, however it judges.
            return True
        if self._figures[i] or (i in self._reporting and (attributed or not predicts)):
            # 1.5: a study, a survey; 1.8: a dated event; 2.0: a figure.
            return evidence >= (1.5 if attributed else 1.8) and evidence >= claim
        # Nothing measured, nothing that happened: a plain statement with a source or a date at most.
        return not predicts and (
            (i in self._cited and claim < _LEAST_CLAIM) or (evidence >= 0.8 and claim == 0.0)
        )


def heading_statement(report: Report, section: int) -> Statement | None:
    """Return the claim that a heading makes, or None."""
    part = report.sections[section]
    if len(part.title) > 160 or not is_claim_title(part.title):
        return None
    span = part.title_span
    text, start = without_enumerator(report.plain[span.start : span.end].rstrip(), span.start)
    return Statement("argument", Span(start, start + len(text)), report, -1, -1, section, 2.5)
