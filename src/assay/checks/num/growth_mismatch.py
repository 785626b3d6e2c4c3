"""A growth rate that does not follow from the two values beside it.

"Grew from $80 million to $100 million, up 40 %" is up 25 %. Readers who find one such figure wrong stop believing the
others. The check covers from-to statements with a rate of growth, with a compound annual rate and two years (a year
more or less is allowed, since base years differ), with "doubled", "tripled", "halved" (翻番), or with a verb of the
opposite direction ("rose from 50 to 30"), percentage points ("from 12 % to 15 %, up 5 points"; "up 3 %" is a note), and
a base given after the change (较2020年增长80%（2020年为100亿元）).

The check allows for rounding of all three numbers, and for a tenth of the rate if the text calls it approximate.

Known problems: a compound rate for another period than that of the two values is reported if the text does not name its
period.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.num._changes import (
    NumericChange,
    change_bounds,
    changes,
    comparable,
    compound_bounds,
    valued_then_expected,
    years_between,
)
from assay.checks.num._numbers import (
    CURRENCY,
    NUMBER,
    PERCENT,
    NumberLine,
    number_lines,
    pattern,
    show,
    span_of,
)
from assay.checks.wording import Wording
from assay.subjects.figure_words import soft_words
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")

_CUE: Final = re.compile(r"from |cagr|compound|从|由|复合|年均|较")
_COMPOUND: Final = _PHRASES.pattern("<<growth_mismatch_compound.en>>|<<growth_mismatch_compound.zh>>")
_CLAUSE: Final = re.compile(r"[,，;；。]")
_RATE_BEFORE: Final = _PHRASES.pattern(
    "(?:<<growth_mismatch_rate_before.en>>)(?: rate)?(?: of| by|:| at)?(?: about| around| nearly| "
    "roughly| approximately| some| a| an| over| more than| almost| ~)*[ (~≈约]*$|"
    "(?:<<growth_mismatch_rate_before.zh>>)(?:<<growth_mismatch_rate_particles.zh>>)*[ (（~≈+]*$",
)
_RATE_AFTER: Final = _PHRASES.pattern(
    r"^\)? ?(?:<<growth_mismatch_rate_after.en>>|<<growth_mismatch_rate_after.zh>>)"
)
_UP: Final = _PHRASES.pattern(
    r"\b(?:<<growth_mismatch_up.en>>)\b[^,;.]{0,30}$|(?:增长|上升|上涨|攀升|飙升|提高)[^，；]{0,8}$"
)
_DOWN: Final = _PHRASES.pattern(
    r"\b(?:<<growth_mismatch_down.en>>)\b[^,;.]{0,30}$|(?:下降|下跌|减少|降低|下滑)[^，；]{0,8}$"
)
_ZH_UP: Final = re.compile(r"(?:增[^强]|上升|涨|攀升|飙升|跃升)[^降减跌]{0,3}$")
_ZH_DOWN: Final = re.compile(r"(?:下降|减少|跌|缩减|下滑|降)[^升增涨]{0,3}$")
# Words by which a rise means a smaller number, or by which the verb has another subject.
_TWISTED: Final = _PHRASES.pattern("<<growth_mismatch_twisted.en>>|<<growth_mismatch_twisted.zh>>")
_FACTOR: Final = re.compile(
    "(?P<much>more than |over |nearly |almost |about |roughly |approximately |超过|近|"
    "约)?(?P<word>doubl(?:ed|ing)|tripl(?:ed|ing)|quadrupl(?:ed|ing)|halv(?:ed|ing)|翻了?(?:一番|倍)|翻番)"
)
_FACTORS: Final = {"doub": 2.0, "trip": 3.0, "quad": 4.0, "halv": 0.5}
_APPROXIMATE: Final = _PHRASES.pattern("(?:<<growth_mismatch_approximate.en>>|~|≈|约|近|超|逾|>)[a-z ]{0,6}$")

_BASE: Final = pattern(
    r"(?P<b>[<C><N>])[^<T>；。]{0,12}[，（,(](?:<Y>[^<T>；。]{0,4})?较(?:上年|去年|<Y>)(?:同期)?[^<T>；。]{0,6}?"
    r"(?:(?P<up>增长|上升|增加|提高)|(?P<down>下降|减少|下跌))(?:了|约|近)?(?P<p><P>)[^<T>；。]{0,2}"
    r"[（(，](?:上年同期|去年|上年|<Y>)[^<T>；。]{0,4}?(?:为|是|：)?(?P<a>[<C><N>])".replace(
        "[<C><N>]", f"[{CURRENCY}{NUMBER}]"
    )
)
_NEAR: Final = 90
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_MOST_HAN: Final = 2
_FILLER_ZH: Final = _PHRASES.pattern("<<growth_mismatch_filler.zh>>")

_POINTS: Final = Wording(
    en="From {first} to {last} is {points} percentage points, or {relative} %, not {stated}",
    zh="从{first}到{last}，变化{points}个百分点（即{relative}%），而非{stated}",
)
_POINTS_WRONG: Final = Wording(
    en="From {first} to {last} is {points} percentage points, not {stated}",
    zh="从{first}到{last}，相差{points}个百分点，而非{stated}",
)
_GROWTH_WRONG: Final = Wording(
    en="From {first} to {last} is {change}, not {stated}", zh="从{first}到{last}，{change}，而非{stated}"
)
_ANNUAL: Final = Wording(en="{rate} % a year over {years:.0f} years", zh="{years:.0f}年间年均变化{rate}%")
_OVERALL: Final = Wording(en="a change of {rate} %", zh="变化幅度为{rate}%")
_NOT_A_RISE: Final = Wording(
    en="From {first} to {last} is called a rise, but it is a fall",
    zh="从{first}到{last}，文中称为上升，实为下降",
)
_NOT_A_FALL: Final = Wording(
    en="From {first} to {last} is called a fall, but it is a rise",
    zh="从{first}到{last}，文中称为下降，实为上升",
)
_FACTOR_WRONG: Final = Wording(
    en="From {first} to {last} is a factor of {ratio:.2g}, not “{stated}”",
    zh="从{first}到{last}，后者是前者的{ratio:.2g}倍，而非“{stated}”",
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each growth rate, factor or direction that its own values contradict."""
    for line in number_lines(report):
        if len(line.quantities) < 2 or not _CUE.search(line.text):
            continue
        seen = False
        for change in changes(line):
            seen = True
            yield from _direction(report, line, change)
            yield from _factor(report, line, change)
            if change.first.unit == "%":
                yield from _points(report, line, change)
            rate = _rate(line, change)
            if rate is not None:
                yield from _judge(report, line, change, rate[0], compound=rate[1])
        yield from _base_after(report, line)
        if not seen and line.percents and _COMPOUND.search(line.text):
            rates = [
                i
                for i, q in enumerate(line.quantities)
                if q.kind == "percent" and not q.pair and _is_compound(line, i)
            ]
            stated = valued_then_expected(line) if len(rates) == 1 else None
            if stated is not None:
                yield from _judge(report, line, stated, rates[0], compound=True)


