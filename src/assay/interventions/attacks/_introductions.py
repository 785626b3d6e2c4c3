"""Patterns of the expansions, glosses and definitions by which reports introduce terms."""

from __future__ import annotations

import re
from typing import Final

from assay.text.phrases import PhraseFile

_PHRASES: Final = PhraseFile("assay.interventions", "introductions")

# "levelized cost of energy (LCOE)": the words before a bracketed short form, small words among them.
SHORT: Final = re.compile(
    r"(?P<long>[A-Za-z][A-Za-z’'/-]*(?: [A-Za-z][A-Za-z’'/-]*){0,8}) ?\("
    r"(?P<short>[A-Z][A-Za-z0-9&/-]{1,9}s?)\)",
)
LONG_AFTER: Final = re.compile(
    r"\b(?P<short>[A-Z][A-Z0-9&/-]{1,8}s?) \((?P<long>[A-Za-z][A-Za-z’' /-]{8,70})\)"
)
SHORT_ZH: Final = re.compile(
    r"(?P<long>[\u4e00-\u9fff]{3,14})[（(](?:[A-Za-z][A-Za-z \-]{4,60}[,，]\s?)?"
    "(?P<short>[A-Z][A-Za-z0-9&/-]{1,9})[）)]",
)
LONG_AFTER_ZH: Final = re.compile(
    r"(?<![A-Za-z])(?P<short>[A-Z][A-Za-z0-9&/-]{1,9})[（(](?P<long>[^（）()\d\n]{4,40})[）)]"
)
MEANING: Final = re.compile(
    r"(?P<gloss>(?:, | \(|—|–| – )(?:i\.e\.,?|that is,?|meaning(?! (?:that|possibly))|defined as)"
    r" [^,.;:()\[\]—]{14,130})(?P<end>\)|,|—|$)",
)
MEANING_ZH: Final = re.compile(
    "(?P<gloss>(?:[，（(]|——)(?:即(?![使将便刻兴可时日期席])|也就是|是指|指的是|指"
    "(?=[^出导标数引示南]))[^，。；（）()]{6,60})(?P<end>[，）)]|——|$)",
)
BRACKET: Final = _PHRASES.pattern(
    r"(?P<term>[a-z][\w’'-]+) (?P<gloss>\((?:that is|i\.e\.,?|defined as|meaning|the (?:"
    r"<<bracket>>)|an? [a-z-]+ (?:of|that|which|where|in which|used)) [^()\[\]\d]{12,110}\))",
)
BRACKET_ZH: Final = re.compile(
    r"(?P<term>[\u4e00-\u9fff]{2,12})(?P<gloss>（(?:(?:即|是指|指的是|是|指)[^（）\d]{4,50})）)"
)
DEFINES: Final = _PHRASES.pattern(
    r"^(?:\*\*)?(?P<term>(?:The )?[A-Za-z][\w’'-]*(?: (?:of |the |and )?[A-Za-z][\w’'-]*){0,5})"
    r"(?:\*\*)?(?: \([A-Za-z-]{2,12}\))? (?:refers? to|is defined as|are defined as|means|denotes?"
    r"|describes?|is (?:a|an|the) (?:\w+ ){0,3}(?:<<defines>>)) (?P<rest>[^.]{25,})",
)
DEFINES_ZH: Final = re.compile(
    r"^(?:\*\*)?(?:所谓)?(?P<term>[^，。：；\s（(*]{2,14})(?:\*\*)?"
    "(?:[（(][^（）()]{2,40}[）)])?[，：]?(?:是指|指的是|是一种|是一类|被定义为|定义为)"
    "(?P<rest>[^。]{10,})",
)
# Words that cannot be part of a name; a name follows the last of them.
NOT_NAME_ZH: Final = _PHRASES.pattern("<<not_name>>")
# Left of these characters a name may go on: 分而治之和集成学习, 中性粒细胞.
UNSURE_ZH: Final = re.compile(r"[和与及或中等对以为由把即有用]")
NOT_TERMS: Final = frozenset(
    "this that these those it they there he she what which the one such here".split()
)
SMALL: Final = frozenset("of and the for in on to a an with by from".split())
