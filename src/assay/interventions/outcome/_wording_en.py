"""English phrases and what spoils them: prepositions, empty words, words that say the same again."""

from __future__ import annotations

from typing import Final

# Preposition that a word asks for, and one that learners take instead.
FIXED: Final[dict[tuple[str, str], str]] = {
    ("depend", "on"): "of", ("depends", "on"): "of", ("depending", "on"): "of", ("focus", "on"): "in",
    ("focuses", "on"): "in", ("focused", "on"): "in", ("focusing", "on"): "in", ("rely", "on"): "in", ("relies", "on"): "in",
    ("consist", "of"): "on", ("consists", "of"): "on", ("contribute", "to"): "on", ("contributes", "to"): "on",
    ("contributed", "to"): "on", ("contributing", "to"): "on", ("associated", "with"): "to", ("capable", "of"): "to",
    ("responsible", "for"): "of", ("dependent", "on"): "of", ("impact", "on"): "to", ("emphasis", "on"): "of",
    ("leads", "to"): "at", ("lead", "to"): "at", ("leading", "to"): "at", ("led", "to"): "at", ("resulting", "in"): "to",
    ("result", "in"): "to", ("results", "in"): "to", ("resulted", "in"): "to", ("according", "to"): "with",
    ("compliance", "with"): "of", ("access", "to"): "of", ("characterized", "by"): "of", ("due", "to"): "of",
    ("limited", "to"): "on", ("combined", "with"): "to", ("aligned", "with"): "on", ("suitable", "for"): "of",
    ("essential", "for"): "of", ("response", "to"): "of", ("subject", "to"): "of", ("linked", "to"): "at",
    ("investment", "in"): "to", ("addition", "to"): "of", ("increase", "in"): "at", ("reliance", "on"): "of",
    ("participate", "in"): "to", ("interested", "in"): "on", ("differ", "from"): "to", ("benefit", "from"): "of",
    ("benefits", "from"): "of", ("prior", "to"): "of", ("consistent", "with"): "of", ("invest", "in"): "to",
}  # fmt: skip

# A plain word, and what bureaucrats write for it.
INFLATED: Final[dict[str, tuple[str, ...]]] = {
    "can": ("has the ability to be able to", "is in a position to be able to"),
    "because": ("due to the fact that it is the case that", "for the reason that it is so that"),
    "although": ("in spite of the fact that it is the case that", "notwithstanding the fact that it is so that"),
    "many": ("a large number of many", "a great number of many different"),
    "to": ("with the aim of being able to", "so as to be in a position to", "for the purpose of being able to"),
    "often": ("in many cases often", "on frequent occasions often"), "currently": ("currently at the present time", "at the present moment currently"),
    "when": ("at the point in time when", "in those situations when"), "if": ("in the event that it is the case that", "under the condition that if"),
    "by": ("by means of the use of", "by way of the use of"), "through": ("through the use and application of", "by way of and through"),
    "several": ("a number of several", "a certain number of several"), "all": ("each and all of the",),
    "significant": ("significant and considerable", "highly significant and important"), "important": ("important and relevant", "very important and significant"),
    "requires": ("has a requirement of needing", "makes it necessary that there be"), "include": ("include among other things also",), "includes": ("includes among other things also",),
    "shows": ("shows and makes clear",), "provides": ("provides and makes available",), "uses": ("makes use of using",),
    "improve": ("bring about an improvement of", "achieve an improvement with regard to"), "reduce": ("bring about a reduction of", "achieve a reduction with regard to"),
    "increase": ("bring about an increase of",), "support": ("provide support with regard to",), "help": ("be of help to",),
    "primarily": ("for the most part primarily", "mainly and primarily"), "remains": ("still continues to remain",), "based": ("founded and based",),
}  # fmt: skip

# A word, and the one that says the same again beside it.
PAIRED: Final[dict[str, str]] = {
    "reduce": "lessen and reduce", "reduces": "lessens and reduces", "reducing": "lessening and reducing",
    "improve": "improve and better", "improves": "improves and betters", "increasing": "growing and increasing",
    "critical": "critical and crucial", "significantly": "significantly and considerably", "primarily": "mainly and primarily",
    "rapidly": "quickly and rapidly", "essential": "essential and necessary", "together": "jointly together", "various": "various different",
    "different": "various different", "limited": "limited and restricted", "currently": "currently at present", "future": "upcoming future",
    "combines": "combines together", "combining": "combining together", "ensure": "ensure and make sure", "ensuring": "ensuring and making sure",
    "widely": "broadly and widely", "provide": "provide and give", "provides": "provides and gives", "demonstrate": "show and demonstrate",
    "demonstrates": "shows and demonstrates", "complex": "complicated and complex", "necessary": "necessary and needed", "rapid": "fast and rapid",
    "typically": "typically as a rule", "often": "often many times", "returned": "returned back", "returns": "returns back",
}  # fmt: skip

# Fixed expressions and their doubled form.
PLEONASMS: Final[dict[str, str]] = {
    "such as": "such as for example", "as well as": "as well as also", "more efficient": "more efficienter",
    "better": "more better", "larger": "more larger", "higher": "more higher", "lower": "more lower", "greater": "more greater",
    "stronger": "more stronger", "faster": "more faster", "easier": "more easier", "cheaper": "more cheaper", "in order to": "in order so as to",
    "due to": "due because of", "between": "in between of", "rather than": "rather instead than", "however": "but however",
    "because": "because of that", "despite": "despite of", "although": "although though", "per year": "annually per year",
    "the reason": "the reason why is because", "whether": "whether or if", "regarding": "regarding about", "discusses": "discusses about",
    "emphasizes": "emphasizes on", "lacks": "lacks of", "comprises": "comprises of", "affects": "affects on", "enables": "enables for",
    "requires": "requires of", "influences": "influences on", "highlights": "highlights about", "addresses": "addresses to",
}  # fmt: skip