def _is_compound(line: NumberLine, index: int) -> bool:
    """Return whether the words directly around the number call it a compound annual rate."""
    positions = line.positions()
    at = positions[index]
    left = max(at - 60, positions[index - 1] + 1 if index else 0)
    right = min(at + 26, positions[index + 1] if index + 1 < len(positions) else at + 26)
    after = _CLAUSE.split(line.text[at + 1 : right], maxsplit=1)[0]
    return bool(_COMPOUND.search(line.text, left, at) or _COMPOUND.search(after))


def _rate(line: NumberLine, change: NumericChange) -> tuple[int, bool] | None:
    """Return the index of the percentage that gives the size of the change, and whether it is a compound annual rate.

    The result is None if the line does not give one.
    """
    if change.rate_index is not None:
        return change.rate_index, _is_compound(line, change.rate_index)
    text, quantities, positions = line.text, line.quantities, line.positions()
    start, end = min(change.first_index, change.last_index), max(change.first_index, change.last_index)
    after = [i for i in range(end + 1, len(quantities)) if quantities[i].kind != "year"]
    before = [i for i in range(start) if quantities[i].kind != "year"]
    for i, near in ((after[:1], 70), (before[-1:], 40)):
        if not i or quantities[i[0]].kind != "percent" or text[positions[i[0]]] != PERCENT:
            continue
        at = positions[i[0]]
        gap = text[positions[end] + 1 : at] if i[0] > end else text[at + 1 : positions[start]]
        if len(gap) > near + 20 or not _same_quantity(gap):
            continue
        head = text[max(0, at - 48) : at]
        if (_RATE_BEFORE.search(head) or _RATE_AFTER.match(text[at + 1 : at + 14])) or _is_compound(
            line, i[0]
        ):
            return i[0], _is_compound(line, i[0])
    return None


