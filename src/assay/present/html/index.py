"""Many audits: one table that leads to a page for each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from assay.checks.registry import all_checks
from assay.present.html.frame import INDEX_KEYS, render
from assay.present.interface import ENGLISH, Interface, html_language
from assay.present.ranking import in_order, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.present.ranking import AuditRow
    from assay.present.table import Table


def page_name(label: str, taken: set[str]) -> str:
    """Return a file name for a page: the label without characters that trouble file systems or URLs.

    ``taken`` is updated, so that no two pages share a name.
    """
    # The file and its folder are enough to tell pages apart and do not reveal where somebody keeps them.
    words = re.sub(r"[^\w.-]+", "-", "-".join(label.replace("\\", "/").split("/")[-2:]))
    base = words.strip("-._")[-80:].strip("-._") or "report"
    name, number = f"{base}.html", 2
    while name.lower() in taken or name.lower() == "index.html":
        name, number = f"{base}-{number}.html", number + 1
    taken.add(name.lower())
    return name


def index_page(
    rows: Sequence[AuditRow],
    *,
    title: str = "Audits",
    problems: Sequence[str] = (),
    compared: tuple[str, Sequence[Table]] | None = None,
    home: str | None = None,
    say: Interface = ENGLISH,
) -> str:
    """Return the index of many audits, those with most errors first and those with nothing to judge last.

    ``compared`` is what changed since a baseline: a line, and tables. ``home`` is the address of what is above.
    """
    tables = [table for kind in ("report", "trajectory") if (table := _table(rows, kind, say))]
    words = sum(row.words for row in rows)
    facts = [(f"{len(rows):,}", say("audited" if len(rows) != 1 else "audit"))]
    for noun in ("error", "warning", "info"):
        number = sum(getattr(row, f"{noun}s") for row in rows)
        facts.append(say.counted(number, noun))
    facts.append(say.counted(words, "word"))
    return render(
        "index.html.j2",
        title=say(title),
        crumb="",
        home=home,
        keys=INDEX_KEYS,
        facts=facts,
        tables=tables,
        often=_often(rows, say),
        problems=list(problems),
        compared=compared,
        say=say,
    )


def _table(rows: Sequence[AuditRow], kind: str, say: Interface) -> dict[str, Any] | None:
    ordered = in_order(row for row in rows if row.kind == kind)
    if not ordered:
        return None
    # A dimension that no finding concerns would be a column of zeros.
    keys = [key for key in ordered[0].dimensions if any(row.dimensions.get(key) for row in ordered)]
    places = shortened([row.place for row in ordered])
    return {
        "title": say("Reports, most errors first")
        if kind == "report"
        else say("Trajectories, most errors first"),
        "noun": say(kind.capitalize()),
        "rated": kind == "report",
        "columns": [say.dimension_title(key) for key in keys],
        "rows": [
            {
                "name": row.name if row.name != row.place else row.title or place,
                "about": [part for part in _about(row, place) if part],
                "lang": html_language(row.language) if row.language != say.language else None,
                "page": row.page,
                "nothing": row.nothing,
                "counts": (("error", row.errors), ("warning", row.warnings), ("info", row.infos)),
                "rate": row.rate,
                "words": row.words,
                "cells": [row.dimensions.get(key, 0) for key in keys],
            }
            for row, place in zip(ordered, places, strict=True)
        ],
    }


def _about(row: AuditRow, place: str) -> tuple[str | None, ...]:
    """Return what stands below the name: the title of a text that is named by its id, and its place."""
    return (row.title if row.name != row.place else None, place if place != row.title else None)


def _often(rows: Sequence[AuditRow], say: Interface) -> list[dict[str, Any]]:
    totals: dict[str, list[int]] = {}
    for row in rows:
        for code, number in row.codes.items():
            total = totals.setdefault(code, [0, 0])
            total[0] += number
            total[1] += 1
    checks = all_checks()
    out: list[dict[str, Any]] = []
    for code, (number, reports) in sorted(totals.items(), key=lambda item: (-item[1][0], item[0]))[:20]:
        check = checks.get(code)
        summary = say.summary(check) if check else code
        out.append(
            {
                "code": code,
                "severity": check.severity if check else "info",
                "summary": summary,
                "lang": say.foreign(summary),
                "shown": say("{number} in {reports}", number=number, reports=reports),
            }
        )
    return out
