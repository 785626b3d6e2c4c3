"""Judgments grouped by judge, single repetitions apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.judges.judgment import Judgment


def singles(judgments: Iterable[Judgment]) -> Iterator[Judgment]:
    """Yield single judgments: its repetitions in place of a judgment that combines them."""
    for item in judgments:
        yield from item.repetitions or (item,)


def by_judge(judgments: Iterable[Judgment]) -> dict[str, list[Judgment]]:
    """Group single judgments by judge, in order of first appearance.

    If a judge judged one subject by several rubrics, or in several versions, these become part of its name. Rubrics
    written for each task give one judge a version for each task; such names stay as they are.
    """
    all_ = list(singles(judgments))
    by_rubric = _ambiguous(((item.judge, item.subject), item.rubric) for item in all_)
    by_version = _ambiguous(((item.judge, item.subject, item.rubric), item.version) for item in all_)
    groups: dict[str, list[Judgment]] = {}
    for item in all_:
        name = item.judge
        if name in by_rubric:
            name += f" · {item.rubric or 'no rubric'}"
        if item.judge in by_version:
            name += f" · {(item.version or 'no version')[:8]}"
        groups.setdefault(name, []).append(item)
    return groups


def _ambiguous(rows: Iterable[tuple[tuple[str | None, ...], str | None]]) -> set[str | None]:
    """Return the judges, first in each key, of which one key has several values."""
    first: dict[tuple[str | None, ...], str | None] = {}
    return {key[0] for key, value in rows if first.setdefault(key, value) != value}
