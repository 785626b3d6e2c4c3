"""Checked citations for a terminal: what sources do not support, then a row for each report and system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.measures.intervals import mean_interval
from assay.present.display import Painter, Style, visible
from assay.present.numbers import NONE, number, of, percent_interval
from assay.present.table import table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.present.interface import Interface
    from assay.reviews.citations import CheckedCitation, CitationCheck, CitationVerdict

_TOLD: Final[dict[CitationVerdict, Style]] = {
    "contradicts": "error",
    "not_there": "error",
    "partly": "warning",
}
_WORDS: Final[dict[CitationVerdict, str]] = {
    "supports": "supports",
    "partly": "partly",
    "contradicts": "contradicts",
    "not_there": "not there",
    "not_available": "not available",
    "undecided": "undecided",
}


def citations_text(checks: Sequence[CitationCheck], *, painter: Painter, columns: int = 100) -> str:
    """Return the pairs that sources do not support, and the counts with accuracy and effective citations."""
    lines: list[str] = []
    for check in checks:
        for item in check.citations:
            style = _TOLD.get(item.verdict)
            if style is None:
                continue
            place = f"{check.path or check.id or 'report'}:{item.line}"
            lines.append(
                f"{painter(visible(place), 'bold')} {painter(_WORDS[item.verdict], style)} {visible(item.source)}"
            )
            lines += wrapped(item.claim, columns, "    ")
            if item.quote:
                lines += [
                    painter(line, "accent") for line in wrapped(f"source: “{item.quote}”", columns, "    ")
                ]
            if item.reason:
                lines += [painter(line, "dim") for line in wrapped(item.reason, columns, "    ")]
            lines.append("")
    rows = table_of(
        checks,
        [
            ("REPORT", lambda item: visible(item.id or item.path or "–")),
            *((_WORDS[key].upper(), _counter(key)) for key in _WORDS),
            ("ACCURACY", lambda item: NONE if item.accuracy is None else f"{item.accuracy:.0%}"),
            ("CHECKED", lambda item: of(item.checked, len(item.citations))),
        ],
    )
    lines += table_lines(rows, painter, columns)
    lines += ["", *_systems(checks, painter, columns)]
    left = sum(item.count("undecided") for item in checks)
    if left:
        lines.append(painter(f"{left} pairs are undecided by rule; --model reads them", "dim"))
    return "\n".join(lines) + "\n"


def cited_lines(check: CitationCheck, say: Interface, painter: Painter, columns: int) -> list[str]:
    """Return what an audit says of its sources: citation accuracy with what was checked, and what they do not support."""
    lines = [f"  {say('Sources')}", painter(f"    {accuracy_text(check, say)}", "dim")]
    for item in unsupported(check):
        head = f"{item.line}: {say(_WORDS[item.verdict])} {visible(item.source)}"
        lines += [painter(line, _TOLD[item.verdict]) for line in wrapped(head, columns, "    ")]
        lines += wrapped(item.claim, columns, "      ")
        if item.quote:
            lines += [painter(line, "dim") for line in wrapped(f"“{item.quote}”", columns, "      ")]
    return lines


def accuracy_text(check: CitationCheck, say: Interface) -> str:
    """Return citation accuracy and effective citations as FACT defines them, beside what was checked."""
    counts = say.join(
        [f"{number} {say(words)}" for key, words in _WORDS.items() if (number := check.count(key))]
    )
    shown = NONE if check.accuracy is None else f"{check.accuracy:.0%}"
    return say(
        "citation accuracy {share}, checked {n} of {total}: {counts}",
        share=shown, n=check.checked, total=len(check.citations), counts=counts or "–",
    )  # fmt: skip


def unsupported(check: CitationCheck) -> list[CheckedCitation]:
    """Return the pairs whose source does not say it, or says it in part."""
    return [item for item in check.citations if item.verdict in _TOLD]


def verdict_words(verdict: CitationVerdict) -> str:
    """Return a verdict in words."""
    return _WORDS[verdict]


def _counter(verdict: CitationVerdict) -> Callable[[CitationCheck], str]:
    return lambda item: str(item.count(verdict))


def _systems(checks: Sequence[CitationCheck], painter: Painter, columns: int) -> list[str]:
    """Return FACT's two figures for each system, over its reports."""
    groups: dict[str, list[CitationCheck]] = {}
    for item in checks:
        groups.setdefault(item.system or "all", []).append(item)

    def accuracy(name: str) -> str:
        values = [item.accuracy for item in groups[name] if item.accuracy is not None]
        return (
            percent_interval(mean_interval(values, range(len(values)), bounds=(0.0, 1.0))) if values else NONE
        )

    def effective(name: str) -> str:
        return number(sum(item.effective for item in groups[name]) / len(groups[name]), 1)

    rows = table_of(
        list(groups),
        [
            ("SYSTEM", visible),
            ("REPORTS", lambda name: str(len(groups[name]))),
            ("CITATION ACCURACY, %", accuracy),
            ("EFFECTIVE CITATIONS", effective),
            (
                "CHECKED",
                lambda name: of(
                    sum(item.checked for item in groups[name]),
                    sum(len(item.citations) for item in groups[name]),
                ),
            ),
        ],
    )
    return table_lines(rows, painter, columns)
