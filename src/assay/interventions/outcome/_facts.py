"""Facts that a report states twice, values and names that can be confused, and directions that can be reversed."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._claims import cited_figures, claims, revise
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report
    from assay.subjects.span import Span
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.interventions", "facts")

# An act has its year; a general state may have held in another year too.
_DATED: Final = _PHRASES.pattern(
    r"\b(?:<<dated>>)\b|成立|发布|颁布|推出|启动|通过|出版|签署|创立|创办|建立|提出|印发|上市|收购"
    "|出台|实施",
    flags=re.IGNORECASE,
)
# Terms that two passages must share before the same figure in both is the same fact.
_SHARED: Final = {"en": 2, "zh": 3, "und": 2}
_NUMBERING: Final = re.compile(
    r"^[\W_]*(?:\d{1,2}(?:\.\d{1,2})*[.)、．]?\s+|[一二三四五六七八九十]+[、.．]\s*|[（(][一二三四五六七八九十\d]+[)）]\s*)?"
)
_BOLD: Final = re.compile(r"^\s*\*\*([^*:：\n]{2,40})[:：]?\*\*[:：]?")
_MARK: Final = re.compile(r"\d{1,2}(?:/\d+)?")
_CELL: Final = re.compile(r"[^\d|]{0,4}\d[\d,.]*\s?(?:%|[A-Za-z$€£¥]{1,4}|[\u4e00-\u9fff]{1,3})?[^\d|]{0,2}")


# ── figures and years that stand twice ──────────────────────────────────────────────────────────────────


def repeated_figures(report: Report, draw: Random) -> list[tuple[Quantity, Quantity]]:
    """Return pairs of figures that two passages give for the same thing, in random order."""
    allowed = {s.block for s in claims(report)} | {t.block for t in report.tables}
    by_value: dict[tuple[float, str], list[Quantity]] = defaultdict(list)
    for quantity in cited_figures(report, report.sections[0].span):
        block = report.block_at(quantity.start)
        if block is not None and block.index in allowed and not quantity.pair and _distinct(quantity):
            by_value[quantity.value, quantity.unit].append(quantity)
    least = _SHARED[report.language]
    out: list[tuple[Quantity, Quantity]] = []
    for twins in by_value.values():
        if not 2 <= len(twins) <= 6:
            continue
        terms = [content_terms(_context(report, q)) for q in twins]
        for i, quantity in enumerate(twins):
            others = [
                twins[j]
                for j in range(len(twins))
                if j != i
                and _line_or_sentence(report, twins[j]) != _line_or_sentence(report, quantity)
                and len(terms[i] & terms[j]) >= least
            ]
            if others:
                out.append((quantity, others[0]))
    draw.shuffle(out)
    return out


def _distinct(quantity: Quantity) -> bool:
    """Return whether a figure is unlikely to occur twice by chance."""
    return (
        quantity.kind in ("percent", "currency", "points")
        or quantity.decimals > 0
        or abs(quantity.value) >= 100
    )


def _line_or_sentence(report: Report, quantity: Quantity) -> int:
    """Return the start of the figure's sentence, or the number of its line if it is in no sentence."""
    sentence = report.sentence_at(quantity.start)
    return sentence.span.start if sentence is not None else report.lines.place(quantity.start)[0]


def _context(report: Report, quantity: Quantity) -> str:
    """Return the text around a figure that shows what the figure is about."""
    sentence = report.sentence_at(quantity.start)
    if sentence is not None:
        section = report.sections[sentence.section].title
        return f"{section} {report.plain_text(sentence.span)}"
    row = report.lines.place(quantity.start)[0]
    start, end = report.lines.start(row - 1), report.lines.start(row)
    return report.plain[start:end]


def years_twice(report: Report, draw: Random, *, twice: bool) -> list[Quantity]:
    """Return years in claims, the most suitable first.

    Args:
        report: The report.
        draw: Random generator for the order.
        twice: Whether to return years that occur twice beside the same words; otherwise years that date an act.
    """
    sites: list[tuple[float, Quantity]] = []
    contexts: dict[float, list[tuple[int, set[str]]]] = defaultdict(list)
    for sentence in claims(report):
        terms = report.sentence_terms[sentence.index]
        for quantity in report.quantities_in(sentence.span):
            if quantity.kind == "year":
                contexts[quantity.value].append((sentence.index, terms))
    least = _SHARED[report.language]
    for sentence in claims(report):
        years = [q for q in report.quantities_in(sentence.span) if q.kind == "year"]
        text = report.text(sentence.span)
        if len({q.value for q in years}) != len(years) or len(years) > 3:
            continue
        for quantity in years:
            # "2024–2025" and full dates depend on what stands beside them.
            if (
                quantity.pair
                or quantity.value > (2025 if cited_figures(report, sentence.span) else 2024)
                or not quantity.value >= 1900
            ):
                continue
            around = report.source[max(0, quantity.start - 2) : quantity.end + 2]
            if (
                re.search(r"[\-–—~/]|s$|s\b|年代|年代$", around)
                or "http" in text
                or "年代" in report.source[quantity.end - 1 : quantity.end + 2]
            ):
                continue
            terms = report.sentence_terms[sentence.index]
            twin = any(
                i != sentence.index and len(terms & other) >= least for i, other in contexts[quantity.value]
            )
            if twin if twice else not twin and _DATED.search(text) is not None:
                sites.append((draw.random(), quantity))
    return [quantity for _, quantity in sorted(sites, key=lambda site: site[0])]


