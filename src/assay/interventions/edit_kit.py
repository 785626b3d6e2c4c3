"""What an edit did to a text, as runs over its tokens, and the tests of form that operators build their checks from.

A run is a swap, a drop, an insertion or a move. Each has its inverse: `undo` swaps back, puts in again, deletes and
moves back, and gives the reference exactly. The tests below take two texts, the passage before and after, and return
a reason or None. They decide only what form can decide; what needs understanding is for a second reader.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from assay.interventions.changed_passages import changed_passages
from assay.text.quantities import find_quantities
from assay.text.words import CJK_RANGES, content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assay.interventions.base import Revision
    from assay.subjects.subject import Subject
    from assay.text.quantity import Quantity

RunKind = Literal["swap", "drop", "insert", "move"]
_Range: TypeAlias = tuple[int, int]

# A citation marker: a number in brackets, an author and a year in brackets, or the address of a link.
_MARKER: Final = (
    r"\\?\[\^?\d[\d\s,，、;\-–—~\^†L]{0,40}\\?\]|【\d[^】\n]{0,40}】|\]\([^)\s]+\)"
    r"|[(（](?:[A-Z][^()（）\n]{1,60}|[\u4e00-\u9fff][^()（）\n]{0,30}?)[,，]\s?(?:19|20)\d\d年?[a-z]?[)）]"
)
MARKER: Final = re.compile(_MARKER)
ADDRESS: Final = re.compile(r"https?://[^\s)>\]】）]+")
# Every character belongs to one token, so that tokens joined give the text.
_TOKEN: Final = re.compile(
    rf"{_MARKER}|\d+(?:[.,]\d+)*|[{CJK_RANGES}]|[^\W\d_{CJK_RANGES}]+(?:['’\-][^\W\d_{CJK_RANGES}]+)*|\s+|.",
    re.DOTALL,
)
_WORD: Final = re.compile(r"\w")
# Words beside a figure that only say how exact it is.
_NEARLY: Final = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|some|circa|ca\.?|just (?:over|under))\b"
    "|约|大约|将近|近|左右|接近|大概",
    re.IGNORECASE,
)
# Fewest content tokens of a move; a shorter run that is dropped here and inserted there is two runs.
_MOVED: Final = 2


class EditRun(NamedTuple):
    """One run of an edit. Offsets are in code points.

    Attributes:
        kind: What was done.
        old: The text before; empty for an insertion.
        new: The text after; empty for a drop, for a move ``old`` but for white space.
        start: Where ``old`` begins in the text before.
        low: Where ``new`` begins in the text after.
        gap: Where ``old`` would have to be put back in the text after: of a move the place that it left, otherwise
            ``low``.
    """

    kind: RunKind
    old: str
    new: str
    start: int
    low: int
    gap: int


def tokens(text: str) -> list[str]:
    """Return words, numbers, citation markers, white space, and every other sign and Chinese character by itself."""
    return _TOKEN.findall(text)


def edit_runs(before: str, after: str) -> list[EditRun]:
    """Return what an edit did to a text, in the order of the text after."""
    runs = list(_runs(before, after))
    drops = [run for run in runs if run.kind == "drop"]
    for insertion in [run for run in runs if run.kind == "insert"]:
        source = next((drop for drop in drops if drop.old.strip() == insertion.new.strip()), None)
        if source is None or _size(source.old) < _MOVED:
            continue
        drops.remove(source)
        runs.remove(source)
        moved = insertion._replace(kind="move", old=source.old, start=source.start, gap=source.low)
        runs[runs.index(insertion)] = moved
    return runs


def undo(after: str, runs: Iterable[EditRun]) -> str:
    """Return the text before, given the text after and what the edit did."""
    back: list[tuple[int, int, str]] = []
    for run in runs:
        if run.kind == "move":
            back += [(run.low, run.low + len(run.new), ""), (run.gap, run.gap, run.old)]
        else:
            back.append((run.low, run.low + len(run.new), run.old))
    for low, high, text in sorted(back, reverse=True):
        after = after[:low] + text + after[high:]
    return after


def changed_texts(reference: Subject, revised: Subject, revision: Revision) -> list[tuple[str, str]]:
    """Return each changed paragraph of a report, or part of a step, before and after."""
    return [(item.before, item.after) for item in changed_passages(reference, revised, revision)]


def joined_texts(reference: Subject, revised: Subject, revision: Revision) -> tuple[str, str]:
    """Return the changed paragraphs or parts of steps as one text, before and after."""
    pairs = changed_texts(reference, revised, revision)
    return "\n\n".join(old for old, _ in pairs), "\n\n".join(new for _, new in pairs)


def markers(text: str) -> Counter[str]:
    """Count the citation markers of a text, as they are written but for white space and escapes."""
    return Counter(re.sub(r"[\s\\]", "", match.group()) for match in MARKER.finditer(text))


def without_markers(text: str) -> str:
    """Return a text without its citation markers and the space before them."""
    return re.sub(rf"[ \t]*(?:{_MARKER})", "", text)


def hosts(text: str) -> set[str]:
    """Return the hosts of the addresses in a text, without ``www.``."""
    return {
        urlsplit(match.group()).netloc.lower().removeprefix("www.") for match in ADDRESS.finditer(text)
    } - {""}


def citations_changed(before: str, after: str) -> str | None:
    """Return which citation marker differs, for a type that leaves citations as they are; their order may change."""
    old, new = markers(before), markers(after)
    if gone := old - new:
        return f"the citation {next(iter(gone))} is gone, and this type leaves citations as they are"
    if come := new - old:
        return f"the citation {next(iter(come))} is new, and this type leaves citations as they are"
    return None


def words_changed(before: str, after: str) -> str | None:
    """Return what differs besides citation markers, for a type that changes nothing else."""
    old, new = (" ".join(without_markers(text).split()) for text in (before, after))
    if old == new:
        return None
    run = next(iter(edit_runs(old, new)))
    return f"words of the claim changed: “{run.old.strip()}” → “{run.new.strip()}”"


def values_kept(before: str, after: str) -> str | None:
    """Return why an edit changed no value: all that differs are figures, which are equal or only rounded."""
    old, new = find_quantities(before), find_quantities(after)
    if not old or len(old) != len(new) or _without(before, old) != _without(after, new):
        return None
    changed = [
        (a, b) for a, b in zip(old, new, strict=True) if before[a.start : a.end] != after[b.start : b.end]
    ]
    if all(same_value(a, b) for a, b in changed):
        return "the figure is equal or only rounded"
    return None


def same_value(one: Quantity, other: Quantity) -> bool:
    """Return whether two figures have one value, allowing for the rounding of the coarser one."""
    if one.unit != other.unit:
        return False
    slack = max(one.half_unit, other.half_unit) if one.kind != "year" else 0.0
    # Whole numbers without a scale are exact: 53 is not a rounding of 53.4 people, but 53 % is one of 53.4 %.
    if one.decimals == other.decimals and one.scale == other.scale:
        slack = 0.0
    return abs(one.value - other.value) <= slack + 1e-9 * abs(one.value)


def figures_changed(before: str, after: str) -> str | None:
    """Return which figure differs, for a type that leaves figures as they are; their order may change."""
    old, new = _figures(before), _figures(after)
    gone = next(iter((old - new) or (new - old)), None)
    return None if gone is None else f"the figure {gone} changed, and this type leaves figures as they are"


def added_figures(before: str, after: str) -> str | None:
    """Return a figure that an edit brought in, as it is printed, or None.

    One that is said again was there before, and numbers of citation markers do not count.
    """
    known = _figures(before)
    return next((figure for figure in _figures(after) if figure not in known), None)


def unknown_figure(known: str, text: str) -> str | None:
    """Return a figure of a text that what is known does not have, or None; single digits may count what is there."""
    return next(
        (figure for figure in _figures(text) if len(figure) > 1 and figure not in _figures(known)), None
    )


def reordered(before: str, after: str) -> bool:
    """Return whether the two texts have the same tokens in another order; capitals and white space do not count."""
    old, new = ([token.lower() for token in tokens(text) if not token.isspace()] for text in (before, after))
    return old != new and Counter(old) == Counter(new)


def lost(before: str, after: str, *, share: float = 0.0) -> str | None:
    """Return what a text lost, for an attack that adds or rephrases only: a marker, a figure, too many of its terms.

    Args:
        before: The passage.
        after: The revised passage.
        share: Greatest share of the terms of ``before`` that may be missing.
    """
    if gone := markers(before) - markers(after):
        return f"the citation {next(iter(gone))} is lost"
    if gone := _figures(before) - _figures(after):
        return f"the figure {next(iter(gone))} is lost"
    terms = content_terms(before)
    missing = terms - content_terms(after)
    if len(missing) > share * len(terms):
        return f"words are lost: {', '.join(sorted(missing)[:4])}"
    return None


def _runs(before: str, after: str) -> Iterator[EditRun]:
    """Yield the stretches between tokens that both texts have, where the two differ."""
    at, to = 0, 0
    for old, new in [*_shared(before, after), ((len(before), len(before)), (len(after), len(after)))]:
        one, other = before[at : old[0]], after[to : new[0]]
        if one != other:
            yield _run(one, other, at, to)
        at, to = old[1], new[1]


def _shared(before: str, after: str) -> list[tuple[_Range, _Range]]:
    """Return the tokens that both texts have, in order; a lone sign between two changes belongs to the changes."""
    # White space aligns nothing; it would match everywhere and tear runs apart.
    old, new = ([m for m in _TOKEN.finditer(text) if not m.group().isspace()] for text in (before, after))
    blocks = SequenceMatcher(
        None, [m.group() for m in old], [m.group() for m in new], autojunk=False
    ).get_matching_blocks()
    return [
        (old[block.a + at].span(), new[block.b + at].span())
        for block in blocks
        if block.size > 1
        or (block.size and _WORD.search(old[block.a].group()))
        or block.b + block.size == len(new)
        for at in range(block.size)
    ]


def _run(one: str, other: str, start: int, low: int) -> EditRun:
    lead = 0 if one.isspace() or other.isspace() else _common_space(one, other)
    one, other, start, low = one[lead:], other[lead:], start + lead, low + lead
    tail = _common_space(one[::-1], other[::-1])
    one, other = one[: len(one) - tail], other[: len(other) - tail]
    kind: RunKind = "swap" if one and other else "drop" if one else "insert"
    return EditRun(kind, one, other, start, low, low)


def _common_space(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b or not a.isspace():
            break
        count += 1
    return count


def _figures(text: str) -> Counter[str]:
    """Count the numbers of a text as printed, without those of citation markers."""
    return Counter(re.findall(r"\d+(?:[.,]\d+)*", without_markers(text)))


def _size(text: str) -> int:
    return sum(1 for token in tokens(text) if _WORD.search(token))


def _without(text: str, quantities: Sequence[Quantity]) -> str:
    """Return a text with its figures masked, without the words that say how exact they are."""
    out, at = [], 0
    for quantity in quantities:
        out += [text[at : quantity.start], "#"]
        at = quantity.end
    return re.sub(r"\s+", "", _NEARLY.sub("", "".join([*out, text[at:]])))
