"""Prose of a report that operators may edit, the support of a sentence, and the change that an edit made."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assay.interventions.applying import sentence_site
from assay.interventions.base import Edit, EditSite, TextRevision, passage_site
from assay.subjects.roles import role_of
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.quantities import find_quantities
from assay.text.quantity import Quantity
from assay.text.words import content_terms, count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from assay.subjects.parts import Block, Citation, Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "claims")

# Notes to the user, which some reports leave between their parts, claim nothing.
_TALK: Final = _PHRASES.pattern(
    "<<talk>>",
    flags=re.IGNORECASE,
)
# Announcements of an agent before the report proper.
_AT_WORK: Final = _PHRASES.pattern("<<at_work>>")
# A sentence that depends on the one before it.
POINTS_BACK: Final = _PHRASES.pattern(r"^\W*(?:<<points_back>>)\b|^\W*(?:<<dependent_openings>>)")
_LEAST_WORDS: Final = {"en": 8, "zh": 14, "und": 8}
_LONGEST: Final = 700
_PASSAGE: Final = 2500
_FRAMES: Final = frozenset({"references", "appendix", "method"})


def preface(report: Report) -> int:
    """Return the offset at which the report proper begins.

    This is the first heading if an agent talks about its own work above it, otherwise 0.
    """
    found: int | None = report.memo.get(preface)
    if found is None:
        start = report.sections[1].title_span.start if len(report.sections) > 1 else 0
        found = report.memo[preface] = start if _AT_WORK.search(report.source[:start]) else 0
    return found


def claims(report: Report) -> list[Sentence]:
    """Return the sentences of the body that state something, without notes to the user, fragments and references."""
    found: list[Sentence] | None = report.memo.get(claims)
    if found is None and report.language == "und":
        # There are no word lists for other languages.
        found = report.memo[claims] = []
    if found is None:
        end = report.body_end
        least = _LEAST_WORDS[report.language]
        apart = {s.index for s in report.sections if role_of(report, s) in _FRAMES}
        found = report.memo[claims] = [
            s
            for s in report.sentences
            if preface(report) <= s.span.start
            and s.span.end <= end
            and s.section not in apart
            and len(s.span) <= _LONGEST
            and "\n" not in (text := report.text(s.span)).strip()
            and not text.rstrip().endswith((":", "：", "?", "？"))
            and not _TALK.search(text)
            and count_words(text) >= least
        ]
    return found


def mixed(report: Report, draw: Random, *ways: Callable[[Report, Random], Iterable[Any]]) -> Iterator[Any]:
    """Yield the revisions of several functions in turn.

    The functions are in random order and run only as far as needed.
    """
    streams = [iter(way(report, draw)) for way in ways]
    draw.shuffle(streams)
    seen: set[tuple[int, int, str]] = set()
    while streams:
        for stream in list(streams):
            item = next(stream, None)
            if item is None:
                streams.remove(stream)
                continue
            if isinstance(item, TextRevision):
                edit = item.edits[0]
                key = (edit.start, edit.end, edit.text)
                if key in seen:
                    continue
                seen.add(key)
            yield item


def revise(start: int, end: int, text: str, pattern: str, note: str) -> TextRevision:
    """Return a revision with one edit and a short note."""
    note = " ".join(note.split())
    return TextRevision(
        edits=(Edit(start, end, text),), pattern=pattern, note=note if len(note) <= 200 else note[:197] + "…"
    )


def refused(reference: Report, perturbed: Report) -> str | None:
    """Return why two texts cannot form a pair (nothing differs), or None if they can."""
    return "nothing differs" if reference.source == perturbed.source else None


class EditedPassage(NamedTuple):
    """The sentences or blocks in which two reports differ.

    Attributes:
        before: Span in the reference, widened to whole sentences.
        after: Span in the perturbed report, widened to whole sentences.
        old: Source of ``before``.
        new: Source of ``after``.
    """

    before: Span
    after: Span
    old: str
    new: str


def difference(reference: Report, perturbed: Report, revision: TextRevision) -> EditedPassage:
    """Return the passage in which two reports differ, according to the revision's edits."""
    first, last = revision.edits[0], revision.edits[-1]
    grown = len(perturbed.source) - len(reference.source)
    before = sentence_site(reference, first.start, last.end)
    after = sentence_site(perturbed, first.start, max(first.start, last.end + grown))
    spans = (Span(before.start or 0, before.end or 0), Span(after.start or 0, after.end or 0))
    # Both sides begin and end with the same words; otherwise one would seem to lack what is only out of view.
    left = min(spans[0].start, spans[1].start)
    right = max(spans[0].end, spans[1].end - grown)
    one = Span(left, min(right, len(reference.source)))
    other = Span(left, min(right + grown, len(perturbed.source)))
    return EditedPassage(one, other, reference.text(one), perturbed.text(other))


