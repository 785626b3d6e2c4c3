"""A claim loses what holds it up: its figures, its source, its example, the sentence that bears it out.

The claim itself stays. Some ways only take away; others put a vague assertion of about the same length where the
support was, so that length does not tell.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.outcome._claims import (
    POINTS_BACK,
    attributions,
    cited_figures,
    claims,
    difference,
    exact_figures,
    mixed,
    paragraph_places,
    refused,
    revise,
    sentence_citations,
    stripped,
)
from assay.interventions.outcome._vague import assertion, continued, vague_figures, without_examples
from assay.subjects.roles import role_of
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import Place, TextRevision
    from assay.subjects.report import Block, Report, Sentence

__all__ = ["OPERATOR"]

_EXAMPLE: Final = re.compile(
    r"\be\.g\.|\b(?:for example|for instance|such as|including|as shown by|as illustrated by|a case in point|because|due to|driven by)\b|例如|比如|譬如|[（(，]如|如[：:]|诸如|以.{1,12}为例|由于|因为|包括",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|\w+ed|rose|fell|grew|shows?|uses?|remains?)\b"
)
# Dropped markers are found by comparing; the other ways take reading, and should prevail.
_MOST_UNCITED: Final = 5
_VAGUE_EN: Final = (
    "By many accounts",
    "It is widely reported that",
    "As is often noted",
    "According to various sources",
    "Observers generally agree that",
    "By most estimates",
    "It is commonly held that",
    "As has been reported in various places",
)
_VAGUE_ZH: Final = (
    "据多方消息",
    "一般认为",
    "普遍认为",
    "据了解",
    "业内普遍认为",
    "有观点认为",
    "不少人认为",
    "据各方反映",
)
_SUMMING: Final = frozenset({"summary", "conclusion", "introduction"})


def _rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    yield from mixed(
        report,
        draw,
        _vague,
        _vague_source,
        _nobody,
        lambda report, draw: islice(_uncited(report, draw), _MOST_UNCITED),
        _hearsay,
        _without_examples,
        _without_support,
        _replaced_support,
    )


def _sites_of(report: Report, draw: Random) -> list[Sentence]:
    """Claims of the body proper, in a drawn order; a summary owes nobody its sources."""
    found = [s for s in claims(report) if role_of(report, report.sections[s.section]) not in _SUMMING]
    draw.shuffle(found)
    return found


def _vague(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Figures give way to words, and the markers that vouched for them go."""
    for sentence in _sites_of(report, draw):
        if not cited_figures(report, sentence.span):
            continue
        text = vague_figures(stripped(report, sentence.span), report.language, draw)
        if text is not None:
            yield revise(
                sentence.span.start,
                sentence.span.end,
                text,
                "vague-for-figures",
                f"{report.plain_text(sentence.span)[:90]} → {text[:90]}",
            )


def _vague_source(report: Report, draw: Random) -> Iterator[TextRevision]:
    """The source that vouches by name becomes nobody in particular; markers go with it."""
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
        phrase = draw.choice(_VAGUE_ZH if chinese else _VAGUE_EN)
        join = "，" if chinese else " " if phrase.endswith("that") else ", "
        yield revise(
            sentence.span.start,
            sentence.span.end,
            report.source[sentence.span.start : site.phrase.start] + phrase + join + rest,
            "vague-source",
            f"{report.text(site.phrase)} → {phrase}",
        )


_SAYS_EN: Final = re.compile(
    r" (?:has |have )?(estimate|report|project|predict|note|state|argue|suggest|forecast|conclude)(?:s|d|ed)? that (?=\w)"
)
_SAYS_ZH: Final = re.compile(
    r"(?:的?(?:数据|报告|研究|统计|调查))?(预测|预计|指出|认为|估计|显示|表明)[，,]?(?!显示|表明|称|指出)(?=[\u4e00-\u9fff\d])"
)
_PARTICIPLES: Final = {
    "estimate": "estimated", "report": "reported", "project": "projected", "predict": "predicted", "note": "often noted", "state": "often stated",
    "argue": "sometimes argued", "suggest": "often suggested", "forecast": "forecast", "conclude": "often concluded",
}  # fmt: skip


