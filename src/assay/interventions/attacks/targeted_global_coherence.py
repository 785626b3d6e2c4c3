"""Global coherence: a roadmap, framing or closing sentence no longer fits the report, whose sections stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import (
    ProseLine,
    capital,
    chinese,
    edit,
    edit_sites,
    lines,
    mixed,
    section_phrases,
)
from assay.interventions.attacks._targeted_attacks import screened, targeted
from assay.subjects.roles import FRAME, role_of
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "targeted_global_coherence")
_ARC: Final = PhraseFile("assay.interventions", "arc")

# Titles that do not name a part of the subject.
_NO_PART: Final = _PHRASES.pattern(
    r"\b(?:<<no_part>>)\b|总结|展望|结论|引言|概述|概况|背景|参考|来源|附录|建议|摘要|报告"
    "|研究方法|前言|综述|说明|小结|目标|讨论",
    flags=re.IGNORECASE,
)
# Words that refer to the sentence before: nothing may come between the two.
_LEANS: Final = _PHRASES.pattern(
    r"^(?:<<leans>>)\b|^(?:这|该|其|它|此|因此|例如|但|同时|另外|然而|不过|与此)"
)
_PLAN: Final = _PHRASES.pattern(
    r"\b(?:this|the) (?:\w+ )?(?:<<document_nouns>>)\b.{0,40}\b(?:<<plan_verbs>>)\w*|(?:本报告"
    "|本文|本研究|本节|本综述|报告)[^。]{0,12}(?:将|旨在|从|围绕|系统|全面|对|综合|梳理|分析|探讨"
    "|介绍)",
    flags=re.IGNORECASE,
)
_LIST_EN: Final = re.compile(
    r"(?P<a>[a-z][\w’' -]{5,50}), (?P<b>[a-z][\w’' -]{5,50}), and (?P<c>[a-z][\w’' -]{5,60})(?=[.,;]|$)"
)
_LIST_ZH: Final = re.compile(
    r"(?P<a>[\u4e00-\u9fff]{3,14})、(?P<b>[\u4e00-\u9fff]{3,14})(?:、|和|及|以及|与)"
    r"(?P<c>[\u4e00-\u9fff]{3,14})(?=[，。；等]|$)",
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions with a reordered roadmap, a frame of another section, or an ending that fits one part only."""
    groups: dict[str, list[TextRevision]] = {}
    phrases = _parts(report)
    top = min((section.level for section, _ in phrases), default=0)
    main = [(section, phrase) for section, phrase in phrases if section.level == top]
    if len(main) < 3 and phrases:
        main = phrases
    begun = _begins(report)
    everything = [line for line in lines(report, shortest=30, longest=700) if line.start >= begun]
    if len(main) >= 3:
        for found in (
            *_plans(report, everything, main, phrases, draw),
            *_frames(report, everything, main, draw),
            *_ends(report, everything, phrases, draw),
        ):
            groups.setdefault(found.pattern, []).append(found)
    yield from mixed(groups, draw)


def _parts(report: Report) -> list[tuple[Section, str]]:
    """Return the sections of the body with their phrases, except the report's whole subject and lower-cased names."""
    whole = content_terms(report.sections[1].title) if len(report.sections) > 1 else set()
    zh = chinese(report)
    prose = "" if zh else "\n".join(report.plain_text(block.span) for block in report.paragraphs)
    out: list[tuple[Section, str]] = []
    for section, phrase in section_phrases(report):
        terms = content_terms(phrase)
        if not terms or _NO_PART.search(phrase) or (section.index == 1 and section.level <= 1):
            continue
        if whole and len(terms & whole) > 0.6 * len(terms) and section.index <= 1:
            continue
        # "open-ended Considerations", "spring Boot": a phrase with names in it cannot be trusted.
        if not zh and re.search(r"(?<![A-Za-z])[A-Z][a-z]", phrase):
            continue
        # A word that running text never writes in lower case may be a name.
        if not zh and any(
            word.islower() and len(word) > 3 and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", prose) is None
            for word in phrase.split()
        ):
            continue
        out.append((section, phrase))
    return out


_TALK: Final = _PHRASES.pattern(
    "<<talk>>",
    flags=re.IGNORECASE,
)


def _begins(report: Report) -> int:
    """Return the offset at which the report proper begins, after remarks on the writer's own search."""
    size = len(report.source)
    begun = 0
    for sentence in report.sentences:
        if sentence.span.start > 0.5 * size:
            break
        if _TALK.search(report.text(sentence.span)):
            begun = sentence.span.end
    if not begun:
        return 0
    after = [
        block.span.start for block in report.blocks if block.kind == "heading" and block.span.start >= begun
    ]
    return after[0] if after else size


