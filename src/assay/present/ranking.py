"""Many audits side by side: one row each, those with most errors first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec

from assay.audits.result import SEVERITIES, ReportSummary
from assay.checks.base import Severity
from assay.present.display import Painter, Style, visible
from assay.present.interface import ENGLISH, Interface
from assay.present.table import StyledText, table_of
from assay.present.terminal import table_lines
from assay.present.words import name_of, place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.audits.result import Audit

_SHOWN: Final = 60
_CHECKS: Final = 20


class AuditRow(msgspec.Struct, frozen=True):
    """What a summary keeps of an audit; small, so that ten thousand of them need little memory.

    ``name`` is ``id · system`` if it has them, ``place`` the path with the row; ``nothing`` says why there is nothing
    to judge. ``dimensions`` and ``codes`` count findings; ``firsts`` has name, severity and place of the first of a code.
    """

    name: str
    place: str
    kind: str
    language: str
    words: int
    errors: int
    warnings: int
    infos: int
    dimensions: dict[str, int]
    codes: dict[str, int]
    nothing: str | None = None
    page: str | None = None
    title: str | None = None
    firsts: dict[str, tuple[str, Severity, str]] = {}

    @property
    def findings(self) -> int:
        """Number of findings."""
        return self.errors + self.warnings + self.infos

    @property
    def rate(self) -> float | None:
        """Findings per 1,000 words; None for a trajectory, and if there is nothing to judge."""
        known = self.kind == "report" and self.words and self.nothing is None
        return 1000 * self.findings / self.words if known else None


def row_of(audit: Audit, *, page: str | None = None, title: str | None = None) -> AuditRow:
    """Return the row of one audit."""
    counts = audit.counts
    return AuditRow(
        name=name_of(audit),
        place=place_of(audit),
        kind="report" if isinstance(audit.summary, ReportSummary) else "trajectory",
        language=audit.summary.language,
        words=audit.summary.words,
        errors=counts["error"],
        warnings=counts["warning"],
        infos=counts["info"],
        dimensions={key: len(own) for key, own in audit.dimensions.items()},
        codes=dict(Counter(finding.code for finding in audit.findings)),
        nothing=audit.nothing.message if audit.nothing is not None else None,
        page=page,
        title=title,
        firsts=_firsts(audit),
    )


def _firsts(audit: Audit) -> dict[str, tuple[str, Severity, str]]:
    place = place_of(audit)
    return {
        item.code: (item.name, item.severity, f"{place}:{item.span.line}")
        for item in reversed(audit.findings)
    }


def in_order(rows: Iterable[AuditRow]) -> list[AuditRow]:
    """Return rows in the order of reading: most errors first, then most warnings; those with nothing to judge last."""
    return sorted(
        rows,
        key=lambda row: (
            row.nothing is not None,
            -row.errors,
            -row.warnings,
            -row.infos,
            row.place,
            row.name,
        ),
    )


def ranking_text(
    rows: Sequence[AuditRow], *, painter: Painter, columns: int = 100, say: Interface = ENGLISH
) -> str:
    """Return tables of reports and of trajectories, those with most errors first, and of checks."""
    parts = [
        _table([row for row in rows if row.kind == kind], kind, painter=painter, columns=columns, say=say)
        for kind in ("report", "trajectory")
    ]
    parts.append(_checks(rows, painter=painter, columns=columns, say=say))
    parts.append(_totals(rows, painter=painter, say=say))
    return "\n".join(part for part in parts if part)


def _table(rows: Sequence[AuditRow], kind: str, *, painter: Painter, columns: int, say: Interface) -> str:
    if not rows:
        return ""
    ordered = in_order(rows)
    nothing = [row for row in ordered if row.nothing is not None]
    shown = ordered[: len(ordered) - len(nothing)][:_SHOWN]
    lines: list[str] = []
    if shown:
        places = shortened([row.place for row in shown])
        named = any(row.name != row.place for row in shown)
        names = [
            row.name if row.name != row.place else place for row, place in zip(shown, places, strict=True)
        ]
        rated = kind == "report"
        table = table_of(
            enumerate(shown),
            [
                (say(kind.capitalize()), lambda item: names[item[0]]),
                ([say("place")] if named else [], lambda item: [places[item[0]]] if named else []),
                (say("words"), lambda item: f"{item[1].words}"),
                (say("errors"), lambda item: _number(item[1].errors, "error")),
                (say("warn"), lambda item: _number(item[1].warnings, "warning")),
                (say("info"), lambda item: f"{item[1].infos}"),
                (
                    [say("findings per 1,000 words")] if rated else [],
                    lambda item: [f"{item[1].rate or 0:.1f}"] if rated else [],
                ),
            ],
            align="pp" if named else "p",
        )
        lines = table_lines(table, painter, columns)
    hidden = len(ordered) - len(nothing) - len(shown)
    if hidden:
        more = say("… and {number} more (--format json or html shows all)", number=f"{hidden:,}")
        lines.append(painter(more, "dim"))
    for row in nothing:
        name = row.name if row.name == row.place else f"{row.name} ({row.place})"
        lines.append(
            f"{visible(name)}: {painter(say.label(say('nothing to judge'), row.nothing or ''), 'error')}"
        )
    return "\n".join(lines) + "\n"


def _checks(rows: Sequence[AuditRow], *, painter: Painter, columns: int, say: Interface) -> str:
    """Return a table of the checks that found something, those with most findings first."""
    found, reports = Counter[str](), Counter[str]()
    firsts: dict[str, tuple[str, Severity, str]] = {}
    for row in in_order(rows):
        found.update(row.codes)
        reports.update(row.codes.keys())
        firsts = {**row.firsts, **firsts}
    if not found:
        return ""
    codes = sorted(found, key=lambda code: (-found[code], code))
    places = dict(zip(firsts, shortened([place for _, _, place in firsts.values()]), strict=True))
    table = table_of(
        codes[:_CHECKS],
        [
            (say("Check"), lambda code: code),
            (say("name"), lambda code: firsts[code][0]),
            (say("severity"), lambda code: StyledText(say(firsts[code][1]), firsts[code][1])),
            (say("findings"), lambda code: f"{found[code]}"),
            (say("reports"), lambda code: f"{reports[code]}"),
            (say("for example"), lambda code: places[code]),
        ],
        align="lllrrp",
    )
    lines = table_lines(table, painter, columns)
    if len(codes) > _CHECKS:
        lines.append(painter(say("… and {number} more checks", number=f"{len(codes) - _CHECKS:,}"), "dim"))
    return "\n".join(lines) + "\n"


def _number(value: int, style: Style) -> str:
    return StyledText(f"{value}", style if value else "dim")


def shortened(labels: list[str]) -> list[str]:
    """Return labels without the folders that all of them share."""
    low, high = min(labels), max(labels)
    same = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), 0)
    shared = low.rfind("/", 0, same) + 1
    return [label[shared:] for label in labels]


def _totals(rows: Iterable[AuditRow], *, painter: Painter, say: Interface) -> str:
    rows = list(rows)
    numbers: dict[Severity, int] = {
        "error": sum(row.errors for row in rows),
        "warning": sum(row.warnings for row in rows),
        "info": sum(row.infos for row in rows),
    }
    counts = say.join([painter(say.count(numbers[name], name), name) for name in SEVERITIES if numbers[name]])
    kinds = Counter(row.kind for row in rows)
    names = say.join([say.count(kinds[kind], kind) for kind in ("report", "trajectory") if kinds[kind]])
    return say.label(names, counts or painter(say("no findings"), "good")) + "\n"
