"""Internal consistency: a figure, count, direction or scope drifts from what another passage of the report says."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import numbers, revision_diff, shared_terms, single_edit
from assay.interventions.attacks._moved_figures import (
    DIGITS,
    EN_WORD,
    chinese_flips,
    moved_figure,
    named,
    near,
    same_head,
    same_words,
    turnable,
)
from assay.interventions.attacks._prose import (
    ProseLine,
    chinese,
    edit,
    edit_sites,
    lines,
    mixed,
)
from assay.interventions.attacks._targeted_attacks import targeted
from assay.interventions.hints import place_hint
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.interventions", "targeted_internal_consistency")
_FLIPS: Final = PhraseFile("assay.interventions", "flips")

_MOST_PAIRS: Final = 40
_FEWEST_SHARED: Final = 3
_COUNTS_ZH: Final = "两三四五六七八"
# The count refers to whatever the list after it holds.
_COUNTED: Final = re.compile(r"\b(?P<n>two|three|four|five|six|seven|eight) (?=[a-z])", re.IGNORECASE)
_COUNTED_ZH: Final = re.compile("(?P<n>[两三四五六七八])(?=[大个种类项点条层步方阶])")
_FITS: Final = re.compile(r"\d")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions of a repeated figure, a restated claim, or the announced count of a list."""
    groups: dict[str, list[TextRevision]] = defaultdict(list)
    everything = lines(report, shortest=36, longest=520)
    for found in (
        *_figures(report, everything, draw),
        *_directions(report, everything, draw),
        *_counts(report, everything),
        *_periods(report, everything, draw),
    ):
        groups[found.pattern].append(found)
    yield from mixed(groups, draw)


