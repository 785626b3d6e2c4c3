"""What claims and evidence sound like, in English and Chinese.

Every group of phrases pulls a sentence towards being a claim, towards being evidence, or both. The weights are
small round numbers on purpose: they order the groups (a conclusion marker outweighs an evaluative word, a named
finding outweighs a hedge) and are not fitted to any text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.report import Report
    from assay.text.lexicon import CueIndex


class CueGroup(NamedTuple):
    """Phrases with the same role in an argument, and what one of them adds to a sentence's claim and evidence scores.

    Attributes:
        name: What the phrases mean; the name of their list in ``phrases/cues.yaml``.
        claim: Points towards a claim.
        evidence: Points towards evidence.
    """

    name: str
    claim: float
    evidence: float


GROUPS: Final[tuple[CueGroup, ...]] = (
    CueGroup("concluding", 2.5, 0.0),
    CueGroup("recommending", 2.0, 0.0),
    CueGroup("judging", 1.2, 0.0),
    CueGroup("answering", 1.6, 0.0),
    CueGroup("predicting", 0.7, 0.0),
    CueGroup("causing", 0.8, 0.0),
    CueGroup("contrasting", 0.7, 0.0),
    CueGroup("attributing", 0.0, 1.5),
    CueGroup("happening", 0.0, 1.0),
    CueGroup("illustrating", 0.0, 0.7),
    # These say what a sentence is about, not what it weighs.
    CueGroup("pointing", 0.0, 0.0),
    CueGroup("announcing", 0.0, 0.0),
    CueGroup("self", 0.0, 0.0),
    CueGroup("finding", 0.0, 0.0),
)
_PHRASES: Final = PhraseFile("assay.logic", "cues")


class _EnglishCues:
    """The English cues of a group, sorted by how they are looked up.

    Attributes:
        words: Cues of one word.
        stems: Beginnings of words.
        phrases: Cues of several words, with their first and last word.
        tails: Cues with a very common beginning, as that beginning, the word after it and the rest from that word on.
    """

    __slots__ = ("phrases", "stems", "tails", "words")

    def __init__(self, group: str) -> None:
        rows = _PHRASES[group].rows("en")
        cues = [row[0] for row in rows if len(row) == 1]
        self.words = [cue for cue in cues if cue.isalpha()]
        self.stems = [cue[:-1] for cue in cues if cue.endswith("*")]
        self.phrases = [
            (cue.split(" ")[0], cue.split(" ")[-1], cue)
            for cue in cues
            if not cue.isalpha() and not cue.endswith("*")
        ]
        self.tails = [(f"{row[0]} ", row[1].split(" ")[0], row[1]) for row in rows if len(row) == 2]


@lru_cache(maxsize=1)
def _english() -> tuple[_EnglishCues, ...]:
    return tuple(_EnglishCues(group.name) for group in GROUPS)


def find_cues(report: Report) -> dict[str, set[int]]:
    """Return the indices of the sentences that hold a phrase of each group, by the group's name.

    English words inside a Chinese report are names and titles, and the other way round; they are not looked at.
    """
    sentences: dict[str, set[int]] = {group.name: set() for group in GROUPS}
    index, language = report.cues, report.language
    if language != "zh":
        starts = report.sentence_starts
        ends = [sentence.span.end for sentence in report.sentences]
        for group, cues in zip(GROUPS, _english(), strict=True):
            inside = sentences[group.name]
            for at in _english_places(index, cues):
                i = bisect_right(starts, at) - 1
                if i >= 0 and at < ends[i]:
                    inside.add(i)
    if index.cjk and language != "en":
        pattern, groups = _chinese()
        lower = index.lower
        inside_of = list(sentences.values())
        # Sentence by sentence, which passes over headings and tables and needs no assignment afterwards.
        for i, sentence in enumerate(report.sentences):
            span = sentence.span
            for phrase in pattern.findall(lower, span.start, span.end):
                group_index = groups[phrase]
                if group_index is not None:
                    inside_of[group_index].add(i)
    return sentences


def _english_places(index: CueIndex, cues: _EnglishCues) -> list[int]:
    """Return where the English phrases of a group begin, in no particular order."""
    words = index.words()
    positions = words.get
    places: list[int] = []
    for word in cues.words:
        if at := positions(word):
            places += at
    for stem in cues.stems:
        places += [start for start, _ in index.prefix(stem)]
    for first, last, phrase in cues.phrases:
        # Most phrases whose first word occurs lack the last word, so they need not be looked for at all.
        if first in words and last in words:
            places += [start for start, _ in index.phrase(first, phrase)]
    lower = index.lower
    for before, word, phrase in cues.tails:
        for start in positions(word, ()):
            if lower.startswith(before, start - len(before)) and lower.startswith(phrase, start):
                places.append(start)
    return places


@lru_cache(maxsize=1)
def _chinese() -> tuple[re.Pattern[str], dict[str, int | None]]:
    # One pattern for all groups reads a Chinese text once; branching on the first character spares most of the
    # comparisons. The longest phrase at a place wins.
    groups: dict[str, int | None] = dict.fromkeys(_PHRASES["neutral"].zh)
    needed: dict[str, str] = {}
    for i, group in enumerate(GROUPS):
        for phrase, *following in _PHRASES[group.name].rows("zh"):
            groups[phrase] = i
            needed[phrase] = f"(?={following[0]})" if following else ""
    by_first: dict[str, list[str]] = {}
    for phrase in sorted(groups, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append(re.escape(phrase[1:]) + needed.get(phrase, ""))
    return re.compile("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in by_first.items())), groups
