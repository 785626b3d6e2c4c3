"""Two runs side by side: the same cases joined, what changed, regressions first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from markupsafe import Markup  # noqa: TC002 - a field of a struct

from assay.measures.intervals import Estimate, mean_interval, wilson_interval
from assay.models.base import Request
from assay.present.html.changed import changed_html
from assay.web.judgment_heads import JudgmentHead
from assay.web.judgment_index import HeadFilter, JudgmentIndex
from assay.web.opened import OpenedLedger
from assay.web.prompt_parts import prompt_parts

ChangeKind = Literal["lost", "worse", "flipped", "better", "gained", "same"]
# What asks for attention comes first.
KINDS: Final[tuple[ChangeKind, ...]] = ("lost", "worse", "flipped", "better", "gained", "same")
_MOVED: Final = 1e-9
_MOST_CRITERIA: Final = 40


class CaseChange(msgspec.Struct, frozen=True):
    """One case in both runs.

    Attributes:
        kind: A verdict was lost or gained, a score fell or rose, a preference changed, or nothing of these.
        before: Its judgment in the first run.
        after: Its judgment in the second run.
        moved: Change of the score; None without two scores.
    """

    kind: ChangeKind
    before: JudgmentHead
    after: JudgmentHead
    moved: float | None


class CriterionChange(msgspec.Struct, frozen=True):
    """The mean change of one score over the cases of both runs."""

    name: str
    before: float
    after: float
    moved: Estimate


class RunComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs compared.

    Attributes:
        changes: The cases of both, those that are worse first.
        counts: Cases by kind of change.
        joined_by: What makes two cases the same.
        same_judges: Whether only judges of the same name were joined.
        cases: Number of cases in both; a case that several judges judged is one.
        judges: Names of the judges of the first and of the second run.
        chosen: The judge of each side that was chosen; empty if none was.
        unpaired: Judges of the first and of the second run whose judgments have no partner.
        alone: Judgments of the first and of the second run without a partner.
        criteria: Mean change of the overall score, and of each criterion with numbers.
        flips: Share of joined pairs whose preference changed.
    """

    changes: Sequence[CaseChange]
    counts: dict[ChangeKind, int]
    joined_by: Literal["subject", "ident"]
    same_judges: bool
    cases: int
    judges: tuple[Sequence[str], Sequence[str]]
    chosen: tuple[str, str]
    unpaired: tuple[Sequence[str], Sequence[str]]
    alone: tuple[int, int]
    criteria: Sequence[CriterionChange]
    flips: Estimate


def compare_runs(
    index: JudgmentIndex, first: str, second: str, *, chosen: tuple[str, str] = ("", "")
) -> RunComparison:
    """Compare two indexed runs.

    Judges of the same name are joined if the runs share one; otherwise, each judge with each other (two prompts, say). Cases are
    the same by the names of their subjects, or by ids if the runs share no name.

    Args:
        index: The index.
        first: The earlier run.
        second: The later run.
        chosen: Name of the judge of each run that is compared with the other's, whatever their names; empty for no choice.
    """
    names = tuple([name for name, _ in index.facets(run, "judge")] for run in (first, second))
    same = not any(chosen) and bool(set(names[0]) & set(names[1]))
    by: Literal["subject", "ident"] = "subject"
    pairs = _chosen(index.pairs(first, second, by=by, judges=same), chosen)
    if not pairs:
        by = "ident"
        pairs = _chosen(index.pairs(first, second, by=by, judges=same), chosen)
    changes = sorted((_change(*pair) for pair in pairs), key=_rank)
    compared = [item for item in changes if item.before.verdict and item.after.verdict]
    flipped = sum(item.kind == "flipped" for item in compared)
    counts = Counter(item.kind for item in changes)
    return RunComparison(
        changes=changes,
        counts={kind: counts[kind] for kind in KINDS if counts[kind]},
        joined_by=by,
        same_judges=same,
        cases=len({item.after.subject for item in changes}),
        judges=(names[0], names[1]),
        chosen=chosen,
        unpaired=_unpaired((names[0], names[1]), changes),
        alone=_alone(index, (first, second), changes),
        criteria=_criteria(changes),
        flips=wilson_interval(flipped, len(compared)),
    )


