"""Incoherence: the parts are there and no longer fit together.

The edit uses a connective of the opposite kind, contradicts another statement, turns the second half of a sentence
against the first, swaps subjects or labels, or moves a sentence before the one it refers to.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.outcome._links import FORMER, opposite_pattern, turned
from assay.interventions.outcome._orders import labels, mappings, sentence_order
from assay.interventions.outcome._reversals import (
    connectives,
    contradictions,
    former_latter,
    results_reversed,
)
from assay.interventions.outcome._sentences import (
    MARKERS,
    ProposedEdit,
    each,
    mixed,
    passages,
    prose,
    tokens,
    touched,
)
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "incoherence")
_LINKS: Final = PhraseFile("assay.interventions", "links")

_NEGATION: Final = _PHRASES.pattern(
    "<<negation>>",
    flags=re.IGNORECASE,
)
_CONCLUDES: Final = _PHRASES.pattern(
    r"\b(?:<<concludes>>)\b|因此|所以|由此|综上|总体|总的来看|这意味着|这表明|可见|总之|由于|因为",
    flags=re.IGNORECASE,
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions of every kind in turn, over sentences in random order."""
    if report.language == "und":
        return
    sentences = prose(report, draw, least=7)
    starts = {block.span.start for block in report.blocks}
    streams: list[Iterator[ProposedEdit]] = [
        mappings(report, sentences),
        contradictions(report, sentences),
        each(sentences, lambda words: connectives(words, draw, opens=_opens(report, words.start, starts))),
        sentence_order(report, draw),
        labels(report, draw),
        each(sentences[::-1], results_reversed),
        each(sentences, former_latter),
    ]
    draw.shuffle(streams)
    yield from mixed(report, streams)


def _opens(report: Report, start: int, starts: set[int]) -> bool:
    """Return whether a sentence is the first of its block."""
    at = start
    while at > 0 and report.plain[at - 1] == " " and at not in starts:
        at -= 1
    return at in starts or at == 0 or report.source[at - 1] == "\n"


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield paragraphs that argue, with a connective or a contrast to reverse."""
    for passage in passages(report, draw):
        text = report.source[passage.places[0].start : passage.places[0].end]
        if _CONCLUDES.search(text) or re.search(r"\b(?:while|whereas|however|although|but)\b|而|但|虽", text):
            yield passage


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit does not make the passage incoherent, or None if it does."""
    before, after = touched(reference, perturbed, revision)
    if sorted(MARKERS.findall(before)) != sorted(MARKERS.findall(after)):
        return "citations changed, and incoherence leaves them"
    if _turned(before, after, reference.language) or _moved(before, after):
        return None
    if len(_NEGATION.findall(before)) != len(_NEGATION.findall(after)):
        return None
    old, new = content_terms(before), content_terms(after)
    if _CONCLUDES.search(after) and len(new - old) >= 4 and len(new & old) <= 0.6 * len(new):
        return None
    return "nothing contradicts, is out of order, or fails to follow that did not before"


def _turned(before: str, after: str, language: str) -> bool:
    """Return whether a connective or a word of direction was replaced by its opposite."""
    low, now = before.lower(), after.lower()
    for link, others in (
        _LINKS["links"].choices("zh") if language == "zh" else _LINKS["links"].choices("en")
    ).items():
        if low.count(link) > now.count(link) and any(now.count(other) > low.count(other) for other in others):
            return True
    for word, other in FORMER.items():
        if before.count(word) != after.count(word) and before.count(other) != after.count(other):
            return True
    pattern = opposite_pattern(language)
    old, new = Counter(pattern.findall(before)), Counter(pattern.findall(after))
    return any(new[turned(word)] > old[turned(word)] for word in old - new)


def _moved(before: str, after: str) -> bool:
    old, new = ([token.lower() for token in tokens(text)] for text in (before, after))
    return old != new and Counter(old) == Counter(new)


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
    check=check,
    ask=(
        "Break the line of thought of the passage at one point, with fluent sentences throughout: "
        "exchange which thing goes with which condition, let the "
        "conclusion say the opposite of what the sentences before it establish, turn a transition into "
        "one of the opposite kind, or put a sentence before the one it "
        "refers to. Each sentence should read well by itself; only together they do not make sense. Leave "
        "citations as they are."
    ),
    ask_zh=(
        "在这段话的某一处打断思路，但每个句子单独看都要通顺：可以把“什么对应什么”互换，让结论与前文的依据相反，"
        "把转折改成因果（或反过来），或把某句移到它所指代的内容之前。只改一处，引用标记保持原样。"
    ),
    codes=("COH008", "COH009"),
    source="reflect, table 3 and appendix D.1.2, sample 7",
)
