"""Wordings that make a criterion hard to judge, in English and Chinese. Patterns are narrow, for the sake of precision.

Tried and dropped, because most matches were fine: any "and" (noun pairs), any vague word (often spelled
out in the next clause), any negation under a positive weight (excluding something is a fair demand).
"""

from __future__ import annotations

import re
from typing import Final

from assay.text.words import count_words, has_cjk

# Verbs that make a demand on a report, third person or bare; "and" before one of them begins a second demand.
_VERBS: Final = """address acknowledge analyze apply argue articulate assess avoid base calculate categorize challenge cite
    clarify compare conclude connect consider contrast cover define demonstrate derive describe detail develop
    differentiate disclose discuss distinguish draw elaborate employ estimate evaluate examine exclude explain
    explore follow formulate give highlight identify illustrate include incorporate indicate integrate interpret
    justify keep link list maintain mention name note offer organize outline point present prioritize propose
    provide quantify recommend refer reflect report respond show specify state stay suggest summarize summarise
    support synthesize trace translate use verify weigh""".split()


def _third(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s")


_THIRD: Final = "|".join(sorted({_third(verb) for verb in _VERBS}, key=len, reverse=True))
_BARE: Final = "|".join(sorted(_VERBS, key=len, reverse=True))
_SUBJECT: Final = (
    r"(?:the |this |its |their |your )?(?:[\w-]+ ){0,3}?(?:report|response|answer|article|paper|text|essay"
    r"|analysis|author|document|output|summary|it)"
)
_ADVERBS: Final = r"(?:(?:also|then|further|\w+ly|not only|effectively) ){0,2}"
_JOIN: Final = r"(?:,? and|;|, as well as|, but also)\s+(?:also |then |that )?"
# "identifies and discusses the risks" is one demand; an object must stand between the verbs.
_OBJECT: Final = (
    rf"(?:,? (?:and )?(?:\w+ly )?(?:{_THIRD}|{_BARE})\b)*(?: (?!and\b|between\b)[\w'’*/-]+)[^.?!;]*?"
)
# A subject or a question, its verb, and a second verb of the same form behind "and".
_TWO_THIRD: Final = re.compile(
    rf"(?:\b(?:if|whether|that|how well|how|ensures?) {_SUBJECT} |^{_SUBJECT} ){_ADVERBS}(?P<a>{_THIRD}|is"
    rf"|are|has|contains|does)\b"
    rf"{_OBJECT}{_JOIN}{_ADVERBS}(?P<b>{_THIRD})\b(?! (?:of|and|or)\b)",
    re.IGNORECASE,
)
_TWO_QUESTION: Final = re.compile(
    rf"\b(?:does|do|did|can|should"
    rf"|must) {_SUBJECT} {_ADVERBS}(?P<a>{_BARE})\b{_OBJECT}{_JOIN}{_ADVERBS}(?P<b>{_BARE})\b"
    r"(?! (?:of|and|or|by)\b)",
    re.IGNORECASE,
)
_TWO_SHOULD: Final = re.compile(
    rf"^{_SUBJECT} (?:should|must|needs to|has to|ought to|shall) {_ADVERBS}(?P<a>{_BARE})\b{_OBJECT}{_JOIN}"
    rf"(?:(?:should|must|needs to|has to) )?{_ADVERBS}(?P<b>{_BARE})\b(?! (?:of|and|or|by)\b)",
    re.IGNORECASE,
)
_TWO_IMPERATIVE: Final = re.compile(
    rf"^{_ADVERBS}(?P<a>{_THIRD})\b(?! (?:if|whether|how|the (?:extent|degree|quality|clarity"
    rf"|depth))){_OBJECT}{_JOIN}{_ADVERBS}(?P<b>{_THIRD})\b"
    r"(?! (?:of|and|or)\b)",
    re.IGNORECASE,
)
# Judges' verbs: what follows is the demand, and "assesses … and evaluates …" has two of the frame, one of the matter.
_FRAME: Final = frozenset(
    "assesses evaluates examines considers checks reviews measures verifies looks focuses".split()
)
_ZH_VERBS: Final = (
    "说明|解释|给出|提供|提出|指出|列出|列举|分析|比较|对比|讨论|探讨|阐述|阐明|描述|介绍|论证|评估|评价|总结|归纳|明确|揭示|覆盖|涵盖"
    "|包含|包括|引用|标注|量化|预测|识别|区分|界定|定义|展示|呈现|回应|回答|考虑|结合|避免"
)
# What begins a demand of its own; to include, to avoid and to answer mostly spell out the first.
_ZH_SECOND: Final = "|".join(
    verb for verb in _ZH_VERBS.split("|") if verb not in {"包含", "包括", "涵盖", "避免", "回应", "回答"}
)
_ZH_ADVERBS: Final = "(?:能够|能|进一步|同时|清晰地?|明确地?|准确地?|详细地?|深入地?|充分地?|全面地?|系统地?|有效地?|合理地?|具体地?|基于此|据此|对其|对此|在此基础上)*"
_ZH_TWO: Final = re.compile(
    rf"是否{_ZH_ADVERBS}(?:{_ZH_VERBS})了?[^。？！?；]{{2,}}?(?:[，,；](?:并且?|而且|同时|还|且)|以及)"
    rf"(?:是否)?{_ZH_ADVERBS}(?P<b>{_ZH_SECOND})了?(?![与和、，,]|是否)"
)
_BRACKETS: Final = re.compile(r" ?\([^()]*\)|（[^（）]*）")
_ZH_AGAIN: Final = re.compile(
    r"是否[^。？！?；]*(?:[。；，,]?(?:同时|此外|并且|以及|还)[，,]?(?:应|需|要|还)?[^。？！?，,]{0,8}是否)"
)

_VAGUE: Final = re.compile(
    r"\b(?:good|great|nice|decent|adequate(?:ly)?|appropriate(?:ly)?|reasonabl[ey]|proper(?:ly)?"
    r"|suitabl[ey]|sufficient(?:ly)?|"
    r"satisfactor(?:y|ily)|well[- ](?:written|done|made|structured|organi[sz]ed)|high[- ]quality|quality"
    r"|effective(?:ly)?|"
    r"interesting|useful|helpful|comprehensive(?:ly)?|thorough(?:ly)?|professional(?:ly)?)\b",
    re.IGNORECASE,
)
_ZH_VAGUE: Final = re.compile(
    "合理|适当|恰当|充分|足够|良好|较好|优秀|高质量|到位|全面|专业(?!术语|人士|知识|背景|领域|学习|词汇)|有效(?!性的?(?:分析|评估|探讨))|得当|完善"
)
# What makes a vague word concrete: a number, an example, a list, a named thing, a reason.
_SPECIFIC: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|each|every)\b|\be\.g\.|\bi\.e\."
    r"|\bfor example\b|\bsuch as\b|\bincluding\b|\bby \w+ing\b|\bso that\b|\bthat\b|\bwhich\b|\bbecause\b"
    r"|[(\[:;\"“”‘—–,]|(?<!^)\b[A-Z][a-z]",
)
_ZH_SPECIFIC: Final = re.compile(
    r"\d|如|例|包括|即|等|通过|使(?!用)|以便|、|[（(：:；“”《\"，,]|[A-Za-z]{2,}|是否[^。]*是否"
)
# A longer text is too long anyway.
_LOOKED_AT: Final = 2_000
_SHORT: Final = 14
_ZH_SHORT: Final = 26

