"""Flags a report or a section that stops in the middle of a sentence.

Models stop when their token budget is used up, and texts are cut off when they are copied. The last line then ends with a
comma, an article or preposition, an unclosed code fence or a colon, and the rest, often the conclusion, is missing.

At the end of the report, prose without final punctuation is flagged too, if the report otherwise ends its sentences
properly. At the end of a section, only clear signs count, since a fragment may precede a heading.

Known problems: a signature or slogan without a full stop in the last line may look cut off.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.exp.model_talk import talks
from assay.checks.invisible import threaded_spans
from assay.checks.wording import FilledWording, Wording
from assay.subjects.roles import title_role
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.checks.base import Severity
    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "structure")
_WORDS: Final = WordSets(_PHRASES)

# Words that may also end a fragment or a title ("what to look for", "opt in") only count at the end of the report.
_HANGING_ANYWHERE: Final = _WORDS.broken_off_ending_hanging - frozenset(
    "for to by as that this these is are was were be been can will have has may".split()
)
_HANGING_ZH: Final = _PHRASES.pattern("(?:<<broken_off_ending_hanging.zh>>|，|、)$")
_LINK_TARGET: Final = re.compile(r"\s{0,3}\[[^\]\n]{1,200}\]:\s*\S+")
_LAST_WORD: Final = re.compile(r"([A-Za-z]+)$")
_CLOSED: Final = tuple(".!?。！？…;；\"”’'」』)）]】》›»|%")
_LONG_ENOUGH: Final = 8
_TAIL: Final = 240
# "Total length: 65,000 characters"
_INDEX: Final = re.compile(r"\s{0,8}[\[(]?\d{1,3}[\])]?[.)]?\s+\S")
# Remarks of an agent between two searches, which it left in the text.
_AT_WORK: Final = re.compile(
    r"(?i)(?:^|[,.:;]\s+)(?:now,? )?(?:let me|let['’]s|let us|i['’]ll|i will|i need to|i['’]m going to)\b"
    r"|让我|接下来我|我将|我需要"
)
_FOOTER: Final = re.compile(r"[^:：.。]{2,30}[:：].{0,50}$")

_SECTION: Final = Wording(
    en="Section “{title}” breaks off: its last line ends in {ending}",
    zh="“{title}”一节没有写完：末行以{ending}结尾",
)
_OPENING: Final = Wording(
    en="The text before the first heading breaks off: its last line ends in {ending}",
    zh="第一个标题之前的文字没有写完：末行以{ending}结尾",
)
_COLON: Final = Wording(en="a colon with nothing after it", zh="后面没有内容的冒号")
_OPEN_CODE: Final = Wording(
    en="The report ends inside a code block that is never closed", zh="报告结束于一个没有闭合的代码块"
)
_REPORT: Final = Wording(
    en="The report breaks off: its last line ends in {ending}", zh="报告没有写完：末行以{ending}结尾"
)
_NO_END: Final = Wording(en="The report's last sentence has no end", zh="报告最后一句没有写完")


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each section that breaks off, then for the end of the report."""
    body = [block for block in report.blocks if block.kind not in ("rule", "reference", "html")]
    while body and (_link_targets(report, body[-1]) or _opens_references(report, body[-1])):
        body.pop()
    for block, following in pairwise(body):
        if following.kind != "heading" or block.kind not in ("paragraph", "item"):
            continue
        # A lead-in may stand before a heading of the same or a lower rank ("compared in Table 1:").
        own, next_level = (report.sections[part.section].level for part in (block, following))
        leads_in = block.kind == "item" or next_level > own or next_level == own > 1
        if ending := _ending(report, block, _HANGING_ANYWHERE, colon=not leads_in):
            title = report.sections[block.section].title
            message = _SECTION(title=title, ending=ending) if title else _OPENING(ending=ending)
            yield _finding(report, block, message, 0.8, "warning")
    if body:
        yield from _report_end(report, body[-1])


def _link_targets(report: Report, block: Block) -> bool:
    """Return whether a block contains only link targets (``[name]: address``), which readers do not see."""
    if block.kind != "paragraph" or not report.source.startswith("[", block.span.start):
        return False
    return all(_LINK_TARGET.match(line) for line in report.text(block.span).splitlines() if line.strip())


def _opens_references(report: Report, block: Block) -> bool:
    return block.kind == "heading" and report.sections[block.section].is_references


def _report_end(report: Report, block: Block) -> Iterator[Hit]:
    if any(threaded_spans(report.source[max(block.span.start, block.span.end - _TAIL) : block.span.end])):
        # Somebody hid a sentence at the end (SEC002); what stands before it is whole.
        return
    if block.kind == "code":
        source = report.text(block.span).strip()
        if source.startswith(("```", "~~~")) and not source.endswith(source[:3]):
            yield _finding(report, block, _OPEN_CODE(), 0.8)
    elif block.kind in ("paragraph", "item"):
        if ending := _ending(report, block, _WORDS.broken_off_ending_hanging, colon=True):
            yield _finding(report, block, _REPORT(ending=ending), 0.9)
        elif (
            not _tail(report, block).endswith((*_CLOSED, ":", "：", "-", "—"))
            and not _marked(report, block)
            and not _is_footer(report, block)
            and _closes_elsewhere(report, block)
        ):
            yield _finding(report, block, _NO_END(), 0.7, "warning")


