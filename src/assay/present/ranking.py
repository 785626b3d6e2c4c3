"""Many audits side by side: one row each, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.present.display import Painter, Style, fit, fit_end, pad, visible, width
from assay.present.numbers import plural
from assay.present.words import SEVERITIES, dimension_short, dimension_title, label_of, severities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.audits.result import Audit

_SHOWN: Final = 60


class Row(msgspec.Struct, frozen=True):
    """What a summary keeps of an audit; small, so that ten thousand of them do not weigh."""

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


def row_of(audit: Audit, *, page: str | None = None, title: str | None = None) -> Row:
    """The row of one audit."""
    numbers = severities(audit.findings)
    codes: dict[str, int] = {}
    for finding in audit.findings:
        codes[finding.code] = codes.get(finding.code, 0) + 1
    tree = audit.scores
    return Row(
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


def ranking_text(rows: Sequence[Row], *, painter: Painter, columns: int = 100) -> str:
    """Tables of reports and of trajectories, ranked by mean score, and what was found most often."""
    parts = [
        _table([row for row in rows if row.kind == kind], kind, painter=painter, columns=columns)
        for kind in ("report", "trajectory")
    ]
    parts.append(_totals(rows, painter=painter))
    return "\n".join(part for part in parts if part)


def _table(rows: Sequence[Row], kind: str, *, painter: Painter, columns: int) -> str:
    if not rows:
        return ""
    ranked = sorted(rows, key=lambda row: (-row.overall, row.label))
    keys = list(ranked[0].dimensions)
    tail_width = 7 + 7 + 6 + 8 + 5 * len(keys)
    names = shortened([visible(row.label) for row in ranked[:_SHOWN]])
    name_width = max(len(kind), 18, min(max(map(width, names)), columns - 5 - tail_width))
    head = (
        f"{'#':>4} {pad(kind.capitalize(), name_width)}{'words':>7}{'errors':>7}{'warn':>6}{'overall':>8}"
        + "".join(f"{dimension_short(key):>5}" for key in keys)
    )
    lines = [painter(head, "bold")]
    for place, row in enumerate(ranked[:_SHOWN]):
        name = pad(fit_end(names[place], name_width), name_width)
        errors, warnings = (
            _number(row.errors, 7, "error", painter),
            _number(row.warnings, 6, "warning", painter),
        )
        scores = "".join(f"{round(row.dimensions.get(key, 0) * 100):>5}" for key in keys)
        lines.append(
            f"{place + 1:>4} {name}{row.words:>7}{errors}{warnings}{row.overall:>8.2f}{painter(scores, 'dim')}"
        )
    if len(ranked) > _SHOWN:
        lines.append(
            painter(f"     … and {len(ranked) - _SHOWN:,} more (--format json or html shows all)", "dim")
        )
    legend = ", ".join(f"{dimension_short(key)} {dimension_title(key).lower()}" for key in keys)
    lines.append(painter(_wrap(f"scores are of 100: {legend}", columns), "dim"))
    return "\n".join(lines) + "\n"


def shortened(labels: list[str]) -> list[str]:
    """Labels without the folders that all of them share."""
    low, high = min(labels), max(labels)
    same = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), 0)
    shared = low.rfind("/", 0, same) + 1
    return [label[shared:] for label in labels]


def _wrap(text: str, columns: int) -> str:
    lines, line = [], ""
    for word in text.split():
        if line and width(line) + 1 + width(word) > columns - 5:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join(f"     {part}" for part in [*lines, line])


def _number(value: int, columns: int, style: Style, painter: Painter) -> str:
    text = f"{value:>{columns}}"
    return painter(text, style) if value else painter(text, "dim")


def _totals(rows: Iterable[Row], *, painter: Painter) -> str:
    rows = list(rows)
    codes: dict[str, int] = {}
    for row in rows:
        for code, number in row.codes.items():
            codes[code] = codes.get(code, 0) + number
    numbers = {
        "error": sum(r.errors for r in rows),
        "warning": sum(r.warnings for r in rows),
        "info": sum(r.infos for r in rows),
    }
    found = ", ".join(painter(plural(numbers[name], name), name) for name in SEVERITIES if numbers[name])
    most = sorted(codes.items(), key=lambda item: (-item[1], item[0]))[:5]
    often = " · most often " + ", ".join(f"{code} ({number})" for code, number in most) if most else ""
    kinds = [
        plural(number, kind)
        for kind, number in (
            ("report", sum(row.kind == "report" for row in rows)),
            ("trajectory", sum(row.kind == "trajectory" for row in rows)),
        )
        if number
    ]
    names = ", ".join(kinds).replace("trajectorys", "trajectories")
    return fit(f"{names}: {found or painter('no findings', 'good')}{often}", 400) + "\n"
