"""A share above 100 % or below zero, or a fall by more than 100 %.

"120 % of respondents", "a market share of 130 %", "fell by 150 %", "12 out of 10 patients" are impossible. Usually a
growth rate was taken for a share, a decimal point was misplaced, or an "increase" became a "decrease".

Not flagged are percentages that may exceed 100 (growth, GDP ratios, efficiency, mobile penetration, prices), and falls of
quantities that can become negative (profit, cash flow, growth).

Known problems: an unusually worded share of another quantity ("120 % of patients' usual dose") may be reported as a share
of people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.num._numbers import NUMBER, NumberLine, number_lines, pattern, show, span_of
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")

_OF_PEOPLE: Final = pattern(
    r"(?P<p><P>)\ of\ (?:all\ |the\ |its\ |their\ |our\ |these\ |those\ |surveyed\ |adult\ |us\ |u\.s\.\ |"
    r"american\ |chinese\ ){0,3}(?:<<impossible_percentage_groups.en>>)(?=[,.;:)]|$|\ (?!(?:demand|cost|"
    r"price|base|level|income)))"
)
_SHARE: Final = pattern(
    r"""(?:\bmarket\ share|\bshare\ of\ (?:the\ )?[a-z]{3,14}|\bproportion|\bprobability|\blikelihood
    |\baccuracy|\bprecision|\brecall|\bsensitivity|\bspecificity
          |\b(?:literacy|unemployment|mortality|survival|success|win|fatality|response|dropout|vacancy
          |employment)\ rate|\bprevalence)
        (?:\ rate)?\ (?:of|at|is|was|reached|reaching|to|exceeds|exceeded|stood\ at|stands\ at)(?:\ about
        |\ around|\ nearly|\ over|\ up\ to|\ roughly)?\ (?P<p><P>)"""
)
_ZH_SHARE: Final = pattern(
    r"(?:<<impossible_percentage_share.zh>>)(?:已)?(?:<<impossible_percentage_share_verbs.zh>>)?(?:约|近|了)?\ "
    "?(?P<p><P>)(?!的增)"
)
_ZH_PEOPLE: Final = pattern(
    "(?:有|约|近|超过|超|达)(?P<p><P>)的(?:<<impossible_percentage_people.zh>>)(?!均|工|力|才)"
)
_FALL: Final = pattern(
    r"""\b(?:fell|fallen|falls|dropped|drops|declined|decreased|plunged|plummeted|shrank|reduced|reduces|cuts?
    |lowered|slashed|decreasing|reducing)
    \ [a-z\ \-]{0,30}?by\ (?:(?:about|around|nearly|over|up\ to|more\ than|roughly|as\ much\ as)\ )?(?P<p><P>)"""
)
_FALL_NOUN: Final = pattern(
    r"\b(?:reduction|decrease|decline|drop)\ of\ (?:about\ |around\ |nearly\ |over\ |up\ to\ |more\ than\ )?(?P<p><P>)"
)
_ZH_FALL: Final = pattern(
    r"(?:<<impossible_percentage_fall.zh>>)(?:<<impossible_percentage_fall_particles.zh>>){0,2}\ ?(?P<p><P>)"
)
_SIGNED: Final = _PHRASES.pattern(
    "<<impossible_percentage_signed.en>>|net |<<impossible_percentage_signed_return.en>>|"
    "<<impossible_percentage_signed_return.zh>>",
)
_GROWING: Final = _PHRASES.pattern(
    r"(?:<<impossible_percentage_growing.en>>|<<impossible_percentage_growing.zh>>)\w*(?: (?:of|by|to))?(?: "
    "(?:about|over|more than|nearly))? ?$",
)
_OUT_OF: Final = pattern(r"(?P<a><N>)\ out\ of\ (?:every\ |the\ |a\ total\ of\ |all\ )?(?P<b><N>)")

_MORE_THAN_ALL: Final = Wording(
    en="{part} out of {whole} is more than there are", zh="总数只有{whole}，不可能有{part}"
)
_ABOVE_WHOLE: Final = Wording(
    en="A share of {share} is impossible: it exceeds the whole", zh="占比不可能为{share}：超过了整体"
)
_BELOW_ZERO: Final = Wording(
    en="A share of {share} is impossible: it is negative", zh="占比不可能为{share}：份额不会是负数"
)
_FALL_TOO_FAR: Final = Wording(
    en="A fall by {fall} leaves less than nothing; only what can become negative falls by more than 100 %",
    zh="降幅为{fall}，结果将小于零；只有可以为负的量，降幅才能超过100%",
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each impossible share or fall."""
    for line in number_lines(report):
        if line.percents and any(
            q.kind == "percent" and (q.value > 100 or q.value < 0) for q in line.quantities
        ):
            yield from _percents(report, line)
        if NUMBER in line.text and " out of " in line.text:
            for match in _OUT_OF.finditer(line.text):
                part, whole = line.group(match, "a"), line.group(match, "b")
                if part.value > whole.value > 1 and part.scale == whole.scale and not part.pair:
                    what = _MORE_THAN_ALL(part=show(report, part), whole=show(report, whole))
                    yield Hit(span_of(part, whole), what, (), 0.8)


def _percents(report: Report, line: NumberLine) -> Iterator[Hit]:
    text = line.text
    for form in (_OF_PEOPLE, _SHARE, _ZH_SHARE, _ZH_PEOPLE):
        for match in form.finditer(text):
            share = line.group(match, "p")
            if 0 <= share.value <= 100 or _GROWING.search(text, max(0, match.start() - 30), match.start("p")):
                continue
            if share.value < 0 and form is not _OF_PEOPLE:
                continue
            what = (_ABOVE_WHOLE if share.value > 0 else _BELOW_ZERO)(share=show(report, share))
            yield Hit(span_of(share), what, (), 0.8)
    if _SIGNED.search(text):
        return
    for form in (_FALL, _FALL_NOUN, _ZH_FALL):
        for match in form.finditer(text):
            fall = line.group(match, "p")
            if fall.value > 100:
                what = _FALL_TOO_FAR(fall=show(report, fall))
                yield Hit(span_of(fall), what, (), 0.75)


CHECK = Check(
    code="NUM011",
    name="impossible-percentage",
    severity="error",
    summary="a share above 100 % or below 0, or a fall by more than 100 %",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example("In the survey, 120% of respondents said they had changed their supplier."),
        Example("The maker claims that the rinse reduces plaque on teeth by over 300%."),
        Example("The advertised steering lock reduces car theft by 400%."),
        Example("该公司在国内的市场份额达到130%，居行业首位。"),
    ),
    good=(
        Example(
            "In the survey, 62% of respondents said so; orders rose by 120%, and debt reached 120% of GDP."
        ),
        Example("Net income fell by 150%, while the process reduced water consumption by 50%."),
        Example("该公司在国内的市场份额达到13%，订单同比增长130%，净利润同比下降150%。"),
    ),
)
