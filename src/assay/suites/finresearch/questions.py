"""The 70 finance research questions of Assay, ten for each evaluated category, and a test of whether any is a copy.

Of the paper's questions, only seven examples are public. These questions are new, in English and Chinese; likeness is
measured here, so that this claim can be tested.
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
# Lengths of runs of words, and of characters in Chinese, that two questions rarely share by chance.
_GRAM: Final = 4
_GRAM_CJK: Final = 6
# Pairs below a fifth of the runs and four tenths of the terms were inspected and share only common phrases.
_MOST_RUNS: Final = 0.2
_MOST_TERMS: Final = 0.4
_WORD: Final = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


class FinanceQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finance research question.

    Attributes:
        id: Id of the question.
        category: Key of its category.
        query_en: English text.
        query_zh: Chinese text.
    """

    id: str
    category: str
    query_en: str
    query_zh: str

    def query(self, language: Literal["en", "zh"] = "en") -> str:
        """Return the text in one language."""
        return self.query_zh if language == "zh" else self.query_en


class QuestionLikeness(msgspec.Struct, frozen=True):
    """How similar two questions are, 0 to 1.

    Attributes:
        runs: Share of the shorter question's runs (four words, or six Chinese characters) that occur in the other.
        terms: Common content terms over the content terms of either.
    """

    runs: float
    terms: float

    @property
    def copied(self) -> bool:
        """Whether the likeness is too high for chance."""
        return self.runs > _MOST_RUNS or self.terms > _MOST_TERMS


@lru_cache(maxsize=1)
def questions() -> tuple[FinanceQuestion, ...]:
    """Return all questions, by category."""
    return tuple(msgspec.json.decode(line, type=FinanceQuestion) for _, line in text_lines(_FILE))


def likeness(a: str, b: str) -> QuestionLikeness:
    """Measure how similar two questions of one language are; across languages, likeness is close to 0."""
    runs = [_runs(text) for text in (a, b)]
    fewest = min(len(each) for each in runs)
    terms = [content_terms(text) for text in (a, b)]
    either = terms[0] | terms[1]
    return QuestionLikeness(
        len(runs[0] & runs[1]) / fewest if fewest else float(_plain(a) == _plain(b)),
        len(terms[0] & terms[1]) / len(either) if either else 0.0,
    )


def alike(texts: Sequence[str]) -> list[tuple[int, int, QuestionLikeness]]:
    """Return the pairs of texts, by index, that are too similar."""
    pairs = ((i, j, likeness(texts[i], texts[j])) for i, j in combinations(range(len(texts)), 2))
    return [item for item in pairs if item[2].copied]


def too_like(text: str, others: Iterable[str]) -> list[tuple[str, QuestionLikeness]]:
    """Return the other texts to which a text is too similar."""
    pairs = ((other, likeness(text, other)) for other in others)
    return [item for item in pairs if item[1].copied]


def _runs(text: str) -> set[str]:
    lower = text.lower()
    if has_cjk(text) and len(_HAN.findall(text)) * 2 > count_words(text):
        plain = _plain(text)
        return {plain[i : i + _GRAM_CJK] for i in range(len(plain) - _GRAM_CJK + 1)}
    words = _WORD.findall(lower)
    return {" ".join(words[i : i + _GRAM]) for i in range(len(words) - _GRAM + 1)}


def _plain(text: str) -> str:
    return "".join(_WORD.findall(text.lower()))
