"""Whether two figures of a report are values of the same thing, and whether both can then be true."""

from __future__ import annotations

import re
from math import log10
from typing import TYPE_CHECKING, Final

from assay.subjects.figure_words import measures_in, telling_words
from assay.text.words import content_terms

if TYPE_CHECKING:
    from assay.subjects.figures import Figure
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_TITLES: Final = re.compile(r"《([^》\n]{1,40})》")
# A name in more sections than this is what the report is about; it does not tell one figure from another.
_SPREAD: Final = 5
_WORDS: Final = re.compile(r"[^\W_]+(?:[&\-][^\W_]+)*")
_WORDY: Final = re.compile(r"[^\W\d_]{2}")
_MOST_ZH: Final = 6
_LONGEST_LABEL: Final = 14
_ALTERNATIVE: Final = re.compile(
    r"\b(?:by contrast|another|other (?:sources|estimates|studies)|alternativ\w*|depending on|in comparison)\b"
    r"|\b(?:scenarios?|baseline|assum\w+|revised|rather than|differ\w*|discrepan\w+)\b"
    r"|\b(?:initially|originally|previously|formerly|then|later)\b"
    r"|另一|其他机构|不同机构|口径|情景|假设|修订|差异|此前|原先|最初|当时|首日|截至",
    re.IGNORECASE,
)


def agree(a: Figure, b: Figure) -> bool:
    """Return whether both values can be true of one thing, given rounding, bounds and approximation."""
    x, y = a.quantity, b.quantity
    low = [f.value for f in (a, b) if f.exactness == "at least"]
    high = [f.value for f in (a, b) if f.exactness == "at most"]
    if low or high:
        exact = [f.value for f in (a, b) if f.exactness in ("exact", "about")]
        if low and high:
            return low[0] <= high[0]
        if not exact:
            return abs(x.value - y.value) <= 0.1 * max(abs(x.value), abs(y.value))
        return (not low or exact[0] >= low[0] * 0.98) and (not high or exact[0] <= high[0] * 1.02)
    rough = (a.exactness, b.exactness).count("about")
    places = _last_place(x), _last_place(y)
    # Printed to different places, one may be the other rounded; printed alike, rounding explains no difference.
    slack = 0.5 * 10 ** max(places) if places[0] != places[1] else 0.0
    if rough:
        slack = max(slack, (0.06 if rough == 1 else 0.03) * max(abs(x.value), abs(y.value)))
    return abs(x.value - y.value) <= slack * (1 + 1e-9)


def _last_place(quantity: Quantity) -> int:
    """Return the power of ten of the last printed digit that counts; closing zeros of "1,200" do not."""
    exponent = round(log10(quantity.scale)) - quantity.decimals
    digits = f"{abs(quantity.value) / quantity.scale:.{quantity.decimals}f}".replace(".", "")
    zeros = len(digits) - len(digits.rstrip("0"))
    return exponent + zeros if not quantity.decimals and len(digits) > 2 and zeros < len(digits) else exponent


def same_thing(report: Report, a: Figure, b: Figure) -> bool:
    """Return whether two figures are values of the same measure, of the same subject, at the same time.

    Both must name the same subject and the same measure, or stand in the same words. Where the text leaves a doubt
    (another year, basis, scenario or source), the answer is no.
    """
    if a.quantity.unit != b.quantity.unit or a.quantity.kind != b.quantity.kind or a.counted != b.counted:
        return False
    if a.quantity.pair or b.quantity.pair or a.change != b.change or a.measure != b.measure:
        return False
    if a.modality != b.modality or a.modality in ("hypothetical", "target"):
        return False
    if (a.years != b.years and a.years and b.years) or a.periods != b.periods:
        return False
    if (a.attributed and b.attributed) or _is_alternative(report, a) or _is_alternative(report, b):
        return False
    if a.sentence is None and b.sentence is None:
        return False
    return _same_named(report, a, b) or _same_words(report, a, b)


def _is_alternative(report: Report, figure: Figure) -> bool:
    """Return whether its sentence, or the one before, sets a figure against another ("Others put it lower:")."""
    sentence = figure.sentence
    if sentence is None:
        return False
    known: dict[int, bool] = report.memo.setdefault(_is_alternative, {})
    if sentence.index not in known:
        first = report.sentences[max(0, sentence.index - 1)]
        start = first.span.start if first.section == sentence.section else sentence.span.start
        known[sentence.index] = _ALTERNATIVE.search(report.plain[start : sentence.span.end]) is not None
    return known[sentence.index]


