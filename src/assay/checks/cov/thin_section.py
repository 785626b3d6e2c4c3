"""A section that is far shorter than parallel sections.

If five options get a page each and the sixth gets a line, the sixth was probably not researched. The check compares
sections with the same parent and no subsections. It leaves out summaries, conclusions, limits, notes and reference lists,
sections that only refer elsewhere ("See …"), cards of data ("Date: …, Client: …"), the title of the whole report, and
sections about code. Tables and lists count by their
words. A text without a query is only checked if it reads like a report: mostly paragraphs and no code blocks.

Known problems: some parts of a subject really need only a line.
"""

from __future__ import annotations

import re
from statistics import median
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.roles import role_of
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "cov")

_FEWEST_SIBLINGS: Final = 3
_THIN: Final = 0.25
# In characters without spaces: about seventy English words, or two hundred Chinese characters.
_MIDDLE: Final = {"en": 380, "zh": 190}
_SHORT: Final = {"en": 220, "zh": 75}
_NUMBERED: Final = re.compile(r"[\W_]*(?:\d|[一二三四五六七八九十]{1,3}[、.．)）]|[IVX]{1,4}[.)]|[A-Z][.)])")
# Sections such as "Other tools" collect topics that need only a line.
# Sections on a licence or on related pages need only a line.
_FORMAL: Final = _PHRASES.pattern(
    r"[\W_\d]*(?:<<thin_section_formal.en>>|<<thin_section_formal.zh>>)\b", flags=re.IGNORECASE
)
# "`fs.open()`", "--force", "os.path": an entry of a reference manual.
_CODE_TITLE: Final = re.compile(r"`|\(\)|[a-z]\([a-z,. ]{0,60}\)|^[-.$@:<]|[a-z]_[a-z]|::")
# "- Survey Date: May 2025": a line of a card.
_DATUM: Final = re.compile(r"[\s*•·-]*[^:：\n]{2,40}[:：][^\n]{0,60}$")
_STOPS: Final = (".", "!", "?", "。", "！", "？")
_FORWARDS: Final = _PHRASES.pattern(
    r"\b(?:<<thin_section_forwards.en>>)\b|参见|详见|参阅|见(?:上|下|第|附)", flags=re.IGNORECASE
)
_REST: Final = ("other", "misc", "additional", "further", "其他", "其它", "补充")

_THIN_SECTION: Final = Wording(
    en="“{section}” has {n} characters, while its {siblings} sibling sections have about {median:.0f}",
    zh="“{section}”一节只有{n}个字符，其余{siblings}个同级章节各约{median:.0f}个",
)


def _size(report: Report, section: Section) -> int:
    """Return the number of characters in a section, without spaces and line breaks."""
    text = report.plain[section.body.start : section.body.end]
    return len(text) - text.count(" ") - text.count("\n")


def _reads_as_report(report: Report) -> bool:
    """Return whether the text answers a query or consists mainly of paragraphs, unlike a manual."""
    if report.query:
        return True
    if any(block.kind == "code" for block in report.blocks):
        return False
    prose = sum(
        len(block.span)
        for block in report.paragraphs
        if block.kind == "paragraph"
        and report.plain[block.span.end - 4 : block.span.end].rstrip()[-1:] in _STOPS
    )
    return 2 * prose > sum(len(block.span) for block in report.blocks if block.kind != "reference")


def _is_card(report: Report, section: Section) -> bool:
    """Return whether a section consists of names with their values, or of code."""
    text = report.text(section.body)[len(section.title_span) :]
    lines = [line for line in text.splitlines() if line.strip(" #")]
    return text.count("`") >= 4 or (len(lines) > 1 and all(map(_DATUM.match, lines)))