_ERRORS: Final = (
    "errors?|mistakes?|contradictions?|fabrications?|hallucinations?|falsehoods?|inaccuracies|typos?|filler"
    "|plagiarism|bias"
)
_FAULTS: Final = (
    r"(?:fails? to|omits?|ignores?|neglects?|overlooks?|invents?|fabricates?|hallucinates?"
    r"|contradicts? itself|misstates?|"
    r"misrepresents?|mislabels?|misattributes?|misquotes?|exaggerates?|plagiari[sz]es?|copies|lacks?|"
    r"(?:contains?|includes?|has|makes?|presents?) (?:any |some |many |several |factual |serious |major "
    r"|significant |obvious |"
    r"unsupported |false |incorrect |irrelevant |misleading |fabricated |invented )*"
    rf"(?:{_ERRORS})|"
    r"(?:is|are) (?:too |overly |very |largely |mostly )?(?:vague|verbose|misleading|unclear|incorrect"
    r"|wrong|off-topic|biased|"
    r"incoherent|irrelevant|confusing|unsupported|inaccurate|repetitive|superficial)|"
    r"(?:incorrectly|wrongly|falsely|mistakenly|erroneously|inaccurately) \w+)"
)
_FAULT: Final = re.compile(
    rf"^(?:(?:if|whether|does|do|is it true that) )?(?:{_SUBJECT} )?(?:\w+ly )?{_FAULTS}\b(?!-free)",
    re.IGNORECASE,
)
_ZH_FAULT: Final = re.compile(
    "^(?:是否)?(?:(?:该|此|本)?(?:报告|回答|文章|文本|论文|答案|内容|作者))?(?:是否)?(?:未能|遗漏|忽略|忽视|捏造|编造|虚构|杜撰|歪曲|误读|错误地|"
    "(?:存在|包含|含有|出现)[^，。]{0,6}(?:错误|矛盾|谬误|偏见|抄袭|错别字)|缺乏|缺少|自相矛盾|跑题|偏题)"
)
_ANY_FAULT: Final = re.compile(
    r"\b(?:fail|omit|ignor|neglect|invent|fabricat|hallucinat|contradict|mis\w+|wrong|false|incorrect"
    r"|inaccura|err(?:or|s)|mistak|"
    r"unsupport|unverif|irrelevan|unrelat|excess|verbos|redundan|repetit|lack|missing|without|not|no|never"
    r"|only|merely|instead|rather|"
    r"outdated|obsolete|vague|generic|bias|plagiar|copie|overstat|understat|exaggerat|over\w+|too|unneces"
    r"|needless|unclear|confus|"
    r"assum|specul|guess|claim|alleg|harm|danger|unsafe|toxic|rude|conflat|blur|leak|reveal|trivial"
    r"|superficial|padding|filler|"
    r"distort|downplay|dismiss|stray|drift|digress|tangent|uncited|un\w+ed)\w*",
    re.IGNORECASE,
)
_ZH_ANY_FAULT: Final = re.compile(
    "错|误|未|没|不|无|缺|漏|忽|编造|捏造|虚构|矛盾|冗|重复|过度|过于|仅|只|偏|空泛|含糊|夸大|歪曲|抄|跑题|多余|脱离|混淆|臆|伪|假|片面|笼统"
)
# What is good whatever it is about. "Provides medical advice" is not: under a negative weight it is what should not be.
_MERITS: Final = (
    r"(?:(?:a|an|the|any|some|many|all|its|their|at least \w+|strong|sufficient|concrete|specific|relevant) ){0,3}"
    r"(?:(?:accurate|correct|credible|reliable|reputable|peer-reviewed|trustworthy|authoritative|balanced"
    r"|evidence-based)\b"
    r"|(?:sources?|citations?|references?|evidence)[.!]?$)"
)
_MODAL: Final = r"(?:(?:should|must|needs to|has to) )?"
_PRAISE: Final = re.compile(
    rf"^(?:{_SUBJECT} )?{_MODAL}(?:(?:clearly|correctly|accurately|properly|explicitly|thoroughly|fully"
    rf"|well|effectively|convincingly) (?:{_THIRD}|{_BARE})"
    rf"|(?:cites?|provides?|gives?|uses?|includes?|offers?|draws?|presents?|maintains?) (?={_MERITS})"
    rf"|(?:is|are) (?:clear|accurate|correct|coherent|concise|well-(?:\w+)|logically \w+|easy to (?:read"
    rf"|follow|understand)|balanced|"
    rf"factual|objective)\b)",
    re.IGNORECASE,
)
# Faults that are kept out: good to meet, so that a negative weight punishes the merit.
_KEPT_OUT: Final = re.compile(
    rf"^(?:{_SUBJECT} )?{_MODAL}(?:(?:successfully |carefully )?(?:avoids?|refrains? from)\b"
    rf"|(?:is|are|be) (?:entirely |completely )?free (?:of|from)\b"
    rf"|(?:contains?|includes?|has|have|makes?|shows?) no (?:\w+ )?(?:{_ERRORS})\b"
    rf"|(?:does|do|should|must) not (?:contain|include|have|make|show|present) (?:any )?(?:\w+ )?(?:{_ERRORS})\b"
    r"|(?:does|do|should|must) not (?:fabricate|invent|hallucinate|plagiari[sz]e|misrepresent|misstate"
    r"|misattribute|exaggerate|mislead)\b)",
    re.IGNORECASE,
)
# To avoid these is a fault.
_WANTED: Final = re.compile(
    r"\b(?:avoids?|refrains? from) (?:\w+ly )?(?:\w+ing\b(?! (?:any |un|over|mis|false|irrelevant|personal"
    r"|jargon|tech))|(?:the|a|an|any|all) (?:question|topic|issue|answer|prompt|comparison|"
    r"recommendation|conclusion|subject|trade-?offs?))|避免(?:了)?(?:回答|讨论|提及|给出|谈)",
    re.IGNORECASE,
)
_ZH_KEPT_OUT: Final = re.compile(
    "^(?:(?:该|此|本)?(?:报告|回答|文章|答案))?(?:成功|有效|应|应当|必须)?(?:避免了?|没有(?:出现|任何|包含)?[^，。]{0,6}(?:错误|矛盾|编造|捏造|遗漏)"
    "|不存在[^，。]{0,6}(?:错误|矛盾|编造|捏造|遗漏))"
)
_ZH_PRAISE: Final = re.compile(
    "^(?:(?:该|此|本)?(?:报告|回答|文章|答案))?(?:清晰|准确|正确|充分|明确|完整|详细|深入|全面|有效|合理)地?(?:"
    + _ZH_VERBS
    + ")"
)

