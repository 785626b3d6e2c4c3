"""Sentences by real authors on neighbouring questions, and the paragraphs into which they would drift.

A sentence is lent only if it stands by itself: no citation, no figure, nothing that points at its surroundings. It
goes to a paragraph with which it shares terms (the bridge), in a report that does not treat its subject. A term
weighs more the fewer of the questions at hand it is used under, so that a word of every report is not a bridge.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.interventions.outcome._sentences import MARKERS, words_of
from assay.subjects.roles import role_of
from assay.text.phrases import PhraseFile
from assay.text.words import CJK, content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "borrowed_sentences")

# Least similarity of reports on two questions (cosine of weighted terms); below it a drift would be absurd.
_ALIKE: Final = {"en": 0.08, "zh": 0.037}
# Shares of the sentence's weight: least in the paragraph, least and most in the report, most in the question.
_BRIDGE: Final = {"en": 0.15, "zh": 0.12}
_KNOWN: Final = {"en": (0.3, 0.75), "zh": (0.22, 0.75)}
_ASKED: Final = 0.12
# Fewest terms shared with the paragraph; Chinese terms are pairs of characters, so a word of three has two.
_SHARED: Final = {"en": 2, "zh": 3}
# If no sentence meets these bounds, this many further questions are tried, with each bound relaxed by this factor.
_FURTHER: Final = 3
_EASED: Final = 0.7
# A telling term is used in few of the reports on each question, and under two questions at least.
_TELLING: Final = 0.2
# Fewest terms that its own report is about and this report does not use.
_STRANGE: Final = {"en": 2, "zh": 3}
# Number of most frequent terms that define what a report is about.
_ABOUT: Final = 40
_SIZE: Final = {"en": (70, 260), "zh": (24, 95)}
_LONGEST: Final = {"en": 400, "zh": 150}

_LEANS_EN: Final = _PHRASES.pattern(
    r"(?:[A-Z]\w+ed\b|Since|Because|While|Although|When|If|All|Research|Artificial intelligence \("
    "|Common|Additional|Further|Methods?|Results?|Applications?|This|These|Those|That|It|They|He"
    "|She|We|I|You|Its|Their|His|Her|Our|Such|Another|Others?|Both|Each|Neither|Here|There"
    "|However|Moreover|Furthermore|Additionally|Also|But|And|Or|So|Yet|Still|Thus|Hence|Therefore"
    "|Instead|Meanwhile|Nevertheless|Nonetheless|Similarly|Likewise|Conversely|First|Second|Third"
    "|Next|Then|Finally|Lastly|Overall|Ultimately|Indeed|Notably|Importantly|What|Which|Rather"
    "|Like|Unlike|Beyond|Besides|Despite|Together|Taken|Key|Examples?|Note|See|Some|Many|Most"
    "|Several|One|Two|Three|Four|Five|For (?:example|instance|this|these)|In (?:"
    "<<dependent_openings>>)|As (?:a result|such|well|noted)|On the (?:one|other)|At the same|To "
    r"(?:address|summarize|this)|The (?:<<backward_references>>)|[A-Z]\w+ly,)\b",
    "en",
)
_POINTS_EN: Final = _PHRASES.pattern(
    r"\b(?:this|these|those|above|below|following|here|aforementioned|we|our|us|my|me|you|your|he"
    "|she|his|her|him|latter|former|another|also|too|likewise|respectively|herein|report|paper"
    r"|the (?:<<points>>)|et al|et|figure|table|section|chapter|appendix|such (?!as\b)\w+|e\.g"
    r"|i\.e|etc|vs)\b",
    "en",
    flags=re.IGNORECASE,
)
# "The framework combines …" points back; "The role of parents …" need not.
_DEFINITE_EN: Final = re.compile(r"The (?!\w+(?: \w+){0,2} (?:of|between|for|in|from|that)\b)[a-z]")
_VERB_EN: Final = _PHRASES.pattern(
    r"\b(?:<<verb>>)\b",
    "en",
)
_GOES_ON_EN: Final = _PHRASES.pattern(r"(?:<<goes_on>>)\b")
_LEANS_ZH: Final = _PHRASES.pattern(
    "<<dependent_openings>>",
    "zh",
)
_POINTS_ZH: Final = _PHRASES.pattern(
    "<<points>>",
    "zh",
)
_GOES_ON_ZH: Final = re.compile("这|此外|因此|它|其|同时|从而")
_VERB_ZH: Final = _PHRASES.pattern(
    "<<verb>>",
    "zh",
)
_CUES: Final = {
    "en": (_LEANS_EN, _GOES_ON_EN, _POINTS_EN, _VERB_EN),
    "zh": (_LEANS_ZH, _GOES_ON_ZH, _POINTS_ZH, _VERB_ZH),
}
_FIRST_WORD: Final = {"en": 6, "zh": 2}
# Paragraphs that announce, speak of the text itself, or hold more than prose.
_UNFIT: Final = _PHRASES.pattern(
    "<<unfit>>",
    flags=re.IGNORECASE,
)
# Fewest characters of a paragraph.
_ROOM: Final = {"en": 160, "zh": 60}
_ODD: Final = re.compile(
    r"\d[^\d]+\d[^\d]+\d|[\[\]【】《》<>|/\\=+~^#*_`:：;；“”\"?？!！…→≥≤%&•—–]| - |[(（]"
    r"(?![^()（）]{2,40}[)）])|\.\w|'(?!s\b|t\b)",
)
_TRAILING: Final = re.compile(
    r"(?:\s*(?:\(?\[[^\[\]]{1,60}\](?:\([^)\s]*\))?\)?|【[^】]*】|\(\[[^\]]*\]\([^)]*\)\)))+\s*([.。]?)\s*$"
)


class StandaloneSentence(NamedTuple):
    """A self-contained sentence, with its terms."""

    text: str
    terms: frozenset[str]


class BorrowedSentence(NamedTuple):
    """A borrowed sentence, the paragraph it can be added to, the question it answers, and how well it fits."""

    score: float
    text: str
    block: Block
    query: str


class _ReportsOfQuestion(NamedTuple):
    query: str
    reports: list[Report]
    terms: frozenset[str]


def terms_of(report: Report) -> frozenset[str]:
    """Return the content terms of a report."""
    key = (__name__, "terms")
    if key not in report.memo:
        end = report.reference_span.start if report.reference_span else len(report.plain)
        report.memo[key] = frozenset(content_terms(report.plain[:end]))
    found: frozenset[str] = report.memo[key]
    return found


def drifts(report: Report, others: Sequence[Report]) -> list[BorrowedSentence]:
    """Return sentences of reports on the nearest other question, best first.

    Each comes with a paragraph with which it shares terms. If there are none, the next few questions are tried with
    lower thresholds.
    """
    questions = _questions(others)
    own = terms_of(report)
    weight = _weights([own, *(question.terms for question in questions)])
    texts = len(questions) + 1
    least = log((texts + 1) / max(2.0, _TELLING * texts)) - 1e-9
    near = sorted(_likeness(own, questions, weight), key=_rank, reverse=True)
    found = _lent(report, near[:1], own, weight, least, eased=1.0)
    return found or _lent(report, near[:_FURTHER], own, weight, least, eased=_EASED)


def _lent(
    report: Report,
    near: Sequence[tuple[float, _ReportsOfQuestion]],
    own: frozenset[str],
    weight: dict[str, float],
    least: float,
    *,
    eased: float,
) -> list[BorrowedSentence]:
    """Return sentences from reports on some questions, each with a paragraph it shares terms with, best first.

    The thresholds are multiplied by ``eased``.
    """
    language = report.language
    asked = content_terms(report.query or "")
    paragraphs = _open_paragraphs(report)
    low, high = _KNOWN[language]
    found: list[BorrowedSentence] = []
    for alike, question in near:
        if alike < _ALIKE[language] * eased:
            continue
        about = content_terms(question.query).union(*(_about(other, weight) for other in question.reports))
        loans = {loan.text: loan for other in question.reports for loan in _loans(other)}
        for loan in loans.values():
            whole = sum(weight[term] for term in loan.terms)
            strange = loan.terms - own
            known = 1 - sum(weight[term] for term in strange) / whole if whole else 0.0
            if not whole or not low * eased <= known <= high:
                continue
            if sum(weight[term] for term in loan.terms & asked) > _ASKED * whole:
                continue
            if len(strange & about) < _STRANGE[language]:
                continue
            for block, terms in paragraphs:
                shared = loan.terms & terms
                bridge = sum(weight[term] for term in shared) / whole
                telling = sum(weight[term] >= least for term in shared)
                if bridge >= _BRIDGE[language] * eased and telling >= _SHARED[language] * eased:
                    found.append(BorrowedSentence(bridge + alike, loan.text, block, question.query))
    found.sort(key=lambda drift: (-drift.score, drift.text))
    return found


def _rank(pair: tuple[float, _ReportsOfQuestion]) -> tuple[float, str]:
    """Return the sort key of a question: its similarity, then its text."""
    return pair[0], pair[1].query


def _questions(others: Iterable[Report]) -> list[_ReportsOfQuestion]:
    by_query: dict[str, list[Report]] = {}
    for other in others:
        by_query.setdefault(other.query or "", []).append(other)
    found = []
    for query, reports in by_query.items():
        # The same reports come together for every subject that answers another question.
        key = (__name__, "all", *map(id, reports))
        memo = reports[0].memo
        if key not in memo:
            # The reports are stored with the key, so that no other object gets the address of one.
            memo[key] = _ReportsOfQuestion(query, reports, frozenset().union(*map(terms_of, reports)))
        found.append(memo[key])
    return found


def _weights(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the weight of each term: the fewer texts contain it, the more it weighs."""
    counts: Counter[str] = Counter()
    for terms in texts:
        counts.update(terms)
    return {term: log((len(texts) + 1) / count) for term, count in counts.items()}


