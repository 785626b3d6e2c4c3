"""Agreement between subject and verb in English.

For each finite verb of a closed list, the words back to the beginning of its clause are read. They are taken as the
subject only if they form one plain noun phrase: a determiner, a few words, perhaps "of …". Anything else (a comma,
"and", "which", a second determiner, a number) means no finding.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.checks.wording import FilledWording, Wording
from assay.text.english_grammar import GRAMMAR, base_of, number_of, plural_of, third_of
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.text.lexicon import CueIndex

_PHRASES: Final = PhraseFile("assay.checks", "exp")
_WORDS: Final = WordSets(_PHRASES)

_AFTER: Final = Wording(en="“{verb}” belongs after “{before}”", zh="“{before}”之后应为“{verb}”")
_FITS_PLURAL: Final = Wording(en="“{verb}” fits the plural “{noun}”", zh="复数“{noun}”应配“{verb}”")
_SINGULAR_SUBJECT: Final = Wording(
    en="the verb is plural, but “{noun}” is singular", zh="“{noun}”是单数，动词却用了复数"
)
FITS: Final = Wording(en="“{right}” fits “{word}”", zh="“{word}”应配“{right}”")
_PLURAL_VERB: Final = Wording(en="a plural verb after “{word}”", zh="“{word}”之后的动词用了复数")
_PLURAL_NOUN: Final = Wording(en="a plural noun after “{word}”", zh="“{word}”之后的名词用了复数")


class GrammarSlip(NamedTuple):
    """A grammatical error: its start and end in the plain text, a message and a confidence."""

    start: int
    end: int
    message: FilledWording
    confidence: float


_NEXT: Final = re.compile(r"[ \n]{1,2}([a-z][a-z'’\-]*)")
_REACH: Final = 100
_MOST_TOKENS: Final = 11
_SINGULAR_DETERMINERS: Final = frozenset("a an this each every another that".split())
_DETERMINERS: Final = (
    _SINGULAR_DETERMINERS
    | _WORDS.agreement_plural_determiners
    | frozenset("the its their our his her such some most all no".split())
)
_BREAKERS_AT_VERB: Final = (_WORDS.agreement_breakers | _WORDS.agreement_anchors) - _WORDS.agreement_pronouns
_PLURAL_PRONOUNS: Final = frozenset("they we these those".split())
_SINGULAR_PRONOUNS: Final = frozenset("it he she this".split())
_SINGULAR_VERBS: Final = ("is", "was", "has", "does")
_PLURAL_VERBS: Final = ("are", "were", "have")


def words_after(lower: str, at: int, count: int) -> list[tuple[str, int, int]]:
    """Return up to ``count`` words after ``at``, each with its start and end; only white space may separate them."""
    out: list[tuple[str, int, int]] = []
    while len(out) < count and (match := _NEXT.match(lower, at)):
        out.append((match.group(1), match.start(1), match.end(1)))
        at = match.end()
    return out


_ARTICLES: Final = (" a ", " an ", " the ", " that ", " its ", " their ")
_INDEFINITE: Final = (" a ", " an ")
_Wanted = tuple[str, "tuple[str, ...] | None"]


@cache
def _wanted() -> dict[str, _Wanted]:
    """Return, for each verb form, the number of its subject and the words one of which must follow, if any must.

    A word must follow if the form may also be a noun.
    """
    table: dict[str, _Wanted] = {}
    for base in GRAMMAR.ambiguous_verbs:
        # "the customer support a firm gives": an article must follow.
        table[base] = ("plural", _INDEFINITE)
        table[third_of(base)] = ("singular", _ARTICLES)
    for base in GRAMMAR.base_verbs:
        table[base] = ("plural", None)
        table[third_of(base)] = ("singular", None)
    table.update(dict.fromkeys(_PLURAL_VERBS, ("plural", None)))
    table.update(dict.fromkeys(_SINGULAR_VERBS, ("singular", None)))
    return table


def _negates(lower: str, start: int) -> bool:
    """Return whether a form of "do" or a modal precedes the "not" before the verb at ``start``: "does not requires"."""
    words = lower[max(0, start - 24) : start].split()
    return len(words) > 1 and words[-2] in (
        "does",
        "do",
        "did",
        "can",
        "could",
        "would",
        "should",
        "must",
        "might",
        "will",
        "may",
    )


def subjects(index: CueIndex) -> Iterator[GrammarSlip]:
    """Yield an error for each verb whose number differs from that of its subject."""
    lower = index.lower
    words = index.words()
    verbs = _wanted()
    for verb in words.keys() & verbs.keys():
        wants, allowed = verbs[verb]
        for start in words[verb]:
            # Most verbs follow "to", "which", "and" or a punctuation mark, so that one word decides.
            before = lower[max(0, start - 24) : start].rstrip()
            before = before[before.rfind(" ") + 1 :]
            if before in _WORDS.agreement_modals:
                if (
                    wants == "singular"
                    and verb in GRAMMAR.third_person
                    and not (before == "not" and not _negates(lower, start))
                ):
                    yield GrammarSlip(
                        start - 1 - len(before),
                        start + len(verb),
                        _AFTER(verb=base_of(verb), before=before),
                        0.85,
                    )
                continue
            if before in _BREAKERS_AT_VERB or not (before[-1:].isalpha() or before[-1:] == ","):
                continue
            if allowed is None or lower.startswith(allowed, start + len(verb)):
                if wants == "plural" and verb not in _PLURAL_VERBS and _is_noun(lower, start + len(verb)):
                    continue
                fault = _check(lower, start, verb, wants)
                if fault is not None:
                    yield fault


def _is_noun(lower: str, end: int) -> bool:
    """Return whether the word after a base form shows that the form is a noun."""
    after = words_after(lower, end, 1)
    return bool(after) and after[0][0] in _WORDS.agreement_after_noun


def _check(lower: str, start: int, verb: str, wants: str) -> GrammarSlip | None:
    clause = _clause(lower, start)
    if clause is None:
        return None
    tokens, begin, anchor = clause
    while len(tokens) > 1 and (tokens[-1] in _WORDS.agreement_adverbs or tokens[-1].endswith("ly")):
        tokens.pop()
    end = start + len(verb)
    first = tokens[0]
    if len(tokens) == 1:
        return _after_pronoun(first, verb, wants, anchor, (begin, end))
    if "to" in tokens[-2:]:
        return None
    if first == "many" and anchor == "how":
        # "How many owners has it had?"
        return None
    if wants == "plural" and anchor in ("that", "if", "though", "whether") and verb != "are":
        # "They recommend that the system include …", "if the system were".
        return None
    found = _head(tokens)
    if found is None or found[1] == wants:
        return None
    head, _, confidence = found
    if wants == "singular":
        return GrammarSlip(begin, end, _FITS_PLURAL(verb=base_of(verb), noun=head), confidence)
    return GrammarSlip(begin, end, _SINGULAR_SUBJECT(noun=head), confidence)


def _after_pronoun(
    word: str, verb: str, wants: str, anchor: str, span: tuple[int, int]
) -> GrammarSlip | None:
    begin, end = span
    if wants == "singular":
        if word in _PLURAL_PRONOUNS and anchor != "that":
            return GrammarSlip(begin, end, FITS(right=base_of(verb), word=word), 0.9)
        if word in _WORDS.agreement_bare_plurals and anchor != "that":
            return GrammarSlip(begin, end, _FITS_PLURAL(verb=base_of(verb), noun=word), 0.8)
    elif word in _SINGULAR_PRONOUNS and verb != "were" and (not anchor or verb in ("are", "have")):
        return GrammarSlip(begin, end, _PLURAL_VERB(word=word), 0.85)
    return None


def _clause(lower: str, start: int) -> tuple[list[str], int, str] | None:
    """Return the words of the clause before the verb, their start, and the conjunction before them (or "").

    The result is None if the beginning of the clause is uncertain.
    """
    low = max(0, start - _REACH)
    segment = lower[low:start]
    blank = segment.rfind("\n\n")
    if blank >= 0:
        segment = segment[blank:]
    tokens = segment.split()
    if not tokens or not segment[-1].isspace():
        return None
    if tokens[-1] in _WORDS.agreement_pronouns:
        before = tokens[-2] if len(tokens) > 1 else "."
        if before in _WORDS.agreement_anchors or before[-1] in ".!?;:,":
            return (
                tokens[-1:],
                lower.rfind(tokens[-1], low, start),
                before if before in _WORDS.agreement_anchors else "",
            )
        return None
    tokens = _without_parenthesis(tokens)
    i = len(tokens)
    anchor = ""
    while i > 0:
        token = tokens[i - 1]
        if token in _WORDS.agreement_anchors:
            anchor = token
            break
        if token in _WORDS.agreement_breakers:
            return None
        if not token.isalpha():
            bare = token.replace("-", "")
            if bare[-1:] in ".!?;:" and bare[:-1].isalpha() and len(token) > 3:
                break
            if (
                bare[-1:] == ","
                and i < len(tokens)
                and _introduces(tokens[:i], complete=low == 0 or blank >= 0)
            ):
                break
            if not bare.isalpha():
                return None
        i -= 1
        if len(tokens) - i > _MOST_TOKENS:
            return None
    else:
        # No boundary among the words: correct at the start of a text or block; otherwise the clause began too far left.
        if low > 0 and blank < 0:
            return None
    clause = tokens[i:]
    if not clause:
        return None
    at = start
    for token in reversed(clause):
        at = lower.rfind(token, low, at)
    return clause, at, anchor


def _without_parenthesis(tokens: list[str]) -> list[str]:
    """Return the words without a parenthesis before the verb, such as ", like the one above," or ", however,"."""
    stop = len(tokens)
    while stop > 1 and tokens[stop - 1].endswith("ly"):
        stop -= 1
    if tokens[stop - 1][-1] != ",":
        return tokens
    for start in range(stop - 2, max(-1, stop - 14), -1):
        if tokens[start][-1] == ",":
            if tokens[start + 1].rstrip(",") in _WORDS.agreement_parenthetic:
                return [*tokens[:start], tokens[start][:-1], *tokens[stop:]]
            break
    return tokens


def _introduces(tokens: list[str], *, complete: bool) -> bool:
    """Return whether the words before a comma introduce the sentence ("In recent years,"), so that its subject follows."""
    for k in range(len(tokens) - 2, -1, -1):
        if tokens[k][-1] in ".!?":
            return (
                tokens[k + 1] in _WORDS.agreement_introductions
                or tokens[k + 1][:-1] in _WORDS.agreement_introductions
            )
        if tokens[k][-1] in ",;:":
            return False
    return (
        complete
        and bool(tokens)
        and (tokens[0] in _WORDS.agreement_introductions or tokens[0][:-1] in _WORDS.agreement_introductions)
    )


def _head(tokens: list[str]) -> tuple[str, str, float] | None:
    """Return the head noun of a plain noun phrase, its number, and the confidence in both.

    The result is None if the phrase is not plain or the number is uncertain.
    """
    first = tokens[0]
    if first in ("one", "each") and tokens[1] == "of":
        return first, "singular", 0.8
    stop = next((i for i, token in enumerate(tokens) if token in _WORDS.agreement_prepositions), len(tokens))
    if first not in _DETERMINERS:
        return _bare_head(tokens) if stop == len(tokens) else None
    phrase = tokens[1:stop]
    rest = tokens[stop + 1 :]
    if not 1 <= len(phrase) <= 4 or any(token in _DETERMINERS for token in phrase):
        return None
    if any(token in GRAMMAR.base_verbs or base_of(token) in GRAMMAR.base_verbs for token in tokens[1:]):
        return None
    if sum(token in ("the", "these", "those", "their", "its", "a", "an") for token in rest) > 1:
        # "The cost of the systems the firms use": a second phrase may have its own verb.
        return None
    head = phrase[-1]
    number = number_of(head)
    if number is None or (len(phrase) > 1 and number == "singular" and number_of(phrase[-2]) == "plural"):
        return None
    if (first in _SINGULAR_DETERMINERS and number == "plural") or (
        first in _WORDS.agreement_plural_determiners and number == "singular"
    ):
        # The noun itself is wrong, or the word is not a noun.
        return None
    return head, number, 0.85 if stop == len(tokens) else 0.8


def _bare_head(tokens: list[str]) -> tuple[str, str, float] | None:
    """Return the same for a phrase without determiner ("AI adoption"), if the ending of its head decides the number."""
    head = tokens[-1]
    if len(tokens) > 4 or any(
        token in _DETERMINERS or token in GRAMMAR.base_verbs or token.endswith(("ing", "ly"))
        for token in tokens
    ):
        return None
    if (
        head.endswith(_NOUN_ENDINGS)
        and head not in _WORDS.agreement_not_only_nouns
        and number_of(head) == "singular"
    ):
        return head, "singular", 0.75
    if (
        head in _WORDS.agreement_bare_plurals
        and len(tokens) <= 3
        and tokens[0] not in _WORDS.agreement_numbers
    ):
        return head, "plural", 0.75
    return None


# Endings that only nouns have; the verbs and adjectives among them are listed beside.
_NOUN_ENDINGS: Final = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ship", "ism", "logy", "gist")


def demonstratives(index: CueIndex) -> Iterator[GrammarSlip]:
    """Yield an error for each noun whose number does not agree with its determiner: "these system", "this methods"."""
    lower = index.lower
    for word in ("these", "several", "various", "numerous", "many", "multiple"):
        for start in index.positions(word):
            after = words_after(lower, start + len(word), 2)
            if (
                not after
                or lower[start - 2 : start] == "a "
                or lower[start - 1 : start] not in (" ", "\n", "(", "")
            ):
                continue
            noun, _, end = after[0]
            following = after[1][0] if len(after) > 1 else ""
            if noun in GRAMMAR.singular_nouns:
                ended = following in GRAMMAR.followers or lower[end : end + 2] in (
                    ". ",
                    ", ",
                    ".\n",
                    ".",
                    ",",
                )
                wrong = ended and not (word == "many" and noun in _TIMES)
            elif (
                noun.endswith(_NOUN_ENDINGS) and noun not in _WORDS.agreement_not_only_nouns and len(noun) > 6
            ):
                wrong = following in GRAMMAR.followers
            else:
                # Before a finite verb even "range" or "feature" can only be a noun.
                wrong = (
                    word == "these"
                    and following in _WORDS.agreement_finite
                    and number_of(noun) == "singular"
                    and noun not in _WORDS.agreement_adverbs
                    and noun not in GRAMMAR.base_verbs
                )
            if wrong:
                yield GrammarSlip(start, end, FITS(right=plural_of(noun), word=word), 0.85)
    for word in ("this", "each", "every", "another"):
        for start in index.positions(word):
            after = words_after(lower, start + len(word), 2)
            if (
                len(after) == 2
                and after[1][0] in GRAMMAR.followers
                and after[0][0] in _plurals()
                and after[0][0] not in _WORDS.agreement_verbs_too
            ):
                yield GrammarSlip(start, after[0][2], _PLURAL_NOUN(word=word), 0.85)


_TIMES: Final = frozenset("year month week day person hour minute".split())


@cache
def _plurals() -> frozenset[str]:
    return frozenset(plural_of(noun) for noun in GRAMMAR.singular_nouns) | {"findings", "studies"}