# Heads of titles: qualities by name, without anything that could be looked for.
_QUALITIES: Final = frozenset(
    """accuracy appropriateness balance breadth clarity coherence completeness comprehensiveness conciseness
    consistency correctness coverage creativity depth detail effectiveness flow format formatting fluency
    grammar helpfulness innovation insight insightfulness integration language logic logical nuance objectivity
    organization organisation originality overall precision presentation professionalism quality readability
    relevance reliability rigor rigour soundness sophistication strength structure style synthesis thoroughness
    tone usefulness utility validity writing content report response answer analysis article text paper good
    great excellent high strong clear general strategic critical effective""".split()
)
_ZH_QUALITIES: Final = re.compile(
    "(?:报告|文章|内容|整体|总体|回答|论述|分析|表达|语言|行文|写作|信息|逻辑|结构|数据|质量|水平|程度|深度|广度|清晰度|清晰性|准确性|准确度|完整性|全面性|"
    "可读性|流畅性|流畅度|连贯性|一致性|专业性|专业度|严谨性|合理性|创新性|前瞻性|洞察力|相关性|针对性|覆盖度|条理性|规范性|组织|呈现|展现|效果|的|与|和|及|性|度|、)+"
)


def double_demand(text: str) -> str | None:
    """Return the verb or words at which a second verifiable demand begins, or None."""
    text = _BRACKETS.sub("", text[:_LOOKED_AT])
    if has_cjk(text):
        found = _ZH_AGAIN.search(text)
        if found:
            return "是否 … 是否"
        found = _ZH_TWO.search(text)
        return found["b"] if found else None
    for pattern in (_TWO_THIRD, _TWO_QUESTION, _TWO_SHOULD, _TWO_IMPERATIVE):
        found = pattern.search(text)
        if found and not {found["a"].lower(), found["b"].lower()} & _FRAME:
            return f"and {found['b'].lower()}"
    return None


