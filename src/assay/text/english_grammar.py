"""Word lists for the grammar rules, and the little morphology they need.

The lists are closed on purpose: a word that would make a rule guess ("report": noun or verb; "data": singular or
plural) is kept off the list where that matters.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, Literal

from assay.text.phrases import PhraseFile, WordSets

_PHRASES: Final = PhraseFile("assay.text", "english_grammar")


class _EnglishGrammar(WordSets):
    """The word lists as sets and mappings, each made when it is first used.

    ``singular_nouns``, ``base_verbs``, ``ambiguous_verbs``, ``followers`` and the other lists of
    ``phrases/english_grammar.yaml`` are sets.
    """

    @cached_property
    def third_person(self) -> dict[str, str]:
        """The third person singular of each base verb, with the verb: ``"provides"`` → ``"provide"``."""
        return {third_of(verb): verb for verb in sorted(self.base_verbs)}

    @cached_property
    def participle_of(self) -> dict[str, str]:
        """Base forms that occur after "has been", with the participle that was meant."""
        return _PHRASES["participles"].mapping("en")

    @cached_property
    def irregular_plurals_of(self) -> dict[str, str]:
        """Nouns with an irregular plural, with that plural."""
        return _PHRASES["irregular"].mapping("en")


GRAMMAR: Final = _EnglishGrammar(_PHRASES)

_COMPOUND_ADJECTIVES: Final = (
    "-level",
    "-time",
    "-term",
    "-end",
    "-scale",
    "-side",
    "-order",
    "-class",
    "-free",
    "-wide",
)


def third_of(verb: str) -> str:
    """Return the third person singular: "provides", "applies", "reaches"."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    if verb.endswith(("s", "x", "ch", "sh", "o")):
        return verb + "es"
    return verb + "s"


def plural_of(noun: str) -> str:
    """Return the plural of a noun.

    >>> plural_of("policy"), plural_of("analysis"), plural_of("method")
    ('policies', 'analyses', 'methods')
    """
    if noun in GRAMMAR.irregular_plurals_of:
        return GRAMMAR.irregular_plurals_of[noun]
    if noun.endswith("sis"):
        return noun[:-2] + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    return noun + "s"


def number_of(noun: str) -> Literal["singular", "plural"] | None:
    """Return whether a lower-case noun is singular or plural; None if its form does not say.

    >>> number_of("systems"), number_of("analysis"), number_of("data")
    ('plural', 'singular', None)
    """
    if noun in GRAMMAR.either or not noun.replace("-", "").isalpha() or len(noun) < 3:
        return None
    if noun in GRAMMAR.irregular_plurals:
        return "plural"
    if noun in GRAMMAR.singular_in_s or noun.endswith(("ss", "us", "sis", "ics")):
        return (
            "singular"
            if noun not in ("means", "series", "species", "works", "goods", "sports")
            and not noun.endswith("ics")
            else None
        )
    if noun.endswith("s") and "-" in noun:
        # "current-input-events": a name, more often than not.
        return None
    if noun.endswith(_COMPOUND_ADJECTIVES):
        return None
    if noun.endswith("s"):
        return "plural" if len(noun) > 3 and not noun.endswith("is") else None
    if (
        noun.endswith(
            ("ed", "ese", "ish", "less", "able", "ible", "ful", "ous", "ly", "er", "est", "'s", "’s")
        )
        and noun not in GRAMMAR.singular_nouns
    ):
        # "the uninsured", "the British", "the vulnerable", "the younger": people, not a thing.
        return None
    return "singular"
