"""Word lists for the grammar rules, and the little morphology they need.

The lists are closed on purpose: a word that would make a rule guess ("report": noun or verb; "data": singular or
plural) is kept off the list where that matters.
"""

from __future__ import annotations

from typing import Final, Literal

# Countable nouns, singular, that are no adjective, no verb, and no collective ("one of the team").
SINGULAR_NOUNS: Final = frozenset(
    """system method approach factor policy country company technology strategy technique algorithm parameter variable
    hypothesis theory mechanism component element category application institution organization organisation industry sector
    region city hospital school university student teacher patient participant researcher scientist engineer consumer customer
    employee user citizen investor manufacturer supplier provider platform device sensor material molecule protein gene
    disease symptom therapy reaction equation matrix problem solution opportunity difference similarity disadvantage
    characteristic limitation requirement implication conclusion recommendation observation assumption definition description
    explanation indicator metric criterion principle concept idea argument initiative regulation guideline framework architecture
    module database dataset article chapter investigation analysis assessment evaluation finding consequence event decade year
    month week day vehicle battery product service skill activity procedure option scenario theory topic issue aspect property
    threat barrier obstacle minute hour intervention transformation prediction person child woman""".split()
)
_IRREGULAR: Final = {
    "analysis": "analyses", "hypothesis": "hypotheses", "criterion": "criteria", "matrix": "matrices", "person": "people",
    "child": "children", "woman": "women", "city": "cities",
}  # fmt: skip
_IRREGULAR_PLURALS: Final = frozenset(
    "people children men women criteria phenomena strata formulae bacteria axes indices matrices stimuli radii nuclei".split()
)
# Singular or uncountable in spite of their ending.
_SINGULAR_IN_S: Final = frozenset(
    """news means series species headquarters crossroads process progress access success business press class mass loss
    physics economics politics ethics logistics analytics electronics mathematics statistics dynamics robotics genetics
    bus gas lens bias atlas canvas status basis crisis thesis diabetes aids always perhaps various previous lots works gallows
    barracks sports goods""".split()
)
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
# Heads that take either number, or whose number the words after "of" decide.
_EITHER: Final = frozenset(
    """number variety range share percentage proportion majority minority rest lot handful group half third quarter combination
    plurality bulk set pair trio host array body team staff government public police family crowd audience committee board
    management leadership press couple dozen hundred thousand million billion multitude plethora wealth selection collection
    mix subset series portion part fraction amount total sum list generation population cohort class chain cluster mixture
    data media rich poor young old elderly unemployed disabled wealthy vulnerable homeless deaf blind sick wounded british
    french dutch chinese japanese english irish spanish swiss following former latter first second third last next other same
    rest remaining more most less least best worst few many much all some any none both either neither such one two three four
    five six seven eight nine ten top latest opposite reverse above below military cavalry clergy cattle aircraft fish sheep
    offspring spacecraft personnel faculty crew jury network pair matter odds majority sample kind type sort form faithful
    dead living innocent guilty brave healthy ill affluent marginalized oppressed educated better greater twelve eleven
    forward back out up down off ahead beyond elsewhere alias formulae alone together too then now later further themselves here there""".split()
)

# Verbs whose base form is no noun and no adjective.
BASE_VERBS: Final = frozenset(
    """achieve acquire adapt admit adopt allow appear apply argue arise assess assume become begin believe belong bring     choose comprise conclude confirm consider consist constitute contain continue contribute create decide define deliver
    demonstrate depend derive describe determine develop differ discuss eliminate emerge employ enable encourage enhance
    ensure establish evaluate evolve examine exceed exist expand explain explore extend facilitate fail follow
    generate give grow happen highlight identify illustrate imply improve include incorporate indicate inform integrate
    introduce involve know maintain make modify obtain occur operate outperform overcome perform persist possess predict
    prefer prevent prohibit promote propose protect prove provide pursue receive recognize recognise recommend reduce
    reflect rely remain remove represent require resolve restrict reveal satisfy see seem serve speak solve strengthen suffer
    suggest sustain tend transform treat underline underscore understand undermine utilize utilise vary verify want widen
    write mitigate accelerate accommodate alleviate analyze analyse anticipate ascertain attract avoid capture-level
    categorize characterize clarify collaborate compete compose comply dictate
    differentiate distinguish diversify educate emphasize emphasise enrich exacerbate exert foster fulfill govern
    inhibit justify necessitate negotiate optimize optimise prioritize prioritise proceed regulate simplify
    specify stabilize stimulate streamline synthesize undergo unify validate""".split()
)
# Base forms that are nouns too; trusted only where an article follows.
AMBIGUOUS_VERBS: Final = frozenset(
    """show offer support increase decrease result lead play need use work cause change impact influence benefit report rank
    demand process limit drive force face feature function claim estimate hold mean mark open pose present rank reach run set
    supply target test tie trigger turn view yield challenge shape affect cover help handle raise address manage meet boost
    capture encounter combine command control cost count exploit focus fund guarantee guide hinder host hope house impair
    launch measure monitor offset plan power practice prompt question regard return reward risk secure signal spread start
    stress struggle study surge survey track trade transfer value witness""".split()
)