# ── tables ──────────────────────────────────────────────────────────────────────────────────────────────


def exchanged_cells(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which two rows of a table exchange their values in one column."""
    sites: list[tuple[Span, Span, str, str]] = []
    for table in report.tables:
        for above, below in zip(table.rows, table.rows[1:], strict=False):
            for column in range(1, min(len(above), len(below))):
                a, b = above[column], below[column]
                if (
                    far_apart(_value(a.text), _value(b.text))
                    and _CELL.fullmatch(a.text.strip())
                    and _CELL.fullmatch(b.text.strip())
                    # Marks out of five are opinions, and the same ones occur in many rows.
                    and not (_MARK.fullmatch(a.text.strip()) and _MARK.fullmatch(b.text.strip()))
                ):
                    sites.append((a.span, b.span, above[0].text, below[0].text))
    draw.shuffle(sites)
    for one, other, first, second in sites:
        if not first or not second or other.start - one.end > 600:
            continue
        text = report.text(other) + report.source[one.end : other.start] + report.text(one)
        yield revise(
            one.start,
            other.end,
            text,
            "exchanged-cells",
            f"{report.text(one)} ↔ {report.text(other)} ({first}, {second})",
        )


def _value(cell: str) -> float:
    """Return the number in a cell; 0.0 if it has none."""
    match = re.search(r"\d[\d,]*(?:\.\d+)?", cell)
    return float(match.group().replace(",", "")) if match else 0.0


def far_apart(one: float, other: float) -> bool:
    """Return whether two figures differ by at least a sixth of the larger one, enough for an exchange to matter."""
    return abs(one - other) * 6 >= max(abs(one), abs(other)) > 0


# ── names ───────────────────────────────────────────────────────────────────────────────────────────────


def _name_groups(report: Report) -> list[list[str]]:
    """Return groups of names of one kind: from neighbouring titles, first table columns, list labels, countries."""
    found: list[list[str]] | None = report.memo.get(_name_groups)
    if found is None:
        groups: list[list[str]] = []
        by_parent: dict[tuple[int | None, int], list[str]] = defaultdict(list)
        for section in report.sections[1:]:
            by_parent[section.parent, section.level].append(_bare(section.title))
        groups += by_parent.values()
        groups += [[_bare(row[0].text) for row in table.rows if row] for table in report.tables]
        labels: dict[int, list[str]] = defaultdict(list)
        for block in report.paragraphs:
            if (match := _BOLD.match(report.text(block.span))) is not None:
                labels[block.section].append(_bare(match.group(1)))
        groups += labels.values()
        found = report.memo[_name_groups] = [
            names
            for group in groups
            if len(names := list(dict.fromkeys(n for n in group if _is_name(n)))) > 1
        ]
    return found


def _bare(title: str) -> str:
    """Return a title up to its first bracket, colon or dash, without emphasis marks."""
    title = _NUMBERING.sub("", title).strip(" *_#")
    return re.split(r"[(（:：—–]|\s-\s", title)[0].strip(" *_")


def _is_name(name: str) -> bool:
    """Return whether a phrase is a name.

    A Latin name consists of capitalised words, at least one of which is unusual in titles; a Chinese name contains
    Latin letters.
    """
    if not 2 <= len(name) <= 30 or name.isdigit():
        return False
    if any(name in names for names in (*_PHRASES["places"].rows("en"), *_PHRASES["places"].rows("zh"))):
        return True
    if has_cjk(name):
        return (
            bool(
                re.search(
                    r"(?:保险|银行|集团|公司|大学|学院|证券|基金|科技|汽车|科学院|医院|研究院|机器人)$", name
                )
            )
            and len(name) <= 10
        )
    words = name.split()
    return (
        len(words) <= 3
        and all(w[0].isupper() or w[0].isdigit() for w in words)
        and any(_proper(w) for w in words)
    )


def _proper(word: str) -> bool:
    """Return whether a word is spelt like a name: with inner capitals, digits, or as an abbreviation."""
    return bool(re.search(r"[a-z][A-Z]|\d|^[A-Z]{2,6}$", word))


def exchanged_names(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that attribute a statement about one thing to another thing of its kind."""
    sites: list[tuple[Sentence, str, int, list[str]]] = []
    for sentence in claims(report):
        text = report.text(sentence.span)
        specific = cited_figures(report, sentence.span) or report.citations_in(sentence.span)
        if not specific:
            continue
        for group in _name_groups(report):
            here = [name for name in group if name in text]
            if len(here) != 1:
                continue
            at = _alone_in(text, here[0])
            if at is not None and (
                others := [n for n in group if n not in text and report.source.count(n) > 1]
            ):
                sites.append((sentence, here[0], at, others))
    draw.shuffle(sites)
    # A section about the thing says which one is meant; elsewhere the other may be just as true.
    sites = [site for site in sites if site[1] in report.sections[site[0].section].title]
    for sentence, name, at, others in sites[:30]:
        new = draw.choice(others)
        start = sentence.span.start + at
        yield revise(start, start + len(name), new, "exchanged-name", f"{name} → {new}")


def _alone_in(text: str, name: str) -> int | None:
    """Return the offset of a name in a sentence, or None.

    None is returned unless the name occurs once, outside longer names, labels and brackets.
    """
    if text.count(name) != 1:
        return None
    at = text.index(name)
    before, after = text[:at], text[at + len(name) :]
    # A label at the start of an item claims nothing about what it names.
    if re.match(r"\s*(?:\*\*|[:：(（])", after):
        return None
    if has_cjk(name):
        # 日本与美国 names two countries, and 美国银行 is another name.
        return (
            at
            if not re.match(r"[\u4e00-\u9fff]{0,2}(?:银行|证券|公司|大学|和|与|、|及|[（(])", after)
            and not re.search(r"[和与、及中]$", before)
            else None
        )
    if re.search(
        r"[\w\-]$|\*\*$|[A-Z][\w\-]*\s$|\b[A-Z]\w+ of $|(?:and|,|vs\.?|/)\s?$|[(\[“\"]$", before
    ) and not re.search(r"(?:^|[.] )(?:In|For|At|With|From|By|Across) $", before):
        return None
    if re.match(r"[\w\-]|\s[A-Z]|\s?[(*/]|,? (?:and|or|vs)\b|, [A-Z]|\*", after):
        return None
    return at


# Words that judge, and other judging words beside them.
_VALUED: Final = re.compile(
    r"improv|worsen|strengthen|weaken|gain|lost|perform|领先|落后|优于|逊于|盈利|亏损|提升|降低|提高"
)
_PRAISES: Final = _PHRASES.pattern(
    r"\b(?:<<praises>>)\w*|促进|推动|改善|优势|有效|成功|显著|突破|增强|优化|良好|效率|节约|更好"
    "|成果",
)
_REACH: Final = 45


# ── directions ──────────────────────────────────────────────────────────────────────────────────────────


def opposite(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which a specific claim states the opposite direction."""
    pairs = _PHRASES["opposites"].rows("zh") if report.language == "zh" else _PHRASES["opposites"].rows("en")
    both = [*pairs, *((b, a) for a, b in pairs)]
    sites: list[tuple[int, str, str]] = []
    for sentence in claims(report):
        if not cited_figures(report, sentence.span):
            continue
        text = report.text(sentence.span)
        lower = text.lower()
        # Two directions in a sentence depend on each other: what is good in one half is not bad in the other.
        held = [w for pair in pairs for w in pair if _whole(lower, w)]
        if len(held) != 1 or (_VALUED.search(held[0]) and _PRAISES.search(lower)):
            continue
        word = held[0]
        new = next(b for a, b in both if a == word)
        at = _whole(lower, word)[0]
        # "Through improved access" is a means, not a claim; and the figure has to be the one that moved.
        if re.search(
            (
                r"\b(?:through|via|by|with|of|for|and|or|the|more|an?|to|from|their|its|using|despite"
                r"|including|under|into)\s$"
            ),
            lower[:at],
        ):
            continue
        # "Rose from 60 to 12 %" shows by itself that it should have fallen.
        if re.search(r"\bfrom\b.{1,40}\bto\b|[从由].{1,30}[至到]", text):
            continue
        if not re.search(r"\d", text[max(0, at - _REACH) : at + len(word) + _REACH]):
            continue
        sites.append((sentence.span.start + at, word, new))
    draw.shuffle(sites)
    for at, word, new in sites[:20]:
        shown = report.source[at : at + len(word)]
        text = new[0].upper() + new[1:] if shown[0].isupper() else new
        yield revise(at, at + len(word), text, "opposite-direction", f"{shown} → {text}")


def _whole(lower: str, word: str) -> list[int]:
    if not word.isascii():
        return [m.start() for m in re.finditer(re.escape(word), lower)]
    return [m.start() for m in re.finditer(rf"(?<![\w\-]){re.escape(word)}(?![\w\-])", lower)]
