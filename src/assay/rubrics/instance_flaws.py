"""What is wrong with the items of an instance rubric, by rule: without a model, and only where it is sure.

The paper's annotators check that "the guiding question targets the intended dimension, the good/bad examples are
consistent with that question, and the span hints point to inspectable regions" (ReportLogic, appendix C.2). A rule sees
less: whether a question compares, names a topic of this pair, and differs from the others; whether examples differ and
speak to it; whether a hint names something that can be looked for; whether all of it reads the same when A and B change
places. Messages are written so that a model can mend what they name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.rubrics.instance import InstanceCriterion
from assay.text.bilingual import Bilingual, listed, message
from assay.text.generic_words import GENERIC
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms, has_cjk, stem

COUNT: Final = len(DIMENSION_KEYS)
_MESSAGES: Final = PhraseFile("assay.rubrics", "instance_flaw_messages")
# A word of the reports names a topic only where it comes back; a word of the query does in any case.
_OFTEN: Final = 2
# Bigrams across the border of two words meet by chance; so do single words of a long report.
_AT_LEAST: Final = 3
# Two questions that share so many of their words ask the same.
_SAME: Final = 0.9
# Words of a hint in quotation marks, from this many on, are a quotation of a report and no example of a cue.
_QUOTATION: Final = 5
_QUOTATION_CJK: Final = 10
# Stems are cut so that "explains" and "explanation" meet.
_PREFIX: Final = 5

# The vocabulary of logic itself: what every question may say, and so names no topic.
_LOGIC: Final = frozenset(
    stem(word)
    for word in """
    accuracy adequate adequately alternative argue argues argument argumentation arguments assertion
    assertions assumption
    assumptions background balanced body bridge bridges bridging caveat caveats central citation citations
    cite cites clarity clear
    clearer clearly cogent coherence coherent compare compared comparing concept concepts concise conclusion conclusions
    concrete condition conditions conflict conflicts connected connects consistency consistent consistently
    contradiction
    contradictions convincing counterargument counterexample counterpoint counterpoints credible data
    definition definitions
    document essay evidence evidenced example examples exception exceptions explains explanation explanations explicit
    explicitly figure figures final finding findings flow focused followed follows grounded header heading
    headings hedge hedges idea
    ideas inference introduce introduced introduces introduction justified justifies justify limitation
    limitations limits link
    linked links logic logical logically mechanism mechanisms narrative number numbers opening opinion
    organised organized outline
    overall paragraph paragraphs persuasive position precise premise premises presents qualified qualifier
    qualifiers query
    question reader readers reasonable reasoned reasoning reasons recommendation references relation
    relevance relevant reliable
    report reports response responses rigorous section sections sentence sentences smooth smoother smoothly sound source
    sources specific stance stances stated statement statements states stronger structure structured
    substantiated sufficient
    sufficiently summary supported supports term terms text texts thesis thread topic traceable transition transitions
    uncertainty unsupported viewpoint views warrant warrants weaker
    """.split()
)
_LOGIC_ZH: Final = re.compile(
    "哪一|哪份|哪篇|哪个|一份|份报|报告|文本|文章|论证|论点|论据|论述|论断|逻辑|清楚|清晰|明确|证据|数据|结论|观点|立场|一致|连贯|段落|句子|章节|标题"
    "|引用|来源|例子|例证|概念|定义|术语|背景|过渡|衔接|推理|因果|前提|假设|条件|限定|反例|例外|质疑|局限|核心|主要|中心|主张|问题|内容|结构|更加|更好"
    "|更强|更具|更为|是否|充分|具体|相关|合理|完整|支持|支撑|说明|解释|提出|给出|比较|对比|方面|表达|自相|矛盾|开头|结尾|直接|回答|读者|理解|提供|使用"
)

_LABEL: Final = r"(?-i:[AB])\b"
# Both sides in one breath, which reads the same the other way round.
_BOTH: Final = re.compile(
    r"(?:\b(?:reports?|texts?|responses?|documents?|answers?|versions?)\s+)?(?-i:\bA)\s*(?:,?\s*(?:and|or"
    r"|vs\.?|versus|with|to|against)\s+|\s*/\s*|&)"
    r"(?:(?:report|text|response|document|answer|version)\s+)?(?-i:B)\b"
    r"|(?:报告|文本|文章|文档)?\s*A\s*(?:和|与|或|、|还是|对比|及|跟|/)\s*(?:报告|文本|文章|文档)?\s*B",
    re.IGNORECASE,
)
_EITHER_SIDE: Final = re.compile(
    r"\b(?:which|whose|what)\s+(?:\w+\s+){0,2}?(?:of\s+the\s+two|reports?|texts?|responses?|documents?"
    r"|answers?|one|sides?|version)\b"
    r"|\b(?:between|comparing|compare)\b[^.?]{0,40}\b(?:two|both)\b|\b(?:the\s+two|both)\s+(?:reports|texts"
    r"|responses|documents|answers)\b"
    r"|\beither\s+(?:report|text|response|document|answer|side)\b"
    r"|哪[一]?[份篇个方者边]|谁更|两[份篇者]|二者|双方",
    re.IGNORECASE,
)
_COMPARES: Final = re.compile(
    r"\b(?:which|whose|compar\w+|versus|vs\.?|than|better|best|worse|stronger|weaker|more|less|fewer"
    r"|\w{3,}er)\b|哪|谁|更|相比|比较|对比|优于|孰",
    re.IGNORECASE,
)
_ONE_SIDE: Final = re.compile(
    rf"\b(?:report|text|response|document|answer|version)\s+{_LABEL}"
    r"|\b(?-i:[AB])['’]s\b"
    rf"|\b(?:in|of|than|from|unlike|whereas|while)\s+{_LABEL}(?=\s*[,.;:)]|\s*$|\s+(?:is|does|has|gives"
    rf"|cites|states|uses|says|but|and|the|it|only)\b)"
    r"|(?:报告|文本|文章|文档)\s*[AB](?![A-Za-z])",
    re.IGNORECASE,
)

# What a reader can look for in a text: kinds of cues.
_CUES: Final = re.compile(
    r"\b(?:figures?|numbers?|percent\w*|statistics?|dates?|years?|units?|totals?|tables?|charts?|formulas?"
    r"|data|datasets?|estimates?|rates?|prices?"
    r"|citations?|cit(?:e|es|ed|ing)|sources?|references?|footnotes?|links?|urls?|studies|study|surveys?"
    r"|papers?|quotations?|quotes?"
    r"|headings?|headers?|titles?|sections?|subsections?|bullets?|lists?|outlines?|paragraphs?|sentences?"
    r"|lines|openings?|introductions?"
    r"|introductory|beginning|first|start|conclusions?|concluding|closing|ending|last|final|summary"
    r"|summaries|executive|abstracts?|thesis"
    r"|connectives?|connectors?|transitions?|transitional|bridging|signpost\w*|because|therefore|however"
    r"|thus|hence|although|but|while|since"
    r"|if|then|leads?\sto|due\sto|results?\sin|words?|phrases?|wording|verbs?|terms?|terminology"
    r"|definitions?|defin(?:e|es|ed|ing)|acronyms?"
    r"|qualifiers?|hedg\w+|hedges|caveats?|may|might|could|likely|probably|uncertain\w*|limitations?"
    r"|assumptions?|conditions?|conditionals?"
    r"|exceptions?|counter\w+|objections?|disclaimers?|examples?|cases?|scenarios?|named|names|claims?"
    r"|statements?|explanations?|mechanisms?"
    r"|comparisons?|contrasts?|rankings?|recommendations?|order|sequence|repeated|repetitions?|restat\w+"
    r"|contradict\w+|cues?|markers?|signals?)\b"
    r"|数字|数据|数值|百分比|比例|比率|年份|日期|表格|图表|统计|引用|引文|出处|来源|文献|脚注|链接|研究|调查|报告编号|标题|小标题|章节|段落|句子|首句|段首|段尾"
    r"|首段|开头|开篇|引言|导语|结尾|结论|末段|总结|摘要|关联词|连接词|过渡|衔接|因为|所以|因此|然而|但是|如果|虽然|尽管|从而|导致|由于|词语|措辞|用词|术语|定义"
    r"|缩写|限定词|限定语|可能|或许|不确定|局限|假设|条件|前提|例外|反例|反驳|让步|转折|例子|案例|实例|情景|机制|名称|机构|对比|比较|排名|建议|顺序|列表|要点|重复",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"“([^”\n]{2,400})”|\"([^\"\n]{2,400})\"|「([^」\n]{2,400})」|《[^》\n]{1,80}》")
_WORD: Final = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_CJK: Final = re.compile("[\u3400-\u9fff]")


def flaws(
    items: Sequence[InstanceCriterion], query: str | None, text_a: str, text_b: str
) -> dict[str, tuple[str, ...]]:
    """Return what is wrong, by the key of the dimension; ``items`` for what is wrong with the list as a whole.

    Args:
        items: The items.
        query: The question the reports answer.
        text_a: One report.
        text_b: The other.

    Returns:
        Empty where all is well.
    """
    found: dict[str, list[Bilingual]] = {}
    whole = _list_flaws([item.aspect for item in items])
    if whole:
        found["items"] = whole
    for item, problems in zip(items, flaws_of_items(items, query, text_a, text_b), strict=True):
        if problems:
            found.setdefault(item.aspect, []).extend(problems)
    return {key: tuple(map(str, dict.fromkeys(problems))) for key, problems in found.items()}


def flaws_of_items(
    items: Sequence[InstanceCriterion], query: str | None, text_a: str, text_b: str
) -> list[tuple[Bilingual, ...]]:
    """List what is wrong with each item, in order."""
    asked = content_terms(query or "")
    frequent = _frequent(text_a, text_b)
    here = (text_a, text_b)
    seen: list[tuple[str, list[str]]] = []
    found: list[tuple[Bilingual, ...]] = []
    for item in items:
        problems = [
            *_question_flaws(item.question, asked, frequent, named=bool(asked or frequent)),
            *_example_flaws(item, query or "", frequent),
            *_hint_flaws(item.span_hint, here, asked, frequent),
        ]
        words = _words(item.question)
        twin = next((aspect for aspect, other in seen if _alike(words, other)), None)
        if words and twin is not None:
            problems.append(_flaw("same_question", twin=twin))
        seen.append((item.aspect, words))
        found.append(tuple(problems))
    return found


def _flaw(name: str, /, **values: object) -> Bilingual:
    return message(_MESSAGES, name, **values)


def _list_flaws(aspects: Sequence[str]) -> list[Bilingual]:
    problems: list[Bilingual] = []
    unknown = [key for key in dict.fromkeys(aspects) if key not in DIMENSION_KEYS]
    missing = [key for key in DIMENSION_KEYS if key not in aspects]
    twice = [key for key, count in Counter(aspects).items() if count > 1]
    if unknown:
        problems.append(_flaw("unknown_dimension", unknown=listed(unknown), known=listed(DIMENSION_KEYS)))
    if missing:
        problems.append(_flaw("no_item", missing=listed(missing)))
    if twice:
        problems.append(_flaw("several_items", twice=listed(twice)))
    if not problems and tuple(aspects) != DIMENSION_KEYS:
        problems.append(_flaw("out_of_order", known=listed(DIMENSION_KEYS)))
    return problems


def _question_flaws(
    question: str, asked: set[str], frequent: Mapping[str, int], *, named: bool
) -> list[Bilingual]:
    if not question.strip():
        return [_flaw("empty", part="question")]
    problems: list[Bilingual] = []
    sides = _BOTH.search(question) is not None or _EITHER_SIDE.search(question) is not None
    if not (sides and _COMPARES.search(question)):
        problems.append(_flaw("no_comparison"))
    elif _ONE_SIDE.search(_BOTH.sub(" ", question)) and not _names_both(question):
        problems.append(_flaw("one_report"))
    if named and not _names_topic(question, asked, frequent):
        problems.append(_flaw("no_topic"))
    return problems


def _names_both(question: str) -> bool:
    """Return whether a text names both sides, as in "does A … better than B"."""
    return {match[0] for match in re.finditer(r"(?<![A-Za-z0-9])[AB](?![A-Za-z0-9])", question)} == {"A", "B"}


def _names_topic(question: str, asked: set[str], frequent: Mapping[str, int]) -> bool:
    terms = {term for term in content_terms(question) if not _says_nothing(term)}
    if terms & asked:
        return True
    met = {term for term in terms if frequent.get(term, 0)}
    often = {term for term in met if frequent[term] >= _OFTEN}
    return len(met) >= _AT_LEAST or len(often) > 1 or any(_CJK.match(term) is None for term in often)


def _says_nothing(term: str) -> bool:
    return term in _LOGIC or term in GENERIC or _LOGIC_ZH.fullmatch(term) is not None


def _example_flaws(item: InstanceCriterion, query: str, frequent: Mapping[str, int]) -> list[Bilingual]:
    problems: list[Bilingual] = []
    examples = {"good_example": item.good_example, "bad_example": item.bad_example}
    for name, text in examples.items():
        if not text.strip():
            problems.append(_flaw("empty", part=name))
        elif _ONE_SIDE.search(_BOTH.sub(" ", text)):
            problems.append(_flaw("example_names_report", part=name))
    good, bad = (_words(text) for text in examples.values())
    if good and bad:
        if good == bad:
            problems.append(_flaw("same_examples"))
        for name, text in examples.items():
            # What the other example says is its topic too: they are of one point.
            other = item.bad_example if name == "good_example" else item.good_example
            topic = _cut(f"{item.question} {item.span_hint} {query} {other}")
            if not _cut(text) & topic and not any(term in frequent for term in content_terms(text)):
                problems.append(_flaw("off_topic", part=name))
    return problems


def _hint_flaws(
    hint: str, texts: Sequence[str], asked: set[str], frequent: Mapping[str, int]
) -> list[Bilingual]:
    if not hint.strip():
        return [_flaw("empty", part="span_hint")]
    problems: list[Bilingual] = []
    for match in _QUOTED.finditer(hint):
        quoted = next((group for group in match.groups() if group), "")
        long = len(quoted) >= _QUOTATION_CJK if has_cjk(quoted) else len(quoted.split()) >= _QUOTATION
        if (
            long
            and "…" not in quoted
            and "..." not in quoted
            and not any(_within(quoted, text) for text in texts)
        ):
            problems.append(_flaw("invented_quotation", quoted=_short(quoted)))
    if _ONE_SIDE.search(_BOTH.sub(" ", hint)):
        problems.append(_flaw("hint_names_report"))
    terms = content_terms(hint)
    real = {
        term for term in terms if not _says_nothing(term) and (frequent.get(term, 0) >= 1 or term in asked)
    }
    if _CUES.search(hint) is None and len(real) < (3 if has_cjk(hint) else 1):
        problems.append(_flaw("nothing_to_look_for"))
    return problems


def _within(quoted: str, text: str) -> bool:
    return "".join(_WORD.findall(quoted.casefold())) in "".join(_WORD.findall(text.casefold()))


def _frequent(*texts: str) -> dict[str, int]:
    """Return in how many lines of the reports each term occurs."""
    counts: Counter[str] = Counter()
    for text in texts:
        for line in re.split(r"[\n.。；;]", text):
            counts.update(content_terms(line))
    return counts


def _words(text: str) -> list[str]:
    """Return all words; each CJK character counts as one."""
    return re.findall("[\u3400-\u9fff]|[^\\W_\u3400-\u9fff]+", text.casefold())


def _alike(words: Sequence[str], others: Sequence[str]) -> bool:
    one, two = set(words), set(others)
    return bool(one | two) and len(one & two) / len(one | two) >= _SAME


def _cut(text: str) -> set[str]:
    """Return the content terms of a text, cut to stems; parts of compounds count as terms of their own."""
    return {term if _CJK.match(term) else term[:_PREFIX] for term in content_terms(text.replace("-", " "))}


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
