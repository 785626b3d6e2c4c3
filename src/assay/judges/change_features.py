"""Features of a change between two reports: its checkable content, and how well it fits the text around it.

Each feature compares the two sides of a change and is antisymmetric: seen from the other side it only changes its
sign. Length as such, headings, labels and hedges do not raise any of them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from assay.judges.passage_content import PassageContent, near_pairs, passage_content, words_of
from assay.text.words import STOPWORDS, content_terms, count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from assay.judges.changes import PassageChange, ReportPassage

_TOKEN: Final = re.compile(r"[A-Za-z][A-Za-z'’\-]*|\d[\d.,]*%?|[^\sA-Za-z\d]")
# The typical share of one version's own words that occur elsewhere.
_USUAL_FIT: Final = 0.6


class Surroundings:
    """Index of the text that both sides share, to tell what fits it.

    Args:
        passages: The shared passages.
        query: The question, if known.
        titles: Titles (and addresses) of references by key.
    """

    def __init__(
        self, passages: Sequence[ReportPassage], query: str | None, titles: Mapping[str, str]
    ) -> None:
        self.sentences: list[set[str]] = [content_terms(passage.text) for passage in passages]
        self.where: dict[str, set[int]] = {}
        self.cited: dict[str, Counter[str]] = {}
        for index, (passage, terms) in enumerate(zip(passages, self.sentences, strict=True)):
            for term in terms:
                self.where.setdefault(term, set()).add(index)
            for key in passage.cited:
                self.cited.setdefault(key, Counter()).update(terms)
        self.pairs: Counter[tuple[str, str]] = Counter()
        for passage in passages:
            self.pairs.update(near_pairs(passage.text))
        # Titles of references name the people, products and findings that the text draws on.
        self.titles: dict[str, set[str]] = {key: content_terms(title) for key, title in titles.items()}
        for index, terms in enumerate(self.titles.values(), start=len(self.sentences)):
            for term in terms:
                self.where.setdefault(term, set()).add(index)
        self.texts: list[str] = [
            words_of(text)
            for text in (*(passage.text for passage in passages), *titles.values(), query or "")
        ]
        self.total: int = len(self.sentences) + len(titles)
        self.query: set[str] = content_terms(query or "")
        self.bigrams: Counter[tuple[str, str]] = Counter()
        for passage in passages:
            tokens = [token.lower() for token in _TOKEN.findall(passage.text)]
            self.bigrams.update(pairwise(tokens))

    def idf(self, term: str) -> float:
        """Return the rarity of a term in the shared text, in nats; high for terms that it never uses."""
        return math.log((1 + self.total) / (1 + len(self.where.get(term, ()))))

    def count(self, words: str) -> int:
        """Return how often a name or a figure occurs in the shared text, the titles and the query."""
        wanted = words_of(words)
        return sum(text.count(wanted) for text in self.texts)

    def known(self, term: str) -> bool:
        """Whether the shared text or the query uses the term."""
        return term in self.where or term in self.query

    def fit(self, terms: Iterable[str]) -> float:
        """Return the share of ``terms`` (not empty) that the shared text or the query uses."""
        listed = list(terms)
        return sum(map(self.known, listed)) / len(listed)

    def company(self, terms: Iterable[str], anchors: Iterable[str]) -> float:
        """Return the mean log odds that ``terms`` occur together with ``anchors`` elsewhere, smoothed; 0 if unknown."""
        total = 0.0
        count = 0
        anchor_list = [a for a in anchors if a in self.where]
        for term in terms:
            at = self.where.get(term)
            for anchor in anchor_list:
                other = self.where[anchor]
                both = len(at & other) if at else 0
                expected = (len(at) if at else 0) * len(other) / max(1, self.total)
                total += math.log((both + 0.3) / (expected + 0.3))
                count += 1
        return total / count if count else 0.0

    def source_fit(self, key: str, terms: set[str]) -> float | None:
        """Return how well a claim fits a reference, by its title and other claims that cite it; None if unknown."""
        title = self.titles.get(key)
        used = self.cited.get(key)
        if title is None and used is None:
            return None
        score = 0.0
        weight = 0.0
        for term in terms:
            w = self.idf(term)
            weight += w
            if title and term in title:
                score += w
            elif used and term in used:
                score += 0.7 * w
        return score / weight if weight else 0.0


def _text(passages: Sequence[ReportPassage]) -> str:
    return " ".join(passage.text for passage in passages)


def _cites(passages: Sequence[ReportPassage]) -> set[str]:
    return {key for passage in passages for key in passage.cited}


def _root(value: float) -> float:
    return math.copysign(math.sqrt(abs(value)), value)


def compare_change(change: PassageChange, around: Surroundings) -> dict[str, float]:
    """Return the features of a change, positive if they speak for the left side. Keys are those of `FEATURES`."""
    left, right = _text(change.left), _text(change.right)
    a, b = passage_content(left), passage_content(right)
    side = _Side(change.left, left, a, b, around, change)
    other = _Side(change.right, right, b, a, around, change)
    return {name: measure(side) - measure(other) for name, measure in FEATURES.items()}


class _Side(msgspec.Struct, frozen=True):
    """One side of a change, and what only it contains."""

    passages: tuple[ReportPassage, ...]
    text: str
    own: PassageContent
    other: PassageContent
    around: Surroundings
    change: PassageChange

    @property
    def new_numbers(self) -> frozenset[str]:
        # A figure of a neighbouring passage is not new.
        near = {number for passage in self.near for number in passage_content(passage.text).numbers}
        return self.own.numbers - self.other.numbers - near

    @property
    def rivals(self) -> frozenset[str]:
        """Names and figures that only the other side has."""
        flipped = _Side(self.opposite, _text(self.opposite), self.other, self.own, self.around, self.change)
        return flipped.new_names | flipped.new_numbers

    @property
    def near(self) -> list[ReportPassage]:
        """The shared passages around the change."""
        return [passage for passage in (self.change.before, self.change.after) if passage is not None]

    @property
    def opposite(self) -> tuple[ReportPassage, ...]:
        """The other side's passages."""
        return self.change.right if self.passages is self.change.left else self.change.left

    @property
    def alone(self) -> bool:
        """Whether the other side is empty, or this one."""
        return not (self.change.left and self.change.right)

    @property
    def new_names(self) -> frozenset[str]:
        texts = [*self.other.names, *(passage.text.lower() for passage in self.near)]
        known = "".join(map(words_of, texts))
        return frozenset(name for name in self.own.names - self.other.names if words_of(name) not in known)

    @property
    def new_terms(self) -> frozenset[str]:
        return self.own.terms - self.other.terms

    @property
    def shared_terms(self) -> frozenset[str]:
        return self.own.terms & self.other.terms


