"""Pairs of facts that give two values for the same quantity."""

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
# Words by which the text itself says that there is more than one value.
_ALTERNATIVE: Final = _PHRASES.pattern("<<conflicts_alternative.en>>|<<conflicts_alternative.zh>>")
_VERB: Final = _PHRASES.pattern(r"\b(?:<<conflicts_verb.en>>)\b")

_NAME: Final = re.compile(r"(?<![A-Za-z])(?!USD|EUR|GBP|RMB|CNY|JPY|CAGR)[A-Z][A-Za-z0-9&\-]+")


class Conflict(msgspec.Struct, frozen=True):
    """Two facts that cannot both hold, the earlier first.

    Attributes:
        first: The earlier fact.
        second: The later fact.
        sameness: Probability that both are about the same quantity, 0.5 to 1.
        attributed: Whether the sentences of both name a source.
        scale_jump: Number of powers of ten between the values if their digits are the same, or None.
    """

    first: NumericFact
    second: NumericFact
    sameness: float
    attributed: bool
    scale_jump: int | None = None


def conflicts(report: Report) -> list[Conflict]:
    """Return every conflict in the report. The result is cached in the report."""
    result: list[Conflict] | None = report.memo.get(conflicts)
    if result is None:
        result = report.memo[conflicts] = [
            conflict for bucket in fact_groups(report) for conflict in _within(report, bucket)
        ]
    return result


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
        # A word of many facts does not distinguish them; the limit also keeps the work linear.
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
        # Long sentences with the same words, and sentences that share a figure, are about the same quantity wherever
        # they stand.
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
    """Return whether the two facts may be about the same time: no years or periods distinguish them."""
    if a.years != b.years and not (tied and (not a.years or not b.years)):
        return False
    if not tied and not a.years:
        years = [{q.value for q in fact.line.quantities if q.kind == "year"} for fact in (a, b)]
        if years[0] != years[1]:
            return False
    return periods(report, a) == periods(report, b)


def _comparable(report: Report, a: NumericFact, b: NumericFact, shared: set[str], *, tied: bool) -> bool:
    """Return whether the two facts may be about the same quantity: nothing in their context distinguishes them."""
    # If the other sentence contains the same value too, the values that differ belong to another quantity.
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
    # A fragment takes its subject from its heading, so only whole sentences can be compared across sections.
    if report.language == "zh":
        return len(shared) >= 5 and not _parallel_items(report, a, b)
    if len(shared) >= 6:
        return True
    return bool(_VERB.search(a.line.text) and _VERB.search(b.line.text))


def _announced_other(report: Report, fact: NumericFact) -> bool:
    """Return whether the preceding sentence announces another value with a colon: "According to other sources:"."""
    index = fact.line.sentence.index
    if not index:
        return False
    before = report.text(report.sentences[index - 1].span).rstrip()
    return before.endswith((":", "：")) and _ALTERNATIVE.search(before.lower()) is not None


def _names(report: Report, fact: NumericFact) -> set[str]:
    """Return the capitalised words before the number in its sentence, which may name its subject."""
    head = report.plain[fact.line.sentence.span.start : fact.quantity.start]
    names = _NAME.findall(head)
    # The first word of a sentence counts only if it has more than an initial capital.
    if names and head.lstrip().startswith(names[0]) and names[0][1:].islower():
        names = names[1:]
    return set(names)


def _parallel_items(report: Report, a: NumericFact, b: NumericFact) -> bool:
    """Return whether both are list items with labels, such as "Range: 300 km" under one option and "Range: 500 km".

    The second may belong to another option.
    """
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
