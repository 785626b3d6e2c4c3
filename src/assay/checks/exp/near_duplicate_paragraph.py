"""Repeated content: passages that recur almost word for word, sections told twice, one statement told in many sections.

Reports assembled section by section repeat themselves, which adds length but no content. The check reports paragraphs of
about forty words or more if seven tenths of them also occur in an earlier paragraph, and sentences of twelve words or more
that recur unchanged; all of them make one finding. A section that tells most of what an earlier section has told, in the
same or other words, is a note, and a warning if more than three pairs do. A note tells where one statement – the same
figure with the same terms – stands in three or more sections.

Candidates are found by the rare words (in Chinese: clauses) or the figures that two passages share, so the cost grows with
the length of the report and not with the number of pairs. Sections are compared by the terms that few sections have.

Not flagged are summaries, introductions and conclusions, which repeat the body by design, tables, tables of contents, the
words of links, and definitions of different terms in code.

Known problems: reports that fill in one form per item (data sheets, questionnaires) repeat text by design.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.exp._retold import retold, without_links
from assay.checks.prose import quote, tabular
from assay.checks.wording import Wording
from assay.subjects.roles import FRAME, role_of
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block, Section, Sentence
    from assay.subjects.report import Report

_MIN_WORDS: Final = 35
_MIN_CHINESE: Final = 60
_SHARE: Final = 0.7
_SENTENCE: Final = (
    70,
    28,
)  # characters: about twelve English words, or a Chinese sentence of similar content
_BEGIN: Final = 24
_END_MARKS: Final = ".!?。！？…"
_CLOSED: Final = (".”", '."', ".)", "。”", "。）", "。」")
_RARE: Final = 3  # a word that occurs more often does not connect two paragraphs
_SHARED_RARE: Final = 7
_LONG: Final = 240
_SHOWN: Final = 12
_SECTIONS: Final = 3  # a statement in as many sections is told too often
_TERMS: Final = (6, 12)  # terms that two statements of one thing share: words; Chinese pairs of characters
_MOST_ALIKE: Final = 12
_LABELLED: Final = re.compile(r"[^:：,，。]{1,16}[:：]")
# "Title ........ 12": a line of a table of contents. "[Title](address)": an item that is only a link.
_CONTENTS: Final = re.compile(r"(?:\.{4,}|(?:\. ){4,}|…{2,})\s*\d*\s*\Z")
_LINK_ONLY: Final = re.compile(
    r"\W{0,6}(?:\d{1,3}[.)]\s*)?(?:\[[^\]\n]{1,300}\](?:\([^)\n]{0,500}\)|\[[^\]\n]{0,100}\])?|"
    r"`[^`\n]{1,300}`_{1,2}|https?://\S+)\W*\Z"
)
# A code term that a block defines: "- `limit`: …", "``minor``" on a line of its own.
_DEFINED: Final = re.compile(
    r"\s*(?:[-*+•>]\s+|\d{1,3}[.)]\s+|\.\. \w+:: )?(`{1,2}[^`\n]{1,80}`{1,2}|--?[\w-]{2,40})"
)
# Labels of a form ("Authority: … Approval: …").
_FIELDS: Final = re.compile(r"[:：](?=\s|\*)")
_CODE: Final = re.compile(r"`([^`\n]{1,300})`")
_CLAUSE: Final = re.compile(r"[\s，。；、！？：,;!?“”\"（）()]+")
_WORD: Final = re.compile(r"[a-z0-9]+")

_REPEATED: Final = Wording(
    en="{n:passage repeats|passages repeat} an earlier one almost word for word, such as line {line} here: {quote}",
    zh="{n}处与前文几乎逐字重复，例如这里与第{line}行：{quote}",
)
_RETOLD: Final = Wording(
    en="“{later}” repeats most of what “{first}” says on line {line}{more}",
    zh="“{later}”一节的内容大多在第{line}行“{first}”一节已经讲过{more}",
)
_MORE: Final = Wording(en=", and {n:more section does|more sections do} so", zh="，另有{n}节如此")
_TOLD: Final = Wording(
    en="The same statement stands in {n} sections: {quote}", zh="同一内容在{n}节中反复陈述：{quote}"
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for all repeated passages, and one for sections told twice or a statement told in many."""
    chinese = report.language == "zh"
    pairs = list(_paragraphs(report, chinese=chinese))
    pairs.extend(_sentences(report, {later.start for later, _ in pairs}, chinese=chinese))
    if pairs:
        pairs.sort(key=lambda pair: pair[0].start)
        later, first = pairs[0]
        yield Hit(
            later,
            _REPEATED(n=len(pairs), line=report.lines.place(first.start)[0], quote=quote(report, later)),
            related=(first, *(span for span, _ in pairs[1:_SHOWN])),
            confidence=0.9,
            # One sentence that recurs is a slip; more are a report that was pasted together.
            severity=None if len(pairs) > 1 or len(later) > _LONG else "info",
        )
    if sections := retold(report):
        yield _twice(report, sections)
        return
    told = _told_often(report, chinese=chinese)
    if told and not any(later.start <= span.start < later.end for later, _ in pairs for span in told):
        yield Hit(
            told[0],
            _TOLD(n=len(told), quote=quote(report, told[0])),
            related=tuple(told[1:_SHOWN]),
            confidence=0.75,
            severity="info",
        )


