"""A score that has two names, such as "Rating: 3 (Good)" and later "Rating: 3 (Medium-High Risk)".

Ratings are comparable only if one number means one thing. If 3 is "good" in one section and "medium-high risk" in the
next, readers cannot tell whether a high number is good or bad, and the overall rating has no meaning. The check reads
scores with a level in brackets after a label ("Rating: 3 (Good)", 评级：3（良好）), all of which make one finding.

Known problems: a report may use two scales, each for another kind of rating, without saying so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import in_code
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")

# "Design**: 3/4 (Needs Improvement)": a label's colon, a score, and a level in brackets.
_SCORE: Final = _PHRASES.pattern(
    r"[:：][ *_]{0,6}(?P<score>10|[0-9])(?:\s?/\s?(?P<of>10|[1-9]))?\**[ ]?[(（](?P<name>"
    r"(?:(?:<<score_level_words.en>>)[ -]?){1,4}|(?:<<score_level_words.zh>>){1,3})[)）]",
    flags=re.IGNORECASE,
)
_KIND: Final = re.compile(r"(?i)[\s-]+(?:risk|rating|level|performance)s?\b|风险|水平|等级")
_SHOWN: Final = 12

_TWO_NAMES: Final = Wording(
    en="The score {score} is called “{name}” here, but “{other}” on line {line}{more}",
    zh="{score}分此处称为“{name}”，第{line}行却称为“{other}”{more}",
)
_MORE: Final = Wording(en=" (and {n} more with two names)", zh="（另有{n}处）")


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield one finding for all scores whose name differs from the first name of the same score."""
    first: dict[tuple[str, str | None], re.Match[str]] = {}
    others: list[tuple[re.Match[str], re.Match[str]]] = []
    for match in _SCORE.finditer(report.source):
        if in_code(report, match.start()):
            continue
        known = first.setdefault((match["score"], match["of"]), match)
        if _plain(known["name"]) != _plain(match["name"]):
            others.append((match, known))
    if not others:
        return
    match, known = others[0]
    line, _ = report.lines.place(known.start())
    yield Hit(
        Span(*match.span("score")),
        _TWO_NAMES(
            score=match["score"],
            name=match["name"],
            other=known["name"],
            line=line,
            more=_MORE(n=len(others) - 1) if len(others) > 1 else "",
        ),
        related=(Span(*known.span("score")), *(Span(*more.span("score")) for more, _ in others[1:_SHOWN])),
        confidence=0.85,
    )


def _plain(name: str) -> str:
    return _KIND.sub("", name.lower()).replace("-", " ").strip()


CHECK = Check(
    code="NUM013",
    name="score-with-two-names",
    severity="warning",
    summary="one score called by two names",
    run=run,
    dimension="internal_consistency",
    failure="incoherence",
    bad=(
        Example(
            "## Ratings\n\n- **Overall**: 3 (Medium-High Risk)\n- **Design**: 2 (Good)\n\n## Design\n\n"
            "**Rating**: 2 (Needs Improvement)\n"
        ),
        Example("- 总体评级：3（中高风险）\n- 设计：2（良好）\n\n## 设计\n\n评级：2（较差）\n"),
    ),
    good=(
        Example(
            "- **Overall**: 3 (Medium-High Risk)\n- **Design**: 2 (Good)\n\n**Rating**: 3 (medium-high)\n\n"
            "Items: 3 (see below). Sites: 3 (north).\n"
        ),
        Example("- 总体评级：3（中高风险）\n- 设计：2（良好）\n\n评级：3（中高）\n"),
    ),
)
