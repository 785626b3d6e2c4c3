"""The 70 finance research questions of our own, ten for each evaluated category, and the check that none is a copy.

The paper's questions are not public but for seven examples. Ours are written afresh, in English and Chinese; what likeness
means is measured here, so that the claim can be tested.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.rows import text_lines
from assay.text.words import content_terms, count_words, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FILE: Final = Path(__file__).with_name("questions.jsonl")
# Words in a row, and characters in a row in Chinese, that two questions share by design rather than by chance.
_GRAM: Final = 4
_GRAM_CJK: Final = 6
# A fifth of the runs or four in ten of the terms: what is below was looked at by eye and is a common turn of phrase.
_MOST_RUNS: Final = 0.2
_MOST_TERMS: Final = 0.4
_WORD: Final = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


class FinanceQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finance research question.

    Attributes:
        id: Its name.
        category: Key of its category.
        query_en: In English.
        query_zh: The same in Chinese.
    """

    id: str
    category: str
    query_en: str
    query_zh: str

    def query(self, language: Literal["en", "zh"] = "en") -> str:
        """In one of the languages."""
        return self.query_zh if language == "zh" else self.query_en


class QuestionLikeness(msgspec.Struct, frozen=True):
    """How alike two questions are, each from 0 to 1.

    Attributes:
        runs: Share of the shorter one's runs of words (four words; six characters in Chinese) that stand in the other.
        terms: Content terms in common, over those of either.
    """

    runs: float
    terms: float

    @property
    def copied(self) -> bool:
        """Whether it is too much to be chance."""
        return self.runs > _MOST_RUNS or self.terms > _MOST_TERMS


@lru_cache(maxsize=1)
def questions() -> tuple[FinanceQuestion, ...]:
    """All of them, by category."""
    return tuple(msgspec.json.decode(line, type=FinanceQuestion) for _, line in text_lines(_FILE))


def likeness(a: str, b: str) -> QuestionLikeness:
    """How alike two questions of one language are. Two of different languages share next to nothing."""
    runs = [_runs(text) for text in (a, b)]
    fewest = min(len(found) for found in runs)
    terms = [content_terms(text) for text in (a, b)]
    either = terms[0] | terms[1]
    return QuestionLikeness(
        len(runs[0] & runs[1]) / fewest if fewest else float(_plain(a) == _plain(b)),
        len(terms[0] & terms[1]) / len(either) if either else 0.0,
    )


def alike(texts: Sequence[str]) -> list[tuple[int, int, QuestionLikeness]]:
    """Pairs of texts, by index, that are too alike to be different questions."""
    found = ((i, j, likeness(texts[i], texts[j])) for i, j in combinations(range(len(texts)), 2))
    return [item for item in found if item[2].copied]


def too_like(text: str, others: Iterable[str]) -> list[tuple[str, QuestionLikeness]]:
    """Those of the others that a text is too like."""
    found = ((other, likeness(text, other)) for other in others)
    return [item for item in found if item[1].copied]


def _runs(text: str) -> set[str]:
    lower = text.lower()
    if has_cjk(text) and len(_HAN.findall(text)) * 2 > count_words(text):
        plain = _plain(text)
        return {plain[i : i + _GRAM_CJK] for i in range(len(plain) - _GRAM_CJK + 1)}
    words = _WORD.findall(lower)
    return {" ".join(words[i : i + _GRAM]) for i in range(len(words) - _GRAM + 1)}


def _plain(text: str) -> str:
    return "".join(_WORD.findall(text.lower()))