def _twice(report: Report, pairs: list[tuple[Section, Section]]) -> Hit:
    first, later = pairs[0]
    line, _ = report.lines.place(first.title_span.start)
    more = _MORE(n=len(pairs) - 1) if len(pairs) > 1 else ""
    return Hit(
        later.title_span,
        _RETOLD(later=later.title, first=first.title, line=line, more=more),
        related=(first.title_span, *(two.title_span for _, two in pairs[1:_SHOWN])),
        confidence=0.8,
        severity=None if len(pairs) > _SECTIONS else "info",
    )


def _in_frame(report: Report, section: int) -> bool:
    return role_of(report, report.sections[section]) in FRAME


def _paragraphs(report: Report, *, chinese: bool) -> Iterator[tuple[Span, Span]]:
    """Yield each paragraph that mostly repeats an earlier one, with the earlier one."""
    blocks = [
        block
        for block in report.paragraphs
        if len(block.span) >= (_MIN_CHINESE if chinese else _MIN_WORDS * 4)
    ]
    if len(blocks) < 2:
        return
    pairs = _by_clauses(report, blocks) if chinese else _by_words(report, blocks)
    done: set[int] = set()
    for (a, b), weight in sorted(pairs.items()):
        if b in done or weight < (_MIN_CHINESE * _SHARE if chinese else _SHARED_RARE):
            continue
        first, later = blocks[a], blocks[b]
        if _share(report, first, later, chinese=chinese) < _SHARE or _by_design(report, first, later):
            continue
        if not any(
            (sentence := report.sentence_at(block.span.start)) and _in_frame(report, sentence.section)
            for block in (first, later)
        ):
            done.add(b)
            yield later.span, first.span


def _by_design(report: Report, first: Block, second: Block) -> bool:
    """Return whether two blocks may share their words by design.

    That holds for tables, tables of contents, links, and definitions of two code terms.
    """
    for block in (first, second):
        text = report.text(block.span).rstrip()
        if tabular(text) or _CONTENTS.search(text, max(0, len(text) - 80)) or _LINK_ONLY.match(text):
            return True
    one, two = (_DEFINED.match(report.source, block.span.start, block.span.end) for block in (first, second))
    return one is not None and two is not None and one[1] != two[1]


def _by_words(report: Report, blocks: list[Block]) -> Counter[tuple[int, int]]:
    """Return the number of long rare words that each pair of paragraphs shares."""
    starts = [block.span.start for block in blocks]
    ends = [block.span.end for block in blocks]
    pairs: Counter[tuple[int, int]] = Counter()
    for offsets in [
        offsets
        for word, offsets in report.cues.words().items()
        if 1 < len(offsets) <= _RARE and len(word) > 5
    ]:
        before = bisect_right(starts, offsets[0]) - 1
        for offset in offsets[1:]:
            here = bisect_right(starts, offset) - 1
            if here != before >= 0 and offset < ends[here]:
                pairs[before, here] += 1
            before = here
    return pairs


def _by_clauses(report: Report, blocks: list[Block]) -> Counter[tuple[int, int]]:
    """Return the number of characters in the clauses that each pair of paragraphs shares."""
    where: dict[str, int] = {}
    pairs: Counter[tuple[int, int]] = Counter()
    for i, block in enumerate(blocks):
        for clause in _CLAUSE.split(report.plain[block.span.start : block.span.end]):
            if len(clause) >= 6:
                before = where.setdefault(clause, i)
                if before != i:
                    pairs[before, i] += len(clause)
    return pairs


def _share(report: Report, first: Block, second: Block, *, chinese: bool) -> float:
    """Return the share of the second paragraph's word (or character) triples that also occur in the first."""
    a = _grams(without_links(report, first.span), chinese=chinese)
    b = _grams(without_links(report, second.span), chinese=chinese)
    if len(b) < (_MIN_CHINESE if chinese else _MIN_WORDS) * 0.8:
        return 0.0
    return len(a & b) / len(b)


def _grams(text: str, *, chinese: bool) -> set[tuple[str, ...]]:
    parts = list("".join(_CLAUSE.split(text))) if chinese else _WORD.findall(text)
    return set(zip(parts, parts[1:], parts[2:], strict=False))