def _nobody(report: Report, draw: Random) -> Iterator[TextRevision]:
    """“The agency estimates that” becomes “It is estimated that”; markers go with it."""
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
        if match is None or report.text(sentence.span).count(site.text) > 1:
            continue
        if chinese:
            lead = {"显示": "资料显示，", "表明": "情况表明，"}.get(match[1], f"有观点{match[1]}，")
        else:
            lead = f"It is {_PARTICIPLES[match[1]]} that "
        text = lead + stripped(report, Span(site.phrase.end + match.end(), sentence.span.end))
        yield revise(
            sentence.span.start,
            sentence.span.end,
            text,
            "source-unnamed",
            f"{site.text}{match.group()} → {lead}",
        )


def _hearsay(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Hearsay stands where the markers of a specific claim were."""
    chinese = report.language == "zh"
    given = 0
    for revision in _uncited(report, draw):
        edit = revision.edits[0]
        text = edit.text if chinese else continued(report, edit.text)
        if text is None or report.source[edit.start - 1 : edit.start] not in (" ", "\n", ""):
            continue
        # A fragment of an item takes no clause before it.
        if not chinese and (not _VERB.search(text) or re.match(r"[^,.]{0,60}:|whether\b", text)):
            continue
        if chinese and (re.match(r"[^，。]{0,40}[：:]|据|根据|\W", text) or not text.rstrip().endswith("。")):
            continue
        phrase = draw.choice(_VAGUE_ZH if chinese else _VAGUE_EN)
        join = "，" if chinese else " " if phrase.endswith("that") else ", "
        given += 1
        yield revise(
            edit.start, edit.end, phrase + join + text, "hearsay-for-source", f"{revision.note}; {phrase}"
        )
        if given >= _MOST_UNCITED:
            return


def _uncited(report: Report, draw: Random) -> Iterator[TextRevision]:
    """A specific claim without the markers that stood behind it, in a report that cites its claims."""
    if len(report.citations) < 6:
        return
    for sentence in _sites_of(report, draw):
        markers = sentence_citations(report, sentence.span)
        if (
            not markers
            or not cited_figures(report, sentence.span)
            or len(report.citations_in(sentence.span)) > len(markers)
        ):
            continue
        # The next sentence's marker would stand for this one too.
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


def _without_examples(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Examples or reasons at the end of a claim go, or give way to a phrase that names none."""
    for sentence in _sites_of(report, draw):
        found = without_examples(report.text(sentence.span), report.language, draw)
        if found is None:
            continue
        text, gone = found
        yield revise(sentence.span.start, sentence.span.end, text, "no-example", f"dropped: {gone.strip()}")


def _supporting(report: Report, draw: Random, least: int) -> Iterator[tuple[Sentence, Sentence]]:
    """Sentences that bear out the one before them, with it: an example, or figures about things that both name."""
    allowed = {s.index: s for s in claims(report)}
    for sentence in _sites_of(report, draw):
        before = allowed.get(sentence.index - 1)
        if before is None or before.block != sentence.block or cited_figures(report, before.span):
            continue
        text = report.text(sentence.span)
        # Words of somebody else, begun or ended here, would be left without a mark.
        if text.count('"') % 2 or text.count("“") != text.count("”"):
            continue
        example = re.match(r"\W*(?:For (?:example|instance)|例如|比如)", text)
        if not cited_figures(report, sentence.span) and not example:
            continue
        shared = report.sentence_terms[before.index] & report.sentence_terms[sentence.index]
        if not example and len(shared) < least + (report.language == "zh"):
            continue
        yield before, sentence


def _without_support(report: Report, draw: Random) -> Iterator[TextRevision]:
    """The sentence that bears out a claim is gone."""
    for before, sentence in _supporting(report, draw, 2):
        following = (
            report.sentences[sentence.index + 1] if sentence.index + 1 < len(report.sentences) else None
        )
        # Nothing may be left hanging on what is gone.
        if (
            following is not None
            and following.block == sentence.block
            and POINTS_BACK.match(report.text(following.span))
        ):
            continue
        yield revise(
            before.span.end,
            sentence.span.end,
            "",
            "no-support",
            f"dropped: {report.plain_text(sentence.span)}",
        )


def _replaced_support(report: Report, draw: Random) -> Iterator[TextRevision]:
    """An assertion that says nothing definite stands where the support was."""
    for before, sentence in _supporting(report, draw, 3):
        text = assertion(report, before, sentence, draw)
        if text is not None:
            yield revise(
                sentence.span.start,
                sentence.span.end,
                text,
                "assertion-for-support",
                f"{report.plain_text(sentence.span)[:90]} → {text[:90]}",
            )


def _sites(report: Report, draw: Random) -> Iterator[Place]:
    def wanted(block: Block) -> str | None:
        if len(block.span) < (45 if report.language == "zh" else 120):
            return None
        if cited_figures(report, block.span):
            return "The figures of the passage, or the source behind them, are what its claim rests on."
        if report.citations_in(block.span) or _EXAMPLE.search(report.text(block.span)):
            return "The example, reason or source in the passage is what its claim rests on."
        return None

    yield from paragraph_places(report, draw, wanted)


def _check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    if (why := refused(reference, perturbed)) is not None:
        return why
    where = difference(reference, perturbed, revision)
    old, new = stripped(reference, where.before), stripped(perturbed, where.after)
    if exact_figures(new) - exact_figures(old):
        return "a figure is there that was not before"
    keys = [
        {key for c in sentence_citations(report, span) for key in c.keys}
        for report, span in ((reference, where.before), (perturbed, where.after))
    ]
    if keys[1] - keys[0]:
        return "a source is cited that was not before"
    names = [
        {a.text for a in attributions(report) if span.start <= a.phrase.start < span.end}
        for report, span in ((reference, where.before), (perturbed, where.after))
    ]
    if names[1] - names[0]:
        return "a source is named that was not before"
    lost = (
        sum((exact_figures(old) - exact_figures(new)).values())
        + len(keys[0] - keys[1])
        + len(names[0] - names[1])
        + max(0, len(_EXAMPLE.findall(old)) - len(_EXAMPLE.findall(new)))
    )
    if not lost:
        return "no figure, source, example or reason is gone"
    # The claim has to be left: what is gone altogether is no claim without support.
    kept = content_terms(_around(perturbed, where.after)) & content_terms(_around(reference, where.before))
    return None if len(kept) >= 3 else "the claim is gone with its support"


def _around(report: Report, span: Span) -> str:
    block = report.block_at(span.start) or report.block_at(max(0, span.start - 1))
    return report.plain_text(block.span if block is not None else span)


OPERATOR = Operator(
    name="evidence_omission",
    title="Evidence omission",
    level="outcome",
    module="output",
    category="faithfulness",
    definition=(
        "An important claim stands without what should hold it up: its figures, example, reason or source are missing, "
        "or a vague assertion stands in their place."
    ),
    definition_zh="重要论断缺少应有的支撑：数据、例子、理由或来源缺失，或以空泛的断言代替。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Keep the claim and take away what supports it: the figures, the example, the reason, the source. "
        "Where the passage would become much shorter, fill the place with a general remark that sounds alike and "
        "proves nothing. Add no new fact, name, figure or citation, and leave no sign that something was taken out."
    ),
    ask_zh=(
        "保留论断，去掉支撑它的内容：数据、例子、理由或来源。若段落因此明显变短，可用语气相近但不提供任何证据的笼统说法补足。"
        "不得增加新的事实、名称、数字或引用，也不要留下删改的痕迹。"
    ),
    check=_check,
    codes=("CIT006", "QUA005", "WAR001", "WAR002"),
    source="reflect, table 3: Output, Faithfulness, Evidence Omission",
)
