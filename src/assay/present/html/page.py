"""One audit as a page.

The report as it reads, its findings marked in place and listed beside it, its argument, what was not checked.
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from assay.audits.result import SEVERITIES, ReportSummary
from assay.checks.selection import family_of
from assay.present.citations import accuracy_text, unsupported, verdict_words
from assay.present.html.argument import argument_html
from assay.present.html.changed import changed_html
from assay.present.html.frame import AUDIT_KEYS, render
from assay.present.html.marks import Mark
from assay.present.html.prose import markdown_html, text_html
from assay.present.html.steps import steps_html
from assay.present.interface import Interface, html_language, interface
from assay.present.text import REPAIR_NAMES, review_lines
from assay.present.words import WORDS_FOR_A_RATE, full_name_of, name_of
from assay.rubrics.dimensions import DIMENSIONS
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.audits.baseline import ReportChange
    from assay.audits.result import Audit
    from assay.checks.base import Finding

_LAYERS: Final = (("macro", "The whole"), ("expositional", "The exposition"), ("structural", "The reasoning"))
_TREE: Final = (
    ("analysis_width", "Width", "How many arguments stand side by side"),
    ("analysis_depth", "Depth", "How far arguments are reasoned down to evidence"),
    ("information_density", "Density", "How much of the argument is evidence"),
    ("paragraph_richness", "Richness", "How much each section holds"),
)
_TITLE: Final = 160
_WORST: Final = 3


def title_of(audit: Audit) -> str:
    """Return the first heading of a report, the query of a trajectory, or the name of the text."""
    subject = audit.subject
    if isinstance(subject, Report):
        words = subject.sections[1].title if len(subject.sections) > 1 else ""
    else:
        words = " ".join(subject.query.split())
    if not words:
        words = PurePath(subject.path).name if subject.path and not subject.id else name_of(audit)
    return words if len(words) <= _TITLE else words[: _TITLE - 1] + "…"


def audit_page(
    audit: Audit,
    *,
    home: str | None = None,
    change: ReportChange | None = None,
    say: Interface | None = None,
) -> str:
    """Return the page of one audit.

    Args:
        audit: The audit.
        home: Address of the index page, if there is one.
        change: What changed since a baseline, if there is one.
        say: Interface; by default in the language of the text.
    """
    say = say or interface(audit.summary.language)
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
        text = steps_html(subject, marks, say)
    return render(
        "audit.html.j2",
        title=title_of(audit),
        crumb=full_name_of(audit),
        home=home,
        titled=isinstance(subject, Report) and bool(subject.blocks) and subject.blocks[0].kind == "heading",
        keys=AUDIT_KEYS,
        lang=html_language(audit.summary.language),
        query=subject.query.strip() if isinstance(subject, Report) and subject.query else None,
        levels=_levels(audit, say),
        nothing=audit.nothing.message if audit.nothing is not None else None,
        facts=_facts(audit, say),
        unchecked=[{"message": part.message, "lang": say.foreign(part.message)} for part in audit.unchecked],
        cited=_cited(audit, say),
        groups=_groups(audit, say),
        worst=_worst(audit) if audit.review is not None else (),
        read=_read(audit, say),
        cards=_cards(audit, say, set(change.new) if change is not None else set()),
        gone=change.gone if change is not None else (),
        families=_families(audit),
        dimensions=[
            (key, say.dimension_title(key), number)
            for key, number in ((key, len(own)) for key, own in audit.dimensions.items() if own)
        ],
        text=Markup(text),  # noqa: S704 - cleaned and escaped in prose.py and steps.py
        argument=argument_html(audit.logic, say) if audit.logic is not None else None,
        reading=say("Report") if isinstance(subject, Report) else say("Steps"),
        say=say,
    )


def _cited(audit: Audit, say: Interface) -> dict[str, Any] | None:
    """Return what sources say of what they are cited for: the share, and the pairs they do not support."""
    check = audit.citations
    if check is None or not check.citations:
        return None
    rows = [
        {"key": f"c{number}", "line": item.line, "verdict": say(verdict_words(item.verdict)), "source": item.source,
         "claim": item.claim, "quote": item.quote, "reason": item.reason}
        for number, item in enumerate(unsupported(check))
    ]  # fmt: skip
    return {"text": accuracy_text(check, say), "rows": rows}


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
    for number, item in enumerate(unsupported(audit.citations) if audit.citations is not None else ()):
        put(item.start, item.end, role="related", key=f"c{number}")
    for node in audit.logic.nodes if audit.logic is not None else ():
        if node.span is not None:
            put(node.span.start, node.span.end, role="node", key=node.id)
    return out


def _families(audit: Audit) -> list[tuple[str, str, int]]:
    """Return value, words and number of each family of codes, and after that of readers of each of its types."""
    families = Counter(family_of(finding.code) for finding in audit.findings)
    types = Counter((f.code, f.name) for f in audit.findings if f.reading is not None)
    return [(name, name, number) for name, number in sorted(families.items())] + [
        (code, f"{code} {name}", number) for (code, name), number in sorted(types.items())
    ]


def _facts(audit: Audit, say: Interface) -> list[tuple[str, str]]:
    summary = audit.summary
    rows = [say.counted(summary.words, "word")]
    for noun in ("section", "citation", "reference", "step", "tool call"):
        number = getattr(summary, f"{noun.replace(' ', '_')}s", None)
        if number is not None:
            rows.append(say.counted(number, noun))
    names = {"en": say("English"), "zh": say("Chinese")}
    return [*rows, *([("", names[summary.language])] if summary.language in names else [])]


def _levels(audit: Audit, say: Interface) -> list[tuple[str, str, str, str]]:
    """Return for each severity that was found its name, number, words, and rate per 1,000 words."""
    words = audit.summary.words if isinstance(audit.summary, ReportSummary) else 0
    return [
        (
            level,
            *say.counted(number, level),
            f"{1000 * number / words:.1f}" if words >= WORDS_FOR_A_RATE else "",
        )
        for level, number in audit.counts.items()
        if number
    ]


def _groups(audit: Audit, say: Interface) -> list[dict[str, Any]]:
    """Return the findings by dimension, layer by layer, and the four numbers about the argument's structure."""

    def row(key: str) -> dict[str, Any]:
        own = audit.dimensions[key]
        counts = [(level, sum(audit.findings[i].severity == level for i in own)) for level in SEVERITIES]
        return {
            "key": key if own else None,
            "name": say.dimension_title(key),
            "asks": say.dimension_asks(key),
            "counts": [(level, number) for level, number in counts if number],
            "shown": None,
        }

    groups = [
        {
            "title": say(title),
            "rows": [row(d.key) for d in DIMENSIONS if d.layer == layer and d.key in audit.dimensions],
        }
        for layer, title in _LAYERS
    ]
    known = {d.key for d in DIMENSIONS}
    groups.append(
        {"title": say("The process"), "rows": [row(key) for key in audit.dimensions if key not in known]}
    )
    if audit.structure is not None:
        values = {key: getattr(audit.structure, key) for key, _, _ in _TREE}
        groups.append(
            {
                "title": say("Structure, not quality (of 100)"),
                "rows": [
                    {"key": None, "name": say(name), "asks": say(asks), "shown": f"{values[key]:.0f}"}
                    for key, name, asks in _TREE
                ],
            }
        )
    return [group for group in groups if group["rows"]]


