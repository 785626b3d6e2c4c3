"""The report gets scaffolding: numbered headings, signposts, transitions made of its own titles. What it says stays."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._added import revision, surface_only
from assay.interventions.attacks._biased import biased
from assay.interventions.attacks._prose import chinese, lines, opening_small, section_phrases
from assay.interventions.base import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report, Section

_COVERS_EN: Final = (
    "This section covers {list}, in this order.",
    "The section is organised as follows: {list}.",
    "What follows takes up, in turn, {list}.",
    "For orientation: the points of this section are {list}.",
)
_COVERS_ZH: Final = (
    "本节依次讨论{list}。",
    "以下内容按{list}的顺序展开。",
    "本部分的结构为：{list}。",
    "下文先后说明{list}。",
)
_TURNS_EN: Final = (
    "With {a} covered, the report turns to {b}.",
    "So much for {a}; the next section takes up {b}.",
    "This concludes the discussion of {a}. The following section deals with {b}.",
    "From {a} we move on to {b}.",
)
_TURNS_ZH: Final = (
    "以上讨论了{a}，接下来转入{b}。",
    "关于{a}的内容到此为止，下面介绍{b}。",
    "小结以上{a}部分，下一节讨论{b}。",
    "说明{a}之后，随后讨论{b}。",
)
_ORDER_EN: Final = ("First, ", "Second, ", "Third, ", "Fourth, ", "Fifth, ")
_ORDER_ZH: Final = ("首先，", "其次，", "再次，", "第四，", "第五，")
_NUMBERED: Final = re.compile(
    r"\s*(?:\d|[一二三四五六七八九十]{1,3}[、.．]|[（(][一二三四五六七八九十\d]|第[一二三四五六七八九十]|[IVX]{1,4}[.)]|(?:Part|Step|Phase|Chapter|Section)\b)"
)
_NO_ORDER: Final = re.compile(
    r"\s*(?:This |These |It |Such |First|Second|Third|Finally|However|In |To |When|While|Although|As |By |For |With |If |Additionally|Moreover|Furthermore|[*_\"“]|首先|其次|最后|此外|然而|同时|因此|[一二三]是)"
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Two or three kinds of scaffolding together, up to three ways."""
    makers = {
        "numbered headings": _numbered,
        "section outlines": _outlines,
        "transitions": _transitions,
        "ordinals": _ordinals,
    }
    parts = {name: list(make(report, draw)) for name, make in makers.items()}
    offered = [name for name, edits in parts.items() if edits]
    seen: set[tuple[str, ...]] = set()
    for _ in range(3):
        if not offered:
            return
        chosen = tuple(sorted(draw.sample(offered, min(len(offered), draw.choice((2, 3, 3))))))
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
    """Numbers before headings that have none, chapters and their parts."""
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


def _outlines(report: Report, draw: Random) -> Iterator[Edit]:
    """A sentence after a heading that lists the parts below it."""
    zh = chinese(report)
    phrases = {section.index: phrase for section, phrase in section_phrases(report)}
    for section in _body(report):
        below = [phrases[child] for child in section.children if child in phrases]
        if not 2 <= len(below) <= 6 or len(below) < len(section.children):
            continue
        listed = "、".join(below) if zh else ", ".join(below[:-1]) + " and " + below[-1]
        text = draw.choice(_COVERS_ZH if zh else _COVERS_EN).format(list=listed)
        at = section.title_span.end
        yield Edit(at, at, f"\n\n{text}")


def _transitions(report: Report, draw: Random) -> Iterator[Edit]:
    """A sentence at the end of a section that names it and the one that follows."""
    zh = chinese(report)
    phrases = section_phrases(report)
    if not phrases:
        return
    top = min(section.level for section, _ in phrases)
    main = [(section, phrase) for section, phrase in phrases if section.level == top]
    everything = lines(report, shortest=30, longest=900)
    for (section, one), (following, two) in pairwise(main):
        if not 0 <= following.index - section.index <= 12:
            continue
        inside = [line for line in everything if section.span.start <= line.start < section.span.end]
        if (
            inside
            and inside[-1].end >= section.span.end - 12
            and report.blocks[inside[-1].block].kind == "paragraph"
        ):
            text = draw.choice(_TURNS_ZH if zh else _TURNS_EN).format(a=one, b=two)
            yield Edit(inside[-1].end, inside[-1].end, f"\n\n{text}")


def _ordinals(report: Report, draw: Random) -> Iterator[Edit]:
    """First, second, third before the paragraphs of sections that have three to five."""
    zh = chinese(report)
    starts = {line.start: line for line in lines(report, shortest=30, longest=900)}
    for section in _body(report):
        blocks = [b for b in report.blocks if b.section == section.index and b.kind == "paragraph"]
        if not 3 <= len(blocks) <= 5 or draw.random() < 0.3:
            continue
        heads = [starts.get(block.span.start) for block in blocks]
        if any(line is None or _NO_ORDER.match(line.text) for line in heads):
            continue
        edits: list[Edit] = []
        for number, line in enumerate(heads):
            assert line is not None
            small = line.text if zh else opening_small(report, line.text)
            if small is None:
                break
            head = (_ORDER_ZH if zh else _ORDER_EN)[number]
            edits.append(Edit(line.start, line.start + 1, head + small[:1]))
        if len(edits) == len(heads):
            yield from edits


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Scaffolding only: little growth, nothing new, everything still there in its order."""
    return surface_only(reference, perturbed, attack, least=0.0005, most=0.15)


OPERATOR = biased(
    name="structure",
    title="Structure",
    definition="The same text with outline scaffolding: light headings, numbering, signposts, brief transitions or summaries. Claims and their order stay.",
    definition_zh="内容相同，只加上提纲式的外壳：小标题、编号、路标语、简短的过渡或小结。论断及其顺序不变。",
    rule=rule,
    ask=(
        "Give the passage more visible structure: short sub-headings, numbering, signposts such as first and second, a brief transition. "
        "Use its own words. Every sentence stays, in its order, with its citations; no claim, figure or name is added."
    ),
    ask_zh="让段落显得更有条理：加简短小标题、编号、“首先、其次”之类的路标语或一句过渡，用词取自原文。每句话及其引用按原顺序保留，不新增论断、数字或名称。",
    check=check,
)