def _likeness(
    own: frozenset[str], questions: Sequence[_ReportsOfQuestion], weight: dict[str, float]
) -> Iterator[tuple[float, _ReportsOfQuestion]]:
    """Yield each question with the cosine similarity of the report's weighted terms to those of its reports."""
    square = {term: value * value for term, value in weight.items()}
    size = sum(map(square.__getitem__, own))
    for question in questions:
        both = size * sum(map(square.__getitem__, question.terms))
        yield (sum(map(square.__getitem__, own & question.terms)) / both**0.5 if both else 0.0), question


def _about(report: Report, weight: dict[str, float]) -> list[str]:
    """Return the terms a report is most about, by the number of sentences that contain them and their weight."""
    key = (__name__, "counts")
    if key not in report.memo:
        report.memo[key] = Counter(term for terms in report.sentence_terms for term in terms)
    counts: Counter[str] = report.memo[key]
    scored = sorted(((-count * weight.get(term, 0.0), term) for term, count in counts.items() if count >= 3))
    return [term for _, term in scored[:_ABOUT]]


def _open_paragraphs(report: Report) -> list[tuple[Block, set[str]]]:
    """Return paragraphs and items to which a sentence can be added, each with its terms.

    First, last and framing ones are left out.
    """
    inside = Counter(sentence.block for sentence in report.sentences)
    found = []
    for block in report.paragraphs[1:-1]:
        text = report.text(block.span)
        if not inside[block.index] or len(text) < _ROOM[report.language] or _UNFIT.search(text):
            continue
        if role_of(report, report.sections[block.section]) is None and report.sections[block.section].level:
            found.append((block, content_terms(report.plain[block.span.start : block.span.end])))
    return found