def _same_quantity(gap: str) -> bool:
    """Return whether the words between a change and a rate speak of nothing else than the change."""
    if ";" in gap or "；" in gap or re.search(r"\b(?:while|whereas|but|and)\b|而", gap):
        return False
    rest = _FILLER_ZH.sub("", gap)
    return len(content_terms(gap) & _latin(rest) - _filler()) == 0 and len(_HAN.findall(rest)) <= _MOST_HAN


def _rounded(rate: float) -> str:
    """Return a rate with three digits and without an exponent: "1,190", "75.3"."""
    return f"{rate:,.0f}" if abs(rate) >= 100 else f"{rate:.3g}"


def _latin(text: str) -> set[str]:
    return {term for term in content_terms(text) if term.isascii()}


@cache
def _filler() -> frozenset[str]:
    return frozenset(content_terms(" ".join(_PHRASES["growth_mismatch_filler"].en))) | soft_words()


def _points(report: Report, line: NumberLine, change: NumericChange) -> Iterator[Hit]:
    """Compare a change of a percentage with the points, or percent, that the text gives for it."""
    quantities, positions = line.quantities, line.positions()
    after = [i for i in range(change.last_index + 1, len(quantities)) if quantities[i].kind != "year"][:1]
    before = [i for i in range(change.first_index) if quantities[i].kind != "year"][-1:]
    difference = abs(change.last.value - change.first.value)
    relative = abs(change.last.value / change.first.value - 1) * 100
    for i in (*after, *before):
        stated = quantities[i]
        if stated.unit not in ("pp", "%") or stated.pair or i in line.seconds:
            continue
        at = positions[i]
        low, high = sorted(
            (at, positions[change.last_index if i > change.last_index else change.first_index])
        )
        if high - low > _NEAR or not _same_quantity(line.text[low + 1 : high]):
            continue
        if not _RATE_BEFORE.search(line.text[max(0, at - 48) : at]) and not _RATE_AFTER.match(
            line.text[at + 1 : at + 14]
        ):
            continue
        slack = stated.half_unit + change.first.half_unit + change.last.half_unit
        rough = _APPROXIMATE.search(line.text, max(0, at - 16), at)
        off = abs(difference - abs(stated.value))
        values = {
            "first": show(report, change.first),
            "last": show(report, change.last),
            "stated": show(report, stated),
        }
        related = (span_of(change.first, change.last),)
        if stated.unit == "pp" and off > slack + (0.1 * difference if rough else 0.0) + 1e-9:
            yield Hit(span_of(stated), _POINTS_WRONG(points=f"{difference:.4g}", **values), related, 0.85)
        elif stated.unit == "%" and off <= stated.half_unit + 1e-9 < abs(relative - abs(stated.value)) - 1:
            what = _POINTS(points=f"{difference:.4g}", relative=f"{relative:.3g}", **values)
            yield Hit(span_of(stated), what, related, 0.7, "info")


def _base_after(report: Report, line: NumberLine) -> Iterator[Hit]:
    """Compare a change with the base that follows it in brackets: 达150亿元，较2020年增长80%（2020年为100亿元）."""
    for match in _BASE.finditer(line.text):
        first, last = line.group(match, "a"), line.group(match, "b")
        if not comparable(first, last) or first.value <= 0 or last.value <= 0 or first.unit == "%":
            continue
        index = line.index(match.start("b"))
        change = NumericChange(first, last, match.start(), match.end(), line.index(match.start("a")), index)
        fall = match["down"] is not None
        if fall == (last.value < first.value):
            yield from _judge(report, line, change, line.index(match.start("p")), compound=False)


