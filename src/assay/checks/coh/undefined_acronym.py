"""Flags acronyms that a report uses repeatedly and never spells out, although it spells out others.

Readers who do not know the letters cannot follow the sentences that use them. Reports written from many sources often
take over acronyms without their explanations.

Not counted are well-known acronyms, currency codes, ordinary words in capitals (FIRST, if the report also contains
"first"), acronyms in the question, acronyms that stand beside brackets anywhere, acronyms whose full term occurs in the
report, and names – of companies, genes, products, standards – that are recognisable by their use. A report that spells
out fewer than three acronyms has no such habit and is not judged. There is one finding for the whole report.

``known`` under ``[options.COH005]`` names those that your readers know.

Known problems: a specialist report may rightly expect its readers to know the acronyms of its field; the check is
therefore off unless it is selected.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording, series
from assay.subjects.abbreviations import known_abbreviations
from assay.subjects.span import Span
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.abbreviations import Abbreviation
    from assay.subjects.report import Report

_FEWEST: Final = 5
_FEWEST_EXPLAINED: Final = 3
_MOST_NAMED: Final = 6
_WORD: Final = re.compile(r"[a-z]+")
_AROUND: Final = ("", *" \n,;:()“”\"'")
_VOWELS: Final = frozenset("AEIOU")

_UNDEFINED: Final = Wording(
    en="{acronyms} {n:=is|are} used at least {least} times and never spelt out, although other acronyms are",
    zh="{acronyms}至少使用了{least}次，始终没有给出全称，而其他缩写都有全称",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for all undefined acronyms, at the first use of the most used one."""
    entries = report.abbreviations
    # A report that spells out other acronyms has the habit, so that it shows that it missed these.
    if sum(1 for entry in entries.values() if entry.definitions) < _FEWEST_EXPLAINED:
        return
    expected = set(context.option(CHECK, "known"))
    undefined = [
        entry
        for entry in entries.values()
        if len(entry.uses) >= _FEWEST
        and 3 <= len(entry.text) <= 5
        and not entry.definitions
        and not entry.bracketed
        and entry.text not in known_abbreviations()
        and entry.text not in expected
        and not (report.query and entry.text in report.query)
        and not _is_word(report, entry)
        and not _is_name(report, entry)
    ]
    if not undefined:
        return
    initials = _initials(report.cues.lower)
    undefined = [entry for entry in undefined if not any(entry.text.lower() in run_ for run_ in initials)]
    if not undefined:
        return
    undefined.sort(key=lambda entry: (-len(entry.uses), entry.uses[0]))
    named = [entry.text for entry in undefined[:_MOST_NAMED]]
    first = undefined[0].uses[0]
    yield Hit(
        Span(first, first + len(undefined[0].text)),
        _UNDEFINED(
            acronyms=series(named, "and", quoted=True, cut=len(undefined) > _MOST_NAMED),
            n=len(undefined),
            least=len(undefined[-1].uses),
        ),
        tuple(Span(entry.uses[0], entry.uses[0] + len(entry.text)) for entry in undefined[1:]),
        confidence=0.6,
    )


def _initials(lower: str) -> tuple[str, str]:
    """Return the initials of all words in order, once with and once without function words."""
    words = _WORD.findall(lower)
    return "".join(word[0] for word in words), "".join(word[0] for word in words if word not in STOPWORDS)


def _is_word(report: Report, entry: Abbreviation) -> bool:
    """Return whether the text also contains it in lower case, so that it is an ordinary word in capitals."""
    plain = report.plain
    size = len(entry.text)
    for at in report.cues.positions(entry.text.lower()):
        # As a word of its own, not as a part of an address or a file name.
        if (
            plain[at].islower()
            and plain[at - 1 : at] in _AROUND
            and plain[at + size : at + size + 1] in _AROUND
        ):
            block = report.block_at(at)
            if block is not None and block.kind in ("paragraph", "item", "heading", "table"):
                return True
    return False


def _is_name(report: Report, entry: Abbreviation) -> bool:
    """Return whether it is used like a name: inside a longer name, with a version, or pronounceable as a word."""
    plain = report.plain
    named = 0
    for at in entry.uses:
        end = at + len(entry.text)
        before = plain[max(0, at - 24) : at].rstrip("\n")
        after = plain[end : end + 12]
        if re.match(r"[ -]\d|-[a-z]+|\.\d|[ ]?[®™]|['’]s\b|-[A-Z]| [A-Z]", after) or re.search(
            r"(?:[A-Z][A-Za-z]+|\d|/) ?$", before
        ):
            named += 1
    sayable = len(entry.text) >= 4 and sum(char in _VOWELS for char in entry.text) >= 2
    return sayable or named * 3 > len(entry.uses)


CHECK = Check(
    code="COH005",
    name="undefined-acronym",
    severity="info",
    summary="Acronyms are used repeatedly and never spelt out, although others are",
    run=run,
    options={"known": []},
    default=False,
    bad=(
        Example(
            "Levelized cost of energy (LCOE) fell. The coefficient of performance (COP) rose. Net present value (NPV) "
            "did not.\n\n"
            "With a high SCFX the pump saves more. A low SCFX costs money, and SCFX values differ; no SCFX is safe, and SCFX tests fail.\n"
        ),
    ),
    good=(
        Example(
            "Levelized cost of energy (LCOE) fell. The coefficient of performance (COP) rose. Net present value (NPV) "
            "did not.\n\n"
            "With a high COP the pump saves more. A low COP costs money, and the COP differs by region. The "
            "EU, the EU, the EU.\n"
        ),
        Example(
            "Levelized cost of energy (LCOE) fell. The coefficient of performance (COP) rose. Net present value (NPV) "
            "did not.\n\n"
            "Look at the FIRST row and at the FIRST column; the FIRST cell and the FIRST sign count. Gold "
            "rose in the first "
            "quarter: XAU gained, XAU fell back, XAU rose again, and XAU closed higher. ASN.1 and ASN.1 and "
            "ASN.1, and ASN.1.\n"
        ),
    ),
    dimension="concept_introduction",
    failure="expression_quality",
)
