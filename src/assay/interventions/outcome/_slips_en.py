"""English slips, one function per kind: each takes a correct sentence and yields edits that make it wrong or clumsy.

Because the sentence is correct, a finite verb that agrees with its subject no longer does once its number changes. The
functions only make sure that the word is a finite verb and that its subject does not take either number.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._sentences import ProposedEdit, ProseSentence
from assay.text.english_grammar import GRAMMAR, number_of, plural_of, third_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

_PHRASES: Final = PhraseFile("assay.interventions", "slips")


@cache
def wrong_prepositions() -> dict[tuple[str, str], str]:
    """Return the wrong prepositions that learners use, by word and correct preposition."""
    return {(word, right): wrong for word, right, wrong in _PHRASES["prepositions"].rows("en")}


# Subjects that take either number, and words that make the number a matter of taste.
_EITHER: Final = _PHRASES.pattern(
    r"\b(?:<<either>>)\b|%|[$€£¥]",
    flags=re.IGNORECASE,
)
_WORD: Final = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")


def _at(words: ProseSentence, start: int, end: int, text: str, pattern: str, note: str) -> ProposedEdit:  # noqa: PLR0917
    """Return an edit of the sentence, with offsets in the report."""
    return ProposedEdit(words.start + start, words.start + end, text, pattern, note)


def _like(old: str, new: str) -> str:
    """Return ``new``, with a capital first letter if ``old`` has one."""
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def agreement(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that break a verb's agreement with its subject, first where a nearer noun misleads."""
    if _EITHER.search(words.plain):
        return
    found = list(_WORD.finditer(words.plain))
    near: list[ProposedEdit] = []
    for before, match in pairwise(found):
        old, left = match.group(), before.group().lower()
        if not old.islower() or words.plain[before.end() : match.start()] != " ":
            continue
        new = _other_number(old, left)
        if new is None:
            continue
        change = _at(words, match.start(), match.end(), new, "agreement", f"{left} {old} → {new}")
        # "The use of sensors improves": the nearer noun attracts the verb.
        number = number_of(left)
        attracted = number is not None and (number == "plural") == (
            new in ("are", "were", "have", "do") or third_of(new) == old
        )
        if attracted:
            yield change
        else:
            near.append(change)
    yield from near


def _other_number(verb: str, left: str) -> str | None:
    """Return a verb in the other number, or None if the word may not be a finite verb."""
    if left in _PHRASES["not_finite_after"].words("en"):
        return None
    if verb in _PHRASES["auxiliaries"].mapping("en"):
        if verb == "have" and number_of(left) != "plural":
            return None
        return _PHRASES["auxiliaries"].mapping("en")[verb]
    if verb in GRAMMAR.third_person and len(verb) > 4:
        return GRAMMAR.third_person[verb]
    if (
        verb in GRAMMAR.base_verbs
        and number_of(left) == "plural"
        and left not in GRAMMAR.base_verbs
        and left not in GRAMMAR.third_person
    ):
        return third_of(verb)
    return None


_MODAL: Final = re.compile(r"\b(can|could|may|might|must|should|will|would|to) ((?:[a-z]+ly )?)([a-z]{3,})\b")
_PERFECT: Final = re.compile(r"\b(has been|have been|is|are|was|were|be|being) ((?:[a-z]+ly )?)([a-z]{4,})\b")
_GERUND: Final = re.compile(r"\b(by|for|in|of|through|without|while|from) ([a-z]{3,}ing)\b")


