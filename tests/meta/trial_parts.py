"""Instances and judges for tests that state everything about them."""

from __future__ import annotations

import msgspec

from assay.interventions.applying import Site
from assay.interventions.instances import Instance
from assay.judges.judgment import Judgment
from assay.meta.trials import Trial
from assay.models.base import Usage
from assay.subjects.case import Case
from assay.subjects.report import Report

GOOD = "# Demand\n\nDemand rose in May. The ministry did not expect it [1].\n\nIt fell in June.\n"


def instance(
    number: int = 0,
    *,
    group: str = "g",
    kind: str = "failure",
    type: str = "fabrication",  # noqa: A002
    bad: str | None = None,
    **more,
) -> Instance:
    text = bad if bad is not None else GOOD.replace("rose", f"fell{number}")
    start = GOOD.index("Demand rose")
    end = start + len(text) - len(GOOD) + len("Demand rose in May.")
    return Instance(
        id=f"{type}-{group}-{number}",
        group=group,
        level="outcome",
        module="output",
        category="faithfulness",
        type=type,
        query="Why?",
        reference={"report": GOOD},
        perturbed={"report": text},
        site=Site(kind="span", start=start, end=end),
        editor="rules",
        kind=kind,
        **more,
    )


class Scorer:
    """Scores and compares by a function of the text; keeps what it was asked."""

    def __init__(
        self,
        score,
        *,
        status: str = "ok",
        quotes=(),
        trials: int = 1,
        first: float = 0.0,
    ) -> None:
        self.value = score
        self.status = status
        self.quotes = tuple(quotes)
        self.trials = trials
        self.first = first  # what is added for what is shown first
        self.asked: list[tuple[str, ...]] = []

    def judgment(self, subject: str, **more) -> Judgment:
        return Judgment(
            subject,
            "test@model",
            status=self.status,
            usage=Usage(calls=1, input_tokens=10),
            quotes=self.quotes,
            **more,
        )

    async def __call__(self, case: Case) -> Judgment:
        if case.mode == "score":
            return self.score(*case.subjects)
        return self.compare(*case.subjects) if case.mode == "compare" else self.rank(case.subjects)

    def score(self, subject: Report) -> Judgment:
        self.asked.append((subject.source,))
        found = self.value(subject.source)
        scores = (
            None
            if found is None or self.status != "ok"
            else (found if isinstance(found, dict) else {"overall": found})
        )
        made = self.judgment(subject.id, scores=scores)
        return msgspec.structs.replace(made, repetitions=(made,) * self.trials if self.trials > 1 else ())

    def compare(self, a: Report, b: Report) -> Judgment:
        self.asked.append((a.source, b.source))

        def verdict(first: Report, second: Report) -> str:
            gap = self.value(first.source) + self.first - self.value(second.source)
            return "tie" if gap == 0 else "A>B" if gap > 0 else "A<B"

        one, other = verdict(a, b), {"A>B": "A<B", "A<B": "A>B", "tie": "tie"}[verdict(b, a)]
        margin = sum({"A>B": 1, "A<B": -1, "tie": 0}[item] for item in (one, other)) / 2
        return self.judgment(
            "a | b",
            scores={"overall": margin, "evidence_sufficiency": margin},
            preference=one if one == other else "tie",
            by_order={"AB": one, "BA": other},
        )

    def rank(self, subjects) -> Judgment:
        self.asked.append(tuple(item.source for item in subjects))
        points = [self.value(item.source) for item in subjects]
        best = [at for at, value in enumerate(points) if value == max(points)]
        scores = {str(at): value for at, value in enumerate(points)}
        return self.judgment("set", scores=scores, choice=best[0] if len(best) == 1 else None, mode="rank")


def trial(number: int = 0, **more) -> Trial:
    usual = {
        "instance": str(number),
        "group": str(number),
        "kind": "failure",
        "level": "outcome",
        "module": "output",
        "category": "faithfulness",
        "type": "fabrication",
        "language": "en",
        "said": "reference",
        "correct": True,
        "gap": 0.5,
    }
    return Trial(**{**usual, **more})