def _chosen(
    pairs: Sequence[tuple[JudgmentHead, JudgmentHead]], chosen: tuple[str, str]
) -> Sequence[tuple[JudgmentHead, JudgmentHead]]:
    if not any(chosen):
        return pairs
    return [
        pair
        for pair in pairs
        if all(name in ("", head.judge) for name, head in zip(chosen, pair, strict=True))
    ]


def _unpaired(
    names: tuple[Sequence[str], Sequence[str]], changes: Sequence[CaseChange]
) -> tuple[Sequence[str], Sequence[str]]:
    met = {item.before.judge for item in changes}, {item.after.judge for item in changes}
    left, right = ([name for name in own if name not in seen] for own, seen in zip(names, met, strict=True))
    return left, right


def _change(before: JudgmentHead, after: JudgmentHead) -> CaseChange:
    moved = None if before.score is None or after.score is None else after.score - before.score
    kind: ChangeKind = "same"
    if before.status != after.status and "ok" in (before.status, after.status):
        kind = "lost" if before.status == "ok" else "gained"
    elif before.verdict != after.verdict:
        kind = "flipped"
    elif before.mode == "score" and moved is not None and abs(moved) > _MOVED:
        kind = "worse" if moved < 0 else "better"
    return CaseChange(kind, before, after, moved)


def _rank(change: CaseChange) -> tuple[int, float, str]:
    size = abs(change.moved or 0.0)
    return KINDS.index(change.kind), -size, change.before.key


def _alone(index: JudgmentIndex, runs: tuple[str, str], changes: Sequence[CaseChange]) -> tuple[int, int]:
    paired = {item.before.key for item in changes}, {item.after.key for item in changes}
    left, right = (index.count(run, HeadFilter()) - len(own) for run, own in zip(runs, paired, strict=True))
    return left, right


def _criteria(changes: Sequence[CaseChange]) -> list[CriterionChange]:
    """Return the mean change of each score, with an interval over subjects."""
    scored = [item for item in changes if item.before.mode == "score"]
    found = []
    whole = [(item.before.score, item.after.score, item.before.subject) for item in scored]
    names = dict.fromkeys(name for item in scored for name in item.before.values)
    rows = {"": whole} | {
        name: [
            (item.before.values.get(name), item.after.values.get(name), item.before.subject)
            for item in scored
        ]
        for name in list(names)[:_MOST_CRITERIA]
    }
    for name, values in rows.items():
        both = [
            (float(a), float(b), subject)
            for a, b, subject in values
            if isinstance(a, int | float) and isinstance(b, int | float)
        ]
        if both:
            moved = mean_interval([b - a for a, b, _ in both], [subject for *_, subject in both])
            n = len(both)
            found.append(
                CriterionChange(name, sum(a for a, _, _ in both) / n, sum(b for _, b, _ in both) / n, moved)
            )
    return found


def prompt_difference(
    sides: Sequence[tuple[OpenedLedger, str]], changes: Sequence[CaseChange]
) -> Markup | None:
    """Return how the instructions of two runs differ, from the first case with a call in both; None if they do not."""
    for change in changes[:50]:
        texts = []
        for (ledger, run), head in zip(sides, (change.before, change.after), strict=True):
            request = _first_request(ledger, run, head.key)
            if request is None:
                break
            texts.append(_instructions(request))
        if len(texts) == 2:
            return changed_html(texts[0], texts[1]) if texts[0] != texts[1] else None
    return None


def _first_request(item: OpenedLedger, run: str, key: str) -> Request | None:
    with item.lock:
        answers = item.ledger.answers_to(key, run)
        calls = list(item.ledger.calls(answers[0].answer.calls[:1])) if answers else []
    return calls[0].request if calls else None


def _instructions(request: Request) -> str:
    """Return a prompt without the texts in its fences."""
    return "\n\n".join(
        f"[{part.name}]" if part.name else part.text.strip()
        for message in request.messages
        for part in prompt_parts(message.content)
    )
