"""From statements to a tree: core arguments, under them the claims of the sections, under these the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.logic.argument_points import ArgumentPoint, points_of
from assay.logic.outline import FRAME_WEIGHT, Outline
from assay.logic.patterns import is_background, recommends
from assay.logic.relatedness import Relatedness
from assay.logic.section_points import best_points, elect_claim, rank_points, settle_evidence, weigh_alone
from assay.logic.statements import heading_statement, read_statements
from assay.logic.terms import overlap, terms_in, terms_of

if TYPE_CHECKING:
    from assay.logic.statement import Statement
    from assay.subjects.report import Report

_MAX_CORES: Final = 6
# A claim that no core argument rests on stays in the graph if it is a strong one or has something under it.
_ALONE: Final = 1.2
# Most points that a section without a leading claim hands up, without subsections and with them.
_MOST: Final = 6
_MOST_NESTED: Final = 10
# Two claims with this share of terms in common say the same.
_SAME: Final = 0.6
# Least share of terms for a claim to stand under a core argument from another section.
_BOUND: Final = 0.2
_NEAR: Final = 8
# A core argument has to claim something: more than the bonus for standing first.
_CORE_CLAIM: Final = 1.2
# … or, with something said for it, at least that.
_HELD_CLAIM: Final = 0.7


class ArgumentTree:
    """The roots of an argument, and the points that frame it (summary, introduction, conclusion)."""

    __slots__ = ("cores", "roots")

    def __init__(self, roots: list[ArgumentPoint], cores: list[ArgumentPoint]) -> None:
        self.roots = roots
        self.cores = cores


def assemble(report: Report) -> ArgumentTree:
    """Return the argument of ``report`` as a tree, or a forest if no statement stands for the whole."""
    return _Assembler(report).tree()


class _Assembler:
    def __init__(self, report: Report) -> None:
        self.report = report
        self.outline = Outline(report)
        self.sections: dict[int, list[Statement]] = {}
        for statement in read_statements(report, self.outline.skipped):
            if statement is not None:
                self.sections.setdefault(statement.section, []).append(statement)
        self.topic = self._topic()
        self.related = Relatedness(
            (s.terms for found in self.sections.values() for s in found), chinese=report.language == "zh"
        )

    def _topic(self) -> frozenset[str]:
        """Return the terms of the title and the query: what the answer has to be about."""
        report = self.report
        terms: set[str] = set(terms_in(report.query[:2000])) if report.query else set()
        for index in self.outline.frame:
            span = report.sections[index].title_span
            terms |= terms_of(report.cues, span.start, span.end)
        return frozenset(terms)

    def tree(self) -> ArgumentTree:
        report, outline = self.report, self.outline
        framed = {index: points_of(report, self.sections.get(index, [])) for index in sorted(outline.frame)}
        thesis = self._thesis(framed)
        if thesis is None:
            # A conclusion in parts: each part may hold the thesis.
            for index in outline.inside("conclusion", "summary"):
                framed[index] = points_of(report, self.sections.get(index, []))
                outline.frame[index] = "conclusion"
            thesis = self._thesis(framed)
        cores = self._cores(framed, thesis)
        roots: list[ArgumentPoint] = [thesis] if thesis else []
        for core in cores:
            core.salience = 4.0
            if thesis is not None and self._carries(core, thesis):
                thesis.take(core)
            else:
                roots.append(core)
        if thesis:
            thesis.salience = 9.0
        # What stands in a core argument's own paragraph is ranked by itself, not against the sections.
        for core in ([thesis] if thesis else []) + cores:
            rank_points([p for p in core.children if not p.salience])
        chosen = {id(thesis), *map(id, cores)}
        for index in outline.tops:
            role = outline.frame.get(index)
            if role in (None, "introduction"):
                points = framed.get(index)
                if points is not None:
                    points = [p for p in points if id(p) not in chosen and p.parent is None]
                heads = self._section(index, points, top=True)
                if thesis is None:
                    heads = self._gather(heads)
                for head in heads:
                    self._place(head, self._host(head, thesis, cores), roots)
            else:
                self._loose_ends(framed[index], chosen, thesis)
                for child in report.sections[index].children:
                    if child in framed:
                        self._loose_ends(framed[child], chosen, thesis)
                    elif child not in outline.skipped:
                        for head in self._section(child, None, top=True):
                            self._place(head, self._host(head, thesis, cores), roots)
        for index, role in outline.frame.items():
            if role == "body":
                rest = [p for p in framed[index] if id(p) not in chosen]
                if not outline.tops:
                    self._plain_text(rest, thesis, roots)
                else:
                    self._loose_ends(rest, chosen, thesis)
        if not roots:
            roots = [p for index in outline.frame for p in framed[index]]
        return ArgumentTree(roots, ([thesis] if thesis else []) + cores)

    # ── core arguments ──────────────────────────────────────────────────────────────────────────────────

    def _thesis(self, framed: dict[int, list[ArgumentPoint]]) -> ArgumentPoint | None:
        """Return the statement that gives the answer of the whole report, or None."""
        best: ArgumentPoint | None = None
        best_score = 0.0
        for index, role in self.outline.frame.items():
            title = heading_statement(self.report, index) if index else None
            points = ([ArgumentPoint(title)] if title and role == "body" else []) + framed[index]
            for i, point in enumerate(points):
                for candidate in (point, *point.children):
                    s = candidate.statement
                    if s.kind != "argument" or s.lead_in or s.claim < (0.8 if i == 0 else _CORE_CLAIM):
                        continue
                    score = min(s.claim, 3.0) + FRAME_WEIGHT[role] + 0.35 * min(len(s.terms & self.topic), 6)
                    score += 1.0 if s.conclusive else 0.0
                    if i == 0:
                        # A summary opens with its answer; a conclusion may first look back.
                        score += 0.5 if role == "conclusion" else 1.0
                    score -= 1.5 if s.leaning else 0.0
                    score -= 1.0 if is_background(self.report.plain[s.span.start : s.span.end]) else 0.0
                    # An item is one answer among several.
                    score -= 1.2 if self._is_item(point) else 0.0
                    score -= 1.0 if s.span.end - s.span.start > 450 else 0.0
                    score -= 0.7 if candidate is not point else 0.0
                    if score > best_score:
                        best, best_score = candidate, score
        if best is not None and best.parent is not None:
            # A second claim of a paragraph can be the better one; the first then speaks for it.
            parent = best.parent
            parent.children.remove(best)
            best.parent = None
        return best

    def _cores(
        self, framed: dict[int, list[ArgumentPoint]], thesis: ArgumentPoint | None
    ) -> list[ArgumentPoint]:
        """Return further statements of the summary and the conclusion, without repetitions."""
        found: list[tuple[float, ArgumentPoint]] = []
        for index, role in self.outline.frame.items():
            if role not in ("summary", "conclusion"):
                continue
            for point in framed[index]:
                s = point.statement
                least = _HELD_CLAIM if point.children else _CORE_CLAIM
                if point is thesis or s.kind != "argument" or s.lead_in or s.claim < least:
                    continue
                found.append(
                    (s.claim - 1.2 * s.leaning + FRAME_WEIGHT[role] + (0.5 if point.children else 0.0), point)
                )
        found.sort(key=lambda pair: -pair[0])
        kept: list[ArgumentPoint] = [thesis] if thesis else []
        for _, point in found:
            if len(kept) > _MAX_CORES:
                break
            terms = point.statement.terms
            if all(overlap(terms, other.statement.terms) < _SAME for other in kept):
                kept.append(point)
        cores = [p for p in kept if p is not thesis]
        cores.sort(key=lambda p: p.statement.span)
        return cores

    def _host(
        self, head: ArgumentPoint, thesis: ArgumentPoint | None, cores: list[ArgumentPoint]
    ) -> ArgumentPoint | None:
        """Return the core argument that a section's claim supports: the one whose words it takes up, if any."""
        if not head.is_argument or recommends(self.report.sections[head.statement.section].title):
            # Recommendations follow from the answer more often than they speak for it.
            return None
        found = [core for core in ([thesis] if thesis else []) + cores if self._carries(head, core)]
        terms = head.statement.terms
        return max(found, key=lambda core: self.related.telling(terms, core.statement.terms), default=None)

    def _carries(self, point: ArgumentPoint, lead: ArgumentPoint) -> bool:
        """Return whether a claim from elsewhere speaks for a core argument, as far as their words can tell.

        It has to take up enough of its words, and be neither a recommendation nor turned against something, nor
        name a drawback of what has none by the core argument's words. A repetition supports nothing.
        """
        s, above = point.statement, lead.statement
        if s.urging or s.setting_apart or s.lead_in or above.lead_in or above.urging:
            return False
        if not self.related.are_related(s.terms, above.terms):
            return False
        if is_background(self.report.plain[above.span.start : above.span.end]):
            # How things have been going needs no reasons.
            return False
        return _BOUND <= overlap(s.terms, above.terms) < _SAME and (above.adverse or not s.adverse)

    def _place(self, head: ArgumentPoint, host: ArgumentPoint | None, roots: list[ArgumentPoint]) -> None:
        """Put a section's point under its core argument, or beside them if it is worth it."""
        if host is not None:
            host.take(head)
        elif head.is_argument and (
            head.children or (head.statement.claim >= _ALONE and not head.statement.leaning)
        ):
            roots.append(head)

    def _belongs(self, head: ArgumentPoint, lead: ArgumentPoint) -> bool:
        """Return whether a point is about what the claim above it is about, by its words and those under it."""
        above = lead.statement.terms
        if self.related.are_related(head.statement.terms, above):
            return True
        below = head.children[:_NEAR]
        return any(self.related.are_related(child.statement.terms, above) for child in below)

    def _shares(self, statement: Statement, lead: Statement) -> bool:
        """Return whether two statements share any word; a Chinese word has about two terms."""
        return len(statement.terms & lead.terms) > (self.report.language == "zh")

    def _loose_ends(
        self, points: list[ArgumentPoint], chosen: set[int], thesis: ArgumentPoint | None
    ) -> None:
        """Put evidence of frame sections under the thesis if it supports no core argument."""
        if thesis is None:
            return
        for rank, point in enumerate(
            p for p in points if id(p) not in chosen and not p.is_argument and p.parent is None
        ):
            point.salience = 0.6 + 0.25 * point.statement.evidence - 0.4 * rank
            if self.related.are_related(point.statement.terms, thesis.statement.terms, times=2):
                thesis.take(point)

    def _plain_text(
        self, points: list[ArgumentPoint], thesis: ArgumentPoint | None, roots: list[ArgumentPoint]
    ) -> None:
        """Put the paragraphs of a text without headings side by side under the thesis."""
        for point in points:
            if point is thesis or point.parent is not None:
                continue
            point.salience = 1.5 + 0.2 * point.statement.claim
            rank_points(point.children)
            host = thesis if thesis is not None and self._carries(point, thesis) else None
            self._place(point, host, roots)

    # ── sections ────────────────────────────────────────────────────────────────────────────────────────

    def _section(self, index: int, points: list[ArgumentPoint] | None, *, top: bool) -> list[ArgumentPoint]:
        """Return the top points of a section: its leading claim with everything else under it, or all its claims."""
        report = self.report
        section = report.sections[index]
        title = heading_statement(report, index)
        if points is None:
            statements = self.sections.get(index, [])
            if title is None:
                elect_claim(statements)
            points = points_of(report, statements)
        lead = (
            ArgumentPoint(title)
            if title
            else self._lead(points, section.title_span.start, section.title_span.end)
        )
        first = points[0] if points else None
        heads = [p for p in points if p is not lead]
        for child in section.children:
            if child not in self.outline.skipped:
                heads.extend(self._section(child, None, top=False))
        if title and not heads:
            # A heading over nothing is a label, whatever its grammar.
            return []
        heads = settle_evidence(report, heads, lead, self.related)
        rank_points(heads)
        if lead is None:
            weigh_alone(heads)
            return best_points(heads, _MOST_NESTED if section.children else _MOST)
        lead.salience = (
            (4.0 if top else 2.6)
            + 0.1 * min(lead.statement.claim, 4.0)
            + (0.4 if heads or lead.children else 0.0)
        )
        # The facts right after the claim that opens a section are given for it, and the subsections that a section
        # opens with one claim are what it is about.
        opens = not self._is_item(lead) and (title is not None or lead is first)
        own = sum(1 for p in points if p.is_argument and p is not lead)
        leads_parts = not own and not lead.statement.urging and not recommends(section.title)
        loose: list[ArgumentPoint] = []
        at_once = opens
        for head in heads:
            at_once = at_once and not head.is_argument and head.statement.section == index
            s = head.statement
            if not opens or s.urging or s.setting_apart or (s.bulleted and lead.statement.bulleted):
                under = False
            elif not head.is_argument:
                under = title is not None or self._shares(s, lead.statement)
                under = s.section == index and (under if at_once else self._belongs(head, lead))
            elif s.adverse and not lead.statement.adverse:
                under = False
            elif leads_parts and s.section != index:
                under = self._shares(s, lead.statement)
            else:
                under = self._carries(head, lead)
            if under:
                lead.take(head)
            else:
                loose.append(head)
        rank_points(lead.children)
        weigh_alone(loose)
        return [lead, *loose]

    def _lead(self, points: list[ArgumentPoint], start: int, end: int) -> ArgumentPoint | None:
        """Return the claim that leads a section: early, strong, about what its title names.

        One item of a list does not lead the others.
        """
        claims = [p for p in points if p.is_argument]
        title = terms_of(self.report.cues, start, end) if len(claims) > 1 else frozenset()
        items = sum(1 for p in points if self._is_item(p))
        best: ArgumentPoint | None = None
        best_score = 0.0
        for i, point in enumerate(claims):
            s = point.statement
            if items > 1 and self._is_item(point):
                continue
            score = min(s.claim, 4.0) + (1.5 if i == 0 else 0.0) + (0.5 if s.conclusive else 0.0)
            score += (0.5 if point.children else 0.0) - 1.0 * (s.evidence >= 1.5)
            if score + 0.8 > best_score and len(claims) > 1:
                score += 0.4 * min(len(title & s.terms), 2) - 1.2 * s.leaning
            if score > best_score:
                best, best_score = point, score
        return best

    def _gather(self, heads: list[ArgumentPoint]) -> list[ArgumentPoint]:
        """Without a thesis, make the best claim of each main section a core argument over the section's claims."""
        claims = [p for p in heads if p.is_argument]
        if len(heads) < 2 or not claims:
            return heads
        lead = max(claims, key=lambda p: p.salience - 2.0 * p.statement.leaning)
        lead.salience += 2.0
        for head in heads:
            if head is not lead and head.is_argument and self._carries(head, lead):
                lead.take(head)
        return [head for head in heads if head.parent is None]

    def _is_item(self, point: ArgumentPoint) -> bool:
        block = point.statement.block
        return block >= 0 and self.report.blocks[block].kind == "item"
