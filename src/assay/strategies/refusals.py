"""Replies that are no answer: the model declines, or goes round in circles."""

from __future__ import annotations

import re
from typing import Final

# Longer replies that begin like a refusal go on to say something.
_LONGEST: Final = 800
_TAIL: Final = 4000
_SHORTEST_LOOP: Final = 200
_SHINGLE: Final = 16

_SORRY: Final = (
    r"(?:(?:i['’]?\s?a?m\s(?:very\s|truly\s|really\s|so\s)?sorry|sorry|i\sapologi[sz]e|(?:my\s)?apologies|unfortunately|i\sregret)"
    r"[^.!?\n]{0,60}?[,.;:—–-]?\s{0,3}(?:but\s|that\s)?)"
)
_AS_AI: Final = r"(?:as\san?\s(?:ai|artificial\sintelligence|large\slanguage\smodel|language\smodel|assistant)\b[^.,!?\n]{0,60},?\s)"
_CANNOT: Final = (
    r"i(?:\s(?:really|simply|just))?(?:\s(?:cannot|can\s?not|can['’]?t|won['’]?t|will\snot|must\sdecline\sto|have\sto\sdecline\sto|decline\sto)"
    r"|(?:['’]?\s?a?m)\s(?:unable|not\sable|not\spermitted|not\sallowed)\sto)"
)
# What only a refusal says one cannot do.
_HELP: Final = (
    r"(?:help\s(?:you|with)|assist|comply|fulfil+|participate|engage\s(?:with|in)|continue\swith\sthis|do\s(?:that|this)"
    r"|support\s(?:that|this)|(?:respond\sto|answer|process|complete|discuss)\s(?:that|this|your|the)\s(?:request|question|prompt|topic|task|content))\b"
)
# What a review may say one cannot do as well; a refusal only behind an apology.
_JUDGE: Final = r"(?:judge|evaluate|assess|rate|score|grade|review|rank|compare|provide|give|offer|generate|create|discuss|answer|process)\b"
_ENGLISH: Final = re.compile(
    rf"(?:{_SORRY})?(?:{_AS_AI})?(?:{_SORRY})?{_CANNOT}\s{_HELP}"
    rf"|(?:{_SORRY}|{_AS_AI})+{_CANNOT}\s(?P<weak>{_JUDGE})"
    r"|i\s(?:must|have\sto|need\sto)\s(?:respectfully\s)?(?:decline|refuse)\b",
    re.IGNORECASE,
)
_SORRY_ZH: Final = r"(?:(?:非常|很|十分|真的)?(?:抱歉|对不起|遗憾|不好意思)[,，。!！、\s]{0,3}(?:但是?)?)"
_AS_AI_ZH: Final = r"(?:作为(?:一[个名款])?(?:AI|人工智能|大?语言模型)[^,，。\n]{0,20}[,，]?\s?)"
_CANNOT_ZH: Final = r"(?:我|本模型|本助手)?(?:目前|暂时|现在)?(?:无法|不能|不可以|没法|没有办法|不便|拒绝)"
_ENGLISH_OR_ZH_WHO: Final = r"(?:为|向|给|对|就)?(?:您|你|此|这个|该)?"
_HELP_ZH: Final = r"(?:协助|帮助|提供(?:帮助|协助|支持)|满足(?:您|你|这|该|此)|参与|配合|(?:回答|处理|完成|执行|回应|讨论|继续)(?:您|你|这个|这一|该|此))"
_JUDGE_ZH: Final = (
    r"(?:提供|回答|评价|评判|评审|评估|打分|评分|比较|排序|处理|完成|讨论|给出(?:评分|评价|判断|结论|答案))"
)
_CHINESE: Final = re.compile(
    rf"(?:{_SORRY_ZH}|{_AS_AI_ZH}){{0,2}}{_CANNOT_ZH}{_ENGLISH_OR_ZH_WHO}{_HELP_ZH}"
    rf"|(?:{_SORRY_ZH}|{_AS_AI_ZH}){{1,2}}{_CANNOT_ZH}{_ENGLISH_OR_ZH_WHO}(?P<weak>{_JUDGE_ZH})",
    re.IGNORECASE,
)
# A model held to a schema declines inside the first text of the object.
_INSIDE: Final = re.compile(r"""\s*+(?:\{\s*+["']\w{1,60}+["']\s*+:\s*+(?:\[\s*+)?+["']\s*+)?+""")
_DIGITS: Final = re.compile(r"\d++")


def is_refusal(text: str) -> bool:
    """Whether a reply that holds no verdict declines to give one.

    Only short replies that begin with the phrases of a refusal: "I cannot find evidence" is a finding, and so is "I'm
    sorry to say that I cannot give more than 2".
    """
    if len(text) > _LONGEST:
        return False
    inside = _INSIDE.match(text)
    start = inside.end() if inside else 0
    for pattern in (_ENGLISH, _CHINESE):
        found = pattern.match(text, start)
        if found is not None:
            return not (found.groupdict().get("weak") and _DIGITS.search(text, start))
    return False


def repeats_itself(text: str) -> bool:
    """Whether a reply ends in a loop: hardly any run of characters near its end is there only once."""
    # A loop may count.
    tail = _DIGITS.sub("0", text[-_TAIL:])
    count = len(tail) - _SHINGLE + 1
    if len(tail) < _SHORTEST_LOOP:
        return False
    return len({tail[at : at + _SHINGLE] for at in range(count)}) * 5 <= count