def verb_forms(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits to a wrong verb form after a modal, "to", "been" or a preposition.

    Examples are "can improves" and "has been show".
    """
    for match in _MODAL.finditer(words.plain):
        verb = match.group(3)
        if verb in GRAMMAR.base_verbs or verb in GRAMMAR.ambiguous_verbs:
            if match.group(1) == "to" and verb not in GRAMMAR.base_verbs:
                continue
            new = third_of(verb)
            yield _at(
                words,
                match.start(3),
                match.end(3),
                new,
                "verb-form",
                f"{match.group()} → {match.group(1)} {new}",
            )
    participles = {participle: base for base, participle in GRAMMAR.participle_of.items()}
    for match in _PERFECT.finditer(words.plain):
        base = participles.get(match.group(3))
        if base is not None:
            yield _at(words, match.start(3), match.end(3), base, "verb-form", f"{match.group()} → {base}")
    for match in _GERUND.finditer(words.plain):
        form = match.group(2)
        stem = next((verb for verb in (form[:-3], form[:-3] + "e") if verb in GRAMMAR.base_verbs), None)
        if stem is not None:
            yield _at(
                words,
                match.start(2),
                match.end(2),
                stem,
                "verb-form",
                f"{match.group()} → {match.group(1)} {stem}",
            )


_ARTICLE: Final = re.compile(
    r"\b(a|an|the) ((?:[a-z-]+ ){0,2})([a-z]+)\b(?= (?:of|that|which|in|for|to|is|was|has|by|with)\b|[,.;])"
)
_DEFINITE: Final = _PHRASES.pattern(r"\b(the) (?=(?:<<definite>>)\b)")
_INDEFINITE: Final = re.compile(r"\b(a|an) (?=([a-z]{4,}))")


def articles(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that drop a needed article, or exchange "a" and "an"."""
    lost: list[ProposedEdit] = []
    for match in _ARTICLE.finditer(words.plain):
        if match.group(3) in GRAMMAR.singular_nouns and not match.group(2).startswith(
            ("few", "lot", "little")
        ):
            lost.append(
                _at(
                    words,
                    match.start(1),
                    match.end(1) + 1,
                    "",
                    "article",
                    f"{match.group(1)} lost before {match.group(3)}",
                )
            )
    for match in _DEFINITE.finditer(words.plain):
        if match.start() and words.plain[match.start() - 1] == " ":
            lost.append(_at(words, match.start(1), match.end(1) + 1, "", "article", "“the” lost"))
    yield from lost[:2]
    for match in _INDEFINITE.finditer(words.plain):
        old, following = match.group(1), match.group(2)
        if following[0] in "uoh":
            continue
        new = "an" if old == "a" else "a"
        yield _at(words, match.start(1), match.end(1), new, "article", f"{old} → {new} before {following}")


def prepositions(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits to a preposition that the word before it does not take: "depends of"."""
    for match in re.finditer(r"\b([a-z]+) (of|on|to|in|with|for|by|from)\b", words.plain):
        new = wrong_prepositions().get((match.group(1), match.group(2)))
        if new is not None:
            yield _at(
                words,
                match.start(2),
                match.end(2),
                new,
                "preposition",
                f"{match.group()} → {match.group(1)} {new}",
            )


_LOST: Final = re.compile(
    r"(?:(?<=\bable )to |(?<=\border )to |(?<=\bdue )to |(?<=\baccording )to |(?<=\bsuch )as |"
    r"(?<=\bone )of |(?<=\brather )than |(?<=\bmost )of |(?<=\bregardless )of |(?<=\bbecause )of |"
    r"(?<=\bconsists )of |(?<=\bdepends )on |(?<=\bdesigned )to |(?<=\blikely )to |(?<=\bused )to "
    r"|(?<=\bhas )been |(?<=\bhave )been |(?<=\bcan )be |(?<=\bmust )be |(?<=\bmay )be |"
    r"(?<=\bshould )be |(?<=\bneed )to |(?<=\bthe )use of |(?<=\baims )to |(?<=\bseeks )to |"
    r"(?<=\btend )to |(?<=\bcontinue )to |(?<=\ballows )for |(?<=\bleading )to |(?<=\bwell )as |"
    r"(?<=\bpart )of )(?=[a-z])",
)


def missing(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that drop a small word the phrase needs: "in order improve", "can used"."""
    for match in _LOST.finditer(words.plain):
        lost = match.group().strip()
        if lost in ("be", "been") and not re.match(
            r"[a-z]+(?:ed|en|wn|ne|de)\b|[a-z]+ly\b", words.plain[match.end() :]
        ):
            continue
        yield _at(words, match.start(), match.end(), "", "missing-word", f"“{lost}” lost")


_DOUBLE: Final = _PHRASES.pattern(r"\b(<<double>>)\b(?= [a-z])")
_PHRASE: Final = re.compile(
    r"\b((?:in|of|for|by|with|on|through|from|across) (?:the |a |an )?(?:[a-z-]+ ){0,2}[a-z-]{4,})"
    r"(?=[,.;]| (?:and|is|are|has|have|can|in|to|which|that)\b)",
)


def doubled(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that write a word or a phrase twice."""
    for match in _PHRASE.finditer(words.plain):
        phrase = match.group(1)
        if len(phrase.split()) > 2:
            yield _at(words, match.end(), match.end(), " " + phrase, "doubled", f"“{phrase}” twice")
            break
    hits = list(_DOUBLE.finditer(words.plain))
    for match in hits[len(hits) // 2 :][:2]:
        yield _at(words, match.end(), match.end(), " " + match.group(), "doubled", f"“{match.group()}” twice")


_ADJECTIVE_NOUN: Final = _PHRASES.pattern(
    r"\b(<<adjectives>>) ([a-z]{4,}s?)\b(?=[,.;]| (?:of|that|which|and|is|are|has|have)\b)"
)
# "Can significantly improve the" → "can improve significantly the": word order of another language.
_ADVERB: Final = re.compile(
    r"\b((?:[a-z]{4,})ly) ([a-z]{4,}) (?=(?:the|its|their|this|these|our|a|an|both|all)\b)"
)


def order(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that swap neighbouring words: "poses challenges significant", "improve greatly the"."""
    for match in _ADJECTIVE_NOUN.finditer(words.plain):
        first, second = match.groups()
        if (
            number_of(second) is None
            or second in GRAMMAR.base_verbs
            or second in _PHRASES["adjectives"].words("en")
        ):
            continue
        yield _at(
            words,
            match.start(),
            match.end(),
            f"{second} {first}",
            "word-order",
            f"{match.group()} → {second} {first}",
        )
    for match in _ADVERB.finditer(words.plain):
        adverb, verb = match.groups()
        if verb not in GRAMMAR.base_verbs and verb not in GRAMMAR.third_person and not verb.endswith("ed"):
            continue
        yield _at(
            words,
            match.start(),
            match.end(2),
            f"{verb} {adverb}",
            "word-order",
            f"{match.group().strip()} → {verb} {adverb}",
        )


def wordy(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield single edits that expand plain words in two or three phrases of the sentence."""
    hits = [
        match
        for match in _WORD.finditer(words.plain)
        if match.group() in _PHRASES["inflated"].choices("en") and _inflates(words, match)
    ]
    if len(hits) < 2:
        return
    chosen: list[re.Match[str]] = []
    used: set[str] = set()
    for match in hits:
        if match.group() not in used and (not chosen or match.start() - chosen[-1].end() > 8):
            chosen.append(match)
            used.add(match.group())
    for many in (2, 3):
        if len(chosen) < many:
            return
        yield _together(words, [(m.start(), m.end(), _inflated(words, m)) for m in chosen[:many]], "wordy")


def _inflated(words: ProseSentence, match: re.Match[str]) -> str:
    choices = _PHRASES["inflated"].choices("en")[match.group()]
    return choices[(words.start + match.start()) % len(choices)]


def _inflates(words: ProseSentence, match: re.Match[str]) -> bool:
    word, after = match.group(), words.plain[match.end() :]
    if word in ("to", "can", "help"):
        following = re.match(r" ([a-z]+)", after)
        if (
            word == "can"
            and number_of(words.plain[: match.start()].split()[-1] if match.start() else "") != "singular"
        ):
            return False
        return following is not None and following.group(1) in GRAMMAR.base_verbs
    if word in ("improve", "reduce", "increase", "support"):
        return bool(
            re.search(r"\b(?:to|can|could|may|will|would|should|must) $", words.plain[: match.start()])
        ) and after.startswith(" ")
    if word in ("for", "by", "most", "about", "all", "and", "also", "when", "if", "significant", "important"):
        return bool(re.match(r" [a-z]{4,}", after)) and match.start() > 0
    return bool(re.match(r" (?!of )[a-z]", after)) and match.start() > 0


def _together(words: ProseSentence, parts: list[tuple[int, int, str]], pattern: str) -> ProposedEdit:
    start, end = parts[0][0], parts[-1][1]
    text, at = "", start
    for low, high, new in parts:
        text += words.source[at:low] + new
        at = high
    note = "; ".join(f"{words.plain[low:high]} → {new}" for low, high, new in parts)
    return _at(words, start, end, text, pattern, note)


def redundant(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that express the same idea twice: "lessen and reduce", "more better", "such as for example"."""
    hits = [
        match for match in _WORD.finditer(words.plain) if match.group() in _PHRASES["paired"].mapping("en")
    ]
    for match in hits[:2]:
        new = _PHRASES["paired"].mapping("en")[match.group()]
        yield _at(words, match.start(), match.end(), new, "redundant", f"{match.group()} → {new}")
    for phrase, new in _PHRASES["pleonasms"].mapping("en").items():
        at = re.search(rf"\b{phrase}\b(?=[ ,])", words.plain, re.IGNORECASE)
        if at is not None and at.group()[1:] == phrase[1:] and _pleonasm_fits(phrase, words.plain, at):
            yield _at(words, at.start(), at.end(), _like(at.group(), new), "redundant", f"{phrase} → {new}")


def _pleonasm_fits(phrase: str, plain: str, at: re.Match[str]) -> bool:
    after = plain[at.end() :]
    if phrase in ("because", "due to"):
        return bool(re.match(r" (?:the|their|its|of)\b", after)) and not (
            phrase == "because" and after.startswith(" of")
        )
    if phrase in (
        "requires",
        "enables",
        "affects",
        "lacks",
        "influences",
        "addresses",
        "highlights",
        "discusses",
        "emphasizes",
        "comprises",
    ):
        return (
            bool(re.match(r" (?:the|a|an|its|their|both|[a-z]+(?:s|al|ive|ic)) ", after))
            and " that" not in after[:6]
        )
    return True


_NUMBER: Final = _PHRASES.pattern(
    r"\b(<<determiners>>) ((?:[a-z-]+ )?)([a-z]{4,})\b(?=[,.;]| (?:<<function_words>>)\b)"
)


def confusions(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that put a noun in the wrong number after its determiner, or use a word that sounds alike."""
    for match in _NUMBER.finditer(words.plain):
        determiner, noun = match.group(1), match.group(3)
        singular = determiner in ("this", "each", "every", "another")
        if singular and noun in GRAMMAR.singular_nouns:
            new = plural_of(noun)
        elif not singular and noun.endswith("s") and noun[:-1] in GRAMMAR.singular_nouns:
            new = noun[:-1]
        else:
            continue
        yield _at(words, match.start(3), match.end(3), new, "noun-number", f"{determiner} {noun} → {new}")
    for match in _WORD.finditer(words.plain):
        old = match.group()
        after = words.plain[match.end() : match.end() + 20]
        if (
            old not in _PHRASES["other_word"].mapping("en")
            or not re.match(r" [a-z]", after)
            or match.start() == 0
        ):
            continue
        if old in ("these", "those", "many", "fewer") and not re.match(r" [a-z]{3,}s\b", after):
            continue
        if old in ("lead", "affect", "affects", "loss") and words.plain[: match.start()].split()[
            -1
        ].lower() in ("the", "a", "to", "of"):
            continue
        new = _PHRASES["other_word"].mapping("en")[old]
        yield _at(words, match.start(), match.end(), new, "wrong-word", f"{old} → {new}")


_SPLIT: Final = _PHRASES.pattern(r", (<<split>>)\b(?= [a-z])")


def fragments(words: ProseSentence) -> Iterator[ProposedEdit]:
    """Yield edits that cut off a clause with a full stop: "… in 2020. Which means that …"."""
    for match in _SPLIT.finditer(words.plain):
        rest = words.plain[match.end() :]
        if match.start() > 40 and len(rest) > 30 and "," not in rest[:-1]:
            word = match.group(1)
            text = f". {word[0].upper()}{word[1:]}"
            yield _at(words, match.start(), match.end(), text, "fragment", f"cut off before “{word}”")


ENGLISH: Final = (
    agreement,
    order,
    wordy,
    missing,
    redundant,
    verb_forms,
    articles,
    prepositions,
    fragments,
    confusions,
    doubled,
)
