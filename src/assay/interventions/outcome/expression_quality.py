"""Expression quality: a sentence is badly written, and its meaning stays.

The rule makes English slips of hurried writers: a comma where a full stop belongs, a clause cut off, a preposition that
the word does not take, a word written for another. Quotations are left alone. Chinese, and every other kind of bad
wording, is for a model.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.edit_kit import citations_changed, figures_changed, joined_texts
from assay.interventions.outcome._prose import (
    full_sentences,
    in_turn,
    paragraph_sites,
    prose,
    revise,
    words_of,
)
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "outcome")
# A second sentence that begins with one of these can be joined to the first by a comma.
_OPENS: Final = _PHRASES.pattern(r"(<<opens>>)\b")
_SPLIT: Final = _PHRASES.pattern(r", (<<split.en>>)\b(?= [a-z])")
_PREPOSITION: Final = re.compile(r"\b([a-z]+) (of|on|to|in|with|for|by|from)\b")
_WORD: Final = re.compile(r"(?<=[a-z,] )[a-z']+(?= [a-z])")
# Fewest characters of a sentence that is joined to another, and before and after a cut.
_JOINED, _BEFORE_CUT, _AFTER_CUT = 60, 40, 30


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions with slips of every kind in turn, over sentences in random order."""
    if report.language == "en":
        yield from in_turn(
            draw,
            [
                _run_ons(report, draw),
                _fragments(report, draw),
                _prepositions(report, draw),
                _wrong_words(report, draw),
            ],
        )


def _run_ons(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions that join two sentences by a comma."""
    pairs = [(one, two) for one, two in pairwise(report.sentences) if one.block == two.block]
    draw.shuffle(pairs)
    for one, two in pairs:
        first, second = words_of(report, one), words_of(report, two)
        if first is None or second is None or not first.source.endswith(".") or len(first.source) < _JOINED:
            continue
        match = _OPENS.match(second.source)
        if match is None or report.source[first.end : second.start] != " ":
            continue
        opening = match.group()[0].lower() + match.group()[1:]
        note = f". {match.group()} → , {opening}"
        yield revise(
            report, first.end - 1, second.start + match.end(), f", {opening}", pattern="run-on", note=note
        )


def _fragments(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions that cut off a clause with a full stop: "… in 2020. Which means that …"."""
    for words in prose(report, draw):
        for match in _SPLIT.finditer(words.plain):
            rest = words.plain[match.end() :]
            if match.start() > _BEFORE_CUT and len(rest) > _AFTER_CUT and "," not in rest[:-1]:
                word = match.group(1)
                start, end = words.start + match.start(), words.start + match.end()
                text = f". {word[0].upper()}{word[1:]}"
                yield revise(report, start, end, text, pattern="fragment", note=f"cut off before “{word}”")


def _prepositions(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions with a preposition that the word before it does not take: "depends of"."""
    wrong = {(word, right): other for word, right, other in _PHRASES["prepositions"].rows("en")}
    for words in prose(report, draw):
        for match in _PREPOSITION.finditer(words.plain):
            new = wrong.get((match.group(1), match.group(2)))
            if new is not None:
                start, end = words.start + match.start(2), words.start + match.end(2)
                note = f"{match.group()} → {match.group(1)} {new}"
                yield revise(report, start, end, new, pattern="preposition", note=note)


def _wrong_words(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions with a word that is written for another: "there number" for "their number"."""
    other_word = _PHRASES["other_word"].mapping("en")
    for words in prose(report, draw):
        for match in _WORD.finditer(words.plain):
            old, before, after = match.group(), words.plain[: match.start()], words.plain[match.end() :]
            if old not in other_word:
                continue
            if old in ("these", "those", "many", "fewer") and not re.match(r" [a-z]{3,}s\b", after):
                continue
            if old in ("lead", "affect", "affects", "loss") and re.search(r"\b(?:the|a|to|of) $", before):
                continue
            start, end = words.start + match.start(), words.start + match.end()
            new = other_word[old]
            yield revise(report, start, end, new, pattern="wrong-word", note=f"{old} → {new}")


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield paragraphs with a sentence that a model may spoil."""
    yield from paragraph_sites(report, draw, lambda block: "" if full_sentences(report, block.span) else None)


def unfit(report: Report) -> str | None:
    """Return why no sentence can be spoilt."""
    if any(full_sentences(report, block.span) for block in report.paragraphs):
        return None
    return "it has no paragraph with a whole sentence"


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return which figure or citation an edit changed; whether the wording is bad is for a reader."""
    before, after = joined_texts(reference, perturbed, revision)
    return citations_changed(before, after) or figures_changed(before, after)


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
    unfit=unfit,
    check=check,
    ask=(
        "Spoil the wording of one or two sentences the way a hurried writer or a weak translation does: a verb that "
        "does not agree, a clause that hangs in the air, a sentence that loses its thread halfway, the same thing "
        "said twice in a row, or a plain statement buried under empty words. A reader must stumble over it at once, "
        "yet somebody could have written it: no word salad, no row of swapped words, no typing errors alone. A "
        "synonym or a slightly longer sentence is too little. What is claimed stays the same; figures, names, "
        "quotations and citations stay as they are, and so do quotation marks and apostrophes."
    ),
    ask_zh=(
        "把一两句话写坏，像仓促成文或蹩脚的翻译：主谓或动宾搭配不当、缺少主语、句式杂糅、前后重复，"
        "或用空话把一句简单的话拖得冗长拗口。读者一读就觉得别扭，但确实有人会这样写：不要打乱成不知所云的词堆，"
        "也不要只改错别字；换个近义词、略微加长几个字则不够。所陈述的意思不变，数字、名称、引文、引用标记以及引号都保持原样。"
    ),
    codes=("EXP001", "EXP005", "EXP010"),
    source="reflect, table 3 and appendix D.1.2, sample 6",
)
