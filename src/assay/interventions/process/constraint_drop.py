"""Constraint drop: a call's arguments lack one of the query's constraints, so the call asks for more.

A year, a place name, a qualifier, a part of a name or a source is left out, or a wider term replaces it. A batch of
queries must lose the constraint as a whole: if one of them keeps it, it is not dropped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import asks, leaves_of, words_of
from assay.interventions.process._call_sites import call_sites, no_open_call
from assay.interventions.process._changed_calls import asked_terms, changed_call
from assay.interventions.process._entities import values
from assay.subjects.atoms import find_names, fold
from assay.text.bilingual import listed
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import ToolCall, Trajectory
    from assay.text.bilingual import Bilingual

# So much must be left of a query that loses a constraint.
_LEFT: Final = 2
# A query that spells out what it wants has so many words.
_IN_WORDS: Final = 5
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


def _constraints(question: str, texts: list[str]) -> list[str]:
    """Return names, dates, numbers and qualifiers of the question that every query of a call has."""
    first, asked = texts[0], fold(question)
    found = [value.text for value in values(first, queries=True)]
    found += [name.text for name in find_names(first)]
    if not _HAN.search(first) and len(words_of(first)) >= _IN_WORDS:
        found += [word for word in words_of(first) if word.lower() not in STOPWORDS and len(word) > 2]
    kept: list[str] = []
    for text in dict.fromkeys(found):
        within = any(re.sub("['’]s$", "", text) in other for other in kept)
        if not within and fold(text) in asked and all(fold(text) in fold(other) for other in texts):
            kept.append(text)
    return kept


def _room(text: str, constraint: str) -> bool:
    """Return whether enough of a query is left without a constraint."""
    rest = re.sub(re.escape(constraint), " ", text, flags=re.IGNORECASE)
    if _HAN.search(text):
        return len(_HAN.findall(rest)) >= 2 * _LEFT
    return sum(word.lower() not in STOPWORDS for word in words_of(rest)) >= _LEFT


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    def hint(call: ToolCall) -> Bilingual | None:
        texts = [
            leaf.text
            for leaf in leaves_of(call.arguments)
            if not leaf.address and len(words_of(leaf.text)) > 0
        ]
        if not texts or not asks(call):
            return None
        found = [
            text
            for text in _constraints(trajectory.query, texts)
            if all(_room(other, text) for other in texts)
        ]
        return place_hint("constraints", constraints=listed(found[:8])) if found else None

    yield from call_sites(trajectory, draw, "arguments", lambda _, call: hint(call))


def _check(reference: Trajectory, revised: Trajectory, revision: StepRevision) -> str | None:
    """Return why a call's arguments lack nothing, or None if they lack something."""
    pair = changed_call(reference, revised, revision)
    if pair is None or pair[0].name != pair[1].name:
        return "not the arguments of one call were changed"
    if not asked_terms(pair[0].arguments) - asked_terms(pair[1].arguments):
        return "the call still asks for everything that it asked for"
    return None


OPERATOR = Operator(
    name="constraint_drop",
    title="Constraint Drop",
    title_zh="遗漏限定条件",
    level="process",
    module="tool",
    category="faithfulness",
    definition=(
        "A tool call leaves out a constraint of the question – a year, a place, a qualifier, a part of a "
        "name, a source – so that what it asks for is wider than what was asked."
    ),
    definition_zh="工具调用遗漏了问题中的某个限定条件（年份、地点、修饰语、姓名的一部分或来源），使检索范围超出了问题所要求的范围。",
    sites=_sites,
    unfit=no_open_call,
    ask=(
        "Take one constraint out of the arguments: from every query of the call that has it, so that the "
        "call as a whole no longer asks for it; what the question names as the thing to be found stays. A wider word may stand in its place (a continent for a "
        "country, no year for a year). What is left must read as a query that the agent could have typed. "
        "Change nothing else and add nothing new."
    ),
    ask_zh=(
        "从参数中去掉一个限定条件：凡含有它的查询都要去掉，使整个调用不再包含这一条件；也可以换成更宽泛的词（如以洲代国）。"
        "剩下的部分应当仍像智能体会输入的查询。其他内容一律不改，也不增加新内容。"
    ),
    check=_check,
)
