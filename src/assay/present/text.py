"""An audit for a terminal: findings with excerpts, then scores, then totals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.audits.result import Audit, ReportSummary
from assay.present.display import Painter, Style, bar, pad, visible, width
from assay.present.excerpt import excerpt
from assay.present.interface import ENGLISH, Interface
from assay.present.words import SEVERITIES, label_of, severities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.checks.base import Finding

_GUTTER: Final = 5
_RELATED_SHOWN: Final = 3
_BAR: Final = 20


def finding_lines(
    audit: Audit, finding: Finding, *, painter: Painter, columns: int = 100, say: Interface = ENGLISH
) -> Iterator[str]:
    """Yield one finding: its place and message, its line with carets, and the places it conflicts with."""
    place = f"{label_of(audit)}:{finding.span.line}:{finding.span.column}"
    style: Style = finding.severity
    sure = say("{share} sure", share=f"{finding.confidence:.0%}")
    unsure = f" {painter(sure, 'dim')}" if finding.confidence < 0.6 else ""
    yield (
        f"{painter(visible(place), 'bold')} {painter(finding.code, style)} {painter(say(finding.severity), style)} "
        f"{visible(finding.message)} {painter(f'({finding.name})', 'dim')}{unsure}"
    )
    draw = {"painter": painter, "columns": columns, "gutter": _GUTTER}
    yield from excerpt(audit.subject, finding.span.start, finding.span.end, style=style, **draw)  # type: ignore[arg-type]
    if finding.related:
        size = len(audit.subject.source)
        shown = finding.related[:_RELATED_SHOWN]
        places = say.join(
            ["{}:{}".format(*audit.subject.lines.place(min(span.start, size))) for span in shown]
        )
        more = len(finding.related) - len(shown)
        compared = (
            say("compare {places} and {rest}", places=places, rest=say.count(more, "other place"))
            if more
            else say("compare {places}", places=places)
        )
        note = say.label(painter(say("note"), "accent"), compared)
        yield f"{' ' * _GUTTER} {painter('=', 'dim')} {note}"
        for span in shown:
            yield from excerpt(audit.subject, span.start, span.end, style="accent", **draw)  # type: ignore[arg-type]


def findings_text(
    audit: Audit, *, painter: Painter, columns: int = 100, brief: bool = False, say: Interface = ENGLISH
) -> str:
    """Return all findings of an audit, followed by a blank line; ``brief`` gives one line each."""
    blocks: list[str] = []
    for finding in audit.findings:
        lines = finding_lines(audit, finding, painter=painter, columns=columns, say=say)
        blocks.append(next(lines) if brief else "\n".join(lines) + "\n")
    return "".join(block + "\n" for block in blocks)


def scores_text(audit: Audit, *, painter: Painter, say: Interface = ENGLISH) -> str:
    """Return the dimension scores as bars, and the four tree scores of a report."""
    titles = {key: say.dimension_title(key) for key in audit.dimensions}
    tree = say("Argument tree (of 100)")
    wide = max((width(title) for title in titles.values()), default=0)
    lines: list[str] = []
    for key, value in audit.dimensions.items():
        drawn = painter(bar(value.score, _BAR), _grade(value.score))
        note = painter(say.count(len(value.findings), "finding"), "dim") if value.findings else ""
        lines.append(f"  {pad(titles[key], wide)}  {drawn}  {value.score:.2f}  {note}".rstrip())
    if audit.scores is not None:
        parts = (
            (say("width"), audit.scores.analysis_width),
            (say("depth"), audit.scores.analysis_depth),
            (say("density"), audit.scores.information_density),
            (say("richness"), audit.scores.paragraph_richness),
        )
        shown = "   ".join(f"{name} {painter(f'{value:.0f}', 'bold')}" for name, value in parts)
        lines += ["", f"  {pad(tree, wide)}  {shown}"]
    return "\n".join(lines) + "\n" if lines else ""


def totals_line(audit: Audit, *, painter: Painter, say: Interface = ENGLISH) -> str:
    """Return counts by severity, size, and the mean score."""
    numbers = severities(audit.findings)
    parts = [painter(say.count(numbers[name], name), name) for name in SEVERITIES if numbers[name]]
    findings = say.join(parts) if parts else painter(say("no findings"), "good")
    summary = audit.summary
    counts = (
        {"word": summary.words, "citation": summary.citations, "reference": summary.references}
        if isinstance(summary, ReportSummary)
        else {"step": summary.steps, "tool call": summary.tool_calls}
    )
    size = say.join([say.count(number, noun) for noun, number in counts.items()])
    overall = f" · {say('overall')} {painter(f'{audit.overall:.2f}', 'bold')}" if audit.dimensions else ""
    return f"{visible(label_of(audit))}: {findings} · {size}{overall}\n"


def _grade(score: float) -> Style:
    return "good" if score >= 0.75 else "warning" if score >= 0.5 else "error"