def _figures(report: Report, everything: list[ProseLine], draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that change one of two mentions of a figure, in sentences about the same thing."""
    uses: dict[tuple[float, str], list[tuple[ProseLine, Quantity]]] = defaultdict(list)
    at = {line.index: line for line in everything}
    for quantity in report.quantities:
        sentence = report.sentence_at(quantity.start)
        line = at.get(sentence.index) if sentence else None
        # A bare small count is too common to be the same fact twice.
        if (
            line is not None
            and quantity.kind != "ordinal"
            and (quantity.kind != "year" or _dated(line, quantity))
            and (quantity.unit or quantity.kind == "year" or abs(quantity.value) >= 1000)
            and not named(line, quantity)
        ):
            uses[quantity.value, quantity.unit].append((line, quantity))
    cells = [content_terms(table_row) for table_row in _rows(report)]
    for (value, _), mentions in sorted(uses.items()):
        lines_of = {line.index for line, _ in mentions}
        for line, quantity in mentions[-4:]:
            others = [
                other
                for other, there in mentions
                if other.index != line.index
                and _same_matter(report, line, other, value)
                and same_head(line, quantity, other, there)
            ]
            if not others and not _in_table(report, line, quantity, cells):
                continue
            if len(lines_of) > 4:
                continue
            moved = moved_figure(report.source[quantity.start : quantity.end], quantity, draw)
            if moved is None:
                continue
            start = quantity.start - line.start
            where = f"line {report.lines.place(others[0].start)[0]}" if others else "a table"
            old = line.text[start : quantity.end - line.start]
            yield edit(
                line,
                start,
                quantity.end - line.start,
                moved,
                pattern="figure-drift" if quantity.kind != "year" else "date-drift",
                note=f"{old} → {moved}; {where} has {old}",
            )


def _rows(report: Report) -> list[str]:
    return [" ".join(cell.text for cell in row) for table in report.tables for row in table.rows]


def _in_table(report: Report, line: ProseLine, quantity: Quantity, cells: list[set[str]]) -> bool:
    if quantity.kind == "year" or not quantity.unit:
        return False
    written = DIGITS.search(report.source[quantity.start : quantity.end])
    terms = near(line, quantity)
    return written is not None and any(
        written.group() in row and len(terms & known) >= 2
        for row, known in zip(_rows(report), cells, strict=True)
    )


def _dated(line: ProseLine, quantity: Quantity) -> bool:
    """Return whether a year dates an event ("founded in 1998"), not a forecast or a range."""
    before = line.text[max(0, quantity.start - line.start - 30) : quantity.start - line.start]
    return (
        re.search(
            (
                r"\b(?:founded|established|launched|introduced|enacted|adopted|published|released|signed|began"
                r"|started|created|passed|invented|proposed|opened|died|born)\b|成立于|创立于|发布于|始于|建于|诞生于|于$"
            ),
            before,
        )
        is not None
    )


def _same_matter(report: Report, one: ProseLine, two: ProseLine, value: float) -> bool:
    if one.text.strip() == two.text.strip():
        return True
    shared = report.sentence_terms[one.index] & report.sentence_terms[two.index]
    if len(DIGITS.findall(f"{value:g}")[0].strip("0").replace(".", "")) >= 3:
        # If both name the same thing, 12.7 % of it is one fact.
        return len(shared) >= 1
    return len(shared) >= _FEWEST_SHARED + (2 if chinese(report) else 0) + (
        1 if value < 100 and value == int(value) else 0
    )


def _directions(report: Report, everything: list[ProseLine], draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that reverse one of two similar claims in different sections."""
    zh = chinese(report)
    terms = report.sentence_terms
    word = chinese_flips() if zh else EN_WORD
    flips = _FLIPS["flips"].mapping("zh" if zh else "en")
    carriers: dict[str, list[ProseLine]] = defaultdict(list)
    for line in everything:
        for found in {match.group() for match in word.finditer(line.text)} & flips.keys():
            carriers[found].append(line)
    pairs = 0
    for found, holders in sorted(carriers.items()):
        for i, later in enumerate(holders[:60]):
            for earlier in holders[:i]:
                shared = terms[later.index] & terms[earlier.index]
                least = min(len(terms[later.index]), len(terms[earlier.index]))
                if (
                    later.block == earlier.block
                    or len(shared) < (7 if zh else 5)
                    or len(shared) < (0.42 if zh else 0.4) * least
                ):
                    continue
                target = draw.choice((later, earlier))
                matches = list(re.finditer(rf"{found}" if zh else rf"\b{found}\b", target.text))
                if len(matches) != 1 or pairs >= _MOST_PAIRS:
                    continue
                match, other = matches[0], earlier if target is later else later
                at = re.search(rf"{found}" if zh else rf"\b{found}\b", other.text)
                if (
                    at is None
                    or not turnable(target.text, match)
                    or not same_words(target.text, match, other.text, at)
                ):
                    continue
                pairs += 1
                new = flips[found]
                line_no = report.lines.place(other.start)[0]
                yield edit(
                    target,
                    match.start(),
                    match.end(),
                    new,
                    pattern="claim-turned",
                    note=f"{found} → {new}; line {line_no} says {found}",
                )


def _periods(report: Report, everything: list[ProseLine], draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which a period differs from the one in the report's title or query."""
    titles = [section.title for section in report.sections[:3]]
    for line in everything:
        for match in _PERIOD.finditer(line.text):
            same = [title for title in titles if match["one"] in title and match["two"] in title]
            if (
                not same
                or not content_terms(same[0]) & content_terms(line.text)
                or line.text.count(match["one"]) > 1
            ):
                continue
            first, last = int(match["one"]), int(match["two"])
            if last - first < 2:
                continue
            new = first + draw.choice((1, -2, -3, -5) if last - first < 4 else (2, -2, -3, -5))
            at = match.start("one")
            note = f"{match['one']} → {new}; a title has {match.group()}"
            yield edit(line, at, at + 4, str(new), pattern="period-drift", note=note)


_PERIOD: Final = re.compile(
    r"(?<!\d)(?P<one>(?:19|20)\d\d)(?:年)?\s?(?:[–—~～至到-]|to|and)\s?(?P<two>(?:19|20)\d\d)(?!\d)"
)


def _counts(report: Report, everything: list[ProseLine]) -> Iterator[TextRevision]:
    """Yield revisions of an announced count, which its list then misses."""
    zh = chinese(report)
    pattern, row = (_COUNTED_ZH, tuple(_COUNTS_ZH)) if zh else (_COUNTED, _PHRASES["counts"].en)
    blocks = report.blocks
    for line in everything:
        match = pattern.search(line.text)
        if match is None or not line.text.rstrip().endswith((":", "：")) or line.block + 1 >= len(blocks):
            continue
        # "For two bidders with …:" counts something other than the list.
        if not zh and (
            len(line.text) - match.end() > 60 or re.search(r"\b[Ff]or $", line.text[: match.start()])
        ):
            continue
        said = row.index(match["n"].lower()) + 2
        listed = 0
        first = blocks[line.block + 1]
        for block in blocks[line.block + 1 :]:
            if block.kind != "item" or block.depth < first.depth:
                break
            listed += block.depth == first.depth
        if listed != said:
            continue
        new = row[said - 2 + (1 if said < 8 else -1)]
        new = new.capitalize() if match["n"][0].isupper() else new
        yield edit(
            line,
            match.start("n"),
            match.end("n"),
            new,
            pattern="count-drift",
            note=f"{match['n']} → {new}; {listed} are listed",
        )


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs with a figure or a definition that other passages repeat."""
    return edit_sites(report, draw, _FITS, hint=place_hint("said_elsewhere"))


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None.

    It must change a figure, count or direction that another passage still states as before.
    """
    found = revision_diff(reference, perturbed, revision)
    problem = single_edit(found)
    if problem:
        return problem
    if shared_terms(found.before, found.after) < 0.6:
        return "more than one statement of the passage differs"
    new, gone = numbers(found.after) - numbers(found.before), numbers(found.before) - numbers(found.after)
    start = revision.edits[0].start
    rest = perturbed.source[: max(0, start - 1)] + " " + perturbed.source[start + len(found.added) + 1 :]
    if sum(new.values()) > 1 or sum(gone.values()) > 1:
        return "more than one number differs"
    if not gone and found.after.startswith(found.before.rstrip()):
        return _restates_wrongly(reference, found.added)
    if gone and new:
        old = next(iter(gone))
        return (
            None
            if old in numbers(rest)
            else f"{old} stands nowhere else in the report: nothing to be at odds with"
        )
    return _not_contradicted(found.before, found.after, rest)


def _restates_wrongly(reference: Report, added: str) -> str | None:
    """Return why an added sentence does not misstate a sentence of the reference, or None if it does."""
    terms = content_terms(added)
    new = numbers(added) - numbers(reference.source)
    for index, known in enumerate(reference.sentence_terms):
        if len(known) < 3 or len(known & terms) < 0.6 * len(known):
            continue
        text = reference.text(reference.sentences[index].span)
        if numbers(added) - numbers(text) or new or known - terms:
            return None
    return "the sentence that was added restates nothing of the report in other terms"


def _not_contradicted(before: str, after: str, rest: str) -> str | None:
    """Return the reason for refusing an edit that nothing outside the passage contradicts; None if something does."""
    lost = content_terms(before) - content_terms(after)
    words_gone = set(re.findall(r"[a-z-]+", before.lower())) - set(re.findall(r"[a-z-]+", after.lower()))
    words_new = set(re.findall(r"[a-z-]+", after.lower())) - set(re.findall(r"[a-z-]+", before.lower()))
    if words_gone & set(_PHRASES["counts"].en) and words_new & set(_PHRASES["counts"].en):
        return None
    counted = [set(_COUNTED_ZH.findall(text)) for text in (before, after)]
    if counted[0] != counted[1] and all(counted):
        return None
    terms = content_terms(before)
    for piece in re.split(r"(?<=[.。!?！？])\s*|\n+", rest):
        known = content_terms(piece)
        if len(known & terms) >= 4 and (
            not lost or known & lost or any(word in piece.lower() for word in words_gone)
        ):
            return None
    return "nothing elsewhere in the report says what this place said"


OPERATOR = targeted(
    dimension="internal_consistency",
    title="Internal consistency",
    title_zh="损害内部一致",
    definition=(
        "What the report says here cannot be true together with what it says in another place: a figure, "
        "date, count, direction, definition or scope has drifted between the two."
    ),
    definition_zh="报告此处的说法与另一处无法同时成立：数字、时间、数量、变化方向、定义或适用范围前后不一致。",
    rule=rule,
    sites=sites,
    ask=(
        "Change one thing in the passage that the report also states elsewhere – a figure, a date, a "
        "direction, the scope of a definition – so that the two no longer agree. The passage must be "
        "plausible by itself; the other place stays as it is."
    ),
    ask_zh="改动段落中一处在报告别处也出现的内容（数字、时间、变化方向或定义的范围），使两处不再一致。该段单独看要合理，别处保持不动。",
    check=check,
    codes=("NUM001", "NUM003"),
)
