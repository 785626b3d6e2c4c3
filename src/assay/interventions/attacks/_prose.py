"""Lines and paragraphs of prose that an attack can edit, section titles worded for running text, and mixed patterns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.base import Edit, EditSite, TextRevision, passage_site
from assay.subjects.roles import FRAME, role_of
from assay.text.phrases import PhraseFile
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from assay.subjects.parts import Block, Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "prose")

# The end of a sentence: its full stop and the marks around it.
_MARK: Final = r"(?:\s{0,2}(?:\[\^?\d[^\[\]\n]{0,40}\]|【\d[^】\n]{0,40}】))"
TAIL: Final = re.compile(rf"{_MARK}*\s?[.。!！;；]?[*_]{{0,3}}{_MARK}*\s*\Z")
_MARKUP: Final = re.compile(r"\]\(|https?://|www\.|`|\||<[a-zA-Z/!]|\n|\$\$")
# Remarks of the writer on its own search, with which some reports open.
OWN_TALK: Final = _PHRASES.pattern(
    "<<own_talk>>",
    flags=re.IGNORECASE,
)
_NUMBERING: Final = re.compile(
    r"^[\s#*_]*(?:(?:chapter|part|section)\s+)?(?:[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}[.)、．:：]?\s*"
    r"|[（(]?[一二三四五六七八九十]{1,3}[)）、．.]\s*|[IVX]{1,4}[.)]\s+|[A-H][.)]\s+)?",
    re.IGNORECASE,
)
_SMALL_TITLE: Final = frozenset("vs via per de la le".split()) | STOPWORDS
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_LONGEST_PLACE: Final = 2_500
_SHORTEST_PLACE: Final = 160


class ProseLine(msgspec.Struct, frozen=True):
    """A sentence of prose: its source text, its span, and its position in the report."""

    text: str
    start: int
    end: int
    index: int
    block: int
    section: int

    @property
    def tail(self) -> int:
        """Offset in ``text`` at which the closing marks begin."""
        match = TAIL.search(self.text)
        return match.start() if match else len(self.text)


def chinese(report: Report) -> bool:
    """Return whether a report is written in Chinese."""
    return report.language == "zh"


def lines(report: Report, *, shortest: int = 40, longest: int = 420) -> list[ProseLine]:
    """Return sentences that can be rewritten: whole, on one line, without links, code or open brackets.

    Args:
        report: The report.
        shortest: Fewest characters; a third of that in Chinese.
        longest: Most characters.
    """
    if chinese(report):
        shortest //= 3
    out: list[ProseLine] = []
    for sentence in report.sentences:
        span = sentence.span
        if not shortest <= span.end - span.start <= longest:
            continue
        text = report.source[span.start : span.end]
        if _MARKUP.search(text) or not _closed(text) or OWN_TALK.search(text):
            continue
        if report.sections[sentence.section].is_references:
            continue
        first = text.lstrip("*_“\"'(")[:1]
        if first.islower() or not first or first in "，,：:、；;":
            continue
        out.append(ProseLine(text, span.start, span.end, sentence.index, sentence.block, sentence.section))
    return out


def _closed(text: str) -> bool:
    if text.count('"') % 2 or text.count("**") % 2:
        return False
    return all(text.count(pair[0]) == text.count(pair[1]) for pair in _PHRASES["pairs"].en)


def edit(line: ProseLine, start: int, end: int, text: str, *, pattern: str, note: str) -> TextRevision:
    """Return a one-edit revision that puts ``text`` in place of ``line.text[start:end]``."""
    return TextRevision(edits=(Edit(line.start + start, line.start + end, text),), pattern=pattern, note=note)


def mixed(groups: Mapping[str, Sequence[TextRevision]], draw: Random) -> Iterator[TextRevision]:
    """Yield revisions of several patterns in turn; the order of patterns and of each one's revisions is random."""
    queues: list[list[TextRevision]] = []
    for name in sorted(groups):
        queue = list(groups[name])
        draw.shuffle(queue)
        if queue:
            queues.append(queue)
    draw.shuffle(queues)
    while queues:
        for queue in queues:
            yield queue.pop()
        queues = [queue for queue in queues if queue]


def capital(text: str) -> str:
    """Return a text with its first letter capitalised, even if emphasis marks precede it."""
    for i, char in enumerate(text):
        if char.isalpha():
            return text[:i] + char.upper() + text[i + 1 :]
        if char not in "*_ “\"'(":
            break
    return text


def runs_small(report: Report, word: str) -> bool:
    """Return whether a word is an ordinary word, not a name: it also occurs in lower case in the report."""
    if not word[:1].isupper():
        return True
    if word[1:] != word[1:].lower():
        return False
    low = word.lower()
    return low in _SMALL_TITLE or re.search(rf"(?<!\w){re.escape(low)}(?!\w)", report.plain) is not None


