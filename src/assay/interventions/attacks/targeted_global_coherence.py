"""A roadmap, framing or closing sentence no longer fits the arc of the report; what the sections say stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import (
    Line,
    capital,
    chinese,
    edit,
    lines,
    mixed,
    places,
    section_phrases,
)
from assay.interventions.attacks._targeted import screened, targeted
from assay.subjects.roles import FRAME, role_of
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import Place, TextRevision
    from assay.subjects.report import Report, Section

# Announces an order; {a} comes last in the report and {c} first.
_PLAN_EN: Final = (
    "The discussion begins with {a}, moves on to {b}, and closes with {c}.",
    "The sections that follow start from {a}, then take up {b}, and end with {c}.",
    "The argument proceeds in this order: {a} first, then {b}, and {c} at the end.",
    "We first look at {a}; {b} and, last of all, {c} follow.",
    "The sections below go from {a} by way of {b} to {c}.",
)
_PLAN_ZH: Final = (
    "全文先讨论{a}，再转向{b}，最后以{c}收束。",
    "下文依次从{a}入手，继而分析{b}，最后落到{c}。",
    "论述的顺序是：首先是{a}，其次是{b}，末尾是{c}。",
    "以下各部分由{a}出发，经由{b}，最终回到{c}。",
)
# Opens a section, and names the matter of another.
_FRAME_EN: Final = (
    "This section is about {other}.",
    "Before anything else can be said, this section has to deal with {other}.",
    "The matter at hand is {other}.",
    "What follows sets out {other} in detail.",
    "The paragraphs below complete the account of {other}.",
)
_FRAME_ZH: Final = (
    "本节讨论的是{other}。",
    "这一部分围绕{other}展开。",
    "以下内容旨在完整说明{other}。",
    "本节要回答的是{other}的问题。",
)
# Ends a section, and points to one that does not follow.
_NEXT_EN: Final = (
    "With this in place, the next section turns to {other}.",
    "This leads directly to {other}, which is taken up next.",
    "The section that follows builds on this to address {other}.",
    "On this basis, we can now go on to {other}.",
)
_NEXT_ZH: Final = (
    "在此基础上，下一节转入{other}。",
    "由此自然引出接下来要讨论的{other}。",
    "下一部分将据此展开对{other}的分析。",
    "明确了这一点，下文即可进入{other}。",
)
# Closes the report, and leaves all but one part of it out.
_CLOSE_EN: Final = (
    "In the end, then, everything set out in this report comes down to {other}.",
    "All of the above has been a preparation for a single topic: {other}.",
    "The whole of this report has thus been an account of {other}.",
    "What the preceding sections have in common is that they describe {other}, and nothing else.",
    "Seen as a whole, the report has dealt with {other} from beginning to end.",
)
_CLOSE_ZH: Final = (
    "归根结底，本报告的全部内容都可以归结为{other}。",
    "以上各节其实都是在为{other}这一个话题作铺垫。",
    "由此可见，全文自始至终讨论的就是{other}。",
    "前面各部分的共同点，在于它们说明的都是{other}。",
)
_PLAN: Final = re.compile(
    r"\b(?:this|the) (?:\w+ )?(?:report|paper|review|analysis|study|overview|article|document|section)\b.{0,40}\b(?:examin|explor|analy[sz]|cover|present|provid|synthesi[sz]|review|discuss|investigat|assess|outlin|summari[sz]|address|compar|offer|detail)\w*"
    r"|(?:本报告|本文|本研究|本节|本综述|报告)[^。]{0,12}(?:将|旨在|从|围绕|系统|全面|对|综合|梳理|分析|探讨|介绍)",
    re.IGNORECASE,
)
_LIST_EN: Final = re.compile(
    r"(?P<a>[a-z][\w’' -]{5,50}), (?P<b>[a-z][\w’' -]{5,50}), and (?P<c>[a-z][\w’' -]{5,60})(?=[.,;]|$)"
)
_LIST_ZH: Final = re.compile(
    r"(?P<a>[\u4e00-\u9fff]{3,14})、(?P<b>[\u4e00-\u9fff]{3,14})(?:、|和|及|以及|与)(?P<c>[\u4e00-\u9fff]{3,14})(?=[，。；等]|$)"
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Plans that announce another order or another part, frames of another section, ends that fit one part only."""
    groups: dict[str, list[TextRevision]] = {}
    phrases = section_phrases(report)
    top = min((section.level for section, _ in phrases), default=0)
    main = [(section, phrase) for section, phrase in phrases if section.level == top]
    if len(main) < 3 and phrases:
        main = phrases
    everything = lines(report, shortest=30, longest=700)
    if len(main) >= 3:
        for found in (
            *_plans(report, everything, main, phrases, draw),
            *_frames(report, everything, main, draw),
            *_ends(report, everything, phrases, draw),
        ):
            groups.setdefault(found.pattern, []).append(found)
    yield from mixed(groups, draw)