def _figures(side: _Side) -> float:
    return _root(len(side.new_numbers))


def _names(side: _Side) -> float:
    return _root(len(side.new_names))


def _vagueness(side: _Side) -> float:
    return -_root(len(side.own.generic - side.other.generic))


def _citations(side: _Side) -> float:
    return _root(len(_cites(side.passages)))


def _unresolved(side: _Side) -> float:
    titles = side.around.titles
    if not titles:
        return 0.0
    return -float(
        sum(1 for key in _cites(side.passages) if key not in titles and not key.startswith(("http", "www")))
    )


def _source_fit(side: _Side) -> float:
    """Return how well the claims fit the sources that only this side cites for them."""
    opposite = side.opposite
    own = _cites(side.passages) - _cites(opposite)
    scores: list[float] = []
    for passage in side.passages:
        terms = content_terms(passage.text)
        # Citations may have been exchanged between passages, so passages with the same words are compared.
        twin = next((p for p in opposite if _same_words(p, passage)), None)
        keys = set(passage.cited) - set(twin.cited) if twin is not None else set(passage.cited) & own
        for key in keys:
            score = side.around.source_fit(key, terms)
            if score is not None:
                scores.append(score)
    return sum(scores) / len(scores) if scores else 0.0


def _same_words(one: ReportPassage, two: ReportPassage) -> bool:
    return one.key.split("|", 1)[0] == two.key.split("|", 1)[0]


def _citation_order(side: _Side) -> float:
    """Return how well citation numbers fit their neighbours': sources are numbered in the order of use."""
    near = [int(k) for p in (side.change.before, side.change.after) if p for k in p.cited if k.isdigit()]
    own = [int(k) for k in _cites(side.passages) if k.isdigit()]
    if not near or not own:
        return 0.0
    return -sum(min(math.log1p(abs(k - n)) for n in near) for k in own) / len(own)


