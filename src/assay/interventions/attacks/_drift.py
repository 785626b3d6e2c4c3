"""A figure moved, a direction turned, and claims said again with one of the two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import numbers
from assay.interventions.attacks._flips import FLIPS, FLIPS_ZH
from assay.interventions.attacks._prose import Line, chinese, edit, opening_small, plain_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report
    from assay.text.quantities import Quantity

__all__ = ["DIGITS", "EN_WORD", "ZH_WORD", "moved_figure", "restatements"]

DIGITS: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
EN_WORD: Final = re.compile(r"[A-Za-z][a-z-]+")
ZH_WORD: Final = re.compile("|".join(sorted(FLIPS_ZH, key=len, reverse=True)))
_AGAIN: Final = (
    "As noted above, {it}",
    "As set out earlier, {it}",
    "It bears repeating that {it}",
    "As the preceding sections have shown, {it}",
    "To recall, {it}",
    "As already mentioned, {it}",
)
_AGAIN_ZH: Final = (
    "如前所述，{it}",
    "前文已经指出，{it}",
    "正如上文所述，{it}",
    "需要再次指出的是，{it}",
    "如上文分析，{it}",
)
_BACK: Final = re.compile(
    r"^(?:This|These|Such|It|They|Its|Their|However|For example|For instance|Here|Those|As noted|As mentioned|While|In (?:addition|contrast)|Additionally|Moreover|Furthermore|Finally|First|Second|Third|Also|Overall|Similarly|Another|At the same time|Specifically|Like|Yet|But|And|Or|Similar|Examples|Then|Thus|Therefore|Hence|Consequently|As a result)\b"
    r"|^(?:这|该|其|此|它|上述|因此|然而|例如|但|同时|首先|其次|如|综上|总|另|而|以上|他|她|并|前者|后者|[一二三]是|第|根据|据)"
)


# Turned round in a sentence of its own, these still make sense; "improve" or 提升 seldom do.
_RESTATED: Final = re.compile(
    r"increase[sd]?|decrease[sd]?|higher|lower|highest|lowest|larger|smaller|largest|smallest|above|below|majority|minority|faster|slower|stronger|weaker"
    r"|高于|低于|领先|落后|多数|少数|优于|逊于|快于|慢于|最大|最小|最强|最弱|强于|弱于"
)


def restatements(report: Report, everything: list[Line], draw: Random) -> Iterator[TextRevision]:
    """A claim of the body said again at the end of a later paragraph, with its figure or direction changed."""
    zh = chinese(report)
    hosts = [
        line
        for line in everything
        if report.blocks[line.block].kind == "paragraph"
        and line.end >= report.blocks[line.block].span.end - 1
        and line.text.rstrip().endswith((".", "。", "]"))
    ]
    claims = [
        line
        for line in everything
        if len(line.text) <= (110 if zh else 230)
        and not _BACK.match(line.text)
        and not re.match(r"[*\"“(]", line.text)
        and line.text[line.tail :].strip()
    ]
    draw.shuffle(claims)
    made = 0
    for claim in claims:
        later = [host for host in hosts if host.section > claim.section and host.start > claim.end]
        related = [
            host for host in later if report.sentence_terms[host.index] & report.sentence_terms[claim.index]
        ] or later[-1:]
        if not related:
            continue
        body = plain_words(claim.text[: claim.tail])
        turned = _turned(report, claim, body, draw)
        small = opening_small(report, turned[0]) if turned else None
        if turned is None or small is None:
            continue
        host = draw.choice(related[-3:])
        text = draw.choice(_AGAIN_ZH if zh else _AGAIN).format(it=small.rstrip(".。")) + ("。" if zh else ".")
        yield edit(
            host,
            len(host.text),
            len(host.text),
            text if zh else " " + text,
            pattern="restated-otherwise",
            note=f"{turned[1]}; line {report.lines.place(claim.start)[0]} says otherwise",
        )
        made += 1
        if made >= 6:
            return


def _turned(report: Report, claim: Line, body: str, draw: Random) -> tuple[str, str] | None:
    """A claim with its only figure moved or its only direction turned."""
    word, flips = (ZH_WORD, FLIPS_ZH) if chinese(report) else (EN_WORD, FLIPS)
    quantities = [q for q in report.quantities_in(report.sentences[claim.index].span) if q.kind != "ordinal"]
    figures = [q for q in quantities if q.kind != "year" and q.unit and not q.pair]
    if len(figures) == 1 and len(quantities) <= 2:
        old = report.source[figures[0].start : figures[0].end]
        new = moved_figure(old, figures[0], draw)
        if new is not None and body.count(old) == 1 and len(numbers(body)) <= 2:
            return body.replace(old, new), f"{old} → {new}"
    found = [
        match
        for match in word.finditer(body)
        if match.group() in flips and _RESTATED.fullmatch(match.group())
    ]
    if len(found) == 1 and not quantities:
        match = found[0]
        new = flips[match.group()]
        return body[: match.start()] + new + body[match.end() :], f"{match.group()} → {new}"
    return None


def moved_figure(text: str, quantity: Quantity, draw: Random) -> str | None:
    """A number as written, moved by a fifth to a half, in the same notation; a year by some years."""
    match = DIGITS.search(text)
    if match is None or quantity.pair:
        return None
    digits = match.group()
    if quantity.kind == "year":
        new = str(int(digits) + draw.choice((-4, -3, -2, 2, 3)))
    else:
        value = float(digits.replace(",", ""))
        places_ = len(digits.partition(".")[2])
        shift = draw.choice((-0.4, -0.3, -0.22, 0.22, 0.3, 0.45))
        if quantity.unit == "%" and value * (1 + shift) > 97:
            shift = -abs(shift)
        new_value = value * (1 + shift)
        if not places_:
            step = 10 ** max(0, len(digits.replace(",", "")) - 2) if value >= 100 and value % 10 == 0 else 1
            new_value = round(new_value / step) * step
            if new_value == value:
                return None
        new = f"{new_value:,.{places_}f}" if "," in digits else f"{new_value:.{places_}f}"
    if new == digits:
        return None
    return text[: match.start()] + new + text[match.end() :]
