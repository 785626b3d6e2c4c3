"""A sum, difference, share or multiple that its own numbers contradict.

"20 of 60 patients (45 %)" is a third; "3 men and 4 women, nine in all" is seven. The check covers

- a count out of a count with its percentage: "20 of 60 (33 %)", "33 % (20/60)", 60例中20例（33%）;
- a percentage of a count with the result: "20 % of the 500 firms (100)";
- a stated total with its parts: "a total of 120 (70 men and 50 women)";
- two values and their difference: "45 against 30 points, a difference of 15";
- a multiple with both values: "$90, three times the $30 of 2019";
- equations written out: "120 + 80 = 200".

Known problems: if a sentence names only some parts of a total and does not say so ("including"), it is reported if the
parts exceed the total or look like a complete list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.num._changes import comparable
from assay.checks.num._numbers import NUMBER, NumberLine, number_lines, pattern, show, span_of
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "num")

_PART_OF: Final = pattern(
    r"(?P<n><N>)\ (?:out\ of|of)\ (?:the\ |all\ |a\ total\ of\ |its\ |these\ "
    r")?(?P<t><N>)[^<T>;.()（）]{0,40}(?:,\ or\ |\ \(|\ （|（|,\ )(?:about\ |roughly\ |approximately\ |or\ |"
    r"~\ ?|≈\ ?)?(?P<p><P>)\ ?[)）,.;]"
)
_SHARE_OF: Final = pattern(
    r"(?P<p><P>)[^<T>;.()（）]{0,40}[(（](?:n\ ?=\ ?)?(?P<n><N>)\ ?(?:out\ of|of|/)\ (?:the\ |all\ "
    ")?(?P<t><N>)[^<T>()（）]{0,20}[)）]"
)
_FRACTION: Final = pattern(
    r"(?P<n>[0-9][0-9,]{0,8})\ ?/\ ?(?P<t>[0-9][0-9,]{0,8})(?![0-9/.])[^<T>;.()（）0-9]{0,24}[(（,=]\ ?(?P<p><P>)"
)
_FRACTION_BACK: Final = pattern(
    r"(?P<p><P>)[^<T>;.()（）0-9]{0,24}[(（\[]\ ?(?:n\ ?=\ ?)?(?P<n>[0-9][0-9,]{0,8})\ ?/\ "
    r"?(?P<t>[0-9][0-9,]{0,8})\ ?[)）\]]"
)
_ZH_PART: Final = pattern(
    r"(?P<t><N>)[^<T>；。，（）()]{0,10}中[，,]?(?:有|共有)?(?P<n><N>)[^<T>；。（）()]{0,16}[（(](?:占|约|占比)?(?P<p><P>)[)）]"
)
_ZH_OUT_OF: Final = pattern(r"共(?:有)?(?P<t><N>)，其中(?:有)?(?P<n><N>)[（(](?:占|约|占比)?(?P<p><P>)[)）]")
_PERCENT_OF: Final = pattern(
    r"(?P<p><P>)\ of\ (?:the\ |all\ |its\ |these\ )?(?P<t><N>)[^<T>;.()（）]{0,40}\ ?[(（](?:n\ ?=\ ?|"
    r"about\ |~)?(?P<n><N>)[^<T>()（）]{0,16}[)）]"
)
_TOTAL: Final = pattern(
    r"\b(?:a\ total\ of|in\ total,?|totall?ing|altogether,?|total\ of)\ (?:about\ |some\ )?(?P<t><N>|"
    r"<C>)[^<T>;.()（）:]{0,40}(?P<open>[(（:：—–]|,\ (?:<<difference_or_ratio_mismatch_total.en>>))"
)
_ZH_TOTAL: Final = pattern(
    r"(?:共计|总计|合计|一共|共有|共)(?:<<survey_verbs.zh>>)?(?:有效)?(?:问卷|样本)?"
    r"(?P<t><N>|<C>)[^<T>；。（）()：]{0,16}(?P<open>[（(：:]|，(?:其中|包括|分别为|由))"
)
_SOME: Final = _PHRASES.pattern(
    "<<difference_or_ratio_mismatch_some.en>>|<<difference_or_ratio_mismatch_some.zh>>"
)
_DIFFERENCE: Final = pattern(
    r"(?P<a><V>)[^<T>;.]{0,48}?\b(?:versus|vs\.?|against|compared\ (?:with|to)|and)\ "
    r"[^<T>;.]{0,32}?(?P<b><V>)[^<T>;.]{0,32}?[,(—–:]\ ?(?:i\.e\.\ |or\ |giving\ |leaving\ |for\ "
    r")?(?:an?\ |the\ )?[a-z\-]{0,12}\ ?(?:difference|gap|spread|margin|gulf)\ of\ (?:about\ |roughly\ |"
    r"nearly\ )?(?P<d>[\ue000-\ue003])"
)
_ZH_DIFFERENCE: Final = pattern(
    "(?P<a><V>)[^<T>；。]{0,20}?[，、与和][^<T>；。]{0,20}?(?P<b><V>)[^<T>；。]{0,10}?，(?:两者|二者)?(?:相差|差距为|差距达|"
    r"差值为|差额为|相差约)(?P<d>[\ue000-\ue003])"
)
_MULTIPLE: Final = pattern(
    r"(?P<a><V>)[^<T>;.]{0,24}?,\ (?:or\ |about\ |nearly\ |roughly\ |almost\ |some\ |more\ than\ |over\ "
    r")*(?P<f><<difference_or_ratio_mismatch_multiple.en>>)\ (?P<how>higher\ than\ |more\ than\ |larger\ "
    r"than\ |as\ (?:much|many|high|large)\ as\ )?(?:the\ |that\ of\ )[^<T>;.]{0,24}?(?P<b><V>)"
)
_WORDS: Final = {
    "twice": 2.0,
    "double": 2.0,
    "triple": 3.0,
    "three times": 3.0,
    "four times": 4.0,
    "five times": 5.0,
    "six times": 6.0,
    "ten times": 10.0,
    "half": 0.5,
}
_EQUATION: Final = pattern(
    r"(?<![=+*/×÷\-−])(?:^|[\ (（:：,，])(?P<list>[\ue000\ue002\ue003](?:\ ?[+＋]\ "
    r"?[\ue000\ue002\ue003]){1,6})\ ?=\ ?(?P<t>[\ue000\ue002\ue003])(?!\ ?[+＋*/×÷\-−^])"
)
_ROUGH: Final = _PHRASES.pattern(
    "(?:<<difference_or_ratio_mismatch_rough.en>>|~|≈|约|近|超|逾|>|<)[a-z ]{0,6}$"
)

_SHARE_WRONG: Final = Wording(
    en="{part} of {whole} is {share} %, not {stated}",
    zh="{whole}中的{part}应占{share}%，而非{stated}",
)
_FRACTION_WRONG: Final = Wording(
    en="{part}/{whole} is {share} %, not {stated}", zh="{part}/{whole}应为{share}%，而非{stated}"
)
_TOTAL_WRONG: Final = Wording(
    en="The parts {parts} add up to {sum:,.6g}, not to the stated total of {total}",
    zh="各部分{parts}合计{sum:,.6g}，与所称总数{total}不符",
)
_DIFFERENCE_WRONG: Final = Wording(
    en="The difference between {a} and {b} is {difference:.6g}, not {stated}",
    zh="{a}与{b}相差{difference:.6g}，而非{stated}",
)
_MULTIPLE_WRONG: Final = Wording(
    en="{a} is {ratio:.2g} times {b}, not “{stated}”", zh="{a}是{b}的{ratio:.2g}倍，而非“{stated}”"
)
_EQUATION_WRONG: Final = Wording(
    en="{parts} is {sum:,.6g}, not {stated}", zh="{parts}等于{sum:,.6g}，而非{stated}"
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each sum, difference, share or multiple that its numbers contradict."""
    for line in number_lines(report):
        if len(line.quantities) < 2 and not (line.percents and "/" in line.text):
            continue
        text = line.text
        if line.percents:
            if " of " in text:
                yield from _parts(report, line, (_PART_OF, _SHARE_OF, _PERCENT_OF))
            if "中" in text:
                yield from _parts(report, line, (_ZH_PART, _ZH_OUT_OF))
            if "/" in text:
                yield from _fractions(report, line)
        if len(line.quantities) < 3:
            continue
        if "total" in text or "altogether" in text or "共" in text or "计" in text:
            yield from _totals(report, line)
        if (
            "difference of" in text
            or "gap of" in text
            or "margin of" in text
            or "spread of" in text
            or "差" in text
        ):
            yield from _differences(report, line)
        if " the " in text or " that of " in text:
            yield from _multiples(report, line)
        if "=" in text and ("+" in text or "＋" in text):
            yield from _equations(report, line)


