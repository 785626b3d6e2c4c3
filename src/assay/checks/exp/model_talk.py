"""What the agent left in its report: its next steps, chat with the user, remarks on its search, marks of its tools.

Agents leave working notes and chat in the report: what they will search next, what the user asked, offers of more help,
disclaimers about AI, word counts, and tags or identifiers of their tools. Readers want the results, and somebody has to
remove these by hand before the report is passed on. Each kind makes one finding with all its places. A note names
connectives such as "because" that are set in capitals or bold type throughout, which is written for a checker.

Not flagged are "we" and "this report" as authors use them ("this report examines", "we find"), an author's own account of
what could not be found or verified, quotations, and code. In a report about software, "the user" and "the prompt" are
part of the subject, so only words about the query of this very report count.

Known problems: reports about chat assistants may show such phrases without quotation marks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import in_code, in_quotes, prose_at, quote
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")

# Words without which no pattern matches; the patterns read only the sentences that contain one.
_CUES: Final = PhraseLexicon(_PHRASES, "leftover_cues")
_REACH: Final = 240
_LONGEST_PHRASE: Final = 100
_USER: Final = re.compile("user|prompt|query")
_MOST_QUERIES: Final = 8
_OPENING_CHARACTERS: Final = 400
_SHOWN: Final = 12


def _of(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of one list: the English and the Chinese."""
    return _PHRASES.pattern(rf"(?<!\w)(?:<<{name}.en>>)(?!\w)"), _PHRASES.pattern(f"<<{name}.zh>>")


# Kind, patterns of its sentences in lower case, whether it counts only at the report's beginning, message.
_KINDS: Final[tuple[tuple[str, tuple[re.Pattern[str], re.Pattern[str]], bool, Wording], ...]] = (
    (
        "steps",
        _of("leftover_steps"),
        False,
        Wording(
            en="{n:remark|remarks} of the agent about its next steps: {quote}",
            zh="{n}处谈的是下一步要做什么，而不是主题：{quote}",
        ),
    ),
    (
        "request",
        _of("leftover_request"),
        False,
        Wording(
            en="{n:sentence speaks|sentences speak} of the user's request instead of the subject: {quote}",
            zh="{n}处谈的是用户的要求，而不是主题：{quote}",
        ),
    ),
    (
        "offer",
        _of("leftover_offer"),
        False,
        Wording(
            en="{n:sentence addresses|sentences address} the user as in a chat: {quote}",
            zh="{n}处像聊天一样对用户说话：{quote}",
        ),
    ),
    (
        "opening",
        _of("leftover_opening"),
        True,
        Wording(
            en="The report begins as a reply in a chat: {quote}",
            zh="报告以聊天回复的口吻开头：{quote}",
        ),
    ),
    (
        "machine",
        _of("leftover_machine"),
        False,
        Wording(
            en="{n:remark|remarks} on the model that wrote this: {quote}",
            zh="{n}处谈的是写作本文的模型：{quote}",
        ),
    ),
    (
        "search",
        _of("leftover_search"),
        False,
        Wording(
            en="{n:remark|remarks} on the agent's search results instead of the sources: {quote}",
            zh="{n}处谈的是智能体的搜索结果，而不是来源：{quote}",
        ),
    ),
    (
        "grading",
        _of("leftover_grading"),
        False,
        Wording(
            en="{n:remark|remarks} on how the text meets its instructions: {quote}",
            zh="{n}处谈的是本文如何满足任务要求：{quote}",
        ),
    ),
    (
        "assurance",
        _of("leftover_assurance"),
        False,
        Wording(
            en="{n:sentence assures|sentences assure} that all is checked, where only the sources could show it: {quote}",
            zh="{n}处笼统保证内容均已核实，而这只能由来源来证明：{quote}",
        ),
    ),
    (
        "length",
        _of("leftover_length"),
        False,
        Wording(
            en="{n:note|notes} of the text's own length or making: {quote}",
            zh="{n}处注明本文的字数或生成信息：{quote}",
        ),
    ),
)
_DEBRIS_MESSAGE: Final = Wording(
    en="{n:mark|marks} of the agent's tools in the text: {quote}",
    zh="文中有{n}处工具留下的标记：{quote}",
)
# One of these is in every text that the pattern matches.
_DEBRIS_SIGNS: Final = (
    "<think",
    "</think",
    "<tool",
    "</tool",
    "oaicite",
    "sandbox:",
    "file-service",
    "\ue200",
    "<img",
    "pplx.ai/share",
)
_DEBRIS: Final = re.compile(
    r"</?think(?:ing)?>|</?tool_(?:call|response|result|use)s?>|:?contentReference\[oaicite[^\]\n]{0,40}\]"
    r"|\boaicite:\d+|\bsandbox:/mnt/\S{1,80}|\bfile-service://\S{1,80}"
    "|\ue200(?!(?:file)?cite)[a-z_]{3,30}\ue202"
    # The logo of the tool, and its address below a page that was shared.
    r"|<img\s[^>\n]{0,300}\bclass=[\"']logo[\"'][^>\n]{0,80}>|\bpplx\.ai/share\b"
)
_EMPHASIS: Final = Wording(
    en="“{word}” and the like are in capitals or bold type {n} times, as if to show that reasons are given: {quote}",
    zh="“{word}”之类的连词有{n}处加粗或大写，像是为了表明给出了理由：{quote}",
)
_REASONS: Final = ("because", "therefore", "consequently", "hence", "thus")
_FEWEST_REASONS: Final = 5
# These kinds may be in tables and quoted blocks of legitimate texts; a whole line must be the note.
_LINE_KINDS: Final = ("length",)
_LONGEST_LINE: Final = 120


