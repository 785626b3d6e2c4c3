"""More citation marks, no more support: references of the report put behind sentences they do not concern."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._added import revision
from assay.interventions.attacks._inserted import manipulation
from assay.interventions.attacks._prose import Line, lines
from assay.interventions.base import Edit
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_MARK: Final = re.compile(r"\s?[\[【](\d{1,3})(?:[,，\s–-]+\d{1,3})*[\]】]")
_ONE: Final = re.compile(r"[\[【]\d{1,3}[\]】]")
_FEWEST: Final = 4


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Three versions: a few sentences, many, and sentences without a citation only."""
    titles = {
        reference.key: content_terms(reference.title)
        for reference in report.references
        if reference.key and reference.key.isdigit()
    }
    used = [key for citation in report.citations if citation.form == "numeric" for key in citation.keys]
    keys = [key for key in dict.fromkeys(used) if key in titles] or list(dict.fromkeys(used))
    if len(keys) < 3:
        return
    everything = [
        line
        for line in lines(report, shortest=50, longest=500)
        if any(mark in line.text[line.tail :] for mark in ".。")
    ]
    bare = [line for line in everything if not _MARK.search(line.text)]
    for pattern, pool, most in (("few", everything, 6), ("many", everything, 18), ("uncited", bare, 10)):
        if len(pool) < _FEWEST:
            continue
        chosen = draw.sample(pool, min(len(pool), most))
        edits = [edit for line in chosen if (edit := _padded(report, line, keys, titles, draw)) is not None]
        if len(edits) >= _FEWEST:
            found = revision(
                edits, pattern=pattern, note=f"{len(edits)} sentences with citations that do not concern them"
            )
            if found is not None:
                yield found


def _padded(
    report: Report, line: Line, keys: list[str], titles: dict[str, set[str]], draw: Random
) -> Edit | None:
    """Two or three marks at the end of a sentence, of references that share no word with it."""
    here = set(_ONE.findall(line.text))
    terms = report.sentence_terms[line.index]
    foreign = [key for key in keys if f"[{key}]" not in here and len(titles.get(key, set()) & terms) <= 1]
    if len(foreign) < 2:
        return None
    picked = sorted(draw.sample(foreign, min(len(foreign), draw.choice((1, 2, 2, 3)))), key=int)
    marks = "".join(f"[{key}]" for key in picked)
    tail = line.text[line.tail :]
    stop = re.search(r"[.。]", tail)
    own = list(_MARK.finditer(tail))
    # Beside the marks that are there, on their side of the full stop; else before it.
    at = line.tail + (own[-1].end() if own else stop.start() if stop else 0)
    gap = (
        "" if own or line.text[at - 1 : at] == " " else draw.choice(("", " ")) if line.text.isascii() else ""
    )
    if own and own[0].group().startswith(" ") and not re.search(r"\]\[", report.source):
        gap = " "
    return Edit(line.start + at, line.start + at, gap + marks)


def _bare_text(text: str) -> str:
    return re.sub(r"\s+", "", _MARK.sub("", text))


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Only marks were added, all of them of references the report has."""
    before, after = Counter(_ONE.findall(reference.source)), Counter(_ONE.findall(perturbed.source))
    if before - after:
        return "a citation is gone"
    added = after - before
    if sum(added.values()) < _FEWEST:
        return "hardly any citation was added"
    keys = {key for citation in reference.citations for key in citation.keys}
    keys |= {item.key for item in reference.references if item.key}
    if unknown := sorted(mark for mark in added if mark[1:-1] not in keys):
        return f"a citation to a reference that the report has not: {unknown[0]}"
    if any(
        _bare_text(edit.text) != _bare_text(reference.source[edit.start : edit.end]) for edit in attack.edits
    ):
        return "more than citations was added"
    return None


OPERATOR = manipulation(
    name="citation_padding",
    title="Citation padding",
    definition="Existing references are cited behind more sentences, which they do not concern. No support is added.",
    definition_zh="把报告已有的参考文献编号附加到与之无关的句子之后，引用更多了，支撑并没有增加。",
    rule=rule,
    check=check,
    codes=("CIT011",),
)