def _parts(report: Report, line: NumberLine, forms: tuple[re.Pattern[str], ...]) -> Iterator[Hit]:
    for form in forms:
        for match in form.finditer(line.text):
            part, whole, share = line.group(match, "n"), line.group(match, "t"), line.group(match, "p")
            if part.pair or whole.pair or share.pair or not 0 < part.value <= whole.value:
                continue
            if part.unit and whole.unit and part.unit != whole.unit:
                continue
            x, y = part.half_unit * (part.scale > 1), whole.half_unit * (whole.scale > 1)
            low, high = (part.value - x) / (whole.value + y), (part.value + x) / (whole.value - y)
            if _off(share, low, high):
                what = _SHARE_WRONG(
                    part=show(report, part),
                    whole=show(report, whole),
                    share=f"{part.value / whole.value * 100:.3g}",
                    stated=show(report, share),
                )
                yield Hit(span_of(share, part, whole), what, (), 0.8)


def _fractions(report: Report, line: NumberLine) -> Iterator[Hit]:
    for form in (_FRACTION, _FRACTION_BACK):
        for match in form.finditer(line.text):
            part, whole = float(match["n"].replace(",", "")), float(match["t"].replace(",", ""))
            share = line.group(match, "p")
            if 0 < part <= whole and whole >= 5 and whole != 100 and _off(share, part / whole, part / whole):
                what = _FRACTION_WRONG(
                    part=match["n"],
                    whole=match["t"],
                    share=f"{part / whole * 100:.3g}",
                    stated=show(report, share),
                )
                yield Hit(span_of(share), what, (), 0.8)


