"""A sentence so long that readers lose the thread.

The check flags sentences of more than seventy words (or 150 Chinese characters) without a structure that makes them
readable, such as semicolons, a colon before a list, or short items between commas. In a long sentence it is unclear
which claim the evidence supports and where one argument ends. Above ninety words (220 characters) the finding is a
warning, otherwise a remark; ``words`` and ``characters`` under ``[options.EXP004]`` set other limits.

Tables in plain text do not count as sentences.

Known problems: legal definitions and quotations may be long on purpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import quote, tabular
from assay.checks.wording import Wording
from assay.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

# Above this share of the limit, a finding is a remark; above the limit, a warning.
_REMARK: Final = {"en": 0.78, "zh": 0.68}
# Items of a list are short; the clauses of a runaway sentence are not.
_WORDS_PER_COMMA: Final = 6
_CHARACTERS_PER_COMMA: Final = 9

_WORDS: Final = Wording(en="A sentence of {n} words: {quote}", zh="这句话长达{n}个词：{quote}")
_CHARACTERS: Final = Wording(en="A sentence of {n} characters: {quote}", zh="这句话长达{n}字：{quote}")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each sentence above the limit for remarks."""
    chinese = report.language == "zh"
    warning: int = context.option(CHECK, "characters" if chinese else "words")
    remark = int(warning * _REMARK["zh" if chinese else "en"])
    least = remark if chinese else remark * 4
    plain = report.plain
    for sentence in report.sentences:
        span = sentence.span
        if span.end - span.start <= least:
            continue
        text = plain[span.start : span.end]
        if any(mark in text for mark in ";；:：•●\t") or len(text) < 50 * text.count("\n"):
            continue
        size = count_words(text)
        commas = text.count(",") + text.count("，") + text.count("、")
        if size <= remark or size < commas * (_CHARACTERS_PER_COMMA if chinese else _WORDS_PER_COMMA):
            continue
        if tabular(report.text(span)):
            continue
        yield RawFinding(
            span,
            (_CHARACTERS if chinese else _WORDS)(n=size, quote=quote(report, span)),
            confidence=0.85 if size > warning else 0.7,
            severity=None if size > warning else "info",
        )


CHECK = Check(
    code="EXP004",
    name="runaway-sentence",
    severity="warning",
    summary="a sentence of more than 70 words (150 Chinese characters) without list structure",
    run=run,
    bad=(
        Example(
            "The agency that oversees the programme has since the reform of 2015 been charged with the "
            "review of every application "
            "that is submitted by a member state which intends to extend the period during which the "
            "exemption that was granted to "
            "its producers under the former rules may continue to apply to the installations that were "
            "already in operation when "
            "the directive came into force and that have not been modernised in the meantime because their "
            "owners were waiting for "
            "the outcome of a procedure before the court that was itself delayed by the need to hear experts "
            "from several of the "
            "countries concerned."
        ),
        Example(
            "该项目自启动以来在地方政府与企业的共同推动下逐步形成了以龙头企业为核心并且以上下游配套企业为支撑的产业格局同时在人才引进和技术研发方面也取得了比较明显的进展"
            "但是由于前期规划中对于市场需求变化的估计不足以及融资渠道过于单一等原因导致部分子项目在实施过程中出现了资金紧张和进度滞后的问题"
            "而这些问题又进一步影响了合作伙伴对于项目整体前景的判断使得后续的招商引资工作面临着比预期更大的困难和挑战因此需要有关部门尽快研究制定有针对性的措施来加以解决并确保项目能够按照原定的时间表顺利推进和最终完成。"
        ),
    ),
    good=(
        Example(
            "The programme has these parts:\n\n"
            "┌────────────┬────────────┬────────────┐\n"
            + "│ a first part of it │ a second part of it │ a third part of it │\n" * 9
            + "└────────────┴────────────┴────────────┘\n"
        ),
        Example(
            "The agency reviews every application that a member state submits. The exemption may continue to "
            "apply to installations "
            "that were in operation when the directive came into force; their owners must show why they have "
            "not been modernised."
        ),
        Example(
            "该项目自启动以来形成了以龙头企业为核心的产业格局。但由于对市场需求变化的估计不足，部分子项目出现了资金紧张和进度滞后的问题。"
        ),
    ),
    dimension="local_coherence",
    failure="expression_quality",
    options={"words": 90, "characters": 220},
)
