"""The wording of the interface in the reader's language: what stands around findings, scores and arguments.

Code asks for a phrase in English and gets it in the language of the page. Chinese phrases stand in ``interface.yaml``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Literal

import msgspec
import yaml
from markupsafe import Markup

from assay.present.words import dimension_asks, dimension_short, dimension_title
from assay.rubrics.dimensions import DIMENSIONS
from assay.text.amounts import counted
from assay.text.language import detect_language
from assay.text.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.checks.base import Check
    from assay.rubrics.rubric import Rubric
    from assay.subjects.report import Report
    from assay.subjects.trajectory import Trajectory

Shown = Literal["en", "zh"]
Choice = Literal["en", "zh", "auto"]

_ATTRIBUTES: Final = {"zh": "zh-Hans", "en": "en"}
_TITLES: Final[dict[str, str]] = {dimension.key: dimension.title_zh for dimension in DIMENSIONS}


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chinese for English phrases, what follows a number, and what each check finds."""

    counts: dict[str, str] = {}
    texts: dict[str, str] = {}
    checks: dict[str, str] = {}


class Interface(msgspec.Struct, frozen=True):
    """Phrases in one language."""

    language: Shown
    catalogue: Catalogue

    def __call__(self, text: str, **values: object) -> str:
        """Return a phrase in this language, with ``values`` in the places of words in braces."""
        phrase = self.catalogue.texts.get(text, text)
        return phrase.format(**values) if values else phrase

    def counted(self, number: int, noun: str) -> tuple[str, str]:
        """Return a number and what it counts."""
        words = self.catalogue.counts.get(noun)
        return counted(number, noun) if words is None else (f"{number:,}", words)

    def count(self, number: int, noun: str) -> str:
        """Return ``3 errors`` or ``3 个错误``."""
        return " ".join(self.counted(number, noun))

    def join(self, parts: list[str]) -> str:
        """Join the parts of an enumeration."""
        return ("、" if self.language == "zh" else ", ").join(parts)

    def label(self, name: str, text: str) -> str:
        """Return ``name: text``."""
        return f"{name}：{text}" if self.language == "zh" else f"{name}: {text}"

    def aside(self, text: str) -> str:
        """Return a text in brackets, to stand behind another."""
        return f"（{text}）" if self.language == "zh" else f" ({text})"

    def summary(self, check: Check) -> str:
        """Return what a check finds, in a few words."""
        return self.catalogue.checks.get(check.code) or sentence(check.summary).rstrip(".")

    def dimension_title(self, key: str) -> str:
        """Return the name of a dimension."""
        title = dimension_title(key)
        return _TITLES.get(key, self(title)) if self.language == "zh" else title

    def criterion_title(self, key: str, rubric: Rubric | None) -> str:
        """Return the name of a criterion: in Chinese that of its dimension, otherwise the rubric's own."""
        titles = {item.key: item.title for item in rubric.criteria} if rubric is not None else {}
        own = titles.get(key, "")
        return self.dimension_title(key) if not own or (self.language == "zh" and key in _TITLES) else own

    def dimension_short(self, key: str) -> str:
        """Return at most four columns for the head of a column."""
        return self(dimension_short(key))

    def dimension_asks(self, key: str) -> str:
        """Return the question that a dimension asks; empty for an unknown one."""
        return self(dimension_asks(key))

    def foreign(self, text: str) -> Markup:
        """Return a ``lang`` attribute for a text in another language than the page; empty for the page's own."""
        language = detect_language(text)
        known = html_language(language)
        return Markup(' lang="{}"').format(known) if known and language != self.language else Markup()


def html_language(language: str) -> str | None:
    """Return the ``lang`` attribute of a detected language; None if it is unknown."""
    return _ATTRIBUTES.get(language)


ENGLISH: Final = Interface("en", Catalogue())


@cache
def interface(language: str) -> Interface:
    """Return the interface in a language; in English for one that has none."""
    if language != "zh":
        return ENGLISH
    text = files("assay.present").joinpath("interface.yaml").read_text("utf-8")
    return Interface("zh", msgspec.convert(yaml.safe_load(text), Catalogue))


def interface_for(choice: Choice, language: str) -> Interface:
    """Return the interface that was asked for, or with ``auto`` that of a text's language."""
    return interface(language if choice == "auto" else choice)


def interface_of(subjects: Iterable[Report | Trajectory]) -> Interface:
    """Return the interface in the language of most of several subjects."""
    return interface(main_language([detect_language(subject.source) for subject in subjects]))


def main_language(languages: list[str]) -> Shown:
    """Return the language of a page about several texts: Chinese if more than half of them are."""
    return "zh" if 2 * languages.count("zh") > len(languages) else "en"