def _fit(side: _Side) -> float:
    """Return the share of this side's own terms that the rest of the report uses."""
    if not side.new_terms:
        return _USUAL_FIT
    fit = side.around.fit(side.new_terms)
    # An added passage is expected to fit, and gains nothing by it.
    return min(fit, _USUAL_FIT) if side.alone else fit


def _content(side: _Side) -> float:
    """Return the root of the number of known terms, beyond two, that an added passage has and its neighbours lack."""
    if not side.alone:
        return 0.0
    near = _neighbour_terms(side)
    count = sum(1 for term in side.new_terms if term not in near and side.around.known(term))
    # One or two terms make a signpost, not a statement.
    return _root(max(0, count - 2))


def _company(side: _Side) -> float:
    if side.alone:
        return 0.0
    terms = side.new_terms | {n for n in side.new_names if " " not in n}
    anchors = side.shared_terms or frozenset(_neighbour_terms(side))
    return side.around.company(terms, anchors)


def _pairing(side: _Side) -> float:
    """Return how often words that only this side combines also occur together elsewhere; this detects swapped partners."""
    if side.alone:
        return 0.0
    other = side.opposite
    kept = side.own.terms | side.own.numbers
    mine = near_pairs(side.text) - near_pairs(_text(other))
    score = 0.0
    for one, two in mine:
        if one in kept and two in kept:
            count = side.around.pairs[(one, two)] + 0.5 * side.around.pairs[(two, one)]
            score += math.log1p(count)
    return score / math.sqrt(len(mine)) if mine else 0.0


def _support(side: _Side) -> float:
    """Return how often the rest of the report uses the name or figure that replaces another."""
    mine, theirs = side.new_names | side.new_numbers, side.rivals
    if side.alone or not mine or not theirs or abs(len(mine) - len(theirs)) > 1:
        return 0.0
    return sum(math.log1p(side.around.count(word)) for word in mine) / len(mine)


def _neighbour_terms(side: _Side) -> set[str]:
    return {term for passage in side.near for term in content_terms(passage.text)}


def _wordiness(side: _Side) -> float:
    """Return a penalty (0 or less) for words beyond those of the other side that bring nothing new."""
    other = side.opposite
    more = count_words(side.text) - count_words(_text(other))
    if more <= 0:
        return 0.0
    gained = len(side.new_terms) * 2 + len(side.new_numbers) * 3 + len(side.new_names) * 2
    return -_root(max(0, more - gained)) / 2


def _echo(side: _Side) -> float:
    """Return a penalty (0 or less) for added passages that mostly repeat their neighbours or the other side."""
    other = side.opposite
    if len(side.passages) <= len(other):
        return 0.0
    near = _neighbour_terms(side) | content_terms(_text(other))
    extra = [p for p in side.passages if p.key not in {q.key for q in other}]
    score = 0.0
    for passage in extra:
        terms = content_terms(passage.text)
        if terms:
            score -= max(0.0, sum(1 for t in terms if t in near) / len(terms) - 0.35)
    return score


def _phrasing(side: _Side) -> float:
    """Return a penalty (0 or less) for pairs of function words that the rest of the report never uses."""
    tokens = [token.lower() for token in _TOKEN.findall(side.text)]
    pairs = list(pairwise(tokens))
    other = side.opposite
    theirs = [token.lower() for token in _TOKEN.findall(_text(other))]
    new = Counter(pairs) - Counter(pairwise(theirs))
    if not new:
        return 0.0
    odd = sum(
        n
        for pair, n in new.items()
        if not side.around.bigrams[pair] and pair[0] in STOPWORDS and pair[1] in STOPWORDS
    )
    return -_root(odd)


FEATURES: Final[dict[str, Callable[[_Side], float]]] = {
    "figures": _figures,
    "names": _names,
    "vagueness": _vagueness,
    "citations": _citations,
    "unresolved": _unresolved,
    "source_fit": _source_fit,
    "citation_order": _citation_order,
    "fit": _fit,
    "content": _content,
    "company": _company,
    "pairing": _pairing,
    "support": _support,
    "wordiness": _wordiness,
    "echo": _echo,
    "phrasing": _phrasing,
}