def third_of(verb: str) -> str:
    """The third person singular: "provides", "applies", "reaches"."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    if verb.endswith(("s", "x", "ch", "sh", "o")):
        return verb + "es"
    return verb + "s"


# "provides" → "provide", for the verbs whose base form is no noun.
THIRD_PERSON: Final = {third_of(verb): verb for verb in sorted(BASE_VERBS)}
_AMBIGUOUS_THIRD: Final = {third_of(verb): verb for verb in sorted(AMBIGUOUS_VERBS)}
_AUXILIARY: Final = {"is": "are", "was": "were", "has": "have", "does": "do"}


def base_of(verb: str) -> str | None:
    """The plural form of a verb in the third person singular, or None if it is not known to be one."""
    return _AUXILIARY.get(verb) or THIRD_PERSON.get(verb) or _AMBIGUOUS_THIRD.get(verb)


def plural_of(noun: str) -> str:
    """The plural of a noun.

    >>> plural_of("policy"), plural_of("analysis"), plural_of("method")
    ('policies', 'analyses', 'methods')
    """
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("sis"):
        return noun[:-2] + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    return noun + "s"


def number_of(noun: str) -> Literal["singular", "plural"] | None:
    """Whether a lower-case noun is singular or plural; None where its form does not say.

    >>> number_of("systems"), number_of("analysis"), number_of("data")
    ('plural', 'singular', None)
    """
    if noun in _EITHER or not noun.replace("-", "").isalpha() or len(noun) < 3:
        return None
    if noun in _IRREGULAR_PLURALS:
        return "plural"
    if noun in _SINGULAR_IN_S or noun.endswith(("ss", "us", "sis", "ics")):
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
        and noun not in SINGULAR_NOUNS
    ):
        # "the uninsured", "the British", "the vulnerable", "the younger": people, not a thing.
        return None
    return "singular"


# Base forms after "has been": the participle that was meant.
PARTICIPLE_OF: Final = {
    "show": "shown", "find": "found", "make": "made", "take": "taken", "give": "given", "see": "seen", "know": "known",
    "develop": "developed", "observe": "observed", "propose": "proposed", "identify": "identified", "demonstrate": "demonstrated",
    "introduce": "introduced", "establish": "established", "achieve": "achieved", "prove": "proven", "consider": "considered",
    "describe": "described", "apply": "applied", "adopt": "adopted", "implement": "implemented", "perform": "performed",
    "publish": "published", "reduce": "reduced", "improve": "improved", "create": "created", "build": "built", "include": "included",
    "suggest": "suggested", "provide": "provided", "require": "required", "obtain": "obtained", "determine": "determined",
    "produce": "produced", "recommend": "recommended", "employ": "employed", "write": "written", "choose": "chosen", "expect": "expected",
    "allow": "allowed", "expand": "expanded", "explore": "explored", "examine": "examined", "evaluate": "evaluated",
    "enhance": "enhanced", "analyze": "analyzed", "generate": "generated", "enable": "enabled", "define": "defined",
}  # fmt: skip

# What follows a complete noun phrase: seeing one, the noun before was its head.
FOLLOWERS: Final = frozenset(
    """is are was were has have had can could will would may might must should do does did of in on at by for from with to
    that which who where when because although while but as than if not also into between under over through during without
    within""".split()
)