def _alike(part: Quantity, total: Quantity) -> bool:
    """Return whether a part can belong to a total: money to money, counts of people to counts."""
    counts = ("count", "measure")
    return part.kind == total.kind or (
        part.kind in counts and total.kind in counts and total.unit in ("", "people", "patient")
    )


def _off(share: Quantity, low: float, high: float) -> bool:
    """Return whether a percentage lies outside the range from ``low`` to ``high`` (shares of 1), beyond rounding."""
    slack = max(2 * share.half_unit, 0.6)
    return not low * 100 - slack <= share.value <= high * 100 + slack


def _totals(report: Report, line: NumberLine) -> Iterator[Hit]:
    for form in (_TOTAL, _ZH_TOTAL):
        match = form.search(line.text)
        if match is None:
            continue
        total = line.group(match, "t")
        bracket = match["open"] in "(（"
        end = len(line.text)
        if bracket:
            close = min(
                (i for i in (line.text.find(")", match.end()), line.text.find("）", match.end())) if i >= 0),
                default=end,
            )
            end = close
        first = line.index(match.end())
        last = line.index(end)
        parts = list(line.quantities[first:last])
        rest = line.text[match.start("open") : end]
        if len(parts) < 2 or any(
            not _alike(part, total) or (part.unit and total.unit and part.unit != total.unit)
            for part in parts
        ):
            continue
        if (
            total.pair
            or any(part.pair or part.value >= total.value or part.value < 0 for part in parts)
            or "respectively" in rest
        ):
            continue
        parts_sum = sum(part.value for part in parts)
        rough = (
            total.scale > 1
            or any(part.scale > 1 for part in parts)
            or bool(_ROUGH.search(line.text, 0, match.start("t")))
        )
        slack = (sum(part.half_unit for part in parts) + total.half_unit) * (1.0 if rough else 0.2) + (
            0.02 * total.value if rough else 0.4
        )
        if abs(parts_sum - total.value) <= slack:
            continue
        # A smaller sum may mean that only some parts are named; a larger one is wrong unless the parts overlap.
        if (
            parts_sum < total.value and (not bracket or _SOME.search(rest) or parts_sum < 0.6 * total.value)
        ) or parts_sum > 1.6 * total.value:
            continue
        listed = " + ".join(show(report, part) for part in parts[:8])
        unit = total.scale
        yield Hit(
            span_of(total, *parts),
            _TOTAL_WRONG(parts=listed, sum=parts_sum / unit, total=show(report, total)),
            (),
            0.7,
        )


