"""Small grammatical errors that show without the subject: verb forms, missing words, "more better", "a" and "an"."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.checks.exp._agreement import FITS, GrammarSlip, words_after
from assay.checks.exp._shared import WORDS
from assay.checks.wording import Wording
from assay.text.english_grammar import GRAMMAR, plural_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.text.lexicon import CueIndex

_PHRASES: Final = PhraseFile("assay.checks", "exp")

_PARTICIPLE: Final = Wording(
    en="“{participle}” is the participle of “{verb}”", zh="“{verb}”的过去分词是“{participle}”"
)
_MISSING: Final = Wording(en="“{word}” is missing", zh="缺少“{word}”")
_COMPARATIVE: Final = Wording(en="“{word}” is a comparative already", zh="“{word}”已经是比较级")
_SUPERLATIVE: Final = Wording(en="“{word}” is a superlative already", zh="“{word}”已经是最高级")
_BEFORE_VOWEL: Final = Wording(en="“an” belongs before a vowel", zh="元音音素前应用“an”")
_BEFORE_CONSONANT: Final = Wording(en="“a” belongs before a consonant", zh="辅音音素前应用“a”")


def participles(index: CueIndex) -> Iterator[GrammarSlip]:
    """Yield an error for each base form in place of a participle: "has been show", "have been develop"."""
    for first, phrase in (
        ("has", "has been"),
        ("have", "have been"),
        ("had", "had been"),
        ("been", "been widely"),
        ("been", "been recently"),
    ):
        for start, end in index.phrase(first, phrase):
            after = words_after(index.lower, end, 2)
            if after and after[0][0].endswith("ly") and len(after) > 1:
                after = after[1:]
            if (
                after
                and after[0][0] in GRAMMAR.participle_of
                and not (len(after) > 1 and after[1][0] not in GRAMMAR.followers)
            ):
                word, _, stop = after[0]
                yield GrammarSlip(
                    start, stop, _PARTICIPLE(participle=GRAMMAR.participle_of[word], verb=word), 0.9
                )


_COPULAS: Final = (["is"], ["are"], ["was"], ["were"], ["be"], ["been"], ["being"], ["not"])


@cache
def _verbs() -> frozenset[str]:
    return GRAMMAR.base_verbs | GRAMMAR.ambiguous_verbs | WORDS.more_verbs


def missing_words(index: CueIndex) -> Iterator[GrammarSlip]:
    """Yield an error for each missing "to" or "of", each double comparison and each "one of the most" with a singular.

    Examples: "in order improve", "is able handle", "due the", "more better".
    """
    lower = index.lower
    verbs = _verbs()
    for at in index.positions("order"):
        start, end = at - 3, at + 5
        after = words_after(lower, end, 1) if lower.startswith("in ", start) else []
        if after and after[0][0] in verbs and after[0][0] not in WORDS.slips_ordered:
            yield GrammarSlip(start, after[0][2], _MISSING(word="to"), 0.9)
    for word in ("able", "unable"):
        for start in index.positions(word):
            after = words_after(lower, start + len(word), 1)
            if not after:
                continue
            verb = after[0][0]
            copula = lower[max(0, start - 9) : start].split()[-1:] in _COPULAS
            open_class = (
                copula
                and verb not in GRAMMAR.followers
                and verb not in WORDS.slips_after_able
                and not verb.endswith(("ly", "ed", "s", "ing", "and", "or"))
            )
            if verb in verbs or open_class:
                yield GrammarSlip(start, after[0][2], _MISSING(word="to"), 0.9)
    for phrase, lacking in _PHRASES["missing_prepositions"].rows("en"):
        for start, end in index.phrase(phrase.split(" ")[0], phrase):
            yield GrammarSlip(start, end, _MISSING(word=lacking), 0.85)
    for start in index.positions("more"):
        after = words_after(lower, start + 4, 1)
        if after and after[0][0] in WORDS.slips_comparatives and lower[start - 3 : start] != "no ":
            yield GrammarSlip(start, after[0][2], _COMPARATIVE(word=after[0][0]), 0.85)
    for start in index.positions("most"):
        after = words_after(lower, start + 4, 1)
        if after and after[0][0] in (
            "best",
            "easiest",
            "fastest",
            "largest",
            "biggest",
            "strongest",
            "cheapest",
            "safest",
        ):
            yield GrammarSlip(start, after[0][2], _SUPERLATIVE(word=after[0][0]), 0.85)
    for start, end in index.phrase("one", "one of the most"):
        after = words_after(lower, end, 2)
        if len(after) == 2 and after[1][0] in GRAMMAR.singular_nouns and _closes(lower, after[1][2]):
            yield GrammarSlip(start, after[1][2], FITS(right=plural_of(after[1][0]), word="one of the"), 0.8)


_CLOSE: Final = re.compile(r"\s{0,2}[.,;:!?)—–]")


def _closes(lower: str, at: int) -> bool:
    """Return whether the noun phrase before ``at`` is complete.

    It is if punctuation follows, or a word that cannot belong to the phrase.
    """
    if _CLOSE.match(lower, at):
        return True
    following = words_after(lower, at, 1)
    return bool(following) and following[0][0] in GRAMMAR.followers


_AN_OK: Final = _PHRASES.pattern("(?:<<slips_an_ok.en>>)")
_A_OK: Final = _PHRASES.pattern("(?:<<slips_a_ok.en>>)")
_AN_NEEDED_U: Final = re.compile(r"(?:un(?!i|anim|ary)|up|ul|um|us(?=her)|ur(?=g|ban)|ut(?=ter|most))")


def articles(index: CueIndex) -> Iterator[GrammarSlip]:
    """Yield an error for each wrong "a" or "an" before an ordinary word: "a important", "an system"."""
    lower = index.lower
    for start in index.positions("a"):
        if lower[start + 2 : start + 3] not in "aeiou" or lower[start + 1 : start + 2] != " ":
            continue
        after = words_after(lower, start + 1, 1)
        if not after or len(after[0][0]) < 5 or not lower[start - 1 : start].isspace():
            continue
        word, _, end = after[0]
        if word[0] == "u" and not _AN_NEEDED_U.match(word):
            continue
        if word[0] != "u" and _A_OK.match(word):
            continue
        yield GrammarSlip(start, end, _BEFORE_VOWEL(), 0.85)
    for start in index.positions("an"):
        after = words_after(lower, start + 2, 1)
        if not after or len(after[0][0]) < 4 or not after[0][0].isascii():
            continue
        word, _, end = after[0]
        if word[0] in "aeiou":
            if not re.match(
                r"(?:uni(?:que|form|fied|versal|versity|on\b|t\b)|use(?:r|ful|d)?\b|euro|usual|utili|one\b|once\b)",
                word,
            ):
                continue
        elif _AN_OK.match(word):
            continue
        yield GrammarSlip(start, end, _BEFORE_CONSONANT(), 0.85)