def _plans(
    report: Report,
    everything: list[ProseLine],
    main: list[tuple[Section, str]],
    phrases: list[tuple[Section, str]],
    draw: Random,
) -> Iterator[TextRevision]:
    zh = chinese(report)
    first = main[0][0].span.start
    last_of_opening: ProseLine | None = None
    for line in everything:
        if line.start >= first:
            break
        if _PLAN.search(line.text):
            # One part of the announced list is replaced by a detail that the report only touches on.
            match = (_LIST_ZH if zh else _LIST_EN).search(line.text)
            minor = [
                phrase
                for section, phrase in phrases
                if section.level > main[0][0].level
                and not phrase[:1].isupper()
                and len(phrase) <= (16 if zh else 60)
            ]
            if (
                match
                and minor
                and not re.match("并|以及|及|和|与|系统|评估|分析|探讨", match["a"])
                and not re.match("并|以及|系统|评估|分析|探讨", match["b"])
                and not re.search(r"\bto (?:\w+ly )?$|\bto \w+ly \w+$|\bto$", line.text[: match.start("a")])
                and not match["a"].startswith("to ")
            ):
                key, new = draw.choice("abc"), draw.choice(minor)
                if new.lower() not in line.text.lower():
                    yield edit(
                        line,
                        match.start(key),
                        match.end(key),
                        new,
                        pattern="plan-altered",
                        note=f"announced: {match[key]} → {new}",
                    )
        if report.blocks[line.block].kind == "paragraph":
            last_of_opening = line
    if (
        last_of_opening is not None
        and last_of_opening.section > 1
        and role_of(report, report.sections[last_of_opening.section]) not in FRAME
    ):
        last_of_opening = None
    if last_of_opening is not None and last_of_opening.text.rstrip().endswith((".", "。", "]")):
        order = [phrase for _, phrase in (main[-1], main[len(main) // 2], main[0])]
        new = draw.choice(_ARC["plan"].phrases("zh" if zh else "en")).format(
            a=order[0], b=order[1], c=order[2]
        )
        at = len(last_of_opening.text)
        note = "announces the sections in another order"
        yield edit(last_of_opening, at, at, new if zh else " " + new, pattern="plan-misordered", note=note)
        named = sum(
            len(content_terms(phrase) & content_terms(last_of_opening.text)) > 0 for _, phrase in main
        )
        if _PLAN.search(last_of_opening.text) and named >= 2:
            # It listed the parts of the report; now it lists them in another order.
            yield edit(last_of_opening, 0, at, new, pattern="plan-misordered-instead", note=note)


def _frames(
    report: Report, everything: list[ProseLine], main: list[tuple[Section, str]], draw: Random
) -> Iterator[TextRevision]:
    zh = chinese(report)
    for position, (section, phrase) in enumerate(main):
        inside = [
            line
            for line in everything
            if section.span.start <= line.start < section.span.end
            and report.blocks[line.block].kind == "paragraph"
        ]
        if not inside:
            continue
        far = [
            other
            for at, (_, other) in enumerate(main)
            if at not in (position, position + 1) and other != phrase
        ]
        if not far:
            continue
        opening, closing = inside[0], inside[-1]
        other = draw.choice(far)
        block = report.blocks[opening.block]
        if (
            opening.section == section.index
            and opening.start <= block.span.start + 2
            and report.blocks[opening.block - 1].kind == "heading"
            and not opening.text.startswith("*")
            and not _LEANS.match(opening.text)
            and opening.text.rstrip()[-1:] not in ":："
        ):
            new = draw.choice(_ARC["frame"].phrases("zh" if zh else "en")).format(other=other)
            yield edit(
                opening,
                0,
                0,
                new if zh else new + " ",
                pattern="frame-of-another-section",
                note=f"“{phrase}” is opened as {other}",
            )
            if _PLAN.search(opening.text) and len(opening.text) < 260:
                # It said what the section is about.
                yield edit(
                    opening,
                    0,
                    len(opening.text),
                    new,
                    pattern="frame-exchanged",
                    note=f"“{phrase}” is opened as {other}",
                )
        if (
            position + 1 < len(main)
            and closing.end >= report.blocks[closing.block].span.end - 1
            and closing.text.rstrip().endswith((".", "。", "]"))
        ):
            new = draw.choice(_ARC["next"].phrases("zh" if zh else "en")).format(other=draw.choice(far))
            at = len(closing.text)
            yield edit(
                closing,
                at,
                at,
                new if zh else " " + new,
                pattern="wrong-signpost",
                note=f"announces what does not follow “{phrase}”",
            )


def _ends(
    report: Report, everything: list[ProseLine], phrases: list[tuple[Section, str]], draw: Random
) -> Iterator[TextRevision]:
    zh = chinese(report)
    final = [line for line in everything if report.blocks[line.block].kind == "paragraph"]
    if not final:
        return
    line = final[-1]
    if _LEANS.match(line.text):
        # Its beginning belongs to the sentence before; the closing is more than one sentence.
        return
    if line.text.rstrip()[-1:] not in ".。]】":
        return
    # Only at the end of the report, not of some paragraph in it.
    if line.start < 0.6 * (report.reference_span.start if report.reference_span else len(report.source)):
        return
    # The subject of the question may well be the whole of the report.
    asked = content_terms(report.query or "")
    options = [
        phrase
        for _, phrase in phrases
        if len(content_terms(phrase) & asked) < 0.5 * len(content_terms(phrase))
    ]
    draw.shuffle(options)
    for other in options[:3] if _alone(report, line) else ():
        new = draw.choice(_ARC["close"].phrases("zh" if zh else "en")).format(
            other=other, Other=capital(other)
        )
        yield edit(
            line, 0, len(line.text), new, pattern="close-on-one-part", note=f"the end names only {other}"
        )
    for position, frame in enumerate(final):
        # Nothing after it may refer to what it said.
        after = final[position + 1] if position + 1 < len(final) else None
        if not options or (after is not None and after.index == frame.index + 1 and _LEANS.match(after.text)):
            continue
        if not _alone(report, frame):
            continue
        if role_of(report, report.sections[frame.section]) in FRAME and re.match(
            r"(?:Overall|In (?:conclusion|summary|sum)|Taken together|Ultimately)\b|综上|总之|总体|总的来说",
            frame.text,
        ):
            new = draw.choice(_ARC["close"].phrases("zh" if zh else "en")).format(
                other=options[0], Other=capital(options[0])
            )
            yield edit(
                frame,
                0,
                len(frame.text),
                new,
                pattern="close-on-one-part",
                note="the summing-up names one part only",
            )


def _alone(report: Report, line: ProseLine) -> bool:
    """Return whether a sentence opens its paragraph and no paragraph of the section comes right before."""
    block = report.blocks[line.block]
    if line.start > block.span.start + 2:
        return False
    before = report.blocks[line.block - 1] if line.block else None
    return before is None or before.kind != "paragraph" or before.section != block.section


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs with a sentence that announces, frames or sums up."""
    return edit_sites(report, draw, _PLAN)


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None.

    The new text must speak of another section's subject in the report's own words.
    """
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    start = revision.edits[0].start
    block = reference.block_at(min(start, max(0, len(reference.source) - 1))) or reference.block_at(
        max(0, start - 1)
    )
    own = content_terms(reference.sections[block.section].title) if block is not None else set()
    added = content_terms(found.after) - content_terms(found.before)
    titles = (
        set().union(*(content_terms(section.title) for section in reference.sections[1:]))
        if len(reference.sections) > 1
        else set()
    )
    if not (added & titles) - own and not _PLAN.search(found.before):
        return "the passage names no other part of the report"
    if found.before.strip() == found.after.strip():
        return "nothing was changed"
    return None


OPERATOR = targeted(
    dimension="global_coherence",
    title="Global coherence",
    title_zh="损害全局连贯",
    definition=(
        "A sentence that holds the report together – a roadmap, the framing of a section, a signpost, the "
        "closing – no longer fits what the sections do: it announces another order or topic, or sums up "
        "something else than the arc of the report."
    ),
    definition_zh="用来贯通全文的句子（路线说明、章节引入、过渡、收束）与各章节实际内容不符：预告了别的顺序或主题，或总结的不是全文的主线。",
    rule=rule,
    sites=sites,
    ask=(
        "Alter one sentence of the passage that announces, frames or sums up, so that it no longer fits "
        "the sections of this report: another order, another part, another aim. Use topics the report does "
        "mention. The content of the sections stays untouched."
    ),
    ask_zh="改动段落中一句用于预告、引入或总结的话，使其与本报告的章节安排不再相符（顺序、部分或目标不同）。所用主题须是报告中出现过的，章节内容本身不动。",
    check=check,
)
