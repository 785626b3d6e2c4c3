"""Many audits side by side: one row each, best first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec

from assay.present.display import Painter, Style, fit
from assay.present.interface import ENGLISH, Interface
from assay.present.table import StyledText, table_of
from assay.present.terminal import table_lines
from assay.present.words import SEVERITIES, label_of, severities
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.audits.result import Audit
    from assay.checks.base import Severity

_SHOWN: Final = 60


class AuditRow(msgspec.Struct, frozen=True):
    """What a summary keeps of an audit; small, so that ten thousand of them need little memory."""

    label: str
    kind: str
    language: str
    words: int
    errors: int
    warnings: int
    infos: int
    overall: float
    dimensions: dict[str, float]
    scores: tuple[float, float, float, float] | None
    codes: dict[str, int]
    page: str | None = None
    title: str | None = None


def row_of(audit: Audit, *, page: str | None = None, title: str | None = None) -> AuditRow:
    """Return the row of one audit."""
    numbers = severities(audit.findings)
    codes: dict[str, int] = {}
    for finding in audit.findings:
        codes[finding.code] = codes.get(finding.code, 0) + 1
    tree = audit.scores
    return AuditRow(
        label=label_of(audit),
        kind="report" if audit.logic is not None or "task_alignment" in audit.dimensions else "trajectory",
        language=audit.summary.language,
        words=audit.summary.words,
        errors=numbers["error"],
        warnings=numbers["warning"],
        infos=numbers["info"],
        overall=audit.overall,
        dimensions={key: value.score for key, value in audit.dimensions.items()},
        scores=(tree.analysis_width, tree.analysis_depth, tree.information_density, tree.paragraph_richness)
        if tree
        else None,
        codes=codes,
        page=page,
        title=title,
    )


def ranking_text(
    rows: Sequence[AuditRow], *, painter: Painter, columns: int = 100, say: Interface = ENGLISH
) -> str:
    """Return tables of reports and of trajectories, ranked by mean score, and the most frequent findings."""
    parts = [
        _table([row for row in rows if row.kind == kind], kind, painter=painter, columns=columns, say=say)
        for kind in ("report", "trajectory")
    ]
    parts.append(_totals(rows, painter=painter, say=say))
    return "\n".join(part for part in parts if part)


def _table(rows: Sequence[AuditRow], kind: str, *, painter: Painter, columns: int, say: Interface) -> str:
    if not rows:
        return ""
    ranked = sorted(rows, key=lambda row: (-row.overall, row.label))
    keys = list(ranked[0].dimensions)
    names = shortened([row.label for row in ranked[:_SHOWN]])

    def scores(row: AuditRow) -> list[str]:
        return [StyledText(f"{round(row.dimensions.get(key, 0) * 100)}", "dim") for key in keys]

    table = table_of(
        enumerate(ranked[:_SHOWN]),
        [
            ("   #", lambda item: f"{item[0] + 1}"),
            (say(kind.capitalize()), lambda item: names[item[0]]),
            (say("words"), lambda item: f"{item[1].words}"),
            (say("errors"), lambda item: _number(item[1].errors, "error")),
            (say("warn"), lambda item: _number(item[1].warnings, "warning")),
            (say("overall"), lambda item: f"{item[1].overall:.2f}"),
            ([say.dimension_short(key) for key in keys], lambda item: scores(item[1])),
        ],
        align="rp",
    )
    lines = table_lines(table, painter, columns, gap=1)
    if len(ranked) > _SHOWN:
        more = say(
            "… and {number} more (--format json or html shows all)", number=f"{len(ranked) - _SHOWN:,}"
        )
        lines.append(painter(f"     {more}", "dim"))
    names_ = [f"{say.dimension_short(key)} {say.dimension_title(key).lower()}" for key in keys]
    legend = say("scores are of 100: {legend}", legend=say.join(names_))
    lines += [painter(line, "dim") for line in wrapped(legend, columns, "     ")]
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
    codes: Counter[str] = Counter()
    for row in rows:
        codes.update(row.codes)
    numbers: dict[Severity, int] = {
        "error": sum(row.errors for row in rows),
        "warning": sum(row.warnings for row in rows),
        "info": sum(row.infos for row in rows),
    }
    counts = say.join([painter(say.count(numbers[name], name), name) for name in SEVERITIES if numbers[name]])
    most = sorted(codes.items(), key=lambda item: (-item[1], item[0]))[:5]
    often = say("most often {codes}", codes=say.join([f"{code} ({number})" for code, number in most]))
    kinds = Counter(row.kind for row in rows)
    names = say.join([say.count(kinds[kind], kind) for kind in ("report", "trajectory") if kinds[kind]])
    ending = f" · {often}" if most else ""
    return fit(f"{say.label(names, counts or painter(say('no findings'), 'good'))}{ending}", 400) + "\n"