def _ending(report: Report, block: Block, words: frozenset[str], *, colon: bool) -> str | Wording | None:
    """Return what a block that is cut off ends in, or None; a ``colon`` counts if no lead-in may stand there."""
    text = _tail(report, block)
    if _marked(report, block):
        return None
    if colon and text.endswith((":", "：")):
        # "Let me search for prices:" is EXP007's finding.
        return (
            _COLON
            if count_words(text) >= _LONG_ENOUGH
            and not _is_at_work(report, block, text)
            and not talks(report, block.span)
            else None
        )
    return _hanging(text, words)


def _is_at_work(report: Report, block: Block, text: str) -> bool:
    """Return whether an agent announces its next step above the first section; the report lacks nothing there."""
    section = report.sections[block.section]
    return section.index <= 1 and title_role(section.title) is None and _AT_WORK.search(text) is not None


def _is_footer(report: Report, block: Block) -> bool:
    """Return whether the last line is set in italics as a whole ("*Report prepared in June*") or is a short datum."""
    line = report.text(block.span).strip().splitlines()[-1].strip()
    return (line[:1] in "*_" and line[-1:] == line[:1]) or _FOOTER.match(line) is not None


def _tail(report: Report, block: Block) -> str:
    start = max(block.span.start, block.span.end - _TAIL)
    return report.plain[start : block.span.end].rstrip()


def _marked(report: Report, block: Block) -> bool:
    """Return whether the block ends with a citation, an address or code.

    The words before it then need not end a sentence.
    """
    source = report.source[block.span.start : block.span.end].rstrip(" \t\r\n*_")
    # What markup there is at the end is blank in the plain text.
    return (
        source.endswith(("]", ")", "】", ">", "/", "`"))
        or source[-1:].isalnum() > report.plain[block.span.start + len(source) - 1].isalnum()
    )


def _hanging(text: str, words: frozenset[str]) -> str | None:
    """Return the word or mark, in quotation marks, that shows that a line is cut off; None if it is not."""
    if text.endswith((",", "(", "（")):
        return f"“{text[-1]}”"
    match = _LAST_WORD.search(text[-24:])
    if match is not None:
        word = match[1].lower()
        if word in words and match[1].islower() and count_words(text) >= 5:
            return f"“{word}”"
        return None
    zh = _HANGING_ZH.search(text[-6:])
    return f"“{zh.group()}”" if zh and count_words(text) >= 10 else None


def _closes_elsewhere(report: Report, last: Block) -> bool:
    """Return whether ``last`` is prose and nearly all other blocks of its kind end with final punctuation."""
    text = report.plain[last.span.start : last.span.end].rstrip()
    # The last lines may be an index of references: "37 Guardrail benchmarks".
    text = text[text.rfind("\n") + 1 :]
    if _INDEX.match(text) or count_words(text) < _LONG_ENOUGH + 4:
        return False
    others = [block for block in report.paragraphs if block.kind == last.kind and block.index != last.index][
        -40:
    ]
    long = [block for block in others if len(block.span) > 60]
    if len(long) < 5:
        return False
    closed = sum(_tail(report, block).endswith((*_CLOSED, ":", "：")) for block in long)
    return closed >= 0.95 * len(long)


def _finding(
    report: Report, block: Block, message: FilledWording, confidence: float, severity: Severity | None = None
) -> Hit:
    """Return a finding at the last sentence of the block."""
    start = max([block.span.start, *(sentence.span.start for sentence in report.sentences_in(block.span))])
    end = block.span.start + len(report.text(block.span).rstrip())
    return Hit(Span(start, end), message, confidence=confidence, severity=severity)


CHECK = Check(
    code="STR007",
    name="broken-off-ending",
    severity="error",
    summary="The report or a section stops in the middle of a sentence",
    run=run,
    bad=(
        Example(
            "# Pumps\n\nHeat pumps spread quickly in the north.\n\nThe main reason for their success is the\n"
        ),
        Example("# Pumps\n\n## Costs\n\nPrices fell by a third, because of\n\n## Outlook\n\nGood.\n"),
        Example("# 热泵\n\n热泵在北方迅速普及。\n\n其成功的主要原因包括补贴政策、技术进步以及\n"),
    ),
    good=(
        Example(
            "# Pumps\n\n## Costs\n\nPrices fell by a third because of\n\n- cheaper parts\n- larger series\n"
        ),
        Example(
            "# Pumps\n\nHeat pumps spread quickly in the north [1].\n\n## Sources\n\n[1] https://a.example/x\n"
        ),
        Example(
            "# Pumps\n\n## Costs\n\nLet me search for the prices of pumps in the north:\n\n## Outlook\n\nGood.\n"
        ),
        Example("# 热泵\n\n热泵在北方迅速普及，主要原因是补贴政策、技术进步以及价格下降。\n"),
    ),
    dimension="local_coherence",
    failure="expression_quality",
)