def _plans(
    report: Report,
    everything: list[Line],
    main: list[tuple[Section, str]],
    phrases: list[tuple[Section, str]],
    draw: Random,
) -> Iterator[TextRevision]:
    zh = chinese(report)
    first = main[0][0].span.start
    last_of_opening: Line | None = None
    for line in everything:
        if line.start >= first:
            break
        if _PLAN.search(line.text):
            # One part of the announced list becomes a detail that the report only touches on.
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
    if last_of_opening is not None and last_of_opening.text.rstrip().endswith((".", "。", "]")):
        order = [phrase for _, phrase in (main[-1], main[len(main) // 2], main[0])]
        new = draw.choice(_PLAN_ZH if zh else _PLAN_EN).format(a=order[0], b=order[1], c=order[2])
        at = len(last_of_opening.text)
        note = "announces the sections in another order"
        yield edit(last_of_opening, at, at, new if zh else " " + new, pattern="plan-misordered", note=note)
        if last_of_opening.start > report.blocks[last_of_opening.block].span.start + 2:
            yield edit(last_of_opening, 0, at, new, pattern="plan-misordered-instead", note=note)


def _frames(
    report: Report, everything: list[Line], main: list[tuple[Section, str]], draw: Random
) -> Iterator[TextRevision]:
    zh = chinese(report)
    for place, (section, phrase) in enumerate(main):
        inside = [
            line
            for line in everything
            if section.span.start <= line.start < section.span.end
            and report.blocks[line.block].kind == "paragraph"
        ]
        if not inside:
            continue
        far = [
            other for at, (_, other) in enumerate(main) if at not in (place, place + 1) and other != phrase
        ]
        if not far:
            continue
        opening, closing = inside[0], inside[-1]
        other = draw.choice(far)
        block = report.blocks[opening.block]
        if (
            opening.section == section.index
            and opening.start <= block.span.start + 2
            and len(opening.text) <= 320
            and opening.text.rstrip()[-1:] not in ":："
        ):
            new = capital(draw.choice(_FRAME_ZH if zh else _FRAME_EN).format(other=other))
            yield edit(
                opening,
                0,
                len(opening.text),
                new,
                pattern="frame-of-another-section",
                note=f"“{phrase}” is opened as {other}",
            )
        if (
            place + 1 < len(main)
            and closing.end >= report.blocks[closing.block].span.end - 1
            and closing.text.rstrip().endswith((".", "。", "]"))
        ):
            new = draw.choice(_NEXT_ZH if zh else _NEXT_EN).format(other=draw.choice(far))
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
    report: Report, everything: list[Line], phrases: list[tuple[Section, str]], draw: Random
) -> Iterator[TextRevision]:
    zh = chinese(report)
    final = [line for line in everything if report.blocks[line.block].kind == "paragraph"]
    if not final:
        return
    line = final[-1]
    if line.text.rstrip()[-1:] not in ".。]】":
        return
    # Only where it ends the report, not a paragraph somewhere in it.
    if line.start < 0.6 * (report.reference_span.start if report.reference_span else len(report.source)):
        return
    options = [phrase for _, phrase in phrases]
    draw.shuffle(options)
    for other in options[:3]:
        new = draw.choice(_CLOSE_ZH if zh else _CLOSE_EN).format(other=other)
        yield edit(
            line, 0, len(line.text), new, pattern="close-on-one-part", note=f"the end names only {other}"
        )
    for frame in final:
        if role_of(report, report.sections[frame.section]) in FRAME and re.match(
            r"(?:Overall|In (?:conclusion|summary|sum)|Taken together|Ultimately)\b|综上|总之|总体|总的来说",
            frame.text,
        ):
            new = draw.choice(_CLOSE_ZH if zh else _CLOSE_EN).format(other=draw.choice(options))
            yield edit(
                frame,
                0,
                len(frame.text),
                new,
                pattern="close-on-one-part",
                note="the summing-up names one part only",
            )


def sites(report: Report, draw: Random) -> Iterable[Place]:
    """Paragraphs that announce, frame or sum up."""
    return places(report, draw, _PLAN)


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """The passage now speaks of the matter of another section, in the report's own words, and of nothing new."""
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
    definition=(
        "A sentence that holds the report together – a roadmap, the framing of a section, a signpost, the closing – no longer fits "
        "what the sections do: it announces another order or topic, or sums up something else than the arc of the report."
    ),
    definition_zh="用来贯通全文的句子（路线说明、章节引入、过渡、收束）与各章节实际内容不符：预告了别的顺序或主题，或总结的不是全文的主线。",
    rule=rule,
    sites=sites,
    ask=(
        "Alter one sentence of the passage that announces, frames or sums up, so that it no longer fits the sections of this report: "
        "another order, another part, another aim. Use topics the report does mention. The content of the sections stays untouched."
    ),
    ask_zh="改动段落中一句用于预告、引入或总结的话，使其与本报告的章节安排不再相符（顺序、部分或目标不同）。所用主题须是报告中出现过的，章节内容本身不动。",
    check=check,
    codes=("COH004",),
)