def exact_figures(text: str) -> Counter[tuple[float, str]]:
    """Count the figures that state a measured value: shares, money, measures and counts, not years or ordinals."""
    return Counter((q.value, q.unit) for q in find_quantities(text) if q.kind not in ("year", "ordinal"))


def cited_figures(report: Report, span: Span) -> list[Quantity]:
    """Return the figures for which a reader expects a source: not years, ordinals or small whole numbers."""
    return [
        q
        for q in report.quantities_in(span)
        if q.kind in ("percent", "points", "currency")
        or (q.kind in ("count", "measure") and (q.decimals > 0 or q.scale > 1 or abs(q.value) >= 13))
    ]


def plain(report: Report, span: Span) -> str:
    """Return the text of a span without citation markers and extra white space."""
    return report.plain_text(span)


def sentence_citations(report: Report, span: Span) -> list[Citation]:
    """Return the citation markers inside a span, except links that have their own text."""
    return [
        c
        for c in report.citations_in(span)
        if c.span.end <= span.end and (c.form in ("numeric", "footnote", "author_year", "cite_tag"))
    ]


def stripped(report: Report, span: Span) -> str:
    """Return a span's source without citation markers and the spaces before them."""
    out = ""
    at = span.start
    for citation in sentence_citations(report, span):
        out += report.source[at : citation.span.start].rstrip(" ")
        at = citation.span.end
    rest = report.source[at : span.end]
    # "… rose [3], [4]." leaves a comma that joined nothing but markers.
    text = re.sub(r"(?:[ ]?[,、，])+(?=\s*[.。；;]?\s*$)", "", out) + rest if out else rest
    if out:
        # "([8], [3])" leaves empty brackets.
        text = re.sub(r"\s?[(（][\s,，、;；]*[)）]", "", text)
    return re.sub(r"(?<=[\w%)）])(?:\s*[,，、;])+(?=[.。])", "", text)


def title_terms(report: Report) -> list[set[str]]:
    """Return for each reference the terms of its title that occur in fewer than a third of the titles."""
    found: list[set[str]] | None = report.memo.get(title_terms)
    if found is None:
        raw = [content_terms(_title(ref.title, ref.url)) for ref in report.references]
        held = Counter(term for terms in raw for term in terms)
        most = max(2, len(raw) / 3)
        found = report.memo[title_terms] = [{t for t in terms if held[t] <= most} for terms in raw]
    return found


def _title(title: str, url: str | None) -> str:
    """Return a reference's title followed by the longer words of its address."""
    slug = re.sub(r"[-_/]+", " ", url.split("//", 1)[-1].partition("/")[2]) if url else ""
    return f"{title} {' '.join(word for word in slug.split() if word.isalpha() and len(word) > 3)}"


class Attribution(NamedTuple):
    """A source that the text names for a claim.

    Attributes:
        phrase: Span of the whole phrase.
        name: Span of the source's name.
        text: Name of the source.
        leading: Whether the phrase precedes the claim.
    """

    phrase: Span
    name: Span
    text: str
    leading: bool


