"""Claims that lose their source: the marker is dropped, the name becomes vague, or "reportedly" replaces the marker."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._claims import (
    attributions,
    cited_figures,
    claims,
    revise,
    sentence_citations,
    stripped,
)
from assay.subjects.roles import role_of
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.interventions", "unsourced")

# A sentence that needs the source named before it.
_OF_THE_SOURCE: Final = _PHRASES.pattern(
    r"\b(?:[Tt]he|[Tt]his|[Tt]heir|[Ii]ts) (?:<<of_the_source>>)\b|\b(?:[Tt]hey|[Hh]e|[Ss]he|It)\b"
    "|该(?:报告|机构|研究|公司|调查|文|书|局|部)|其(?:报告|数据|研究|中)|作者|报告还|研究还|他们?"
    "|同时指出|还指出|并指出",
)
_SUMMING: Final = frozenset({"summary", "conclusion", "introduction"})


def sites_of(report: Report, draw: Random) -> list[Sentence]:
    """Return claims of the body in random order, without introductions, summaries and conclusions."""
    found = [s for s in claims(report) if role_of(report, report.sections[s.section]) not in _SUMMING]
    draw.shuffle(found)
    return found


def vague_source(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which a vague phrase replaces the source a claim names, and its markers are removed."""
    sites = [a for a in attributions(report) if a.leading]
    draw.shuffle(sites)
    chinese = report.language == "zh"
    for site in sites:
        sentence = report.sentence_at(site.phrase.start)
        if sentence is None or report.text(Span(sentence.span.start, site.phrase.start)).strip(" *"):
            continue
        words = report.text(sentence.span)
        if not re.match(r"(?:According to|根据|据)", report.text(site.phrase)):
            continue
        tail = (
            re.match(r"[^，,。]{0,24}[，,]", report.source[site.phrase.end : sentence.span.end])
            if chinese
            else re.match(
                r"(?:['’]s [\w \-]{3,40})?(?: \([^)]{2,40}\))?, (?=[a-zA-Z\d])",
                report.source[site.phrase.end : sentence.span.end],
            )
        )
        if tail is None or words.count(site.text) > 1:
            continue
        after = site.phrase.end + tail.end()
        rest = stripped(report, Span(after, sentence.span.end))
        if '"' in words or "“" in words or not cited_figures(report, sentence.span):
            continue
        if _hangs_on(report, sentence, site.text) or re.match(r"that\b", rest):
            continue
        phrase = draw.choice(_PHRASES["sources"].phrases("zh" if chinese else "en"))
        join = "，" if chinese else " " if phrase.endswith("that") else ", "
        yield revise(
            sentence.span.start,
            sentence.span.end,
            report.source[sentence.span.start : site.phrase.start] + phrase + join + rest,
            "vague-source",
            f"{report.text(site.phrase)} → {phrase}",
        )


_SAYS_EN: Final = _PHRASES.pattern(r" (?:has |have )?(<<says>>)(?:s|d|ed)? that (?=\w)")
_SAYS_ZH: Final = re.compile(
    r"(?:的?(?:数据|报告|研究|统计|调查))?(预测|预计|指出|认为|估计|显示|表明)[，,]?(?!显示|表明|称|指出)(?=[\u4e00-\u9fff\d])"
)


