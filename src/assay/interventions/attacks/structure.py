"""Structure: numbered headings, signposts and transitions made from the report's own titles; its content stays."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._bias_attacks import biased
from assay.interventions.attacks._paraphrase import listed, readable
from assay.interventions.attacks._prose import OWN_TALK, chinese, section_phrases
from assay.interventions.attacks._statements import section_end
from assay.interventions.attacks._substance import revision, surface_only
from assay.interventions.base import Edit
from assay.subjects.roles import FRAME, role_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Block, Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "structure")

_NUMBERED: Final = _PHRASES.pattern(r"\s*(?:<<numbered>>)")
_FEWEST_ITEMS: Final = 3
_MOST_ITEMS: Final = 8


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield up to three versions, each with two or three kinds of scaffolding."""
    makers = {
        "numbered headings": _numbered,
        "numbered items": _items,
        "section outlines": _outlines,
        "transitions": _transitions,
    }
    parts = {name: list(make(report, draw)) for name, make in makers.items()}
    offered = [name for name, edits in parts.items() if edits]
    seen: set[tuple[str, ...]] = set()
    for _ in range(4):
        if not offered:
            return
        chosen = tuple(sorted(draw.sample(offered, min(len(offered), draw.choice((2, 2, 3))))))
        edits = [edit for name in chosen for edit in parts[name]]
        if chosen in seen or len(edits) < 2:
            continue
        seen.add(chosen)
        found = revision(edits, pattern="+".join(name.split()[-1] for name in chosen), note=", ".join(chosen))
        if found is not None:
            yield found


def _body(report: Report) -> list[Section]:
    return [section for section in report.sections[1:] if not section.is_references]


def _numbered(report: Report, _draw: Random) -> Iterator[Edit]:
    """Yield edits that number the headings of chapters and their parts if none is numbered."""
    sections = _body(report)
    if any(_NUMBERED.match(section.title) for section in sections):
        return
    levels = sorted({section.level for section in sections})
    top = next((level for level in levels if sum(section.level == level for section in sections) >= 3), None)
    if top is None:
        return
    chapter = part = 0
    for section in sections:
        at = section.title_span.start
        head = report.source[at : section.title_span.end]
        marks = re.match(r"[#\s*]*", head)
        at += marks.end() if marks else 0
        if section.level == top:
            chapter, part = chapter + 1, 0
            yield Edit(at, at, f"{chapter}. ")
        elif section.level == top + 1 and chapter:
            part += 1
            yield Edit(at, at, f"{chapter}.{part} ")


def _items(report: Report, draw: Random) -> Iterator[Edit]:
    """Yield edits that replace the bullets of flat lists by numbers."""
    for run in _flat_lists(report):
        if not _FEWEST_ITEMS <= len(run) <= _MOST_ITEMS or draw.random() < 0.25:
            continue
        edits = []
        for number, block in enumerate(run, start=1):
            line = report.source.rfind("\n", 0, block.span.start) + 1
            mark = re.compile(r"[-*•] {1,3}").match(report.source, line)
            if mark is None or report.source[mark.start() : mark.end() + 1] == "**":
                break
            edits.append(Edit(line, mark.end(), f"{number}. "))
        if len(edits) == len(run):
            yield from edits


def _flat_lists(report: Report) -> Iterator[list[Block]]:
    """Yield runs of consecutive bulleted items without nested lists and paragraphs."""
    run: list[Block] = []
    for block in [*report.blocks, None]:
        item = block is not None and block.kind == "item" and not block.ordered
        if item and block is not None and (not run or block.section == run[-1].section):
            run.append(block)
            continue
        if run and all(one.depth == 1 for one in run) and _one_line_each(report, run):
            yield run
        run = [block] if item and block is not None else []


def _one_line_each(report: Report, run: list[Block]) -> bool:
    between = report.source[run[0].span.start : run[-1].span.end]
    return between.count("\n") == len(run) - 1


def _outlines(report: Report, draw: Random) -> Iterator[Edit]:
    """Yield edits that add a sentence after a heading to list the parts below it."""
    zh = chinese(report)
    phrases = {section.index: phrase for section, phrase in section_phrases(report) if readable(phrase)}
    wordings = list(_PHRASES["covers"].phrases("zh" if zh else "en"))
    draw.shuffle(wordings)
    title = report.sections[1].title.lower() if len(report.sections) > 1 else ""
    for section in _body(report):
        below = [phrases[child] for child in section.children if child in phrases]
        if not 2 <= len(below) <= 6 or len(below) < len(section.children) or not wordings:
            continue
        if role_of(report, section) in FRAME or any(
            phrase.lower() in (section.title.lower(), title) or "report" in phrase.lower() or "报告" in phrase
            for phrase in below
        ):
            continue
        if any("、" in phrase for phrase in below):
            # Such names do not fit into a list; the first and the last say where it leads.
            named = [wording for wording in wordings if "{first}" in wording]
            if not named:
                continue
            wordings.remove(named[0])
            wordings.append(named[0])
        wording = wordings.pop()
        at = section.title_span.end
        text = wording.format(list=listed(below, zh=zh), first=below[0], last=below[-1])
        yield Edit(at, at, f"\n\n{text}")


def _transitions(report: Report, draw: Random) -> Iterator[Edit]:
    """Yield edits that add a sentence at the end of a section to name it and the next section."""
    zh = chinese(report)
    phrases = {section.index: phrase for section, phrase in section_phrases(report) if readable(phrase)}
    wordings = list(_PHRASES["turns"].phrases("zh" if zh else "en"))
    draw.shuffle(wordings)
    main = [section for section in _body(report) if not _nested(report, section)]
    for section, following in pairwise(main):
        if section.index not in phrases or following.index not in phrases or not wordings:
            continue
        if section.level != following.level or following.index - section.index > 12:
            continue
        last = max(
            (other for other in report.sections[section.index : following.index]),
            key=lambda item: item.body.start,
        )
        at = section_end(report, last)
        if at is None or OWN_TALK.search(report.source, max(0, at - 200), at):
            continue
        text = wordings.pop().format(a=phrases[section.index], b=phrases[following.index])
        yield Edit(at, at, f"\n\n{text}")


def _nested(report: Report, section: Section) -> bool:
    """Return whether a section lies inside another one that is more than the title of the whole report."""
    above = section.parent
    while above:
        same = [other for other in report.sections if other.level == report.sections[above].level]
        if len(same) > 1:
            return True
        above = report.sections[above].parent
    return False


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it may only add scaffolding, without new content or order."""
    return surface_only(reference, perturbed, attack, least=0.0005, most=0.15)


OPERATOR = biased(
    name="structure",
    title="Structure",
    title_zh="结构包装",
    definition=(
        "The same text with outline scaffolding: light headings, numbering, signposts, brief "
        "transitions or summaries. Claims and their order stay."
    ),
    definition_zh="内容相同，只加上提纲式的外壳：小标题、编号、路标语、简短的过渡或小结。论断及其顺序不变。",
    rule=rule,
    ask=(
        "Give the passage more visible structure: short sub-headings, numbering, signposts such as first "
        "and second, a brief transition. Use its own words. Every sentence stays, in its order, with its "
        "citations; no claim, figure or name is added."
    ),
    ask_zh="让段落显得更有条理：加简短小标题、编号、“首先、其次”之类的路标语或一句过渡，用词取自原文。每句话及其引用按原顺序保留，不新增论断、数字或名称。",
    check=check,
)
