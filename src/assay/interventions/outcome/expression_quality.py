"""Expression quality: a sentence is badly written, and its meaning stays.

Grammar in English (agreement, verb forms, articles, prepositions, lost and doubled words, word order, fragments, run-on
sentences) and in Chinese (搭配不当, 成分残缺, 语序不当, 冗余重复, 句式杂糅, 的地得), and wordy phrasing. Numbers, citations and the claim
stay.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.outcome._sentences import (
    ProposedEdit,
    each,
    mixed,
    passages,
    prose,
    same_facts,
    touched,
    words_of,
)
from assay.interventions.outcome._slips import slip_between
from assay.interventions.outcome._slips_en import ENGLISH
from assay.interventions.outcome._slips_zh import CHINESE
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "expression_quality")

# A second sentence that begins with one of these can be joined to the first by a comma.
_OPENS: Final = _PHRASES.pattern(r"(<<opens>>)\b")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions with slips of every kind in turn, over sentences in random order."""
    if report.language == "und":
        return
    sentences = prose(report, draw)
    kinds = list(CHINESE if report.language == "zh" else ENGLISH)
    draw.shuffle(kinds)
    streams: list[Iterator[ProposedEdit]] = []
    for kind in kinds:
        own = list(sentences)
        draw.shuffle(own)
        streams.append(each(own, kind))
    if report.language == "en":
        streams.insert(draw.randrange(len(streams) + 1), _run_on(report, draw))
    yield from mixed(report, streams)


def _run_on(report: Report, draw: Random) -> Iterator[ProposedEdit]:
    pairs = [(one, two) for one, two in pairwise(report.sentences) if one.block == two.block]
    draw.shuffle(pairs)
    for one, two in pairs:
        first, second = words_of(report, one), words_of(report, two)
        if first is None or second is None or not first.source.endswith(".") or len(first.source) < 60:
            continue
        match = _OPENS.match(second.source)
        if match is None or report.source[first.end : second.start] != " ":
            continue
        opening = match.group()[0].lower() + match.group()[1:]
        yield ProposedEdit(
            first.end - 1,
            second.start + match.end(),
            f", {opening}",
            "run-on",
            f". {match.group()} → , {opening}",
        )


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield paragraphs that a model may spoil."""
    yield from passages(report, draw)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused (it changes the facts or shows no slip), or None."""
    before, after = touched(reference, perturbed, revision)
    changed = same_facts(before, after)
    if changed is not None:
        return f"not only the wording differs: {changed}"
    if slip_between(before, after, reference.language) is None:
        return "no slip in grammar or wording can be seen that was not there before"
    return None


OPERATOR = Operator(
    name="expression_quality",
    title="Expression Quality",
    title_zh="表达欠佳",
    level="outcome",
    module="output",
    category="expression",
    definition=(
        "A sentence is badly worded – ungrammatical, garbled, repetitive or needlessly long-winded "
        "– though what it claims is the same."
    ),
    definition_zh="某句话表达欠佳：语法有误、语序混乱、重复啰嗦或冗长拗口，但所陈述的内容没有改变。",
    rule=rule,
    sites=sites,
    check=check,
    ask=(
        "Spoil the wording of one sentence of the passage, as a hurried writer or a poor translation "
        "would: break the agreement of subject and verb, garble the order of words, leave out a small word "
        "the phrase needs, say the same thing twice, or bury it under empty words. Choose what suits the "
        "sentence; one clear fault is enough. Claims, numbers, names and citations stay exactly as they "
        "are."
    ),
    ask_zh=(
        "把这段话里的一句话写坏，像仓促成文或生硬翻译那样：可以搭配不当、成分残缺、语序不当、重复累赘、句式杂糅或误用“的地得”。"
        "选一种适合这句话的毛病，明显即可，不要堆砌。观点、数字、名称和引用标记一律不动。"
    ),
    codes=("EXP001", "EXP005", "EXP010"),
    source="reflect, table 3 and appendix D.1.2, sample 6",
)