def vague_word(text: str) -> str | None:
    """Return a vague word that is all the measure a criterion gives, or None.

    The text is short and names nothing specific.
    """
    if has_cjk(text):
        short, vague, specific = count_words(text) <= _ZH_SHORT, _ZH_VAGUE, _ZH_SPECIFIC
    else:
        short, vague, specific = count_words(text) <= _SHORT, _VAGUE, _SPECIFIC
    found = vague.search(text) if short else None
    return found[0] if found and not specific.search(text) else None


def is_fault(text: str) -> bool:
    """Return whether any word of a text names a fault."""
    return (_ZH_ANY_FAULT if has_cjk(text) else _ANY_FAULT).search(text) is not None


def fault_phrase(text: str) -> str | None:
    """Return the fault that a criterion names as its whole demand, or None."""
    found = (_ZH_FAULT if has_cjk(text) else _FAULT).search(text.strip())
    return found[0] if found else None


def praise_phrase(text: str) -> str | None:
    """Return the merit that a criterion names as its demand, where nothing in it sounds like a fault, or None.

    To keep a fault out ("avoids jargon", "contains no errors") is a merit too.
    """
    text = text.strip()
    kept_out = (_ZH_KEPT_OUT if has_cjk(text) else _KEPT_OUT).search(text)
    # "Avoids naming the risks", "does not include" what is wanted: what is kept out there is no fault.
    if kept_out and not _WANTED.search(text):
        return kept_out[0].strip()
    found = (_ZH_PRAISE if has_cjk(text) else _PRAISE).search(text)
    return found[0].strip() if found and not is_fault(text) else None


def has_observable(text: str) -> bool:
    """Return whether a criterion names anything observable besides qualities."""
    if has_cjk(text):
        return _ZH_QUALITIES.fullmatch(text.strip(" 。，")) is None
    words = [word.lower() for word in re.findall(r"[A-Za-z][A-Za-z'-]*", text)]
    return any(word not in _QUALITIES and word not in _GLUE for word in words) or any(map(str.isdigit, text))


_GLUE: Final = frozenset(
    "a an and the of in for with to is are be its it or & well very how has have".split()
)
