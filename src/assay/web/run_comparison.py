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
        alone: Judgments of the first and of the second run without a partner.
        criteria: Mean change of the overall score, and of each criterion with numbers.
        flips: Share of joined pairs whose preference changed.
    """

    changes: Sequence[CaseChange]
    counts: dict[ChangeKind, int]
    joined_by: Literal["subject", "ident"]
    same_judges: bool
    alone: tuple[int, int]
    criteria: Sequence[CriterionChange]
    flips: Estimate


def compare_runs(index: JudgmentIndex, first: str, second: str) -> RunComparison:
    """Compare two indexed runs.

    Judges of the same name are joined if the runs share one; otherwise, each judge with each other (two prompts, say). Cases are
    the same by the names of their subjects, or by ids if the runs share no name.
    """
    judges = [{name for name, _ in index.facets(run, "judge")} for run in (first, second)]
    same = bool(judges[0] & judges[1])
    by: Literal["subject", "ident"] = "subject"
    pairs = index.pairs(first, second, by=by, judges=same)
    if not pairs:
        by = "ident"
        pairs = index.pairs(first, second, by=by, judges=same)
    changes = sorted((_change(*pair) for pair in pairs), key=_rank)
    compared = [item for item in changes if item.before.verdict and item.after.verdict]
    flipped = sum(item.kind == "flipped" for item in compared)
    counts = Counter(item.kind for item in changes)
    return RunComparison(
        changes=changes,
        counts={kind: counts[kind] for kind in KINDS if counts[kind]},
        joined_by=by,
        same_judges=same,
        alone=_alone(index, (first, second), changes),
        criteria=_criteria(changes),
        flips=wilson_interval(flipped, len(compared)),
    )


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
