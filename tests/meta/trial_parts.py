"""Instances and judges for tests that state everything about them."""

from __future__ import annotations

from assay.interventions.applying import Site
from assay.interventions.instances import Instance
from assay.judges.judgment import Judgment
from assay.judges.ranking import ranking_of_scores
from assay.judges.repetitions import Repetitions
from assay.meta.judge_under_test import RepeatedJudgment
from assay.meta.trials import Trial
from assay.models.base import Usage
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
        both_orders: bool = False,
        status: str = "ok",
        quotes=(),
        trials: int = 1,
        first: float = 0.0,
    ) -> None:
        self.value = score
        self.both_orders = both_orders
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

    async def judge(self, *subjects: Report) -> RepeatedJudgment:
        return self.score(*subjects) if len(subjects) == 1 else self.compare(*subjects)

    def score(self, subject: Report) -> RepeatedJudgment:
        self.asked.append((subject.source,))
        found = self.value(subject.source)
        scores = (
            None
            if found is None or self.status != "ok"
            else (found if isinstance(found, dict) else {"overall": found})
        )
        return RepeatedJudgment(
            Repetitions(
                tuple(self.judgment(subject.id, scores=scores) for _ in range(self.trials)), self.trials
            ),
            ("k",),
        )

    def compare(self, a: Report, b: Report) -> RepeatedJudgment:
        self.asked.append((a.source, b.source))

        def verdict(first: Report, second: Report) -> str:
            gap = self.value(first.source) + self.first - self.value(second.source)
            return "tie" if gap == 0 else "A>B" if gap > 0 else "A<B"

        one, other = verdict(a, b), {"A>B": "A<B", "A<B": "A>B", "tie": "tie"}[verdict(b, a)]
        orders = {"AB": one, "BA": other}
        both = one if one == other else "tie"
        margin = sum({"A>B": 1, "A<B": -1, "tie": 0}[item] for item in (one, other)) / 2
        made = self.judgment(
            "a | b",
            scores={"overall": margin, "evidence_sufficiency": margin},
            preference=both,
            by_order=orders,
        )
        return RepeatedJudgment(Repetitions((made,), 1), ("k",))

    async def rank(self, subjects):
        self.asked.append(tuple(item.source for item in subjects))
        judged = [[self.judgment(item.id, scores={"overall": self.value(item.source)})] for item in subjects]
        return ranking_of_scores([item.id for item in subjects], judged)


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