def _loans(report: Report) -> list[StandaloneSentence]:
    """Return the sentences of a report that other reports can borrow."""
    key = (__name__, "loans")
    if key not in report.memo:
        found: list[StandaloneSentence] = []
        gap = "" if report.language == "zh" else " "
        before: tuple[int, str | None] = (-1, None)
        for sentence in report.sentences:
            words = words_of(report, sentence)
            text = None if words is None else lendable(words.source, report.language)
            if text is not None:
                found.append(StandaloneSentence(text, frozenset(content_terms(text))))
            # The continuation of a self-contained sentence may point back at it.
            if words is not None and before[1] is not None and before[0] == sentence.block:
                more = lendable(words.source, report.language, follows=True)
                if more is not None and len(before[1] + more) <= _LONGEST[report.language]:
                    both = before[1] + gap + more
                    found.append(StandaloneSentence(both, frozenset(content_terms(both))))
            before = (sentence.block, text)
        report.memo[key] = found
    loans: list[StandaloneSentence] = report.memo[key]
    return loans


def lendable(source: str, language: str, *, follows: bool = False) -> str | None:
    """Return a sentence without the citation at its end, or None if it is not self-contained.

    Args:
        source: The sentence in its report.
        language: ``"en"`` or ``"zh"``.
        follows: Whether the sentence before it is borrowed too, so that it may refer back to that one.
    """
    text = source.strip()
    if text.startswith(("-", "*", "•", "+", ">")):
        return None
    cited = _TRAILING.search(text)
    if cited is not None:
        stop = "。" if language == "zh" else "."
        text = text[: cited.start()].rstrip()
        text = text if text.endswith(stop) else text + stop
    if MARKERS.search(text) or _ODD.search(text):
        return None
    low, high = _SIZE[language]
    if not low <= len(text) <= high:
        return None
    leans, goes_on, points, verb = _CUES[language]
    if leans.match(text) and not (follows and goes_on.match(text)):
        return None
    # Past its first word, which may point at the sentence lent with it.
    if points.search(text, _FIRST_WORD[language] if follows else 0) or not verb.search(text):
        return None
    if language == "zh":
        return text if text.endswith("。") and CJK.match(text) else None
    if not re.match(r"[A-Z]", text) or not text.endswith(".") or "  " in text:
        return None
    return text if follows or not _DEFINITE_EN.match(text) else None
