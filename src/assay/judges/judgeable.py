"""Texts with nothing to judge: empty, a few words, a bare list of references, an error message, a run without a step.

Whatever counts faults finds none in such a text, and whatever measures shares has nothing to divide. So they get no
numbers, and every other text is better.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from assay.checks.wording import Wording
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory
from assay.text.phrases import PhraseFile
from assay.text.words import count_words

NothingReason = Literal[
    "empty", "few_words", "only_references", "error_message", "refusal", "no_steps", "crashed"
]

WORDINGS: Final[dict[NothingReason, Wording]] = {
    "empty": Wording(en="the text is empty", zh="正文为空"),
    "few_words": Wording(en="the text is a few words long", zh="正文只有几个字"),
    "only_references": Wording(en="the text is a list of references", zh="正文只是一份参考文献列表"),
    "error_message": Wording(en="the text is an error message", zh="正文是一条报错信息"),
    "refusal": Wording(en="the text declines to answer", zh="正文是拒绝作答的回复"),
    "no_steps": Wording(en="the run has no step", zh="运行记录中没有任何步骤"),
    "crashed": Wording(en="the run crashed before anything came back", zh="运行在得到任何结果之前就已崩溃"),
}

_PHRASES: Final = PhraseFile("assay.judges", "no_report")
# A Chinese character counts as a word, and about 1.6 of them say what one English word says.
_FEWEST: Final = {"en": 8, "zh": 13}
# An error message or a refusal may explain itself; a report of that length that only begins like one is a report.
_SHORT: Final = {"en": 120, "zh": 190}
_OPENING: Final = 240
_URL: Final = re.compile(r"https?://|\bwww\.|\bdoi\.org|10\.\d{4,9}/")
_LETTER: Final = re.compile(r"\w")
_DECORATION: Final = re.compile(r"^[\W_]+")
_ENTRY: Final = 20
_ERROR_MESSAGE: Final = _PHRASES.pattern("<<error_message>>", flags=re.IGNORECASE)
_REFUSAL: Final = _PHRASES.pattern("<<refusal>>", flags=re.IGNORECASE)


def why_nothing(subject: Subject) -> NothingReason | None:
    """Return why there is nothing to judge, or None if there is something."""
    key = "assay.judges.judgeable"
    if key not in subject.memo:
        subject.memo[key] = _of_report(subject) if isinstance(subject, Report) else _of_run(subject)
    reason: NothingReason | None = subject.memo[key]
    return reason


def _of_run(run: Trajectory) -> NothingReason | None:
    if not any(step.reasoning.strip() or step.tool_calls for step in run.steps):
        return "no_steps"
    came_back = any(call.response for call in run.tool_calls) or bool((run.answer or "").strip())
    return "crashed" if run.ending.kind == "crashed" and not came_back else None


def _of_report(report: Report) -> NothingReason | None:
    if not _LETTER.search(report.plain):
        # A text of nothing but links has no plain words either.
        return "only_references" if _URL.search(report.source) else "empty"
    language = "zh" if report.language == "zh" else "en"
    words = _body_words(report, enough=_SHORT[language])
    if words < _SHORT[language]:
        first = next((block.span.start for block in report.blocks if block.kind != "heading"), 0)
        opening = _DECORATION.sub("", report.source[first : first + _OPENING])
        if _ERROR_MESSAGE.match(opening):
            return "error_message"
        if _REFUSAL.match(opening):
            return "refusal"
    if words >= _FEWEST[language]:
        return None
    return "only_references" if report.references or _URL.search(report.source) else "few_words"


def _body_words(report: Report, *, enough: int) -> int:
    """Count words outside headings, the reference list and lines made of an address; stop at ``enough``."""
    total = 0
    references = report.reference_span
    for block in report.blocks:
        start, end = block.span.start, block.span.end
        inside = references is not None and references.start <= start < references.end
        if inside or block.kind in ("heading", "reference"):
            continue
        for line, source in zip(
            report.plain[start:end].split("\n"), report.source[start:end].split("\n"), strict=True
        ):
            words = count_words(line)
            # "[3] https://… – title" is an entry of a list whose heading is missing; a sentence with a link is not.
            if not (_URL.search(source) and words < _ENTRY):
                total += words
        if total >= enough:
            break
    return total
