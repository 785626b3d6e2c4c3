r"""Word lists kept as data: English and Chinese side by side, in YAML files that need no Python to correct.

A package keeps its lists in ``phrases/<topic>.yaml``. Each entry has a name and, per language, a block with one
phrase a line; a comment begins with ``#``, and columns of one line are separated by `` | ``::

    # Words that soften a claim.
    hedges:
      en: |
        may
        might
      zh: |
        可能
        也许

    # A direction and its opposite.
    opposites:
      en: |
        increased | decreased
        rose | fell

A list that belongs to no language (units, names of firms in Latin letters) stands under ``any``. The file is read
when an entry is first used, never at import::

    PHRASES = PhraseFile("assay.checks", "claims")


    @cache
    def hedge_pattern() -> re.Pattern[str]:
        return re.compile(rf"\b(?:{PHRASES['hedges'].alternation('en')})\b")

Or, in one line, as a pattern that is composed and compiled when it is first used::

    _HEDGES: Final = PHRASES.pattern(r"\b(?:<<hedges>>)\b", "en")
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from assay.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Language = Literal["en", "zh", "any"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh", "any")
# ``<<name>>``, or ``<<name.en>>`` for one language.
_PLACEHOLDER: Final = re.compile(r"<<([a-z0-9_]+)(?:\.(en|zh|any))?>>")


class PhraseList:
    """One named list, in the languages it has.

    Attributes:
        name: Its name in the file.
        en: English phrases, in the order of the file.
        zh: Chinese phrases.
        any: Phrases of no language.
    """

    __slots__ = ("_derived", "any", "en", "name", "zh")

    def __init__(self, name: str, blocks: Mapping[str, str]) -> None:
        self.name = name
        self.en = _lines(blocks.get("en", ""))
        self.zh = _lines(blocks.get("zh", ""))
        self.any = _lines(blocks.get("any", ""))
        self._derived: dict[tuple[str, Language], Any] = {}

    def phrases(self, language: Language) -> tuple[str, ...]:
        """Return the phrases of one language; empty if the list has none."""
        phrases: tuple[str, ...] = getattr(self, language)
        return phrases

    def rows(self, language: Language) -> tuple[tuple[str, ...], ...]:
        """Return the lines of one language split into their columns."""
        key = ("rows", language)
        if key not in self._derived:
            lines = self.phrases(language)
            self._derived[key] = tuple(tuple(cell.strip() for cell in line.split(" | ")) for line in lines)
        return cast("tuple[tuple[str, ...], ...]", self._derived[key])

    def words(self, language: Language) -> frozenset[str]:
        """Return the phrases of one language as a set."""
        key = ("words", language)
        if key not in self._derived:
            self._derived[key] = frozenset(self.phrases(language))
        return cast("frozenset[str]", self._derived[key])

    def mapping(self, language: Language) -> dict[str, str]:
        """Return the first column of each line with its second."""
        key = ("mapping", language)
        if key not in self._derived:
            self._derived[key] = {row[0]: row[1] for row in self.rows(language)}
        return cast("dict[str, str]", self._derived[key])

    def choices(self, language: Language) -> dict[str, tuple[str, ...]]:
        """Return the first column of each line with all that follow it."""
        key = ("choices", language)
        if key not in self._derived:
            self._derived[key] = {row[0]: row[1:] for row in self.rows(language)}
        return cast("dict[str, tuple[str, ...]]", self._derived[key])

    def alternation(self, language: Language, *, escape: bool = False) -> str:
        """Join the phrases with ``|`` in the order of the file, to stand inside a group of a regular expression.

        Args:
            language: Whose phrases.
            escape: Whether the phrases are plain text; otherwise each may be a pattern of its own
                (``Organi[sz]ation``).
        """
        phrases = self.phrases(language)
        return "|".join(map(re.escape, phrases) if escape else phrases)


class PhraseFile:
    """The word lists of one YAML file of a package, read when one is first used.

    Args:
        package: The package that has the folder ``phrases``, such as ``assay.checks``.
        topic: The file's name without ``.yaml``.
    """

    def __init__(self, package: str, topic: str) -> None:
        self.package = package
        self.topic = topic

    def __getitem__(self, name: str) -> PhraseList:
        """Return one list.

        Raises:
            KeyError: The file has no list of that name.
        """
        return self._lists[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lists)

    def pattern(
        self,
        template: str,
        language: Language | None = None,
        flags: int = 0,
        *,
        prepare: Callable[[str], str] | None = None,
    ) -> re.Pattern[str]:
        """Return a regular expression that is composed and compiled when it is first used.

        Args:
            template: The expression; ``<<name>>`` stands for the alternatives of the list of that name,
                ``<<name.en>>`` for those of one language.
            language: Whose phrases, if the placeholder does not say; None for those of every language.
            flags: Flags of `re`.
            prepare: Changes the composed expression before it is compiled.
        """
        return cast("re.Pattern[str]", _LazyPattern(self, template, language, flags, prepare))

    @cached_property
    def _lists(self) -> dict[str, PhraseList]:
        return _read(self.package, self.topic)


@cache
def _read(package: str, topic: str) -> dict[str, PhraseList]:
    """Read a file once, however many modules use it."""
    file = resources.files(package).joinpath("phrases", f"{topic}.yaml")
    return parse_phrases(file.read_text("utf-8"), where=f"{package}/phrases/{topic}.yaml")


class _LazyPattern:
    """A pattern that reads its word lists when a method is first called.

    Its methods are then those of the compiled one.
    """

    __slots__ = (
        "_made_of",
        "findall",
        "finditer",
        "flags",
        "fullmatch",
        "groupindex",
        "match",
        "pattern",
        "search",
        "split",
        "sub",
        "subn",
    )

    def __init__(
        self,
        file: PhraseFile,
        template: str,
        language: Language | None,
        flags: int,
        prepare: Callable[[str], str] | None,
    ) -> None:
        self._made_of = (file, template, language, flags, prepare)

    def __getattr__(self, name: str) -> Any:
        # Only a slot that has not been filled gets here.
        if name not in _LazyPattern.__slots__:
            raise AttributeError(name)
        file, template, language, flags, prepare = self._made_of

        def alternatives(match: re.Match[str]) -> str:
            phrases = file[match[1]]
            chosen = cast("Language | None", match[2]) or language
            languages = LANGUAGES if chosen is None else (chosen,)
            return "|".join(phrases.alternation(each) for each in languages if phrases.phrases(each))

        text = _PLACEHOLDER.sub(alternatives, template)
        compiled = re.compile(prepare(text) if prepare else text, flags)
        for slot in _LazyPattern.__slots__[1:]:
            object.__setattr__(self, slot, getattr(compiled, slot))
        return getattr(compiled, name)


def parse_phrases(text: str, *, where: str) -> dict[str, PhraseList]:
    """Parse the text of a phrase file.

    Args:
        text: YAML as described at the top of this module.
        where: The file's name, for messages.

    Raises:
        InputError: The text is not YAML, or an entry is not a mapping from ``en``, ``zh`` or ``any`` to a block of
            lines.
    """
    import yaml  # noqa: PLC0415 - only when a list is used

    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
    except yaml.YAMLError as error:
        raise InputError(f"{where} is not YAML: {error}") from error
    if not isinstance(data, dict):
        raise InputError(f"{where} is not a mapping of names to word lists")
    lists = {}
    for name, blocks in data.items():
        if not isinstance(blocks, dict) or not blocks or not set(blocks) <= set(LANGUAGES):
            raise InputError(f"{where}: {name!r} needs blocks named en, zh or any, and nothing else")
        if not all(isinstance(block, str) for block in blocks.values()):
            raise InputError(
                f"{where}: a block of {name!r} is not text; begin it with “|” and put one phrase on a line"
            )
        lists[name] = PhraseList(name, blocks)
    return lists


def _lines(block: str) -> tuple[str, ...]:
    return tuple(line for line in map(str.strip, block.splitlines()) if line and not line.startswith("#"))


class WordSets:
    """The lists of a phrase file as sets, each an attribute: ``WORDS.hedges`` holds the phrases of all languages."""

    def __init__(self, file: PhraseFile) -> None:
        self._file = file

    def __getattr__(self, name: str) -> frozenset[str]:
        """Make the set; called once for each name."""
        try:
            phrases = self._file[name]
        except KeyError:
            raise AttributeError(name) from None
        words = frozenset((*phrases.en, *phrases.zh, *phrases.any))
        setattr(self, name, words)
        return words
