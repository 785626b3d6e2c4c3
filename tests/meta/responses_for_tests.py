"""Judgments and labels made for tests."""

from assay.meta.labels.record import Label
from assay.meta.responses import JudgeResponse


def pair(subject, better, orders=None, judge="d@m", **rest):
    return JudgeResponse(judge=judge, subject=subject, better=better, orders=orders, pair=True, **rest)


def scored(subject, judge="d@m", status="ok", **scores):
    return JudgeResponse(judge=judge, subject=subject, scores=scores, status=status)


def prefers(subject, preference, rater="r", **rest):
    return Label(subject=subject, rater=rater, preference=preference, **rest)


def rates(subject, score, rater="r", **rest):
    return Label(subject=subject, rater=rater, score=score, **rest)
