"""One audit as a page.

The report as it reads, its findings marked in place and listed beside it, its argument, its scores.
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from assay.checks.selection import family_of
from assay.present.html.argument import argument_html
from assay.present.html.figures import bar, rose
from assay.present.html.frame import AUDIT_KEYS, html_language, render
from assay.present.html.marks import Mark
from assay.present.html.prose import markdown_html, text_html
from assay.present.html.steps import steps_html
from assay.present.words import SEVERITIES, dimension_asks, dimension_title, label_of, severities
from assay.rubrics.dimensions import DIMENSIONS
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.audits.result import Audit

_LAYERS: Final = (("macro", "The whole"), ("expositional", "The exposition"), ("structural", "The reasoning"))
_TREE: Final = (
    ("analysis_width", "Width", "How many arguments stand side by side"),
    ("analysis_depth", "Depth", "How far arguments are reasoned down to evidence"),
    ("information_density", "Density", "How much of the argument is evidence"),
    ("paragraph_richness", "Richness", "How much each section holds"),
)
_TITLE: Final = 160


def title_of(audit: Audit) -> str:
    """The first heading of a report, the query of a trajectory, or the name of the file."""
    subject = audit.subject
    if isinstance(subject, Report):
        words = subject.sections[1].title if len(subject.sections) > 1 else ""
    else:
        words = " ".join(subject.query.split())
    if not words:
        words = PurePath(subject.path).name if subject.path else label_of(audit)
    return words if len(words) <= _TITLE else words[: _TITLE - 1] + "…"


def audit_page(audit: Audit, *, home: str | None = None) -> str:
    """The page of one audit.

    Args:
        audit: What to show.
        home: Address of the index page, if there is one.
    """
    subject = audit.subject
    marks = _marks(audit)
    if isinstance(subject, Report):
        draw = markdown_html if subject.markdown else None
        text = (
            draw(subject.source, 0, len(subject.source), marks, report=subject)
            if draw
            else f'<div class="plain">{text_html(subject.source, 0, len(subject.source), marks)}</div>'
        )
    else:
        text = steps_html(subject, marks)
    numbers = severities(audit.findings)
    scores = {key: value.score for key, value in audit.dimensions.items()}
    return render(
        "audit.html.j2",
        title=title_of(audit),
        crumb=label_of(audit),
        home=home,
        titled=isinstance(subject, Report) and bool(subject.blocks) and subject.blocks[0].kind == "heading",
        keys=AUDIT_KEYS,
        lang=html_language(audit.summary.language),
        query=subject.query.strip() if isinstance(subject, Report) and subject.query else None,
        counts=[
            (level, numbers[level], level if numbers[level] == 1 or level == "info" else f"{level}s")
            for level in SEVERITIES
            if numbers[level]
        ],
        facts=_facts(audit),
        rose=rose(scores),
        overall=f"{audit.overall:.2f}",
        dimension_count=len(scores),
        groups=_groups(audit),
        cards=_cards(audit),
        families=sorted(Counter(family_of(finding.code) for finding in audit.findings).items()),
        dimensions=[
            (key, dimension_title(key), number)
            for key, number in Counter(f.dimension for f in audit.findings if f.dimension).items()
        ],
        text=Markup(text),  # noqa: S704 - cleaned and escaped in prose.py and steps.py
        argument=argument_html(audit.logic) if audit.logic is not None else None,
        reading="Report" if isinstance(subject, Report) else "Steps",
    )


def _marks(audit: Audit) -> list[Mark]:
    size = len(audit.subject.source)
    out: list[Mark] = []

    def put(start: int, end: int, **rest: Any) -> None:
        left = max(0, min(start, size))
        out.append(Mark(left, max(left, min(end, size)), **rest))

    for number, finding in enumerate(audit.findings):
        put(finding.span.start, finding.span.end, role="finding", key=str(number), severity=finding.severity)
        for index, place in enumerate(finding.related):
            put(place.start, place.end, role="related", key=f"{number}-{index}")
    for node in audit.logic.nodes if audit.logic is not None else ():
        if node.span is not None:
            put(node.span.start, node.span.end, role="node", key=node.id)
    return out


def _facts(audit: Audit) -> list[tuple[str, str]]:
    summary = audit.summary
    names = {"en": "English", "zh": "Chinese"}
    rows: list[tuple[str, str]] = [(f"{summary.words:,}", "words")]
    wanted = ("sections", "citations", "references", "steps", "tool_calls")
    for name in wanted:
        number = getattr(summary, name, None)
        if number is not None:
            rows.append(
                (f"{number:,}", name.replace("_", " ") if number != 1 else name.replace("_", " ")[:-1])
            )
    if summary.language in names:
        rows.append(("", names[summary.language]))
    return rows


def _groups(audit: Audit) -> list[dict[str, Any]]:
    def row(key: str) -> dict[str, Any]:
        score = audit.dimensions[key].score
        return {
            "key": key,
            "name": dimension_title(key),
            "asks": dimension_asks(key),
            "shown": f"{score:.2f}",
            "bar": bar(score),
        }

    groups = [
        {
            "title": title,
            "scores": [row(d.key) for d in DIMENSIONS if d.layer == layer and d.key in audit.dimensions],
        }
        for layer, title in _LAYERS
    ]
    known = {d.key for d in DIMENSIONS}
    groups.append(
        {"title": "The process", "scores": [row(key) for key in audit.dimensions if key not in known]}
    )
    if audit.scores is not None:
        values = {key: getattr(audit.scores, key) for key, _, _ in _TREE}
        groups.append(
            {
                "title": "The argument tree",
                "scores": [
                    {
                        "key": None,
                        "name": name,
                        "asks": asks,
                        "shown": f"{values[key]:.0f}",
                        "bar": bar(values[key] / 100),
                    }
                    for key, name, asks in _TREE
                ],
            }
        )
    return [group for group in groups if group["scores"]]


def _cards(audit: Audit) -> list[dict[str, Any]]:
    lines = audit.subject.lines
    cards: list[dict[str, Any]] = []
    for number, finding in enumerate(audit.findings):
        cards.append(
            {
                "key": str(number),
                "number": number + 1,
                "code": finding.code,
                "name": finding.name,
                "family": family_of(finding.code),
                "severity": finding.severity,
                "dimension": finding.dimension or "",
                "dimension_title": dimension_title(finding.dimension) if finding.dimension else None,
                "message": finding.message,
                "line": finding.span.line,
                "sure": f"{finding.confidence:.0%} sure",
                "related": [
                    {"key": f"{number}-{index}", "line": lines.place(place.start)[0]}
                    for index, place in enumerate(finding.related)
                ],
            }
        )
    return cards