def unnamed(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions from “The agency estimates that” to “It is estimated that”, with the markers removed."""
    chinese = report.language == "zh"
    sites = [a for a in attributions(report) if not a.leading]
    draw.shuffle(sites)
    for site in sites:
        sentence = report.sentence_at(site.phrase.start)
        if sentence is None or report.text(Span(sentence.span.start, site.phrase.start)).strip(
            " *"
        ).lower() not in ("", "the"):
            continue
        rest = report.source[site.phrase.end : sentence.span.end]
        match = (_SAYS_ZH if chinese else _SAYS_EN).match(rest)
        if re.search('["“]', report.text(sentence.span)) or match is None:
            continue
        if report.text(sentence.span).count(site.text) > 1 or _hangs_on(report, sentence, site.text):
            continue
        if chinese:
            lead = {"显示": "资料显示，", "表明": "情况表明，"}.get(match[1], f"有观点{match[1]}，")
        else:
            lead = f"It is {_PHRASES['participles'].mapping('en')[match[1]]} that "
        text = lead + stripped(report, Span(site.phrase.end + match.end(), sentence.span.end))
        yield revise(
            sentence.span.start,
            sentence.span.end,
            text,
            "source-unnamed",
            f"{site.text}{match.group()} → {lead}",
        )


def _hangs_on(report: Report, sentence: Sentence, name: str) -> bool:
    """Return whether the text after a sentence refers to the source that the sentence names."""
    block = report.blocks[sentence.block]
    rest = report.text(Span(sentence.span.end, max(sentence.span.end, block.span.end)))
    last = name.rsplit(maxsplit=1)[-1] if name.isascii() else name
    return _OF_THE_SOURCE.search(rest) is not None or last in rest


def _wants_source(quantity: Quantity) -> bool:
    """Return whether a figure was measured or calculated; counts of list items were not."""
    return quantity.kind in ("percent", "points", "currency") or quantity.decimals > 0 or quantity.scale > 1


def uncited(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that remove the markers of a specific claim, in a report that cites its claims."""
    if len(report.citations) < 6:
        return
    for sentence in sites_of(report, draw):
        markers = sentence_citations(report, sentence.span)
        if (
            not markers
            or not any(_wants_source(q) for q in cited_figures(report, sentence.span))
            or len(report.citations_in(sentence.span)) > len(markers)
        ):
            continue
        # The next sentence's marker would cover this one too.
        following = [
            s for s in report.sentences[sentence.index + 1 : sentence.index + 3] if s.block == sentence.block
        ]
        if any(report.citations_in(s.span) for s in following) or any(
            a.phrase.start in range(sentence.span.start, sentence.span.end) for a in attributions(report)
        ):
            continue
        text = stripped(report, sentence.span)
        shown = "".join(report.text(c.span) for c in markers)
        yield revise(sentence.span.start, sentence.span.end, text, "no-source", f"{shown} dropped")


# For a measured fact: it stays open who says so.
_AUXILIARY: Final = _PHRASES.pattern(
    r"^(?P<head>[A-Z*][^,;:()\[\]\"“]{8,90}? (?:is|are|was|were|has|have|had)) (?=(?!"
    r"<<auxiliary>>)[a-z\d])",
)
_PAST: Final = _PHRASES.pattern(
    r"^(?P<head>[A-Z*][^,;:()\[\]\"“]{8,90}?) (?=(?:<<past_verbs>>) (?:<<after_past_verb>>))"
)
_NO_HEAD: Final = _PHRASES.pattern(
    r"\b(?:<<no_head>>)\b|\*\*$",
    flags=re.IGNORECASE,
)
_BY_WHOM_EN: Final = (
    "reportedly",
    "reportedly",
    "reportedly",
    "by some accounts",
    "by most accounts",
    "by all accounts",
    "it is said",
)
_NO_START_ZH: Final = _PHRASES.pattern("<<no_start>>")


def reported(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that replace the markers of a measured claim by "reportedly"."""
    chinese = report.language == "zh"
    for revision in uncited(report, draw):
        edit = revision.edits[0]
        text = edit.text
        if report.source[edit.start - 1 : edit.start] not in (" ", "\n", "") and not chinese:
            continue
        if chinese:
            said = re.search(
                r"显示|表明|年报|估算|估计|据|称|指出|认为|调查|统计|宣布|发布|印发|公布|颁布|实行", text[:40]
            )
            if said or _NO_START_ZH.match(text) or not text.rstrip().endswith("。"):
                continue
            phrase = draw.choice(_PHRASES["by_whom"].zh)
            new = f"{phrase}，{text}"
        else:
            match = _PAST.match(text) or _AUXILIARY.match(text)
            if match is None or _NO_HEAD.search(match["head"]):
                continue
            phrase = draw.choice(_BY_WHOM_EN)
            put = f" {phrase} " if phrase == "reportedly" else f", {phrase}, "
            new = match["head"] + put + text[match.end() :]
        yield revise(edit.start, edit.end, new, "reportedly", f"{revision.note}; {phrase}")
