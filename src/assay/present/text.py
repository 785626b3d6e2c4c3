"""An audit for a terminal: findings with excerpts, then what was found by dimension, then the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.audits.result import SEVERITIES, Audit, ReportSummary
from assay.present.citations import cited_lines
from assay.present.display import Painter, Style, pad, visible, width
from assay.present.excerpt import excerpt
from assay.present.interface import ENGLISH, Interface
from assay.present.words import WORDS_FOR_A_RATE, full_name_of, name_of, place_of
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.checks.base import Finding, ReadingNote
    from assay.reviews.faults import DecisiveMistake, Review

_GUTTER: Final = 5
_RELATED_SHOWN: Final = 3
# What each kind of repair is called.
REPAIR_NAMES: Final = {
    "replace": "write instead",
    "insert": "add after it",
    "delete": "leave it out",
    "source": "source needed",
}


def finding_lines(
    audit: Audit, finding: Finding, *, painter: Painter, columns: int = 100, say: Interface = ENGLISH
) -> Iterator[str]:
    """Yield one finding: its place and message, its line with carets, and the places it conflicts with."""
    place = f"{place_of(audit)}:{finding.span.line}:{finding.span.column}"
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
    if finding.reading is not None:
        yield from _reading_lines(finding.reading, painter=painter, columns=columns, say=say)


def _reading_lines(note: ReadingNote, *, painter: Painter, columns: int, say: Interface) -> Iterator[str]:
    """Yield the missing link and the repair of a finding that a model made."""
    parts: list[tuple[str, str]] = []
    if note.missing:
        parts.append((say("missing link"), note.missing))
    if note.repair is not None:
        parts.append((say(REPAIR_NAMES[note.repair.kind]), note.repair.text))
    indent = " " * (_GUTTER + 1)
    for name, said in parts:
        text = visible(say.label(name, said) if said else name)
        first, *rest = wrapped(text, columns, f"{indent}  ")
        yield f"{indent}{painter('=', 'dim')} {painter(first.strip(), 'good')}"
        for line in rest:
            yield painter(line, "good")


def findings_text(
    audit: Audit, *, painter: Painter, columns: int = 100, brief: bool = False, say: Interface = ENGLISH
) -> str:
    """Return all findings of an audit, followed by a blank line; ``brief`` gives one line each.

    A report with an id or a system is named above its findings.
    """
    blocks: list[str] = []
    if audit.findings and name_of(audit) != place_of(audit):
        blocks.append(painter(visible(full_name_of(audit)), "bold"))
    for finding in audit.findings:
        lines = finding_lines(audit, finding, painter=painter, columns=columns, say=say)
        blocks.append(next(lines) if brief else "\n".join(lines) + "\n")
    return "".join(block + "\n" for block in blocks)


def overview_text(audit: Audit, *, painter: Painter, columns: int = 100, say: Interface = ENGLISH) -> str:
    """Return the findings by dimension, the structure of the argument, and what could not be checked."""
    lines = _by_dimension(audit, painter, say)
    if audit.structure is not None:
        parts = (
            (say("width"), audit.structure.analysis_width),
            (say("depth"), audit.structure.analysis_depth),
            (say("density"), audit.structure.information_density),
            (say("richness"), audit.structure.paragraph_richness),
        )
        shown = say.join([f"{name} {value:.0f}" for name, value in parts])
        lines += ["", f"  {say.label(say('Structure of the argument, not its quality (of 100)'), shown)}"]
    if audit.review is not None:
        lines += ["", f"  {say('Read by {model}', model=visible(audit.review.model))}"]
        for line in review_lines(audit.review, say):
            lines += [painter(part, "dim") for part in wrapped(line, columns, "    ")]
    if audit.unchecked:
        lines += ["", f"  {say('Not checked')}"]
        for part in audit.unchecked:
            lines += [painter(line, "dim") for line in wrapped(part.message, columns, "    ")]
    if audit.citations is not None and audit.citations.citations:
        lines += ["", *cited_lines(audit.citations, say, painter, columns)]
    return "\n".join(lines).lstrip("\n") + "\n" if lines else ""


def review_lines(review: Review, say: Interface) -> list[str]:
    """Return what became of what the readers found, and what went wrong."""
    verdicts = [fault.verdict for fault in review.withheld]
    numbers = (
        ("stand", len(review.faults) - len(verdicts)),
        ("arguable, not shown", verdicts.count("arguable")),
        ("refuted, not shown", verdicts.count("falls")),
        ("not looked at again, not shown", verdicts.count("unread")),
        ("without a place in the text, dropped", review.unlocated),
        ("more than asked for or in another form, dropped", review.unread),
    )
    shown = say.join([f"{number} {say(name)}" for name, number in numbers if number])
    lines = [say.label(say("Faults named"), shown or "0")]
    if review.decisive is not None:
        lines.append(say.label(say("Decisive mistake"), decisive_place(review.decisive, say)))
    return [*lines, *review.problems]


def decisive_place(mistake: DecisiveMistake, say: Interface) -> str:
    """Return the place of the decisive mistake and who made it; what was wrong is a finding."""
    places: list[str] = []
    if mistake.step is not None:
        places.append(say("step {number}", number=mistake.step + 1))
    if mistake.message is not None:
        places.append(say("message {number}", number=mistake.message))
    if mistake.agent:
        places.append(visible(mistake.agent))
    return say.join(places)


def _by_dimension(audit: Audit, painter: Painter, say: Interface) -> list[str]:
    groups = {say.dimension_title(key): own for key, own in audit.dimensions.items() if own}
    grouped = {index for own in groups.values() for index in own}
    rest = tuple(index for index in range(len(audit.findings)) if index not in grouped)
    if rest:
        groups[say("Other")] = rest
    wide = max(map(width, groups), default=0)
    out: list[str] = []
    for title, own in groups.items():
        numbers = {name: sum(audit.findings[i].severity == name for i in own) for name in SEVERITIES}
        parts = [painter(say.count(number, name), name) for name, number in numbers.items() if number]
        out.append(f"  {pad(title, wide)}  {say.join(parts)}")
    return out


def headline(audit: Audit, *, painter: Painter, say: Interface = ENGLISH) -> str:
    """Return what was found, by severity and per 1,000 words, and the size; or why there is nothing to judge."""
    name = visible(full_name_of(audit))
    summary = audit.summary
    sizes = (
        {"word": summary.words, "citation": summary.citations, "reference": summary.references}
        if isinstance(summary, ReportSummary)
        else {"step": summary.steps, "tool call": summary.tool_calls}
    )
    size = say.join([say.count(number, noun) for noun, number in sizes.items()])
    rates = isinstance(summary, ReportSummary) and summary.words >= WORDS_FOR_A_RATE
    parts: list[str] = []
    if audit.nothing is not None:
        parts.append(painter(say.label(say("nothing to judge"), audit.nothing.message), "error"))
    first = True
    for level, number in audit.counts.items():
        if number:
            rate = f"{1000 * number / summary.words:.1f}" if rates else ""
            # The unit stands behind the first rate only.
            rate = say("{rate} per 1,000 words", rate=rate) if rate and first else rate
            aside = say.aside(rate) if rate else ""
            parts.append(painter(say.count(number, level), level) + aside)
            first = False
    findings = say.join(parts) if parts else painter(say("no findings"), "good")
    return f"{say.label(name, findings)} · {size}\n"
