"""Incoherence: the parts are there and no longer fit together.

The rule uses a connective of the opposite kind (an example is announced as a contrast, a contrast as a likeness, an
effect as its absence), or puts a sentence before the one it refers to. Contradictions of substance are for a model.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.edit_kit import citations_changed, joined_texts
from assay.interventions.outcome._prose import (
    ProseSentence,
    in_turn,
    paragraph_sites,
    prose,
    revise,
    words_of,
)
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "outcome")
_ANAPHORA: Final = _PHRASES.pattern(
    r"(?:<<anaphora>>)\b(?! is (?:important|worth|also)?(?:that|to))"
    "|这[一种些类个也]?|该|此[外类]?|因此|然而|例如|其[中次]|但|不过|相比之下|同时|另外|随后|最后|最终"
    "|两者|它们?|后者|前者|由此|据此",
)
_WEAK: Final = _PHRASES.pattern("<<weak>>")
_JOINS: Final = _PHRASES.pattern(r"(?:<<joins>>)\b|因此|然而|例如|但|不过|相比之下|随后|后者|前者|由此|据此")
_LONGEST_PAIR: Final = 900
# How far above a sentence its antecedent may stand.
_ABOVE: Final = 400


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions of both kinds in turn, over sentences in random order."""
    if report.language != "und":
        yield from in_turn(draw, [_connectives(report, draw), _sentence_order(report, draw)])


def _connectives(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions that replace a connective by one that does not fit."""
    chinese = report.language == "zh"
    links = _PHRASES["links"].choices("zh" if chinese else "en")
    for words in prose(report, draw, least=7):
        for link, others in links.items():
            refers_back = link.endswith((",", "，"))
            match = re.search(
                (r"^\s*" if refers_back or link == "unlike" else r"(?<=, )")
                + re.escape(link)
                + ("" if chinese else r"(?= \w)"),
                words.plain,
                re.IGNORECASE,
            )
            # At the start of a paragraph nothing stands before it that an example could be of.
            if match is None or (
                refers_back and words.start - report.blocks[words.sentence.block].span.start < 6
            ):
                continue
            new = draw.choice(others)
            old = match.group().lstrip()
            text = new[0].upper() + new[1:] if old[0].isupper() else new
            start = words.start + match.end() - len(old)
            yield revise(report, start, start + len(old), text, pattern="connective", note=f"{old} → {text}")


def _sentence_order(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions in which a sentence with "this" or "however" comes before the one it refers to."""
    pairs = [(one, two) for one, two in pairwise(report.sentences) if one.block == two.block]
    draw.shuffle(pairs)
    for one, two in pairs:
        first, second = words_of(report, one), words_of(report, two)
        if first is None or second is None or not _can_change_places(report, first, second):
            continue
        match = _ANAPHORA.match(second.plain)
        if match is None or _WEAK.match(second.plain) or _ANAPHORA.match(first.plain):
            continue
        # No author opens a section with "However"; a later paragraph may.
        joins = _JOINS.match(second.plain) is not None and not _opens_section(report, one)
        if not joins and not _introduces(report, first, second, match):
            continue
        body, tail = first.source.rstrip(), second.source.rstrip()
        between = report.source[first.start + len(body) : second.start] or (
            " " if report.language == "en" else ""
        )
        yield revise(
            report,
            first.start,
            second.start + len(tail),
            f"{tail}{between}{body}",
            pattern="sentence-order",
            note=f"“{match.group()} …” now comes before what it refers to",
        )


def _opens_section(report: Report, sentence: Sentence) -> bool:
    """Return whether a sentence is of the first paragraph below a heading, or of a report without one."""
    title = report.sections[sentence.section].title_span
    return not report.source[title.end : report.blocks[sentence.block].span.start].strip("#* \n")


def _can_change_places(report: Report, first: ProseSentence, second: ProseSentence) -> bool:
    """Return whether two sentences open a paragraph and can stand in the other order as far as form goes."""
    gap = report.source[first.end : second.start]
    before = report.source[first.start - 2 : first.start].strip("\n ")
    return (
        first.start - report.blocks[first.sentence.block].span.start < 6
        and len(first.plain.strip()) >= 24
        and second.end - first.start <= _LONGEST_PAIR
        and not gap.strip()
        and "\n" not in gap
        and first.source[:1] not in "*-+>#_"
        and before not in ("**", ":", "：")
        and not any(words.source.count("**") % 2 for words in (first, second))
    )


def _introduces(report: Report, first: ProseSentence, second: ProseSentence, match: re.Match[str]) -> bool:
    """Return whether ``first``, and no text above it, introduces what "this study" in ``second`` refers to."""
    words = second.plain[match.end() : match.end() + (8 if report.language == "zh" else 40)]
    terms = content_terms(words[:5] if report.language == "zh" else " ".join(words.split()[:2]))
    if not terms & content_terms(first.plain):
        return False
    title = report.sections[first.sentence.section].title
    above = f"{title} {report.plain[max(0, first.start - _ABOVE) : first.start]}"
    return not terms & content_terms(above)


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield paragraphs of at least two sentences, so that something can be contradicted."""
    yield from paragraph_sites(
        report, draw, lambda block: "" if len(report.sentences_in(block.span)) > 1 else None
    )


def unfit(report: Report) -> str | None:
    """Return why no passage can be made incoherent."""
    blocks = {sentence.block for one, sentence in pairwise(report.sentences) if one.block == sentence.block}
    return None if blocks else "no paragraph has two sentences that could contradict each other"


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return which citation an edit changed; whether the text contradicts itself is for a reader."""
    return citations_changed(*joined_texts(reference, perturbed, revision))


OPERATOR = Operator(
    name="incoherence",
    title="Incoherence",
    title_zh="不连贯",
    level="outcome",
    module="output",
    category="synthesis",
    definition=(
        "Parts of the text do not fit together: they contradict each other, a transition or an "
        "order is broken, or a conclusion does not follow from what stands before it."
    ),
    definition_zh="文中各部分不能自洽：前后矛盾、衔接或次序错乱，或者结论与前文的依据不相符。",
    rule=rule,
    sites=sites,
    unfit=unfit,
    check=check,
    against="report",
    ask=(
        "Break the line of thought once, with fluent sentences throughout. Take a statement that the passage, or "
        "the text around it, supports or repeats, and make it say the opposite in plain words, so that two "
        "statements cannot both hold: a high value becomes a low one, a cause an obstacle, somebody who cares somebody "
        "who is indifferent, a conclusion its contrary. Or exchange which thing goes with which condition; or put a "
        "sentence that points back before the one it points to. What it clashes with must stay where a reader meets "
        "it, and each sentence must read well by itself. A flipped word that makes its own sentence absurd is not enough. "
        "Change no figure or citation, and nothing beyond the one statement."
    ),
    ask_zh=(
        "在一处打断思路，其余文字不动，每个句子单独读来都通顺。选取这段话或上下文有所支持、有所重申的一个判断，"
        "改成明确相反的说法，使前后两处不能同时成立，例如把“高”说成“低”，把“带动”说成“抑制”，把“难以”说成“足以”，"
        "把重视说成漠不关心，或让结论与依据相反；也可以对调“什么对应什么”，或把承接上文的句子移到它所指的内容之前。"
        "与之冲突的原话要保留在读者看得到的地方；不要改得单句就荒唐可笑，也不要改动数字和引用标记。"
    ),
    codes=("COH008", "COH009"),
    source="reflect, table 3 and appendix D.1.2, sample 7",
)