def opening_small(report: Report, text: str) -> str | None:
    """Return a sentence or clause worded to follow another word: lower-cased unless it begins with a name.

    Returns:
        The text; None if the report does not show whether its first word is a name.
    """
    match = re.match(r"[A-Za-z][\w'’-]*", text)
    if match is None:
        return text if text[:1] and not text[0].isascii() else None
    word = match.group()
    if word == "I" or word[1:] != word[1:].lower() or not word[0].isupper():
        return text
    return text[0].lower() + text[1:] if runs_small(report, word) else None


def plain_words(text: str) -> str:
    """Return a text without emphasis marks and citation marks."""
    text = re.sub(_MARK, "", text)
    return " ".join(text.replace("**", "").replace("__", "").split())


def section_phrases(report: Report, *, own: int = 0) -> list[tuple[Section, str]]:
    """Return sections of the body, each with its title as a noun phrase that fits into a sentence.

    Introductions, conclusions and references are left out, and so are long titles and questions.

    Args:
        report: The report.
        own: Heading level of the sections to return; 0 for every level.
    """
    out: list[tuple[Section, str]] = []
    for section in report.sections[1:]:
        if section.is_references or role_of(report, section) in FRAME or (own and section.level != own):
            continue
        if section.level <= 1 and sum(other.level == section.level for other in report.sections) < 3:
            continue
        phrase = _phrase(report, section.title)
        if phrase and all(phrase != other for _, other in out):
            out.append((section, phrase))
    return out


def _phrase(report: Report, title: str) -> str | None:
    title = plain_words(_NUMBERING.sub("", title, count=1)).strip(" .:：*_#")
    for mark in (":", "：", "——", " – ", " — ", "("):
        title = title.split(mark)[0].strip()
    title = re.sub(r"（[^（）]*）", "", title)
    if _HAN.search(title):
        title = title.strip("，。、 ")
        return title if 3 <= len(title) <= 18 and not re.search(r"[?？，,。；《》\d]", title) else None
    words = title.split()
    if not 1 <= len(words) <= 7 or re.search(r"[?/,;&=\d]", title) or not title.isprintable():
        return None
    if words[0].lower() in _PHRASES["not_first"].words("en") or len(words) == 1:
        return None
    return _with_article(" ".join(_small_word(report, word) for word in words))


def _with_article(phrase: str) -> str:
    """Return a title's phrase with the article that running text needs and titles omit."""
    head = re.split(
        r" (?:of|for|in|to|on|from|with|and|as|across|between|through|versus|vs) ", phrase, maxsplit=1
    )[0]
    last = head.split()[-1]
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    if phrase.startswith(f"{head} of ") or (not plural and last.lower() in _PHRASES["counted"].words("en")):
        return f"the {phrase}"
    return phrase


def _small_word(report: Report, word: str) -> str:
    return "-".join(_ordinary(report, part) for part in word.split("-"))


def _ordinary(report: Report, word: str) -> str:
    """Return a word of a title in the case that running text uses."""
    if not word[:1].isupper() or word[1:] != word[1:].lower() or len(word) == 1:
        return word
    other = word[:-1] if word.endswith("s") else word + "s"
    if runs_small(report, word) or (len(word) > 4 and runs_small(report, other)):
        return word.lower()
    prose: str | None = report.memo.get(_ordinary)
    if prose is None:
        prose = report.memo[_ordinary] = "\n".join(
            report.plain_text(block.span) for block in report.paragraphs
        )
    name = re.search(rf"[a-z,] {re.escape(word)}\b", prose) is not None
    return word if name else word.lower()


def blocks_of_prose(report: Report, *, fewest: int = _SHORTEST_PLACE) -> list[Block]:
    """Return paragraphs of the body that are long enough for an edit.

    Args:
        report: The report.
        fewest: Fewest characters; a third of that in Chinese.
    """
    if chinese(report):
        fewest //= 3
    return [
        block
        for block in report.blocks
        if block.kind == "paragraph"
        and not report.sections[block.section].is_references
        and fewest <= block.span.end - block.span.start <= _LONGEST_PLACE
        and not OWN_TALK.search(report.source, block.span.start, block.span.end)
        and "|" not in report.source[block.span.start : block.span.end]
    ]


def edit_sites(
    report: Report, draw: Random, fits: re.Pattern[str] | None = None, *, hint: str = "", most: int = 6
) -> Iterable[EditSite]:
    """Return at most ``most`` paragraphs in random order, as sites for a model editor.

    Args:
        report: The report.
        draw: Random generator for the order.
        fits: Pattern that must match in a paragraph; None admits every paragraph.
        hint: Hint given to the model editor with each site.
        most: Greatest number of sites.
    """
    blocks = [
        block
        for block in blocks_of_prose(report)
        if fits is None or fits.search(report.source, block.span.start, block.span.end)
    ]
    draw.shuffle(blocks)
    for block in blocks[:most]:
        yield passage_site(start=block.span.start, end=block.span.end, hint=hint)
