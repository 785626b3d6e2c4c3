"""Small errors of grammar that have no correct reading: "a important", "has been show", "can provides", "in order improve".

One error is a slip; many make a report look unedited. Only patterns that are wrong whatever stands around them are
reported: "a" or "an" before the wrong sound, a base form instead of a participle, a verb with "-s" after "can" or "to", a
missing "to" or "of", a double comparative, "one of the most" with a singular, and a plural demonstrative with a singular
verb ("those gems contains"). Whether a distant verb agrees with its subject is left to a reader. All errors of a report
make one finding.

Known problems: titles and text copied from sources are judged like the rest. Only English sentences are checked.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import in_quotes, prose_at, quote
from assay.checks.wording import FilledWording, Wording
from assay.subjects.span import Span
from assay.text.english_grammar import GRAMMAR, plural_of
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.text.lexicon import CueIndex

_PHRASES: Final = PhraseFile("assay.checks", "exp")
_WORDS: Final = WordSets(_PHRASES)

_PARTICIPLE: Final = Wording(
    en="“{participle}” is the participle of “{verb}”", zh="“{verb}”的过去分词是“{participle}”"
)
_BASE: Final = Wording(en="“{base}” belongs after “{word}”", zh="“{word}”之后应用“{base}”")
_FITS: Final = Wording(en="“{right}” fits the plural “{word}”", zh="与复数“{word}”一致的是“{right}”")
_MISSING: Final = Wording(en="“{word}” is missing", zh="缺少“{word}”")
_COMPARATIVE: Final = Wording(en="“{word}” is a comparative already", zh="“{word}”已经是比较级")
_BEFORE_VOWEL: Final = Wording(en="“an” belongs before a vowel", zh="元音音素前应用“an”")
_BEFORE_CONSONANT: Final = Wording(en="“a” belongs before a consonant", zh="辅音音素前应用“a”")
_BROKEN: Final = Wording(en="{quote}: {fault}{more}", zh="{quote}：{fault}{more}")
_MORE: Final = Wording(en=" (and {n:more error|more errors} of this kind)", zh="（另有{n}处类似错误）")

_NEXT: Final = re.compile(r"[ \t]*\n?[ \t]*([a-z](?>[a-z]*)(?>(?:['’-][a-z]+)*))")
_CLOSE: Final = re.compile(r"\s{0,2}[.,;:!?)—–]")
_AN_OK: Final = _PHRASES.pattern("(?:<<slips_an_ok.en>>)")
_A_OK: Final = _PHRASES.pattern("(?:<<slips_a_ok.en>>)")
_AN_NEEDED_U: Final = re.compile(r"(?:un(?!i|anim|ary)|up|ul|um|us(?=her)|ur(?=g|ban)|ut(?=ter|most))")
_A_NEEDED: Final = re.compile(
    r"(?:uni(?:que|form|fied|versal|versity|on\b|t\b)|use(?:r|ful|d)?\b|euro|usual|utili|one\b|once\b)"
)
_COPULAS: Final = (["is"], ["are"], ["was"], ["were"], ["be"], ["been"], ["being"], ["not"])
_OPENS: Final = re.compile(r"(?:^|[.!?;\n]\s{0,3}|[-*•] )$")
_MODALS: Final = ("can", "could", "would", "should", "must", "might", "cannot", "to")
_SHOWN: Final = 8


class _Slip(NamedTuple):
    start: int
    end: int
    fault: FilledWording


def _after(lower: str, at: int, count: int) -> list[tuple[str, int]]:
    """Return the next words in lower case after an offset, each with its end."""
    words: list[tuple[str, int]] = []
    while len(words) < count and (match := _NEXT.match(lower, at)):
        at = match.end()
        words.append((match[1], at))
    return words


@cache
def _verbs() -> frozenset[str]:
    return GRAMMAR.base_verbs | GRAMMAR.ambiguous_verbs | _WORDS.more_verbs


def _verb_forms(index: CueIndex) -> Iterator[_Slip]:
    """Yield each base form for a participle ("has been show") and each "-s" after a modal ("can provides")."""
    lower = index.lower
    for first, phrase in (("has", "has been"), ("have", "have been"), ("had", "had been")):
        for start, end in index.phrase(first, phrase):
            words = _after(lower, end, 3)
            if words and words[0][0].endswith("ly"):
                words = words[1:]
            if not words or words[0][0] not in GRAMMAR.participle_of:
                continue
            if len(words) > 1 and words[1][0] not in GRAMMAR.followers:
                continue
            verb, stop = words[0]
            yield _Slip(start, stop, _PARTICIPLE(participle=GRAMMAR.participle_of[verb], verb=verb))
    for modal in _MODALS:
        for start in index.positions(modal):
            words = _after(lower, start + len(modal), 1)
            if words and words[0][0] in GRAMMAR.third_person:
                yield _Slip(start, words[0][1], _BASE(base=GRAMMAR.third_person[words[0][0]], word=modal))
    for first in ("these", "those"):
        for start in index.positions(first):
            if not _OPENS.search(lower, max(0, start - 4), start):
                # "The role of these findings remains": the subject is elsewhere.
                continue
            words = _after(lower, start + len(first), 2)
            if len(words) < 2 or not words[0][0].endswith("s") or words[0][0].endswith(("ss", "us", "is")):
                continue
            (noun, _), (verb, stop) = words
            if verb in GRAMMAR.third_person:
                yield _Slip(start, stop, _FITS(right=GRAMMAR.third_person[verb], word=noun))


def _missing(index: CueIndex) -> Iterator[_Slip]:
    """Yield each missing "to" or "of", each double comparative and each "one of the most" with a singular."""
    lower = index.lower
    verbs = _verbs()
    for at in index.positions("order"):
        words = _after(lower, at + 5, 1) if lower.startswith("in ", at - 3) else []
        if words and words[0][0] in verbs and words[0][0] not in _WORDS.slips_ordered:
            yield _Slip(at - 3, words[0][1], _MISSING(word="to"))
    for word in ("able", "unable"):
        for start in index.positions(word):
            words = _after(lower, start + len(word), 1)
            if words and words[0][0] in verbs and lower[max(0, start - 9) : start].split()[-1:] in _COPULAS:
                yield _Slip(start, words[0][1], _MISSING(word="to"))
    for phrase, lacking in _PHRASES["missing_prepositions"].rows("en"):
        for start, end in index.phrase(phrase.split(" ")[0], phrase):
            yield _Slip(start, end, _MISSING(word=lacking))
    for start in index.positions("more"):
        words = _after(lower, start + 4, 1)
        if words and words[0][0] in _WORDS.slips_comparatives and lower[start - 3 : start] != "no ":
            yield _Slip(start, words[0][1], _COMPARATIVE(word=words[0][0]))
    for start, end in index.phrase("one", "one of the most"):
        words = _after(lower, end, 3)
        if len(words) < 2 or words[1][0] not in GRAMMAR.singular_nouns:
            continue
        noun, stop = words[1]
        if _CLOSE.match(lower, stop) or (len(words) == 3 and words[2][0] in GRAMMAR.followers):
            yield _Slip(start, stop, _FITS(right=plural_of(noun), word="one of the"))


def _articles(index: CueIndex) -> Iterator[_Slip]:
    """Yield each wrong "a" or "an" before an ordinary word: "a important", "an system"."""
    lower = index.lower
    for start in index.positions("a"):
        if lower[start + 2 : start + 3] not in "aeiou" or lower[start + 1 : start + 2] != " ":
            continue
        words = _after(lower, start + 1, 1)
        if not words or len(words[0][0]) < 5 or not lower[start - 1 : start].isspace():
            continue
        word, end = words[0]
        if _AN_NEEDED_U.match(word) if word[0] == "u" else not _A_OK.match(word):
            yield _Slip(start, end, _BEFORE_VOWEL())
    for start in index.positions("an"):
        words = _after(lower, start + 2, 1)
        if not words or len(words[0][0]) < 4:
            continue
        word, end = words[0]
        if _A_NEEDED.match(word) if word[0] in "aeiou" else not _AN_OK.match(word):
            yield _Slip(start, end, _BEFORE_CONSONANT())


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for the first error, with the others beside it."""
    slips: list[_Slip] = []
    for rule in (_verb_forms, _missing, _articles):
        slips.extend(slip for slip in rule(report.cues) if _certain(report, slip.start, slip.end))
    if not slips:
        return
    slips.sort(key=lambda slip: slip.start)
    spans = [Span(slip.start, slip.end) for slip in slips]
    more = _MORE(n=len(slips) - 1) if len(slips) > 1 else ""
    yield Hit(
        spans[0],
        _BROKEN(quote=quote(report, spans[0]), fault=slips[0].fault, more=more),
        related=tuple(spans[1:_SHOWN]),
        confidence=0.9,
    )


