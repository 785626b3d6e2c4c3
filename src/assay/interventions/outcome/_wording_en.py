"""English phrases and what spoils them: prepositions, empty words, words that say the same again."""

from __future__ import annotations

from typing import Final

__all__ = ["FIXED", "INFLATED", "PAIRED", "PLEONASMS"]

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
    "can": ("has the potential ability to be able to", "is in a position of being able to"),
    "because": ("owing to the fact that the reason is that", "for the reason that it is the case that"),
    "although": ("in spite of the fact that it is the case that", "notwithstanding the fact that it is so that"),
    "many": ("a large and considerable number of many different", "a great multiplicity of numerous"),
    "to": ("with the aim and purpose of being able to", "in an effort and attempt to be able to", "so as to be in a position to"),
    "often": ("on a frequent and often repeated basis", "in what are many and frequent cases"),
    "currently": ("at this present moment in time currently", "as of the present time now"), "also": ("in addition to this also, moreover,",),
    "when": ("at the point in time at which", "in those situations and circumstances in which"),
    "about": ("with regard to the matter of", "on the subject and topic of"),
    "if": ("in the event that it should turn out to be the case that", "under the condition and circumstance that"),
    "by": ("by means of and through the use of", "by way of the method of"),
    "through": ("through the use and utilization of", "by way and by means of"),
    "several": ("a number of several different", "a certain number of various"), "all": ("each and every single one of all",),
    "significant": ("significant, considerable and not insignificant", "important and in its significance notable"),
    "important": ("important and by no means unimportant",),
    "requires": ("requires and makes it a necessary requirement to have", "is characterized by a need for the requirement of"),
    "include": ("include, among the things that are included,",), "includes": ("includes, among the things that are included,",),
    "shows": ("shows and serves to make apparent",), "provides": ("provides and makes the provision of",),
    "uses": ("makes use of the utilization of",), "improve": ("bring about an improvement with respect to", "effect an improving change in"),
    "reduce": ("bring about a reduction with respect to", "effect a decrease in the amount of"),
    "increase": ("give rise to an increase with respect to",),
    "support": ("provide support and assistance with regard to",), "help": ("be of help and assistance in helping",),
    "primarily": ("for the primary and main part",), "remains": ("remains and continues on to be",),
    "including": ("including among others and not excluding", "a list which also includes"), "based": ("founded and based", "based and resting"),
}  # fmt: skip

# A word, and the one that says the same again beside it.
PAIRED: Final[dict[str, str]] = {
    "reduce": "lessen and reduce", "reduces": "lessens and reduces", "reducing": "lessening and reducing",
    "improve": "improve and better", "improves": "improves and betters", "improving": "improving and bettering",
    "increasing": "growing increasing", "important": "important and significant and key", "critical": "critical, crucial and vital",
    "significant": "significant and notable, noteworthy", "significantly": "significantly and to a significant degree",
    "primarily": "mainly primarily", "rapidly": "quickly and rapidly at a fast pace", "essential": "essential and necessary and required",
    "together": "jointly together with one another", "various": "various different kinds of diverse", "different": "various different kinds of distinct",
    "including": "including, for example, such things as", "limited": "limited and restricted and not unlimited",
    "challenges": "challenges and difficult challenging issues", "approach": "approach and way of approaching",
    "currently": "currently at the present time now", "future": "upcoming future", "combines": "combines and joins together in combination",
    "combining": "combining and joining together in combination", "ensure": "ensure and make sure and certain",
    "ensuring": "ensuring and making sure and certain", "key": "key and most key", "new": "new and novel, innovative new",
    "major": "major and large, sizeable", "effective": "effective and efficacious in its effectiveness",
    "widely": "broadly and widely across a wide range", "overall": "overall and as a whole in total", "provide": "provide and give and supply",
    "provides": "provides and gives and supplies", "demonstrate": "show and demonstrate", "demonstrates": "shows and demonstrates",
    "complex": "complicated and complex", "necessary": "necessary and needed", "rapid": "fast and rapid", "clear": "clear and obvious, evident",
    "primary": "main and primary", "main": "main and principal, chief", "typically": "typically as a rule usually", "often": "often and frequently many times",
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