def _cards(audit: Audit, say: Interface, new: set[int]) -> list[dict[str, Any]]:
    lines = audit.subject.lines
    cards: list[dict[str, Any]] = []
    # A trajectory's findings have no dimension of their own; the audit sorts them into reasoning and tool use.
    dimensions = {number: key for key, own in audit.dimensions.items() for number in own}
    for number, finding in enumerate(audit.findings):
        cards.append(
            {
                "key": str(number),
                "number": number + 1,
                "code": finding.code,
                "name": finding.name,
                "family": family_of(finding.code),
                "severity": finding.severity,
                "dimension": dimensions.get(number, ""),
                "dimension_title": say.dimension_title(dimensions[number]) if number in dimensions else None,
                "message": finding.message,
                "lang": say.foreign(finding.message),
                "line": finding.span.line,
                "new": say("new") if number in new else None,
                # How often a reader is right depends on the model; what is known is that a second reader agrees.
                "sure": say("{share} sure", share=f"{finding.confidence:.0%}")
                if finding.reading is None
                else say("confirmed by a second reading"),
                "note": _note(audit, finding, say),
                "related": [
                    {"key": f"{number}-{index}", "line": lines.place(place.start)[0]}
                    for index, place in enumerate(finding.related)
                ],
            }
        )
    return cards


def _note(audit: Audit, finding: Finding, say: Interface) -> dict[str, Any] | None:
    """Return the missing link and the repair of a finding that a model made."""
    note = finding.reading
    if note is None:
        return None
    repair: dict[str, Any] | None = None
    if note.repair is not None:
        old = audit.subject.source[finding.span.start : finding.span.end]
        new = note.repair.text
        shown = {
            "replace": changed_html(old, new),
            "insert": Markup("<ins>{}</ins>").format(new),
            "delete": Markup("<del>{}</del>").format(old),
            "source": escape(new),
        }[note.repair.kind]
        repair = {
            "label": say(REPAIR_NAMES[note.repair.kind]),
            "shown": shown,
            "copied": new if note.repair.kind in ("replace", "insert") else "",
            "lang": say.foreign(new),
        }
    return {
        "missing": note.missing,
        "lang": say.foreign(note.missing),
        "repair": repair,
        "confirmed": note.confirmed,
    }


def _worst(audit: Audit) -> list[tuple[int, Finding]]:
    """Return the three worst faults that a reader found."""
    read = [(number, item) for number, item in enumerate(audit.findings) if item.reading is not None]
    return sorted(read, key=lambda item: SEVERITIES.index(item[1].severity))[:_WORST]


def _read(audit: Audit, say: Interface) -> dict[str, Any] | None:
    if audit.review is None:
        return None
    source = audit.subject.source
    arguable = [
        {
            "line": audit.subject.lines.place(fault.span.start)[0],
            "quote": " ".join(source[fault.span.start : fault.span.end].split()),
            "problem": fault.problem,
            "reason": fault.reason,
        }
        for fault in audit.review.withheld
        if fault.verdict == "arguable" and source
    ]
    return {
        "by": say("Read by {model}", model=audit.review.model),
        "lines": review_lines(audit.review, say),
        "arguable": arguable,
    }