def _certain(report: Report, start: int, end: int) -> bool:
    """Return whether the words are in an English sentence and not in a name, markup or a quotation."""
    block, sentence = prose_at(report, start), report.sentence_at(start)
    if block is None or sentence is None or end > sentence.span.end:
        return False
    words = report.source[start:end].replace("*", " ").split()
    if words != report.plain[start:end].split() or any(word[:1].isupper() for word in words[1:]):
        return False
    if words[0] == "A" and report.source[max(0, start - 12) : start].rstrip()[-1:].isalnum():
        # "hepatitis A infection", "option A offers": a label, not an article.
        return False
    if any(f"`{word}`" in report.source for word in words if len(word) > 3):
        # "if exports is not given", where `exports` is a name in code elsewhere.
        return False
    said = report.cues.lower[sentence.span.start : sentence.span.end].split()
    return len(_WORDS.function_words.intersection(said)) > 1 and not in_quotes(report, sentence, start)


CHECK = Check(
    code="EXP005",
    name="broken-agreement",
    severity="warning",
    summary="wrong articles, wrong verb forms and missing words that no reading makes right",
    run=run,
    bad=(
        Example("This design stores only a extremely small history of the seeds that it was given."),
        Example("The points are deleted to gives a smooth surface. Those gems contains the power."),
        Example(
            "It has been show that a important share of users is able handle the change in order improve comfort."
        ),
    ),
    good=(
        Example(
            "The objects listed here are global, a direct require of any path works, and in an xterm the "
            "image write is slow. "
            "When `exports` is a string, exports is used alone."
        ),
        Example(
            "These analyses matter, the ethos was new, and the fundamental question facing policymakers is old. "
            "The role of these findings remains open."
        ),
        Example(
            "It has been shown that an important share of users is able to handle the change in order to "
            "improve comfort."
        ),
    ),
    languages=("en",),
    dimension="local_coherence",
    failure="expression_quality",
)
