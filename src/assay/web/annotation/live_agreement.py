"""How far raters agree so far, question by question: shares, κ and α with 95 % intervals over the groups of items."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec
import numpy as np

from assay.measures import additive
from assay.measures.alpha import coincidences
from assay.measures.bootstrap import bootstrap_tables
from assay.measures.intervals import Estimate, wilson_interval
from assay.meta.human_agreement import human_agreement_of
from assay.meta.labelled_units import LabelledUnit
from assay.meta.labels.record import Label
from assay.meta.metric_set import MetricSet
from assay.web.annotation.project import AnnotationProject
from assay.web.annotation.project_labels import project_labels
from assay.web.annotation.questions import FAULT_TYPES, OVERALL, AnnotationQuestion, Level

_DRAWS = 500


class QuestionAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on one question.

    Attributes:
        key: The question.
        title: Its name.
        shared: Number of items with two ratings or more.
        split: Number of those on which raters differ.
        share: Share of agreeing pairs of ratings.
        kappa: Fleiss' κ.
        alpha: Krippendorff's α, at the level of the question.
        level: That level.
        counts: Ratings by value.
    """

    key: str
    title: str
    shared: int
    split: int
    share: Estimate
    kappa: Estimate
    alpha: Estimate
    level: Level
    counts: dict[str, int]


class RaterAgreement(msgspec.Struct, frozen=True):
    """How often a rater agrees with the majority of the others."""

    rater: str
    share: Estimate


Ratings = dict[tuple[int, str], dict[str, str]]


def ratings_of(project: AnnotationProject) -> dict[str, dict[str, dict[str, str]]]:
    """Return ratings by question, item and rater, without those of adjudicators and without "cannot say"."""
    settlers = {rater.name for rater in project.raters() if rater.role == "adjudicator"}
    found: defaultdict[str, defaultdict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for label in project_labels(project):
        if label.rater not in settlers:
            found[label.criterion or OVERALL][label.subject][label.rater] = _value(label)
    return {key: dict(items) for key, items in found.items()}


def _value(label: Label) -> str:
    return f"{label.score:g}" if label.score is not None else str(label.preference or label.verdict)


def question_agreement(project: AnnotationProject) -> list[QuestionAgreement]:
    """Return the agreement on each question, in the order asked."""
    ratings = ratings_of(project)
    tasks = {item.subject: item.task for item in project.outlines.values()}
    found = []
    for question in _asked(project):
        found.append(_agreement(question, ratings.get(question.key, {}), tasks))
    return found


def _asked(project: AnnotationProject) -> Sequence[AnnotationQuestion]:
    if project.plan.task != "faults":
        return project.plan.questions
    return [AnnotationQuestion(key=key, title=title) for key, title in FAULT_TYPES]


def _agreement(
    question: AnnotationQuestion, items: dict[str, dict[str, str]], tasks: dict[str, str]
) -> QuestionAgreement:
    shared = {name: given for name, given in items.items() if len(given) > 1}
    counts = Counter(value for given in items.values() for value in given.values())
    units = [
        LabelledUnit(
            subject=name, part=question.key, task=tasks.get(name, name), strata={}, ratings=dict(given)
        )
        for name, given in shared.items()
    ]
    metrics = MetricSet(kind="verdict", classes=sorted(counts))
    panel = human_agreement_of(units, metrics, {}).panel
    none = Estimate(reason="no item has two ratings" if not shared else "all ratings are the same")
    return QuestionAgreement(
        key=question.key,
        title=question.title,
        shared=len(shared),
        split=sum(len(set(given.values())) > 1 for given in shared.values()),
        share=panel.get("pairwise_agreement", Estimate(value=1.0, n=len(shared)) if shared else none),
        kappa=panel.get("fleiss_kappa", none),
        alpha=_alpha(shared, question, tasks) if len(counts) > 1 else none,
        level=question.level,
        counts=dict(counts.most_common()),
    )


def _alpha(
    shared: dict[str, dict[str, str]], question: AnnotationQuestion, tasks: dict[str, str]
) -> Estimate:
    """Return Krippendorff's α (2011) with an interval over groups of items."""
    if question.level == "interval":
        names = sorted({value for given in shared.values() for value in given.values()}, key=float)
        values = np.array([float(name) for name in names])
    else:
        order = [option.value for option in question.options]
        present = {value for given in shared.values() for value in given.values()}
        names = [name for name in order if name in present] + sorted(present - set(order))
        values = np.arange(len(names), dtype=float)
    if len(names) < 2:
        return Estimate(reason="all ratings are the same" if shared else "no item has two ratings")
    groups = {task: at for at, task in enumerate(dict.fromkeys(tasks.get(name, name) for name in shared))}
    tables = np.zeros((len(groups), len(names), len(names)))
    for name, given in shared.items():
        counts = np.zeros((1, len(names)))
        for value in given.values():
            counts[0, names.index(value)] += 1
        tables[groups[tasks.get(name, name)]] += coincidences(counts)
    found = bootstrap_tables(tables, lambda sums: additive.alpha(sums, question.level, values), draws=_DRAWS)
    return msgspec.structs.replace(found, n=len(shared))


def rater_agreement(project: AnnotationProject) -> list[RaterAgreement]:
    """Return how often each rater agrees with the majority of the others, over all questions."""
    hits: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for items in ratings_of(project).values():
        for given in items.values():
            for rater, value in given.items():
                others = Counter(other for name, other in given.items() if name != rater).most_common(2)
                if not others or (len(others) == 2 and others[0][1] == others[1][1]):
                    continue
                seen[rater] += 1
                hits[rater] += value == others[0][0]
    return [RaterAgreement(rater, wilson_interval(hits[rater], number)) for rater, number in seen.items()]


def split_items(project: AnnotationProject) -> dict[int, list[str]]:
    """Return the items on which raters differ, with the questions."""
    by_subject: defaultdict[str, list[str]] = defaultdict(list)
    for key, items in ratings_of(project).items():
        for name, given in items.items():
            if len(set(given.values())) > 1:
                by_subject[name].append(key)
    return {
        number: by_subject[item.subject]
        for number, item in project.outlines.items()
        if item.subject in by_subject
    }