def leftovers(report: Report) -> dict[str, list[Span]]:
    """Return the sentences that the agent left, by kind, and under "debris" the marks of its tools."""
    known: dict[str, list[Span]] | None = report.memo.get(leftovers)
    if known is None:
        known = report.memo[leftovers] = {}
        for kind, span in _sentences(report):
            spans = known.setdefault(kind, [])
            if not spans or spans[-1].end < span.end:
                spans.append(span)
        if debris := list(_debris(report)):
            known["debris"] = debris
    return known


def talks(report: Report, span: Span) -> bool:
    """Return whether a passage contains such remarks, so that other checks can leave it to this one."""
    return any(
        left.start < span.end and span.start < left.end
        for spans in leftovers(report).values()
        for left in spans
    )


def _sentences(report: Report) -> Iterator[tuple[str, Span]]:
    lower = report.cues.lower
    done = -1
    for start, end in _CUES.find(report.cues):
        if start < done:
            continue
        block, sentence = prose_at(report, start), report.sentence_at(start)
        if block is None:
            continue
        span = sentence.span if sentence else block.span
        left, right = max(span.start, start - _REACH), min(span.end, end + _REACH)
        # What the patterns have read once they need not read again for the next cue.
        done = right - _LONGEST_PHRASE
        chinese = any(char > "\u2e7f" for char in lower[max(0, start - 1) : end + 1])
        for kind, patterns, opening, _ in _KINDS:
            match = patterns[chinese].search(lower, left, right)
            if match is None or (opening and match.start() > _OPENING_CHARACTERS):
                continue
            if kind in _LINE_KINDS and not _short_line(report, match.start()):
                continue
            if (sentence and in_quotes(report, sentence, match.start())) or in_code(report, match.start()):
                continue
            if kind == "request" and _about_queries(report) and _USER.search(match.group()):
                continue
            done = right
            yield kind, span
            break


def _about_queries(report: Report) -> bool:
    """Return whether queries and prompts are the report's subject."""
    return (
        sum(len(report.cues.positions(word)) for word in ("query", "queries", "prompt", "prompts"))
        > _MOST_QUERIES
    )


def _short_line(report: Report, at: int) -> bool:
    source = report.source
    begin = source.rfind("\n", 0, at) + 1
    end = source.find("\n", at)
    return (len(source) if end < 0 else end) - begin <= _LONGEST_LINE


def _debris(report: Report) -> Iterator[Span]:
    source = report.source
    if not any(sign in source for sign in _DEBRIS_SIGNS):
        return
    for match in _DEBRIS.finditer(source):
        span = Span(*match.span())
        if not in_code(report, span.start) and not report.citations_in(span):
            yield span


def _emphasised(report: Report) -> list[Span]:
    """Return the words of reasoning that are in capitals or in bold type by themselves."""
    source = report.source
    spans = [Span(at, at + len(word)) for word in _REASONS for at in report.cues.positions(word)]
    found = [
        span
        for span in spans
        if source[span.start : span.end].isupper()
        or (span.start > 1 and source[span.start - 2 : span.start] == source[span.end : span.end + 2] == "**")
    ]
    return sorted(found, key=lambda span: span.start)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each kind of leftover, at its first place."""
    emphasised = _emphasised(report)
    if len(emphasised) >= _FEWEST_REASONS:
        first = emphasised[0]
        near = Span(max(0, first.start - 40), min(len(report.source), first.end + 30))
        filled = _EMPHASIS(word=report.text(first), n=len(emphasised), quote=quote(report, near, 90))
        yield Hit(first, filled, tuple(emphasised[1:_SHOWN]), confidence=0.75, severity="info")
    found = leftovers(report)
    messages = [(kind, message) for kind, _, _, message in _KINDS] + [("debris", _DEBRIS_MESSAGE)]
    for kind, message in messages:
        if spans := found.get(kind):
            yield Hit(
                spans[0],
                message(n=len(spans), quote=quote(report, spans[0], 90)),
                related=tuple(spans[1:_SHOWN]),
                confidence=0.9,
            )


CHECK = Check(
    code="EXP007",
    name="model-talk",
    severity="warning",
    summary="working notes, chat, or marks of tools that the agent left in the report",
    run=run,
    bad=(
        Example(
            "I'll now search for more recent figures. Let me look at the second source.\n\n# Heat "
            "pumps\n\nSales rose by 12 %."
        ),
        Example("As an AI language model, I do not have access to live data. Sales rose by 12 % in 2022."),
        Example("Sales rose by 12 %.\n\nIf you want, I can also turn this into a slide deck."),
        Example("The deployment plan, as requested, follows.\n\nSales rose by 12 % </tool_response>."),
        Example("Sales rose by 12 %.\n\n*Total word count: approximately 1,200 words*"),
        Example("我需要更具体地了解该领域的发展：\n\n# 报告\n\n让我继续搜索相关信息。2023年销量增长12%。"),
        Example("根据搜索结果，2023年热泵销量增长12%。\n\n如果你愿意，我可以再整理一份对比表。"),
    ),
    good=(
        Example(
            "This report examines recent figures; we find that sales rose by 12 %. Data for 2024 could not be found."
        ),
        Example(
            "Users were told: “As an AI language model, I do not have access to live data.” Most stopped asking."
        ),
        Example(
            "The agent breaks the user request into subtasks, and I could not find a study that compares both. "
            "If you want faster time to production, choose the managed index. Let me explain why."
        ),
        Example("本报告研究该领域的发展。我们发现2023年销量增长12%。以下是主要结论。"),
        Example("平台根据用户需求调整搜索结果页的排序，如需定制可联系厂商。"),
    ),
    dimension="global_coherence",
    failure="expression_quality",
)
