"""Examples from people: pairs that most of their raters decide the same way."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.training.examples import TrainingExample

if TYPE_CHECKING:
    from assay.meta.labels.label_set import Labels


def examples_from(labels: Labels, *, source: str = "") -> Iterator[TrainingExample]:
    """Yield an example for each labelled pair with a verdict of more than half of its raters.

    Args:
        labels: The labels; scores and verdicts on single subjects are passed over.
        source: Name of the label file, for the record.

    Raises:
        UsageError: A label names a text that is not there.
    """
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for label in labels:
        # A preference on one dimension says nothing about the pair as a whole.
        if label.preference is not None and label.criterion in (None, "overall"):
            votes[label.subject][label.preference] += 1
    for case in labels.filter(lambda label: label.preference is not None).cases():
        given = votes[case.name]
        if not given:
            continue
        verdict, count = given.most_common(1)[0]
        if 2 * count <= given.total() or len(case.subjects) != 2:
            continue
        one, other = case.subjects
        yield TrainingExample(
            id=case.name,
            query=case.query or "",
            a=one.source,
            b=other.source,
            label=verdict,
            provenance="people",
            source=source,
            system_a=one.system or "",
            system_b=other.system or "",
            language=one.language,
            group=" ".join((case.query or str(case.metadata.get("task") or case.name)).split()),
        )
