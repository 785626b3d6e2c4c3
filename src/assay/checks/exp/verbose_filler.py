"""Filler that says nothing: "it is important to note that", "in today's fast-paced world", 值得注意的是.

One such phrase is a matter of style; one in every other paragraph is padding, which hides how little a report says. A
report with many fillers for its length gets one finding, which refers to the first of them.

Known problems: fillers in speeches and quotations count too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import prose_at
from assay.checks.wording import Wording, series
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")

_FILLER: Final = PhraseLexicon(_PHRASES, "verbose_filler_filler")
_LEAST: Final = 5
_PER_THOUSAND: Final = (3.0, 2.0)  # English words; Chinese characters
_SHOWN: Final = 8

_FILLERS: Final = Wording(
    en="{n} filler phrases in {words} words: {fillers}", zh="全文{words}字中有{n}处套话：{fillers}"
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding, at the first filler, if fillers are frequent."""
    matches = _FILLER.find(report.cues)
    if len(matches) < _LEAST:
        return
    spans = [Span(start, end) for start, end in matches if prose_at(report, start)]
    limit = _PER_THOUSAND[report.language == "zh"]
    if len(spans) < _LEAST or len(spans) * 1000 < limit * max(report.words, 1):
        return
    texts = list(
        dict.fromkeys(" ".join(report.source[span.start : span.end].split()).lower() for span in spans)
    )
    fillers = series(texts[:4], quoted=True, cut=len(texts) > 4)
    yield RawFinding(
        spans[0],
        _FILLERS(n=len(spans), words=report.words, fillers=fillers),
        related=tuple(spans[1:_SHOWN]),
        confidence=0.7,
    )


CHECK = Check(
    code="EXP011",
    name="verbose-filler",
    severity="info",
    summary="stock phrases that say nothing, more than a few per thousand words",
    run=run,
    bad=(
        Example(
            "In today's fast-paced world, it is important to note that heat pumps play a crucial role. It is "
            "worth noting that when it "
            "comes to heating, needless to say, costs matter. It goes without saying that sales grew. At the "
            "end of the day, it is "
            "clear that homes need heat."
        ),
        Example(
            "值得注意的是，热泵具有重要意义。众所周知，补贴发挥着重要作用。毋庸置疑，销量增长。综上所述，需要指出的是，市场前景良好，不言而喻。"
        ),
    ),
    good=(
        Example(
            "It is important to note that heat pumps work in the cold. Sales grew by 12 %; costs matter most "
            "where gas is cheap, and installers are few."
        ),
        Example("值得注意的是，热泵在低温下仍可运行。2022年销量增长12%，补贴是主要原因。"),
    ),
    failure="expression_quality",
)
