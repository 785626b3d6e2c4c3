"""Flags missing, repeated or unordered heading numbers, and subsections with the number of another section.

Heading numbers help readers to find their way and let the text refer to its parts. A missing number suggests that a part
was removed; a repeated one, or ``2.1`` in section 3, makes every reference to it ambiguous.

Only sibling headings with the same numbering style are compared. Lists that count down, and numbers that restart at one
after an unnumbered heading, are not flagged.

Known problems: excerpts that keep the numbers of a longer document are flagged.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import FilledWording, Wording
from assay.subjects.heading_labels import HeadingLabel, title_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Section
    from assay.subjects.report import Report


_NUMBERED: Final = ("plain", "dotted", "section", "chapter", "第章", "han", "第节")

_TWICE: Final = Wording(
    en="“{title}” comes after “{previous}”: number {number} is used twice",
    zh="“{title}”排在“{previous}”之后：编号{number}重复",
)
_BACKWARDS: Final = Wording(
    en="“{title}” comes after “{previous}”: the numbers run backwards",
    zh="“{title}”排在“{previous}”之后：编号倒退",
)
_SKIPPED: Final = Wording(
    en="“{title}” comes after “{previous}”: {n:number is|numbers are} missing between {first} and {second}",
    zh="“{title}”排在“{previous}”之后：{first}与{second}之间缺{n}个编号",
)
_MISPLACED: Final = Wording(
    en="“{title}”{more} stands under “{parent}”, whose number is {number}",
    zh="“{title}”{more}位于“{parent}”之下，而后者的编号是{number}",
)
_AFTER: Final = Wording(
    en="“{title}”{more} follows “{parent}”, whose number is {number}",
    zh="“{title}”{more}排在“{parent}”之后，而后者的编号是{number}",
)
_MORE: Final = Wording(en=" (and {n} more)", zh="（另有{n}个）")


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each break in the numbers of sibling headings and for each misplaced subsection number."""
    sections, labels = report.sections, report.heading_labels
    for parent in sections:
        siblings = [(sections[i], labels[i]) for i in parent.children]
        yield from _sequence(siblings)
        yield from _misplaced(parent, labels[parent.index], siblings)


def _sequence(siblings: list[tuple[Section, HeadingLabel | None]]) -> Iterator[Hit]:
    numbers = [label.number for _, label in siblings if label is not None]
    steps = sum(b == a + 1 for a, b in pairwise(numbers))
    # Numbers that hardly ever count up are those of another work ("Chapter 6", "Chapter 39"), or count down.
    if len(numbers) < 3 or 2 * steps < len(numbers) - 1:
        return
    last: tuple[Section, HeadingLabel] | None = None
    loose = 0
    for section, label in siblings:
        if label is None:
            loose += 1
            continue
        if (
            last is not None
            and label.style == last[1].style
            and label.prefix == last[1].prefix
            and label.text[-1] == last[1].text[-1]
        ):
            before, now = last[1].number, label.number
            restart = now == 1 and before != 1
            # STR005 reports the same title twice.
            twin = now == before and title_words(section.title) == title_words(last[0].title)
            # An unnumbered heading may stand for the missing number.
            filled = before < now <= before + 1 + loose
            if not filled and not (restart and loose) and not twin:
                yield Hit(
                    section.title_span,
                    _message(section, label, last),
                    (last[0].title_span,),
                    confidence=0.6 if restart else 0.9,
                )
        last = (section, label)
        loose = 0


def _message(section: Section, label: HeadingLabel, last: tuple[Section, HeadingLabel]) -> FilledWording:
    before, now = last[1].number, label.number
    title, previous = section.title, last[0].title
    if now == before:
        return _TWICE(title=title, previous=previous, number=now)
    if now < before:
        return _BACKWARDS(title=title, previous=previous)
    return _SKIPPED(
        title=title, previous=previous, n=now - before - 1, first=_bare(last[1]), second=_bare(label)
    )


def _bare(label: HeadingLabel) -> str:
    return label.text.strip(".,、．:：()（） ")


def _misplaced(
    parent: Section, own: HeadingLabel | None, siblings: list[tuple[Section, HeadingLabel | None]]
) -> Iterator[Hit]:
    """Yield a finding if subsections ("4.1", "4.2") stand under, or on the same level after, another number ("5.")."""
    above = (parent, own) if own is not None and own.style in _NUMBERED else None
    wrong: list[tuple[Section, Section, HeadingLabel]] = []
    for section, label in siblings:
        if label is not None and label.style == "plain":
            above = (section, label)
        elif label is not None and label.style == "dotted" and above is not None:
            path = (*above[1].prefix, above[1].number)
            if label.prefix != path and len(label.prefix) == len(path):
                wrong.append((section, *above))
    if not wrong or (wrong[0][1] is not parent and len(wrong) == 1):
        # A single one on the same level may be a version or a decimal number.
        return
    (section, heading, label), *others = wrong
    more = _MORE(n=len(others)) if others else ""
    number = ".".join(map(str, (*label.prefix, label.number)))
    wording = _MISPLACED if heading is parent else _AFTER
    yield Hit(
        section.title_span,
        wording(title=section.title, more=more, parent=heading.title, number=number),
        (heading.title_span, *(other.title_span for other, _, _ in others)),
        confidence=0.85,
    )


CHECK = Check(
    code="STR006",
    name="heading-numbers-broken",
    severity="warning",
    summary="Numbers of headings skip, repeat or run backwards",
    run=run,
    bad=(
        Example("# R\n\n## 1. Costs\n\na\n\n## 2. Noise\n\nb\n\n## 4. Outlook\n\nc\n"),
        Example(
            "# 报告\n\n## 一、成本\n\n甲\n\n## 二、噪声\n\n乙\n\n## 三、展望\n\n丙\n\n## 五、风险\n\n丁\n\n## 四、结论\n\n戊\n"
        ),
        Example("# R\n\n## 3. Costs\n\n### 2.1 Pumps\n\na\n\n### 2.2 Pipes\n\nb\n"),
        Example("# R\n\n## 3. Costs\n\n## 2.1 Pumps\n\na\n\n## 2.2 Pipes\n\nb\n\n## 4. Noise\n\nc\n"),
    ),
    good=(
        Example(
            "# R\n\n## 1. Costs\n\na\n\n## 2. Noise\n\nb\n\n## Outlook\n\nc\n\n## 3. Sources of error\n\nd\n"
        ),
        Example("# 报告\n\n## 一、成本\n\n甲\n\n## 二、噪声\n\n### 2.1 室内\n\n低\n\n## 三、展望\n\n丙\n"),
    ),
    dimension="global_coherence",
    failure="expression_quality",
)
