"""Judgments and labels made for tests."""

from assay.judges.judgment import Judgment, Usage
from assay.meta.labels.record import Label

PREFERENCES = {"A": "A>B", "B": "A<B", "tie": "tie", None: None}


def pair(subject, better, orders=None, judge="d@m", **rest):
    both = {"AB": PREFERENCES[orders[0]], "BA": PREFERENCES[orders[1]]} if orders else None
    preference = PREFERENCES[better]
    return Judgment(
        judge=judge, subject=subject, preference=preference, by_order=both, mode="compare", **rest
    )


def scored(subject, judge="d@m", status="ok", tokens=0, **scores):
    usage = Usage(output_tokens=tokens)
    return Judgment(judge=judge, subject=subject, scores=scores, status=status, usage=usage)


def prefers(subject, preference, rater="r", **rest):
    return Label(subject=subject, rater=rater, preference=preference, **rest)


def rates(subject, score, rater="r", **rest):
    return Label(subject=subject, rater=rater, score=score, **rest)
