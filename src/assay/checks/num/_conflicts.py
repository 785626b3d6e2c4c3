"""Pairs of facts that name one quantity and give it two values."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.num._facts import NumericFact, agree, anchored, fact_groups, periods, same_subject, terms_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")

_MOST_WITH_A_TERM: Final = 10
_ATTRIBUTED: Final = _PHRASES.pattern(
    r"according to|estimates? by|\b(?:<<conflicts_attributed.en>>) (?:that|a|an|the)|据.{2,12}(?:预测|统计|报告|"
    "数据|测算|估计)",
)
# The text itself says that there is more than one value.
_ALTERNATIVE: Final = _PHRASES.pattern("<<conflicts_alternative.en>>|<<conflicts_alternative.zh>>")
_VERB: Final = _PHRASES.pattern(r"\b(?:<<conflicts_verb.en>>)\b")

_NAME: Final = re.compile(r"(?<![A-Za-z])(?!USD|EUR|GBP|RMB|CNY|JPY|CAGR)[A-Z][A-Za-z0-9&\-]+")


class Conflict(msgspec.Struct, frozen=True):
    """Two facts that cannot both hold, the earlier first.

    Attributes:
        first: One.
        second: The other.
        sameness: How surely they are about the same quantity, 0.5 to 1.
        attributed: Whether both name a source of their own.
        scale_jump: How many powers of ten lie between them where the digits are the same, else None.
    """

    first: NumericFact
    second: NumericFact
    sameness: float
    attributed: bool
    scale_jump: int | None = None


def conflicts(report: Report) -> list[Conflict]:
    """Return every conflict of the report; worked out once."""
    found: list[Conflict] | None = report.memo.get(conflicts)
    if found is None:
        found = report.memo[conflicts] = [
            conflict for bucket in fact_groups(report) for conflict in _within(report, bucket)
        ]
    return found


def _within(report: Report, bucket: list[NumericFact]) -> Iterator[Conflict]:
    terms = [terms_of(fact) for fact in bucket]
    having: dict[str, list[int]] = defaultdict(list)
    for i, words in enumerate(terms):
        for word in words:
            having[word].append(i)
    chinese = report.language == "zh"
    least = 4 if chinese else 3
    pairs: set[tuple[int, int]] = set()
    for members in having.values():
        # A word of many facts tells none apart; the cap also keeps this linear.
        if 1 < len(members) <= _MOST_WITH_A_TERM:
            pairs.update(combinations(members, 2))
    done: set[tuple[int, int]] = set()
    for i, j in sorted(pairs):
        a, b = bucket[i], bucket[j]
        if len(terms[i] & terms[j]) < least or a.line is b.line or agree(a, b):
            continue
        tied = anchored(a.line, b.line)
        sameness = same_subject(terms[i], terms[j], least=least, anchored=tied, swaps=3 if chinese else 2)
        if not sameness or (not tied and (a.cut or b.cut) and len(terms[i] & terms[j]) < 2 * least):
            continue
        # Sentences that say the same at length, or share a figure, are about the same thing wherever they stand.
        tied = tied or (sameness >= 0.9 and len(terms[i] & terms[j]) >= (10 if chinese else 7))
        key = (a.line.sentence.index, b.line.sentence.index)
        if (
            key not in done
            and _same_time(report, a, b, tied=tied)
            and _comparable(report, a, b, terms[i] & terms[j], tied=tied)
        ):
            done.add(key)
            yield Conflict(a, b, sameness, _attributed(a) and _attributed(b), _scale_jump(a, b))


def _scale_jump(a: NumericFact, b: NumericFact) -> int | None:
    x, y = a.quantity.value, b.quantity.value
    if x <= 0 or y <= 0 or a.quantity.kind == "percent":
        return None
    powers = math.log10(x / y)
    return abs(round(powers)) if abs(powers - round(powers)) < 1e-6 and abs(powers) > 0.5 else None


def _attributed(fact: NumericFact) -> bool:
    return bool(_ATTRIBUTED.search(fact.line.text))


def _same_time(report: Report, a: NumericFact, b: NumericFact, *, tied: bool) -> bool:
    """Return whether nothing says that the two are of different years or periods."""
    if a.years != b.years and not (tied and (not a.years or not b.years)):
        return False
    if not tied and not a.years:
        years = [{q.value for q in fact.line.quantities if q.kind == "year"} for fact in (a, b)]
        if years[0] != years[1]:
            return False
    return periods(report, a) == periods(report, b)


def _comparable(report: Report, a: NumericFact, b: NumericFact, shared: set[str], *, tied: bool) -> bool:
    """Return whether nothing around the two facts says that they are of different things."""
    # A value that the other sentence has too is said twice, and whatever differs is something else.
    unit = a.quantity.unit
    if any(q.value == a.quantity.value and q.unit == unit for q in b.line.quantities):
        return False
    if any(q.value == b.quantity.value and q.unit == unit for q in a.line.quantities):
        return False
    names, others = _names(report, a), _names(report, b)
    if names - others and others - names:
        return False
    if _ALTERNATIVE.search(a.line.text) or _ALTERNATIVE.search(b.line.text):
        return False
    if _announced_other(report, a) or _announced_other(report, b):
        return False
    if tied:
        return True
    one, other = a.line.sentence, b.line.sentence
    if one.section == other.section:
        return one.block == other.block or not _parallel_items(report, a, b)
    sections = report.sections
    if sections[one.section].title.lower() == sections[other.section].title.lower():
        return False  # "Financials" under one company and under another
    # In different sections a fragment takes its subject from the heading: only whole sentences can be compared.
    if report.language == "zh":
        return len(shared) >= 5 and not _parallel_items(report, a, b)
    if len(shared) >= 6:
        return True
    return bool(_VERB.search(a.line.text) and _VERB.search(b.line.text))


def _announced_other(report: Report, fact: NumericFact) -> bool:
    """Return whether the sentence before ends in a colon and announces another value: "According to other sources:"."""
    index = fact.line.sentence.index
    if not index:
        return False
    before = report.text(report.sentences[index - 1].span).rstrip()
    return before.endswith((":", "：")) and _ALTERNATIVE.search(before.lower()) is not None


def _names(report: Report, fact: NumericFact) -> set[str]:
    """Capitalised words before the number in its sentence: who or what it is about, as far as letters show."""
    head = report.plain[fact.line.sentence.span.start : fact.quantity.start]
    found = _NAME.findall(head)
    # The first word of a sentence is capitalised whatever it is, unless it is more than that.
    if found and head.lstrip().startswith(found[0]) and found[0][1:].islower():
        found = found[1:]
    return set(found)


def _parallel_items(report: Report, a: NumericFact, b: NumericFact) -> bool:
    """Items of lists under different heads: "Range: 300 km" under one option, "Range: 500 km" under another."""
    first, second = report.blocks[a.line.sentence.block], report.blocks[b.line.sentence.block]
    if first.kind != "item" or second.kind != "item":
        return False
    return _labelled(report, a) or _labelled(report, b)


def _labelled(report: Report, fact: NumericFact) -> bool:
    start = report.blocks[fact.line.sentence.block].span.start
    head = report.plain[start : min(start + 40, fact.quantity.start)]
    if ":" in head or "：" in head:
        return True
    return report.language != "zh" and not _VERB.search(fact.line.text)
