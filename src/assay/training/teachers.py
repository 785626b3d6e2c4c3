"""Examples from teachers: a pair stays if all of them agree, in both orders (ReportLogic, section 4.2).

The judgments are those of an ordinary run of several judges on pairs; each has the preference in either order. What
each filter removes is counted by dimension, systems, language and margin, because a filter that removes the hard pairs
makes an easy test.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Final, Literal, get_args

import msgspec

from assay.training.examples import TrainingExample, reply_of

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.judges.parts import JudgmentPart
    from assay.rubrics.rubric import Rubric
    from assay.subjects.case import Case

# What becomes of a pair, in the order of the filters.
Fate = Literal["no_verdict", "not_unanimous", "not_consistent", "kept"]
FATES: Final[tuple[Fate, ...]] = get_args(Fate)
# Preference of a judgment, in the words of its labels.
_LABELS: Final[Mapping[str, str]] = {
    "A": "A>B", "B": "A<B", "A>B": "A>B", "A<B": "A<B", "tie": "tie", "both_good": "both_good", "both_bad": "both_bad",
}  # fmt: skip
_MARGINS: Final = (0.25, 0.5, 0.75)


class FilterReport(msgspec.Struct, kw_only=True):
    """What became of the pairs.

    Attributes:
        pairs: Pairs that at least one teacher judged.
        no_verdict: Pairs on which a teacher gave no verdict in one of the orders.
        not_unanimous: Pairs on which teachers disagreed, as first shown.
        not_consistent: Pairs on which they agreed, and the verdict of one did not invert with the order.
        kept: Pairs that are left.
        by_label: Kept pairs by label.
        by_group: Pairs by what became of them, for each system, language, margin and dimension. A margin is how far
            the dimensions lean to one side, 0 to 1, on average over teachers; of a dimension, it is the decision on it
            that was filtered.
    """

    pairs: int = 0
    no_verdict: int = 0
    not_unanimous: int = 0
    not_consistent: int = 0
    kept: int = 0
    by_label: Counter[str] = msgspec.field(default_factory=Counter)
    by_group: dict[str, Counter[str]] = {}


class AgreedPair(msgspec.Struct, frozen=True, kw_only=True):
    """A pair on which all teachers agree.

    Attributes:
        case: The pair, in the order in which it was first shown.
        label: Their verdict.
        dimensions: Their decisions, where they agree in both orders.
        teacher: Index of the teacher whose reply is taken.
        judge: Name of that teacher.
        rationale: Its reasons.
    """

    case: Case
    label: str
    dimensions: dict[str, str]
    teacher: int
    judge: str
    rationale: str


def agreed_pairs(
    pairs: Iterable[tuple[Case, Sequence[Judgment]]], *, seed: int = 0
) -> tuple[list[AgreedPair], FilterReport]:
    """Return the pairs on which all teachers agree in both orders, and what became of the others.

    Args:
        pairs: Each pair as it was judged, with the judgments of its teachers, one each.
        seed: Seed of the draw of the teacher whose reply is taken; the draw depends on the pair too.
    """
    report = FilterReport()
    groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
    found: list[AgreedPair] = []
    for case, judgments in pairs:
        report.pairs += 1
        fate = _fate([judgment.by_order for judgment in judgments])
        setattr(report, fate, getattr(report, fate) + 1)
        for name in _groups(case, judgments):
            groups[name][fate] += 1
        decided: defaultdict[str, list[Mapping[str, object] | None]] = defaultdict(list)
        for judgment in judgments:
            for verdict in judgment.verdicts:
                decided[verdict.criterion].append(verdict.by_order)
        fates = {key: _fate(orders) for key, orders in decided.items()}
        for key, what in fates.items():
            groups[f"dimension: {key}"][what] += 1
        if fate != "kept":
            continue
        label = _orders(judgments[0].by_order)[0] or ""
        report.by_label[label] += 1
        teacher = Random(f"{seed}:{case.name}").randrange(len(judgments))  # noqa: S311 - no secret hangs on it
        found.append(
            AgreedPair(
                case=case,
                label=label,
                dimensions={
                    key: _orders(decided[key][0])[0] or "" for key, what in fates.items() if what == "kept"
                },
                teacher=teacher,
                judge=judgments[teacher].judge,
                rationale=judgments[teacher].rationale,
            )
        )
    report.by_group = dict(sorted(groups.items()))
    return found, report


def example_of(pair: AgreedPair, rubric: Rubric, parts: Iterable[JudgmentPart]) -> TrainingExample:
    """Return the example of a pair, with the replies of the teacher that was drawn.

    Args:
        pair: The pair.
        rubric: The rubric by which this teacher judged it, which may have been written for the pair.
        parts: The teacher's answers in both orders.
    """
    one, other = pair.case.subjects
    replies = {part.order: _reply(part) for part in parts if part.criteria}
    return TrainingExample(
        id=pair.case.name,
        query=pair.case.query or "",
        a=one.source,
        b=other.source,
        label=pair.label,
        dimensions=pair.dimensions,
        criteria={item.key: item.asks for item in rubric.criteria},
        reply=replies.get("AB", ""),
        swapped_reply=replies.get("BA", ""),
        why=pair.rationale,
        provenance="teachers",
        source=pair.judge,
        system_a=one.system or "",
        system_b=other.system or "",
        language=one.language,
        group=" ".join((pair.case.query or pair.case.name).split()),
    )


def _reply(part: JudgmentPart) -> str:
    """Return an answer in the form of LogicJudge, its labels as the teacher gave them."""
    answer = part.answer
    decisions = {key: _LABELS.get(str(answer.values.get(key)), "") for key in part.criteria}
    verdict = _LABELS.get(str(answer.preference), "")
    if not verdict or not all(decisions.values()):
        return ""
    reasons = {key: detail.rationale for key, detail in answer.details.items()}
    lines = [line for line in answer.rationale.splitlines() if line.strip()]
    whole = next((line.removeprefix("overall: ") for line in lines if line.startswith("overall: ")), "")
    return reply_of(decisions, reasons, whole or " ".join(lines), verdict)


def _fate(orders: Sequence[Mapping[str, object] | None]) -> Fate:
    """Return what becomes of verdicts by teacher, each in both orders, in terms of the pair as first shown."""
    read = [_orders(order) for order in orders]
    if not read or any(None in order for order in read):
        return "no_verdict"
    if len({first for first, _ in read}) > 1:
        return "not_unanimous"
    return "kept" if all(first == second for first, second in read) else "not_consistent"


def _orders(by_order: Mapping[str, object] | None) -> tuple[str | None, str | None]:
    given = by_order or {}
    first, second = (_LABELS.get(str(given.get(order))) for order in ("AB", "BA"))
    return first, second


def _groups(case: Case, judgments: Sequence[Judgment]) -> tuple[str, ...]:
    systems = sorted(str(item.system or "?") for item in case.subjects)
    names = (f"systems: {' and '.join(systems)}", f"language: {case.subjects[0].language}")
    leans = [
        abs(sum(known) / len(known))
        for judgment in judgments
        if (known := [item.score for item in judgment.verdicts if item.score is not None])
    ]
    if not leans:
        return names
    mean = sum(leans) / len(leans)
    low = max((edge for edge in (0.0, *_MARGINS) if mean >= edge), default=0.0)
    return (*names, f"margin: {low:g} to {low + 0.25:g}")
