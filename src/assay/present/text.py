"""Results for people at a terminal: findings with excerpts, then scores, then totals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.audits.result import Audit, ReportSummary
from assay.present.display import Painter, Style, bar, pad, visible
from assay.present.excerpt import excerpt
from assay.present.numbers import plural
from assay.present.words import SEVERITIES, dimension_title, label_of, severities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.checks.base import Finding

_GUTTER: Final = 5
_RELATED_SHOWN: Final = 3
_BAR: Final = 20


def finding_lines(audit: Audit, finding: Finding, *, painter: Painter, columns: int = 100) -> Iterator[str]:
    """One finding: its place and message, its line with carets, and the places it conflicts with."""
    place = f"{label_of(audit)}:{finding.span.line}:{finding.span.column}"
    style: Style = finding.severity
    unsure = f" {painter(f'{finding.confidence:.0%} sure', 'dim')}" if finding.confidence < 0.6 else ""
    yield (
        f"{painter(visible(place), 'bold')} {painter(finding.code, style)} {painter(finding.severity, style)} "
        f"{visible(finding.message)} {painter(f'({finding.name})', 'dim')}{unsure}"
    )
    draw = {"painter": painter, "columns": columns, "gutter": _GUTTER}
    yield from excerpt(audit.subject, finding.span.start, finding.span.end, style=style, **draw)  # type: ignore[arg-type]
    if finding.related:
        size = len(audit.subject.source)
        shown = finding.related[:_RELATED_SHOWN]
        places = ", ".join(
            "{}:{}".format(*audit.subject.lines.place(min(span.start, size))) for span in shown
        )
        more = len(finding.related) - len(shown)
        rest = f" and {plural(more, 'other place')}" if more else ""
        yield f"{' ' * _GUTTER} {painter('=', 'dim')} {painter('note:', 'accent')} compare {places}{rest}"
        for span in shown:
            yield from excerpt(audit.subject, span.start, span.end, style="accent", **draw)  # type: ignore[arg-type]


def findings_text(audit: Audit, *, painter: Painter, columns: int = 100, brief: bool = False) -> str:
    """All findings of an audit; ``brief`` gives one line each. Ends with a blank line when there are any."""
    blocks: list[str] = []
    for finding in audit.findings:
        lines = finding_lines(audit, finding, painter=painter, columns=columns)
        blocks.append(next(lines) if brief else "\n".join(lines) + "\n")
    return "".join(block + "\n" for block in blocks)


def scores_text(audit: Audit, *, painter: Painter) -> str:
    """The dimension scores as bars, and the four tree scores of a report."""
    titles = {key: dimension_title(key) for key in audit.dimensions}
    wide = max((len(title) for title in titles.values()), default=0)
    lines: list[str] = []
    for key, value in audit.dimensions.items():
        drawn = painter(bar(value.score, _BAR), _grade(value.score))
        note = painter(plural(len(value.findings), "finding"), "dim") if value.findings else ""
        lines.append(f"  {pad(titles[key], wide)}  {drawn}  {value.score:.2f}  {note}".rstrip())
    if audit.scores is not None:
        parts = (
            ("width", audit.scores.analysis_width),
            ("depth", audit.scores.analysis_depth),
            ("density", audit.scores.information_density),
            ("richness", audit.scores.paragraph_richness),
        )
        shown = "   ".join(f"{name} {painter(f'{value:.0f}', 'bold')}" for name, value in parts)
        lines += ["", f"  {pad('Argument tree (of 100)', wide)}  {shown}"]
    return "\n".join(lines) + "\n" if lines else ""


def totals_line(audit: Audit, *, painter: Painter) -> str:
    """Counts by severity, size, and the mean score."""
    numbers = severities(audit.findings)
    parts = [painter(plural(numbers[name], name), name) for name in SEVERITIES if numbers[name]]
    found = ", ".join(parts) if parts else painter("no findings", "good")
    summary = audit.summary
    if isinstance(summary, ReportSummary):
        size = f"{summary.words:,} words, {plural(summary.citations, 'citation')}, {plural(summary.references, 'reference')}"
    else:
        size = f"{plural(summary.steps, 'step')}, {plural(summary.tool_calls, 'tool call')}"
    overall = f" · overall {painter(f'{audit.overall:.2f}', 'bold')}" if audit.dimensions else ""
    return f"{visible(label_of(audit))}: {found} · {size}{overall}\n"


def _grade(score: float) -> Style:
    return "good" if score >= 0.75 else "warning" if score >= 0.5 else "error"
