"""Criteria without their examples, for the ablation of what examples do to agreement (ResearchRubrics, section 4.4).

Taken out are enumerations that only illustrate: brackets that open with "e.g." or its like, whose list ends in "etc." or 等, or
that number alternatives ("(1) … or (2) …"; with "and" they are demands), and clauses behind "such as", "for example", 例如,
如. What stays is still a sentence. Where it would not be one, or where the enumeration's end
cannot be separated from the rest of the demand, the text stays as it is: better to keep an example than to lose a
demand.
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

import msgspec

from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.tasks import RubricSet
from assay.text.words import count_words, has_cjk

_T = TypeVar("_T", Rubric, RubricSet)

# What a rubric without its examples is called besides, so that results of both can stand side by side.
SUFFIX: Final = "-no-examples"
_LONGEST_NAME: Final = 64
# A longer text is not a criterion, and would take time.
_LONGEST: Final = 5_000
# Removing one example may expose another; a text that needs more rounds is not a criterion either.
_MOST_ROUNDS: Final = 12
# At least this many words, or Chinese characters, must stay.
_LEAST: Final = 2

# ---- English

_EG: Final = r"(?:e\.\s?g\b\.?|eg\b\.?|for example\b|for instance\b|such as\b|for illustration\b)"
# Possessive: where the bracket never closes, nothing is tried twice.
_INNER: Final = r"[^()]*+(?>(?:\([^()]*+\)[^()]*+)*)"
_BRACKET: Final = re.compile(rf"\s*\((?:{_EG}|like\b|examples?:|examples include\b){_INNER}\)", re.IGNORECASE)
# Any bracket: whether its content only illustrates is seen from its list.
_ANY_BRACKET: Final = re.compile(rf"\s*\((?P<list>{_INNER})\)")
_OPEN_LIST: Final = re.compile(
    r"^[^,;]+[,;].*\b(?:etc\b\.?|et cetera|and so (?:on|forth)|(?:and|or) the like|or similar)\s*$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED: Final = re.compile(
    r"^\s*(?:(?:either|i\.?\s?e\.?,?)\s+)?\((?:1|a|i)\).*\bor\s+\((?:\d|[b-h]|[ivx]+)\)", re.DOTALL
)
_SQUARE: Final = re.compile(rf"\s*\[(?:{_EG}|examples?:)[^\[\]]*\]", re.IGNORECASE)
# "(three models, e.g. A and B)": the bracket stays, its examples go.
_IN_BRACKET: Final = re.compile(rf"(?<=[^\s(])(?:[,;:–—]| -)?\s*\b{_EG}{_INNER}(?=\))", re.IGNORECASE)
_SENTENCE: Final = re.compile(
    r"(?<=[.!?])\s+(?:for example|for instance|e\.g\.),?\s[^.!?]*(?:\.(?=\w)[^.!?]*)*[.!?]+(?=\s|$)",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"(?P<comma>,)?\s+(?P<cue>such as|for example|for instance|e\.g\.)(?P<soft>,|:)?\s+(?P<list>[^.;:?!()—–\[\]]+"
    r"(?:\.(?=\w)[^.;:?!()—–\[\]]*)*)(?P<end>[.;?!)—–]|$)",
    re.IGNORECASE,
)
_FINITE: Final = (
    r"(?:is|are|was|were|has|have|had|does|do|should|must|can|could|will|would|may|might|need|needs)"
)
# Where, behind a comma, the sentence goes on after the enumeration.
_RESUMES: Final = re.compile(
    rf",\s+(?P<verb>{_FINITE}\b(?! (?:not )?\w+ing\b,))|,\s+(?=(?:rather than|instead of|as opposed to"
    rf"|while|whereas|so that|in order"
    r"|thereby|thus|ensuring|allowing|making|showing|with|without|based on|because|since|when|where|which"
    r"|who|if|whether"
    r"|necessary|required|needed|relevant|but|not|and not|nor|even|especially|particularly|along with"
    r"|together with|as well as"
    rf"|(?:and|or) (?:if|whether|how|why|that|when|{_FINITE}|(?:also |then |\w+ly )?(?!as\b|\w*(?:ss|us|is"
    rf"|ics)\b)[a-z]{{2,}}s"
    r"(?= (?:the|a|an|how|why|that|whether|its|their|them|it|each|at|any|all|both|no|one|two|three)\b)))\b)",
    re.IGNORECASE,
)
# Where it may go on without one: the end of the enumeration is not to be seen.
_UNCLEAR: Final = re.compile(
    rf"\b(?:{_FINITE}|when|if|unless|whether|because|so that|in order to|that|which|who|while|whereas"
    rf"|rather than|instead of|as opposed"
    r"|and (?:explains?|discuss(?:es)?|states?|gives?|provides?|describes?|identif(?:y|ies)|shows?"
    r"|compares?|recommends?|uses?"
    r"|cites?|mentions?|includes?|how|why)"
    r"|to (?:explain|show|support|reduce|avoid|improve|help|make|illustrate|demonstrate|justify|achieve"
    r"|ensure|enhance|provide"
    r"|give|meet|address|answer|compare|assess|evaluate|reach|increase|build|create|inform|guide))\b",
    re.IGNORECASE,
)
# Heads that say nothing by themselves: "includes aspects such as cost" is not "includes aspects".
_HOLLOW: Final = re.compile(
    r"(?:^|\b(?:includ\w+|covers?|covering|addresses|considers?|discuss(?:es)?|mentions?|lists?|names?"
    r"|provides?|like|of|in|on|about|for|with|by|to"
    r"|through|from|and|or|into|across|at least \w+|one|some|any|other|specific|key|relevant|various"
    r"|different|several|many|the|these|those))"
    r"\s+(?:aspects?|areas?|factors?|things?|elements?|issues?|ones?|those|criteria|features?|details?"
    r"|items?|points?|topics?"
    r"|information|examples?|options?|terms?|words?|phrases?|names?|something|someone)$|\b(?:by|of|with|as"
    r"|to|in|on|for|from|and|or|is|are|be|the|a|an|than)$",
    re.IGNORECASE,
)

# ---- Chinese

# 如 that opens a condition and not an example.
_IF: Final = (
    r"(?!何|果|有(?!机|色|线|限|氧|关)|需(?!求)|实(?!验|体|施|时|地|物|践)|期|此|下|上(?!市|海|游)|同|今|无(?!人|线|机|监督)|适用|能(?!源|力|耗|量)"
    r"|为|涉及|可(?:能|行|以|用)|是(?!否)|若|前述|存在|未|没|不(?!同|良|平|确定))"
)
_ZH_WORD: Final = r"(?:例如|比如|譬如|诸如)"
_ZH_INNER: Final = r"[^（）()]*+(?>(?:[（(][^（）()]*+[）)][^（）()]*+)*)"
_ZH_BRACKET: Final = re.compile(rf"\s*[（(](?:{_ZH_WORD}|如{_IF}|例[：:]){_ZH_INNER}[）)]")
_ZH_ANY_BRACKET: Final = re.compile(rf"\s*[（(](?P<list>{_ZH_INNER})[）)]")
_ZH_OPEN_LIST: Final = re.compile(r"^[^、，,；;]+[、，,；;].*(?:等等?|之类)\s*[。.]?\s*$", re.DOTALL)
_ZH_NUMBERED: Final = re.compile(
    r"^\s*(?:[（(]?[1一][）)、.．]|①).*(?:或者?|或是)\s*(?:[（(]?[2-9二三四五六七八九][）)、.．]|[②-⑨])",
    re.DOTALL,
)
_ZH_IN_BRACKET: Final = re.compile(
    rf"(?<=[^（(，,、])[，,；;]?(?:{_ZH_WORD}|(?<=[，,；;])如{_IF}){_ZH_INNER}(?=[）)])"
)
_ZH_SENTENCE: Final = re.compile(rf"(?<=[。！？；])\s*{_ZH_WORD}[，,：:]?[^。！？；]+[。！？；]")
_ZH_PART: Final = r"[^，,。；;？！?!（）()]*+(?>(?:[（(][^（）()]*+[）)][^，,。；;？！?!（）()]*+)*)"
_ZH_CLAUSE: Final = re.compile(
    rf"[，,](?:(?P<word>{_ZH_WORD})[，,：:]?|如{_IF})(?P<list>{_ZH_PART}(?>(?:[，,](?:或|以及|及|和|还是"
    rf"|、){_ZH_PART})*))(?=(?P<end>[，,。；;？！?!]|$))"
)
# What goes on with the demand behind the enumeration's comma.
_ZH_RESUMES: Final = re.compile(
    "[，,](?:并|且|而|但|从而|进而|以便|以(?!及)|使|是否|能|应|需|展现|展示|体现|反映|确保|还|同时|则|这|其|来|说明|提供|提出|为|避免|让|帮助|增强|便于|不仅|最终|均|都|也)"
)

_ZH_HEAD: Final = re.compile("[在当对若].*[时中后下前]$")
# A second question of the same kind behind the first.
_ZH_MORE: Final = re.compile("[？?]\\s*(?:如何|怎样|怎么|为何|为什么|哪|是什么|什么)")


def without_examples(text: str) -> str:
    """Return a criterion's text without its examples.

    Doing it twice changes nothing more, and a text of nothing but examples stays as it is.

    >>> without_examples("Names two risks (e.g., cost, delay) of the plan.")
    'Names two risks of the plan.'
    >>> without_examples("是否说明主要成本（如人工、材料等）的变化")
    '是否说明主要成本的变化'
    """
    return _without(text, _LEAST)


def _without(text: str, least: int) -> str:
    if len(text) > _LONGEST:
        return text
    found = text
    for _ in range(_MOST_ROUNDS):
        once = _once(found)
        if once == found:
            return found if found == text or count_words(found) >= least else text
        found = once
    return text


def strip_examples(rubric: _T) -> _T:
    """Return a rubric, or all of a set, with criteria that have lost their examples.

    Keys stay, so that results can be compared.
    """
    if isinstance(rubric, RubricSet):
        tasks = {
            key: msgspec.structs.replace(task, rubric=_stripped(task.rubric))
            for key, task in rubric.tasks.items()
        }
        return msgspec.structs.replace(rubric, name=_named(rubric.name), tasks=tasks)
    return msgspec.structs.replace(_stripped(rubric), name=_named(rubric.name))


def _named(name: str) -> str:
    return name if name.endswith(SUFFIX) else name[: _LONGEST_NAME - len(SUFFIX)] + SUFFIX


def _stripped(rubric: Rubric) -> Rubric:
    return msgspec.structs.replace(rubric, criteria=tuple(map(_bare, rubric.criteria)))


def _bare(criterion: Criterion) -> Criterion:
    asks = without_examples(criterion.asks)
    title = criterion.title
    if title.endswith("…") and criterion.asks.startswith(title[:-1]):
        # The head of the text: of the new one, where they differ there.
        title = title if asks.startswith(title[:-1]) else _head(asks, len(title))
    elif title:
        title = _without(title, 1)
    return msgspec.structs.replace(
        criterion, asks=asks, asks_zh=without_examples(criterion.asks_zh), title=title
    )


def _head(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _once(text: str) -> str:
    found = text
    if has_cjk(text):
        for pattern in (_ZH_BRACKET, _ZH_IN_BRACKET, _ZH_SENTENCE):
            found = pattern.sub(_gone, found)
        found = _ZH_ANY_BRACKET.sub(_zh_listed, found)
        found = _ZH_CLAUSE.sub(_zh_clause, found)
    # What opens and never closes is tried at every word.
    bracketed = (_BRACKET, _SQUARE, _IN_BRACKET) if re.search(r"[)\]]", found) else ()
    for pattern in (*bracketed, _SENTENCE):
        found = pattern.sub(_gone, found)
    if bracketed:
        found = _ANY_BRACKET.sub(_listed, found)
    found = _CLAUSE.sub(_clause, found)
    if found == text:
        return text
    found = re.sub(r"[（(]\s*[）)]", "", found)
    found = re.sub(r"\s+([,.;:?!，。；：？！])", r"\1", found)
    return re.sub(r" {2,}", " ", found).strip()


def _gone(match: re.Match[str]) -> str:
    """Nothing – unless nothing stood before it, and so it is all there is."""
    before = match.string[: match.start()].rstrip()
    return "" if before and before[-1] not in "(（[" else match[0]


def _listed(match: re.Match[str]) -> str:
    """Return nothing for a bracket whose list is open or offers alternatives, otherwise the bracket."""
    listed = match["list"]
    return _gone(match) if _OPEN_LIST.search(listed) or _NUMBERED.search(listed) else match[0]


def _zh_listed(match: re.Match[str]) -> str:
    """Return the same of a Chinese bracket."""
    listed = match["list"]
    return _gone(match) if _ZH_OPEN_LIST.search(listed) or _ZH_NUMBERED.search(listed) else match[0]


def _clause(match: re.Match[str]) -> str:
    """Return the rest of a sentence after the examples in it have been cut out."""
    before = match.string[: match.start()]
    if (
        not before.strip()
        or _HOLLOW.search(before.rstrip().rstrip(","))
        or before.count("(") > before.count(")")
    ):
        return match[0]
    if match["cue"].lower() != "such as" and not (match["comma"] or match["soft"]):
        return match[0]
    text, end = match["list"], match["end"]
    resumes = _RESUMES.search(text)
    listed = text[: resumes.start()] if resumes else text
    if _UNCLEAR.search(listed):
        return match[0]
    if resumes is None:
        return end
    rest = text[resumes.start() :]
    if resumes["verb"]:
        rest = " " + rest.lstrip(", ")
    return rest.rstrip() + end if end else rest


def _zh_clause(match: re.Match[str]) -> str:
    """Return an empty string if the end of the enumeration is clear, otherwise the match unchanged."""
    listed, end = match["list"], match["end"]
    if not listed.strip() or (not match["word"] and not re.search("、|等", listed)):
        return match[0]
    asked_on = end in "？?" and _ZH_MORE.match(match.string, match.end())
    if (
        asked_on
        or _ZH_HEAD.match(listed)
        or (end in "，," and listed.startswith("是否") and "等" not in listed)
    ):
        return match[0]  # only the head of the example: the rest stands behind the comma, or is asked next
    if end and end in "，," and not _ZH_RESUMES.match(match.string, match.end()):
        return match[0]
    return "" if match.string[: match.start()].strip() else match[0]
