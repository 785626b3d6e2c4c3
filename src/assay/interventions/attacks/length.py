"""Length: the report says the same at greater length, because each section repeats its statements at its end."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._bias_attacks import biased
from assay.interventions.attacks._paraphrase import Wordings, points, readable, restated_paragraph
from assay.interventions.attacks._prose import chinese, section_phrases
from assay.interventions.attacks._statements import section_end, statements
from assay.interventions.attacks._substance import revision, surface_only
from assay.interventions.base import Edit
from assay.subjects.roles import FRAME, role_of
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "length")

_TARGETS: Final = (0.18, 0.21, 0.27)
_LEAST: Final = 0.15
_MOST: Final = 0.4
# Greatest share of a section's sentences that are repeated, and greatest number per section.
_SHARE: Final = 0.6
_LARGEST: Final = 6
# Words that depend on the sentence before: elsewhere they would point at something else.
_LOOSE: Final = _PHRASES.pattern(
    r"^(?:[\w'’-]+ ){0,3}(?:it|they|he|she|its|their|his|her)\b|\b(?:it|they|he|she) (?:is|are|was"
    r"|were|has|have|can|may|does|will)\b|\b(?:<<loose>>)\b|另一方面|相反|然而|不过|此外|因此|例如"
    "|比如|^[^，]{0,8}(?:它|其|他们|她们|也|还|又)",
    flags=re.IGNORECASE,
)
_TURN: Final = _PHRASES.pattern(r"\s*(?:\[\d[^\]]*\]\s*)*(?:<<turn>>)")
# Share of common words at which two sentences say the same.
_ALIKE: Final = 0.6


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield up to three versions, longer by a sixth to a quarter, with recaps and lead-ins or lists of points."""
    targets = list(_TARGETS)
    draw.shuffle(targets)
    for target in targets:
        for lead_ins in draw.sample((True, False), 2):
            edits = _recaps(report, int(len(report.source) * target), draw, lead_ins=lead_ins)
            added = sum(len(edit.text) for edit in edits) / max(1, len(report.source))
            if not edits or added < _LEAST + 0.005:
                continue
            pattern = "recaps+lead-ins" if lead_ins else "recaps"
            found = revision(edits, pattern=pattern, note=f"{len(edits)} passages, +{added:.0%}")
            if found is not None:
                yield found
                break


def _recaps(report: Report, wanted: int, draw: Random, *, lead_ins: bool) -> list[Edit]:
    """Return edits that add recapitulating paragraphs to the ends of sections, until they amount to enough text."""
    zh = chinese(report)
    spots = _spots(report, draw)
    topics = {section.index: phrase for section, phrase in section_phrases(report) if readable(phrase)}
    wordings = Wordings(report, draw)
    edits: list[Edit] = []
    if lead_ins:
        edits += _lead_ins(report, wordings, topics, draw)
    tails: dict[int, str] = {}
    for section, _, _ in spots:
        once_more = points(report, section) if not section.children else None
        if once_more is not None:
            wording = wordings.take("points", topic=topics.get(section.index))
            if wording is not None:
                tails[section.index] = wording.format(list=once_more)
                continue
    have = sum(len(edit.text) for edit in edits) + sum(map(len, tails.values()))
    # Each section contributes in proportion, so that everything is restated in the same measure.
    offered = sum(len(body) for _, _, bodies in spots for body in bodies)
    share = min(1.0, max(0.0, (wanted - have) * 1.05 / offered)) if offered else 0.0
    for section, at, bodies in spots:
        count = min(len(bodies), max(1 if bodies else 0, math.ceil(share * len(bodies) - 0.25)))
        chosen = [bodies[i] for i in sorted(draw.sample(range(len(bodies)), count))]
        text = (
            restated_paragraph(report, chosen, topics.get(section.index), wordings, draw) if chosen else None
        )
        parts = [part for part in (tails.get(section.index) or text,) if part]
        if parts:
            edits.append(Edit(at, at, "\n\n" + ("" if zh else " ").join(parts)))
        if sum(len(edit.text) for edit in edits) >= wanted * 1.3:
            break
    return edits


def _spots(report: Report, draw: Random) -> list[tuple[Section, int, list[str]]]:
    """Return sections in random order, each with the offset at its end and the statements to repeat there."""
    found: dict[int, list[tuple[int, str]]] = {}
    said: list[frozenset[str]] = []
    for line, body in statements(report):
        if _LOOSE.search(body) or _TURN.match(report.source, line.end):
            continue
        terms = frozenset(content_terms(body))
        if any(len(terms & other) >= _ALIKE * len(terms | other) for other in said):
            continue
        said.append(terms)
        found.setdefault(line.section, []).append((line.end, body))
    spots = []
    for section in report.sections[1:]:
        if section.is_references or role_of(report, section) in FRAME:
            continue
        at = section_end(report, section)
        if at is None:
            continue
        # A sentence right before the offset would be an echo.
        bodies = [body for end, body in found.get(section.index, ()) if at - end > 20]
        every = sum(sentence.section == section.index for sentence in report.sentences)
        most = min(_LARGEST, max(1, int(every * _SHARE)))
        if len(bodies) > most:
            bodies = [bodies[i] for i in sorted(draw.sample(range(len(bodies)), most))]
        if every >= 2 and (bodies or points(report, section)):
            spots.append((section, at, bodies))
    draw.shuffle(spots)
    return spots


def _lead_ins(report: Report, wordings: Wordings, topics: dict[int, str], draw: Random) -> list[Edit]:
    """Return edits that add below some headings a sentence that repeats the heading."""
    edits = []
    sections = [section for section in report.sections if section.index in topics and not section.children]
    for section in draw.sample(sections, min(len(sections), max(2, len(sections) // 3))):
        wording = wordings.take("lead-in", topic=topics[section.index])
        first = next((block for block in report.blocks if block.span.start >= section.body.start), None)
        if wording is not None and first is not None and first.kind in ("paragraph", "item"):
            edits.append(Edit(section.title_span.end, section.title_span.end, f"\n\n{wording}"))
    return edits


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return why an edit is refused, or None.

    The report must grow by 15 to 40 per cent, keep everything and say nothing new.
    """
    # A section rewritten by a model is only part of the report: there the growth of the section is bounded.
    least = _LEAST
    if len(attack.edits) == 1 and attack.edits[0].end - attack.edits[0].start > 120:
        edit = attack.edits[0]
        if not 1 + _LEAST <= len(edit.text) / (edit.end - edit.start) <= 2.2:
            return "the passage did not grow by 15 to 120 %"
        least = 0.0
    return surface_only(reference, perturbed, attack, least=least, most=_MOST)


OPERATOR = biased(
    name="length",
    title="Length",
    title_zh="篇幅扩充",
    definition=(
        "The text is longer by redundant paraphrase of what it says anyway. No claim, figure, "
        "source or condition is new."
    ),
    definition_zh="文本因反复改述已有内容而变长，没有任何新的论断、数字、来源或条件。",
    rule=rule,
    ask=(
        "Make the passage about a third longer without saying anything more. Keep each sentence with its "
        "citations, in order, and after some of them say the same again in other words. No new claims, "
        "examples, figures, names, conditions or citations."
    ),
    ask_zh="在不增加任何信息的前提下，把段落加长约三分之一：保留每个句子及其引用和顺序，在部分句子之后换一种说法重复其意思。不得新增论断、例子、数字、名称、条件或引用。",
    check=check,
)
