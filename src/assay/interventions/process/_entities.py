"""Values in a text (names, numbers, dates, words of a kind), and wrong values that could replace them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Sequence

_PHRASES: Final = PhraseFile("assay.interventions", "entities")
_CONFUSABLE_WORDS: Final = PhraseFile("assay.interventions", "confusable_words")

_YEAR: Final = re.compile(
    r"(?<![\d.,/\-–$£€#A-Za-z])(1[0-9]\d\d|20[0-3]\d)(?![\d,%A-Za-z]|\.\d|[-–/]\d|\s{0,2}(?:people"
    "|episodes|miles|km|years))",
)
_NUMBER: Final = _PHRASES.pattern(
    r"(?<![\w.,/\-–#(])(\d{1,3}(?:,\d{3})+|\d{2,9}|\d+\.\d+|[3-9])(?=\s?(?:<<number_words>>))"
)
_DAY: Final = _PHRASES.pattern(
    r"(?<!\d)(\d{1,2})(?= (?:<<months>>)\b)|(?<=January |October )(\d{1,2})(?!\d)|(?<=February "
    r"|December |November )(\d{1,2})(?!\d)|(?<=September )(\d{1,2})(?!\d)|(?<=March )(\d{1,2})"
    r"(?!\d)|(?<=April )(\d{1,2})(?!\d)|(?<=August )(\d{1,2})(?!\d)|(?<=June |July )(\d{1,2})"
    r"(?!\d)|(?<=May )(\d{1,2})(?!\d)",
)
_CAPITALISED: Final = r"[A-Z][\w'’\-]+"
_PERSON: Final = re.compile(
    rf"\b({_CAPITALISED})((?: (?:{_CAPITALISED}|[A-Z]\.|de|van|von|der)){{1,3}})(?!\w)"
)
_YEAR_ZH: Final = re.compile(r"(?<!\d)(1[0-9]\d\d|20[0-3]\d)(?=年)")
# Words that mean something else next to these: "first broadcast", "film series", "studio album".
_BEFORE: Final = re.compile(r"(?:\bstudio|\bcover|\bhome|\btext|\bnumber|\bfor the|\bat|-)[ -]?$")
_AFTER: Final = _PHRASES.pattern("[ -](?:<<compound_nouns>>)|-")


class SwappableValue(msgspec.Struct, frozen=True):
    """A value in a text that another value could replace.

    Attributes:
        start: Start in the text.
        end: End in the text.
        text: The value as written.
        kind: Kind of value, such as ``"year"`` or ``"city"``.
        others: Values that it could be mistaken for.
    """

    start: int
    end: int
    text: str
    kind: str
    others: tuple[str, ...]


def confusable_rows(*, queries: bool = False) -> list[tuple[str, ...]]:
    """Return rows of words that may stand for one another, each headed by their kind.

    Args:
        queries: Whether to include words that are only exchanged in queries and plans.
    """
    lists = [_CONFUSABLE_WORDS[name] for name in ("exact", *(("of_queries",) if queries else ()))]
    return [row for each in lists for row in (*each.rows("en"), *each.rows("zh"))]


@lru_cache(maxsize=4)
def _rows(*, queries: bool) -> tuple[re.Pattern[str], dict[str, tuple[str, tuple[str, ...]]]]:
    """Return a pattern of all confusable words and, for each word, its kind and the words it could be mistaken for."""
    table: dict[str, tuple[str, tuple[str, ...]]] = {}
    for kind, *words in confusable_rows(queries=queries):
        for word in words:
            known = table.get(word, (kind, ()))
            fresh = tuple(other for other in words if other != word and other not in known[1])
            table[word] = (known[0], known[1] + fresh)
    longest = sorted(table, key=len, reverse=True)
    latin = "|".join(re.escape(word) for word in longest if word.isascii())
    han = "|".join(re.escape(word) for word in longest if not word.isascii())
    return re.compile(rf"(?<![\w\-])(?:{latin})(?![\w\-])|(?:{han})"), table


@lru_cache(maxsize=1)
def _given() -> dict[str, tuple[str, ...]]:
    """Return for each known given name the other names of its group."""
    found: dict[str, tuple[str, ...]] = {}
    for row in _CONFUSABLE_WORDS["given_names"].en:
        names = row.split()
        for name in names:
            found[name] = tuple(other for other in names if other != name)
    return found


def values(text: str, *, queries: bool = False) -> list[SwappableValue]:
    """Return values of a text that another of the same kind could replace, in order and without overlaps.

    Args:
        text: A claim or a query.
        queries: Whether to include words that matter only in a query: roles, kinds, ordinals.
    """
    found: list[SwappableValue] = []

    def take(start: int, end: int, kind: str, others: Sequence[str]) -> None:
        if others and not any(start < value.end and value.start < end for value in found):
            found.append(SwappableValue(start, end, text[start:end], kind, tuple(others)))

    for pattern in (_YEAR, _YEAR_ZH):
        for match in pattern.finditer(text):
            take(match.start(), match.end(), "year", _years(int(match.group())))
    for match in _DAY.finditer(text):
        day = int(match.group())
        if 1 <= day <= 31:
            near = [
                other for other in (day - 9, day - 2, day - 1, day + 1, day + 2, day + 9) if 1 <= other <= 28
            ]
            take(match.start(), match.end(), "day", [str(other) for other in near])
    for match in _NUMBER.finditer(text):
        take(match.start(1), match.end(1), "number", _numbers(match.group(1)))
    for match in _PERSON.finditer(text):
        given = _given().get(match.group(1))
        if given:
            take(match.start(1), match.end(1), "given name", given)
    pattern, table = _rows(queries=queries)
    for match in pattern.finditer(text):
        kind, others = table[match.group()]
        if re.search(r"\b(?:South|North|East|West|New) $", text[max(0, match.start() - 6) : match.start()]):
            continue
        if kind in ("kind", "order") and (
            _AFTER.match(text, match.end()) or _BEFORE.search(text, max(0, match.start() - 10), match.start())
        ):
            continue
        if _part_of_name(text, match.start(), match.end(), kind):
            continue
        take(match.start(), match.end(), kind, others)
    return sorted(found, key=lambda value: value.start)


def _part_of_name(text: str, start: int, end: int, kind: str) -> bool:
    """Return whether a word belongs to a longer name that an exchange would break ("Berlin Wall")."""
    if kind in (
        "nationality",
        "season",
        "war",
        "kind",
        "role",
        "order",
        "place",
        "sport",
        "century",
        "kin",
        "paper",
    ):
        return False
    after = re.match(r" (?:of )?[A-Z][a-z]", text[end : end + 8])
    before = re.search(r"\b(?!In|The|And|From|At|By|For)[A-Z][a-z]+ $", text[max(0, start - 24) : start])
    return bool(after or before) and kind in ("country", "city", "state", "county", "month")


def _years(year: int) -> list[str]:
    """Return years near a year, none of them both later than the year and after 2024."""
    near = [year + step for step in (-1, 1, -2, 2, -3, 3, -4, 4, -10, 10, 6, -7)]
    return [str(other) for other in near if 1000 <= other <= 2024 or other < year]


def _numbers(printed: str) -> list[str]:
    """Return numbers of similar size, printed like the given one."""
    comma, point = "," in printed, "." in printed
    number = float(printed.replace(",", ""))
    found: list[str] = []
    for factor in (1.3, 0.7, 1.15, 0.85, 1.5, 0.6, 2.0):
        other = number * factor
        if point:
            shown = f"{other:.{len(printed.split('.')[1])}f}"
        elif number < 20:
            shown = str(max(2, round(number) + round((factor - 1) * 10)))
        else:
            # Round numbers stay round, others do not become round.
            zeros = min(len(str(int(number))) - len(str(int(number)).rstrip("0")), 6)
            unit = 10**zeros
            shown = str(round(other / unit) * unit)
        if comma and not point:
            shown = f"{int(shown):,}"
        if shown != printed and shown not in found and float(shown.replace(",", "")) > 0:
            found.append(shown)
    return found