_NAME: Final = (
    r"(?P<name>(?:[A-Z][\w&.'’\-]*[\w’])(?:[ ](?:of|for|and|on|the|&)(?=[ ][A-Z])|[ ][A-Z0-9][\w&’\-]*){0,6})"
)
_EN: Final = (
    (
        re.compile(
            rf"(?P<phrase>\b[Aa]ccording to (?:the |a \d{{4}} (?:report|study|survey) by (?:the )?)?{_NAME})"
            r"(?='s\b|’s\b|[,.; \[(])",
        ),
        True,
    ),
    (
        _PHRASES.pattern(rf"(?P<phrase>\b(?:[Aa]s )?(?:<<reporting_nouns>>) by (?:the )?{_NAME})"),
        True,
    ),
    (
        _PHRASES.pattern(rf"(?P<phrase>{_NAME}) (?=(?:<<reporting_verbs>>)\b)"),
        False,
    ),
    (re.compile(rf"(?P<phrase>\b[Dd]ata from (?:the )?{_NAME})"), True),
)
_ZH_NAME: Final = r"(?P<name>[\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z0-9&·.\-]{1,17}?)"
_ZH: Final = (
    (
        re.compile(
            rf"(?P<phrase>(?:根据|据|依据){_ZH_NAME})(?:[（(][^）)]*[）)])?(?=(?:的|最新|发布|公布|于"
            r"|\d{4}年)*(?:数据|报告|统计|预测|测算|研究|调查|披露|估计|公告|年报))",
        ),
        True,
    ),
    (
        re.compile(
            rf"(?:(?<=[。；，：\s])|^)(?P<phrase>{_ZH_NAME})(?=(?:预测|预计|指出|认为|估计|(?:的?(?:数据"
            "|报告|研究|统计|调查)(?:显示|表明|指出))))",
        ),
        False,
    ),
)
_NO_NAME: Final = _PHRASES.pattern(r"^(?:<<no_name>>)\b")
# Endings of Chinese names of organizations; a name in Latin letters is one by itself.
_ZH_BODY: Final = _PHRASES.pattern("(?:<<body>>)$")
_BODY_EN: Final = PhraseFile("assay.interventions", "facts").pattern(
    r"\b(?:<<bodies>>)\b|\b[A-Z][A-Z&]{1,6}\b|^[A-Z][a-z]+ (?:[A-Z]\.? )?[A-Z][a-z]+$| and | et al"
)
_NO_ZH_NAME: Final = _PHRASES.pattern("<<no_zh_name>>")


def attributions(report: Report) -> list[Attribution]:
    """Return the sources that sentences of the body name, in order; of two that overlap, the first."""
    found: list[Attribution] | None = report.memo.get(attributions)
    if found is None:
        found = report.memo[attributions] = sorted(_attributions(report), key=lambda a: a.phrase.start)
    return found


def _attributions(report: Report) -> Iterator[Attribution]:
    chinese = report.language == "zh"
    for sentence in claims(report):
        text = report.text(sentence.span)
        taken: list[Span] = []
        for pattern, leading in _ZH if chinese else _EN:
            for match in pattern.finditer(text):
                name = match["name"]
                # The rest of a longer name precedes it.
                if re.search(r"[A-Za-z&]\s?$", text[: match.start("name")]) and not leading:
                    continue
                if not _names_a_source(name, leading=leading, chinese=chinese):
                    continue
                left = sentence.span.start
                phrase = Span(left + match.start("phrase"), left + match.end("phrase"))
                if any(phrase.overlaps(other) for other in taken):
                    continue
                taken.append(phrase)
                yield Attribution(
                    phrase, Span(left + match.start("name"), left + match.end("name")), name, leading
                )


def _names_a_source(name: str, *, leading: bool, chinese: bool) -> bool:
    """Return whether a name is that of a source."""
    if len(name) < 2 or name in _PHRASES["nobody"].words("en") or name.endswith(("'s", "’s")):
        return False
    if chinese:
        return not _NO_ZH_NAME.search(name) and _ZH_BODY.search(name) is not None
    # A capitalised word before a verb may be anything; "according to" needs a source.
    return not _NO_NAME.match(name) and (leading or _BODY_EN.search(name) is not None)


def paragraph_sites(
    report: Report, draw: Random, wanted: Callable[[Block], str | None], *, most: int = 12
) -> Iterator[EditSite]:
    """Return blocks of prose for a model editor, in random order.

    Args:
        report: The report.
        draw: Random generator for the order.
        wanted: Function that returns the hint for a block, possibly empty; None if the block is not wanted.
        most: Greatest number of sites.
    """
    holding = {s.block for s in claims(report)}
    blocks = [b for b in report.paragraphs if b.index in holding and len(b.span) <= _PASSAGE]
    draw.shuffle(blocks)
    given = 0
    for block in blocks:
        hint = wanted(block)
        if hint is not None and given < most:
            given += 1
            yield passage_site(start=block.span.start, end=block.span.end, hint=hint)