def _sentences(report: Report, covered: set[int], *, chinese: bool) -> Iterator[tuple[Span, Span]]:
    """Yield each long sentence that recurs unchanged outside ``covered`` paragraphs, with its first place."""
    lower = report.cues.lower
    least = _SENTENCE[chinese]
    # Most sentences have a unique beginning; only the others are compared in full.
    begins = Counter([lower[s.span.start : s.span.start + _BEGIN] for s in report.sentences])
    if len(begins) == len(report.sentences):
        return
    seen: dict[str, Sentence] = {}
    run_end = -1
    for sentence in report.sentences:
        span = sentence.span
        if span.end - span.start < least or begins[lower[span.start : span.start + _BEGIN]] < 2:
            continue
        key = "".join(without_links(report, span).split())
        if len(key) < least * 0.8 or _LABELLED.match(key) or "\\" in key or "$" in key:
            # A row of a form ("Breakfast: porridge, an egg") may recur on purpose.
            continue
        if key[-1] not in _END_MARKS and not key.endswith(_CLOSED):
            continue
        first = seen.setdefault(key, sentence)
        block = report.blocks[sentence.block]
        if first is sentence or block.span.start in covered or _in_frame(report, sentence.section):
            continue
        if sentence.index == run_end + 1:
            # The preceding sentence was repeated too, so both belong to one passage.
            run_end = sentence.index
            continue
        if (
            _in_frame(report, first.section)
            or _CODE.findall(report.text(first.span)) != _CODE.findall(report.text(span))
            or _by_design(report, report.blocks[first.block], block)
        ):
            # Code is blank in the plain text, so two sentences with different code may look equal there.
            continue
        run_end = sentence.index
        yield span, first.span


def _told_often(report: Report, *, chinese: bool) -> list[Span]:
    """Return the sentences of different sections that state one figure in the same terms, or [] if they are too few."""
    by_figure: dict[tuple[float, str], dict[int, Sentence]] = {}
    for quantity in report.quantities:
        # Years and small counts recur for other reasons.
        if quantity.kind == "year" or (not quantity.unit and quantity.value < 1000):
            continue
        sentence = report.sentence_at(quantity.start)
        if sentence is None or report.blocks[sentence.block].kind not in ("paragraph", "item"):
            continue
        by_figure.setdefault((quantity.value, quantity.unit), {}).setdefault(sentence.section, sentence)
    best: list[Sentence] = []
    for by_section in by_figure.values():
        if not _SECTIONS <= len(by_section) <= _MOST_ALIKE:
            continue
        sentences = [
            sentence
            for sentence in by_section.values()
            if not _in_frame(report, sentence.section)
            and len(_FIELDS.findall(report.text(sentence.span))) < 2
        ]
        if len(sentences) > max(_SECTIONS - 1, len(best)):
            alike = _alike(report, sentences, _TERMS[chinese])
            best = max(best, alike, key=len)
    return [sentence.span for sentence in best] if len(best) >= _SECTIONS else []


def _alike(report: Report, sentences: list[Sentence], least: int) -> list[Sentence]:
    """Return the most sentences that share their terms with one of them."""
    terms = [content_terms(report.plain[s.span.start : s.span.end]) for s in sentences]
    best: list[Sentence] = []
    for own in terms:
        alike = [
            sentence
            for sentence, other in zip(sentences, terms, strict=True)
            if len(own & other) >= max(least, min(len(own), len(other)) / 2)
        ]
        best = max(best, alike, key=len)
    return best


CHECK = Check(
    code="EXP003",
    name="near-duplicate-paragraph",
    severity="warning",
    summary="passages that recur almost word for word, sections told twice, or one statement told in three or more",
    run=run,
    bad=(
        Example(
            "Heat pumps spread fastest where electricity is cheap relative to gas, where installers are "
            "plentiful, and where "
            "subsidies reward replacement of working boilers instead of waiting for them to break; Norway "
            "and Finland meet all "
            "three conditions.\n\nOther countries differ.\n\nHeat pumps spread fastest where electricity is "
            "cheap relative to gas, "
            "where installers are plentiful, and where subsidies reward replacement of working boilers "
            "instead of waiting for them "
            "to fail; Sweden and Finland meet all three conditions."
        ),
        Example(
            "该市再生水利用率在五年内由百分之十八提高到百分之三十四，主要得益于管网建设。其他城市较低。\n\n结论：该市再生水利用率在五年内由百分之十八提高到百分之三十四，主要得益于管网建设。\n\n"
            "该市再生水利用率在五年内由百分之十八提高到百分之三十四，主要得益于管网建设。"
        ),
    ),
    good=(
        Example(
            "Heat pumps spread fastest where electricity is cheap relative to gas, where installers are "
            "plentiful, and where "
            "subsidies reward replacement of working boilers; Norway and Finland meet all three "
            "conditions.\n\nGermany meets one of "
            "them: subsidies are generous, but electricity costs three times as much as gas and installers "
            "are booked for months, "
            "so replacement waits until a boiler breaks."
        ),
        Example(
            "- `limit`: The value is a whole number of seconds that is counted from the start of the request.\n"
            "- `delay`: The value is a whole number of seconds that is counted from the start of the request.\n\n"
            "- [Why do pumps lose so much of their power when it is very cold outside?](#cold)\n"
            "- [Why do pumps lose so much of their power when it is very cold outside?](#cold)\n"
        ),
        Example(
            "该市再生水利用率在五年内由百分之十八提高到百分之三十四，主要得益于管网建设。\n\n其他城市的利用率较低，原因在于管网覆盖不足，且再生水价格与自来水相差不大。"
        ),
    ),
    dimension="global_coherence",
    failure="expression_quality",
)
