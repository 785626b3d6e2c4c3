"""What the units of an argued text do for each other: which is the claim, and which speaks for or against which.

Units are sentences and clauses (`assay.logic.segments`). Their openings and a few words inside say whether they grant
an objection, answer one, add, explain or conclude; position and shared words decide where these say nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from assay.logic.segments import PHRASES, segments_of
from assay.logic.terms import overlap, terms_of
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.logic.graph import Relation
    from assay.subjects.report import Report

_OPENINGS: Final = (
    "objecting_opening",
    "replying_opening",
    "adding_opening",
    "explaining_opening",
    "concluding_opening",
    "pointing_back",
    "distancing_opening",
    "narrating_opening",
)
_INSIDE: Final = (
    "stance",
    "judging",
    "urging",
    "concluding_inside",
    "foretelling",
    "adding_inside",
    "granting",
    "turning_inside",
    "weakening",
    "tentative",
    "drawback",
    "figure",
)
_TURNING: Final = frozenset(("replying_opening", "turning_inside", "weakening", "distancing_opening"))
_DOUBTING: Final = frozenset(("weakening", "distancing_opening"))
_HAN: Final = re.compile("[\u3400-\u9fff]")


class Unit:
    """A sentence or clause of an argued text.

    Attributes:
        start: Start in the text.
        end: End in the text.
        sentence: Index of its sentence.
        cues: Names of the phrase lists that it holds a phrase of.
        hinge: What its conjunction says that it does to the unit ``other`` places further on.
        other: Distance to that unit.
        factual: Whether it reports a figure, a study, an event or an example.
        claim: Points that the words of its sentence give it for being a claim.
        terms: What it is about.
        opens: Whether it opens a paragraph.
        asks: Whether it is a question.
        target: The unit that it speaks for or against; None for the root.
        relation: What it does to the target.
    """

    __slots__ = (
        "asks",
        "claim",
        "cues",
        "end",
        "factual",
        "hinge",
        "opens",
        "other",
        "relation",
        "sentence",
        "start",
        "target",
        "terms",
    )

    def __init__(self, start: int, end: int, sentence: int, cues: frozenset[str]) -> None:
        self.start = start
        self.end = end
        self.sentence = sentence
        self.cues = cues
        self.hinge = ""
        self.other = 0
        self.factual = False
        self.claim = 0.0
        self.terms: frozenset[str] = frozenset()
        self.opens = False
        self.asks = False
        self.target: int | None = None
        self.relation: Relation = "supports"

    @property
    def objects(self) -> bool:
        """Return whether it grants a point to the other side, by its words."""
        if self.hinge == "concedes":
            return True
        return self.hinge == "" and not self.cues.isdisjoint(("objecting_opening", "granting"))


def read_units(
    report: Report, sentences: Iterable[int], claims: Sequence[float], facts: set[int]
) -> list[Unit]:
    """Return the units of some sentences, in order.

    Args:
        report: The report.
        sentences: Indices of the sentences.
        claims: Points of every sentence of the report for being a claim.
        facts: Sentences that report something.
    """
    lower = report.cues.lower
    units: list[Unit] = []
    block = -1
    for i in sentences:
        sentence = report.sentences[i]
        segments = segments_of(lower, sentence.span.start, sentence.span.end)
        for segment in segments:
            unit = Unit(segment.start, segment.end, i, _cues_in(lower, segment.start, segment.end))
            unit.hinge, unit.other = segment.hinge, segment.other
            unit.factual = "figure" in unit.cues or (
                i in facts
                and (len(segments) == 1 or bool(report.quantities_in(Span(segment.start, segment.end))))
            )
            unit.claim = claims[i]
            unit.terms = terms_of(report.cues, segment.start, segment.end)
            unit.asks = lower[segment.end - 1] in "?？"
            unit.opens = sentence.block != block
            block = sentence.block
            units.append(unit)
    return units


def _cues_in(lower: str, start: int, end: int) -> frozenset[str]:
    language: Literal["en", "zh"] = "zh" if _HAN.search(lower, start, end) else "en"
    found = [name for name, pattern in _patterns(language, "opening") if pattern.match(lower, start, end)]
    found += [name for name, pattern in _patterns(language, "inside") if pattern.search(lower, start, end)]
    return frozenset(found)


@cache
def _patterns(
    language: Literal["en", "zh"], place: Literal["opening", "inside"]
) -> tuple[tuple[str, re.Pattern[str]], ...]:
    if place == "inside":
        return tuple(
            (name, re.compile(words)) for name in _INSIDE if (words := PHRASES[name].alternation(language))
        )
    edge = r"(?:(?<=,)|\b)" if language == "en" else ""
    opening = r"[\W_]*(?:and |，)?"
    return tuple(
        (name, re.compile(rf"{opening}(?:{PHRASES[name].alternation(language)}){edge}")) for name in _OPENINGS
    )


# ── the main claim ──────────────────────────────────────────────────────────────────────────────────────────────────


def find_root(units: Sequence[Unit], topic: frozenset[str]) -> int:
    """Return the index of the unit that states the main claim.

    Args:
        units: The units, at least one.
        topic: Terms of the title and the question.
    """
    best, best_score = 0, float("-inf")
    for i in range(len(units)):
        score = root_score(units, i, topic)
        if score > best_score:
            best, best_score = i, score
    return best


def root_score(units: Sequence[Unit], i: int, topic: frozenset[str]) -> float:
    """Return how well a unit would do as the main claim."""
    unit = units[i]
    score = 0.25 * min(unit.claim, 3.0)
    score += 1.8 * ("urging" in unit.cues) + 2.2 * ("stance" in unit.cues)
    score += 1.2 * ("judging" in unit.cues)
    concluding = "concluding_opening" in unit.cues
    score += 1.5 * (concluding or "concluding_inside" in unit.cues)
    score += 1.8 * (unit.sentence == units[0].sentence) + 0.7 * (unit.sentence == units[-1].sentence)
    score += 0.5 * ("foretelling" in unit.cues) - 2.0 * unit.asks
    mean = sum(other.end - other.start for other in units) / len(units)
    score += 0.7 * (unit.end - unit.start < 0.75 * mean)
    others = [other for other in units if other is not unit]
    if others:
        linked = sum(1 for other in others if unit.terms & other.terms)
        score += 1.2 * linked / len(others)
    score += 0.3 * min(len(unit.terms & topic), 3)
    score -= 3.0 * unit.objects + 1.5 * (unit.hinge == "grounds")
    score -= 1.2 * unit.factual + 1.0 * ("explaining_opening" in unit.cues)
    adding = "adding_inside" in unit.cues and unit.cues.isdisjoint(("urging", "stance"))
    score -= 1.2 * (("adding_opening" in unit.cues or adding) and i > 0)
    score -= 0.9 * ("narrating_opening" in unit.cues)
    score -= 0.8 * ("pointing_back" in unit.cues and not concluding)
    score -= 1.0 * ("turning_inside" in unit.cues)
    score -= 1.0 * ("replying_opening" in unit.cues and unit.sentence != units[-1].sentence)
    score -= 1.0 * ("weakening" in unit.cues or "distancing_opening" in unit.cues) + 1.0 * (
        "tentative" in unit.cues
    )
    return score


# ── the links ───────────────────────────────────────────────────────────────────────────────────────────────────────


def link_units(units: Sequence[Unit], root: int) -> None:
    """Set target and relation of every unit but the root; the links form a tree."""
    _Linker(units, root).link()


class _Linker:
    def __init__(self, units: Sequence[Unit], root: int) -> None:
        self.units = units
        self.root = root
        # Whether a unit stands on the side of the main claim, as far as it was read.
        self.against: list[bool] = [False] * len(units)

    def link(self) -> None:
        for i, unit in enumerate(self.units):
            if i != self.root:
                target, relation = self._link(i, unit)
                self._join(i, target, relation)

    def _join(self, i: int, target: int, relation: Relation) -> None:
        units = self.units
        # A link forward to a unit that leads back here would be a circle.
        at: int | None = target
        while at is not None and at != i:
            at = units[at].target
        if i in (at, target):
            target, relation = self.root, "supports" if relation == "supports" else "rebuts"
        units[i].target, units[i].relation = target, relation
        self.against[i] = (relation != "supports") != self.against[target]

    def _link(self, i: int, unit: Unit) -> tuple[int, Relation]:
        units, root = self.units, self.root
        before = i - 1 if i else None
        if i + 1 < len(units) and units[i + 1].hinge == "turns":
            # "X, but Y": X is granted.
            return (i + 1 if root == i + 1 else root), "rebuts"
        if unit.hinge == "grounds":
            return i + unit.other, "supports"
        if unit.hinge == "concedes":
            return i + unit.other, "rebuts"
        if unit.hinge == "turns" and before is not None:
            return self._answer(before)
        if unit.objects:
            return self._doubt(i) if "weakening" in unit.cues else (root, "rebuts")
        if before is None or before == root:
            return self._opposed(i, unit)
        if self.against[before]:
            if self._carries_on(i):
                return before, "supports"
            if self._answers(i):
                return self._answer(before)
        if not unit.cues.isdisjoint(_DOUBTING):
            return self._doubt(i)
        if self._is_granted(i):
            at, relation = self._doubt(i)
            close = len(unit.terms & units[at].terms) > 1
            return (at, relation) if close else (root, "rebuts")
        return self._opposed(i, unit)

    def _is_granted(self, i: int) -> bool:
        """Return whether the next unit turns against this one: "X. However, Y" grants X and answers it."""
        if i + 1 >= len(self.units) or not i:
            return False
        after = self.units[i + 1]
        return (
            not after.cues.isdisjoint(("replying_opening", "turning_inside"))
            and not after.objects
            and not after.hinge
            and after.cues.isdisjoint(("tentative", "adding_opening"))
        )

    def _opposed(self, i: int, unit: Unit) -> tuple[int, Relation]:
        """Return the link of a unit that answers nothing: against the main claim if its words say so, else for a reason."""
        root = self.root
        if i > root:
            if not unit.cues.isdisjoint(("replying_opening", "tentative")):
                return root, "rebuts"
            if not unit.cues.isdisjoint(_DOUBTING):
                return self._doubt(i)
            if i > root + 1 and self._is_drawback(unit):
                return root, "rebuts"
        elif i and self._is_drawback(unit):
            return root, "rebuts"
        return self._support(i, unit), "supports"

    def _is_drawback(self, unit: Unit) -> bool:
        """Return whether a unit names a drawback of what the main claim speaks for."""
        if "drawback" not in unit.cues or "pointing_back" in unit.cues:
            return False
        cues = self.units[self.root].cues
        return not cues.isdisjoint(("urging", "judging")) and "drawback" not in cues

    def _answers(self, i: int) -> bool:
        """Return whether a unit after an objection or a doubt answers it; a doubt may be left standing."""
        unit, before = self.units[i], self.units[i - 1]
        if before.relation != "undercuts" or not unit.cues.isdisjoint(_TURNING):
            return True
        return len(unit.terms & before.terms) > 1

    def _answer(self, at: int) -> tuple[int, Relation]:
        """Return the link of an answer: it denies a doubt about a reason, and grants an objection but not its force."""
        while at != self.root and self.units[at].relation == "supports" and self.units[at].target is not None:
            at = self.units[at].target or 0
        if at == self.root:
            return at, "rebuts"
        return at, "rebuts" if self.units[at].relation == "undercuts" else "undercuts"

    def _doubt(self, i: int) -> tuple[int, Relation]:
        """Return the link to the reason whose force a unit questions: the one that it shares most words with."""
        units = self.units
        best, most = (
            (i - 1, 0.5) if i and i - 1 != self.root and not self.against[i - 1] else (self.root, 0.5)
        )
        for at in range(i - 1, -1, -1):
            if at != self.root and not self.against[at]:
                shared = len(units[i].terms & units[at].terms)
                if shared > most:
                    best, most = at, shared
        return best, "rebuts" if best == self.root else "undercuts"

    def _carries_on(self, i: int) -> bool:
        """Return whether a unit after an objection explains it instead of answering it."""
        unit, before = self.units[i], self.units[i - 1]
        if not unit.cues.isdisjoint(_TURNING):
            return False
        # Objections that stand before the claim are spelled out first and answered by it.
        early = i < self.root and not before.factual and "concluding_opening" not in unit.cues
        return "explaining_opening" in unit.cues or (early and bool(unit.terms & before.terms))

    def _support(self, i: int, unit: Unit) -> int:
        units, root = self.units, self.root
        scores: dict[int, float] = {root: 0.9 + overlap(unit.terms, units[root].terms)}
        before = i - 1
        if before >= 0 and units[before].relation == "supports":
            near = 0.4 + overlap(unit.terms, units[before].terms)
            near += 0.8 * ("explaining_opening" in unit.cues) + 0.9 * ("pointing_back" in unit.cues)
            near += 0.5 * (unit.factual and not units[before].factual)
            near -= 1.0 * ("adding_opening" in unit.cues) + 0.8 * unit.opens
            scores[before] = max(near, scores.get(before, -9.0))
        after = i + 1
        if after < len(units) and "concluding_opening" in units[after].cues:
            scores[after] = max(1.6 + overlap(unit.terms, units[after].terms), scores.get(after, -9.0))
        return max(scores, key=lambda at: scores[at])