def _judge(
    report: Report, line: NumberLine, change: NumericChange, index: int, *, compound: bool
) -> Iterator[Hit]:
    rate = line.quantities[index]
    stated = abs(rate.value)
    at = line.positions()[index]
    rough = bool(_APPROXIMATE.search(line.text, max(0, at - 16), at))
    years: tuple[float, ...] = ()
    if compound:
        years = years_between(line, change)
        if not years or change.first.unit == "%":
            return
        low, high = compound_bounds(change, years)
    else:
        low, high = change_bounds(change)
        if change.first.unit == "%":
            # Changes of percentages are often given in percentage points but called percent; scale-jump reports those.
            difference = abs(change.last.value - change.first.value)
            if (
                abs(difference - stated)
                <= rate.half_unit + change.first.half_unit + change.last.half_unit + 0.05
            ):
                return
    slack = rate.half_unit + 0.35 + 0.04 * high + (0.1 * high + 1 if rough else 0)
    if low - slack <= stated <= high + slack:
        return
    ratio = change.last.value / change.first.value
    if compound:
        actual = _ANNUAL(rate=_rounded((ratio ** (1 / years[0]) - 1) * 100), years=years[0])
    else:
        actual = _OVERALL(rate=_rounded(abs(ratio - 1) * 100))
    what = _GROWTH_WRONG(
        first=show(report, change.first),
        last=show(report, change.last),
        change=actual,
        stated=show(report, rate),
    )
    yield Hit(span_of(rate), what, (span_of(change.first), span_of(change.last)), 0.75 if compound else 0.8)


def _direction(report: Report, line: NumberLine, change: NumericChange) -> Iterator[Hit]:
    text = line.text
    first, last = change.first, change.last
    if change.last_index < change.first_index or _TWISTED.search(text, max(0, change.start - 60), change.end):
        return
    positions = line.positions()
    head = text[max(0, change.start - 40) : change.start]
    inner = text[positions[change.first_index] : positions[change.last_index]].rstrip(" 到至了约")
    up = bool(_UP.search(head)) or bool(_ZH_UP.search(inner[-6:]))
    down = bool(_DOWN.search(head)) or bool(_ZH_DOWN.search(inner[-6:]))
    if up == down:
        return
    if (up and last.value < first.value) or (down and last.value > first.value):
        wording = _NOT_A_RISE if up else _NOT_A_FALL
        what = wording(first=show(report, first), last=show(report, last))
        yield Hit(span_of(first, last), what, (), 0.75)


def _factor(report: Report, line: NumberLine, change: NumericChange) -> Iterator[Hit]:
    match = _FACTOR.search(line.text, max(0, change.start - 50), min(len(line.text), change.end + 20))
    if not match or change.last_index < change.first_index:
        return
    between = line.text[match.end() : change.start].strip().removeprefix(",")
    if "," in between or "，" in between:
        return
    factor = _FACTORS.get(match["word"][:4], 2.0)
    ratio = change.last.value / change.first.value
    much = (match["much"] or "").strip()
    low, high = factor * 0.85, factor * 1.2
    if much in ("more than", "over", "超过"):
        low, high = factor * 0.97, factor * 1.6
    if not low <= ratio <= high:
        what = _FACTOR_WRONG(
            first=show(report, change.first),
            last=show(report, change.last),
            ratio=ratio,
            stated=match.group().strip(),
        )
        yield Hit(span_of(change.first, change.last), what, (), 0.75)


CHECK = Check(
    code="NUM004",
    name="growth-mismatch",
    severity="error",
    summary="a growth rate that does not follow from the values beside it",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example("Sales grew from $80 million in 2021 to $100 million in 2023, an increase of 40%."),
        Example(
            "The market was valued at $20 billion in 2020 and is expected to reach $40 billion by 2030, at a "
            "CAGR of 14.5%."
        ),
        Example("市场规模从2020年的100亿元增长到2023年的150亿元，增长80%。"),
        Example("The vacancy rate rose from 12% to 15%, up 5 percentage points."),
        Example("渗透率由12%提升至15%，提高5个百分点。"),
        Example("2023年产值达到150亿元，较2020年增长80%（2020年为100亿元）。"),
        Example("The vacancy share rose from 3% to 5%, an increase of 2%."),
    ),
    good=(
        Example("Sales grew from $80 million in 2021 to $100 million in 2023, an increase of 25%."),
        Example(
            "The market was valued at $20 billion in 2020 and is expected to reach $40 billion by 2030, at a "
            "CAGR of 7.2%."
        ),
        Example("The cluster went from 128 to 2,048 GPUs, and throughput per node rose 37%."),
        Example("The vacancy rate rose from 12% to 15%, up 3 percentage points."),
        Example("渗透率由12%提升至15%，提高3个百分点，实际收益率从0.5%降至-1.1%。"),
        Example("2023年产值达到150亿元，较2020年增长50%（2020年为100亿元）。"),
        Example("市场规模从2020年的100亿元增长到2023年的150亿元，增长50%，年复合增长率为14.5%。"),
    ),
)