def _only_forwards(report: Report, section: Section) -> bool:
    """Return whether a section consists of one or two sentences that refer the reader elsewhere."""
    sentences = report.sentences_in(section.body)
    return (
        len(sentences) <= 2
        and _FORWARDS.search(report.plain, section.body.start, section.body.end) is not None
    )


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each section that is far shorter than the sections parallel to it."""
    if report.language not in _MIDDLE:
        return
    short, middle_least = _SHORT[report.language], _MIDDLE[report.language]
    for parent in report.sections:
        if len(parent.children) < _FEWEST_SIBLINGS:
            continue
        parts = [report.sections[i] for i in parent.children]
        if not any(len(part.body) < short * 3 for part in parts):
            continue
        parts = [
            part
            for part in parts
            if not part.children
            and not part.is_references
            and role_of(report, part) is None
            # The title of the whole report, if the sections have the same level.
            and (part.index > 1 or part.span.start > len(report.source) // 10)
        ]
        # Of parallel sections, either all are numbered or none.
        numbered = [part for part in parts if _NUMBERED.match(part.title)]
        parts = (
            numbered if len(numbered) * 2 > len(parts) else [part for part in parts if part not in numbered]
        )
        if len(parts) < _FEWEST_SIBLINGS:
            continue
        sizes = [_size(report, part) for part in parts]
        middle = median(sizes)
        if middle < middle_least:
            continue
        for part, size in zip(parts, sizes, strict=True):
            if (
                0 < size < min(short, _THIN * middle)
                and not part.title.lower().startswith(_REST)
                and not _FORMAL.match(part.title)
                and not _CODE_TITLE.search(report.text(part.title_span).lstrip("#= "))
                and not _only_forwards(report, part)
                and not _is_card(report, part)
                and _reads_as_report(report)
            ):
                yield Hit(
                    part.title_span,
                    _THIN_SECTION(section=part.title, n=size, siblings=len(parts) - 1, median=middle),
                    related=tuple(
                        Span(other.title_span.start, other.title_span.end)
                        for other in parts
                        if other is not part
                    )[:3],
                    confidence=0.65,
                )


_PARAGRAPH = (
    "The option costs about a tenth more than last year and needs two visits by trained staff. In the trial "
    "the savings "
    "were clear after one season, although three of the forty homes needed repairs to their ducts. Owners who had the "
    "work done in summer waited two weeks, and those who chose winter waited five. The survey asked for the noise as "
    "well, which most owners found acceptable after the outdoor unit had been moved away from the bedroom window. "
    "Bills fell by a third in the first year and by a little more in the second, when the staff had tuned the controls."
)
_PARTS = [f"## Option {name}\n\n{_PARAGRAPH}" for name in ("A", "B", "C", "D")]

_ZH_PARAGRAPH = (
    "该方案的费用比上一年高出一成，需要训练有素的人员上门两次。试点中经过一个冬季，节省效果已经明显，不过四十户里有三户的风管需要修补。夏季施工的住户等待两周，"
    "冬季施工的等待五周。调查还询问了噪声，多数住户在室外机移离卧室窗户以后表示可以接受。第一年费用下降三分之一，第二年调好控制器以后又略有下降，住户普遍愿意推荐给邻居，"
    "但租户更关心施工期间的临时取暖，以及出现故障以后多长时间能够修好。"
)
_ZH_PARTS = [f"## 方案{name}\n\n{_ZH_PARAGRAPH}" for name in "甲乙丙丁"]

CHECK = Check(
    code="COV007",
    name="thin-section",
    severity="info",
    summary="A section far thinner than the sibling sections that treat parallel things.",
    run=run,
    languages=("en", "zh"),
    dimension="global_coherence",
    failure="incomplete_coverage",
    bad=(
        Example("# Options\n\n" + "\n\n".join([*_PARTS, "## Option E\n\nThis option is cheap."])),
        Example("# 方案\n\n" + "\n\n".join([*_ZH_PARTS, "## 方案戊\n\n该方案较便宜。"])),
    ),
    good=(
        Example("# Options\n\n" + "\n\n".join([*_PARTS, "## Conclusion\n\nOption A is best."])),
        Example("# Options\n\n" + "\n\n".join([*_PARTS, "## Option E\n\nSee the annex."])),
        Example("# Options\n\n" + "\n\n".join([*_PARTS, "## See also\n\nThe town's energy plan."])),
        Example("# Options\n\n" + "\n\n".join([*_PARTS, "## `option.close()`\n\nCloses the option."])),
        Example("# 方案\n\n" + "\n\n".join([*_ZH_PARTS, "## 结论\n\n方案甲最好。"])),
    ),
)
