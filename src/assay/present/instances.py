"""Instances of a benchmark of judges for a terminal: their types, what was changed, and how people label them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.present.changes import changes, near
from assay.present.display import Painter, visible
from assay.present.numbers import titled
from assay.present.table import NOTHING, Table
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.text.amounts import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.interventions.base import Operator
    from assay.interventions.settlement import Settlement
    from assay.interventions.validation import QueueItem, Validation

# How many unchanged characters are shown beside a change, and how many changed ones.
_BESIDE: Final = 160
_CHANGED: Final = 1200
_KINDS: Final = {
    "failure": "Failures: the reference must win",
    "targeted": "Targeted attacks: the reference must win, on one dimension",
    "bias": "Surface attacks: nothing of substance differs, and the attacked text must not win",
    "manipulation": "Manipulations, beyond the paper: the attacked text must not win",
}


def types_text(operators: Sequence[Operator], *, painter: Painter, columns: int) -> str:
    """Return operators with their definitions, by kind."""
    lines: list[str] = []
    for kind, title in _KINDS.items():
        own = [item for item in operators if item.kind == kind]
        if not own:
            continue
        lines += ["", painter(title, "bold")] if lines else [painter(title, "bold")]
        level = ""
        for item in own:
            place = f"{item.level}, {item.module}" if kind == "failure" else ""
            if place != level:
                level = place
                lines.append(painter(f"  {place}", "dim"))
            tail = f" · {item.category}" if kind == "failure" else ""
            lines.append(f"  {painter(item.name, 'accent')}{painter(tail, 'dim')}")
            lines += [f"      {line}" for line in wrapped(item.definition, columns - 6)]
    return "\n".join(lines) + "\n"


def queued_text(item: QueueItem, *, painter: Painter, columns: int) -> str:
    """Return one instance: its name, its query, and the passage with what was taken out and put in."""
    lines = [painter(item.id, "bold")]
    if item.query:
        lines += [
            painter(line, "dim")
            for line in wrapped(visible(_cut(" ".join(item.query.split()), 300)), columns)
        ]
    if item.note:
        lines += [painter(line, "accent") for line in wrapped(visible(item.note), columns)]
    text = []
    parts = changes(item.before, item.after)
    for at, (kind, words) in enumerate(parts):
        if kind == "same":
            text.append(_line(near(words, _BESIDE, first=at == 0, last=at == len(parts) - 1)))
        elif kind == "out":
            text.append(painter(f"[-{_line(_cut(words, _CHANGED))}-]", "error"))
        else:
            text.append(painter(f"{{+{_line(_cut(words, _CHANGED))}+}}", "good"))
    return "\n".join([*lines, "".join(text)]) + "\n"


def validation_text(validation: Validation, *, painter: Painter, columns: int) -> str:
    """Return how far annotators agree, and their labels for each type."""
    lines = []
    for pair in validation.agreement:
        kappa = "not defined" if pair.kappa is None else f"{pair.kappa:.2f}"
        share = "–" if pair.share is None else f"{100 * pair.share:.0f} %"
        first, second = map(visible, pair.annotators)
        lines.append(
            painter(f"{first} and {second}: κ {kappa}", "bold")
            + f", {share} alike of {plural(pair.n, 'instance')} both saw"
        )
    if lines:
        lines.append("")
    labels = ("valid", "invalid", "ambiguous", "disputed")
    rows = [
        (titled(name), *(str(counts.get(label, "")) for label in labels))
        for name, counts in validation.by_type.items()
    ]
    table = Table(heads=("TYPE", *(label.upper() for label in labels)), rows=rows, omit=NOTHING)
    lines += table_lines(table, painter)
    settlement = validation.settlement
    labelled = {name for given in validation.labels.values() for name in given}
    asked_of_disputed = settlement is not None and labelled <= _settled(settlement)
    if validation.unseen and not asked_of_disputed:
        lines += [
            painter(line, "dim") for line in wrapped(f"nobody labelled {len(validation.unseen):,}", columns)
        ]
    undecided = {} if settlement is None else settlement.undecided
    if settlement is not None and labelled & _settled(settlement):
        lines += wrapped(
            f"disputed by the second reader: {len(settlement.accepted):,} valid, {len(settlement.dropped):,} invalid, "
            f"{len(undecided):,} undecided, {len(settlement.unseen):,} without a label",
            columns,
        )
    disputed = dict.fromkeys(item for pair in validation.agreement for item in pair.disputed)
    open_ = [
        f"{name} ({', '.join(f'{count} {label}' for label, count in counts.items())})"
        for name, counts in undecided.items()
    ] + [name for name in disputed if name not in undecided]
    if open_:
        shown = ", ".join(open_[:5]) + (f" and {len(open_) - 5} more" if len(open_) > 5 else "")
        lines += [painter(line, "warning") for line in wrapped(f"to be settled: {shown}", columns)]
    return "\n".join(lines) + "\n"


def _settled(settlement: Settlement) -> set[str]:
    """Return the disputed instances that somebody has labelled."""
    return {*settlement.accepted, *settlement.dropped, *settlement.undecided}


def _line(text: str) -> str:
    """Return a text on one line, harmless, with a mark where a line ended."""
    return visible(re.sub(r"\s*\n\s*", " ¶ ", text))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"