def _differences(report: Report, line: NumberLine) -> Iterator[Hit]:
    for form in (_DIFFERENCE, _ZH_DIFFERENCE):
        for match in form.finditer(line.text):
            a, b, d = line.group(match, "a"), line.group(match, "b"), line.group(match, "d")
            if not comparable(a, b) or d.pair or (d.kind not in (a.kind, "points") and d.unit != "x"):
                continue
            if d.kind == "points" and a.unit != "%":
                continue
            difference = abs(a.value - b.value)
            ratios = (
                (difference / b.value * 100, difference / a.value * 100)
                if d.unit == "%" and a.value and b.value
                else ()
            )
            slack = a.half_unit + b.half_unit + d.half_unit + 0.02 * abs(d.value)
            if abs(difference - abs(d.value)) <= slack or any(abs(ratio - d.value) <= 1 for ratio in ratios):
                continue
            what = _DIFFERENCE_WRONG(
                a=show(report, a),
                b=show(report, b),
                difference=difference / max(a.scale, 1),
                stated=show(report, d),
            )
            yield Hit(span_of(a, b, d), what, (), 0.75)


def _multiples(report: Report, line: NumberLine) -> Iterator[Hit]:
    for match in _MULTIPLE.finditer(line.text):
        a, b = line.group(match, "a"), line.group(match, "b")
        word = match["f"]
        stated = line.group(match, "f") if word == NUMBER else None
        if (
            (stated is not None and stated.unit != "x")
            or not comparable(a, b)
            or a.unit == "x"
            or b.value <= 0
            or a.value <= 0
        ):
            continue
        factor = stated.value if stated is not None else _WORDS[word]
        ratio = a.value / b.value
        # "Three times higher" may mean three times or four times as high.
        if any(
            0.82 * f <= ratio <= 1.22 * f
            for f in (factor, factor + 1 if match["how"] and "as" not in match["how"] else factor)
        ):
            continue
        printed = show(report, stated) if stated is not None else word
        what = _MULTIPLE_WRONG(a=show(report, a), b=show(report, b), ratio=ratio, stated=printed)
        yield Hit(span_of(a, b), what, (), 0.75)


def _equations(report: Report, line: NumberLine) -> Iterator[Hit]:
    for match in _EQUATION.finditer(line.text):
        first, last = line.index(match.start("list")), line.index(match.start("t"))
        parts, total = line.quantities[first:last], line.quantities[last]
        if any(part.unit and total.unit and part.unit != total.unit for part in parts) or any(
            part.pair for part in (*parts, total)
        ):
            continue
        parts_sum = sum(part.value for part in parts)
        if (
            abs(parts_sum - total.value)
            > sum(part.half_unit for part in parts) * (total.scale > 1) + total.half_unit + 1e-9
        ):
            listed = " + ".join(show(report, part) for part in parts)
            yield Hit(
                span_of(*parts, total),
                _EQUATION_WRONG(parts=listed, sum=parts_sum / total.scale, stated=show(report, total)),
                (),
                0.75,
            )


CHECK = Check(
    code="NUM005",
    name="difference-or-ratio-mismatch",
    severity="error",
    summary="a sum, difference, share or multiple that its own numbers contradict",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example("Relief was reported by 20 of 60 patients (45%)."),
        Example("The second vision suite passed 13/15 (90%)."),
        Example("The survey reached a total of 120 adults (70 men and 60 women)."),
        Example("Recall was 45% against 30%, a difference of 25 percentage points."),
        Example("在60例患者中，20例症状缓解（45%）。"),
        Example("调查共回收120份问卷（男性70份、女性60份）。"),
    ),
    good=(
        Example("Relief was reported by 20 of 60 patients (33%), and by 18/54 of the controls (33.3%)."),
        Example("The survey reached a total of 120 adults (70 men and 50 women)."),
        Example(
            "Recall was 45% against 30%, a difference of 15 percentage points; it cost $90, three times the "
            "$30 of 2019."
        ),
        Example("在60例患者中，20例症状缓解（33.3%）。"),
    ),
)