def _same_named(report: Report, a: Figure, b: Figure) -> bool:
    """Return whether both name one subject, in the clause or in the heading above, and one measure."""
    if not a.measure:
        return False
    one, other = _holders(report, a), _holders(report, b)
    if not (one or other) or not (one == other or _names(report, a, other) or _names(report, b, one)):
        return False
    names = {term for name in (one | other) for term in content_terms(name)}
    extra = (a.subject ^ b.subject) - names
    for figure in (a, b):
        if not figure.names:
            extra -= report.title_terms[figure.section]
    if extra & telling_words() or _parallel(report, a, b) or (a.quantity.kind == "count" and not a.counted):
        return False
    if len(extra) > (_MOST_ZH if report.language == "zh" else 1):
        return False
    # Titles and labels are specific; an English name may be what the whole report is about.
    return report.language == "zh" or any(_sections_with(report, name) <= _SPREAD for name in one | other)


def _same_words(report: Report, a: Figure, b: Figure) -> bool:
    """Return whether the words around both are the same, and enough of them to tell one figure from another."""
    if a.cell is not None or b.cell is not None or a.names != b.names:
        return False
    shared, extra = a.subject & b.subject, a.subject ^ b.subject
    if extra & telling_words() or a.clause[2] != b.clause[2]:
        return False
    zh = report.language == "zh"
    least = (4 if a.measure else 6) if zh else 3
    enough = len(shared) >= least and len(extra) <= len(shared) // (4 if zh else 5)
    return enough and not _parallel(report, a, b) and not (_label(report, a) or _label(report, b))


def _holders(report: Report, figure: Figure) -> frozenset[str]:
    """Return the names that tell whose figure it is: of its row, its clause or its label, in lower case."""
    if (place := figure.cell) is not None:
        text = place[0].rows[place[1]][0].text.strip("*_ ").lower()
        return frozenset(_TITLES.findall(text) or ([text] if _WORDY.search(text) else []))
    if report.language != "zh":
        return figure.names
    # In Chinese text Latin names are mostly products and standards; titles and labels tell whose a figure is.
    label = _label(report, figure)
    titles = _TITLES.findall(label) or _TITLES.findall(figure.clause[0])
    if titles or not label or measures_in(label) or len(label) > _LONGEST_LABEL:
        return frozenset(titles)
    return frozenset([label])


def _names(report: Report, figure: Figure, names: frozenset[str]) -> bool:
    """Return whether a figure without a name of its own is one of ``names``, by its clause or the heading above it."""
    if not names or figure.cell is not None or _holders(report, figure):
        return False
    if report.language == "zh" and all(name in figure.clause[0].lower() for name in names):
        return True
    title = report.sections[figure.section].title.lower()
    known = set(_TITLES.findall(title)) or set(_WORDS.findall(title))
    return names <= known


def _parallel(report: Report, a: Figure, b: Figure) -> bool:
    """Return whether both stand in parallel places: neighbouring items, or sections of the same title."""
    one, other = report.sections[a.section], report.sections[b.section]
    if one.index != other.index:
        label = _label(report, a)
        same_label = label != "" and label == _label(report, b)
        if report.language == "zh":
            same_label = same_label and label not in _holders(report, a)
        return same_label or one.title.lower() == other.title.lower() != ""
    blocks = [report.block_at(f.quantity.start) for f in (a, b)]
    return all(block is not None and block.kind == "item" for block in blocks)


def _label(report: Report, figure: Figure) -> str:
    """Return the label of its item or paragraph ("Range: 300 km"), in lower case; empty without one."""
    block = report.block_at(figure.quantity.start)
    if block is None:
        return ""
    head = report.plain[block.span.start : min(block.span.start + 60, figure.quantity.start)]
    label, colon, _ = head.replace("：", ":").partition(":")
    return label.strip(" *_-0123456789.、").lower() if colon else ""


def _sections_with(report: Report, name: str) -> int:
    spread: dict[str, int] = report.memo.setdefault(_sections_with, {})
    if name not in spread:
        lower = report.cues.lower
        spread[name] = sum(name in lower[s.body.start : s.body.end] for s in report.sections)
    return spread[name]
